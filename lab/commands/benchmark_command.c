/* luft-lab benchmark: how fast, how strong? */
#include "lab/command.h"
#include "lab/commands/benchmark_speed.h"
#include "lab/commands/benchmark_strength.h"

int command_benchmark(int argc, char **argv) {
    static const Command REPORTS[] = {
        {"speed", "run the engine's bench, and compare it with an earlier one", benchmark_speed},
        {"strength", "play against Stockfish at low Skill Levels", benchmark_strength},
    };
    const CommandList list = {"luft-lab benchmark",
                              "Usage: luft-lab benchmark speed|strength [options]\n\nReports as Markdown, "
                              "made for pasting into a pull request.\n\n",
                              NULL, COMMANDS(REPORTS)};
    return commands_dispatch(&list, argc, argv);
}
