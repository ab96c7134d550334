#include "explain/tree.h"

#include "base/bits.h"
#include "base/memory.h"
#include "chess/makemove.h"

#include <stdlib.h>

int tree_last_root(const Recording *recording) {
    int last = VISIT_NONE;
    for (int v = 0; v < recording->visit_count; v = recording->visit[v].end) {
        if (!recording->visit[v].finished) break; /* nothing comes after it, and `end` may not be known */
        last = v;
    }
    return last;
}

/* --- what stays --- */

/* What choosing knows of a visit. */
typedef struct VisitState {
    TechniqueSet rules; /* that skipped moves there */
    uint32_t unseen;    /* its nodes that no recorded visit below it has */
    bool kept;
} VisitState;

typedef struct Ranked {
    uint32_t nodes;
    int visit;
} Ranked;

/* The visits from `first` on, `count` of them; one state each, and their order by nodes. */
typedef struct Choice {
    int first, count;
    VisitState *state;
    Ranked *order; /* of those that may stay */
    int ranked;    /* how many these are */
} Choice;

/* A node has at least as many nodes as any below it, and comes before them: what stays hangs together. */
static int compare_ranked(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    if (a->nodes != b->nodes) return a->nodes < b->nodes ? 1 : -1;
    return a->visit < b->visit ? -1 : 1;
}

static VisitState *state_of(const Choice *choice, int visit) { return &choice->state[visit - choice->first]; }

static uint32_t nodes_unseen(const Recording *recording, int visit) {
    const Visit *node = &recording->visit[visit];
    const bool has_own = node->ply > 0 && node->move != MOVE_NONE && node->move != MOVE_NULL &&
                         node->purpose != PURPOSE_RE_SEARCH;
    uint32_t seen = has_own;
    for (int v = recording_next_child(recording, visit, visit + 1); v < node->end;
         v = recording_next_child(recording, visit, recording->visit[v].end))
        seen += recording->visit[v].nodes;
    return node->nodes > seen ? node->nodes - seen : 0;
}

/* `plies`: those further below are not chosen from. */
static bool begin_choice(const Recording *recording, int visit, int plies, Choice *choice) {
    const Visit *top = &recording->visit[visit];
    *choice = (Choice){.first = visit, .count = top->end - visit};
    choice->state = memory_allocate((size_t)choice->count * sizeof *choice->state);
    choice->order = memory_allocate((size_t)choice->count * sizeof *choice->order);
    if (choice->state == NULL || choice->order == NULL) return false;
    for (int v = visit; v < top->end; v++) {
        if (plies == 0 || recording->visit[v].ply <= top->ply + plies)
            choice->order[choice->ranked++] = (Ranked){recording->visit[v].nodes, v};
        state_of(choice, v)->unseen = nodes_unseen(recording, v);
    }
    for (int i = top->act; i < top->act_end; i++) {
        const RecordedAct *act = &recording->act[i];
        if (act->effect == EFFECT_SKIPS)
            state_of(choice, act->visit)->rules |= technique_bit((TechniqueId)act->technique);
    }
    qsort(choice->order, (size_t)choice->ranked, sizeof *choice->order, compare_ranked);
    return true;
}

static void end_choice(Choice *choice) {
    memory_release(choice->state);
    memory_release(choice->order);
}

/* Whether anything of a visit that stays is folded away. */
static bool folds(const Recording *recording, const Choice *choice, int visit) {
    const int end = recording->visit[visit].end;
    if (state_of(choice, visit)->unseen > 0) return true;
    for (int v = recording_next_child(recording, visit, visit + 1); v < end;
         v = recording_next_child(recording, visit, recording->visit[v].end))
        if (!state_of(choice, v)->kept) return true;
    return false;
}

static void keep_first(const Choice *choice, int count) {
    for (int i = 0; i < choice->ranked; i++) state_of(choice, choice->order[i].visit)->kept = i < count;
}

/* Items that the first `count` visits of the order need. */
static int count_rows(const Recording *recording, const Choice *choice, int count) {
    int rows = count;
    keep_first(choice, count);
    for (int i = 0; i < count; i++) {
        const int visit = choice->order[i].visit;
        rows += bits_count(state_of(choice, visit)->rules) + folds(recording, choice, visit);
    }
    return rows;
}

static void choose(const Recording *recording, const Choice *choice, int rows) {
    int low = 1, high = choice->ranked;
    if (rows == 0) low = high;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (count_rows(recording, choice, middle) <= rows)
            low = middle;
        else
            high = middle - 1;
    }
    keep_first(choice, low);
}

