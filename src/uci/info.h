/* The search's reports as UCI lines, and a tap that keeps them from flooding a GUI: at most a burst of them
 * and then a few dozen a second. What is held back is shown when its turn comes, at the latest before the
 * best move, so that the last lines always tell the end of the search. Any thread may call. */
#ifndef LUFT_UCI_INFO_H
#define LUFT_UCI_INFO_H

#include "chess/position.h"
#include "search/limits.h"
#include "uci/output.h"

/* Appends "info depth 12 seldepth 18 multipv 1 score cp 25 nodes … pv …" without a line feed. With `show_wdl`
 * the chances of win, draw and loss in permille follow the score: "wdl 80 850 70". */
void info_format(TextBuffer *line, const Position *root, const SearchInfo *info, bool show_wdl);

/* Appends "bestmove e2e4 ponder e7e5", or "bestmove (none)". */
void info_format_best_move(TextBuffer *line, const Position *root, Move best, Move ponder);

typedef struct InfoFeed InfoFeed;

InfoFeed *info_feed_create(Output *output); /* NULL when there is no memory */
void info_feed_destroy(InfoFeed *feed);     /* NULL is fine */

/* A search of `root` begins, which must stay in place until info_feed_finish. `show_wdl` as for info_format.
 */
void info_feed_begin(InfoFeed *feed, const Position *root, bool show_wdl);

/* Shows the report, or keeps it for later in place of an older one of the same rank. */
void info_feed_add(InfoFeed *feed, const SearchInfo *info);
void info_feed_add_current_move(InfoFeed *feed, int depth, Move move, int number);

/* Shows what was held back, if its turn has come. */
void info_feed_refresh(InfoFeed *feed);

/* Shows all that is still held back; a line with a score even if the search reported none. */
void info_feed_finish(InfoFeed *feed);

#endif
