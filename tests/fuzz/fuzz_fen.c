/* FEN: any bytes are refused with a reason and leave the position unchanged, or make a valid position. A
 * valid position can be written and read again, and each legal move can be made, unmade, written and read.
 * The first byte selects Chess960. */
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "fuzz.h"
#include "nnue/evaluate.h"
#include "vary.h"

const int FUZZ_SHORT_RUN = 4000;

static Position start;
static Evaluator *evaluator;

void fuzz_begin(void) {
    chess_init();
    const Status status = fen_parse(&start, text_view(FEN_START), false);
    evaluator = evaluator_create(NULL);
    FUZZ_CHECK(status_is_ok(&status) && evaluator != NULL);
}

static void check_text(const Position *pos) {
    char fen[FEN_CAPACITY];
    Position again;
    FUZZ_CHECK(fen_write(pos, fen) < FEN_CAPACITY);
    const Status status = fen_parse(&again, text_view(fen), pos->chess960);
    FUZZ_CHECK(status_is_ok(&status));
    FUZZ_CHECK(position_equals(pos, &again));
}

static void check_words(const Position *pos, Move move) {
    char san[SAN_CAPACITY], lan[LAN_CAPACITY];
    Move read = MOVE_NONE;
    FUZZ_CHECK(san_write(pos, move, san) < SAN_CAPACITY);
    Status status = san_parse(pos, text_view(san), &read);
    FUZZ_CHECK(status_is_ok(&status) && read == move);
    lan_write(pos, move, lan);
    status = lan_parse(pos, text_view(lan), &read);
    FUZZ_CHECK(status_is_ok(&status) && read == move);
}

static void check_move(Position *pos, Move move) {
    const Position before = *pos;
    Undo undo;
    FUZZ_CHECK(movegen_is_legal(pos, move));
    check_words(pos, move);
    const bool checks = position_gives_check(pos, move);
    position_make_move(pos, move, &undo);
    FUZZ_CHECK(position_is_consistent(pos));
    FUZZ_CHECK(position_in_check(pos) == checks);
    evaluator_push(evaluator, &undo.changes);
    const int value = evaluator_value(evaluator, pos);
    FUZZ_CHECK(value >= -VALUE_MAX && value <= VALUE_MAX);
    evaluator_pop(evaluator);
    position_unmake_move(pos, move, &undo);
    FUZZ_CHECK(position_equals(pos, &before));
}

bool fuzz_input(const uint8_t *data, size_t size) {
    Position pos = start;
    if (size == 0) return false;
    const Status status = fen_parse(&pos, (TextView){(const char *)data + 1, size - 1}, data[0] & 1);
    if (!status_is_ok(&status)) {
        FUZZ_CHECK(memcmp(&pos, &start, sizeof pos) == 0);
        return false;
    }
    FUZZ_CHECK(position_is_consistent(&pos));
    check_text(&pos);
    Move moves[MAX_MOVES], part[MAX_MOVES];
    const int count = movegen_legal(&pos, moves);
    FUZZ_CHECK(count == movegen_count(&pos) && (count > 0) == movegen_has_legal(&pos));
    FUZZ_CHECK(count == movegen_noisy(&pos, part) + movegen_quiet(&pos, position_threats(&pos), part));
    evaluator_reset(evaluator, &pos);
    for (int i = 0; i < count; i++) check_move(&pos, moves[i]);
    return true;
}

void fuzz_vary(TextView input, Rng *rng, TextBuffer *out) {
    if (input.length < 2 || vary_chance(rng, 40)) {
        buffer_append_char(out, (char)rng_below(rng, 2));
        vary_fen(rng, out);
        return;
    }
    const TextView fen = {input.data + 1, input.length - 1};
    buffer_append_char(out, input.data[0]);
    if (vary_chance(rng, 85))
        vary_fen_of(fen, rng, out);
    else
        vary_bytes(fen, rng, out);
}
