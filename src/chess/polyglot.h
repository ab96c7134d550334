/* Opening books in the format of Polyglot, which most chess programs read: entries of 16 bytes, big-endian,
 * sorted by key: the key of a position (8 bytes), a move, its weight (2 each), and 4 bytes for programs that
 * learn. The format is described at http://hgm.nubati.net/book_format.html. Any thread may call. */
#ifndef LUFT_CHESS_POLYGLOT_H
#define LUFT_CHESS_POLYGLOT_H

#include "chess/position.h"

enum { POLYGLOT_NUMBERS = 781, POLYGLOT_ENTRY_SIZE = 16 };

/* The numbers of the format's Zobrist keys. They are the first that the generator ISAAC-64 (Jenkins 1996)
 * gives, seeded with zeros, so they are computed here and not listed. */
typedef struct PolyglotNumbers {
    uint64_t piece[12][SQUARE_COUNT];
    uint64_t castling[4];
    uint64_t en_passant[8];
    uint64_t white_to_move;
} PolyglotNumbers;

void polyglot_init_numbers(PolyglotNumbers *numbers);

typedef struct PolyglotEntry {
    uint64_t key;
    uint16_t move; /* as in the file */
    uint16_t weight;
    uint32_t learn;
} PolyglotEntry;

/* The key of a position to which the move `last` led, or MOVE_NONE. After a double push the format counts
 * every pawn next to it as one that may capture en passant, and a Position only one whose capture is legal:
 * so without the move the key of a position with such a pinned pawn is another one. */
uint64_t polyglot_key(const PolyglotNumbers *numbers, const Position *pos, Move last);

/* How a book writes a legal move: castling is king takes rook. */
uint16_t polyglot_write_move(Move move);

/* The legal move that a book means, also where it writes castling as e1g1; MOVE_NONE when it is illegal. */
Move polyglot_read_move(const Position *pos, uint16_t move);

void polyglot_read_entry(const uint8_t bytes[POLYGLOT_ENTRY_SIZE], PolyglotEntry *entry);
void polyglot_write_entry(const PolyglotEntry *entry, uint8_t bytes[POLYGLOT_ENTRY_SIZE]);

#endif
