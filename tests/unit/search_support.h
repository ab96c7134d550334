/* Shared by the tests of the search: a worker with its own table, and the lines that it reports. */
#ifndef LUFT_UNIT_SEARCH_SUPPORT_H
#define LUFT_UNIT_SEARCH_SUPPORT_H
#include "base/clock.h"
#include "base/memory.h"
#include "chess/game.h"
#include "engine/bench.h"
#include "search/iterate.h"
#include "test_support.h"

/* The lines of one search, the newest last. */
enum { LINES_KEPT = 4096 };
typedef struct Lines {
    int count;
    SearchInfo line[LINES_KEPT];
} Lines;

typedef struct Bed {
    Shared shared;
    Worker *worker;
    Lines lines;
} Bed;

static inline void bed_note_line(void *context, const SearchInfo *info) {
    Lines *lines = context;
    if (lines->count < LINES_KEPT) lines->line[lines->count++] = *info;
}

/* For cmocka_run_group_tests, as setup and teardown. */
static inline int bed_create(void **state) {
    test_set_up_chess(state);
    Bed *bed = memory_allocate_aligned(sizeof *bed, 64);
    *state = bed;
    if (bed == NULL) return 1;
    bed->worker = worker_create(&bed->shared, NULL);
    bed->shared.listener = (SearchListener){.context = &bed->lines, .info = bed_note_line};
    Status status = tt_resize(&bed->shared.table, 4);
    return bed->worker == NULL || !status_is_ok(&status);
}

static inline int bed_destroy(void **state) {
    Bed *bed = *state;
    worker_destroy(bed->worker);
    tt_release(&bed->shared.table);
    memory_release_aligned(bed);
    return 0;
}

/* Resets table and histories, as ucinewgame does. */
static inline void bed_clear(Bed *bed) {
    tt_clear(&bed->shared.table, 0, 1);
    worker_clear(bed->worker);
    bed->lines.count = 0;
}

/* Runs a search and records its lines only. */
static inline const RootMove *bed_search(Bed *bed, const Position *pos, SearchLimits limits) {
    bed->lines.count = 0;
    limits.start = clock_microseconds();
    if (limits.multi_pv == 0) limits.multi_pv = 1;
    return iterate_once(bed->worker, pos, &limits);
}

/* Sets the worker's root without searching. */
static inline void bed_prepare(Bed *bed, const Position *pos, const SearchLimits *limits) {
    bed->shared.limits = *limits;
    bed->shared.time = timeman_plan(limits, pos->side);
    atomic_store(&bed->shared.stop, false);
    atomic_store(&bed->shared.pondering, false);
    worker_prepare(bed->worker, pos);
}

/* A position of the bench, from 0. */
static inline Position bed_bench_position(int index) {
    Position pos;
    assert_ok(bench_set_up(&pos, index));
    return pos;
}

/* Plays a line: every move must be legal, and none may follow the end of the game. */
static inline Position bed_play_line(const Position *root, const Move *pv, int length) {
    Position pos = *root;
    for (int i = 0; i < length; i++) {
        Undo undo;
        if (i > 0 && game_end(&pos) != GAME_GOES_ON) fail_msg("move %d of a line follows the end", i + 1);
        if (!movegen_is_legal(&pos, pv[i])) fail_msg("move %d of a line is illegal", i + 1);
        position_make_move(&pos, pv[i], &undo);
    }
    return pos;
}

#endif
