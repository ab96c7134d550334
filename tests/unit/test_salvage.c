/* Every undamaged block of a damaged file is saved, and the losses are reported. */
#include "lab/data/sorting.h"

#include "base/bytes.h"
#include "base/file.h"
#include "record_support.h"

enum { BLOCKS = 4, GAMES = 5 /* of a block */ };

typedef struct Fixture {
    char in[256], out[256];
    size_t begin[BLOCKS + 1]; /* of each block, and the end */
    TextBuffer bytes;
} Fixture;

static void set_up(Fixture *fixture) {
    *fixture = (Fixture){0};
    record_path("salvage-in", fixture->in);
    record_path("salvage-out", fixture->out);
    remove(fixture->in);
    remove(fixture->out);
    Status status;
    RecordWriter *writer = record_writer_open(fixture->in, NAME_GIVEN, NULL, &status);
    RecordedGame *game = memory_allocate(sizeof *game);
    for (uint64_t i = 0; i < BLOCKS; i++) {
        fixture->begin[i] = (size_t)file_size(fixture->in);
        for (uint64_t k = 0; k < GAMES; k++) {
            record_random_game(i * GAMES + k, game);
            RecordOrigin origin = {.nodes = 9, .seed = 1, .next_game = i * GAMES + k + 1};
            assert_ok(record_writer_add(writer, &origin, game));
        }
        assert_ok(record_writer_flush(writer));
    }
    fixture->begin[BLOCKS] = (size_t)file_size(fixture->in);
    assert_ok(record_writer_close(writer));
    memory_release(game);
    assert_ok(file_read(fixture->in, &fixture->bytes));
}

static void tear_down(Fixture *fixture) {
    buffer_release(&fixture->bytes);
    remove(fixture->in);
    remove(fixture->out);
}

static SalvageReport salvage(Fixture *fixture) {
    SalvageReport report;
    assert_ok(file_write(fixture->in, fixture->bytes.data, fixture->bytes.length));
    remove(fixture->out);
    assert_ok(salvage_games(fixture->in, fixture->out, false, &report));
    return report;
}

static void test_a_whole_file_is_copied(void **state) {
    (void)state;
    Fixture fixture;
    set_up(&fixture);
    SalvageReport report = salvage(&fixture);
    assert_int_equal(report.blocks, BLOCKS);
    assert_int_equal(report.games, BLOCKS * GAMES);
    assert_int_equal(report.lost_bytes, 0);
    TextBuffer copy = {0};
    assert_ok(file_read(fixture.out, &copy));
    assert_int_equal(copy.length, fixture.bytes.length);
    assert_memory_equal(copy.data, fixture.bytes.data, copy.length);
    buffer_release(&copy);
    tear_down(&fixture);
}

static void test_a_flipped_bit_costs_its_block_only(void **state) {
    (void)state;
    for (int block = 0; block < BLOCKS; block++) {
        Fixture fixture;
        set_up(&fixture);
        fixture.bytes.data[fixture.begin[block] + RECORD_HEADER_SIZE + 3] ^= 4;
        SalvageReport report = salvage(&fixture);
        assert_int_equal(report.games, (BLOCKS - 1) * GAMES);
        assert_int_equal(report.gaps, 1);
        assert_int_equal(report.gap[0].offset, fixture.begin[block]);
        assert_int_equal(report.gap[0].bytes, fixture.begin[block + 1] - fixture.begin[block]);
        assert_int_equal(report.lost_games, GAMES); /* known from its header */
        fixture.bytes.data[fixture.begin[block] + 20] ^= 1;
        report = salvage(&fixture);
        assert_int_equal(report.games, (BLOCKS - 1) * GAMES);
        assert_int_equal(report.lost_games, 0);
        tear_down(&fixture);
    }
}

/* As if two processes wrote at once: the end of one block is inside another. */
static void test_blocks_out_of_place(void **state) {
    (void)state;
    Fixture fixture;
    set_up(&fixture);
    TextBuffer mixed = {0};
    const char *data = fixture.bytes.data;
    buffer_append_string(&mixed, "junk LuftGam");
    buffer_append(&mixed, (TextView){data, fixture.begin[1]});
    buffer_append(&mixed, (TextView){data + fixture.begin[1], 100});
    buffer_append(&mixed, (TextView){data + fixture.begin[2], fixture.begin[4] - fixture.begin[2] - 7});
    buffer_release(&fixture.bytes);
    fixture.bytes = mixed;
    SalvageReport report = salvage(&fixture);
    assert_int_equal(report.blocks, 2);
    assert_int_equal(report.gaps, 3);
    assert_int_equal(report.gap[0].bytes, 12);
    assert_int_equal(report.gap[1].bytes, 100);
    assert_int_equal(report.gap[1].games, GAMES);
    tear_down(&fixture);
}

/* A thousand headers that each claim the rest of the file cost no block, neither before nor after them. */
static void test_false_headers(void **state) {
    (void)state;
    Fixture fixture;
    set_up(&fixture);
    const size_t size = fixture.bytes.length;
    TextBuffer content = {0};
    buffer_append(&content, buffer_view(&fixture.bytes));
    for (int i = 0; i < 1000; i++)
        buffer_append(&content, (TextView){fixture.bytes.data, RECORD_HEADER_SIZE});
    buffer_append(&content, buffer_view(&fixture.bytes));
    for (size_t at = size; at < content.length - size; at += RECORD_HEADER_SIZE) {
        uint8_t *const header = (uint8_t *)content.data + at;
        bytes_put(header + 12, content.length - at - RECORD_HEADER_SIZE, 4);
        bytes_put(header + 60, bytes_hash(header, 60), 4);
    }
    buffer_release(&fixture.bytes);
    fixture.bytes = content;
    const SalvageReport report = salvage(&fixture);
    assert_int_equal(report.blocks, 2 * BLOCKS);
    tear_down(&fixture);
}

static void test_refusals(void **state) {
    (void)state;
    Fixture fixture;
    SalvageReport report;
    set_up(&fixture);
    assert_fails(salvage_games(fixture.in, fixture.in, false, &report), "is also an input");
    assert_ok(file_write(fixture.out, "thesis", 6));
    assert_fails(salvage_games(fixture.in, fixture.out, false, &report), "is not a file of games");
    assert_fails(salvage_games(fixture.out, fixture.in, false, &report), "is there already");
    remove(fixture.in);
    assert_fails(salvage_games(fixture.out, fixture.in, false, &report), "has no whole block of games");
    assert_fails(salvage_games("/no/such/file", fixture.in, false, &report), "");
    tear_down(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_whole_file_is_copied),
        cmocka_unit_test(test_a_flipped_bit_costs_its_block_only),
        cmocka_unit_test(test_blocks_out_of_place),
        cmocka_unit_test(test_false_headers),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
