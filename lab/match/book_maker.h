/* Makes opening books: random plies, judged by an engine. Reproducible: candidate n depends on the seed and n
 * alone, the engine starts each with an empty table and a fixed number of nodes, and candidates are accepted
 * in order. */
#ifndef LUFT_MATCH_BOOK_MAKER_H
#define LUFT_MATCH_BOOK_MAKER_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "lab/client/engine_config.h"
#include "lab/client/uci_info.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct BookRequest {
    const EngineList *engines; /* one; its limits say how it judges */
    int concurrency;
    uint64_t seed;
    int count;                 /* openings wanted */
    int plies_low, plies_high; /* random plies, a number between them for each */
    int margin; /* centipawns, as the engine prints them, by which one side must be better; 0: neither */
    int window; /* centipawns by which the score may differ from +-margin */
    bool chess960;
    bool quiet;
} BookRequest;

/* One random opening: `plies` random legal moves from the initial position (in Chess960 a random array, the
 * same for both sides). False when it is of no use: the game is over, a position came twice, or the side to
 * move is in check. */
bool book_random_position(uint64_t seed, uint64_t candidate, int plies_low, int plies_high, bool chess960,
                          Position *pos);

/* Whether a score, from the side to move, lies where the request wants it. Bounds and mates do not. */
bool book_accepts_score(const BookRequest *request, UciScore score);

/* Appends the book as EPD, one line an opening. An error when the engine fails, or when so few candidates are
 * accepted that the book would never be full. `*tried` is the number of candidates looked at. */
Status book_make(const BookRequest *request, TextBuffer *out, int64_t *tried);

#endif
