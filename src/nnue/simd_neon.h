/* The vocabulary of simd.h in 64-bit NEON: 8 lanes, 32 registers. */
#ifndef LUFT_NNUE_SIMD_NEON_H
#define LUFT_NNUE_SIMD_NEON_H

#include "base/bits.h"
#include "nnue/arch.h"

#include <arm_neon.h>
#include <string.h>

#define SIMD_NAME "NEON"

typedef int16x8_t Vector;
typedef int32x4_t Sums;
enum { VECTOR_LANES = 8, VECTOR_BLOCK = 16, SUMS_LANES = 4, PRODUCT_LANES = 16 };

ALWAYS_INLINE Vector vector_load(const int16_t *from) { return vld1q_s16(from); }
ALWAYS_INLINE void vector_store(int16_t *to, Vector v) { vst1q_s16(to, v); }
ALWAYS_INLINE Vector vector_add(Vector a, Vector b) { return vaddq_s16(a, b); }
ALWAYS_INLINE Vector vector_subtract(Vector a, Vector b) { return vsubq_s16(a, b); }
ALWAYS_INLINE Vector vector_clamp(Vector v) {
    return vminq_s16(vmaxq_s16(v, vdupq_n_s16(0)), vdupq_n_s16(HIDDEN_ONE));
}
ALWAYS_INLINE Vector vector_multiply(Vector a, Vector b) { return vmulq_s16(a, b); }
ALWAYS_INLINE Sums sums_zero(void) { return vdupq_n_s32(0); }
ALWAYS_INLINE Sums sums_add(Sums a, Sums b) { return vaddq_s32(a, b); }
ALWAYS_INLINE Sums sums_add_products(Sums sums, Vector a, Vector b) {
    return vmlal_high_s16(vmlal_s16(sums, vget_low_s16(a), vget_low_s16(b)), a, b);
}
ALWAYS_INLINE int32_t sums_total(Sums sums) { return vaddvq_s32(sums); }

ALWAYS_INLINE Sums sums_load(const int32_t *from) { return vld1q_s32(from); }
ALWAYS_INLINE void sums_store(int32_t *to, Sums sums) { vst1q_s32(to, sums); }
ALWAYS_INLINE int32x4_t vector_repeat(const void *four_bytes) {
    int32_t word;
    memcpy(&word, four_bytes, sizeof word);
    return vdupq_n_s32(word);
}
/* Inputs are below 128, so that they may count as signed; two products fit 16 bits. */
ALWAYS_INLINE Sums sums_add_group(Sums sums, const uint8_t *four, const int8_t *weights) {
    const int8x16_t inputs = vreinterpretq_s8_s32(vector_repeat(four)), row = vld1q_s8(weights);
#ifdef __ARM_FEATURE_DOTPROD
    return vdotq_s32(sums, inputs, row);
#else
    const int16x8_t low = vmull_s8(vget_low_s8(inputs), vget_low_s8(row));
    return vpadalq_s16(sums, vpaddq_s16(low, vmull_high_s8(inputs, row)));
#endif
}
ALWAYS_INLINE Sums sums_add_pair(Sums sums, const int16_t *two, const int16_t *weights) {
    const int16x8_t inputs = vreinterpretq_s16_s32(vector_repeat(two)), row = vld1q_s16(weights);
    const int32x4_t low = vmull_s16(vget_low_s16(inputs), vget_low_s16(row));
    return vaddq_s32(sums, vpaddq_s32(low, vmull_high_s16(inputs, row)));
}

/* The instruction rounds (2 * x * y) / 2^16. */
ALWAYS_INLINE Vector products_16(const int16_t *a, const int16_t *b) {
    const Vector first = vshlq_n_s16(vector_clamp(vld1q_s16(a)), 15 - PRODUCT_SHIFT);
    return vqrdmulhq_s16(first, vector_clamp(vld1q_s16(b)));
}
ALWAYS_INLINE void products_store(uint8_t *to, const int16_t *a, const int16_t *b) {
    const Vector low = products_16(a, b), high = products_16(a + VECTOR_LANES, b + VECTOR_LANES);
    vst1q_u8(to, vcombine_u8(vqmovun_s16(low), vqmovun_s16(high)));
}
ALWAYS_INLINE unsigned products_present(const uint8_t *products) {
    static const uint32_t BITS[] = {1, 2, 4, 8};
    const uint32x4_t fours = vreinterpretq_u32_u8(vld1q_u8(products));
    return vaddvq_u32(vandq_u32(vtstq_u32(fours, fours), vld1q_u32(BITS)));
}

#endif