/* --- building --- */

typedef struct Builder {
    Tree *tree;
    const Choice *choice;
    Position pos;
} Builder;

/* NULL without memory. */
static TreeItem *add_item(Tree *tree, const TreeItem *item) {
    TreeItem *grown = memory_grow(tree->item, (size_t)tree->count, sizeof *grown);
    if (grown == NULL) return NULL;
    tree->item = grown;
    grown[tree->count] = *item;
    return &grown[tree->count++];
}

/* The moves that a rule skipped stand together, where the first of them came. */
static bool add_skips(Tree *tree, int parent, int from, int to, int groups[TECHNIQUE_COUNT]) {
    const TreeItem up = tree->item[parent];
    for (int i = from; i < to; i++) {
        const RecordedAct *act = &tree->recording->act[i];
        int *group = &groups[act->technique];
        if (act->visit != up.visit || act->effect != EFFECT_SKIPS) continue;
        if (*group == VISIT_NONE) {
            *group = tree->count;
            const TreeItem item = {.kind = TREE_SKIPPED,
                                   .parent = parent,
                                   .end = tree->count + 1,
                                   .level = up.level + 1,
                                   .visit = up.visit};
            if (add_item(tree, &item) == NULL) return false;
        }
        recording_group_act(tree->recording, &tree->item[*group].group, i);
    }
    return true;
}

static bool add_visit(Builder *builder, int visit, int parent, int changes);

static bool add_children(Builder *builder, int item) {
    Tree *tree = builder->tree;
    const Recording *recording = tree->recording;
    const int visit = tree->item[item].visit;
    const Visit *node = &recording->visit[visit];
    TreeItem rest = {.kind = TREE_FOLDED,
                     .parent = item,
                     .level = tree->item[item].level + 1,
                     .visit = visit,
                     .nodes = state_of(builder->choice, visit)->unseen};
    int groups[TECHNIQUE_COUNT], act = node->act;
    for (int id = 0; id < TECHNIQUE_COUNT; id++) groups[id] = VISIT_NONE;
    for (int v = recording_next_child(recording, visit, visit + 1); v < node->end;
         v = recording_next_child(recording, visit, recording->visit[v].end)) {
        const Visit *child = &recording->visit[v];
        if (!add_skips(tree, item, act, child->act, groups)) return false;
        if (state_of(builder->choice, v)->kept) {
            if (!add_visit(builder, v, item, act)) return false;
        } else {
            rest.count += child->end - v;
            rest.nodes += child->nodes;
        }
        act = child->act_end;
    }
    if (!add_skips(tree, item, act, node->act_end, groups)) return false;
    rest.end = tree->count + 1;
    return (rest.count == 0 && rest.nodes == 0) || add_item(tree, &rest) != NULL;
}

/* `changes`: the acts of the node above from here on may be on the move that led here. */
static bool add_visit(Builder *builder, int visit, int parent, int changes) {
    Tree *tree = builder->tree;
    const Visit *node = &tree->recording->visit[visit];
    const int place = tree->count;
    const bool is_top = parent == VISIT_NONE, is_pass = node->move == MOVE_NULL;
    const Move made = is_top || is_pass ? (Move)MOVE_NONE : node->move;
    TreeItem item = {.kind = TREE_VISIT,
                     .parent = parent,
                     .level = is_top ? 0 : tree->item[parent].level + 1,
                     .visit = visit,
                     .act = changes,
                     .nodes = node->nodes,
                     .move = made,
                     .is_best = is_top || recording_best_child(tree->recording, node->parent) == visit};
    if (made != MOVE_NONE) san_write(&builder->pos, made, item.san);
    if (add_item(tree, &item) == NULL) return false;
    Undo undo;
    if (made != MOVE_NONE) position_make_move(&builder->pos, made, &undo);
    if (!is_top && is_pass) position_make_null(&builder->pos, &undo);
    const bool has_room = add_children(builder, place);
    if (made != MOVE_NONE) position_unmake_move(&builder->pos, made, &undo);
    if (!is_top && is_pass) position_unmake_null(&builder->pos, &undo);
    if (has_room) tree->item[place].end = tree->count;
    return has_room;
}

