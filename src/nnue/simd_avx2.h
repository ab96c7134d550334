/* The vocabulary of simd.h in AVX2 (VNNI where present): 16 lanes, 16 registers. */
#ifndef LUFT_NNUE_SIMD_AVX2_H
#define LUFT_NNUE_SIMD_AVX2_H

#include "base/bits.h"
#include "nnue/arch.h"

#include <immintrin.h>
#include <string.h>

#ifdef __AVXVNNI__
#define SIMD_NAME "AVX2 VNNI"
#else
#define SIMD_NAME "AVX2"
#endif

typedef __m256i Vector;
typedef __m256i Sums;
enum { VECTOR_LANES = 16, VECTOR_BLOCK = 8, SUMS_LANES = 8, PRODUCT_LANES = 32 };

ALWAYS_INLINE Vector vector_load(const int16_t *from) { return _mm256_load_si256((const void *)from); }
ALWAYS_INLINE void vector_store(int16_t *to, Vector v) { _mm256_store_si256((void *)to, v); }
ALWAYS_INLINE Vector vector_add(Vector a, Vector b) { return _mm256_add_epi16(a, b); }
ALWAYS_INLINE Vector vector_subtract(Vector a, Vector b) { return _mm256_sub_epi16(a, b); }
ALWAYS_INLINE Vector vector_clamp(Vector v) {
    return _mm256_min_epi16(_mm256_max_epi16(v, _mm256_setzero_si256()), _mm256_set1_epi16(HIDDEN_ONE));
}
ALWAYS_INLINE Vector vector_multiply(Vector a, Vector b) { return _mm256_mullo_epi16(a, b); }
ALWAYS_INLINE Sums sums_zero(void) { return _mm256_setzero_si256(); }
ALWAYS_INLINE Sums sums_add(Sums a, Sums b) { return _mm256_add_epi32(a, b); }
ALWAYS_INLINE Sums sums_add_products(Sums sums, Vector a, Vector b) {
#ifdef __AVXVNNI__
    return _mm256_dpwssd_avx_epi32(sums, a, b);
#else
    return _mm256_add_epi32(sums, _mm256_madd_epi16(a, b));
#endif
}
ALWAYS_INLINE int32_t sums_total(Sums sums) {
    __m128i quad = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    quad = _mm_add_epi32(quad, _mm_shuffle_epi32(quad, 0x4E));
    quad = _mm_add_epi32(quad, _mm_shuffle_epi32(quad, 0xB1));
    return _mm_cvtsi128_si32(quad);
}

ALWAYS_INLINE Sums sums_load(const int32_t *from) { return _mm256_load_si256((const void *)from); }
ALWAYS_INLINE void sums_store(int32_t *to, Sums sums) { _mm256_store_si256((void *)to, sums); }
ALWAYS_INLINE Vector vector_repeat(const void *four_bytes) {
    int word;
    memcpy(&word, four_bytes, sizeof word);
    return _mm256_set1_epi32(word);
}
ALWAYS_INLINE Sums sums_add_group(Sums sums, const uint8_t *four, const int8_t *weights) {
    const Vector inputs = vector_repeat(four);
    const Vector row = _mm256_load_si256((const void *)weights);
#ifdef __AVXVNNI__
    return _mm256_dpbusd_avx_epi32(sums, inputs, row);
#else
    const Vector pairs = _mm256_maddubs_epi16(inputs, row);
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
}
ALWAYS_INLINE Sums sums_add_pair(Sums sums, const int16_t *two, const int16_t *weights) {
    return sums_add_products(sums, vector_repeat(two), vector_load(weights));
}

/* As in simd_avx512.h. */
ALWAYS_INLINE Vector products_16(const int16_t *a, const int16_t *b) {
    const Vector second = _mm256_min_epi16(vector_load(b), _mm256_set1_epi16(HIDDEN_ONE));
    return _mm256_mulhrs_epi16(_mm256_slli_epi16(vector_clamp(vector_load(a)), 15 - PRODUCT_SHIFT), second);
}
ALWAYS_INLINE void products_store(uint8_t *to, const int16_t *a, const int16_t *b) {
    const Vector low = products_16(a, b), high = products_16(a + VECTOR_LANES, b + VECTOR_LANES);
    const Vector halves = _mm256_packus_epi16(low, high); /* packing works in halves */
    _mm256_store_si256((void *)to, _mm256_permute4x64_epi64(halves, 0xD8));
}
ALWAYS_INLINE unsigned products_present(const uint8_t *products) {
    const __m256i zero =
        _mm256_cmpeq_epi32(_mm256_load_si256((const void *)products), _mm256_setzero_si256());
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(zero)) ^ 0xFF;
}

#endif
