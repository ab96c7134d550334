/* The vocabulary of simd.h in AVX-512 (F and BW, VNNI where present): 32 lanes, 32 registers. */
#ifndef LUFT_NNUE_SIMD_AVX512_H
#define LUFT_NNUE_SIMD_AVX512_H

#include "base/bits.h"
#include "nnue/arch.h"

#include <immintrin.h>
#include <string.h>

#ifdef __AVX512VNNI__
#define SIMD_NAME "AVX-512 VNNI"
#else
#define SIMD_NAME "AVX-512"
#endif

typedef __m512i Vector;
typedef __m512i Sums;
enum { VECTOR_LANES = 32, VECTOR_BLOCK = 16, SUMS_LANES = 16, PRODUCT_LANES = 64 };

ALWAYS_INLINE Vector vector_load(const int16_t *from) { return _mm512_load_si512((const void *)from); }
ALWAYS_INLINE void vector_store(int16_t *to, Vector v) { _mm512_store_si512((void *)to, v); }
ALWAYS_INLINE Vector vector_add(Vector a, Vector b) { return _mm512_add_epi16(a, b); }
ALWAYS_INLINE Vector vector_subtract(Vector a, Vector b) { return _mm512_sub_epi16(a, b); }
ALWAYS_INLINE Vector vector_clamp(Vector v) {
    return _mm512_min_epi16(_mm512_max_epi16(v, _mm512_setzero_si512()), _mm512_set1_epi16(HIDDEN_ONE));
}
ALWAYS_INLINE Vector vector_multiply(Vector a, Vector b) { return _mm512_mullo_epi16(a, b); }
ALWAYS_INLINE Sums sums_zero(void) { return _mm512_setzero_si512(); }
ALWAYS_INLINE Sums sums_add(Sums a, Sums b) { return _mm512_add_epi32(a, b); }
ALWAYS_INLINE Sums sums_add_products(Sums sums, Vector a, Vector b) {
#ifdef __AVX512VNNI__
    return _mm512_dpwssd_epi32(sums, a, b);
#else
    return _mm512_add_epi32(sums, _mm512_madd_epi16(a, b));
#endif
}
ALWAYS_INLINE int32_t sums_total(Sums sums) { return _mm512_reduce_add_epi32(sums); }

ALWAYS_INLINE Sums sums_load(const int32_t *from) { return _mm512_load_si512((const void *)from); }
ALWAYS_INLINE void sums_store(int32_t *to, Sums sums) { _mm512_store_si512((void *)to, sums); }
ALWAYS_INLINE Vector vector_repeat(const void *four_bytes) {
    int word;
    memcpy(&word, four_bytes, sizeof word);
    return _mm512_set1_epi32(word);
}
ALWAYS_INLINE Sums sums_add_group(Sums sums, const uint8_t *four, const int8_t *weights) {
    const Vector inputs = vector_repeat(four);
    const Vector row = _mm512_load_si512((const void *)weights);
#ifdef __AVX512VNNI__
    return _mm512_dpbusd_epi32(sums, inputs, row);
#else
    const Vector pairs = _mm512_maddubs_epi16(inputs, row);
    return _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#endif
}
ALWAYS_INLINE Sums sums_add_pair(Sums sums, const int16_t *two, const int16_t *weights) {
    return sums_add_products(sums, vector_repeat(two), vector_load(weights));
}

/* Only the first factor and the upper end are clamped: a second factor below zero makes a product below zero,
 * which packing cuts off. The other instruction rounds (x * y) / 2^15. */
ALWAYS_INLINE Vector products_16(const int16_t *a, const int16_t *b) {
    const Vector second = _mm512_min_epi16(vector_load(b), _mm512_set1_epi16(HIDDEN_ONE));
    return _mm512_mulhrs_epi16(_mm512_slli_epi16(vector_clamp(vector_load(a)), 15 - PRODUCT_SHIFT), second);
}
ALWAYS_INLINE void products_store(uint8_t *to, const int16_t *a, const int16_t *b) {
    const Vector low = products_16(a, b), high = products_16(a + VECTOR_LANES, b + VECTOR_LANES);
    /* Packing works in quarters. */
    const Vector order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    _mm512_store_si512((void *)to, _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high)));
}

#define SIMD_LISTS
ALWAYS_INLINE int products_list(const uint8_t *products, int first, int32_t *list) {
    const Vector v = _mm512_load_si512((const void *)products);
    const __mmask16 present = _mm512_test_epi32_mask(v, v);
    const Vector each = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const Vector groups =
        _mm512_maskz_compress_epi32(present, _mm512_add_epi32(each, _mm512_set1_epi32(first)));
    _mm512_storeu_si512((void *)list, groups);
    return bits_count(present);
}

#endif
