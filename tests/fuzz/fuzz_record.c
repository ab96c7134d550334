/* Game records: a block of any bytes is refused, or gives games whose every move is legal. With an even first
 * byte the checksums are put right, so that the decoder behind them is reached too. */
#include "fuzz.h"

#include "chess/makemove.h"
#include "chess/movegen.h"
#include "lab/record/record.h"

static void put_number(uint8_t *out, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) out[i] = (uint8_t)(number >> (8 * i));
}

static uint64_t checksum(const uint8_t *bytes, size_t size) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
    return hash;
}

static void repair(uint8_t *block, size_t size) {
    if (size < RECORD_HEADER_SIZE) return;
    memcpy(block, "LuftGame", 8);
    put_number(block + 8, RECORD_VERSION, 4);
    put_number(block + 12, size - RECORD_HEADER_SIZE, 4);
    put_number(block + 56, checksum(block + RECORD_HEADER_SIZE, size - RECORD_HEADER_SIZE), 4);
    put_number(block + 60, checksum(block, 60), 4);
}

static void take_game(void *context, const RecordBlock *block, const RecordedGame *game) {
    (void)context;
    (void)block;
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chess_init();
    if (size == 0) return 0;
    uint8_t *block = malloc(size);
    if (block == NULL) return 0;
    memcpy(block, data + 1, size - 1);
    if (data[0] % 2 == 0) repair(block, size - 1);
    record_decode_block(block, size - 1, take_game, NULL);
    free(block);
    return 0;
}
