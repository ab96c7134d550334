#include "store/row.h"

#include "base/bits.h"
#include "base/bytes.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/san.h"

#include <string.h>

/* --- the position --- */

enum { PIECES_AT = 8, SIDE_AT = 24, CLOCK_AT = 25, CASTLING_ROOK = 12, PASSED_PAWN = 14 };

static const int CLOCK_STARTS[CLOCK_CLASSES] = {0, 20, 60};

RowClock row_clock_of(int halfmove_clock) {
    if (halfmove_clock < CLOCK_STARTS[CLOCK_AGED]) return CLOCK_FRESH;
    return halfmove_clock < CLOCK_STARTS[CLOCK_OLD] ? CLOCK_AGED : CLOCK_OLD;
}

int row_clock_start(RowClock clock) { return CLOCK_STARTS[clock]; }

static bool is_castling_rook(const Position *pos, Square square) {
    for (int right = 0; right < 4; right++)
        if ((pos->state.castling >> right & 1) && pos->castling_rook[right / 2][right % 2] == square)
            return true;
    return false;
}

/* The pawn that the side to move may capture en passant; NO_SQUARE without one. */
static Square passed_pawn(const Position *pos) {
    const Square square = (Square)pos->state.en_passant;
    return square == NO_SQUARE ? square : (Square)((unsigned)square ^ 8);
}

void row_pack(const Position *pos, uint8_t key[ROW_KEY_SIZE]) {
    const Square passed = passed_pawn(pos);
    int place = 0;
    memset(key, 0, ROW_KEY_SIZE);
    bytes_put(key, position_occupied(pos), PIECES_AT);
    for (Bitboard rest = position_occupied(pos); rest != 0; rest &= rest - 1, place++) {
        const Square square = bitboard_lowest(rest);
        unsigned code = position_piece_on(pos, square);
        if (is_castling_rook(pos, square)) code = CASTLING_ROOK + (code & 1);
        if (square == passed) code = PASSED_PAWN;
        key[PIECES_AT + place / 2] |= (uint8_t)(code << 4 * (place % 2));
    }
    key[SIDE_AT] = (uint8_t)pos->side;
    key[CLOCK_AT] = (uint8_t)row_clock_of(pos->state.halfmove_clock);
}

/* The letter of FEN for a code; notes what else it says. */
static char letter_of(unsigned code, Square square, Color side, char *rights, char *en_passant) {
    if (code < NO_PIECE) return piece_letter((Piece)code);
    if (code == PASSED_PAWN) {
        *square_write((Square)((unsigned)square ^ 8), en_passant) = '\0';
        return piece_letter(piece_make(color_other(side), PAWN));
    }
    const Color color = (Color)(code & 1);
    const char file = (char)((color == WHITE ? 'A' : 'a') + square_file(square));
    const size_t length = strlen(rights);
    if (length < 4) rights[length] = file;
    return piece_letter(piece_make(color, ROOK));
}

/* Through FEN, whose reader refuses all that cannot be. */
Status row_unpack(const uint8_t key[ROW_KEY_SIZE], Position *pos) {
    const Status refusal = status_error("its position is none");
    const Bitboard occupied = bytes_get(key, PIECES_AT);
    char board[SQUARE_COUNT], rights[5] = "", en_passant[3] = "-", fen[FEN_CAPACITY];
    char *out = fen;
    int place = 0;
    if (bits_count(occupied) > 32 || key[SIDE_AT] > BLACK || key[CLOCK_AT] >= CLOCK_CLASSES) return refusal;
    for (Bitboard rest = occupied; rest != 0; rest &= rest - 1, place++) {
        const unsigned code = key[PIECES_AT + place / 2] >> 4 * (place % 2) & 15;
        if (code > PASSED_PAWN) return refusal;
        const Square square = bitboard_lowest(rest);
        board[square] = letter_of(code, square, (Color)key[SIDE_AT], rights, en_passant);
    }
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++) {
            const Square square = square_make(file, rank);
            *out++ = '1';
            if (occupied & square_bit(square)) out[-1] = board[square];
        }
        *out++ = rank > 0 ? '/' : ' ';
    }
    text_format(out, sizeof fen - (size_t)(out - fen), "%c %s %s %d 1", key[SIDE_AT] == WHITE ? 'w' : 'b',
                rights[0] != '\0' ? rights : "-", en_passant, row_clock_start((RowClock)key[CLOCK_AT]));
    const Status status = fen_parse(pos, text_view(fen), false);
    if (!status_is_ok(&status)) return refusal;
    uint8_t again[ROW_KEY_SIZE];
    row_pack(pos, again);
    return memcmp(again, key, ROW_KEY_SIZE) == 0 ? status_ok() : refusal;
}

