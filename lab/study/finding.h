/* What a search of an engine found out about a position, and what scores are worth. Scores are in internal
 * units (search/score.h), for the side to move. Pure; any thread may call on its own data. */
#ifndef LUFT_STUDY_FINDING_H
#define LUFT_STUDY_FINDING_H

#include "chess/position.h"
#include "lab/client/uci_client.h"
#include "search/score.h"

enum { FINDING_LINE_MAX = 24 /* moves that are kept */ };

typedef struct Finding {
    int score;
    int depth; /* plies, as the engine counts them */
    uint64_t nodes;
    int count;                   /* moves of the line, at least 1 */
    Move line[FINDING_LINE_MAX]; /* legal, from the position */
} Finding;

/* The points that a side may expect, from 0 to 1. 100 centipawns are a chance of one half to win, as Luft and
 * Stockfish define them; most of what is not won is drawn, so that is 0.75 points. */
double finding_expect(int score);

/* The score of which finding_expect makes these points, never a mate. */
int finding_score_of(double points);

/* The score of a position whose best reply has this score: for the other side, mates one ply further away. */
int finding_score_before(int score);

/* Takes over an engine's answer. The reason of a refusal says what is wrong with it: no score, an illegal
 * move. */
Status finding_take(Finding *finding, const Position *pos, const SearchReport *report);

/* As words of a journal: score, depth, nodes, moves; and reads them. */
void finding_write(const Finding *finding, const Position *pos, TextBuffer *out);
bool finding_read(Finding *finding, const Position *pos, TextView text);

#endif
