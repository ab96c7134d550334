/* The histories of moves and the correction history of a thread. */
#include "search/history.h"

#include "base/memory.h"
#include "test_support.h"

#include <stdlib.h>

static int set_up(void **state) {
    test_set_up_chess(state);
    *state = memory_allocate_aligned(sizeof(Histories), 64);
    return *state == NULL;
}

static int tear_down(void **state) {
    memory_release_aligned(*state);
    return 0;
}

static Histories *fresh(void **state) {
    history_clear(*state);
    return *state;
}

static Move move_of(const Position *pos, const char *text) {
    Move move;
    assert_ok(lan_parse(pos, text_view(text), &move));
    return move;
}

/* Continuation histories of the last move and of earlier ones; no threats. */
static void use(Histories *histories, Path *path, Piece piece, Square to) {
    for (int i = 0; i < CONTINUATIONS; i++)
        path->continuation[i] = &histories->continuation[((int)piece + 2 * i) % PIECE_COUNT][to];
    path->threats = 0;
}

static void counters_stay_inside_their_bounds(void **state) {
    (void)state;
    Rng rng = rng_seed(3);
    int16_t counter = 0;
    for (int i = 0; i < 100000; i++) {
        const int amount = (int)rng_below(&rng, 4001) - (i / 1000 % 2 ? 500 : 3500);
        history_push(&counter, amount, HISTORY_MAX);
        assert_in_range(counter + HISTORY_MAX, 0, 2 * HISTORY_MAX);
    }
    for (int i = 0; i < 1000; i++) history_push(&counter, 1900, HISTORY_MAX);
    assert_true(counter > HISTORY_MAX * 9 / 10);
    for (int i = 0; i < 1000; i++) history_push(&counter, -1700, HISTORY_MAX);
    assert_true(counter < -HISTORY_MAX * 9 / 10);
}

/* Gravity: near the bound, updates become weaker. */
static void updates_weaken_near_the_bound(void **state) {
    (void)state;
    int16_t counter = 0;
    int before = 0, gain = 1 << 20;
    for (int i = 0; i < 30; i++) {
        history_push(&counter, 1000, HISTORY_MAX);
        assert_true(counter > before && counter - before <= gain);
        gain = counter - before;
        before = counter;
    }
}

static void deeper_nodes_update_more(void **state) {
    (void)state;
    for (int depth = 1; depth < 240; depth++) {
        assert_true(history_bonus(depth) >= 0 && history_malus(depth) <= 0);
        assert_true(history_bonus(depth + 1) >= history_bonus(depth));
        assert_true(history_malus(depth + 1) <= history_malus(depth));
        assert_true(history_bonus(depth) <= HISTORY_MAX / 2 && -history_malus(depth) <= HISTORY_MAX / 2);
    }
    assert_true(history_bonus(8) > history_bonus(2));
}

static void a_quiet_move_is_learned_and_no_other(void **state) {
    Histories *histories = fresh(state);
    const Position pos = test_position(FEN_START);
    Path path;
    use(histories, &path, BLACK_KNIGHT, F6);
    const Move learned = move_of(&pos, "g1f3");
    history_push_quiet(histories, &pos, &path, learned, 1000);
    assert_true(history_quiet_score(histories, &pos, &path, learned) > 2000);
    Move moves[MAX_MOVES];
    const int count = movegen_legal(&pos, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] != learned) assert_int_equal(history_quiet_score(histories, &pos, &path, moves[i]), 0);
    /* The score is the sum of all counters: pushed once down and up again by the same, it is nearly as
     * before. */
    history_push_quiet(histories, &pos, &path, learned, -1000);
    assert_true(abs(history_quiet_score(histories, &pos, &path, learned)) < 500);
}

