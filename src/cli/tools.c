/* The small sub-commands: bench, perft, eval, selftest. */
#include "cli/command.h"
#include "cli/input.h"
#include "engine/bench.h"
#include "engine/engine.h"
#include "engine/selftest.h"
#include "search/score.h"
#include "uci/evaluation.h"
#include "uci/report.h"

enum { PERFT_MAX = 30 };

static Argument fen_words(ArgumentList *fen) {
    return argument_words("FEN", fen, 0, "the position, in quotes or not (default: the initial one)");
}

/* --- bench --- */

static Status run_bench(void *context) {
    char depth[16];
    Output output;
    text_format(depth, sizeof depth, "%d", *(const int *)context);
    output_open(&output, stdout);
    Status status = report_bench(&output, text_view(depth), NULL, NULL);
    output_close(&output);
    return status;
}

int command_bench(int argc, char **argv) {
    int depth = BENCH_DEPTH;
    const Argument table[] = {
        argument_optional(option_int("DEPTH", NULL, &depth, 1, MAX_PLY - 1, "plies to search")),
    };
    const Syntax syntax = {
        "luft bench", NULL,
        "Searches 48 positions with one thread, to a fixed depth or a million nodes. The node count is the "
        "signature of a version: the same on every machine, from every compiler. The last line is "
        "\"N nodes M nps\", for programs.\n",
        "  luft bench\n  luft bench 10\n", ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, NULL, run_bench, &depth);
}

/* --- perft, eval --- */

typedef struct PositionArguments {
    ArgumentList fen;
    int depth;
    PerftStyle style;
} PositionArguments;

static Status check_position(void *context) { return input_check_fen(&((PositionArguments *)context)->fen); }

/* An engine at the position. NULL with the reason on failure. */
static Engine *engine_at(const ArgumentList *words, Status *status) {
    Engine *engine = engine_create(NULL, status);
    if (engine == NULL) return NULL;
    TextBuffer fen = {0};
    input_join(words, &fen);
    *status = fen.failed ? status_no_memory("the FEN")
                         : engine_set_position(engine, buffer_view(&fen), text_view(""));
    buffer_release(&fen);
    if (status_is_ok(status)) return engine;
    engine_destroy(engine);
    return NULL;
}

static Status run_perft(void *context) {
    const PositionArguments *arguments = context;
    Status status;
    Engine *engine = engine_at(&arguments->fen, &status);
    if (engine == NULL) return status;
    Output output;
    output_open(&output, stdout);
    status = report_perft(&output, engine, arguments->depth, arguments->style, NULL, NULL);
    output_close(&output);
    engine_destroy(engine);
    return status;
}

int command_perft(int argc, char **argv) {
    PositionArguments arguments = {.depth = -1, .style = {.timed = true}};
    const Argument table[] = {
        argument_word(option_int("DEPTH", NULL, &arguments.depth, 0, PERFT_MAX, "the number of moves")),
        fen_words(&arguments.fen),
        option_flag("divide", &arguments.style.divide, "the share of each first move"),
    };
    const Syntax syntax = {
        "luft perft", NULL,
        "Counts the legal sequences of moves. The numbers are known for many positions: that proves "
        "the rules, and the time shows their speed.\n",
        "  luft perft 6\n"
        "  luft perft 4 \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\" --divide\n",
        ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check_position, run_perft, &arguments);
}

static Status run_eval(void *context) {
    Status status;
    Engine *engine = engine_at(&((PositionArguments *)context)->fen, &status);
    if (engine == NULL) return status;
    Output output;
    output_open(&output, stdout);
    status = report_evaluation(&output, engine);
    output_close(&output);
    engine_destroy(engine);
    return status;
}

int command_eval(int argc, char **argv) {
    PositionArguments arguments = {0};
    const Argument table[] = {fen_words(&arguments.fen)};
    const Syntax syntax = {"luft eval", "[FEN]",
                           "Prints the network's evaluation of a position, without search. The last line is "
                           "\"value: N\" in internal units, for the side to move.\n",
                           "  luft eval \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"\n", ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check_position, run_eval, &arguments);
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

int command_selftest(int argc, char **argv) {
    const Syntax syntax = {
        "luft selftest",
        NULL,
        "Checks this very binary in a few seconds: legal moves, hash keys, notation, and that bench "
        "counts the same twice.\n",
        NULL,
        NULL,
        0};
    return commands_run(&syntax, argc, argv, NULL, run_selftest, NULL);
}
