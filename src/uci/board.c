#include "uci/board.h"

/* Both colours use the filled glyphs and differ by ink: outlined ones are hard to read on coloured squares.
 * The variation selector keeps the pawn from becoming a picture. */
static const char *const GLYPHS[PIECE_TYPE_COUNT] = {"♟\uFE0E", "♞", "♝", "♜", "♛", "♚"};

/* 256-colour terminal codes: light and dark squares, white and black ink. */
static const int SQUARE_COLOR[2] = {137, 180}, LAST_MOVE_COLOR[2] = {107, 150};
static const int INK[COLOR_COUNT] = {231, 16};

static void draw_square(TextBuffer *out, const Position *pos, Square square, const BoardLook *look) {
    const Piece piece = position_piece_on(pos, square);
    if (look->style == BOARD_LETTERS) {
        buffer_append_char(out, ' ');
        buffer_append_char(out, piece_letter(piece));
        return;
    }
    const int light = (square_file(square) + square_rank(square)) & 1;
    const char *glyph = piece == NO_PIECE ? " " : GLYPHS[piece_type(piece)];
    const int ink = piece == NO_PIECE ? INK[WHITE] : INK[piece_color(piece)];
    const bool is_last =
        look->last != MOVE_NONE && (square == move_from(look->last) || square == move_to(look->last));
    buffer_append_format(out, "\033[48;5;%d;38;5;%dm %s ",
                         is_last ? LAST_MOVE_COLOR[light] : SQUARE_COLOR[light], ink, glyph);
}

void board_draw(TextBuffer *out, const Position *pos, BoardLook look) {
    const int turn = look.flipped ? 7 : 0;
    for (int row = 7; row >= 0; row--) {
        const int rank = row ^ turn;
        buffer_append_format(out, " %d ", rank + 1);
        for (int column = 0; column < 8; column++)
            draw_square(out, pos, square_make(column ^ turn, rank), &look);
        buffer_append_string(out, look.style == BOARD_COLORS ? "\033[0m\n" : "\n");
    }
    buffer_append_string(out, "   ");
    for (int column = 0; column < 8; column++)
        buffer_append_format(out, look.style == BOARD_COLORS ? " %c " : " %c", 'a' + (column ^ turn));
    buffer_append_string(out, "\n");
}
