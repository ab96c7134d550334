/* What the fuzzers share. Each is one function, called with any bytes at all: by libFuzzer (make fuzz), or
 * with the kept corpus by replay.c (make check). */
#ifndef LUFT_FUZZ_FUZZ_H
#define LUFT_FUZZ_FUZZ_H

#include "chess/chess.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program, which the fuzzer reports with the input, unless `condition` holds. */
#define FUZZ_CHECK(condition)                                                             \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            abort();                                                                      \
        }                                                                                 \
    } while (0)

#endif
