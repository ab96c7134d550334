/* Finds the name that is nearest to a misspelt word, for "did you mean ...?". Pure. */
#ifndef LUFT_BASE_NEAREST_H
#define LUFT_BASE_NEAREST_H

#include "base/text.h"

typedef struct Nearest {
    TextView word;
    const char *name; /* the nearest so far; NULL if none is near enough */
    size_t distance;  /* a better name must be nearer than this */
} Nearest;

Nearest nearest_to(TextView word);

/* Takes `name` if it is nearer than the names before. The distance is that of Damerau and Levenshtein: the
 * number of insertions, deletions, replacements and swaps of neighbours. Case does not count. A name that
 * starts with the word is near, too. */
void nearest_consider(Nearest *nearest, const char *name);

#endif
