/* Why a piece can be taken after a move and could not before it, or could already: what the move has to do
 * with its loss. Boards before and after the move are compared, and the board before it with the turn passed.
 * Pure.
 */
#ifndef LUFT_EXPLAIN_CAUSE_H
#define LUFT_EXPLAIN_CAUSE_H

#include "explain/line.h"

/* In the order in which they are tried. */
typedef enum CauseKind {
    CAUSE_NONE,        /* nothing that can be proved */
    CAUSE_POISONED,    /* the move took something, and its piece is taken back for more */
    CAUSE_MOVED_INTO,  /* the piece that moved can be taken on its new square, and could not on its old one */
    CAUSE_IGNORED,     /* the same capture was a threat already */
    CAUSE_UNGUARDED,   /* the piece that moved had guarded the one that is lost */
    CAUSE_OPENED_LINE, /* it stood between the attacker and the piece that is lost */
    CAUSE_CLOSED_LINE  /* it stands now between a guard and the piece that is lost */
} CauseKind;

/* The cause of the capture line->move[capture] (by the opponent of the side that played line->move[0]); only
 * the reply at once, capture == 1, has a cause that can be proved. */
CauseKind cause_find(const Line *line, int capture);

/* "moved into attack" and the like, as in docs/explain.md. */
const char *cause_name(CauseKind kind);

#endif
