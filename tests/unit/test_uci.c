#include "uci/uci.h"

#include "base/clock.h"
#include "base/memory.h"
#include "engine/chances.h"
#include "engine/lines.h"
#include "test_support.h"
#include "uci/report.h"
#include "uci/info.h"
#include "uci/input.h"
#include "uci/output.h"
#include "uci/parse.h"

#include <stdlib.h>

static GoCommand go_with_warning(const char *words, Status *warning) {
    Position pos = test_position(FEN_START);
    GoCommand command;
    go_parse(&pos, text_view(words), &command, warning);
    return command;
}

static GoCommand go(const char *words) {
    Status warning;
    const GoCommand command = go_with_warning(words, &warning);
    assert_ok(warning);
    return command;
}

static void test_go_clocks_in_any_order(void **state) {
    (void)state;
    GoCommand command = go("binc 5 btime 2000 movestogo 40 wtime 1000 winc 3");
    const SearchLimits *limits = &command.limits;
    assert_true(limits->has_clock[WHITE] && limits->has_clock[BLACK]);
    assert_int_equal(limits->clock[WHITE], 1000);
    assert_int_equal(limits->clock[BLACK], 2000);
    assert_int_equal(limits->increment[WHITE], 3);
    assert_int_equal(limits->increment[BLACK], 5);
    assert_int_equal(limits->moves_to_go, 40);
    assert_false(limits->infinite);
}

static bool will_end(const char *words) {
    const GoCommand command = go(words);
    return limits_will_end(&command.limits);
}

static void test_go_bare_will_not_end(void **state) {
    (void)state;
    assert_false(will_end(""));
    assert_false(will_end("searchmoves e2e4"));
    assert_false(will_end("movestogo 5"));
    assert_false(will_end("ponder"));
    assert_true(will_end("winc 5"));
    assert_true(will_end("mate 2"));
    assert_true(go("ponder").limits.ponder);
    assert_true(go("infinite depth 3").limits.infinite);
    assert_int_equal(go("infinite depth 3").limits.depth, 3);
}

static void test_go_zero_is_never_no_limit(void **state) {
    (void)state;
    assert_int_equal(go("depth 0").limits.depth, 1);
    assert_int_equal(go("depth -7").limits.depth, 1);
    assert_int_equal(go("nodes 0").limits.nodes, 1);
    assert_true(go("nodes 18446744073709551616").limits.nodes == INT64_MAX); /* more than any search needs */
    assert_int_equal(go("mate 0").limits.mate, 1);
    assert_int_equal(go("movestogo 0 wtime 5").limits.moves_to_go, 0);
    assert_int_equal(go("movestogo -3 wtime 5").limits.moves_to_go, 0);
    assert_true(go("movetime 0").limits.has_move_time);
    assert_int_equal(go("wtime -20").limits.clock[WHITE], -20);
}

static void test_go_huge_numbers_are_limited(void **state) {
    (void)state;
    assert_int_equal(go("depth 9223372036854775807").limits.depth, MAX_PLY - 1);
    assert_true(go("wtime 9223372036854775807").limits.clock[WHITE] <= INT64_MAX / 1000000);
    assert_true(go("wtime -9223372036854775807").limits.clock[WHITE] >= INT64_MIN / 1000000);
    assert_int_equal(go("winc -5 wtime 1").limits.increment[WHITE], 0);
    assert_true(go("winc 5").limits.has_clock[WHITE]);
    assert_false(go("winc 0").limits.has_clock[WHITE]);
}

static void test_go_search_moves(void **state) {
    (void)state;
    GoCommand command = go("searchmoves e2e4 d2d4 e2e4 depth 3");
    assert_int_equal(command.limits.search_move_count, 2);
    assert_int_equal(command.limits.search_moves[1], move_make(D2, D4));
    assert_int_equal(command.limits.depth, 3);
    assert_int_equal(go("searchmoves depth 3").limits.search_move_count, 0);
}

