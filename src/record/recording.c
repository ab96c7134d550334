#include "record/recording.h"

#include "base/memory.h"
#include "chess/movegen.h"
#include "search/reduce.h"
#include "search/worker.h"

#include <assert.h>
#include <string.h>

/* Several nodes may be open at one ply: those that search the same position again. */
enum { OPEN_MAX = 4 * (MAX_PLY + 2), PARTS_MAX = 16 };

/* A node that has begun and not ended. */
typedef struct Open {
    int visit;    /* VISIT_NONE: it is not recorded */
    bool is_lost; /* for want of room, though it is wanted */
    int ply, depth, beta;
    int same; /* calls that are one node: a search of no depth is quiescence at once */
    uint64_t nodes_before;
    Purpose purpose;
    TechniqueId tried_by; /* the rule that began this search; TECHNIQUE_COUNT: a move did */
    TechniqueId ended_by;
    TechniqueId tries;      /* the last rule that began a search here */
    bool by_table;          /* a table entry ended it */
    int number, move_depth; /* of the move that it has come to */
    Move move;
    bool visited;           /* that move was searched */
    TechniqueId reduced_by; /* with less depth, and not again; TECHNIQUE_COUNT: it was not */
    int quiet_count;        /* quiet moves that it has come to */
} Open;

struct Recorder {
    Recording recording;
    RecordingFilter filter;
    size_t bytes;
    Tracer tracer;
    Worker *worker;
    int open_count;
    Open open[OPEN_MAX];
    uint64_t dropped_before; /* this search of the root */
    int outside;             /* acts before the root that comes next: they are its own */
    int part_count;          /* of the reduction of the move */
    Operand part[PARTS_MAX];
    int reduction; /* their sum, in 1/1024 ply */
};

static Open *top(Recorder *recorder) {
    return recorder->open_count > 0 ? &recorder->open[recorder->open_count - 1] : NULL;
}

/* --- room --- */

/* What memory_grow takes for `count` items and one more. */
static size_t capacity_for(int count) {
    size_t capacity = 16;
    while (capacity <= (size_t)count) capacity *= 2;
    return capacity;
}

/* Room for one more item of each array; false when the limit or the memory has none. */
static bool make_room(Recorder *recorder) {
    Recording *recording = &recorder->recording;
    const size_t taken = capacity_for(recording->visit_count) * sizeof(Visit) +
                         capacity_for(recording->act_count) * sizeof(RecordedAct) +
                         capacity_for(recording->operand_count) * sizeof(Operand);
    if (taken > recorder->bytes) return false;
    Visit *visit = memory_grow(recording->visit, (size_t)recording->visit_count, sizeof *visit);
    if (visit != NULL) recording->visit = visit;
    RecordedAct *act = memory_grow(recording->act, (size_t)recording->act_count, sizeof *act);
    if (act != NULL) recording->act = act;
    Operand *operand = memory_grow(recording->operand, (size_t)recording->operand_count, sizeof *operand);
    if (operand != NULL) recording->operand = operand;
    return visit != NULL && act != NULL && operand != NULL;
}

static bool add_operands(Recorder *recorder, const Operand *operands, int count) {
    Recording *recording = &recorder->recording;
    for (int i = 0; i < count; i++) {
        if (!make_room(recorder)) return false;
        recording->operand[recording->operand_count++] = operands[i];
    }
    return true;
}

/* --- nodes --- */

static Purpose purpose_of(Recorder *recorder, const Open *up, int ply, Move move) {
    if (up == NULL) return PURPOSE_MOVE;
    if (up->ply == ply) {
        if (worker_frame(recorder->worker, ply)->excluded != MOVE_NONE) return PURPOSE_SINGULAR;
        return recorder->worker->verify_until > 0 ? PURPOSE_VERIFICATION : PURPOSE_RAZORING;
    }
    if (move == MOVE_NULL) return PURPOSE_NULL_MOVE;
    if (up->number == 0) return PURPOSE_PROBCUT;
    return up->visited ? PURPOSE_RE_SEARCH : PURPOSE_MOVE;
}

static bool is_wanted(const Recorder *recorder, const Open *up, int ply, Move move) {
    const RecordingFilter *filter = &recorder->filter;
    if (up == NULL) return true;
    if (up->visit == VISIT_NONE && !up->is_lost) return false;
    if (up->ply == 0 && ply == 1 && filter->root_move != MOVE_NONE && move != filter->root_move) return false;
    return filter->plies == 0 || ply <= filter->plies;
}

