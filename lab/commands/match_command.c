/* luft-lab match: engines play against each other. */
#include "base/bits.h"
#include "base/memory.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/match/match_options.h"
#include "lab/match/report.h"
#include "lab/rate/anchors.h"
#include "lab/rate/rate_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

enum { NAME_COLUMNS = 24 };

typedef struct MatchArguments {
    MatchOptions match;
    Anchors anchors;
} MatchArguments;

/* --- joint ratings of three engines and more, by the estimator of `luft-lab rate` --- */

static void release(Rating *rating) {
    for (int i = 0; rating->players != NULL && i < rating->player_count; i++)
        memory_release(rating->players[i].name);
    memory_release(rating->players);
    memory_release(rating->pairs);
    rating_release(rating);
}

/* The engines without games, with what --anchor says of them. */
static Status name_players(const MatchArguments *arguments, Rating *rating) {
    const MatchSetup *setup = &arguments->match.setup;
    const size_t count = (size_t)setup->engine_count;
    *rating = (Rating){.player_count = setup->engine_count};
    rating->players = memory_allocate(count * sizeof *rating->players);
    rating->pairs = memory_allocate(count * count * sizeof *rating->pairs);
    bool good = rating->players != NULL && rating->pairs != NULL;
    for (size_t i = 0; i < count && good; i++) {
        rating->players[i].name = text_duplicate(text_view(setup->engines[i].name));
        good = rating->players[i].name != NULL;
    }
    return good ? anchors_fix(&arguments->anchors, rating->players, rating->player_count)
                : status_no_memory("the ratings");
}

/* Adds the games that `white` played with White against `black`. */
static void add_pair(Rating *rating, const TallyTable *table, int white, int black) {
    const Tally *tally = tally_table_cell(table, white, black);
    RatingPair pair = {.white = white, .black = black};
    pair.count[RATING_WIN] = (double)tally->wins[WHITE];
    pair.count[RATING_DRAW] = (double)tally->draws[WHITE];
    pair.count[RATING_LOSS] = (double)tally->losses[WHITE];
    if (white != black && pair.count[0] + pair.count[1] + pair.count[2] > 0)
        rating->pairs[rating->pair_count++] = pair;
}

/* Each has both colours of each opening, so White's advantage needs no estimate. `release` in any case. */
static Status rate(const MatchArguments *arguments, const TallyTable *table, Rating *rating) {
    const Status status = name_players(arguments, rating);
    const int count = rating->player_count;
    if (!status_is_ok(&status)) return status;
    for (int i = 0; i < count * count; i++) add_pair(rating, table, i / count, i % count);
    return rating_solve(rating);
}

/* By score where results do not link all engines: then ratings do not compare them. */
static double worth_of(const Rating *rating, const TallyTable *table, int engine) {
    if (rating->group_count == 1) return rating->players[engine].rating;
    const Tally tally = tally_table_total(table, engine);
    return stats_estimate_pairs(&tally.penta).score;
}

static bool is_alone(const Rating *rating, int player) {
    int others = 0;
    for (int i = 0; i < rating->player_count; i++)
        others += i != player && rating->players[i].group == rating->players[player].group;
    return others == 0;
}

static void append_standing(const Rating *rating, const TallyTable *table, int engine, int columns,
                            TextBuffer *out) {
    const RatingPlayer *player = &rating->players[engine];
    const Tally tally = tally_table_total(table, engine);
    buffer_append_format(out, "%-*s ", columns, player->name);
    if (player->is_fixed)
        buffer_append_format(out, "%8.1f %7s", player->rating, "anchor");
    else if (is_alone(rating, engine))
        buffer_append_format(out, "%8s %7s", "-", "-");
    else
        buffer_append_format(out, "%8.1f %7.1f", player->rating, player->error);
    buffer_append_format(out, " %7" PRId64 "  ", 2 * stats_pair_total(&tally.penta));
    report_append_score(&tally, out);
    buffer_append_char(out, '\n');
}

