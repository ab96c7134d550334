/* How a reason is chosen: what a move does, said of the boards of two lines (line.h), the one that answers it
 * and the one of the best move. Nothing is guessed: what cannot be proved is no reason. */
#ifndef LUFT_EXPLAIN_REASON_H
#define LUFT_EXPLAIN_REASON_H

#include "explain/motif.h"
#include "explain/positional.h"
#include "record/story.h"

/* The first that holds, but for the last two in the order in which they are looked for. */
typedef enum Reason {
    REASON_MATED,           /* the answer mates by force, the better move does not lose so */
    REASON_MISSES_MATE,     /* the better move mates */
    REASON_STALEMATE,       /* gives a better game away by stalemate */
    REASON_REPETITION,      /* gives a better game away by repeating a position */
    REASON_PAWN_ENDING,     /* trades into a pawn ending with a worse result */
    REASON_LOSES_MATERIAL,  /* that the better line does not lose */
    REASON_MISSES_MATERIAL, /* the better line wins material that this one does not */
    REASON_FACT,            /* positional facts (positional.h) */
    REASON_HARMS,           /* worse than to pass the turn */
    REASON_IDLE,            /* hardly better than to pass the turn */
    REASON_NONE,            /* none of these can be shown */
    REASON_GOOD,            /* costs next to nothing of the expected score (REASON_GOOD_LOSS), and no material
                               or mate that can be shown */
    REASON_BEST             /* the move that the search plays itself */
} Reason;

#define REASON_GOOD_LOSS 0.02 /* of the expected score, which counts from 0 to 1 */

/* What the game comes to, for the side to move at the root. */
typedef enum Outcome { OUTCOME_OPEN, OUTCOME_WIN, OUTCOME_DRAW, OUTCOME_LOSS } Outcome;

/* How a line ends in a draw. */
typedef enum DrawKind {
    DRAW_NONE,
    DRAW_PERPETUAL, /* it repeats a position, and one side checks all the time */
    DRAW_REPETITION,
    DRAW_STALEMATE,
    DRAW_MATERIAL, /* too little for any mate */
    DRAW_SCORE     /* the search says so, no board */
} DrawKind;

typedef struct Result {
    Outcome better, played; /* OUTCOME_OPEN, both of them, where the result does not change */
    DrawKind draw;          /* where one of them is a draw */
} Result;

typedef struct Explanation {
    Branch played, better; /* the move, and the best one */
    double loss;           /* of the expected score by the better move's account, 0 and more */
    uint64_t nodes;        /* of all searches */
    Result result;
    Reason reason;
    int mate;    /* moves to the mate that ends the line: of the opponent, whatever the reason (there may be
                    nothing better); one's own on the better line with REASON_MISSES_MATE, on the line itself
                    with REASON_BEST and REASON_GOOD; 0: none */
    int settled; /* the board of the line that shows the reason rests there; -1 where none is shown */
    LineLoss material; /* by that board, less what board `compared` of the other line has lost: of the side to
                          move at the root; for REASON_MISSES_MATERIAL of its opponent; of this one also for
                          REASON_BEST and REASON_GOOD, where nothing is compared */
    int compared;
    int capture;                  /* that line's ply at which the first piece of that loss falls; -1: none */
    CauseKind cause;              /* of that capture; REASON_LOSES_MATERIAL only */
    Motif motif;                  /* on that line */
    Motif also;                   /* another one on that line, no later than the first wins */
    FactReason fact[FACTS_TRIED]; /* that were tried; the first ones are proved with REASON_FACT */
    int fact_count;
    Move
        pass_reply; /* test P: the best reply where the turn is passed instead; MOVE_NONE: it was not tried */
    int pass_score; /* of that, for the side that passes */
    Story story;    /* how the first search of the position treated the move */
    Without *without; /* what the caller asked for by explainer_try_without; the first is that search */
    int without_count;
    uint64_t position_nodes;    /* that it could spend */
    const Recording *recording; /* of that search; it is the explainer's, until its next explanation */
} Explanation;

/* Finds the reason from the two branches and the loss. `nodes`: of further searches, in all about as many. */
void reason_find(Explanation *explanation, Searcher *searcher, uint64_t nodes);

/* The line that shows the reason: the better one for what the move misses. */
const Line *reason_line(const Explanation *explanation);

/* Whether the move is no worse than the best one. */
static inline bool reason_is_good(Reason reason) { return reason == REASON_GOOD || reason == REASON_BEST; }

/* "loses material" and the like, as in docs/explain.md. */
const char *reason_name(Reason reason);
const char *outcome_name(Outcome outcome);
const char *draw_name(DrawKind kind);

#endif
