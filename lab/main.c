/* luft-lab: the laboratory in which Luft is measured, fed and tuned. */
#include "base/processor.h"
#include "base/system.h"
#include "chess/game.h"
#include "engine/version.h"
#include "lab/command.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static const Command TABLE[] = {
#define COMMAND(name, summary, function) {name, summary, .run = function},
#include "lab/commands.def"
#undef COMMAND
    };
    const char *lacking = processor_lacks();
    if (lacking != NULL) {
        fprintf(stderr, PROCESSOR_SENTENCE, "luft-lab", lacking);
        return COMMAND_FAILED;
    }
    system_prepare(&argc, &argv);
    if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-version") == 0)) {
        const Status status = status_ok();
        TextBuffer version = {0};
        version_describe(&version);
        buffer_print(&version, stdout);
        buffer_release(&version);
        return commands_finish("luft-lab", &status);
    }
    chess_init();
    const CommandList list = {"luft-lab", "Usage: luft-lab COMMAND [options]\n\n", NULL, COMMANDS(TABLE)};
    int result = commands_dispatch(&list, argc, argv);
    /* What was printed but never arrived is no success, whichever command printed it. */
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return result;
    fprintf(stderr, "luft-lab: cannot write to standard output\n");
    return COMMAND_FAILED;
}
