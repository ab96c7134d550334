/* Identifies the program of an engine by the content of its file, wherever it is and whenever it was built.
 */
#ifndef LUFT_CLIENT_IDENTITY_H
#define LUFT_CLIENT_IDENTITY_H

#include "base/text.h"
#include "lab/client/engine_config.h"

#include <stdbool.h>

enum { IDENTITY_CAPACITY = 64 };

/* "program 0123456789abcdef, 123456 bytes"; "a program that cannot be read". Of a script, only the script
 * counts, not what it starts. False when memory runs out. */
bool identity_of(const EngineConfig *engine, char out[IDENTITY_CAPACITY]);

/* Appends " (0123456789abcdef, 123456 bytes)" if `path`, relative to `folder` ("": ours), is a file that is
 * not empty; otherwise nothing. False when memory runs out. */
bool identity_append_file(const char *folder, const char *path, TextBuffer *out);

/* The same for an option that names a network. Files of other options may be written by the engine itself. */
bool identity_append_option(const EngineConfig *engine, const EngineOption *option, TextBuffer *out);

#endif
