#include "record/tree.h"

#include "base/bits.h"
#include "base/memory.h"
#include "chess/makemove.h"

#include <stdlib.h>

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
    for (int v = recording_child(recording, visit); v != VISIT_NONE; v = recording_sibling(recording, v))
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
    if (state_of(choice, visit)->unseen > 0) return true;
    for (int v = recording_child(recording, visit); v != VISIT_NONE; v = recording_sibling(recording, v))
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

static bool add_item(Tree *tree, const TreeItem *item) {
    TreeItem *grown = memory_grow(tree->item, (size_t)tree->count, sizeof *grown);
    if (grown == NULL) return false;
    tree->item = grown;
    grown[tree->count++] = *item;
    return true;
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
            if (!add_item(tree, &item)) return false;
        }
        recording_group_act(tree->recording, &tree->item[*group].group, i);
    }
    return true;
}

static bool add_visit(Tree *tree, const Choice *choice, int visit, int parent, int changes);

static bool add_children(Tree *tree, const Choice *choice, int item) {
    const Recording *recording = tree->recording;
    const int visit = tree->item[item].visit;
    const Visit *node = &recording->visit[visit];
    TreeItem rest = {.kind = TREE_FOLDED,
                     .parent = item,
                     .level = tree->item[item].level + 1,
                     .visit = visit,
                     .nodes = state_of(choice, visit)->unseen};
    int groups[TECHNIQUE_COUNT], act = node->act;
    for (int id = 0; id < TECHNIQUE_COUNT; id++) groups[id] = VISIT_NONE;
    for (int v = recording_child(recording, visit); v != VISIT_NONE; v = recording_sibling(recording, v)) {
        const Visit *child = &recording->visit[v];
        if (!add_skips(tree, item, act, child->act, groups)) return false;
        if (state_of(choice, v)->kept) {
            if (!add_visit(tree, choice, v, item, act)) return false;
        } else {
            rest.count += child->end - v;
            rest.nodes += child->nodes;
        }
        act = child->act_end;
    }
    if (!add_skips(tree, item, act, node->act_end, groups)) return false;
    rest.end = tree->count + 1;
    return (rest.count == 0 && rest.nodes == 0) || add_item(tree, &rest);
}

/* `changes`: the acts of the node above from here on may be on the move that led here. */
static bool add_visit(Tree *tree, const Choice *choice, int visit, int parent, int changes) {
    const Visit *node = &tree->recording->visit[visit];
    const int place = tree->count;
    const bool is_top = parent == VISIT_NONE;
    const TreeItem item = {.kind = TREE_VISIT,
                           .parent = parent,
                           .level = is_top ? 0 : tree->item[parent].level + 1,
                           .visit = visit,
                           .act = changes,
                           .nodes = node->nodes,
                           .move = node->move == MOVE_NULL ? (Move)MOVE_NONE : node->move,
                           .is_best = is_top || recording_best_child(tree->recording, node->parent) == visit};
    if (!add_item(tree, &item) || !add_children(tree, choice, place)) return false;
    tree->item[place].end = tree->count;
    return true;
}

static void play(Position *pos, Move move) {
    Undo undo;
    if (move == MOVE_NULL)
        position_make_null(pos, &undo);
    else if (move != MOVE_NONE)
        position_make_move(pos, move, &undo);
}

/* From the root of the recording to a visit. */
static void play_to(const Recording *recording, int visit, Position *pos) {
    if (visit == VISIT_NONE) return;
    play_to(recording, recording->visit[visit].parent, pos);
    play(pos, recording->visit[visit].move);
}

Status tree_build(const Recording *recording, const Position *root, int visit, TreeSize size, Tree *tree) {
    *tree = (Tree){.root = *root, .above = *root, .recording = recording};
    for (int v = 0; v <= visit; v = recording->visit[v].end)
        if (recording->visit[v].iteration == recording->visit[visit].iteration)
            tree->iteration_nodes += recording->visit[v].nodes;
    Choice choice;
    play_to(recording, visit, &tree->root);
    play_to(recording, recording->visit[visit].parent, &tree->above);
    bool has_room = begin_choice(recording, visit, size.plies, &choice);
    if (has_room) {
        choose(recording, &choice, size.rows);
        has_room = add_visit(tree, &choice, visit, VISIT_NONE, 0);
    }
    end_choice(&choice);
    if (has_room) return status_ok();
    tree_release(tree);
    return status_no_memory("the tree");
}

static int last_visit_of(const Recording *recording, int parent, Move move) {
    int found = VISIT_NONE;
    for (int v = recording_child(recording, parent); v != VISIT_NONE; v = recording_sibling(recording, v)) {
        const Visit *visit = &recording->visit[v];
        if (visit->move == move && visit_is_of_move(visit) && visit->finished) found = v;
    }
    return found;
}

int tree_follow(const Recording *recording, int visit, const Move *line, int count, int *known) {
    int next;
    for (*known = 0; *known < count; visit = next, ++*known)
        if ((next = last_visit_of(recording, visit, line[*known])) == VISIT_NONE) break;
    return visit;
}

void tree_release(Tree *tree) {
    memory_release(tree->item);
    recording_release(&tree->own);
    tree->item = NULL;
    tree->count = 0;
}

/* --- reading --- */

/* Of the node that a searched item is. */
static Position position_of(const Tree *tree, int item) {
    const TreeItem *at = &tree->item[item];
    if (at->parent == VISIT_NONE) return tree->root;
    Position pos = position_of(tree, at->parent);
    play(&pos, tree->recording->visit[at->visit].move);
    return pos;
}

Position tree_position_above(const Tree *tree, int item) {
    const int parent = tree->item[item].parent;
    return parent == VISIT_NONE ? tree->above : position_of(tree, parent);
}

/* Whether an act is one of those of an item. */
static bool is_one_of(const Tree *tree, const TreeItem *item, TreeActs acts, const RecordedAct *act) {
    const Visit *visit = &tree->recording->visit[item->visit];
    const bool is_change = act->effect == EFFECT_REDUCES || act->effect == EFFECT_EXTENDS;
    switch (acts) {
    case TREE_CHANGES: return act->visit == visit->parent && act->move == visit->move && is_change;
    case TREE_OWN:
        return act->visit == item->visit && act->effect != EFFECT_SKIPS &&
               (act->move == MOVE_NONE || !is_change);
    default:
        return act->visit == item->visit && act->effect == EFFECT_SKIPS &&
               act->technique == tree->recording->act[item->group.act].technique;
    }
}

int tree_next_act(const Tree *tree, const TreeItem *item, TreeActs acts, int act) {
    const Recording *recording = tree->recording;
    const Visit *visit = &recording->visit[item->visit];
    if (acts == TREE_CHANGES && (visit->parent == VISIT_NONE || !visit_is_of_move(visit))) return VISIT_NONE;
    const int end = acts == TREE_CHANGES ? visit->act : visit->act_end;
    if (act == VISIT_NONE) act = (acts == TREE_CHANGES ? item->act : visit->act) - 1;
    while (++act < end)
        if (is_one_of(tree, item, acts, &recording->act[act])) return act;
    return VISIT_NONE;
}

const char *tree_act(Document *document, const Tree *tree, int item, int act) {
    const bool is_own = tree->recording->act[act].visit == tree->item[item].visit;
    const Position pos = is_own ? position_of(tree, item) : tree_position_above(tree, item);
    ActGroup group = {.count = 0};
    recording_group_act(tree->recording, &group, act);
    return language_acts(document, tree->recording, &group, &pos);
}
