/* luft-lab judge: which engine chooses the better moves? */
#include "base/memory.h"
#include "base/progress.h"
#include "lab/client/seat.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/crew.h"
#include "lab/kit/ownership.h"
#include "lab/tune/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char ABOUT[] =
    "Lets engines go through stretches of games, six positions each, and has the moves that they choose "
    "judged by a long "
    "search. Prints, as Markdown, what the moves of each are worth, in thousandths of a game, next to those "
    "of the first. "
    "What a change does to speed, or to a whole game, it does not see: luft-lab sprt has the last word.\n";
static const char EXAMPLES[] =
    "  games of the engine itself, then what late move reductions and twice the\n"
    "  nodes are worth\n"
    "  luft-lab match -engine cmd=./luft name=a -engine cmd=./luft name=b \\\n"
    "      -each tc=0.5+0.005 -rounds 500 -concurrency 2 \\\n"
    "      -openings file=books/standard.epd order=random -pgnout games.pgn\n"
    "  luft-lab judge games.pgn -concurrency 2 \\\n"
    "      -engine cmd=build/lab/luft name=full \\\n"
    "      -engine cmd=build/lab/luft name=without \"option.Use late_move_reductions=false\" \\\n"
    "      -engine cmd=build/lab/luft name=twice nodes=20000\n";

typedef struct JudgeArguments {
    EngineList engines, referee;
    JudgeSettings settings;
    const char *output;
    int concurrency;
    bool quiet;
} JudgeArguments;

/* What became of a stretch in the hands of one engine. */
typedef struct Outcome {
    double worth;
    Move moves[JUDGE_POSITIONS];
} Outcome;

/* What an engine, or the referee, did wrong. */
typedef struct Faults {
    int64_t count;
    int in_row;
    char first[FAULT_DETAIL_CAPACITY + 32];
} Faults;

typedef struct Trial {
    const JudgeArguments *arguments;
    Judge *judge;
    int seat_count;   /* of a thread: each engine, then the referee */
    Seat *seats;      /* [thread * seat_count + seat] */
    Outcome *outcome; /* [engine * stretches + stretch] */
    bool *left_out;   /* of each stretch: not all engines came through */
    Crew crew;        /* its lock is for the faults */
    Faults *faults;   /* [seat] */
} Trial;

/* Then more is wrong than a stretch. The referee has no row: it is not asked in every stretch. */
enum { FAULTS_IN_ROW_MAX = 10 };

/* --- the trial --- */

static const EngineConfig *config_of(const Trial *trial, int seat) {
    const JudgeArguments *arguments = trial->arguments;
    if (seat < arguments->engines.count) return &arguments->engines.engines[seat];
    return arguments->referee.count > 0 ? &arguments->referee.engines[0] : &arguments->engines.engines[0];
}

static const char *seat_name(const Trial *trial, int seat) {
    return seat < trial->seat_count - 1 ? trial->arguments->engines.engines[seat].name : "the referee";
}

/* Counts a fault. */
static Status take_fault(Trial *trial, int seat, const JudgePassage *passage) {
    Faults *faults = &trial->faults[seat];
    mutex_lock(&trial->crew.lock);
    if (faults->count++ == 0)
        text_format(faults->first, sizeof faults->first, "%s: %s", fault_name(passage->fault),
                    passage->detail);
    const bool hopeless = ++faults->in_row >= FAULTS_IN_ROW_MAX;
    mutex_unlock(&trial->crew.lock);
    if (hopeless)
        return status_error("%d faults of %s, the first: %s", FAULTS_IN_ROW_MAX, seat_name(trial, seat),
                            faults->first);
    return status_ok();
}

static void end_row_of_faults(Trial *trial, int seat) {
    mutex_lock(&trial->crew.lock);
    trial->faults[seat].in_row = 0;
    mutex_unlock(&trial->crew.lock);
}

/* Has the seats of a thread taken by engines that run. */
static Status take_seats(const Trial *trial, Seat *seats, Status (*take)(Seat *, const UciClientOptions *)) {
    Status status = status_ok();
    for (int seat = 0; seat < trial->seat_count && status_is_ok(&status); seat++) {
        UciClientOptions options = {.config = config_of(trial, seat), .cancel = &trial->crew.cancel};
        status = take(&seats[seat], &options);
    }
    return status;
}

