/* The search's reports as UCI lines. Every exact score is shown at once: there is one for each depth and
 * line, and GUIs want them without a gap. Bounds and the move or line now searched are shown some twenty
 * times a second at most, bounds from the fourth second on; but the last report always is, so the last lines
 * show the end of the search. Any thread may call. */
#ifndef LUFT_UCI_INFO_H
#define LUFT_UCI_INFO_H

#include "engine/engine.h"
#include "uci/output.h"

/* Appends "info depth 12 seldepth 18 multipv 1 score cp 25 nodes … pv …" without a line feed. With `show_wdl`
 * the chances of win, draw and loss in permille follow the score: "wdl 80 850 70". */
void info_format(TextBuffer *line, const Position *root, const SearchInfo *info, bool show_wdl);

enum { BEST_MOVE_CAPACITY = sizeof "bestmove e7e8q ponder e7e8q" };

/* "bestmove e2e4 ponder e7e5", or "bestmove (none)". It allocates nothing: a program would wait forever for a
 * missing best move. */
void info_format_best_move(const Position *root, Move best, Move ponder, char out[BEST_MOVE_CAPACITY]);

typedef struct InfoFeed InfoFeed;

InfoFeed *info_feed_create(Output *output); /* NULL when there is no memory */
void info_feed_destroy(InfoFeed *feed);     /* NULL is fine */

/* A search of `root` begins, which must stay in place until info_feed_finish. `show_wdl` as for info_format.
 */
void info_feed_begin(InfoFeed *feed, const Position *root, bool show_wdl);

/* The search is `engine`'s, with these limits, and its lines `info refutation d1h5 g6h5` are wanted: for each
 * root move that is not among the best, the answer in the table, if there is one. They are printed at the end
 * of an iteration, five times a second at most, and always for the last one. Between info_feed_begin and the
 * first report. */
void info_feed_want_refutations(InfoFeed *feed, const Engine *engine, const SearchLimits *limits);

/* Shows the report, or keeps it until the next one. */
void info_feed_add(InfoFeed *feed, const SearchInfo *info);
void info_feed_add_current_move(InfoFeed *feed, int depth, Move move, int number);

/* The line that is searched now, of the main one of `threads` threads. */
void info_feed_add_current_line(InfoFeed *feed, const Move *moves, int count, int threads);

/* Shows what is still kept; a line with a score even if the search reported none. */
void info_feed_finish(InfoFeed *feed);

#endif