/* Those that are not legal do not count. Where none is legal, none is searched. */
static void test_go_bad_search_moves(void **state) {
    (void)state;
    Status warning;
    GoCommand command = go_with_warning("searchmoves e2e5 Nf3 d2d4 0000 depth 3 searchmoves e2e4", &warning);
    assert_fails(warning,
                 "illegal move 'e2e5'; unreadable move 'Nf3': it needs UCI's notation, such as e2e4; "
                 "unreadable move '0000': it needs UCI's notation");
    assert_int_equal(command.limits.search_move_count, 2);
    assert_int_equal(command.limits.search_moves[0], move_make(D2, D4));
    assert_int_equal(command.limits.search_moves[1], move_make(E2, E4));
    assert_int_equal(command.limits.depth, 3);
    command = go_with_warning("searchmoves e2e5 depth 3", &warning);
    assert_fails(warning, "illegal move 'e2e5'");
    assert_int_equal(command.limits.search_move_count, 1);
    assert_int_equal(command.limits.search_moves[0], MOVE_NONE);
}

static void test_go_numbers_as_programs_print_them(void **state) {
    (void)state;
    assert_int_equal(go("movetime 300.7").limits.move_time, 301);
    assert_int_equal(go("movetime 300,2").limits.move_time, 300); /* a decimal comma */
    assert_int_equal(go("wtime -0.4 btime 3e+05").limits.clock[BLACK], 300000);
    assert_int_equal(go("winc 1e3 wtime 1").limits.increment[WHITE], 1000);
    assert_int_equal(go("depth 4.5").limits.depth, 5);
    assert_true(go("nodes 1e300").limits.nodes == INT64_MAX);
    assert_true(go("wtime -1e300").limits.clock[WHITE] <= -1000000000);
    assert_int_equal(
        go("depth 99999999999999999999999999999999999999999999999999999999999999999999999").limits.depth,
        MAX_PLY - 1);
    assert_int_equal(go("DEPTH 3 depth 7").limits.depth, 7); /* the last one counts */
}

static void test_go_limits_without_a_number_do_not_count(void **state) {
    (void)state;
    static const char *const CASES[] = {"depth",   "depth many", "depth infinite", "movetime infinite",
                                        "wtime",   "nodes -",    "nodes 99x",      "mate ?",
                                        "perft",   "movetime",   "movetime nan",   "movetime Infinity",
                                        "perft x", "binc btime", "depth ponder",   "movestogo"};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Status warning;
        TextView words = text_view(CASES[i]);
        char expected[64];
        const GoCommand command = go_with_warning(CASES[i], &warning);
        assert_false(limits_will_end(&command.limits));
        assert_int_equal(command.perft_depth, 0);
        text_copy(text_next_word(&words), expected, sizeof expected);
        assert_fails(warning, expected);
        assert_fails(warning, " has no number");
    }
    Status warning;
    const GoCommand command = go_with_warning("wtime btime 1000 movetime infinite", &warning);
    assert_int_equal(command.limits.clock[BLACK], 1000); /* no word is taken for the number of another one */
    assert_false(command.limits.has_clock[WHITE]);
    assert_true(command.limits.infinite);
    assert_int_equal(go("quickly depth 3 please").limits.depth, 3);
}

static void test_go_perft(void **state) {
    (void)state;
    assert_int_equal(go("perft 5").perft_depth, 5);
    assert_int_equal(go("depth 5").perft_depth, 0);
}

static void test_info_line(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    SearchInfo info = {.depth = 12,
                       .selective_depth = 18,
                       .multi_pv = 1,
                       .score = 2 * SCORE_UNITS_PER_PAWN,
                       .bound = BOUND_EXACT,
                       .nodes = 2000,
                       .time = 1500,
                       .hash_full = 7,
                       .pv_length = 2};
    info.pv[0] = move_make_kind(E1, H1, CASTLING);
    info.pv[1] = move_make(E8, E7);
    TextBuffer line = {0};
    info_format(&line, &pos, &info, false);
    assert_string_equal(buffer_string(&line),
                        "info depth 12 seldepth 18 multipv 1 score cp 200 nodes 2000 nps 1333333 "
                        "hashfull 7 tbhits 0 time 1 pv e1g1 e8e7");
    buffer_clear(&line);
    pos.chess960 = true;
    info.score = score_mate_in(3);
    info.bound = BOUND_LOWER;
    info.pv_length = 1;
    info_format(&line, &pos, &info, false);
    assert_string_equal(buffer_string(&line),
                        "info depth 12 seldepth 18 multipv 1 score mate 2 lowerbound nodes 2000 "
                        "nps 1333333 hashfull 7 tbhits 0 time 1 pv e1h1");
    buffer_release(&line);
}

