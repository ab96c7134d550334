/* The vocabulary of simd.h in plain C: one lane. What every other instruction set must equal bit for bit.
 * Sums are unsigned, because they may wrap on the way to a total that fits. */
#ifndef LUFT_NNUE_SIMD_SCALAR_H
#define LUFT_NNUE_SIMD_SCALAR_H

#include "base/bits.h"
#include "nnue/arch.h"

#define SIMD_NAME "scalar"

typedef int16_t Vector;
typedef uint32_t Sums;
enum { VECTOR_LANES = 1, VECTOR_BLOCK = 8, SUMS_LANES = 1, PRODUCT_LANES = 4 };

ALWAYS_INLINE Vector vector_load(const int16_t *from) { return *from; }
ALWAYS_INLINE void vector_store(int16_t *to, Vector v) { *to = v; }
ALWAYS_INLINE Vector vector_add(Vector a, Vector b) { return (Vector)(uint16_t)(a + b); }
ALWAYS_INLINE Vector vector_subtract(Vector a, Vector b) { return (Vector)(uint16_t)(a - b); }
ALWAYS_INLINE Vector vector_clamp(Vector v) { return (Vector)int_clamp(v, 0, HIDDEN_ONE); }
ALWAYS_INLINE Vector vector_multiply(Vector a, Vector b) { return (Vector)(uint16_t)(a * b); }
ALWAYS_INLINE Sums sums_zero(void) { return 0; }
ALWAYS_INLINE Sums sums_add(Sums a, Sums b) { return a + b; }
ALWAYS_INLINE Sums sums_add_products(Sums sums, Vector a, Vector b) { return sums + (uint32_t)(a * b); }
ALWAYS_INLINE int32_t sums_total(Sums sums) { return (int32_t)sums; }

ALWAYS_INLINE Sums sums_load(const int32_t *from) { return (Sums)*from; }
ALWAYS_INLINE void sums_store(int32_t *to, Sums sums) { *to = (int32_t)sums; }
ALWAYS_INLINE Sums sums_add_group(Sums sums, const uint8_t *four, const int8_t *weights) {
    for (int i = 0; i < 4; i++) sums += (uint32_t)(four[i] * weights[i]);
    return sums;
}
ALWAYS_INLINE Sums sums_add_pair(Sums sums, const int16_t *two, const int16_t *weights) {
    return sums + (uint32_t)(two[0] * weights[0]) + (uint32_t)(two[1] * weights[1]);
}
ALWAYS_INLINE void products_store(uint8_t *to, const int16_t *a, const int16_t *b) {
    for (int i = 0; i < PRODUCT_LANES; i++) {
        const int product = vector_clamp(a[i]) * vector_clamp(b[i]);
        to[i] = (uint8_t)((product + (1 << (PRODUCT_SHIFT - 1))) >> PRODUCT_SHIFT);
    }
}
ALWAYS_INLINE unsigned products_present(const uint8_t *products) {
    return (products[0] | products[1] | products[2] | products[3]) != 0;
}

#endif
