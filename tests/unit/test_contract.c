/* The contract of include/luft.h: every call in every state answers as the table of contract.c says. */
#include "base/bits.h"
#include "base/clock.h"
#include "base/rng.h"
#include "base/sync.h"
#include "include/luft.h"
#include "library/contract.h"
#include "store/sqlite.h"
#include "test_support.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif

#define CALL(name, kind) #name,
static const char *const NAMES[] = {
#include "library/calls.def"
};

enum { QUESTION_NODES = 50 };

static const char *fault_unless(LuftEngine *engine, bool good) { return good ? NULL : luft_fault(engine); }

/* Makes a call, with wrong arguments where `wrong` (0: right ones) says so. */
static const char *make_call(LuftEngine *engine, Call call, unsigned wrong) {
    static const char *const OPTIONS[][2] = {{"MultiPV", "2"}, {"Hsah", "1"}, {NULL, NULL}, {"Hash", "-1"}};
    static const char *const FENS[] = {"", "8/8", "x", "4k3/8/8/8/8/8/8/8 w - - 0 1"};
    static const char *const MOVES[] = {"e2e4", NULL, "e2e9", "\xFF"};
    static const char *const LANGUAGES[] = {"en", NULL, "xx", ""};
    static const char *const TECHNIQUES[] = {"null_move", "null_mov", ",,x", "\xFF"};
    static const LuftLimits LIMITS[] = {
        {0}, {.depth = -1}, {.search_moves = "e2e5"}, {.nodes = 5, .moves_to_go = -1}};
    static const char *const EXPLAINED[] = {"", "e2e4", "Nf3", "e2e9"};
    static const uint64_t NODES[] = {QUESTION_NODES, 1, 7, QUESTION_NODES};
    const char *json = NULL, **to = wrong == 3 ? NULL : &json;
    int value;
    switch (call) {
    case CALL_set_option: return luft_set_option(engine, OPTIONS[wrong][0], OPTIONS[wrong][1]);
    case CALL_load_network: return luft_load_network(engine, wrong == 1 ? NULL : "x", wrong);
    case CALL_set_language: return luft_set_language(engine, LANGUAGES[wrong]);
    case CALL_set_position: return luft_set_position(engine, FENS[wrong], "");
    case CALL_make_move: return luft_make_move(engine, MOVES[wrong]);
    case CALL_take_back: return luft_take_back(engine);
    case CALL_new_game: return luft_new_game(engine);
    case CALL_go: return luft_go(engine, wrong == 3 ? NULL : &LIMITS[wrong]);
    case CALL_explain: return luft_explain(engine, EXPLAINED[wrong], NODES[wrong], to);
    case CALL_tree: return luft_tree(engine, wrong ? -1 : 1, NULL, 10, to);
    case CALL_without: return luft_without(engine, TECHNIQUES[wrong], NODES[wrong], 0, to);
    case CALL_fen: return fault_unless(engine, luft_fen(engine) != NULL);
    case CALL_legal_moves: return fault_unless(engine, luft_legal_moves(engine) != NULL);
    case CALL_san: return fault_unless(engine, luft_san(engine, MOVES[wrong]) != NULL);
    case CALL_move_from_san:
        return fault_unless(engine, luft_move_from_san(engine, wrong ? MOVES[wrong] : "e4") != NULL);
    case CALL_in_check: return fault_unless(engine, luft_in_check(engine) != LUFT_REFUSED);
    case CALL_game_end: return fault_unless(engine, luft_game_end(engine) != LUFT_REFUSED);
    case CALL_evaluate: return luft_evaluate(engine, wrong ? NULL : &value);
    case CALL_read: return luft_read(engine, wrong == 1 ? NULL : "1. e4 *", wrong ? 3 : 7, 0, to);
    case CALL_technique_summary: return fault_unless(engine, luft_technique_summary(engine, 0) != NULL);
    case CALL_slice: return fault_unless(engine, luft_slice(engine, 1, 100) != LUFT_REFUSED);
    case CALL_wait: return fault_unless(engine, luft_wait(engine) != NULL);
    case CALL_stop: luft_stop(engine); return NULL;
    case CALL_ponderhit: luft_ponderhit(engine); return NULL;
    case CALL_destroy: return luft_destroy(engine);
    default: fail(); return NULL;
    }
}

