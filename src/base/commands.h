/* The sub-commands of a program, from the words that the shell gives to the status that it gets back. Prints:
 * help on standard output, what is wrong on standard error. A program's commands stand in a commands.def, a
 * line each: COMMAND(name, summary, function) */
#ifndef LUFT_BASE_COMMANDS_H
#define LUFT_BASE_COMMANDS_H

#include "base/nearest.h"
#include "base/usage.h"

/* What a command returns to the shell: done; it could not be done; the command line is wrong. */
enum { COMMAND_OK = 0, COMMAND_FAILED = 1, COMMAND_USAGE = 2 };

/* argv[0] is the command's name, its arguments follow. Prints its own messages; never exits. */
typedef int CommandFunction(int argc, char **argv);

typedef struct Command {
    const char *name;
    const char *summary; /* a few words for the list; NULL: another spelling, not listed */
    CommandFunction *run;
} Command;

typedef struct CommandList {
    const char *program; /* as it is called: "luft-lab", "luft-lab data" */
    const char *before;  /* the help is this, the list, */
    const char
        *after; /* and this; lines are broken to fit, but not those that begin with a blank. May be NULL */
    const Command *commands;
    size_t count;
} CommandList;

/* A table as two members of an initialiser. */
#define COMMANDS(table) (table), sizeof(table) / sizeof *(table)

/* Whether a command, or a list of them, is asked for its part of the man page (--man, which no help names:
 * `make man` uses it). */
bool commands_ask_for_manual(int argc, char **argv);

/* NULL when no command has this name. */
const Command *commands_find(const CommandList *list, const char *name);

/* Runs the command that argv[1] names; or prints the help (for no argument, --help, -h, help), or that of one
 * command (help NAME). */
int commands_dispatch(const CommandList *list, int argc, char **argv);

/* Says that a word is no command, and what was meant; returns COMMAND_USAGE. `nearest` may know of other
 * words. */
int commands_refuse(const CommandList *list, Nearest *nearest);

/* Says what went wrong, if anything did, and that output could not be written: what was not written was not
 * done. Returns COMMAND_OK or COMMAND_FAILED. */
int commands_finish(const char *command, const Status *status);

/* A whole command: gives `settings` their standard values, reads the arguments, checks what the fields
 * cannot, does the work. Prints the help where it is asked for, and what is wrong. Returns what the command
 * returns: COMMAND_USAGE when the arguments are wrong, COMMAND_FAILED when the work fails. */
int commands_run(const Syntax *syntax, int argc, char **argv, void *settings);

#endif
