/* luft-lab data: what to do with files of recorded games. Each action has its own options. */
#include "base/memory.h"
#include "lab/command.h"
#include "lab/data/datatext.h"
#include "lab/data/sorting.h"
#include "lab/kit/console.h"
#include "lab/selfplay/datagen.h"
#include "lab/train/datastats.h"

#include <inttypes.h>
#include <stdio.h>

/* Rows of several actions. */
#define FILE_WORDS FIELD_WORDS("FILE", files, 1, "a file of recorded games")
#define OUT_TEXT(member) \
    FIELD_TEXT("out", "FILE", member, NULL, "the file to write, renamed when it is complete")

static Status need(const char *const value, const char *option) {
    return value != NULL ? status_ok() : status_error("needs --%s", option);
}

/* --- stats --- */

typedef struct StatsArguments {
    WordList files;
    LoaderFilter filter;
} StatsArguments;

static Status run_stats(void *context) {
    const StatsArguments *arguments = context;
    DataStats *stats = memory_allocate(sizeof *stats);
    if (stats == NULL) return status_no_memory("the statistics");
    Status status = status_ok();
    for (int i = 0; i < arguments->files.count && status_is_ok(&status); i++)
        status = datastats_add(stats, arguments->files.word[i], &arguments->filter);
    TextBuffer text = {0};
    if (status_is_ok(&status)) {
        datastats_print(stats, &text);
        status = console_write_result(NULL, &text);
        if (status_is_ok(&status)) status = stats->damage;
    }
    buffer_release(&text);
    datastats_release(stats);
    memory_release(stats);
    return status;
}

#define FIELD_STRUCT StatsArguments
static const Field STATS_FIELDS[] = {{FILE_WORDS},
                                     {FIELD_WHOLE("min-ply", "N", filter.min_ply, 0, RECORD_PLIES_MAX, "16",
                                                  "count earlier plies as not usable")},
                                     {0}};
#undef FIELD_STRUCT

static int data_stats(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab data stats",
                                  .about = "Prints what the files contain.\n",
                                  .fields = STATS_FIELDS,
                                  .run = run_stats};
    StatsArguments arguments = {.filter = loader_filter_default()};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

/* --- merge, filter, split --- */

typedef struct SortArguments {
    WordList files;
    SortingSettings settings;
    bool needs_rest;
} SortArguments;

static Status check_sorting(void *context) {
    const SortArguments *arguments = context;
    Status status = need(arguments->settings.out, "out");
    return status_is_ok(&status) && arguments->needs_rest ? need(arguments->settings.rest, "rest") : status;
}

static Status run_sorting(void *context) {
    SortArguments *arguments = context;
    arguments->settings.in = arguments->files.word;
    arguments->settings.in_count = arguments->files.count;
    return sorting_run(&arguments->settings);
}

static SortingSettings all_games(void) { return (SortingSettings){.share = 1, .result = -1, .start = -1}; }

#define FIELD_STRUCT SortArguments
static const Field MERGE_FIELDS[] = {{FILE_WORDS}, {OUT_TEXT(settings.out)}, {0}};
#undef FIELD_STRUCT

static int data_merge(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab data merge",
                                  .about = "Writes all games to one file.\n",
                                  .fields = MERGE_FIELDS,
                                  .check = check_sorting,
                                  .run = run_sorting};
    SortArguments arguments = {.settings = all_games()};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

#define FIELD_STRUCT SortArguments
static const Field FILTER_FIELDS[] = {
    {FILE_WORDS},
    {OUT_TEXT(settings.out)},
    {FIELD_WHOLE("nodes", "N", settings.nodes, 1, 1e9, NULL, "games played with N nodes a move")},
    {FIELD_TEXT("net", "HASH", settings.network, NULL,
                "games of the network with this hash, as stats prints it")},
    {FIELD_CHOICE("result", "black draw white", settings.result, NULL, "games with this result")},
    {FIELD_CHOICE("start", "standard chess960", settings.start, NULL, "games with this kind of start")},
    {FIELD_WHOLE("min-plies", "N", settings.min_plies, 1, RECORD_PLIES_MAX, NULL,
                 "games of N plies or more")},
    {FIELD_WHOLE("max-plies", "N", settings.max_plies, 1, RECORD_PLIES_MAX, NULL,
                 "games of N plies or fewer")},
    {FIELD_FLAG("unique", settings.unique, "each game once")},
    {0}};