static void test_info_line_with_chances(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    SearchInfo info = {.depth = 1, .selective_depth = 2, .multi_pv = 3, .score = 31, .bound = BOUND_UPPER};
    ChanceParts permille = chances_round(chances_of_search(&pos, 31), 1000);
    char wanted[120];
    text_format(wanted, sizeof wanted,
                "info depth 1 seldepth 2 multipv 3 score cp %d upperbound wdl %d %d %d nodes 0 ",
                score_to_centipawns(31), permille.win, permille.draw, permille.loss);
    TextBuffer line = {0};
    info_format(&line, &pos, &info, true);
    assert_ptr_equal(strstr(buffer_string(&line), wanted), buffer_string(&line));
    buffer_clear(&line);
    info.score = score_mated_in(4);
    info.bound = BOUND_EXACT;
    info_format(&line, &pos, &info, true);
    assert_non_null(strstr(buffer_string(&line), " score mate -2 wdl 0 0 1000 nodes "));
    buffer_release(&line);
}

static void test_best_move_line(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    char line[BEST_MOVE_CAPACITY];
    info_format_best_move(&pos, move_make(E2, E4), MOVE_NONE, line);
    assert_string_equal(line, "bestmove e2e4");
    info_format_best_move(&pos, move_make(E2, E4), move_make(E7, E5), line);
    assert_string_equal(line, "bestmove e2e4 ponder e7e5");
    info_format_best_move(&pos, MOVE_NONE, MOVE_NONE, line);
    assert_string_equal(line, "bestmove (none)");
}

/* All that a function wrote to its Output. */
typedef struct Capture {
    char *text;
    size_t size;
    FILE *file;
    Output output;
} Capture;

static void capture_open(Capture *capture) {
    capture->file = open_memstream(&capture->text, &capture->size);
    assert_non_null(capture->file);
    output_open(&capture->output, capture->file);
}

static void capture_close(Capture *capture) {
    output_close(&capture->output);
    fclose(capture->file);
    free(capture->text);
}

static int count_lines(const Capture *capture, const char *part) {
    int count = 0;
    for (const char *found = strstr(capture->text, part); found != NULL; found = strstr(found + 1, part))
        count++;
    return count;
}

static void test_feed_shows_every_exact_line_at_once(void **state) {
    (void)state;
    Capture capture;
    Position pos = test_position(FEN_START);
    capture_open(&capture);
    InfoFeed *feed = info_feed_create(&capture.output);
    info_feed_begin(feed, &pos, false);
    SearchInfo info = {.bound = BOUND_EXACT, .pv_length = 1, .pv = {move_make(E2, E4)}};
    for (info.depth = 1; info.depth < MAX_PLY; info.depth++)
        for (info.multi_pv = 1; info.multi_pv <= 3; info.multi_pv++) info_feed_add(feed, &info);
    TextView rest = text_view(capture.text), line;
    for (int i = 0; i < 3 * (MAX_PLY - 1); i++) {
        char wanted[64];
        text_format(wanted, sizeof wanted, "info depth %d seldepth 0 multipv %d score", i / 3 + 1, i % 3 + 1);
        assert_true(text_next_line(&rest, &line));
        assert_true(text_starts_with(line, wanted));
    }
    assert_int_equal(rest.length, 0);
    info_feed_destroy(feed);
    capture_close(&capture);
}

static void test_feed_keeps_early_bounds_for_the_end(void **state) {
    (void)state;
    Capture capture;
    Position pos = test_position(FEN_START);
    capture_open(&capture);
    InfoFeed *feed = info_feed_create(&capture.output);
    info_feed_begin(feed, &pos, false);
    info_feed_add(feed, &(SearchInfo){.depth = 1, .multi_pv = 1, .bound = BOUND_EXACT});
    info_feed_add(feed, &(SearchInfo){.depth = 2, .multi_pv = 1, .bound = BOUND_LOWER});
    assert_int_equal(count_lines(&capture, "lowerbound"), 0);
    info_feed_add(feed, &(SearchInfo){.depth = 2, .multi_pv = 1, .bound = BOUND_EXACT});
    info_feed_add(feed, &(SearchInfo){.depth = 3, .multi_pv = 1, .bound = BOUND_UPPER});
    info_feed_finish(feed);
    assert_int_equal(count_lines(&capture, "lowerbound"), 0);
    assert_int_equal(count_lines(&capture, "upperbound"), 1);
    assert_true(strstr(capture.text, "upperbound") > strstr(capture.text, "info depth 2 "));
    info_feed_destroy(feed);
    capture_close(&capture);
}

