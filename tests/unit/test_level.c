/* Levels: what an opponent of a given strength sees, thinks and takes its time for. */
#include "level/level.h"

#include "base/memory.h"
#include "search/movepick.h"
#include "test_support.h"
#include "walk.h"

enum { STEP = 50, SEEDS = 20 };
static const Move UNKNOWN[LEVEL_RECENT] = {MOVE_NONE, MOVE_NONE};

static Sight sight_at(const Level *level, const Position *pos, int ply) {
    return level_sight(level, pos, ply, MOVE_NONE, MOVE_NONE, 0);
}

static Move move_of(const Position *pos, const char *text) {
    Move move;
    assert_ok(lan_parse(pos, text_view(text), &move));
    return move;
}

static void test_a_stronger_level_is_weaker_in_nothing(void **state) {
    (void)state;
    const Position pos = test_position(FEN_START);
    Level weaker = level_at(LEVEL_ELO_MIN, 1, &pos, UNKNOWN);
    for (int elo = LEVEL_ELO_MIN + STEP; elo <= LEVEL_ELO_MAX; elo += STEP) {
        const Level level = level_at(elo, 1, &pos, UNKNOWN);
        assert_int_equal(level.elo, elo);
        assert_true(level.nodes > weaker.nodes);
        assert_true(level.root > weaker.root && level.own > weaker.own && level.reply > weaker.reply);
        assert_true(level.spread <= weaker.spread && level.noise <= weaker.noise);
        assert_true(level.slope > weaker.slope && level.lines <= weaker.lines && level.lines >= 1);
        weaker = level;
    }
}

static void test_strengths_outside_the_limits_are_held(void **state) {
    (void)state;
    const Position pos = test_position(FEN_START);
    assert_int_equal(level_at(-5, 1, &pos, UNKNOWN).elo, LEVEL_ELO_MIN);
    assert_int_equal(level_at(99999, 1, &pos, UNKNOWN).elo, LEVEL_ELO_MAX);
}

static void test_the_two_scales(void **state) {
    (void)state;
    assert_int_equal(level_human(600), 684);
    assert_int_equal(level_human(1500), 1184);
    for (int human = 700; human <= 2000; human += 100)
        assert_in_range(level_human(level_elo_of_human(human)), human - 1, human + 1);
    assert_int_equal(level_elo_of_human(level_human(LEVEL_ELO_MIN)), LEVEL_ELO_MIN);
    assert_int_equal(level_elo_of_human(level_human(LEVEL_ELO_MAX)), LEVEL_ELO_MAX);
    assert_true(level_elo_of_skill(LEVEL_SKILL_MAX - 1) <= LEVEL_ELO_MAX);
}

/* Calls `check` in positions of random games. */
static void walk(int games, void check(const Position *pos, Rng *rng)) {
    Rng rng = rng_seed(7);
    for (int game = 0; game < games; game++) {
        Position pos = walk_start(&rng, game);
        for (int ply = 0; ply < 60; ply++) {
            Undo undo;
            const Move move = walk_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            check(&pos, &rng);
            position_make_move(&pos, move, &undo);
        }
    }
}

static void check_growth(const Position *pos, Rng *rng) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves), ply = (int)rng_below(rng, 6);
    const uint64_t seed = 1 + rng_below(rng, SEEDS);
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int elo = LEVEL_ELO_MIN; elo <= LEVEL_ELO_MAX; elo += 4 * STEP) {
            const Level level = level_at(elo, seed, pos, UNKNOWN);
            const Sight sight = sight_at(&level, pos, ply);
            const bool sees = level_sees(&sight, pos, moves[i]);
            assert_true(sees || !seen);
            seen = sees;
        }
    }
}

static void test_what_a_level_sees_a_stronger_one_sees(void **state) {
    (void)state;
    walk(6, check_growth);
}

static void check_certain(const Position *pos, Rng *rng) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    const Level level = level_at(LEVEL_ELO_MIN, 1 + rng_below(rng, SEEDS), pos, UNKNOWN);
    const Sight sight = sight_at(&level, pos, 30);
    for (int i = 0; i < count; i++)
        if (position_in_check(pos) || move_kind(moves[i]) == PROMOTION)
            assert_true(level_sees(&sight, pos, moves[i]));
}

