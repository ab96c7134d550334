/* luft-lab benchmark: how fast, how strong? */
#include "base/file.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/tune/speed.h"
#include "lab/tune/strength.h"

static Status write(const char *output, TextBuffer *text) {
    const Status status = text->length > 0 ? console_write_result(output, text) : status_ok();
    buffer_release(text);
    return status;
}

/* --- speed --- */

static const char SPEED_ABOUT[] =
    "Runs the engine's bench and prints nodes, time and speed, in all and for each position. "
    "The node count is the search's signature: if it changed, the search changed, and that is the headline. "
    "Speed is printed as the ratio of paired runs, because the speed of a machine drifts.\n";
static const char SPEED_EXAMPLES[] = "  before and after a change\n"
                                     "  cp luft luft-before; edit, make\n"
                                     "  luft-lab benchmark speed --against ./luft-before\n";

typedef struct SpeedArguments {
    SpeedSettings settings;
    const char *output;
} SpeedArguments;

static Status check_speed(void *context) {
    const SpeedSettings *settings = &((SpeedArguments *)context)->settings;
    if (settings->against != NULL && settings->baseline != NULL)
        return status_error("--against or --baseline, not both");
    return status_ok();
}

static Status run_speed(void *context) {
    const SpeedArguments *arguments = context;
    TextBuffer text = {0};
    const Status status = speed_run(&arguments->settings, &text);
    const Status written = write(arguments->output, &text);
    return status_is_ok(&status) ? written : status;
}

#define FIELD_STRUCT SpeedArguments
static const Field SPEED_FIELDS[] = {
    {FIELD_TEXT("engine", "PROGRAM", settings.engine, "./luft", "the engine")},
    {FIELD_WHOLE("depth", "N", settings.depth, 1, 200, NULL,
                 "plies (default: the engine's own; with --baseline that of the baseline)")},
    {FIELD_TEXT("against", "PROGRAM", settings.against, NULL,
                "an earlier build, run in turn with the engine: the fair comparison of speed")},
    {FIELD_TEXT("baseline", "FILE", settings.baseline, NULL,
                "a result saved earlier; then speed is compared position by position")},
    {FIELD_TEXT("save", "FILE", settings.save, NULL, "save this result as a baseline")},
    {FIELD_WHOLE("runs", "N", settings.runs, 1, SPEED_RUNS_MAX, "3", "runs of each program")},
    {FIELD_TEXT("output", "FILE", output, NULL, "write the report to FILE instead of standard output")},
    {FIELD_FLAG("quiet", settings.quiet, "print no progress bar")},
    {0}};
#undef FIELD_STRUCT

static int benchmark_speed(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab benchmark speed",
                                  .about = SPEED_ABOUT,
                                  .examples = SPEED_EXAMPLES,
                                  .fields = SPEED_FIELDS,
                                  .check = check_speed,
                                  .run = run_speed};
    SpeedArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

/* --- strength --- */

static const char STRENGTH_ABOUT[] =
    "Plays against Stockfish at low Skill Levels. "
    "Every opening is played twice, with colours reversed; both have the same time for each move and one thread. "
    "Prints a table of wins, losses and draws for each level, in all, as White and as Black, and how games ended "
    "other than by mate.\n";

typedef struct StrengthArguments {
    StrengthSettings settings;
    const char *level_list, *output;
} StrengthArguments;

static Status parse_levels(const char *text, StrengthSettings *settings) {
    settings->level_count = 0;
    TextView rest = text_view(text);
    while (rest.length > 0) {
        size_t end = 0;
        while (end < rest.length && rest.data[end] != ',') end++;
        int64_t level;
        if (settings->level_count == STRENGTH_LEVELS_MAX ||
            !text_parse_int64((TextView){rest.data, end}, &level) || level < 0 || level > 20)
            return status_error("--levels must be numbers from 0 to 20, such as 3,4,5, not '%s'", text);
        settings->levels[settings->level_count++] = (int)level;
        const size_t skip = end < rest.length ? end + 1 : end;
        rest = (TextView){rest.data + skip, rest.length - skip};
    }
    return settings->level_count > 0 ? status_ok() : status_error("--levels needs at least one level");
}

static Status check_strength(void *context) {
    StrengthArguments *arguments = context;
    if (arguments->settings.games % 2 != 0)
        return status_error("--games %d: an even number, since each opening is played twice",
                            arguments->settings.games);
    return parse_levels(arguments->level_list, &arguments->settings);
}

static Status run_strength(void *context) {
    const StrengthArguments *arguments = context;
    TextBuffer text = {0};
    const Status status = strength_run(&arguments->settings, &text);
    const Status written = write(arguments->output, &text);
    return status_is_ok(&status) ? written : status;
}

#define FIELD_STRUCT StrengthArguments
static const Field STRENGTH_FIELDS[] = {
    {FIELD_TEXT("levels", "A,B,...", level_list, "3,4,5", "Skill Levels, 0 to 20")},
    {FIELD_WHOLE("games", "N", settings.games, 2, 1000000, "100", "games at each level, an even number")},
    {FIELD_SECONDS("time", settings.seconds, 0.001, 3600, "0.1", "time for each move")},
    {FIELD_WHOLE("hash", "MiB", settings.hash, 1, 1 << 20, "16", "MiB of each engine")},
    {FIELD_TEXT("engine", "PROGRAM", settings.engine, "./luft", "the engine")},
    {FIELD_TEXT("opponent", "PROGRAM", settings.opponent, NULL, "Stockfish (default: the installed one)")},
    {FIELD_TEXT("book", "FILE", settings.book, "books/standard.epd",
                "openings, EPD or PGN, in random order")},
    {FIELD_WHOLE("seed", "N", settings.seed, 0, FIELD_UNLIMITED, "1", "of the order of openings")},
    {FIELD_WHOLE("concurrency", "N", settings.concurrency, 1, 256, "1",
                 "games at once; leave a processor for each engine that thinks")},
    {FIELD_TEXT("folder", "DIR", settings.folder, NULL,
                "keep games (PGN), logs and journals there; then the same command carries on "
                "after an interruption")},
    {FIELD_TEXT("output", "FILE", output, NULL, "write the report to FILE instead of standard output")},
    {FIELD_FLAG("quiet", settings.quiet, "print no live table")},
    {0}};
#undef FIELD_STRUCT

static int benchmark_strength(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab benchmark strength",
                                  .about = STRENGTH_ABOUT,
                                  .fields = STRENGTH_FIELDS,
                                  .check = check_strength,
                                  .run = run_strength};
    static const char DEBIAN_STOCKFISH[] = "/usr/games/stockfish";
    StrengthArguments arguments = {
        .settings = {.opponent = file_size(DEBIAN_STOCKFISH) > 0 ? DEBIAN_STOCKFISH : "stockfish"}};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

int command_benchmark(int argc, char **argv) {
    static const Command REPORTS[] = {
        {"speed", "run the engine's bench, and compare it with an earlier one", .run = benchmark_speed},
        {"strength", "play against Stockfish at low Skill Levels", .run = benchmark_strength},
    };
    const CommandList list = {"luft-lab benchmark",
                              "Usage: luft-lab benchmark speed|strength [options]\n\nReports as Markdown, "
                              "made for pasting into a pull request.\n\n",
                              NULL, COMMANDS(REPORTS)};
    return commands_dispatch(&list, argc, argv);
}
