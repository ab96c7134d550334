#include "engine/version.h"

#include "base/status.h"
#include "nnue/dispatch.h"
#include "nnue/network.h"

#include <inttypes.h>
#include <string.h>

/* The Makefile defines both for this file alone, so that another commit compiles one file again. */
#ifndef LUFT_COMMIT
#define LUFT_COMMIT ""
#endif
#ifndef LUFT_BUILD
#define LUFT_BUILD "unknown"
#endif

#ifdef __clang__
#define COMPILER __VERSION__ /* includes its name */
#elif defined(__GNUC__)
#define COMPILER "GCC " __VERSION__
#else
#define COMPILER "unknown"
#endif

const char *version_name(void) {
    const bool development = strstr(ENGINE_VERSION, "-dev") != NULL && LUFT_COMMIT[0] != '\0';
    return development ? ENGINE_VERSION "-" LUFT_COMMIT : ENGINE_VERSION;
}

void version_describe(TextBuffer *out) {
    Status status;
    Network *network = network_open_embedded(&status);
    buffer_append_format(out, ENGINE_NAME " %s\ncompiler: " COMPILER "\nkernels: %s\n", version_name(),
                         dispatch_kernels_name());
    if (network == NULL)
        buffer_append_format(out, "network: %s\n", status.reason);
    else
        buffer_append_format(out, "network: %s, %d hidden units a side, hash %016" PRIx64 "\n",
                             network_name(network), network_width(network), network_hash(network));
    buffer_append_string(out, "build: " LUFT_BUILD "\n");
    network_destroy(network);
}
