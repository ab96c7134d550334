#include "lab/commands/benchmark_strength.h"

#include "base/commands.h"
#include "base/file.h"
#include "chess/game.h"
#include "lab/client/uci_client.h"
#include "lab/kit/console.h"
#include "lab/match/sprt.h"

#include <stdio.h>
#include <string.h>

static const char ABOUT[] = "Plays against Stockfish held back to low Skill Levels: every opening twice, "
                            "with colours reversed, the same time for "
                            "each move of both, one thread each. Prints a table of wins, losses and draws "
                            "for each level, in all, as White and as "
                            "Black, and how games ended other than by mate.\n";

enum { LEVELS_MAX = 21 };

typedef struct StrengthArguments {
    int levels[LEVELS_MAX];
    int level_count;
    int games, hash, concurrency;
    double seconds;
    uint64_t seed;
    const char *level_list, *engine, *opponent, *book, *folder, *output;
    bool quiet;
} StrengthArguments;

typedef struct LevelResult {
    Tally tally;
    int64_t faults[2][FAULT_COUNT]; /* of the engine, of the opponent */
} LevelResult;

typedef struct StrengthReport {
    const StrengthArguments *arguments;
    EngineList engines;
    OpeningBook *book;
    OpeningOptions openings;
    char names[2][128]; /* as the engines call themselves */
    LevelResult results[LEVELS_MAX];
    int played; /* levels with a result */
    bool stopped;
} StrengthReport;

/* --- playing --- */

static Status add_engine(EngineList *list, const StrengthArguments *arguments, const char *command,
                         const char *name) {
    Status status = engine_list_add(list, NULL);
    if (!status_is_ok(&status)) return status;
    EngineConfig *config = &list->engines[list->count - 1];
    char text[ENGINE_PATH_CAPACITY + 8], hash[16];
    text_format(text, sizeof text, "cmd=%s", command);
    status = engine_config_apply(config, text_view(text));
    if (!status_is_ok(&status)) return status;
    text_format(config->name, sizeof config->name, "%s", name);
    text_format(hash, sizeof hash, "%d", arguments->hash);
    text_format(text, sizeof text, "st=%g", arguments->seconds);
    status = engine_config_apply(config, text_view(text));
    if (status_is_ok(&status)) status = engine_config_set_option(config, "Hash", hash);
    if (status_is_ok(&status)) status = engine_config_set_option(config, "Threads", "1");
    return status;
}

/* Asks an engine for its name, and so whether it is one, before any game is lost. */
static Status learn_name(const EngineConfig *config, char out[128]) {
    UciClient *client = NULL;
    Status status = uci_client_start(&(UciClientOptions){.config = config}, &client);
    if (status_is_ok(&status)) text_copy_printable(text_view(uci_client_engine_name(client)), out, 128);
    uci_client_stop(client);
    return status;
}

static Status prepare(StrengthReport *report) {
    const StrengthArguments *arguments = report->arguments;
    Status status = add_engine(&report->engines, arguments, arguments->engine, "engine");
    if (status_is_ok(&status))
        status = add_engine(&report->engines, arguments, arguments->opponent, "opponent");
    if (status_is_ok(&status)) status = engine_list_finish(&report->engines);
    for (int i = 0; i < 2 && status_is_ok(&status); i++)
        status = learn_name(&report->engines.engines[i], report->names[i]);
    if (!status_is_ok(&status)) return status;
    text_format(report->engines.engines[0].name, ENGINE_NAME_CAPACITY, "%.60s", report->names[0]);
    report->openings =
        (OpeningOptions){.path = arguments->book, .order = OPENINGS_RANDOM, .seed = arguments->seed};
    status = openings_load(&report->openings, &report->book);
    if (status_is_ok(&status) && arguments->folder != NULL) status = file_make_folder(arguments->folder);
    return status;
}

static Status play_level(StrengthReport *report, int level, LevelResult *result) {
    const StrengthArguments *arguments = report->arguments;
    EngineConfig *opponent = &report->engines.engines[1];
    char skill[8], pgn[1024], journal[1024], logs[1024];
    text_format(skill, sizeof skill, "%d", level);
    text_format(opponent->name, sizeof opponent->name, "%.40s level %d", report->names[1], level);
    Status status = engine_config_set_option(opponent, "Skill Level", skill);
    if (!status_is_ok(&status)) return status;
    MatchSetup setup = {.engines = report->engines.engines,
                        .engine_count = 2,
                        .kind = MATCH_ROUND_ROBIN,
                        .pairs = arguments->games / 2,
                        .concurrency = arguments->concurrency,
                        .book = report->book,
                        .openings = report->openings,
                        .event = "Strength"};
    if (arguments->folder != NULL) {
        text_format(pgn, sizeof pgn, "%s/level-%d.pgn", arguments->folder, level);
        text_format(journal, sizeof journal, "%s/level-%d.journal", arguments->folder, level);
        text_format(logs, sizeof logs, "%s/logs", arguments->folder);
        setup.pgn_path = pgn;
        setup.journal_path = journal;
        setup.log_folder = logs;
        setup.resume = true;
    }
    SprtOutcome outcome;
    MatchTotals totals;
    status =
        sprt_play(&setup, NULL, (ReportOptions){.out = stderr, .quiet = arguments->quiet}, &outcome, &totals);
    if (totals.table.engines == 2) {
        result->tally = *tally_table_cell(&totals.table, 0, 1);
        for (int engine = 0; engine < 2; engine++)
            for (int fault = 0; fault < FAULT_COUNT; fault++)
                result->faults[engine][fault] = tally_table_faults(&totals.table, engine, (Fault)fault);
    }
    report->stopped = totals.stopped;
    match_totals_release(&totals);
    return status;
}

