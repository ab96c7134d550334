#include "lab/selfplay/datagen.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "lab/data/record.h"
#include "lab/data/seeded.h"
#include "lab/data/shards.h"
#include "lab/kit/crew.h"
#include "lab/kit/line_journal.h"
#include "lab/kit/ownership.h"
#include "search/score.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 1024 };

#define FIELD_STRUCT DatagenSettings
const Field DATAGEN_FIELDS[] = {
    {FIELD_TEXT("out", "FILE", out, NULL, "the file of games; an existing one is continued"),
     .flags = FIELD_REQUIRED},
    {FIELD_TEXT("net", "NET", network, NULL,
                "the network: a file or random:WIDTH:SEED (default: the program's)")},
    {FIELD_WHOLE("games", "N", games, 1, 1e12, NULL, "stop at N games in the file")},
    {FIELD_TEXT("shard", "K/N", shard, NULL, "play the K-th of N parts of --games; data collect joins them")},
    {FIELD_WHOLE("plies", "N", plies, 1, 1e13, NULL, "stop at N plies in the file"), .flags = FIELD_EACH},
    {FIELD_SECONDS("seconds", seconds, 1, 1e9, NULL, "stop after this time")},
    {FIELD_WHOLE("nodes", "N", budget.soft, 1, 1e9, "1000",
                 "nodes of a move: no iteration begins after them"),
     .flags = FIELD_RESULT | FIELD_EACH},
    {FIELD_WHOLE("hard-nodes", "N", budget.hard, 0, 1e9, "0",
                 "nodes of a move at most; 0: four times --nodes"),
     .flags = FIELD_RESULT},
    {FIELD_TEXT("tablebases", "DIR", tablebases, NULL, "folders of Syzygy tablebases for the search"),
     .flags = FIELD_RESULT},
    {FIELD_WHOLE("threads", "N", threads, 0, 1024, "0", "threads; 0: one for each core")},
    {FIELD_WHOLE("hash", "MiB", hash, 1, 1024, "2", "MiB of each thread's table"), .flags = FIELD_RESULT},
    {FIELD_WHOLE("seed", "N", seed, 0, 1e15, "1", "of the openings")},
    {FIELD_WHOLE("gold-nodes", "N", gold_nodes, 0, 1e9, "0",
                 "make a gold set: keep one position of each game, searched with N nodes; 0: whole games"),
     .flags = FIELD_RESULT},
    {FIELD_REAL("gold-inside", "X", gold_inside, 0, 1, "0",
                "share of the gold set's positions that are leaves of a search from the game"),
     .flags = FIELD_RESULT},
    {FIELD_FLAG("first-generation", first_generation,
                "for a random network: no scores decide about openings and ends"),
     .flags = FIELD_RESULT},
    {FIELD_WHOLE("flush-seconds", "S", flush_seconds, 1, 1e6, "60", "write at least this often")},
    {FIELD_FLAG("again", again, "start over, and keep the old file as FILE.old")},
    {FIELD_FLAG("quiet", quiet, "print no progress")},
    {FIELD_GROUP(opening, OPENING_FIELDS), .flags = FIELD_RESULT},
    {FIELD_REAL("random-moves", "X", random_moves, 0, 0.5, "0",
                "share of moves after the opening that are random too"),
     .flags = FIELD_RESULT},
    {FIELD_GROUP(adjudication, ADJUDICATION_FIELDS), .flags = FIELD_RESULT},
    {FIELD_REAL("played-out", "X", played_out, 0, 1, "0.1", "share of games that are never adjudicated"),
     .flags = FIELD_RESULT},
    {0}};

/* --- the gold set: positions to measure networks on, from which no network learns --- */

/* A game gives its position at the first try or two; a game of checks and captures alone is not worth more.
 */
enum { GOLD_TRIES = 8, GOLD_MIN_PLY = 16, INSIDE_PLIES_MAX = 64 };

static Position position_before(const RecordedGame *game, int ply) {
    Position pos = game->start;
    for (int i = 0; i < ply; i++) {
        Undo undo;
        position_make_move(&pos, game->ply[i].move, &undo);
    }
    return pos;
}

static PlayerMove search_afresh(Player *player, const Position *pos, uint64_t nodes, uint64_t *searched) {
    player_new_game(player);
    const PlayerMove choice = player_choose(player, pos, (MoveBudget){nodes, nodes});
    *searched += choice.nodes;
    return choice;
}