static Status take_again(Seat *seat, const UciClientOptions *options) {
    return seat_take(seat, options, NULL);
}

/* All engines through one stretch; after a fault it is skipped. */
static Status try_stretch(void *context, int number, int64_t index) {
    Trial *trial = context;
    const int referee = trial->seat_count - 1;
    Seat *seats = trial->seats + number * trial->seat_count;
    for (int seat = 0; seat < referee; seat++) {
        Status status = take_seats(trial, seats, take_again);
        if (!status_is_ok(&status)) return crew_cancelled(&trial->crew) ? status_ok() : status;
        JudgeEngines engines = {seats[seat].client, seats[referee].client,
                                config_of(trial, seat)->limits.nodes};
        JudgePassage passage;
        status = judge_pass(trial->judge, index, &engines, &passage);
        if (!status_is_ok(&status) || passage.fault == FAULT_CANCELLED) return status;
        Outcome *outcome = &trial->outcome[seat * judge_stretches(trial->judge) + index];
        outcome->worth = passage.worth;
        memcpy(outcome->moves, passage.moves, sizeof outcome->moves);
        if (passage.fault == FAULT_NONE) {
            end_row_of_faults(trial, seat);
            continue;
        }
        const int guilty = passage.by_referee ? referee : seat;
        trial->left_out[index] = true;
        seats[guilty].broken = true;
        status = take_fault(trial, guilty, &passage);
        if (!status_is_ok(&status)) return status;
    }
    return status_ok();
}

static Status start_engines(Trial *trial) {
    Status status = status_ok();
    for (int i = 0; i < trial->arguments->concurrency && status_is_ok(&status); i++)
        status = take_seats(trial, trial->seats + i * trial->seat_count, seat_start);
    return status;
}

/* --- the table --- */

/* One engine compared with the first, over the stretches that all of them finished. */
typedef struct Comparison {
    int64_t same_moves;
    double worth, difference, error; /* thousandths of a game a move; half the width of the 95 % interval */
} Comparison;

static int64_t count_stretches(const Trial *trial) {
    int64_t count = 0;
    for (int64_t i = 0; i < judge_stretches(trial->judge); i++) count += !trial->left_out[i];
    return count;
}

static Comparison compare(const Trial *trial, int engine) {
    const Outcome *first = trial->outcome, *other = first + engine * judge_stretches(trial->judge);
    const double unit = 1000.0 / JUDGE_POSITIONS, n = (double)count_stretches(trial);
    double sum = 0, squares = 0, worth = 0;
    int64_t same = 0;
    for (int64_t i = 0; i < judge_stretches(trial->judge); i++) {
        if (trial->left_out[i]) continue;
        const double difference = unit * (other[i].worth - first[i].worth);
        sum += difference;
        squares += difference * difference;
        worth += unit * other[i].worth;
        for (int k = 0; k < JUDGE_POSITIONS; k++) same += first[i].moves[k] == other[i].moves[k];
    }
    const double variance = fmax(squares - sum * sum / n, 0) / (n - 1);
    return (Comparison){same, worth / n, sum / n, 1.96 * sqrt(variance / n)};
}

static void tell_faults(const Trial *trial) {
    for (int seat = 0; seat < trial->seat_count; seat++)
        if (trial->faults[seat].count > 0)
            fprintf(stderr, "%lld faults of %s, the first: %s\n", (long long)trial->faults[seat].count,
                    seat_name(trial, seat), trial->faults[seat].first);
}

