/* The program `luft`: without arguments a UCI engine, else a sub-command or UCI lines. A portable build has
 * it twice, compiled for every x86-64 processor and for x86-64-v3, with nothing in common but the network,
 * its kernels and the lessons. */
#ifndef LUFT_CLI_PROGRAM_H
#define LUFT_CLI_PROGRAM_H

typedef struct Program {
    const char *(*lacks)(void); /* processor_lacks of this compilation */
    int (*run)(int argc, char **argv);
} Program;

/* The name of this compilation. */
#ifndef PROGRAM
#define PROGRAM program
#endif

extern const Program PROGRAM;

#endif
