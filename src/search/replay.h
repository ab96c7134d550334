/* What the open window of a search in slices has answered already. A slice that ends throws the way to its
 * last node away; the next one goes there again, and would have to find every answer beside that way anew:
 * the table lacks some (searches without a move) and has others a ply too shallow, because what was learned
 * meanwhile asks for another reduction. And what it looks up would be learned twice. Here stand the answers
 * as they were. */
#ifndef LUFT_SEARCH_REPLAY_H
#define LUFT_SEARCH_REPLAY_H

#include "chess/position.h"
#include "search/score.h"

enum { REPLAY_DEPTH = 2 /* plies; shallower answers are not worth a place */ };

typedef struct Replay Replay;

/* NULL when there is no memory. */
Replay *replay_create(void);
void replay_destroy(Replay *replay); /* NULL is fine */

/* Another window: all answers are forgotten. */
void replay_begin_window(Replay *replay);
/* Another slice: it may hear what those before it were told, but nothing of its own. */
void replay_begin_slice(Replay *replay);

/* A search with the window (alpha, alpha + 1). */
typedef struct ReplayQuestion {
    uint64_t key; /* of the position, of `ply` and of the move left out */
    int alpha, depth;
} ReplayQuestion;

ReplayQuestion replay_question(const Position *pos, int ply, Move excluded, int alpha, int depth);

/* The answer to this question, or to the same a ply shallower. */
bool replay_knows(const Replay *replay, const ReplayQuestion *question, int *score);
void replay_note(Replay *replay, const ReplayQuestion *question, int score);

/* The same for a PV node, whose window is (alpha, beta), with its line of `*length` moves. Were its score
 * another one now, no answer that was given below it would fit any more. */
bool replay_knows_line(const Replay *replay, const ReplayQuestion *question, int beta, int *score, Move *line,
                       int *length);
void replay_note_line(Replay *replay, const ReplayQuestion *question, int score, const Move *line,
                      int length);

#endif
