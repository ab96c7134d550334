/* What is told of the search: sentences made of the rules' own text and numbers, and the history of a move.
 */
#include "explain/story.h"

#include "explain/rules.h"
#include "search/pool.h"
#include "test_support.h"

#include <string.h>

typedef struct Bed {
    SearchPool *pool;
    Recorder *recorder;
} Bed;

static int create(void **state) {
    static Bed bed;
    Status status;
    test_set_up_chess(state);
    bed.pool = pool_create(&(SearchListener){0}, 4, NULL, &status);
    bed.recorder = recorder_create(RECORD_BYTES_MAX);
    *state = &bed;
    return bed.pool == NULL || bed.recorder == NULL;
}

static int destroy(void **state) {
    Bed *bed = *state;
    pool_destroy(bed->pool);
    recorder_destroy(bed->recorder);
    return 0;
}

static const Recording *record(Bed *bed, const Position *pos, int depth, Move move) {
    const SearchLimits limits = {.depth = depth, .multi_pv = 1};
    pool_clear(bed->pool);
    recorder_begin(bed->recorder, &(RecordFilter){.root_move = move}, 0);
    pool_trace(bed->pool, recorder_tracer(bed->recorder));
    pool_start(bed->pool, pos, &limits);
    pool_wait(bed->pool);
    pool_trace(bed->pool, NULL);
    return recorder_recording(bed->recorder);
}

static const char MIDDLEGAME[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10";

static void every_act_has_a_sentence_in_plain_words(void **state) {
    const Position pos = test_position(MIDDLEGAME);
    const Recording *recording = record(*state, &pos, 9, MOVE_NONE);
    int told[TECHNIQUE_COUNT] = {0};
    for (int i = 0; i < recording->act_count; i++) {
        const RecordedAct *act = &recording->act[i];
        if (told[act->technique]++ > 200) continue;
        TextBuffer text = {0};
        rules_append_numbers(&text, recording, act);
        const char *sentence = buffer_string(&text);
        if (text.length == 0 || strpbrk(sentence, "_<>&|*?") != NULL || strstr(sentence, "params") != NULL)
            fail_msg("%s: '%s'", technique_name((TechniqueId)act->technique), sentence);
        buffer_release(&text);
    }
    assert_true(told[TECHNIQUE_futility] > 0 && told[TECHNIQUE_late_move_reductions] > 0);
}

/* The numbers that are told give the result that the rule acted upon. */
static void the_numbers_of_futility_add_up(void **state) {
    const Position pos = test_position(MIDDLEGAME);
    const Recording *recording = record(*state, &pos, 9, MOVE_NONE);
    int seen = 0;
    for (int i = 0; i < recording->act_count; i++) {
        const RecordedAct *act = &recording->act[i];
        int ceiling = 0, alpha = 0;
        if (act->technique != TECHNIQUE_futility) continue;
        assert_true(recording_number(recording, act, "ceiling", &ceiling));
        assert_true(recording_number(recording, act, "alpha", &alpha));
        assert_int_equal(act->sum_count, 3);
        const int *sum = &recording->number[act->first_number + act->count];
        assert_int_equal(ceiling, sum[0] + params.futility_base + params.futility_margin * sum[1] +
                                      sum[2] / params.futility_history);
        assert_true(ceiling <= alpha);
        TextBuffer text = {0}, expected = {0};
        rules_append_numbers(&text, recording, act);
        buffer_append_format(
            &expected, "(static value %d + %d + %d x %d + history %d / %d) is not above alpha %d", sum[0],
            params.futility_base, params.futility_margin, sum[1], sum[2], params.futility_history, alpha);
        assert_string_equal(buffer_string(&text), buffer_string(&expected));
        buffer_release(&text);
        buffer_release(&expected);
        seen++;
    }
    assert_true(seen > 10);
}

static void the_history_of_a_move_is_told(void **state) {
    const Position pos = test_position("2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17");
    const Move blunder = move_make(D2, D4);
    const Recording *recording = record(*state, &pos, 10, blunder);
    Story story;
    story_read(recording, &pos, blunder, &story);
    assert_int_equal(story.root_moves, 37);
    assert_in_range(story.row_count, 8, 10);
    for (int i = 0; i < story.row_count; i++) {
        const StoryRow *row = &story.row[i];
        if (i > 0) assert_true(row->iteration > story.row[i - 1].iteration);
        assert_in_range(row->place, 1, 37);
        assert_true(row->nodes >= 1 && row->searches >= 1 && row->depth <= row->deepest);
        assert_true(row->depth >= 1);
    }
    const StoryRow *last = &story.row[story.row_count - 1];
    assert_true(last->bound == BOUND_UPPER && last->score < -SCORE_UNITS_PER_PAWN);
    assert_true(story.node_count >= 2);
    assert_int_equal(story.node[0].best, blunder);
    assert_int_equal(story.node[1].best, move_make(E5, F3));
}

static void a_move_that_was_cut_off_has_no_history(void **state) {
    const Position pos = test_position("7k/5K2/6R1/8/8/8/8/8 w - - 0 1");
    const Recording *recording = record(*state, &pos, 1, MOVE_NULL);
    Story story;
    TextBuffer text = {0};
    story_read(recording, &pos, move_make(G6, A6), &story);
    assert_int_equal(story.row_count, 0);
    story_append(&text, &story, recording, &pos, 80);
    assert_non_null(strstr(buffer_string(&text), "never searched"));
    buffer_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_act_has_a_sentence_in_plain_words),
        cmocka_unit_test(the_numbers_of_futility_add_up),
        cmocka_unit_test(the_history_of_a_move_is_told),
        cmocka_unit_test(a_move_that_was_cut_off_has_no_history),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
