#include "lab/match/report.h"

#include "base/clock.h"
#include "base/progress.h"
#include "chess/game.h"
#include "lab/kit/console.h"
#include "lab/kit/results.h"
#include "lab/match/schedule.h"
#include "lab/match/sprt.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    BAR_WIDTH = 30,
    REDRAW = 100,          /* milliseconds: no eye follows faster */
    PLAIN_LINES = 20,      /* plain output: about this many lines a match */
    PLAIN_ENGINES = 8,     /* whose points a line has */
    PLAIN_MOST_PAIRS = 50, /* and one at least every this many pairs */
    TWINS_LEAST = 2,       /* pairs, to say that two engines play alike */
    NODE_USE_LEAST = 8,    /* moves whose nodes an engine said, to judge them */
    REPEATS_ENOUGH = 20,   /* pairs in a row, or once all openings, that end a test with nothing new */
    RESULT_LIMIT_CAPACITY = 64
};

typedef struct Report {
    const MatchSetup *setup;
    const ReportOptions *options;
    SprtOutcome *outcome;
    bool terminal;
    int lines;                /* of the table now on the screen */
    int64_t start;            /* milliseconds */
    int64_t drawn;            /* when the table was last drawn */
    int64_t played, restored; /* pairs */
    const TallyTable *table;  /* NULL before the first pair; lives as long as the match */
} Report;

/* --- pieces of text --- */

static int total_pairs(const Report *report) { return match_pair_count(report->setup); }

/* From 0 to 1. */
static double score_of(const GameCounts *games) {
    const int64_t total = stats_game_total(games);
    return total > 0 ? ((double)games->wins + (double)games->draws / 2) / (double)total : 0;
}

static void append_elo(TextBuffer *out, const PairCounts *pairs) {
    EloEstimate estimate = stats_estimate_pairs(pairs);
    char elo[ELO_TEXT_CAPACITY];
    stats_format_elo(&estimate, elo);
    buffer_append_string(out, elo);
}

void report_append_score(const Tally *tally, TextBuffer *out) {
    const GameCounts games = tally_games(tally);
    buffer_append_format(out, "+%" PRId64 " -%" PRId64 " =%" PRId64 "  %.1f%%", games.wins, games.losses,
                         games.draws, 100 * score_of(&games));
}

static void append_bar(TextBuffer *out, double fraction) {
    const int filled = (int)(fraction * BAR_WIDTH + 0.5);
    buffer_append_char(out, '[');
    for (int i = 0; i < BAR_WIDTH; i++) buffer_append_char(out, i < filled ? '#' : '-');
    buffer_append_char(out, ']');
}

static void append_sprt(TextBuffer *out, const Report *report) {
    const SprtTest *test = report->options->test;
    buffer_append_format(out, "LLR %.2f (%.2f, %.2f) [%.2f, %.2f]", stats_shown_llr(report->outcome->llr),
                         stats_sprt_lower(test), stats_sprt_upper(test), test->elo0, test->elo1);
}

/* Where the ratio is between its two ends. */
static void append_sprt_bar(TextBuffer *out, const Report *report) {
    const double lower = stats_sprt_lower(report->options->test),
                 width = stats_sprt_upper(report->options->test) - lower;
    const int mark = int_clamp((int)((report->outcome->llr - lower) / width * BAR_WIDTH), 0, BAR_WIDTH - 1);
    const int zero = int_clamp((int)(-lower / width * BAR_WIDTH), 0, BAR_WIDTH - 1);
    buffer_append_char(out, '[');
    for (int i = 0; i < BAR_WIDTH; i++) buffer_append_char(out, i == mark ? 'O' : i == zero ? '|' : '-');
    buffer_append_char(out, ']');
}

/* Milliseconds to go at the pace so far; -1 when it cannot be known. A test ends when it ends: its pace is
 * shown instead. */
static int64_t time_left(const Report *report) {
    const int64_t left = total_pairs(report) - report->played - report->restored;
    if (report->played == 0 || report->options->test != NULL) return -1;
    return (clock_milliseconds() - report->start) * left / report->played;
}

