/* The small vector vocabulary in which the kernels are written: vectors of 16-bit integers and of 32-bit
 * sums. One header per instruction set defines all of it; the best that the compiler may use is chosen here,
 * or the one that SIMD_LEVEL names (the tests build the kernels once for each).
 *
 *   Vector, Sums                     VECTOR_LANES 16-bit lanes; half as many 32-bit lanes
 *   VECTOR_BLOCK                     vectors that fit the registers, with room for a few temporaries
 *   vector_load, vector_store        aligned to the vector's size
 *   vector_add, vector_subtract      lane by lane, modulo 2^16
 *   vector_clamp                     each lane to 0 .. HIDDEN_ONE
 *   vector_multiply                  lane by lane; the products must fit 16 bits
 *   sums_zero, sums_add              32-bit lanes, modulo 2^32
 *   sums_add_products                adds each pair of lanes' products to one sum
 *   sums_total                       all lanes together, modulo 2^32
 *
 * and for the layers:
 *
 *   SUMS_LANES                       32-bit lanes
 *   sums_load, sums_store            aligned to the vector's size
 *   sums_add_group                   four bytes up to PRODUCT_MAX times four weights within
 *                                    +-LAYER1_WEIGHT_MAX for each lane
 *   sums_add_pair                    two 16-bit integers times two weights for each lane
 *   PRODUCT_LANES, products_store    N products of clamped lanes as bytes: clamp(a) * clamp(b) / 512,
 *                                    rounded to nearest
 *   products_present                 a bit for each four of PRODUCT_LANES products: whether any is not zero
 *   products_list                    or with SIMD_LISTS defined: the numbers of those fours, the first of all
 *                                    being `first`; writes SUMS_LANES numbers and returns how many count
 */
#ifndef LUFT_NNUE_SIMD_H
#define LUFT_NNUE_SIMD_H

#include "base/bits.h"
#include "nnue/arch.h"

#define SIMD_SCALAR 0
#define SIMD_SSE2   1
#define SIMD_AVX2   2
#define SIMD_AVX512 3
#define SIMD_NEON   4
#define SIMD_WASM   5

#ifndef SIMD_LEVEL
#if defined(__AVX512F__) && defined(__AVX512BW__)
#define SIMD_LEVEL SIMD_AVX512
#elif defined(__AVX2__)
#define SIMD_LEVEL SIMD_AVX2
#elif defined(__SSE2__)
#define SIMD_LEVEL SIMD_SSE2
#elif defined(__ARM_NEON) && defined(__aarch64__)
#define SIMD_LEVEL SIMD_NEON
#elif defined(__wasm_simd128__)
#define SIMD_LEVEL SIMD_WASM
#else
#define SIMD_LEVEL SIMD_SCALAR
#endif
#endif

#if SIMD_LEVEL == SIMD_AVX512
#include "nnue/simd_avx512.h"
#elif SIMD_LEVEL == SIMD_AVX2
#include "nnue/simd_avx2.h"
#elif SIMD_LEVEL == SIMD_SSE2
#include "nnue/simd_sse2.h"
#elif SIMD_LEVEL == SIMD_NEON
#include "nnue/simd_neon.h"
#elif SIMD_LEVEL == SIMD_WASM
#include "nnue/simd_wasm.h"
#else
#include "nnue/simd_scalar.h"
#endif

#endif
