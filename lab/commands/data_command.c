/* luft-lab data: what to do with files of recorded games. Each action has its own options. */
#include "base/memory.h"
#include "lab/command.h"
#include "lab/data/convert.h"
#include "lab/data/shards.h"
#include "lab/data/sorting.h"
#include "lab/kit/console.h"
#include "lab/selfplay/datagen.h"
#include "lab/train/datastats.h"
#include "search/score.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct DataArguments {
    WordList files;
    LoaderFilter filter;
    SortingSettings sorting;
    RelabelSettings relabelling;
    ConvertSettings conversion;
    CollectSettings collection;
    const char *in, *out;
    bool again;
} DataArguments;

static Status run_stats(void *context) {
    const DataArguments *arguments = context;
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

static Status run_sorting(void *context) { return sorting_run(&((DataArguments *)context)->sorting); }

static Status check_filter(void *context) {
    const SortingSettings *sorting = &((DataArguments *)context)->sorting;
    const char *const tags[] = {sorting->tag, sorting->not_tag};
    for (int i = 0; i < 2; i++)
        if (tags[i] != NULL && (tags[i][0] == '=' || strchr(tags[i], '=') == NULL))
            return status_error("--%s is NAME=VALUE, not '%.60s'", i == 0 ? "tag" : "not-tag", tags[i]);
    return status_ok();
}

static Status run_convert(void *context) {
    SortingSettings *settings = &((DataArguments *)context)->sorting;
    settings->coarse = true;
    return sorting_run(settings);
}

static Status check_relabelling(void *context) {
    RelabelSettings *settings = &((DataArguments *)context)->relabelling;
    settings->budget.hard = 4 * settings->budget.soft;
    return settings->budget.soft > 0 ? status_ok() : status_error("needs --nodes");
}

static Status run_relabelling(void *context) {
    const RelabelSettings *settings = &((DataArguments *)context)->relabelling;
    RelabelReport report;
    Status status = relabel_run(settings, &report);
    if (status_is_ok(&status))
        text_printf(stdout, "%s: %s in this run\n", settings->out,
                    console_games(report.games, report.plies).text);
    return status_is_ok(&status) && report.interrupted
               ? status_unfinished("stopped; the same command carries on")
               : status;
}

static Status check_export(void *context) {
    ConvertSettings *settings = &((DataArguments *)context)->conversion;
    PlyFilter *plies = &settings->plies;
    const PlyFilter usual = loader_filter_default().plies;
    if (!settings->usable && (plies->min_ply >= 0 || plies->max_score > 0))
        return status_error("--min-ply and --max-score are for --usable");
    if (plies->max_score == 0) plies->max_score = usual.max_score;
    if (plies->min_ply < 0) plies->min_ply = settings->usable ? usual.min_ply : 0;
    return status_ok();
}

static Status run_export(void *context) { return convert_export(&((DataArguments *)context)->conversion); }
static Status run_import(void *context) { return convert_import(&((DataArguments *)context)->conversion); }

static Status run_collect(void *context) { return collect_run(&((DataArguments *)context)->collection); }

static Status run_salvage(void *context) {
    const DataArguments *arguments = context;
    SalvageReport report;
    Status status = salvage_games(arguments->in, arguments->out, arguments->again, &report);
    if (!status_is_ok(&status)) return status;
    TextBuffer text = {0};
    buffer_append_format(&text, "%s: %s in %s\n", arguments->out,
                         console_games(report.games, report.plies).text,
                         console_count(report.blocks, "block").text);
    for (int i = 0; i < report.gaps && i < SALVAGE_GAPS_MAX; i++)
        buffer_append_format(&text, "lost: %s at offset %" PRIu64 ", with %s as far as known\n",
                             console_count(report.gap[i].bytes, "byte").text, report.gap[i].offset,
                             console_games(report.gap[i].games, report.gap[i].plies).text);
    if (report.gaps > SALVAGE_GAPS_MAX) buffer_append_string(&text, "lost: ...\n");
    buffer_append_format(&text, "lost in all: %s, %s\n", console_count(report.lost_bytes, "byte").text,
                         console_games(report.lost_games, report.lost_plies).text);
    status = console_write_result(NULL, &text);
    buffer_release(&text);
    return status;
}

/* --- what the command line may say --- */

#define GAME_FILES(member) \
    { FIELD_WORDS("FILE", member, 1, "a file of recorded games") }
#define OUT_FILE(member)                                                                           \
    {                                                                                              \
        FIELD_TEXT("out", "FILE", member, NULL, "the file to write, renamed when it is complete"), \
            .flags = FIELD_REQUIRED                                                                \
    }
#define REPLACING(member) \
    { FIELD_FLAG("again", member, "replace a FILE that is there, and keep it as FILE.old") }
#define OTHER_FORMAT(formats, standard, help, answers)                                           \
    {FIELD_CHOICE("format", formats, conversion.format, standard, help), .fields = (answers)}, { \
        FIELD_WHOLE("pawn", "N", conversion.pawn, 1, 10000, NULL,                                \
                    "the score of a pawn in the file of another trainer "                        \
                    "(default: plain as in Luft, bulletformat and viriformat 100)")              \
    }

#define FIELD_STRUCT DataArguments
static const Field EXPORT_ANSWERS[] = {
    {FIELD_ANSWERED("binpack", "export plain; the tools of nnue-pytorch and Stockfish make binpack of it")},
    {0}};
static const Field IMPORT_ANSWERS[] = {
    {FIELD_ANSWERED("binpack",
                    "the tools of nnue-pytorch and Stockfish make plain of binpack, and import reads that")},
    {0}};

static const Field STATS_FIELDS[] = {GAME_FILES(files),
                                     {FIELD_WHOLE("min-ply", "N", filter.plies.min_ply, 0, RECORD_PLIES_MAX,
                                                  "16", "count earlier plies as not usable")},
                                     {0}};

static const Field MERGE_FIELDS[] = {
    GAME_FILES(sorting.in), OUT_FILE(sorting.out), REPLACING(sorting.again), {0}};

static const Field COLLECT_FIELDS[] = {
    GAME_FILES(collection.in),
    OUT_FILE(collection.out),
    {FIELD_WHOLE("games", "N", collection.games, 1, 1e12, NULL,
                 "games of the whole run (default: up to the last one that there is)")},
    {FIELD_FLAG("gaps", collection.gaps, "write OUT though games are missing")},
    REPLACING(collection.again),
    {0}};

static const Field FILTER_FIELDS[] = {
    GAME_FILES(sorting.in),
    OUT_FILE(sorting.out),
    {FIELD_WHOLE("nodes", "N", sorting.nodes, 1, 1e9, NULL, "games played with N nodes a move")},
    {FIELD_TEXT("net", "HASH", sorting.network, NULL,
                "games of the network with this hash, as stats prints it")},
    {FIELD_TEXT("player", "NAME", sorting.player, NULL,
                "games of this player, White or Black; NAME* is the beginning of a name")},
    {FIELD_TEXT(
        "tag", "NAME=VALUE", sorting.tag, NULL,
        "games with this tag, \"White=Ann\" or \"Date=2024*\"; the case of the value does not count")},
    {FIELD_TEXT("not-tag", "NAME=VALUE", sorting.not_tag, NULL,
                "games without this tag: \"Termination=time forfeit\" leaves out those lost on time")},
    {FIELD_CHOICE("result", "black draw white", sorting.result, NULL, "games with this result")},
    {FIELD_CHOICE("start", "standard chess960", sorting.start, NULL, "games with this kind of start")},
    {FIELD_WHOLE("min-plies", "N", sorting.min_plies, 1, RECORD_PLIES_MAX, NULL, "games of N plies or more")},
    {FIELD_WHOLE("max-plies", "N", sorting.max_plies, 1, RECORD_PLIES_MAX, NULL,
                 "games of N plies or fewer")},
    {FIELD_FLAG("unique", sorting.unique, "each game once")},
    REPLACING(sorting.again),
    {0}};

static const Field SPLIT_FIELDS[] = {
    GAME_FILES(sorting.in),
    OUT_FILE(sorting.out),
    {FIELD_TEXT("rest", "FILE", sorting.rest, NULL, "the second file"), .flags = FIELD_REQUIRED},
    {FIELD_REAL("share", "X", sorting.share, 0, 1, "0.1", "probability of the first file")},
    {FIELD_WHOLE("seed", "N", sorting.seed, 0, FIELD_UNLIMITED, "0", "of the choice")},
    REPLACING(sorting.again),
    {0}};

static const Field RELABEL_FIELDS[] = {
    GAME_FILES(relabelling.in),
    OUT_FILE(relabelling.out),
    {FIELD_TEXT("net", "NET", relabelling.network, NULL,
                "the network: a file or random:WIDTH:SEED (default: the program's)")},
    {FIELD_WHOLE("nodes", "N", relabelling.budget.soft, 1, 1e9, NULL,
                 "nodes for each ply: no iteration begins after them")},
    {FIELD_WHOLE("threads", "N", relabelling.threads, 0, 256, "0", "threads; 0: one for each core")},
    {FIELD_WHOLE("hash", "MiB", relabelling.hash, 1, 1024, "2", "MiB of each thread's table")},
    {FIELD_FLAG("quiet", relabelling.quiet, "print no progress")},
    REPLACING(relabelling.again),
    {0}};

static const Field EXPORT_FIELDS[] = {
    GAME_FILES(conversion.files),
    {FIELD_TEXT("out", "FILE", conversion.out, NULL, "the file to write (default: standard output)")},
    OTHER_FORMAT(CONVERT_FORMATS, "text", "a line for each game, PGN, or those of other trainers",
                 EXPORT_ANSWERS),
    {FIELD_FLAG("usable", conversion.usable,
                "plain and bulletformat: only the positions that stats counts as usable, not the early, "
                "noisy and decided ones and those in check")},
    {FIELD_WHOLE("min-ply", "N", conversion.plies.min_ply, 0, RECORD_PLIES_MAX, NULL,
                 "with --usable: leave out plies before this one (default 16)")},
    {FIELD_WHOLE("max-score", "N", conversion.plies.max_score, 1, SCORE_WIN - 1, NULL,
                 "with --usable: leave out higher scores, in Luft's units (default 2000)")},
    REPLACING(conversion.again),
    {0}};

static const Field IMPORT_FIELDS[] = {
    {FIELD_WORDS("FILE", conversion.files, 1, "a file of games or positions; - is standard input")},
    OUT_FILE(conversion.out),
    OTHER_FORMAT(IMPORT_FORMATS, "auto", "by the first line of a text, or as said", IMPORT_ANSWERS),
    {FIELD_FLAG("skip-faults", conversion.skip_faults, "exit with status 0 though something cannot be read")},
    REPLACING(conversion.again),
    {0}};

static const Field SALVAGE_FIELDS[] = {
    {FIELD_TEXT("IN", NULL, in, NULL, "a damaged file of recorded games"), .flags = FIELD_WORD},
    {FIELD_TEXT("OUT", NULL, out, NULL, "a new file"), .flags = FIELD_WORD},
    {FIELD_FLAG("again", again, "replace an OUT that is there, and keep it as OUT.old")},
    {0}};

static const Command ACTIONS[] = {
    {"stats", "what the files contain",
     .syntax = {.command = "luft-lab data stats",
                .about = "Prints what the files contain.\n",
                .fields = STATS_FIELDS,
                .run = run_stats}},
    {"merge", "all games into one file",
     .syntax = {.command = "luft-lab data merge",
                .about = "Writes all games to one file.\n",
                .fields = MERGE_FIELDS,
                .run = run_sorting}},
    {"convert", "all games in the smallest format",
     .syntax =
         {.command = "luft-lab data convert",
          .about =
              "Writes all games to one file, in the newest and smallest format. Scores of games without tags "
              "are rounded to steps of 32 units and more, as datagen does: a third less than in files of "
              "older versions.\n",
          .fields = MERGE_FIELDS,
          .run = run_convert}},
    {"collect", "the shards of one run, in one file",
     .syntax = {.command = "luft-lab data collect",
                .about =
                    "Joins shards of one run of datagen in the order of their games: the file is the same, "
                    "byte for byte, wherever they were played. Reports what came twice, and prints the "
                    "commands that play what is missing.\n",
                .examples = "  luft-lab datagen --out 1.games --games 64k --shard 1/64 --seed 7\n"
                            "  luft-lab data collect --out all.games --games 64k *.games\n",
                .fields = COLLECT_FIELDS,
                .run = run_collect}},
    {"filter", "the games that meet all given conditions",
     .syntax = {.command = "luft-lab data filter",
                .about = "Writes the games that meet all given conditions.\n",
                .fields = FILTER_FIELDS,
                .check = check_filter,
                .run = run_sorting}},
    {"split", "each game into one of two files, by chance",
     .syntax = {.command = "luft-lab data split",
                .about = "Writes each game to one of two files, at random.\n",
                .fields = SPLIT_FIELDS,
                .run = run_sorting}},
    {"relabel", "all games, scored again by another network",
     .syntax = {.command = "luft-lab data relabel",
                .about = "Writes all games with new scores, by another network or with more nodes. Imported "
                         "games without scores get them. "
                         "The same command continues where it was stopped.\n",
                .fields = RELABEL_FIELDS,
                .check = check_relabelling,
                .run = run_relabelling}},
    {"export", "games in another format",
     .syntax = {.command = "luft-lab data export",
                .about = "Writes games in another format: docs/lab.md has what each of them holds.\n",
                .fields = EXPORT_FIELDS,
                .check = check_export,
                .run = run_export}},
    {"import", "games from another format",
     .syntax = {.command = "luft-lab data import",
                .about =
                    "Reads games from another format. Those without a result are skipped; of a game with a "
                    "fault the moves before it are kept, if there are any.\n",
                .fields = IMPORT_FIELDS,
                .run = run_import}},
    {"salvage", "what is whole of a damaged file",
     .syntax = {.command = "luft-lab data salvage",
                .about = "Writes what can be saved of a damaged file to a new one.\n",
                .fields = SALVAGE_FIELDS,
                .run = run_salvage}},
};

int command_data(int argc, char **argv) {
    DataArguments arguments = {.filter = loader_filter_default(),
                               .sorting = {.share = 1, .result = -1, .start = -1},
                               .conversion = {.plies = {.min_ply = -1}}};
    const CommandList list = {"luft-lab data", "Usage: luft-lab data ACTION [options] FILE...\n\n", NULL,
                              COMMANDS(ACTIONS), &arguments};
    return commands_dispatch(&list, argc, argv);
}