#undef FIELD_STRUCT

static int data_filter(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab data filter",
                                  .about = "Writes the games that meet all given conditions.\n",
                                  .fields = FILTER_FIELDS,
                                  .check = check_sorting,
                                  .run = run_sorting};
    SortArguments arguments = {.settings = all_games()};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

#define FIELD_STRUCT SortArguments
static const Field SPLIT_FIELDS[] = {
    {FILE_WORDS},
    {OUT_TEXT(settings.out)},
    {FIELD_TEXT("rest", "FILE", settings.rest, NULL, "the second file")},
    {FIELD_REAL("share", "X", settings.share, 0, 1, "0.1", "probability of the first file")},
    {FIELD_WHOLE("seed", "N", settings.seed, 0, FIELD_UNLIMITED, "0", "of the choice")},
    {0}};
#undef FIELD_STRUCT

static int data_split(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab data split",
                                  .about = "Writes each game to one of two files, at random.\n",
                                  .fields = SPLIT_FIELDS,
                                  .check = check_sorting,
                                  .run = run_sorting};
    SortArguments arguments = {.settings = all_games(), .needs_rest = true};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

/* --- relabel --- */

typedef struct RelabelArguments {
    WordList files;
    RelabelSettings settings;
} RelabelArguments;

static Status check_relabelling(void *context) {
    const RelabelSettings *settings = &((RelabelArguments *)context)->settings;
    if (settings->budget.soft == 0) return status_error("needs --nodes");
    return need(settings->out, "out");
}

static Status run_relabelling(void *context) {
    RelabelArguments *arguments = context;
    RelabelSettings *settings = &arguments->settings;
    settings->in = arguments->files.word;
    settings->in_count = arguments->files.count;
    settings->budget.hard = 4 * settings->budget.soft;
    RelabelReport report;
    Status status = relabel_run(settings, &report);
    if (status_is_ok(&status))
        printf("%s: %" PRIu64 " games, %" PRIu64 " plies in this run%s\n", settings->out, report.games,
               report.plies, report.interrupted ? "; stopped, the same command goes on" : "");
    return status;
}

#define FIELD_STRUCT RelabelArguments
static const Field RELABEL_FIELDS[] = {
    {FILE_WORDS},
    {OUT_TEXT(settings.out)},
    {FIELD_TEXT("net", "NET", settings.network, NULL,
                "the network: a file or random:WIDTH:SEED (default: the program's)")},
    {FIELD_WHOLE("nodes", "N", settings.budget.soft, 1, 1e9, NULL,
                 "nodes for each ply: no iteration begins after them")},
    {FIELD_WHOLE("threads", "N", settings.threads, 0, 256, "0", "threads; 0: one for each core")},
    {FIELD_WHOLE("hash", "MiB", settings.hash, 1, 1024, "2", "MiB of each thread's table")},
    {FIELD_FLAG("quiet", settings.quiet, "print no progress")},
    {0}};
#undef FIELD_STRUCT

static int data_relabel(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft-lab data relabel",
        .about = "Writes all games with new scores, by another network or with more nodes. "
                 "The same command continues where it was stopped.\n",
        .fields = RELABEL_FIELDS,
        .check = check_relabelling,
        .run = run_relabelling};
    RelabelArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

/* --- export, import --- */

typedef struct TextArguments {
    WordList files;
    const char *out;
    int format; /* 0 text, 1 PGN */
} TextArguments;

static Status run_export(void *context) {
    const TextArguments *arguments = context;
    return datatext_export(arguments->files.word, arguments->files.count, arguments->format == 1,
                           arguments->out);
}

