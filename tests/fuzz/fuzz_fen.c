/* FEN: any bytes are refused with a reason, position untouched, or make a sound position that survives being
 * written and read again. The first byte says whether Chess960 is on. */
#include "chess/fen.h"
#include "chess/movegen.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    chess_init();
    Position before, pos;
    Status status = fen_parse(&before, text_view(FEN_START), false);
    pos = before;
    status = fen_parse(&pos, (TextView){(const char *)data + 1, size - 1}, data[0] & 1);
    if (!status_is_ok(&status)) {
        FUZZ_CHECK(memcmp(&pos, &before, sizeof pos) == 0);
        return 0;
    }
    FUZZ_CHECK(position_is_consistent(&pos));
    Move moves[MAX_MOVES];
    FUZZ_CHECK(movegen_legal(&pos, moves) == movegen_count(&pos));

    char fen[FEN_CAPACITY];
    Position again;
    FUZZ_CHECK(fen_write(&pos, fen) < FEN_CAPACITY);
    status = fen_parse(&again, text_view(fen), pos.chess960);
    FUZZ_CHECK(status_is_ok(&status));
    FUZZ_CHECK(position_equals(&pos, &again));
    return 0;
}
