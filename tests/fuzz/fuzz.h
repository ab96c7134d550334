/* The functions of a fuzzer. libFuzzer calls them in `make fuzz` (driver.c). In `make check` replay.c calls
 * them with the kept corpus and a few hundred generated inputs. */
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

/* Number of inputs that replay.c generates. */
extern const int FUZZ_SHORT_RUN;

/* Called once, before all others. */
void fuzz_begin(void);

/* Tests an input, which may be any bytes. Returns whether it got past the parser. */
bool fuzz_input(const uint8_t *data, size_t size);

/* Appends a nearly valid input to `out`: a new one, or `input` with a few changes. */
void fuzz_vary(TextView input, Rng *rng, TextBuffer *out);

/* Aborts unless `condition` holds; the fuzzer then reports the input. */
#define FUZZ_CHECK(condition)                                                             \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            abort();                                                                      \
        }                                                                                 \
    } while (0)

#endif
