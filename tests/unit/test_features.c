/* Which inputs a position sets, and that changes lead from one set to the next. */
#include "nnue/features.h"

#include "test_support.h"
#include "walk.h"

/* Views of a network without king buckets: mirrored or not. */
#define HALVES 0, 0, 0, 0, 1, 1, 1, 1
static const uint8_t MIRRORED[SQUARE_COUNT] = {HALVES, HALVES, HALVES, HALVES,
                                               HALVES, HALVES, HALVES, HALVES};

typedef struct Inputs {
    int8_t count[INPUT_COUNT];
} Inputs;

static void apply(Inputs *inputs, const InputChanges *changes) {
    for (int i = 0; i < changes->added_count; i++) inputs->count[changes->added[i]]++;
    for (int i = 0; i < changes->removed_count; i++) inputs->count[changes->removed[i]]--;
}

static unsigned flip_of(const Position *pos, Color perspective) {
    return input_flip(perspective, position_king(pos, perspective));
}

static Inputs inputs_of(const Position *pos, Color perspective) {
    Inputs inputs = {0};
    InputChanges changes;
    Pieces none = {0}, pieces = features_pieces(pos);
    features_from_pieces(&none, &pieces, perspective, flip_of(pos, perspective), &changes);
    assert_int_equal(0, changes.removed_count);
    apply(&inputs, &changes);
    return inputs;
}

static Position parse(const char *fen) {
    Position pos;
    Status status = fen_parse(&pos, text_view(fen), false);
    assert_string_equal("", status.reason);
    return pos;
}

static void test_index_is_one_to_one(void **state) {
    (void)state;
    for (Color perspective = WHITE; perspective <= BLACK; perspective++)
        for (int king = A1; king <= H8; king++) {
            Inputs seen = {0};
            unsigned flip = input_flip(perspective, (Square)king);
            for (int piece = 0; piece < PIECE_COUNT; piece++)
                for (int square = A1; square <= H8; square++) {
                    int index = input_index(perspective, flip, (Piece)piece, (Square)square);
                    assert_in_range(index, 0, INPUT_COUNT - 1);
                    assert_int_equal(0, seen.count[index]++);
                }
        }
}

static void test_known_indices(void **state) {
    (void)state;
    assert_int_equal(A2, input_index(WHITE, input_flip(WHITE, A1), WHITE_PAWN, A2));
    assert_int_equal(H2, input_index(WHITE, input_flip(WHITE, E1), WHITE_PAWN, A2)); /* mirrored */
    assert_int_equal(H2, input_index(BLACK, input_flip(BLACK, E8), BLACK_PAWN, A7));
    assert_int_equal(6 * 64 + A7, input_index(BLACK, input_flip(BLACK, D8), WHITE_PAWN, A2));
    assert_int_equal(11 * 64 + D8, input_index(WHITE, input_flip(WHITE, H5), BLACK_KING, E8));
}

/* The own king is always seen on files a to d. */
static void test_king_stays_on_its_half(void **state) {
    (void)state;
    for (Color side = WHITE; side <= BLACK; side++)
        for (int king = A1; king <= H8; king++) {
            int index =
                input_index(side, input_flip(side, (Square)king), piece_make(side, KING), (Square)king);
            assert_in_range(index, 5 * 64, 6 * 64 - 1);
            assert_true(square_file((Square)(index % 64)) < 4);
        }
}

static void test_buckets(void **state) {
    (void)state;
    for (int pieces = 2; pieces <= PIECES_MAX; pieces++) {
        assert_int_equal(0, output_bucket(pieces, 1));
        assert_int_equal((pieces - 2) / 4, output_bucket(pieces, 8));
    }
}

static void test_both_sides_see_the_same_start(void **state) {
    (void)state;
    Position pos = parse(FEN_START);
    Inputs white = inputs_of(&pos, WHITE), black = inputs_of(&pos, BLACK);
    assert_memory_equal(&white, &black, sizeof white);
}

static void test_mirrored_positions_are_the_same(void **state) {
    (void)state;
    Position pos = parse("2k5/p1q2p2/8/3N4/8/1P6/6PP/5RK1 w - - 0 1");
    Position mirrored = parse("5k2/2p2q1p/8/4N3/8/6P1/PP6/1KR5 w - - 0 1");
    for (Color perspective = WHITE; perspective <= BLACK; perspective++) {
        Inputs a = inputs_of(&pos, perspective), b = inputs_of(&mirrored, perspective);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* In random games the changes of a move lead from the inputs before to those after it, unless the own king
 * crosses the middle, which features_view_changes reports. */
static void test_changes_follow_games(void **state) {
    (void)state;
    Rng rng = rng_seed(7);
    int mirrored = 0, steps[4] = {0};
    for (int game = 0; game < 60; game++) {
        Position pos = walk_start(&rng, game);
        for (int ply = 0; ply < 150; ply++) {
            Move move = walk_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            Inputs before[2] = {inputs_of(&pos, WHITE), inputs_of(&pos, BLACK)};
            unsigned flips[2] = {flip_of(&pos, WHITE), flip_of(&pos, BLACK)};
            Undo undo;
            position_make_move(&pos, move, &undo);
            steps[undo.changes.count]++;
            for (Color perspective = WHITE; perspective <= BLACK; perspective++) {
                bool crossed = flips[perspective] != flip_of(&pos, perspective);
                assert_int_equal(crossed, features_view_changes(&undo.changes, perspective, MIRRORED));
                mirrored += crossed;
                if (crossed) continue;
                InputChanges changes;
                features_from_changes(&undo.changes, perspective, flips[perspective], &changes);
                apply(&before[perspective], &changes);
                Inputs after = inputs_of(&pos, perspective);
                assert_memory_equal(&after, &before[perspective], sizeof after);
            }
        }
    }
    assert_true(mirrored > 50 && steps[1] > 50 && steps[2] > 50 && steps[3] > 5); /* all kinds occurred */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_is_one_to_one),
        cmocka_unit_test(test_known_indices),
        cmocka_unit_test(test_king_stays_on_its_half),
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_both_sides_see_the_same_start),
        cmocka_unit_test(test_mirrored_positions_are_the_same),
        cmocka_unit_test(test_changes_follow_games),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
