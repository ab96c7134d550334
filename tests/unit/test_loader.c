/* From games to training positions. */
#include "lab/train/loader.h"

#include "base/bytes.h"
#include "base/file.h"
#include "record_support.h"
#include "search/score.h"

#include <math.h>

static const RecordOrigin ORIGIN = {.nodes = 100};

static void test_packing_keeps_the_position(void **state) {
    (void)state;
    Rng rng = rng_seed(11);
    for (int game = 0; game < 40; game++) {
        Position pos = test_position(FEN_START);
        for (int ply = 0; ply < 150; ply++) {
            Move move = test_random_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            Undo undo;
            position_make_move(&pos, move, &undo);
            TrainingPosition packed;
            loader_pack(&pos, 120, WHITE_WINS, &packed);
            assert_int_equal(packed.score, pos.side == WHITE ? 120 : -120);
            assert_int_equal(packed.result, pos.side == WHITE ? 2 : 0);
            Position back;
            loader_unpack(&packed, &back);
            assert_int_equal(back.side, WHITE);
            for (Square square = A1; square < SQUARE_COUNT; square++) {
                bool black = pos.side == BLACK;
                unsigned piece = pos.board[black ? square_mirror_rank(square) : square];
                if (black && piece != NO_PIECE) piece ^= 1;
                assert_int_equal(back.board[square], piece);
            }
            assert_int_equal(packed.king[WHITE], position_king(&back, WHITE));
            assert_int_equal(packed.king[BLACK], position_king(&back, BLACK));
            assert_int_equal(packed.count, bits_count(position_occupied(&pos)));
        }
    }
}

static void test_filter_reports_the_reason(void **state) {
    (void)state;
    LoaderFilter filter = loader_filter_default();
    Position quiet = test_position(FEN_START);
    Position check = test_position("4k3/8/8/8/8/P7/4r3/4K3 w - - 0 1");
    Position capture = test_position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    Position promotion = test_position("4k3/P6p/8/8/8/8/8/4K3 w - - 0 1");
    RecordPly push = {move_make(E2, E4), 30};
    assert_int_equal(plyuse_find(&filter.plies, &quiet, &push, 16), PLY_USED);
    assert_int_equal(plyuse_find(&filter.plies, &quiet, &push, 15), PLY_EARLY);
    static RecordedGame game;
    recorded_start_standard(&game);
    assert_int_equal(plyuse_number_ply(&filter.plies, &game, 3), 3);
    assert_ok(recorded_start_fen(&game, text_view("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1")));
    assert_int_equal(plyuse_find(&filter.plies, &quiet, &push, plyuse_number_ply(&filter.plies, &game, 0)),
                     PLY_USED);
    assert_int_equal(plyuse_find(&filter.plies, &quiet, &(RecordPly){push.move, RECORD_NO_SCORE}, 16),
                     PLY_UNSCORED);
    assert_int_equal(plyuse_find(&filter.plies, &quiet, &(RecordPly){push.move, SCORE_MATE}, 16),
                     PLY_DECIDED);
    assert_int_equal(plyuse_find(&filter.plies, &quiet, &(RecordPly){push.move, -SCORE_MATE}, 16),
                     PLY_DECIDED);
    assert_int_equal(plyuse_find(&filter.plies, &check, &(RecordPly){move_make(E1, E2), 0}, 20),
                     PLY_IN_CHECK);
    assert_int_equal(plyuse_find(&filter.plies, &capture, &(RecordPly){move_make(E4, D5), 0}, 20), PLY_NOISY);
    assert_int_equal(plyuse_find(&filter.plies, &capture, &(RecordPly){move_make(E1, E2), 0}, 20), PLY_USED);
    RecordPly queen = {move_make_promotion(A7, A8, QUEEN), 0};
    assert_int_equal(plyuse_find(&filter.plies, &promotion, &queen, 20), PLY_NOISY);
    filter.plies.keep_noisy = filter.plies.keep_checks = true;
    assert_int_equal(plyuse_find(&filter.plies, &promotion, &queen, 20), PLY_USED);
    assert_int_equal(plyuse_find(&filter.plies, &check, &(RecordPly){move_make(E1, E2), 0}, 20), PLY_USED);
    Position alone = test_position("4k3/8/8/8/8/8/1Q6/4K3 w - - 0 1");
    assert_int_equal(plyuse_find(&filter.plies, &alone, &(RecordPly){move_make(B2, B7), 900}, 20),
                     PLY_DECIDED);
    assert_int_equal(plyuse_find(&filter.plies, &quiet, &(RecordPly){push.move, -2000}, 16), PLY_USED);
    assert_int_equal(plyuse_find(&filter.plies, &quiet, &(RecordPly){push.move, -2032}, 16),
                     PLY_DECIDED); /* hopeless */
    filter.plies.max_score = 29;
    assert_int_equal(plyuse_find(&filter.plies, &quiet, &push, 16), PLY_DECIDED);
}