/* Follows a random line of a search to its leaf, and returns its length. Most evaluations are of leaves, and
 * their positions differ from those of games: they come after moves that nobody would play. */
static int go_inside(Player *player, Rng *rng, uint64_t nodes, Position *pos, Move *line,
                     uint64_t *searched) {
    search_afresh(player, pos, nodes, searched);
    int length = 0;
    while (length < INSIDE_PLIES_MAX && (line[length] = player_step_inside(player, pos, rng)) != MOVE_NONE) {
        Undo undo;
        position_make_move(pos, line[length++], &undo);
    }
    return length;
}

/* Picks a position of a finished game at random, or one inside a search from there with a tenth of `nodes`,
 * such as a search asks the network about (not in check, the best move quiet, neither king alone, no mate
 * found), and searches it with exactly `nodes` nodes. The game then ends with this ply: its move and score
 * are those of the search, no other ply keeps its score, and the result is that of the whole game. False when
 * the game has no such position: it is of no use then. Adds to `*searched`. */
static bool keep_one_position(RecordedGame *game, Player *player, Rng *rng, uint64_t nodes, bool inside,
                              uint64_t *searched) {
    if (game->ply_count <= GOLD_MIN_PLY) return false;
    for (int tries = 0; tries < GOLD_TRIES; tries++) {
        const int ply = GOLD_MIN_PLY + (int)rng_below(rng, (uint64_t)(game->ply_count - GOLD_MIN_PLY));
        Position pos = position_before(game, ply);
        Move line[INSIDE_PLIES_MAX];
        const int length = inside ? go_inside(player, rng, nodes / 10 + 1, &pos, line, searched) : 0;
        if (position_in_check(&pos) || position_has_lone_king(&pos) || game_end(&pos) != GAME_GOES_ON)
            continue;
        const PlayerMove choice = search_afresh(player, &pos, nodes, searched);
        if (position_is_noisy(&pos, choice.move) || score_is_mate(choice.score)) continue;
        game->ply_count = ply;
        game->end = GAME_GOES_ON;
        for (int i = 0; i < ply; i++) game->ply[i].score = RECORD_NO_SCORE;
        for (int i = 0; i < length; i++) (void)recorded_add(game, line[i], RECORD_NO_SCORE);
        return recorded_add(game, choice.move, choice.score);
    }
    return false;
}

/* --- games --- */

static bool play_game(const DatagenSettings *settings, Player *player, uint64_t number, Rng *rng,
                      RecordedGame *game, GameCost *cost, StopQuery *stop, void *context) {
    Position pos;
    player_new_game(player);
    const uint64_t key =
        selfplay_opening(&settings->opening, player, (uint64_t)settings->seed, number, game, &pos);
    Adjudication rules = settings->adjudication;
    if (rng_unit(rng) < settings->played_out) rules.by_score = false;
    Adjudicator adjudicator = {0};
    while ((game->end = game_end(&pos)) == GAME_GOES_ON) {
        if (stop(context)) return false;
        game->end = adjudicate_length(&rules, game->ply_count, &game->result);
        if (game->end != GAME_GOES_ON) return true;
        const int ply = game->ply_count;
        const bool random = seeded_random_move_chance(key, ply) < settings->random_moves;
        const PlayerMove choice = random
                                      ? (PlayerMove){selfplay_random_move(&pos, key, ply), RECORD_NO_SCORE, 0}
                                      : player_choose(player, &pos, settings->budget);
        cost->nodes += choice.nodes;
        cost->moves += !random;
        if (!recorded_add(game, choice.move, choice.score)) return false;
        if (!random)
            game->end = adjudicate(&rules, &adjudicator, &pos, choice.score, game->ply_count, &game->result);
        if (game->end != GAME_GOES_ON) return true;
        Undo undo;
        position_make_move(&pos, choice.move, &undo);
    }
    game->result = game_end_result(game->end, &pos);
    return true;
}

bool datagen_play_game(const DatagenSettings *settings, Player *player, uint64_t number, RecordedGame *game,
                       GameCost *cost, StopQuery *stop, void *context) {
    Rng rng = rng_stream((uint64_t)settings->seed, number);
    if (!play_game(settings, player, number, &rng, game, cost, stop, context)) return false;
    if (settings->gold_nodes == 0) return true;
    const bool inside = settings->gold_inside > 0 && rng_unit(&rng) < settings->gold_inside;
    return keep_one_position(game, player, &rng, (uint64_t)settings->gold_nodes, inside, &cost->nodes);
}

