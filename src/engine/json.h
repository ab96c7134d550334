/* Results as JSON, for programs; docs/analyse.md and docs/explain.md have the schemas. Every text in it is
 * ASCII that needs no escape. Pure. */
#ifndef LUFT_ENGINE_JSON_H
#define LUFT_ENGINE_JSON_H

#include "base/text.h"
#include "chess/position.h"
#include "search/limits.h"

/* Raised when a field is removed or changes its meaning. */
enum { JSON_SCHEMA = 1 };

/* {"uci":"g1f3","san":"Nf3"}; of MOVE_NONE: null. */
void json_append_move(TextBuffer *out, const Position *pos, Move move);

/* [{...},{...}] of legal moves from `root`. */
void json_append_moves(TextBuffer *out, const Position *root, const Move *moves, int count);

/* {"cp":31} or {"mate":-2}, from the view of the side to move. */
void json_append_score(TextBuffer *out, int score);

/* [win,draw,loss] in permille, of the side to move. */
void json_append_wdl(TextBuffer *out, const Position *pos, int score);

/* A line of a search of `root`, as one object. */
void json_append_info(TextBuffer *out, const Position *root, const SearchInfo *info);

#endif
