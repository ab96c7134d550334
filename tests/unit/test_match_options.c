/* The options of match and sprt. */
#include "lab/match/match_options.h"

#include "test_support.h"

/* Reads a command line of words separated by spaces; "_" is a space inside a word. */
static Status read_line(MatchOptions *options, const char *line) {
    enum { MOST = 100 };
    static char words[MOST][128];
    char *argv[MOST + 1] = {words[0]};
    int argc = 1;
    bool help;
    TextView rest = text_view(line), word;
    while (!text_is_empty(word = text_next_word(&rest))) {
        assert_in_range(argc, 1, MOST);
        text_copy(word, words[argc - 1], sizeof words[0]);
        argv[argc] = words[argc - 1];
        argc++;
    }
    *options = (MatchOptions){.rounds = 1};
    fields_reset(MATCH_FIELDS, options);
    Status status = fields_read_arguments(MATCH_FIELDS, options, argc, argv, &help);
    if (status_is_ok(&status)) status = match_options_check(options);
    if (!status_is_ok(&status)) return status;
    return match_options_finish(options);
}

#define TWO "-engine cmd=a -engine cmd=b -each depth=1 "

static void test_everything(void **state) {
    (void)state;
    MatchOptions options;
    assert_ok(
        read_line(&options, TWO
                  "-rounds 10 --games 4 -concurrency 3 -tournament gauntlet -chess960 -srand 77 "
                  "-draw movenumber=40 movecount=8 score=10 -resign movecount=3 score=600 twosided=true "
                  "-maxmoves 200 -pgnout file=x.pgn --resume --again -pin -reproducible -checkpv -event E "
                  "-site S -starttimeout 1.5 -stalltimeout 9 -ratinginterval 5 -quiet -repeat 2 -recover "
                  "-autosaveinterval 0 -crc32 pgn=true -wait 7 -scoreinterval 5"));
    const MatchSetup *setup = &options.setup;
    assert_int_equal(setup->engine_count, 2);
    assert_int_equal(setup->pairs, 20);
    assert_int_equal(setup->concurrency, 3);
    assert_int_equal(setup->kind, MATCH_GAUNTLET);
    assert_true(setup->chess960 && setup->openings.chess960);
    assert_int_equal(setup->openings.seed, 77);
    assert_int_equal(setup->rules.draw_from_move, 40);
    assert_int_equal(setup->rules.draw_moves, 8);
    assert_int_equal(setup->rules.draw_score, 10);
    assert_int_equal(setup->rules.resign_moves, 3);
    assert_int_equal(setup->rules.resign_score, 600);
    assert_true(setup->rules.resign_twosided);
    assert_int_equal(setup->wait, 7);
    assert_int_equal(setup->rules.max_moves, 200);
    assert_string_equal(setup->pgn_path, "x.pgn");
    assert_string_equal(setup->journal_path, "x.pgn.journal");
    assert_string_equal(setup->log_folder, "x.pgn.logs");
    assert_true(setup->again && setup->pin && setup->reproducible && setup->rules.check_every_pv);
    assert_string_equal(setup->event, "E");
    assert_int_equal(setup->start_timeout, 1500);
    assert_int_equal(setup->stall_timeout, 9000);
    assert_int_equal(options.interval, 5);
    assert_true(options.quiet);
    assert_non_null(setup->book);
    match_options_release(&options);
}

static void test_defaults(void **state) {
    (void)state;
    MatchOptions options;
    assert_ok(read_line(&options, TWO));
    assert_int_equal(options.setup.pairs, 1);
    assert_int_equal(options.setup.concurrency, 1);
    assert_int_equal(options.setup.openings.seed, 1);
    assert_null(options.setup.pgn_path);
    char journal[64];
    text_copy(text_view(options.setup.journal_path), journal, sizeof journal);
    assert_int_equal(strlen(journal), strlen("luft-lab-01234567.journal"));
    assert_memory_equal(options.setup.log_folder, journal, strlen("luft-lab-01234567"));
    match_options_release(&options);
    assert_ok(read_line(&options, TWO "-rounds 9 -concurrency 2")); /* the same match, longer */
    assert_string_equal(options.setup.journal_path, journal);
    match_options_release(&options);
    assert_ok(read_line(&options, TWO "-maxmoves 9"));
    assert_string_not_equal(options.setup.journal_path, journal);
    match_options_release(&options);
    assert_ok(read_line(&options, TWO "-journal none"));
    assert_null(options.setup.journal_path);
    assert_null(options.setup.log_folder);
    match_options_release(&options);
    assert_ok(read_line(&options, TWO "-journal j -log none"));
    assert_string_equal(options.setup.journal_path, "j");
    assert_null(options.setup.log_folder);
    match_options_release(&options);
}

