#include "store/row.h"

#include "test_support.h"
#include "walk.h"

static void assert_key_is_kept(const Position *pos) {
    uint8_t key[ROW_KEY_SIZE], again[ROW_KEY_SIZE];
    char fen[FEN_CAPACITY], fen_again[FEN_CAPACITY];
    Position unpacked;
    row_pack(pos, key);
    assert_ok(row_unpack(key, &unpacked));
    row_pack(&unpacked, again);
    assert_memory_equal(key, again, ROW_KEY_SIZE);
    Position same = *pos;
    same.chess960 = unpacked.chess960;
    same.fullmove = unpacked.fullmove;
    same.state.halfmove_clock = unpacked.state.halfmove_clock;
    fen_write(&same, fen);
    fen_write(&unpacked, fen_again);
    assert_string_equal(fen, fen_again);
    assert_int_equal(row_clock_of(pos->state.halfmove_clock), row_clock_of(unpacked.state.halfmove_clock));
}

static void a_key_is_the_whole_position(void **state) {
    (void)state;
    Rng rng = rng_seed(1);
    for (int game = 0; game < 12; game++) {
        Position pos = walk_start(&rng, game);
        Move move;
        for (int ply = 0; ply < 100 && (move = walk_move(&pos, &rng)) != MOVE_NONE; ply++) {
            Undo undo;
            assert_key_is_kept(&pos);
            position_make_move(&pos, move, &undo);
        }
    }
}

static void what_differs_has_another_key(void **state) {
    (void)state;
    static const char *const FENS[] = {
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",  "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",    "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",   "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 20 40",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 60 70", "r3k2r/8/8/3pP3/8/8/8/R3K1NR w KQkq - 0 1"};
    enum { COUNT = sizeof FENS / sizeof FENS[0] };
    uint8_t keys[COUNT][ROW_KEY_SIZE], same[ROW_KEY_SIZE];
    for (int i = 0; i < COUNT; i++) {
        const Position pos = test_position(FENS[i]);
        row_pack(&pos, keys[i]);
        for (int j = 0; j < i; j++) assert_memory_not_equal(keys[i], keys[j], ROW_KEY_SIZE);
    }
    const Position pos = test_position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 59 70");
    row_pack(&pos, same);
    assert_memory_equal(same, keys[5], ROW_KEY_SIZE);
}

static void bytes_that_are_no_position_are_refused(void **state) {
    (void)state;
    Rng rng = rng_seed(2);
    const Position start = test_position(FEN_START);
    uint8_t key[ROW_KEY_SIZE], broken[ROW_KEY_SIZE], again[ROW_KEY_SIZE];
    int refused = 0;
    row_pack(&start, key);
    for (int i = 0; i < 2000; i++) {
        Position pos;
        memcpy(broken, key, ROW_KEY_SIZE);
        broken[rng_below(&rng, ROW_KEY_SIZE)] ^= (uint8_t)(1u << rng_below(&rng, 8));
        broken[rng_below(&rng, ROW_KEY_SIZE)] = (uint8_t)rng_next(&rng);
        const Status status = row_unpack(broken, &pos);
        refused += !status_is_ok(&status);
        if (!status_is_ok(&status)) continue;
        assert_true(position_is_consistent(&pos));
        row_pack(&pos, again);
        assert_memory_equal(again, broken, ROW_KEY_SIZE);
    }
    assert_in_range(refused, 1000, 1999);
}

