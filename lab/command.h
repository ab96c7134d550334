/* The sub-commands of luft-lab. They are in lab/commands, one file each; lab/main.c holds the table. */
#ifndef LUFT_LAB_COMMAND_H
#define LUFT_LAB_COMMAND_H

/* What a command returns to the shell. */
enum { COMMAND_OK = 0, COMMAND_FAILED = 1, COMMAND_USAGE = 2 };

/* argv[0] is the sub-command's name, its arguments follow. Prints its own messages; never exits. */
typedef int CommandFunction(int argc, char **argv);

typedef struct Command {
    const char *name;
    const char *summary; /* one line for the list of commands */
    CommandFunction *run;
} Command;

CommandFunction command_match;
CommandFunction command_sprt;
CommandFunction command_benchmark;
CommandFunction command_openings;
CommandFunction command_epd;
CommandFunction command_datagen;
CommandFunction command_data;
CommandFunction command_train;
CommandFunction command_evolve;
CommandFunction command_duel;
CommandFunction command_fit;
CommandFunction command_net;
CommandFunction command_tune;
CommandFunction command_ablate;
CommandFunction command_judge;

#endif
