#include "lab/match/schedule.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "lab/kit/ownership.h"
#include "lab/match/match_state.h"
#include "lab/match/pairs.h"

#include <unistd.h>

enum { LOAD_SAMPLE = 150 /* milliseconds over which the load of the machine is measured */ };

static Status restore_pair(void *context, const PairResult *found) {
    Match *match = context;
    if (found->index >= match->pair_count || match->done[found->index])
        return found->index < match->pair_count
                   ? status_error("%s has pair %d twice", match->setup->journal_path, found->index)
                   : status_ok(); /* the match was made shorter */
    PairResult pair = *found;
    match_pairing(match->setup, pair.index, &pair.first, &pair.second, &pair.round);
    match->done[pair.index] = true;
    match_count_pair(match, &pair);
    return status_ok();
}

static int threads_of(const EngineConfig *engine) {
    const char *value = engine_config_option(engine, "Threads");
    int64_t threads = 1;
    if (value != NULL) text_parse_int64(text_view(value), &threads);
    return threads < 1 ? 1 : threads > MACHINE_PROCESSORS_MAX ? MACHINE_PROCESSORS_MAX : (int)threads;
}

/* Counts what the match needs of the machine, and warns where it is too much. */
static Status check_machine(Match *match, double load) {
    const MatchSetup *setup = match->setup;
    match->cpu_count = machine_processors(match->cpus, MACHINE_PROCESSORS_MAX);
    match->cpus_per_game = 1;
    for (int i = 0; i < setup->engine_count; i++)
        match->cpus_per_game = int_max(match->cpus_per_game, threads_of(&setup->engines[i]));
    const int needed = setup->concurrency * match->cpus_per_game;
    if (setup->pin && needed > match->cpu_count)
        return status_error("-pin: %d games of %d threads need %d processors, but there are %d",
                            setup->concurrency, match->cpus_per_game, needed, match->cpu_count);
    if (needed > match->cpu_count)
        match_notice(match, "warning: %d games of %d threads share %d processors: times will not be fair",
                     setup->concurrency, match->cpus_per_game, match->cpu_count);
    else if (load + needed > match->cpu_count + 0.3)
        match_notice(match,
                     "warning: the machine is loaded: %.1f of %d processors are busy, the match needs %d",
                     load, match->cpu_count, needed);
    return status_ok();
}

/* Starts each engine once: what is wrong with one is known before a game is lost. A thread's body, so that
 * the main thread can look for interruptions meanwhile. */
static void check_engines(void *context, int number) {
    Match *match = context;
    Status status = status_ok();
    for (int i = 0; i < match->setup->engine_count && status_is_ok(&status); i++) {
        char log[MATCH_LOG_PATH_CAPACITY];
        UciClientOptions options = match_client_options(match, i, number, NULL, log);
        Seat seat = {0};
        status = seat_start(&seat, &options);
        seat_leave(&seat);
    }
    if (!status_is_ok(&status) && !crew_cancelled(&match->crew)) crew_fail(&match->crew, &status);
}

/* The PGN file must hold the games that the journal vouches for. What stands behind them belongs to no
 * finished pair: mostly a pair that a kill tore, but it may be what another program has added. It is set
 * aside.
 */
static Status compare_pgn(Match *match) {
    const MatchSetup *setup = match->setup;
    AppendFile *pgn = &match->pgn;
    PgnMark known = match->journal.pgn;
    if (pgn->length < known.length)
        return status_error("%s is shorter than %s says: games are missing", setup->pgn_path,
                            setup->journal_path);
    uint64_t hash;
    Status status = append_file_hash(pgn, known.length, &hash);
    if (status_is_ok(&status) && hash != known.hash)
        return status_error(
            "%.80s does not hold the games of which %.80s tells: it was changed, or is another "
            "file",
            setup->pgn_path, setup->journal_path);
    const int64_t tail = pgn->length - known.length;
    if (!status_is_ok(&status) || tail == 0) return status;
    char aside[ENGINE_PATH_CAPACITY + 8];
    text_format(aside, sizeof aside, "%s.tail", setup->pgn_path);
    status = append_file_move_tail(pgn, known.length, aside);
    if (status_is_ok(&status))
        match_notice(match, "warning: %lld bytes at the end of %s belong to no finished pair: now in %s",
                     (long long)tail, setup->pgn_path, aside);
    return status;
}

