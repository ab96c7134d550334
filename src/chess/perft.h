/* Perft: the number of move sequences of a length. The proof that the rules are right, and their speed. */
#ifndef LUFT_CHESS_PERFT_H
#define LUFT_CHESS_PERFT_H

#include "chess/position.h"

/* Leaves at `depth` plies, the last ply counted in bulk. Depth 0 gives 1. */
uint64_t perft_count(Position *pos, int depth);

/* The same, each root move's share reported (perft divide). `go_on`, if not NULL, is asked every few million
 * leaves; when it says no, the result is false and *leaves means nothing. `report` may be NULL. */
typedef void PerftReport(void *context, Move move, uint64_t leaves);
bool perft_divide(Position *pos, int depth, PerftReport *report, bool (*go_on)(void *context), void *context,
                  uint64_t *leaves);

#endif
