/* Generators for the fuzzers: positions and games by the rules of chess, and small edits of text. All depend
 * only on the given random numbers. */
#ifndef LUFT_FUZZ_VARY_H
#define LUFT_FUZZ_VARY_H

#include "base/rng.h"
#include "base/text.h"
#include "chess/position.h"

/* A list of words to choose from. */
typedef struct Vocabulary {
    const char *const *words;
    int count;
} Vocabulary;
#define WORDS_OF(array) ((Vocabulary){array, (int)(sizeof(array) / sizeof *(array))})

bool vary_chance(Rng *rng, int percent);
const char *vary_word(Rng *rng, Vocabulary list);

/* Appends random bytes. */
void vary_random(Rng *rng, int count, TextBuffer *out);

/* Appends a number: mostly small, sometimes at the limit of an integer type. */
void vary_number(Rng *rng, TextBuffer *out);

/* vary_start makes a start position, standard or not. vary_play plays up to `plies` random moves from `pos`
 * and stores them in `moves` (may be NULL); it returns their number. */
Position vary_start(Rng *rng);
int vary_play(Position *pos, Rng *rng, int plies, Move *moves);

/* Appends a FEN: a position of a random game, with up to four edits of board and fields. */
void vary_fen(Rng *rng, TextBuffer *out);

/* Appends an edit of a FEN. A valid one gets random moves first; in an invalid one letters are edited. */
void vary_fen_of(TextView fen, Rng *rng, TextBuffer *out);

/* Append the text with one to four edits: of its bytes, of its words (some are replaced from the list), or of
 * its lines (removed, repeated, swapped). */
void vary_bytes(TextView text, Rng *rng, TextBuffer *out);
void vary_words(TextView text, Rng *rng, Vocabulary list, TextBuffer *out);
void vary_lines(TextView text, Rng *rng, TextBuffer *out);

#endif
