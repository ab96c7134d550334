/* luft-lab benchmark: how fast, how strong? */
#include "lab/command.h"
#include "lab/commands/benchmark_speed.h"
#include "lab/commands/benchmark_strength.h"
#include "lab/kit/console.h"
#include "lab/match/match_options.h"

#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "Usage: luft-lab benchmark speed [options]\n"
    "       luft-lab benchmark strength [options]\n"
    "\n"
    "Reports as Markdown, made for pasting into a pull request. `speed` runs the engine's bench and compares "
    "it with\n"
    "an earlier one; `strength` plays against Stockfish at low Skill Levels. Each has its own --help.\n";

int command_benchmark(int argc, char **argv) {
    if (argc >= 2 && strcmp(argv[1], "speed") == 0) return benchmark_speed(argc - 1, argv + 1);
    if (argc >= 2 && strcmp(argv[1], "strength") == 0) return benchmark_strength(argc - 1, argv + 1);
    if (argc < 2 || option_is(argv[1], "help") || strcmp(argv[1], "-h") == 0) {
        fputs(HELP, stdout);
        return argc < 2 ? COMMAND_USAGE : COMMAND_OK;
    }
    Status status = status_error("'%s': speed or strength expected", argv[1]);
    return console_fail_usage("benchmark", &status);
}
