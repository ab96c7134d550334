/* luft-lab duel: two networks against each other. */
#include "engine/version.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/match/report.h"
#include "lab/selfplay/duel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct DuelArguments {
    DuelSettings settings;
    const char *first, *second, *results;
} DuelArguments;

static void print_result(const DuelArguments *arguments, const DuelResult *result) {
    const EloEstimate elo = stats_estimate_pairs(&result->pairs);
    const int64_t *pairs = result->pairs.count;
    char text[ELO_TEXT_CAPACITY];
    stats_format_elo(&elo, text);
    text_printf(stdout, "match       %s against %s\n", arguments->first, arguments->second);
    text_printf(stdout, "elo         %s%s, stronger with a likelihood of %.1f %%\n", text,
                isfinite(elo.elo_error) ? " (95%)" : "", 100 * elo.los);
    text_printf(stdout,
                "pairs       %" PRId64 ": %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                ", of 0 to 2 points\ngames       +%" PRId64 " =%" PRId64 " -%" PRId64 "\n",
                stats_pair_total(&result->pairs), pairs[0], pairs[1], pairs[2], pairs[3], pairs[4],
                result->games.wins, result->games.draws, result->games.losses);
}

/* The search that played is that of this program. */
static Status append_row(const DuelArguments *arguments, const Network *first, const DuelResult *result) {
    const DuelSettings *settings = &arguments->settings;
    char limit[64], conditions[64];
    text_format(limit, sizeof limit, "nodes=%" PRIu64, settings->budget.hard);
    text_format(conditions, sizeof conditions, "%" PRId64 " MB%s", settings->hash,
                settings->adjudication.by_score ? ", adjudicated" : "");
    char name[VERSION_CAPACITY + sizeof ENGINE_NAME];
    text_format(name, sizeof name, ENGINE_NAME " %s", version_name());
    const ReportRow row = {.version = engine_version_read(name, text_view(network_name(first))),
                           .subject = arguments->first,
                           .opponent = arguments->second,
                           .limit = limit,
                           .conditions = conditions,
                           .pairs = result->pairs,
                           .games = result->games};
    return report_append_row(&row, arguments->results);
}

static Status run(void *context) {
    const DuelArguments *arguments = context;
    const DuelSettings *settings = &arguments->settings;
    Status status;
    DuelResult result;
    Network *second = NULL, *first = selfplay_open_network(arguments->first, &status);
    if (first != NULL) second = selfplay_open_network(arguments->second, &status);
    if (second != NULL) status = duel_play(settings, first, second, &result);
    if (second != NULL && status_is_ok(&status)) print_result(arguments, &result);
    if (second != NULL && status_is_ok(&status) && arguments->results != NULL &&
        stats_pair_total(&result.pairs) == settings->pairs)
        status = append_row(arguments, first, &result);
    if (second != NULL && status_is_ok(&status) && stats_pair_total(&result.pairs) < settings->pairs)
        status = status_unfinished("stopped before the end; the same command starts over");
    network_destroy(first);
    network_destroy(second);
    return status;
}

#define FIELD_STRUCT DuelArguments
static const Field FIELDS[] = {
    {FIELD_TEXT("NETWORK", NULL, first, NULL, "a file or random:WIDTH:SEED"), .flags = FIELD_WORD},
    {FIELD_TEXT("NETWORK", NULL, second, NULL, "the opponent"), .flags = FIELD_WORD},
    {FIELD_TEXT("results", "FILE", results, NULL, "append a row of results/matches.tsv")},
    {FIELD_GROUP(settings, DUEL_FIELDS)},
    {FIELD_ANSWERED("games", "--pairs N: a pair is two games, with colours reversed")},
    {0}};

int command_duel(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft-lab duel",
        .about = "Plays two networks against each other inside one process, a fixed number of nodes a move. "
                 "The same arguments give the same games.\n",
        .examples = "  luft-lab duel new.nnue old.nnue --pairs 500 --nodes 10k\n",
        .fields = FIELDS,
        .run = run};
    DuelArguments arguments = {.settings = duel_settings_default()};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}
