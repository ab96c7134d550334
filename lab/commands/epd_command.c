/* luft-lab epd: how many positions of a test suite do engines solve? */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/crew.h"
#include "lab/kit/ownership.h"
#include "lab/match/epd.h"

static const char ABOUT[] =
    "Lets engines solve the positions of a suite: bm (the best move), am (a move to avoid), "
    "dm N or bm #N (mate in N moves, with -N: to be mated). "
    "Prints, as Markdown, which engine solved what, and when its answer became right and stayed so. "
    "An operation id \"name\"; in the suite names a position in the table.\n";
static const char EXAMPLES[] = "  luft-lab epd suite.epd -engine cmd=./luft -engine cmd=stockfish \\\n"
                               "      -each st=0.5 option.Hash=16\n";

typedef struct EpdArguments {
    EngineList engines;
    const char *suite, *output;
    EpdExam exam;
    bool skip_faults;
} EpdArguments;

static bool has_limit(const PlayLimits *limits) {
    return limits->nodes > 0 || limits->depth > 0 || limits->move_time > 0 || limits->has_clock;
}

/* Fills in the defaults: ./luft, a second for each position. */
static Status complete(void *context) {
    EpdArguments *arguments = context;
    EngineList *list = &arguments->engines;
    Status status = status_ok();
    if (list->count == 0) (void)engine_list_add_program(list, "./luft", &(PlayLimits){0}, 0, &status);
    const bool common = list->each != NULL && has_limit(&list->each->limits);
    for (int i = 0; i < list->count && !common; i++)
        if (!has_limit(&list->engines[i].limits)) list->engines[i].limits.move_time = 1000000;
    if (status_is_ok(&status)) status = engine_list_finish(list);
    if (status_is_ok(&status) && list->count > TABLE_COLUMNS_MAX - 2)
        status = status_error("at most %d engines", TABLE_COLUMNS_MAX - 2);
    for (int i = 0; i < list->count && status_is_ok(&status); i++)
        if (list->engines[i].limits.has_clock)
            status =
                status_error("%s: a position has no clock; say st=, nodes= or depth=", list->engines[i].name);
    arguments->exam.engines = list;
    return status;
}

static Status run(void *context) {
    const EpdArguments *arguments = context;
    EpdSuite suite = {0};
    TextBuffer out = {0};
    Status status = ownership_check_inputs(arguments->output, &arguments->suite, 1);
    if (status_is_ok(&status))
        status = epd_load(arguments->suite, arguments->exam.chess960, arguments->skip_faults, &suite);
    if (status_is_ok(&status)) status = epd_examine(&arguments->exam, &suite, &out);
    if (status_is_ok(&status)) status = console_write_result(arguments->output, &out);
    buffer_release(&out);
    epd_release(&suite);
    return status;
}

#define FIELD_STRUCT EpdArguments
static const Field FIELDS[] = {
    {FIELD_TEXT("SUITE.epd", NULL, suite, NULL, "the positions and their solutions"), .flags = FIELD_WORD},
    {ENGINE_FIELD("engine", engines,
                  "an engine, with its own limits and options if wanted; may be repeated (default "
                  "./luft)")},
    {ENGINE_EACH_FIELD(engines, "what all engines have in common: st=1 (a second each, "
                                "the default), nodes=100000, depth=12, option.Hash=64")},
    {FIELD_WHOLE("concurrency", "N", exam.concurrency, 1, CREW_THREADS_MAX, "1", "positions at once")},
    {FIELD_TEXT("output", "FILE", output, NULL, "write the tables to FILE instead of standard output")},
    {FIELD_FLAG("summary", exam.summary, "print only the totals")},
    {SKIP_FAULTS_FIELD(skip_faults)},
    {FIELD_FLAG("chess960", exam.chess960, "read castling rights as Chess960's")},
    {FIELD_FLAG("quiet", exam.quiet, "print no progress bar")},
    {0}};

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
