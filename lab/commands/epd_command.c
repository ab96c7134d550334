/* luft-lab epd: how many positions of a test suite do engines solve? */
#include "base/memory.h"
#include "base/progress.h"
#include "chess/san.h"
#include "lab/client/seat.h"
#include "lab/client/uci_client.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/crew.h"
#include "lab/kit/ownership.h"
#include "lab/match/epd.h"

#include <stdio.h>
#include <string.h>

static const char ABOUT[] = "Lets engines solve the positions of a suite: bm (the best move), am (a move to "
                            "avoid), dm (mate in N moves). Prints, "
                            "as Markdown, which engine solved what, and when its answer became right and "
                            "stayed so. An operation id \"name\"; in "
                            "the suite names a position in the table.\n";
static const char EXAMPLES[] = "  luft-lab epd suite.epd -engine cmd=./luft -engine cmd=stockfish \\\n"
                               "      -each st=0.5 option.Hash=16\n";

typedef struct EpdArguments {
    EngineList engines;
    const char *suite, *output;
    int concurrency;
    bool summary, chess960, quiet;
} EpdArguments;

/* What one engine made of one position. */
typedef struct Answer {
    Move move; /* MOVE_NONE: none, or an illegal one */
    bool solved;
    int64_t since; /* microseconds after which the answer was right to the end; of the whole search if only
                      the last moment decided */
    int depth;     /* reached at that moment */
    Fault fault;
} Answer;

typedef struct Exam {
    const EpdArguments *arguments;
    const EpdSuite *suite;
    Answer *answers; /* [engine * suite->count + position] */
    Crew crew;
    Seat *seats; /* [thread * engines + engine] */
} Exam;

/* --- solving --- */

/* One search, looked at for the moment from which the answer was right. */
typedef struct Solving {
    const EpdEntry *entry;
    Position pos;
    bool right;
    int64_t since;
    int depth;
} Solving;

static int announced_mate(const UciInfo *info) {
    return info->score.kind == SCORE_MATE_IN && info->score.bound == SCORE_IS_EXACT ? info->score.value : 0;
}

static void note_info(void *context, const UciInfo *info, int64_t elapsed) {
    Solving *solving = context;
    if (info->multi_pv > 1 || text_is_empty(info->pv)) return; /* says nothing of the best move */
    if (solving->entry->mate > 0 && info->score.bound != SCORE_IS_EXACT) return; /* nor of a mate */
    TextView pv = info->pv, first = text_next_word(&pv);
    Move move = MOVE_NONE;
    Status status = lan_parse(&solving->pos, first, &move);
    const bool right = status_is_ok(&status) && epd_is_solved(solving->entry, move, announced_mate(info));
    if (right && !solving->right) {
        solving->since = elapsed;
        solving->depth = info->depth;
    }
    solving->right = right;
}

static Fault search_entry(UciClient *client, const EngineConfig *engine, Solving *solving,
                          SearchReport *report) {
    char detail[FAULT_DETAIL_CAPACITY];
    const Fault fault = uci_client_new_game(client, detail);
    if (fault != FAULT_NONE) return fault;
    return uci_client_analyse(client, solving->entry->fen, &engine->limits, note_info, solving, report);
}

static Answer answer_entry(UciClient *client, const EngineConfig *engine, const EpdEntry *entry) {
    Answer answer = {.move = MOVE_NONE};
    Solving solving = {.entry = entry};
    SearchReport report = {0};
    Status status = fen_parse(&solving.pos, text_view(entry->fen), entry->chess960);
    if (status_is_ok(&status)) answer.fault = search_entry(client, engine, &solving, &report);
    if (answer.fault != FAULT_NONE || !status_is_ok(&status)) return answer;
    status = lan_parse(&solving.pos, text_view(report.best_move), &answer.move);
    if (!status_is_ok(&status)) {
        answer.move = MOVE_NONE;
        answer.fault = FAULT_ILLEGAL_MOVE;
        return answer;
    }
    const int mate = report.has_info ? announced_mate(&report.info) : 0;
    answer.solved = epd_is_solved(entry, answer.move, mate);
    answer.since = solving.right ? solving.since : report.wall;
    answer.depth = solving.right ? solving.depth : report.has_info ? report.info.depth : 0;
    return answer;
}

static UciClientOptions client_options(const Exam *exam, int engine) {
    const EngineConfig *config = &exam->arguments->engines.engines[engine];
    return (UciClientOptions){.config = config,
                              .chess960 = exam->arguments->chess960,
                              .stall_timeout = 60000 + config->limits.move_time / 1000,
                              .cancel = &exam->crew.cancel};
}

