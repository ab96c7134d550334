#include "chess/polyglot.h"

#include "base/bytes.h"
#include "chess/makemove.h"
#include "chess/san.h"
#include "test_support.h"

#include <string.h>

/* Plays moves in UCI from a position; returns the key after the last one. */
static uint64_t key_after(const PolyglotNumbers *numbers, const char *fen, const char *moves) {
    Position pos = test_position(fen);
    Move last = MOVE_NONE;
    TextView rest = text_view(moves), word;
    while (!text_is_empty(word = text_next_word(&rest))) {
        Undo undo;
        assert_ok(lan_parse(&pos, word, &last));
        position_make_move(&pos, last, &undo);
    }
    return polyglot_key(numbers, &pos, last);
}

static void the_numbers_are_those_of_the_format(void **state) {
    (void)state;
    PolyglotNumbers numbers;
    polyglot_init_numbers(&numbers);
    assert_true(numbers.piece[0][0] == 0x9D39247E33776D41u);
    assert_true(numbers.white_to_move == 0xF8D626AAAF278509u);
    /* The checksum of all 781, in the order of the format, computed from the published list. */
    uint64_t hash = bytes_hash(NULL, 0);
    const uint64_t *number = &numbers.piece[0][0];
    assert_int_equal(sizeof numbers, POLYGLOT_NUMBERS * sizeof *number);
    for (int i = 0; i < POLYGLOT_NUMBERS; i++) {
        uint8_t bytes[8];
        bytes_put(bytes, number[i], 8);
        hash = bytes_hash_more(hash, bytes, sizeof bytes);
    }
    assert_true(hash == 0x6C25BE54E4F62B13u);
}

/* The examples of the format's description. */
static void keys_are_those_of_the_description(void **state) {
    (void)state;
    static const struct {
        const char *moves;
        uint64_t key;
    } CASES[] = {
        {"", 0x463B96181691FC9Cu},
        {"e2e4", 0x823C9B50FD114196u},
        {"e2e4 d7d5", 0x0756B94461C50FB0u},
        {"e2e4 d7d5 e4e5", 0x662FAFB965DB29D4u},
        {"e2e4 d7d5 e4e5 f7f5", 0x22A48B5A8E47FF78u},
        {"e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A607CA3F242C1u},
        {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FDD303C946BDD9u},
        {"a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C8123EA7B067637u},
        {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F9B829B279560u},
    };
    PolyglotNumbers numbers;
    polyglot_init_numbers(&numbers);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        assert_true(key_after(&numbers, FEN_START, CASES[i].moves) == CASES[i].key);
}

/* The pawn on d4 is pinned by the queen, so its capture is illegal, and it counts all the same. */
static void a_pinned_pawn_counts_en_passant(void **state) {
    (void)state;
    static const char FEN[] = "3k4/8/8/8/3p4/8/4P3/3Q2K1 w - - 0 1";
    PolyglotNumbers numbers;
    polyglot_init_numbers(&numbers);
    const Position after = test_position("3k4/8/8/8/3pP3/8/8/3Q2K1 b - e3 0 1");
    assert_int_equal(after.state.en_passant, NO_SQUARE);
    assert_true((key_after(&numbers, FEN, "e2e4") ^ polyglot_key(&numbers, &after, MOVE_NONE)) ==
                numbers.en_passant[4]);
}

static void every_move_comes_back(void **state) {
    (void)state;
    static const char *const FENS[] = {
        FEN_START, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "1r2k2r/8/8/8/8/8/8/1R2K2R b HBhb - 0 1"};
    for (size_t i = 0; i < sizeof FENS / sizeof FENS[0]; i++) {
        const Position pos = test_position(FENS[i]);
        Move moves[MAX_MOVES];
        const int count = movegen_legal(&pos, moves);
        for (int j = 0; j < count; j++)
            assert_int_equal(polyglot_read_move(&pos, polyglot_write_move(moves[j])), moves[j]);
    }
}

static void castling_is_read_in_both_ways(void **state) {
    (void)state;
    const Position pos = test_position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_int_equal(polyglot_read_move(&pos, E1 << 6 | H1), move_make_kind(E1, H1, CASTLING));
    assert_int_equal(polyglot_read_move(&pos, E1 << 6 | G1), move_make_kind(E1, H1, CASTLING));
    assert_int_equal(polyglot_read_move(&pos, E1 << 6 | C1), move_make_kind(E1, A1, CASTLING));
    assert_int_equal(polyglot_read_move(&pos, E1 << 6 | B1), MOVE_NONE);
    assert_int_equal(polyglot_read_move(&pos, E1 << 6 | F1), move_make(E1, F1));
    assert_int_equal(polyglot_read_move(&pos, 0), MOVE_NONE);
    assert_int_equal(polyglot_read_move(&pos, 0xFFFF), MOVE_NONE);
}

static void entries_are_big_endian(void **state) {
    (void)state;
    static const uint8_t BYTES[POLYGLOT_ENTRY_SIZE] = {0x46, 0x3B, 0x96, 0x18, 0x16, 0x91, 0xFC, 0x9C,
                                                       0x03, 0x1C, 0x00, 0x64, 0x01, 0x02, 0x03, 0x04};
    uint8_t again[POLYGLOT_ENTRY_SIZE];
    PolyglotEntry entry;
    const Position pos = test_position(FEN_START);
    polyglot_read_entry(BYTES, &entry);
    assert_true(entry.key == 0x463B96181691FC9Cu);
    assert_int_equal(polyglot_read_move(&pos, entry.move), move_make(E2, E4));
    assert_int_equal(entry.weight, 100);
    assert_int_equal(entry.learn, 0x01020304);
    polyglot_write_entry(&entry, again);
    assert_memory_equal(again, BYTES, POLYGLOT_ENTRY_SIZE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_numbers_are_those_of_the_format),
        cmocka_unit_test(keys_are_those_of_the_description),
        cmocka_unit_test(a_pinned_pawn_counts_en_passant),
        cmocka_unit_test(every_move_comes_back),
        cmocka_unit_test(castling_is_read_in_both_ways),
        cmocka_unit_test(entries_are_big_endian),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
