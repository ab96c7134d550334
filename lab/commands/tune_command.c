/* luft-lab tune: better values for the numbers of the search, found by playing (SPSA). */
#include "base/progress.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/plot.h"
#include "lab/tune/judge.h"
#include "lab/tune/tuner.h"

#include <stdio.h>

static const char ABOUT[] =
    "Looks for better values of the search's numbers by SPSA. "
    "Two players, whose numbers are moved up and down at random, play a pair of games; each number then moves a "
    "little to the winner's side. "
    "Any UCI engine will do: a number is one of its options of type spin. "
    "Of Luft it is a build with LAB=1, which has an option for each number of params.def. "
    "Without names, all numbers are tuned. "
    "The same command carries on after an interruption; --again starts over. "
    "Games end when both players hold them decided (six pawns, four moves) or drawn (from move 40).\n"
    "\n"
    "With --moves no games are played: both players search the same positions of existing games, in stretches of "
    "six, and a long search of the unchanged engine judges their moves. "
    "That is faster, and sees nothing of what only whole games show (docs/lab.md).\n"
    "\n"
    "The folder gets tune.md (where the numbers stand), tune.params (the same as lines of params.def), tune.csv and "
    "tune.svg (how they came there). "
    "They are written every minute, the drawing at the end. "
    "With --moves the folder gets the judgements too, in judgements.journal.\n"
    "\n"
    "The step of a number in params.def is its c_end: how far it is moved at the end of the schedule (times "
    "--spread). "
    "A number that params.def does not know gets a twentieth of its range. "
    "Numbers whose names begin with time_ do nothing in fixed nodes and are skipped there. "
    "The result is a guess: test it with luft-lab sprt.\n";
static const char EXAMPLES[] = "  the margins of futility, two pairs at once\n"
                               "  luft-lab tune futility_base futility_margin --nodes 5000 \\\n"
                               "      --iterations 20000 --concurrency 2\n"
                               "  all numbers, by their moves in games played for it\n"
                               "  luft-lab match -engine cmd=./luft name=a -engine cmd=./luft name=b \\\n"
                               "      -each tc=0.5+0.005 -rounds 1000 -concurrency 2 \\\n"
                               "      -openings file=books/standard.epd order=random -pgnout games.pgn\n"
                               "  luft-lab tune --moves games.pgn --iterations 30000 --concurrency 2\n";

static Status run(void *context) {
    const TunerSettings *settings = context;
    TextBuffer text = {0};
    Status status = tuner_run(settings, &text);
    const Status written = status_has_result(&status) ? console_write_result(NULL, &text) : status_ok();
    if (status_has_result(&status) && !status_is_ok(&written)) status = written;
    if (status_is_ok(&status) && settings->openbench && stream_is_terminal(stdout))
        text_printf(stdout, "\n"); /* for the prompt that follows */
    buffer_release(&text);
    return status;
}

static Status take_option(void *member, const char *word) {
    TunerOptions *options = member;
    if (word == NULL) return status_ok();
    if (options->count == ENGINE_OPTIONS_MAX) return status_error("more than %d", ENGINE_OPTIONS_MAX);
    options->word[options->count++] = word;
    return status_ok();
}

