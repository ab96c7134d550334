/* luft-lab rate: how strong are the players of these games? */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/ownership.h"
#include "lab/kit/plot.h"
#include "lab/rate/anchors.h"
#include "lab/rate/rate_games.h"
#include "lab/rate/rate_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char ABOUT[] =
    "Rates the players of games in PGN by maximum likelihood, and prints Markdown: ratings with errors, the "
    "chance that each is above the next, and what each pair scored next to what was expected. "
    "Players that no results link in both directions, as one who has won all games, are in groups of their "
    "own. "
    "Kinds of players may suit or trouble each other more than ratings say: --family shows that.\n";
static const char EXAMPLES[] =
    "  luft-lab rate games.pgn\n"
    "  luft-lab rate ladder-*.pgn --anchor \"Stockfish 0=1320\" \"Stockfish 5=2204\" --family Stockfish\n";

typedef struct RateArguments {
    WordList files;
    Anchors anchors;
    const char *families_text;
    int model;
    bool no_advantage, skip_faults;
    const char *output, *rows, *plot;
    Families families;
} RateArguments;

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static Status check(void *context) {
    RateArguments *arguments = context;
    const char *plot = arguments->plot;
    if (plot != NULL && !ends_with(plot, ".svg") && !ends_with(plot, ".png"))
        return status_error("--plot wants a name that ends in .svg or .png, not '%.80s'", plot);
    return families_parse(arguments->families_text, &arguments->families);
}

static Status draw(const RateArguments *arguments, const Rating *rating) {
    TextBuffer script = {0};
    plot_begin(ends_with(arguments->plot, ".png") ? "png" : "svg", 800, 120 + 22 * rating->player_count,
               &script);
    rate_report_write_plot(rating, &script);
    const Status status = plot_run(&script, arguments->plot);
    buffer_release(&script);
    return status;
}

static Status write_results(const RateArguments *arguments, const Rating *rating) {
    TextBuffer text = {0}, rows = {0};
    rate_report_write(rating, &arguments->families, &text);
    rate_report_write_rows(rating, &arguments->families, &rows);
    Status status = console_write_result(arguments->output, &text);
    if (status_is_ok(&status) && arguments->rows != NULL)
        status = console_write_result(arguments->rows, &rows);
    if (status_is_ok(&status) && arguments->plot != NULL) status = draw(arguments, rating);
    buffer_release(&text);
    buffer_release(&rows);
    return status;
}

static Status run(void *context) {
    const RateArguments *arguments = context;
    const char *const outputs[] = {arguments->output, arguments->rows, arguments->plot};
    const char *const *inputs = (const char *const *)arguments->files.word;
    RateGames games = {0};
    Status status = status_ok();
    for (int i = 0; i < 3 && status_is_ok(&status); i++)
        status = ownership_check_inputs(outputs[i], inputs, arguments->files.count);
    if (status_is_ok(&status)) status = rate_games_read(&games, &arguments->files, arguments->skip_faults);
    if (status_is_ok(&status) && games.undecided > 0)
        text_printf(stderr, "luft-lab rate: not counted, for want of a result: %s\n",
                    console_count((uint64_t)games.undecided, "game").text);
    if (status_is_ok(&status)) status = anchors_fix(&arguments->anchors, games.players, games.player_count);
    if (status_is_ok(&status)) {
        Rating rating = {.model = (RatingModel)arguments->model,
                         .has_advantage = !arguments->no_advantage,
                         .players = games.players,
                         .player_count = games.player_count,
                         .pairs = games.pairs,
                         .pair_count = games.pair_count};
        status = rating_solve(&rating);
        if (status_is_ok(&status)) status = write_results(arguments, &rating);
        rating_release(&rating);
    }
    rate_games_release(&games);
    return status;
}

#define FIELD_STRUCT RateArguments
static const Field FIELDS[] = {
    {FIELD_WORDS("GAMES.pgn", files, 1, "files of games")},
    {ANCHOR_FIELD(anchors)},
    {FIELD_TEXT("family", "PREFIX[,...]", families_text, NULL,
                "players whose names begin so are a family; print ratings against each family, and what its "
                "members score beyond their ratings")},
    {FIELD_CHOICE("model", "half-points davidson rao-kupper", model, "half-points",
                  "what a draw is: half a win and half a loss, as in rating lists, or a result of its own")},
    {FIELD_FLAG("no-advantage", no_advantage, "White has no advantage")},
    {FIELD_TEXT("output", "FILE", output, NULL, "write the tables to FILE instead of standard output")},
    {FIELD_TEXT("rows", "FILE", rows, NULL,
                "write the ratings to FILE, one line a player, with tabs between")},
    {FIELD_TEXT("plot", "FILE", plot, NULL, "draw the ratings to FILE, .svg or .png, with gnuplot")},
    {SKIP_FAULTS_FIELD(skip_faults)},
    {0}};

int command_rate(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab rate",
                                  .usage = "GAMES.pgn... [options]",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = run};
    RateArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}