static void sides_do_not_share_counters(void **state) {
    Histories *histories = fresh(state);
    const Position pos = test_position("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    Path path;
    use(histories, &path, WHITE_PAWN, A1);
    const Move across = move_of(&pos, "a1a4");
    history_push_quiet(histories, &pos, &path, across, 1000);
    const Position black = test_position("r3k3/8/8/8/8/8/8/R3K3 b - - 0 1");
    Move moves[MAX_MOVES];
    const int count = movegen_legal(&black, moves);
    for (int i = 0; i < count; i++)
        assert_int_equal(history_quiet_score(histories, &black, &path, moves[i]), 0);
}

static void earlier_moves_matter(void **state) {
    Histories *histories = fresh(state);
    const Position pos = test_position(FEN_START);
    Path after_knight, after_pawn;
    use(histories, &after_knight, BLACK_KNIGHT, F6);
    use(histories, &after_pawn, BLACK_PAWN, E5);
    const Move learned = move_of(&pos, "g1f3");
    history_push_quiet(histories, &pos, &after_knight, learned, 1000);
    const int with = history_quiet_score(histories, &pos, &after_knight, learned);
    const int without = history_quiet_score(histories, &pos, &after_pawn, learned);
    assert_true(with > without && without > 0);
}

static void captures_are_distinguished_by_piece_square_and_victim(void **state) {
    Histories *histories = fresh(state);
    const Position pos = test_position("rn2k3/P7/4p1q1/3pP3/2N1P2Q/8/8/4K3 w - d6 0 1");
    Move moves[MAX_MOVES];
    const int count = movegen_noisy(&pos, moves);
    assert_true(count >= 6);
    for (int i = 0; i < count; i++) {
        history_clear(histories);
        history_push(history_capture(histories, &pos, moves[i]), 777, HISTORY_MAX);
        assert_int_equal(history_capture_score(histories, &pos, moves[i]), 777);
        for (int j = 0; j < count; j++) {
            const bool like = position_piece_on(&pos, move_from(moves[i])) ==
                                  position_piece_on(&pos, move_from(moves[j])) &&
                              move_to(moves[i]) == move_to(moves[j]);
            if (!like) assert_int_equal(history_capture_score(histories, &pos, moves[j]), 0);
        }
    }
    /* En passant takes a pawn; a promotion without capture takes nothing, and has its own column. */
    const Move en_passant = move_of(&pos, "e5d6");
    assert_ptr_equal(history_capture(histories, &pos, en_passant), &histories->capture[WHITE_PAWN][D6][PAWN]);
    const Position queening = test_position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert_ptr_equal(history_capture(histories, &queening, move_of(&queening, "a7a8q")),
                     &histories->capture[WHITE_PAWN][A8][NO_PIECE_TYPE]);
}

static void threats_distinguish_moves(void **state) {
    Histories *histories = fresh(state);
    /* The rook on c7 attacks c3: moving the knight away from there is another matter than in a quiet
     * position. */
    const Position attacked = test_position("4k3/2r5/8/8/8/2N5/8/4K3 w - - 0 1");
    const Position quiet = test_position("4k3/3r4/8/8/8/2N5/8/4K3 w - - 0 1");
    Path in_attacked, in_quiet;
    use(histories, &in_attacked, BLACK_ROOK, C7);
    use(histories, &in_quiet, BLACK_ROOK, C7);
    in_attacked.threats = position_threats(&attacked);
    in_quiet.threats = position_threats(&quiet);
    const Move move = move_of(&attacked, "c3b5");
    assert_ptr_not_equal(history_quiet(histories, &attacked, &in_attacked, move),
                         history_quiet(histories, &quiet, &in_quiet, move));
    const Move into = move_of(&quiet, "c3d5");
    assert_ptr_not_equal(history_quiet(histories, &attacked, &in_attacked, into),
                         history_quiet(histories, &quiet, &in_quiet, into));
}

static CorrectionSlots slots_of(Histories *histories, const Position *pos) {
    return history_correction_slots(histories, pos, &histories->continuation_correction[WHITE_PAWN][A1],
                                    BLACK_KNIGHT, F6);
}

static void corrections_follow_search_results(void **state) {
    Histories *histories = fresh(state);
    const Position pos = test_position(FEN_START);
    const CorrectionSlots slots = slots_of(histories, &pos);
    assert_int_equal(history_correction(&slots), 0);
    int before = 0;
    for (int i = 0; i < 50; i++) {
        history_push_correction(&slots, 120, 8);
        assert_true(history_correction(&slots) >= before);
        before = history_correction(&slots);
    }
    const int most = params.correction_pawn + 2 * params.correction_non_pawn + params.correction_continuation;
    assert_true(before > most / 2 && before <= most);
    for (int i = 0; i < 100; i++) history_push_correction(&slots, -120, 8);
    assert_true(history_correction(&slots) < -most / 2 && history_correction(&slots) >= -most);
}

static void corrections_survive_wild_differences(void **state) {
    Histories *histories = fresh(state);
    const Position pos = test_position(FEN_START);
    const CorrectionSlots slots = slots_of(histories, &pos);
    Rng rng = rng_seed(9);
    for (int i = 0; i < 20000; i++) {
        history_push_correction(&slots, (int)rng_below(&rng, 120000) - 60000, (int)rng_below(&rng, 240));
        assert_in_range(*slots.pawn + CORRECTION_MAX, 0, 2 * CORRECTION_MAX);
        assert_in_range(*slots.continuation + CORRECTION_MAX, 0, 2 * CORRECTION_MAX);
    }
}

/* A position with the same pawns shares only the correction by pawns. */
static void similar_positions_share_corrections(void **state) {
    Histories *histories = fresh(state);
    const Position pos = test_position("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1");
    const Position same_pawns = test_position("3k4/pp6/8/8/8/8/PP6/1N2K3 w - - 0 1");
    const Position other_side = test_position("4k3/pp6/8/8/8/8/PP6/R3K3 b - - 0 1");
    const CorrectionSlots a = slots_of(histories, &pos), b = slots_of(histories, &same_pawns),
                          c = slots_of(histories, &other_side);
    assert_ptr_equal(a.pawn, b.pawn);
    assert_ptr_not_equal(a.non_pawn[WHITE], b.non_pawn[WHITE]);
    assert_ptr_not_equal(a.non_pawn[BLACK], b.non_pawn[BLACK]);
    assert_ptr_not_equal(a.pawn, c.pawn);
    assert_ptr_not_equal(a.non_pawn[WHITE], a.non_pawn[BLACK]);
}

static void clearing_resets_everything(void **state) {
    Histories *histories = *state;
    memset(histories, 1, sizeof *histories);
    history_clear(histories);
    const char *bytes = (const char *)histories;
    for (size_t i = 0; i < sizeof *histories; i++)
        if (bytes[i]) fail_msg("byte %zu survived", i);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_stay_inside_their_bounds),
        cmocka_unit_test(updates_weaken_near_the_bound),
        cmocka_unit_test(deeper_nodes_update_more),
        cmocka_unit_test(a_quiet_move_is_learned_and_no_other),
        cmocka_unit_test(sides_do_not_share_counters),
        cmocka_unit_test(earlier_moves_matter),
        cmocka_unit_test(captures_are_distinguished_by_piece_square_and_victim),
        cmocka_unit_test(threats_distinguish_moves),
        cmocka_unit_test(corrections_follow_search_results),
        cmocka_unit_test(corrections_survive_wild_differences),
        cmocka_unit_test(similar_positions_share_corrections),
        cmocka_unit_test(clearing_resets_everything),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
