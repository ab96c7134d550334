#include "lab/selfplay/relabel.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/progress.h"
#include "chess/makemove.h"
#include "lab/data/record.h"
#include "lab/kit/crew.h"

#include <stdio.h>
#include <string.h>

enum { BATCH = 256, PATH_CAPACITY = 1024 };

typedef struct Relabel {
    const RelabelSettings *settings;
    RelabelReport *report;
    Crew crew;
    Player *players[CREW_THREADS_MAX];
    int threads;
    RecordedGame *games; /* a batch */
    bool seen[BATCH];    /* these have their new scores */
    RecordOrigin origins[BATCH];
    int count;
    RecordWriter *writer;
    uint64_t skip;                /* games that an earlier run has done */
    uint64_t done_hash, met_hash; /* of those, and of the games skipped for them */
    uint64_t hash;
    Progress progress;
    uint64_t done;
} Relabel;

static Status relabel_game(void *context, int number, int64_t index) {
    Relabel *relabel = context;
    Player *player = relabel->players[number];
    RecordedGame *game = &relabel->games[index];
    Position pos = game->start;
    player_new_game(player);
    for (int i = 0; i < game->ply_count; i++) {
        if (game->ply[i].score != RECORD_NO_SCORE) {
            Choice choice = player_choose(player, &pos, relabel->settings->budget);
            const int white_score = pos.side == WHITE ? choice.score : -choice.score;
            game->ply[i].score = (int16_t)record_round_score(white_score);
        }
        Undo undo;
        position_make_move(&pos, game->ply[i].move, &undo);
    }
    relabel->seen[index] = true;
    return status_ok();
}

static Status finish_batch(Relabel *relabel) {
    Crew *crew = &relabel->crew;
    Status status = crew_run_tasks(crew, relabel->threads, relabel->count, relabel_game, relabel, NULL);
    relabel->report->interrupted = crew->interrupted;
    /* After an interruption the last games have not been seen. */
    for (int i = 0; i < relabel->count && relabel->seen[i] && status_is_ok(&status); i++) {
        RecordOrigin origin = relabel->origins[i];
        origin.net_hash = relabel->hash;
        origin.nodes = (uint32_t)relabel->settings->budget.soft;
        origin.flags |= RECORD_RELABELLED;
        status = record_writer_add(relabel->writer, &origin, &relabel->games[i]);
        relabel->report->games++;
        relabel->report->plies += (uint64_t)relabel->games[i].ply_count;
    }
    relabel->done += (uint64_t)relabel->count;
    relabel->count = 0;
    memset(relabel->seen, 0, sizeof relabel->seen);
    progress_update(&relabel->progress, (int64_t)relabel->done, NULL);
    return status;
}

static uint64_t hash_game(uint64_t before, const RecordedGame *game) {
    const uint64_t hash = recorded_hash(game);
    return bytes_hash_more(before, &hash, sizeof hash);
}

/* Games that are done already must be those that are there, or the file would be of two sets of games. */
static Status skip_game(Relabel *relabel, const RecordedGame *game) {
    relabel->met_hash = hash_game(relabel->met_hash, game);
    relabel->done++;
    if (--relabel->skip > 0 || relabel->met_hash == relabel->done_hash) return status_ok();
    return status_error("%s.relabelling was begun with other games: remove it first", relabel->settings->out);
}

static Status relabel_file(Relabel *relabel, const char *path) {
    Status status;
    RecordReader *reader = record_reader_open(path, &status);
    if (reader == NULL) return status;
    RecordBlock block;
    while (!relabel->report->interrupted && record_reader_next_block(reader, &block, &status)) {
        while (record_reader_next_game(reader, &relabel->games[relabel->count], &status)) {
            if (relabel->skip > 0) {
                status = skip_game(relabel, &relabel->games[relabel->count]);
                if (!status_is_ok(&status)) break;
                continue;
            }
            relabel->origins[relabel->count++] = block.origin;
            if (relabel->count < BATCH) continue;
            status = finish_batch(relabel);
            if (!status_is_ok(&status) || relabel->report->interrupted) break;
        }
        if (!status_is_ok(&status)) break;
    }
    record_reader_close(reader);
    return status;
}

