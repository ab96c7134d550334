/* Game files: a block of any bytes, or a file of such blocks, is refused or gives games with legal moves
 * only. The first byte has flags:
 *
 *   bit 0    set: keep checksums; clear: correct them first
 *   bit 1    set: the other bytes are a recipe, games to encode and edits of the block; clear: they are the
 *            block
 *
 * A recipe is the number of games (1 byte) and for each its start, length, scores and end, seed (1 each);
 * then edits of 4 bytes: where (2), how (1), what (1). A block without edits gives the encoded games. */
#include "base/bytes.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "fuzz.h"
#include "lab/data/codec.h"
#include "lab/data/record.h"
#include "vary.h"

#include <sys/mman.h>
#include <unistd.h>

const int FUZZ_SHORT_RUN = 400;

enum { GAME_SIZE = 4, EDIT_SIZE = 4, EDITS_MAX = 40 };

static RecordCodec *codec;

void fuzz_begin(void) {
    chess_init();
    codec = codec_create();
    FUZZ_CHECK(codec != NULL);
}

/* --- recipes --- */

static void make_game(const uint8_t *recipe, RecordedGame *game) {
    Rng rng = rng_seed(recipe[3]);
    const int plies = recipe[1];
    if (recipe[0] % 3 == 0) {
        recorded_start_standard(game);
    } else if (recipe[0] % 3 == 1) {
        recorded_start_chess960(game, (int)rng_below(&rng, 960), (int)rng_below(&rng, 960));
    } else {
        Position pos = vary_start(&rng);
        char fen[FEN_CAPACITY];
        vary_play(&pos, &rng, (int)rng_below(&rng, 100), NULL);
        fen_write(&pos, fen);
        const Status status = recorded_start_fen(game, text_view(fen));
        FUZZ_CHECK(status_is_ok(&status));
    }
    game->attempt = recipe[0] / 3 % 4;
    if (game->attempt > 0) game->number = recipe[2];
    Position pos = game->start;
    for (int i = 0, score = 0; i < plies; i++) {
        Move move;
        if (vary_play(&pos, &rng, 1, &move) == 0) break;
        score = recipe[2] > 200 ? (int)rng_below(&rng, 65000) - 32500 : score + (int)rng_below(&rng, 80) - 40;
        const int rounded = vary_chance(&rng, 5) ? RECORD_NO_SCORE : record_round_score(score);
        FUZZ_CHECK(recorded_add(game, move, rounded));
    }
    game->result = (GameResult)(BLACK_WINS + recipe[2] % 3);
    game->end = recorded_end((EndKind)(recipe[2] / 4 % END_KINDS), game->result, &pos);
}

static bool same_game(const RecordedGame *a, const RecordedGame *b) {
    if (a->ply_count != b->ply_count || a->result != b->result || a->end != b->end ||
        a->attempt != b->attempt || a->number != b->number || !position_equals(&a->start, &b->start))
        return false;
    for (int i = 0; i < a->ply_count; i++)
        if (a->ply[i].move != b->ply[i].move || a->ply[i].score != b->ply[i].score) return false;
    return true;
}

/* Checks that decoding gives the encoded games. */
static void check_decoding(const RecordBlock *block, const uint8_t *body, const uint8_t *recipe) {
    static RecordedGame made, found;
    RangeCoder coder;
    range_begin_reading(&coder, body, block->body_size);
    codec_reset(codec, CODEC_SEEDED | CODEC_KEEN, 0);
    for (uint32_t i = 0; i < block->games; i++) {
        make_game(recipe + i * GAME_SIZE, &made);
        const Status status = codec_decode(codec, &coder, &found);
        FUZZ_CHECK(status_is_ok(&status) && same_game(&made, &found));
    }
}

static void put_header(uint8_t *bytes, const RecordBlock *block) {
    memcpy(bytes, RECORD_MAGIC, sizeof RECORD_MAGIC);
    bytes_put(bytes + 8, RECORD_VERSION, 4);
    bytes_put(bytes + 12, block->body_size, 4);
    bytes_put(bytes + 16, block->games, 4);
    bytes_put(bytes + 20, block->plies, 4);
}

static void edit_block(TextBuffer *bytes, const uint8_t *edit) {
    uint8_t *const data = (uint8_t *)bytes->data;
    const size_t length = bytes->length, at = bytes_get(edit, 2) % length;
    switch (edit[2] % 6) {
    case 0: data[at] ^= (uint8_t)(1 << edit[3] % 8); break;
    case 1: data[at % RECORD_HEADER_SIZE] = edit[3]; break;
    case 2: bytes->length = at < RECORD_HEADER_SIZE ? length : at; break;
    case 3: buffer_append(bytes, (TextView){(const char *)edit, EDIT_SIZE}); break;
    default: data[RECORD_HEADER_SIZE + at % (length - RECORD_HEADER_SIZE)] = edit[3];
    }
}