static void test_evasions_and_promotions_are_always_seen(void **state) {
    (void)state;
    walk(12, check_certain);
}

/* In how many of 200 games a reply is seen, where `sight` is what the level has for replies. `last` is the
 * move that leads to the position (NULL: the FEN is the position). */
static int count_seen(const char *fen, const char *last, const char *move, int sight) {
    Position pos = test_position(fen);
    Move played = MOVE_NONE;
    if (last != NULL) {
        played = move_of(&pos, last);
        test_play(&pos, last);
    }
    int seen = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Level level = level_at(LEVEL_ELO_MIN, seed, &pos, UNKNOWN);
        level.reply = sight;
        const Sight reply = level_sight(&level, &pos, 1, played, MOVE_NONE, 0);
        seen += level_sees(&reply, &pos, move_of(&pos, move));
    }
    return seen;
}

static void test_recaptures_are_always_seen(void **state) {
    (void)state;
    assert_in_range(count_seen("r3k3/8/2n5/8/8/8/8/B3K3 w - - 0 1", "a1d4", "c6d4", 40), 1, 199); /* none */
    assert_int_equal(count_seen("r3k3/8/2n5/8/3p4/8/8/B3K3 w - - 0 1", "a1d4", "c6d4", 40), 200);
}

static void test_a_pawn_always_takes_what_has_just_moved(void **state) {
    (void)state;
    assert_int_equal(count_seen("4k3/8/2p5/8/8/4N3/8/4K3 w - - 0 1", "e3d5", "c6d5", 80), 200);
    assert_true(count_seen("4k3/8/2p5/3N4/8/8/8/4K3 b - - 0 1", NULL, "c6d5", 80) < 200);
}

static void test_castling_is_seldom_forfeited(void **state) {
    (void)state;
    const int with = count_seen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", NULL, "h1g1", 270);
    const int without = count_seen("4k3/8/8/8/8/8/8/4K2R w - - 0 1", NULL, "h1g1", 270);
    assert_true(2 * with < without);
}

static void test_lines_of_hard_moves_are_seen_less_far(void **state) {
    (void)state;
    const Position pos = test_position("4k3/8/8/3r4/8/8/6B1/4K3 w - - 0 1");
    const Move capture = move_of(&pos, "g2d5");
    int first = 0, easy = 0, hard = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const Level level = level_at(1200, seed, &pos, UNKNOWN);
        const Sight root = sight_at(&level, &pos, 0);
        const int points = level_points(&root, &pos, move_of(&pos, "e1f1"));
        assert_true(points < level_points(&root, &pos, capture));
        const Sight after_easy = level_sight(&level, &pos, 2, MOVE_NONE, MOVE_NONE, 0);
        const Sight after_hard = level_sight(&level, &pos, 2, MOVE_NONE, MOVE_NONE, points);
        first += level_sees(&root, &pos, capture);
        easy += level_sees(&after_easy, &pos, capture);
        hard += level_sees(&after_hard, &pos, capture);
    }
    assert_int_equal(first, 200);
    assert_true(easy > 150 && hard < 50);
}

static void test_captures_and_checks_are_harder_to_find_among_many(void **state) {
    (void)state;
    const Position few = test_position("4k3/8/8/3r4/8/8/6B1/4K3 w - - 0 1"),
                   many = test_position("4k3/8/8/1p1r1p2/8/7Q/6B1/4K3 w - - 0 1");
    const Level level = level_at(1200, 1, &few, UNKNOWN);
    const Sight at_few = sight_at(&level, &few, 0), at_many = sight_at(&level, &many, 0);
    const Sight deeper = sight_at(&level, &many, 2);
    assert_true(at_many.crowd < at_few.crowd);
    assert_int_equal(deeper.crowd, 0);
}