static bool is_refusal(const char *fault) {
    for (int kind = 0; fault != NULL && kind < CALL_KINDS; kind++)
        for (int activity = 0; activity < ACTIVITIES; activity++) {
            const char *answer = contract_answer((CallKind)kind, (Activity)activity);
            if (answer != NULL && strcmp(answer, fault) == 0) return true;
        }
    return false;
}

/* The calls that ended what a test has set up would spoil it. */
static bool ends_search(Call call) {
    return call == CALL_go || call == CALL_stop || call == CALL_wait || call == CALL_destroy ||
           call == CALL_ponderhit || call == CALL_slice;
}

/* Every call, apart from those that would end the state, with right and wrong arguments. */
static void check_calls(LuftEngine *engine, Activity activity) {
    for (int i = 0; i < CALLS; i++) {
        const Call call = (Call)i;
        const char *expected = contract_answer(contract_kind(call), activity);
        if (expected == NULL && ends_search(call)) continue;
        for (unsigned wrong = 0; wrong < 4; wrong++) {
            const char *fault = make_call(engine, call, wrong);
            if (contract_kind(call) == STEER) continue; /* returns nothing */
            if (expected == NULL ? is_refusal(fault) : fault == NULL || strcmp(fault, expected) != 0)
                fail_msg("luft_%s in state %d: %s", NAMES[i], activity, fault != NULL ? fault : "works");
        }
    }
}

static LuftEngine *new_engine(const LuftListener *listener) {
    char error[256];
    LuftEngine *engine = luft_create(listener, error, sizeof error);
    assert_non_null(engine);
    assert_null(luft_set_option(engine, "Hash", "1"));
    return engine;
}

static void a_closed_engine_refuses_all_but_a_second_end(void **state) {
    (void)state;
    check_calls(NULL, NOWHERE);
    assert_string_equal(luft_fault(NULL), "the engine is closed");
    assert_null(luft_destroy(NULL));
}

static void an_idle_engine_refuses_nothing(void **state) {
    (void)state;
    LuftEngine *engine = new_engine(NULL);
    check_calls(engine, IDLE);
    assert_non_null(luft_wait(engine));
    assert_int_equal(luft_slice(engine, 1, 0), LUFT_FINISHED);
    luft_stop(engine);
    luft_ponderhit(engine);
    assert_null(luft_destroy(engine));
}

