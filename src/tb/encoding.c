#include "tb/encoding.h"

#include "base/bits.h"

#include <assert.h>

int material_total(Material material) {
    int total = 0;
    for (; material != 0; material >>= 4) total += (int)(material & 15);
    return total;
}

Material material_of(const Position *pos) {
    Material material = 0;
    for (Piece piece = WHITE_PAWN; piece < PIECE_COUNT; piece++)
        material += material_one(piece) *
                    (Material)bits_count(position_pieces(pos, piece_color(piece), piece_type(piece)));
    return material;
}

/* More pieces are stronger; among as many, the stronger ones. */
static int strength(Material material, Color color) {
    int pieces = 0, strongest = 0;
    for (int type = QUEEN; type >= PAWN; type--) {
        const int count = material_count(material, piece_make(color, (PieceType)type));
        pieces += count;
        strongest = 8 * strongest + count;
    }
    return pieces << 15 | strongest;
}

bool material_read(Material *material, TextView name) {
    Color color = WHITE;
    PieceType last = NO_PIECE_TYPE; /* a king comes next */
    *material = 0;
    if (name.length > TABLE_PIECES_MAX + 1) return false;
    for (size_t i = 0; i < name.length; i++) {
        const Piece piece = piece_of_letter(name.data[i]);
        const PieceType type = piece_type(piece);
        if (name.data[i] == 'v' && color == WHITE && last != NO_PIECE_TYPE) {
            color = BLACK;
            last = NO_PIECE_TYPE;
            continue;
        }
        if (piece == NO_PIECE || piece_color(piece) != WHITE || type > last ||
            (type == KING) != (last == NO_PIECE_TYPE))
            return false;
        *material += material_one(piece_make(color, type));
        last = type;
    }
    return color == BLACK && last != NO_PIECE_TYPE && name.length > 3 &&
           strength(*material, WHITE) >= strength(*material, BLACK);
}

/* --- numbers of groups --- */

/* How many ways there are to choose `k` of `n`: none if `n` is less. */
static uint64_t binomial(int n, int k) {
    uint64_t ways = 1;
    for (int i = 0; i < k; i++) ways = ways * (uint64_t)(n - i) / (uint64_t)(i + 1);
    return ways;
}

/* The number of a combination of different numbers, which are sorted. */
static uint64_t combination_index(int *numbers, int count) {
    uint64_t index = 0;
    for (int i = 0; i < count; i++) {
        const int number = numbers[i];
        int j = i;
        for (; j > 0 && numbers[j - 1] > number; j--) numbers[j] = numbers[j - 1];
        numbers[j] = number;
    }
    for (int i = 0; i < count; i++) index += binomial(numbers[i], i + 1);
    return index;
}

/* The number of pieces that are equal: of the squares from `base` on, without those of the `before` pieces.
 */
static uint64_t equal_index(const Square *squares, int before, int count, int base) {
    int numbers[TABLE_PIECES_MAX];
    for (int i = 0; i < count; i++) {
        numbers[i] = (int)squares[before + i] - base;
        for (int j = 0; j < before; j++) numbers[i] -= squares[j] < squares[before + i];
    }
    return combination_index(numbers, count);
}

/* The order of pawns: 47 on a2, 46 on h2, 45 on a3 ... 0 on e7. The highest one is the foremost. */
static int pawn_order(Square square) {
    const int file = square_file(square), folded = int_min(file, 7 - file);
    return 47 - 12 * folded - 2 * (square_rank(square) - 1) - (file != folded);
}

/* How many ways there are to place `pawns` pawns, the foremost of which is on `file` and below `rank`. */
static uint64_t pawn_placements(int pawns, int file, int rank) {
    uint64_t ways = 0;
    for (int r = 1; r < rank; r++) ways += binomial(pawn_order(square_make(file, r)), pawns - 1);
    return ways;
}

/* The number of the first pawns, of which the foremost comes first. */
static uint64_t pawns_index(const Square *squares, int pawns) {
    int orders[TABLE_PIECES_MAX];
    for (int i = 1; i < pawns; i++) orders[i - 1] = pawn_order(squares[i]);
    return pawn_placements(pawns, square_file(squares[0]), square_rank(squares[0])) +
           combination_index(orders, pawns - 1);
}

/* Positive above the diagonal from a1 to h8. */
static int off_diagonal(Square square) { return square_rank(square) - square_file(square); }

