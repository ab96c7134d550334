/* The sub-commands of luft-lab: the functions that lab/commands.def names. To add one: its line there, and a
 * file in lab/commands. */
#ifndef LUFT_LAB_COMMAND_H
#define LUFT_LAB_COMMAND_H

#include "base/commands.h"

#define COMMAND(name, summary, function) CommandFunction function;
#include "lab/commands.def"
#undef COMMAND

#endif
