#include "lab/command.h"
#include "lab/kit/arguments.h"
#include "lab/play/duel.h"
#include "lab/kit/console.h"

#include "base/memory.h"

#include <stdio.h>

static Status run_duel(const DuelSettings *settings, const char *first_word, const char *second_word) {
    Status status;
    Network *second = NULL, *first = selfplay_open_network(first_word, &status);
    if (first) second = selfplay_open_network(second_word, &status);
    DuelResult result;
    if (second) status = duel_play(settings, first, second, &result);
    if (second && status_is_ok(&status)) {
        EloEstimate elo = stats_estimate_pairs(&result.pairs);
        char text[ELO_TEXT_CAPACITY];
        stats_format_elo(elo.elo, elo.elo_error, text);
        printf("elo         %s\npairs       %lld: %lld %lld %lld %lld %lld\ngames       +%lld =%lld -%lld\n",
               text, (long long)result.played, (long long)result.pairs.count[0],
               (long long)result.pairs.count[1], (long long)result.pairs.count[2],
               (long long)result.pairs.count[3], (long long)result.pairs.count[4],
               (long long)result.games.wins, (long long)result.games.draws, (long long)result.games.losses);
    }
    network_destroy(first);
    network_destroy(second);
    return status;
}

int command_duel(int argc, char **argv) {
    DuelSettings settings = duel_settings_default();
    int64_t nodes = (int64_t)settings.budget.hard, seed = 1;
    bool no_adjudication = false, help;
    const Argument table[] = {
        {NULL, ARGUMENT_HEADING, NULL, 0, 0,
         "usage: luft-lab duel [options] NETWORK NETWORK      files, or random:WIDTH:SEED\n"},
        {"pairs", ARGUMENT_WHOLE, &settings.pairs, 1, 1e9, "of games with colours reversed (250)"},
        {"nodes", ARGUMENT_WHOLE, &nodes, 1, 1e9, "a move (10000)"},
        {"threads", ARGUMENT_WHOLE, &settings.threads, 0, 256, "0: one for each core (0)"},
        {"hash", ARGUMENT_WHOLE, &settings.hash, 1, 1024, "MiB of each player's table (8)"},
        {"seed", ARGUMENT_WHOLE, &seed, 0, 1e15, "of the openings (1)"},
        {"chess960", ARGUMENT_REAL, &settings.opening.chess960, 0, 1, "share of Chess960 starts (0)"},
        {"no-adjudication", ARGUMENT_FLAG, &no_adjudication, 0, 0, "games end by the rules or by length"},
        {"quiet", ARGUMENT_FLAG, &settings.quiet, 0, 0, "no progress"},
    };
    enum { COUNT = sizeof table / sizeof table[0] };
    int rest_count;
    char **rest = memory_allocate((size_t)(argc + 1) * sizeof *rest);
    if (!rest) return COMMAND_FAILED;
    Status status = arguments_parse(table, COUNT, argc, argv, rest, &rest_count, &help);
    int result = COMMAND_OK;
    if (help) {
        arguments_print_help(table, COUNT);
    } else if (status_is_ok(&status) && rest_count != 2) {
        status = status_error("needs two networks");
    }
    if (!status_is_ok(&status)) result = console_fail_usage(argv[0], &status);
    if (!help && result == COMMAND_OK) {
        settings.budget = (MoveBudget){0, (uint64_t)nodes};
        settings.seed = (uint64_t)seed;
        settings.adjudication.by_score = !no_adjudication;
        status = run_duel(&settings, rest[0], rest[1]);
        if (!status_is_ok(&status)) result = console_fail(argv[0], &status);
    }
    memory_release(rest);
    return result;
}