/* --- the report --- */

static void write_side(MarkdownTable *table, const char *side, int64_t wins, int64_t losses, int64_t draws) {
    const int64_t total = wins + losses + draws;
    markdown_table_cell(table, "%s", side);
    markdown_table_cell(table, "%lld", (long long)wins);
    markdown_table_cell(table, "%lld", (long long)losses);
    markdown_table_cell(table, "%lld", (long long)draws);
    markdown_table_cell(table, "%lld", (long long)total);
    markdown_table_cell(table, "%.1f", total > 0 ? 100.0 * (double)wins / (double)total : 0);
}

static void write_level(const StrengthReport *report, int index, TextBuffer *out) {
    static const char *const HEADER[] = {"", "wins", "losses", "draws", "total", "win %"};
    const Tally *tally = &report->results[index].tally;
    buffer_append_format(out, "### %s, Skill Level %d\n\n", report->names[1],
                         report->arguments->levels[index]);
    MarkdownTable table = markdown_table_begin("lrrrrr");
    for (int i = 0; i < table.columns; i++) markdown_table_cell(&table, "%s", HEADER[i]);
    write_side(&table, "overall", tally_wins(tally), tally_losses(tally), tally_draws(tally));
    write_side(&table, "as White", tally->wins[WHITE], tally->losses[WHITE], tally->draws[WHITE]);
    write_side(&table, "as Black", tally->wins[BLACK], tally->losses[BLACK], tally->draws[BLACK]);
    markdown_table_write(&table, out);
    EloEstimate estimate = stats_estimate_pairs(&tally->penta);
    char elo[ELO_TEXT_CAPACITY];
    stats_format_elo(estimate.elo, estimate.elo_error, elo);
    buffer_append_format(out, "\nElo difference: %s.\n\n", elo);
}

/* One row for each way in which any game ended, mate apart. */
static void write_endings(const StrengthReport *report, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin("lrrrrrrrrrrrrrrrrrrrrrrr");
    table.columns = 1 + report->played;
    markdown_table_cell(&table, "ended by");
    for (int i = 0; i < report->played; i++)
        markdown_table_cell(&table, "level %d", report->arguments->levels[i]);
    for (int ending = CHECKMATE; ending < GAME_ENDS; ending++) {
        int64_t sum = 0;
        for (int i = 0; i < report->played; i++) sum += report->results[i].tally.endings[ending];
        if (sum == 0) continue;
        markdown_table_cell(&table, "%s", game_end_name((GameEnd)ending));
        for (int i = 0; i < report->played; i++)
            markdown_table_cell(&table, "%lld", (long long)report->results[i].tally.endings[ending]);
    }
    buffer_append_string(out, "### How games ended\n\n");
    markdown_table_write(&table, out);
    buffer_append_char(out, '\n');
}

static void write_faults(const StrengthReport *report, TextBuffer *out) {
    bool any = false;
    for (int engine = 0; engine < 2; engine++) {
        for (int fault = 0; fault < FAULT_COUNT; fault++) {
            int64_t count = 0;
            for (int i = 0; i < report->played; i++) count += report->results[i].faults[engine][fault];
            if (count == 0) continue;
            any = true;
            buffer_append_format(out, "- %s: %s, %lld times\n", report->names[engine],
                                 fault_name((Fault)fault), (long long)count);
        }
    }
    buffer_append_string(
        out, any ? "\n" : "No crash, stall, time loss, illegal move or illegal PV of either engine.\n\n");
}

/* Games that the machine decided measure the machine. */
static void write_void_warning(const StrengthReport *report, TextBuffer *out) {
    int64_t games = 0;
    for (int i = 0; i < report->played; i++)
        games += report->results[i].faults[0][FAULT_TIME_MACHINE] +
                 report->results[i].faults[1][FAULT_TIME_MACHINE];
    if (games > 0)
        buffer_append_format(
            out,
            "**%lld games were lost on time because the machine was busy with other things. This is no "
            "measure of strength: play again on a quiet machine, or fewer games at once.**\n\n",
            (long long)games);
}

