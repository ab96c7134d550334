/* The traced search: it is the engine's own, every technique can be seen in it, and its recording is whole.
 */
#include "record/recording.h"

#include "engine/bench.h"
#include "search/pool.h"
#include "test_support.h"

#include <stdlib.h>

typedef struct Bed {
    SearchPool *pool;
    Recorder *recorder;
    SearchInfo info;
} Bed;

static void note(void *context, const SearchInfo *info) { ((Bed *)context)->info = *info; }

static int create(void **state) {
    static Bed bed;
    Status status;
    test_set_up_chess(state);
    const SearchListener listener = {.context = &bed, .info = note};
    bed.pool = pool_create(&listener, 16, NULL, &status);
    bed.recorder = recorder_create(RECORDING_BYTES_MAX);
    *state = &bed;
    return bed.pool == NULL || bed.recorder == NULL;
}

static int destroy(void **state) {
    Bed *bed = *state;
    pool_destroy(bed->pool);
    recorder_destroy(bed->recorder);
    return 0;
}

/* Nodes of one search; `traced` or as it is. */
static uint64_t search(Bed *bed, const Position *pos, int depth, uint64_t nodes, bool traced) {
    const SearchLimits limits = {.depth = depth, .nodes = nodes, .multi_pv = 1};
    bed->info.nodes = 0;
    pool_trace(bed->pool, traced ? recorder_tracer(bed->recorder) : NULL);
    pool_start(bed->pool, pos, &limits);
    pool_wait(bed->pool);
    pool_trace(bed->pool, NULL);
    return bed->info.nodes;
}

static void the_traced_search_is_the_engine_s_own(void **state) {
    Bed *bed = *state;
    const char *full = getenv("LUFT_TEST_FULL");
    const int depth = full != NULL && full[0] == '1' ? BENCH_DEPTH : 8;
    const int positions = test_share(BENCH_POSITIONS);
    uint64_t nodes[2][BENCH_POSITIONS], total = 0;
    for (int traced = 0; traced < 2; traced++) {
        pool_clear(bed->pool);
        for (int i = 0; i < positions; i++) {
            Position pos;
            assert_ok(bench_set_up(&pos, i));
            recorder_begin(bed->recorder, &(RecordingFilter){.plies = 1}, NULL);
            nodes[traced][i] = search(bed, &pos, depth, 0, traced);
            total += traced ? nodes[traced][i] : 0;
        }
    }
    for (int i = 0; i < positions; i++) assert_int_equal(nodes[0][i], nodes[1][i]);
    if (positions < BENCH_POSITIONS) return; /* the bench has no fewer */
    BenchResult bench = {0};
    assert_ok(bench_run(depth, &(BenchWatcher){0}, &bench));
    assert_int_equal(total, bench.nodes);
}

static void a_search_in_slices_is_traced_too(void **state) {
    Bed *bed = *state;
    const Position pos =
        test_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10");
    int visits[2];
    for (int in_slices = 0; in_slices < 2; in_slices++) {
        pool_clear(bed->pool);
        recorder_begin(bed->recorder, &(RecordingFilter){0}, NULL);
        pool_trace(bed->pool, recorder_tracer(bed->recorder));
        pool_start(bed->pool, &pos, &(SearchLimits){.depth = 7, .multi_pv = 1, .in_slices = in_slices});
        pool_wait(bed->pool);
        pool_trace(bed->pool, NULL);
        visits[in_slices] = recorder_recording(bed->recorder)->visit_count;
    }
    assert_true(visits[0] > 1000);
    assert_int_equal(visits[0], visits[1]);
}

static int last_root(const Recording *recording) {
    int root = 0;
    for (int v = 0; v < recording->visit_count; v = recording->visit[v].end) root = v;
    return root;
}

