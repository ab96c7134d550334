/* Files inside the program. The assembler copies them: no generated source, no tool but the compiler. A file
 * that uses this is compiled without link-time optimisation, whose symbol tables do not see what assembly
 * defines, and the Makefile names what it copies.
 *
 *     EMBED(network, LUFT_EVALFILE);   defines luft_network_bytes and luft_network_size
 */
#ifndef LUFT_NNUE_EMBED_H
#define LUFT_NNUE_EMBED_H

#include <stdint.h>

#define EMBED_TEXT_OF(x)   #x
#define EMBED_TEXT(x)      EMBED_TEXT_OF(x)
#define EMBED_SYMBOL(name) EMBED_TEXT(__USER_LABEL_PREFIX__) "luft_" #name

#if defined(__APPLE__)
#define EMBED_SECTION ".const_data\n"
#elif defined(_WIN32)
#define EMBED_SECTION ".section .rdata, \"dr\"\n"
#else
#define EMBED_SECTION ".section .rodata\n"
#endif

/* Not among the symbols of a shared library. */
#ifdef __ELF__
#define EMBED_HIDDEN(symbol) ".hidden " symbol "\n"
#elif defined(__APPLE__)
#define EMBED_HIDDEN(symbol) ".private_extern " symbol "\n"
#else
#define EMBED_HIDDEN(symbol)
#endif

/* clang-format off */
#define EMBED(name, file)                                                        \
    __asm__(EMBED_SECTION                                                        \
            EMBED_HIDDEN(EMBED_SYMBOL(name) "_bytes")                            \
            EMBED_HIDDEN(EMBED_SYMBOL(name) "_size")                             \
            ".globl " EMBED_SYMBOL(name) "_bytes\n"                              \
            EMBED_SYMBOL(name) "_bytes:\n"                                       \
            ".incbin \"" file "\"\n"                                             \
            EMBED_SYMBOL(name) "_end:\n"                                         \
            ".balign 8\n"                                                        \
            ".globl " EMBED_SYMBOL(name) "_size\n"                               \
            EMBED_SYMBOL(name) "_size:\n"                                        \
            ".long " EMBED_SYMBOL(name) "_end - " EMBED_SYMBOL(name) "_bytes\n"  \
            ".text\n");                                                          \
    extern const uint8_t luft_##name##_bytes[];                                  \
    extern const uint32_t luft_##name##_size
/* clang-format on */

#endif