static Status check(void *context) {
    TunerSettings *settings = context;
    const char *moves = settings->moves;
    if (settings->names.count > SPSA_PARAMS_MAX) return status_error("more than %d numbers", SPSA_PARAMS_MAX);
    if (settings->nodes > 0 && settings->tc != NULL)
        return status_error("--nodes and --tc: one of them; a number cannot be tuned for both at once");
    if (moves != NULL && (settings->tc != NULL || settings->openbench))
        return status_error("--moves and %s: moves are judged in fixed nodes, here",
                            settings->tc != NULL ? "--tc" : "--openbench");
    if (moves == NULL && (settings->stretches > 0 || settings->judge_nodes > 0))
        return status_error("--stretches and --judge-nodes are for --moves");
    if (settings->stretches == 0) settings->stretches = JUDGE_STRETCHES_MAX;
    if (settings->judge_nodes == 0) settings->judge_nodes = 150000;
    if (settings->apply && settings->openbench) return status_error("--apply and --openbench: one of them");
    bool neither = settings->nodes == 0 && settings->tc == NULL;
    if (neither && settings->openbench)
        settings->tc = "5+0.05"; /* where OpenBench plays: time is managed there */
    else if (neither)
        settings->nodes = moves != NULL ? 10000 : 5000;
    if (settings->spsa.spread == 0) settings->spsa.spread = moves != NULL ? 3 : 1;
    if (settings->spsa.rate == 0) settings->spsa.rate = moves != NULL ? 0.005 : 0.002;
    return status_ok();
}

#define FIELD_STRUCT TunerSettings
static const Field FIELDS[] = {
    {FIELD_WORDS("NUMBER", names, 0,
                 "numbers to tune, as src/search/params.def names them; NAME=LOW,HIGH narrows the range")},
    {FIELD_HEADING("Players:")},
    {FIELD_TEXT("engine", "PROGRAM", engine, "build/lab/luft",
                "the engine: any one, or Luft built by make LAB=1 EXE=build/lab/luft")},
    {FIELD_WHOLE("nodes", "N", nodes, 1, 1e12, NULL,
                 "play with N nodes a move (default 5000; 10000 with --moves)")},
    {FIELD_TEXT("tc", "TC", tc, NULL, "play on the clock instead, 5+0.05 for instance")},
    {FIELD_TAKEN("option", "NAME=VALUE", options, take_option,
                 "a UCI option of both players: "
                 "EvalFile=new.nnue; may be repeated")},
    {FIELD_WHOLE("hash", "MiB", hash, 1, 1 << 20, "16", "MiB of each player")},
    {FIELD_TEXT("book", "FILE", book, "books/standard.epd", "openings, in random order")},
    {FIELD_HEADING("Moves judged instead of games:")},
    {FIELD_TEXT("moves", "GAMES.pgn", moves, NULL,
                "judge moves in these games of the engine itself, some thousands")},
    {FIELD_WHOLE("stretches", "N", stretches, 1, JUDGE_STRETCHES_MAX, NULL,
                 "stretches at most, one for each game (default: all games)")},
    {FIELD_WHOLE("judge-nodes", "N", judge_nodes, JUDGE_NODES_MIN, 1e12, NULL,
                 "nodes of a judgement (default 150000)")},
    {FIELD_GROUP(spsa, SPSA_FIELDS)},
    {FIELD_HEADING("The run:")},
    {FIELD_WHOLE("concurrency", "N", concurrency, 1, TUNER_CONCURRENCY_MAX, "1", "pairs at once")},
    {FIELD_TEXT("folder", "DIR", folder, "tune", "folder of results and journal")},
    {FIELD_FLAG("again", again, "start over, and keep the old folder as DIR.old")},
    {FIELD_TEXT("results", "FILE", results, NULL,
                "at the end append the numbers: rows of results/tunes.tsv")},
    {FIELD_CHOICE("plot", PLOT_KINDS, plot, "svg",
                  "format of the plot, which gnuplot draws at the end where it is installed")},
    {FIELD_FLAG("apply", apply,
                "at the end write the values into params.def, and print the sprt command that tests them")},
    {FIELD_TEXT("params", "FILE", params, "src/search/params.def", "the file of --apply")},
    {FIELD_FLAG("quiet", quiet, "print no progress")},
    {FIELD_FLAG(
        "openbench", openbench,
        "print what OpenBench needs for the same tuning, and play nothing; a file has no line feed at its "
        "end, as OpenBench refuses an empty line")},
    {0}};

int command_tune(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab tune",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = run};
    TunerSettings settings = {0};
    return commands_run(&SYNTAX, argc, argv, &settings);
}
