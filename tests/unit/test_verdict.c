#include "engine/verdict.h"

#include "engine/chances.h"
#include "search/score.h"
#include "test_support.h"

#include <math.h>

/* An assessment: an expected score, or a mate. */
typedef struct Said {
    double expected;
    int is_mate, mate;
} Said;
#define SCORE(x) \
    { (x), 0, 0 }
#define MATES(n) \
    { 1, 1, (n) }
#define MATED(n) \
    { 0, 1, -(n) }

typedef struct Case {
    Said before, after; /* each of its side to move */
    double second;      /* below 0: not known */
    const char *flags;  /* b: best, o: obvious, h: hidden */
    VerdictKind kind;
    double loss;
    bool allows_mate, misses_mate;
} Case;

static Assessment assessment(const Said *said) {
    return (Assessment){.expected = said->expected, .is_mate = said->is_mate != 0, .mate = said->mate};
}

static void assert_cases(const Case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const Case *c = &cases[i];
        const MoveFacts facts = {.before = assessment(&c->before),
                                 .after = assessment(&c->after),
                                 .has_second = c->second >= 0,
                                 .second = c->second,
                                 .is_best = strchr(c->flags, 'b') != NULL,
                                 .is_obvious = strchr(c->flags, 'o') != NULL,
                                 .is_hidden = strchr(c->flags, 'h') != NULL};
        const Verdict verdict = verdict_of(&facts);
        if (verdict.kind != c->kind || fabs(verdict.loss - c->loss) > 1e-9 ||
            verdict.allows_mate != c->allows_mate || verdict.misses_mate != c->misses_mate)
            fail_msg("case %zu: %s, loss %f%s%s", i, verdict_name(verdict.kind), verdict.loss,
                     verdict.allows_mate ? ", allows mate" : "", verdict.misses_mate ? ", misses mate" : "");
    }
}

static void faults_follow_the_loss_of_expected_score(void **state) {
    (void)state;
    static const Case CASES[] = {
        {SCORE(0.5), SCORE(0.5), -1, "", VERDICT_NONE, 0, false, false},
        {SCORE(0.5), SCORE(0.54), -1, "", VERDICT_NONE, 0.04, false, false},
        {SCORE(0.5), SCORE(0.5625), -1, "", VERDICT_INACCURACY, 0.0625, false, false},
        {SCORE(0.5), SCORE(0.625), -1, "", VERDICT_MISTAKE, 0.125, false, false},
        {SCORE(0.5), SCORE(0.75), -1, "", VERDICT_BLUNDER, 0.25, false, false},
        {SCORE(0.125), SCORE(1), -1, "", VERDICT_MISTAKE, 0.125, false, false},
        {SCORE(0.02), SCORE(1), -1, "", VERDICT_NONE, 0.02, false, false},
        /* The search after the move may score it higher. The best move is never a mistake. */
        {SCORE(0.5), SCORE(0.25), -1, "", VERDICT_NONE, 0, false, false},
        {SCORE(0.5), SCORE(1), -1, "b", VERDICT_NONE, 0, false, false},
    };
    assert_cases(CASES, sizeof CASES / sizeof CASES[0]);
}

static void mates_have_rules_of_their_own(void **state) {
    (void)state;
    static const Case CASES[] = {
        /* Allowing a short one is a blunder, but in a lost game an inaccuracy. */
        {SCORE(0.5), MATES(1), -1, "", VERDICT_BLUNDER, 0.5, true, false},
        {SCORE(0.0625), MATES(5), -1, "", VERDICT_BLUNDER, 0.0625, true, false},
        {SCORE(0.015625), MATES(5), -1, "", VERDICT_INACCURACY, 0.015625, true, false},
        {MATES(2), MATES(3), -1, "", VERDICT_BLUNDER, 1, true, true},
        /* A long one counts by its loss. */
        {SCORE(0.015625), MATES(6), -1, "", VERDICT_NONE, 0.015625, false, false},
        {SCORE(0.125), MATES(6), -1, "", VERDICT_MISTAKE, 0.125, false, false},
        /* The mate was already forced: its distance does not matter. */
        {MATED(9), MATES(1), -1, "", VERDICT_NONE, 0, false, false},
        /* A delayed mate is still a mate, and so is checkmate. */
        {MATES(2), MATED(9), -1, "", VERDICT_NONE, 0, false, false},
        {MATES(1), MATED(0), -1, "", VERDICT_NONE, 0, false, false},
        {SCORE(0.75), MATED(0), -1, "", VERDICT_NONE, 0, false, false},
        /* Missing one is the same: a blunder, but where the game stays won an inaccuracy. */
        {MATES(5), SCORE(0), -1, "", VERDICT_INACCURACY, 0, false, true},
        {MATES(6), SCORE(0), -1, "", VERDICT_NONE, 0, false, false},
        {MATES(1), SCORE(0.0625), -1, "", VERDICT_BLUNDER, 0.0625, false, true},
        {MATES(6), SCORE(0.125), -1, "", VERDICT_MISTAKE, 0.125, false, false},
        {MATES(30), SCORE(0.5), -1, "", VERDICT_BLUNDER, 0.5, false, false},
    };
    assert_cases(CASES, sizeof CASES / sizeof CASES[0]);
}

