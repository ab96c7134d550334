#include "cli/program.h"

#include "base/processor.h"
#include "base/system.h"
#include "chess/game.h"
#include "cli/command.h"
#include "engine/engine.h"
#include "engine/version.h"
#include "nnue/dispatch.h"
#include "uci/uci.h"

#include <stdio.h>
#include <string.h>

static const char BEFORE[] = ENGINE_NAME
    " " ENGINE_VERSION ", a UCI chess engine that also analyses, explains and plays on the terminal.\n"
    "\n"
    "Load it into a chess program (Arena, Cute Chess, En Croissant, Nibbler ...) as a UCI "
    "engine, or use it here:\n"
    "\n"
    "  luft COMMAND [options]\n"
    "\n";
static const char AFTER[] =
    "\n"
    "  luft                 reads UCI commands; 'help' lists them, 'quit' ends the program\n"
    "  luft LINE LINE ...   runs these UCI commands, one after the other\n"
    "  luft --version       prints the version\n"
    "\n"
    "Examples:\n"
    "  luft analyse\n"
    "  luft analyse \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"\n"
    "  luft analyse game.pgn --time 2 > annotated.pgn\n"
    "  luft \"position startpos moves e2e4\" \"go depth 15\"\n";

/* The part of the man page that comes from tables: commands and UCI options. */
static int print_manual(const CommandList *list) {
    char option[] = "--man", *asking[] = {option, option, NULL};
    TextBuffer options = {0};
    const int result = commands_dispatch(list, 2, asking);
    buffer_append_string(&options, ".SH UCI OPTIONS\n");
    for (const Option *row = ENGINE_OPTIONS; row->field.kind != FIELD_KIND_END; row++)
        usage_write_manual_row(&row->field, &options);
    buffer_print(&options, stdout);
    return result;
}

static int serve(void) {
    system_ignore_closed_pipes();
    Status status = uci_serve(stdin, stdout);
    return status_is_ok(&status) ? COMMAND_OK : commands_finish("luft", &status);
}

static int run(int argc, char **argv) {
    static const Command TABLE[] = {
#define COMMAND(name, summary, function) {name, summary, .run = function},
#include "cli/commands.def"
#undef COMMAND
    };
    const CommandList list = {"luft", BEFORE, AFTER, COMMANDS(TABLE)};
    system_prepare(&argc, &argv);
    Status status = status_ok();
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        TextBuffer version = {0};
        version_describe(&version);
        buffer_print(&version, stdout);
        return commands_finish("luft", &status);
    }
    status = dispatch_check();
    if (!status_is_ok(&status)) return commands_finish("luft", &status);
    chess_init();
    if (argc == 1) return serve();
    TextView rest = text_view(argv[1]), word = text_next_word(&rest);
    if (commands_ask_for_manual(argc, argv)) return print_manual(&list);
    if (commands_find(&list, argv[1]) != NULL || fields_ask_for_help(argv[1]))
        return commands_dispatch(&list, argc, argv);
    if (uci_is_command(word)) {
        status = uci_run_lines(argv + 1, argc - 1, stdout);
        return commands_finish("luft", &status);
    }
    Nearest nearest = nearest_to(word);
    uci_consider_commands(&nearest);
    return commands_refuse(&list, &nearest);
}

const Program PROGRAM = {processor_lacks, run};
