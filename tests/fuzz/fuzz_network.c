/* Network files: any bytes are refused with a reason, or make a network. A network is written back byte for
 * byte, its values are within bounds, and incremental and full evaluation agree. The first byte has flags:
 *
 *   bit 0    set: keep the checksum; clear: correct it first
 *   bit 1    set: the other bytes are a recipe, a valid network and edits of its file; clear: they are the
 * file
 *
 * A recipe is width (2 bytes), buckets, king buckets, layers (1 each), seed (1), then edits of 6 bytes: where
 * (3), how (1), what (2). So a few bytes can pass every check of a file of a hundred thousand bytes. */
#include "base/bytes.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "fuzz.h"
#include "nnue/evaluate.h"
#include "nnue/network.h"
#include "vary.h"

const int FUZZ_SHORT_RUN = 100;

enum { RECIPE_SIZE = 6, EDIT_SIZE = 6, EDITS_MAX = 40, LENGTH_MAX = 80, MOVES = 20 };

void fuzz_begin(void) { chess_init(); }

static void repair(uint8_t *file, size_t size) {
    if (size < NETWORK_HEADER_SIZE) return;
    memset(file + NETWORK_HASH_OFFSET, 0, 8);
    bytes_put(file + NETWORK_HASH_OFFSET, bytes_hash(file, size), 8);
}

/* --- recipes --- */

/* Any valid shape, and sometimes an invalid one. */
static NetworkShape shape_of(const uint8_t *recipe) {
    static const int WIDE[] = {128, 256, 512, 768, 1024, 128, 256, 384};
    const unsigned number = (unsigned)bytes_get(recipe, 2), kings = recipe[3] % 32;
    const bool layers = recipe[4] % 3 == 0;
    return (NetworkShape){.width = layers ? WIDE[number % (number % 8 == 0 ? 8 : 2)] : (int)(number % 70),
                          .buckets = recipe[2] % 32 == 0  ? 3
                                     : recipe[2] % 2 == 0 ? 1
                                                          : BUCKETS_MAX,
                          .king_buckets = kings == 0   ? 9
                                          : kings < 16 ? 1
                                                       : (int)kings % 8 + 1,
                          .layers = layers ? LAYER_COUNT : 0};
}

/* Applies one edit. Small numbers keep most networks within their bounds, large ones do not. */
static void edit_file(TextBuffer *file, const uint8_t *edit) {
    uint8_t *const bytes = (uint8_t *)file->data;
    const size_t length = file->length, at = length > 0 ? bytes_get(edit, 3) % length : 0;
    const size_t header = length < 200 ? length : 200, in_header = header > 0 ? at % header : 0;
    const int number = (int)bytes_get(edit + 4, 2);
    if (length == 0) return;
    switch (edit[3] % 8) {
    case 0: bytes[in_header] = (uint8_t)number; break;
    case 1: bytes[in_header] ^= (uint8_t)(1 << number % 8); break;
    case 2: file->length = number % 4 == 0 ? at : length - (size_t)number % (length < 9 ? length : 9); break;
    case 3: buffer_append(file, (TextView){"\0\1\2", (size_t)number % 4}); break;
    case 4:
        if (length - at >= 2) bytes_put(bytes + at, (uint64_t)number, 2);
        break;
    case 5: bytes[at] ^= (uint8_t)(1 << number % 8); break;
    case 6:
        if (length - at >= 4) bytes_put(bytes + at, (uint64_t)number << 16, 4);
        break;
    default: /* one weight */
        if (length - at >= 2) bytes_put(bytes + at / 2 * 2, (uint64_t)(number % 128), 2);
    }
}

