/* Positional reasons, proved. A fact (fact.h) is a reason when it makes a difference that lasts (test D: it
 * holds on every board of the second half of one line, and on none of the other's, and so on most pairs of
 * candidate lines), and when the network's verdict hangs on it (test E: the fact is edited off three boards
 * of its line, and the value moves towards the other line by a good part of what lies between them). */
#ifndef LUFT_EXPLAIN_POSITIONAL_H
#define LUFT_EXPLAIN_POSITIONAL_H

#include "explain/fact.h"
#include "explain/searcher.h"

enum { BOARDS_EDITED = 3, SQUARES_EDITED = 4 };

/* A board of the line with the fact and without. */
typedef struct EditedBoard {
    int ply;
    bool is_control;   /* the other side's edit (fact_controls) */
    Square square;     /* at which the fact is edited off it (fact_edit) */
    int before, after; /* what the network says, for the side to move at the root, in internal units */
} EditedBoard;

/* Why a fact that makes a difference is no reason, in the order of the tests. */
typedef enum Refusal {
    FACT_PROVED,
    FACT_CHOSEN_LATER, /* the side that suffers from it brings it about by a later move that nothing forces,
                          or it stood before, and the better move does not end it; or the other side could
                          bring it about on the other line, too */
    FACT_SHOWN_SELDOM, /* by fewer than two of three pairs of candidate lines */
    FACT_WITHOUT_EDIT, /* on three boards */
    FACT_WORTH_LITTLE  /* by the network */
} Refusal;

/* A fact that lasts on one line and never holds on the other. */
typedef struct FactReason {
    FactKind kind;
    Color side;    /* whose fact it is */
    int seen;      /* a board of its line on which it holds */
    Square square; /* that shows it there */
    Square to; /* where the piece stands at the end of the other line (fact_compares_squares), or NO_SQUARE */
    bool on_better;    /* it holds on the better line, not on the one that is played */
    bool stood_before; /* it held on the first board as well, and the better move ends it */
    int ply;           /* its line's move from which on it holds */
    Refusal refusal;
    EditedBoard edit[BOARDS_EDITED * SQUARES_EDITED];
    int edit_count;
    int worth; /* units by which the edits change the value, on average */
} FactReason;

enum {
    FACTS_TRIED = 12,
    FACTS_GAP = 3 * SCORE_UNITS_PER_PAWN / 2 /* between two moves: no fact is worth more than a pawn or two */
};

/* All facts that were tried: those that pass both tests first, the one of greatest worth before the others.
 * At most two pass, the second one only if it is worth half as much. `gap`: units between the branches,
 * none is tried beyond FACTS_GAP. Returns how many. */
int positional_find(Searcher *searcher, const Branch *played, const Branch *better, int gap,
                    FactReason tried[FACTS_TRIED]);

/* The facts that hold on the first board of a line and on each board of its second half, by test E alone:
 * those that are proved first, as before. `on_better`: it is good for the side to move there. Returns how
 * many. */
int positional_find_standing(Searcher *searcher, const Line *line, FactReason tried[FACTS_TRIED]);

/* "worth little" and the like, as in docs/explain.md. */
const char *refusal_name(Refusal refusal);

#endif
