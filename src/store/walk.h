/* A walk over positions below a root, the one of the greatest worth first: what is worth most is found first,
 * whenever the walk ends. One thread works on one Walk. */
#ifndef LUFT_STORE_WALK_H
#define LUFT_STORE_WALK_H

#include "chess/position.h"

enum { WALK_WORTH_MAX = 511 };

typedef struct Walk Walk;

/* Begins at `root`. At most `most` positions are walked over. NULL when there is no memory. */
Walk *walk_create(const Position *root, int most);
void walk_destroy(Walk *walk); /* NULL is fine */

/* Whether the position was added before. The half-move clock counts as in a Row. */
bool walk_knows(const Walk *walk, const Position *pos);

/* Adds a position that the walk does not know; one too many is forgotten. `mark` comes back with it. The
 * worth is brought into the range from 0. */
void walk_add(Walk *walk, const Position *pos, int worth, uint64_t mark);

/* Takes the position of the greatest worth; false when there is none. `*pos` keeps the history that it
 * had: begin with a copy of the root. */
bool walk_take(Walk *walk, Position *pos, uint64_t *mark);

#endif
