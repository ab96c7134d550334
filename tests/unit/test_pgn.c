#include "chess/game.h"

#include "base/clock.h"
#include "chess/pgn.h"
#include "chess/pgn_write.h"
#include "test_support.h"

#include <stdlib.h>

/* Reads the next game; whether there is one. */
static bool read_next(TextView *rest, int *line, Game *game, Problems *problems) {
    bool found;
    assert_ok(pgn_read_game(rest, line, game, &found, problems));
    return found;
}

/* Reads the first game; fails the test if there is none or something is wrong with it. */
static Game read_one(const char *text) {
    TextView rest = text_view(text);
    Game game = {0};
    Problems problems = {0};
    int line = 1;
    assert_true(read_next(&rest, &line, &game, &problems));
    assert_string_equal(buffer_string(&problems.text), "");
    return game;
}

static void assert_moves(const Game *game, const char *expected) {
    TextBuffer text = {0};
    for (int i = 0; i < game->move_count; i++) {
        char lan[LAN_CAPACITY];
        Position any = {.chess960 = game->start.chess960,
                        .side = i % 2 == 0 ? game->start.side : color_other(game->start.side)};
        lan_write(&any, game->moves[i], lan);
        buffer_append_format(&text, "%s%s", i == 0 ? "" : " ", lan);
    }
    assert_string_equal(buffer_string(&text), expected);
    buffer_release(&text);
}

/* The notes at a place as PGN text. */
static void assert_notes(const Game *game, int place, const char *expected) {
    TextBuffer text = {0};
    int count;
    const GameNote *notes = game_notes(game, place, &count);
    for (int i = 0; i < count; i++) {
        if (i > 0) buffer_append_char(&text, ' ');
        if (notes[i].kind == NOTE_NAG)
            buffer_append_format(&text, "$%d", notes[i].nag);
        else
            buffer_append_format(&text, notes[i].kind == NOTE_COMMENT ? "{%s}" : "(%s)",
                                 game_note_text(game, &notes[i]));
    }
    assert_string_equal(buffer_string(&text), expected);
    buffer_release(&text);
}

