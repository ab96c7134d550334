#include "search/replay.h"

#include "base/memory.h"

#include <string.h>

enum { RESULTS = 1 << 16, LINES = 1 << 10 };

/* What a node returned to a slice. */
typedef struct Result {
    uint64_t key; /* of the position, of the ply and of the excluded move */
    uint32_t slice;
    int16_t score;
    int16_t alpha;
    int32_t depth;
} Result;

typedef struct PvResult {
    Result result;
    int length;
    Move line[MAX_PLY + 1];
} PvResult;

/* Results of slices before `first` are those of other windows. */
struct Replay {
    uint32_t first, slice;
    int score; /* found last */
    Result results[RESULTS];
    PvResult lines[LINES];
};

Replay *replay_create(void) {
    Replay *replay = memory_allocate(sizeof *replay);
    if (replay != NULL) replay->first = replay->slice = 1;
    return replay;
}

void replay_destroy(Replay *replay) { memory_release(replay); }

void replay_begin_window(Replay *replay) { replay->first = ++replay->slice; }
void replay_begin_slice(Replay *replay) { replay->slice++; }

static uint64_t key_of(Worker *worker, int ply) {
    const uint64_t path = (uint64_t)ply << 16 | worker_frame(worker, ply)->excluded;
    return worker->pos.state.key ^ (path * 0x9E3779B97F4A7C15u);
}

/* Whether it was found in this window, and before this slice. */
static bool fits(const Replay *replay, const Result *result, uint64_t key, int depth) {
    return result->key == key && result->slice >= replay->first && result->slice < replay->slice &&
           result->depth >= depth - 1;
}

static bool may_replace(const Replay *replay, const Result *result, uint64_t key, int depth) {
    return result->slice < replay->first || result->key == key || result->depth <= depth;
}

bool replay_find(Worker *worker, int ply, int alpha, int beta, int depth, bool pv_node) {
    Replay *replay = worker->replay;
    const uint64_t key = key_of(worker, ply);
    const PvResult *pv = &replay->lines[key % LINES];
    const Result *result = pv_node ? &pv->result : &replay->results[key % RESULTS];
    if (!fits(replay, result, key, depth)) return false;
    replay->score = result->score;
    if (!pv_node) return (result->score > result->alpha) == (result->score > alpha);
    if (result->score <= alpha || result->score >= beta) return false;
    Frame *frame = worker_frame(worker, ply);
    frame->pv_length = pv->length;
    memcpy(frame->pv, pv->line, (size_t)pv->length * sizeof *pv->line);
    return true;
}

int replay_score(const Replay *replay) { return replay->score; }

void replay_keep(Worker *worker, int ply, int alpha, int beta, int depth, bool pv_node, int score) {
    Replay *replay = worker->replay;
    const uint64_t key = key_of(worker, ply);
    PvResult *pv = &replay->lines[key % LINES];
    Result *result = pv_node ? &pv->result : &replay->results[key % RESULTS];
    if (pv_node && (score <= alpha || score >= beta)) return;
    if (!may_replace(replay, result, key, depth)) return;
    *result = (Result){key, replay->slice, (int16_t)score, (int16_t)alpha, depth};
    if (!pv_node) return;
    const Frame *frame = worker_frame(worker, ply);
    pv->length = frame->pv_length;
    memcpy(pv->line, frame->pv, (size_t)frame->pv_length * sizeof *pv->line);
}