static void the_last_search_of_the_root_can_be_kept_alone(void **state) {
    Bed *bed = *state;
    const Position pos =
        test_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10");
    Recording recordings[2];
    for (int latest = 0; latest < 2; latest++) {
        pool_clear(bed->pool);
        recorder_begin(bed->recorder, &(RecordingFilter){.latest = latest}, NULL);
        search(bed, &pos, 9, 0, true);
        recordings[latest] = recorder_take(bed->recorder);
    }
    const Recording *all = &recordings[0], *kept = &recordings[1];
    const int first = last_root(all), second = last_root(kept);
    assert_true(kept->visit_count < all->visit_count);
    assert_int_equal(all->visit_count - first, kept->visit_count - second);
    for (int i = second; i < kept->visit_count; i++) {
        const Visit *a = &all->visit[i - second + first], *b = &kept->visit[i];
        assert_true(a->move == b->move && a->score == b->score && a->nodes == b->nodes);
        assert_int_equal(a->end - first, b->end - second);
        assert_int_equal(a->act_end - a->act, b->act_end - b->act);
        if (i > second) assert_int_equal(a->parent - first, b->parent - second);
    }
    const int acts = all->act_count - kept->act_count;
    for (int i = kept->visit[second].act; i < kept->act_count; i++) {
        const RecordedAct *a = &all->act[i + acts], *b = &kept->act[i];
        assert_true(a->technique == b->technique && a->visit - first == b->visit - second);
        assert_int_equal(a->count, b->count);
        for (int n = 0; n < a->count; n++)
            assert_int_equal(all->operand[a->operand + n].value, kept->operand[b->operand + n].value);
    }
    for (int i = 0; i < 2; i++) recording_release(&recordings[i]);
}

