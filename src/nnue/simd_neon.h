/* The vocabulary of simd.h in 64-bit NEON: 8 lanes, 32 registers. */
#ifndef LUFT_NNUE_SIMD_NEON_H
#define LUFT_NNUE_SIMD_NEON_H

#include "base/bits.h"
#include "nnue/arch.h"

#include <arm_neon.h>

#define SIMD_NAME "NEON"

typedef int16x8_t Vector;
typedef int32x4_t Sums;
enum { VECTOR_LANES = 8, VECTOR_BLOCK = 16 };

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

#endif
