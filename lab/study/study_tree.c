#include "lab/study/study_tree.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "chess/draw.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { NODES_MAX = 1 << 26, FIRST_INDEX = 1 << 10 };
static const double NEAR = 0.02, BEST_SHARE = 0.6; /* of the damped value */

/* --- nodes by their positions --- */

static size_t place_of(const StudyTree *tree, const uint8_t key[ROW_KEY_SIZE]) {
    size_t place = bytes_hash(key, ROW_KEY_SIZE) & (tree->index_size - 1);
    while (tree->index[place] != TREE_NONE &&
           memcmp(tree->nodes[tree->index[place]].key, key, ROW_KEY_SIZE) != 0)
        place = (place + 1) & (tree->index_size - 1);
    return place;
}

static bool grow_index(StudyTree *tree) {
    const size_t size = tree->index_size == 0 ? FIRST_INDEX : tree->index_size * 2;
    int *index = memory_allocate(size * sizeof *index);
    if (index == NULL) return false;
    for (size_t i = 0; i < size; i++) index[i] = TREE_NONE;
    memory_release(tree->index);
    tree->index = index;
    tree->index_size = size;
    for (int i = 0; i < tree->count; i++) {
        const size_t place = place_of(tree, tree->nodes[i].key);
        if (index[place] == TREE_NONE) index[place] = i;
    }
    return true;
}

void study_tree_position(const StudyTree *tree, int node, Position *pos) {
    Move path[TREE_PLY_MAX];
    const int length = study_tree_path(tree, node, path);
    *pos = tree->root;
    for (int i = 0; i < length; i++) {
        Undo undo;
        position_make_move(pos, path[i], &undo);
    }
}

int study_tree_path(const StudyTree *tree, int node, Move path[TREE_PLY_MAX]) {
    const int length = tree->nodes[node].ply;
    for (int i = length; i > 0; i--) {
        path[i - 1] = tree->nodes[node].move;
        node = tree->nodes[node].parent;
    }
    return length;
}

/* --- values --- */

/* Whether some of its moves are no children, and may be searched. */
static bool has_more(const TreeNode *node) { return node->children < node->legal; }

/* Two scores for the same side, each with what it has cost. A mate outweighs everything. */
static int mix_scores(int own, int own_units, int other, int other_units) {
    if (score_is_mate(own)) return own;
    if (score_is_mate(other)) return other;
    return (int)(((int64_t)own * own_units + (int64_t)other * other_units) / (own_units + other_units));
}

/* What the moves that are no children are worth, or promise, for the side to move. */
static int worth_of_rest(const TreeNode *node) {
    const int score = node->has_rest ? node->rest.score : node->prior;
    return node->own_units > 1 && score > node->own.score
               ? mix_scores(node->own.score, node->own_units, score, 1)
               : score;
}

/* What a child is worth for the side to move before it. */
static int worth_of_child(const StudyTree *tree, int number) {
    const TreeNode *child = &tree->nodes[number], *node = &tree->nodes[child->parent];
    const int score = finding_score_before(child->score);
    if (node->own_units <= 1 || score_is_mate(score)) return score;
    if (child->move != node->own.line[0] && score <= node->own.score) return score;
    return mix_scores(node->own.score, node->own_units, score, child->effort > 0 ? child->effort : 1);
}

static bool is_decided(const TreeNode *node) { return node->ended || score_is_mate(node->score); }

/* The same, damped, in points. */
static double damped_of_child(const StudyTree *tree, int number) {
    const TreeNode *child = &tree->nodes[number], *node = &tree->nodes[child->parent];
    const double points = 1 - child->damped, own = finding_expect(node->own.score);
    if (node->own_units <= 1 || score_is_mate(child->score)) return points;
    if (child->move != node->own.line[0] && points <= own) return points;
    return (own * node->own_units + points * child->effort) / (node->own_units + child->effort);
}

/* The points of the arms near the best one, added up. */
typedef struct Near {
    double most, sum;
    int count;
} Near;