static void test_feed_throttles_late_bounds_and_current_moves(void **state) {
    (void)state;
    enum { LATE = 10000000, TRIES = 500 };
    Capture capture;
    Position pos = test_position(FEN_START);
    capture_open(&capture);
    InfoFeed *feed = info_feed_create(&capture.output);
    info_feed_begin(feed, &pos, false);
    const SearchInfo bound = {.depth = 9, .multi_pv = 1, .bound = BOUND_LOWER, .time = LATE};
    const int64_t start = clock_milliseconds();
    for (int i = 0; i < TRIES; i++) {
        info_feed_add(feed, &bound);
        info_feed_add_current_move(feed, 9, move_make(E2, E4), 1);
    }
    const int64_t intervals = (clock_milliseconds() - start) / 50 + 1;
    assert_in_range(count_lines(&capture, "\n"), 1, intervals);
    clock_sleep_milliseconds(60);
    info_feed_add(feed, &bound);
    clock_sleep_milliseconds(60);
    info_feed_add_current_move(feed, 9, move_make(E2, E4), 1);
    assert_true(count_lines(&capture, "lowerbound") >= 2);
    assert_true(count_lines(&capture, "currmove e2e4 currmovenumber 1\n") >= 1);
    info_feed_destroy(feed);
    capture_close(&capture);
}

static void test_feed_keeps_a_set_whole(void **state) {
    (void)state;
    Capture capture;
    Position pos = test_position(FEN_START);
    capture_open(&capture);
    InfoFeed *feed = info_feed_create(&capture.output);
    info_feed_begin(feed, &pos, false);
    /* The reports of a stopped search with three lines. */
    info_feed_add(feed, &(SearchInfo){.depth = 5, .multi_pv = 1, .bound = BOUND_LOWER});
    info_feed_add(feed, &(SearchInfo){.depth = 5, .multi_pv = 2, .bound = BOUND_UPPER});
    info_feed_add(feed, &(SearchInfo){.depth = 4, .multi_pv = 3, .bound = BOUND_EXACT});
    info_feed_finish(feed);
    const char *first = strstr(capture.text, "multipv 1"), *second = strstr(capture.text, "multipv 2");
    assert_true(first != NULL && second > first && strstr(capture.text, "multipv 3") > second);
    assert_int_equal(count_lines(&capture, "\n"), 3);
    info_feed_destroy(feed);
    capture_close(&capture);
}

