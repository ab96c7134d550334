/* The vocabulary of simd.h in SSE2, which every x86-64 processor has: 8 lanes, 16 registers. */
#ifndef LUFT_NNUE_SIMD_SSE2_H
#define LUFT_NNUE_SIMD_SSE2_H

#include "base/bits.h"
#include "nnue/arch.h"

#include <emmintrin.h>
#include <string.h>

#define SIMD_NAME "SSE2"

typedef __m128i Vector;
typedef __m128i Sums;
enum { VECTOR_LANES = 8, VECTOR_BLOCK = 8, SUMS_LANES = 4, PRODUCT_LANES = 16 };

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

ALWAYS_INLINE Sums sums_load(const int32_t *from) { return _mm_load_si128((const void *)from); }
ALWAYS_INLINE void sums_store(int32_t *to, Sums sums) { _mm_store_si128((void *)to, sums); }
ALWAYS_INLINE Vector vector_repeat(const void *four_bytes) {
    int word;
    memcpy(&word, four_bytes, sizeof word);
    return _mm_set1_epi32(word);
}
/* No instruction multiplies bytes: the even and the odd ones of each lane are widened to 16 bits. */
ALWAYS_INLINE Sums sums_add_group(Sums sums, const uint8_t *four, const int8_t *weights) {
    const Vector inputs = vector_repeat(four), row = _mm_load_si128((const void *)weights);
    const Vector even = _mm_and_si128(inputs, _mm_set1_epi16(255)), odd = _mm_srli_epi16(inputs, 8);
    const Vector even_row = _mm_srai_epi16(_mm_slli_epi16(row, 8), 8), odd_row = _mm_srai_epi16(row, 8);
    return sums_add_products(sums_add_products(sums, even, even_row), odd, odd_row);
}
ALWAYS_INLINE Sums sums_add_pair(Sums sums, const int16_t *two, const int16_t *weights) {
    return sums_add_products(sums, vector_repeat(two), vector_load(weights));
}

/* The product of two clamped units and the half that rounds it fit 16 bits without a sign. */
ALWAYS_INLINE Vector products_16(const int16_t *a, const int16_t *b) {
    const Vector product = vector_multiply(vector_clamp(vector_load(a)), vector_clamp(vector_load(b)));
    return _mm_srli_epi16(_mm_add_epi16(product, _mm_set1_epi16(1 << (PRODUCT_SHIFT - 1))), PRODUCT_SHIFT);
}
ALWAYS_INLINE void products_store(uint8_t *to, const int16_t *a, const int16_t *b) {
    const Vector low = products_16(a, b), high = products_16(a + VECTOR_LANES, b + VECTOR_LANES);
    _mm_store_si128((void *)to, _mm_packus_epi16(low, high));
}
ALWAYS_INLINE unsigned products_present(const uint8_t *products) {
    const __m128i zero = _mm_cmpeq_epi32(_mm_load_si128((const void *)products), _mm_setzero_si128());
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(zero)) ^ 0xF;
}

#endif