static void add_near(Near *near, double points) {
    if (near->most - points >= NEAR) return;
    near->sum += points;
    near->count++;
}

/* The best of its arms, and the damped value of all. */
static void value_node(StudyTree *tree, int number) {
    TreeNode *node = &tree->nodes[number];
    if (node->ended) return;
    node->score = node->has_own ? -SCORE_INFINITE : node->prior;
    node->damped = finding_expect(node->prior);
    if (!node->has_own) return;
    const double rest = has_more(node) ? finding_expect(worth_of_rest(node)) : 0;
    Near near = {.most = rest};
    if (has_more(node)) node->score = worth_of_rest(node);
    for (int i = node->first_child; i != TREE_NONE; i = tree->nodes[i].next) {
        const int score = worth_of_child(tree, i);
        if (score > node->score) node->score = score;
        near.most = fmax(near.most, damped_of_child(tree, i));
    }
    if (has_more(node)) add_near(&near, rest);
    for (int i = node->first_child; i != TREE_NONE; i = tree->nodes[i].next)
        add_near(&near, damped_of_child(tree, i));
    node->damped = BEST_SHARE * near.most + (1 - BEST_SHARE) * near.sum / near.count;
}

static void back_up(StudyTree *tree, int number) {
    for (; number != TREE_NONE; number = tree->nodes[number].parent) value_node(tree, number);
}

static void add_effort(StudyTree *tree, int number, int tasks) {
    for (; number != TREE_NONE; number = tree->nodes[number].parent) tree->nodes[number].effort += tasks;
}

/* --- growing --- */

/* What the rules say; true when they end the game. A position that comes back within the tree is a draw, as
 * for engines. */
static bool end_by_rules(const Position *pos, TreeNode *node) {
    const GameEnd end = game_end(pos);
    node->legal = movegen_count(pos);
    node->ended = end != GAME_GOES_ON || draw_by_repetition(pos, node->ply) || node->ply >= TREE_PLY_MAX;
    node->score = end == CHECKMATE ? score_mated_in(0) : SCORE_DRAW;
    node->damped = finding_expect(node->score);
    return node->ended;
}

/* Notes what a search of all moves found. */
static void set_own(TreeNode *node, const Finding *finding, int units) {
    node->has_own = node->has_rest = true;
    node->own_units = units;
    node->own = node->rest = *finding;
    node->prior = finding->score;
}

/* A new node, without effect on those above it; TREE_NONE without memory. */
static int add_node(StudyTree *tree, const Position *pos, int parent, Move move, int prior) {
    if (tree->count >= NODES_MAX) return TREE_NONE;
    if ((size_t)tree->count * 2 >= tree->index_size && !grow_index(tree)) return TREE_NONE;
    TreeNode *nodes = memory_grow(tree->nodes, (size_t)tree->count, sizeof *nodes);
    if (nodes == NULL) return TREE_NONE;
    tree->nodes = nodes;
    const int number = tree->count;
    TreeNode *node = &nodes[number];
    *node = (TreeNode){.parent = parent,
                       .first_child = TREE_NONE,
                       .last_child = TREE_NONE,
                       .next = TREE_NONE,
                       .owner = TREE_NONE,
                       .ply = parent == TREE_NONE ? 0 : nodes[parent].ply + 1,
                       .move = move,
                       .prior = prior};
    row_pack(pos, node->key);
    const bool ended = end_by_rules(pos, node);
    const size_t place = place_of(tree, node->key);
    const int twin = tree->index[place];
    if (twin == TREE_NONE) tree->index[place] = number;
    if (!ended && twin != TREE_NONE && nodes[twin].has_own)
        set_own(node, &nodes[twin].own, nodes[twin].own_units);
    tree->count++;
    value_node(tree, number);
    if (parent == TREE_NONE) return number;
    if (nodes[parent].last_child == TREE_NONE)
        nodes[parent].first_child = number;
    else
        nodes[nodes[parent].last_child].next = number;
    nodes[parent].last_child = number;
    nodes[parent].children++;
    return number;
}

