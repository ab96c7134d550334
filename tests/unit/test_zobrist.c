/* The Zobrist words: all different, none zero, and never changed. */
#include "chess/position.h"

#include "test_support.h"

#include <stdlib.h>

static int compare_keys(const void *a, const void *b) {
    const HashKey x = *(const HashKey *)a, y = *(const HashKey *)b;
    return (x > y) - (x < y);
}

/* Equal words would give different positions equal keys. */
static void test_words_differ(void **state) {
    (void)state;
    HashKey words[PIECE_COUNT * SQUARE_COUNT + 4 + 8 + 1];
    size_t count = 0;
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int square = 0; square < SQUARE_COUNT; square++)
            words[count++] = zobrist_keys.piece[piece][square];
    for (int right = 1; right <= ALL_CASTLING; right *= 2) words[count++] = zobrist_keys.castling[right];
    for (int file = 0; file < 8; file++) words[count++] = zobrist_keys.en_passant[file];
    words[count++] = zobrist_keys.black_to_move;
    assert_int_equal(count, sizeof words / sizeof *words);
    qsort(words, count, sizeof *words, compare_keys);
    assert_true(words[0] != 0);
    for (size_t i = 1; i < count; i++) assert_true(words[i] != words[i - 1]);
}

static void test_no_piece_is_nothing(void **state) {
    (void)state;
    for (int square = 0; square < SQUARE_COUNT; square++)
        assert_true(zobrist_keys.piece[NO_PIECE][square] == 0);
}

/* Making a move removes several rights with one word. */
static void test_castling_words_add_up(void **state) {
    (void)state;
    for (int rights = 0; rights <= ALL_CASTLING; rights++) {
        HashKey sum = 0;
        for (int right = 1; right <= ALL_CASTLING; right *= 2)
            if (rights & right) sum ^= zobrist_keys.castling[right];
        assert_true(zobrist_keys.castling[rights] == sum);
    }
}

/* Data and books store keys: a change here invalidates them, so it must be intended. */
static void test_keys_never_change(void **state) {
    (void)state;
    assert_true(test_position(FEN_START).state.key == 0xC9FC3E119853FD0Cu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_differ),
        cmocka_unit_test(test_no_piece_is_nothing),
        cmocka_unit_test(test_castling_words_add_up),
        cmocka_unit_test(test_keys_never_change),
    };
    return cmocka_run_group_tests_name("zobrist", tests, test_set_up_chess, NULL);
}