static void a_good_move_needs_worse_alternatives(void **state) {
    (void)state;
    static const Case CASES[] = {
        {SCORE(0.5), SCORE(0.5), 0.25, "b", VERDICT_ONLY_MOVE, 0, false, false},
        {SCORE(0.5), SCORE(0.5), 0.25, "bh", VERDICT_GOOD_MOVE, 0, false, false},
        {SCORE(0.5), SCORE(0.5), 0.375, "bh", VERDICT_GOOD_MOVE, 0, false, false},
        {SCORE(0.5), SCORE(0.5), 0.375, "b", VERDICT_NONE, 0, false, false},
        {SCORE(0.5), SCORE(0.5), 0.4375, "bh", VERDICT_NONE, 0, false, false},
        {SCORE(0.5), SCORE(0.5), 0.25, "bo", VERDICT_NONE, 0, false, false},
        {SCORE(0.5), SCORE(0.5), 0.25, "boh", VERDICT_NONE, 0, false, false},
        {SCORE(0.5), SCORE(0.5), -1, "bh", VERDICT_NONE, 0, false, false},
        {SCORE(0.5), SCORE(0.5), 0.25, "h", VERDICT_NONE, 0, false, false},
        {MATES(3), MATED(2), 0.5, "bh", VERDICT_GOOD_MOVE, 0, false, false},
    };
    assert_cases(CASES, sizeof CASES / sizeof CASES[0]);
}

static void scores_are_assessed_by_the_model_of_chances(void **state) {
    (void)state;
    const Position pos = test_position(FEN_START);
    for (int score = -1000; score <= 1000; score += 50) {
        const Chances chances = chances_of_search(&pos, score);
        const Assessment found = verdict_assess(&pos, score);
        assert_true(fabs(found.expected - (chances.win + chances.draw / 2)) < 1e-12);
        assert_false(found.is_mate);
    }
    const Assessment mates = verdict_assess(&pos, score_mate_in(5)),
                     mated = verdict_assess(&pos, score_mated_in(4)),
                     over = verdict_assess(&pos, score_mated_in(0)),
                     tablebase = verdict_assess(&pos, SCORE_TABLEBASE - 7);
    assert_true(mates.is_mate && mates.mate == 3 && mates.expected == 1);
    assert_true(mated.is_mate && mated.mate == -2 && mated.expected == 0);
    assert_true(over.is_mate && over.mate == 0 && over.expected == 0);
    assert_true(!tablebase.is_mate && tablebase.expected == 1);
}

/* Points on the curve of lichess.org/page/accuracy. */
static void accuracy_follows_the_published_curve(void **state) {
    (void)state;
    static const struct {
        double loss, accuracy;
    } CASES[] = {{0, 100}, {0.05, 79.82}, {0.10, 63.58}, {0.20, 40.02}, {0.50, 8.53}, {1, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        assert_true(fabs(verdict_move_accuracy(CASES[i].loss) - CASES[i].accuracy) < 0.01);
}

static void one_blunder_is_not_lost_among_many_moves(void **state) {
    (void)state;
    double losses[20] = {0};
    assert_true(verdict_accuracy(losses, 0) == 100);
    assert_true(fabs(verdict_accuracy(losses, 20) - 100) < 0.001);
    losses[7] = 0.2;
    /* The mean is 97.0, the harmonic mean 93.0. */
    assert_true(fabs(verdict_accuracy(losses, 20) - 95.0) < 0.1);
    losses[7] = 1;
    assert_true(verdict_accuracy(losses, 20) > 50 && verdict_accuracy(losses, 20) < 60);
    assert_true(verdict_accuracy(losses + 7, 1) >= 0);
}

static void every_verdict_has_a_name_and_a_nag(void **state) {
    (void)state;
    const int nags[VERDICT_KINDS] = {0, 6, 2, 4, 7, 1};
    for (int kind = 0; kind < VERDICT_KINDS; kind++) {
        assert_int_equal(verdict_nag((VerdictKind)kind), nags[kind]);
        assert_int_equal(verdict_name((VerdictKind)kind)[0] == '\0', kind == VERDICT_NONE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_follow_the_loss_of_expected_score),
        cmocka_unit_test(mates_have_rules_of_their_own),
        cmocka_unit_test(a_good_move_needs_worse_alternatives),
        cmocka_unit_test(scores_are_assessed_by_the_model_of_chances),
        cmocka_unit_test(accuracy_follows_the_published_curve),
        cmocka_unit_test(one_blunder_is_not_lost_among_many_moves),
        cmocka_unit_test(every_verdict_has_a_name_and_a_nag),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