/* --- threads --- */

/* What became of a number. */
typedef struct Played {
    uint64_t number;
    bool is_kept; /* false: it gives nothing for the file */
    GameCost cost;
    RecordedGame game;
} Played;

typedef struct Run {
    const DatagenSettings *settings;
    DatagenReport *report;
    const Network *network;
    Syzygy tables;
    Crew crew; /* its lock is for all below */
    RecordWriter *writer;
    LineJournal journal; /* its header has the settings of the games; there are no lines */
    RecordOrigin origin;
    Shard shard;                   /* count 0: the whole run */
    uint64_t next_game, next_kept; /* numbers to be played and to be kept next */
    Played *waiting;               /* for games with lower numbers; as many as a long game lets others end */
    size_t waiting_count;
    ProgressBar progress;
    int64_t begun, flushed; /* milliseconds */
} Run;

static bool is_shard(const Run *run) { return run->shard.count > 0; }

static bool run_stopped(void *context) { return crew_cancelled(&((Run *)context)->crew); }

static bool bounds_reached(const Run *run) {
    const DatagenSettings *settings = run->settings;
    const DatagenReport *report = run->report;
    if (is_shard(run)) return run->next_kept >= run->shard.end;
    if (settings->games && report->games >= (uint64_t)settings->games) return true;
    return settings->plies && report->plies >= (uint64_t)settings->plies;
}

static Status keep_game(Run *run, Played *played) {
    DatagenReport *report = run->report;
    RecordedGame *game = &played->game;
    if (!played->is_kept || bounds_reached(run)) return status_ok();
    RecordOrigin origin = run->origin;
    origin.next_game = played->number + 1;
    const Status status = record_writer_add(run->writer, &origin, game);
    if (!status_is_ok(&status)) return status;
    report->games++;
    report->new_games++;
    report->plies += (uint64_t)game->ply_count;
    report->new_plies += (uint64_t)game->ply_count;
    report->results[game->result]++;
    report->ends[recorded_end_kind(game->end)]++;
    report->nodes += played->cost.nodes;
    report->moves += played->cost.moves;
    return status_ok();
}

/* A shard has a block for each group of numbers, whenever they are played. */
static Status end_group(Run *run) {
    const uint64_t number = run->next_kept;
    const bool ends = is_shard(run) && shard_block_end(number, run->shard.end) == number;
    return ends ? record_writer_flush(run->writer) : status_ok();
}

/* Keeps all games whose turn it is. */
static Status hand_in(Run *run, const Played *played) {
    Played *waiting = memory_grow(run->waiting, run->waiting_count, sizeof *waiting);
    if (waiting == NULL) return status_no_memory("the games");
    run->waiting = waiting;
    waiting[run->waiting_count++] = *played;
    Status status = status_ok();
    for (size_t i = 0; i < run->waiting_count && status_is_ok(&status);) {
        if (waiting[i].number != run->next_kept) {
            i++;
            continue;
        }
        status = keep_game(run, &waiting[i]);
        run->next_kept++;
        if (status_is_ok(&status)) status = end_group(run);
        if (bounds_reached(run)) crew_cancel(&run->crew);
        waiting[i] = waiting[--run->waiting_count];
        i = 0;
    }
    return status;
}

static void play_games(void *context, int thread) {
    (void)thread;
    Run *run = context;
    Status status;
    Player *player = player_create(run->network, (size_t)run->settings->hash, &status);
    Played *played = memory_allocate(sizeof *played);
    if (player != NULL && run->settings->tablebases != NULL) player_use_tables(player, &run->tables);
    if (player != NULL && played == NULL) status = status_no_memory("a game");
    while (played != NULL && status_is_ok(&status) && !run_stopped(run)) {
        mutex_lock(&run->crew.lock);
        played->number = run->next_game++;
        mutex_unlock(&run->crew.lock);
        if (is_shard(run) && played->number >= run->shard.end) break; /* others play the last ones */
        played->cost = (GameCost){0};
        played->is_kept = datagen_play_game(run->settings, player, played->number, &played->game,
                                            &played->cost, run_stopped, run);
        if (!played->is_kept && run_stopped(run)) break;
        mutex_lock(&run->crew.lock);
        status = hand_in(run, played);
        mutex_unlock(&run->crew.lock);
    }
    if (!status_is_ok(&status)) crew_fail(&run->crew, &status);
    memory_release(played);
    player_destroy(player);
}

