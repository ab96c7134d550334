/* Reading bench: the lines, the baseline file, the ratio of speeds. */
#include "lab/tune/speed.h"

#include "base/file.h"
#include "test_support.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static BenchOutput parse(const char *text) {
    BenchOutput output = {0};
    TextView rest = text_view(text), line;
    while (text_next_line(&rest, &line)) bench_output_parse_line(line, &output);
    return output;
}

static void test_lines(void **state) {
    (void)state;
    BenchOutput output = parse("Luft 0.1\n"
                               "Position 1/2: nodes=1000 time=0.010s nps=100000\n"
                               "info depth 3 nodes 12 nps 3\n"
                               "Position 2/2: nodes=500 time=0.005s nps=100000\n"
                               "Position 3/2: nodes=many time=0.005s nps=100000\n"
                               "1500 nodes 100000 nps\n");
    assert_int_equal(output.lines, 2);
    assert_int_equal(output.line[1].nodes, 500);
    assert_true(fabs(output.line[0].seconds - 0.01) < 1e-9);
    assert_int_equal(output.nodes, 1500);
    assert_int_equal(output.nps, 100000);
    assert_true(fabs(bench_output_seconds(&output) - 0.015) < 1e-9);
}

static void test_baseline_round_trip(void **state) {
    (void)state;
    char path[64];
    text_format(path, sizeof path, "/tmp/luft-test-bench-%d", (int)getpid());
    BenchOutput output = parse("Position 1/1: nodes=1500 time=0.015s nps=100000\n1500 nodes 100000 nps\n"),
                again;
    TextBuffer text = {0};
    bench_output_write(&output, 7, &text);
    Status status = file_write(path, text.data, text.length);
    assert_true(status_is_ok(&status));
    int depth = 0;
    status = bench_output_read(path, &again, &depth);
    assert_true(status_is_ok(&status));
    assert_int_equal(depth, 7);
    assert_int_equal(again.nodes, 1500);
    assert_int_equal(again.lines, 1);
    assert_int_equal(again.line[0].nodes, 1500);
    buffer_release(&text);
    remove(path);
}

static void test_baselines_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",
        "something else\n",
        "luft-lab bench baseline 1\n",
        "luft-lab bench baseline 1\ndepth x\n1500 nodes 100000 nps\n",
        "luft-lab bench baseline 1\ndepth 5\n",
        "luft-lab bench baseline 1\ndepth 5\nPosition 1/1: nodes=1400 time=0.015s\n1500 nodes 100000 nps\n",
    };
    char path[64];
    text_format(path, sizeof path, "/tmp/luft-test-bench-%d", (int)getpid());
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        BenchOutput output;
        int depth;
        Status status = file_write(path, wrong[i], strlen(wrong[i]));
        assert_true(status_is_ok(&status));
        status = bench_output_read(path, &output, &depth);
        if (status_is_ok(&status)) fail_msg("accepted: %s", wrong[i]);
        assert_non_null(strstr(status.reason, path));
    }
    remove(path);
}

static void test_run_failures(void **state) {
    (void)state;
    BenchOutput output;
    Status status = bench_output_run("/nonexistent/engine", NULL, 1, &output);
    assert_non_null(strstr(status.reason, "/nonexistent/engine"));
    status = bench_output_run("true", NULL, 1, &output);
    assert_non_null(strstr(status.reason, "N nodes M nps"));
}

static void test_ratio(void **state) {
    (void)state;
    double logs[3] = {log(1.1), log(1.2), log(1.3)};
    SpeedRatio ratio = bench_output_ratio(logs, 3);
    assert_true(fabs(ratio.ratio - cbrt(1.1 * 1.2 * 1.3)) < 1e-12);
    assert_true(ratio.error > 0.05 && ratio.error < 0.2);
    ratio = bench_output_ratio(logs, 1);
    assert_true(fabs(ratio.ratio - 1.1) < 1e-12 && isinf(ratio.error));
    ratio = bench_output_ratio(logs, 0);
    assert_true(ratio.pairs == 0 && isinf(ratio.error));
}

/* Endless output without a result is no bench. */
static void test_babble_ends(void **state) {
    (void)state;
    BenchOutput output;
    Status status = bench_output_run("yes", NULL, 0, &output);
    assert_non_null(strstr(status.reason, "lines that are no part of a bench"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_babble_ends),         cmocka_unit_test(test_lines),
        cmocka_unit_test(test_baseline_round_trip), cmocka_unit_test(test_baselines_refused),
        cmocka_unit_test(test_run_failures),        cmocka_unit_test(test_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
