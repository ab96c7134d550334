#include "nnue/embedded.h"

#include "base/memory.h"
#include "nnue/embed.h"

#include <string.h>

#ifdef LUFT_NO_NETWORK

static void *provided;
static size_t provided_size;

const void *embedded_network(size_t *size) {
    *size = provided_size;
    return provided;
}

Status embedded_provide(const void *bytes, size_t size) {
    if (provided != NULL) return status_error("there is a network already: an engine can be given another");
    provided = memory_allocate(size);
    if (provided == NULL) return status_no_memory("the network");
    memcpy(provided, bytes, size);
    provided_size = size;
    return status_ok();
}

#else

#ifndef LUFT_EVALFILE
#error "a program needs a network: put one into nets/, or name one with make EVALFILE=..."
#endif

EMBED(network, LUFT_EVALFILE);

const void *embedded_network(size_t *size) {
    *size = luft_network_size;
    return luft_network_bytes;
}

Status embedded_provide(const void *bytes, size_t size) {
    (void)bytes;
    (void)size;
    return status_error("this program was built with a network: an engine can be given another");
}

#endif
