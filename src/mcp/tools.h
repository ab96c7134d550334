/* The tools that the server offers. Each asks the engine, and none touches a file: what it is asked comes in
 * its arguments, what it finds goes into its result, in the words and the JSON of the commands. */
#ifndef LUFT_MCP_TOOLS_H
#define LUFT_MCP_TOOLS_H

#include "base/nearest.h"
#include "engine/document.h"
#include "mcp/call.h"

typedef struct Tool Tool;

/* NULL when none has this name; then `nearest` has considered them all. */
const Tool *tools_find(TextView name, Nearest *nearest);

/* Writes the list `tools`, each with the schemas of its arguments and of its result. */
void tools_write_list(Document *document);

/* Runs the call's tool to its end and writes call->result, an object of JSON: what was found, or, where the
 * tool could not be run, a sentence that says why. On the call's own thread. */
void tools_run(Call *call);

#endif
