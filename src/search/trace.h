/* What a traced search reports, and how its rules say so.
 *
 * The search is compiled twice: file by file, and as one unit with LUFT_TRACED (trace.c). The traced copy is
 * the same source, searches the same tree and differs in two ways: its switches are read at run time, from
 * the Tracer, and the macros below report to the Tracer what each rule did. In the normal copy a macro is the
 * plain expression that it wraps, or nothing.
 *
 * A rule hands over its own expression as text, and the values of the names in it. So a sentence about the
 * rule is made of what the rule itself compared. */
#ifndef LUFT_SEARCH_TRACE_H
#define LUFT_SEARCH_TRACE_H

#include "chess/types.h"
#include "search/limits.h"
#include "search/params.h"

/* TECHNIQUE_null_move and its like, in the order of techniques.def. */
typedef enum TechniqueId {
#define TECHNIQUE(name, summary) TECHNIQUE_##name,
#include "search/techniques.def"
#undef TECHNIQUE
    TECHNIQUE_COUNT
} TechniqueId;

/* What a rule did. */
typedef enum Effect {
    EFFECT_CUTS,    /* ended the node */
    EFFECT_SKIPS,   /* a move, or all quiet moves that are left */
    EFFECT_REDUCES, /* the depth of the node or of a move */
    EFFECT_EXTENDS,
    EFFECT_TRIES,   /* began a search that may end the node, or extend a move */
    EFFECT_CHANGES, /* a value, a window, what is learned */
    EFFECT_WEIGHS,  /* added to a sum that orders or reduces moves: far more often than all others */
    EFFECT_COUNT
} Effect;

/* One act of a rule. `condition` is the source text of what it compared, or "true" where there is nothing to
 * compare; `names` are those of the numbers, as "eval, depth, alpha". Texts live forever. */
typedef struct Act {
    TechniqueId technique;
    Effect effect;
    const char *condition;
    const char *names;
    const int *numbers;
    int number_count;
} Act;

/* A number that the next act may name, with the sum that it is, as an act has its condition. */
typedef struct Sum {
    const char *name;
    const char *expression;
    const char *names;
    const int *numbers;
    int number_count;
} Sum;

typedef struct Worker Worker;

/* Who listens to the traced searches of one thread. All functions are there; they must not change the search.
 */
typedef struct Tracer {
    Techniques techniques; /* the switches of this search */
    void *context;
    /* A node begins and ends; searches of the same position again are nodes of their own. `depth` 0:
     * quiescence.
     */
    void (*enter)(void *context, Worker *worker, int ply, int alpha, int beta, int depth, bool pv_node);
    void (*leave)(void *context, Worker *worker, int score);
    /* The node comes to its move `number`, from 1, which it would search to `depth` without reduction. */
    void (*move)(void *context, Move move, int number, int depth);
    void (*act)(void *context, const Act *act);
    void (*sum)(void *context, const Sum *sum);
    /* One addend after the other of the move's reduction, in 1/1024 ply. */
    void (*part)(void *context, const char *text, int amount);
} Tracer;

/* iterate_slice of iterate.h, traced; iterate_begin has been called. */
bool trace_iterate_slice(Worker *worker, const Slice *slice, Tracer *tracer);

#ifdef LUFT_TRACED
enum { IS_TRACED = true };
/* Stands before each function that a header declares and the traced copy has, too: there nobody else sees it.
 */
#define TRACEABLE static __attribute__((unused))

/* The one of the search that runs on this thread; NULL at all other times. */
static _Thread_local Tracer *traced_by;
#define techniques (traced_by->techniques)

static inline bool trace_act(Act act) {
    traced_by->act(traced_by->context, &act);
    return true;
}
static inline int trace_sum(int value, Sum sum) {
    traced_by->sum(traced_by->context, &sum);
    return value;
}
static inline int trace_part(const char *text, int amount) {
    traced_by->part(traced_by->context, text, amount);
    return amount;
}
static inline int trace_leave(Worker *worker, int score) {
    traced_by->leave(traced_by->context, worker, score);
    return score;
}

#define TRACE_NUMBERS(...)                                        \
    .names = #__VA_ARGS__, .numbers = (const int[]){__VA_ARGS__}, \
    .number_count = (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
#define RULE(effect_, technique_, condition_, ...)                        \
    ((condition_) && trace_act((Act){.technique = TECHNIQUE_##technique_, \
                                     .effect = EFFECT_##effect_,          \
                                     .condition = #condition_,            \
                                     TRACE_NUMBERS(__VA_ARGS__)}))
#define SUM(name_, expression_, ...) \
    trace_sum(expression_, (Sum){.name = #name_, .expression = #expression_, TRACE_NUMBERS(__VA_ARGS__)})
#define PART(amount_) trace_part(#amount_, amount_)
#define VISIT(worker_, ply_, alpha_, beta_, depth_, pv_node_, search_)                     \
    (traced_by->enter(traced_by->context, worker_, ply_, alpha_, beta_, depth_, pv_node_), \
     trace_leave(worker_, search_))
#define COMES_TO(move_, number_, depth_) traced_by->move(traced_by->context, move_, number_, depth_)

#else
enum { IS_TRACED = false };
#define TRACEABLE
/* A rule of the technique: true when the condition holds, and then it has acted. At least one number. */
#define RULE(effect, technique, condition, ...)                 (condition)
/* A sum, and the name by which a condition knows it. */
#define SUM(name, expression, ...)                              (expression)
/* An addend of a reduction. */
#define PART(amount)                                            (amount)
/* A node: what `search` returns. */
#define VISIT(worker, ply, alpha, beta, depth, pv_node, search) (search)
/* Stands where a node comes to its next move. */
#define COMES_TO(move, number, depth)                           ((void)0)
#endif

#endif
