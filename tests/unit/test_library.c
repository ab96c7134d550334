/* The public library: explanations of moves. (`make check-lib` tests the rest.) */
#include "base/clock.h"
#include "base/sync.h"
#include "include/luft.h"
#include "test_support.h"

#include <stdlib.h>

static const char FORKED[] = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17";

static LuftEngine *engine_at(const char *fen) {
    char error[256];
    LuftEngine *engine = luft_create(NULL, error, sizeof error);
    assert_non_null(engine);
    assert_null(luft_set_position(engine, fen, ""));
    return engine;
}

static void a_move_is_explained_as_json(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    static const char *const MOVES[] = {"d2d4", "Qd4"};
    for (int i = 0; i < 2; i++) {
        const char *json = NULL;
        assert_null(luft_explain(engine, MOVES[i], 50000, &json));
        assert_non_null(strstr(json, "\"reason\":\"loses material\""));
        assert_non_null(strstr(json, "\"kind\":\"fork\""));
        assert_non_null(strstr(json, "\"words\":[\"Qd4 loses the queen"));
        assert_null(strchr(json, '\n'));
    }
    assert_string_equal(luft_fen(engine), FORKED);
    luft_destroy(engine);
}

static void without_a_move_the_position_is_explained(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    static const char *const NOTHING[] = {NULL, ""};
    for (int i = 0; i < 2; i++) {
        const char *json = NULL;
        assert_null(luft_explain(engine, NOTHING[i], 20000, &json));
        assert_non_null(strstr(json, "\"threat\":{"));
        assert_non_null(strstr(json, "Black threatens 17... Nf3+"));
        assert_non_null(strstr(json, "\"pieces\":["));
    }
    assert_null(luft_set_position(engine, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""));
    const char *json = NULL;
    assert_non_null(strstr(luft_explain(engine, "", 0, &json), "game is over"));
    luft_destroy(engine);
}

static void an_explanation_does_not_change_later_searches(void **state) {
    (void)state;
    char best[2][8];
    for (int i = 0; i < 2; i++) {
        LuftEngine *engine = engine_at(FORKED);
        const LuftLimits limits = {.nodes = 20000};
        const char *json;
        if (i == 1) assert_null(luft_explain(engine, "Qd4", 20000, &json));
        luft_go(engine, &limits);
        text_copy(text_view(luft_wait(engine)), best[i], sizeof best[i]);
        luft_destroy(engine);
    }
    assert_string_equal(best[0], best[1]);
}

static void an_illegal_move_is_refused_with_a_reason(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    const char *json = "as before";
    const char *fault = luft_explain(engine, "Qd9", 0, &json);
    assert_non_null(fault);
    assert_non_null(strstr(fault, "Qd9"));
    assert_null(json); /* no text of a call before */
    luft_destroy(engine);
}

static int count_of(const char *text, const char *word) {
    int count = 0;
    for (; (text = strstr(text, word)) != NULL; text++) count++;
    return count;
}

static void a_tree_is_reported_as_json(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    const char *json = NULL;
    assert_null(luft_tree(engine, 4, NULL, 0, &json));
    assert_int_equal(count_of(json, "\"root\""), 1);
    assert_null(strstr(json, "\"folded\""));
    assert_non_null(strstr(json, "\"skipped_by\":\"futility\""));
    const int all = count_of(json, "\"purpose\"");
    assert_null(luft_tree(engine, 4, "null_move, futility", 40, &json));
    assert_int_equal(count_of(json, "\"root\""), 2);
    assert_non_null(strstr(json, "{\"without\":[\"null_move\",\"futility\"]"));
    assert_null(strstr(strstr(json, "{\"without\":[\"null"), "skipped_by\":\"futility"));
    assert_true(count_of(json, "\"purpose\"") < all && count_of(json, "\"folded\"") > 0);
    luft_destroy(engine);
}

