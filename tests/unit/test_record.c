/* Files of game records: whatever goes in comes out, whatever breaks is found. */
#include "base/file.h"
#include "lab/record/rangecoder.h"
#include "record_support.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

static const RecordOrigin ORIGIN = {.net_hash = 0x123456789ABCDEFu, .seed = 7, .next_game = 40, .nodes = 200};

/* --- the coder --- */

static void test_coder_returns_what_it_was_given(void **state) {
    (void)state;
    enum { COUNT = 20000, CONTEXTS = 7 };
    AdaptiveBit contexts[CONTEXTS];
    TextBuffer bytes = {0};
    RangeEncoder encoder;
    adaptive_init(contexts, CONTEXTS);
    range_encoder_start(&encoder, &bytes);
    Rng rng = rng_seed(3);
    for (int i = 0; i < COUNT; i++) {
        const uint32_t size = 1 + (uint32_t)rng_below(&rng, i % 5 == 0 ? 65536 : 40);
        range_encode(&encoder, &contexts[i % CONTEXTS],
                     rng_below(&rng, 1 + (uint64_t)(i % CONTEXTS) * 9) != 0);
        range_encode_uniform(&encoder, (uint32_t)rng_below(&rng, size), size);
    }
    range_encoder_finish(&encoder);
    RangeDecoder decoder;
    adaptive_init(contexts, CONTEXTS);
    range_decoder_start(&decoder, (const uint8_t *)bytes.data, bytes.length);
    rng = rng_seed(3);
    for (int i = 0; i < COUNT; i++) {
        const uint32_t size = 1 + (uint32_t)rng_below(&rng, i % 5 == 0 ? 65536 : 40);
        const bool bit = rng_below(&rng, 1 + (uint64_t)(i % CONTEXTS) * 9) != 0;
        assert_int_equal(range_decode(&decoder, &contexts[i % CONTEXTS]), bit);
        assert_int_equal(range_decode_uniform(&decoder, size), rng_below(&rng, size));
    }
    assert_false(decoder.overrun);
    assert_ptr_equal(decoder.data, decoder.end);
    buffer_release(&bytes);
}

static void test_coder_learns(void **state) {
    (void)state;
    AdaptiveBit context;
    TextBuffer bytes = {0};
    RangeEncoder encoder;
    adaptive_init(&context, 1);
    range_encoder_start(&encoder, &bytes);
    for (int i = 0; i < 8000; i++) range_encode(&encoder, &context, true);
    range_encoder_finish(&encoder);
    assert_true(bytes.length < 30); /* a thousand bytes if it did not */
    buffer_release(&bytes);
}

/* --- scores --- */

static void test_scores_are_rounded_once(void **state) {
    (void)state;
    int last = -SCORE_MATE - 1;
    for (int score = -SCORE_MATE; score <= SCORE_MATE; score++) {
        const int rounded = record_round_score(score);
        assert_int_equal(record_round_score(rounded), rounded);
        assert_int_equal(record_round_score(-score), -rounded);
        assert_true(rounded >= last);
        assert_int_equal(score_is_mate(rounded), score_is_mate(score));
        if (!score_is_mate(score)) assert_true(abs(rounded - score) <= 4 + abs(score) / 16);
        last = rounded;
    }
    assert_int_equal(record_round_score(0), 0);
    assert_int_equal(record_round_score(RECORD_NO_SCORE), RECORD_NO_SCORE);
    for (int level = -RECORD_LEVEL_MATE; level <= RECORD_LEVEL_MATE; level++)
        assert_int_equal(record_score_to_level(record_level_to_score(level)), level);
}

/* --- files --- */

static void test_games_come_back(void **state) {
    (void)state;
    enum { GAMES = 60 };
    static RecordedGame game, expected;
    char path[256];
    record_path("back", path);
    record_write(path, 0, GAMES, &ORIGIN);
    Status status;
    RecordReader *reader = record_reader_open(path, &status);
    RecordBlock block;
    assert_ok(status);
    assert_true(record_reader_next_block(reader, &block, &status));
    assert_int_equal(block.games, GAMES);
    assert_true(block.origin.net_hash == ORIGIN.net_hash && block.origin.seed == 7);
    assert_true(block.origin.next_game == 40 && block.origin.nodes == 200 && block.origin.flags == 0);
    uint32_t plies = 0;
    for (uint64_t i = 0; i < GAMES; i++) {
        assert_true(record_reader_next_game(reader, &game, &status));
        record_random_game(i, &expected);
        record_assert_same(&game, &expected);
        plies += (uint32_t)game.ply_count;
    }
    assert_int_equal(plies, block.plies);
    assert_false(record_reader_next_game(reader, &game, &status));
    assert_ok(status);
    assert_false(record_reader_next_block(reader, &block, &status));
    assert_ok(status);
    assert_int_equal(record_reader_torn(reader), 0);
    record_reader_close(reader);
    remove(path);
}

