#include "lab/match/match_state.h"

#include "base/bytes.h"

#include <stdarg.h>
#include <stdio.h>

void match_notice(Match *match, const char *format, ...) {
    if (match->listener->notice == NULL) return;
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mutex_lock(&match->crew.lock);
    match->listener->notice(match->listener->context, text);
    mutex_unlock(&match->crew.lock);
}

int match_take_pair(Match *match) {
    int index = -1;
    mutex_lock(&match->crew.lock);
    if (!crew_cancelled(&match->crew)) {
        while (match->next < match->pair_count && match->done[match->next]) match->next++;
        if (match->next < match->pair_count) {
            index = match->next;
            match->done[index] = true;
        }
    }
    mutex_unlock(&match->crew.lock);
    return index;
}

/* Counts a pair and shows it; the lock is held. */
bool match_count_pair(Match *match, const PairResult *pair) {
    MatchTotals *totals = match->totals;
    tally_table_add(&totals->table, pair);
    if (pair->restored)
        totals->pairs_restored++;
    else
        totals->pairs_played++;
    const MatchListener *listener = match->listener;
    const bool go_on =
        listener->pair_finished == NULL || listener->pair_finished(listener->context, pair, &totals->table);
    if (!go_on) {
        totals->stopped = true;
        crew_cancel(&match->crew);
    }
    return go_on;
}

/* First the games, then the line that vouches for them. */
static Status save_pair(Match *match, const PairResult *pair, TextView pgn) {
    Status status = status_ok();
    Journal *journal = &match->journal;
    PgnMark before = journal->pgn, after = before;
    if (match->pgn.handle >= 0) {
        status = append_file_write(&match->pgn, pgn);
        after = (PgnMark){match->pgn.length, bytes_hash_more(before.hash, pgn.data, pgn.length)};
    }
    if (!status_is_ok(&status) || journal->lines.file.handle < 0) return status;
    status = journal_add(journal, pair, after);
    if (!status_is_ok(&status) && match->pgn.handle >= 0) {
        Status cut = append_file_cut(&match->pgn, before.length);
        if (!status_is_ok(&cut)) return cut;
    }
    return status;
}

bool match_finish_pair(Match *match, const PairResult *pair, TextView pgn) {
    bool go_on = false;
    mutex_lock(&match->crew.lock);
    /* A pair that ends after the match was stopped is abandoned like those still being played. */
    if (!crew_cancelled(&match->crew)) {
        Status status = save_pair(match, pair, pgn);
        go_on = status_is_ok(&status) && match_count_pair(match, pair);
        if (!status_is_ok(&status)) crew_fail(&match->crew, &status);
    }
    mutex_unlock(&match->crew.lock);
    return go_on;
}

/* The engine's name as part of a file name. */
void match_log_path(const Match *match, int engine, int number, char out[MATCH_LOG_PATH_CAPACITY]) {
    char name[ENGINE_NAME_CAPACITY];
    text_copy(text_view(match->setup->engines[engine].name), name, sizeof name);
    for (char *c = name; *c != '\0'; c++)
        if (*c == '/' || (unsigned char)*c <= ' ') *c = '_';
    text_format(out, MATCH_LOG_PATH_CAPACITY, "%s/%s-%d.log", match->setup->log_folder, name, number);
}

UciClientOptions match_client_options(Match *match, int engine, int number, const int *cpus,
                                      char log[MATCH_LOG_PATH_CAPACITY]) {
    const MatchSetup *setup = match->setup;
    if (setup->log_folder != NULL) match_log_path(match, engine, number, log);
    return (UciClientOptions){.config = &setup->engines[engine],
                              .error_log = setup->log_folder == NULL ? NULL : log,
                              .cpus = cpus,
                              .cpu_count = cpus == NULL ? 0 : match->cpus_per_game,
                              .chess960 = setup->chess960,
                              .start_timeout = setup->start_timeout,
                              .stall_timeout = setup->stall_timeout,
                              .cancel = &match->crew.cancel,
                              .heartbeat = &match->heartbeat};
}