static void follow_recipe(const uint8_t *recipe, size_t size, TextBuffer *file) {
    if (size < RECIPE_SIZE) return;
    Status status;
    Network *network = network_create_random(recipe[5], shape_of(recipe), &status);
    FUZZ_CHECK((network != NULL) == status_is_ok(&status));
    if (network == NULL) return;
    network_serialise(network, file);
    network_destroy(network);
    if (file->failed) return;
    for (size_t at = RECIPE_SIZE, n = 0; at + EDIT_SIZE <= size && n < EDITS_MAX; at += EDIT_SIZE, n++)
        edit_file(file, recipe + at);
}

/* --- checks --- */

static int value_of(Evaluator *evaluator, const Position *pos) {
    const int value = evaluator_value(evaluator, pos);
    FUZZ_CHECK(value >= -VALUE_MAX && value <= VALUE_MAX);
    return value;
}

/* Plays a random game: incremental values must equal full evaluations. */
static void check_values(const Network *network) {
    Rng rng = rng_seed(network_hash(network));
    Position pos = vary_start(&rng);
    Evaluator *followed = evaluator_create(network), *afresh = evaluator_create(network);
    if (followed != NULL && afresh != NULL) {
        evaluator_reset(followed, &pos);
        for (int i = 0; i < MOVES; i++) {
            Move moves[1];
            Position before = pos;
            Undo undo;
            if (vary_play(&pos, &rng, 1, moves) == 0) break;
            position_make_move(&before, moves[0], &undo);
            evaluator_push(followed, &undo.changes);
            evaluator_reset(afresh, &pos);
            FUZZ_CHECK(value_of(followed, &pos) == value_of(afresh, &pos));
        }
    }
    evaluator_destroy(followed);
    evaluator_destroy(afresh);
}

static bool check_file(uint8_t *file, size_t size) {
    Status status = status_ok();
    Network *network = network_parse(file, size, &status);
    FUZZ_CHECK((network != NULL) == status_is_ok(&status));
    if (network == NULL) return false;
    TextBuffer written = {0};
    network_serialise(network, &written);
    FUZZ_CHECK(written.failed || (written.length == size && memcmp(written.data, file, size) == 0));
    buffer_release(&written);
    check_values(network);
    network_destroy(network);
    return true;
}

bool fuzz_input(const uint8_t *data, size_t size) {
    if (size == 0) return false;
    TextBuffer file = {0};
    if (data[0] & 2)
        follow_recipe(data + 1, size - 1, &file);
    else
        buffer_append(&file, (TextView){(const char *)data + 1, size - 1});
    bool accepted = false;
    if (file.length > 0 && !file.failed) {
        /* A copy of the exact size, so the sanitizer detects reads past its end. */
        uint8_t *const exact = malloc(file.length);
        FUZZ_CHECK(exact != NULL);
        memcpy(exact, file.data, file.length);
        if ((data[0] & 1) == 0) repair(exact, file.length);
        accepted = check_file(exact, file.length);
        free(exact);
    }
    buffer_release(&file);
    return accepted;
}

/* Appends an edit that is mostly harmless: a weight set to a small number. */
static void append_edit(Rng *rng, TextBuffer *out) {
    vary_random(rng, 3, out);
    buffer_append_char(out, (char)(vary_chance(rng, 94) ? 7 : rng_below(rng, 8)));
    vary_random(rng, 2, out);
}

void fuzz_vary(TextView input, Rng *rng, TextBuffer *out) {
    const bool recipe = input.length > RECIPE_SIZE && input.length < LENGTH_MAX && (input.data[0] & 2) != 0;
    if (input.length > 0 && !recipe && vary_chance(rng, 10)) {
        vary_bytes(input, rng, out);
    } else if (recipe && vary_chance(rng, 60)) {
        if (vary_chance(rng, 90))
            buffer_append(out, input);
        else
            vary_bytes(input, rng, out);
        append_edit(rng, out);
    } else {
        buffer_append_char(out, (char)(vary_chance(rng, 90) ? 2 : 3));
        vary_random(rng, RECIPE_SIZE, out);
        while (vary_chance(rng, 40)) append_edit(rng, out);
    }
}
