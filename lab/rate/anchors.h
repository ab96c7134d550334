/* Ratings that are given and stay: the option --anchor NAME=ELO of the commands that rate. */
#ifndef LUFT_RATE_ANCHORS_H
#define LUFT_RATE_ANCHORS_H

#include "base/field.h"
#include "lab/rate/rating.h"

enum { ANCHORS_MAX = 64 };

/* As the command line says them; the texts are not copied. Starts as {0}. */
typedef struct Anchors {
    const char *text[ANCHORS_MAX];
    int count;
} Anchors;

FieldTake anchors_take;
#define ANCHOR_FIELD(member)                                \
    FIELD_TAKEN("anchor", "NAME=ELO", member, anchors_take, \
                "the rating of a player that stays; may be repeated")

/* Fixes the ratings of the players that they name. The reason of a failure says which anchor is no NAME=ELO,
 * or names nobody. */
Status anchors_fix(const Anchors *anchors, RatingPlayer *players, int count);

#endif
