/* For which processor the whole program was compiled. */
#ifndef LUFT_BASE_TARGET_H
#define LUFT_BASE_TARGET_H

/* The instruction sets beyond plain x86-64 that the compiler was allowed to use, each with a blank before and
 * after it, by the names of __builtin_cpu_supports; empty on other machines. */
extern const char target_instructions[];

#endif