static double chance(double score) { return 1 / (1 + exp(-score / 400)); }

static void test_later_scores_count(void **state) {
    (void)state;
    static RecordedGame game;
    recorded_start_standard(&game);
    assert_true(recorded_add(&game, move_make(E2, E4), RECORD_NO_SCORE));
    assert_true(recorded_add(&game, move_make(E7, E5), 80));
    assert_true(recorded_add(&game, move_make(G1, F3), -160));
    game.result = WHITE_WINS;
    int scores[3];
    LoaderFilter filter = loader_filter_default();
    filter.lambda = 0.25;
    loader_look_ahead(&game, &filter, scores);
    const double last = 0.25 + 0.75 * chance(-160), first = 0.25 * last + 0.75 * chance(80);
    assert_true(fabs(chance(scores[2]) - last) < 0.001);
    assert_true(fabs(chance(scores[1]) - first) < 0.001);
    assert_int_equal(scores[0], scores[1]); /* nothing else is known */

    /* After a random move, later scores say nothing about the position before it. */
    static RecordedGame chain;
    recorded_start_standard(&chain);
    assert_true(recorded_add(&chain, move_make(E2, E4), 80));
    assert_true(recorded_add(&chain, move_make(F7, F5), RECORD_NO_SCORE));
    assert_true(recorded_add(&chain, move_make(E4, F5), 240));
    chain.result = BLACK_WINS;
    loader_look_ahead(&chain, &filter, scores);
    assert_int_equal(scores[0], 80);
    assert_true(scores[2] < 240);

    loader_look_ahead(&game, &filter, scores);
    const int flat = scores[1];
    filter.scale = 100; /* steeper: the bad score counts more, the later win less */
    loader_look_ahead(&game, &filter, scores);
    assert_true(scores[1] < flat);
    filter.scale = 400;
    filter.lambda = 0;
    loader_look_ahead(&game, &filter, scores);
    assert_int_equal(scores[1], 80);
    assert_int_equal(scores[2], -160);
    game.result = BLACK_WINS;
    filter.lambda = 1;
    loader_look_ahead(&game, &filter, scores); /* only the result, limited to the range of scores */
    assert_true(scores[1] == scores[2] && scores[1] < -3000 && !score_is_mate(scores[1]));
    filter.scale = 10000; /* the maximum */
    loader_look_ahead(&game, &filter, scores);
    TrainingPosition packed;
    loader_pack(&game.start, scores[1], game.result, &packed);
    assert_true(packed.score < -3000 && !score_is_mate(packed.score));
}

static void test_draws_count_with_few_pieces(void **state) {
    (void)state;
    LoaderFilter filter = loader_filter_default();
    assert_true(loader_draw_share(&filter, 3) == 0);
    filter.draw_share = 0.8;
    assert_true(loader_draw_share(&filter, 3) == 0.8 && loader_draw_share(&filter, 4) == 0.8);
    assert_true(fabs(loader_draw_share(&filter, 9) - 0.4) < 1e-9);
    assert_true(loader_draw_share(&filter, 14) == 0 && loader_draw_share(&filter, 32) == 0);

    /* A bishop and the wrong rook pawn: the search says 576, the game was drawn. */
    const int tempered = loader_temper(576, DRAWN, 0.8, 400);
    assert_true(fabs(chance(tempered) - (0.8 * 0.5 + 0.2 * chance(576))) < 0.001);
    assert_int_equal(loader_temper(-576, DRAWN, 0.8, 400), -tempered);
    assert_int_equal(loader_temper(576, BLACK_WINS, 0.8, 400), tempered);
    assert_int_equal(loader_temper(-576, BLACK_WINS, 0.8, 400), -576);
    assert_int_equal(loader_temper(576, WHITE_WINS, 1, 400), 576);
    assert_int_equal(loader_temper(576, DRAWN, 1, 400), 0);
    assert_int_equal(loader_temper(576, DRAWN, 0, 400), 576);
}

