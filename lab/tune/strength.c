#include "lab/tune/strength.h"

#include "base/file.h"
#include "chess/game.h"
#include "lab/client/uci_client.h"
#include "lab/kit/console.h"
#include "lab/tune/experiment.h"

#include <inttypes.h>

typedef struct StrengthReport {
    const StrengthSettings *settings;
    EngineList engines;
    OpeningBook *book;
    char names[2][128]; /* as the engines call themselves */
    TallyTable results[STRENGTH_LEVELS_MAX];
    int played; /* levels with a result */
    bool stopped;
} StrengthReport;

/* --- playing --- */

static Status add_engine(StrengthReport *report, const char *program, char name[128]) {
    const StrengthSettings *settings = report->settings;
    const PlayLimits limits = {.move_time = (int64_t)(settings->seconds * 1e6 + 0.5)};
    Status status;
    EngineConfig *config =
        engine_list_add_program(&report->engines, program, &limits, settings->hash, &status);
    if (config == NULL) return status;
    status = engine_config_set_option(config, "Threads", "1");
    if (!status_is_ok(&status)) return status;
    /* Asks for its name, and so whether it is an engine, before any game is played. */
    UciClient *client = NULL;
    status = uci_client_start(&(UciClientOptions){.config = config}, &client);
    if (status_is_ok(&status)) text_copy_printable(text_view(uci_client_engine_name(client)), name, 128);
    uci_client_stop(client);
    text_format(config->name, sizeof config->name, "%.60s", name);
    return status;
}

static Status prepare(StrengthReport *report) {
    const StrengthSettings *settings = report->settings;
    Status status = add_engine(report, settings->engine, report->names[0]);
    if (status_is_ok(&status)) status = add_engine(report, settings->opponent, report->names[1]);
    if (status_is_ok(&status)) status = engine_list_finish(&report->engines);
    if (!status_is_ok(&status)) return status;
    status = experiment_load_book(settings->book, settings->seed, &report->book);
    if (status_is_ok(&status) && settings->folder != NULL) status = file_make_folder(settings->folder);
    return status;
}

static Status play_level(StrengthReport *report, int level, TallyTable *result) {
    const StrengthSettings *settings = report->settings;
    EngineConfig *opponent = &report->engines.engines[1];
    char skill[8], name[16];
    text_format(skill, sizeof skill, "%d", level);
    text_format(name, sizeof name, "level-%d", level);
    text_format(opponent->name, sizeof opponent->name, "%.40s level %d", report->names[1], level);
    Status status = engine_config_set_option(opponent, "Skill Level", skill);
    if (!status_is_ok(&status)) return status;
    const ExperimentMatch match = {.folder = settings->folder,
                                   .name = name,
                                   .event = "Strength",
                                   .engines = &report->engines,
                                   .games = settings->games,
                                   .concurrency = settings->concurrency,
                                   .book = report->book,
                                   .quiet = settings->quiet};
    SprtOutcome outcome;
    MatchTotals totals;
    status = experiment_play(&match, &outcome, &totals);
    *result = totals.table; /* it outlives the rest */
    totals.table = (TallyTable){0};
    report->stopped = totals.stopped;
    report->played += stats_pair_total(&outcome.pairs) > 0;
    match_totals_release(&totals);
    return status;
}

/* --- the report --- */

static const Tally *tally_of(const StrengthReport *report, int index) {
    return tally_table_cell(&report->results[index], 0, 1);
}

/* At all levels. */
static int64_t count_faults(const StrengthReport *report, int engine, Fault fault) {
    int64_t count = 0;
    for (int i = 0; i < report->played; i++) count += tally_table_faults(&report->results[i], engine, fault);
    return count;
}

static void write_side(MarkdownTable *table, const char *side, GameCounts games) {
    const int64_t total = stats_game_total(&games);
    markdown_table_cells(table, "%s | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %.1f", side,
                         games.wins, games.losses, games.draws, total,
                         total > 0 ? 100.0 * (double)games.wins / (double)total : 0);
}

