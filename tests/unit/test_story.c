/* Reports about the search: a sentence for every act, and the history of a move. */
#include "record/story.h"

#include "chess/makemove.h"
#include "record/language.h"
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

static const Recording *record(Bed *bed, const Position *pos, int depth, Move move) {
    const SearchLimits limits = {.depth = depth, .multi_pv = 1};
    pool_clear(bed->pool);
    recorder_begin(bed->recorder, &(RecordingFilter){.root_move = move}, NULL);
    pool_trace(bed->pool, recorder_tracer(bed->recorder));
    pool_start(bed->pool, pos, &limits);
    pool_wait(bed->pool);
    pool_trace(bed->pool, NULL);
    return recorder_recording(bed->recorder);
}

static const char MIDDLEGAME[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10";

/* A sentence has '?' where its rule did not record the value of a placeholder. */
static void check_sentence(const Language *language, const Recording *recording, const ActGroup *group,
                           const Position *pos) {
    TextBuffer text = {0};
    const RecordedAct *act = &recording->act[group->act];
    Document document = {.out = &text, .language = language};
    const char *sentence = language_acts(&document, recording, group, pos);
    if (sentence[0] == '\0' || strpbrk(sentence, "?{}|_") != NULL || strstr(sentence, "319") != NULL ||
        strstr(sentence, "320") != NULL)
        fail_msg("%s %s: '%s'", technique_name((TechniqueId)act->technique), effect_name((Effect)act->effect),
                 sentence);
    buffer_release(&text);
}

/* Checks the first acts of each kind; `pos` is that of the visit. Returns the first visit that is not below.
 */
static int check_visit(const Recording *recording, int visit, Position *pos, int seen[ACT_COUNT]) {
    enum { ENOUGH = 100 };
    const Visit *at = &recording->visit[visit];
    for (int i = at->act; i < at->act_end; i++) {
        const RecordedAct *act = &recording->act[i];
        if (act->visit != visit || seen[act->id] >= ENOUGH) continue;
        ActGroup group = {.count = 0};
        recording_group_act(recording, &group, i);
        const Language *language;
        for (int row = 0; (language = language_row(row)) != NULL; row++)
            check_sentence(language, recording, &group, pos);
        seen[act->id]++;
    }
    for (int child = visit + 1; child < at->end;) {
        Undo undo;
        const Move move = recording->visit[child].move;
        if (move == MOVE_NULL)
            position_make_null(pos, &undo);
        else if (move != MOVE_NONE)
            position_make_move(pos, move, &undo);
        const int next = check_visit(recording, child, pos, seen);
        if (move == MOVE_NULL)
            position_unmake_null(pos, &undo);
        else if (move != MOVE_NONE)
            position_unmake_move(pos, move, &undo);
        child = next;
    }
    return at->end;
}

static void every_act_has_a_sentence_with_all_its_values(void **state) {
    static const struct {
        const char *fen;
        int depth;
    } SEARCHES[] = {{MIDDLEGAME, 11},
                    {"8/8/8/8/8/2k5/3q4/6K1 b - - 0 1", 6},
                    {"5k2/5P2/8/6K1/8/1p6/1P6/8 w - - 0 1", 1},
                    {"8/8/4k3/2r5/8/8/3B4/6K1 b - - 0 1", 2},
                    {"6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1", 8},
                    {"r1bqkbnr/1ppp1ppp/p1n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4", 6},
                    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11", 18}};
    int seen[ACT_COUNT] = {0};
    for (size_t i = 0; i < sizeof SEARCHES / sizeof SEARCHES[0]; i++) {
        Position pos = test_position(SEARCHES[i].fen);
        const Recording *recording = record(*state, &pos, SEARCHES[i].depth, MOVE_NONE);
        for (int visit = 0; visit < recording->visit_count;)
            visit = check_visit(recording, visit, &pos, seen);
    }
    for (int id = 0; id < ACT_COUNT; id++)
        if (seen[id] == 0) fail_msg("no search has shown '%s'", language_row(0)->sentences[id]);
}

/* NULL when the act has none. */
static const Operand *operand_of(const Recording *recording, const RecordedAct *act, OperandId id) {
    for (int i = act->operand; i < act->operand + act->count; i++)
        if (recording->operand[i].id == id) return &recording->operand[i];
    return NULL;
}

/* The ceiling of futility is its margin by depth and history above the static value. */
static void the_operands_are_what_the_rule_compared(void **state) {
    const Position pos = test_position(MIDDLEGAME);
    const Recording *recording = record(*state, &pos, 9, MOVE_NONE);
    int seen = 0;
    for (int i = 0; i < recording->act_count; i++) {
        const RecordedAct *act = &recording->act[i];
        if (act->id == ACT_futility_SKIPS) {
            assert_true(operand_of(recording, act, OPERAND_ceiling)->value <=
                        operand_of(recording, act, OPERAND_alpha)->value);
            seen++;
        } else if (act->id == ACT_reverse_futility_CUTS) {
            assert_true(operand_of(recording, act, OPERAND_lead)->value >=
                        operand_of(recording, act, OPERAND_margin)->value);
        } else if (act->id == ACT_late_move_reductions_REDUCES) {
            assert_true(operand_of(recording, act, OPERAND_reduced)->value <
                        operand_of(recording, act, OPERAND_depth)->value);
            assert_non_null(operand_of(recording, act, OPERAND_depth_and_number));
            assert_null(operand_of(recording, act, OPERAND_ceiling));
        }
    }
    assert_true(seen > 10);
}

static void the_history_of_a_move_is_reported(void **state) {
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
    story_write(&(Document){.out = &text, .width = 80, .language = language_row(0)}, &story, recording, &pos);
    assert_non_null(strstr(buffer_string(&text), "never searched"));
    buffer_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_act_has_a_sentence_with_all_its_values),
        cmocka_unit_test(the_operands_are_what_the_rule_compared),
        cmocka_unit_test(the_history_of_a_move_is_reported),
        cmocka_unit_test(a_move_that_was_cut_off_has_no_history),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