static void expect_refusal(const char *line, const char *reason) {
    MatchOptions options;
    assert_fails(read_line(&options, line), reason);
    match_options_release(&options);
}

static void test_the_keys_of_files(void **state) {
    (void)state;
    MatchOptions options;
    assert_ok(read_line(&options,
                        TWO "-pgnout q.pgn nodes=true min fi tbhits -log folder=x level=info file=l "
                            "-epdout file=last.fen"));
    assert_string_equal(options.setup.pgn_path, "q.pgn");
    assert_string_equal(options.setup.epd_path, "last.fen");
    assert_string_equal(options.setup.log_path, "l");
    assert_int_equal(options.setup.log_level, LOG_GAMES);
    assert_string_equal(options.setup.log_folder, "x");
    const PgnDetails *details = &options.setup.details;
    assert_true(details->nodes && details->minimal && details->tbhits && !details->nps);
    match_options_release(&options);
    assert_ok(read_line(&options, "-engine cmd=a whitepov plies=3 -engine cmd=b -each depth=1"));
    assert_true(options.engines.engines[0].white_view && !options.engines.engines[1].white_view);
    assert_int_equal(options.engines.engines[0].limits.depth, 3);
    match_options_release(&options);
}

static void test_refusals(void **state) {
    (void)state;
    expect_refusal("", "at least two engines");
    expect_refusal("-engine cmd=a depth=1", "at least two engines");
    expect_refusal(TWO "-games 5", "-games 5: games come in pairs");
    expect_refusal(TWO "-games 1", "-games 1: games come in pairs");
    expect_refusal(TWO "-rounds", "-rounds needs a value");
    expect_refusal(TWO "-rounds 100000000 -games 1000", "more than");
    expect_refusal(TWO "-openings file=/no/such/book.epd", "/no/such/book.epd");
    expect_refusal(TWO "-openings plies=x file=b", "plies must be a whole number");
    expect_refusal(TWO "-openings nothing.epd policy=round", "nothing.epd");
    expect_refusal(TWO "-openings generate=1 policy=encounter",
                   "it is always round: one opening for all pairings");
    expect_refusal(TWO "-openings", "--openings needs file=BOOK");
    expect_refusal(TWO "-draw movecount=0", "movecount");
    expect_refusal(TWO "-resign movecount=1", "--resign needs movecount=N and score=CP");
    expect_refusal(TWO "-stalltimeout -1", "-stalltimeout must be a number");
    expect_refusal(TWO "-openings order=random", "--openings needs file=BOOK");
    expect_refusal(TWO "-draw score=5", "--draw needs movecount=N");
    expect_refusal(TWO "-tournament knockout",
                   "--tournament must be roundrobin, gauntlet or pyramid, not 'knockout'");
    expect_refusal(TWO "-tournament gauntlet -seeds 2", "--seeds 2: a gauntlet of 2 engines has no others");
    expect_refusal("-engine cmd=a ponder", "--engine: ponder: engines do not think on the opponent's time");
    expect_refusal(TWO "-log file=l level=all", "--log: level must be warn, info or trace, not 'all'");
    expect_refusal(TWO "-game 2", "unknown option --game; did you mean --games?");
    expect_refusal("-engine ./luft", "--engine needs cmd=PROGRAM");
    expect_refusal("-engine cmd=a ./luft", "unexpected word './luft'; --engine takes words with a '='");
    expect_refusal(TWO "-pgnout file=q.pgn notation=uci", "--pgnout: notation must be san, not 'uci'");
    expect_refusal(TWO "-pgnout q.pgn games", "unexpected word 'games'; --pgnout takes words with a '='");
    expect_refusal(TWO "-pgnout q.pgn latency", "--pgnout: latency: the comments have the time of each move");
    expect_refusal(TWO "-pgnout", "--pgnout needs file=FILE");
    expect_refusal(TWO "-noswap", "--noswap: games come in pairs");
    expect_refusal("-engine cmd=a trust", "--engine: trust: the rules decide here");
    expect_refusal("-engine cmd=a dpth=1", "no engine setting is called 'dpth'; did you mean depth=?");
    expect_refusal("-pin 2 " TWO, "unexpected word '2'; --pin takes none");
    expect_refusal(TWO "-foo", "unknown option --foo");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_everything), cmocka_unit_test(test_defaults),
                                       cmocka_unit_test(test_the_keys_of_files),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
