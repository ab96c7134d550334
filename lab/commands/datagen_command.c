#include "lab/command.h"
#include "lab/kit/arguments.h"
#include "lab/play/datagen.h"
#include "lab/kit/console.h"

#include "base/memory.h"

#include <stdio.h>

static void print_report(const DatagenSettings *settings, const DatagenReport *report) {
    char games[NUMBER_TEXT_CAPACITY], plies[NUMBER_TEXT_CAPACITY], rate[NUMBER_TEXT_CAPACITY];
    char time[NUMBER_TEXT_CAPACITY];
    double per_hour = report->seconds > 0 ? (double)report->new_plies / report->seconds * 3600 : 0;
    printf("file        %s: %s games, %s plies, %.3f bytes a ply\n", settings->out,
           console_thousands(report->games, games), console_thousands(report->plies, plies),
           report->plies ? (double)report->bytes / (double)report->plies : 0.0);
    if (report->torn > 0)
        printf("            a torn end of %lld bytes was moved to %s.tail first\n", report->torn,
               settings->out);
    if (report->new_games > 0) {
        double count = (double)report->new_games;
        printf("this run    %s games, %s plies in %s: %s plies an hour, %.0f nodes a move\n",
               console_thousands(report->new_games, games), console_thousands(report->new_plies, plies),
               console_duration((int64_t)(report->seconds * 1000), time),
               console_thousands((uint64_t)per_hour, rate),
               report->moves ? (double)report->nodes / (double)report->moves : 0.0);
        printf("results     White won %.1f %%, drawn %.1f %%, Black won %.1f %%; ended by rules %.1f %%, by "
               "score "
               "%.1f %%, by length %.1f %%\n",
               100 * (double)report->results[RECORD_WHITE_WON] / count,
               100 * (double)report->results[RECORD_DRAWN] / count,
               100 * (double)report->results[RECORD_BLACK_WON] / count,
               100 * (double)report->ends[RECORD_END_RULES] / count,
               100 * (double)report->ends[RECORD_END_SCORE] / count,
               100 * (double)report->ends[RECORD_END_LENGTH] / count);
    }
    printf("network     %016llx\n", (unsigned long long)report->network_hash);
}

typedef struct Numbers {
    int64_t nodes, hard_nodes, opening_plies, opening_score, opening_nodes, win_score, win_plies, draw_score,
        draw_plies, draw_from, plies_max, few_men, few_score;
    bool first_generation, no_check, no_adjudication;
} Numbers;

static Numbers numbers_of(const DatagenSettings *settings) {
    const Adjudication *rules = &settings->adjudication;
    return (Numbers){.nodes = (int64_t)settings->budget.soft,
                     .opening_plies = settings->opening.plies,
                     .opening_score = settings->opening.score_limit,
                     .opening_nodes = (int64_t)settings->opening.check_nodes,
                     .win_score = rules->win_score,
                     .win_plies = rules->win_plies,
                     .few_men = rules->few_men,
                     .few_score = rules->few_score,
                     .draw_score = rules->draw_score,
                     .draw_plies = rules->draw_plies,
                     .draw_from = rules->draw_from,
                     .plies_max = rules->plies_max};
}

static void apply_numbers(const Numbers *numbers, DatagenSettings *settings) {
    settings->budget = (MoveBudget){(uint64_t)numbers->nodes, (uint64_t)numbers->hard_nodes};
    settings->opening.plies = (int)numbers->opening_plies;
    settings->opening.score_limit = (int)numbers->opening_score;
    settings->opening.check_nodes = (uint64_t)numbers->opening_nodes;
    if (numbers->no_check) settings->opening.check = false;
    settings->adjudication = (Adjudication){.by_score = !numbers->no_adjudication,
                                            .win_score = (int)numbers->win_score,
                                            .win_plies = (int)numbers->win_plies,
                                            .few_men = (int)numbers->few_men,
                                            .few_score = (int)numbers->few_score,
                                            .draw_score = (int)numbers->draw_score,
                                            .draw_plies = (int)numbers->draw_plies,
                                            .draw_from = (int)numbers->draw_from,
                                            .plies_max = (int)numbers->plies_max};
    if (numbers->first_generation) datagen_settings_first_generation(settings);
}

