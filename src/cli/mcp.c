/* luft mcp: the tools of the engine for assistants. */
#include "base/progress.h"
#include "base/system.h"
#include "cli/command.h"
#include "mcp/server.h"

#include <stdio.h>

typedef struct Settings {
    double seconds;
} Settings;

static Status run(void *context) {
    const Settings *settings = context;
    if (stream_is_terminal(stdin))
        text_printf(stderr, "luft mcp: waits for the messages of a client (docs/mcp.md); Ctrl-D ends it\n");
    system_ignore_closed_pipes();
    return mcp_serve(stdin, stdout, settings->seconds);
}

#define FIELD_STRUCT Settings
static const Field FIELDS[] = {
    {FIELD_SECONDS("time", seconds, 0.01, 86400, "60", "a call that takes longer is stopped")}, {0}};

int command_mcp(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft mcp",
        .about =
            "Serves an assistant that talks about chess by the Model Context Protocol, on standard input "
            "and output, until the input ends. "
            "Its tools list legal moves, analyse positions, explain moves and judge games. "
            "They read and write no files. "
            "It is not started by hand: the configuration of a client names it (docs/mcp.md).\n",
        .fields = FIELDS,
        .run = run};
    Settings settings = {0};
    return commands_run(&SYNTAX, argc, argv, &settings);
}
