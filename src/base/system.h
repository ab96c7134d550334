/* Set-up and queries of the operating system, and the processor for which the program was compiled. */
#ifndef LUFT_BASE_SYSTEM_H
#define LUFT_BASE_SYSTEM_H

#include <stdint.h>

/* Opens /dev/null for standard input, output and error where they are closed, so that no file gets what is
 * printed, and makes a file that may not grow an error of `write`. On Windows, switches arguments and console
 * to UTF-8 and stops the conversion of line feeds instead. Call it once, first in `main`. The arguments live
 * as long as the program. */
void system_prepare(int *argc, char ***argv);

/* To write to a pipe that the other end has closed is an error like others from now on, and does not end the
 * program. Who goes away closes both pipes: the end of the input then ends the work, in its own order. */
void system_ignore_closed_pipes(void);

/* Which process this is: another number in the child of a fork. 0 where a process cannot fork. */
int64_t system_process(void);

/* How many processors this process may use, at least 1. */
int system_processors(void);

/* The instruction sets beyond baseline x86-64, the oldest first, without those that no compiler uses on its
 * own (cryptography, matrices): the name that __builtin_cpu_supports knows, and the macro that is 1 where the
 * compiler may use the set. */
/* clang-format off */
#define INSTRUCTION_SETS(SET) \
    SET("sse3", __SSE3__) \
    SET("ssse3", __SSSE3__) \
    SET("sse4.1", __SSE4_1__) \
    SET("sse4.2", __SSE4_2__) \
    SET("popcnt", __POPCNT__) \
    SET("sse4a", __SSE4A__) \
    SET("avx", __AVX__) \
    SET("fma", __FMA__) \
    SET("fma4", __FMA4__) \
    SET("xop", __XOP__) \
    SET("bmi", __BMI__) \
    SET("bmi2", __BMI2__) \
    SET("avx2", __AVX2__) \
    SET("avx512f", __AVX512F__) \
    SET("avx512bw", __AVX512BW__) \
    SET("avx512cd", __AVX512CD__) \
    SET("avx512dq", __AVX512DQ__) \
    SET("avx512vl", __AVX512VL__) \
    SET("avx512vnni", __AVX512VNNI__) \
    SET("avx512vbmi", __AVX512VBMI__) \
    SET("avx512vbmi2", __AVX512VBMI2__) \
    SET("avx512ifma", __AVX512IFMA__) \
    SET("avx512bitalg", __AVX512BITALG__) \
    SET("avx512vpopcntdq", __AVX512VPOPCNTDQ__) \
    SET("gfni", __GFNI__)
/* clang-format on */

/* For each set "1" where the compiler may use it in this build, else the name of its macro. */
extern const char *const target_sets[];

#endif
