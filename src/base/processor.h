/* Whether this processor can run this program. The Makefile compiles what is called before the answer is
 * known (this module and both `main`) for every processor of its family. */
#ifndef LUFT_BASE_PROCESSOR_H
#define LUFT_BASE_PROCESSOR_H

/* The oldest instruction set that the program was compiled for and that the processor, or the system, does
 * not offer: "avx". NULL when all are there. */
const char *processor_lacks(void);

/* What `main` prints then: the program's name, the set's. */
#define PROCESSOR_SENTENCE                                                                          \
    "%s: this build needs %s, which this processor or system lacks: take the portable build (make " \
    "ARCH=portable)\n"

#endif
