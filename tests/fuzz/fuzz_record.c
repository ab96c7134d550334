/* Game records: a block of any bytes is refused, or gives games whose every move is legal. With an even first
 * byte the checksums are put right, so that the decoder behind them is reached too. */
#include "base/bytes.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "fuzz.h"
#include "lab/record/record.h"

static void repair(uint8_t *block, size_t size) {
    if (size < RECORD_HEADER_SIZE) return;
    memcpy(block, "LuftGame", 8);
    bytes_put(block + 8, RECORD_VERSION, 4);
    bytes_put(block + 12, size - RECORD_HEADER_SIZE, 4);
    bytes_put(block + 56, bytes_hash(block + RECORD_HEADER_SIZE, size - RECORD_HEADER_SIZE), 4);
    bytes_put(block + 60, bytes_hash(block, 60), 4);
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
