/* luft-lab benchmark: how fast, how strong? */
#include "base/file.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/tune/speed.h"
#include "lab/tune/strength.h"

typedef struct Benchmark {
    SpeedSettings speed;
    StrengthSettings strength;
    const char *level_list, *output;
} Benchmark;

/* What was measured before a failure is written, too. */
static Status finish(const Benchmark *benchmark, const Status *status, TextBuffer *report) {
    Status written = status_ok();
    if (report->length > 0) written = console_write_result(benchmark->output, report);
    buffer_release(report);
    return status_is_ok(status) ? written : *status;
}

#define FIELD_STRUCT Benchmark
#define OUTPUT_FIELD \
    FIELD_TEXT("output", "FILE", output, NULL, "write the report to FILE instead of standard output")

/* --- speed --- */

static const char SPEED_ABOUT[] =
    "Runs the engine's bench and prints nodes, time and speed, in all and for each position. "
    "The node count is the search's signature: if it changed, the search changed, and that is the headline. "
    "Speed is printed as the ratio of paired runs, because the speed of a machine drifts.\n";
static const char SPEED_EXAMPLES[] = "  before and after a change\n"
                                     "  cp luft luft-before; edit, make\n"
                                     "  luft-lab benchmark speed --against ./luft-before\n";

static Status check_speed(void *context) {
    const SpeedSettings *settings = &((const Benchmark *)context)->speed;
    if (settings->against != NULL && settings->baseline != NULL)
        return status_error("--against or --baseline, not both");
    return status_ok();
}

static Status run_speed(void *context) {
    const Benchmark *benchmark = context;
    TextBuffer report = {0};
    const Status status = speed_run(&benchmark->speed, &report);
    return finish(benchmark, &status, &report);
}

static const Field SPEED_FIELDS[] = {
    {FIELD_TEXT("engine", "PROGRAM", speed.engine, "./luft", "the engine")},
    {FIELD_WHOLE("depth", "N", speed.depth, 1, 200, NULL,
                 "plies (default: the engine's own; with --baseline that of the baseline)")},
    {FIELD_TEXT("against", "PROGRAM", speed.against, NULL,
                "an earlier build, run in turn with the engine: the fair comparison of speed")},
    {FIELD_TEXT("baseline", "FILE", speed.baseline, NULL,
                "a result saved earlier; then speed is compared position by position")},
    {FIELD_TEXT("save", "FILE", speed.save, NULL, "save this result as a baseline")},
    {FIELD_WHOLE("runs", "N", speed.runs, 1, SPEED_RUNS_MAX, "3", "runs of each program")},
    {OUTPUT_FIELD},
    {FIELD_FLAG("quiet", speed.quiet, "print no progress bar")},
    {0}};

/* --- strength --- */

static const char STRENGTH_ABOUT[] =
    "Plays against Stockfish at low Skill Levels. "
    "Every opening is played twice, with colours reversed; both have the same time for each move and one thread. "
    "Prints a table of wins, losses and draws for each level, in all, as White and as Black, and how games ended "
    "other than by mate.\n";

static Status parse_levels(const char *text, StrengthSettings *settings) {
    settings->level_count = 0;
    TextView rest = text_view(text), word;
    while (rest.length > 0) {
        int64_t level;
        text_split(&rest, ',', &word);
        if (settings->level_count == STRENGTH_LEVELS_MAX || !text_parse_int64(word, &level) || level < 0 ||
            level > 20)
            return status_error("--levels must be numbers from 0 to 20, such as 3,4,5, not '%s'", text);
        settings->levels[settings->level_count++] = (int)level;
    }
    return settings->level_count > 0 ? status_ok() : status_error("--levels needs at least one level");
}

static Status check_strength(void *context) {
    Benchmark *benchmark = context;
    if (benchmark->strength.games % 2 != 0)
        return status_error("--games %d: an even number, since each opening is played twice",
                            benchmark->strength.games);
    return parse_levels(benchmark->level_list, &benchmark->strength);
}

static Status run_strength(void *context) {
    const Benchmark *benchmark = context;
    TextBuffer report = {0};
    const Status status = strength_run(&benchmark->strength, &report);
    return finish(benchmark, &status, &report);
}

static const Field STRENGTH_FIELDS[] = {
    {FIELD_TEXT("levels", "A,B,...", level_list, "3,4,5", "Skill Levels, 0 to 20")},
    {FIELD_WHOLE("games", "N", strength.games, 2, 1000000, "100", "games at each level, an even number")},
    {FIELD_SECONDS("time", strength.seconds, 0.001, 3600, "0.1", "time for each move")},
    {FIELD_WHOLE("hash", "MiB", strength.hash, 1, 1 << 20, "16", "MiB of each engine")},
    {FIELD_TEXT("engine", "PROGRAM", strength.engine, "./luft", "the engine")},
    {FIELD_TEXT("opponent", "PROGRAM", strength.opponent, NULL, "Stockfish (default: the installed one)")},
    {FIELD_TEXT("book", "FILE", strength.book, "books/standard.epd",
                "openings, EPD or PGN, in random order")},
    {FIELD_WHOLE("seed", "N", strength.seed, 0, FIELD_UNLIMITED, "1", "of the order of openings")},
    {FIELD_WHOLE("concurrency", "N", strength.concurrency, 1, 256, "1",
                 "games at once; leave a processor for each engine that thinks")},
    {FIELD_TEXT("folder", "DIR", strength.folder, NULL,
                "keep games (PGN), logs and journals there; then the same command carries on "
                "after an interruption")},
    {OUTPUT_FIELD},
    {FIELD_FLAG("quiet", strength.quiet, "print no live table")},
    {0}};

/* --- both --- */

static const Command REPORTS[] = {{"speed", "run the engine's bench, and compare it with an earlier one",
                                   .syntax = {.command = "luft-lab benchmark speed",
                                              .about = SPEED_ABOUT,
                                              .examples = SPEED_EXAMPLES,
                                              .fields = SPEED_FIELDS,
                                              .check = check_speed,
                                              .run = run_speed}},
                                  {"strength", "play against Stockfish at low Skill Levels",
                                   .syntax = {.command = "luft-lab benchmark strength",
                                              .about = STRENGTH_ABOUT,
                                              .fields = STRENGTH_FIELDS,
                                              .check = check_strength,
                                              .run = run_strength}}};

int command_benchmark(int argc, char **argv) {
    static const char DEBIAN_STOCKFISH[] = "/usr/games/stockfish";
    Benchmark benchmark = {
        .strength = {.opponent = file_size(DEBIAN_STOCKFISH) > 0 ? DEBIAN_STOCKFISH : "stockfish"}};
    const CommandList list = {"luft-lab benchmark",
                              "Usage: luft-lab benchmark speed|strength [options]\n\nReports as Markdown, "
                              "made for pasting into a pull request.\n\n",
                              NULL, COMMANDS(REPORTS), &benchmark};
    return commands_dispatch(&list, argc, argv);
}
