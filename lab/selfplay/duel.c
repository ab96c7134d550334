#include "lab/selfplay/duel.h"

#include "base/memory.h"
#include "base/progress.h"
#include "lab/kit/crew.h"
#include "lab/kit/line_journal.h"

#include <inttypes.h>

#define FIELD_STRUCT DuelSettings
const Field DUEL_FIELDS[] = {
    {FIELD_WHOLE("pairs", "N", pairs, 1, 1e9, "250", "pairs of games, with colours reversed")},
    {FIELD_WHOLE("nodes", "N", budget.hard, 1, 1e9, "10k", "nodes of each move")},
    {FIELD_WHOLE("threads", "N", threads, 0, 256, "0", "threads; 0: one for each core")},
    {FIELD_WHOLE("hash", "MiB", hash, 1, 1024, "8", "MiB of each player's table")},
    {FIELD_WHOLE("seed", "N", seed, 0, FIELD_UNLIMITED, "1", "of the openings")},
    {FIELD_REAL("chess960", "X", opening.chess960, 0, 1, "0", "share of games from Chess960 arrays")},
    {FIELD_NO("no-adjudication", adjudication.by_score, "end games only by the rules or by length")},
    {FIELD_FLAG("quiet", quiet, "print no progress")},
    {0}};

DuelSettings duel_settings_default(void) {
    DuelSettings settings = {0};
    fields_reset(OPENING_FIELDS, &settings.opening);
    fields_reset(ADJUDICATION_FIELDS, &settings.adjudication);
    fields_reset(DUEL_FIELDS, &settings);
    settings.adjudication.win_score = 1500;
    settings.adjudication.win_plies = 6;
    return settings;
}

/* What one thread plays with. */
typedef struct Duellists {
    Player *player[2];
    RecordedGame *game;
} Duellists;

typedef struct Duel {
    const DuelSettings *settings;
    Crew crew; /* its lock is for the result and the journal */
    DuelResult *result;
    LineJournal journal; /* handle -1: none */
    bool *done;          /* the pairs that it had */
    int64_t *open;       /* the others */
    int64_t open_count;
    Duellists duellists[CREW_THREADS_MAX];
} Duel;

/* The points of the first player in the game with White and in that with Black, in halves. */
static void count_pair(DuelResult *result, int with_white, int with_black) {
    result->pairs.count[with_white + with_black]++;
    stats_count_game(&result->games, with_white);
    stats_count_game(&result->games, with_black);
}

/* --- the journal: "PAIR POINTS POINTS" --- */

static Status restore_pair(void *context, TextView line, bool *whole) {
    Duel *duel = context;
    int64_t index, points[2];
    *whole = text_parse_int64(text_next_word(&line), &index) && index >= 0;
    for (int i = 0; i < 2 && *whole; i++)
        *whole = text_parse_int64(text_next_word(&line), &points[i]) && points[i] >= 0 && points[i] <= 2;
    if (!*whole || index >= duel->settings->pairs || duel->done[index]) return status_ok();
    duel->done[index] = true;
    count_pair(duel->result, (int)points[0], (int)points[1]);
    return status_ok();
}

static Status open_journal(Duel *duel, const Network *first, const Network *second) {
    const DuelSettings *settings = duel->settings;
    const Adjudication *end = &settings->adjudication;
    if (settings->journal == NULL) return status_ok();
    TextBuffer header = {0};
    buffer_append_format(&header,
                         "luft-lab duel 1\nnetworks: %016" PRIx64 ", %016" PRIx64 "\nsettings: nodes %" PRIu64
                         ", hash %" PRId64 ", seed %" PRIu64 ", chess960 %g, by score %d\n",
                         network_hash(first), network_hash(second), settings->budget.hard, settings->hash,
                         settings->seed, settings->opening.chess960, end->by_score);
    const LineJournalPlan plan = {.path = settings->journal,
                                  .what = "match",
                                  .header = buffer_view(&header),
                                  .remedy = "without that file the match starts over"};
    const Status status = header.failed ? status_no_memory("the journal of a match")
                                        : line_journal_open(&duel->journal, &plan, restore_pair, duel);
    buffer_release(&header);
    return status;
}

