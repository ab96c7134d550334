/* Chooses the compilation of the program that this processor can run. */
#include "base/processor.h"
#include "cli/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LUFT_TWO_PROGRAMS

extern const Program program_v3;

/* LUFT_KERNELS=sse2 selects what the oldest processor would run. */
static const Program *best(void) {
    const char *kernels = getenv("LUFT_KERNELS");
    if (kernels != NULL && strcmp(kernels, "sse2") == 0) return &program;
    return program_v3.lacks() == NULL ? &program_v3 : &program;
}

#else

static const Program *best(void) { return &program; }

#endif

int main(int argc, char **argv) {
    const Program *chosen = best();
    const char *lacking = chosen->lacks();
    if (lacking == NULL) return chosen->run(argc, argv);
    fprintf(stderr, PROCESSOR_SENTENCE, "luft", lacking);
    return EXIT_FAILURE;
}
