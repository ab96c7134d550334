/* Mates that have a name. Each is a fact of the final board, by the rules that the taggers of puzzles use.
 * Where several hold, the first of the list is reported. Pure; any thread may call. */
#ifndef LUFT_EXPLAIN_MATE_PATTERN_H
#define LUFT_EXPLAIN_MATE_PATTERN_H

#include "chess/position.h"

typedef enum MatePattern {
    MATE_PATTERN_NONE,
    MATE_SMOTHERED, /* a knight gives check, and own men hold all squares around the king */
    MATE_BACK_RANK, /* on its first rank, which a rook or queen rules, behind its own men */
    MATE_ARABIAN,   /* in the corner, by a rook next to it that a knight guards from two squares off */
    MATE_HOOK,      /* by a rook next to it, guarded by a knight next to it, guarded by a pawn */
    MATE_ANASTASIA, /* on an edge file, ruled by a rook or queen; a knight and an own man bar the next file */
    MATE_BODEN,     /* by two bishops alone, which cross from both sides */
    MATE_DOUBLE_BISHOP, /* by two bishops alone, side by side */
    MATE_DOVETAIL,      /* by a queen next to it at a corner, which takes all squares that own men leave */
    MATE_PATTERN_COUNT
} MatePattern;

/* Which mate it is that the side to move suffers on this board: it must be mated. */
MatePattern mate_pattern_of(const Position *mated);

/* "back rank" and the like, as in docs/explain.md; NULL for none. */
const char *mate_pattern_name(MatePattern pattern);

#endif