/* The number of a square below the diagonal, row by row, on a board of `files` + 1 files: b1 is 0. */
static int below_index(Square square, int files) {
    const int rank = square_rank(square);
    return square_file(square) - 1 + rank * (2 * files - 1 - rank) / 2;
}

enum { BELOW_TRIANGLE = 6, BELOW = 28, DIAGONAL = 4 }; /* how many squares: b1 to d3, b1 to h7, a1 to d4 */

/* Of two kings: first those of which one is off the diagonal, by the first and then the second. */
static int kings_index(const Square *squares) {
    static const int STARTS[] = {0, 58, 116, 174, 229, 284}, DIAGONAL_STARTS[] = {339, 366, 391, 416},
                     BOTH_STARTS[] = {441, 447, 452, 457};
    const Bitboard diagonal = 0x8040201008040201u, below = 0x0080C0E0F0F8FCFEu;
    const Square first = squares[0], second = squares[1];
    const Bitboard open = ~attacks_king(first) & (square_bit(second) - 1);
    const int rank = square_rank(first);
    if (off_diagonal(first) != 0)
        return STARTS[below_index(first, 3)] + bits_count(open & ~square_bit(first));
    if (off_diagonal(second) != 0) return DIAGONAL_STARTS[rank] + bits_count(open & below);
    return BOTH_STARTS[rank] + bits_count(open & diagonal & ~square_bit(first));
}

/* Of three pieces that differ: the fewer of them begin with squares on the diagonal, the lower the number. */
static int three_index(const Square *squares) {
    const int second_rank = square_rank(squares[1]) - (squares[1] > squares[0]);
    const int first = square_rank(squares[0]), second = (int)squares[1] - (squares[1] > squares[0]);
    const int less = (squares[2] > squares[0]) + (squares[2] > squares[1]), third = (int)squares[2] - less;
    int index;
    if (off_diagonal(squares[0]) != 0) return (below_index(squares[0], 3) * 63 + second) * 62 + third;
    index = BELOW_TRIANGLE * 63 * 62;
    if (off_diagonal(squares[1]) != 0)
        return index + (first * BELOW + below_index(squares[1], 7)) * 62 + third;
    index += DIAGONAL * BELOW * 62;
    if (off_diagonal(squares[2]) != 0)
        return index + (first * 7 + second_rank) * BELOW + below_index(squares[2], 7);
    index += DIAGONAL * 7 * BELOW;
    return index + (first * 7 + second_rank) * 6 + square_rank(squares[2]) - less;
}

enum { KINGS_PLACEMENTS = 462, THREE_PLACEMENTS = 31332 };

/* --- which pieces a table has, in which order --- */

/* The pawns that the first group consists of: those of the side that has fewer, White's of equal ones. */
static Piece leading_pawn(Material material) {
    const int white = material_count(material, WHITE_PAWN), black = material_count(material, BLACK_PAWN);
    return white == 0 || (black > 0 && black < white) ? BLACK_PAWN : WHITE_PAWN;
}

static bool both_have_pawns(Material material) {
    return material_count(material, WHITE_PAWN) > 0 && material_count(material, BLACK_PAWN) > 0;
}

int encoding_header_size(Material material) {
    return 1 + both_have_pawns(material) + material_total(material);
}

/* Reads the pieces, and finds the groups. False unless they are those of the material in an order that a
 * table can have. */
static bool read_pieces(Encoding *encoding, const uint8_t *header, int shift, Material material) {
    const bool pawns = material_has_pawns(material);
    const Piece leading = leading_pawn(material), other = leading == WHITE_PAWN ? BLACK_PAWN : WHITE_PAWN;
    Material rest = material;
    int single = 0;
    encoding->pieces = material_total(material);
    for (int i = 0; i < encoding->pieces; i++) {
        const int kind = header[i] >> shift & 15, type = (kind & 7) - 1;
        if (type < PAWN || type > KING) return false;
        const Piece piece = piece_make((Color)(kind >> 3), (PieceType)type);
        const Piece last = i > 0 ? (Piece)encoding->piece[i - 1] : piece;
        if (material_count(rest, piece) == 0 || (piece != last && material_count(rest, last) > 0))
            return false;
        rest -= material_one(piece);
        encoding->piece[i] = (uint8_t)piece;
        single += material_count(material, piece) == 1;
    }
    const int first = pawns ? material_count(material, leading) : single > 2 ? 3 : 2;
    for (int i = 0; i < first; i++)
        if (pawns ? encoding->piece[i] != leading : material_count(material, (Piece)encoding->piece[i]) > 1)
            return false;
    for (int i = 0; i < encoding->pieces; i += encoding->length[encoding->groups++])
        encoding->length[encoding->groups] =
            (uint8_t)(i == 0 ? first : material_count(material, (Piece)encoding->piece[i]));
    return !both_have_pawns(material) || encoding->piece[first] == other;
}

