#include "lab/tune/comparison.h"

#include "base/memory.h"
#include "lab/client/seat.h"
#include "lab/kit/console.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What one engine did in a stretch. */
typedef struct Outcome {
    double worth;
    Move moves[JUDGE_POSITIONS];
} Outcome;

/* The faults of an engine, or of the referee. */
typedef struct Faults {
    int64_t count;
    int in_row;
    char first[FAULT_DETAIL_CAPACITY + 32];
} Faults;

typedef struct Comparison {
    const ComparisonSettings *settings;
    Judge *judge;
    SeatGroup seats;  /* the referee is the last of each thread; its crew's lock is for the faults */
    Outcome *outcome; /* [engine * stretches + stretch] */
    bool *skipped;    /* of each stretch: not all engines finished it */
    Faults *faults;   /* [seat] */
} Comparison;

/* A fault in every stretch means that more is wrong than one stretch. For the referee, which is not asked in
 * every stretch, the count never restarts. */
enum { FAULTS_IN_ROW_MAX = 10 };

/* --- searching --- */

static int engine_count(const Comparison *comparison) { return comparison->settings->engines.count; }

static const char *seat_name(const Comparison *comparison, int seat) {
    return seat < engine_count(comparison) ? comparison->settings->engines.engines[seat].name : "the referee";
}

static Status add_fault(Comparison *comparison, int seat, const JudgePassage *passage) {
    Faults *faults = &comparison->faults[seat];
    mutex_lock(&comparison->seats.crew.lock);
    if (faults->count++ == 0)
        text_format(faults->first, sizeof faults->first, "%s: %s", fault_name(passage->fault),
                    passage->detail);
    const bool hopeless = ++faults->in_row >= FAULTS_IN_ROW_MAX;
    mutex_unlock(&comparison->seats.crew.lock);
    if (!hopeless) return status_ok();
    return status_error("%d faults of %s, the first: %s", FAULTS_IN_ROW_MAX, seat_name(comparison, seat),
                        faults->first);
}

static void end_row_of_faults(Comparison *comparison, int seat) {
    mutex_lock(&comparison->seats.crew.lock);
    comparison->faults[seat].in_row = 0;
    mutex_unlock(&comparison->seats.crew.lock);
}

/* One engine in one stretch. `*go_on` false: the stretch is over for all. */
static Status try_engine(Comparison *comparison, int thread, int engine, int64_t index, bool *go_on) {
    const int referee = engine_count(comparison);
    Status status;
    Seat *player = seat_group_take(&comparison->seats, thread, engine, &status), *judge = NULL;
    if (player != NULL) judge = seat_group_take(&comparison->seats, thread, referee, &status);
    *go_on = false;
    if (judge == NULL) return status;
    const JudgeEngines engines = {player->client, judge->client, player->engine->limits.nodes};
    JudgePassage passage;
    status = judge_pass(comparison->judge, index, &engines, &passage);
    if (!status_is_ok(&status) || passage.fault == FAULT_CANCELLED) return status;
    *go_on = true;
    Outcome *outcome = &comparison->outcome[engine * judge_stretches(comparison->judge) + index];
    outcome->worth = passage.worth;
    memcpy(outcome->moves, passage.moves, sizeof outcome->moves);
    if (passage.fault == FAULT_NONE) {
        end_row_of_faults(comparison, engine);
        return status;
    }
    comparison->skipped[index] = true;
    (passage.by_referee ? judge : player)->broken = true;
    return add_fault(comparison, passage.by_referee ? referee : engine, &passage);
}

static Status try_stretch(void *context, int thread, int64_t index) {
    Comparison *comparison = context;
    Status status = status_ok();
    bool go_on = true;
    for (int engine = 0; engine < engine_count(comparison) && go_on && status_is_ok(&status); engine++)
        status = try_engine(comparison, thread, engine, index, &go_on);
    return status;
}

/* --- the table --- */

/* One engine compared with the first, over the stretches that all of them finished. */
typedef struct Difference {
    int64_t same_moves;
    double worth, difference, error; /* thousandths of a game a move; half the width of the 95 % interval */
} Difference;

static int64_t count_stretches(const Comparison *comparison) {
    int64_t count = 0;
    for (int64_t i = 0; i < judge_stretches(comparison->judge); i++) count += !comparison->skipped[i];
    return count;
}

static Difference compare(const Comparison *comparison, int engine) {
    const Outcome *first = comparison->outcome, *other = first + engine * judge_stretches(comparison->judge);
    const double unit = 1000.0 / JUDGE_POSITIONS, n = (double)count_stretches(comparison);
    double sum = 0, squares = 0, worth = 0;
    int64_t same = 0;
    for (int64_t i = 0; i < judge_stretches(comparison->judge); i++) {
        if (comparison->skipped[i]) continue;
        const double difference = unit * (other[i].worth - first[i].worth);
        sum += difference;
        squares += difference * difference;
        worth += unit * other[i].worth;
        for (int k = 0; k < JUDGE_POSITIONS; k++) same += first[i].moves[k] == other[i].moves[k];
    }
    const double variance = fmax(squares - sum * sum / n, 0) / (n - 1);
    return (Difference){same, worth / n, sum / n, 1.96 * sqrt(variance / n)};
}

