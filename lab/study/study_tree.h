/* The tree of a study: positions, what engines found out about them, which to search next, and what that
 * makes the root worth. Pure: it starts no engine, reads no clock and writes no file. One thread at a time.
 *
 * Best-first, after GPS-shogi (Kaneko, Tanaka 2010) and Yokoyama, Kaneko, Tanaka (ACG 2015). There are two
 * kinds of tasks. TASK_OWN searches a position with all its moves; its best move is then the first to become
 * a node of its own. TASK_REST searches the same position without the moves that are nodes already, and so
 * finds the next best one. A node therefore has as many children as its moves deserve, and no number says how
 * many.
 *
 * Choice. From the root down, each node has arms: its children and the rest of its moves. With q the points
 * that an arm promises (finding_expect) and n the tasks spent on it, finished or in progress, the arm is
 * taken whose (n + 1) / exp((q - best q) / TREE_TEMPERATURE) is least. So effort goes to the arms in
 * proportion to exp(q / TREE_TEMPERATURE): most to the best one, much to those near it, and a little to each.
 * Tasks in progress count as effort, so many workers spread over the tree by themselves. A rest that has not
 * been searched yet promises TREE_GAP points less than the best move found before it.
 *
 * Long searches. Many short searches overlook what lies deep. Therefore a position is searched again with
 * twice the nodes whenever its arms have cost as much as that, so that about half of all effort at each node,
 * the root first, goes into one long search of it. What that says of its best move, and against moves that
 * claim to be better, weighs as much as it has cost, next to what the tree says.
 *
 * Back-up. The value of a node is the best of its arms (minimax). The maximum of uncertain numbers is too
 * high on the average; therefore the damped value is kept next to it, as chessdb.cn has it: a mixture of the
 * best and of those near it. */
#ifndef LUFT_STUDY_STUDY_TREE_H
#define LUFT_STUDY_STUDY_TREE_H

#include "lab/study/finding.h"
#include "store/row.h"

#define TREE_TEMPERATURE 0.05
#define TREE_GAP         0.05

enum { TREE_PLY_MAX = 120, TREE_ROOT = 0, TREE_NONE = -1 };

typedef enum TaskKind { TASK_OWN, TASK_REST } TaskKind;

/* A search to be made. Copyable; valid while the tree lives. */
typedef struct Task {
    int node;
    TaskKind kind;
    int children; /* of the node, which TASK_REST leaves out */
    int units;    /* how many times the usual nodes */
} Task;

typedef struct TreeNode {
    int parent, first_child, last_child, next; /* TREE_NONE: none */
    int ply;                                   /* from the root */
    int children, legal;                       /* how many */
    Move move;                                 /* that leads to it */
    bool ended;                                /* by the rules: a draw, mate, stalemate */
    bool has_own, has_rest;
    bool own_pending, rest_pending; /* the task was given out */
    int own_units;                  /* of the search that found `own` */
    int owner; /* the worker that made it, whose memory knows most of the next; TREE_NONE: any */
    Finding own;
    Finding rest; /* of all moves that are no children; at first `own` */
    int rest_tasks;
    int failures;  /* engines that failed on it: the coordinator's */
    int prior;     /* what it, or its rest, is worth before it was searched; for its side to move */
    int effort;    /* units of tasks in its subtree, in progress or finished */
    int score;     /* minimax, for its side to move */
    double damped; /* points for its side to move */
    uint8_t key[ROW_KEY_SIZE];
} TreeNode;

typedef struct StudyTree {
    Position root;
    TreeNode *nodes;
    int count;
    int *index; /* hash table: the first node of each position; TREE_NONE: free */
    size_t index_size;
    int workers;        /* that share the work; 0: positions are not searched again */
    bool no_rest_tasks; /* engines do not know searchmoves: further moves become nodes in turn */
} StudyTree;

/* `root` with the history of the game that led to it. Free with study_tree_release. */
Status study_tree_begin(StudyTree *tree, const Position *root);
void study_tree_release(StudyTree *tree);

/* Chooses the next task for a worker, by its number, and marks it as given out. False when nothing is left to
 * do now: all is in progress or decided, the tree is full or memory has run out. */
bool study_tree_choose(StudyTree *tree, int worker, Task *task);

/* A worker is gone, and what its memory knew. */
void study_tree_forget_worker(StudyTree *tree, int worker);

/* Whether a result for this task would be news. */
bool study_tree_is_open(const StudyTree *tree, const Task *task);

/* The task was not done, or takes too long: it may be chosen again. */
void study_tree_give_back(StudyTree *tree, const Task *task);

/* Enters the result of a task. False, and nothing is changed, when it is known already or the answer to an
 * older question: then it must not count. */
bool study_tree_report(StudyTree *tree, const Task *task, const Finding *finding);

/* The same for a task of an earlier run, whatever is known by transposition. */
bool study_tree_carry_on(StudyTree *tree, const Task *task, const Finding *finding);

/* Whether the study is over: the rules end the game, or a mate is found or cannot be avoided. */
bool study_tree_is_settled(const StudyTree *tree);

void study_tree_position(const StudyTree *tree, int node, Position *pos);

/* The moves from the root to the node; their number. */
int study_tree_path(const StudyTree *tree, int node, Move path[TREE_PLY_MAX]);

/* The node of the move, which becomes one if necessary: for carrying on. TREE_NONE when the move is illegal
 * or memory has run out. */
int study_tree_reach(StudyTree *tree, int node, Move move);

/* The child with this move; TREE_NONE. */
int study_tree_child(const StudyTree *tree, int node, Move move);

/* What a node is worth for its side to move, as its parent sees it: with what a long search of that one says.
 */
int study_tree_score(const StudyTree *tree, int node);

/* The children whose searches are finished, best first; at most `capacity`, and their number. */
int study_tree_rank(const StudyTree *tree, int node, int *children, int capacity);

/* The best line; its number of moves, 0 before the first result. */
enum { TREE_LINE_MAX = TREE_PLY_MAX + FINDING_LINE_MAX };
int study_tree_line(const StudyTree *tree, int node, Move line[TREE_LINE_MAX]);

/* The first move of the root's best line; MOVE_NONE before the first result. */
Move study_tree_best_move(const StudyTree *tree);

#endif