static Status print_table(const Trial *trial) {
    static const char *const HEADS[] = {"engine",       "limit", "worth of a move",
                                        "to the first", "error", "same moves"};
    const EngineList *list = &trial->arguments->engines;
    const int64_t stretches = count_stretches(trial), all = judge_stretches(trial->judge);
    if (stretches < 2)
        return status_error("only %lld of %lld stretches without a fault: too few to compare",
                            (long long)stretches, (long long)all);
    MarkdownTable table = markdown_table_begin("llrrrr");
    for (int i = 0; i < table.columns; i++) markdown_table_cell(&table, "%s", HEADS[i]);
    for (int engine = 0; engine < list->count; engine++) {
        Comparison comparison = compare(trial, engine);
        char limit[128];
        play_limits_describe(&list->engines[engine].limits, limit, (int)sizeof limit);
        markdown_table_cell(&table, "%s", list->engines[engine].name);
        markdown_table_cell(&table, "%s", limit);
        markdown_table_cell(&table, "%.1f", comparison.worth);
        markdown_table_cell(&table, engine > 0 ? "%+.2f" : "-", comparison.difference);
        markdown_table_cell(&table, engine > 0 ? "%.2f" : "-", comparison.error);
        const double moves = (double)(stretches * JUDGE_POSITIONS);
        markdown_table_cell(&table, "%.0f %%", 100 * (double)comparison.same_moves / moves);
    }
    TextBuffer out = {0};
    markdown_table_write(&table, &out);
    buffer_append_format(&out,
                         "\nThousandths of a game for each of %lld moves (%lld of %lld stretches), judged "
                         "with %lld nodes. Errors are 95 %%.\n",
                         (long long)stretches * JUDGE_POSITIONS, (long long)stretches, (long long)all,
                         (long long)trial->arguments->settings.nodes);
    Status status = console_write_result(trial->arguments->output, &out);
    buffer_release(&out);
    return status;
}

/* --- the command --- */

static Status open_judge(Trial *trial) {
    const JudgeArguments *arguments = trial->arguments;
    JudgeSettings settings = arguments->settings;
    TextBuffer referee = {0};
    Status status = judge_know_referee(trial->seats[trial->seat_count - 1].client, settings.nodes, &referee);
    settings.referee = buffer_string(&referee);
    if (status_is_ok(&status)) {
        status = judge_open(&settings, &trial->judge);
        if (!status_is_ok(&status)) fprintf(stderr, "Another -journal begins from the start.\n");
    }
    buffer_release(&referee);
    if (!status_is_ok(&status)) return status;
    const size_t stretches = (size_t)judge_stretches(trial->judge);
    trial->outcome = memory_allocate((size_t)arguments->engines.count * stretches * sizeof *trial->outcome);
    trial->left_out = memory_allocate(stretches * sizeof *trial->left_out);
    return trial->outcome != NULL && trial->left_out != NULL ? status : status_no_memory("the outcomes");
}

static Status run_trial(Trial *trial) {
    const JudgeArguments *arguments = trial->arguments;
    Status status = start_engines(trial);
    if (status_is_ok(&status)) status = open_judge(trial);
    if (!status_is_ok(&status)) return status;
    crew_begin(&trial->crew);
    const int64_t count = judge_stretches(trial->judge);
    Progress progress = progress_begin("stretches", count, arguments->quiet);
    status = crew_run_tasks(&trial->crew, arguments->concurrency, count, try_stretch, trial, &progress);
    progress_end(&progress);
    if (status_is_ok(&status) && trial->crew.interrupted)
        status = status_error("stopped; the judgements made so far are in %s", arguments->settings.journal);
    crew_end(&trial->crew);
    tell_faults(trial);
    return status_is_ok(&status) ? print_table(trial) : status;
}

static Status run(void *context) {
    const JudgeArguments *arguments = context;
    const char *const inputs[] = {arguments->settings.games, arguments->settings.journal};
    Status status = ownership_check_inputs(arguments->output, inputs, 2);
    if (status_is_ok(&status)) status = ownership_check_inputs(arguments->settings.journal, inputs, 1);
    if (!status_is_ok(&status)) return status;
    Trial trial = {.arguments = arguments, .seat_count = arguments->engines.count + 1};
    const int seats = arguments->concurrency * trial.seat_count;
    trial.seats = memory_allocate((size_t)seats * sizeof *trial.seats);
    trial.faults = memory_allocate((size_t)trial.seat_count * sizeof *trial.faults);
    status = status_no_memory("the engines");
    if (trial.seats != NULL && trial.faults != NULL) {
        status = run_trial(&trial);
        for (int i = 0; i < seats; i++) seat_leave(&trial.seats[i]);
    }
    judge_close(trial.judge);
    memory_release(trial.seats);
    memory_release(trial.faults);
    memory_release(trial.outcome);
    memory_release(trial.left_out);
    return status;
}