static Status write_table(const Comparison *comparison, TextBuffer *out) {
    const EngineList *list = &comparison->settings->engines;
    const int64_t stretches = count_stretches(comparison), all = judge_stretches(comparison->judge);
    if (stretches < 2)
        return status_error("only %" PRId64 " of %" PRId64 " stretches without a fault: too few to compare",
                            stretches, all);
    MarkdownTable table = markdown_table_begin("llrrrr");
    markdown_table_cells(&table, "engine | limit | worth of a move | to the first | error | same moves");
    for (int engine = 0; engine < list->count; engine++) {
        const Difference difference = compare(comparison, engine);
        char limit[128];
        play_limits_describe(&list->engines[engine].limits, limit, (int)sizeof limit);
        markdown_table_cell(&table, "%s", list->engines[engine].name);
        markdown_table_cells(&table, "%s | %.1f", limit, difference.worth);
        markdown_table_cells(&table, engine > 0 ? "%+.2f | %.2f" : "- | -", difference.difference,
                             difference.error);
        const double moves = (double)(stretches * JUDGE_POSITIONS);
        markdown_table_cell(&table, "%.0f %%", 100 * (double)difference.same_moves / moves);
    }
    markdown_table_write(&table, out);
    buffer_append_format(out,
                         "\nThousandths of a game for each of %" PRId64 " moves (%" PRId64 " of %" PRId64
                         " stretches), judged with %" PRIu64 " nodes. Errors are 95 %%.\n",
                         stretches * JUDGE_POSITIONS, stretches, all, comparison->settings->judge.nodes);
    return status_ok();
}

static void report_faults(const Comparison *comparison) {
    for (int seat = 0; seat <= engine_count(comparison); seat++)
        if (comparison->faults[seat].count > 0)
            fprintf(stderr, "%" PRId64 " faults of %s, the first: %s\n", comparison->faults[seat].count,
                    seat_name(comparison, seat), comparison->faults[seat].first);
}

/* --- the whole --- */

static Status open_judge(Comparison *comparison) {
    JudgeSettings settings = comparison->settings->judge;
    const int engines = engine_count(comparison);
    TextBuffer referee = {0};
    Status status = judge_identify_referee(comparison->seats.seats[engines].client, settings.nodes, &referee);
    settings.referee = buffer_string(&referee);
    if (status_is_ok(&status)) {
        status = judge_open(&settings, &comparison->judge);
        if (!status_is_ok(&status)) fprintf(stderr, "Another -journal begins from the start.\n");
    }
    buffer_release(&referee);
    if (!status_is_ok(&status)) return status;
    const size_t stretches = (size_t)judge_stretches(comparison->judge);
    comparison->outcome = memory_allocate((size_t)engines * stretches * sizeof *comparison->outcome);
    comparison->skipped = memory_allocate(stretches * sizeof *comparison->skipped);
    comparison->faults = memory_allocate((size_t)(engines + 1) * sizeof *comparison->faults);
    const bool complete =
        comparison->outcome != NULL && comparison->skipped != NULL && comparison->faults != NULL;
    return complete ? status : status_no_memory("the outcomes");
}

static Status run(Comparison *comparison, TextBuffer *table) {
    Status status = seat_group_begin(&comparison->seats);
    if (status_is_ok(&status)) status = open_judge(comparison);
    if (!status_is_ok(&status)) return status;
    status = seat_group_run(&comparison->seats, "stretches", judge_stretches(comparison->judge),
                            comparison->settings->quiet, try_stretch, comparison);
    if (status_is_ok(&status) && comparison->seats.crew.interrupted)
        status = status_error("stopped; the judgements made so far are in %s",
                              comparison->settings->judge.journal);
    report_faults(comparison);
    return status_is_ok(&status) ? write_table(comparison, table) : status;
}

Status comparison_run(const ComparisonSettings *settings, TextBuffer *table) {
    const EngineList *engines = &settings->engines, *referee = &settings->referee;
    Comparison comparison = {.settings = settings,
                             .seats = {.engines = engines,
                                       .referee = referee->count > 0 ? referee->engines : engines->engines,
                                       .threads = settings->concurrency}};
    const Status status = run(&comparison, table);
    seat_group_end(&comparison.seats);
    judge_close(comparison.judge);
    memory_release(comparison.outcome);
    memory_release(comparison.skipped);
    memory_release(comparison.faults);
    return status;
}
