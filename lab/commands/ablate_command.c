/* luft-lab ablate: what is each technique of the search worth? */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/plot.h"
#include "lab/tune/ablation.h"

#include <math.h>

static const char ABOUT[] =
    "Measures what each technique of the search is worth: the engine without it plays against the full engine. "
    "Both also run bench. "
    "The engine must be built with LAB=1, which has a switch `Use TECHNIQUE` for each technique. "
    "Without names, all techniques are measured. "
    "Writes ablation.md, ablation.csv and a plot, again after each technique. "
    "The same command carries on after an interruption; --again starts over.\n"
    "\n"
    "Techniques whose names begin with time_ do nothing in fixed nodes and are not played there.\n";
static const char EXAMPLES[] = "  the pruning of quiet moves, in fixed nodes\n"
                               "  luft-lab ablate futility late_move_pruning history_pruning \\\n"
                               "      --nodes 10000 --games 400 --concurrency 2\n";

static Status run(void *context) {
    TextBuffer table = {0};
    Status status = ablation_run(context, &table);
    const Status written = status_has_result(&status) ? console_write_result(NULL, &table) : status_ok();
    if (status_has_result(&status) && !status_is_ok(&written)) status = written;
    buffer_release(&table);
    return status;
}

static Status check(void *context) {
    AblationSettings *settings = context;
    if (settings->games % 2 != 0)
        return status_error("--games %d: an even number, since each opening is played twice",
                            settings->games);
    if (settings->nodes == 0 && settings->tc == NULL) {
        settings->nodes = 10000;
        settings->tc = "1+0.01";
    }
    return !isnan(settings->test.elo0) ? stats_sprt_check(&settings->test) : status_ok();
}

#define FIELD_STRUCT AblationSettings
static const Field FIELDS[] = {
    {FIELD_WORDS("TECHNIQUE", names, 0, "techniques to measure, as docs/search.md names them")},
    {FIELD_FLAG("list", list, "print the names of the engine's techniques, and measure nothing")},
    {FIELD_TEXT("engine", "PROGRAM", engine, "build/lab/luft",
                "the engine, built by make LAB=1 EXE=build/lab/luft")},
    {FIELD_WHOLE("nodes", "N", nodes, 1, 1e12, NULL,
                 "play with N nodes a move: shows what the technique does to the quality of a node")},
    {FIELD_TEXT("tc", "TC", tc, NULL,
                "play on the clock, 1+0.01 for instance: shows what it gains in real games "
                "(without --nodes and --tc: both, 10000 nodes and 1+0.01)")},
    {FIELD_WHOLE("games", "N", games, 0, 10000000, "200",
                 "games for each technique and limit, an even number; 0: bench only")},
    {FIELD_REAL("sprt", "LOW,HIGH", test.elo0, -1e4, 1e4, NULL,
                "stop a match when a sequential test of full against without is decided"),
     .length = 2, .stride = offsetof(SprtTest, elo1) - offsetof(SprtTest, elo0)},
    {FIELD_WHOLE("depth", "N", depth, 1, 200, "9", "depth of bench: without a technique it can take long")},
    {FIELD_WHOLE("runs", "N", runs, 0, SPEED_RUNS_MAX, "3",
                 "bench runs of each engine, in turn, for the time to depth; 0: no bench")},
    {FIELD_FLAG("adjudicate", adjudicate,
                "end games that both engines consider decided (six pawns, four moves) or drawn "
                "(from move 40)")},
    {FIELD_WHOLE("hash", "MiB", hash, 1, 1 << 20, "16", "MiB of each engine")},
    {FIELD_TEXT("book", "FILE", book, "books/standard.epd", "openings, in random order")},
    {FIELD_WHOLE("seed", "N", seed, 0, FIELD_UNLIMITED, "1", "of the order of openings")},
    {FIELD_WHOLE("concurrency", "N", concurrency, 1, 256, "1", "games at once")},
    {FIELD_TEXT("folder", "DIR", folder, "ablation", "folder of results, games and journals")},
    {FIELD_FLAG("again", again, "start over, and keep the old folder as DIR.old")},
    {FIELD_TEXT("results", "FILE", results, NULL, "append a row of results/ablation.tsv for each match")},
    {FIELD_CHOICE("plot", PLOT_KINDS, plot, "svg",
                  "format of the plot, which gnuplot draws where it is installed")},
    {FIELD_FLAG("quiet", quiet, "print no live table")},
    {0}};

int command_ablate(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab ablate",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = run};
    AblationSettings settings = {.test = stats_sprt_default()};
    settings.test.elo0 = settings.test.elo1 = NAN;
    return commands_run(&SYNTAX, argc, argv, &settings);
}
