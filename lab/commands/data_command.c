#include "lab/command.h"
#include "lab/kit/arguments.h"
#include "lab/kit/ownership.h"
#include "lab/train/datastats.h"
#include "lab/record/datatext.h"
#include "lab/record/salvage.h"
#include "lab/play/relabel.h"
#include "lab/kit/console.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 1024, FLUSH_BYTES = 1 << 20 };

/* All that any of the sub-commands takes. */
typedef struct DataOptions {
    const char *out, *rest_out, *format, *network, *result, *start;
    int64_t nodes, threads, hash, min_ply, min_plies, max_plies, seed;
    double share;
    bool unique, quiet;
    char **files;
    int file_count;
} DataOptions;

/* --- writing, aside and renamed when complete --- */

typedef struct Output {
    char part[PATH_CAPACITY];
    const char *path;
    RecordWriter *writer;
    uint64_t games, plies;
} Output;

static Status output_open(Output *output, const char *path) {
    Status status;
    *output = (Output){.path = path};
    text_format(output->part, sizeof output->part, "%s.part", path);
    status = record_check_output(path);
    if (status_is_ok(&status)) status = ownership_check_free(output->part);
    if (!status_is_ok(&status)) return status;
    (void)remove(output->part);
    output->writer = record_writer_open(output->part, NULL, &status);
    return status;
}

static Status output_add(Output *output, const RecordOrigin *origin, RecordedGame *game) {
    output->games++;
    output->plies += (uint64_t)game->ply_count;
    return record_writer_add(output->writer, origin, game);
}

/* With a failure so far, what was written is removed. */
static Status output_close(Output *output, Status status) {
    if (!output->writer) return status;
    Status closed = record_writer_close(output->writer);
    if (status_is_ok(&status)) status = closed;
    if (status_is_ok(&status)) status = ownership_check_free(output->path);
    if (status_is_ok(&status) && rename(output->part, output->path) != 0)
        status = status_system_error("cannot rename %s", output->part);
    if (!status_is_ok(&status)) {
        (void)remove(output->part);
        return status;
    }
    printf("%s: %" PRIu64 " games, %" PRIu64 " plies\n", output->path, output->games, output->plies);
    return status;
}

/* Calls `take` for every game of every file. */
typedef Status TakeGame(void *context, const RecordOrigin *origin, RecordedGame *game);

static Status for_each_game(const DataOptions *options, TakeGame *take, void *context) {
    RecordedGame *game = memory_allocate(sizeof *game);
    Status status = game ? status_ok() : status_no_memory("a game");
    for (int i = 0; game && i < options->file_count && status_is_ok(&status); i++) {
        RecordReader *reader = record_reader_open(options->files[i], &status);
        RecordBlock block;
        while (reader && record_reader_next_block(reader, &block, &status)) {
            while (record_reader_next_game(reader, game, &status)) {
                status = take(context, &block.origin, game);
                if (!status_is_ok(&status)) break;
            }
            if (!status_is_ok(&status)) break;
        }
        record_reader_close(reader);
    }
    memory_release(game);
    return status;
}

/* --- stats --- */

