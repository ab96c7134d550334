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

typedef struct RangeEncoder {
    TextBuffer *out; /* bytes are appended here; its `failed` means that memory ran out */
    uint64_t low;
    uint32_t range;
    uint8_t pending;        /* last byte not yet written: a carry may still raise it */
    uint64_t pending_count; /* that byte and the 255s after it */
} RangeEncoder;

void range_encoder_start(RangeEncoder *coder, TextBuffer *out);
void range_encode(RangeEncoder *coder, AdaptiveBit *context, bool bit);
/* `value` in [0, size), all equally likely; `size` from 1 to 65536. */
void range_encode_uniform(RangeEncoder *coder, uint32_t value, uint32_t size);
void range_encoder_finish(RangeEncoder *coder);

typedef struct RangeDecoder {
    const uint8_t *data, *end;
    uint32_t range, code;
    bool overrun; /* more was asked for than there is: the data are damaged */
} RangeDecoder;

/* Any bytes at all may be decoded: the result is then nonsense, but always within the asked bounds. */
void range_decoder_start(RangeDecoder *coder, const uint8_t *data, size_t size);
bool range_decode(RangeDecoder *coder, AdaptiveBit *context);
uint32_t range_decode_uniform(RangeDecoder *coder, uint32_t size);

/* The same step in both directions, so that one piece of code describes the format: with an encoder the given
 * value is written and returned, with a decoder it is ignored and the value read is returned. */
typedef struct RangeCoder {
    RangeEncoder *encoder; /* one of the two is NULL */
    RangeDecoder *decoder;
} RangeCoder;

static inline bool range_code(RangeCoder coder, AdaptiveBit *context, bool bit) {
    if (coder.decoder != NULL) return range_decode(coder.decoder, context);
    range_encode(coder.encoder, context, bit);
    return bit;
}

static inline uint32_t range_code_uniform(RangeCoder coder, uint32_t value, uint32_t size) {
    if (coder.decoder != NULL) return range_decode_uniform(coder.decoder, size);
    range_encode_uniform(coder.encoder, value, size);
    return value;
}

#endif
