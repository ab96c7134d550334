/* Ctrl-C (SIGINT), SIGTERM and SIGHUP as a question that long work asks now and then, so that it ends in good
 * order. No handler, no state outside. Where the system has no signals that can be held back (Windows,
 * WebAssembly), nothing is ever requested. */
#ifndef LUFT_BASE_INTERRUPT_H
#define LUFT_BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

#if defined(_WIN32) || defined(__wasm__)
typedef bool Interrupt;
#else
typedef struct Interrupt {
    sigset_t before; /* what was held back already */
} Interrupt;
#endif

/* Holds the signals back from now on. Call before other threads are started: they inherit it. May be nested:
 * a signal then reaches all who ask, from the inner to the outer. SIGHUP is not held back where it is ignored
 * (nohup). */
void interrupt_begin(Interrupt *interrupt);

/* Whether one of them has been sent since. Any thread may ask, at any time. */
bool interrupt_requested(void);

/* Lets the signals through again. One that is pending is dropped, for its wish has been met; but it is kept
 * for an outer holder. On the thread that began. */
void interrupt_end(const Interrupt *interrupt);

#endif