static void test_another_origin_is_another_block(void **state) {
    (void)state;
    static RecordedGame game;
    char path[256];
    record_path("origins", path);
    RecordOrigin second = ORIGIN;
    second.nodes = 500;
    Status status;
    RecordWriter *writer = record_writer_open(path, NULL, &status);
    assert_ok(status);
    for (uint64_t i = 0; i < 9; i++) {
        record_random_game(i, &game);
        assert_ok(record_writer_add(writer, i % 9 < 4 ? &ORIGIN : &second, &game));
    }
    assert_ok(record_writer_close(writer));
    RecordReader *reader = record_reader_open(path, &status);
    RecordBlock block;
    assert_true(record_reader_next_block(reader, &block, &status));
    assert_int_equal(block.games, 4);
    assert_int_equal(block.origin.nodes, 200);
    assert_true(
        record_reader_next_block(reader, &block, &status)); /* without reading the first one's games */
    assert_int_equal(block.games, 5);
    assert_int_equal(block.origin.nodes, 500);
    assert_true(record_reader_next_game(reader, &game, &status));
    record_reader_close(reader);
    remove(path);
}

/* Games of a file and its torn bytes; the reason of damage in *status. */
static uint64_t count_games(const char *path, long long *torn, Status *status) {
    static RecordedGame game;
    uint64_t games = 0;
    RecordReader *reader = record_reader_open(path, status);
    RecordBlock block;
    *torn = 0;
    if (reader == NULL) return 0;
    while (record_reader_next_block(reader, &block, status)) {
        while (record_reader_next_game(reader, &game, status)) games++;
        if (!status_is_ok(status)) break;
    }
    *torn = record_reader_torn(reader);
    record_reader_close(reader);
    return games;
}

static void test_torn_end_is_dropped(void **state) {
    (void)state;
    char path[256];
    record_path("torn", path);
    record_write(path, 0, 20, &ORIGIN);
    const long long whole = file_size(path);
    record_write(path, 20, 25, &ORIGIN);
    TextBuffer bytes = {0};
    assert_ok(file_read(path, &bytes));
    for (size_t cut = (size_t)whole; cut < bytes.length; cut++) {
        long long torn;
        Status status;
        assert_ok(file_write(path, bytes.data, cut));
        assert_int_equal(count_games(path, &torn, &status), 20);
        assert_ok(status);
        assert_int_equal(torn, (long long)cut - whole);
    }
    /* The length may have reached the disk before the content. */
    memset(bytes.data + whole, 0, bytes.length - (size_t)whole);
    long long torn;
    Status status;
    assert_ok(file_write(path, bytes.data, bytes.length));
    assert_int_equal(count_games(path, &torn, &status), 20);
    assert_ok(status);
    /* A writer cuts it off and goes on behind the last whole block. */
    RecordWriter *writer = record_writer_open(path, &torn, &status);
    assert_ok(status);
    assert_int_equal(torn, (long long)bytes.length - whole);
    assert_int_equal(record_writer_size(writer), whole);
    assert_ok(record_writer_close(writer));
    record_write(path, 20, 25, &ORIGIN);
    assert_int_equal(count_games(path, &torn, &status), 25);
    assert_int_equal(torn, 0);
    buffer_release(&bytes);
    remove(path);
}

static void test_torn_content_of_full_length_is_dropped(void **state) {
    (void)state;
    char path[256];
    record_path("content", path);
    record_write(path, 0, 20, &ORIGIN);
    record_write(path, 20, 25, &ORIGIN);
    TextBuffer bytes = {0};
    assert_ok(file_read(path, &bytes));
    bytes.data[bytes.length - 1] = (char)(bytes.data[bytes.length - 1] ^ 1);
    assert_ok(file_write(path, bytes.data, bytes.length));
    long long torn;
    Status status;
    assert_int_equal(count_games(path, &torn, &status), 20);
    assert_ok(status);
    assert_true(torn > 0);
    buffer_release(&bytes);
    remove(path);
}

static void test_damage_is_named_with_its_offset(void **state) {
    (void)state;
    char path[256], expected[64];
    record_path("damage", path);
    record_write(path, 0, 5, &ORIGIN);
    const long long second = file_size(path);
    record_write(path, 5, 10, &ORIGIN);
    record_write(path, 10, 15, &ORIGIN);
    TextBuffer bytes = {0};
    assert_ok(file_read(path, &bytes));
    snprintf(expected, sizeof expected, "offset %lld", second);
    const size_t places[] = {0, 8, 12, 40, RECORD_HEADER_SIZE - 1, RECORD_HEADER_SIZE + 10};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const size_t place = (size_t)second + places[i];
        long long torn;
        Status status;
        bytes.data[place] = (char)(bytes.data[place] ^ 0x40);
        assert_ok(file_write(path, bytes.data, bytes.length));
        assert_int_equal(count_games(path, &torn, &status), 5);
        assert_fails(status, expected);
        assert_int_equal(torn, 0);
        bytes.data[place] = (char)(bytes.data[place] ^ 0x40);
    }
    buffer_release(&bytes);
    remove(path);
}

