/* luft-lab match: engines play against each other. */
#include "base/memory.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/match/match_options.h"
#include "lab/match/report.h"
#include "lab/rate/rate_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char ABOUT[] =
    "Plays UCI engines against each other. "
    "After an interruption, even kill -9, the same command carries on; --again starts over.\n";
static const char EXAMPLES[] = "  luft-lab match -engine cmd=./luft -engine cmd=./luft-old \\\n"
                               "      -each tc=8+0.08 option.Hash=16 -rounds 500 -concurrency 2 \\\n"
                               "      -openings file=books/standard.epd order=random -pgnout games.pgn\n"
                               "  luft-lab match -engine cmd=./luft tc=10+0.1 \\\n"
                               "      -engine cmd=stockfish st=0.1 option.\"Skill Level\"=3 -rounds 50\n"
                               "  luft-lab match -tournament gauntlet -each nodes=20000 -rounds 100 \\\n"
                               "      -engine cmd=./luft -engine cmd=a -engine cmd=b -openings generate=1\n";

/* Adds the games that `white` played with White against `black`. */
static Status add_pair(Rating *rating, const MatchSetup *setup, const TallyTable *table, int white,
                       int black) {
    const Tally *tally = tally_table_cell(table, white, black);
    RatingPair pair = {.white = white, .black = black};
    pair.count[RATING_WIN] = (double)tally->wins[WHITE];
    pair.count[RATING_DRAW] = (double)tally->draws[WHITE];
    pair.count[RATING_LOSS] = (double)tally->losses[WHITE];
    if (white != black && pair.count[0] + pair.count[1] + pair.count[2] > 0)
        rating->pairs[rating->pair_count++] = pair;
    if (rating->players[white].name == NULL)
        rating->players[white].name = text_duplicate(text_view(setup->engines[white].name));
    return rating->players[white].name != NULL ? status_ok() : status_no_memory("the ratings");
}

/* A row for each pairing of engines that has met: its Elo, with the error of its pairs of games, and what the
 * joint ratings expect of it. */
static void write_pairings(const Rating *rating, const int *order, const TallyTable *table, TextBuffer *out) {
    MarkdownTable rows = markdown_table_begin("llrrrrr");
    markdown_table_cells(&rows, "engine | opponent | games | score | expected | Elo | LOS %%");
    for (int i = 0; i < rating->player_count; i++)
        for (int j = i + 1; j < rating->player_count; j++) {
            const RatingPlayer *engine = &rating->players[order[i]], *opponent = &rating->players[order[j]];
            const Tally *tally = tally_table_cell(table, order[i], order[j]);
            const GameCounts games = tally_games(tally);
            const int64_t count = stats_game_total(&games);
            if (count == 0) continue;
            const EloEstimate estimate = stats_estimate_pairs(&tally->penta);
            char elo[ELO_TEXT_CAPACITY];
            stats_format_elo(&estimate, elo);
            markdown_table_cell(&rows, "%s", engine->name);
            markdown_table_cell(&rows, "%s", opponent->name);
            markdown_table_cells(&rows, "%" PRId64 " | %.1f", count, (double)count * estimate.score);
            if (engine->group == opponent->group)
                markdown_table_cell(&rows, "%.1f",
                                    (double)count *
                                        rating_expected(rating, engine->rating - opponent->rating));
            else
                markdown_table_cell(&rows, "-");
            markdown_table_cell(&rows, "%s", elo);
            if (stats_has_los(&estimate))
                markdown_table_cell(&rows, "%.1f", 100 * estimate.los);
            else
                markdown_table_cell(&rows, "-");
        }
    buffer_append_string(out, "\n## Pairings\n\n");
    markdown_table_write(&rows, out);
    buffer_append_string(
        out,
        "\nElo and its error (95 %) are those of the pairs of games; \"above\" or \"below\" is the end of an "
        "interval that is open on the other side, after few games. LOS is the likelihood that the engine is "
        "stronger than the opponent; expected is what the joint ratings say of them. Quote this error for two "
        "engines: that of the ratings takes each game by itself, though the two of a pair are not independent, "
        "and the games against all others together.\n");
}

