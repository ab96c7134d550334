#include "uci/board.h"

/* Both colours use the filled glyphs and differ by ink: outlined ones are hard to read on coloured squares.
 * The variation selector keeps the pawn from becoming a picture. */
static const char *const GLYPHS[PIECE_TYPE_COUNT] = {"♟\uFE0E", "♞", "♝", "♜", "♛", "♚"};

/* 256-colour terminal codes: light and dark squares, white and black ink. */
static const int SQUARE_COLOR[2] = {137, 180};
static const int INK[COLOR_COUNT] = {231, 16};

static void draw_square(TextBuffer *out, const Position *pos, Square square, BoardStyle style) {
    const Piece piece = position_piece_on(pos, square);
    if (style == BOARD_LETTERS) {
        buffer_append_char(out, ' ');
        buffer_append_char(out, piece_letter(piece));
        return;
    }
    const int light = (square_file(square) + square_rank(square)) & 1;
    const char *glyph = piece == NO_PIECE ? " " : GLYPHS[piece_type(piece)];
    const int ink = piece == NO_PIECE ? INK[WHITE] : INK[piece_color(piece)];
    buffer_append_format(out, "\033[48;5;%d;38;5;%dm %s ", SQUARE_COLOR[light], ink, glyph);
}

void board_draw(TextBuffer *out, const Position *pos, BoardStyle style) {
    for (int rank = 7; rank >= 0; rank--) {
        buffer_append_format(out, " %d ", rank + 1);
        for (int file = 0; file < 8; file++) draw_square(out, pos, square_make(file, rank), style);
        buffer_append_string(out, style == BOARD_COLORS ? "\033[0m\n" : "\n");
    }
    buffer_append_string(out,
                         style == BOARD_COLORS ? "    a  b  c  d  e  f  g  h\n" : "    a b c d e f g h\n");
}
