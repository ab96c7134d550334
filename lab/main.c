/* luft-lab: the laboratory in which Luft is measured, fed and tuned. This file is the table of its commands.
 */
#include "base/processor.h"
#include "base/system.h"
#include "chess/chess.h"
#include "lab/command.h"

#include <stdio.h>
#include <string.h>

static const Command COMMANDS[] = {
    {"match", "play engines against each other", command_match},
    {"sprt", "test whether one engine is stronger than another", command_sprt},
    {"benchmark", "report speed and strength, for a pull request", command_benchmark},
    {"ablate", "measure what each technique of the search is worth", command_ablate},
    {"judge", "compare engines by the moves that they choose", command_judge},
    {"tune", "find better values for the numbers of the search", command_tune},
    {"openings", "make an opening book", command_openings},
    {"epd", "let engines solve a test suite", command_epd},
    {"datagen", "play games against itself, for training", command_datagen},
    {"data", "inspect, sort, relabel and convert recorded games", command_data},
    {"train", "train a network from recorded games", command_train},
    {"duel", "play two networks against each other", command_duel},
    {"evolve", "grow a network from nothing, generation by generation", command_evolve},
    {"fit", "fit the chances of winning to the scores of recorded games", command_fit},
    {"net", "make, show and time networks", command_net},
};

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static void print_commands(FILE *out) {
    fprintf(out, "usage: luft-lab COMMAND [OPTIONS]     luft-lab COMMAND --help explains one\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-12s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
}

int main(int argc, char **argv) {
    const char *lacking = processor_lacks();
    if (lacking != NULL) {
        fprintf(stderr, PROCESSOR_SENTENCE, "luft-lab", lacking);
        return COMMAND_FAILED;
    }
    system_prepare(&argc, &argv);
    if (argc < 2) {
        print_commands(stderr);
        return COMMAND_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_commands(stdout);
        return COMMAND_OK;
    }
    chess_init();
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], COMMANDS[i].name) == 0) return COMMANDS[i].run(argc - 1, argv + 1);
    fprintf(stderr, "luft-lab: no command is called %s; luft-lab --help lists them\n", argv[1]);
    return COMMAND_USAGE;
}