static Status examine(void *context, int number, int64_t index) {
    Exam *exam = context;
    const EngineList *list = &exam->arguments->engines;
    const int engine = (int)(index % list->count), position = (int)(index / list->count);
    Seat *seat = &exam->seats[number * list->count + engine];
    UciClientOptions options = client_options(exam, engine);
    Status status = seat_take(seat, &options, NULL);
    if (!status_is_ok(&status)) return crew_cancelled(&exam->crew) ? status_ok() : status;
    Answer answer = answer_entry(seat->client, &list->engines[engine], &exam->suite->entries[position]);
    if (answer.fault == FAULT_MEMORY) return status_no_memory("a search"); /* no fault of the engine's */
    exam->answers[engine * exam->suite->count + position] = answer;
    seat->broken = fault_needs_restart(answer.fault);
    return status;
}

static Status start_engines(Exam *exam) {
    const int engines = exam->arguments->engines.count;
    Status status = status_ok();
    for (int i = 0; i < exam->arguments->concurrency * engines && status_is_ok(&status); i++) {
        UciClientOptions options = client_options(exam, i % engines);
        status = seat_start(&exam->seats[i], &options);
    }
    return status;
}

/* --- tables --- */

static void write_answer(const EpdEntry *entry, const Answer *answer, char *out, size_t capacity) {
    if (answer->fault != FAULT_NONE) {
        text_format(out, capacity, "%s", fault_name(answer->fault));
        return;
    }
    Position pos;
    char san[SAN_CAPACITY] = "";
    Status status = fen_parse(&pos, text_view(entry->fen), entry->chess960);
    if (status_is_ok(&status)) san_write(&pos, answer->move, san);
    if (answer->solved)
        text_format(out, capacity, "**%s** depth %d, %.2f s", san, answer->depth,
                    (double)answer->since / 1e6);
    else
        text_format(out, capacity, "%s", san);
}

static void write_positions(const Exam *exam, TextBuffer *out) {
    const EngineList *list = &exam->arguments->engines;
    MarkdownTable table = markdown_table_begin("llllllllllllllllllllllll");
    table.columns = 2 + list->count;
    markdown_table_cell(&table, "position");
    markdown_table_cell(&table, "task");
    for (int e = 0; e < list->count; e++) markdown_table_cell(&table, "%s", list->engines[e].name);
    for (int p = 0; p < exam->suite->count; p++) {
        const EpdEntry *entry = &exam->suite->entries[p];
        char text[256];
        if (entry->id[0] != '\0')
            markdown_table_cell(&table, "%s", entry->id);
        else
            markdown_table_cell(&table, "%d", p + 1);
        epd_describe_task(entry, text, sizeof text);
        markdown_table_cell(&table, "%s", text);
        for (int e = 0; e < list->count; e++) {
            write_answer(entry, &exam->answers[e * exam->suite->count + p], text, sizeof text);
            markdown_table_cell(&table, "%s", text);
        }
    }
    markdown_table_write(&table, out);
}

static void write_totals(const Exam *exam, TextBuffer *out) {
    static const char *const HEADER[] = {"engine", "limit", "solved", "of", "percent", "mean time to solve",
                                         "faults"};
    const EngineList *list = &exam->arguments->engines;
    MarkdownTable table = markdown_table_begin("llrrrrr");
    for (size_t i = 0; i < sizeof HEADER / sizeof *HEADER; i++) markdown_table_cell(&table, "%s", HEADER[i]);
    for (int e = 0; e < list->count; e++) {
        int solved = 0, faults = 0;
        double seconds = 0;
        char limit[128];
        for (int p = 0; p < exam->suite->count; p++) {
            const Answer *answer = &exam->answers[e * exam->suite->count + p];
            solved += answer->solved;
            faults += answer->fault != FAULT_NONE;
            if (answer->solved) seconds += (double)answer->since / 1e6;
        }
        play_limits_describe(&list->engines[e].limits, limit, (int)sizeof limit);
        markdown_table_cell(&table, "%s", list->engines[e].name);
        markdown_table_cell(&table, "%s", limit);
        markdown_table_cell(&table, "%d", solved);
        markdown_table_cell(&table, "%d", exam->suite->count);
        markdown_table_cell(&table, "%.1f", 100.0 * solved / exam->suite->count);
        if (solved > 0)
            markdown_table_cell(&table, "%.2f s", seconds / solved);
        else
            markdown_table_cell(&table, "-");
        markdown_table_cell(&table, "%d", faults);
    }
    markdown_table_write(&table, out);
}

/* --- the command --- */

