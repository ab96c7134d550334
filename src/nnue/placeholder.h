/* The evaluation of a program built without a network, until it is given one. */
#ifndef LUFT_NNUE_PLACEHOLDER_H
#define LUFT_NNUE_PLACEHOLDER_H

#include "chess/position.h"

/* Internal units, side to move. */
int placeholder_value(const Position *pos);

#endif
