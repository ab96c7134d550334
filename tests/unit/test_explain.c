/* Whole explanations: the reason, the line that shows it, and the words. */
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/sync.h"
#include "chess/fen.h"
#include "explain/explain.h"
#include "explain/material.h"
#include "explain/loss_words.h"
#include "explain/words.h"
#include "line_support.h"

#include <unistd.h>

enum { NODES = 20000, LONGER = 5 * NODES };

static int set_up(void **state) {
    test_set_up_chess(state);
    Status status = status_ok();
    *state = explainer_create(NULL, 4, &status);
    assert_ok(status);
    return 0;
}

static int tear_down(void **state) {
    explainer_destroy(*state);
    return 0;
}

static Explanation explain_longer(void **state, const char *fen, const char *played, const char *text,
                                  uint64_t nodes) {
    Position pos = test_position(fen);
    test_play(&pos, played);
    Move move = MOVE_NONE;
    assert_ok(san_parse(&pos, text_view(text), &move));
    Explanation explanation;
    assert_ok(explainer_explain(*state, &pos, move, nodes, &explanation));
    return explanation;
}

static Explanation explain(void **state, const char *fen, const char *played, const char *text) {
    return explain_longer(state, fen, played, text, NODES);
}

/* Passes if the words of the explanation contain `part`; releases it. */
static void assert_words(Explanation *explanation, const char *part) {
    TextBuffer text = {0};
    words_write(&(Document){.out = &text, .width = 200, .language = language_row(0), .detailed = true},
                explanation);
    if (strstr(buffer_string(&text), part) == NULL) fail_msg("'%s' without '%s'", buffer_string(&text), part);
    buffer_release(&text);
    explanation_release(explanation);
}

static void the_best_move_is_reported_as_best(void **state) {
    Explanation found = explain(state, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "", "exd5");
    assert_int_equal(REASON_BEST, found.reason);
    assert_words(&found, "exd5 is the only move: every other one loses.");
}

/* The search of all moves prefers another one, that of f5 alone finds more in it: no line is better. */
static void the_better_line_is_never_worse(void **state) {
    Explanation found = explain(state, "r5k1/p5pp/5p2/8/Q1bq4/3pRP2/PP3KP1/R7 b - - 0 26", "", "f5");
    assert_int_equal(REASON_BEST, found.reason);
    assert_int_equal(found.played.move, found.better.move);
    assert_int_equal(found.played.score, found.better.score);
    explanation_release(&found);
}

static void a_queen_that_walks_into_a_fork_is_lost(void **state) {
    Explanation found =
        explain(state, "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17", "", "Qd4");
    assert_int_equal(REASON_LOSES_MATERIAL, found.reason);
    assert_int_equal(MOTIF_FORK, found.motif.kind);
    assert_true(found.motif.forced);
    assert_true(found.material.net >= 4); /* the queen for a knight or, as the line goes on, a rook */
    assert_true(found.loss > 0.3);
    assert_words(&found, "17... Nf3+ forks the king on g1 and the queen on d4");
}

static void an_unanswered_threat_is_named(void **state) {
    Explanation found = explain(state, "6k1/2p2pp1/3Q3p/8/8/8/5PPP/6K1 w - - 0 1", "", "h3");
    assert_int_equal(REASON_LOSES_MATERIAL, found.reason);
    assert_int_equal(CAUSE_IGNORED, found.cause);
    assert_words(&found, "It does not answer the threat 1... cxd6.");
}

static void an_open_back_rank_allows_mate(void **state) {
    Explanation found = explain(state, "4r1k1/5ppp/8/8/8/8/4RPPP/6K1 w - - 0 1", "", "Ra2");
    assert_int_equal(REASON_MATED, found.reason);
    assert_int_equal(1, found.mate);
    assert_true(line_is_mate(found.played.line, found.settled));
    assert_words(&found, "Ra2 allows mate.");
}

