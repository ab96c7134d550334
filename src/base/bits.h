/* Bits of a 64-bit word and a few hints to the compiler. Pure; any thread may call. */
#ifndef LUFT_BASE_BITS_H
#define LUFT_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Hints: the usual outcome of a condition, and forced inlining of small hot functions. */
#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define ALWAYS_INLINE       static inline __attribute__((always_inline))

/* Number of set bits. Without a population count instruction, compilers call a slow library function. The
 * code below is faster: it adds the bits in fields of 2, 4 and 8, then sums the fields by a product. */
static inline int bits_count(uint64_t word) {
#if (defined(__x86_64__) || defined(__i386__)) && !defined(__POPCNT__)
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (int)((word * 0x0101010101010101u) >> 56);
#else
    return __builtin_popcountll(word);
#endif
}

/* Index of the lowest and of the highest set bit; `word` must not be 0. */
static inline int bits_lowest(uint64_t word) { return __builtin_ctzll(word); }
static inline int bits_highest(uint64_t word) { return 63 - __builtin_clzll(word); }

/* Removes the lowest set bit and returns its index; `*word` must not be 0. */
static inline int bits_pop(uint64_t *word) {
    int index = bits_lowest(*word);
    *word &= *word - 1;
    return index;
}

static inline bool bits_more_than_one(uint64_t word) { return (word & (word - 1)) != 0; }

/* High half of the 128-bit product: maps a hash onto [0, range) without a division (Lemire). */
static inline uint64_t bits_multiply_high(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 Wide;
    return (uint64_t)(((Wide)a * b) >> 64);
#else /* 32 bits: four products of halves, and the carry of the middle ones */
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    uint64_t other_middle = a_low * b_high + (uint32_t)middle;
    return a_high * b_high + (middle >> 32) + (other_middle >> 32);
#endif
}

static inline int int_min(int a, int b) { return a < b ? a : b; }
static inline int int_max(int a, int b) { return a > b ? a : b; }
static inline int int_abs(int value) { return value < 0 ? -value : value; }
static inline int int_clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

#endif