/* A move that is searched: again, after a reduction? */
static void note_search(Recorder *recorder, Open *up, int depth) {
    RecordingTotals *totals = &recorder->recording.totals;
    if (up->visited && up->reduced_by != TECHNIQUE_COUNT) {
        totals->re_searched++;
        totals->spared[up->reduced_by][int_min(depth, MAX_PLY - 1)]--;
        up->reduced_by = TECHNIQUE_COUNT;
    }
    up->visited = true;
}

/* Of a root. A window that missed the score is followed by another one. */
static bool visit_ends_iteration(const Visit *visit) {
    return visit->finished && visit_bound(visit) == BOUND_EXACT;
}

/* Forgets the visits before the last iteration that is finished. That one stays: the next may be stopped. */
static void keep_last_iteration(Recorder *recorder) {
    Recording *recording = &recorder->recording;
    const int last = recording_last_root(recording);
    int root = 0;
    while (last != VISIT_NONE && recording->visit[root].iteration != recording->visit[last].iteration)
        root = recording->visit[root].end;
    if (root == 0) return;
    const int act = recording->visit[root].act, act_count = recording->act_count - act;
    const int operand = act_count > 0 ? recording->act[act].operand : recording->operand_count;
    recording->visit_count -= root;
    recording->act_count = act_count;
    recording->operand_count -= operand;
    recording->dropped -= recorder->dropped_before;
    memmove(recording->visit, recording->visit + root, (size_t)recording->visit_count * sizeof(Visit));
    memmove(recording->act, recording->act + act, (size_t)act_count * sizeof(RecordedAct));
    memmove(recording->operand, recording->operand + operand,
            (size_t)recording->operand_count * sizeof(Operand));
    for (int i = 0; i < recording->visit_count; i++) {
        Visit *visit = &recording->visit[i];
        if (visit->parent != VISIT_NONE) visit->parent -= root;
        visit->end -= root;
        visit->act -= act;
        visit->act_end -= act;
    }
    for (int i = 0; i < act_count; i++) {
        recording->act[i].visit -= root;
        recording->act[i].operand -= operand;
    }
}

/* Of a search of the root that ended no iteration, what is below it. */
static void forget_attempt(Recorder *recorder, int root) {
    Recording *recording = &recorder->recording;
    Visit *visit = &recording->visit[root];
    if (recording->act_count > visit->act) recording->operand_count = recording->act[visit->act].operand;
    recording->act_count = visit->act_end = visit->act;
    recording->visit_count = visit->end = root + 1;
    recording->dropped = recorder->dropped_before;
}

static void on_enter(void *context, Worker *worker, int ply, int alpha, int beta, int depth, bool pv_node) {
    Recorder *recorder = context;
    Recording *recording = &recorder->recording;
    Open *up = top(recorder);
    recorder->worker = worker;
    if (depth < 0) depth = 0;
    if (up == NULL && recorder->filter.latest) keep_last_iteration(recorder);
    if (up == NULL) recorder->dropped_before = recording->dropped;
    if (up != NULL && up->ply == ply && up->depth == 0 && depth == 0) {
        up->same++;
        return;
    }
    assert(recorder->open_count < OPEN_MAX);
    const Move move = up != NULL && up->ply < ply ? worker_frame(worker, ply - 1)->move : MOVE_NONE;
    const Purpose purpose = purpose_of(recorder, up, ply, move);
    const bool is_made = move != MOVE_NONE && move != MOVE_NULL && purpose != PURPOSE_RE_SEARCH;
    const bool is_of_move = purpose == PURPOSE_MOVE || purpose == PURPOSE_RE_SEARCH;
    const int number = up != NULL && is_of_move ? up->number : 0;
    Open *open = &recorder->open[recorder->open_count++];
    *open = (Open){.visit = VISIT_NONE,
                   .ply = ply,
                   .depth = depth,
                   .beta = beta,
                   .nodes_before = worker_nodes(worker) - is_made,
                   .purpose = purpose,
                   .tried_by = up != NULL && !is_of_move ? up->tries : TECHNIQUE_COUNT,
                   .tries = TECHNIQUE_COUNT,
                   .reduced_by = TECHNIQUE_COUNT,
                   .ended_by = TECHNIQUE_COUNT};
    if (number > 0) note_search(recorder, up, depth);
    if (!is_wanted(recorder, up, ply, move)) return;
    open->is_lost = (up != NULL && up->is_lost) || !make_room(recorder);
    if (open->is_lost) {
        recording->dropped++;
        return;
    }
    open->visit = recording->visit_count;
    recording->visit[recording->visit_count++] = (Visit){.parent = up != NULL ? up->visit : VISIT_NONE,
                                                         .act = recording->act_count - recorder->outside,
                                                         .alpha = (int16_t)alpha,
                                                         .beta = (int16_t)beta,
                                                         .number = (int16_t)number,
                                                         .move = move,
                                                         .depth = (uint8_t)depth,
                                                         .ply = (uint8_t)ply,
                                                         .iteration = (uint8_t)worker->root_depth,
                                                         .purpose = (uint8_t)purpose,
                                                         .pv_node = pv_node};
    recorder->outside = 0;
}

