/* The vocabulary of simd.h in SSE2, which every x86-64 processor has: 8 lanes, 16 registers. */
#ifndef LUFT_NNUE_SIMD_SSE2_H
#define LUFT_NNUE_SIMD_SSE2_H

#include "base/bits.h"
#include "nnue/arch.h"

#include <emmintrin.h>

#define SIMD_NAME "SSE2"

typedef __m128i Vector;
typedef __m128i Sums;
enum { VECTOR_LANES = 8, VECTOR_BLOCK = 8 };

ALWAYS_INLINE Vector vector_load(const int16_t *from) { return _mm_load_si128((const void *)from); }
ALWAYS_INLINE void vector_store(int16_t *to, Vector v) { _mm_store_si128((void *)to, v); }
ALWAYS_INLINE Vector vector_add(Vector a, Vector b) { return _mm_add_epi16(a, b); }
ALWAYS_INLINE Vector vector_subtract(Vector a, Vector b) { return _mm_sub_epi16(a, b); }
ALWAYS_INLINE Vector vector_clamp(Vector v) {
    return _mm_min_epi16(_mm_max_epi16(v, _mm_setzero_si128()), _mm_set1_epi16(HIDDEN_ONE));
}
ALWAYS_INLINE Vector vector_multiply(Vector a, Vector b) { return _mm_mullo_epi16(a, b); }
ALWAYS_INLINE Sums sums_zero(void) { return _mm_setzero_si128(); }
ALWAYS_INLINE Sums sums_add(Sums a, Sums b) { return _mm_add_epi32(a, b); }
ALWAYS_INLINE Sums sums_add_products(Sums sums, Vector a, Vector b) {
    return _mm_add_epi32(sums, _mm_madd_epi16(a, b));
}
ALWAYS_INLINE int32_t sums_total(Sums sums) {
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4E));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xB1));
    return _mm_cvtsi128_si32(sums);
}

#endif