static void a_search_answers_questions_and_refuses_changes(void **state) {
    (void)state;
    LuftEngine *engine = new_engine(NULL);
    assert_null(luft_go(engine, &(LuftLimits){0}));
    check_calls(engine, SEARCHING);
    assert_string_equal(luft_fen(engine), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    luft_stop(engine);
    assert_string_not_equal(luft_wait(engine), "");
    assert_null(luft_go(engine, &(LuftLimits){.in_slices = 1}));
    check_calls(engine, SLICING);
    assert_int_equal(luft_slice(engine, 0, 1000), LUFT_PAUSED);
    check_calls(engine, SLICING);
    luft_stop(engine);
    assert_int_equal(luft_slice(engine, 0, 0), LUFT_FINISHED);
    assert_null(luft_set_option(engine, "Hash", "2"));
    assert_null(luft_destroy(engine));
}

static void wait_for(void *engine) { luft_wait(engine); }

static void only_one_thread_waits(void **state) {
    (void)state;
    LuftEngine *engine = new_engine(NULL);
    Thread thread;
    assert_null(luft_go(engine, &(LuftLimits){0}));
    assert_ok(thread_start(&thread, wait_for, engine));
    const char *busy = contract_answer(SLICE, BUSY);
    while (luft_slice(engine, 1, 0) != LUFT_REFUSED || strcmp(luft_fault(engine), busy) != 0)
        clock_sleep_milliseconds(1);
    assert_null(luft_wait(engine));
    assert_string_equal(luft_fault(engine), busy);
    assert_string_equal(luft_destroy(engine), busy);
    assert_string_equal(luft_new_game(engine), "a search is running");
    assert_non_null(luft_fen(engine));
    luft_stop(engine);
    thread_join(&thread);
    assert_null(luft_destroy(engine));
}

/* A callback may be at a question when the program begins to wait, and the other way round. */
static void questions_and_waiting_do_not_mind_each_other(void **state) {
    (void)state;
    Contract contract;
    contract_init(&contract);
    const char *busy = contract_answer(QUESTION, BUSY);
    for (int i = 0; i < 2; i++) {
        const Call first = i ? CALL_wait : CALL_fen, second = i ? CALL_fen : CALL_wait;
        assert_null(contract_enter(&contract, first));
        assert_null(contract_enter(&contract, second));
        for (int call = 0; call < CALLS; call++)
            if (contract_kind((Call)call) != STEER)
                assert_string_equal(contract_enter(&contract, (Call)call), busy);
        contract_leave(&contract, first, NULL);
        assert_string_equal(contract_enter(&contract, CALL_new_game), busy);
        contract_leave(&contract, second, NULL);
    }
    assert_null(contract_enter(&contract, CALL_new_game));
    assert_string_equal(contract_enter(&contract, CALL_wait), busy);
    contract_leave(&contract, CALL_new_game, NULL);
    contract_destroy(&contract);
}

static void check_from_callback(void *context, const char *best, const char *ponder) {
    (void)best, (void)ponder;
    check_calls(*(LuftEngine **)context, REPORTS);
}

static void a_callback_may_ask_and_steer(void **state) {
    (void)state;
    LuftEngine *engine = NULL;
    const LuftListener listener = {.context = &engine, .best_move = check_from_callback};
    engine = new_engine(&listener);
    for (int in_slices = 0; in_slices < 2; in_slices++) {
        assert_null(luft_go(engine, &(LuftLimits){.depth = 1, .in_slices = in_slices}));
        assert_string_not_equal(luft_wait(engine), "");
    }
    assert_null(luft_destroy(engine));
}

static void a_child_process_has_no_engine(void **state) {
    (void)state;
#ifndef _WIN32
    LuftEngine *engine = new_engine(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const char *expected = contract_answer(CHANGE, FORKED), *fault = luft_go(engine, &(LuftLimits){0});
        _exit(fault == NULL || strcmp(fault, expected) != 0 || luft_wait(engine) != NULL ||
              strcmp(luft_fault(engine), expected) != 0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_null(luft_destroy(engine));
#endif
}

/* --- sequences --- */

enum { CALLS_OF_SEQUENCE = 20, SEQUENCES_OF_ENGINE = 200 }; /* to make an engine costs more than a sequence */

typedef struct Steering {
    LuftEngine *engine;
    atomic_bool is_over;
} Steering;

/* What a thread that does not own the engine may do. */
static void steer(void *context) {
    Steering *steering = context;
    for (int i = 0; !atomic_load(&steering->is_over); i++) {
        luft_stop(steering->engine);
        luft_ponderhit(steering->engine);
        clock_sleep_milliseconds(i % 5);
    }
}

static LuftLimits random_limits(Rng *rng) {
    static const int VALUES[] = {0, 0, 0, 0, 0, 0, 1, 2, 300, INT_MAX};
    int v[11];
    for (int i = 0; i < 11; i++) v[i] = VALUES[rng_below(rng, sizeof VALUES / sizeof VALUES[0])];
    return (LuftLimits){.depth = v[0],
                        .nodes = (uint64_t)v[1],
                        .move_time = v[2],
                        .white_clock = -v[3],
                        .black_clock = v[4],
                        .white_increment = v[5],
                        .black_increment = v[6],
                        .moves_to_go = v[7],
                        .mate = v[8],
                        .ponder = v[9],
                        .in_slices = (int)rng_below(rng, 2),
                        .search_moves = v[10] == 1 ? "a2a3 e2e4" : NULL};
}

static bool takes_memory(Call call) {
    return call == CALL_explain || call == CALL_tree || call == CALL_without || call == CALL_evaluate ||
           call == CALL_new_game;
}

/* Random calls, while another thread steers: a search may end at any moment, so that each call answers as in
 * the state that was begun, or as in an idle engine. A call may use a second of processor time. Returns
 * microseconds of the longest call, which a busy machine makes longer. */
static int64_t run_sequences(Rng *rng, int count) {
    Steering steering = {.engine = new_engine(NULL)};
    LuftEngine *engine = steering.engine;
    Thread thread;
    int64_t longest = 0;
    assert_ok(thread_start(&thread, steer, &steering));
    Activity activity = IDLE;
    for (int i = 0; i < count * CALLS_OF_SEQUENCE; i++) {
        Call call = (Call)rng_below(rng, CALL_destroy);
        if (takes_memory(call) && rng_below(rng, 16) > 0) call = CALL_go; /* slow with a sanitizer */
        const unsigned wrong = (unsigned)rng_below(rng, 8);
        const LuftLimits limits = random_limits(rng);
        const int64_t start = clock_microseconds();
        const clock_t used = clock();
        const char *fault = call == CALL_go && wrong >= 4 ? luft_go(engine, &limits)
                                                          : make_call(engine, call, wrong < 4 ? wrong : 0);
        const int64_t took = clock_microseconds() - start;
        if (took > longest) longest = took;
        if (clock() - used > CLOCKS_PER_SEC) fail_msg("luft_%s takes longer than a second", NAMES[call]);
        if (is_refusal(fault)) {
            const char *expected = contract_answer(contract_kind(call), activity);
            if (expected == NULL || strcmp(expected, fault) != 0) fail_msg("luft_%s: %s", NAMES[call], fault);
        }
        if (call == CALL_wait) activity = IDLE;
        if (call == CALL_go && fault == NULL) activity = wrong >= 4 && limits.in_slices ? SLICING : SEARCHING;
    }
    atomic_store(&steering.is_over, true);
    thread_join(&thread);
    assert_null(luft_destroy(engine));
    return longest;
}

/* LUFT_SEQUENCES of them, from LUFT_SEED; `make check` makes a share. */
static void sequences_of_calls_answer_as_the_table_says(void **state) {
    (void)state;
    const char *sequences = getenv("LUFT_SEQUENCES"), *seed = getenv("LUFT_SEED");
    const int count = sequences != NULL ? atoi(sequences) : 40;
    Rng rng = rng_seed(seed != NULL ? strtoull(seed, NULL, 10) : 17);
    int64_t longest = 0;
    for (int done = 0; done < count; done += SEQUENCES_OF_ENGINE) {
        const int64_t took = run_sequences(&rng, int_min(SEQUENCES_OF_ENGINE, count - done));
        if (took > longest) longest = took;
    }
    print_message("%d sequences, seed %s; the longest call took %lld ms\n", count, seed != NULL ? seed : "17",
                  (long long)longest / 1000);
}

/* --- what the calls do --- */

static void moves_are_made_and_taken_back(void **state) {
    (void)state;
    LuftEngine *engine = new_engine(NULL);
    assert_null(luft_set_position(engine, "", "  Nf3   g8f6 "));
    static const char *const BACK_AND_FORTH[] = {"f3g1", "Ng8", "Nf3", "g8f6", "f3g1", "f6g8"};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(luft_game_end(engine), LUFT_GOES_ON);
        assert_null(luft_make_move(engine, BACK_AND_FORTH[i]));
    }
    assert_int_equal(luft_game_end(engine), LUFT_REPETITION);
    assert_null(luft_take_back(engine));
    assert_int_equal(luft_game_end(engine), LUFT_GOES_ON);
    assert_non_null(strstr(luft_make_move(engine, "e2e4"), "e2e4"));
    for (int i = 0; i < 7; i++) assert_null(luft_take_back(engine));
    assert_string_equal(luft_fen(engine), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_non_null(strstr(luft_take_back(engine), "no move"));
    assert_null(luft_destroy(engine));
}

/* In each call that is given one: in UCI first, so that it never means another move. */
static void moves_are_read_in_uci_and_in_san(void **state) {
    (void)state;
    LuftEngine *engine = new_engine(NULL);
    const char *json = NULL;
    assert_null(luft_set_position(engine, "", "e2e4 e5 Nf3 b8c6 Bb5 a6 O-O"));
    assert_string_equal(luft_fen(engine),
                        "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4");
    const char *fault = luft_set_position(engine, "", "e4 e5 Ke3");
    assert_non_null(strstr(fault, "move 3"));
    assert_non_null(strstr(fault, "Ke3"));
    assert_non_null(strstr(luft_fen(engine), "/5N2/"));
    assert_string_equal(luft_san(engine, "axb5"), "axb5");
    assert_string_equal(luft_san(engine, "a6b5"), "axb5");
    assert_string_equal(luft_san(engine, " a6b5  b1a3 b5b4 "), "axb5 Na3 b4");
    assert_null(luft_san(engine, "a6b5 b1b3"));
    assert_non_null(strstr(luft_fault(engine), "move 2: "));
    assert_null(luft_san(engine, "0000"));
    assert_string_equal(luft_fault(engine), "a null move cannot be played");
    assert_null(luft_san(engine, " "));
    assert_null(luft_explain(engine, "axb5", QUESTION_NODES, &json));
    assert_null(luft_go(engine, &(LuftLimits){.depth = 2, .search_moves = "axb5"}));
    assert_string_equal(luft_wait(engine), "a6b5");
    assert_null(luft_take_back(engine));
    assert_non_null(strstr(luft_fen(engine), " w KQkq "));
    assert_null(luft_set_option(engine, "UCI_Chess960", "true"));
    assert_null(luft_set_position(engine, "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1f1"));
    assert_non_null(strstr(luft_fen(engine), "/5KR1 b"));
    assert_null(luft_destroy(engine));
}

/* What a program passes by mistake is named in the sentence. */
static void mistakes_are_named(void **state) {
    (void)state;
    LuftEngine *engine = new_engine(NULL);
    const char *json = "old";
    assert_non_null(strstr(luft_set_position(engine, "", "1. e4 e5"), "without numbers, not '1.'"));
    assert_string_equal(luft_make_move(engine, NULL), "a move is missing");
    assert_string_equal(luft_set_option(engine, NULL, "1"), "the name of the option is NULL");
    static const char *const FRACTIONS[] = {"16.9", "1e1", "1.", " 16", "+16"};
    for (size_t i = 0; i < sizeof FRACTIONS / sizeof FRACTIONS[0]; i++)
        assert_non_null(strstr(luft_set_option(engine, "hash", FRACTIONS[i]), "needs a whole number"));
    assert_null(luft_set_option(engine, "Hash", "2"));
    assert_non_null(luft_explain(engine, "zz", 1, &json));
    assert_null(json);
    assert_null(luft_destroy(engine));
}

static void move_from_san_reads_san_alone(void **state) {
    (void)state;
    static const char *const UCI[] = {"e2e4", "e2-e4", "E2E4", "g1f3", "e1g1", "e7e8q"};
    LuftEngine *engine = new_engine(NULL);
    assert_null(luft_set_position(engine, "4k3/4P3/8/1N3N2/8/8/8/4K2R w K - 0 1", NULL));
    for (size_t i = 0; i < sizeof UCI / sizeof UCI[0]; i++) {
        assert_null(luft_move_from_san(engine, UCI[i]));
        assert_non_null(strstr(luft_fault(engine), "it needs SAN"));
    }
    assert_string_equal(luft_move_from_san(engine, " O-O "), "e1g1");
    assert_string_equal(luft_move_from_san(engine, "Nf5-g7+"), "f5g7");
    assert_null(luft_move_from_san(engine, "Nd4"));
    assert_string_equal(luft_fault(engine), "ambiguous move 'Nd4'; legal moves: Nbd4, Nfd4");
    assert_null(luft_move_from_san(engine, NULL));
    assert_string_equal(luft_fault(engine), "a move is missing");
    assert_null(luft_set_position(engine, "4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", NULL));
    assert_string_equal(luft_move_from_san(engine, "B2c3"), "b2c3");
    assert_null(luft_destroy(engine));
}

static const char *fault_of_search(LuftEngine *engine, const LuftLimits *limits) {
    assert_null(luft_go(engine, limits));
    assert_string_not_equal(luft_wait(engine), "");
    return luft_fault(engine);
}

static bool has_sqlite(void) {
    Sqlite sqlite;
    const Status status = sqlite_load(&sqlite);
    sqlite_unload(&sqlite);
    return status_is_ok(&status);
}

static void assert_refused(LuftEngine *engine, const char *option, const char *value, const char *reason) {
    const char *fault = luft_set_option(engine, option, value);
    assert_non_null(fault);
    assert_non_null(strstr(fault, reason));
    assert_ptr_equal(strstr(fault, "option Store"), fault);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void a_wrong_store_is_refused(void **state) {
    (void)state;
    if (!has_sqlite()) skip();
    LuftEngine *engine = new_engine(NULL);
    char path[64], missing[80];
    snprintf(path, sizeof path, "/tmp/luft-contract-%ld", (long)getpid());
    snprintf(missing, sizeof missing, "%s.none/a.store", path);
    write_text(path, "no store");
    for (int i = 0; i < 2; i++) { /* with StoreMode off and write */
        assert_refused(engine, "StoreFile", "/tmp", "'/tmp' is a folder");
        assert_refused(engine, "StoreFile", missing, "there is no folder");
        assert_refused(engine, "StoreFile", "/tmp/", "is a folder");
        assert_refused(engine, "storefile", path, "it is no SQLite file");
        assert_null(luft_set_option(engine, "StoreFile", "<empty>"));
        assert_null(luft_set_option(engine, "StoreMode", "write"));
    }
    assert_null(luft_set_option(engine, "StoreMode", "off"));
    remove(path);
    assert_null(luft_set_option(engine, "StoreFile", path));
    assert_refused(engine, "StoreMode", "read", path); /* it does not exist */
    assert_null(fopen(path, "rb"));
    assert_null(luft_set_option(engine, "StoreMode", "write"));
    assert_null(luft_set_option(engine, "StoreMode", "read"));
    assert_refused(engine, "StoreFile", "/tmp/no.store", "there is no file");
    assert_null(luft_destroy(engine));
    assert_int_equal(remove(path), 0);
}

static void a_store_that_cannot_be_used_is_reported(void **state) {
    (void)state;
    if (!has_sqlite()) skip();
    LuftEngine *engine = new_engine(NULL);
    const LuftLimits limits = {.depth = 3}, slices = {.depth = 3, .in_slices = 1},
                     clock = {.white_clock = 10};
    char path[64];
    snprintf(path, sizeof path, "/tmp/luft-contract-%ld", (long)getpid());
    assert_null(luft_set_option(engine, "StoreFile", path));
    assert_null(fault_of_search(engine, &limits)); /* StoreMode is off */
    assert_null(luft_set_option(engine, "StoreMode", "write"));
    write_text(path, "no store any more");
    for (int i = 0; i < 3; i++) assert_non_null(strstr(fault_of_search(engine, &limits), "store"));
    assert_null(fault_of_search(engine, &slices));
    assert_null(fault_of_search(engine, &clock));
    assert_non_null(strstr(fault_of_search(engine, &limits), "store"));
    assert_non_null(luft_go(engine, &(LuftLimits){.search_moves = "e2e5"}));
    assert_string_equal(luft_wait(engine), "");
    assert_null(luft_fault(engine));
    assert_null(luft_set_option(engine, "StoreMode", "off"));
    assert_null(fault_of_search(engine, &limits));
    assert_null(luft_destroy(engine));
    assert_int_equal(remove(path), 0);
}

static void a_fen_is_read_as_far_as_it_goes(void **state) {
    (void)state;
    static const char *const FENS[][2] = {
        {"4k3/8/8/8/8/8/8/4K2R w KZ x9 1.5 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
        {"4k3/8/8/8/8/8/8/4K2R w K - -1 -1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
        {"4k3/8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"}};
    LuftEngine *engine = new_engine(NULL);
    for (size_t i = 0; i < sizeof FENS / sizeof FENS[0]; i++) {
        assert_null(luft_set_position(engine, FENS[i][0], NULL));
        assert_string_equal(luft_fen(engine), FENS[i][1]);
    }
    assert_null(luft_destroy(engine));
}

static void the_end_of_a_game_has_a_name(void **state) {
    (void)state;
    LuftEngine *engine = new_engine(NULL);
    static const struct {
        const char *fen;
        int end, check;
    } cases[] = {{"", LUFT_GOES_ON, 0},
                 {"4k3/4R3/8/8/8/8/8/4K3 b - - 0 1", LUFT_GOES_ON, 1},
                 {"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", LUFT_CHECKMATE, 1},
                 {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", LUFT_STALEMATE, 0},
                 {"4k3/8/8/8/8/8/8/R3K3 w - - 100 80", LUFT_FIFTY_MOVES, 0},
                 {"4k3/8/8/8/8/8/8/N3K3 w - - 0 1", LUFT_DEAD_POSITION, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_null(luft_set_position(engine, cases[i].fen, ""));
        assert_int_equal(luft_game_end(engine), cases[i].end);
        assert_int_equal(luft_in_check(engine), cases[i].check);
    }
    assert_null(luft_destroy(engine));
}

static void root_moves_limit_the_search(void **state) {
    (void)state;
    LuftEngine *engine = new_engine(NULL);
    assert_null(luft_go(engine, &(LuftLimits){.depth = 3, .search_moves = " a2a3  h2h4 a2a3"}));
    const char *best = luft_wait(engine);
    assert_true(strcmp(best, "a2a3") == 0 || strcmp(best, "h2h4") == 0);
    const char *fault = luft_go(engine, &(LuftLimits){.depth = 3, .search_moves = "a2a3 e2e5"});
    assert_non_null(strstr(fault, "search_moves"));
    assert_non_null(strstr(fault, "e2e5"));
    assert_string_equal(luft_wait(engine), "");
    assert_null(luft_destroy(engine));
}

/* A share of few nodes is not a search without a limit. */
static void the_fewest_nodes_are_enough(void **state) {
    (void)state;
    LuftEngine *engine = new_engine(NULL);
    const char *json = NULL;
    assert_null(luft_set_position(engine, NULL, "e2e4 e7e5"));
    for (uint64_t nodes = 1; nodes <= 100; nodes *= 10) {
        assert_null(luft_explain(engine, "Ke2", nodes, &json));
        assert_null(luft_explain(engine, "", nodes, &json));
        assert_null(luft_without(engine, "null_move", nodes, 0, &json));
    }
    assert_non_null(strstr(luft_without(engine, "null_move", 50, -1, &json), "depth"));
    assert_non_null(strstr(luft_read(engine, "1. e4 *", 7, -1, &json), "most"));
    assert_null(luft_destroy(engine));
}

static void options_are_described(void **state) {
    (void)state;
    LuftOption option;
    int count = 0, known = 0;
    for (; luft_option(count, &option); count++) {
        assert_true(option.name[0] != '\0' && option.help != NULL && option.standard != NULL);
        assert_true((option.choices != NULL) == (option.type == LUFT_CHOICE));
        if (strcmp(option.name, "Hash") == 0) {
            known++;
            assert_int_equal(option.type, LUFT_NUMBER);
            assert_true(option.low == 1 && option.high > 1000 && strcmp(option.standard, "16") == 0);
        }
        known += strcmp(option.name, "Ponder") == 0 && option.type == LUFT_FLAG;
        known += strcmp(option.name, "EvalFile") == 0 && option.type == LUFT_TEXT;
        known += strcmp(option.name, "Clear Hash") == 0 && option.type == LUFT_BUTTON;
        if (strcmp(option.name, "StoreMode") == 0) {
            known++;
            assert_string_equal(option.choices[0], "off");
            assert_string_equal(option.choices[2], "write");
            assert_null(option.choices[3]);
        }
    }
    assert_int_equal(known, 5);
    assert_false(luft_option(-1, &option) || luft_option(count, &option) || luft_option(0, NULL));
}

static void a_verdict_has_what_was_expected_before_and_after(void **state) {
    (void)state;
    const LuftInfo won = {.win = 900, .draw = 100}, level = {.draw = 1000}, mated = {.is_mate = 1};
    LuftVerdict verdict;
    luft_judge(&won, NULL, &level, 0, &verdict);
    assert_true(fabs(verdict.before - 0.95) < 1e-9 && fabs(verdict.after - 0.5) < 1e-9);
    assert_true(fabs(verdict.before - verdict.after - verdict.loss) < 1e-9);
    luft_judge(&won, NULL, &mated, 0, &verdict);
    assert_true(verdict.after == 1 && verdict.loss == 0);
}

static void what_is_missing_is_not_read(void **state) {
    (void)state;
    const LuftInfo line = {.draw = 1000};
    LuftVerdict verdict = {.nag = 5};
    luft_judge(&line, NULL, NULL, 0, &verdict);
    assert_true(verdict.nag == 0 && verdict.loss == 0 && verdict.accuracy == 0);
    luft_judge(NULL, &line, &line, 0, &verdict);
    luft_judge(&line, NULL, &line, 0, NULL);
    luft_destroy(luft_create(NULL, NULL, 0));
    assert_false(luft_provide_network(NULL, 0, NULL, 0));
    assert_true(luft_accuracy(NULL, 3) == 100);
    assert_false(luft_bench(1, NULL));
}

static void versions_are_numbers(void **state) {
    (void)state;
    char number[16];
    snprintf(number, sizeof number, "%d.%d", luft_version_number() / 10000,
             luft_version_number() / 100 % 100);
    assert_memory_equal(luft_version(), number, strlen(number));
    assert_int_equal(luft_version_number(), LUFT_VERSION);
    assert_int_equal(luft_abi(), LUFT_ABI);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_engine_refuses_all_but_a_second_end),
        cmocka_unit_test(an_idle_engine_refuses_nothing),
        cmocka_unit_test(a_search_answers_questions_and_refuses_changes),
        cmocka_unit_test(only_one_thread_waits),
        cmocka_unit_test(questions_and_waiting_do_not_mind_each_other),
        cmocka_unit_test(a_callback_may_ask_and_steer),
        cmocka_unit_test(a_child_process_has_no_engine),
        cmocka_unit_test(sequences_of_calls_answer_as_the_table_says),
        cmocka_unit_test(moves_are_made_and_taken_back),
        cmocka_unit_test(moves_are_read_in_uci_and_in_san),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(move_from_san_reads_san_alone),
        cmocka_unit_test(a_wrong_store_is_refused),
        cmocka_unit_test(a_store_that_cannot_be_used_is_reported),
        cmocka_unit_test(a_fen_is_read_as_far_as_it_goes),
        cmocka_unit_test(the_end_of_a_game_has_a_name),
        cmocka_unit_test(root_moves_limit_the_search),
        cmocka_unit_test(the_fewest_nodes_are_enough),
        cmocka_unit_test(options_are_described),
        cmocka_unit_test(a_verdict_has_what_was_expected_before_and_after),
        cmocka_unit_test(what_is_missing_is_not_read),
        cmocka_unit_test(versions_are_numbers),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
