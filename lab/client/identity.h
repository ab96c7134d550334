/* Which program an engine is: what its file contains, wherever it lies and whenever it was built. */
#ifndef LUFT_CLIENT_IDENTITY_H
#define LUFT_CLIENT_IDENTITY_H

#include "lab/client/engine_config.h"

#include <stdbool.h>

enum { IDENTITY_CAPACITY = 64 };

/* "program 0123456789abcdef, 123456 bytes"; "a program that cannot be read". Of a script only the script
 * counts, not what it starts. False for want of memory. */
bool identity_of(const EngineConfig *engine, char out[IDENTITY_CAPACITY]);

#endif
