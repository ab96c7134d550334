/* What a game of datagen leaves to chance: the same numbers for ever, and next to nothing in a file. */
#include "lab/data/seeded.h"

#include "base/bytes.h"
#include "base/file.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "record_support.h"

static Move seeded_move_of(uint64_t key, int ply, const Position *pos) {
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    seeded_sort_moves(legal, count);
    return count > 0 ? seeded_move(key, ply, pos, legal, count) : MOVE_NONE;
}

/* Files are read back by these numbers: none of them may ever change. */
static void numbers_never_change(void **state) {
    (void)state;
    const uint64_t key = seeded_key(20261201, 7, 3);
    Position pos = test_position("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
    uint64_t hash = 0;
    for (int i = 0; i < 1000; i++) hash = hash * 31 + seeded_move_of(key, i, &pos);
    int white, black;
    char fen[FEN_CAPACITY];
    seeded_chess960(key, &white, &black);
    seeded_few_pieces(key, fen);
    assert_true(key == 16822395971891777599u && hash == 1295948196352608762u);
    assert_true(white == 921 && black == 330);
    assert_string_equal(fen, "r1R5/1k3K1p/8/1P6/6P1/8/p7/8 w - - 0 1");
    assert_in_range(seeded_random_move_chance(key, 40) * 1e6, 11813, 11814);
    assert_in_range(seeded_chess960_chance(key) * 1e6, 703828, 703829);
    assert_in_range(seeded_few_pieces_chance(key) * 1e6, 528739, 528740);
    assert_true(seeded_is_longer(key));
    hash = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        seeded_few_pieces(i, fen);
        hash = hash * 31 + bytes_hash(fen, strlen(fen));
    }
    assert_true(hash == 7769062993079522638u);
}

/* Neither a piece that a pawn takes, nor one that nobody guards; what is guarded or won counts. */
static void random_moves_lose_no_piece(void **state) {
    (void)state;
    static const struct {
        const char *fen, *move;
        bool is_seeded;
    } CASES[] = {{"4k3/8/8/3p4/8/8/8/4K1N1 w - - 0 1", "g1f3", true},
                 {"4k3/8/8/3p4/8/5N2/8/4K3 w - - 0 1", "f3e5", true},
                 {"4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5", false},  /* a pawn takes it */
                 {"4k3/8/4r3/8/8/5N2/8/4K3 w - - 0 1", "f3e5", false},  /* unguarded */
                 {"4k3/8/4r3/8/3P4/5N2/8/4K3 w - - 0 1", "f3e5", true}, /* guarded */
                 {"4k3/8/4r3/4b3/8/5N2/8/4K3 w - - 0 1", "f3e5", true}, /* it takes as much */
                 {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", true}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Position pos = test_position(CASES[i].fen);
        int seeded = 0;
        Move move;
        assert_ok(move_parse(&pos, text_view(CASES[i].move), &move));
        for (uint64_t key = 1; key <= 400; key++) seeded += seeded_move_of(key, 0, &pos) == move;
        if ((seeded > 0) != CASES[i].is_seeded) fail_msg("%s %s: %d", CASES[i].fen, CASES[i].move, seeded);
    }
}

/* A game without scores whose moves all come from the seed, from its first to its last move. */
static void seeded_game(uint64_t seed, uint64_t number, uint32_t attempt, RecordedGame *game) {
    const uint64_t key = seeded_key(seed, number, attempt);
    int white, black;
    char fen[FEN_CAPACITY];
    seeded_chess960(key, &white, &black);
    seeded_few_pieces(key, fen);
    if (number % 4 == 1) recorded_start_chess960(game, white, black);
    if (number % 4 == 2) assert_ok(recorded_start_fen(game, text_view(fen)));
    if (number % 4 == 3 || number % 4 == 0) recorded_start_standard(game);
    game->number = number;
    game->attempt = attempt;
    Position pos = game->start;
    for (int ply = 0; ply < 40; ply++) {
        Undo undo;
        const Move move = seeded_move_of(key, ply, &pos);
        if (move == MOVE_NONE) break;
        assert_true(recorded_add(game, move, RECORD_NO_SCORE));
        position_make_move(&pos, move, &undo);
    }
    game->result = DRAWN;
    game->end = recorded_end(END_BY_LENGTH, DRAWN, &pos);
}

/* Writes games of these numbers, reads them again, and returns the size of the file in bytes. */
static size_t size_of(const RecordOrigin *origin, uint32_t attempt, uint64_t step) {
    enum { GAMES = 200 };
    static RecordedGame game, back;
    char path[256];
    record_path("seeded", path);
    Status status;
    RecordWriter *writer = record_writer_open(path, NAME_GIVEN, NULL, &status);
    assert_non_null(writer);
    for (uint64_t i = 0; i < GAMES; i++) {
        seeded_game(5, i * step, attempt, &game);
        assert_ok(record_writer_add(writer, origin, &game));
    }
    assert_ok(record_writer_close(writer));
    RecordReader *reader = record_reader_open(path, &status);
    RecordBlock block;
    uint64_t read = 0;
    while (record_reader_next_block(reader, &block, &status))
        for (; record_reader_next_game(reader, &back, &status); read++) {
            seeded_game(5, read * step, attempt, &game);
            record_assert_same(&game, &back);
            assert_int_equal(back.attempt, attempt);
            assert_int_equal(back.number, attempt > 0 ? read * step : 0);
        }
    assert_ok(status);
    assert_int_equal(read, GAMES);
    record_reader_close(reader);
    const long long size = file_size(path);
    remove(path);
    return (size_t)size;
}

static void seeded_games_cost_next_to_nothing(void **state) {
    (void)state;
    const RecordOrigin origin = {.nodes = 9, .seed = 5}, other = {.nodes = 9, .seed = 6};
    const size_t seeded = size_of(&origin, 2, 1), plain = size_of(&origin, 0, 1);
    assert_in_range(seeded, 0, 200 * 2);
    assert_in_range(plain, 200 * 20, 200 * 40);
    assert_in_range(size_of(&origin, 2, 1000), 0, 200 * 10);  /* the number of each game */
    assert_in_range(size_of(&other, 2, 1), plain, 2 * plain); /* the seed says nothing of the games */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_never_change),
        cmocka_unit_test(random_moves_lose_no_piece),
        cmocka_unit_test(seeded_games_cost_next_to_nothing),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
