/* What a fuzzer is: one function that is called with any bytes at all, and one that changes bytes into others
 * that are nearly right. Both are called by libFuzzer (driver.c, make fuzz), or with the kept corpus and a
 * few hundred inputs of one seed by replay.c (make check). */
#ifndef LUFT_FUZZ_FUZZ_H
#define LUFT_FUZZ_FUZZ_H

#include "base/rng.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many inputs of its own replay.c makes. */
extern const int FUZZ_SHORT_RUN;

/* Called once, first. */
void fuzz_begin(void);

/* Whether the input got past the parser. */
bool fuzz_input(const uint8_t *data, size_t size);

/* Appends another input to `out`: a new one, or this one with a few changes. */
void fuzz_vary(TextView input, Rng *rng, TextBuffer *out);

/* Ends the program, which the fuzzer reports with the input, unless `condition` holds. */
#define FUZZ_CHECK(condition)                                                             \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            abort();                                                                      \
        }                                                                                 \
    } while (0)

#endif