static void write_configuration(const StrengthReport *report, TextBuffer *out) {
    const StrengthArguments *arguments = report->arguments;
    buffer_append_format(
        out,
        "### Configuration\n\n"
        "- %s against %s\n"
        "- %g s for each move of both (%lld ms of tolerance), %d MB of hash, one thread each\n"
        "- %d games a level; openings at random (seed %llu) from %s, each with colours reversed\n"
        "- %d at once; no adjudication: every game is played to its end\n",
        report->names[0], report->names[1], arguments->seconds,
        (long long)(report->engines.engines[0].limits.margin / 1000), arguments->hash, arguments->games,
        (unsigned long long)arguments->seed, arguments->book, arguments->concurrency);
}

static void write_report(const StrengthReport *report, TextBuffer *out) {
    buffer_append_string(out, "## Strength\n\n");
    if (report->stopped) buffer_append_string(out, "**Interrupted: the last level is not complete.**\n\n");
    write_void_warning(report, out);
    for (int i = 0; i < report->played; i++) write_level(report, i, out);
    write_endings(report, out);
    write_faults(report, out);
    write_configuration(report, out);
}

/* --- the command --- */

static Status parse_levels(const char *text, StrengthArguments *arguments) {
    arguments->level_count = 0;
    TextView rest = text_view(text);
    while (rest.length > 0) {
        size_t end = 0;
        while (end < rest.length && rest.data[end] != ',') end++;
        int64_t level;
        if (arguments->level_count == LEVELS_MAX || !text_parse_int64((TextView){rest.data, end}, &level) ||
            level < 0 || level > 20)
            return status_error("--levels must be numbers from 0 to 20, such as 3,4,5, not '%s'", text);
        arguments->levels[arguments->level_count++] = (int)level;
        const size_t skip = end < rest.length ? end + 1 : end;
        rest = (TextView){rest.data + skip, rest.length - skip};
    }
    return arguments->level_count > 0 ? status_ok() : status_error("--levels needs at least one level");
}

static Status play_all(StrengthReport *report) {
    const StrengthArguments *arguments = report->arguments;
    Status status = prepare(report);
    for (int i = 0; i < arguments->level_count && status_is_ok(&status) && !report->stopped; i++) {
        status = play_level(report, arguments->levels[i], &report->results[i]);
        if (stats_pair_total(&report->results[i].tally.penta) > 0) report->played = i + 1;
    }
    /* After an error too: what was played is worth telling. */
    if (report->played == 0) return status;
    TextBuffer out = {0};
    write_report(report, &out);
    Status written = console_write_result(arguments->output, &out);
    buffer_release(&out);
    return status_is_ok(&status) ? written : status;
}

static Status check(void *context) {
    StrengthArguments *arguments = context;
    if (arguments->games % 2 != 0)
        return status_error("--games %d: an even number, since each opening is played twice",
                            arguments->games);
    return parse_levels(arguments->level_list, arguments);
}

static Status run(void *context) {
    StrengthReport report = {.arguments = context};
    Status status = play_all(&report);
    openings_release(report.book);
    engine_list_release(&report.engines);
    return status;
}

#define FIELD_STRUCT StrengthArguments
static const Field FIELDS[] = {
    {FIELD_TEXT("levels", "A,B,...", level_list, "3,4,5", "Skill Levels, 0 to 20")},
    {FIELD_WHOLE("games", "N", games, 2, 1000000, "100", "games at each level, an even number")},
    {FIELD_SECONDS("time", seconds, 0.001, 3600, "0.1", "for each move")},
    {FIELD_WHOLE("hash", "MB", hash, 1, 1 << 20, "16", "table of each engine")},
    {FIELD_TEXT("engine", "PROGRAM", engine, "./luft", "the engine")},
    {FIELD_TEXT("opponent", "PROGRAM", opponent, NULL, "Stockfish")},
    {FIELD_TEXT("book", "FILE", book, "books/standard.epd",
                "openings, EPD or PGN, taken at random by the seed")},
    {FIELD_WHOLE("seed", "N", seed, 0, FIELD_UNLIMITED, "1", "of the openings")},
    {FIELD_WHOLE("concurrency", "N", concurrency, 1, 256, "1",
                 "games at once; leave a processor for each engine at work")},
    {FIELD_TEXT("folder", "DIR", folder, NULL,
                "keeps games (PGN), logs and journals there; with it the same command carries on after "
                "an interruption")},
    {FIELD_TEXT("output", "FILE", output, NULL, "the report goes there instead of standard output")},
    {FIELD_FLAG("quiet", quiet, "no live table")},
    {0}};
#undef FIELD_STRUCT

int benchmark_strength(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab benchmark strength",
                                  .about = ABOUT,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = run};
    static const char DEBIAN_STOCKFISH[] = "/usr/games/stockfish";
    StrengthArguments arguments = {.opponent =
                                       file_size(DEBIAN_STOCKFISH) > 0 ? DEBIAN_STOCKFISH : "stockfish"};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}
