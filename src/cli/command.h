/* The sub-commands of luft: the functions that src/cli/commands.def names. To add one: its line there, and
 * the function in a file of this folder. */
#ifndef LUFT_CLI_COMMAND_H
#define LUFT_CLI_COMMAND_H

#include "base/commands.h"

#define COMMAND(name, summary, function) CommandFunction function;
#include "cli/commands.def"
#undef COMMAND

#endif