Status study_tree_begin(StudyTree *tree, const Position *root) {
    *tree = (StudyTree){.root = *root};
    return add_node(tree, root, TREE_NONE, MOVE_NONE, SCORE_DRAW) == TREE_NONE ? status_no_memory("a study")
                                                                               : status_ok();
}

void study_tree_release(StudyTree *tree) {
    memory_release(tree->nodes);
    memory_release(tree->index);
    *tree = (StudyTree){0};
}

int study_tree_child(const StudyTree *tree, int node, Move move) {
    int child = tree->nodes[node].first_child;
    while (child != TREE_NONE && tree->nodes[child].move != move) child = tree->nodes[child].next;
    return child;
}

/* What an unsearched arm promises, when the last one found was worth this much. */
static int promise_after(int score) {
    return score_is_mate(score) && score < 0 ? score : finding_score_of(finding_expect(score) - TREE_GAP);
}

/* Makes a legal move a child. The rest loses its best move, and has to be searched again. */
static int expand(StudyTree *tree, int number, const Position *pos, Move move) {
    const TreeNode *node = &tree->nodes[number];
    const bool is_best = node->has_rest && node->rest.line[0] == move;
    const int score = is_best ? worth_of_rest(node) : node->prior;
    Position after = *pos;
    Undo undo;
    position_make_move(&after, move, &undo);
    const int child = add_node(tree, &after, number, move, finding_score_before(score));
    if (child == TREE_NONE) return TREE_NONE;
    TreeNode *parent = &tree->nodes[number];
    if (is_best) {
        parent->has_rest = false;
        parent->prior = promise_after(score);
    }
    if (tree->nodes[child].has_own || tree->nodes[child].ended) add_effort(tree, child, 1);
    back_up(tree, number);
    return child;
}

int study_tree_reach(StudyTree *tree, int node, Move move) {
    const int child = study_tree_child(tree, node, move);
    Position pos;
    if (child != TREE_NONE) return child;
    if (tree->nodes[node].ply >= TREE_PLY_MAX) return TREE_NONE;
    study_tree_position(tree, node, &pos);
    return movegen_is_legal(&pos, move) ? expand(tree, node, &pos, move) : TREE_NONE;
}

/* --- choosing --- */

typedef enum Step {
    STEP_WAITS, /* nothing can be done here now */
    STEP_GIVEN, /* a task was given out */
    STEP_GREW   /* a position was known already: values have changed, and the choice begins again */
} Step;

/* What can be done next at a node. */
typedef struct Arm {
    double promise;
    int child; /* TREE_NONE: the rest */
    int effort;
} Arm;

static int list_arms(const StudyTree *tree, int number, Arm *arms) {
    const TreeNode *node = &tree->nodes[number];
    int count = 0;
    for (int i = node->first_child; i != TREE_NONE; i = tree->nodes[i].next) {
        const TreeNode *child = &tree->nodes[i];
        arms[count++] = (Arm){finding_expect(worth_of_child(tree, i)), i, child->effort};
    }
    /* Without tasks for it, each further child is a task. */
    const bool is_searched = node->has_rest || !tree->no_rest_tasks;
    const int effort = is_searched ? node->rest_tasks + node->rest_pending : node->children;
    if (has_more(node)) arms[count++] = (Arm){finding_expect(worth_of_rest(node)), TREE_NONE, effort};
    return count;
}

/* Takes the arm with the smallest effort for what it promises off the list. */
static Arm take_arm(Arm *arms, int *count, double most) {
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < *count; i++) {
        const double cost = (arms[i].effort + 1) * exp((most - arms[i].promise) / TREE_TEMPERATURE);
        if (cost >= least) continue;
        least = cost;
        best = i;
    }
    const Arm arm = arms[best];
    arms[best] = arms[--*count];
    return arm;
}

static Step give_out(StudyTree *tree, int number, TaskKind kind, int units, int worker, Task *task) {
    TreeNode *node = &tree->nodes[number];
    *(kind == TASK_OWN ? &node->own_pending : &node->rest_pending) = true;
    if (kind == TASK_OWN) node->owner = worker;
    *task = (Task){number, kind, node->children, units};
    add_effort(tree, number, units);
    return STEP_GIVEN;
}