static void a_mate_that_was_there_is_missed(void **state) {
    Explanation found = explain(state, "6k1/5ppp/8/8/8/8/q4PPP/4R1K1 w - - 0 1", "", "h3");
    assert_int_equal(REASON_MISSES_MATE, found.reason);
    assert_words(&found, "h3 misses mate in one: Re8#.");
    found = explain_longer(state, "8/1K6/8/8/8/b1b5/p1k4p/8 b - - 0 106", "", "h1=R", LONGER);
    assert_int_equal(REASON_MISSES_MATE, found.reason);
    assert_words(&found, "h1=R misses h1=Q+, which wins a new queen and forces mate in ");
}

/* Whether a pawn falls next to it or not. */
static void a_pawn_that_is_let_through_is_named(void **state) {
    Explanation found = explain(state, "5r1k/pPq4p/4Q3/7P/P3P3/3K4/8/8 b - - 0 37", "", "Rf2");
    assert_int_equal(REASON_LOSES_MATERIAL, found.reason);
    assert_words(&found, "It lets a pawn through: it becomes a new queen.");
}

static void a_win_ends_in_stalemate(void **state) {
    Explanation found = explain(state, "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "", "Qc7");
    assert_int_equal(REASON_STALEMATE, found.reason);
    assert_words(&found, "it is stalemate");
}

static void a_capture_that_was_missed_is_named(void **state) {
    Explanation found =
        explain(state, "r2q1rk1/pp3ppp/2p2n2/4n3/8/2P2NB1/PP3PPP/R2Q1RK1 w - - 0 1", "", "a3");
    assert_int_equal(REASON_MISSES_MATERIAL, found.reason);
    assert_true(found.material.net >= 3);
    assert_words(&found, "which wins a knight");
}

/* What such a loss is for the result is a matter of the scores alone. */
static void a_loss_that_changes_nothing_says_why(void **state) {
    enum { WON = 3000 };
    for (int score = 0; score <= WON; score += WON) {
        Explanation found =
            explain(state, "r2q1rk1/pp3ppp/2p2n2/4n3/8/2P2NB1/PP3PPP/R2Q1RK1 w - - 0 1", "", "a3");
        found.loss = 0;
        found.played.score = score;
        assert_words(&found, score == WON ? "White still wins." : "That hardly changes the expected result.");
    }
}

static void material_is_counted_on_the_line_that_shows_it(void **state) {
    const struct {
        const char *fen, *move, *words;
        uint64_t nodes;
    } rows[] = {
        {"5r2/1n1rN1k1/3p3p/p3pp2/Pp6/8/1PP2PPP/3RR1K1 w - - 0 25", "Nc6",
         "Nc6 misses Rxe5, which wins a pawn.", NODES},
        {"5k2/1p3p2/pNnpq1r1/4pp1p/1P2P2P/2P5/P2Q1P2/2KR3R w - - 0 21", "Qxd6",
         "The pawn on d6 is guarded by the queen on e6 and the rook on g6.", NODES},
        {"r5nr/p3kppp/2B1b3/q1b1Q3/8/2N5/PPP2PPP/R1B1K2R w KQ - 1 14", "Bxa8",
         "Bxa8 loses the queen for a rook and a bishop.", LONGER},
        {"8/6qk/p6r/1p6/4Q2P/P3P1P1/5P1K/8 b - - 2 48", "Rg6",
         "49. h5 attacks the rook on g6, which is pinned to its king: no reply saves it.", NODES},
        {"r3r1k1/pp2qp1p/3b2p1/3p4/3P2n1/1PN4P/PBP1BPP1/R2QK2R b KQ - 0 15", "Nxf2",
         "It sacrifices the knight: 16. Kxf2 is answered by 16... Qe3+.", NODES},
        {"rn1qk2r/pbp2p1p/1p2pnp1/3p4/2B1PP2/P1PP4/2P1N1PP/R1BQ1RK1 b kq f3 0 9", "dxc4",
         "in this line it wins a bishop.", NODES},
        {"r4rk1/1b3ppp/p3p3/1p1pPq2/3R4/2N2N2/PP2BPPP/1K5R w - - 0 19", "Bd3",
         "it wins back the queen for a rook.", NODES},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Explanation found = explain_longer(state, rows[i].fen, "", rows[i].move, rows[i].nodes);
        assert_words(&found, rows[i].words);
    }
}

static void a_draw_that_is_held_is_named(void **state) {
    Explanation found = explain(state, "6k1/6p1/8/7Q/8/7K/1q4r1/r7 w - - 0 1", "", "Qe8+");
    assert_int_equal(MERIT_DRAWS, found.merit.kind);
    assert_words(&found, "It holds the draw by perpetual check.");
}

static void a_piece_that_is_lost_with_a_missed_mate_is_named(void **state) {
    Explanation found = explain(state, "8/7K/7P/1k3N2/1P2nP2/P7/2P5/6r1 b - - 0 71", "", "Rg6");
    assert_int_equal(REASON_MISSES_MATE, found.reason);
    assert_words(&found, "The rook can be taken on g6.");
}

static void what_a_good_move_does_is_named(void **state) {
    Explanation found = explain(state, "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16", "", "Qb8+");
    assert_int_equal(MERIT_SACRIFICE, found.merit.kind);
    assert_words(&found, "It sacrifices the queen: 16... Nxb8 is answered by 17. Rd8#.");
    found = explain(state, "7K/8/k1P5/7p/8/8/8/8 w - - 0 1", "", "Kg7");
    assert_true(found.merit.is_only);
    assert_words(&found, "Kg7 is the only move: every other one loses.");
}

static void a_changed_result_is_said_first(void **state) {
    Explanation found = explain(state, "4R3/ppkn1p2/2p5/3p2B1/3Pn3/2P2B2/Pr6/3K4 w - - 4 32", "", "Bf4+");
    assert_int_equal(DRAW_PERPETUAL, found.result.draw);
    assert_words(&found, "Bf4+ misses Bd8+, which draws by perpetual check.");
    found = explain(state, "6k1/1p3p2/2p2Q2/2Pp1K2/1P1P1p2/8/6qP/8 b - - 5 37", "", "Qg6+");
    assert_int_equal(REASON_PAWN_ENDING, found.reason);
    assert_words(&found, "Qg6+ trades into a lost pawn ending.");
}

static void the_natural_reply_is_refuted(void **state) {
    const char *fen = "r1b1k1r1/pp2Pp1p/2n3p1/4N2n/P1q5/2B5/2PQ1PPP/R3K2R b KQq - 4 18";
    Explanation found = explain_longer(state, fen, "", "Qe6", 50000);
    assert_int_equal(REASON_LOSES_MATERIAL, found.reason);
    assert_non_null(found.natural.line);
    assert_words(&found, "19... Nxe5 fails to 20. Qd8#.");
}

static void what_the_last_move_took_is_won_back(void **state) {
    Explanation found = explain(state, "r3k2r/ppp2ppp/2n2n2/8/8/2B5/PPP2PPP/4K2R w kq - 0 1", "c3f6", "gxf6");
    assert_true(found.played.score > SCORE_UNITS_PER_PAWN);
    assert_words(&found, "it wins back a bishop");
}

static void the_opposition_is_named(void **state) {
    Explanation found = explain_longer(state, "8/4k3/8/8/3KP3/8/8/8 w - - 0 1", "", "Kd5", 100000);
    assert_int_equal(OUTCOME_WIN, found.result.better);
    assert_words(&found, "1... Kd7 takes the opposition.");
    found = explain_longer(state, "8/8/8/1p6/1k6/8/K7/8 w - - 0 60", "", "Kb2", 100000);
    assert_words(&found, "Kb2 is the only move: every other one loses. It takes the opposition.");
    /* The king must lead, but Black could pass after 1... Kd6. */
    found = explain_longer(state, "8/8/4k3/8/3K4/8/4P3/8 w - - 0 1", "", "e4", 100000);
    assert_int_equal(OUTCOME_WIN, found.result.better);
    assert_null(found.opposition.line);
    explanation_release(&found);
}

static void a_bishop_that_does_not_guard_the_corner_is_the_wrong_one(void **state) {
    (void)state;
    const struct {
        const char *fen;
        Square corner;
    } rows[] = {{"8/5p2/8/8/7P/1B6/7P/K6k w - - 0 1", H8},
                {"8/5p2/8/8/7P/2B5/7P/K6k w - - 0 1", NO_SQUARE},
                {"8/5p2/8/8/6PP/1B6/8/K6k w - - 0 1", NO_SQUARE},
                {"8/5p2/8/8/7P/1BN5/8/K6k w - - 0 1", NO_SQUARE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Position pos = test_position(rows[i].fen);
        assert_int_equal(rows[i].corner, result_wrong_corner(&pos, WHITE));
    }
}

/* A fork that the better line allows as well does not tell why the move is worse. */
static void a_motif_of_both_lines_is_no_reason(void **state) {
    (void)state;
    Line *line =
        test_line("2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17", "d2d4 e5f3 g1h1 f3d4 e2d4");
    for (int both = 0; both <= 1; both++) {
        Explanation found = {.settled = 5, .material = line_loss(line, 0, 5, WHITE)};
        material_find_motifs(&found, line, both ? line : NULL, 1, false);
        assert_int_equal(both ? MOTIF_NONE : MOTIF_FORK, found.motif.kind);
    }
    line_destroy(line);
}

static void explanations_are_reproducible(void **state) {
    const char *fen = "r4k1r/pNqnppb1/6pn/2p3Np/7P/2P2Q2/PP3PP1/R1B1K2R b KQ - 2 15";
    TextBuffer text[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        Explanation found = explain(state, fen, "", "Rb8");
        words_write(
            &(Document){
                .out = &text[i], .form = DOCUMENT_JSON, .language = language_row(0), .detailed = true},
            &found);
        explanation_release(&found);
    }
    assert_string_equal(buffer_string(&text[0]), buffer_string(&text[1]));
    buffer_release(&text[0]);
    buffer_release(&text[1]);
}

static void stop_soon(void *explainer) {
    clock_sleep_milliseconds(50);
    explainer_stop(explainer);
}

static void a_stopped_explanation_reports_what_it_has(void **state) {
    const Position pos = test_position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    Thread thread;
    Move move = MOVE_NONE;
    Explanation found;
    assert_ok(san_parse(&pos, text_view("a4"), &move));
    assert_ok(thread_start(&thread, stop_soon, *state));
    assert_ok(explainer_explain(*state, &pos, move, UINT64_C(1000000000000), &found));
    thread_join(&thread);
    assert_true(found.played.depth >= 1);
    assert_int_equal(move, found.played.line->move[0]);
    assert_int_equal(found.better.move, found.better.line->move[0]);
    explanation_release(&found);
}

/* Threads inherit the blocked signal, so they must not exist before. */
static void a_signal_ends_an_explanation_soon(void **state) {
#ifdef _WIN32
    (void)state;
    skip(); /* no signal can be blocked there */
#else
    enum { LONG = 1000000 /* nodes of each search */ };
    Interrupt interrupt;
    interrupt_begin(&interrupt);
    set_up(state);
    kill(getpid(), SIGINT);
    Explanation found = explain_longer(state, FEN_START, "", "h4", LONG);
    tear_down(state);
    interrupt_end(&interrupt);
    assert_in_range(found.nodes, 0, LONG / 10);
    explanation_release(&found);
#endif
}

static void what_is_left_of_a_win_depends_on_the_score(void **state) {
    (void)state;
    static const struct {
        int score;
        Left left;
    } rows[] = {
        {200, LEFT_DOUBT}, {40, LEFT_LITTLE}, {10, LEFT_NOTHING}, {-20, LEFT_NOTHING}, {-80, LEFT_WORSE}};
    Line *line = test_line("8/5k2/4p3/8/8/4P3/3K4/5N2 w - - 0 1", "d2d3");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Branch branch = {.line = line, .score = rows[i].score * SCORE_UNITS_PER_PAWN / 100};
        assert_int_equal(rows[i].left, result_left(&branch));
    }
    line_destroy(line);
}

static void losses_are_counted_in_words(void **state) {
    (void)state;
    const struct {
        LineLoss loss;
        const char *words;
    } rows[] = {
        {{.lost = {[QUEEN] = 1}, .gained = {[ROOK] = 1, [KNIGHT] = 1}, .net = 1},
         "the queen for a rook and a knight"},
        {{.lost = {[ROOK] = 1}, .gained = {[BISHOP] = 1}, .net = 2},
         "the exchange (a rook for a minor piece)"},
        {{.lost = {[ROOK] = 1}, .gained = {[BISHOP] = 1, [PAWN] = 1}, .net = 1}, "the exchange for a pawn"},
        {{.lost = {[PAWN] = 2}, .net = 2}, "two pawns"},
        {{.lost = {[ROOK] = 1, [KNIGHT] = 1, [PAWN] = 1}, .net = 9}, "a rook and a knight"},
        {{.lost = {[QUEEN] = 1, [PAWN] = 3}, .gained = {[ROOK] = 1}, .net = 7}, "the queen for a rook"},
        {{.lost = {[QUEEN] = 1, [ROOK] = 1}, .gained = {[KNIGHT] = 1}, .net = 11}, "the queen"},
        {{.lost_by_promotion = 8, .net = 8}, "a new queen"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        TextBuffer text = {0};
        Document document = {.out = &text, .language = language_row(0)};
        assert_string_equal(rows[i].words, loss_words_write(&document, &rows[i].loss));
        buffer_release(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_move_is_reported_as_best),
        cmocka_unit_test(the_better_line_is_never_worse),
        cmocka_unit_test(a_queen_that_walks_into_a_fork_is_lost),
        cmocka_unit_test(an_unanswered_threat_is_named),
        cmocka_unit_test(an_open_back_rank_allows_mate),
        cmocka_unit_test(a_mate_that_was_there_is_missed),
        cmocka_unit_test(a_pawn_that_is_let_through_is_named),
        cmocka_unit_test(a_win_ends_in_stalemate),
        cmocka_unit_test(a_capture_that_was_missed_is_named),
        cmocka_unit_test(a_loss_that_changes_nothing_says_why),
        cmocka_unit_test(material_is_counted_on_the_line_that_shows_it),
        cmocka_unit_test(a_draw_that_is_held_is_named),
        cmocka_unit_test(a_piece_that_is_lost_with_a_missed_mate_is_named),
        cmocka_unit_test(what_a_good_move_does_is_named),
        cmocka_unit_test(a_changed_result_is_said_first),
        cmocka_unit_test(the_natural_reply_is_refuted),
        cmocka_unit_test(what_the_last_move_took_is_won_back),
        cmocka_unit_test(the_opposition_is_named),
        cmocka_unit_test(a_bishop_that_does_not_guard_the_corner_is_the_wrong_one),
        cmocka_unit_test(a_motif_of_both_lines_is_no_reason),
        cmocka_unit_test(explanations_are_reproducible),
        cmocka_unit_test(a_stopped_explanation_reports_what_it_has),
        cmocka_unit_test(what_is_left_of_a_win_depends_on_the_score),
        cmocka_unit_test(losses_are_counted_in_words),
    };
    const struct CMUnitTest first[] = {cmocka_unit_test(a_signal_ends_an_explanation_soon)};
    return cmocka_run_group_tests(first, NULL, NULL) + cmocka_run_group_tests(tests, set_up, tear_down);
}