/* Opens what is written to, and takes in what an earlier run has left. */
static Status open_files(Match *match) {
    const MatchSetup *setup = match->setup;
    PgnMark pgn = {0};
    Status status = ownership_check_inputs(setup->pgn_path, &setup->openings.path, 1);
    if (status_is_ok(&status)) status = ownership_check_inputs(setup->journal_path, &setup->openings.path, 1);
    if (status_is_ok(&status) && setup->pgn_path != NULL) {
        status = ownership_check_kind(setup->pgn_path, "[", 1, "a file of games (PGN)");
        if (status_is_ok(&status)) status = append_file_open(&match->pgn, setup->pgn_path);
        if (status_is_ok(&status) && !append_file_ends_line(&match->pgn))
            status = append_file_write(&match->pgn, text_view("\n\n"));
        pgn.length = match->pgn.length;
        if (status_is_ok(&status)) status = append_file_hash(&match->pgn, pgn.length, &pgn.hash);
    }
    if (status_is_ok(&status) && setup->journal_path != NULL)
        status = journal_open(&match->journal, setup, pgn, restore_pair, match);
    if (status_is_ok(&status) && setup->log_folder != NULL) {
        status = file_make_folder(setup->log_folder);
        match->has_logs = status_is_ok(&status);
    }
    const bool both = match->journal.lines.file.handle >= 0 && match->pgn.handle >= 0;
    return status_is_ok(&status) && both ? compare_pgn(match) : status;
}

/* Removes the logs of engines that had nothing to say. Those of a match that is going on, because of which
 * this one was refused, stay. */
static void remove_empty_logs(const Match *match) {
    const MatchSetup *setup = match->setup;
    if (!match->has_logs) return;
    for (int engine = 0; engine < setup->engine_count; engine++)
        for (int number = 0; number <= setup->concurrency; number++) {
            char path[MATCH_LOG_PATH_CAPACITY];
            match_log_path(match, engine, number, path);
            if (file_size(path) == 0) unlink(path);
        }
    rmdir(setup->log_folder); /* succeeds only when it is empty, which is meant */
}

static void tick(void *context) {
    const MatchListener *listener = ((Match *)context)->listener;
    if (listener->tick != NULL) listener->tick(listener->context);
}

static Status prepare(Match *match) {
    const double load = machine_measure_load(LOAD_SAMPLE);
    Status status = open_files(match);
    if (status_is_ok(&status)) status = check_machine(match, load);
    return status_is_ok(&status) ? crew_run(&match->crew, 1, check_engines, tick, match) : status;
}

static void close_match(Match *match) {
    remove_empty_logs(match);
    append_file_close(&match->pgn);
    journal_close(&match->journal);
    memory_release(match->done);
    memory_release(match);
}

static Status run(Match *match) {
    MatchTotals *totals = match->totals;
    Crew *crew = &match->crew;
    crew_begin(crew);
    Status status = prepare(match);
    const int64_t wall = clock_microseconds(), cpu = clock_cpu_microseconds();
    if (status_is_ok(&status) && !crew_cancelled(crew)) {
        status = heartbeat_begin(&match->heartbeat, match->cpus, match->cpu_count);
        if (status_is_ok(&status))
            status = crew_run(crew, match->setup->concurrency, pairs_play, tick, match);
        heartbeat_end(&match->heartbeat);
    }
    totals->wall = clock_microseconds() - wall;
    totals->heartbeat_cpu = match->heartbeat.cpu;
    totals->own_cpu = clock_cpu_microseconds() - cpu - totals->heartbeat_cpu;
    totals->completed = totals->pairs_played + totals->pairs_restored == match->pair_count;
    totals->stopped |= crew->interrupted;
    crew_end(crew);
    return status;
}

Status match_run(const MatchSetup *setup, const MatchListener *listener, MatchTotals *totals) {
    *totals = (MatchTotals){0};
    Match *match = memory_allocate(sizeof *match);
    if (match == NULL) return status_no_memory("a match");
    match->setup = setup;
    match->listener = listener;
    match->totals = totals;
    match->pair_count = match_pair_count(setup);
    match->pgn.handle = match->journal.lines.file.handle = -1;
    match->done = memory_allocate((size_t)match->pair_count * sizeof *match->done);
    const bool good = match->done != NULL && tally_table_create(&totals->table, setup->engine_count);
    Status status = good ? run(match) : status_no_memory("a match of %d pairs", match->pair_count);
    close_match(match);
    return status;
}