static void each_technique_can_be_seen_acting(void **state) {
    Bed *bed = *state;
    static const struct {
        const char *fen;
        int depth;
    } searches[] = {{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10", 10},
                    {"8/8/8/8/8/2k5/3q4/6K1 b - - 0 1", 6},
                    {"5k2/5P2/8/6K1/8/1p6/1P6/8 w - - 0 1", 1},
                    {"8/8/4k3/2r5/8/8/3B4/6K1 b - - 0 1", 2},
                    {"6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1", 8},
                    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11", 18}};
    uint64_t acted[TECHNIQUE_COUNT] = {0};
    for (size_t i = 0; i < sizeof searches / sizeof searches[0]; i++) {
        const Position pos = test_position(searches[i].fen);
        pool_clear(bed->pool);
        recorder_begin(bed->recorder, &(RecordingFilter){.plies = 1}, NULL);
        search(bed, &pos, searches[i].depth, 0, true);
        const RecordingTotals *totals = &recorder_recording(bed->recorder)->totals;
        for (int id = 0; id < TECHNIQUE_COUNT; id++)
            for (int effect = 0; effect < EFFECT_COUNT; effect++) acted[id] += totals->acted[id][effect];
    }
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    assert_int_equal(count, TECHNIQUE_COUNT);
    for (int id = 0; id < count; id++) {
        const bool of_time = text_starts_with(text_view(rows[id].name), "time_");
        if ((acted[id] > 0) == of_time) fail_msg("%s acted %d times", rows[id].name, (int)acted[id]);
    }
}

static void a_technique_that_is_off_does_nothing(void **state) {
    Bed *bed = *state;
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    const Position pos =
        test_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10");
    for (int id = 0; id < count; id++) {
        pool_clear(bed->pool);
        recorder_begin(bed->recorder, &(RecordingFilter){.plies = 1},
                       &(SearchChanges){.off = technique_bit((TechniqueId)id)});
        search(bed, &pos, 7, 0, true);
        const RecordingTotals *totals = &recorder_recording(bed->recorder)->totals;
        for (int effect = 0; effect < EFFECT_COUNT; effect++)
            if (totals->acted[id][effect] > 0 && id != TECHNIQUE_killer_moves)
                fail_msg("%s acts though it is off", rows[id].name);
        assert_true(totals->nodes > 0);
        assert_true(totals->failed_high_first > 0 && totals->failed_high_first < totals->failed_high);
        assert_true(totals->failed_high < totals->visits);
    }
}

/* Nodes of a traced search with one number changed. */
static uint64_t nodes_with(Bed *bed, const Position *pos, int row, int value) {
    pool_clear(bed->pool);
    recorder_begin(bed->recorder, &(RecordingFilter){.plies = 1},
                   &(SearchChanges){.count = 1, .number = {{row, value}}});
    search(bed, pos, 8, 0, true);
    return recorder_recording(bed->recorder)->totals.nodes;
}

/* The numbers of the search are read at run time: most of them, moved to one of their bounds, change this
 * small tree. Some need more depth. */
static void a_number_that_is_set_changes_the_search(void **state) {
    Bed *bed = *state;
    const Position pos =
        test_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10");
    int count, changing = 0;
    const ParamRow *rows = params_rows(&count);
    const uint64_t base = nodes_with(bed, &pos, 0, rows[0].initial);
    const int step = count / test_share(count); /* every tenth where the processor is emulated */
    for (int row = 0; row < count; row += step) {
        const bool of_time = text_starts_with(text_view(rows[row].name), "time_");
        const bool changes = nodes_with(bed, &pos, row, rows[row].high) != base ||
                             nodes_with(bed, &pos, row, rows[row].low) != base;
        if (of_time && changes) fail_msg("%s changes a search without a clock", rows[row].name);
        changing += changes;
    }
    assert_true(step > 1 ? changing > 0 : 3 * changing > 2 * count);
}

static void fifty_thousand_nodes_are_recorded_whole(void **state) {
    Bed *bed = *state;
    for (int i = 0; i < test_share(20); i += 3) {
        Position pos;
        assert_ok(bench_set_up(&pos, i));
        pool_clear(bed->pool);
        recorder_begin(bed->recorder, &(RecordingFilter){0}, NULL);
        search(bed, &pos, 0, 50000, true);
        const Recording *recording = recorder_recording(bed->recorder);
        assert_int_equal(recording->dropped, 0);
        assert_true(recording->visit_count > 20000);
        const size_t bytes = (size_t)recording->visit_count * sizeof(Visit) +
                             (size_t)recording->act_count * sizeof(RecordedAct) +
                             (size_t)recording->operand_count * sizeof(Operand);
        assert_true(bytes <= RECORDING_BYTES_MAX);
        for (int v = 0; v < recording->visit_count; v++) {
            const Visit *visit = &recording->visit[v];
            assert_true(visit->parent < v && visit->end > v && visit->end <= recording->visit_count);
            assert_true(visit->act <= visit->act_end && visit->act_end <= recording->act_count);
            if (visit->parent == VISIT_NONE) assert_int_equal(visit->ply, 0);
            if (visit->parent != VISIT_NONE) assert_true(visit->end <= recording->visit[visit->parent].end);
        }
    }
}

static void what_finds_no_room_is_counted(void **state) {
    Bed *bed = *state;
    Recorder *small = recorder_create(1 << 16);
    const Position pos = test_position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    const SearchLimits limits = {.nodes = 20000, .multi_pv = 1};
    pool_clear(bed->pool);
    pool_trace(bed->pool, recorder_tracer(small));
    pool_start(bed->pool, &pos, &limits);
    pool_wait(bed->pool);
    pool_trace(bed->pool, NULL);
    const Recording *recording = recorder_recording(small);
    assert_true(recording->dropped > 1000);
    assert_true((size_t)recording->visit_count * sizeof(Visit) +
                    (size_t)recording->act_count * sizeof(RecordedAct) <=
                1 << 16);
    recorder_destroy(small);
}

static void a_filter_keeps_one_move_and_some_plies(void **state) {
    Bed *bed = *state;
    const Position pos = test_position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    const Move bc4 = move_make(F1, C4);
    pool_clear(bed->pool);
    recorder_begin(bed->recorder, &(RecordingFilter){.root_move = bc4, .plies = 3}, NULL);
    search(bed, &pos, 11, 0, true);
    const Recording *recording = recorder_recording(bed->recorder);
    int at_ply[4] = {0}, same = 0;
    for (int v = 0; v < recording->visit_count; v++) {
        assert_true(recording->visit[v].ply <= 3);
        at_ply[recording->visit[v].ply]++;
        const Visit *visit = &recording->visit[v];
        if (visit->ply != 1) continue;
        const bool is_same_node =
            recording->visit[visit->parent].ply == 1; /* searched once more for a rule */
        assert_int_equal(visit->move, is_same_node ? MOVE_NONE : bc4);
        same += is_same_node;
    }
    assert_true(at_ply[0] >= 8 && at_ply[1] >= 8 && at_ply[2] >= 8 && at_ply[3] > 8);
    assert_true(same > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_traced_search_is_the_engine_s_own),
        cmocka_unit_test(a_search_in_slices_is_traced_too),
        cmocka_unit_test(the_last_search_of_the_root_can_be_kept_alone),
        cmocka_unit_test(each_technique_can_be_seen_acting),
        cmocka_unit_test(a_technique_that_is_off_does_nothing),
        cmocka_unit_test(a_number_that_is_set_changes_the_search),
        cmocka_unit_test(fifty_thousand_nodes_are_recorded_whole),
        cmocka_unit_test(what_finds_no_room_is_counted),
        cmocka_unit_test(a_filter_keeps_one_move_and_some_plies),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