/* Under the lock of the crew. */
static Status keep_pair(Duel *duel, int64_t index, int with_white, int with_black) {
    if (duel->journal.file.handle < 0) return status_ok();
    TextBuffer line = {0};
    buffer_append_format(&line, "%" PRId64 " %d %d\n", index, with_white, with_black);
    const Status status = line_journal_add(&duel->journal, &line);
    buffer_release(&line);
    return status;
}

/* Finds out which pairs are still to be played. */
static Status open_pairs(Duel *duel, const Network *first, const Network *second) {
    const int64_t pairs = duel->settings->pairs;
    duel->done = memory_allocate((size_t)pairs * sizeof *duel->done);
    duel->open = memory_allocate((size_t)pairs * sizeof *duel->open);
    if (duel->done == NULL || duel->open == NULL) return status_no_memory("%" PRId64 " pairs", pairs);
    const Status status = open_journal(duel, first, second);
    for (int64_t i = 0; i < pairs; i++)
        if (!duel->done[i]) duel->open[duel->open_count++] = i;
    return status;
}

/* --- games --- */

static Status play_pair(void *context, int number, int64_t place) {
    Duel *duel = context;
    Duellists *duellists = &duel->duellists[number];
    const int64_t index = duel->open[place];
    Position start;
    /* Nothing may be left of other openings: which thread plays which pair is chance. */
    player_new_game(duellists->player[0]);
    (void)selfplay_opening(&duel->settings->opening, duellists->player[0], duel->settings->seed,
                           (uint64_t)index, duellists->game, &start);
    const PairRules rules = {.budget = duel->settings->budget, .adjudication = &duel->settings->adjudication};
    const int with_white = players_play_game(&rules, duellists->player, &start, 0);
    const int with_black = players_play_game(&rules, duellists->player, &start, 1);
    mutex_lock(&duel->crew.lock);
    const Status status = keep_pair(duel, index, with_white, with_black);
    if (status_is_ok(&status)) count_pair(duel->result, with_white, with_black);
    mutex_unlock(&duel->crew.lock);
    return status;
}

static Status create_duellists(Duel *duel, int threads, const Network *first, const Network *second) {
    Status status = status_ok();
    for (int i = 0; i < threads && status_is_ok(&status); i++) {
        Duellists *duellists = &duel->duellists[i];
        duellists->player[0] = player_create(first, (size_t)duel->settings->hash, &status);
        if (status_is_ok(&status))
            duellists->player[1] = player_create(second, (size_t)duel->settings->hash, &status);
        duellists->game = memory_allocate(sizeof *duellists->game);
        if (duellists->game == NULL && status_is_ok(&status)) status = status_no_memory("a game");
    }
    return status;
}

Status duel_play(const DuelSettings *settings, const Network *first, const Network *second,
                 DuelResult *result) {
    *result = (DuelResult){0};
    const int threads = crew_threads(settings->threads);
    Duel *duel = memory_allocate(sizeof *duel);
    if (duel == NULL) return status_no_memory("the duel");
    duel->settings = settings;
    duel->result = result;
    duel->journal.file.handle = -1;
    Status status = open_pairs(duel, first, second);
    if (status_is_ok(&status)) status = create_duellists(duel, threads, first, second);
    if (status_is_ok(&status)) {
        if (!settings->quiet) crew_warn_if_loaded(settings->threads, "duel");
        ProgressBar progress = progress_begin("pairs", duel->open_count, settings->quiet);
        crew_begin(&duel->crew);
        status = crew_run_tasks(&duel->crew, threads, duel->open_count, play_pair, duel, &progress);
        crew_end(&duel->crew);
        progress_end(&progress);
    }
    for (int i = 0; i < threads; i++) {
        player_destroy(duel->duellists[i].player[0]);
        player_destroy(duel->duellists[i].player[1]);
        memory_release(duel->duellists[i].game);
    }
    line_journal_close(&duel->journal);
    memory_release(duel->done);
    memory_release(duel->open);
    memory_release(duel);
    return status;
}
