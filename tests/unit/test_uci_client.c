/* The client side of UCI: handshake, search, and each kind of failure. */
#include "lab/client/uci_client.h"

#include "base/clock.h"
#include "shell_engine.h"
#include "test_support.h"

typedef struct Engine {
    EngineConfig config;
    UciClient *client;
} Engine;

static Status start(Engine *engine) {
    UciClientOptions options = {.config = &engine->config, .start_timeout = 20000, .stall_timeout = 300};
    return uci_client_start(&options, &engine->client);
}

/* An engine that does `on_go` when it is asked for a move. */
static Engine *new_engine(const char *on_go) {
    static Engine engine;
    shell_engine_set_up(&engine.config, "Test", "e2e4", on_go);
    engine.client = NULL;
    return &engine;
}

static Engine *started(const char *on_go) {
    Engine *engine = new_engine(on_go);
    assert_ok(start(engine));
    char detail[FAULT_DETAIL_CAPACITY];
    assert_int_equal(uci_client_new_game(engine->client, detail), FAULT_NONE);
    return engine;
}

static Fault search(Engine *engine, int64_t time_limit, SearchReport *report) {
    SearchRequest request = {
        .position = text_view("position startpos"), .go = text_view("go depth 1"), .time_limit = time_limit};
    return uci_client_search(engine->client, &request, report);
}

static void test_handshake(void **state) {
    (void)state;
    Engine *engine = started(SHELL_PLAY);
    assert_string_equal(uci_client_engine_name(engine->client), "Shell");
    assert_true(uci_option_exists(uci_client_options(engine->client), "hash"));
    assert_false(uci_option_exists(uci_client_options(engine->client), "Threads"));
    uci_client_stop(engine->client);
    uci_client_stop(NULL);
}

static void test_search(void **state) {
    (void)state;
    Engine *engine =
        started("echo info depth 1 score cp 1 pv d2d4; echo info depth 2 multipv 1 score cp 5 pv e2e4 e7e5; "
                "echo info depth 2 multipv 2 score cp 4 pv c2c4; "
                "echo info depth 3 score cp 90 lowerbound pv g1f3; echo info string hello; "
                "echo bestmove e2e4 ponder e7e5");
    SearchReport report;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(search(engine, 20000000, &report), FAULT_NONE);
        assert_string_equal(report.best_move, "e2e4");
        assert_true(report.has_info);
        assert_int_equal(report.info.depth, 2);
        assert_int_equal(report.info.score.value, 5);
        assert_string_equal(report.pv, "e2e4 e7e5");
        assert_true(report.wall > 0 && report.wall < 20000000);
        assert_string_equal(report.detail, "");
    }
    uci_client_stop(engine->client);
}

static void count_info(void *context, const UciInfo *info, int64_t elapsed) {
    assert_int_equal(info->score.value, 10);
    assert_true(elapsed >= 0);
    ++*(int *)context;
}

static void test_listener_and_analysis(void **state) {
    (void)state;
    int count = 0;
    Engine *engine = started(SHELL_PLAY);
    SearchReport report;
    SearchRequest request = {.position = text_view("position startpos"),
                             .go = text_view("go depth 1"),
                             .context = &count,
                             .info = count_info};
    assert_int_equal(uci_client_search(engine->client, &request, &report), FAULT_NONE);
    assert_int_equal(count, 1);
    uci_client_stop(engine->client);
    engine = started("echo info depth 1 score cp 0 pv $(echo $rest | tr ' ' -); echo bestmove e2e4");
    PlayLimits limits = {.depth = 4, .nodes = 77, .move_time = 1500000};
    assert_int_equal(uci_client_analyse(engine->client, FEN_START, &limits, NULL, NULL, &report), FAULT_NONE);
    assert_string_equal(report.pv, "depth-4-nodes-77-movetime-1500");
    uci_client_stop(engine->client);
}

static void expect_fault(const char *on_go, int64_t time_limit, Fault expected, const char *detail) {
    Engine *engine = started(on_go);
    SearchReport report;
    const Fault fault = search(engine, time_limit, &report);
    /* A late move may be excused on a loaded machine. */
    if (expected != FAULT_TIME || fault != FAULT_TIME_MACHINE) assert_int_equal(fault, expected);
    if (strstr(report.detail, detail) == NULL) fail_msg("'%s' without '%s'", report.detail, detail);
    if (fault_needs_restart(expected)) assert_ok(uci_client_restart(engine->client));
    char text[FAULT_DETAIL_CAPACITY];
    assert_int_equal(uci_client_new_game(engine->client, text), FAULT_NONE);
    uci_client_stop(engine->client);
}