bool encoding_read(Encoding *encoding, const uint8_t *header, bool second_side, Material material, int file) {
    const int shift = second_side ? 4 : 0;
    const bool both = both_have_pawns(material), pawns = material_has_pawns(material);
    const int first_slot = header[0] >> shift & 15, pawn_slot = both ? header[1] >> shift & 15 : -1;
    *encoding = (Encoding){.size = 1};
    if (!read_pieces(encoding, header + 1 + both, shift, material)) return false;
    const int first = encoding->length[0];
    int next = both ? 2 : 1, open = SQUARE_COUNT - first - (both ? encoding->length[1] : 0);
    for (int slot = 0; slot < encoding->groups; slot++) {
        const int group = slot == first_slot ? 0 : slot == pawn_slot ? 1 : next++;
        if (group == encoding->groups) return false; /* the slot of the first group or of the pawns is none */
        const int length = encoding->length[group];
        uint64_t ways;
        if (group == 0) {
            ways = pawns ? pawn_placements(first, file, 7) : first == 2 ? KINGS_PLACEMENTS : THREE_PLACEMENTS;
        } else if (group == 1 && both) {
            ways = binomial(48 - first, length);
        } else {
            ways = binomial(open, length);
            open -= length;
        }
        encoding->factor[group] = encoding->size;
        encoding->size *= ways;
    }
    return true;
}

/* --- a position --- */

static Square table_square(Square square, bool swap) { return swap ? square_mirror_rank(square) : square; }
static Color table_color(Color color, bool swap) { return swap ? color_other(color) : color; }

int encoding_file(Material material, const Position *pos, bool swap) {
    Bitboard pawns = position_pieces(pos, table_color(piece_color(leading_pawn(material)), swap), PAWN);
    int highest = 0;
    while (pawns != 0) highest = int_max(highest, pawn_order(table_square(bitboard_pop(&pawns), swap)));
    return 3 - highest / 12;
}

/* Mirrors the squares so that the first is on files a to d, without pawns below the diagonal, or on it and
 * the next of the first group that is not is below. */
static void normalise(Square *squares, int count, int first_pieces, bool pawns) {
    unsigned mirror = square_file(squares[0]) > 3 ? 7 : 0;
    if (!pawns && square_rank(squares[0]) > 3) mirror ^= 56;
    for (int i = 0; i < count; i++) squares[i] = (Square)((unsigned)squares[i] ^ mirror);
    if (pawns) return;
    int next = 0;
    while (next < first_pieces && off_diagonal(squares[next]) == 0) next++;
    if (next == first_pieces || off_diagonal(squares[next]) < 0) return;
    for (int i = 0; i < count; i++)
        squares[i] = square_make(square_rank(squares[i]), square_file(squares[i]));
}

uint64_t encoding_index(const Encoding *encoding, const Position *pos, bool swap) {
    Square squares[TABLE_PIECES_MAX] = {A1};
    for (int count = 0; count < encoding->pieces;) {
        const Piece piece = (Piece)encoding->piece[count];
        Bitboard pieces = position_pieces(pos, table_color(piece_color(piece), swap), piece_type(piece));
        assert(pieces != 0 && count + bits_count(pieces) <= encoding->pieces);
        while (pieces != 0) squares[count++] = table_square(bitboard_pop(&pieces), swap);
    }
    const bool pawns = encoding->piece[0] <= BLACK_PAWN;
    const int first = encoding->length[0];
    for (int i = 1; pawns && i < first; i++)
        if (pawn_order(squares[i]) > pawn_order(squares[0])) {
            const Square foremost = squares[i];
            squares[i] = squares[0];
            squares[0] = foremost;
        }
    normalise(squares, encoding->pieces, first, pawns);
    uint64_t index = pawns        ? pawns_index(squares, first)
                     : first == 2 ? (uint64_t)kings_index(squares)
                                  : (uint64_t)three_index(squares);
    index *= encoding->factor[0];
    for (int group = 1, placed = first; group < encoding->groups; placed += encoding->length[group++]) {
        const int base = encoding->piece[placed] <= BLACK_PAWN ? A2 : A1;
        index += encoding->factor[group] * equal_index(squares, placed, encoding->length[group], base);
    }
    return index;
}