static Status check_limits(const EngineConfig *config, const char *name) {
    const PlayLimits *limits = &config->limits;
    if (limits->has_clock || limits->move_time > 0 || limits->depth > 0)
        return status_error("%s: moves are judged in fixed nodes; say nodes=", name);
    return status_ok();
}

/* What was not said of an engine, neither of itself nor of all (`each` may be NULL). */
static Status complete_engine(EngineConfig *config, const EngineConfig *each) {
    if (config->limits.nodes == 0 && (each == NULL || each->limits.nodes == 0)) config->limits.nodes = 10000;
    if (engine_config_option(config, "Hash") != NULL ||
        (each != NULL && engine_config_option(each, "Hash") != NULL))
        return status_ok();
    return engine_config_set_option(config, "Hash", "16");
}

static Status complete_referee(JudgeArguments *arguments) {
    EngineList *list = &arguments->referee;
    if (list->count == 0) return status_ok();
    if (list->count > 1) return status_error("one referee");
    if (list->engines[0].limits.nodes > 0) return status_error("-referee: its nodes are -judge-nodes");
    Status status = check_limits(&list->engines[0], "-referee");
    if (status_is_ok(&status)) status = complete_engine(&list->engines[0], NULL);
    if (status_is_ok(&status)) status = engine_list_finish(list);
    return status;
}

/* What was not said, and what cannot be. */
static Status complete(void *context) {
    JudgeArguments *arguments = context;
    EngineList *list = &arguments->engines;
    if (list->count < 2) return status_error("two engines at least, to be compared");
    Status status = list->each != NULL ? check_limits(list->each, "-each") : status_ok();
    for (int i = 0; i < list->count && status_is_ok(&status); i++)
        status = complete_engine(&list->engines[i], list->each);
    if (status_is_ok(&status)) status = complete_referee(arguments);
    if (status_is_ok(&status)) status = engine_list_finish(list);
    for (int i = 0; i < list->count && status_is_ok(&status); i++)
        status = check_limits(&list->engines[i], list->engines[i].name);
    return status;
}

#define FIELD_STRUCT JudgeArguments
static const Field FIELDS[] = {
    {FIELD_TEXT("GAMES.pgn", NULL, settings.games, NULL, "games of the engine itself, some hundreds"),
     .flags = FIELD_WORD},
    {ENGINE_FIELD("engine", engines, "an engine with its options; two at least")},
    {ENGINE_EACH_FIELD(engines, "what all engines have in common (default nodes=10000 option.Hash=16)")},
    {ENGINE_FIELD("referee", referee,
                  "the one that judges (default: the first engine); -each is not for it")},
    {FIELD_WHOLE("judge-nodes", "N", settings.nodes, JUDGE_NODES_MIN, 1e12, "150k",
                 "of a judgement, made once for each move")},
    {FIELD_WHOLE("stretches", "N", settings.stretches, 2, JUDGE_STRETCHES_MAX, "1000",
                 "at most, one of a game")},
    {FIELD_TEXT("journal", "FILE", settings.journal, "judgements.journal",
                "the judgements, for the next time: a file for each referee")},
    {FIELD_WHOLE("seed", "N", settings.seed, 0, FIELD_UNLIMITED, "1", "which games, and where in them")},
    {FIELD_WHOLE("concurrency", "N", concurrency, 1, CREW_THREADS_MAX, "1", "stretches at once")},
    {FIELD_TEXT("output", "FILE", output, NULL, "the table goes there instead of standard output")},
    {FIELD_FLAG("quiet", quiet, "no progress bar")},
    {0}};
#undef FIELD_STRUCT

int command_judge(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab judge",
                                  .usage =
                                      "GAMES.pgn -engine cmd=PROGRAM... -engine cmd=PROGRAM... [options]",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = complete,
                                  .run = run};
    JudgeArguments arguments = {0};
    const int result = commands_run(&SYNTAX, argc, argv, &arguments);
    engine_list_release(&arguments.engines);
    engine_list_release(&arguments.referee);
    return result;
}