static void test_options_without_end(void **state) {
    (void)state;
    Engine engine = {
        .config = {.command = "yes", .arguments = {"option name A type check"}, .argument_count = 1}};
    const Status status = start(&engine);
    assert_fails(status, "sent over 1048576 bytes of options; is it a UCI engine?");
    assert_null(engine.client);
}

static void test_faults(void **state) {
    (void)state;
    expect_fault("exit 5", 0, FAULT_CRASH, "exited with status 5");
    expect_fault("printf bestm; exit 0", 0, FAULT_CRASH, "exited with status 0");
    expect_fault("kill -9 $$", 0, FAULT_CRASH, "signal 9");
    expect_fault("exec >&-; sleep 60", 0, FAULT_DISCONNECT, "is still running");
    expect_fault("sleep 60", 0, FAULT_STALL, "no bestmove");
    expect_fault("sleep 60", 100000, FAULT_STALL, "not even on stop");
    expect_fault("read -r stop; echo bestmove e2e4", 0, FAULT_STALL, "silent for 0.3 s");
    expect_fault("read -r stop; echo bestmove e2e4", 100000, FAULT_TIME, "ms used of 100.0 ms");
    expect_fault("yes info depth 1 score cp 1", 0, FAULT_FLOOD, "lines for one answer");
    expect_fault("yes | tr -d '\\n'", 0, FAULT_FLOOD, "a line of more than");
}

/* A move is ten milliseconds late: whether the engine is at fault. */
static void test_excuses(void **state) {
    (void)state;
    static const struct {
        int64_t cpu, engine_delay, runner_delay, standstill, stolen;
        bool excused;
    } CASES[] = {
        {110, 0, 0, 0, 0, false},  /* it thought too long */
        {0, 0, 0, 0, 0, false},    /* it slept */
        {100, 10, 0, 0, 0, true},  /* waited for a processor */
        {101, 9, 0, 0, 0, false},  /* not long enough */
        {90, 4, 6, 0, 0, true},    /* two waited, one after the other */
        {110, 0, 0, 10, 0, true},  /* the machine stalled, which counted as work */
        {100, 9, 0, 9, 0, false},  /* the waiting is part of the stall */
        {100, 5, 0, 0, 50, true},  /* waited, and the hypervisor took the rest */
        {110, 0, 0, 0, 50, false}, /* the hypervisor took time from others; all of this was work */
        {105, 4, 0, 0, 50, false}, /* only one millisecond is unaccounted for */
        {50, 0, 0, 0, 1, true},    /* times are exact to a tick */
        {400, 0, 0, 0, 50, false}, /* several threads worked */
        {400, 10, 0, 0, 50, true}, /* one of them waited */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        SearchReport report = {.wall = 110 * 1000,
                               .cpu = CASES[i].cpu * 1000,
                               .engine_delay = CASES[i].engine_delay * 1000,
                               .runner_delay = CASES[i].runner_delay * 1000,
                               .standstill = CASES[i].standstill * 1000,
                               .stolen = CASES[i].stolen * 1000};
        if (search_report_excuses(&report, 100 * 1000) != CASES[i].excused)
            fail_msg("case %d of the excuses", (int)i);
    }
}

static Status start_broken(const char *command, const char *argument, const char *script, int64_t timeout) {
    static EngineConfig config;
    memset(&config, 0, sizeof config);
    text_copy(text_view("Broken"), config.name, sizeof config.name);
    text_copy(text_view(command), config.command, sizeof config.command);
    if (argument != NULL) {
        text_copy(text_view(argument), config.arguments[0], ENGINE_ARGUMENT_CAPACITY);
        text_copy(text_view(script), config.arguments[1], ENGINE_ARGUMENT_CAPACITY);
        config.argument_count = 2;
    }
    UciClient *client;
    Status status =
        uci_client_start(&(UciClientOptions){.config = &config, .start_timeout = timeout}, &client);
    assert_true((client == NULL) == !status_is_ok(&status));
    uci_client_stop(client);
    return status;
}

