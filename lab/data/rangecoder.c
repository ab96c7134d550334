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

/* Moves the top byte out of `low`. A byte is held back while a carry out of the lower ones could still change
 * it. */
static void shift_low(RangeCoder *coder) {
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

static void read_byte(RangeCoder *coder) {
    coder->overrun |= coder->data == coder->end;
    coder->code = coder->code << 8 | (coder->data < coder->end ? *coder->data++ : 0u);
}

void range_begin_writing(RangeCoder *coder, TextBuffer *out) {
    *coder = (RangeCoder){.out = out, .range = UINT32_MAX, .pending_count = 1};
}

void range_end_writing(RangeCoder *coder) {
    for (int i = 0; i < 5; i++) shift_low(coder);
}

void range_begin_reading(RangeCoder *coder, const uint8_t *data, size_t size) {
    *coder = (RangeCoder){.data = data, .end = data + size, .range = UINT32_MAX};
    for (int i = 0; i < 5; i++) read_byte(coder);
}

/* Goes on with the part of the range from `offset` on that is `range` wide. */
static void narrow(RangeCoder *coder, uint32_t offset, uint32_t range) {
    coder->range = range;
    if (coder->out != NULL)
        coder->low += offset;
    else
        coder->code -= offset;
    for (; coder->range < RANGE_TOP; coder->range <<= 8) {
        if (coder->out != NULL)
            shift_low(coder);
        else
            read_byte(coder);
    }
}

bool range_code(RangeCoder *coder, AdaptiveBit *context, bool bit) {
    const uint32_t bound = (coder->range >> 16) * chance_of_zero(context);
    if (coder->out == NULL) bit = coder->code >= bound;
    adapt(context, bit);
    narrow(coder, bit ? bound : 0, bit ? coder->range - bound : bound);
    return bit;
}

uint32_t range_code_uniform(RangeCoder *coder, uint32_t value, uint32_t size) {
    assert(size > 0 && size <= 65536 && (coder->out == NULL || value < size));
    const uint32_t share = coder->range / size;
    if (coder->out == NULL) value = coder->code / share;
    if (value >= size) value = size - 1; /* only damaged data lead here */
    narrow(coder, share * value, share);
    return value;
}

int range_code_choice(RangeCoder *coder, int choice, const uint32_t *chances, int count, uint32_t total) {
    assert(total > 0 && total <= 65536);
    const uint32_t share = coder->range / total;
    const uint32_t target = coder->out == NULL ? coder->code / share : total;
    uint32_t before = 0;
    int i = 0;
    for (; i < count - 1; i++) { /* damaged data may lie beyond the total: then it is the last one */
        if (coder->out != NULL ? i == choice : target < before + chances[i]) break;
        before += chances[i];
    }
    narrow(coder, share * before, share * chances[i]);
    return i;
}