/* Games as played, and their results by the tables. */
static void test_tablebases_correct_the_result_of_a_game(void **state) {
    (void)state;
    Syzygy tables = {0};
    assert_ok(syzygy_load(&tables, text_view("tests/syzygy")));
    static RecordedGame game;

    /* White takes the last black pawn and wins with the own pawn. */
    assert_ok(recorded_start_fen(&game, text_view("4k3/8/3pK3/4P3/8/8/8/8 w - - 0 1")));
    assert_true(recorded_add(&game, move_make(E6, D6), 40));
    assert_true(recorded_add(&game, move_make(E8, D8), 80));
    assert_true(recorded_add(&game, move_make(E5, E6), 896));
    assert_true(recorded_add(&game, move_make(D8, E8), RECORD_NO_SCORE));
    game.result = DRAWN;
    assert_int_equal(loader_ask_tables(&tables, &game), 1);
    assert_int_equal(game.result, WHITE_WINS);
    assert_int_equal(game.ply[0].score, 40);
    assert_int_equal(game.ply[1].score, LOADER_TABLE_WIN);
    assert_int_equal(game.ply[2].score, 896);
    assert_int_equal(game.ply[3].score, RECORD_NO_SCORE);

    /* A rook pawn does not win here. */
    assert_ok(recorded_start_fen(&game, text_view("7k/8/7K/7P/8/8/8/8 b - - 0 1")));
    assert_true(recorded_add(&game, move_make(H8, G8), 576));
    game.result = BLACK_WINS;
    assert_int_equal(loader_ask_tables(&tables, &game), 0);
    assert_int_equal(game.result, DRAWN);
    assert_int_equal(game.ply[0].score, 0);

    recorded_start_standard(&game);
    assert_true(recorded_add(&game, move_make(E2, E4), 24));
    game.result = BLACK_WINS;
    assert_int_equal(loader_ask_tables(&tables, &game), 1);
    assert_int_equal(game.result, BLACK_WINS);
    assert_int_equal(game.ply[0].score, 24);
    assert_ok(syzygy_load(&tables, text_view("")));
}

static LoaderFilter everything(void) {
    LoaderFilter filter = loader_filter_default();
    filter.plies.min_ply = 0;
    filter.plies.keep_checks = filter.plies.keep_noisy = true;
    filter.validation = 0.2;
    return filter;
}

/* A checksum that ignores the order, but depends on every position. */
static uint64_t fingerprint(const TrainingPosition *positions, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += bytes_hash(&positions[i], sizeof positions[i]);
    return sum;
}

static void test_parts_are_disjoint_and_complete(void **state) {
    (void)state;
    char path[256], second[256];
    record_path("parts", path);
    record_path("parts2", second);
    record_write(path, 0, 20, &ORIGIN);
    record_write(path, 20, 50, &ORIGIN);
    record_write(second, 50, 90, &ORIGIN);
    char *paths[] = {path, second};
    LoaderFilter filter = everything();
    TrainingSet whole, part;
    long long torn;
    assert_ok(loader_read(NULL, paths, 2, &filter, &whole, &torn));
    assert_true(whole.validation > 0);
    uint64_t training = 0, sum = 0;
    filter.parts = 3;
    for (filter.part = 0; filter.part < filter.parts; filter.part++) {
        assert_ok(loader_read(NULL, paths, 2, &filter, &part, &torn));
        assert_int_equal(part.games, whole.games); /* read */
        assert_true(part.training > whole.training / 6);
        assert_int_equal(part.validation, filter.part == 0 ? whole.validation : 0);
        training += part.training;
        sum += fingerprint(part.positions, part.training);
        loader_release(&part);
    }
    assert_int_equal(training, whole.training);
    assert_true(sum == fingerprint(whole.positions, whole.training));
    loader_release(&whole);
}

