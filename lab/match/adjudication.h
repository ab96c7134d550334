/* Ends games before the rules do, by what the engines' scores agree on. Pure. */
#ifndef LUFT_MATCH_ADJUDICATION_H
#define LUFT_MATCH_ADJUDICATION_H

#include "chess/game.h"

/* Scores are in the unit of the caller; a number of plies or moves that is 0 switches its rule off. */
typedef struct Adjudication {
    bool by_score;
    int win_score, win_plies;  /* won: all scores of win_plies in a row say so */
    int few_pieces, few_score; /* from few_pieces on down, pawns and kings counted, it takes few_score: many
                                * such wins are draws */
    int resign_moves;          /* won: the loser's last resign_moves scores say so */
    int draw_score, draw_plies,
        draw_from; /* drawn: at most draw_score for draw_plies, from ply draw_from on */
    int plies_max; /* then it is drawn */
} Adjudication;

/* How long the scores have said the same; start from {0} for each game. */
typedef struct Adjudicator {
    int won[COLOR_COUNT];  /* plies in a row whose scores say that this side wins */
    int lost[COLOR_COUNT]; /* moves in a row of this side, by its own score */
    int level;             /* plies in a row */
} Adjudicator;

/* The score of a move that came without one: it breaks every row. */
enum { ADJUDICATION_NO_SCORE = INT_MIN };

/* Counts the score of the move made in `pos`, White's view, after which the game has `plies`. Returns
 * WIN_ADJUDICATED or DRAW_ADJUDICATED and sets *result when the game is over by that, else GAME_GOES_ON. */
GameEnd adjudicate(const Adjudication *rules, Adjudicator *adjudicator, const Position *pos, int white_score,
                   int plies, GameResult *result);

/* The same for LENGTH_LIMIT. */
GameEnd adjudicate_length(const Adjudication *rules, int plies, GameResult *result);

#endif
