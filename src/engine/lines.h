/* Moves and scores as people read them. Pure. */
#ifndef LUFT_ENGINE_LINES_H
#define LUFT_ENGINE_LINES_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

/* Appends "24. Rxd4 cxd4 25. Re7+" of legal moves from `root`, as many whole moves as fit in `width`
 * characters. */
void lines_append_moves(TextBuffer *out, const Position *root, const Move *moves, int count, size_t width);

/* Appends the score as White sees it: "+0.31" in pawns, "#5" or "#-5" for mate in five moves. `score` is from
 * the view of `side`. */
void lines_append_score(TextBuffer *out, int score, Color side);

/* How the rules end the game in this position: "Checkmate: White has won."; NULL while it goes on. */
const char *lines_game_end(const Position *pos);

/* Refuses a position without a legal move, and says why there is none. */
Status lines_check_moves(const Position *pos);

#endif