/* The position of a visit. */
static void play_to(const Recording *recording, int visit, Position *pos) {
    const Visit *node = &recording->visit[visit];
    Undo undo;
    if (node->parent != VISIT_NONE) play_to(recording, node->parent, pos);
    if (node->move == MOVE_NULL)
        position_make_null(pos, &undo);
    else if (node->move != MOVE_NONE)
        position_make_move(pos, node->move, &undo);
}

/* The first item's own move, if one led to it. */
static void name_first(Tree *tree, const Position *root) {
    const Visit *visit = &tree->recording->visit[tree->item[0].visit];
    if (visit->parent == VISIT_NONE || visit->move == MOVE_NONE || visit->move == MOVE_NULL) return;
    tree->above = *root;
    play_to(tree->recording, visit->parent, &tree->above);
    tree->item[0].move = visit->move;
    san_write(&tree->above, visit->move, tree->item[0].san);
}

Status tree_build(const Recording *recording, const Position *root, int visit, TreeSize size, Tree *tree) {
    *tree = (Tree){.root = *root, .above = *root, .recording = recording};
    Choice choice;
    bool has_room = begin_choice(recording, visit, size.plies, &choice);
    if (has_room) {
        choose(recording, &choice, size.rows);
        play_to(recording, visit, &tree->root);
        Builder builder = {tree, &choice, tree->root};
        has_room = add_visit(&builder, visit, VISIT_NONE, 0);
        if (has_room) name_first(tree, root);
    }
    end_choice(&choice);
    if (has_room) return status_ok();
    tree_release(tree);
    return status_no_memory("the tree");
}

void tree_release(Tree *tree) {
    memory_release(tree->item);
    recording_release(&tree->own);
    tree->item = NULL;
    tree->count = 0;
}

/* --- reading --- */

static void play_to_item(const Tree *tree, int item, Position *pos) {
    const TreeItem *at = &tree->item[item];
    Undo undo;
    if (at->parent == VISIT_NONE) return;
    play_to_item(tree, at->parent, pos);
    if (at->kind != TREE_VISIT) return;
    if (tree->recording->visit[at->visit].move == MOVE_NULL)
        position_make_null(pos, &undo);
    else if (at->move != MOVE_NONE)
        position_make_move(pos, at->move, &undo);
}

Position tree_position_above(const Tree *tree, int item) {
    Position pos = tree->root;
    if (tree->item[item].parent == VISIT_NONE) return tree->above;
    play_to_item(tree, tree->item[item].parent, &pos);
    return pos;
}

const char *tree_act(Document *document, const Tree *tree, int item, int act) {
    const bool is_own = tree->recording->act[act].visit == tree->item[item].visit;
    Position pos = tree_position_above(tree, item);
    ActGroup group = {.count = 0};
    if (is_own && tree->item[item].kind == TREE_VISIT) {
        pos = tree->root;
        play_to_item(tree, item, &pos);
    }
    recording_group_act(tree->recording, &group, act);
    return language_acts(document, tree->recording, &group, &pos);
}

int tree_next_skip(const Tree *tree, const TreeItem *item, int act) {
    const Recording *recording = tree->recording;
    for (act++; act < recording->visit[item->visit].act_end; act++) {
        const RecordedAct *at = &recording->act[act];
        if (at->visit == item->visit && at->effect == EFFECT_SKIPS &&
            at->technique == recording->act[item->group.act].technique)
            return act;
    }
    return VISIT_NONE;
}

static bool changes_depth(const RecordedAct *act) {
    return act->effect == EFFECT_REDUCES || act->effect == EFFECT_EXTENDS;
}

int tree_next_change(const Tree *tree, const TreeItem *item, int act) {
    const Recording *recording = tree->recording;
    const Visit *visit = &recording->visit[item->visit];
    if (visit->parent == VISIT_NONE || !visit_is_of_move(visit)) return VISIT_NONE;
    for (; act < visit->act; act++) {
        const RecordedAct *at = &recording->act[act];
        if (at->visit == visit->parent && at->move == visit->move && changes_depth(at)) return act;
    }
    return VISIT_NONE;
}

int tree_next_own(const Tree *tree, const TreeItem *item, int act) {
    const Recording *recording = tree->recording;
    for (; act < recording->visit[item->visit].act_end; act++) {
        const RecordedAct *at = &recording->act[act];
        if (at->visit == item->visit && at->effect != EFFECT_SKIPS &&
            (at->move == MOVE_NONE || !changes_depth(at)))
            return act;
    }
    return VISIT_NONE;
}
