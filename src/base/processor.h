/* Checks whether this processor can run this program. The Makefile compiles the code that runs before this
 * check (this module and both `main`) for every processor of the family. */
#ifndef LUFT_BASE_PROCESSOR_H
#define LUFT_BASE_PROCESSOR_H

#include <stdbool.h>

/* Whether processor and system have this one of INSTRUCTION_SETS (base/system.h), such as "avx2". */
bool processor_has(const char *name);

/* The oldest instruction set that the program needs and the processor or system lacks, such as "avx". NULL if
 * none is missing. */
const char *processor_lacks(void);

/* The message that `main` prints then, with the names of the program and of the instruction set. */
#define PROCESSOR_SENTENCE                                                                          \
    "%s: this build needs %s, which this processor or system lacks: take the portable build (make " \
    "ARCH=portable)\n"

#endif