static void an_impossible_tree_is_refused(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    const char *json = NULL;
    assert_non_null(strstr(luft_tree(engine, 4, "nul_move", 0, &json), "did you mean null_move?"));
    assert_non_null(strstr(luft_tree(engine, 0, NULL, 0, &json), "depth"));
    assert_null(luft_set_position(engine, "7k/8/8/8/8/8/5qr1/7K w - - 0 1", ""));
    assert_non_null(strstr(luft_tree(engine, 4, NULL, 0, &json), "game is over"));
    assert_null(json);
    luft_destroy(engine);
}

static uint64_t nodes_without(const char *techniques, int depth, const char *best) {
    LuftEngine *engine = engine_at(FORKED);
    const char *json = NULL;
    assert_null(luft_without(engine, techniques, 0, depth, &json));
    const char *nodes = strstr(json, "\"nodes\":"), *line = strstr(json, "\"pv\":[{\"uci\":");
    assert_non_null(nodes);
    assert_non_null(line);
    if (best != NULL) assert_memory_equal(line + strlen("\"pv\":[{\"uci\":\""), best, strlen(best));
    const uint64_t count = strtoull(nodes + strlen("\"nodes\":"), NULL, 10);
    luft_destroy(engine);
    return count;
}

static void a_search_without_techniques_takes_other_nodes(void **state) {
    (void)state;
    const uint64_t all = nodes_without("", 9, "d2e3");
    const uint64_t one = nodes_without("late_move_reductions", 9, NULL);
    const uint64_t two = nodes_without(" late_move_reductions  null_move ", 9, NULL);
    assert_true(all > 0 && one > all);
    assert_true(two != one && two > all);
}

