/* The sub-commands of a program, from its arguments to its exit status. Prints help on standard output and
 * errors on standard error. The commands of a program are in its commands.def, one line each:
 * COMMAND(name, summary, function) */
#ifndef LUFT_BASE_COMMANDS_H
#define LUFT_BASE_COMMANDS_H

#include "base/nearest.h"
#include "base/usage.h"

/* The exit status: success; failure; wrong command line; stopped before the end, with what was done kept. A
 * command may have others. */
enum { COMMAND_OK = 0, COMMAND_FAILED = 1, COMMAND_USAGE = 2, COMMAND_UNFINISHED = 4 };

/* argv[0] is the name of the command, its arguments follow. Prints its messages; never exits. */
typedef int CommandFunction(int argc, char **argv);

typedef struct Command {
    const char *name;
    const char *summary; /* a few words for the list; NULL: another spelling, not listed */
    CommandFunction *run;
    Syntax syntax; /* without `run`: what commands_run needs; the list has the settings */
} Command;

typedef struct CommandList {
    const char *program;        /* as it is called: "luft-lab", "luft-lab data" */
    const char *before, *after; /* text of the help around the list, for usage_write_text */
    const Command *commands;
    size_t count;
    void *settings; /* for commands without a function */
} CommandList;

/* A table as two members of an initialiser. */
#define COMMANDS(table) .commands = (table), .count = sizeof(table) / sizeof *(table)

/* Whether a command, or a list of them, is asked for its part of the man page (--man, which no help names:
 * `make man` uses it). */
bool commands_ask_for_manual(int argc, char **argv);

/* NULL when no command has this name. */
const Command *commands_find(const CommandList *list, const char *name);

/* Runs the command that argv[1] names, or prints the help (without arguments, for --help, -h and help) or
 * that of one command (help NAME). */
int commands_dispatch(const CommandList *list, int argc, char **argv);

/* Prints that a word is not a command, and the nearest one; returns COMMAND_USAGE. `nearest` may have
 * considered other words. */
int commands_refuse(const CommandList *list, Nearest *nearest);

/* Prints the reason of a failure; a failure to write standard output is one, too. Returns
 * COMMAND_OK, COMMAND_UNFINISHED or COMMAND_FAILED. */
int commands_finish(const char *command, const Status *status);

/* A whole command: gives `settings` their standard values, reads the arguments into them, checks what the
 * fields cannot check, runs. Prints the help instead if the arguments ask for it. Returns the exit status:
 * COMMAND_USAGE when the arguments are wrong, else as commands_finish. */
int commands_run(const Syntax *syntax, int argc, char **argv, void *settings);

#endif
