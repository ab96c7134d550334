#include "review/diagram.h"

enum { SQUARE_SIZE = 40, BOARD_SIZE = 8 * SQUARE_SIZE, EDGE = 16 /* for files and ranks */ };

/* Filled signs for both sides: white ones have a light body. A variation selector keeps a pawn from becoming
 * a coloured picture. */
static void append_piece(TextBuffer *out, Piece piece, int x, int y) {
    static const char *const SIGNS[] = {
        [PAWN] = "\xE2\x99\x9F", [KNIGHT] = "\xE2\x99\x9E", [BISHOP] = "\xE2\x99\x9D",
        [ROOK] = "\xE2\x99\x9C", [QUEEN] = "\xE2\x99\x9B",  [KING] = "\xE2\x99\x9A"};
    const bool is_white = piece_color(piece) == WHITE;
    buffer_append_format(out, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s\xEF\xB8\x8E</text>\n",
                         x + SQUARE_SIZE / 2, y + SQUARE_SIZE - 7, is_white ? "#fff" : "#000",
                         SIGNS[piece_type(piece)]);
}

void diagram_append_svg(TextBuffer *out, const Position *pos, Color below) {
    buffer_append_format(out,
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-size=\"36\" "
                         "text-anchor=\"middle\" stroke=\"#000\" stroke-width=\".7\">\n",
                         BOARD_SIZE + EDGE, BOARD_SIZE + EDGE);
    for (int row = 0; row < 8; row++) {
        const int rank = below == WHITE ? 7 - row : row, y = row * SQUARE_SIZE;
        for (int column = 0; column < 8; column++) {
            const int file = below == WHITE ? column : 7 - column, x = EDGE + column * SQUARE_SIZE;
            const Piece piece = position_piece_on(pos, square_make(file, rank));
            buffer_append_format(out,
                                 "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                                 "stroke=\"none\"/>\n",
                                 x, y, SQUARE_SIZE, SQUARE_SIZE,
                                 (file + rank) % 2 != 0 ? "#f0f0f0" : "#b8b8b8");
            if (piece != NO_PIECE) append_piece(out, piece, x, y);
        }
        const int file = below == WHITE ? row : 7 - row;
        buffer_append_format(out,
                             "<g font-size=\"12\" stroke=\"none\"><text x=\"7\" y=\"%d\">%d</text>"
                             "<text x=\"%d\" y=\"%d\">%c</text></g>\n",
                             y + SQUARE_SIZE / 2 + 4, rank + 1, EDGE + row * SQUARE_SIZE + SQUARE_SIZE / 2,
                             BOARD_SIZE + 13, 'a' + file);
    }
    buffer_append_string(out, "</svg>");
}
