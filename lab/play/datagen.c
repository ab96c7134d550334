#include "lab/play/datagen.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/sync.h"
#include "chess/makemove.h"
#include "lab/kit/interrupt.h"
#include "lab/play/gold.h"
#include "lab/record/record.h"
#include "lab/kit/console.h"
#include "lab/kit/machine.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS_MAX_HERE = 1024, POLL_MILLISECONDS = 500, PLAIN_LINE_SECONDS = 60 };

DatagenSettings datagen_settings_default(void) {
    return (DatagenSettings){.hash = 2,
                             .seed = 1,
                             .budget = {.soft = 1000},
                             .opening = {.plies = 8, .check = true, .score_limit = 200, .check_nodes = 1000},
                             .adjudication = adjudication_default(),
                             .played_out = 0.1,
                             .flush_seconds = 60};
}

void datagen_settings_first_generation(DatagenSettings *settings) {
    settings->opening.check = false;
    settings->adjudication.by_score = false;
}

static bool play_game(const DatagenSettings *settings, Player *player, Rng *rng, RecordedGame *game,
                      GameCost *cost, StopQuery *stop, void *context) {
    Position pos;
    player_new_game(player);
    selfplay_opening(&settings->opening, player, rng, game, &pos);
    Adjudication rules = settings->adjudication;
    if (rng_unit(rng) < settings->played_out) rules.by_score = false;
    Agreement agreement = {0};
    while (!selfplay_is_over(&pos, &game->result)) {
        if (stop(context)) return false;
        if (game->ply_count >= rules.plies_max) {
            game->result = RECORD_DRAWN;
            game->end = RECORD_END_LENGTH;
            return true;
        }
        Choice choice = player_choose(player, &pos, settings->budget);
        int white_score = pos.side == WHITE ? choice.score : -choice.score;
        cost->nodes += choice.nodes;
        cost->moves++;
        if (!recorded_add(game, choice.move, white_score)) return false;
        if (adjudicate(&rules, &agreement, &pos, white_score, game->ply_count, &game->result)) {
            game->end = RECORD_END_SCORE;
            return true;
        }
        Undo undo;
        position_make_move(&pos, choice.move, &undo);
    }
    game->end = RECORD_END_RULES;
    return true;
}

bool datagen_play_game(const DatagenSettings *settings, Player *player, uint64_t number, RecordedGame *game,
                       GameCost *cost, StopQuery *stop, void *context) {
    Rng rng = rng_stream((uint64_t)settings->seed, number);
    if (!play_game(settings, player, &rng, game, cost, stop, context)) return false;
    return settings->gold_nodes == 0 ||
           gold_keep_one(game, player, &rng, (uint64_t)settings->gold_nodes, &cost->nodes);
}

/* --- threads
 * ------------------------------------------------------------------------------------------------ */

typedef struct Run {
    const DatagenSettings *settings;
    DatagenReport *report;
    const Network *network;
    RecordWriter *writer; /* this and all below: under the lock */
    RecordOrigin origin;
    Mutex lock;
    uint64_t next_game;
    int64_t begun, flushed; /* milliseconds */
    Status status;
    atomic_bool stop;
} Run;

typedef struct GameThread {
    Thread thread;
    Run *run;
} GameThread;

static bool run_stopped(void *context) {
    return atomic_load_explicit(&((Run *)context)->stop, memory_order_relaxed);
}

static void run_fail(Run *run, Status status) {
    if (status_is_ok(&run->status)) run->status = status;
    atomic_store(&run->stop, true);
}

static bool bounds_reached(const Run *run) {
    const DatagenSettings *settings = run->settings;
    const DatagenReport *report = run->report;
    if (settings->games && report->games >= (uint64_t)settings->games) return true;
    return settings->plies && report->plies >= (uint64_t)settings->plies;
}

static void keep_game(Run *run, RecordedGame *game, uint64_t number, const GameCost *cost) {
    DatagenReport *report = run->report;
    if (bounds_reached(run)) return;
    RecordOrigin origin = run->origin;
    origin.next_game = number + 1;
    Status status = record_writer_add(run->writer, &origin, game);
    if (!status_is_ok(&status)) {
        run_fail(run, status);
        return;
    }
    report->games++;
    report->new_games++;
    report->plies += (uint64_t)game->ply_count;
    report->new_plies += (uint64_t)game->ply_count;
    report->results[game->result]++;
    report->ends[game->end]++;
    report->nodes += cost->nodes;
    report->moves += cost->moves;
    if (bounds_reached(run)) atomic_store(&run->stop, true);
}

static void play_games(void *argument) {
    Run *run = ((GameThread *)argument)->run;
    Status status;
    Player *player = player_create(run->network, (size_t)run->settings->hash, &status);
    RecordedGame *game = memory_allocate(sizeof *game);
    if (player && !game) status = status_no_memory("a game");
    bool going = player && game;
    while (going && !run_stopped(run)) {
        mutex_lock(&run->lock);
        uint64_t number = run->next_game++;
        mutex_unlock(&run->lock);
        GameCost cost = {0};
        if (!datagen_play_game(run->settings, player, number, game, &cost, run_stopped, run)) continue;
        mutex_lock(&run->lock);
        keep_game(run, game, number, &cost);
        mutex_unlock(&run->lock);
    }
    if (!going) {
        mutex_lock(&run->lock);
        run_fail(run, status);
        mutex_unlock(&run->lock);
    }
    memory_release(game);
    player_destroy(player);
}

