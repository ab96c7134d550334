/* A line of moves with the board before and after each: where it settles, what it costs by then, and why.
 * Facts are claimed of such boards only. Pure but for memory. */
#ifndef LUFT_EXPLAIN_LINE_H
#define LUFT_EXPLAIN_LINE_H

#include "chess/position.h"

enum { LINE_PLIES_MAX = 40 };

/* board[i] is before move[i]; board[length] is the end. */
typedef struct Line {
    int length;
    Move move[LINE_PLIES_MAX];
    Position board[LINE_PLIES_MAX + 1];
} Line;

/* The line of these legal moves, cut to LINE_PLIES_MAX; NULL without memory. Release with line_destroy. */
Line *line_create(const Position *start, const Move *moves, int count);
void line_destroy(Line *line);

/* The first board from `from` on at which captures have come to rest: the side to move is not in check, has
 * no capture that wins anything and no promotion. The other side does not threaten to win anything either,
 * and no check follows; or the next LINE_REST plies of the line take nothing (plies that give or answer a
 * check do not count as any). Mate and stalemate are at rest. -1 when the line ends before. */
enum { LINE_REST = 4 };
int line_settled(const Line *line, int from);

/* Whether the side to move on board `ply` is not in check, and can neither win anything nor promote. */
bool line_is_quiet(const Line *line, int ply);

/* Whether the side to move on board `ply` is mated; has no move without being in check. */
bool line_is_mate(const Line *line, int ply);
bool line_is_stalemate(const Line *line, int ply);

/* Whether board `ply` stood on the board before, in the line or in the game before it. */
bool line_repeats(const Line *line, int ply);

/* Where the piece of square `from` of the first board stands on board `ply`; NO_SQUARE if it was taken, or
 * has become another piece. */
Square line_place(const Line *line, int ply, Square from);

/* What a side loses, after equal kinds are cancelled (a bishop is as good as a knight): pieces of its own,
 * pieces of the other side. A promotion counts as gained for its side; its pawn is not lost, unless the new
 * piece is taken: then a pawn was lost, and no piece. */
typedef struct LineLoss {
    int lost[PIECE_TYPE_COUNT], gained[PIECE_TYPE_COUNT]; /* a minor piece stands under its own type */
    int lost_by_promotion, gained_by_promotion; /* points that promotions of the other side, its own added */
    int net;                                    /* points lost less points gained */
} LineLoss;

/* What `color` loses from board `from` to board `to`. */
LineLoss line_loss(const Line *line, int from, int to, Color color);

/* What is lost in one line and not in another one; the same for the other side. */
LineLoss loss_beyond(const LineLoss *loss, const LineLoss *other);
LineLoss loss_mirrored(const LineLoss *loss);

/* Points that were lost, and that were gained. */
int loss_lost(const LineLoss *loss);
int loss_gained(const LineLoss *loss);

/* The loss as words count it: pawns only where no piece is lost, or where they are what is got for it; what
 * is got for a piece not where no less is lost than that piece is worth. */
LineLoss loss_simplified(LineLoss loss);

/* Whether a rook is lost for a minor piece, and at most pawns are got for it; whether a pawn of the other
 * side becomes a piece, and no piece is lost. */
bool loss_is_exchange(const LineLoss *loss);
bool loss_is_promotion(const LineLoss *loss);

/* The dearest of what is lost; KING: nothing. */
PieceType loss_dearest(const LineLoss *loss);

/* What a move has to do with a loss: why a piece can be taken after it and could not before, or could
 * already. The boards before and after the move are compared, and the board before it with the turn passed.
 * In the order in which they are tried. */
typedef enum CauseKind {
    CAUSE_NONE,     /* nothing that can be proved */
    CAUSE_POISONED, /* the move took something, and its piece is taken back for more */
    CAUSE_GUARDED,  /* the move takes on a square that is guarded better than attacked, and all is taken there
                     */
    CAUSE_MOVED_INTO,  /* the piece that moved can be taken on its new square, and could not on its old one */
    CAUSE_IGNORED,     /* the same capture was a threat already */
    CAUSE_UNGUARDED,   /* the piece that moved had guarded the one that is lost */
    CAUSE_OPENED_LINE, /* it stood between the attacker and the piece that is lost */
    CAUSE_CLOSED_LINE, /* it stands now between a guard and the piece that is lost */
    /* Of a mate, of which CAUSE_IGNORED and CAUSE_OPENED_LINE (it stood in the way of a mating move) are,
       too: */
    CAUSE_UNGUARDED_SQUARE, /* the piece that moved had guarded a square to which a mating move goes */
    CAUSE_CUT_OFF_SQUARE,   /* it stands between the square from which it is mated and a guard of it */
    CAUSE_BLOCKED_FLIGHT    /* it stands where the king could go */
} CauseKind;

/* The cause of the capture line->move[capture] (by the opponent of the side that played line->move[0]). Later
 * than at once, capture == 1, it is that of an exchange on one square, or what the board of the capture shows
 * with the piece that moved put back on its old square: it guarded what is lost, stood in the way, or cuts
 * off a guard. */
CauseKind line_cause(const Line *line, int capture);

/* The cause of the mate that ends the line, by the board alone: not CAUSE_IGNORED. *ply is that of the move
 * to the square that it is about: the one that mates, or one before it. */
CauseKind line_mate_cause(const Line *line, int *ply);

/* "moved into attack" and the like, as in docs/explain.md. */
const char *cause_name(CauseKind kind);

#endif