/* Sums up a node that has ended. */
static void count_visit(RecordingTotals *totals, const Open *open, uint64_t nodes, int score) {
    totals->visits++;
    if (open->tried_by != TECHNIQUE_COUNT) totals->tried[open->tried_by] += nodes;
    totals->table_visits += open->by_table;
    if (open->ended_by != TECHNIQUE_COUNT) return;
    if (open->depth > 0 && open->visited && score >= open->beta) {
        totals->failed_high++;
        totals->failed_high_first += open->number == 1;
    }
    totals->searched[open->depth]++;
    totals->searched_nodes[open->depth] += nodes;
}

static void on_leave(void *context, Worker *worker, int score) {
    Recorder *recorder = context;
    Open *open = top(recorder);
    if (open->same > 0) {
        open->same--;
        return;
    }
    recorder->open_count--;
    const uint64_t nodes = worker_nodes(worker) - open->nodes_before;
    if (!worker->stopped) count_visit(&recorder->recording.totals, open, nodes, score);
    if (recorder->open_count == 0) recorder->recording.totals.nodes = worker_nodes(worker);
    if (open->visit == VISIT_NONE) return;
    Visit *visit = &recorder->recording.visit[open->visit];
    visit->end = recorder->recording.visit_count;
    visit->act_end = recorder->recording.act_count;
    visit->nodes = (uint32_t)nodes;
    visit->score = (int16_t)score;
    visit->ended_by = (uint8_t)open->ended_by;
    visit->finished = !worker->stopped;
    if (recorder->open_count == 0 && recorder->filter.latest && !visit_ends_iteration(visit))
        forget_attempt(recorder, open->visit);
}

static void on_move(void *context, Move move, int number, int depth) {
    Recorder *recorder = context;
    Open *open = top(recorder);
    open->move = move;
    open->number = number;
    open->move_depth = depth;
    open->visited = false;
    open->reduced_by = TECHNIQUE_COUNT;
    open->quiet_count += !position_is_noisy(&recorder->worker->pos, move);
    recorder->part_count = recorder->reduction = 0;
}

/* --- acts --- */

static void on_part(void *context, Operand part) {
    Recorder *recorder = context;
    recorder->reduction += part.value;
    if (part.value != 0 && recorder->part_count < PARTS_MAX) recorder->part[recorder->part_count++] = part;
}

static bool has_operand(const Act *act, OperandId id, int *value) {
    for (int i = 0; i < act->operand_count; i++) {
        *value = act->operands[i].value;
        if (act->operands[i].id == id) return true;
    }
    return false;
}

/* Whether it reduces the depth of the move that the node has come to, by parts. */
static bool reduces_move(const Open *open, const Act *act) {
    int reduced;
    return open != NULL && open->number > 0 && act->effect == EFFECT_REDUCES &&
           has_operand(act, OPERAND_reduced, &reduced);
}

/* How many moves an act skips: late move pruning skips all quiet moves that are left, the move cap one. */
static int skipped_by(const Recorder *recorder, const Open *open, const Act *act) {
    int captures;
    if (act->effect != EFFECT_SKIPS) return 0;
    if (has_operand(act, OPERAND_captures, &captures)) return captures;
    if (act->technique != TECHNIQUE_late_move_pruning) return 1;
    Move moves[MAX_MOVES];
    const Position *pos = &recorder->worker->pos;
    const int quiet = movegen_quiet(pos, position_threats(pos), moves);
    return int_max(quiet - open->quiet_count + !position_is_noisy(pos, open->move), 1);
}

/* Plies that an act adds to a depth: what it reports, else one. */
static int plies_added(const Act *act) {
    int plies, depth;
    if (has_operand(act, OPERAND_reduced, &plies) && has_operand(act, OPERAND_depth, &depth))
        return plies - depth;
    if (has_operand(act, OPERAND_less, &plies)) return -plies;
    if (has_operand(act, OPERAND_more, &plies)) return plies;
    return act->effect == EFFECT_REDUCES ? -1 : 1;
}

