/* luft-lab data: what to do with files of recorded games. Each action has its own options. */
#include "base/memory.h"
#include "lab/command.h"
#include "lab/data/convert.h"
#include "lab/data/salvage.h"
#include "lab/data/sorting.h"
#include "lab/kit/console.h"
#include "lab/selfplay/relabel.h"
#include "lab/train/datastats.h"

#include <inttypes.h>
#include <stdio.h>

/* The files that every action reads. */
static Argument files_word(ArgumentList *files) {
    return argument_words("FILE", files, 1, "a file of recorded games");
}

static Argument out_option(const char **out) {
    return option_text("out", "FILE", out, "the file to write, renamed when it is complete");
}

static Status need(const char *const value, const char *option) {
    return value != NULL ? status_ok() : status_error("needs --%s", option);
}

/* --- stats --- */

typedef struct StatsArguments {
    ArgumentList files;
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

static int data_stats(int argc, char **argv) {
    StatsArguments arguments = {.filter = loader_filter_default()};
    const Argument table[] = {
        files_word(&arguments.files),
        option_int("min-ply", "N", &arguments.filter.min_ply, 0, RECORD_PLIES_MAX,
                   "earlier plies are not usable"),
    };
    const Syntax syntax = {"luft-lab data stats", NULL, "Tells what the files contain.\n", NULL,
                           ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, NULL, run_stats, &arguments);
}

/* --- merge, filter, split --- */

typedef struct SortArguments {
    ArgumentList files;
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

static int data_merge(int argc, char **argv) {
    SortArguments arguments = {.settings = all_games()};
    const Argument table[] = {files_word(&arguments.files), out_option(&arguments.settings.out)};
    const Syntax syntax = {"luft-lab data merge", NULL, "Writes all games into one file.\n", NULL,
                           ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check_sorting, run_sorting, &arguments);
}

static int data_filter(int argc, char **argv) {
    SortArguments arguments = {.settings = all_games()};
    SortingSettings *settings = &arguments.settings;
    const Argument table[] = {
        files_word(&arguments.files),
        out_option(&settings->out),
        option_whole("nodes", "N", &settings->nodes, 1, 1e9, "of this node limit"),
        option_text("net", "HASH", &settings->network, "by the network of this hash, as stats shows it"),
        option_choice("result", "black draw white", &settings->result, "that ended so"),
        option_choice("start", "standard chess960", &settings->start, "that began so"),
        option_int("min-plies", "N", &settings->min_plies, 1, RECORD_PLIES_MAX, "no shorter ones"),
        option_int("max-plies", "N", &settings->max_plies, 1, RECORD_PLIES_MAX, "no longer ones"),
        option_flag("unique", &settings->unique, "each game once"),
    };
    const Syntax syntax = {"luft-lab data filter", NULL, "Writes the games that meet all given conditions.\n",
                           NULL, ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check_sorting, run_sorting, &arguments);
}

static int data_split(int argc, char **argv) {
    SortArguments arguments = {.settings = all_games(), .needs_rest = true};
    SortingSettings *settings = &arguments.settings;
    settings->share = 0.1;
    const Argument table[] = {
        files_word(&arguments.files),
        out_option(&settings->out),
        option_text("rest", "FILE", &settings->rest, "the second file"),
        option_real("share", "X", &settings->share, 0, 1, "chance of the first file"),
        option_count("seed", "N", &settings->seed, 0, ARGUMENT_UNLIMITED, "of the choice"),
    };
    const Syntax syntax = {"luft-lab data split", NULL,
                           "Writes each game into one of two files, by chance.\n", NULL, ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check_sorting, run_sorting, &arguments);
}

/* --- relabel --- */

typedef struct RelabelArguments {
    ArgumentList files;
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

static int data_relabel(int argc, char **argv) {
    RelabelArguments arguments = {.settings = {.hash = 2}};
    RelabelSettings *settings = &arguments.settings;
    const Argument table[] = {
        files_word(&arguments.files),
        out_option(&settings->out),
        option_text("net", "NET", &settings->network,
                    "the network: a file, random:WIDTH:SEED (default: the program's)"),
        option_count("nodes", "N", &settings->budget.soft, 1, 1e9, "a ply: no iteration begins past it"),
        option_whole("threads", "N", &settings->threads, 0, 256, "0: one for each core"),
        option_whole("hash", "MIB", &settings->hash, 1, 1024, "of each thread's table"),
        option_flag("quiet", &settings->quiet, "no progress"),
    };
    const Syntax syntax = {"luft-lab data relabel", NULL,
                           "Writes all games with new scores, by another network or more nodes. The same "
                           "command goes on where it was stopped.\n",
                           NULL, ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check_relabelling, run_relabelling, &arguments);
}

/* --- export, import --- */

typedef struct TextArguments {
    ArgumentList files;
    const char *out;
    int format; /* 0 text, 1 PGN */
} TextArguments;

static Status run_export(void *context) {
    const TextArguments *arguments = context;
    return convert_export(arguments->files.word, arguments->files.count, arguments->format == 1,
                          arguments->out);
}

static int data_export(int argc, char **argv) {
    TextArguments arguments = {0};
    const Argument table[] = {
        files_word(&arguments.files),
        option_text("out", "FILE", &arguments.out, "the file to write (default: standard output)"),
        option_choice("format", "text pgn", &arguments.format, "a line for each game, or PGN"),
    };
    const Syntax syntax = {"luft-lab data export", NULL, "Writes games as text.\n", NULL, ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, NULL, run_export, &arguments);
}

static Status check_import(void *context) { return need(((TextArguments *)context)->out, "out"); }

static Status run_import(void *context) {
    const TextArguments *arguments = context;
    return convert_import(arguments->files.word, arguments->files.count, arguments->format == 1,
                          arguments->out);
}

static int data_import(int argc, char **argv) {
    TextArguments arguments = {0};
    const Argument table[] = {
        argument_words("FILE", &arguments.files, 1, "a file of text"),
        out_option(&arguments.out),
        option_choice("format", "text pgn", &arguments.format, "a line for each game, or PGN"),
    };
    const Syntax syntax = {"luft-lab data import", NULL, "Reads games from text.\n", NULL, ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check_import, run_import, &arguments);
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

static int data_salvage(int argc, char **argv) {
    SalvageArguments arguments = {0};
    const Argument table[] = {
        argument_word(option_text("IN", NULL, &arguments.in, "a damaged file of recorded games")),
        argument_word(option_text("OUT", NULL, &arguments.out, "a new file")),
    };
    const Syntax syntax = {"luft-lab data salvage", NULL,
                           "Writes what is whole of a damaged file to a new one.\n", NULL, ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, NULL, run_salvage, &arguments);
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
                              ARGUMENTS(ACTIONS)};
    return commands_dispatch(&list, argc, argv);
}
