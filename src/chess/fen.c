#include "chess/fen.h"

#include "chess/plain.h"

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

/* The bytes of what stands for a blank at the front: in addresses '_' and %20, on web pages other spaces.
 * A FEN may stand in quotation marks. */
static size_t blank_at(TextView text) {
    static const char *const BLANKS[] = {"_", "%20", "\"", "'"};
    if (text.length == 0) return 0;
    if (char_is_space(text.data[0])) return 1;
    for (size_t i = 0; i < sizeof BLANKS / sizeof BLANKS[0]; i++)
        if (text_starts_with(text, BLANKS[i])) return strlen(BLANKS[i]);
    TextView after = text;
    const TextView plain = plain_take(&after);
    return plain.length == 0 || plain.data[0] == ' ' ? text.length - after.length : 0;
}

static TextView skip(TextView text, size_t count) {
    return (TextView){text.data + count, text.length - count};
}

static void skip_blanks(TextView *rest) {
    for (size_t blank; (blank = blank_at(*rest)) > 0;) *rest = skip(*rest, blank);
}

/* What ends a FEN, also in tables of numbers: nothing but operations comes after it. */
static bool at_end_sign(TextView text) { return text.length > 0 && strchr(";,|", text.data[0]) != NULL; }

/* Takes the next field; empty at the end and before an end sign. */
static TextView next_field(TextView *rest) {
    skip_blanks(rest);
    TextView field = {rest->data, 0};
    while (rest->length > 0 && !at_end_sign(*rest) && blank_at(*rest) == 0) {
        *rest = skip(*rest, 1);
        field.length++;
    }
    return field;
}

/* The same for a field that is no number; empty before a number. */
static TextView next_word_field(TextView *rest) {
    TextView after = *rest;
    const TextView field = next_field(&after);
    if (field.length > 0 && char_is_digit(field.data[0])) return (TextView){field.data, 0};
    *rest = after;
    return field;
}

/* Places one rank of the board field. */
static Status read_rank(Position *pos, TextView text, int rank) {
    int file = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char c = text.data[i];
        const bool digit = c >= '1' && c <= '8';
        const Piece piece = piece_of_letter(c);
        if (!digit && piece == NO_PIECE) {
            size_t end = i + 1;
            while (end < text.length && (text.data[end] & 0xC0) == 0x80) end++; /* the rest of UTF-8 */
            return status_error("bad FEN: '%s' on rank %d is neither a piece nor a number of empty squares",
                                quote((TextView){&text.data[i], end - i}).text, rank + 1);
        }
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
    if (ranks != 8)
        return status_error("bad FEN: the board has %d rank%s instead of 8", ranks, ranks == 1 ? "" : "s");
    for (int rank = 7; rank >= 0; rank--) {
        TextView text;
        text_split(&field, '/', &text);
        Status status = read_rank(pos, text, rank);
        if (!status_is_ok(&status)) return status;
    }
    return status_ok();
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
    return status_ok();
}

