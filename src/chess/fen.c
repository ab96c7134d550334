#include "chess/fen.h"

#include <assert.h>
#include <string.h>

enum {
    MAX_FULLMOVE = 99999,
    QUOTE_CAPACITY = 24, /* as much of a bad field as a message shows */
};

const char FEN_START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

typedef struct Quote {
    char text[QUOTE_CAPACITY];
} Quote;

static Quote quote(TextView field) {
    Quote quoted;
    text_copy_printable(field, quoted.text, sizeof quoted.text);
    return quoted;
}

/* Places one rank of the board field. */
static Status read_rank(Position *pos, TextView text, int rank) {
    int file = 0;
    bool after_digit = false;
    for (size_t i = 0; i < text.length; i++) {
        const char c = text.data[i];
        const bool digit = c >= '1' && c <= '8';
        const Piece piece = piece_of_letter(c);
        if (!digit && piece == NO_PIECE) {
            Quote bad = quote((TextView){&text.data[i], 1});
            return status_error("bad FEN: '%s' on rank %d is neither a piece nor a number of empty squares",
                                bad.text, rank + 1);
        }
        if (digit && after_digit) return status_error("bad FEN: rank %d has two numbers in a row", rank + 1);
        after_digit = digit;
        if (file + (digit ? c - '0' : 1) > 8) {
            return status_error("bad FEN: rank %d has more than 8 squares", rank + 1);
        }
        if (digit)
            file += c - '0';
        else
            position_put(pos, piece, square_make(file++, rank));
    }
    if (file < 8) return status_error("bad FEN: rank %d has only %d squares", rank + 1, file);
    return status_ok();
}

static Status read_board(Position *pos, TextView field) {
    if (text_is_empty(field)) return status_error("bad FEN: it is empty");
    int ranks = 1;
    for (size_t i = 0; i < field.length; i++) ranks += field.data[i] == '/';
    if (ranks != 8) return status_error("bad FEN: the board has %d ranks instead of 8", ranks);
    for (int rank = 7; rank >= 0; rank--) {
        TextView text;
        text_split(&field, '/', &text);
        Status status = read_rank(pos, text, rank);
        if (!status_is_ok(&status)) return status;
    }
    return status_ok();
}

static int excess(Bitboard pieces, int initially) { return int_max(0, bits_count(pieces) - initially); }

/* Men beyond the initial ones: each must have been a pawn. Bishops never change the colour of their squares.
 */
static int count_promoted(const Position *pos, Color color) {
    const Bitboard bishops = position_pieces(pos, color, BISHOP);
    return excess(position_pieces(pos, color, KNIGHT), 2) + excess(bishops & DARK_SQUARES, 1) +
           excess(bishops & ~DARK_SQUARES, 1) + excess(position_pieces(pos, color, ROOK), 2) +
           excess(position_pieces(pos, color, QUEEN), 1);
}

static Status check_pieces(const Position *pos, Color color) {
    const char *name = color_name(color);
    const int kings = bits_count(position_pieces(pos, color, KING));
    if (kings != 1) return status_error("bad FEN: %s has %d kings instead of one", name, kings);
    const int count = bits_count(pos->by_color[color]);
    if (count > 16) return status_error("bad FEN: %s has %d pieces and pawns, more than 16", name, count);
    const int pawns = bits_count(position_pieces(pos, color, PAWN));
    if (pawns > 8) return status_error("bad FEN: %s has %d pawns, more than 8", name, pawns);
    if (position_pieces(pos, color, PAWN) & (RANK_1 | RANK_8)) {
        return status_error("bad FEN: %s has a pawn on the first or last rank", name);
    }
    const int promoted = count_promoted(pos, color);
    if (promoted > 8 - pawns) {
        return status_error("bad FEN: %s has %d pieces more than %d missing pawns can have become", name,
                            promoted - (8 - pawns), 8 - pawns);
    }
    return status_ok();
}

static Status read_side(Position *pos, TextView field) {
    if (text_is_empty(field)) return status_error("bad FEN: the side to move is missing");
    if (!text_equals(field, "w") && !text_equals(field, "b")) {
        return status_error("bad FEN: the side to move is '%s' instead of w or b", quote(field).text);
    }
    pos->side = field.data[0] == 'w' ? WHITE : BLACK;
    return status_ok();
}

