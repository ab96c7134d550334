/* The small sub-commands: bench, perft, eval, selftest. */
#include "cli/command.h"
#include "cli/source.h"
#include "engine/bench.h"
#include "engine/engine.h"
#include "search/score.h"
#include "uci/report.h"

enum { PERFT_MAX = 30 };

#define FEN_WORDS FIELD_WORDS("FEN", fen, 0, "the position, in quotes or not (default: the initial one)")

/* --- bench --- */

typedef struct BenchArguments {
    int depth;
} BenchArguments;

static Status run_bench(void *context) {
    Output output;
    output_open(&output, stdout);
    const Status status = report_bench(&output, ((const BenchArguments *)context)->depth, (LongWork){0});
    output_close(&output);
    return status;
}

#define FIELD_STRUCT BenchArguments
static const Field BENCH_FIELDS[] = {{FIELD_WHOLE("DEPTH", NULL, depth, 1, MAX_PLY - 1, NULL,
                                                  "plies to search (default: as for the signature)"),
                                      .flags = FIELD_WORD | FIELD_OPTIONAL},
                                     {0}};
#undef FIELD_STRUCT

int command_bench(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft bench",
        .about = "Searches 48 positions with one thread, to a fixed depth or a million nodes. "
                 "The node count is the signature of a version: the same on every machine, from "
                 "every compiler. "
                 "The last line is \"N nodes M nps\", for programs.\n",
        .examples = "  luft bench\n  luft bench 10\n",
        .fields = BENCH_FIELDS,
        .run = run_bench};
    BenchArguments arguments = {.depth = BENCH_DEPTH};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

/* --- perft, eval --- */

typedef struct PositionArguments {
    WordList fen;
    Position pos; /* which they are */
    int depth;
    PerftStyle style;
    const char *net;
} PositionArguments;

static Status check_position(void *context) {
    PositionArguments *arguments = context;
    return source_read_fen(&arguments->fen, &arguments->pos);
}

static Status run_perft(void *context) {
    const PositionArguments *arguments = context;
    Output output;
    output_open(&output, stdout);
    Status status = report_perft(&output, &arguments->pos, arguments->depth, arguments->style, (LongWork){0});
    output_close(&output);
    return status;
}

#define FIELD_STRUCT PositionArguments
static const Field PERFT_FIELDS[] = {
    {FIELD_WHOLE("DEPTH", NULL, depth, 0, PERFT_MAX, NULL, "plies to count"), .flags = FIELD_WORD},
    {FEN_WORDS},
    {FIELD_FLAG("divide", style.divide, "print the count of each first move")},
    {0}};
#undef FIELD_STRUCT

int command_perft(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft perft",
        .about = "Counts the legal sequences of moves. "
                 "The counts of many positions are published: equal numbers prove the rules, and "
                 "the time shows their speed.\n",
        .examples = "  luft perft 6\n"
                    "  luft perft 4 \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\" --divide\n",
        .fields = PERFT_FIELDS,
        .check = check_position,
        .run = run_perft};
    PositionArguments arguments = {.style = {.timed = true}};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

static Status run_eval(void *context) {
    const PositionArguments *arguments = context;
    Status status;
    Engine *engine = engine_create(NULL, &status);
    if (engine == NULL) return status;
    engine_use_position(engine, &arguments->pos, NULL);
    if (arguments->net != NULL)
        status = engine_set_option(engine, text_view("EvalFile"), text_view(arguments->net));
    Output output;
    output_open(&output, stdout);
    if (status_is_ok(&status)) status = report_evaluation(&output, engine);
    output_close(&output);
    engine_destroy(engine);
    return status;
}

#define FIELD_STRUCT PositionArguments
static const Field EVAL_FIELDS[] = {{FEN_WORDS}, {NET_FIELD(net)}, {0}};
#undef FIELD_STRUCT

int command_eval(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft eval",
                                  .usage = "[FEN] [options]",
                                  .about = "Prints the network's evaluation of a position, without search. "
                                           "The last line is \"value: "
                                           "N\" in internal units, for the side to move.\n",
                                  .examples = "  luft eval \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"\n",
                                  .fields = EVAL_FIELDS,
                                  .check = check_position,
                                  .run = run_eval};
    PositionArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

/* --- selftest --- */

static void print_check(void *context, const char *check, const char *reason) {
    const bool passed = reason[0] == '\0';
    output_line(context, "%s  %s%s%s", passed ? "ok    " : "FAILED", check, passed ? "" : ": ", reason);
}

static Status run_selftest(void *context) {
    (void)context;
    Output output;
    output_open(&output, stdout);
    const int failures = selftest_run(print_check, &output);
    output_close(&output);
    if (failures == 0) return status_ok();
    return status_error("%d checks failed: this binary is not to be trusted", failures);
}

static const Field SELFTEST_FIELDS[] = {{0}};

int command_selftest(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft selftest",
        .about = "Checks this binary in a few seconds: legal moves, hash keys, notation, and that "
                 "bench counts the same twice.\n",
        .fields = SELFTEST_FIELDS,
        .run = run_selftest};
    return commands_run(&SYNTAX, argc, argv, NULL);
}