/* The table of the progress, and before the last report. */
static void append_standings(const void *context, const TallyTable *table, TextBuffer *out) {
    const MatchArguments *arguments = context;
    Rating rating;
    const Status status = rate(arguments, table, &rating);
    const int count = rating.player_count;
    int *order = status_is_ok(&status) ? memory_allocate((size_t)count * sizeof *order) : NULL;
    int columns = 6;
    for (int i = 0; i < count && order != NULL; i++) {
        int place = i;
        const double worth = worth_of(&rating, table, i);
        for (; place > 0 && worth_of(&rating, table, order[place - 1]) < worth; place--)
            order[place] = order[place - 1];
        order[place] = i;
        columns = int_max(columns, int_min((int)strlen(rating.players[i].name), NAME_COLUMNS));
    }
    if (order != NULL)
        buffer_append_format(out, "%4s  %-*s %8s %7s %7s  %s\n", "Rank", columns, "Engine", "Rating", "Error",
                             "Games", "Result");
    for (int i = 0; i < count && order != NULL; i++) {
        buffer_append_format(out, "%4d  ", i + 1);
        append_standing(&rating, table, order[i], columns, out);
    }
    memory_release(order);
    release(&rating);
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

static Status write_ratings(const MatchArguments *arguments, const TallyTable *table) {
    TextBuffer text = {0};
    Rating rating;
    Status status = rate(arguments, table, &rating);
    int *order = status_is_ok(&status) ? rate_report_order(&rating) : NULL;
    if (order != NULL) {
        buffer_append_char(&text, '\n');
        rate_report_write_standings(&rating, order, &text);
        write_pairings(&rating, order, table, &text);
        status = console_write_result(NULL, &text);
    } else if (status_is_ok(&status)) {
        status = status_no_memory("the ratings");
    }
    memory_release(order);
    release(&rating);
    buffer_release(&text);
    return status;
}

/* --- the command --- */

static Status check(void *context) {
    const MatchArguments *arguments = context;
    if (arguments->anchors.count > 0 && arguments->match.engines.count == 2)
        return status_error("--anchor: two engines have no joint ratings, only their difference");
    return match_options_check(&arguments->match);
}

/* A name that nobody has is found out before the games. */
static Status check_anchors(const MatchArguments *arguments) {
    Rating rating;
    const Status status = name_players(arguments, &rating);
    release(&rating);
    return status;
}

static Status play(void *context) {
    MatchArguments *arguments = context;
    MatchOptions *options = &arguments->match;
    Status status = match_options_finish(options);
    if (status_is_ok(&status)) status = check_anchors(arguments);
    if (!status_is_ok(&status)) return status;
    const ReportOptions report = {.out = stderr,
                                  .result = stdout,
                                  .interval = match_options_interval(options),
                                  .quiet = options->quiet,
                                  .append_standings = append_standings,
                                  .context = arguments};
    SprtOutcome outcome;
    MatchTotals totals;
    status = report_match(&options->setup, &report, &outcome, &totals);
    const bool any = totals.pairs_played + totals.pairs_restored > 0;
    if (status_is_ok(&status) && any && totals.table.engines > 2)
        status = write_ratings(arguments, &totals.table);
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

#define FIELD_STRUCT MatchArguments
static const Field FIELDS[] = {{FIELD_GROUP(match, MATCH_FIELDS)},
                               {FIELD_HEADING("Joint ratings, of three engines and more:")},
                               {ANCHOR_FIELD(anchors)},
                               {0}};
#undef FIELD_STRUCT

int command_match(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab match",
                                  .usage = "-engine cmd=PROGRAM... -engine cmd=PROGRAM... [options]",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = play};
    MatchArguments arguments = {.match = {.rounds = 1, .interval = INTERVAL_CHOSEN}};
    const Status status = match_options_expand(&arguments.match, argc, argv);
    const WordList words = arguments.match.setup.words;
    const int result = status_is_ok(&status) ? commands_run(&SYNTAX, words.count, words.word, &arguments)
                                             : commands_finish(SYNTAX.command, &status);
    match_options_release(&arguments.match);
    return result;
}
