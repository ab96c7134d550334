#include "search/replay.h"

#include "test_support.h"

static int set_up(void **state) {
    test_set_up_chess(state);
    *state = replay_create();
    return *state == NULL;
}

static int tear_down(void **state) {
    replay_destroy(*state);
    return 0;
}

static ReplayQuestion ask(int ply, Move excluded, int alpha, int depth) {
    const Position pos =
        test_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10");
    return replay_question(&pos, ply, excluded, alpha, depth);
}

static void a_slice_hears_what_those_before_it_were_told(void **state) {
    Replay *replay = *state;
    const ReplayQuestion question = ask(3, MOVE_NONE, 20, 6);
    int score = 0;
    replay_begin_window(replay);
    replay_note(replay, &question, 35);
    assert_false(replay_knows(replay, &question, &score)); /* one slice alone is a search like any other */
    replay_begin_slice(replay);
    assert_true(replay_knows(replay, &question, &score));
    assert_int_equal(score, 35);
    replay_begin_window(replay);
    replay_begin_slice(replay);
    assert_false(replay_knows(replay, &question, &score));
}

static void an_answer_fits_its_question_only(void **state) {
    Replay *replay = *state;
    const ReplayQuestion question = ask(3, MOVE_NONE, 20, 6);
    int score = 0;
    replay_begin_window(replay);
    replay_note(replay, &question, 35);
    replay_begin_slice(replay);
    const ReplayQuestion deeper = ask(3, MOVE_NONE, 20, 7), much_deeper = ask(3, MOVE_NONE, 20, 8);
    const ReplayQuestion elsewhere = ask(5, MOVE_NONE, 20, 6), without = ask(3, 77, 20, 6);
    const ReplayQuestion proved = ask(3, MOVE_NONE, 34, 6), open = ask(3, MOVE_NONE, 35, 6);
    assert_true(replay_knows(replay, &deeper, &score));
    assert_false(replay_knows(replay, &much_deeper, &score));
    assert_false(replay_knows(replay, &elsewhere, &score));
    assert_false(replay_knows(replay, &without, &score));
    assert_true(replay_knows(replay, &proved, &score)); /* at least 35 */
    assert_false(replay_knows(replay, &open, &score));
}

static void a_line_comes_back_with_its_score(void **state) {
    Replay *replay = *state;
    const ReplayQuestion question = ask(1, MOVE_NONE, 0, 9), other = ask(1, MOVE_NONE, 30, 9);
    const Move line[] = {11, 22, 33};
    Move found[MAX_PLY + 1];
    int score = 0, length = 0;
    replay_begin_window(replay);
    replay_note_line(replay, &question, 25, line, 3);
    replay_begin_slice(replay);
    assert_true(replay_knows_line(replay, &question, 40, &score, found, &length));
    assert_int_equal(score, 25);
    assert_int_equal(length, 3);
    assert_memory_equal(found, line, sizeof line);
    assert_false(
        replay_knows_line(replay, &question, 25, &score, found, &length)); /* outside these windows */
    assert_false(replay_knows_line(replay, &other, 60, &score, found, &length));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_slice_hears_what_those_before_it_were_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_fits_its_question_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_comes_back_with_its_score, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