static void test_an_oversight_lasts_and_ends(void **state) {
    (void)state;
    const char *const FENS[] = {"4k3/8/8/3r4/8/8/8/3QK3 w - - 0 %d", "4k3/8/8/3r4/8/8/6B1/4K3 w - - 0 %d"};
    int same = 0, changed = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        bool last = false;
        for (int fullmove = 10; fullmove < 30; fullmove++) {
            char fen[64];
            text_format(fen, sizeof fen, seed % 2 == 0 ? FENS[0] : FENS[1], fullmove);
            const Position pos = test_position(fen);
            const Move move = move_of(&pos, seed % 2 == 0 ? "d1d5" : "g2d5");
            Level level = level_at(900, seed, &pos, UNKNOWN);
            const Sight sight = sight_at(&level, &pos, 1);
            level.reply = -level_points(&sight, &pos, move); /* seen as often as not */
            const bool sees = level_sees(&sight, &pos, move);
            if (fullmove > 10) *(sees == last ? &same : &changed) += 1;
            last = sees;
        }
    }
    assert_true(changed > 100);
    assert_true(same > 3 * changed);
}

/* All moves that a picker hands out are legal and seen, or the one that must be there. */
static void check_picker(const Position *pos, Rng *rng) {
    static Histories histories;
    Path path = {.threats = position_threats(pos)};
    for (int i = 0; i < CONTINUATIONS; i++) path.continuation[i] = &histories.nothing;
    const Move killers[KILLERS] = {test_random_move(pos, rng), test_random_move(pos, rng)};
    const Level level = level_at(LEVEL_ELO_MIN, 1 + rng_below(rng, SEEDS), pos, UNKNOWN);
    const Sight sight = sight_at(&level, pos, 8);
    MovePicker picker;
    if (position_in_check(pos)) return;
    picker_begin(&picker, pos, &histories, &path, test_random_move(pos, rng), killers);
    picker_limit(&picker, &sight);
    int handed_out = 0, unseen = 0;
    Move move;
    while ((move = picker_next(&picker, false)) != MOVE_NONE) {
        assert_true(movegen_is_legal(pos, move));
        handed_out++;
        unseen += !level_sees(&sight, pos, move);
    }
    assert_true(handed_out >= 1);
    const bool only_noisy = movegen_quiet(pos, path.threats, (Move[MAX_MOVES]){0}) == 0;
    assert_true(unseen <= 1 || only_noisy);
}

static void test_hiding_moves_makes_neither_mate_nor_stalemate(void **state) {
    (void)state;
    walk(30, check_picker);
    /* One legal move, a capture; and one that is quiet. */
    Rng rng = rng_seed(1);
    const Position capture = test_position("1r5k/8/8/8/8/8/b7/K7 w - - 0 1");
    const Position quiet = test_position("k7/8/1K6/8/8/8/7P/8 w - - 0 1");
    assert_int_equal(movegen_count(&capture), 1);
    for (int i = 0; i < 50; i++) {
        check_picker(&capture, &rng);
        check_picker(&quiet, &rng);
    }
}

static void test_technique_is_not_forgotten(void **state) {
    (void)state;
    const Position pos = test_position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
    Move moves[MAX_MOVES], all[MAX_MOVES];
    const int count = movegen_legal(&pos, all);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const Level skilled = level_at(1300, seed, &pos, UNKNOWN),
                    beginner = level_at(700, seed, &pos, UNKNOWN);
        const Sight sight = sight_at(&skilled, &pos, 20), other = sight_at(&beginner, &pos, 20);
        memcpy(moves, all, sizeof moves);
        assert_int_equal(level_filter(&sight, &pos, moves, count, true), count);
        assert_true(level_filter(&other, &pos, moves, count, true) < count);
        assert_int_equal(skilled.noise + skilled.spread, 0);
    }
}

static void test_beginners_see_more_against_a_lone_king(void **state) {
    (void)state;
    const Position lone = test_position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1"),
                   other = test_position("8/4p3/8/4k3/8/8/8/R3K3 w - - 0 1");
    const Level alone = level_at(700, 1, &lone, UNKNOWN), guarded = level_at(700, 1, &other, UNKNOWN);
    assert_true(alone.root > guarded.root && alone.own > guarded.own && alone.reply > guarded.reply);
    assert_int_equal(alone.noise, 0);
    assert_true(guarded.noise > 0);
}

