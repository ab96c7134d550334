/* Facts of a board in the words of a coach (facts.def): the bishop pair, an isolated pawn and the like. Each
 * is a pure function of a board and a side, with an edit that takes it off the board, so that the network can
 * be asked what it is worth. Pure; any thread may call. */
#ifndef LUFT_EXPLAIN_FACT_H
#define LUFT_EXPLAIN_FACT_H

#include "chess/position.h"

typedef enum FactKind {
#define FACT(name, scope, value, edit) FACT_##name,
#include "explain/facts.def"
    FACT_KINDS
} FactKind;

/* The squares that show the fact of `side`; 0: it does not hold. */
Bitboard fact_squares(FactKind kind, const Position *pos, Color side);

/* The same as a set of what is one fact: files, squares, or 1 (facts.def). */
uint64_t fact_set(FactKind kind, const Position *pos, Color side);
uint64_t fact_member(FactKind kind, Square square);

/* Steps of the king of `side` to the nearest of the four squares of the centre. */
int fact_from_centre(const Position *pos, Color side);

/* Whether the fact is good for the side that has it. */
bool fact_is_good(FactKind kind);

/* Whether it compares where a piece stands on two lines: on one board any piece shows it. */
static inline bool fact_compares_squares(FactKind kind) {
    return kind == FACT_worse_square || kind == FACT_better_square;
}

/* Squares at which an edit by the other side takes the fact off as well, as a control: what its own edit
 * changes may have another cause. 0: there are none. */
Bitboard fact_controls(FactKind kind, const Position *pos, Color side);

/* Takes the fact that `square` shows, or a control of it, off the board, so that the member is in its set no
 * more; no edit makes an impossible position. Of facts that compare squares the piece goes `to` the other
 * one; else that is NO_SQUARE. False where that cannot be done: then the board is not to be used. */
bool fact_edit(FactKind kind, Position *pos, Color side, Square square, Square to);

/* "bishop pair" and the like, as in docs/explain.md. */
const char *fact_name(FactKind kind);

#endif
