/* A binary range coder with adaptive probabilities, after the one in Igor Pavlov's LZMA: each decision is
 * coded at the price that its context has taught us to expect. Encoder and decoder must meet the same
 * contexts in the same order. Integers only, so a file reads back the same on every machine. One thread per
 * coder. */
#ifndef LUFT_DATA_RANGECODER_H
#define LUFT_DATA_RANGECODER_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one context knows: the chance of a 0 in 65536ths, as a slow and a fast average whose mean is used. */
typedef struct AdaptiveBit {
    uint16_t slow, fast;
    uint8_t seen; /* decisions met, up to ADAPTIVE_LIMIT: the first ones count for more */
} AdaptiveBit;

enum { ADAPTIVE_LIMIT = 126, ADAPTIVE_FAST_LIMIT = 14 };

void adaptive_init(AdaptiveBit *bits, size_t count);

/* Writes or reads, by the same calls, so that one piece of code describes the format. */
typedef struct RangeCoder {
    TextBuffer *out; /* NULL: it reads. Otherwise bytes are appended; `failed` says that memory ran out */
    uint32_t range;
    /* Writing: */
    uint64_t low;
    uint8_t pending;        /* last byte not yet written: a carry may still raise it */
    uint64_t pending_count; /* that byte and the 255s after it */
    /* Reading: */
    const uint8_t *data, *end;
    uint32_t code;
    bool overrun; /* more was asked for than there is: the data are damaged */
} RangeCoder;

void range_begin_writing(RangeCoder *coder, TextBuffer *out);
void range_end_writing(RangeCoder *coder);

/* Any bytes at all may be read: the result is then nonsense, but always within the asked bounds. */
void range_begin_reading(RangeCoder *coder, const uint8_t *data, size_t size);

/* Writes and returns `bit`, or ignores it and returns the one read. */
bool range_code(RangeCoder *coder, AdaptiveBit *context, bool bit);

/* The same for a value in [0, size), all equally likely; `size` from 1 to 65536. */
uint32_t range_code_uniform(RangeCoder *coder, uint32_t value, uint32_t size);

/* The same for one of `count` choices with these chances, none of them 0, whose total is at most 65536. */
int range_code_choice(RangeCoder *coder, int choice, const uint32_t *chances, int count, uint32_t total);

#endif
