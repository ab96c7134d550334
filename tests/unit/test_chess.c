/* The tables of the rules. */
#include "chess/game.h"

#include "chess/attacks.h"
#include "chess/draw.h"
#include "test_support.h"

static void every_table_is_filled(void **state) {
    (void)state;
    assert_true(attacks_knight(A1) == (square_bit(B3) | square_bit(C2)));
    assert_true(zobrist_keys.black_to_move != 0);
    Position pos = test_position("4k2r/8/8/8/8/8/8/R3K3 w - - 10 30");
    test_play(&pos, "a1a2 h8h7 a2a1");
    assert_true(draw_upcoming_repetition(&pos, 10));
}

static void filling_again_changes_nothing(void **state) {
    (void)state;
    static AttackTables attacks_before;
    static ZobristKeys keys_before;
    attacks_before = attack_tables;
    keys_before = zobrist_keys;
    chess_init();
    assert_memory_equal(&attacks_before, &attack_tables, sizeof attacks_before);
    assert_memory_equal(&keys_before, &zobrist_keys, sizeof keys_before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_is_filled),
        cmocka_unit_test(filling_again_changes_nothing),
    };
    return cmocka_run_group_tests_name("chess", tests, test_set_up_chess, NULL);
}
