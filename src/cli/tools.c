#include "cli/tools.h"

#include "engine/engine.h"
#include "engine/selftest.h"
#include "cli/command_line.h"
#include "uci/evaluation.h"
#include "uci/report.h"

enum { PERFT_MAX = 30 };

Status tool_bench(int argc, char *const *argv, FILE *out) {
    TextBuffer words = {0};
    Output output;
    output_open(&output, out);
    Status status = command_line_parse(NULL, 0, argc, argv, &words);
    if (status_is_ok(&status)) status = report_bench(&output, buffer_view(&words), NULL, NULL);
    output_close(&output);
    buffer_release(&words);
    return status;
}

/* An engine at the position of the FEN, or at the initial one. NULL with the reason on failure. */
static Engine *engine_at(TextView fen, Status *status) {
    Engine *engine = engine_create(NULL, status);
    if (engine == NULL) return NULL;
    *status = engine_set_position(engine, fen, text_view(""));
    if (status_is_ok(status)) return engine;
    engine_destroy(engine);
    return NULL;
}

Status tool_perft(int argc, char *const *argv, FILE *out) {
    PerftStyle style = {.timed = true};
    const Flag flags[] = {{"--divide", FLAG_SWITCH, &style.divide, 0, 0}};
    TextBuffer words = {0};
    Output output;
    int64_t depth = 0;
    output_open(&output, out);
    Status status = command_line_parse(flags, 1, argc, argv, &words);
    TextView rest = buffer_view(&words);
    if (status_is_ok(&status) &&
        (!text_parse_int64(text_next_word(&rest), &depth) || depth < 0 || depth > PERFT_MAX))
        status = status_error("the first argument must be a depth from 0 to %d", PERFT_MAX);
    Engine *engine = status_is_ok(&status) ? engine_at(rest, &status) : NULL;
    if (engine != NULL) status = report_perft(&output, engine, (int)depth, style, NULL, NULL);
    engine_destroy(engine);
    output_close(&output);
    buffer_release(&words);
    return status;
}

Status tool_eval(int argc, char *const *argv, FILE *out) {
    TextBuffer words = {0};
    Output output;
    output_open(&output, out);
    Status status = command_line_parse(NULL, 0, argc, argv, &words);
    Engine *engine = status_is_ok(&status) ? engine_at(buffer_view(&words), &status) : NULL;
    if (engine != NULL) status = report_evaluation(&output, engine);
    engine_destroy(engine);
    output_close(&output);
    buffer_release(&words);
    return status;
}

static void print_check(void *context, const char *check, const char *reason) {
    bool passed = reason[0] == '\0';
    output_line(context, "%s  %s%s%s", passed ? "ok    " : "FAILED", check, passed ? "" : ": ", reason);
}

Status tool_selftest(int argc, char *const *argv, FILE *out) {
    TextBuffer words = {0};
    Output output;
    output_open(&output, out);
    Status status = command_line_parse(NULL, 0, argc, argv, &words);
    int failures = status_is_ok(&status) ? selftest_run(print_check, &output) : 0;
    if (failures > 0) status = status_error("%d checks failed: this binary is not to be trusted", failures);
    output_close(&output);
    buffer_release(&words);
    return status;
}