static void test_feed_reports_a_score_even_if_the_search_has_none(void **state) {
    (void)state;
    Capture capture;
    Position mated = test_position("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
    capture_open(&capture);
    InfoFeed *feed = info_feed_create(&capture.output);
    info_feed_begin(feed, &mated, false);
    info_feed_finish(feed);
    assert_string_equal(capture.text, "info depth 0 score mate 0\n");
    Position stalemated = test_position("7k/8/6Q1/8/8/8/8/K7 b - - 0 1");
    info_feed_begin(feed, &stalemated, true);
    info_feed_finish(feed);
    info_feed_begin(feed, &mated, true);
    info_feed_finish(feed);
    assert_string_equal(capture.text, "info depth 0 score mate 0\n"
                                      "info depth 0 score cp 0 wdl 0 1000 0\n"
                                      "info depth 0 score mate 0 wdl 0 0 1000\n");
    info_feed_destroy(feed);
    capture_close(&capture);
}

static void test_errors_are_printable(void **state) {
    (void)state;
    Capture capture;
    capture_open(&capture);
    Status status = status_error("a\nb\x80\xC3\xA9");
    output_error(&capture.output, "go", &status);
    assert_string_equal(capture.text, "info string error: go: a\\x0ab\\x80\xC3\xA9\n");
    status = status_ok();
    output_error(&capture.output, "go", &status);
    assert_int_equal(count_lines(&capture, "\n"), 1);
    capture_close(&capture);
}

static InputLine *line_of(const char *text) {
    InputLine *line = input_line_create(text_view(text));
    assert_non_null(line);
    return line;
}

static void test_input_order(void **state) {
    (void)state;
    Input input;
    InputLine *line = NULL;
    input_open(&input);
    input_post(&input, line_of("one"));
    input_post(&input, line_of("two"));
    input_end(&input);
    input_end_search(&input);
    assert_int_equal(input_take(&input, true, 0, &line), INPUT_SEARCH_OVER);
    assert_int_equal(input_take(&input, false, 1, &line), INPUT_TIMEOUT);
    assert_int_equal(input_take(&input, true, 0, &line), INPUT_LINE);
    assert_string_equal(line->text, "one");
    input_line_release(line);
    assert_int_equal(input_take(&input, true, 0, &line), INPUT_LINE);
    assert_string_equal(line->text, "two");
    input_line_release(line);
    assert_int_equal(input_take(&input, true, 0, &line), INPUT_END);
    assert_int_equal(input_take(&input, true, 0, &line), INPUT_END);
    input_post(&input, line_of("never taken"));
    input_release(&input);
}

static void test_a_queue_of_lines_is_bounded(void **state) {
    (void)state;
    LineQueue queue = {0};
    InputLine *lines[3];
    for (int i = 0; i < 3; i++) {
        lines[i] = line_of("line");
        lines[i]->size = LINE_QUEUE_MAX / 2 + 1;
    }
    lines[0]->size = 3 * (size_t)LINE_QUEUE_MAX;
    assert_true(line_queue_push(&queue, lines[0])); /* an empty queue takes any */
    assert_false(line_queue_push(&queue, lines[1]));
    input_line_release(line_queue_pop(&queue));
    assert_true(line_queue_push(&queue, lines[1]));
    assert_false(line_queue_push(&queue, lines[2]));
    input_line_release(lines[2]);
    line_queue_release(&queue);
    assert_int_equal(queue.size, 0);
}

static void test_lines_run_in_order(void **state) {
    (void)state;
    char *lines[] = {"position startpos moves e2e4", "go depth 2", "isready", "quit", "isready"};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_ok(uci_run_lines(lines, 5, out));
    fclose(out);
    char *best = strstr(text, "bestmove "), *ready = strstr(text, "readyok");
    assert_non_null(best);
    assert_true(ready > best);
    assert_null(strstr(ready + 1, "readyok"));
    free(text);
}

static void expect_lines_to_fail(const char *first, const char *reason, const char *answer) {
    char *lines[] = {strdup(first), "go depth 1"}, *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_fails(uci_run_lines(lines, 2, out), reason);
    fclose(out);
    assert_non_null(strstr(text, answer));
    free(lines[0]);
    free(text);
}

static void test_a_fault_fails_a_command_line(void **state) {
    (void)state;
    expect_lines_to_fail("position fen 8/8/8/8/8/8/8/8 w", "White has 0 kings", "bestmove (none)");
    expect_lines_to_fail("position startpos moves e2e4 a1a8", "illegal move 'a1a8'", "bestmove ");
    expect_lines_to_fail("position", "expected 'position", "bestmove (none)");
    expect_lines_to_fail("go searchmoves e2e5", "illegal move 'e2e5'", "bestmove (none)");
    expect_lines_to_fail("setoption name Hash value x", "Hash", "bestmove ");
    expect_lines_to_fail("xyz", "unknown command 'xyz'", "bestmove ");
}

/* Runs the UCI loop on an input; returns its output, to be freed. */
static char *serve(const char *input) {
    char *text, *copy = strdup(input);
    size_t size;
    FILE *in = fmemopen(copy, strlen(copy), "r"), *out = open_memstream(&text, &size);
    assert_ok(uci_serve(in, out));
    fclose(in);
    fclose(out);
    free(copy);
    return text;
}

static void test_end_of_input_stops_the_search_and_runs_the_rest(void **state) {
    (void)state;
    char *text = serve("position startpos\ngo infinite\nposition startpos moves e2e4\ngo infinite\nd\n");
    char *first = strstr(text, "bestmove "), *second = first != NULL ? strstr(first + 1, "bestmove ") : NULL;
    assert_non_null(second);
    assert_true(strstr(text, "/4P3/") > second);
    assert_true(strstr(text, "info string the input ended") < first);
    free(text);
    text = serve("go infinite\nquit\n"); /* which says that it ends */
    assert_null(strstr(text, "the input ended"));
    free(text);
}

static void test_nothing_after_quit_is_read(void **state) {
    (void)state;
    char *text = serve("isready\nquit\nisready\n");
    char *ready = strstr(text, "readyok");
    assert_non_null(ready);
    assert_null(strstr(ready + 1, "readyok"));
    free(text);
}

/* The search may end by itself after the `isready` was read and before it was answered. */
static void test_isready_is_answered_when_the_search_ends(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        char *text = serve(i % 2 == 0 ? "go depth 1\nisready\nquit\n" : "go depth 2\nisready\nquit\n");
        assert_non_null(strstr(text, "readyok"));
        assert_non_null(strstr(text, "bestmove"));
        free(text);
    }
}