static void follow_recipe(const uint8_t *recipe, size_t size, TextBuffer *bytes) {
    static RecordedGame game;
    static const char EMPTY[RECORD_HEADER_SIZE] = {0};
    const size_t games = size > 0 ? recipe[0] % 4 + 1u : 0;
    if (size < 1 + games * GAME_SIZE) return;
    RecordBlock block = {.games = (uint32_t)games};
    RangeCoder coder;
    buffer_append(bytes, (TextView){EMPTY, sizeof EMPTY});
    range_begin_writing(&coder, bytes);
    codec_reset(codec, CODEC_SEEDED | CODEC_KEEN, 0);
    for (size_t i = 0; i < games; i++) {
        make_game(recipe + 1 + i * GAME_SIZE, &game);
        codec_encode(codec, &coder, &game);
        block.plies += (uint32_t)game.ply_count;
    }
    range_end_writing(&coder);
    FUZZ_CHECK(!bytes->failed);
    block.body_size = (uint32_t)(bytes->length - RECORD_HEADER_SIZE);
    put_header((uint8_t *)bytes->data, &block);
    check_decoding(&block, (uint8_t *)bytes->data + RECORD_HEADER_SIZE, recipe + 1);
    size_t at = 1 + games * GAME_SIZE;
    for (int n = 0; at + EDIT_SIZE <= size && n < EDITS_MAX; n++, at += EDIT_SIZE)
        if (bytes->length > RECORD_HEADER_SIZE) edit_block(bytes, recipe + at);
}

/* --- checks --- */

static void repair(uint8_t *block, size_t size) {
    if (size < RECORD_HEADER_SIZE) return;
    memcpy(block, RECORD_MAGIC, sizeof RECORD_MAGIC);
    bytes_put(block + 8, RECORD_VERSION, 4);
    bytes_put(block + 12, size - RECORD_HEADER_SIZE, 4);
    bytes_put(block + 56, bytes_hash(block + RECORD_HEADER_SIZE, size - RECORD_HEADER_SIZE), 4);
    bytes_put(block + 60, bytes_hash(block, 60), 4);
}

static void check_game(const RecordedGame *game) {
    Position pos = game->start;
    FUZZ_CHECK(game->ply_count >= 0 && game->ply_count <= RECORD_PLIES_MAX);
    FUZZ_CHECK(position_is_consistent(&pos));
    for (int i = 0; i < game->ply_count; i++) {
        Undo undo;
        FUZZ_CHECK(movegen_is_legal(&pos, game->ply[i].move));
        FUZZ_CHECK(record_round_score(game->ply[i].score) == game->ply[i].score);
        position_make_move(&pos, game->ply[i].move, &undo);
    }
}

static Status take_game(void *context, const RecordBlock *block, RecordedGame *game) {
    (void)block;
    ++*(int *)context;
    check_game(game);
    return status_ok();
}

/* Tests a file with the block twice and half of it once more. */
static void check_file(const uint8_t *block, size_t size, int games, bool is_sound) {
    static RecordedGame game;
    char path[64];
    Status status;
    const int handle = memfd_create("games", MFD_CLOEXEC);
    FUZZ_CHECK(handle >= 0);
    FUZZ_CHECK(write(handle, block, size) == (ssize_t)size && write(handle, block, size) == (ssize_t)size);
    FUZZ_CHECK(write(handle, block, size / 2) == (ssize_t)(size / 2));
    text_format(path, sizeof path, "/proc/self/fd/%d", handle);
    RecordReader *reader = record_reader_open(path, &status);
    FUZZ_CHECK(reader != NULL);
    RecordBlock found;
    int count = 0;
    while (record_reader_next_block(reader, &found, &status))
        for (; record_reader_next_game(reader, &game, &status); count++) check_game(&game);
    if (is_sound) FUZZ_CHECK(count == 2 * games);
    record_reader_close(reader);
    close(handle);
}

bool fuzz_input(const uint8_t *data, size_t size) {
    if (size == 0) return false;
    TextBuffer bytes = {0};
    if (data[0] & 2)
        follow_recipe(data + 1, size - 1, &bytes);
    else
        buffer_append(&bytes, (TextView){(const char *)data + 1, size - 1});
    int games = 0;
    if (bytes.length > 0) {
        /* A copy of the exact size, so the sanitizer detects reads past its end. */
        uint8_t *const block = malloc(bytes.length);
        FUZZ_CHECK(block != NULL);
        memcpy(block, bytes.data, bytes.length);
        if ((data[0] & 1) == 0) repair(block, bytes.length);
        const Status status = record_decode_block(block, bytes.length, take_game, &games);
        check_file(block, bytes.length, games, status_is_ok(&status));
        free(block);
    }
    buffer_release(&bytes);
    return games > 0;
}

void fuzz_vary(TextView input, Rng *rng, TextBuffer *out) {
    const bool recipe = input.length > 0 && (input.data[0] & 2) != 0;
    const int how = input.length == 0 ? 9 : (int)rng_below(rng, 10);
    if (how < 3 && recipe) {
        buffer_append(out, input);
        vary_random(rng, EDIT_SIZE, out);
    } else if (how < 6) {
        vary_bytes(input, rng, out);
    } else {
        const int games = (int)rng_below(rng, 4);
        buffer_append_char(out, (char)(vary_chance(rng, 90) ? 2 : 3));
        buffer_append_char(out, (char)games);
        vary_random(rng, (games + 1) * GAME_SIZE, out);
        while (vary_chance(rng, 40)) vary_random(rng, EDIT_SIZE, out);
    }
}
