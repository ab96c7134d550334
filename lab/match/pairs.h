/* One thread of a match: it plays pair after pair, with two engines that it keeps running from game to game.
 */
#ifndef LUFT_MATCH_PAIRS_H
#define LUFT_MATCH_PAIRS_H

/* The body of a thread of the match's crew; the context is the Match. */
void pairs_play(void *match, int number);

#endif
