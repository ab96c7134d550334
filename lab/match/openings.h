/* Openings: a book of positions (EPD, FEN) or of the beginnings of games (PGN), in order or shuffled, or
 * positions made by a seed. A book is read once, then only read: any thread may look up. */
#ifndef LUFT_MATCH_OPENINGS_H
#define LUFT_MATCH_OPENINGS_H

#include "base/status.h"
#include "chess/fen.h"
#include "chess/types.h"

typedef enum OpeningFormat { OPENINGS_BY_CONTENT, OPENINGS_EPD, OPENINGS_PGN } OpeningFormat;
typedef enum OpeningOrder { OPENINGS_IN_ORDER, OPENINGS_RANDOM } OpeningOrder;

typedef struct OpeningOptions {
    const char
        *path; /* NULL or "": no book: the initial position, or in Chess960 random arrays by the seed */
    OpeningFormat format;
    OpeningOrder order;
    uint64_t seed;
    int start;         /* skip the first N (of the order) */
    int plies;         /* of a PGN, play at most N; 0: all */
    uint64_t generate; /* without a file: the seed of positions that are made when they are needed; 0: none */
    bool chess960;
    bool skip_faults; /* go on without what cannot be read */
} OpeningOptions;

typedef struct Opening {
    const char *fen;   /* where the game starts; NULL: memory was refused */
    const Move *moves; /* book moves from there */
    int move_count;
    int number; /* its place in the file, from 1; 0 without a book */
} Opening;

typedef struct OpeningBook OpeningBook;

/* Reads the whole book and checks every entry. What cannot be used is reported on standard error, and fails
 * unless `skip_faults`. An empty book is an error. */
Status openings_load(const OpeningOptions *options, OpeningBook **book);
void openings_release(OpeningBook *book);
/* How many there are before they begin again; without a file 1, or 960 in Chess960. */
int64_t openings_count(const OpeningBook *book);
const OpeningOptions *openings_options(const OpeningBook *book);

/* The opening for pair `index` (from 0) of the chosen order; past the last it begins again. `fen` is room for
 * positions made on the spot. */
Opening openings_get(const OpeningBook *book, uint64_t index, char fen[FEN_CAPACITY]);

#endif