static Status rate(Rating *rating, const MatchSetup *setup, const TallyTable *table, TextBuffer *text) {
    const int count = setup->engine_count;
    Status status = status_ok();
    for (int i = 0; i < count * count && status_is_ok(&status); i++)
        status = add_pair(rating, setup, table, i / count, i % count);
    if (status_is_ok(&status)) status = rating_solve(rating);
    if (!status_is_ok(&status)) return status;
    int *order = rate_report_order(rating);
    if (order == NULL) return status_no_memory("the ratings");
    buffer_append_char(text, '\n');
    rate_report_write_standings(rating, order, text);
    write_pairings(rating, order, table, text);
    memory_release(order);
    return console_write_result(NULL, text);
}

/* Joint ratings and head-to-head scores of three engines and more, by the estimator of `luft-lab rate`. Each
 * has both colours of each opening, so White's advantage needs no estimate. */
static Status write_ratings(const MatchSetup *setup, const TallyTable *table) {
    const size_t count = (size_t)setup->engine_count;
    Rating rating = {.player_count = setup->engine_count};
    TextBuffer text = {0};
    rating.players = memory_allocate(count * sizeof *rating.players);
    rating.pairs = memory_allocate(count * count * sizeof *rating.pairs);
    const bool has_room = rating.players != NULL && rating.pairs != NULL;
    const Status status = has_room ? rate(&rating, setup, table, &text) : status_no_memory("the ratings");
    for (size_t i = 0; rating.players != NULL && i < count; i++) memory_release(rating.players[i].name);
    memory_release(rating.players);
    memory_release(rating.pairs);
    rating_release(&rating);
    buffer_release(&text);
    return status;
}

static Status check(void *context) { return match_options_check(context); }

static Status play(void *context) {
    MatchOptions *options = context;
    Status status = match_options_finish(options);
    if (!status_is_ok(&status)) return status;
    const ReportOptions report = {.out = stderr,
                                  .result = stdout,
                                  .interval = match_options_interval(options),
                                  .quiet = options->quiet};
    SprtOutcome outcome;
    MatchTotals totals;
    status = report_match(&options->setup, &report, &outcome, &totals);
    const bool any = totals.pairs_played + totals.pairs_restored > 0;
    if (status_is_ok(&status) && any && totals.table.engines > 2)
        status = write_ratings(&options->setup, &totals.table);
    if (status_is_ok(&status) && totals.completed && totals.pairs_played == 0)
        text_printf(stdout, "All games were played before; --again starts over\n");
    if (status_is_ok(&status) && totals.completed && options->results != NULL)
        status = report_append_rows(&options->setup, &totals, NULL, options->results);
    if (status_is_ok(&status) && !totals.completed) {
        const char *const journal = options->setup.journal_path;
        status = status_unfinished("stopped before the end; %s%s",
                                   journal != NULL ? "the same command carries on from "
                                                   : "without a journal, the same command starts over",
                                   journal != NULL ? journal : "");
    }
    match_totals_release(&totals);
    return status;
}

int command_match(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab match",
                                  .usage = "-engine cmd=PROGRAM... -engine cmd=PROGRAM... [options]",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = MATCH_FIELDS,
                                  .check = check,
                                  .run = play};
    MatchOptions options = {.rounds = 1, .interval = INTERVAL_CHOSEN};
    const Status status = match_options_expand(&options, argc, argv);
    const WordList words = options.setup.words;
    const int result = status_is_ok(&status) ? commands_run(&SYNTAX, words.count, words.word, &options)
                                             : commands_finish(SYNTAX.command, &status);
    match_options_release(&options);
    return result;
}
