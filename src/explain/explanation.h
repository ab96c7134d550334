/* An explanation: what was found about a move, as data. reason.h finds it, words.h says it. */
#ifndef LUFT_EXPLAIN_EXPLANATION_H
#define LUFT_EXPLAIN_EXPLANATION_H

#include "explain/mate_pattern.h"
#include "explain/motif.h"
#include "explain/move_fact.h"
#include "explain/positional.h"
#include "explain/result.h"
#include "record/story.h"

/* In the order in which they are looked for, but for the last two; the first that holds is given. */
typedef enum Reason {
    REASON_MATED,           /* the answer mates by force, the better move does not lose so */
    REASON_MISSES_MATE,     /* the better move mates */
    REASON_STALEMATE,       /* gives a better game away by stalemate */
    REASON_REPETITION,      /* gives a better game away by repeating a position */
    REASON_PAWN_ENDING,     /* trades into a pawn ending with a worse result */
    REASON_WRONG_BISHOP,    /* goes into an ending with a bishop that does not guard its pawns' last square */
    REASON_LOSES_MATERIAL,  /* that the better line does not lose */
    REASON_MISSES_MATERIAL, /* the better line wins material that this one does not */
    REASON_LOSES_TIME,      /* its piece could have gone at once where it soon goes, and that is better */
    REASON_FACT,            /* positional facts (positional.h) */
    REASON_HARMS,           /* worse than to pass the turn */
    REASON_NONE,            /* none of these can be shown */
    REASON_GOOD,            /* costs next to nothing of the expected score (REASON_GOOD_LOSS), and no material
                               or mate that can be shown */
    REASON_BEST             /* the move that the search plays itself */
} Reason;

#define REASON_GOOD_LOSS 0.02 /* of the expected score, which counts from 0 to 1 */

enum { REASON_GOOD_UNITS = 100 }; /* what a good move may cost where the game is not decided anyway */

/* What a good move does, in the order in which it is looked for. */
typedef enum MeritKind {
    MERIT_NONE,
    MERIT_DRAWS,     /* by perpetual check, or the next best move is worse */
    MERIT_SACRIFICE, /* offers more than it takes */
    MERIT_MEETS,     /* the opponent's threat is gone */
    MERIT_THREATENS, /* mate, or to win material */
    MERIT_ZUGZWANG,  /* the opponent loses only because it must move */
    MERIT_PREVENTS,  /* the opponent's best move after a pass is impossible, or loses something */
    MERIT_FACT       /* a positional fact makes the difference to the second-best move */
} MeritKind;

typedef struct Merit {
    MeritKind kind;
    bool is_only;  /* each other move would be a blunder */
    int moves;     /* that are legal */
    Branch second; /* the best other move; its line is NULL where there is none */
    int offered;   /* points, of a sacrifice */
    Branch
        accepted;  /* that begins with taking it, after the move; the same with the line of the move: NULL */
    Threat threat; /* after the move, where the opponent passes */
    Motif motif;   /* by which the threat that is made or met wins */
} Merit;

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
    LineLoss material; /* that falls by that board and not by board `compared` of the other line: of the side
                          to move at the root; for REASON_MISSES_MATERIAL of its opponent; of this one also
                          for REASON_BEST and REASON_GOOD, where nothing is compared */
    int compared;
    int capture;     /* that line's ply at which the first piece of that loss falls; of a mate the move to the
                        square that the cause is about; -1: none */
    CauseKind cause; /* of that loss or mate; for REASON_MISSES_MATE of a piece that the move itself loses */
    Motif motif;     /* on that line */
    Motif also;      /* another one on that line, no later than the first wins */
    FactReason fact[FACTS_TRIED]; /* that were tried; the first ones are proved with REASON_FACT */
    int fact_count;
    Branch natural;    /* where material is the reason: a natural reply to the blow, or to the capture of the
                          first piece, which fails as well; its line is NULL where there is none to tell */
    Merit merit;       /* REASON_BEST and REASON_GOOD only */
    Threat pass;       /* test P: what happens where the turn is passed instead */
    Branch opposition; /* where the reply, or a good move, takes the opposition: the board after it, if the
                          other side had to move; its line is NULL elsewhere */
    /* What the board shows where time, the pass or nothing is the reason; of a good move without a merit what
     * is in its favour, compared with the second best: */
    MoveFact against, in_favour; /* of the move; of the better one */
    Threat reply_threat;         /* of the reply, new; its branch has no line where there is none */
    Threat plan;      /* of the better move, new, where nothing stronger is in its favour; the same */
    Move at_once;     /* REASON_LOSES_TIME: the move that goes there at once */
    Story story;      /* how the first search of the position treated the move */
    Without *without; /* what the caller asked for by explainer_try_without; the first is that search */
    int without_count;
    uint64_t position_nodes;    /* that it could spend */
    const Recording *recording; /* of that search; it is the explainer's, until its next explanation */
} Explanation;

void explanation_release(Explanation *explanation);

const Position *explanation_root(const Explanation *explanation);

/* Units by which the better move is worth more. */
int explanation_gap(const Explanation *explanation);

/* The line on which a fact lasts: of the better or the second-best move, or of the other one. */
const Line *explanation_fact_line(const Explanation *explanation, const FactReason *fact);

/* The line that shows the reason: the better one for what the move misses. */
const Line *explanation_line(const Explanation *explanation);

/* Whether what the branch wins only makes up for what was lost before: the side is as many points behind; or
 * it takes something or is behind, and the game is no better than level after it; or the last move has taken
 * as much. */
bool explanation_wins_back(const Explanation *explanation, const Branch *branch);

/* The same of a move that takes something itself. */
bool explanation_takes_back(const Explanation *explanation);

/* The material as a reader counts it: a piece that the move takes itself and the line does not give back is
 * what is got for the loss, though the better line takes it later. */
LineLoss explanation_loss(const Explanation *explanation);

/* Whether a move that allows mate also misses one, in few moves. */
bool explanation_misses_mate_too(const Explanation *explanation);

/* Whether nothing but the search says that a good move is the best, or as good: the next best move is hardly
 * worse, and a longer search may find one. */
bool explanation_is_best_by_search(const Explanation *explanation);

/* Whether only the next best move shows why this one is the only one. */
bool explanation_is_shown_by_second(const Explanation *explanation);

/* Whether the reply is the same as to a pass, neither a capture nor mere development, and after the better
 * move it is impossible or loses something. */
bool explanation_meets_nothing(const Explanation *explanation);

/* The name of the mate that ends the line of the reason. */
MatePattern explanation_mate_pattern(const Explanation *explanation);

/* Whether the move is no worse than the best one. */
static inline bool reason_is_good(Reason reason) { return reason == REASON_GOOD || reason == REASON_BEST; }

/* "loses material" and the like, as in docs/explain.md. */
const char *reason_name(Reason reason);

#endif
