/* The rules as a whole. */
#ifndef LUFT_CHESS_CHESS_H
#define LUFT_CHESS_CHESS_H

/* Fills the tables of attacks, hash keys and draws. Call it first in every program, before there is a second
 * thread; calling it again does nothing. */
void chess_init(void);

#endif