/* --- who says it --- */

uint64_t row_source_id(const RowSource *source) {
    const char *const texts[] = {source->engine, source->version, source->net, source->params};
    uint64_t hash = bytes_hash(NULL, 0);
    for (int i = 0; i < 4; i++) hash = bytes_hash_more(hash, texts[i], strlen(texts[i]) + 1);
    return hash;
}

bool row_source_is_trusted(const RowSource *source, const RowSource *own) {
    return own->net[0] != '\0' && strcmp(source->net, own->net) == 0 &&
           strcmp(source->engine, own->engine) == 0 && strcmp(source->params, own->params) == 0;
}

/* --- the line --- */

void row_write_line(const Row *row, const Position *pos, TextBuffer *out) {
    for (int i = 0; i < row->move_count; i++) {
        char move[LAN_CAPACITY];
        lan_write(pos, row->line[i], move);
        if (i > 0) buffer_append_char(out, ' ');
        buffer_append_string(out, move);
    }
}

Status row_read_line(Row *row, const Position *pos, TextView text) {
    Position after = *pos;
    TextView word;
    row->move_count = 0;
    while (!text_is_empty(word = text_next_word(&text))) {
        Undo undo;
        if (row->move_count == ROW_LINE_MAX)
            return status_error("its line has more than %d moves", ROW_LINE_MAX);
        const Status status = lan_parse(&after, word, &row->line[row->move_count]);
        if (!status_is_ok(&status)) return status_error("its line is not legal: %s", status.reason);
        position_make_move(&after, row->line[row->move_count++], &undo);
    }
    return status_ok();
}

/* --- the row --- */

uint64_t row_checksum(const Row *row, TextView line) {
    const uint64_t numbers[] = {row_source_id(&row->source), (uint64_t)row->depth, (uint64_t)row->bound,
                                (uint64_t)row->score,        row->nodes,           (uint64_t)row->multi_pv,
                                (uint64_t)row->date};
    uint64_t hash = bytes_hash(row->key, ROW_KEY_SIZE);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint8_t bytes[8];
        bytes_put(bytes, numbers[i], 8);
        hash = bytes_hash_more(hash, bytes, sizeof bytes);
    }
    return bytes_hash_more(hash, line.data, line.length);
}

Status row_check(const Row *row) {
    if (row->depth < 0 || row->depth > ROW_DEPTH_MAX) return status_error("its depth is %d", row->depth);
    if (row->bound <= BOUND_NONE || row->bound > BOUND_EXACT) return status_error("its bound is none");
    if (row->score < -SCORE_MATE || row->score > SCORE_MATE)
        return status_error("its score is %d", row->score);
    if (row->nodes > INT64_MAX) return status_error("its nodes are too many");
    if (row->multi_pv < 1 || row->multi_pv > ROW_LINES_MAX)
        return status_error("its number of lines is %d", row->multi_pv);
    return row->date >= 0 ? status_ok() : status_error("its date is before 1970");
}

static int order(int64_t a, int64_t b) { return (a > b) - (a < b); }

int row_compare(const Row *a, const Row *b) {
    const int exact_a = a->bound == BOUND_EXACT, exact_b = b->bound == BOUND_EXACT;
    const int64_t pairs[][2] = {
        {a->depth + ROW_EXACT_PLIES * exact_a, b->depth + ROW_EXACT_PLIES * exact_b},
        {exact_a, exact_b},
        {(int64_t)a->nodes, (int64_t)b->nodes},
        {a->move_count, b->move_count},
        {a->multi_pv, b->multi_pv},
        {a->bound, b->bound},
        {a->score, b->score},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i][0] != pairs[i][1]) return order(pairs[i][0], pairs[i][1]);
    for (int i = 0; i < a->move_count; i++)
        if (a->line[i] != b->line[i]) return order(a->line[i], b->line[i]);
    return order(b->date, a->date);
}
