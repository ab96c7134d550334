/* What a traced search reports, and the macros by which rules report it.
 *
 * The search is compiled twice: file by file, and as one unit with LUFT_TRACED (trace.c). The traced copy is
 * the same source, searches the same tree and differs in two ways: its switches and numbers are read at run
 * time, from the Tracer, and the macros below report to the Tracer what each rule did. In the normal copy a
 * macro is the plain expression that it wraps, or nothing.
 *
 * A rule hands over its operands: ids with the numbers that it compared. The sentence about it
 * (techniques.def) is made of these. */
#ifndef LUFT_SEARCH_TRACE_H
#define LUFT_SEARCH_TRACE_H

#include "chess/types.h"
#include "search/limits.h"
#include "search/params.h"

/* TECHNIQUE_null_move and its like, in the order of techniques.def. */
typedef enum TechniqueId {
#define TECHNIQUE(name, summary) TECHNIQUE_##name,
#include "search/techniques.def"
    TECHNIQUE_COUNT
} TechniqueId;

/* What a rule did. */
typedef enum Effect {
    EFFECT_CUTS,    /* ended the node */
    EFFECT_SKIPS,   /* a move, or all remaining quiet moves */
    EFFECT_REDUCES, /* the depth of the node or of a move */
    EFFECT_EXTENDS,
    EFFECT_TRIES,   /* began a search that may end the node, or extend a move */
    EFFECT_CHANGES, /* a value, a window, what is learned */
    EFFECT_WEIGHS,  /* added to a sum that orders or reduces moves: far more often than all others */
    EFFECT_COUNT
} Effect;

/* A technique and one of its effects, each with a sentence: ACT_null_move_CUTS and its like. */
typedef enum ActId {
#define ACT(technique, effect, sentence) ACT_##technique##_##effect,
#include "search/techniques.def"
    ACT_COUNT
} ActId;

/* A number that a rule compared, or that says what it did; operands.def has their units. */
typedef enum OperandId {
#define OPERAND(id, unit) OPERAND_##id,
#include "search/operands.def"
    OPERAND_COUNT
} OperandId;
typedef struct Operand {
    OperandId id;
    int value;
} Operand;

/* One act of a rule. */
typedef struct Act {
    ActId id; /* ACT_COUNT where it only weighs */
    TechniqueId technique;
    Effect effect;
    const Operand *operands;
    int operand_count;
} Act;

typedef struct Worker Worker;

/* The listener of the traced searches of one thread. All functions are there; they must not change the
 * search. */
typedef struct Tracer {
    Techniques techniques; /* the switches of this search, */
    Params params;         /* and its numbers */
    void *context;
    /* A node begins and ends; searches of the same position again are nodes of their own. `depth` 0:
     * quiescence.
     */
    void (*enter)(void *context, Worker *worker, int ply, int alpha, int beta, int depth, bool pv_node);
    void (*leave)(void *context, Worker *worker, int score);
    /* The node comes to its move `number`, from 1, which it would search to `depth` without reduction. */
    void (*move)(void *context, Move move, int number, int depth);
    void (*act)(void *context, const Act *act);
    /* One part after the other of the move's reduction, in 1/1024 ply. */
    void (*part)(void *context, Operand part);
} Tracer;

/* iterate_slice of iterate.h, traced; iterate_begin has been called. */
bool trace_iterate_slice(Worker *worker, const Slice *slice, Tracer *tracer);

#ifdef LUFT_TRACED
enum { IS_TRACED = true };
/* Before each function that a header declares and that the traced copy has, too: there it is local. */
#define TRACEABLE static __attribute__((unused))

/* The tracer of the search that runs on this thread; NULL at all other times. */
static _Thread_local Tracer *traced_by;
#define techniques (traced_by->techniques)
#define params     (traced_by->params)

static inline bool trace_act(Act act) {
    traced_by->act(traced_by->context, &act);
    return true;
}
static inline int trace_part(OperandId id, int amount) {
    traced_by->part(traced_by->context, (Operand){id, amount});
    return amount;
}
static inline int trace_leave(Worker *worker, int score) {
    traced_by->leave(traced_by->context, worker, score);
    return score;
}

#define RULE(effect_, technique_, condition_, ...)               \
    ((condition_) &&                                             \
     trace_act((Act){.id = ACT_##technique_##_##effect_,         \
                     .technique = TECHNIQUE_##technique_,        \
                     .effect = EFFECT_##effect_,                 \
                     .operands = (const Operand[]){__VA_ARGS__}, \
                     .operand_count = (int)(sizeof((const Operand[]){__VA_ARGS__}) / sizeof(Operand))}))
#define OP(id_, value_) \
    { OPERAND_##id_, value_ }
#define WEIGHS(technique_, condition_) \
    ((condition_) &&                   \
     trace_act((Act){.id = ACT_COUNT, .technique = TECHNIQUE_##technique_, .effect = EFFECT_WEIGHS}))
#define PART(id_, amount_) trace_part(OPERAND_##id_, amount_)
#define VISIT(worker_, ply_, alpha_, beta_, depth_, pv_node_, search_)                     \
    (traced_by->enter(traced_by->context, worker_, ply_, alpha_, beta_, depth_, pv_node_), \
     trace_leave(worker_, search_))
#define COMES_TO(move_, number_, depth_) traced_by->move(traced_by->context, move_, number_, depth_)

#else
enum { IS_TRACED = false };
#define TRACEABLE
/* A rule of the technique: true when the condition holds, and then it has acted. At least one operand,
 * OP(id, value). */
#define RULE(effect, technique, condition, ...)                 (condition)
/* The same of a rule that only adds to a sum which orders or reduces moves. */
#define WEIGHS(technique, condition)                            (condition)
/* A part of a reduction. */
#define PART(id, amount)                                        (amount)
/* A node: what `search` returns. */
#define VISIT(worker, ply, alpha, beta, depth, pv_node, search) (search)
/* Stands where a node comes to its next move. */
#define COMES_TO(move, number, depth)                           ((void)0)
#endif

#endif