/* The rook that X-FEN means by K or Q: the outermost on its side of the king, or NO_SQUARE. */
static Square outermost_rook(const Position *pos, Color color, CastlingSide side) {
    const Square king = position_king(pos, color);
    const Bitboard back_rank = rank_mask(square_rank(king));
    const Bitboard nearer_a = square_bit(king) - 1;
    const Bitboard rooks =
        position_pieces(pos, color, ROOK) & back_rank & (side == QUEEN_SIDE ? nearer_a : ~nearer_a);
    if (!rooks) return NO_SQUARE;
    return side == QUEEN_SIDE ? bitboard_lowest(rooks) : (Square)bits_highest(rooks);
}

static Status read_castling_letter(Position *pos, char letter) {
    const bool lower = letter >= 'a' && letter <= 'z';
    const char upper = char_to_upper(letter);
    const Color color = lower ? BLACK : WHITE;
    if (upper != 'K' && upper != 'Q' && (upper < 'A' || upper > 'H')) {
        return status_error("bad FEN: '%s' is no castling letter", quote((TextView){&letter, 1}).text);
    }
    const Square king = position_king(pos, color);
    if (square_relative_rank(color, king) != 0 || square_file(king) == 0 || square_file(king) == 7) {
        return status_error(
            "bad FEN: castling right '%c', but the king of %s is not between rooks on its back rank", letter,
            color_name(color));
    }
    Square rook;
    if (upper == 'K')
        rook = outermost_rook(pos, color, KING_SIDE);
    else if (upper == 'Q')
        rook = outermost_rook(pos, color, QUEEN_SIDE);
    else
        rook = square_relative(color, square_make(upper - 'A', 0));
    if (rook == NO_SQUARE || position_piece_on(pos, rook) != piece_make(color, ROOK)) {
        return status_error("bad FEN: castling right '%c' without its rook", letter);
    }
    if (pos->castling_rook[color][rook > king ? KING_SIDE : QUEEN_SIDE] != NO_SQUARE) {
        return status_error("bad FEN: castling right '%c' is there twice", letter);
    }
    position_add_castling(pos, color, rook);
    return status_ok();
}

bool fen_needs_chess960(const Position *pos) {
    for (int right = 0; right < 4; right++) {
        if (!(pos->state.castling >> right & 1)) continue;
        const Color color = (Color)(right >> 1);
        const int rook = square_file((Square)pos->castling_rook[color][right & 1]);
        if (square_file(position_king(pos, color)) != 4 || (rook != 0 && rook != 7)) return true;
    }
    return false;
}

static Status read_castling(Position *pos, TextView field) {
    if (text_is_empty(field)) return status_error("bad FEN: the castling rights are missing");
    if (text_equals(field, "-")) return status_ok();
    for (size_t i = 0; i < field.length; i++) {
        Status status = read_castling_letter(pos, field.data[i]);
        if (!status_is_ok(&status)) return status;
    }
    pos->chess960 = pos->chess960 || fen_needs_chess960(pos);
    return status_ok();
}

/* Accepts the square passed by any pawn that may just have moved two steps; whether a capture is legal there
 * is for position_finish to find. */
static Status read_en_passant(Position *pos, TextView field) {
    if (text_is_empty(field)) return status_error("bad FEN: the en passant square is missing");
    if (text_equals(field, "-")) return status_ok();
    if (field.length != 2 || field.data[0] < 'a' || field.data[0] > 'h' || field.data[1] < '1' ||
        field.data[1] > '8') {
        return status_error("bad FEN: the en passant square '%s' is no square", quote(field).text);
    }
    const Color them = color_other(pos->side);
    const int file = field.data[0] - 'a';
    const Square passed = square_make(file, field.data[1] - '1');
    if (square_relative_rank(them, passed) != 2) {
        return status_error("bad FEN: the en passant square %s is not on rank %d", quote(field).text,
                            them == WHITE ? 3 : 6);
    }
    const Square home = square_relative(them, square_make(file, 1)),
                 pawn = square_relative(them, square_make(file, 3));
    if (position_piece_on(pos, pawn) != piece_make(them, PAWN)) {
        return status_error("bad FEN: no pawn before the en passant square %s", quote(field).text);
    }
    if (position_piece_on(pos, passed) != NO_PIECE || position_piece_on(pos, home) != NO_PIECE) {
        return status_error("bad FEN: no pawn can have passed the en passant square %s", quote(field).text);
    }
    pos->state.en_passant = (uint8_t)passed;
    return status_ok();
}