static Status run_stats(const DataOptions *options) {
    LoaderFilter filter = loader_filter_default();
    filter.min_ply = (int)options->min_ply;
    DataStats *stats = memory_allocate(sizeof *stats);
    if (!stats) return status_no_memory("the statistics");
    Status status = status_ok();
    for (int i = 0; i < options->file_count && status_is_ok(&status); i++)
        status = datastats_add(stats, options->files[i], &filter);
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

/* --- merge, filter, split --- */

typedef struct Sorting {
    const DataOptions *options;
    Output kept, rest;
    Rng rng;
    uint64_t *seen; /* hashes of games, for --unique; 0 is an empty place */
    size_t seen_size;
} Sorting;

static Status take_all(void *context, const RecordOrigin *origin, RecordedGame *game) {
    return output_add(&((Sorting *)context)->kept, origin, game);
}

static Status take_split(void *context, const RecordOrigin *origin, RecordedGame *game) {
    Sorting *sorting = context;
    bool first = rng_unit(&sorting->rng) < sorting->options->share;
    return output_add(first ? &sorting->kept : &sorting->rest, origin, game);
}

static bool is_repeated(Sorting *sorting, const RecordedGame *game) {
    uint64_t hash = recorded_hash(game);
    for (size_t place = hash % sorting->seen_size;; place = (place + 1) % sorting->seen_size) {
        if (sorting->seen[place] == hash) return true;
        if (sorting->seen[place] == 0) {
            sorting->seen[place] = hash;
            return false;
        }
    }
}

static bool is_wanted(Sorting *sorting, const RecordOrigin *origin, const RecordedGame *game) {
    static const char *const RESULTS[RECORD_RESULTS] = {"black", "draw", "white"};
    const DataOptions *options = sorting->options;
    if (options->min_plies && game->ply_count < options->min_plies) return false;
    if (options->max_plies && game->ply_count > options->max_plies) return false;
    if (options->nodes && origin->nodes != (uint32_t)options->nodes) return false;
    if (options->result && strcmp(options->result, RESULTS[game->result]) != 0) return false;
    if (options->start && (strcmp(options->start, "chess960") == 0) != game->start.chess960) return false;
    if (options->network) {
        char hash[32];
        text_format(hash, sizeof hash, "%016" PRIx64, origin->net_hash);
        if (strcmp(options->network, hash) != 0) return false;
    }
    return !options->unique || !is_repeated(sorting, game);
}

static Status take_filtered(void *context, const RecordOrigin *origin, RecordedGame *game) {
    Sorting *sorting = context;
    return is_wanted(sorting, origin, game) ? output_add(&sorting->kept, origin, game) : status_ok();
}

static Status prepare_unique(Sorting *sorting) {
    uint64_t games = 0;
    Status status = status_ok();
    for (int i = 0; i < sorting->options->file_count && status_is_ok(&status); i++) {
        RecordReader *reader = record_reader_open(sorting->options->files[i], &status);
        RecordBlock block;
        while (reader && record_reader_next_block(reader, &block, &status)) games += block.games;
        record_reader_close(reader);
    }
    sorting->seen_size = (size_t)games * 2 + 1;
    sorting->seen = memory_allocate(sorting->seen_size * sizeof *sorting->seen);
    if (!sorting->seen && status_is_ok(&status)) status = status_no_memory("the table of games");
    return status;
}

static Status run_sorting(const DataOptions *options, TakeGame *take, bool two) {
    if (!options->out || (two && !options->rest_out))
        return status_error(two ? "needs --out and --rest" : "needs --out");
    Sorting sorting = {.options = options, .rng = rng_seed((uint64_t)options->seed)};
    Status status = options->unique ? prepare_unique(&sorting) : status_ok();
    if (status_is_ok(&status)) status = output_open(&sorting.kept, options->out);
    if (status_is_ok(&status) && two) status = output_open(&sorting.rest, options->rest_out);
    if (status_is_ok(&status)) status = for_each_game(options, take, &sorting);
    status = output_close(&sorting.kept, status);
    status = output_close(&sorting.rest, status);
    memory_release(sorting.seen);
    return status;
}

static Status run_merge(const DataOptions *options) { return run_sorting(options, take_all, false); }
static Status run_filter(const DataOptions *options) { return run_sorting(options, take_filtered, false); }
static Status run_split(const DataOptions *options) { return run_sorting(options, take_split, true); }

/* --- relabel --- */

static Status run_relabel(const DataOptions *options) {
    if (!options->out || !options->nodes) return status_error("needs --out and --nodes");
    RelabelSettings settings = {.in = options->files,
                                .in_count = options->file_count,
                                .out = options->out,
                                .network = options->network,
                                .budget = {(uint64_t)options->nodes, 4 * (uint64_t)options->nodes},
                                .threads = options->threads,
                                .hash = options->hash,
                                .quiet = options->quiet};
    RelabelReport report;
    Status status = relabel_run(&settings, &report);
    if (status_is_ok(&status))
        printf("%s: %" PRIu64 " games, %" PRIu64 " plies in this run%s\n", options->out, report.games,
               report.plies, report.interrupted ? "; stopped, the same command goes on" : "");
    return status;
}

/* --- export, import --- */

typedef struct Export {
    FILE *file;
    const char *path;
    TextBuffer text;
    bool pgn;
    uint64_t games;
} Export;

static Status export_flush(Export *export) {
    if (export->text.failed) return status_no_memory("the text");
    size_t length = export->text.length;
    if (length && fwrite(export->text.data, 1, length, export->file) != length)
        return status_system_error("cannot write to %s", export->path);
    buffer_clear(&export->text);
    return status_ok();
}

static Status take_export(void *context, const RecordOrigin *origin, RecordedGame *game) {
    (void)origin;
    Export *export = context;
    Status status = status_ok();
    if (export->pgn)
        status = datatext_append_pgn(game, ++export->games, &export->text);
    else
        datatext_append_line(game, &export->text);
    return status_is_ok(&status) && export->text.length > FLUSH_BYTES ? export_flush(export) : status;
}

static Status run_export(const DataOptions *options) {
    bool to_file = options->out && strcmp(options->out, "-") != 0;
    Export export = {.pgn = strcmp(options->format, "pgn") == 0,
                     .path = to_file ? options->out : "standard output"};
    Status status =
        ownership_check_inputs(options->out, (const char *const *)options->files, options->file_count);
    if (!status_is_ok(&status)) return status;
    char part[PATH_CAPACITY];
    text_format(part, sizeof part, "%s.part", to_file ? options->out : "");
    export.file = to_file ? fopen(part, "wb") : stdout;
    if (!export.file) return status_system_error("cannot open %s", part);
    status = for_each_game(options, take_export, &export);
    if (status_is_ok(&status)) status = export_flush(&export);
    if ((to_file ? fclose(export.file) : fflush(export.file)) != 0 && status_is_ok(&status))
        status = status_system_error("cannot write to %s", export.path);
    if (to_file && status_is_ok(&status) && rename(part, options->out) != 0)
        status = status_system_error("cannot rename %s", part);
    if (to_file && !status_is_ok(&status)) (void)remove(part);
    buffer_release(&export.text);
    return status;
}

static Status import_text(const char *path, TextView rest, bool pgn, Output *output, RecordedGame *game) {
    RecordOrigin origin = {0};
    int number = 1;
    for (;;) {
        TextView line;
        bool found = true;
        Status status;
        if (pgn) {
            status = datatext_read_pgn(&rest, &number, game, &found);
        } else if ((found = text_next_line(&rest, &line))) {
            bool skip = text_is_empty(text_trim(line));
            status = skip ? status_ok() : datatext_read_line(line, game);
            if (!status_is_ok(&status)) status = status_error("line %d: %s", number, status.reason);
            number++;
            if (skip) continue;
        } else {
            status = status_ok();
        }
        if (!status_is_ok(&status)) return status_error("%s: %s", path, status.reason);
        if (!found) return status_ok();
        status = output_add(output, &origin, game);
        if (!status_is_ok(&status)) return status;
    }
}

static Status run_import(const DataOptions *options) {
    if (!options->out) return status_error("needs --out");
    Output output;
    Status status = output_open(&output, options->out);
    RecordedGame *game = memory_allocate(sizeof *game);
    if (!game && status_is_ok(&status)) status = status_no_memory("a game");
    for (int i = 0; game && i < options->file_count && status_is_ok(&status); i++) {
        TextBuffer text = {0};
        status = file_read(options->files[i], &text);
        if (status_is_ok(&status))
            status = import_text(options->files[i], buffer_view(&text), strcmp(options->format, "pgn") == 0,
                                 &output, game);
        buffer_release(&text);
    }
    memory_release(game);
    return output_close(&output, status);
}

/* --- salvage --- */

static Status run_salvage(const DataOptions *options) {
    if (options->file_count != 2)
        return status_error("salvage needs a damaged file and a new one: salvage IN OUT");
    SalvageReport report;
    const char *in = options->files[0], *out = options->files[1];
    Status status = salvage_games(in, out, &report);
    if (!status_is_ok(&status)) return status;
    TextBuffer text = {0};
    buffer_append_format(&text, "%s: %" PRIu64 " games, %" PRIu64 " plies in %" PRIu64 " blocks\n", out,
                         report.games, report.plies, report.blocks);
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

/* --- the command --- */

static const struct {
    const char *name;
    Status (*run)(const DataOptions *options);
    const char *help;
} ACTIONS[] = {
    {"stats", run_stats, "what the files contain"},
    {"merge", run_merge, "all games into --out"},
    {"filter", run_filter, "the games that fit all given conditions into --out"},
    {"split", run_split, "each game into --out (with the chance --share) or --rest"},
    {"relabel", run_relabel, "all games into --out, scores by --net at --nodes"},
    {"export", run_export, "games as text (--format) to --out or standard output"},
    {"import", run_import, "games from text (--format) into --out"},
    {"salvage", run_salvage, "what is whole of a damaged file IN to a new file OUT: salvage IN OUT"},
};
enum { ACTION_COUNT = sizeof ACTIONS / sizeof ACTIONS[0] };

static void print_help(const Argument *table, size_t count) {
    printf("usage: luft-lab data ACTION [options] FILE...\n\n");
    for (int i = 0; i < ACTION_COUNT; i++) printf("  %-24s %s\n", ACTIONS[i].name, ACTIONS[i].help);
    printf("\n");
    arguments_print_help(table, count);
}

static Status check_options(const DataOptions *options) {
    if (options->file_count == 0) return status_error("needs at least one file");
    if (strcmp(options->format, "pgn") != 0 && strcmp(options->format, "text") != 0)
        return status_error("format is pgn or text, not '%s'", options->format);
    if (options->start && strcmp(options->start, "standard") != 0 && strcmp(options->start, "chess960") != 0)
        return status_error("start is standard or chess960, not '%s'", options->start);
    if (options->result && strcmp(options->result, "white") != 0 && strcmp(options->result, "draw") != 0 &&
        strcmp(options->result, "black") != 0)
        return status_error("result is white, draw or black, not '%s'", options->result);
    return status_ok();
}

int command_data(int argc, char **argv) {
    DataOptions options = {
        .format = "text", .hash = 2, .min_ply = loader_filter_default().min_ply, .share = 0.1};
    const Argument table[] = {
        {"out", ARGUMENT_FILE, &options.out, 0, 0,
         "the file to write, aside first and renamed when complete"},
        {"rest", ARGUMENT_FILE, &options.rest_out, 0, 0, "split: the second file"},
        {"share", ARGUMENT_REAL, &options.share, 0, 1, "split: chance of the first file (0.1)"},
        {"seed", ARGUMENT_WHOLE, &options.seed, 0, 1e15, "split: of the choice (0)"},
        {"format", ARGUMENT_TEXT, &options.format, 0, 0, "export, import: pgn or text (text)"},
        {"net", ARGUMENT_FILE, &options.network, 0, 0,
         "relabel: the network; filter: its hash, as stats shows it"},
        {"nodes", ARGUMENT_WHOLE, &options.nodes, 1, 1e9, "relabel: a ply; filter: games of this limit"},
        {"threads", ARGUMENT_WHOLE, &options.threads, 0, 256, "relabel: 0: one for each core (0)"},
        {"hash", ARGUMENT_WHOLE, &options.hash, 1, 1024, "relabel: MiB of each thread's table (2)"},
        {"result", ARGUMENT_TEXT, &options.result, 0, 0, "filter: white, draw or black"},
        {"start", ARGUMENT_TEXT, &options.start, 0, 0, "filter: standard or chess960"},
        {"min-plies", ARGUMENT_WHOLE, &options.min_plies, 0, RECORD_PLIES_MAX,
         "filter: shorter games are left out"},
        {"max-plies", ARGUMENT_WHOLE, &options.max_plies, 0, RECORD_PLIES_MAX,
         "filter: longer games are left out"},
        {"unique", ARGUMENT_FLAG, &options.unique, 0, 0, "filter: each game once"},
        {"min-ply", ARGUMENT_WHOLE, &options.min_ply, 0, RECORD_PLIES_MAX,
         "stats: earlier plies are not usable (16)"},
        {"quiet", ARGUMENT_FLAG, &options.quiet, 0, 0, "no progress"},
    };
    enum { COUNT = sizeof table / sizeof table[0] };
    bool help;
    char **words = memory_allocate((size_t)(argc + 1) * sizeof *words);
    if (!words) return COMMAND_FAILED;
    int word_count, action = 0, result;
    Status status = arguments_parse(table, COUNT, argc, argv, words, &word_count, &help);
    while (action < ACTION_COUNT && (word_count == 0 || strcmp(words[0], ACTIONS[action].name) != 0))
        action++;
    options.files = words + 1;
    options.file_count = word_count - 1;
    if (status_is_ok(&status) && !help && action == ACTION_COUNT)
        status = status_error("%s is no action", word_count ? words[0] : "nothing");
    if (status_is_ok(&status) && !help) status = check_options(&options);
    if (help) {
        print_help(table, COUNT);
        result = COMMAND_OK;
    } else if (!status_is_ok(&status)) {
        result = console_fail_usage(argv[0], &status);
    } else {
        status = ACTIONS[action].run(&options);
        result = status_is_ok(&status) ? COMMAND_OK : console_fail(argv[0], &status);
    }
    memory_release(words);
    return result;
}
