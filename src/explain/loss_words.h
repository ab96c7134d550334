/* What was lost, in words. */
#ifndef LUFT_EXPLAIN_LOSS_WORDS_H
#define LUFT_EXPLAIN_LOSS_WORDS_H

#include "engine/document.h"
#include "explain/line.h"

/* "the queen for a rook and a knight", "two pawns", "the exchange for a pawn"; the text is the document's. */
const char *loss_words_write(Document *document, const LineLoss *loss);

/* The pieces themselves, to the last pawn: "a rook and two pawns for the queen". */
const char *loss_words_write_pieces(Document *document, const LineLoss *loss);

#endif
