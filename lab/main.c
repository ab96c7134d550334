/* luft-lab: the laboratory in which Luft is measured, fed and tuned. */
#include "base/processor.h"
#include "base/system.h"
#include "chess/chess.h"
#include "lab/command.h"

#include <stdio.h>

int main(int argc, char **argv) {
    static const Command COMMANDS[] = {
#define COMMAND(name, summary, function) {name, summary, function},
#include "lab/commands.def"
#undef COMMAND
    };
    const char *lacking = processor_lacks();
    if (lacking != NULL) {
        fprintf(stderr, PROCESSOR_SENTENCE, "luft-lab", lacking);
        return COMMAND_FAILED;
    }
    system_prepare(&argc, &argv);
    chess_init();
    const CommandList list = {"luft-lab", "Usage: luft-lab COMMAND [options]\n\n", NULL, ARGUMENTS(COMMANDS)};
    return commands_dispatch(&list, argc, argv);
}
