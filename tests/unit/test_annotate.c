#include "review/annotate.h"

#include "chess/pgn.h"
#include "chess/pgn_write.h"
#include "search/score.h"
#include "test_support.h"

#include <math.h>

/* A game with notes, and a hand-made review of it. */
typedef struct Example {
    Game game;
    ReviewedPosition positions[4];
    Verdict verdicts[3];
    Review review;
} Example;

static void line_from(ReviewedPosition *position, const Position *pos, const char *moves) {
    TextView rest = text_view(moves);
    Position at = *pos;
    for (TextView word = text_next_word(&rest); word.length > 0; word = text_next_word(&rest)) {
        Undo undo;
        assert_ok(lan_parse(&at, word, &position->line[position->line_length]));
        position_make_move(&at, position->line[position->line_length++], &undo);
    }
}

static Example example(void) {
    Example made = {0};
    TextView text =
        text_view("[Event \"x\"]\n[Annotator \"A person\"]\n\n{before} 1. e4 $4 {a} (1. d4 d5) {b} "
                  "e5 {[%clk 0:01:00]} 2. Nf3 * {behind}");
    bool found;
    int line = 1;
    Problems problems = {0};
    assert_ok(pgn_read_game(&text, &line, &made.game, &found, &problems));
    static const int SCORES[] = {30, -6 * SCORE_UNITS_PER_PAWN, (SCORE_UNITS_PER_PAWN + 1) / 2,
                                 SCORE_MATE - 3};
    for (int i = 0; i < 4; i++) {
        made.positions[i] = (ReviewedPosition){.score = SCORES[i], .depth = 9};
        made.positions[i].assessment = verdict_assess(&made.game.start, SCORES[i]);
    }
    line_from(&made.positions[0], &made.game.start, "d2d4 d7d5 c2c4 d5c4 e2e4 g8f6 e4e5 f6d5");
    Position pos = made.game.start;
    test_play(&pos, "e2e4 e7e5");
    line_from(&made.positions[2], &pos, "b1c3");
    made.verdicts[0] = (Verdict){.kind = VERDICT_BLUNDER, .loss = 0.384};
    made.verdicts[1] = (Verdict){.kind = VERDICT_ONLY_MOVE};
    made.verdicts[2] = (Verdict){.kind = VERDICT_INACCURACY, .allows_mate = true};
    made.review = (Review){.done = 3,
                           .moves = 3,
                           .side = {{.moves = 2, .accuracy = 61.3, .count = {[VERDICT_BLUNDER] = 1}},
                                    {.moves = 1, .accuracy = 100}}};
    return made;
}

static void assert_written(Example *made, const char *expected) {
    Game annotated = {0};
    TextBuffer text = {0};
    made->review.positions = made->positions;
    made->review.verdicts = made->verdicts;
    assert_ok(annotate_game(&made->game, &made->review, language_row(0), &annotated));
    pgn_write_game(&annotated, &text);
    const char *moves = strstr(buffer_string(&text), "\n\n");
    assert_non_null(moves);
    TextBuffer joined = {0};
    TextView rest = text_view(moves);
    for (TextView word = text_next_word(&rest); word.length > 0; word = text_next_word(&rest)) {
        if (joined.length > 0) buffer_append_char(&joined, ' ');
        buffer_append(&joined, word);
    }
    assert_string_equal(buffer_string(&joined), expected);
    buffer_release(&joined);
    buffer_release(&text);
    game_release(&annotated);
}

static void new_notes_follow_old_ones(void **state) {
    (void)state;
    Example made = example();
    assert_written(
        &made,
        "{before} 1. e4 $4 {a} {[%eval 6.00] Blunder. d4 is better.} (1. d4 d5) {b} "
        "(1. d4 d5 2. c4 dxc4 3. e4) 1... e5 $7 {[%clk 0:01:00]} {[%eval 0.50]} 2. Nf3 $6 {[%eval #-2] "
        "Inaccuracy. Nc3 is better.} (2. Nc3) * {behind}");
    game_release(&made.game);
}