static void write_level(const StrengthReport *report, int index, TextBuffer *out) {
    const Tally *tally = tally_of(report, index);
    buffer_append_format(out, "### %s, Skill Level %d\n\n", report->names[1],
                         report->settings->levels[index]);
    MarkdownTable table = markdown_table_begin("lrrrrr");
    markdown_table_cells(&table, " | wins | losses | draws | total | win %%");
    write_side(&table, "overall", tally_games(tally));
    write_side(&table, "as White",
               (GameCounts){tally->wins[WHITE], tally->losses[WHITE], tally->draws[WHITE]});
    write_side(&table, "as Black",
               (GameCounts){tally->wins[BLACK], tally->losses[BLACK], tally->draws[BLACK]});
    markdown_table_write(&table, out);
    EloEstimate estimate = stats_estimate_pairs(&tally->penta);
    char elo[ELO_TEXT_CAPACITY];
    stats_format_elo(&estimate, elo);
    buffer_append_format(out, "\nElo difference: %s.\n\n", elo);
}

/* One row for each way in which any game ended, mate apart. */
static void write_endings(const StrengthReport *report, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin("lrrrrrrrrrrrrrrrrrrrrrrr");
    table.columns = 1 + report->played;
    markdown_table_cell(&table, "ended by");
    for (int i = 0; i < report->played; i++)
        markdown_table_cell(&table, "level %d", report->settings->levels[i]);
    for (int ending = CHECKMATE; ending < GAME_ENDS; ending++) {
        int64_t sum = 0;
        for (int i = 0; i < report->played; i++) sum += tally_of(report, i)->endings[ending];
        if (sum == 0) continue;
        markdown_table_cell(&table, "%s", game_end_name((GameEnd)ending));
        for (int i = 0; i < report->played; i++)
            markdown_table_cell(&table, "%" PRId64, tally_of(report, i)->endings[ending]);
    }
    buffer_append_string(out, "### How games ended\n\n");
    markdown_table_write(&table, out);
    buffer_append_char(out, '\n');
}

static void write_faults(const StrengthReport *report, TextBuffer *out) {
    bool any = false;
    for (int engine = 0; engine < 2; engine++) {
        for (int fault = 0; fault < FAULT_COUNT; fault++) {
            const int64_t count = count_faults(report, engine, (Fault)fault);
            if (count == 0) continue;
            any = true;
            buffer_append_format(out, "- %s: %s, %" PRId64 " times\n", report->names[engine],
                                 fault_name((Fault)fault), count);
        }
    }
    buffer_append_string(
        out, any ? "\n" : "No crash, stall, time loss, illegal move or illegal PV of either engine.\n\n");
}

/* Games that the machine decided say nothing about the engines. */
static void write_void_warning(const StrengthReport *report, TextBuffer *out) {
    const int64_t games =
        count_faults(report, 0, FAULT_TIME_MACHINE) + count_faults(report, 1, FAULT_TIME_MACHINE);
    if (games > 0)
        buffer_append_format(
            out,
            "**%" PRId64
            " games were lost on time because the machine was busy with other things. This is no "
            "measure of strength: play again on a quiet machine, or fewer games at once.**\n\n",
            games);
}

static void write_configuration(const StrengthReport *report, TextBuffer *out) {
    const StrengthSettings *settings = report->settings;
    buffer_append_format(
        out,
        "### Configuration\n\n"
        "- %s against %s\n"
        "- %g s for each move of both (%" PRId64 " ms of tolerance), %d MB of hash, one thread each\n"
        "- %d games a level; openings at random (seed %" PRIu64 ") from %s, each with colours reversed\n"
        "- %d at once; no adjudication: every game is played to its end\n",
        report->names[0], report->names[1], settings->seconds,
        report->engines.engines[0].limits.margin / 1000, settings->hash, settings->games, settings->seed,
        settings->book, settings->concurrency);
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

Status strength_run(const StrengthSettings *settings, TextBuffer *out) {
    StrengthReport report = {.settings = settings};
    Status status = prepare(&report);
    for (int i = 0; i < settings->level_count && status_is_ok(&status) && !report.stopped; i++)
        status = play_level(&report, settings->levels[i], &report.results[i]);
    if (report.played > 0) write_report(&report, out);
    if (status_is_ok(&status) && report.stopped)
        status =
            status_unfinished("stopped before the end; %s",
                              settings->folder != NULL ? "the same command carries on"
                                                       : "without --folder, the same command starts over");
    for (int i = 0; i < settings->level_count; i++) tally_table_release(&report.results[i]);
    openings_release(report.book);
    engine_list_release(&report.engines);
    return status;
}