static void an_unknown_technique_is_refused_with_a_reason(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    const char *json = "as before";
    assert_non_null(strstr(luft_without(engine, "null_mov", 100, 0, &json), "did you mean null_move?"));
    assert_non_null(strstr(luft_without(engine, "time_stability", 100, 0, &json), "of the clock"));
    assert_non_null(strstr(luft_without(engine, "", 0, 0, &json), "nodes or depth must be above 0"));
    assert_null(luft_set_position(engine, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", ""));
    assert_non_null(strstr(luft_without(engine, "", 100, 0, &json), "game is over"));
    assert_null(json); /* no text of a call before */
    luft_destroy(engine);
}

static void all_techniques_have_a_name(void **state) {
    (void)state;
    const char *summary = NULL;
    int count = 0;
    for (const char *name; (name = luft_technique(count, &summary)) != NULL; count++)
        assert_true(strlen(name) > 3 && strlen(summary) > 10);
    assert_true(count > 30);
    assert_null(luft_technique(-1, &summary));
}

static void explanations_are_in_the_language_of_the_engine(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    const char *json = NULL;
    assert_non_null(strstr(luft_technique_summary(engine, 0), "search the root"));
    assert_null(luft_technique_summary(engine, 1000));
    assert_string_equal(luft_set_language(engine, "xx"), "there is no language 'xx', only en de");
    assert_null(luft_set_language(engine, "de"));
    assert_non_null(strstr(luft_technique_summary(engine, 0), "die Wurzel"));
    assert_null(luft_explain(engine, "Qd4", 5000, &json));
    assert_non_null(strstr(json, "ist eine Gabel"));
    luft_destroy(engine);
}

static void a_limit_below_zero_starts_no_search(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    const struct {
        LuftLimits limits;
        const char *name;
    } cases[] = {{{.depth = -1}, "depth"},
                 {{.move_time = -1}, "move_time"},
                 {{.white_increment = -1}, "white"},
                 {{.depth = 1, .mate = -2}, "mate"},
                 {{.moves_to_go = -9}, "moves_to_go"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_non_null(strstr(luft_go(engine, &cases[i].limits), cases[i].name));
    assert_string_equal(luft_wait(engine), "");
    assert_null(luft_go(engine, &(LuftLimits){.white_clock = INT64_MIN}));
    assert_int_not_equal(strlen(luft_wait(engine)), 0);
    /* The clock of the side to move has run out, whatever the other one has. */
    assert_null(luft_go(engine, &(LuftLimits){.black_clock = INT64_MAX / 1000000}));
    assert_int_not_equal(strlen(luft_wait(engine)), 0);
    luft_destroy(engine);
}

/* The first moves of a game against itself. */
static void play_level(LuftEngine *engine, const LuftLimits *limits, char *moves) {
    moves[0] = '\0';
    for (int i = 0; i < 12; i++) {
        assert_null(luft_set_position(engine, NULL, moves));
        assert_null(luft_go(engine, limits));
        const size_t length = strlen(moves);
        snprintf(moves + length, 100 - length, "%s ", luft_wait(engine));
    }
}

static void a_weak_level_plays_the_same_game_on_a_clock_that_has_run_out(void **state) {
    (void)state;
    LuftEngine *engine = luft_create(NULL, NULL, 0);
    char moves[100], in_time[100];
    assert_null(luft_set_option(engine, "UCI_LimitStrength", "true"));
    assert_null(luft_set_option(engine, "UCI_Elo", "1200"));
    assert_null(luft_set_option(engine, "Level Seed", "7"));
    play_level(engine, &(LuftLimits){.depth = 30}, in_time);
    play_level(engine, &(LuftLimits){.white_clock = -1, .black_clock = -1}, moves);
    assert_string_equal(moves, in_time);
    play_level(engine, &(LuftLimits){.move_time = 1}, moves);
    assert_string_equal(moves, in_time);
    luft_destroy(engine);
}

static void a_slice_of_any_length_is_searched(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    const int64_t times[] = {INT64_MAX, INT64_MAX / 1000, INT64_MIN, -1, 0};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        assert_null(luft_go(engine, &(LuftLimits){.nodes = 2000, .in_slices = 1}));
        assert_int_equal(luft_slice(engine, times[i], i % 2 == 0 ? UINT64_MAX : 0), LUFT_FINISHED);
    }
    luft_destroy(engine);
}

static void an_unknown_option_is_refused(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    assert_non_null(strstr(luft_set_option(engine, "Hsah", "3"), "no option 'Hsah'"));
    assert_null(luft_set_option(engine, "hash", "3"));
    luft_destroy(engine);
}

static const char *reading_of(LuftEngine *engine, const char *text) {
    const char *json = NULL;
    assert_null(luft_read(engine, text, strlen(text), 0, &json));
    assert_null(strchr(json, '\n'));
    return json;
}

static void games_are_read_with_their_variations(void **state) {
    (void)state;
    LuftEngine *engine = engine_at("");
    const char *json =
        reading_of(engine, "[White \"Anna\"]\n\n1. e4 $1 {a} ({b} 1. d4 (1. c4 c5) d5) e5 1-0 {c}\n\n"
                           "[White \"Ben\"]\n\n1. d4 d5 2. Sf3 Sf6 3. Dh5 *");
    assert_non_null(strstr(json, "{\"tags\":[[\"White\",\"Anna\"]],\"fen\":\"rnbqkbnr/"));
    assert_non_null(strstr(
        json, "\"result\":\"1-0\",\"comments\":[],\"line\":[{\"uci\":\"e2e4\",\"san\":\"e4\",\"nags\":[1],"
              "\"comments\":[\"a\"],\"variations\":[{\"comments\":[\"b\"],\"line\":[{\"uci\":\"d2d4\""));
    assert_non_null(
        strstr(json, "\"variations\":[{\"comments\":[],\"line\":[{\"uci\":\"c2c4\",\"san\":\"c4\""));
    assert_non_null(strstr(json, "\"comments\":[\"c\"]"));
    assert_non_null(
        strstr(json, "{\"uci\":\"g8f6\",\"san\":\"Nf6\",\"nags\":[],\"comments\":[\"Not read: Dh5\"]"));
    assert_non_null(strstr(json, "\"problems\":[\"line 7, move 3. "));
    assert_int_equal(count_of(json, "\"tags\""), 2);
    assert_int_equal(count_of(json, "\"lost\":1"), 1);
    luft_destroy(engine);
}

static void positions_are_games_without_moves(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    const char *json =
        reading_of(engine, "8/8/8/4k3/8/8/4K3/4R3 w - - bm Re3;\n8/8/8 w\n4k3/8/8/8/8/8/8/4K2R w K - 0 1\n");
    assert_int_equal(count_of(json, "\"line\":[]"), 2);
    assert_non_null(strstr(
        json, "\"fen\":\"8/8/8/4k3/8/8/4K3/4R3 w - - 0 1\",\"result\":\"*\",\"comments\":[\"bm Re3;\"]"));
    assert_non_null(strstr(json, "\"problems\":[\"line 2: "));
    assert_string_equal(luft_fen(engine), FORKED);
    assert_non_null(strstr(luft_read(engine, "\x1F\x8B", 2, 0, &json), "gzip"));
    luft_destroy(engine);
}

static void variations_in_each_other_are_read_to_a_limit(void **state) {
    (void)state;
    LuftEngine *engine = engine_at("");
    TextBuffer text = {0};
    buffer_append_string(&text, "1. e4 ");
    for (int i = 0; i < 3000; i++) buffer_append_string(&text, "(1. d4 (1. c4 ");
    const char *json = reading_of(engine, buffer_string(&text));
    assert_int_equal(count_of(json, "\"uci\""), 1 + 32);
    assert_int_equal(count_of(json, "(1. c4"), 3000 - 32 / 2);
    assert_int_equal(count_of(json, "no closing parenthesis"), 1);
    buffer_release(&text);
    luft_destroy(engine);
}

static void stop_soon(void *engine) {
    clock_sleep_milliseconds(100);
    luft_stop(engine);
}

static void it_can_be_stopped_from_another_thread(void **state) {
    (void)state;
    LuftEngine *engine = engine_at(FORKED);
    Thread thread;
    const char *json = NULL;
    assert_ok(thread_start(&thread, stop_soon, engine));
    assert_null(luft_explain(engine, "Qd4", UINT64_C(1000000000000), &json));
    thread_join(&thread);
    assert_non_null(strstr(json, "\"line\""));
    assert_ok(thread_start(&thread, stop_soon, engine));
    assert_null(luft_tree(engine, 200, "null_move", 20, &json));
    thread_join(&thread);
    assert_int_equal(count_of(json, "\"root\""), 1);
    luft_destroy(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_is_explained_as_json),
        cmocka_unit_test(without_a_move_the_position_is_explained),
        cmocka_unit_test(an_explanation_does_not_change_later_searches),
        cmocka_unit_test(an_illegal_move_is_refused_with_a_reason),
        cmocka_unit_test(a_tree_is_reported_as_json),
        cmocka_unit_test(an_impossible_tree_is_refused),
        cmocka_unit_test(a_search_without_techniques_takes_other_nodes),
        cmocka_unit_test(an_unknown_technique_is_refused_with_a_reason),
        cmocka_unit_test(all_techniques_have_a_name),
        cmocka_unit_test(explanations_are_in_the_language_of_the_engine),
        cmocka_unit_test(a_limit_below_zero_starts_no_search),
        cmocka_unit_test(a_weak_level_plays_the_same_game_on_a_clock_that_has_run_out),
        cmocka_unit_test(a_slice_of_any_length_is_searched),
        cmocka_unit_test(an_unknown_option_is_refused),
        cmocka_unit_test(games_are_read_with_their_variations),
        cmocka_unit_test(positions_are_games_without_moves),
        cmocka_unit_test(variations_in_each_other_are_read_to_a_limit),
        cmocka_unit_test(it_can_be_stopped_from_another_thread),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
