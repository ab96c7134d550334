/* luft-lab datagen: games of the engine against itself. */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/selfplay/datagen.h"

#include <math.h>
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
               100 * (double)report->results[WHITE_WINS] / count,
               100 * (double)report->results[DRAWN] / count,
               100 * (double)report->results[BLACK_WINS] / count,
               100 * (double)report->ends[END_BY_RULES] / count,
               100 * (double)report->ends[END_BY_SCORE] / count,
               100 * (double)report->ends[END_BY_LENGTH] / count);
    }
    printf("network     %016llx\n", (unsigned long long)report->network_hash);
}

/* What of the settings is said otherwise on the command line. */
typedef struct DatagenArguments {
    DatagenSettings settings;
    bool first_generation, no_check, no_adjudication;
    double seconds;
} DatagenArguments;

static Status check(void *context) {
    DatagenArguments *arguments = context;
    DatagenSettings *settings = &arguments->settings;
    if (settings->out == NULL) return status_error("needs --out");
    settings->seconds = (int64_t)ceil(arguments->seconds);
    if (settings->budget.hard == 0) settings->budget.hard = 4 * settings->budget.soft;
    if (arguments->no_check) settings->opening.check = false;
    settings->adjudication.by_score = !arguments->no_adjudication;
    if (arguments->first_generation) datagen_settings_first_generation(settings);
    return status_ok();
}

static Status run(void *context) {
    const DatagenSettings *settings = &((DatagenArguments *)context)->settings;
    DatagenReport report;
    Status status = datagen_run(settings, &report);
    if (status_is_ok(&status) || report.new_games > 0) print_report(settings, &report);
    return status;
}

int command_datagen(int argc, char **argv) {
    DatagenArguments arguments = {.settings = datagen_settings_default()};
    DatagenSettings *settings = &arguments.settings;
    OpeningSettings *opening = &settings->opening;
    Adjudication *rules = &settings->adjudication;
    settings->budget.hard = 0;
    const Argument table[] = {
        option_text("out", "FILE", &settings->out, "the file of games; an existing one is continued"),
        option_text("net", "NET", &settings->network,
                    "network: a file, random:WIDTH:SEED (default: the program's)"),
        option_whole("games", "N", &settings->games, 1, 1e12, "stop at N games in the file"),
        option_whole("plies", "N", &settings->plies, 1, 1e15, "stop at N plies in the file"),
        option_seconds("seconds", &arguments.seconds, 1, 1e9, "stop after this time"),
        option_count("nodes", "N", &settings->budget.soft, 1, 1e9, "a move: no iteration begins past it"),
        option_count("hard-nodes", "N", &settings->budget.hard, 0, 1e9,
                     "a move: never more; 0: four times --nodes"),
        option_text("tablebases", "DIR", &settings->tablebases,
                    "folders of Syzygy tables that the search asks"),
        option_whole("threads", "N", &settings->threads, 0, 1024, "0: one for each core"),
        option_whole("hash", "MIB", &settings->hash, 1, 1024, "of each thread's table"),
        option_whole("seed", "N", &settings->seed, 0, 1e15, "of the openings"),
        option_whole("gold-nodes", "N", &settings->gold_nodes, 0, 1e9,
                     "gold set: keep one position of each game, searched with N nodes; 0: whole games"),
        option_flag("first-generation", &arguments.first_generation, "for a random network: trust no score"),
        option_whole("flush-seconds", "S", &settings->flush_seconds, 1, 1e6, "write at least this often"),
        option_flag("quiet", &settings->quiet, "no progress"),
        argument_heading("How games begin:"),
        option_int("opening-plies", "N", &opening->plies, 0, 100, "random plies, or one more"),
        option_int("opening-score", "UNITS", &opening->score_limit, 1, 30000, "openings within this score"),
        option_count("opening-nodes", "N", &opening->check_nodes, 1, 1e9, "searched to check an opening"),
        option_flag("no-opening-check", &arguments.no_check, "any opening will do"),
        option_real("chess960", "X", &opening->chess960, 0, 1, "share of games from Chess960 arrays"),
        option_real("endings", "X", &opening->endings, 0, 1,
                    "share of games from random positions of six to ten pieces"),
        option_int("endings-score", "UNITS", &opening->endings_score_limit, 1, 30000,
                   "those within this score"),
        option_real("random-moves", "X", &settings->random_moves, 0, 0.5,
                    "share of later moves that are random too, to leave the lines of best play"),
        argument_heading("How games end:"),
        option_int("win-score", "UNITS", &rules->win_score, 1, 32000, "adjudicated as won at"),
        option_int("win-plies", "N", &rules->win_plies, 1, 400, "for N plies"),
        option_int("few-pieces", "N", &rules->few_pieces, 0, 32,
                   "with N pieces and pawns or fewer it takes more: many such wins are draws"),
        option_int("few-score", "UNITS", &rules->few_score, 1, 32000, "won at, with few of them"),
        option_int("draw-score", "UNITS", &rules->draw_score, 0, 32000, "adjudicated as drawn within"),
        option_int("draw-plies", "N", &rules->draw_plies, 1, 400, "for N plies"),
        option_int("draw-from", "N", &rules->draw_from, 0, 1000, "after ply N"),
        option_flag("no-adjudication", &arguments.no_adjudication, "games end by the rules or by length"),
        option_real("played-out", "X", &settings->played_out, 0, 1, "share of games never adjudicated"),
        option_int("plies-max", "N", &rules->plies_max, 1, RECORD_PLIES_MAX, "then a game is drawn"),
    };
    const Syntax syntax = {
        "luft-lab datagen", "--out FILE [options]",
        "Plays games of the engine against itself and keeps them for training. Without --games, "
        "--plies or --seconds it goes on until it is interrupted.\n",
        "  luft-lab datagen --out 1.games --net 0.nnue --nodes 5k --plies 20M\n", ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check, run, &arguments);
}