static void test_foreign_files_are_refused_and_kept(void **state) {
    (void)state;
    char path[256];
    record_path("foreign", path);
    const char *contents[] = {
        "hello", "[Event \"a file of games, but in another format, and long enough for a header\"]"};
    for (int i = 0; i < 2; i++) {
        long long torn;
        Status status;
        assert_ok(file_write(path, contents[i], strlen(contents[i])));
        assert_int_equal(count_games(path, &torn, &status), 0);
        assert_fails(status, "no block of game records");
        assert_null(record_writer_open(path, NULL, &status));
        assert_fails(status, "no block of game records");
        assert_int_equal(file_size(path), (long long)strlen(contents[i]));
    }
    remove(path);
    Status status;
    assert_null(record_reader_open(path, &status));
    assert_fails(status, "No such file");
    assert_null(record_reader_open("/tmp", &status));
    assert_fails(status, "regular file");
}

static void test_full_disk_keeps_the_whole_blocks(void **state) {
    (void)state;
    static RecordedGame game;
    char path[256];
    record_path("full", path);
    record_write(path, 0, 10, &ORIGIN);
    long long whole = file_size(path), torn;
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = (rlim_t)whole + 100;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    Status status;
    RecordWriter *writer = record_writer_open(path, NULL, &status);
    assert_ok(status);
    setrlimit(RLIMIT_FSIZE, &limit);
    for (uint64_t i = 0; i < 10; i++) {
        record_random_game(i, &game);
        assert_ok(record_writer_add(writer, &ORIGIN, &game));
    }
    status = record_writer_flush(writer);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, old);
    assert_fails(status, "cannot write");
    assert_fails(record_writer_add(writer, &ORIGIN, &game), "failed earlier");
    (void)record_writer_close(writer);
    assert_int_equal(file_size(path), whole);
    assert_int_equal(count_games(path, &torn, &status), 10);
    remove(path);
}

static void count_taken(void *context, const RecordBlock *block, const RecordedGame *game) {
    (void)game;
    assert_int_equal(block->games, 12);
    ++*(int *)context;
}

static void test_a_block_decodes_from_memory(void **state) {
    (void)state;
    char path[256];
    record_path("memory", path);
    record_write(path, 0, 12, &ORIGIN);
    TextBuffer bytes = {0};
    int taken = 0;
    assert_ok(file_read(path, &bytes));
    assert_ok(record_decode_block((const uint8_t *)bytes.data, bytes.length, count_taken, &taken));
    assert_int_equal(taken, 12);
    assert_fails(record_decode_block((const uint8_t *)bytes.data, bytes.length - 1, NULL, NULL), "size");
    bytes.data[RECORD_HEADER_SIZE]++;
    assert_fails(record_decode_block((const uint8_t *)bytes.data, bytes.length, NULL, NULL), "checksum");
    buffer_release(&bytes);
    remove(path);
}

static void test_a_game_has_room_for_so_many_plies(void **state) {
    (void)state;
    static RecordedGame game;
    recorded_start_standard(&game);
    for (int i = 0; i < RECORD_PLIES_MAX; i++) assert_true(recorded_add(&game, MOVE_NONE, 0));
    assert_false(recorded_add(&game, MOVE_NONE, 0));
    assert_fails(recorded_start_fen(&game, text_view("nonsense")), "");
    assert_int_equal(game.ply_count, RECORD_PLIES_MAX); /* untouched by the failure */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coder_returns_what_it_was_given),
        cmocka_unit_test(test_coder_learns),
        cmocka_unit_test(test_scores_are_rounded_once),
        cmocka_unit_test(test_games_come_back),
        cmocka_unit_test(test_another_origin_is_another_block),
        cmocka_unit_test(test_torn_end_is_dropped),
        cmocka_unit_test(test_torn_content_of_full_length_is_dropped),
        cmocka_unit_test(test_damage_is_named_with_its_offset),
        cmocka_unit_test(test_foreign_files_are_refused_and_kept),
        cmocka_unit_test(test_full_disk_keeps_the_whole_blocks),
        cmocka_unit_test(test_a_block_decodes_from_memory),
        cmocka_unit_test(test_a_game_has_room_for_so_many_plies),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
