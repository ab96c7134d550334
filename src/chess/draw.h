/* Draws by rule, read off a position and its history. */
#ifndef LUFT_CHESS_DRAW_H
#define LUFT_CHESS_DRAW_H

#include "chess/position.h"

/* Fills the table of reversible moves for draw_upcoming_repetition. Once, after zobrist_init. */
void draw_init(void);

/* Whether the position repeats: once if the earlier one lies inside the search tree (`ply` plies from the
 * root), twice otherwise. With ply 0 this is the rule of threefold repetition. */
bool draw_by_repetition(const Position *pos, int ply);

/* Whether the position was on the board before, in the tree or in the game. */
bool draw_stood_before(const Position *pos);

/* Whether some position since the last capture or pawn move had been there before. */
bool draw_has_repeated(const Position *pos);

/* Whether the side to move can reach an earlier position by one move (Keith Vigroux's and Marcel van
 * Kervinck's cuckoo tables), counted as for draw_by_repetition: within the tree once is enough. */
bool draw_upcoming_repetition(const Position *pos, int ply);

/* A hundred plies without capture or pawn move, unless the last of them mates. */
bool draw_by_fifty_moves(const Position *pos);

/* No sequence of legal moves can mate: king against king, with one minor piece, or with bishops that all
 * are on squares of one colour. */
bool draw_by_dead_material(const Position *pos);

/* Any of the three. */
bool draw_by_rule(const Position *pos, int ply);

#endif