static void append_progress(const Report *report, TextBuffer *out) {
    const int64_t done = report->played + report->restored;
    const int total = total_pairs(report);
    char elapsed[NUMBER_TEXT_CAPACITY], left[NUMBER_TEXT_CAPACITY];
    duration_write(clock_milliseconds() - report->start, elapsed);
    if (report->options->test == NULL) {
        append_bar(out, total > 0 ? (double)done / total : 0);
        buffer_append_format(out, " %" PRId64 "/%d games, %s", 2 * done, 2 * total, elapsed);
    } else {
        append_sprt_bar(out, report);
        buffer_append_format(out, " %" PRId64 " games, %s", 2 * done, elapsed);
    }
    if (time_left(report) >= 0)
        buffer_append_format(out, ", %s left", duration_write(time_left(report), left));
}

/* Everything that went wrong with an engine: "2 crashes" by name. */
static bool append_faults(const TallyTable *table, int engine, TextBuffer *out) {
    bool any = false;
    for (int fault = 0; fault < FAULT_COUNT; fault++) {
        const int64_t count = tally_table_faults(table, engine, (Fault)fault);
        if (count == 0) continue;
        buffer_append_format(out, "%s%" PRId64 " %s", any ? ", " : "", count, fault_name((Fault)fault));
        any = true;
    }
    return any;
}

static void append_all_faults(const Report *report, TextBuffer *out) {
    const MatchSetup *setup = report->setup;
    for (int i = 0; i < setup->engine_count; i++) {
        TextBuffer faults = {0};
        if (append_faults(report->table, i, &faults))
            buffer_append_format(out, "Faults of %s: %s\n", setup->engines[i].name, buffer_string(&faults));
        buffer_release(&faults);
    }
}

static void append_duel(const Report *report, TextBuffer *out) {
    const MatchSetup *setup = report->setup;
    const Tally *tally = tally_table_cell(report->table, 0, 1);
    buffer_append_format(out, "%s against %s  ", setup->engines[0].name, setup->engines[1].name);
    report_append_score(tally, out);
    buffer_append_string(out, "\nElo ");
    append_elo(out, &tally->penta);
    EloEstimate estimate = stats_estimate_pairs(&tally->penta);
    if (isfinite(estimate.normalized_error))
        buffer_append_format(out, "  normalised %.2f +- %.2f", estimate.normalized,
                             estimate.normalized_error);
    if (stats_has_los(&estimate)) buffer_append_format(out, "  LOS %.1f%%", 100 * estimate.los);
    buffer_append_string(out, "\nPairs [");
    stats_append_pairs(&tally->penta, ", ", out);
    buffer_append_string(out, "]\n");
    if (report->options->test != NULL) {
        append_sprt(out, report);
        buffer_append_char(out, '\n');
    }
}

static void append_standings(const Report *report, TextBuffer *out) {
    const ReportOptions *options = report->options;
    if (options->append_standings != NULL) options->append_standings(options->context, report->table, out);
}

/* Only where the games are few enough to repeat themselves. */
static void append_repeated(const Report *report, TextBuffer *out) {
    const int64_t all = report->played + report->restored, repeated = report->table->repeated;
    if (repeated > 0)
        buffer_append_format(out,
                             "Different pairs: %" PRId64 " of %" PRId64
                             "; the others repeat games that were played before, and are not counted\n",
                             all - repeated, all);
}

/* Two builds of the same program say nothing about a change, and their result looks like one. */
static void append_twins(const Report *report, TextBuffer *out) {
    const MatchSetup *setup = report->setup;
    for (int a = 0; a < setup->engine_count; a++)
        for (int b = a + 1; b < setup->engine_count; b++) {
            const Tally *tally = tally_table_cell(report->table, a, b);
            const int64_t pairs = stats_pair_total(&tally->penta);
            if (pairs >= TWINS_LEAST && tally->twins == pairs && tally->penta.count[2] == pairs)
                buffer_append_format(out,
                                     "warning: %s and %s play the same moves in all %" PRId64
                                     " pairs: they may be the same program\n",
                                     setup->engines[a].name, setup->engines[b].name, pairs);
        }
}