/* An absent counter leaves the `fallback`. */
static Status read_counter(TextView field, const char *name, int limit, int fallback, int *value) {
    *value = fallback;
    if (text_is_empty(field)) return status_ok();
    uint64_t number;
    const bool digit = char_is_digit(field.data[0]); /* parsing allows a sign, FEN does not */
    if (!digit || !text_parse_uint64(field, &number)) {
        return status_error("bad FEN: the %s '%s' is no number", name, quote(field).text);
    }
    if (number > (uint64_t)limit) {
        return status_error("bad FEN: the %s %s is above %d", name, quote(field).text, limit);
    }
    *value = (int)number;
    return status_ok();
}

static Status read_counters(Position *pos, TextView *rest) {
    int clock, fullmove;
    Status status = read_counter(text_next_word(rest), "halfmove clock", PLIES_COUNTED, 0, &clock);
    if (!status_is_ok(&status)) return status;
    status = read_counter(text_next_word(rest), "move number", MAX_FULLMOVE, 1, &fullmove);
    if (!status_is_ok(&status)) return status;
    pos->state.halfmove_clock = (int16_t)clock;
    pos->fullmove = int_max(1, fullmove);
    TextView extra = text_next_word(rest);
    if (!text_is_empty(extra)) return status_error("bad FEN: '%s' after the sixth field", quote(extra).text);
    return status_ok();
}

static Bitboard attackers_of_king(const Position *pos, Color color) {
    return position_attackers(pos, position_king(pos, color), position_occupied(pos)) &
           pos->by_color[color_other(color)];
}

/* One move gives at most two checks, and the second is uncovered by the mover: it comes from afar. */
static Status check_checks(const Position *pos) {
    if (attacks_king(position_king(pos, WHITE)) & position_pieces(pos, BLACK, KING)) {
        return status_error("bad FEN: the kings stand side by side");
    }
    const Color them = color_other(pos->side);
    if (attackers_of_king(pos, them)) {
        return status_error("bad FEN: %s is in check, but it is %s's turn", color_name(them),
                            color_name(pos->side));
    }
    const Bitboard checkers = attackers_of_king(pos, pos->side);
    if (bits_count(checkers) > 2) {
        return status_error("bad FEN: %s is in check by %d pieces at once", color_name(pos->side),
                            bits_count(checkers));
    }
    const Bitboard near = checkers & (pos->by_type[PAWN] | pos->by_type[KNIGHT]);
    if (bits_more_than_one(near)) {
        return status_error("bad FEN: no move can give the two checks to %s", color_name(pos->side));
    }
    return status_ok();
}

/* Fills `pos`, which is empty, field by field. */
static Status read_fields(Position *pos, TextView rest) {
    Status status = read_board(pos, text_next_word(&rest));
    if (status_is_ok(&status)) status = check_pieces(pos, WHITE);
    if (status_is_ok(&status)) status = check_pieces(pos, BLACK);
    if (status_is_ok(&status)) status = read_side(pos, text_next_word(&rest));
    if (status_is_ok(&status)) status = read_castling(pos, text_next_word(&rest));
    if (status_is_ok(&status)) status = read_en_passant(pos, text_next_word(&rest));
    if (status_is_ok(&status)) status = read_counters(pos, &rest);
    if (status_is_ok(&status)) status = check_checks(pos);
    return status;
}

Status fen_parse(Position *pos, TextView fen, bool chess960) {
    Position fresh;
    position_clear(&fresh);
    fresh.chess960 = chess960;
    Status status = read_fields(&fresh, fen);
    if (!status_is_ok(&status)) return status;
    position_finish(&fresh);
    *pos = fresh;
    return status;
}