static void a_line_is_read_back_and_an_illegal_one_refused(void **state) {
    (void)state;
    static const struct {
        const char *fen, *line;
    } CASES[] = {{FEN_START, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1"},
                 {"1rk1r3/4p3/8/8/8/8/4P3/1RK1R3 w EBeb - 0 1", "c1e1 c8b8"},
                 {"8/P7/8/8/8/8/k6K/8 w - - 0 1", "a7a8n"}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const Position pos = test_position(CASES[i].fen);
        Row row = {0};
        TextBuffer text = {0};
        assert_ok(row_read_line(&row, &pos, text_view(CASES[i].line)));
        row_write_line(&row, &pos, &text);
        assert_string_equal(buffer_string(&text), CASES[i].line);
        buffer_release(&text);
    }
    const Position pos = test_position(FEN_START);
    Row row = {0};
    TextBuffer text = {0};
    assert_fails(row_read_line(&row, &pos, text_view("e2e4 e2e4")), "its line is not legal");
    for (int i = 0; i <= ROW_LINE_MAX / 4; i++) buffer_append_string(&text, "g1f3 g8f6 f3g1 f6g8 ");
    assert_fails(row_read_line(&row, &pos, buffer_view(&text)), "more than 40 moves");
    buffer_release(&text);
}

static void a_source_is_trusted_only_with_the_same_network_and_numbers(void **state) {
    (void)state;
    const RowSource own = {"Luft", "1.0", "abc", "def"};
    RowSource other = own;
    text_copy(text_view("1.1"), other.version, sizeof other.version);
    assert_true(row_source_is_trusted(&other, &own));
    assert_int_not_equal(row_source_id(&other), row_source_id(&own));
    text_copy(text_view("abd"), other.net, sizeof other.net);
    assert_false(row_source_is_trusted(&other, &own));
    const RowSource split = {"Luf", "t1.0", "abc", "def"}, none = {"Luft", "1.0", "", "def"};
    assert_int_not_equal(row_source_id(&split), row_source_id(&own));
    assert_false(row_source_is_trusted(&none, &none));
}

/* --- merging --- */

/* Rows of one position and source, of so few values that most members of two are often equal. */
static Row random_row(Rng *rng) {
    Row row = {.depth = 10 + 3 * (int)rng_below(rng, 3),
               .bound = (Bound)(1 + rng_below(rng, 3)),
               .score = (int)rng_below(rng, 2),
               .nodes = rng_below(rng, 2),
               .multi_pv = 1 + (int)rng_below(rng, 2),
               .date = (int64_t)rng_below(rng, 2),
               .move_count = (int)rng_below(rng, 3)};
    for (int i = 0; i < row.move_count; i++) row.line[i] = (Move)(1 + rng_below(rng, 2));
    return row;
}

static const Row *winner(const Row *a, const Row *b) { return row_compare(a, b) >= 0 ? a : b; }

/* All but padding. */
static void assert_equal(const Row *a, const Row *b) {
    assert_memory_equal(a->key, b->key, sizeof a->key);
    assert_true(row_source_id(&a->source) == row_source_id(&b->source));
    assert_int_equal(row_compare(a, b), 0);
}

static void three_rows_have_the_same_winner_in_every_order(void **state) {
    (void)state;
    Rng rng = rng_seed(3);
    for (int i = 0; i < 10000; i++) {
        const Row a = random_row(&rng), b = random_row(&rng), c = random_row(&rng);
        assert_equal(winner(&a, &a), &a);
        assert_equal(winner(&a, &b), winner(&b, &a));
        assert_equal(winner(winner(&a, &b), &c), winner(&a, winner(&b, &c)));
        assert_equal(winner(winner(&a, &b), &a), winner(&a, &b));
        assert_true((row_compare(&a, &b) == 0) == (memcmp(&a, &b, sizeof a) == 0));
    }
}

static void the_deeper_row_wins_and_an_exact_score_is_worth_some_plies(void **state) {
    (void)state;
    const Row exact = {.depth = 20, .bound = BOUND_EXACT},
              newer = {.depth = 20, .bound = BOUND_EXACT, .date = 9};
    const Row near = {.depth = 23, .bound = BOUND_LOWER}, far = {.depth = 25, .bound = BOUND_LOWER};
    const Row equal = {.depth = 24, .bound = BOUND_LOWER, .nodes = 1000};
    assert_true(row_compare(&exact, &near) > 0);
    assert_true(row_compare(&exact, &equal) > 0);
    assert_true(row_compare(&far, &exact) > 0);
    assert_true(row_compare(&exact, &newer) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_the_whole_position),
        cmocka_unit_test(what_differs_has_another_key),
        cmocka_unit_test(bytes_that_are_no_position_are_refused),
        cmocka_unit_test(a_line_is_read_back_and_an_illegal_one_refused),
        cmocka_unit_test(a_source_is_trusted_only_with_the_same_network_and_numbers),
        cmocka_unit_test(three_rows_have_the_same_winner_in_every_order),
        cmocka_unit_test(the_deeper_row_wins_and_an_exact_score_is_worth_some_plies),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
