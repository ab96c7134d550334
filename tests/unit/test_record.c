/* What a block of games may claim: no more games and plies than its bytes can hold. */
#include "lab/data/record.h"

#include "base/bytes.h"
#include "base/file.h"
#include "record_support.h"

enum { GAMES = 300 };

/* A game that the codec foresees: both kings go to and fro. */
static void make_dull_game(RecordedGame *game) {
    static const char *const MOVES[] = {"a1b1", "h8g8", "b1a1", "g8h8"};
    assert_ok(recorded_start_fen(game, text_view("7k/8/8/8/8/8/7P/K7 w - - 0 1")));
    Position pos = game->start;
    for (int i = 0; i < RECORD_PLIES_MAX; i++) {
        Move move;
        Undo undo;
        assert_ok(lan_parse(&pos, text_view(MOVES[i % 4]), &move));
        assert_true(recorded_add(game, move, 0));
        position_make_move(&pos, move, &undo);
    }
    game->result = DRAWN;
    game->end = recorded_end(END_BY_LENGTH, DRAWN, &pos);
}

/* Of three games one has neither tags nor a last score. */
static void make_described(uint64_t number, RecordedGame *game) {
    record_random_game(number, game);
    char name[40];
    text_format(name, sizeof name, "Zo\xC3\xAB %d of \"many\"", (int)number);
    if (number % 3 == 1) game->last_score = (int16_t)record_round_score((int)number * 9 - 700);
    if (number % 3 == 0) return;
    assert_true(recorded_add_tag(game, "White", name));
    assert_true(recorded_add_tag(game, "Date", "2024.05.06"));
    while (number == 4 && recorded_add_tag(game, "Filler", "0123456789")) {
    }
}

static Status count_game(void *context, const RecordBlock *block, RecordedGame *game) {
    (void)block;
    uint64_t *const plies = context;
    *plies += (uint64_t)game->ply_count;
    return status_ok();
}

static void the_writer_keeps_the_limit_of_expansion(void **state) {
    (void)state;
    static RecordedGame game;
    char path[256];
    Status status;
    uint64_t plies = 0;
    record_path("dull", path);
    remove(path);
    RecordWriter *writer = record_writer_open(path, NAME_GIVEN, NULL, &status);
    assert_ok(status);
    make_dull_game(&game);
    for (int i = 0; i < GAMES; i++) assert_ok(record_writer_add(writer, &(RecordOrigin){0}, &game));
    assert_ok(record_writer_close(writer));
    char *files[] = {path};
    assert_ok(record_each_game(&(WordList){.word = files, .count = 1}, count_game, &plies));
    assert_int_equal(plies, (uint64_t)GAMES * RECORD_PLIES_MAX);
    assert_true((uint64_t)file_size(path) * RECORD_EXPANSION_MAX >= plies);
    assert_true(file_size(path) * 16 < (long long)plies); /* this game does come close to the limit */
    remove(path);
}

static Status compare_described(void *context, const RecordBlock *block, RecordedGame *found) {
    static RecordedGame game;
    uint64_t *const number = context;
    make_described(*number, &game);
    record_assert_same(&game, found);
    assert_int_equal(game.last_score, found->last_score);
    assert_string_equal(game.tags, found->tags);
    if (recorded_is_described(&game)) assert_true(block->origin.flags & RECORD_DESCRIBED);
    ++*number;
    return status_ok();
}

static void games_keep_their_tags(void **state) {
    (void)state;
    static RecordedGame game;
    char path[256];
    Status status;
    uint64_t number = 0;
    record_path("tags", path);
    remove(path);
    RecordWriter *writer = record_writer_open(path, NAME_GIVEN, NULL, &status);
    assert_ok(status);
    for (uint64_t i = 0; i < GAMES; i++) {
        make_described(i, &game);
        assert_ok(record_writer_add(writer, &(RecordOrigin){.nodes = i < 8 ? 1 : 2}, &game));
    }
    assert_ok(record_writer_close(writer));
    char *files[] = {path};
    assert_ok(record_each_game(&(WordList){.word = files, .count = 1}, compare_described, &number));
    assert_int_equal(number, GAMES);
    remove(path);
}

/* The first block of a file, and the same with a number of its header changed. */
static TextBuffer read_block(const char *path) {
    TextBuffer bytes = {0};
    remove(path);
    record_write(path, 0, 8, &(RecordOrigin){.nodes = 9});
    assert_ok(file_read(path, &bytes));
    remove(path);
    return bytes;
}

static Status decode_with(TextBuffer *bytes, size_t offset, uint64_t number) {
    uint8_t *const header = (uint8_t *)bytes->data;
    const uint64_t kept = bytes_get(header + offset, 4);
    bytes_put(header + offset, number, 4);
    bytes_put(header + 60, bytes_hash(header, 60), 4);
    const Status status = record_decode_block(header, bytes->length, NULL, NULL);
    bytes_put(header + offset, kept, 4);
    return status;
}

static void impossible_claims_are_refused(void **state) {
    (void)state;
    enum { BODY = 12, HEADER_GAMES = 16, HEADER_PLIES = 20 };
    char path[256];
    record_path("claims", path);
    TextBuffer bytes = read_block(path);
    const uint64_t games = 8, plies = bytes_get((uint8_t *)bytes.data + HEADER_PLIES, 4);
    const uint64_t most = (bytes.length - RECORD_HEADER_SIZE) * RECORD_EXPANSION_MAX;
    assert_ok(decode_with(&bytes, HEADER_PLIES, plies));
    assert_ok(decode_with(&bytes, HEADER_PLIES, most - games));
    assert_fails(decode_with(&bytes, HEADER_PLIES, most - games + 1), "size is impossible");
    assert_fails(decode_with(&bytes, HEADER_PLIES, UINT32_MAX), "size is impossible");
    assert_fails(decode_with(&bytes, HEADER_GAMES, UINT32_MAX), "size is impossible");
    assert_fails(decode_with(&bytes, BODY, RECORD_BODY_MAX + 1), "size is impossible");
    assert_fails(decode_with(&bytes, HEADER_PLIES, plies - 1), "more plies than its header says");
    buffer_release(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_keep_their_tags),
        cmocka_unit_test(the_writer_keeps_the_limit_of_expansion),
        cmocka_unit_test(impossible_claims_are_refused),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