static Status count_games(const char *path, uint64_t *games) {
    Status status;
    RecordReader *reader = record_reader_open(path, &status);
    RecordBlock block;
    while (reader != NULL && record_reader_next_block(reader, &block, &status)) *games += block.games;
    record_reader_close(reader);
    return status;
}

/* Counts what an earlier run has done: of the same work, or two networks' scores would stand in one file. */
static Status count_done(Relabel *relabel, const char *part) {
    const uint32_t nodes = (uint32_t)relabel->settings->budget.soft;
    Status status;
    RecordReader *reader = record_reader_open(part, &status);
    RecordBlock block;
    while (reader != NULL && record_reader_next_block(reader, &block, &status)) {
        if (block.origin.net_hash != relabel->hash || block.origin.nodes != nodes) {
            status = status_error("%s was begun with another network or node limit: remove it first", part);
            break;
        }
        for (; record_reader_next_game(reader, relabel->games, &status); relabel->skip++)
            relabel->done_hash = hash_game(relabel->done_hash, relabel->games);
        if (!status_is_ok(&status)) break;
    }
    record_reader_close(reader);
    return status;
}

static Status prepare(Relabel *relabel, const Network *network, const char *part) {
    const RelabelSettings *settings = relabel->settings;
    Status status = record_check_output(settings->out);
    if (!status_is_ok(&status)) return status;
    relabel->hash = network_hash(network);
    relabel->threads = crew_threads(settings->threads);
    relabel->games = memory_allocate(BATCH * sizeof *relabel->games);
    if (relabel->games == NULL) return status_no_memory("the games");
    for (int i = 0; i < relabel->threads && status_is_ok(&status); i++)
        relabel->players[i] = player_create(network, (size_t)settings->hash, &status);
    if (!status_is_ok(&status)) return status;
    relabel->writer = record_writer_open(part, NULL, &status);
    if (relabel->writer != NULL) status = count_done(relabel, part);
    uint64_t total = 0;
    for (int i = 0; i < settings->in_count && status_is_ok(&status); i++)
        status = count_games(settings->in[i], &total);
    if (status_is_ok(&status) && relabel->skip > total)
        status =
            status_error("%s has more games than there are to relabel: it was begun with other files; remove "
                         "it first",
                         part);
    relabel->progress = progress_begin("games", (int64_t)total, settings->quiet);
    return status;
}

static Status run(Relabel *relabel, const char *part) {
    const RelabelSettings *settings = relabel->settings;
    Status status = status_ok();
    for (int i = 0; i < settings->in_count && status_is_ok(&status); i++)
        status = relabel_file(relabel, settings->in[i]);
    if (status_is_ok(&status) && !relabel->report->interrupted) status = finish_batch(relabel);
    Status closed = record_writer_close(relabel->writer);
    relabel->writer = NULL;
    progress_end(&relabel->progress);
    if (status_is_ok(&status)) status = closed;
    if (status_is_ok(&status)) status = record_check_output(settings->out);
    if (status_is_ok(&status) && !relabel->report->interrupted && rename(part, settings->out) != 0)
        status = status_system_error("cannot rename %s", part);
    return status;
}

Status relabel_run(const RelabelSettings *settings, RelabelReport *report) {
    *report = (RelabelReport){0};
    char part[PATH_CAPACITY];
    text_format(part, sizeof part, "%s.relabelling", settings->out);
    Status status;
    Network *network = selfplay_open_network(settings->network, &status);
    if (network == NULL) return status;
    Relabel *relabel = memory_allocate(sizeof *relabel);
    if (relabel != NULL) {
        relabel->settings = settings;
        relabel->report = report;
        crew_begin(&relabel->crew);
        status = prepare(relabel, network, part);
        if (status_is_ok(&status)) status = run(relabel, part);
        crew_end(&relabel->crew);
        (void)record_writer_close(relabel->writer);
        for (int i = 0; i < relabel->threads; i++) player_destroy(relabel->players[i]);
        memory_release(relabel->games);
        memory_release(relabel);
    } else {
        status = status_no_memory("the games");
    }
    network_destroy(network);
    return status;
}
