#include "search/relearn.h"

#include "chess/san.h"
#include "search/value.h"
#include "search_support.h"

static const char QUIET[] = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

static int corrected(Bed *bed, const Position *pos) {
    bed_prepare(bed, pos, &(SearchLimits){.depth = 1});
    return value_of_node(bed->worker, 0, &TT_MISS).corrected;
}

static int score_of_move(Bed *bed, const Position *pos, Move move) {
    bed_prepare(bed, pos, &(SearchLimits){.depth = 1});
    const Path path = worker_path(bed->worker, 0);
    return history_quiet_score(&bed->worker->histories, pos, &path, move);
}

static void a_good_move_comes_earlier(void **state) {
    Bed *bed = *state;
    const Position pos = test_position(QUIET);
    Move move;
    assert_ok(lan_parse(&pos, text_view("h2h3"), &move));
    bed_clear(bed);
    relearn_position(bed->worker, &pos, move, 20, 12, BOUND_UPPER);
    assert_int_equal(score_of_move(bed, &pos, move), 0);
    relearn_position(bed->worker, &pos, move, 20, 12, BOUND_LOWER);
    assert_true(score_of_move(bed, &pos, move) > 0);
    relearn_position(bed->worker, &pos, MOVE_NONE, 20, 12, BOUND_EXACT);
}

static void the_static_value_is_corrected_towards_what_the_bound_proves(void **state) {
    Bed *bed = *state;
    const Position pos = test_position(QUIET);
    bed_clear(bed);
    const int before = corrected(bed, &pos);
    relearn_position(bed->worker, &pos, MOVE_NONE, before - 50, 12, BOUND_LOWER);
    relearn_position(bed->worker, &pos, MOVE_NONE, before + 50, 12, BOUND_UPPER);
    relearn_position(bed->worker, &pos, MOVE_NONE, score_mate_in(5), 12, BOUND_EXACT);
    assert_int_equal(corrected(bed, &pos), before);
    relearn_position(bed->worker, &pos, MOVE_NONE, before + 50, 12, BOUND_LOWER);
    const int higher = corrected(bed, &pos);
    assert_true(higher > before);
    relearn_position(bed->worker, &pos, MOVE_NONE, higher - 100, 12, BOUND_EXACT);
    assert_true(corrected(bed, &pos) < higher);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_move_comes_earlier),
        cmocka_unit_test(the_static_value_is_corrected_towards_what_the_bound_proves),
    };
    return cmocka_run_group_tests(tests, bed_create, bed_destroy);
}