/* --- the main thread --- */

static void show_progress(Run *run, int64_t now) {
    const DatagenReport *report = run->report;
    char plies[NUMBER_TEXT_CAPACITY], rate[NUMBER_TEXT_CAPACITY], note[160];
    const double hours = (double)(now - run->begun + 1) / 3.6e6;
    const double games = report->new_games ? (double)report->new_games : 1;
    text_format(note, sizeof note, "%s plies, %s an hour, %.0f nodes a move, %.0f %% drawn",
                console_thousands(report->plies, plies),
                console_thousands((uint64_t)((double)report->new_plies / hours), rate),
                report->moves ? (double)report->nodes / (double)report->moves : 0.0,
                100.0 * (double)report->results[DRAWN] / games);
    progress_update(&run->progress, (int64_t)report->games, note);
}

/* Looks after the clock and the disk. */
static void tick(void *context) {
    Run *run = context;
    const DatagenSettings *settings = run->settings;
    int64_t now = clock_milliseconds();
    if (settings->seconds > 0 && (double)(now - run->begun) >= settings->seconds * 1000)
        crew_cancel(&run->crew);
    if (!is_shard(run) && now - run->flushed >= settings->flush_seconds * 1000) {
        Status status = record_writer_flush(run->writer);
        if (!status_is_ok(&status)) crew_fail(&run->crew, &status);
        run->flushed = now;
    }
    show_progress(run, now);
}

static Status play_on_threads(Run *run) {
    Crew *crew = &run->crew;
    if (!run->settings->quiet) crew_warn_if_loaded(run->settings->threads, "run");
    const int64_t games = is_shard(run) ? (int64_t)(run->shard.end - run->shard.first) : run->settings->games;
    run->progress = progress_begin("games", games, run->settings->quiet);
    run->progress.before = (int64_t)run->report->games;
    run->begun = run->flushed = clock_milliseconds();
    Status status = crew_run(crew, crew_threads(run->settings->threads), play_games, tick, run);
    run->report->interrupted = crew->interrupted;
    progress_end(&run->progress);
    run->report->seconds = (double)(clock_milliseconds() - run->begun) / 1000;
    return status;
}

/* What the file has already, and whether it fits this run. */
static Status count_existing(Run *run, const char *path) {
    Status status;
    RecordReader *reader = record_reader_open(path, &status);
    if (reader == NULL) return status;
    RecordBlock block;
    while (record_reader_next_block(reader, &block, &status)) {
        const RecordOrigin *origin = &block.origin;
        if (origin->net_hash != run->origin.net_hash || origin->nodes != run->origin.nodes) {
            status = status_error("%.120s holds games of another %s (%016" PRIx64
                                  " with %u nodes, now %016" PRIx64 " with %u); --again starts over",
                                  path, origin->nodes != run->origin.nodes ? "node limit" : "network",
                                  origin->net_hash, origin->nodes, run->origin.net_hash, run->origin.nodes);
            break;
        }
        run->report->games += block.games;
        run->report->plies += block.plies;
        if (origin->seed == run->origin.seed && origin->next_game > run->next_game)
            run->next_game = origin->next_game;
    }
    record_reader_close(reader);
    return status;
}

static Status refuse_line(void *context, TextView line, bool *whole) {
    (void)context;
    (void)line;
    *whole = false;
    return status_ok();
}

/* With what follows from other settings. */
static DatagenSettings completed(DatagenSettings settings) {
    if (settings.budget.hard == 0) settings.budget.hard = 4 * settings.budget.soft;
    if (settings.first_generation) settings.opening.check = settings.adjudication.by_score = false;
    return settings;
}

/* And how to play the other shards. */
static void append_shard(const Run *run, TextBuffer *header) {
    DatagenSettings standard = {0};
    fields_reset(DATAGEN_FIELDS, &standard);
    standard = completed(standard);
    buffer_append_format(header, "games=%" PRId64 "\nshard=%" PRId64 "/%" PRId64 "\noptions= --seed %" PRId64,
                         run->settings->games, run->shard.number, run->shard.count, run->settings->seed);
    fields_append_options(DATAGEN_FIELDS, run->settings, &standard, header);
    buffer_append_char(header, '\n');
}

