/* The vocabulary of simd.h in WebAssembly's SIMD128: 8 lanes. */
#ifndef LUFT_NNUE_SIMD_WASM_H
#define LUFT_NNUE_SIMD_WASM_H

#include "base/bits.h"
#include "nnue/arch.h"

#include <string.h>
#include <wasm_simd128.h>

#define SIMD_NAME "SIMD128"

typedef v128_t Vector;
typedef v128_t Sums;
enum { VECTOR_LANES = 8, VECTOR_BLOCK = 8, SUMS_LANES = 4, PRODUCT_LANES = 16 };

ALWAYS_INLINE Vector vector_load(const int16_t *from) { return wasm_v128_load(from); }
ALWAYS_INLINE void vector_store(int16_t *to, Vector v) { wasm_v128_store(to, v); }
ALWAYS_INLINE Vector vector_add(Vector a, Vector b) { return wasm_i16x8_add(a, b); }
ALWAYS_INLINE Vector vector_subtract(Vector a, Vector b) { return wasm_i16x8_sub(a, b); }
ALWAYS_INLINE Vector vector_clamp(Vector v) {
    return wasm_i16x8_min(wasm_i16x8_max(v, wasm_i16x8_const_splat(0)), wasm_i16x8_const_splat(HIDDEN_ONE));
}
ALWAYS_INLINE Vector vector_multiply(Vector a, Vector b) { return wasm_i16x8_mul(a, b); }
ALWAYS_INLINE Sums sums_zero(void) { return wasm_i32x4_const_splat(0); }
ALWAYS_INLINE Sums sums_add(Sums a, Sums b) { return wasm_i32x4_add(a, b); }
ALWAYS_INLINE Sums sums_add_products(Sums sums, Vector a, Vector b) {
    return wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(a, b));
}
ALWAYS_INLINE int32_t sums_total(Sums sums) {
    sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 0, 1));
    sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 1, 0, 3, 2));
    return wasm_i32x4_extract_lane(sums, 0);
}

ALWAYS_INLINE Sums sums_load(const int32_t *from) { return wasm_v128_load(from); }
ALWAYS_INLINE void sums_store(int32_t *to, Sums sums) { wasm_v128_store(to, sums); }
ALWAYS_INLINE Vector vector_repeat(const void *four_bytes) {
    int32_t word;
    memcpy(&word, four_bytes, sizeof word);
    return wasm_i32x4_splat(word);
}
/* No instruction multiplies bytes: the even and the odd ones of each lane are widened to 16 bits. */
ALWAYS_INLINE Sums sums_add_group(Sums sums, const uint8_t *four, const int8_t *weights) {
    const Vector inputs = vector_repeat(four), row = wasm_v128_load(weights);
    const Vector even = wasm_v128_and(inputs, wasm_i16x8_const_splat(255)), odd = wasm_u16x8_shr(inputs, 8);
    const Vector even_row = wasm_i16x8_shr(wasm_i16x8_shl(row, 8), 8), odd_row = wasm_i16x8_shr(row, 8);
    return sums_add_products(sums_add_products(sums, even, even_row), odd, odd_row);
}
ALWAYS_INLINE Sums sums_add_pair(Sums sums, const int16_t *two, const int16_t *weights) {
    return sums_add_products(sums, vector_repeat(two), vector_load(weights));
}

/* The product of two clamped units and the half that rounds it fit 16 bits without a sign. */
ALWAYS_INLINE Vector products_16(const int16_t *a, const int16_t *b) {
    const Vector product = vector_multiply(vector_clamp(vector_load(a)), vector_clamp(vector_load(b)));
    return wasm_u16x8_shr(wasm_i16x8_add(product, wasm_i16x8_const_splat(1 << (PRODUCT_SHIFT - 1))),
                          PRODUCT_SHIFT);
}
ALWAYS_INLINE void products_store(uint8_t *to, const int16_t *a, const int16_t *b) {
    const Vector low = products_16(a, b), high = products_16(a + VECTOR_LANES, b + VECTOR_LANES);
    wasm_v128_store(to, wasm_u8x16_narrow_i16x8(low, high));
}
ALWAYS_INLINE unsigned products_present(const uint8_t *products) {
    return wasm_i32x4_bitmask(wasm_i32x4_ne(wasm_v128_load(products), wasm_i32x4_const_splat(0)));
}

#endif