/* --- the main thread
 * ---------------------------------------------------------------------------------------- */

static void print_progress(const Run *run, int64_t now, bool terminal) {
    const DatagenReport *report = run->report;
    char games[NUMBER_TEXT_CAPACITY], plies[NUMBER_TEXT_CAPACITY], rate[NUMBER_TEXT_CAPACITY];
    char time[NUMBER_TEXT_CAPACITY];
    double hours = (double)(now - run->begun + 1) / 3.6e6;
    double games_played = report->new_games ? (double)report->new_games : 1;
    fprintf(stderr, "%s%s games, %s plies, %s plies/h, %.0f nodes a move, %.0f%% drawn, %s%s",
            terminal ? "\r" : "", console_thousands(report->games, games),
            console_thousands(report->plies, plies),
            console_thousands((uint64_t)((double)report->new_plies / hours), rate),
            report->moves ? (double)report->nodes / (double)report->moves : 0.0,
            100.0 * (double)report->results[RECORD_DRAWN] / games_played,
            console_duration(now - run->begun, time), terminal ? "\x1b[K" : "\n");
    fflush(stderr);
}

/* Watches the clock, the signals and the disk until a thread or a bound ends the run. */
static void supervise(Run *run) {
    bool terminal = isatty(STDERR_FILENO) == 1;
    int64_t printed = run->begun;
    while (!run_stopped(run)) {
        clock_sleep_milliseconds(POLL_MILLISECONDS);
        int64_t now = clock_milliseconds();
        if (interrupt_requested()) {
            run->report->interrupted = true;
            atomic_store(&run->stop, true);
        }
        if (run->settings->seconds && now - run->begun >= run->settings->seconds * 1000)
            atomic_store(&run->stop, true);
        mutex_lock(&run->lock);
        if (now - run->flushed >= run->settings->flush_seconds * 1000) {
            Status status = record_writer_flush(run->writer);
            if (!status_is_ok(&status)) run_fail(run, status);
            run->flushed = now;
        }
        if (!run->settings->quiet && (terminal || now - printed >= PLAIN_LINE_SECONDS * 1000)) {
            print_progress(run, now, terminal);
            printed = now;
        }
        mutex_unlock(&run->lock);
    }
    if (terminal && !run->settings->quiet) fprintf(stderr, "\r\x1b[K");
}

static void play_on_threads(Run *run) {
    int processors[MACHINE_PROCESSORS_MAX];
    int count = run->settings->threads > 0 ? (int)run->settings->threads
                                           : machine_processors(processors, MACHINE_PROCESSORS_MAX);
    if (count > THREADS_MAX_HERE) count = THREADS_MAX_HERE;
    GameThread *threads = memory_allocate((size_t)count * sizeof *threads);
    int started = 0;
    if (!threads) run_fail(run, status_no_memory("the threads"));
    while (threads && started < count && !run_stopped(run)) {
        threads[started].run = run;
        Status status = thread_start(&threads[started].thread, play_games, &threads[started]);
        if (status_is_ok(&status)) {
            started++;
            continue;
        }
        mutex_lock(&run->lock);
        run_fail(run, status);
        mutex_unlock(&run->lock);
    }
    supervise(run);
    for (int i = 0; i < started; i++) thread_join(&threads[i].thread);
    memory_release(threads);
}

/* What the file has already, and whether it fits this run. */
static Status count_existing(Run *run, const char *path) {
    Status status;
    RecordReader *reader = record_reader_open(path, &status);
    if (!reader) return status;
    RecordBlock block;
    while (record_reader_next_block(reader, &block, &status)) {
        const RecordOrigin *origin = &block.origin;
        if (origin->net_hash != run->origin.net_hash || origin->nodes != run->origin.nodes) {
            status = status_error("%s holds games of another network (%016llx) or node limit (%u)", path,
                                  (unsigned long long)origin->net_hash, origin->nodes);
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

static Status run_with_network(Run *run) {
    const DatagenSettings *settings = run->settings;
    DatagenReport *report = run->report;
    Status status;
    run->writer = record_writer_open(settings->out, &report->torn, &status);
    if (!run->writer) return status;
    status = count_existing(run, settings->out);
    if (status_is_ok(&status) && !bounds_reached(run)) {
        mutex_init(&run->lock);
        atomic_init(&run->stop, false);
        run->begun = run->flushed = clock_milliseconds();
        play_on_threads(run);
        mutex_destroy(&run->lock);
        report->seconds = (double)(clock_milliseconds() - run->begun) / 1000;
        status = run->status;
    }
    Status flushed = record_writer_flush(run->writer);
    report->bytes = record_writer_size(run->writer);
    Status closed = record_writer_close(run->writer);
    if (status_is_ok(&status)) status = flushed;
    return status_is_ok(&status) ? closed : status;
}

Status datagen_run(const DatagenSettings *settings, DatagenReport *report) {
    *report = (DatagenReport){0};
    Run run = {.settings = settings, .report = report};
    Status status;
    Network *network = selfplay_open_network(settings->network, &status);
    if (!network) return status;
    report->network_hash = network_hash(network);
    run.network = network;
    run.origin = (RecordOrigin){
        .net_hash = report->network_hash,
        .seed = (uint64_t)settings->seed,
        .nodes = (uint32_t)(settings->gold_nodes ? settings->gold_nodes : (int64_t)settings->budget.soft)};
    status = run_with_network(&run);
    network_destroy(network);
    return status;
}