static void append_scores(const Report *report, TextBuffer *out) {
    if (report->table == NULL) return;
    if (report->setup->engine_count == 2)
        append_duel(report, out);
    else
        append_standings(report, out);
    append_repeated(report, out);
    append_twins(report, out);
    append_all_faults(report, out);
}

/* --- the live table --- */

static void append_erasing(Report *report, TextBuffer *out) {
    if (report->lines > 0) buffer_append_format(out, "\033[%dA\033[J", report->lines);
    report->lines = 0;
}

static int screen_width(const Report *report) {
    struct winsize size = {0};
    const bool known = ioctl(fileno(report->options->out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

/* Lines are cut at the screen's edge: one that wraps would spoil the count of lines to go back. */
static void draw(Report *report) {
    TextBuffer text = {0}, row = {0}, screen = {0};
    append_progress(report, &text);
    buffer_append_char(&text, '\n');
    append_scores(report, &text);
    append_erasing(report, &screen);
    const size_t width = (size_t)screen_width(report) - 1;
    TextView rest = buffer_view(&text), line;
    while (text_next_line(&rest, &line)) {
        buffer_clear(&row);
        buffer_append_foreign(&row, line);
        buffer_append(&screen, text_first_columns(buffer_view(&row), width));
        buffer_append_char(&screen, '\n');
        report->lines++;
    }
    buffer_print_raw(&screen, report->options->out);
    report->drawn = clock_milliseconds();
    buffer_release(&text);
    buffer_release(&row);
}

/* --- plain lines --- */

/* "new 7.5/10, old 4/8": points of the first engines, and their games. */
static void append_points(const Report *report, TextBuffer *out) {
    const MatchSetup *setup = report->setup;
    for (int i = 0; i < int_min(setup->engine_count, PLAIN_ENGINES); i++) {
        const Tally tally = tally_table_total(report->table, i);
        const GameCounts games = tally_games(&tally);
        buffer_append_format(out, "%s%s %.4g/%" PRId64, i > 0 ? ", " : "", setup->engines[i].name,
                             (double)games.wins + (double)games.draws / 2, stats_game_total(&games));
    }
    if (setup->engine_count > PLAIN_ENGINES) buffer_append_string(out, ", ...");
}

static int interval(const Report *report) {
    if (report->options->interval > 0) return report->options->interval;
    return int_clamp(total_pairs(report) / PLAIN_LINES, 1, PLAIN_MOST_PAIRS);
}

static void print_plain(Report *report) {
    TextBuffer text = {0};
    const MatchSetup *setup = report->setup;
    const int64_t games = 2 * (report->played + report->restored);
    char left[NUMBER_TEXT_CAPACITY];
    buffer_append_format(&text, "%" PRId64, games);
    if (report->options->test == NULL) buffer_append_format(&text, "/%d", 2 * total_pairs(report));
    buffer_append_string(&text, " games: ");
    Tally tally = tally_table_total(report->table, 0);
    if (setup->engine_count > 2)
        append_points(report, &text);
    else
        report_append_score(&tally, &text);
    if (setup->engine_count == 2) {
        buffer_append_string(&text, "  Elo ");
        append_elo(&text, &tally.penta);
    }
    if (report->options->test != NULL) {
        buffer_append_string(&text, "  ");
        append_sprt(&text, report);
    }
    if (time_left(report) >= 0)
        buffer_append_format(&text, "  %s left", duration_write(time_left(report), left));
    buffer_append_char(&text, '\n');
    if (setup->engine_count > 2 && report->options->interval > 0) append_standings(report, &text);
    buffer_print(&text, report->options->out);
}

/* --- what the match calls --- */

static void show_pair(Report *report, const PairResult *pair) {
    if (pair->restored) {
        report->restored++;
        return; /* the past is shown with the next pair */
    }
    report->played++;
    if (report->options->quiet) return;
    if (report->terminal) {
        if (clock_milliseconds() - report->drawn >= REDRAW) draw(report);
    } else if ((report->played + report->restored) % interval(report) == 0) {
        print_plain(report);
    }
}

static bool take_pair(void *context, const PairResult *pair, const TallyTable *table) {
    Report *report = context;
    SprtOutcome *outcome = report->outcome;
    const SprtTest *test = report->options->test;
    const Tally *tally = tally_table_cell(table, 0, 1);
    /* After a resumption with other bounds, the journal may have pairs after the decision. */
    if (outcome->verdict != SPRT_CONTINUES) return false;
    outcome->pairs = tally->penta;
    outcome->games = tally_games(tally);
    if (test != NULL) {
        outcome->llr = stats_llr_pairs(test, &outcome->pairs);
        outcome->verdict = stats_sprt_verdict(test, outcome->llr);
    }
    report->table = table;
    show_pair(report, pair);
    outcome->repeats = pair->repeated ? outcome->repeats + 1 : 0;
    outcome->is_exhausted = test != NULL && outcome->repeats >= REPEATS_ENOUGH &&
                            outcome->repeats >= openings_count(report->setup->book);
    return outcome->verdict == SPRT_CONTINUES && !outcome->is_exhausted;
}

static void take_notice(void *context, const char *text) {
    Report *report = context;
    TextBuffer shown = {0};
    append_erasing(report, &shown);
    buffer_append_foreign(&shown, text_view(text));
    buffer_append_char(&shown, '\n');
    buffer_print_raw(&shown, report->options->out);
    if (report->terminal) draw(report);
}

static void tick(void *context) {
    Report *report = context;
    if (report->terminal) draw(report);
}

static void append_endings(const Report *report, TextBuffer *out) {
    int64_t endings[GAME_ENDS] = {0};
    bool any = false;
    for (int a = 0; a < report->table->engines; a++)
        for (int b = a + 1; b < report->table->engines; b++)
            for (int i = 0; i < GAME_ENDS; i++)
                endings[i] += tally_table_cell(report->table, a, b)->endings[i];
    buffer_append_string(out, "Endings: ");
    for (int i = 0; i < GAME_ENDS; i++) {
        if (endings[i] == 0) continue;
        buffer_append_format(out, "%s%" PRId64 " %s", any ? ", " : "", endings[i], game_end_name((GameEnd)i));
        any = true;
    }
    buffer_append_char(out, '\n');
}

static void append_costs(const MatchSetup *setup, const MatchTotals *totals, TextBuffer *out) {
    const double warn_above = 0.02; /* of the time spent thinking */
    if (totals->plies == 0) return;
    const double plies = (double)totals->plies, games = 2.0 * (double)totals->pairs_played;
    buffer_append_format(out, "Runner: %.1f us of processor time a ply (%.0f plies",
                         (double)totals->own_cpu / plies, plies);
    if (games > 0) buffer_append_format(out, ", %.2f ms a game", (double)totals->own_cpu / 1000 / games);
    if (totals->heartbeat_cpu > 0 && totals->wall > 0)
        buffer_append_format(out, "; watching the machine took %.2f%% of a processor",
                             100 * (double)totals->heartbeat_cpu / (double)totals->wall);
    buffer_append_string(out, ")\n");
    const double share =
        totals->engine_wall > 0 ? (double)totals->engine_delay / (double)totals->engine_wall : 0;
    buffer_append_format(out, "Engines: waited for a processor in %.2f%% of their thinking time%s\n",
                         100 * fmin(share, 1), /* several threads of an engine may wait */
                         share > warn_above && match_is_fixed(setup)
                             ? ", which changes no result at fixed nodes or depth"
                             : "");
    if (share > warn_above && !match_is_fixed(setup))
        buffer_append_string(
            out, "warning: the machine was loaded; the engines did not get the time that their clocks say\n");
}

/* An engine that takes another limit than it was given is measured at another strength, and nothing else
 * shows it. */
static void append_node_use(const MatchSetup *setup, const MatchTotals *totals, TextBuffer *out) {
    for (int i = 0; i < setup->engine_count && totals->use != NULL; i++) {
        const uint64_t limit = setup->engines[i].limits.nodes;
        const int64_t median = node_use_median(&totals->use[i]);
        if (totals->use[i].count >= NODE_USE_LEAST && (uint64_t)median < limit / 10)
            buffer_append_format(out, "warning: %s used %" PRId64 " of %" PRIu64 " nodes a move (median)\n",
                                 setup->engines[i].name, median, limit);
    }
}

static void append_history(const MatchSetup *setup, const MatchTotals *totals, TextBuffer *out) {
    const int64_t openings = openings_count(setup->book),
                  pairs = (totals->pairs_restored + totals->pairs_played) * setup->pairs /
                          int_max(match_pair_count(setup), 1),
                  again = pairs > 0 ? (pairs - 1) / openings : 0;
    if (openings > 1 && again > 0)
        buffer_append_format(out, "The %" PRId64 " openings began again %" PRId64 " time%s\n", openings,
                             again, again == 1 ? "" : "s");
    if (totals->pairs_restored > 0)
        buffer_append_format(out, "Restored from the journal: %" PRId64 " games\n",
                             2 * totals->pairs_restored);
    if (totals->replays > 0)
        buffer_append_format(out, "Played again, because the machine had decided them: %s\n",
                             console_count((uint64_t)totals->replays, "game").text);
}

static void finish(Report *report, const MatchTotals *totals) {
    TextBuffer text = {0};
    report->table = &totals->table;
    const bool any = totals->pairs_played + totals->pairs_restored > 0;
    FILE *const result = report->options->result, *const out = result != NULL ? result : report->options->out;
    const bool quiet = report->options->quiet;
    /* The last table stands for the score, unless the result goes to the same screen. */
    const bool draws = report->terminal && (result == NULL || !stream_is_terminal(result));
    if (draws) draw(report);
    if (report->terminal && !draws) append_erasing(report, &text);
    buffer_print_raw(&text, report->options->out);
    report->lines = 0;
    if (!any) {
        if (!quiet && totals->stopped && report->setup->pairs > 0)
            buffer_append_string(&text, "No pair of games was finished.\n");
        buffer_print(&text, out);
        return;
    }
    if (result != NULL || (!report->terminal && !quiet)) append_scores(report, &text);
    if (!quiet) {
        append_endings(report, &text);
        append_history(report->setup, totals, &text);
        append_costs(report->setup, totals, &text);
        append_node_use(report->setup, totals, &text);
    }
    buffer_print(&text, out);
}

Status report_match(const MatchSetup *setup, const ReportOptions *options, SprtOutcome *outcome,
                    MatchTotals *totals) {
    *outcome = (SprtOutcome){.verdict = SPRT_CONTINUES};
    MatchSetup tested = *setup;
    char test[TEST_TEXT_CAPACITY];
    if (options->test != NULL) {
        sprt_describe_test(options->test, test);
        tested.test = test;
    }
    Report report = {.setup = setup,
                     .options = options,
                     .outcome = outcome,
                     .terminal = stream_is_terminal(options->out) && !options->quiet,
                     .start = clock_milliseconds()};
    const MatchListener listener = {
        .context = &report, .pair_finished = take_pair, .notice = take_notice, .tick = tick};
    const Status status = match_run(&tested, &listener, totals);
    if (status_is_ok(&status) || totals->pairs_played > 0) finish(&report, totals);
    return status;
}

void report_append_next(const MatchSetup *setup, TextBuffer *out) {
    if (setup->journal_path != NULL)
        buffer_append_format(out, "The same command carries on from %s.\n", setup->journal_path);
    else
        buffer_append_string(out, "Without a journal, the same command starts over.\n");
}

/* --- a row of results --- */

Status report_append_row(const ReportRow *row, const char *path) {
    const int64_t games = stats_game_total(&row->games), *pairs = row->pairs.count;
    if (games == 0) return status_ok();
    const EloEstimate elo = stats_pair_total(&row->pairs) > 0 ? stats_estimate_pairs(&row->pairs)
                                                              : stats_estimate_games(&row->games);
    ResultsRow line = {.once = row->once};
    results_add_text(&line, "id", NULL);
    results_add_today(&line);
    results_add_text(&line, "commit", row->version.commit);
    if (row->bench > 0)
        results_add(&line, "bench", "%" PRIu64, row->bench);
    else
        results_add_text(&line, "bench", NULL);
    results_add_text(&line, "net", row->version.net);
    results_add_text(&line, "subject", row->subject);
    results_add_text(&line, "opponent", row->opponent);
    results_add_text(&line, "limit", row->limit);
    results_add_text(&line, "conditions", row->conditions);
    results_add(&line, "games", "%" PRId64, games);
    results_add(&line, "wins", "%" PRId64, row->games.wins);
    results_add(&line, "draws", "%" PRId64, row->games.draws);
    results_add(&line, "losses", "%" PRId64, row->games.losses);
    if (stats_pair_total(&row->pairs) > 0)
        results_add(&line, "pentanomial", "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
                    pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]);
    else
        results_add_text(&line, "pentanomial", NULL);
    results_add_number(&line, "elo", elo.elo, 2);
    results_add_number(&line, "error", elo.elo_error, 2);
    results_add_text(&line, "verdict", row->verdict);
    if (row->has_nodes_ratio) results_add_number(&line, "nodes_ratio", row->nodes_ratio, 2);
    results_add_text(&line, "note", NULL);
    return results_append(&line, path);
}

void report_describe_conditions(const MatchSetup *setup, TextBuffer *out) {
    const char *hash = engine_config_option(&setup->engines[0], "Hash");
    const char *threads = engine_config_option(&setup->engines[0], "Threads");
    if (hash != NULL) buffer_append_format(out, "%s MB, ", hash);
    if (threads != NULL) buffer_append_format(out, "%s threads, ", threads);
    if (setup->openings.path != NULL && setup->openings.path[0] != '\0')
        buffer_append_format(out, "%s, ", setup->openings.path);
    if (setup->openings.generate > 0) buffer_append_string(out, "generated openings, ");
    buffer_append_format(out, "concurrency %d", setup->concurrency);
    if (setup->rules.resign_moves > 0 || setup->rules.draw_moves > 0)
        buffer_append_string(out, ", adjudicated");
}

EngineVersion report_version(const MatchSetup *setup, const MatchTotals *totals, int engine) {
    /* The journal knows that the engines of a match that was over are those that played. */
    return totals->pairs_played > 0 ? totals->versions[engine]
                                    : uci_client_find_version(&setup->engines[engine]);
}

static Status append_pairing(const MatchSetup *setup, const MatchTotals *totals, int first, int second,
                             const char *verdict, const char *path) {
    const Tally *tally = tally_table_cell(&totals->table, first, second);
    const EngineConfig *engine = &setup->engines[first], *opponent = &setup->engines[second];
    char limit[RESULT_LIMIT_CAPACITY], other[RESULT_LIMIT_CAPACITY];
    TextBuffer conditions = {0};
    if (stats_pair_total(&tally->penta) == 0) return status_ok();
    play_limits_describe(&engine->limits, limit, sizeof limit);
    play_limits_describe(&opponent->limits, other, sizeof other);
    report_describe_conditions(setup, &conditions);
    if (strcmp(limit, other) != 0) buffer_append_format(&conditions, ", opponent %s", other);
    const ReportRow row = {.version = report_version(setup, totals, first),
                           .subject = engine->name,
                           .opponent = opponent->name,
                           .limit = limit,
                           .conditions = buffer_string(&conditions),
                           .verdict = verdict,
                           .once = totals->pairs_played == 0,
                           .pairs = tally->penta,
                           .games = tally_games(tally)};
    Status status = report_append_row(&row, path);
    buffer_release(&conditions);
    return status;
}

Status report_append_rows(const MatchSetup *setup, const MatchTotals *totals, const char *verdict,
                          const char *path) {
    Status status = status_ok();
    for (int first = 0; first < setup->engine_count; first++)
        for (int second = first + 1; second < setup->engine_count && status_is_ok(&status); second++)
            status = append_pairing(setup, totals, first, second, verdict, path);
    return status;
}
