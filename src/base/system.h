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
 * own (cryptography, matrices): the name, the macro that is 1 where the compiler may use the set, where CPUID
 * reports it (leaf, subleaf, register, bit), and the registers that the system must save for it. */
/* clang-format off */
#define INSTRUCTION_SETS(SET) \
    SET("sse3", __SSE3__, 1, 0, ECX, 0, XMM) \
    SET("ssse3", __SSSE3__, 1, 0, ECX, 9, XMM) \
    SET("sse4.1", __SSE4_1__, 1, 0, ECX, 19, XMM) \
    SET("sse4.2", __SSE4_2__, 1, 0, ECX, 20, XMM) \
    SET("popcnt", __POPCNT__, 1, 0, ECX, 23, XMM) \
    SET("sse4a", __SSE4A__, 0x80000001, 0, ECX, 6, XMM) \
    SET("avx", __AVX__, 1, 0, ECX, 28, YMM) \
    SET("fma", __FMA__, 1, 0, ECX, 12, YMM) \
    SET("f16c", __F16C__, 1, 0, ECX, 29, YMM) \
    SET("fma4", __FMA4__, 0x80000001, 0, ECX, 16, YMM) \
    SET("xop", __XOP__, 0x80000001, 0, ECX, 11, YMM) \
    SET("tbm", __TBM__, 0x80000001, 0, ECX, 21, XMM) \
    SET("bmi", __BMI__, 7, 0, EBX, 3, XMM) \
    SET("bmi2", __BMI2__, 7, 0, EBX, 8, XMM) \
    SET("lzcnt", __LZCNT__, 0x80000001, 0, ECX, 5, XMM) \
    SET("movbe", __MOVBE__, 1, 0, ECX, 22, XMM) \
    SET("avx2", __AVX2__, 7, 0, EBX, 5, YMM) \
    SET("avx512f", __AVX512F__, 7, 0, EBX, 16, ZMM) \
    SET("avx512bw", __AVX512BW__, 7, 0, EBX, 30, ZMM) \
    SET("avx512cd", __AVX512CD__, 7, 0, EBX, 28, ZMM) \
    SET("avx512dq", __AVX512DQ__, 7, 0, EBX, 17, ZMM) \
    SET("avx512vl", __AVX512VL__, 7, 0, EBX, 31, ZMM) \
    SET("avx512vnni", __AVX512VNNI__, 7, 0, ECX, 11, ZMM) \
    SET("avx512vbmi", __AVX512VBMI__, 7, 0, ECX, 1, ZMM) \
    SET("avx512vbmi2", __AVX512VBMI2__, 7, 0, ECX, 6, ZMM) \
    SET("avx512ifma", __AVX512IFMA__, 7, 0, EBX, 21, ZMM) \
    SET("avx512bitalg", __AVX512BITALG__, 7, 0, ECX, 12, ZMM) \
    SET("avx512vpopcntdq", __AVX512VPOPCNTDQ__, 7, 0, ECX, 14, ZMM) \
    SET("gfni", __GFNI__, 7, 0, ECX, 8, XMM) \
    SET("avxvnni", __AVXVNNI__, 7, 1, EAX, 4, YMM)
/* clang-format on */

/* For each set "1" where the compiler may use it in this build, else the name of its macro. */
extern const char *const target_sets[];

#endif
