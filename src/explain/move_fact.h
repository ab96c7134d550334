/* Facts of a move: what a coach speaks of where nothing is won. Time lost or gained, a plan allowed or
 * prevented, a file, an outpost, a lever, a piece developed. Each is read off two lines, that of the move and
 * that of the other move, and counts only where the other line does not show it as well. They say what
 * happens, not what it is worth: for that a pass or a search is asked (reason.h). Pure; any thread may call.
 */
#ifndef LUFT_EXPLAIN_MOVE_FACT_H
#define LUFT_EXPLAIN_MOVE_FACT_H

#include "explain/candidates.h"

/* Against the move up to MOVE_LEAVES_FILE, then in favour of it; each in the order of preference. */
typedef enum MoveFactKind {
    MOVE_FACT_NONE,
    MOVE_DROPS,        /* a reply takes what it could not win after the other move */
    MOVE_LOSES_TEMPO,  /* a reply attacks a piece, which moves away */
    MOVE_IS_PINNED,    /* a reply pins a piece, which could move before */
    MOVE_GIVES_PAIR,   /* a bishop takes a knight and is taken back: the other side keeps both bishops */
    MOVE_GOES_ON,      /* its piece soon goes back, or on to where it could have gone at once */
    MOVE_STOPS,        /* the reply makes the better move impossible, or it loses something then */
    MOVE_ALLOWS,       /* a quiet reply that was impossible before, or lost something */
    MOVE_BLOCKS,       /* a piece goes before its own centre pawn, behind which a bishop is at home */
    MOVE_AGAIN,        /* a developed piece moves while others are at home */
    MOVE_LEAVES_FILE,  /* a rook leaves a file without own pawns for one with an own pawn */
    MOVE_TAKES,        /* a capture that wins more than a pawn by exchanges, whatever was lost before */
    MOVE_DRAWS_KING,   /* the king leaves its home rank to take what is offered, and is in check there */
    MOVE_PINS,         /* a piece that could leave the line of its king before */
    MOVE_GUARDS,       /* a piece that the other line's reply takes */
    MOVE_SEIZES_FILE,  /* a rook goes to a file without pawns from one with pawns */
    MOVE_OUTPOST,      /* it, or the next move, brings a knight or bishop where no pawn can ever attack it */
    MOVE_PREVENTS,     /* the other line's quiet reply is impossible, or loses something */
    MOVE_GAINS_TEMPO,  /* it attacks a piece, which moves away */
    MOVE_ATTACKS,      /* the same, but it stays: the line answers otherwise; or a pawn that it takes next */
    MOVE_AVOIDS_TRADE, /* the queens stay on the board, and are traded on the other line */
    MOVE_CLOSES_FILE,  /* a knight or bishop goes between a rook of its side and one of the other side */
    MOVE_LEVER,        /* a pawn attacks a pawn */
    MOVE_PUSHES,       /* a passed pawn goes on */
    MOVE_LEADS_KING,   /* in an ending the king goes nearer to the centre */
    MOVE_TAKES_CENTRE, /* a pawn comes to the fourth or fifth rank of the d- or e-file */
    MOVE_DEVELOPS,     /* a knight or bishop leaves its home, or the king castles */
    MOVE_TAKES_FILE,   /* a rook goes to a file without own pawns from one with an own pawn */
    MOVE_PREPARES,     /* its piece goes on to give check or to take something, which was impossible before */
    MOVE_NEARS_BISHOP, /* a knight attacks a bishop, which is guarded */
    MOVE_TRADES,       /* pieces of equal worth */
    MOVE_GIVES_ROOM,   /* the piece that moves has many more squares */
    MOVE_SPACE,        /* later all pieces of its side together have more squares, as many of each kind */
    MOVE_FACT_KINDS
} MoveFactKind;

typedef struct MoveFact {
    MoveFactKind kind;
    int ply;       /* of the line's move that shows it; of the other line's with MOVE_PREVENTS */
    Square square; /* where the piece stands that it is about: on the board after that move where it is
                      attacked, guarded or taken, else before the line's first move */
} MoveFact;

/* The first fact against the first move of `line`, or in favour of it. What happens by a later move of that
 * side must happen on two of three of the candidate lines as well (NULL: there are none). */
MoveFact move_fact_find(const Line *line, const Line *other, const Candidates *candidates, bool in_favour);

/* Whether the line's move at `ply` is played on two of three of the candidate lines by then, or two plies
 * later. */
bool move_fact_is_in_most(const Line *line, const Candidates *candidates, int ply);

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

/* Whether a move of the king goes in front of a passed pawn of its own, on its file. */
bool move_fact_goes_before_pawn(const Position *pos, Move move);

/* To how many squares the piece could go, whatever attacks them; the pieces of a side together, on an average
 * board of the second half of the line (of its first SPACE_PLIES). */
int move_fact_room(const Position *pos, Square square);
enum { SPACE_PLIES = 12 };
int move_fact_space(const Line *line, Color side);

/* "goes back" and the like, as in docs/explain.md. */
const char *move_fact_name(MoveFactKind kind);

#endif