/* The first move that is no child. */
static Move next_move(const StudyTree *tree, int number, const Position *pos) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        if (study_tree_child(tree, number, moves[i]) == TREE_NONE) return moves[i];
    return MOVE_NONE;
}

/* Works on the moves that are no children: searches them, or makes the best of them a child. */
static Step work_on_rest(StudyTree *tree, int number, int worker, Task *task) {
    const TreeNode *node = &tree->nodes[number];
    Position pos;
    if (!node->has_rest && !tree->no_rest_tasks) {
        if (node->rest_pending) return STEP_WAITS;
        return give_out(tree, number, TASK_REST, 1, worker, task);
    }
    study_tree_position(tree, number, &pos);
    const Move move = node->has_rest ? node->rest.line[0] : next_move(tree, number, &pos);
    const int child = move == MOVE_NONE ? TREE_NONE : expand(tree, number, &pos, move);
    if (child == TREE_NONE) return STEP_WAITS;
    if (tree->nodes[child].has_own || tree->nodes[child].ended) return STEP_GREW;
    return give_out(tree, child, TASK_OWN, 1, worker, task);
}

/* Whether it is time for a longer search of the node. None takes longer than the study has taken so far. */
static bool wants_longer(const StudyTree *tree, const TreeNode *node, int worker) {
    enum { UNITS_MAX = 256 }; /* with the usual tasks half an hour, which a kill may cost */
    const int units = 2 * node->own_units, spent = units - 1; /* 1 + 2 + 4 + ... */
    if (tree->workers == 0 || node->own_pending || units > UNITS_MAX) return false;
    if (node->owner != TREE_NONE && node->owner != worker) return false;
    return node->effort - spent >= units &&
           (units == 2 || units <= tree->nodes[TREE_ROOT].effort / tree->workers);
}

/* Goes down from a node. The depth of the recursion is at most TREE_PLY_MAX. */
static Step descend(StudyTree *tree, int number, int worker, Task *task) {
    const TreeNode *node = &tree->nodes[number];
    if (is_decided(node)) return STEP_WAITS;
    if (!node->has_own) {
        if (node->own_pending) return STEP_WAITS;
        return give_out(tree, number, TASK_OWN, 1, worker, task);
    }
    if (wants_longer(tree, node, worker))
        return give_out(tree, number, TASK_OWN, 2 * node->own_units, worker, task);
    Arm arms[MAX_MOVES + 1];
    int count = list_arms(tree, number, arms);
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, arms[i].promise);
    while (count > 0) {
        const Arm arm = take_arm(arms, &count, most);
        const Step step = arm.child == TREE_NONE ? work_on_rest(tree, number, worker, task)
                                                 : descend(tree, arm.child, worker, task);
        if (step != STEP_WAITS) return step;
    }
    return STEP_WAITS;
}

bool study_tree_choose(StudyTree *tree, int worker, Task *task) {
    Step step;
    do step = descend(tree, TREE_ROOT, worker, task);
    while (step == STEP_GREW);
    return step == STEP_GIVEN;
}

void study_tree_forget_worker(StudyTree *tree, int worker) {
    for (int i = 0; i < tree->count; i++)
        if (tree->nodes[i].owner == worker) tree->nodes[i].owner = TREE_NONE;
}

/* --- results --- */

static bool *pending_of(StudyTree *tree, const Task *task) {
    TreeNode *node = &tree->nodes[task->node];
    return task->kind == TASK_OWN ? &node->own_pending : &node->rest_pending;
}

bool study_tree_is_open(const StudyTree *tree, const Task *task) {
    const TreeNode *node = &tree->nodes[task->node];
    if (node->ended) return false;
    if (task->kind == TASK_OWN) return !node->has_own || task->units > node->own_units;
    return node->has_own && !node->has_rest && node->children == task->children;
}

