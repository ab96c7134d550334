/* How the search treated a move: its place, depth and nodes in each iteration, and what the rules did at the
 * nodes of its refutation. Read off a recording of the search of the position; pure. */
#ifndef LUFT_RECORD_STORY_H
#define LUFT_RECORD_STORY_H

#include "record/language.h"

enum { STORY_ITERATIONS_MAX = 64, STORY_NODES_MAX = 6, STORY_ACTS_MAX = 24 };

/* The move in one iteration. */
typedef struct StoryRow {
    int iteration;
    int place;          /* among the root's moves, from 1 */
    int depth, deepest; /* plies, the move included: at first, after reductions; at most */
    int searches;       /* 1, and one more each time that it was searched again */
    uint64_t nodes;
    int score; /* of the last search, for the side to move at the root */
    Bound bound;
} StoryRow;

/* A node of the refutation; the first is the root, where only what was done to the move counts. */
typedef struct StoryNode {
    int visit;      /* in the recording */
    int move_count; /* that were searched */
    Move best;      /* the move that goes on; MOVE_NONE: the node ended without one */
    int act_count;
    ActGroup act[STORY_ACTS_MAX];
} StoryNode;

typedef struct Story {
    Move move;
    int root_moves;
    int row_count;
    StoryRow row[STORY_ITERATIONS_MAX];
    int node_count;
    StoryNode node[STORY_NODES_MAX];
} Story;

/* `recording` is of a search of `root`, with `move` not filtered out. No rows: the search never came to it.
 */
void story_read(const Recording *recording, const Position *root, Move move, Story *story);

/* In text a table and what the rules did; in JSON the object `search` of docs/explain.md. */
void story_write(Document *document, const Story *story, const Recording *recording, const Position *root);

#endif