/* The first `explain` is over, but perhaps not yet left, when the second one and its `isready` are read. */
static void test_isready_is_answered_after_a_refused_explain(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        char *text = serve("explain e5\nexplain d5\nisready\n");
        char *error = strstr(text, "error: explain: illegal move 'd5'");
        assert_non_null(error);
        assert_non_null(strstr(error, "readyok"));
        free(text);
    }
}

static void test_board(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    TextBuffer text = {0};
    board_draw(&text, &pos, (BoardLook){.style = BOARD_LETTERS});
    assert_non_null(strstr(buffer_string(&text), " 8  . . . . k . . .\n"));
    assert_non_null(strstr(buffer_string(&text), " 1  R . . . K . . R\n    a b c d e f g h\n"));
    buffer_clear(&text);
    board_draw(&text, &pos, (BoardLook){.style = BOARD_COLORS});
    assert_non_null(strstr(buffer_string(&text), "♚"));
    assert_null(strstr(buffer_string(&text), "48;5;150"));
    buffer_clear(&text);
    board_draw(&text, &pos, (BoardLook){.style = BOARD_COLORS, .last = move_make(A1, B1)});
    assert_non_null(strstr(buffer_string(&text), "48;5;150"));
    buffer_clear(&text);
    board_draw(&text, &pos, (BoardLook){.style = BOARD_LETTERS, .flipped = true});
    assert_non_null(strstr(buffer_string(&text), " 1  R . . K . . . R\n"));
    assert_non_null(strstr(buffer_string(&text), " 8  . . . k . . . .\n    h g f e d c b a\n"));
    buffer_release(&text);
}

static void test_moves_and_scores_for_people(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/8/8/8/8/4K2R b K - 3 17");
    const Move moves[] = {move_make(E8, E7), move_make_kind(E1, H1, CASTLING), move_make(E7, E8)};
    TextBuffer text = {0};
    lines_append_moves(&text, &pos, moves, 3, SIZE_MAX);
    assert_string_equal(buffer_string(&text), "17... Ke7 18. O-O Ke8");
    buffer_clear(&text);
    lines_append_moves(&text, &pos, moves, 3, 18);
    assert_string_equal(buffer_string(&text), "17... Ke7 18. O-O");
    buffer_clear(&text);
    lines_append_score(&text, 3 * SCORE_UNITS_PER_PAWN, BLACK);
    lines_append_score(&text, score_mate_in(1), WHITE);
    lines_append_score(&text, score_mate_in(3), BLACK);
    assert_string_equal(buffer_string(&text), "-3.00#1#-2");
    buffer_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_go_clocks_in_any_order),
        cmocka_unit_test(test_go_bare_will_not_end),
        cmocka_unit_test(test_go_zero_is_never_no_limit),
        cmocka_unit_test(test_go_huge_numbers_are_limited),
        cmocka_unit_test(test_go_search_moves),
        cmocka_unit_test(test_go_bad_search_moves),
        cmocka_unit_test(test_go_numbers_as_programs_print_them),
        cmocka_unit_test(test_go_limits_without_a_number_do_not_count),
        cmocka_unit_test(test_go_perft),
        cmocka_unit_test(test_info_line),
        cmocka_unit_test(test_info_line_with_chances),
        cmocka_unit_test(test_best_move_line),
        cmocka_unit_test(test_feed_shows_every_exact_line_at_once),
        cmocka_unit_test(test_feed_keeps_early_bounds_for_the_end),
        cmocka_unit_test(test_feed_throttles_late_bounds_and_current_moves),
        cmocka_unit_test(test_feed_keeps_a_set_whole),
        cmocka_unit_test(test_feed_reports_a_score_even_if_the_search_has_none),
        cmocka_unit_test(test_errors_are_printable),
        cmocka_unit_test(test_input_order),
        cmocka_unit_test(test_a_queue_of_lines_is_bounded),
        cmocka_unit_test(test_lines_run_in_order),
        cmocka_unit_test(test_a_fault_fails_a_command_line),
        cmocka_unit_test(test_end_of_input_stops_the_search_and_runs_the_rest),
        cmocka_unit_test(test_nothing_after_quit_is_read),
        cmocka_unit_test(test_isready_is_answered_when_the_search_ends),
        cmocka_unit_test(test_isready_is_answered_after_a_refused_explain),
        cmocka_unit_test(test_board),
        cmocka_unit_test(test_moves_and_scores_for_people),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
