/* The words after -engine and -each, and the identity of a program: a hash of its file. */
#include "lab/client/engine_config.h"

#include "base/file.h"
#include "test_support.h"

#include <sys/stat.h>
#include <unistd.h>

static Status clock_of(const char *text, PlayLimits *limits) {
    *limits = (PlayLimits){0};
    return play_limits_parse_clock(limits, text_view(text));
}

static void expect_clock(const char *text, int64_t base, int64_t increment, int moves) {
    PlayLimits limits;
    assert_ok(clock_of(text, &limits));
    assert_true(limits.has_clock);
    assert_int_equal(limits.base, base);
    assert_int_equal(limits.increment, increment);
    assert_int_equal(limits.moves, moves);
}

static void test_clocks(void **state) {
    (void)state;
    expect_clock("8+0.08", 8000000, 80000, 0);
    expect_clock("0.5", 500000, 0, 0);
    expect_clock("40/60", 60000000, 0, 40);
    expect_clock("40/1:30.5+2", 90500000, 2000000, 40);
    expect_clock("0+1", 0, 1000000, 0);
    PlayLimits limits;
    assert_ok(clock_of("inf", &limits));
    assert_false(limits.has_clock);
    const char *bad[] = {"",   "x",   "8+",  "+1",       "/5", "0/5",  "40/",
                         "-1", "1:x", "x:1", "8+0.08+1", "0",  "1e99", "nan"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(clock_of(bad[i], &limits), "no time control");
}

static void expect_description(PlayLimits limits, const char *expected) {
    char text[80];
    play_limits_describe(&limits, text, sizeof text);
    assert_string_equal(text, expected);
}

static void test_descriptions(void **state) {
    (void)state;
    expect_description((PlayLimits){.has_clock = true, .base = 8000000, .increment = 80000}, "8+0.08");
    expect_description((PlayLimits){.has_clock = true, .base = 60000000, .moves = 40}, "40/60");
    expect_description((PlayLimits){.move_time = 100000}, "0.1/move");
    expect_description((PlayLimits){.nodes = 5000, .depth = 9}, "nodes=5000 depth=9");
}

typedef struct Engines {
    EngineList list;
} Engines;

#define FIELD_STRUCT Engines
static const Field FIELDS[] = {{ENGINE_FIELD("engine", list, "")}, {ENGINE_EACH_FIELD(list, "")}, {0}};

/* Reads a command line of words separated by spaces. */
static Status read_line(EngineList *list, const char *line) {
    static char words[32][128];
    char *argv[33] = {words[0]};
    int argc = 1;
    bool help;
    TextView rest = text_view(line), word;
    while (!text_is_empty(word = text_next_word(&rest))) {
        text_copy(word, words[argc - 1], sizeof words[0]);
        argv[argc] = words[argc - 1];
        argc++;
    }
    *list = (EngineList){0};
    Status status = fields_read_arguments(FIELDS, list, argc, argv, &help);
    if (!status_is_ok(&status)) return status;
    return engine_list_finish(list);
}

static void test_each(void **state) {
    (void)state;
    EngineList list;
    assert_ok(read_line(&list,
                        "-engine cmd=dir/luft option.Hash=1 --engine cmd=luft tc=5+1 timemargin=7 args=a "
                        "-each tc=8+0.08 option.hash=16 option.Threads=2 restart=on arg=x arg=y "
                        "-engine cmd=old name=Old st=0.1 -engine cmd=luft tc=inf depth=3 restart=off"));
    assert_int_equal(list.count, 4);
    const EngineConfig *engine = list.engines;
    assert_string_equal(engine[0].name, "luft");
    assert_string_equal(engine[1].name, "luft-2");
    assert_string_equal(engine[2].name, "Old");
    assert_string_equal(engine_config_option(&engine[0], "HASH"), "1");
    assert_string_equal(engine_config_option(&engine[1], "Hash"), "16");
    assert_string_equal(engine_config_option(&engine[0], "Threads"), "2");
    assert_null(engine_config_option(&engine[0], "Ponder"));
    assert_int_equal(engine[0].option_count, 2);
    assert_int_equal(engine[0].limits.base, 8000000);
    assert_int_equal(engine[0].limits.margin, 0);
    assert_int_equal(engine[1].limits.base, 5000000);
    assert_int_equal(engine[1].limits.margin, 7000);
    assert_int_equal(engine[1].argument_count, 1);
    assert_int_equal(engine[0].argument_count, 2);
    assert_string_equal(engine[0].arguments[1], "y");
    /* the engine's own limit replaces the common clock */
    assert_false(engine[2].limits.has_clock);
    assert_int_equal(engine[2].limits.move_time, 100000);
    assert_int_equal(engine[2].limits.margin, 50000);
    assert_true(engine[2].restart);
    assert_false(engine[3].restart);
    assert_false(engine[3].limits.has_clock);
    assert_int_equal(engine[3].limits.depth, 3);
    engine_list_release(&list);
}

static void expect_refusal(const char *line, const char *reason) {
    EngineList list;
    assert_fails(read_line(&list, line), reason);
    engine_list_release(&list);
}

static void test_refusals(void **state) {
    (void)state;
    expect_refusal("-engine name=x -each depth=1", "engine 1 has no command");
    expect_refusal("-engine cmd=x", "has no limit");
    expect_refusal("-engine cmd=x tc=inf -each tc=1+1", "has no limit");
    expect_refusal("-engine cmd=x nodes=inf -each nodes=100", "has no limit");
    expect_refusal("-engine cmd=x nodes=0 -each tc=1+1", "has no limit");
    expect_refusal("-engine cmd=x tc=1 st=1", "both tc= and st=");
    expect_refusal("-engine cmd=x depth=0", "depth cannot be '0'");
    expect_refusal("-engine cmd=x nodes=-5", "nodes");
    expect_refusal("-engine cmd=x nodes=1.5", "nodes cannot be '1.5'");
    expect_refusal("-engine cmd=x cmd=y nodes=1", "each engine has an -engine of its own");
    expect_refusal("-engine cmd=x st=0", "st");
    expect_refusal("-engine cmd=x timemargin=a", "timemargin");
    expect_refusal("-engine cmd", "--engine needs cmd=PROGRAM");
    expect_refusal("-engine proto=xboard", "proto=uci");
    expect_refusal("-engine option.=5", "needs a name");
    expect_refusal("-engine restart=maybe", "restart");
    expect_refusal("-each colour=red", "-each: no engine setting is called 'colour'");
    expect_refusal(
        "-engine args=1 args=2 arg=3 arg=4 arg=5 arg=6 arg=7 arg=8 arg=9 arg=10 arg=11 arg=12 arg=13 arg=14 "
        "arg=15 arg=16 arg=17",
        "more than 16 arguments");
}

static void expect_go(PlayLimits limits, const char *expected) {
    char go[64];
    assert_int_equal(play_limits_write_go(&limits, go, sizeof go), strlen(expected));
    assert_string_equal(go, expected);
}

static void test_limits_of_a_go_line(void **state) {
    (void)state;
    expect_go((PlayLimits){0}, "");
    expect_go((PlayLimits){.depth = 9, .nodes = 1000, .move_time = 250000},
              " depth 9 nodes 1000 movetime 250");
    expect_go((PlayLimits){.move_time = 10}, " movetime 1"); /* 0 would mean no limit */
}

/* --- identity --- */

/* What `append` appends for an engine: the line of its program, or those of its networks. */
static const char *identity(const char *command, const char *folder, const char *option) {
    static EngineConfig config;
    static TextBuffer out;
    config = (EngineConfig){0};
    buffer_clear(&out);
    text_copy(text_view(command), config.command, sizeof config.command);
    text_copy(text_view(folder), config.folder, sizeof config.folder);
    if (option != NULL) {
        assert_ok(engine_config_read_option(&config, option));
        identity_append_networks(&config, &out);
    } else {
        identity_append_program(&config, &out);
    }
    assert_false(out.failed);
    return buffer_string(&out);
}

static void expect_identity(const char *command, const char *folder, const char *option, const char *content,
                            const char *path) {
    char expected[200];
    text_format(expected, sizeof expected, "content %s: %s\n", content, path);
    assert_string_equal(identity(command, folder, option), expected);
}

static void test_a_program_is_its_content(void **state) {
    (void)state;
    char path[64], name[64], inside[80];
    text_format(name, sizeof name, "./luft-identity-%d", (int)getpid());
    text_format(path, sizeof path, "/tmp/%s", name + 2);
    text_format(inside, sizeof inside, "/tmp/%s", name);
    assert_ok(file_write(path, "#!/bin/sh\n", 10));
    expect_identity(path, "", NULL, "2b26cf13f555773b, 10 bytes", path);
    expect_identity(name, "/tmp", NULL, "2b26cf13f555773b, 10 bytes", inside); /* relative to its folder */
    assert_ok(file_write(path, "#!/bin/ss\n", 10));
    assert_null(strstr(identity(path, "", NULL), "2b26cf13f555773b"));
    unlink(path);
    expect_identity(path, "", NULL, "unknown", path);
}

static void test_a_name_is_looked_up(void **state) {
    (void)state;
    assert_non_null(strstr(identity("sh", "", NULL), "/sh\n"));
    assert_string_equal(identity("no-such-program-at-all", "", NULL), "not found: no-such-program-at-all\n");
}

static void test_a_network_is_its_content(void **state) {
    (void)state;
    char path[64], named[80], inside[80];
    text_format(path, sizeof path, "/tmp/luft-identity-%d.nnue", (int)getpid());
    text_format(named, sizeof named, "evalfile=%s", path);
    text_format(inside, sizeof inside, "EvalFile=%s", path + 5); /* the engine starts in its folder */
    assert_ok(file_write(path, "weights", 7));
    expect_identity("", "", named, "b1494b6ef08a411e, 7 bytes", path);
    expect_identity("", "/tmp", inside, "b1494b6ef08a411e, 7 bytes", path);
    text_format(inside, sizeof inside, "Debug Log File=%s", path);
    assert_string_equal(identity("", "", inside), ""); /* the engine may write this file */
    unlink(path);
    assert_string_equal(identity("", "", named), "");
    assert_string_equal(identity("", "", "EvalFile=/tmp"), "");
    assert_string_equal(identity("", "", "EvalFile=<default>"), "");
}

static void test_two_names_for_one_engine(void **state) {
    (void)state;
    static const struct {
        const char *word; /* of the second engine; the first has the same command and Hash=4 */
        bool same;
    } CASES[] = {{"name=other", true}, {"option.hash=4", true},  {"option.Hash=8", false}, {"arg=x", false},
                 {"nodes=10", false},  {"option.Skip=1", false}, {"cmd=/bin/ls", false}};
    static EngineConfig a, b;
    assert_ok(engine_config_apply(&a, text_view("cmd=/bin/sh")));
    assert_ok(engine_config_apply(&a, text_view("option.Hash=4")));
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        b = a;
        assert_ok(engine_config_apply(&b, text_view(CASES[i].word)));
        assert_int_equal(identity_is_same(&a, &b), CASES[i].same);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clocks),
                                       cmocka_unit_test(test_descriptions),
                                       cmocka_unit_test(test_each),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_limits_of_a_go_line),
                                       cmocka_unit_test(test_a_program_is_its_content),
                                       cmocka_unit_test(test_a_name_is_looked_up),
                                       cmocka_unit_test(test_a_network_is_its_content),
                                       cmocka_unit_test(test_two_names_for_one_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
