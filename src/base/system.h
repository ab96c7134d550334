/* Set-up and queries of the operating system, and the processor for which the program was compiled. */
#ifndef LUFT_BASE_SYSTEM_H
#define LUFT_BASE_SYSTEM_H

/* On Windows, switches arguments and console to UTF-8 and stops the conversion of line feeds; on other
 * systems does nothing. Call it once, first in `main`. The arguments live as long as the program. */
void system_prepare(int *argc, char ***argv);

/* How many processors this process may use, at least 1. */
int system_processors(void);

/* The instruction sets beyond baseline x86-64 that the compiler may use, as named by __builtin_cpu_supports,
 * each with a space before and after it. Empty on other processors. */
extern const char target_instructions[];

#endif
