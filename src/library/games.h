/* Games and positions as JSON, with their variations as moves: what luft_read answers. */
#ifndef LUFT_LIBRARY_GAMES_H
#define LUFT_LIBRARY_GAMES_H

#include "chess/reader.h"
#include "engine/document.h"

/* Variations in each other that are read; what is deeper is a comment. */
enum { VARIATION_DEPTH_MAX = 32 };

/* Writes what the reader finds, `most` games or positions at most (0: all), as one object. Fails for want of
 * memory alone. `chess960`: castling is king takes rook everywhere. */
Status games_write(Document *document, Reader *reader, int most, bool chess960);

#endif
