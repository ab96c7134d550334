/* Random games with scores, from all kinds of starts, for the tests of lab/data, lab/selfplay and lab/train.
 */
#ifndef LUFT_UNIT_RECORD_SUPPORT_H
#define LUFT_UNIT_RECORD_SUPPORT_H
#include "base/memory.h"
#include "chess/game.h"
#include "lab/data/record.h"
#include "search/score.h"
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A path in the folder for temporary files, unique to this process. */
static inline void record_path(const char *name, char out[256]) {
    const char *folder = getenv("TMPDIR");
    snprintf(out, 256, "%s/luft-test-%ld-%s", folder != NULL ? folder : "/tmp", (long)getpid(), name);
}

static inline int record_random_score(Rng *rng, int last) {
    switch (rng_below(rng, 20)) {
    case 0: return RECORD_NO_SCORE;
    case 1: return rng_below(rng, 2) ? SCORE_MATE - 3 : -SCORE_MATE + 4;
    case 2: return (int)rng_below(rng, 60000) - 30000;
    default: return int_clamp(last + (int)rng_below(rng, 81) - 40, -3000, 3000);
    }
}

/* Makes a game; each number gives another one. */
static inline void record_random_game(uint64_t number, RecordedGame *game) {
    Rng rng = rng_stream(99, number);
    switch (number % 4) {
    case 1: recorded_start_chess960(game, (int)rng_below(&rng, 960), (int)rng_below(&rng, 960)); break;
    case 2: assert_ok(recorded_start_fen(game, text_view("4k3/P6P/8/2pP4/8/8/8/R3K2R w KQ c6 3 40"))); break;
    default: recorded_start_standard(game); break;
    }
    Position pos = game->start;
    int plies = (int)rng_below(&rng, 120), score = 0;
    for (int i = 0; i < plies; i++) {
        Move move = test_random_move(&pos, &rng);
        if (move == MOVE_NONE) break;
        int next = i < 8 ? RECORD_NO_SCORE : record_random_score(&rng, score);
        if (next != RECORD_NO_SCORE && !score_is_mate(next)) score = int_clamp(next, -3000, 3000);
        Undo undo;
        assert_true(recorded_add(game, move, next));
        position_make_move(&pos, move, &undo);
    }
    game->result = (GameResult)(BLACK_WINS + (int)rng_below(&rng, 3));
    game->end = recorded_end((EndKind)rng_below(&rng, END_KINDS), game->result, &pos);
}

static inline void record_assert_same(const RecordedGame *a, const RecordedGame *b) {
    assert_true(position_equals(&a->start, &b->start));
    assert_int_equal(a->start_white, b->start_white);
    assert_int_equal(a->start_black, b->start_black);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->ply_count, b->ply_count);
    for (int i = 0; i < a->ply_count; i++) {
        assert_int_equal(a->ply[i].move, b->ply[i].move);
        assert_int_equal(a->ply[i].score, b->ply[i].score);
    }
}

/* Writes the random games `first` to `last` - 1 to the file, as one block. */
static inline void record_write(const char *path, uint64_t first, uint64_t last, const RecordOrigin *origin) {
    static RecordedGame game;
    Status status;
    RecordWriter *writer = record_writer_open(path, NAME_GIVEN, NULL, &status);
    assert_ok(status);
    for (uint64_t i = first; i < last; i++) {
        record_random_game(i, &game);
        assert_ok(record_writer_add(writer, origin, &game));
    }
    assert_ok(record_writer_close(writer));
}

#endif