static void moves_without_a_verdict_stay_unchanged(void **state) {
    (void)state;
    Example made = example();
    made.review.done = 1;
    assert_written(&made, "{before} 1. e4 $4 {a} {[%eval 6.00] Blunder. d4 is better.} (1. d4 d5) {b} "
                          "(1. d4 d5 2. c4 dxc4 3. e4) 1... e5 {[%clk 0:01:00]} 2. Nf3 * {behind}");
    made.review.done = -1;
    assert_written(&made, "{before} 1. e4 $4 {a} (1. d4 d5) {b} 1... e5 {[%clk 0:01:00]} 2. Nf3 * {behind}");
    game_release(&made.game);
}

static void scores_have_the_standard_form(void **state) {
    (void)state;
    static const struct {
        int score;
        const char *text;
    } CASES[] = {{0, "0.00"},
                 {1, "0.00"},
                 {-1, "0.00"},
                 {-SCORE_UNITS_PER_PAWN, "1.00"},
                 {SCORE_UNITS_PER_PAWN, "-1.00"},
                 {-20 * SCORE_UNITS_PER_PAWN, "20.00"},
                 {20 * SCORE_UNITS_PER_PAWN + 1, "-20.00"},
                 {SCORE_TABLEBASE, "-200.00"},
                 {SCORE_MATE - 1, "#-1"},
                 {SCORE_MATE - 4, "#-2"},
                 {2 - SCORE_MATE, "#1"}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Example made = example();
        made.positions[1].score = CASES[i].score;
        made.verdicts[0] = (Verdict){0};
        made.review.done = 1;
        char expected[200];
        text_format(
            expected, sizeof expected,
            "{before} 1. e4 $4 {a} {[%%eval %s]} (1. d4 d5) {b} 1... e5 {[%%clk 0:01:00]} 2. Nf3 * {behind}",
            CASES[i].text);
        assert_written(&made, expected);
        game_release(&made.game);
    }
}

static void only_a_complete_review_writes_tags(void **state) {
    (void)state;
    static const char *const TAGS[][2] = {{"WhiteAccuracy", "61.3"},
                                          {"WhiteBlunders", "1"},
                                          {"WhiteMistakes", "0"},
                                          {"BlackAccuracy", "100.0"},
                                          {"BlackBlunders", "0"}};
    for (int done = 1; done <= 3; done += 2) {
        Example made = example();
        Game annotated = {0};
        made.review.done = done;
        made.review.positions = made.positions;
        made.review.verdicts = made.verdicts;
        assert_ok(annotate_game(&made.game, &made.review, language_row(0), &annotated));
        assert_int_equal(strncmp(game_tag(&annotated, "Annotator"), "A person, Luft ", 15), 0);
        for (size_t i = 0; i < sizeof TAGS / sizeof TAGS[0]; i++) {
            const char *value = game_tag(&annotated, TAGS[i][0]);
            if (done == 3)
                assert_string_equal(value, TAGS[i][1]);
            else
                assert_null(value);
        }
        game_release(&annotated);
        game_release(&made.game);
    }
}

static void a_line_ends_where_captures_rest(void **state) {
    (void)state;
    static const struct {
        const char *moves;
        int score, length;
    } CASES[] = {
        {"e2e4", 0, 1},
        {"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4", 0, 5},
        {"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 d2d3", 0, 5},
        {"e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 c6d4 d1d4 c7c5 d4d3", 0, 9},
        {"f2f3 e7e5 g2g4 d8h4", SCORE_MATE - 4, 4},
        {"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4", SCORE_MATE - 7, 7},
    };
    const Position start = test_position(FEN_START);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ReviewedPosition position = {.score = CASES[i].score};
        line_from(&position, &start, CASES[i].moves);
        assert_int_equal(annotate_line_length(&start, &position), CASES[i].length);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_notes_follow_old_ones),
        cmocka_unit_test(moves_without_a_verdict_stay_unchanged),
        cmocka_unit_test(scores_have_the_standard_form),
        cmocka_unit_test(only_a_complete_review_writes_tags),
        cmocka_unit_test(a_line_ends_where_captures_rest),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