static void test_bad_starts(void **state) {
    (void)state;
    assert_fails(start_broken("/no/such/engine", NULL, NULL, 100),
                 "engine Broken (/no/such/engine): cannot start");
    assert_fails(start_broken("cat", NULL, NULL, 100), "no uciok within 0.1 s; is it a UCI engine?");
    assert_fails(start_broken("true", NULL, NULL, 600000), "is it a UCI engine?");
    assert_fails(start_broken("sh", "-c", "yes", 600000), "lines for one answer");
    assert_fails(start_broken("sh", "-c", "read -r x; echo uciok; exit 3", 600000), "exited with status 3");
    assert_fails(start_broken("sh", "-c", "read -r x; echo uciok; sleep 60", 2000), "no readyok within 2 s");
    assert_fails(start_broken("sh", "-c",
                              "read -r x; echo uciok; read -r x; echo info string error: no; echo readyok",
                              600000),
                 "error: no");
}

static void test_options(void **state) {
    (void)state;
    Engine *engine = new_engine(SHELL_PLAY);
    assert_ok(engine_config_set_option(&engine->config, "Hash", "5"));
    assert_ok(start(engine));
    uci_client_stop(engine->client);
    assert_ok(engine_config_set_option(&engine->config, "hash", "50"));
    assert_fails(start(engine), "engine Test (env): option hash is 50, but must be from 1 to 9");
    engine = new_engine(SHELL_PLAY);
    assert_ok(engine_config_set_option(&engine->config, "Nonsense", "5"));
    assert_fails(start(engine), "there is no option Nonsense");
}

/* An engine that stores the values it gets, refuses 7 and exits on 9. */
static void test_numbers(void **state) {
    (void)state;
    static Engine engine;
    memset(&engine, 0, sizeof engine);
    static const char *const WORDS[] = {
        "eval \"$0$1\"",
        "while read -r w _ n _ v; do case $w in uci) echo option name A type spin default 1 min 0 max 9; "
        "echo uciok;; setoption) s=$s-$n=$v; [ $v = 7 ] && echo info string error: seven; ",
        "[ $v = 9 ] && exit 9;; isready) echo readyok;; go) echo info depth 1 score cp 0 pv $s; echo "
        "bestmove "
        "e2e4;; esac; done"};
    text_copy(text_view("sh"), engine.config.command, sizeof engine.config.command);
    text_copy(text_view("-c"), engine.config.arguments[0], ENGINE_ARGUMENT_CAPACITY);
    for (int i = 0; i < 3; i++)
        text_copy(text_view(WORDS[i]), engine.config.arguments[i + 1], ENGINE_ARGUMENT_CAPACITY);
    engine.config.argument_count = 4;
    assert_ok(start(&engine));
    UciSpin spin;
    assert_true(uci_option_spin(uci_client_options(engine.client), "A", &spin));
    assert_int_equal(spin.high, 9);
    assert_false(uci_option_spin(uci_client_options(engine.client), "B", &spin));
    assert_ok(uci_client_set_numbers(engine.client, (UciNumber[]){{"A", 3}, {"B", -4}}, 2));
    SearchReport report;
    assert_int_equal(search(&engine, 0, &report), FAULT_NONE);
    assert_string_equal(report.pv, "-A=3-B=-4");
    assert_fails(uci_client_set_numbers(engine.client, (UciNumber[]){{"A", 7}}, 1), "error: seven");
    assert_fails(uci_client_set_numbers(engine.client, (UciNumber[]){{"A", 9}}, 1), "exited with status 9");
    assert_ok(uci_client_restart(engine.client));
    assert_ok(uci_client_set_numbers(engine.client, NULL, 0));
    uci_client_stop(engine.client);
}

static void test_faults_have_names(void **state) {
    (void)state;
    for (int a = 0; a < FAULT_COUNT; a++)
        for (int b = 0; b < a; b++) assert_string_not_equal(fault_name((Fault)a), fault_name((Fault)b));
}

/* An engine is not at fault for a command that was never sent. */
static void test_no_memory_for_a_command(void **state) {
    (void)state;
    Engine *engine = started(SHELL_PLAY);
    SearchReport report;
    SearchRequest request = {.position = {"position startpos", SIZE_MAX / 4}, .go = text_view("go depth 1")};
    assert_int_equal(uci_client_search(engine->client, &request, &report), FAULT_MEMORY);
    assert_false(fault_needs_restart(FAULT_MEMORY));
    request.position = text_view("position startpos");
    assert_int_equal(uci_client_search(engine->client, &request, &report), FAULT_NONE);
    uci_client_stop(engine->client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_memory_for_a_command),
        cmocka_unit_test(test_handshake),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_listener_and_analysis),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_options_without_end),
        cmocka_unit_test(test_excuses),
        cmocka_unit_test(test_bad_starts),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_faults_have_names),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