/* Which searches the act spared, and which took their place. */
static void count_spared(Recorder *recorder, Open *open, const Act *act, int skipped) {
    int64_t *spared = recorder->recording.totals.spared[act->technique];
    const int depth = int_clamp(open->move_depth, 0, MAX_PLY - 1), node_depth = open->depth;
    const int from = open->number > 0 ? depth : node_depth;
    switch (act->effect) {
    case EFFECT_CUTS: spared[node_depth]++; break;
    case EFFECT_SKIPS:
        spared[int_clamp(depth - recorder->reduction / ONE_PLY, 0, MAX_PLY - 1)] += skipped;
        break;
    case EFFECT_REDUCES:
    case EFFECT_EXTENDS:
        spared[from]++;
        spared[int_clamp(from + plies_added(act), 0, MAX_PLY - 1)]--;
        break;
    default: break;
    }
}

/* `open` is NULL before a root begins. */
static void keep_act(Recorder *recorder, const Open *open, const Act *act, int skipped) {
    Recording *recording = &recorder->recording;
    const int part_count = reduces_move(open, act) ? recorder->part_count : 0;
    int captures;
    const bool of_move = open != NULL && !has_operand(act, OPERAND_captures, &captures);
    const RecordedAct kept = {.visit = open != NULL ? open->visit : recording->visit_count,
                              .operand = recording->operand_count,
                              .count = (uint16_t)(act->operand_count + part_count),
                              .skipped = (uint16_t)skipped,
                              .move = of_move ? open->move : MOVE_NONE,
                              .id = (uint8_t)act->id,
                              .technique = (uint8_t)act->technique,
                              .effect = (uint8_t)act->effect};
    if (!add_operands(recorder, act->operands, act->operand_count) ||
        !add_operands(recorder, recorder->part, part_count) || !make_room(recorder)) {
        recording->dropped++;
        return;
    }
    recording->act[recording->act_count++] = kept;
    recorder->outside += open == NULL;
}

static void on_act(void *context, const Act *act) {
    Recorder *recorder = context;
    RecordingTotals *totals = &recorder->recording.totals;
    Open *open = top(recorder);
    totals->acted[act->technique][act->effect]++;
    if (act->effect == EFFECT_WEIGHS) return;
    if (open == NULL) {
        keep_act(recorder, NULL, act, 0);
    } else {
        const int skipped = skipped_by(recorder, open, act);
        totals->skipped[act->technique] += (uint64_t)skipped;
        count_spared(recorder, open, act, skipped);
        int score;
        if (act->effect == EFFECT_CUTS) open->ended_by = act->technique;
        if (act->effect == EFFECT_CUTS || act->effect == EFFECT_TRIES) open->tries = act->technique;
        open->by_table |= has_operand(act, OPERAND_table_score, &score);
        if (reduces_move(open, act)) {
            totals->reduced++;
            open->reduced_by = act->technique;
        }
        if (open->visit != VISIT_NONE) keep_act(recorder, open, act, skipped);
        if (open->is_lost) recorder->recording.dropped++;
    }
}

/* --- for those who record --- */

Recorder *recorder_create(size_t bytes) {
    Recorder *recorder = memory_allocate(sizeof *recorder);
    if (recorder == NULL) return NULL;
    recorder->bytes = bytes;
    recorder->tracer = (Tracer){.context = recorder,
                                .enter = on_enter,
                                .leave = on_leave,
                                .move = on_move,
                                .act = on_act,
                                .part = on_part};
    recorder_begin(recorder, &(RecordingFilter){0}, NULL);
    return recorder;
}

void recording_release(Recording *recording) {
    memory_release(recording->visit);
    memory_release(recording->act);
    memory_release(recording->operand);
    *recording = (Recording){0};
}

void recorder_destroy(Recorder *recorder) {
    if (recorder == NULL) return;
    recording_release(&recorder->recording);
    memory_release(recorder);
}

