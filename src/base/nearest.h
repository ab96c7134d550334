/* The nearest of several names to a word that is none of them: for "did you mean ...?". Pure. */
#ifndef LUFT_BASE_NEAREST_H
#define LUFT_BASE_NEAREST_H

#include "base/text.h"

typedef struct Nearest {
    TextView word;
    const char *name; /* NULL while no name is near enough */
    size_t distance;  /* a name must be nearer than this */
} Nearest;

Nearest nearest_to(TextView word);

/* Keeps `name` where it is nearer than those before. Near is what few insertions, deletions, replacements
 * and swaps of neighbours make of the word (the distance of Damerau and Levenshtein), whatever the case of
 * the letters; or what the word is the beginning of. */
void nearest_consider(Nearest *nearest, const char *name);

#endif