static void plain_game_is_read(void **state) {
    (void)state;
    Game game = read_one("[Event \"Club\"]\n[White \"A, B\"]\n[Result \"1-0\"]\n\n"
                         "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6?? 4. Qxf7# 1-0\n");
    assert_moves(&game, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7");
    assert_string_equal(game_tag(&game, "White"), "A, B");
    assert_null(game_tag(&game, "Black"));
    assert_int_equal(game.result, WHITE_WINS);
    game_release(&game);
    assert_null(game.moves);
}

static void variations_have_the_letters_of_the_game_in_english(void **state) {
    (void)state;
    Game game = read_one("1. d4 d5 2. Sf3 (2. Lf4 {Sf6 ist gut} Sf6 (2... Dd6 3. Se5) 3. e3 $1 1-0) Sf6 *");
    assert_notes(&game, 3, "(2. Bf4 {Sf6 ist gut} Nf6 (2... Qd6 3. Ne5) 3. e3 $1 1-0)");
    game_release(&game);
    game = read_one("[FEN \"4k3/P6p/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=D+ (1. a8(S) h5) Kd7 *");
    assert_notes(&game, 1, "(1. a8(N) h5)");
    game_release(&game);
}

static void what_files_contain_is_read(void **state) {
    (void)state;
    Game game = read_one("\xEF\xBB\xBF% escaped [Event \"no\"]\n[Event \"x\"]\r\n\r\n"
                         "1.e4! {best by test} $1 (1.d4 d5 (1...Nf6 {a ) in here} 2.c4) 2.c4 ; and ) here\n"
                         ") 1... e5 ; the rest { is no comment\n"
                         "% 2. Qh5\n"
                         "2.Nf3$14 ... Nc6 +/- 3. Bb5 a6 \n 4 Ba4 Nf6 5. 0-0 = *");
    assert_moves(&game, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1");
    assert_notes(&game, 1, "$1 {best by test} $1 (1.d4 d5 (1...Nf6 {a ) in here} 2.c4) 2.c4 {and ) here})");
    assert_notes(&game, 2, "{the rest ( is no comment}");
    assert_notes(&game, 3, "$14");
    assert_notes(&game, 4, "$16");
    assert_notes(&game, 9, "$10");
    assert_int_equal(game.result, UNDECIDED);
    game_release(&game);
}

static void moves_may_have_brackets_and_annotations(void **state) {
    (void)state;
    Game game = read_one("[FEN \"8/P7/8/8/8/8/k7/2K5 w - - 0 1\"]\n\n1. a8(Q)+(1. Kd2 Kb2) Kb3 1-0\n");
    assert_moves(&game, "a7a8q a2b3");
    assert_notes(&game, 1, "(1. Kd2 Kb2)");
    game_release(&game);
    game = read_one("1. e4= e5 2. Qh5+- Nc6-+ 3. Bc4!? g6+/= 4. Qxg6+-+ hxg6!! *");
    assert_moves(&game, "e2e4 e7e5 d1h5 b8c6 f1c4 g7g6 h5g6 h7g6");
    static const char *const NOTES[] = {"$10", "", "$18", "$19", "$5", "$14", "$19", "$3"};
    for (int i = 0; i < 8; i++) assert_notes(&game, i + 1, NOTES[i]);
    game_release(&game);
}

static void comments_stay_with_their_moves(void **state) {
    (void)state;
    Game game = read_one("{ before } 1. d4 { one\n  two } {three} d5 {} 2. c4 {[%clk 0:01:00]} 1/2-1/2");
    assert_int_equal(game.move_count, 3);
    assert_notes(&game, 0, "{before}");
    assert_notes(&game, 1, "{one two} {three}");
    assert_notes(&game, 2, "");
    assert_notes(&game, 3, "{[%clk 0:01:00]}");
    assert_string_equal(game_comment(&game, 1), "one two");
    assert_null(game_comment(&game, 2));
    assert_int_equal(game.result, DRAWN);
    game_release(&game);
}

static void notes_keep_their_places(void **state) {
    (void)state;
    Game game =
        read_one("; of the file\n[Event \"x\"]\n\n$3 (1. c4) 1. e4 e5?! +/- =/= "
                 "({} 1... c5\n%skipped\n {a { b} ; c } d\n) 2. Nf3!!! # Nc6 () 1-0 {after} $1 ; end");
    assert_notes(&game, 0, "{of the file} $3 {(1. c4)}");
    assert_notes(&game, 1, "");
    assert_notes(&game, 2, "$6 $16 {=/=} ({} 1... c5 {a ( b} {c ) d})");
    assert_notes(&game, 3, "{!!!}");
    assert_notes(&game, 4, "");
    assert_notes(&game, AFTER_RESULT, "{after} $1 {end}");
    game_release(&game);
}

static void notes_between_games_belong_to_the_next(void **state) {
    (void)state;
    const char *text = "1. e4 * {a}\n{b}\n\n{c}\n[Event \"2\"]\n\n1. d4 *\n\n; d\n\n{e}\n";
    TextView rest = text_view(text);
    Game game = {0};
    Problems problems = {0};
    int line = 1;
    assert_true(read_next(&rest, &line, &game, &problems));
    assert_notes(&game, AFTER_RESULT, "{a} {b}");
    assert_true(read_next(&rest, &line, &game, &problems));
    assert_notes(&game, 0, "{c}");
    assert_string_equal(game_tag(&game, "Event"), "2");
    assert_notes(&game, AFTER_RESULT, "{d} {e}");
    assert_false(read_next(&rest, &line, &game, &problems));
    assert_string_equal(buffer_string(&problems.text), "");
    game_release(&game);
}

/* However many tags there are: what is written is read again, and the game starts where it should. */
static void many_tags_cost_none_of_the_start(void **state) {
    (void)state;
    TextBuffer text = {0}, once = {0}, twice = {0};
    for (int i = 0; i < 300; i++) buffer_append_format(&text, "[A%d \"x\"]\n", i);
    buffer_append_string(&text, "[white \"last\"]\n[fen \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *");
    for (int round = 0; round < 2; round++) {
        TextBuffer *const out = round == 0 ? &once : &twice;
        TextView rest = buffer_view(round == 0 ? &text : &once);
        Game game = {0};
        Problems problems = {0};
        bool found;
        int line = 1;
        assert_ok(pgn_read_game(&rest, &line, &game, &found, &problems));
        assert_moves(&game, "e1g1");
        assert_string_equal(game_tag(&game, "White"), "last");
        assert_int_equal(problems.count[PROBLEM_LOSS], 0);
        pgn_write_game(&game, out);
        problems_release(&problems);
        game_release(&game);
    }
    assert_string_equal(buffer_string(&once), buffer_string(&twice));
    buffer_release(&text);
    buffer_release(&once);
    buffer_release(&twice);
}

static void tags_are_unescaped(void **state) {
    (void)state;
    Game game = read_one("[Event \"the \\\"big\\\" one \\\\ [a]\"]\n\n*");
    assert_string_equal(game_tag(&game, "Event"), "the \"big\" one \\ [a]");
    game_release(&game);
}

static void long_tags_are_cut(void **state) {
    (void)state;
    Game game = read_one("[AnnotatorOfTheSecondHalfOfTheGame \"x\"]\n\n1. e4 *");
    assert_string_equal(game_tag(&game, "AnnotatorOfTheSecondHalfOfTheGa"), "x");
    assert_int_equal(game.move_count, 1);
    game_release(&game);
    TextBuffer text = {0};
    buffer_append_string(&text, "[White \"x");
    for (int i = 0; i < 200; i++) buffer_append_string(&text, "\xC3\xA9");
    buffer_append_string(&text, "\"]\n\n1. e4 *\n");
    game = read_one(buffer_string(&text));
    const char *white = game_tag(&game, "White");
    assert_int_equal(strlen(white) % 2, 1); /* no incomplete character */
    assert_true(strlen(white) + 2 >= sizeof((GameTag *)0)->value - 1);
    buffer_release(&text);
    game_release(&game);
}

static void games_are_read_one_after_the_other(void **state) {
    (void)state;
    TextView rest = text_view("[Event \"1\"]\n\n1. e4 1-0\n\n[Event \"2\"]\n\n1. d4 d5\n\n" /* no result */
                              "[Event \"3\"]\n[Result \"0-1\"]\n\n[Event \"4\"]\n\n*\n1. c4 *\n\n");
    const char *events[] = {"1", "2", "3", "4", NULL};
    const GameResult results[] = {WHITE_WINS, UNDECIDED, BLACK_WINS, UNDECIDED, UNDECIDED};
    const int counts[] = {1, 2, 0, 0, 1}, lines[] = {3, 7, 11, 13, 14};
    Game game = {0};
    Problems problems = {0};
    int line = 1;
    for (int i = 0; i < 5; i++) {
        assert_true(read_next(&rest, &line, &game, &problems));
        if (events[i] != NULL) assert_string_equal(game_tag(&game, "Event"), events[i]);
        assert_int_equal(game.result, results[i]);
        assert_int_equal(game.move_count, counts[i]);
        assert_true(line >= lines[i]);
    }
    assert_false(read_next(&rest, &line, &game, &problems));
    assert_int_equal(problems.count[PROBLEM_LOSS] + problems.count[PROBLEM_WARNING], 0);
    assert_int_equal(rest.length, 0);
    assert_int_equal(line, 17);
    game_release(&game);
}

static void positions_and_variants_are_set_up(void **state) {
    (void)state;
    Game game = read_one("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/p7/4K2R b K - 3 40\"]\n\n40... Kd8 41. O-O *");
    assert_int_equal(game.start.side, BLACK);
    assert_int_equal(game.start.fullmove, 40);
    assert_int_equal(game.move_count, 2);
    game_release(&game);
    game = read_one(
        "[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]"
        "\n\n9. Nf3 *");
    assert_true(game.start.chess960);
    assert_int_equal(game.move_count, 1);
    game_release(&game);
    game = read_one("[Variant \"fischerandom\"]\n\n1. e4 *");
    assert_true(game.start.chess960);
    game_release(&game);
}

/* What was read before a fault stays; the message names line and place. */
static void faults_cost_no_more_than_themselves(void **state) {
    (void)state;
    const struct {
        const char *text, *moves, *reason;
    } cases[] = {
        {"[Event \"x\"]\n\n1. e4 e5\n2. Ke3 Nc6 *", "e2e4 e7e5",
         "line 4, move 2. illegal move 'Ke3': no king can go to e3; legal moves: Ke2"},
        {"1. e4 e5 2. Nf3 Nf3", "e2e4 e7e5 g1f3", "line 1, move 2... illegal move 'Nf3'"},
        {"1. e4 hello", "e2e4", "line 1, move 1... unreadable move 'hello'"},
        {"1. e4 -- 2. d4 *", "e2e4", "line 1, move 1... '--' passes the turn"},
        {"1. e4 e5 2. N", "e2e4 e7e5", "line 1, move 2. unreadable move 'N'"},
        {"1. e4 e5 2. N f3", "e2e4 e7e5", "line 1, move 2. unreadable move 'N'"},
        {"1. e4\n{ open\n\n", "e2e4", "line 2: the comment that begins here has no closing brace"},
        {"1. e4 (1. d4 {)", "e2e4", "line 1: the variation that begins here has no closing parenthesis"},
        {"1. e4\n(1. d4 (1. c4)", "e2e4", "line 2: the variation that begins here has no closing"},
        {"[Event \"x]\n\n1. e4 *", "e2e4", "line 1: '[Event \"x]' is skipped"},
        {"[Event \"x\"\n[Site \"y\"]\n1. e4 *", "e2e4", "line 1: '[Event \"x\"' is skipped"},
        {"[PlyCount 1]\n\n1. e4 *", "e2e4", "line 1: '[PlyCount 1]' is skipped"},
        {"x[A \"x\"]\n\n1. e4 *", "e2e4", "line 1: 'x' is skipped"},
        {"[A:B \"x\"]\nC \"y\"]\n\n1. e4 *", "e2e4", "line 2: 'C \"y\"]' is skipped"},
        {"[Variant \"Odd\"]\n\n1. e4 *", "e2e4", "line 1: the variant 'Odd' is unknown"},
        {"[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n\n1. O-O *", "e1g1", "line 1: the castling rights 'Q'"},
        {"1. e4 e5 1-0 2. Nf3 1-0 1-0", "e2e4 e7e5", "line 1: '2.' and what follows it after the result"},
        {"1. e4 e5 2. Rf3 *", "e2e4 e7e5",
         "line 1, move 2. illegal move 'Rf3': no rook"},               /* no knight of Finnish */
        {"1. e4 d5 2. Dxe4 *", "e2e4 d7d5", "unreadable move 'Dxe4'"}, /* and no pawn's move */
        {"1. e4 e5 2. Le2 *", "e2e4 e7e5", "it is unclear in which language 'Le2' names a piece"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TextView rest = text_view(cases[i].text);
        Game game = {0};
        Problems problems = {0};
        int line = 1;
        assert_true(read_next(&rest, &line, &game, &problems));
        assert_moves(&game, cases[i].moves);
        if (strstr(buffer_string(&problems.text), cases[i].reason) == NULL)
            fail_msg("%s: '%s' without '%s'", cases[i].text, buffer_string(&problems.text), cases[i].reason);
        assert_false(read_next(&rest, &line, &game, &problems));
        problems_release(&problems);
    }
}

/* A game that cannot be read at all, and text that is none, cost no other game. */
static void reading_continues_after_a_faulty_game(void **state) {
    (void)state;
    TextView rest = text_view("Dear all,\nthat was fun\n\n"
                              "[Event \"bad\"]\n[FEN \"x\"]\n[Round \"2\"]\n\n1. e4 {\n[%eval 1]} *\n\n"
                              "[Event \"bad\"]\n[Variant \"Three-check\"]\n\n1. e4 *\n\n"
                              "[Event \"cut\"\n[Round \"3\"]\n\n1. d4 Nf\n\n"
                              "[Event \"good\"]\n\n1. e4 *\n");
    Game game = {0};
    Problems problems = {0};
    int line = 1;
    assert_true(read_next(&rest, &line, &game, &problems));
    assert_null(game_tag(&game, "Event"));
    assert_moves(&game, "d2d4");
    assert_notes(&game, 1, "{Not read: Nf}");
    assert_true(read_next(&rest, &line, &game, &problems));
    assert_string_equal(game_tag(&game, "Event"), "good");
    assert_moves(&game, "e2e4");
    assert_false(read_next(&rest, &line, &game, &problems));
    assert_int_equal(problems.count[PROBLEM_LOSS], 3);
    assert_int_equal(problems.count[PROBLEM_WARNING], 2);
    problems_release(&problems);
}

static void what_is_not_read_stays_as_a_comment(void **state) {
    (void)state;
    TextView rest = text_view("1. e4 e5 2. Ke3 {why} (2. Nf3 1-0) Nc6 3. d4 0-1 1. d4 *");
    Game game = {0};
    Problems problems = {0};
    int line = 1;
    assert_true(read_next(&rest, &line, &game, &problems));
    assert_notes(&game, 2, "{Not read: Ke3 (why) (2. Nf3 1-0) Nc6 3. d4}");
    assert_int_equal(game.result, BLACK_WINS);
    assert_true(read_next(&rest, &line, &game, &problems));
    assert_moves(&game, "d2d4");
    game_release(&game);
    problems_release(&problems);
}

/* Other ways to write what is meant are no faults. */
static void other_ways_of_writing_are_read(void **state) {
    (void)state;
    const struct {
        const char *text, *moves;
        GameResult result;
    } cases[] = {
        {"1.\u00A0e4\u200Be5 2.\u2009N\u200Bf3 1\u2026 *", "e2e4 e7e5 g1f3", UNDECIDED},
        {"1. e4 e5 } 2. Nf3 *", "e2e4 e7e5 g1f3", UNDECIDED},
        {"1. e4 {a {b} c} e5 {d { e} *", "e2e4 e7e5", UNDECIDED},
        {"1. e4 {a { b}\n% {\n1... e5 *", "e2e4 e7e5", UNDECIDED},
        {"1. e4 e5 2. Nf3*", "e2e4 e7e5 g1f3", UNDECIDED},
        {"1. e4, e5 \u00BD\u2013\u00BD", "e2e4 e7e5", DRAWN},
        {"1. e4 e5 1:0", "e2e4 e7e5", WHITE_WINS},
        {"1. e4 e5 0.5-0.5", "e2e4 e7e5", DRAWN},
        {"1. e4 e5 0-1 0-1", "e2e4 e7e5", BLACK_WINS},
        {"1. e4 a6 2. e5 d5 3. exd6 ep *", "e2e4 a7a6 e4e5 d7d5 e5d6", UNDECIDED},
        {"1. e4 d5 2. ed5: Q\u00D7d5 *", "e2e4 d7d5 e4d5 d8d5", UNDECIDED},
        {"1. e4 f5 2. Qh5ch g6 3. Q\u2013h6 *", "e2e4 f7f5 d1h5 g7g6 h5h6", UNDECIDED},
        {"[fen \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O\u2013O *", "e1g1", UNDECIDED},
        {"[FEN \"4k3/8/8/8/8/8/6p1/4K2R b - - 0 1\"]\n\n1... gxh1+=Q *", "g2h1q", UNDECIDED},
        {"[FEN \"\"]\n[SetUp \"1\"]\n\n1. e4 *", "e2e4", UNDECIDED},
        {"[Opening \"The \"Big\" Gambit\"]\n[Event \"Open \\\"]\n\n1. e4 *", "e2e4", UNDECIDED},
        {"[Annotator \"one\ntwo\"]\n\n1. e4 *", "e2e4", UNDECIDED},
        {"[Event \"a\"]\n\n1. e4 {x\n[Event \"b\"]\ny} e5 [%clk 0:01:00] *", "e2e4 e7e5", UNDECIDED},
        {"(1. d4 d5) 1. e4 e5 *", "e2e4 e7e5", UNDECIDED},
        {"1. e4 e5 2. nf3 nc6 3. bb5 *", "e2e4 e7e5 g1f3 b8c6 f1b5", UNDECIDED},
        {"1. E4 E5 2. NF3 *", "e2e4 e7e5 g1f3", UNDECIDED},
        {"1. e4 e5 2. \u2658f3 \u265Ec6 *", "e2e4 e7e5 g1f3 b8c6", UNDECIDED},
        {"1. e4 e5 2. Sf3 Sc6 3. Lb5 *", "e2e4 e7e5 g1f3 b8c6 f1b5", UNDECIDED},
        {"1. e4 e5 2. Cf3 Cc6 3. Fb5 *", "e2e4 e7e5 g1f3 b8c6 f1b5", UNDECIDED},
        {"1. e4 e5 2. \u041Af3 \u041Ac6 3. \u0421b5 *", "e2e4 e7e5 g1f3 b8c6 f1b5", UNDECIDED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Game game = read_one(cases[i].text);
        assert_moves(&game, cases[i].moves);
        assert_int_equal(game.result, cases[i].result);
        game_release(&game);
    }
    Game game =
        read_one("1. e4\u203C e5\u2047 2. Nf3\u221E Nc6\u00B1 3. Bb5N \u25A1 a6\u2212+ 4. Ba4\u2A72! *");
    static const char *const NOTES[] = {"$3", "$4", "$13", "$16", "$146 $7", "$19", "$14 $1"};
    for (int i = 0; i < 7; i++) assert_notes(&game, i + 1, NOTES[i]);
    game_release(&game);
    game = read_one("[Opening \"The \"Big\" Gambit\"]\n[Site \"a \\\"]\n\n*");
    assert_string_equal(game_tag(&game, "Opening"), "The \"Big\" Gambit");
    assert_string_equal(game_tag(&game, "site"), "a \\");
    game_release(&game);
}

/* An unclosed comment ends at an empty line and the tags of the next game. */
static void an_open_comment_costs_its_own_game_only(void **state) {
    (void)state;
    static const char *const OPEN[] = {"{ open", "(1. d4", "(1. d4 {x", "{[%eval 1]\n[%clk 0:01:00]\n"};
    static const char *const GAPS[] = {"\n\n[White \"a\"]\n", "\r\n\r\n[White \"a\"]\r\n",
                                       "\n \n[Event \"b\"]\n", "\n \n[Round \"}\"]\n"};
    for (int i = 0; i < 16; i++) {
        TextBuffer text = {0};
        buffer_append_format(&text, "[Event \"a\"]\n\n1. e4\ne5 %s%s\n1. c4 {closed} (1. d4) *\n",
                             OPEN[i % 4], GAPS[i / 4]);
        TextView rest = buffer_view(&text);
        Game game = {0};
        Problems problems = {0};
        int line = 1;
        assert_true(read_next(&rest, &line, &game, &problems));
        assert_moves(&game, "e2e4 e7e5");
        assert_true(text_starts_with(buffer_view(&problems.text), "line 4: the "));
        assert_true(read_next(&rest, &line, &game, &problems));
        assert_int_equal(game.move_count, 1);
        assert_notes(&game, 1, "{closed} (1. d4)");
        assert_int_equal(problems.count[PROBLEM_LOSS], 1);
        game_release(&game);
        problems_release(&problems);
        buffer_release(&text);
    }
}

/* Twice the input must take about twice the time; a second is enough for what once took a minute. */
static void notes_cost_no_more_than_their_length(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    static const char *const NOTE[] = {"{a comment} ",     "$1 ", "(1. d4 (1. c4)) ", "; a line\n", "( ",
                                       "{\n\n[a \"x\"]\n", "[ ",  "[a \"x\"] "};
    for (int kind = 0; kind < 8; kind++) {
        TextBuffer text = {0};
        buffer_append_string(&text, "1. e4 ");
        for (int i = 0; i < COUNT; i++) buffer_append_string(&text, NOTE[kind]);
        TextView rest = buffer_view(&text);
        Game game = {0};
        Problems problems = {0};
        int line = 1;
        const int64_t start = clock_cpu_microseconds();
        assert_true(read_next(&rest, &line, &game, &problems));
        if (kind < 4) assert_int_equal(game.note_count, COUNT);
        while (read_next(&rest, &line, &game, &problems)) {
        }
        problems_release(&problems);
        assert_true(clock_cpu_microseconds() - start < 1000 * test_within(1000));
        game_release(&game);
        buffer_release(&text);
    }
}

static void notes_are_written_as_programs_read_them(void **state) {
    (void)state;
    const char *text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
                       "[Black \"?\"]\n[Result \"1-0\"]\n\n"
                       "{Before the first move.} 1. e4 $1 {One. [%clk 0:01:00]} {Two.} (1. d4 d5 (1...\n"
                       "Nf6 {Indian.}) 2. c4) (1. c4) 1... e5 $2 2. Nf3 {This comment goes on until the\n"
                       "line is almost full, so that the command moves to the next line:\n"
                       "[%clk 0:00:30]} 2... Nc6 1-0 {After the result.}\n\n";
    Game game = read_one(text);
    TextBuffer out = {0};
    pgn_write_game(&game, &out);
    assert_string_equal(buffer_string(&out), text);
    game_release(&game);
    buffer_release(&out);
}

/* Wherever lines break, none starts like an escape or a tag. */
static void no_written_line_looks_like_something_else(void **state) {
    (void)state;
    for (int shift = 0; shift < 80; shift++) {
        Game game = {0};
        TextBuffer comment = {0}, out = {0};
        for (int i = 0; i < shift; i++) buffer_append_char(&comment, 'x');
        buffer_append_string(&comment, " %escape [Event \"x\"] [ Site \"y\"]");
        Position pos = test_position(FEN_START);
        Move move;
        assert_ok(lan_parse(&pos, text_view("e2e4"), &move));
        assert_ok(game_add_move(&game, move, buffer_string(&comment)));
        pgn_write_game(&game, &out);
        TextView rest = buffer_view(&out), line;
        bool moves = false;
        while (text_next_line(&rest, &line)) {
            moves |= text_is_empty(line);
            if (moves && line.length > 0) assert_true(line.data[0] != '%' && line.data[0] != '[');
        }
        game_release(&game);
        game = read_one(buffer_string(&out));
        assert_string_equal(game_comment(&game, 1), buffer_string(&comment) + (shift == 0));
        game_release(&game);
        buffer_release(&comment);
        buffer_release(&out);
    }
}

static void written_form_is_the_export_format(void **state) {
    (void)state;
    Game game = {0};
    assert_ok(game_set_tag(&game, "ECO", "C20"));
    assert_ok(game_set_tag(&game, "White", "The \"Fish\" \\ Co"));
    assert_ok(game_set_tag(&game, "Event", "Test\nmatch"));
    Position pos = test_position(FEN_START);
    Move move;
    assert_ok(lan_parse(&pos, text_view("e2e4"), &move));
    assert_ok(game_add_move(&game, move, "+0.31/12 {brace} }"));
    test_play(&pos, "e2e4");
    assert_ok(lan_parse(&pos, text_view("e7e5"), &move));
    assert_ok(game_add_move(&game, move, NULL));
    game.result = WHITE_WINS;
    TextBuffer out = {0};
    pgn_write_game(&game, &out);
    assert_string_equal(
        buffer_string(&out),
        "[Event \"Test match\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
        "[White \"The \\\"Fish\\\" \\\\ Co\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n"
        "1. e4 {+0.31/12 (brace) )} 1... e5 1-0\n\n");
    buffer_release(&out);
    game_release(&game);
}

static void bad_tags_are_refused(void **state) {
    (void)state;
    Game game = {0};
    char long_value[300];
    memset(long_value, 'a', sizeof long_value - 1);
    long_value[sizeof long_value - 1] = '\0';
    assert_fails(game_set_tag(&game, "two words", "x"), "no name");
    assert_fails(game_set_tag(&game, "", "x"), "no name");
    assert_fails(game_set_tag(&game, "A\"]", "x"), "no name");
    assert_fails(game_set_tag(&game, "Event", long_value), "too long");
    assert_int_equal(game.tag_count, 0);
    assert_ok(game_set_tag(&game, "Event", "a"));
    assert_ok(game_set_tag(&game, "Event", "b"));
    assert_int_equal(game.tag_count, 1);
    assert_string_equal(game_tag(&game, "Event"), "b");
    game_release(&game);
}

static void play_random_game(Game *game, Rng *rng, bool chess960) {
    char fen[FEN_CAPACITY];
    fen_chess960_start(chess960 ? (int)rng_below(rng, 960) : 518, 518, fen);
    assert_ok(fen_parse(&game->start, text_view(fen), chess960));
    Position pos = game->start;
    for (int ply = 0; ply < 150 && game_end(&pos) == GAME_GOES_ON; ply++) {
        Undo undo;
        char comment[80];
        const Move move = test_random_move(&pos, rng);
        text_format(comment, sizeof comment, "%s\"%d\" ; ply (%d [%%clk", ply % 7 == 0 ? "% " : "", ply, ply);
        assert_ok(game_add_move(game, move, rng_below(rng, 3) == 0 ? comment : NULL));
        position_make_move(&pos, move, &undo);
    }
    game->result = DRAWN;
}

static void assert_lines_are_short(TextView text) {
    TextView line;
    while (text_next_line(&text, &line)) {
        if (line.length > 79)
            fail_msg("a line of %d columns: %.*s", (int)line.length, (int)line.length, line.data);
    }
}

static void random_games_are_written_and_read(void **state) {
    (void)state;
    TextBuffer file = {0};
    Game games[20] = {0};
    for (int i = 0; i < 20; i++) {
        Rng rng = rng_stream(23, (uint64_t)i);
        play_random_game(&games[i], &rng, i % 2 == 1);
        pgn_write_game(&games[i], &file);
    }
    assert_false(file.failed);
    assert_lines_are_short(buffer_view(&file));
    TextView rest = buffer_view(&file);
    Game read = {0};
    Problems problems = {0};
    int line = 1;
    for (int i = 0; i < 20; i++) {
        assert_true(read_next(&rest, &line, &read, &problems));
        assert_int_equal(read.move_count, games[i].move_count);
        assert_true(position_equals(&read.start, &games[i].start));
        assert_int_equal(read.start.chess960, games[i].start.chess960);
        assert_int_equal(read.result, DRAWN);
        for (int move = 0; move < read.move_count; move++) {
            assert_int_equal(read.moves[move], games[i].moves[move]);
            const char *expected = game_comment(&games[i], move + 1),
                       *comment = game_comment(&read, move + 1);
            if (expected == NULL)
                assert_null(comment);
            else
                assert_string_equal(comment, expected);
        }
        game_release(&games[i]);
    }
    assert_false(read_next(&rest, &line, &read, &problems));
    assert_string_equal(buffer_string(&problems.text), "");
    buffer_release(&file);
}

/* Any bytes: every call consumes some and reads none after the end (the copy has the exact size). */
static void reading_survives_any_bytes(void **state) {
    (void)state;
    const char alphabet[] = "[]{}()\";%$\\*01-/.+#!=xO \n\r\tabcdefghNBRQKEvnt\xff\xef";
    for (uint64_t round = 0; round < 3000; round++) {
        Rng rng = rng_stream(31, round);
        const size_t length = (size_t)rng_below(&rng, 200);
        char *bytes = malloc(length + 1);
        assert_non_null(bytes);
        for (size_t i = 0; i < length; i++) bytes[i] = alphabet[rng_below(&rng, sizeof alphabet)];
        TextView rest = {bytes, length};
        Game game = {0};
        Problems problems = {0};
        int line = 1;
        size_t before;
        do before = rest.length;
        while (read_next(&rest, &line, &game, &problems) && rest.length < before);
        assert_int_equal(rest.length, 0);
        problems_release(&problems);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_game_is_read),
        cmocka_unit_test(variations_have_the_letters_of_the_game_in_english),
        cmocka_unit_test(what_files_contain_is_read),
        cmocka_unit_test(comments_stay_with_their_moves),
        cmocka_unit_test(notes_keep_their_places),
        cmocka_unit_test(notes_between_games_belong_to_the_next),
        cmocka_unit_test(tags_are_unescaped),
        cmocka_unit_test(many_tags_cost_none_of_the_start),
        cmocka_unit_test(moves_may_have_brackets_and_annotations),
        cmocka_unit_test(long_tags_are_cut),
        cmocka_unit_test(games_are_read_one_after_the_other),
        cmocka_unit_test(positions_and_variants_are_set_up),
        cmocka_unit_test(faults_cost_no_more_than_themselves),
        cmocka_unit_test(what_is_not_read_stays_as_a_comment),
        cmocka_unit_test(other_ways_of_writing_are_read),
        cmocka_unit_test(reading_continues_after_a_faulty_game),
        cmocka_unit_test(an_open_comment_costs_its_own_game_only),
        cmocka_unit_test(notes_cost_no_more_than_their_length),
        cmocka_unit_test(notes_are_written_as_programs_read_them),
        cmocka_unit_test(no_written_line_looks_like_something_else),
        cmocka_unit_test(written_form_is_the_export_format),
        cmocka_unit_test(bad_tags_are_refused),
        cmocka_unit_test(random_games_are_written_and_read),
        cmocka_unit_test(reading_survives_any_bytes),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
