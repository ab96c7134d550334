/* What an engine can do wrong in a match, by name. Pure. */
#ifndef LUFT_CLIENT_FAULT_H
#define LUFT_CLIENT_FAULT_H

#include <stdbool.h>

typedef enum Fault {
    FAULT_NONE,
    FAULT_CRASH,        /* its process ended */
    FAULT_DISCONNECT,   /* closed its output or input while running on */
    FAULT_STALL,        /* does not answer any more, not even to `stop` */
    FAULT_TIME,         /* overdrew its clock, but answers */
    FAULT_TIME_MACHINE, /* the same, but see search_report_excuses */
    FAULT_ILLEGAL_MOVE, /* bestmove is no legal move */
    FAULT_FLOOD,        /* a line over 1 MiB, or far too many lines */
    FAULT_ILLEGAL_PV,   /* a principal variation with an illegal move: the game goes on */
    FAULT_LONG_PV,      /* a principal variation that goes on after the end of the game: the game goes on */
    FAULT_CANCELLED,    /* not the engine's fault: the caller asked to stop */
    FAULT_MEMORY,       /* not the engine's fault: we had no memory to ask it */
    FAULT_COUNT
} Fault;

/* "crash", "stall", "time loss", "time loss (machine)", ... */
const char *fault_name(Fault fault);

/* Whether the process of the engine must be started again. */
bool fault_needs_restart(Fault fault);

#endif