static Status read_side(Position *pos, TextView field) {
    const bool black = text_equals_ignore_case(field, "b");
    if (!black && !text_equals_ignore_case(field, "w") && !text_is_empty(field))
        return status_error("bad FEN: the side to move is '%s' instead of w or b", quote(field).text);
    pos->side = black ? BLACK : WHITE;
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

/* Whether kings and outermost rooks of both sides stand as at the start of a Chess960 game: K and Q mean
 * these rooks, and else only those of standard chess. */
static bool is_mirrored(const Position *pos) {
    bool same = square_relative(BLACK, position_king(pos, BLACK)) == position_king(pos, WHITE);
    for (int side = KING_SIDE; side <= QUEEN_SIDE; side++)
        same = same && square_relative(BLACK, outermost_rook(pos, BLACK, (CastlingSide)side)) ==
                           outermost_rook(pos, WHITE, (CastlingSide)side);
    return same;
}

/* The rook that a letter names, or NO_SQUARE where it names none that can castle. */
static Square castling_rook(const Position *pos, char letter, bool outermost) {
    const char upper = char_to_upper(letter);
    const Color color = letter == upper ? WHITE : BLACK;
    const Square king = position_king(pos, color);
    const CastlingSide side = upper == 'K' ? KING_SIDE : QUEEN_SIDE;
    Square rook = NO_SQUARE;
    if (square_relative_rank(color, king) != 0 || square_file(king) == 0 || square_file(king) == 7)
        return NO_SQUARE;
    if (upper >= 'A' && upper <= 'H')
        rook = square_relative(color, square_make(upper - 'A', 0));
    else if ((upper == 'K' || upper == 'Q') && outermost)
        rook = outermost_rook(pos, color, side);
    else if ((upper == 'K' || upper == 'Q') && square_file(king) == 4)
        rook = square_relative(color, side == KING_SIDE ? H1 : A1);
    const bool is_there = rook != NO_SQUARE && position_piece_on(pos, rook) == piece_make(color, ROOK);
    return is_there ? rook : NO_SQUARE;
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

/* Drops the rights that the board does not have. */
static void read_castling(Position *pos, TextView field, Status *warning) {
    const bool outermost = pos->chess960 || is_mirrored(pos);
    char dropped[QUOTE_CAPACITY];
    size_t count = 0;
    if (text_equals(field, "-")) return;
    for (size_t i = 0; i < field.length; i++) {
        const Color color = field.data[i] == char_to_upper(field.data[i]) ? WHITE : BLACK;
        const Square rook = castling_rook(pos, field.data[i], outermost);
        const CastlingSide side = rook > position_king(pos, color) ? KING_SIDE : QUEEN_SIDE;
        const Square held = (Square)pos->castling_rook[color][side];
        if (rook != NO_SQUARE && held == NO_SQUARE)
            position_add_castling(pos, color, rook);
        else if ((rook == NO_SQUARE || rook != held) && count < sizeof dropped)
            dropped[count++] = field.data[i];
    }
    if (count > 0)
        status_append(
            warning,
            status_error("the castling rights '%s' are dropped: no king and rook stand there for them",
                         quote((TextView){dropped, count}).text));
    pos->chess960 = pos->chess960 || fen_needs_chess960(pos);
}

/* Accepts the square passed by any pawn that may just have moved two steps; whether a capture is legal there
 * is for position_finish to find. */
static void read_en_passant(Position *pos, TextView field, Status *warning) {
    if (text_is_empty(field) || text_equals(field, "-")) return;
    const Color them = color_other(pos->side);
    const int file = char_to_lower(field.data[0]) - 'a';
    bool passed = field.length == 2 && file >= 0 && file < 8 && field.data[1] == (them == WHITE ? '3' : '6');
    if (passed) {
        const Square square = square_relative(them, square_make(file, 2));
        passed =
            position_piece_on(pos, square_relative(them, square_make(file, 3))) == piece_make(them, PAWN) &&
            position_piece_on(pos, square) == NO_PIECE &&
            position_piece_on(pos, square_relative(them, square_make(file, 1))) == NO_PIECE;
        if (passed) pos->state.en_passant = (uint8_t)square;
    }
    if (!passed)
        status_append(warning,
                      status_error("the en passant square '%s' is dropped: no pawn can just have passed it",
                                   quote(field).text));
}

/* Keeps `*value` where the field is no number. */
static void read_counter(TextView field, const char *name, int limit, int *value, Status *warning) {
    uint64_t number = 0;
    const bool is_number = char_is_digit(field.data[0]) && text_parse_uint64(field, &number);
    if (is_number) *value = number < (uint64_t)limit ? (int)number : limit;
    if (!is_number || number > (uint64_t)limit)
        status_append(warning,
                      status_error("the %s is read as %d instead of '%s'", name, *value, quote(field).text));
}

/* Operations of EPD or moves may follow, which begin with a letter. Variants of chess have counters of their
 * own before or after these ("3+3"). */
static void read_counters(Position *pos, TextView *rest, Status *warning) {
    static const char *const NAMES[] = {"halfmove clock", "move number"};
    static const int LIMITS[] = {PLIES_COUNTED, MAX_FULLMOVE};
    int counters[] = {0, 1};
    for (int i = 0; i < 2;) {
        TextView after = *rest;
        const TextView field = next_field(&after);
        if (text_is_empty(field)) break;
        if (!char_is_digit(field.data[0]) && memchr("+-.", field.data[0], 3) == NULL) break;
        *rest = after;
        if (memchr(field.data, '+', field.length) != NULL) {
            status_append(warning, status_error("'%s' is skipped", quote(field).text));
        } else {
            read_counter(field, NAMES[i], LIMITS[i], &counters[i], warning);
            i++;
        }
    }
    pos->state.halfmove_clock = (int16_t)counters[0];
    pos->fullmove = int_max(1, counters[1]);
}

static Status check_kings(const Position *pos) {
    if (attacks_king(position_king(pos, WHITE)) & position_pieces(pos, BLACK, KING))
        return status_error("bad FEN: the kings stand side by side");
    const Color them = color_other(pos->side);
    if (position_attackers(pos, position_king(pos, them), position_occupied(pos)) & pos->by_color[pos->side])
        return status_error("bad FEN: %s is in check, but it is %s's turn", color_name(them),
                            color_name(pos->side));
    return status_ok();
}

/* Fills `pos`, which is empty, field by field. */
static Status read_fields(Position *pos, TextView *rest, Status *warning) {
    Status status = read_board(pos, next_field(rest));
    if (status_is_ok(&status)) status = check_pieces(pos, WHITE);
    if (status_is_ok(&status)) status = check_pieces(pos, BLACK);
    if (status_is_ok(&status)) status = read_side(pos, next_word_field(rest));
    if (!status_is_ok(&status)) return status;
    read_castling(pos, next_word_field(rest), warning);
    const TextView en_passant = next_word_field(rest);
    if (text_is_empty(en_passant))
        status_append(warning, status_error("fields are missing: they are read as 'w', '-' and '-'"));
    read_en_passant(pos, en_passant, warning);
    read_counters(pos, rest, warning);
    skip_blanks(rest);
    if (at_end_sign(*rest)) *rest = skip(*rest, 1);
    return check_kings(pos);
}

Status fen_take(Position *pos, TextView *text, bool chess960, Status *warning) {
    Position fresh;
    position_clear(&fresh);
    fresh.chess960 = chess960;
    if (warning != NULL) *warning = status_ok();
    Status status = read_fields(&fresh, text, warning);
    if (!status_is_ok(&status)) return status;
    position_finish(&fresh);
    *pos = fresh;
    return status;
}

Status fen_parse(Position *pos, TextView fen, bool chess960) { return fen_take(pos, &fen, chess960, NULL); }

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
    assert(number >= 0 && number < FEN_CHESS960_ARRAYS);
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
