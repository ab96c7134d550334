#include "search/replay.h"

#include "base/memory.h"

#include <string.h>

enum { ENTRIES = 1 << 16, LINES = 1 << 10 };

typedef struct Answer {
    uint64_t key;
    uint32_t slice; /* in which it was given */
    int16_t score;
    int16_t alpha;
    int32_t depth;
} Answer;

typedef struct Line {
    Answer answer;
    int length;
    Move moves[MAX_PLY + 1];
} Line;

/* Answers of slices before `first` are those of other windows. */
struct Replay {
    uint32_t first, slice;
    Answer answers[ENTRIES];
    Line lines[LINES];
};

Replay *replay_create(void) {
    Replay *replay = memory_allocate(sizeof *replay);
    if (replay != NULL) replay->first = replay->slice = 1;
    return replay;
}

void replay_destroy(Replay *replay) { memory_release(replay); }

void replay_begin_window(Replay *replay) { replay->first = ++replay->slice; }
void replay_begin_slice(Replay *replay) { replay->slice++; }

ReplayQuestion replay_question(const Position *pos, int ply, Move excluded, int alpha, int depth) {
    const uint64_t way = (uint64_t)ply << 16 | excluded;
    return (ReplayQuestion){pos->state.key ^ (way * 0x9E3779B97F4A7C15u), alpha, depth};
}

/* Whether it was given in this window, and before this slice. */
static bool answers(const Replay *replay, const Answer *answer, const ReplayQuestion *question) {
    return answer->key == question->key && answer->slice >= replay->first && answer->slice < replay->slice &&
           answer->depth >= question->depth - 1;
}

static bool may_replace(const Replay *replay, const Answer *answer, const ReplayQuestion *question) {
    return answer->slice < replay->first || answer->key == question->key || answer->depth <= question->depth;
}

static Answer make_answer(const Replay *replay, const ReplayQuestion *question, int score) {
    return (Answer){question->key, replay->slice, (int16_t)score, (int16_t)question->alpha, question->depth};
}

bool replay_knows(const Replay *replay, const ReplayQuestion *question, int *score) {
    const Answer *answer = &replay->answers[question->key % ENTRIES];
    if (!answers(replay, answer, question)) return false;
    *score = answer->score;
    return answer->score > answer->alpha ? answer->score > question->alpha : answer->score <= question->alpha;
}

void replay_note(Replay *replay, const ReplayQuestion *question, int score) {
    Answer *answer = &replay->answers[question->key % ENTRIES];
    if (may_replace(replay, answer, question)) *answer = make_answer(replay, question, score);
}

bool replay_knows_line(const Replay *replay, const ReplayQuestion *question, int beta, int *score, Move *line,
                       int *length) {
    const Line *known = &replay->lines[question->key % LINES];
    if (!answers(replay, &known->answer, question)) return false;
    if (known->answer.score <= question->alpha || known->answer.score >= beta) return false;
    *score = known->answer.score;
    *length = known->length;
    memcpy(line, known->moves, (size_t)known->length * sizeof *line);
    return true;
}

void replay_note_line(Replay *replay, const ReplayQuestion *question, int score, const Move *line,
                      int length) {
    Line *known = &replay->lines[question->key % LINES];
    if (!may_replace(replay, &known->answer, question)) return;
    known->answer = make_answer(replay, question, score);
    known->length = length;
    memcpy(known->moves, line, (size_t)length * sizeof *line);
}
