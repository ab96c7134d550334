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

/* --- facts of a move --- */

/* What a coach speaks of where nothing is won: time lost or gained, a plan allowed or prevented, a piece
 * developed. Each is read off two lines, that of the move and that of the other move, and counts only where
 * the other line does not show it as well. They say what happens, not what it is worth: for that a pass or a
 * search is asked (reason.h). Pure.
 *
 * Against the move up to MOVE_LEAVES_FILE, then in favour of it; each in the order of preference. */
typedef enum MoveFactKind {
    MOVE_FACT_NONE,
    MOVE_LOSES_TEMPO,  /* a reply attacks a piece, which moves away */
    MOVE_IS_PINNED,    /* a reply pins a piece, which could move before */
    MOVE_GOES_ON,      /* its piece soon goes back, or on to where it could have gone at once */
    MOVE_STOPS,        /* the reply makes the better move impossible, or it loses something then */
    MOVE_ALLOWS,       /* a quiet reply that was impossible before, or lost something */
    MOVE_AGAIN,        /* a developed piece moves while others are at home */
    MOVE_LEAVES_FILE,  /* a rook leaves a file without own pawns for one with an own pawn */
    MOVE_TAKES,        /* a capture that wins more than a pawn by exchanges, whatever was lost before */
    MOVE_DRAWS_KING,   /* the king leaves its home rank to take what is offered, and is in check there */
    MOVE_PINS,         /* a piece that could leave the line of its king before */
    MOVE_GUARDS,       /* a piece that the other line's reply takes */
    MOVE_PREVENTS,     /* the other line's quiet reply is impossible, or loses something */
    MOVE_GAINS_TEMPO,  /* it attacks a piece, which moves away */
    MOVE_ATTACKS,      /* the same, but it stays: the line answers otherwise; or a pawn that it takes next */
    MOVE_TAKES_CENTRE, /* a pawn comes to the fourth or fifth rank of the d- or e-file */
    MOVE_DEVELOPS,     /* a knight or bishop leaves its home, or the king castles */
    MOVE_TAKES_FILE,   /* a rook goes to a file without own pawns from one with an own pawn */
    MOVE_PREPARES,     /* its piece goes on to give check or to take something, which was impossible before */
    MOVE_FACT_KINDS
} MoveFactKind;

typedef struct MoveFact {
    MoveFactKind kind;
    int ply;       /* of the line's move that shows it; of the other line's with MOVE_PREVENTS */
    Square square; /* where the piece stands that it is about: on the board after that move where it is
                      attacked, guarded or taken, else before the line's first move */
} MoveFact;

/* The first fact against the first move of `line`, or in favour of it. */
MoveFact move_fact_find(const Line *line, const Line *other, bool in_favour);

/* Where the piece of the line's first move soon goes on to a square to which it could have gone at once: that
 * move, and the *ply at which it comes there. MOVE_NONE where it does not. */
Move move_fact_at_once(const Line *line, int *ply);

/* Whether a reply that is quiet and loses nothing on the board `possible` is impossible on `pos`, or loses
 * something there. It must answer no check, and its piece must stand where it did. */
bool move_fact_is_prevented(const Position *possible, const Position *pos, Move reply);

/* Whether the reply is possible on another board as well, and nothing can be won from it then: `after` it. */
bool move_fact_can_reply(const Position *pos, Move reply, Position *after);

/* Whether a knight or bishop leaves its home, or the king castles; whether the side to move has pieces to
 * develop, and the move does not. */
bool move_fact_develops(const Position *pos, Move move);
bool move_fact_develops_nothing(const Position *pos, Move move);

/* "goes back" and the like, as in docs/explain.md. */
const char *move_fact_name(MoveFactKind kind);

#endif
