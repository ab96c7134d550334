/* The Model Context Protocol (MCP): JSON-RPC 2.0, a message a line, for assistants that talk about chess.
 * docs/mcp.md describes the tools; the protocol is at modelcontextprotocol.io. */
#ifndef LUFT_MCP_SERVER_H
#define LUFT_MCP_SERVER_H

#include "base/status.h"

#include <stdio.h>

enum {
    MCP_MESSAGE_MAX = 1 << 20, /* bytes of a message */
    MCP_CALLS_MAX = 16         /* that wait or run */
};

/* Serves a client until the end of the input, which stops what runs. No call takes longer than `seconds`.
 * Fails only when memory or threads are refused. */
Status mcp_serve(FILE *in, FILE *out, double seconds);

#endif