int command_datagen(int argc, char **argv) {
    DatagenSettings settings = datagen_settings_default();
    Numbers n = numbers_of(&settings);
    const Argument table[] = {
        {NULL, ARGUMENT_HEADING, NULL, 0, 0, "usage: luft-lab datagen --out FILE [options]\n"},
        {"out", ARGUMENT_FILE, &settings.out, 0, 0, "the file of games; an existing one is continued"},
        {"net", ARGUMENT_FILE, &settings.network, 0, 0,
         "network: a file, random:WIDTH:SEED (default: the program's)"},
        {"games", ARGUMENT_WHOLE, &settings.games, 0, 1e12, "stop at so many games in the file"},
        {"plies", ARGUMENT_WHOLE, &settings.plies, 0, 1e15, "stop at so many plies in the file"},
        {"seconds", ARGUMENT_WHOLE, &settings.seconds, 0, 1e9, "stop after so long"},
        {"nodes", ARGUMENT_WHOLE, &n.nodes, 1, 1e9, "a move: no iteration begins past it (1000)"},
        {"hard-nodes", ARGUMENT_WHOLE, &n.hard_nodes, 0, 1e9, "a move: never more (0: four times --nodes)"},
        {"threads", ARGUMENT_WHOLE, &settings.threads, 0, 1024, "0: one for each core (0)"},
        {"hash", ARGUMENT_WHOLE, &settings.hash, 1, 1024, "MiB of each thread's table (2)"},
        {"seed", ARGUMENT_WHOLE, &settings.seed, 0, 1e15, "of the openings (1)"},
        {"first-generation", ARGUMENT_FLAG, &n.first_generation, 0, 0,
         "for a random network: trust no score"},
        {"opening-plies", ARGUMENT_WHOLE, &n.opening_plies, 0, 100, "random plies, or one more (8)"},
        {"opening-score", ARGUMENT_WHOLE, &n.opening_score, 1, 30000, "openings within this score (200)"},
        {"opening-nodes", ARGUMENT_WHOLE, &n.opening_nodes, 1, 1e9, "searched to check an opening (1000)"},
        {"no-opening-check", ARGUMENT_FLAG, &n.no_check, 0, 0, "any opening will do"},
        {"chess960", ARGUMENT_REAL, &settings.opening.chess960, 0, 1,
         "share of games from Chess960 arrays (0)"},
        {"win-score", ARGUMENT_WHOLE, &n.win_score, 1, 32000, "adjudicated as won at (600)"},
        {"win-plies", ARGUMENT_WHOLE, &n.win_plies, 1, 400, "for so many plies (4)"},
        {"few-men", ARGUMENT_WHOLE, &n.few_men, 0, 32,
         "with so few men it takes more: many wins are none (12)"},
        {"few-score", ARGUMENT_WHOLE, &n.few_score, 1, 32000, "won at, with few men (1500)"},
        {"draw-score", ARGUMENT_WHOLE, &n.draw_score, 0, 32000, "adjudicated as drawn within (8)"},
        {"draw-plies", ARGUMENT_WHOLE, &n.draw_plies, 1, 400, "for so many plies (8)"},
        {"draw-from", ARGUMENT_WHOLE, &n.draw_from, 0, 1000, "after ply (60)"},
        {"no-adjudication", ARGUMENT_FLAG, &n.no_adjudication, 0, 0, "games end by the rules or by length"},
        {"played-out", ARGUMENT_REAL, &settings.played_out, 0, 1, "share of games never adjudicated (0.1)"},
        {"plies-max", ARGUMENT_WHOLE, &n.plies_max, 1, RECORD_PLIES_MAX, "then a game is drawn (400)"},
        {"gold-nodes", ARGUMENT_WHOLE, &settings.gold_nodes, 0, 1e9,
         "gold set: keep one position of each game, searched with so many nodes (0: whole games)"},
        {"flush-seconds", ARGUMENT_WHOLE, &settings.flush_seconds, 1, 1e6, "write at least so often (60)"},
        {"quiet", ARGUMENT_FLAG, &settings.quiet, 0, 0, "no progress"},
    };
    enum { COUNT = sizeof table / sizeof table[0] };
    bool help;
    int rest_count;
    char **rest = memory_allocate((size_t)(argc + 1) * sizeof *rest);
    if (!rest) return COMMAND_FAILED;
    Status status = arguments_parse(table, COUNT, argc, argv, rest, &rest_count, &help);
    if (status_is_ok(&status) && rest_count > 0) status = status_error("what is '%s'?", rest[0]);
    memory_release(rest);
    if (help) {
        arguments_print_help(table, COUNT);
        return COMMAND_OK;
    }
    if (status_is_ok(&status) && !settings.out) status = status_error("needs --out");
    if (!status_is_ok(&status)) return console_fail_usage(argv[0], &status);
    if (n.hard_nodes == 0) n.hard_nodes = 4 * n.nodes;
    apply_numbers(&n, &settings);
    DatagenReport report;
    status = datagen_run(&settings, &report);
    if (status_is_ok(&status) || report.new_games > 0) print_report(&settings, &report);
    return status_is_ok(&status) ? COMMAND_OK : console_fail(argv[0], &status);
}