static void test_reads_all_splits_by_game_and_shuffles(void **state) {
    (void)state;
    enum { GAMES = 120 };
    char path[256], second[256];
    record_path("loader", path);
    record_path("loader2", second);
    record_write(path, 0, 40, &ORIGIN);
    record_write(path, 40, 80, &ORIGIN); /* another block */
    record_write(second, 80, GAMES, &ORIGIN);
    char *paths[] = {path, second};
    LoaderFilter filter = everything();
    TrainingSet set, again, other;
    long long torn;
    assert_ok(loader_read(NULL, paths, 2, &filter, &set, &torn));
    assert_int_equal(torn, 0);
    assert_int_equal(set.games, GAMES);

    /* Counts the same positions in a slow way. */
    static RecordedGame game;
    size_t expected = 0;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < GAMES; i++) {
        record_random_game(i, &game);
        Position pos = game.start;
        for (int ply = 0; ply < game.ply_count; ply++) {
            Undo undo;
            expected += plyuse_find(&filter.plies, &pos, &game.ply[ply],
                                    plyuse_number_ply(&filter.plies, &game, ply)) == PLY_USED;
            position_make_move(&pos, game.ply[ply].move, &undo);
        }
    }
    assert_int_equal(set.training + set.validation, expected);
    assert_true(set.validation > expected / 20 && set.validation < expected / 2);
    for (size_t i = 0; i < set.training; i++) assert_int_equal(set.positions[i].validation, 0);
    for (size_t i = set.training; i < expected; i++) assert_int_equal(set.positions[i].validation, 1);

    /* A seed gives one order, another seed another. */
    sum = fingerprint(set.positions, expected);
    assert_ok(loader_read(NULL, paths, 2, &filter, &again, &torn));
    assert_memory_equal(set.positions, again.positions, expected * sizeof *set.positions);
    filter.validation = 0;
    assert_ok(loader_read(NULL, paths, 2, &filter, &other, &torn));
    assert_int_equal(other.training, expected);
    for (size_t i = 0; i < expected; i++) set.positions[i].validation = 0;
    assert_true(fingerprint(set.positions, expected) == fingerprint(other.positions, expected));
    assert_true(sum != fingerprint(other.positions, expected));
    size_t neighbours = 0;
    filter.seed = 2;
    loader_release(&again);
    assert_ok(loader_read(NULL, paths, 2, &filter, &again, &torn));
    assert_true(fingerprint(again.positions, expected) == fingerprint(other.positions, expected));
    for (size_t i = 0; i < expected; i++)
        neighbours += memcmp(&again.positions[i], &other.positions[i], sizeof *again.positions) == 0;
    assert_true(neighbours < expected / 20);

    /* Labels that include the result differ, but the statistics of the scores do not change. */
    filter.lambda = 1;
    loader_release(&again);
    assert_ok(loader_read(NULL, paths, 2, &filter, &again, &torn));
    assert_true(fingerprint(again.positions, expected) != fingerprint(other.positions, expected));
    assert_true(other.agreeing > 0 && other.agreeing < other.decided);
    assert_true(again.decided == other.decided && again.agreeing == other.agreeing);

    /* The moves of a game decide whether it is kept for validation, whatever the files, their order and the
     * seed. */
    filter = everything();
    filter.seed = 3;
    char *turned[] = {second, path};
    loader_release(&again);
    assert_ok(loader_read(NULL, turned, 2, &filter, &again, &torn));
    assert_int_equal(again.validation, set.validation);
    for (size_t i = 0; i < expected; i++) set.positions[i].validation = i >= set.training;
    assert_true(fingerprint(again.positions + again.training, again.validation) ==
                fingerprint(set.positions + set.training, set.validation));
    loader_release(&again);
    assert_ok(loader_read(NULL, turned, 1, &filter, &again, &torn));
    assert_true(again.validation > 0 && again.validation < set.validation);

    filter = everything();
    filter.validation = 0;
    filter.max_positions = 100;
    loader_release(&again);
    assert_ok(loader_read(NULL, paths, 2, &filter, &again, &torn));
    assert_int_equal(again.training, 100);
    loader_release(&set);
    loader_release(&again);
    loader_release(&other);
    remove(path);
    remove(second);
}

