/* Which Luft this is. Any thread may call. */
#ifndef LUFT_ENGINE_VERSION_H
#define LUFT_ENGINE_VERSION_H

#include "base/text.h"

#define ENGINE_NAME    "Luft"
#define ENGINE_VERSION "0.2-dev" /* without "-dev" in a release */
#define ENGINE_AUTHOR  "the Luft authors"

/* ENGINE_VERSION; in a development build from a repository with the commit: "0.2-dev-1a2b3c4". */
const char *version_name(void);

/* Appends what a report of a fault needs, in lines of "what: which": version, compiler, kernels in use,
 * network, options of the build. */
void version_describe(TextBuffer *out);

#endif