#define FIELD_STRUCT TextArguments
static const Field EXPORT_FIELDS[] = {
    {FILE_WORDS},
    {FIELD_TEXT("out", "FILE", out, NULL, "the file to write (default: standard output)")},
    {FIELD_CHOICE("format", "text pgn", format, "text", "a line for each game, or PGN")},
    {0}};
#undef FIELD_STRUCT

static int data_export(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab data export",
                                  .about = "Writes games as text.\n",
                                  .fields = EXPORT_FIELDS,
                                  .run = run_export};
    TextArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

static Status check_import(void *context) { return need(((TextArguments *)context)->out, "out"); }

static Status run_import(void *context) {
    const TextArguments *arguments = context;
    return datatext_import(arguments->files.word, arguments->files.count, arguments->format == 1,
                           arguments->out);
}

#define FIELD_STRUCT TextArguments
static const Field IMPORT_FIELDS[] = {
    {FIELD_WORDS("FILE", files, 1, "a file of text")},
    {OUT_TEXT(out)},
    {FIELD_CHOICE("format", "text pgn", format, "text", "a line for each game, or PGN")},
    {0}};
#undef FIELD_STRUCT

static int data_import(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab data import",
                                  .about = "Reads games from text.\n",
                                  .fields = IMPORT_FIELDS,
                                  .check = check_import,
                                  .run = run_import};
    TextArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

/* --- salvage --- */

typedef struct SalvageArguments {
    const char *in, *out;
} SalvageArguments;

static Status run_salvage(void *context) {
    const SalvageArguments *arguments = context;
    SalvageReport report;
    Status status = salvage_games(arguments->in, arguments->out, &report);
    if (!status_is_ok(&status)) return status;
    TextBuffer text = {0};
    buffer_append_format(&text, "%s: %" PRIu64 " games, %" PRIu64 " plies in %" PRIu64 " blocks\n",
                         arguments->out, report.games, report.plies, report.blocks);
    for (int i = 0; i < report.gaps && i < SALVAGE_GAPS_MAX; i++)
        buffer_append_format(&text,
                             "lost: %" PRIu64 " bytes at offset %" PRIu64 ", with %" PRIu64
                             " games and %" PRIu64 " plies as far as known\n",
                             report.gap[i].bytes, report.gap[i].offset, report.gap[i].games,
                             report.gap[i].plies);
    if (report.gaps > SALVAGE_GAPS_MAX) buffer_append_string(&text, "lost: ...\n");
    buffer_append_format(&text, "lost in all: %" PRIu64 " bytes, %" PRIu64 " games, %" PRIu64 " plies\n",
                         report.lost_bytes, report.lost_games, report.lost_plies);
    status = console_write_result(NULL, &text);
    buffer_release(&text);
    return status;
}

#define FIELD_STRUCT SalvageArguments
static const Field SALVAGE_FIELDS[] = {
    {FIELD_TEXT("IN", NULL, in, NULL, "a damaged file of recorded games"), .flags = FIELD_WORD},
    {FIELD_TEXT("OUT", NULL, out, NULL, "a new file"), .flags = FIELD_WORD},
    {0}};
#undef FIELD_STRUCT

static int data_salvage(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab data salvage",
                                  .about = "Writes what can be saved of a damaged file to a new one.\n",
                                  .fields = SALVAGE_FIELDS,
                                  .run = run_salvage};
    SalvageArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}

int command_data(int argc, char **argv) {
    static const Command ACTIONS[] = {
        {"stats", "what the files contain", data_stats},
        {"merge", "all games into one file", data_merge},
        {"filter", "the games that meet all given conditions", data_filter},
        {"split", "each game into one of two files, by chance", data_split},
        {"relabel", "all games, scored again by another network", data_relabel},
        {"export", "games as text", data_export},
        {"import", "games from text", data_import},
        {"salvage", "what is whole of a damaged file", data_salvage},
    };
    const CommandList list = {"luft-lab data", "Usage: luft-lab data ACTION [options] FILE...\n\n", NULL,
                              COMMANDS(ACTIONS)};
    return commands_dispatch(&list, argc, argv);
}
