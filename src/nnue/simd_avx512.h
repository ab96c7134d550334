/* The vocabulary of simd.h in AVX-512 (F and BW, VNNI where present): 32 lanes, 32 registers. */
#ifndef LUFT_NNUE_SIMD_AVX512_H
#define LUFT_NNUE_SIMD_AVX512_H

#include "base/bits.h"
#include "nnue/arch.h"

#include <immintrin.h>

#ifdef __AVX512VNNI__
#define SIMD_NAME "AVX-512 VNNI"
#else
#define SIMD_NAME "AVX-512"
#endif

typedef __m512i Vector;
typedef __m512i Sums;
enum { VECTOR_LANES = 32, VECTOR_BLOCK = 16 };

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

#endif