static void test_positions_are_skipped_by_their_pieces(void **state) {
    (void)state;
    assert_true(loader_weight(2) == 0 && loader_weight(8) == 0.45 && loader_weight(16) == 1);
    assert_true(loader_weight(24) == 0.95 && loader_weight(32) == 0.75 &&
                fabs(loader_weight(12) - 0.725) < 1e-9);
    char path[256];
    record_path("weights", path);
    record_write(path, 0, 100, &ORIGIN);
    char *paths[] = {path};
    LoaderFilter filter = everything();
    TrainingSet all, some, again;
    long long torn;
    assert_ok(loader_read(NULL, paths, 1, &filter, &all, &torn));
    double expected = 0;
    for (size_t i = 0; i < all.training; i++) expected += loader_weight(all.positions[i].count);
    filter.skip_by_pieces = 1;
    assert_ok(loader_read(NULL, paths, 1, &filter, &some, &torn));
    const double root = sqrt((double)all.training);
    assert_true(fabs((double)some.training - expected) < root && (double)all.training - expected > 4 * root);
    assert_true(some.validation == all.validation);
    filter.seed = 9;
    assert_ok(loader_read(NULL, paths, 1, &filter, &again, &torn));
    assert_true(fingerprint(some.positions, some.training) == fingerprint(again.positions, again.training));
    loader_release(&all);
    loader_release(&some);
    loader_release(&again);
    remove(path);
}

static void test_bad_files_are_named(void **state) {
    (void)state;
    char path[256];
    record_path("none", path);
    char *paths[] = {path};
    LoaderFilter filter = everything();
    TrainingSet set;
    long long torn;
    assert_fails(loader_read(NULL, paths, 1, &filter, &set, &torn), path);
    assert_null(set.positions);
    Status status;
    assert_ok(record_writer_close(record_writer_open(path, NAME_GIVEN, NULL, &status)));
    assert_fails(loader_read(NULL, paths, 1, &filter, &set, &torn), "no games");
    remove(path);
}

static void damage_first_body(const char *path) {
    TextBuffer bytes = {0};
    assert_ok(file_read(path, &bytes));
    bytes.data[RECORD_HEADER_SIZE + 5] ^= 1;
    assert_ok(file_write(path, bytes.data, bytes.length));
    buffer_release(&bytes);
}

/* Whatever the threads, and whoever comes first. */
static void test_the_first_damaged_block_is_reported(void **state) {
    (void)state;
    char first[256], second[256];
    record_path("damaged1", first);
    record_path("damaged2", second);
    record_write(first, 0, 40, &ORIGIN);
    record_write(second, 40, 50, &ORIGIN);
    damage_first_body(first);
    damage_first_body(second);
    char *paths[] = {first, second};
    const LoaderFilter filter = everything();
    for (int threads = 1; threads <= 3; threads++) {
        TrainingSet set;
        long long torn;
        Crew crew = {0};
        crew_begin(&crew);
        assert_ok(crew_keep_threads(&crew, threads));
        assert_fails(loader_read(&crew, paths, 2, &filter, &set, &torn), first);
        assert_null(set.positions);
        crew_end(&crew);
    }
    remove(first);
    remove(second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing_keeps_the_position),
        cmocka_unit_test(test_filter_reports_the_reason),
        cmocka_unit_test(test_later_scores_count),
        cmocka_unit_test(test_draws_count_with_few_pieces),
        cmocka_unit_test(test_tablebases_correct_the_result_of_a_game),
        cmocka_unit_test(test_parts_are_disjoint_and_complete),
        cmocka_unit_test(test_reads_all_splits_by_game_and_shuffles),
        cmocka_unit_test(test_positions_are_skipped_by_their_pieces),
        cmocka_unit_test(test_bad_files_are_named),
        cmocka_unit_test(test_the_first_damaged_block_is_reported),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
