/* One row of a store: what a source (an engine with its network and numbers) once found out about a position.
 * Pure; any thread may call on its own data.
 *
 * Two shapes were weighed.
 *   1. One row a position; whoever searched deepest wins. Small, but an analysis by a new network would never
 *      be kept as long as the old one was deeper, so the new network would have no memory; and lines of
 *      MultiPV would need a list inside the row, with a rule for merging two lists.
 *   2. One row a position and source, and nothing else: this one. What a network needs for its own memory
 *      cannot be displaced by another's. The further lines of MultiPV need no list, for a line that begins
 *      with a move says what the position after this move is worth: they are rows of those positions.
 * So merging is the union of two sets in which, of two rows with the same position and source, row_compare
 * names the winner: the larger one in a total order. Therefore the order of merging does not matter
 * (commutative, associative), and merging again changes nothing (idempotent). */
#ifndef LUFT_STORE_ROW_H
#define LUFT_STORE_ROW_H

#include "base/status.h"
#include "chess/position.h"
#include "search/limits.h"
#include "search/score.h"

enum {
    ROW_KEY_SIZE = 26,
    ROW_LINE_MAX = 40, /* moves */
    ROW_DEPTH_MAX = 255,
    ROW_LINES_MAX = 500, /* of MultiPV */
    SOURCE_TEXT_CAPACITY = 64
};

/* Who says it. Empty texts: not known. */
typedef struct RowSource {
    char engine[SOURCE_TEXT_CAPACITY];
    char version[SOURCE_TEXT_CAPACITY];
    char net[SOURCE_TEXT_CAPACITY];    /* the hash of the network */
    char params[SOURCE_TEXT_CAPACITY]; /* a hash of what else decides its scores */
} RowSource;

/* The position is the key itself, not a hash of it, so no two positions can be mistaken for each other, and
 * any program can read it. Byte by byte:
 *   0 to 7    the occupied squares, a1 in the lowest bit, little-endian
 *   8 to 23   what stands there, in the order of the squares, four bits each, the low ones first: Piece, or
 *             12, 13 for a rook of White, of Black that may castle, 14 for the pawn that may be captured en
 *             passant; what is not needed is zero
 *   24        the side to move
 *   25        RowClock: how close the fifty-move rule is
 * A move that repeats or draws by the clock changes what a position is worth, and the clock is no part of
 * most analyses: plies 0 to 19, 20 to 59 and all further ones are different positions here. */
typedef enum RowClock { CLOCK_FRESH, CLOCK_AGED, CLOCK_OLD, CLOCK_CLASSES } RowClock;

typedef struct Row {
    uint8_t key[ROW_KEY_SIZE];
    RowSource source;
    int depth;      /* plies */
    Bound bound;    /* of the score; never BOUND_NONE */
    int score;      /* internal units, mates counted from the position; for the side to move */
    uint64_t nodes; /* 0: not known */
    int multi_pv;   /* lines that the search showed */
    int64_t date;   /* seconds since 1970; 0: not known */
    int move_count;
    Move line[ROW_LINE_MAX]; /* legal, from the position */
} Row;

RowClock row_clock_of(int halfmove_clock);
/* The first ply of a class. */
int row_clock_start(RowClock clock);

void row_pack(const Position *pos, uint8_t key[ROW_KEY_SIZE]);

/* The position of a key, with the first ply of its class as clock. Fails when the bytes are no position, or
 * not as row_pack writes it; `*pos` is then undefined. */
Status row_unpack(const uint8_t key[ROW_KEY_SIZE], Position *pos);

/* Names a source: equal for two if and only if (but for accidents) their texts are. */
uint64_t row_source_id(const RowSource *source);

/* Whether a score of one source may be used as its own by the other: the same engine, network and numbers.
 * The version does not matter; sources without a network are never trusted. */
bool row_source_is_trusted(const RowSource *source, const RowSource *own);

/* The line as a store holds it: e2e4 e7e5; in positions that only Chess960 knows castling is king takes rook.
 */
void row_write_line(const Row *row, const Position *pos, TextBuffer *out);
/* Reads it; fails at an illegal move or one too many. */
Status row_read_line(Row *row, const Position *pos, TextView text);

/* The checksum of all that a store holds of a row. Detects damage, not malice. `line` as written. */
uint64_t row_checksum(const Row *row, TextView line);

/* The score of a row that knows only a move, from an opening book, say: the side to move is not worse off
 * than mated, which is always true. Its bound is BOUND_LOWER. */
enum { ROW_NO_SCORE = -SCORE_MATE };
static inline bool row_has_score(const Row *row) {
    return row->bound != BOUND_LOWER || row->score != ROW_NO_SCORE;
}

/* Whether all numbers are in their ranges; the reason names the first that is not. */
Status row_check(const Row *row);

/* Below 0, 0, above 0: the order of two rows of one position and source. The greater one is worth more: the
 * deeper one, where an exact score counts as much as EXACT_PLIES further plies. What decides last is chance,
 * but the same everywhere. Of two that differ in the date only, the older one is greater: to find the same
 * again is no news, and nothing has to be written for it. */
enum { ROW_EXACT_PLIES = 4 };
int row_compare(const Row *a, const Row *b);

#endif
