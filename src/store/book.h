/* Opening books in Polyglot's format (chess/polyglot.h) to and from a store.
 *
 * A book has moves with weights, and neither positions nor scores. So its positions are found by walking from
 * the start position and from all that the store knows, and its rows have no score (row_has_score): they show
 * and order moves. */
#ifndef LUFT_STORE_BOOK_H
#define LUFT_STORE_BOOK_H

#include "store/store.h"

/* Whether the name ends as those of books do: ".bin". */
bool book_is_named(const char *path);

/* Called for each row; a failure ends the reading and is returned. */
typedef Status BookTake(void *context, const Row *row);

/* Reads a book ("-": standard input). Each of its positions that can be reached gives a row: the move of the
 * greatest weight. Positions to which only its other moves lead give rows without a move. `engine` names the
 * source. A file that is no book is refused; entries that are illegal or cannot be reached cost only
 * themselves, and the reading fails at its end. Between store_begin and store_end. */
Status book_read(const char *path, const char *engine, Store *store, BookTake *take, void *context);

/* Appends a book, as bytes, of all positions with an exact score and a move. The deepest row of a position
 * names its best move, which gets BOOK_WEIGHT. A move whose own position the same source searched at most
 * BOOK_DEPTH plies less deeply, and that is less than BOOK_MARGIN centipawns worse, gets a smaller weight in
 * proportion, so that the best move alone has the greatest. `*damaged`: rows that were skipped. */
enum { BOOK_WEIGHT = 1000, BOOK_MARGIN = 50, BOOK_DEPTH = 4 };
Status book_write(Store *store, TextBuffer *out, int64_t *damaged);

#endif