static char *write_board(const Position *pos, char *out) {
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const Piece piece = position_piece_on(pos, square_make(file, rank));
            if (piece == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty > 0) *out++ = (char)('0' + empty);
            empty = 0;
            *out++ = piece_letter(piece);
        }
        if (empty > 0) *out++ = (char)('0' + empty);
        if (rank > 0) *out++ = '/';
    }
    return out;
}

static char *write_castling(const Position *pos, char *out) {
    if (!pos->state.castling) *out++ = '-';
    for (int right = 0; right < 4; right++) {
        if (!(pos->state.castling >> right & 1)) continue;
        const Color color = (Color)(right >> 1);
        const int file = square_file((Square)pos->castling_rook[color][right & 1]);
        const char letter = pos->chess960 ? (char)('A' + file) : (right & 1) == KING_SIDE ? 'K' : 'Q';
        *out++ = color == WHITE ? letter : char_to_lower(letter);
    }
    return out;
}

TextView fen_take(TextView *rest) {
    TextView fen = text_trim(*rest), last = {fen.data, 0};
    for (int field = 0; field < 6; field++) {
        uint64_t counter;
        TextView after = *rest, word = text_next_word(&after);
        if (text_is_empty(word) || (field >= 4 && !text_parse_uint64(word, &counter))) break;
        last = word;
        *rest = after;
    }
    fen.length = (size_t)(last.data - fen.data) + last.length;
    return fen;
}

size_t fen_write(const Position *pos, char out[FEN_CAPACITY]) {
    char *end = write_board(pos, out);
    *end++ = ' ';
    *end++ = pos->side == WHITE ? 'w' : 'b';
    *end++ = ' ';
    end = write_castling(pos, end);
    *end++ = ' ';
    if (pos->state.en_passant == NO_SQUARE)
        *end++ = '-';
    else
        end = square_write((Square)pos->state.en_passant, end);
    const size_t length = (size_t)(end - out);
    return length +
           text_format(end, FEN_CAPACITY - length, " %d %d", pos->state.halfmove_clock, pos->fullmove);
}

/* Puts `letter` on the n-th empty file. */
static void put_on_empty(char array[8], int n, char letter) {
    for (int file = 0; file < 8; file++) {
        if (array[file] == '\0' && n-- == 0) {
            array[file] = letter;
            return;
        }
    }
}

/* Scharnagl's numbering: bishops, queen and knights are digits of the number; rook, king, rook take the rest.
 */
static void chess960_array(int number, char array[8]) {
    static const uint8_t knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                           {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    assert(number >= 0 && number < 960);
    memset(array, 0, 8);
    array[2 * (number % 4) + 1] = 'b';
    number /= 4;
    array[2 * (number % 4)] = 'b';
    number /= 4;
    put_on_empty(array, number % 6, 'q');
    number /= 6;
    put_on_empty(array, knights[number][1], 'n'); /* the further one first: the nearer does not shift it */
    put_on_empty(array, knights[number][0], 'n');
    put_on_empty(array, 0, 'r');
    put_on_empty(array, 0, 'k');
    put_on_empty(array, 0, 'r');
}

/* The files of the rooks, king side first, as Shredder-FEN names them. */
static void rook_files(const char array[8], char base, char out[3]) {
    out[0] = out[1] = out[2] = '\0';
    for (int file = 7; file >= 0; file--) {
        if (array[file] == 'r') out[out[0] == '\0' ? 0 : 1] = (char)(base + file);
    }
}

void fen_chess960_start(int white, int black, char out[FEN_CAPACITY]) {
    char white_array[8], black_array[8], white_rights[3], black_rights[3];
    chess960_array(white, white_array);
    chess960_array(black, black_array);
    rook_files(white_array, 'A', white_rights);
    rook_files(black_array, 'a', black_rights);
    for (int file = 0; file < 8; file++) white_array[file] = char_to_upper(white_array[file]);
    text_format(out, FEN_CAPACITY, "%.8s/pppppppp/8/8/8/8/PPPPPPPP/%.8s w %s%s - 0 1", black_array,
                white_array, white_rights, black_rights);
}
