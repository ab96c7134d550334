#include "lab/data/rangecoder.h"

#include <assert.h>

enum { HALF = 1 << 15, RANGE_TOP = 1 << 24 };

void adaptive_init(AdaptiveBit *bits, size_t count) {
    for (size_t i = 0; i < count; i++) bits[i] = (AdaptiveBit){HALF, HALF, 0};
}

/* Never 0 and never 65536: the averages stop one step short of certainty. */
static uint32_t chance_of_zero(const AdaptiveBit *context) {
    return ((uint32_t)context->slow + context->fast) >> 1;
}

/* The first decisions enter as into a plain average, later ones with a fixed weight. */
static void adapt(AdaptiveBit *context, bool bit) {
    const int target = bit ? 0 : 65535;
    const int slow_step = context->seen + 2;
    const int fast_step = context->seen < ADAPTIVE_FAST_LIMIT ? slow_step : ADAPTIVE_FAST_LIMIT + 2;
    context->slow = (uint16_t)(context->slow + (target - context->slow) / slow_step);
    context->fast = (uint16_t)(context->fast + (target - context->fast) / fast_step);
    if (context->seen < ADAPTIVE_LIMIT) context->seen++;
}

void range_encoder_start(RangeEncoder *coder, TextBuffer *out) {
    *coder = (RangeEncoder){.out = out, .range = UINT32_MAX, .pending_count = 1};
}

/* Moves the top byte out of `low`. A byte is held back while a carry out of the lower ones could still change
 * it. */
static void shift_low(RangeEncoder *coder) {
    if ((uint32_t)coder->low < 0xFF000000u || coder->low >> 32) {
        uint8_t carry = (uint8_t)(coder->low >> 32), byte = coder->pending;
        do {
            buffer_append_char(coder->out, (char)(uint8_t)(byte + carry));
            byte = 0xFF;
        } while (--coder->pending_count);
        coder->pending = (uint8_t)(coder->low >> 24);
    }
    coder->pending_count++;
    coder->low = (uint32_t)coder->low << 8;
}

void range_encode(RangeEncoder *coder, AdaptiveBit *context, bool bit) {
    const uint32_t bound = (coder->range >> 16) * chance_of_zero(context);
    if (bit) {
        coder->low += bound;
        coder->range -= bound;
    } else {
        coder->range = bound;
    }
    adapt(context, bit);
    while (coder->range < RANGE_TOP) {
        coder->range <<= 8;
        shift_low(coder);
    }
}

void range_encode_uniform(RangeEncoder *coder, uint32_t value, uint32_t size) {
    assert(size > 0 && size <= 65536 && value < size);
    coder->range /= size;
    coder->low += (uint64_t)coder->range * value;
    while (coder->range < RANGE_TOP) {
        coder->range <<= 8;
        shift_low(coder);
    }
}

void range_encoder_finish(RangeEncoder *coder) {
    for (int i = 0; i < 5; i++) shift_low(coder);
}

static uint32_t next_byte(RangeDecoder *coder) {
    if (coder->data < coder->end) return *coder->data++;
    coder->overrun = true;
    return 0;
}

void range_decoder_start(RangeDecoder *coder, const uint8_t *data, size_t size) {
    *coder = (RangeDecoder){.data = data, .end = data + size, .range = UINT32_MAX};
    for (int i = 0; i < 5; i++) coder->code = coder->code << 8 | next_byte(coder);
}

static void refill(RangeDecoder *coder) {
    while (coder->range < RANGE_TOP) {
        coder->range <<= 8;
        coder->code = coder->code << 8 | next_byte(coder);
    }
}

bool range_decode(RangeDecoder *coder, AdaptiveBit *context) {
    const uint32_t bound = (coder->range >> 16) * chance_of_zero(context);
    const bool bit = coder->code >= bound;
    if (bit) {
        coder->code -= bound;
        coder->range -= bound;
    } else {
        coder->range = bound;
    }
    adapt(context, bit);
    refill(coder);
    return bit;
}

uint32_t range_decode_uniform(RangeDecoder *coder, uint32_t size) {
    assert(size > 0 && size <= 65536);
    coder->range /= size;
    uint32_t value = coder->code / coder->range;
    if (value >= size) value = size - 1; /* only damaged data lead here */
    coder->code -= value * coder->range;
    refill(coder);
    return value;
}
