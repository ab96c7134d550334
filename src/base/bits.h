/* Bits of a 64-bit word and a few hints to the compiler. Pure; any thread may call. */
#ifndef LUFT_BASE_BITS_H
#define LUFT_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Hints: which way a condition nearly always goes, and that a small hot function must be inlined. */
#define LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define ALWAYS_INLINE       static inline __attribute__((always_inline))
#define NO_INLINE           __attribute__((noinline))

/* Number of set bits. Without a popcount instruction the compiler calls its library's table version. */
static inline int bits_count(uint64_t word) { return __builtin_popcountll(word); }

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
    __extension__ typedef unsigned __int128 Wide;
    return (uint64_t)(((Wide)a * b) >> 64);
}

static inline int int_min(int a, int b) { return a < b ? a : b; }
static inline int int_max(int a, int b) { return a > b ? a : b; }
static inline int int_abs(int value) { return value < 0 ? -value : value; }
static inline int int_clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

#endif
