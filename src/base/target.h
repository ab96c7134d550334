/* The processor for which the program was compiled. */
#ifndef LUFT_BASE_TARGET_H
#define LUFT_BASE_TARGET_H

/* The instruction sets beyond baseline x86-64 that the compiler may use, as named by __builtin_cpu_supports,
 * each with a space before and after it. Empty on other processors. */
extern const char target_instructions[];

#endif