static void test_a_position_that_comes_back_is_looked_at_again(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    const Level before = level_at(700, 1, &pos, UNKNOWN);
    test_play(&pos, "g1f3 g8f6 f3g1 f6g8");
    const Level again = level_at(700, 1, &pos, UNKNOWN);
    assert_true(again.root > before.root);
    assert_int_equal(again.own, before.own);
}

static void test_numbers_are_keyed(void **state) {
    (void)state;
    const Position pos = test_position(FEN_START);
    const Move move = move_of(&pos, "e2e4");
    int differing = 0;
    int64_t noise = 0, liking = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        const Level level = level_at(800, seed, &pos, UNKNOWN), next = level_at(800, seed + 1, &pos, UNKNOWN);
        assert_int_equal(level_noise(&level, &pos), level_noise(&level, &pos));
        assert_int_equal(level_liking(&level, &pos, move), level_liking(&level, &pos, move));
        differing += level_noise(&level, &pos) != level_noise(&next, &pos);
        noise += level_noise(&level, &pos);
        liking += level_liking(&level, &pos, move);
    }
    const Level level = level_at(800, 1, &pos, UNKNOWN);
    assert_true(differing > 950);
    /* Five standard deviations of the mean of a thousand. */
    assert_true(llabs(noise) < 5 * 32 * level.noise && llabs(liking) < 5 * 32 * level.spread);
}

static void test_the_expected_score(void **state) {
    (void)state;
    const Position pos = test_position(FEN_START);
    const Level weak = level_at(700, 1, &pos, UNKNOWN), strong = level_at(2500, 1, &pos, UNKNOWN);
    assert_int_equal(level_expected(&weak, 0), 500);
    assert_true(level_expected(&strong, 300) > level_expected(&weak, 300));
    int last = 0;
    for (int score = -20000; score <= 20000; score += 100) {
        const int expected = level_expected(&strong, score);
        assert_in_range(expected, last, 1000);
        assert_in_range(expected + level_expected(&strong, -score), 999, 1001);
        last = expected;
    }
}

static void test_the_pace_stays_within_the_clock(void **state) {
    (void)state;
    const Position pos = test_position(FEN_START);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const Level level = level_at(1200, seed, &pos, UNKNOWN);
        const int64_t calm = level_pace(&level, &pos, 1000000, 5000000, 0);
        const int64_t hard = level_pace(&level, &pos, 1000000, 5000000, 400);
        assert_true(calm > 0 && hard > calm && hard <= 1500000);
        assert_true(level_pace(&level, &pos, 1000000, 200000, 400) <= 100000);
        assert_true(level_pace(&level, &pos, 1000000, 5000000, -1000) == calm);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stronger_level_is_weaker_in_nothing),
        cmocka_unit_test(test_strengths_outside_the_limits_are_held),
        cmocka_unit_test(test_the_two_scales),
        cmocka_unit_test(test_what_a_level_sees_a_stronger_one_sees),
        cmocka_unit_test(test_evasions_and_promotions_are_always_seen),
        cmocka_unit_test(test_recaptures_are_always_seen),
        cmocka_unit_test(test_a_pawn_always_takes_what_has_just_moved),
        cmocka_unit_test(test_castling_is_seldom_forfeited),
        cmocka_unit_test(test_lines_of_hard_moves_are_seen_less_far),
        cmocka_unit_test(test_captures_and_checks_are_harder_to_find_among_many),
        cmocka_unit_test(test_an_oversight_lasts_and_ends),
        cmocka_unit_test(test_hiding_moves_makes_neither_mate_nor_stalemate),
        cmocka_unit_test(test_technique_is_not_forgotten),
        cmocka_unit_test(test_beginners_see_more_against_a_lone_king),
        cmocka_unit_test(test_a_position_that_comes_back_is_looked_at_again),
        cmocka_unit_test(test_numbers_are_keyed),
        cmocka_unit_test(test_the_expected_score),
        cmocka_unit_test(test_the_pace_stays_within_the_clock),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
