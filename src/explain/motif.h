/* Tactical motifs on a line: a fork, a pin, a skewer and their kin, each with the rule that proves it.
 *
 * Geometry alone is no motif: of the moves of puzzles that attack two pieces a third wins neither. So a motif
 * is claimed only where the line itself takes the victim, and `forced` only where no legal reply saves it
 * (proof.h). S is the side whose motif it is, O the other. The rules are ours; what taggers and coaches get
 * wrong, and the terms, come from lichess-puzzler's tagger, CARA, chessdroid and others. Pure. */
#ifndef LUFT_EXPLAIN_MOTIF_H
#define LUFT_EXPLAIN_MOTIF_H

#include "explain/line.h"

/* In the order in which one is preferred to another when both hold. */
typedef enum MotifKind {
    MOTIF_NONE,
    MOTIF_DOUBLE_CHECK,      /* two pieces give check: only the king can move */
    MOTIF_DISCOVERED_CHECK,  /* the piece that moves away uncovers a check, and then takes a victim */
    MOTIF_DISCOVERED_ATTACK, /* the piece that moves away uncovers a slider, which takes the victim */
    MOTIF_FORK,              /* one piece attacks two, and takes one of them */
    MOTIF_SKEWER,            /* the piece in front must move, the one behind it is taken */
    MOTIF_TRAPPED,           /* a piece that is attacked has no safe square */
    MOTIF_ATTRACTION, /* a king, queen or rook takes what is offered, and stands in a fork or skewer there */
    MOTIF_INTERMEZZO, /* a check or a capture comes before a piece is taken back */
    MOTIF_REMOVED_GUARD,  /* the guard is taken first, then what it guarded */
    MOTIF_OVERLOADED,     /* one guard of two pieces: it retakes the one, the other is lost */
    MOTIF_DEFLECTION,     /* a guard takes what is offered or answers a check, and guards no more */
    MOTIF_INTERFERENCE,   /* a piece goes between a guard and what it guards */
    MOTIF_ATTACKS_PINNED, /* a pinned piece is attacked once more, and taken */
    MOTIF_PINNED,         /* a piece that may not leave its king's line is taken */
    MOTIF_PINNED_TO,      /* a piece that would have given up the dearer one behind it is taken */
    MOTIF_PINNED_GUARD,   /* a piece that may not leave its king's line cannot take back */
    MOTIF_PROMOTION,      /* a pawn promotes, or nothing stops it from that */
    MOTIF_UNDEFENDED,     /* a piece is taken that nobody can take back */
    MOTIF_OUTNUMBERED,    /* a piece is taken that is not guarded often or cheaply enough */
    MOTIF_KINDS
} MotifKind;

enum { MOTIF_VICTIMS_MAX = 8 };

typedef struct Motif {
    MotifKind kind;
    int ply;        /* line->move[ply] is S's move that makes it */
    int won_at;     /* line->move[won_at] takes the victim; the pawn promotes; it is mate */
    Square piece;   /* that makes it, where it stands after `ply` (the pinning or uncovered slider, too) */
    int victims_at; /* the board of the line on which the victims stand */
    Square victim[MOTIF_VICTIMS_MAX];
    int victim_count;
    bool check;  /* the move gives check */
    bool forced; /* no legal reply saves all victims; else it is true of this line only */
} Motif;

/* All motifs by which S's move at `ply` wins material in this line before board `end`, as far as they can be
 * proved; returns how many. S is the side to move on board `ply`. */
int motif_find(const Line *line, int ply, int end, Motif found[MOTIF_KINDS]);

/* The same of S's move at `ply` in a line that ends in mate of O, where nothing need be won: checks and
 * captures that it uncovers, and pinned pieces that would have answered. `won_at` is the ply of the mate. */
int motif_find_mating(const Line *line, int ply, Motif found[MOTIF_KINDS]);

/* What the motif's capture wins by exchanges; of a promotion what the new piece adds. */
int motif_gain(const Line *line, const Motif *motif);

/* Of a piece of the side to move: whether the slider *pinner keeps it on its king's line, and it has squares
 * off that line; whether each move off the line of *pinner (not the one on `excluded`) would lose the dearer
 * piece on *rear; whether some legal move of it loses nothing by exchanges where it goes. */
bool motif_pinned(const Position *pos, Square square, Square *pinner);
bool motif_pinned_to(const Position *pos, Square front, Square excluded, Square *pinner, Square *rear);
bool motif_has_safe_move(const Position *pos, Square square);

/* The terms, as in docs/explain.md: "fork". */
const char *motif_name(MotifKind kind);

#endif