/* Next to the file, so that it gets no games that were played in another way. */
static Status open_journal(Run *run, const char *path) {
    TextBuffer header = {0};
    buffer_append_format(&header, "luft-lab datagen journal 1\nnetwork=%016" PRIx64 "\n",
                         run->origin.net_hash);
    fields_append_results(DATAGEN_FIELDS, run->settings, &header);
    if (is_shard(run)) append_shard(run, &header);
    const LineJournalPlan plan = {path, "file of games", buffer_view(&header), "--again starts over", NULL};
    const Status status = header.failed ? status_no_memory("the journal of the games")
                                        : line_journal_open(&run->journal, &plan, refuse_line, NULL);
    buffer_release(&header);
    return status;
}

/* The games of a group that was not finished: another run plays them again, and the block is the same. */
static void drop_group(Run *run) {
    DatagenReport *report = run->report;
    const RecordBlock block = record_writer_drop(run->writer);
    report->games -= block.games;
    report->new_games -= block.games;
    report->plies -= block.plies;
    report->new_plies -= block.plies;
}

static Status run_with_network(Run *run) {
    const DatagenSettings *settings = run->settings;
    DatagenReport *report = run->report;
    char journal[PATH_CAPACITY];
    text_format(journal, sizeof journal, "%s.journal", settings->out);
    Status status = settings->again ? ownership_set_aside(settings->out) : status_ok();
    if (status_is_ok(&status) && settings->again) status = ownership_set_aside(journal);
    if (!status_is_ok(&status)) return status;
    run->writer = record_writer_open(settings->out, NAME_GIVEN, &report->torn, &status);
    if (run->writer == NULL) return status;
    run->next_game = run->shard.first;
    status = count_existing(run, settings->out);
    if (is_shard(run) && report->games > 0) run->next_game = shard_block_end(run->next_game, run->shard.end);
    run->next_kept = run->next_game;
    if (status_is_ok(&status) && report->games == 0)
        status = file_remove(journal); /* of games that are gone */
    if (status_is_ok(&status)) status = open_journal(run, journal);
    if (status_is_ok(&status) && !bounds_reached(run)) status = play_on_threads(run);
    if (is_shard(run)) drop_group(run);
    const Status closed = record_writer_close(run->writer);
    memory_release(run->waiting);
    line_journal_close(&run->journal);
    report->bytes = file_size(settings->out);
    return status_is_ok(&status) ? closed : status;
}

Status datagen_run(const DatagenSettings *wanted, DatagenReport *report) {
    *report = (DatagenReport){0};
    const DatagenSettings complete = completed(*wanted), *settings = &complete;
    Run run = {.settings = settings, .report = report, .journal = {.file = {.handle = -1}}};
    Status status;
    Network *network = selfplay_open_network(settings->network, &status);
    if (network == NULL) return status;
    report->network_hash = network_hash(network);
    run.network = network;
    run.origin = (RecordOrigin){
        .net_hash = report->network_hash,
        .seed = (uint64_t)settings->seed,
        .is_coarse = settings->gold_nodes == 0,
        .nodes = (uint32_t)(settings->gold_nodes ? settings->gold_nodes : (int64_t)settings->budget.soft)};
    if (settings->tablebases != NULL) status = syzygy_load(&run.tables, text_view(settings->tablebases));
    crew_begin(&run.crew);
    if (status_is_ok(&status) && settings->shard != NULL)
        status = shard_parse(settings->shard, settings->games, &run.shard);
    if (status_is_ok(&status) && is_shard(&run) && settings->plies > 0)
        status = status_error("--plies does not go with --shard: a shard has a number of games");
    if (status_is_ok(&status)) status = run_with_network(&run);
    crew_end(&run.crew);
    syzygy_load(&run.tables, text_view(""));
    network_destroy(network);
    return status;
}

/* --- new scores --- */

enum { BATCH = 256 };

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
    ProgressBar progress;
    uint64_t done;
} Relabel;

