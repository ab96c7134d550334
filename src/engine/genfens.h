/* Opening positions for data generation, as OpenBench asks for them: "genfens N seed S book <None|path.epd>".
 */
#ifndef LUFT_ENGINE_GENFENS_H
#define LUFT_ENGINE_GENFENS_H

#include "base/status.h"
#include "base/text.h"
#include "chess/fen.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct GenfensRequest {
    int count;
    uint64_t seed;
    char book[512]; /* an EPD or FEN file; empty: the initial position */
} GenfensRequest;

enum { GENFENS_MAX = 10000000 };

/* Reads "N seed S book B", in any order after the number; unknown words are skipped. */
Status genfens_parse(TextView words, GenfensRequest *request);

/* Reports `count` FENs, the same ones for the same request: a random line of the book, then random moves, to
 * a position that is not over and that a short search calls playable for both sides. Fails when the book is
 * unusable, and when the watcher returns false. */
typedef struct GenfensWatcher {
    void *context;
    bool (*report)(void *context, const char *fen);
    bool (*go_on)(void *context); /* asked every millisecond or so; may be NULL */
} GenfensWatcher;
Status genfens_run(const GenfensRequest *request, const GenfensWatcher *watcher);

/* Such a position from the initial one, or in Chess960 from an array of the pieces that both sides have. The
 * seed and the index alone decide. Takes some milliseconds; any thread may call. */
Status genfens_position(uint64_t seed, uint64_t index, bool chess960, char fen[FEN_CAPACITY]);

#endif
