#include "nnue/embedded.h"

#include "base/memory.h"

#include <stdint.h>
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

/* The assembler copies the file: no generated source, no tool but the compiler. This file is compiled
 * without link-time optimisation, whose symbol tables do not see what assembly defines. */
#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)
#define SYMBOL(name) STRING(__USER_LABEL_PREFIX__) #name
#define BYTES        SYMBOL(luft_network_bytes)
#define END          SYMBOL(luft_network_end)
#define SIZE         SYMBOL(luft_network_size)

#if defined(__APPLE__)
#define READ_ONLY ".const_data\n"
#elif defined(_WIN32)
#define READ_ONLY ".section .rdata, \"dr\"\n"
#else
#define READ_ONLY ".section .rodata\n"
#endif

/* Not among the symbols of a shared library. */
#ifdef __ELF__
#define HIDDEN(symbol) ".hidden " symbol "\n"
#else
#define HIDDEN(symbol)
#endif

/* clang-format off */
__asm__(READ_ONLY
        HIDDEN(BYTES)
        HIDDEN(SIZE)
        ".globl " BYTES "\n"
        BYTES ":\n"
        ".incbin \"" LUFT_EVALFILE "\"\n"
        END ":\n"
        ".balign 8\n"
        ".globl " SIZE "\n"
        SIZE ":\n"
        ".long " END " - " BYTES "\n"
        ".text\n");
/* clang-format on */

extern const uint8_t luft_network_bytes[];
extern const uint32_t luft_network_size;

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
