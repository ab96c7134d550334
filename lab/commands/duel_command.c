/* luft-lab duel: two networks against each other. */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/selfplay/duel.h"

#include <stdio.h>

typedef struct DuelArguments {
    DuelSettings settings;
    const char *first, *second;
    bool no_adjudication;
} DuelArguments;

static void print_result(const DuelResult *result) {
    EloEstimate elo = stats_estimate_pairs(&result->pairs);
    const int64_t *pairs = result->pairs.count;
    char text[ELO_TEXT_CAPACITY];
    stats_format_elo(elo.elo, elo.elo_error, text);
    printf("elo         %s\npairs       %lld: %lld %lld %lld %lld %lld\ngames       +%lld =%lld -%lld\n",
           text, (long long)result->played, (long long)pairs[0], (long long)pairs[1], (long long)pairs[2],
           (long long)pairs[3], (long long)pairs[4], (long long)result->games.wins,
           (long long)result->games.draws, (long long)result->games.losses);
}

static Status run(void *context) {
    DuelArguments *arguments = context;
    DuelSettings *settings = &arguments->settings;
    settings->adjudication.by_score = !arguments->no_adjudication;
    Status status;
    DuelResult result;
    Network *second = NULL, *first = selfplay_open_network(arguments->first, &status);
    if (first != NULL) second = selfplay_open_network(arguments->second, &status);
    if (second != NULL) status = duel_play(settings, first, second, &result);
    if (second != NULL && status_is_ok(&status)) print_result(&result);
    network_destroy(first);
    network_destroy(second);
    return status;
}

int command_duel(int argc, char **argv) {
    DuelArguments arguments = {.settings = duel_settings_default()};
    DuelSettings *settings = &arguments.settings;
    settings->seed = 1;
    settings->budget.soft = 0;
    const Argument table[] = {
        argument_word(option_text("NETWORK", NULL, &arguments.first, "a file, or random:WIDTH:SEED")),
        argument_word(option_text("NETWORK", NULL, &arguments.second, "the other")),
        option_whole("pairs", "N", &settings->pairs, 1, 1e9, "of games with colours reversed"),
        option_count("nodes", "N", &settings->budget.hard, 1, 1e9, "a move"),
        option_whole("threads", "N", &settings->threads, 0, 256, "0: one for each core"),
        option_whole("hash", "MIB", &settings->hash, 1, 1024, "of each player's table"),
        option_count("seed", "N", &settings->seed, 0, ARGUMENT_UNLIMITED, "of the openings"),
        option_real("chess960", "X", &settings->opening.chess960, 0, 1, "share of Chess960 starts"),
        option_flag("no-adjudication", &arguments.no_adjudication, "games end by the rules or by length"),
        option_flag("quiet", &settings->quiet, "no progress"),
    };
    const Syntax syntax = {
        "luft-lab duel", NULL,
        "Plays two networks against each other inside one process, a fixed number of nodes a move. "
        "The same arguments give the same games.\n",
        "  luft-lab duel new.nnue old.nnue --pairs 500 --nodes 10k\n", ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, NULL, run, &arguments);
}