static void switch_off(Techniques *switches, TechniqueSet off) {
#define TECHNIQUE(name, summary) \
    if (off & technique_bit(TECHNIQUE_##name)) switches->name = false;
#include "search/techniques.def"
}

static void set_number(Params *numbers, const NumberChange *change) {
    int *const number[] = {
#define PARAM(name, value, low, high, step) &numbers->name,
#include "search/params.def"
#undef PARAM
    };
    *number[change->row] = change->value;
}

void recorder_begin(Recorder *recorder, const RecordingFilter *filter, const SearchChanges *changes) {
    recording_release(&recorder->recording);
    recorder->filter = *filter;
    recorder->open_count = 0;
    recorder->dropped_before = 0;
    recorder->outside = recorder->part_count = recorder->reduction = 0;
    recorder->tracer.techniques = techniques;
    recorder->tracer.params = params;
    if (changes == NULL) return;
    switch_off(&recorder->tracer.techniques, changes->off);
    for (int i = 0; i < changes->count; i++) set_number(&recorder->tracer.params, &changes->number[i]);
}

Tracer *recorder_tracer(Recorder *recorder) { return &recorder->tracer; }
const Recording *recorder_recording(const Recorder *recorder) { return &recorder->recording; }

Recording recorder_take(Recorder *recorder) {
    const Recording recording = recorder->recording;
    recorder->recording = (Recording){0};
    return recording;
}

/* --- for those who read --- */

Bound visit_bound(const Visit *visit) {
    return visit->score >= visit->beta    ? BOUND_LOWER
           : visit->score <= visit->alpha ? BOUND_UPPER
                                          : BOUND_EXACT;
}

int recording_last_root(const Recording *recording) {
    int last = VISIT_NONE;
    for (int v = 0; v < recording->visit_count; v = recording->visit[v].end) {
        if (visit_ends_iteration(&recording->visit[v])) last = v;
        if (!recording->visit[v].finished) break; /* nothing comes after it, and `end` may not be known */
    }
    return last;
}

bool visit_is_of_move(const Visit *visit) {
    return visit->purpose == PURPOSE_MOVE || visit->purpose == PURPOSE_RE_SEARCH;
}

int recording_child(const Recording *recording, int visit) {
    return visit + 1 < recording->visit[visit].end ? visit + 1 : VISIT_NONE;
}

int recording_sibling(const Recording *recording, int visit) {
    const int next = recording->visit[visit].end, parent = recording->visit[visit].parent;
    return parent != VISIT_NONE && next < recording->visit[parent].end ? next : VISIT_NONE;
}

/* The first of the two, unless the second is better for the side to move above. */
static int better_of(const Recording *recording, int first, int second) {
    const bool stays = first != VISIT_NONE && recording->visit[first].score <= recording->visit[second].score;
    return stays ? first : second;
}

int recording_best_child(const Recording *recording, int parent) {
    const Visit *node = &recording->visit[parent];
    int best = VISIT_NONE, last = VISIT_NONE; /* `last` is the newest search of a move */
    if (node->ended_by != TECHNIQUE_COUNT) return VISIT_NONE;
    for (int v = recording_child(recording, parent); v != VISIT_NONE; v = recording_sibling(recording, v)) {
        const Visit *child = &recording->visit[v];
        if (!child->finished || !visit_is_of_move(child)) continue;
        if (last != VISIT_NONE && child->purpose == PURPOSE_MOVE) best = better_of(recording, best, last);
        last = v;
    }
    return last == VISIT_NONE ? VISIT_NONE : better_of(recording, best, last);
}

const char *effect_name(Effect effect) {
    static const char *const NAMES[] = {"cuts", "skips", "reduces", "extends", "tries", "changes", "weighs"};
    return NAMES[effect];
}

const char *technique_name(TechniqueId technique) {
    int count;
    return techniques_rows(&count)[technique].name;
}

const char *bound_name(Bound bound) {
    return bound == BOUND_LOWER ? "lower" : bound == BOUND_UPPER ? "upper" : "exact";
}

const char *purpose_name(Purpose purpose) {
    static const char *const NAMES[] = {"move",    "move again", "null move", "verification",
                                        "probcut", "singular",   "razoring"};
    return NAMES[purpose];
}

void recording_group_act(const Recording *recording, ActGroup *group, int act) {
    const RecordedAct *added = &recording->act[act];
    if (group->count == 0) *group = (ActGroup){.act = act};
    group->count += added->effect == EFFECT_SKIPS ? added->skipped : 1;
    const bool is_named = group->named > 0 && group->move[group->named - 1] == added->move;
    if (added->move != MOVE_NONE && !is_named && group->named < ACTS_NAMED)
        group->move[group->named++] = added->move;
}

double recording_saved(const RecordingTotals *totals, TechniqueId technique) {
    double saved = -(double)totals->tried[technique];
    double worth = 1; /* of a search of that depth; where none was seen, of the next lower depth */
    for (int depth = 0; depth < MAX_PLY; depth++) {
        if (totals->searched[depth] > 0)
            worth = (double)totals->searched_nodes[depth] / (double)totals->searched[depth];
        saved += worth * (double)totals->spared[technique][depth];
    }
    return saved;
}
