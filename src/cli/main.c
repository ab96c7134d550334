/* The program `luft`: without arguments a UCI engine, else a sub-command or UCI lines. */
#include "chess/chess.h"
#include "base/processor.h"
#include "base/system.h"
#include "engine/version.h"
#include "nnue/dispatch.h"
#include "cli/analyse.h"
#include "cli/tools.h"
#include "uci/uci.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static Status analyse(int argc, char *const *argv, FILE *out) { return analyse_run(argc, argv, out, stderr); }

typedef struct SubCommand {
    const char *name;
    Status (*run)(int argc, char *const *argv, FILE *out);
} SubCommand;

static const SubCommand SUB_COMMANDS[] = {
    {"analyse", analyse},  {"analyze", analyse}, {"bench", tool_bench},
    {"perft", tool_perft}, {"eval", tool_eval},  {"selftest", tool_selftest},
};

static const char HELP[] = ENGINE_NAME
    " " ENGINE_VERSION ", a UCI chess engine\n"
    "\n"
    "Load it into a chess program (Arena, Cute Chess, En Croissant, Nibbler ...) as a UCI engine, or:\n"
    "\n"
    "  luft analyse                     the initial position for five seconds\n"
    "  luft analyse FEN                 a position: the board, the best line, its score in pawns for White\n"
    "  luft analyse game.pgn > out.pgn  a game, each move with score, depth, and the better move if there "
    "was one\n"
    "  luft analyse positions.txt       each line a FEN, one after the other\n"
    "  luft analyse -                   either file from standard input\n"
    "      --time S      seconds for a position (5) or for each move of a game (1)\n"
    "      --depth N     search so many plies deep instead\n"
    "      --lines N     the N best lines\n"
    "      --hash MIB    memory for positions already seen (64)\n"
    "      --ascii       letters instead of chess pieces; so does the variable NO_COLOR\n"
    "  luft perft N [FEN] [--divide]    counts the legal sequences of N moves: proves the rules, shows their "
    "speed\n"
    "  luft eval [FEN]                  the evaluation without search\n"
    "  luft bench [DEPTH]               searches 48 positions; the node count is this version's signature\n"
    "  luft selftest                    checks this very binary in a few seconds\n"
    "  luft --version                   says which one it is\n"
    "  luft \"LINE\" \"LINE\" ...           runs UCI commands one after the other\n"
    "  luft                             talks UCI; 'help' lists the commands, 'quit' leaves\n"
    "\n"
    "Examples:\n"
    "  luft analyse --time 10 --lines 3 \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 "
    "3\"\n"
    "  luft \"position startpos moves e2e4\" \"go depth 15\"\n";

static bool asks_for_help(const char *word) { return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0; }

/* The exit status. What could not be written was not done, whatever the sub-command thinks of itself. */
static int finish(const char *name, const Status *status) {
    const bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (status_is_ok(status) && written) return 0;
    fprintf(stderr, "luft%s%s: %s\n", name[0] != '\0' ? " " : "", name,
            written ? status->reason : "standard output could not be written; is the disk full?");
    return 1;
}

static int show(const char *text) {
    const Status status = status_ok();
    fputs(text, stdout);
    return finish("", &status);
}

int main(int argc, char **argv) {
    const char *lacking = processor_lacks();
    if (lacking != NULL) {
        fprintf(stderr, PROCESSOR_SENTENCE, "luft", lacking);
        return 1;
    }
    system_prepare(&argc, &argv);
    const char *first = argc > 1 ? argv[1] : "";
    if (asks_for_help(first)) {
        return show(HELP);
    }
    if (strcmp(first, "--version") == 0) {
        TextBuffer version = {0};
        version_describe(&version);
        const int result = show(buffer_string(&version));
        buffer_release(&version);
        return result;
    }
    if (strncmp(first, "--", 2) == 0) {
        fprintf(stderr, "luft: unknown flag %s; luft --help shows what there is\n", first);
        return 2;
    }
    Status status = dispatch_check();
    if (!status_is_ok(&status)) return finish("", &status);
    chess_init();
    for (size_t i = 0; i < sizeof SUB_COMMANDS / sizeof SUB_COMMANDS[0]; i++) {
        if (strcmp(first, SUB_COMMANDS[i].name) != 0) continue;
        if (argc > 2 && asks_for_help(argv[2])) {
            return show(HELP);
        }
        status = SUB_COMMANDS[i].run(argc - 2, argv + 2, stdout);
        return finish(first, &status);
    }
    if (argc > 1) {
        status = uci_run_lines(argv + 1, argc - 1, stdout);
        return finish("", &status);
    }
#ifdef SIGPIPE
    /* A GUI that goes away closes both pipes: the end of the input is what ends the engine, in its own order.
     */
    signal(SIGPIPE, SIG_IGN);
#endif
    status = uci_serve(stdin, stdout);
    if (status_is_ok(&status)) return 0;
    return finish("", &status);
}