void study_tree_give_back(StudyTree *tree, const Task *task) {
    bool *pending = pending_of(tree, task);
    if (!*pending || !study_tree_is_open(tree, task)) return;
    *pending = false;
    add_effort(tree, task->node, -task->units);
}

/* A search of all moves. When its best move is a child already, the rest stays what it was. */
static void take_own(StudyTree *tree, const Task *task, const Finding *finding) {
    TreeNode *node = &tree->nodes[task->node];
    const TreeNode before = *node;
    const bool is_child = study_tree_child(tree, task->node, finding->line[0]) != TREE_NONE;
    set_own(node, finding, task->units);
    if (!is_child) return;
    node->has_rest = before.has_own && before.has_rest;
    node->rest = before.rest;
    if (before.has_own) node->prior = before.prior;
}

bool study_tree_report(StudyTree *tree, const Task *task, const Finding *finding) {
    TreeNode *node = &tree->nodes[task->node];
    bool *pending = pending_of(tree, task);
    if (!study_tree_is_open(tree, task)) return false;
    if (task->kind == TASK_REST && study_tree_child(tree, task->node, finding->line[0]) != TREE_NONE)
        return false;
    if (!*pending) add_effort(tree, task->node, task->units); /* given back, or carried on from a journal */
    *pending = false;
    if (task->kind == TASK_OWN) {
        take_own(tree, task, finding);
    } else {
        node->has_rest = true;
        node->rest = *finding;
        node->prior = finding->score;
        node->rest_tasks++;
    }
    back_up(tree, task->node);
    return true;
}

bool study_tree_carry_on(StudyTree *tree, const Task *task, const Finding *finding) {
    TreeNode *node = &tree->nodes[task->node];
    if (task->kind != TASK_OWN || !node->has_own) return study_tree_report(tree, task, finding);
    if (task->units > node->own_units) return study_tree_report(tree, task, finding);
    take_own(tree, task, finding);
    back_up(tree, task->node);
    return true;
}

int study_tree_score(const StudyTree *tree, int number) {
    const TreeNode *node = &tree->nodes[number];
    return node->parent == TREE_NONE || score_is_mate(node->score) ? node->score
                                                                   : -worth_of_child(tree, number);
}

bool study_tree_is_settled(const StudyTree *tree) { return is_decided(&tree->nodes[TREE_ROOT]); }

/* --- reading --- */

int study_tree_rank(const StudyTree *tree, int node, int *children, int capacity) {
    int count = 0;
    for (int i = tree->nodes[node].first_child; i != TREE_NONE; i = tree->nodes[i].next) {
        const TreeNode *child = &tree->nodes[i];
        if (!child->has_own && !child->ended) continue;
        int place = count < capacity ? count : capacity;
        while (place > 0) {
            const TreeNode *before = &tree->nodes[children[place - 1]];
            const int better = worth_of_child(tree, children[place - 1]), worth = worth_of_child(tree, i);
            if (better > worth || (better == worth && before->effort >= child->effort)) break;
            if (place < capacity) children[place] = children[place - 1];
            place--;
        }
        if (place < capacity) children[place] = i;
        if (count < capacity) count++;
    }
    return count;
}

int study_tree_line(const StudyTree *tree, int node, Move line[TREE_LINE_MAX]) {
    int count = 0, best;
    for (;;) {
        const TreeNode *at = &tree->nodes[node];
        const bool has_child = study_tree_rank(tree, node, &best, 1) > 0;
        const Finding *said = at->has_rest ? &at->rest : has_child ? NULL : &at->own;
        if (!at->has_own && !has_child) return count;
        if (has_child && (said == NULL || worth_of_child(tree, best) >= worth_of_rest(at))) {
            line[count++] = tree->nodes[best].move;
            node = best;
            continue;
        }
        for (int i = 0; i < said->count && count < TREE_LINE_MAX; i++) line[count++] = said->line[i];
        return count;
    }
}

Move study_tree_best_move(const StudyTree *tree) {
    Move line[TREE_LINE_MAX];
    return study_tree_line(tree, TREE_ROOT, line) > 0 ? line[0] : MOVE_NONE;
}