static Status relabel_game(void *context, int number, int64_t index) {
    Relabel *relabel = context;
    Player *player = relabel->players[number];
    RecordedGame *game = &relabel->games[index];
    /* In games of Luft a random move was played where there is no score: what a search would say of the
     * position does not belong to the game. Games that others played never had one. */
    const bool is_foreign = relabel->origins[index].net_hash == 0;
    Position pos = game->start;
    player_new_game(player);
    for (int i = 0;; i++) {
        Undo undo;
        int16_t *score = i < game->ply_count ? &game->ply[i].score : &game->last_score;
        const bool wanted = *score != RECORD_NO_SCORE || (is_foreign && i < game->ply_count);
        if (wanted && movegen_has_legal(&pos))
            *score =
                (int16_t)record_round_score(player_choose(player, &pos, relabel->settings->budget).score);
        if (i == game->ply_count) break;
        position_make_move(&pos, game->ply[i].move, &undo);
    }
    relabel->seen[index] = true;
    return status_ok();
}

static Status finish_batch(Relabel *relabel) {
    Crew *crew = &relabel->crew;
    Status status = crew_run_tasks(crew, relabel->threads, relabel->count, relabel_game, relabel, NULL);
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
    relabel->report->interrupted = crew->interrupted && status_is_ok(&status);
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

/* An interruption ends the reading like an error. */
static Status take_game(void *context, const RecordBlock *block, RecordedGame *game) {
    Relabel *relabel = context;
    if (relabel->skip > 0) return skip_game(relabel, game);
    relabel->origins[relabel->count] = block->origin;
    relabel->games[relabel->count++] = *game;
    if (relabel->count < BATCH) return status_ok();
    const Status status = finish_batch(relabel);
    return relabel->report->interrupted ? status_error("interrupted") : status;
}

/* A game that an earlier run has done: of the same work, or scores of two networks would be in one file. */
static Status count_done(void *context, const RecordBlock *block, RecordedGame *game) {
    Relabel *relabel = context;
    if (block->origin.net_hash != relabel->hash ||
        block->origin.nodes != (uint32_t)relabel->settings->budget.soft)
        return status_error("%s.relabelling was begun with another network or node limit: remove it first",
                            relabel->settings->out);
    relabel->skip++;
    relabel->done_hash = hash_game(relabel->done_hash, game);
    return status_ok();
}

static Status prepare_relabel(Relabel *relabel, const Network *network, char *part) {
    const RelabelSettings *settings = relabel->settings;
    Status status = record_check_output(settings->out, settings->again);
    if (!status_is_ok(&status)) return status;
    relabel->hash = network_hash(network);
    relabel->threads = crew_threads(settings->threads);
    relabel->games = memory_allocate(BATCH * sizeof *relabel->games);
    if (relabel->games == NULL) return status_no_memory("the games");
    for (int i = 0; i < relabel->threads && status_is_ok(&status); i++)
        relabel->players[i] = player_create(network, (size_t)settings->hash, &status);
    if (!status_is_ok(&status)) return status;
    relabel->writer = record_writer_open(part, NAME_DERIVED, NULL, &status);
    if (relabel->writer != NULL) status = record_each_game(&(WordList){&part, 1}, count_done, relabel);
    uint64_t total = 0;
    if (status_is_ok(&status)) status = record_count_games(&settings->in, &total);
    if (status_is_ok(&status) && relabel->skip > total)
        status = status_error(
            "%s has more games than there are to relabel: it was begun with other files; remove it first",
            part);
    relabel->progress = progress_begin("games", (int64_t)total, settings->quiet);
    return status;
}

static Status run_relabel(Relabel *relabel, const char *part) {
    const RelabelSettings *settings = relabel->settings;
    Status status = record_each_game(&settings->in, take_game, relabel);
    if (status_is_ok(&status)) status = finish_batch(relabel);
    if (relabel->report->interrupted) status = status_ok();
    Status closed = record_writer_close(relabel->writer);
    relabel->writer = NULL;
    progress_end(&relabel->progress);
    if (status_is_ok(&status)) status = closed;
    if (!status_is_ok(&status) || relabel->report->interrupted) return status;
    status = ownership_make_room(settings->out, settings->again);
    if (status_is_ok(&status) && rename(part, settings->out) != 0)
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
        status = prepare_relabel(relabel, network, part);
        if (status_is_ok(&status)) status = run_relabel(relabel, part);
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