static Status run_exam(const EpdArguments *arguments, const EpdSuite *suite) {
    const int engines = arguments->engines.count, seats = arguments->concurrency * engines;
    Exam exam = {.arguments = arguments, .suite = suite};
    exam.answers = memory_allocate((size_t)engines * (size_t)suite->count * sizeof *exam.answers);
    exam.seats = memory_allocate((size_t)seats * sizeof *exam.seats);
    Status status = status_ok();
    if (exam.answers == NULL || exam.seats == NULL) status = status_no_memory("%d answers", suite->count);
    if (status_is_ok(&status)) status = start_engines(&exam);
    if (status_is_ok(&status)) {
        const int64_t tasks = (int64_t)engines * suite->count;
        Progress progress = progress_begin(engines > 1 ? "searches" : "positions", tasks, arguments->quiet);
        crew_begin(&exam.crew);
        status = crew_run_tasks(&exam.crew, arguments->concurrency, tasks, examine, &exam, &progress);
        if (status_is_ok(&status) && exam.crew.interrupted)
            status = status_error("stopped, and no table made");
        crew_end(&exam.crew);
        progress_end(&progress);
    }
    if (status_is_ok(&status)) {
        TextBuffer out = {0};
        write_totals(&exam, &out);
        if (!arguments->summary) {
            buffer_append_char(&out, '\n');
            write_positions(&exam, &out);
        }
        status = console_write_result(arguments->output, &out);
        buffer_release(&out);
    }
    for (int i = 0; i < seats && exam.seats != NULL; i++) seat_leave(&exam.seats[i]);
    memory_release(exam.seats);
    memory_release(exam.answers);
    return status;
}

/* What was not said: ./luft, a second for each position. */
static Status complete(void *context) {
    EpdArguments *arguments = context;
    EngineList *list = &arguments->engines;
    Status status = status_ok();
    if (list->count == 0) {
        status = engine_list_add(list, NULL);
        if (status_is_ok(&status)) status = engine_config_apply(&list->engines[0], text_view("cmd=./luft"));
    }
    const bool common =
        list->each != NULL && (list->each->limits.nodes > 0 || list->each->limits.depth > 0 ||
                               list->each->limits.move_time > 0 || list->each->limits.has_clock);
    for (int i = 0; i < list->count && status_is_ok(&status) && !common; i++) {
        const PlayLimits *limits = &list->engines[i].limits;
        if (limits->nodes == 0 && limits->depth == 0 && limits->move_time == 0 && !limits->has_clock)
            status = engine_config_apply(&list->engines[i], text_view("st=1"));
    }
    if (status_is_ok(&status)) status = engine_list_finish(list);
    if (status_is_ok(&status) && list->count > TABLE_COLUMNS_MAX - 2)
        status = status_error("at most %d engines", TABLE_COLUMNS_MAX - 2);
    for (int i = 0; i < list->count && status_is_ok(&status); i++)
        if (list->engines[i].limits.has_clock)
            status =
                status_error("%s: a position has no clock; say st=, nodes= or depth=", list->engines[i].name);
    return status;
}

static Status run(void *context) {
    const EpdArguments *arguments = context;
    EpdSuite suite = {0};
    Status status = ownership_check_inputs(arguments->output, &arguments->suite, 1);
    if (status_is_ok(&status)) status = epd_load(arguments->suite, arguments->chess960, &suite);
    if (status_is_ok(&status)) status = run_exam(arguments, &suite);
    epd_release(&suite);
    return status;
}

#define FIELD_STRUCT EpdArguments
static const Field FIELDS[] = {
    {FIELD_TEXT("SUITE.epd", NULL, suite, NULL, "the positions and what solves them"), .flags = FIELD_WORD},
    {ENGINE_FIELD(
        "engine", engines,
        "an engine, with its own limits and options if wanted; several may be named (default ./luft)")},
    {ENGINE_EACH_FIELD(engines, "what all engines have in common: st=1 (a second each, "
                                "the default), nodes=100000, depth=12, option.Hash=64")},
    {FIELD_WHOLE("concurrency", "N", concurrency, 1, CREW_THREADS_MAX, "1", "positions at work at once")},
    {FIELD_TEXT("output", "FILE", output, NULL, "the tables go there instead of standard output")},
    {FIELD_FLAG("summary", summary, "only the totals, no table of positions")},
    {FIELD_FLAG("chess960", chess960, "castling rights are Chess960's")},
    {FIELD_FLAG("quiet", quiet, "no progress bar")},
    {0}};
#undef FIELD_STRUCT

int command_epd(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab epd",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = complete,
                                  .run = run};
    EpdArguments arguments = {0};
    const int result = commands_run(&SYNTAX, argc, argv, &arguments);
    engine_list_release(&arguments.engines);
    return result;
}
