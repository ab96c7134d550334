/* The tree of a search as people can look at it: visits of a recording (recording.h) in the order in which
 * they were searched, between them the moves that rules skipped, and in place of what is folded away its sum.
 * tree_view.h writes it. */
#ifndef LUFT_RECORD_TREE_H
#define LUFT_RECORD_TREE_H

#include "base/status.h"
#include "record/language.h"
#include "record/without.h"

typedef enum TreeKind {
    TREE_VISIT,   /* a node that was searched */
    TREE_SKIPPED, /* moves that one rule skipped in the node above */
    TREE_FOLDED   /* the rest of the node above */
} TreeKind;

/* Items stand in the order of the search; those below one follow it, up to `end`. */
typedef struct TreeItem {
    TreeKind kind;
    int parent; /* item; VISIT_NONE: of the first */
    int end;
    int level;      /* 0: the first */
    int visit;      /* in the recording; of the other two kinds: of the node above */
    int act;        /* TREE_VISIT: the acts on its move begin here */
    ActGroup group; /* TREE_SKIPPED: those that skipped */
    int count;      /* visits that are folded away, 0 where they were not recorded */
    uint64_t nodes;
    Move move;    /* that led here; MOVE_NONE where there is none, or a pass */
    bool is_best; /* the line goes on here */
} TreeItem;

typedef struct Tree {
    Position root;            /* of the first item */
    Position above;           /* before the move that led there, if one did */
    SearchChanges changes;    /* of the search */
    Finding found;            /* by the search up to the end of the tree's iteration */
    uint64_t iteration_nodes; /* of that iteration, in all its windows */
    const Recording *recording;
    TreeItem *item;
    int count;
    Recording own; /* where the recording is the tree's */
} Tree;

/* How much of a tree is shown; 0: all. */
typedef struct TreeSize {
    int rows;  /* items at most, but for those that the first one needs; what has most nodes stays */
    int plies; /* below the first item */
} TreeSize;

/* The visits of `recording`, a search of `root`, from `visit` on. Fails only without memory. Release the
 * tree; the recording must stay until then. */
Status tree_build(const Recording *recording, const Position *root, int visit, TreeSize size, Tree *tree);
void tree_release(Tree *tree);

/* The visit at the end of these moves from `visit` on, of a move searched several times the last one that was
 * finished. Where the search did not go there, that of the first `*known` moves. */
int tree_follow(const Recording *recording, int visit, const Move *line, int count, int *known);

/* The position in which the item's move was played, or of the node whose moves were skipped. */
Position tree_position_above(const Tree *tree, int item);

/* The acts of an item: of a searched one those that changed the depth of its move, and those of its own node
 * but for skipped moves and changes of its moves' depths; of a skipping one those that skipped. */
typedef enum TreeActs { TREE_CHANGES, TREE_OWN, TREE_SKIPS } TreeActs;

/* The next one after `act` (VISIT_NONE: the first); VISIT_NONE at the end. */
int tree_next_act(const Tree *tree, const TreeItem *item, TreeActs acts, int act);

/* What an act of a searched item did. */
const char *tree_act(Document *document, const Tree *tree, int item, int act);

#endif
