/* What the fuzzers make their inputs of: positions and games by the rules, and edits that keep most of a
 * text. All comes from the random numbers that are handed in. */
#ifndef LUFT_FUZZ_VARY_H
#define LUFT_FUZZ_VARY_H

#include "base/rng.h"
#include "base/text.h"
#include "chess/position.h"

/* Words to choose from. */
typedef struct WordList {
    const char *const *words;
    int count;
} WordList;
#define WORDS_OF(array) ((WordList){array, (int)(sizeof(array) / sizeof *(array))})

bool vary_chance(Rng *rng, int percent);
const char *vary_word(Rng *rng, WordList list);

/* Appends random bytes. */
void vary_random(Rng *rng, int count, TextBuffer *out);

/* A number as people and programs write it: mostly small, now and then at the edge of some type. */
void vary_number(Rng *rng, TextBuffer *out);

/* A start, standard or not, and a random game from it: at most `plies` moves, which go to `moves` (NULL: not
 * wanted); the position then stands behind them. Returns how many. */
Position vary_start(Rng *rng);
int vary_play(Position *pos, Rng *rng, int plies, Move *moves);

/* Appends a FEN: a position of a random game, with up to four edits of board and fields. */
void vary_fen(Rng *rng, TextBuffer *out);

/* The same of a FEN that is there: moves are played first if it can be read, else its letters are edited. */
void vary_fen_of(TextView fen, Rng *rng, TextBuffer *out);

/* Appends the text with one to four edits: of its bytes, of its words (some become words of the list), of its
 * lines (some go, come twice, change places). */
void vary_bytes(TextView text, Rng *rng, TextBuffer *out);
void vary_words(TextView text, Rng *rng, WordList list, TextBuffer *out);
void vary_lines(TextView text, Rng *rng, TextBuffer *out);

#endif
