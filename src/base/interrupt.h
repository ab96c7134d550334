/* Lets long work poll for Ctrl-C (SIGINT), SIGTERM and SIGHUP, so it can end cleanly. The signals are blocked
 * and never handled; there is no global state. On systems without signals that can be blocked (Windows,
 * WebAssembly) interrupt_requested is always false. */
#ifndef LUFT_BASE_INTERRUPT_H
#define LUFT_BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

#if defined(_WIN32) || defined(__wasm__)
typedef bool Interrupt;
#else
typedef struct Interrupt {
    sigset_t before; /* the signals that were already blocked */
} Interrupt;
#endif

/* Blocks the signals. Call it before starting other threads, which inherit it. Calls may be nested: then a
 * signal interrupts the inner work first and the outer work next. SIGHUP stays as it is if it is ignored
 * (nohup). */
void interrupt_begin(Interrupt *interrupt);

/* Whether one of the signals is pending. Any thread may call it at any time. */
bool interrupt_requested(void);

/* Unblocks the signals. Drops a pending one, because the work has ended; in nested calls the outer work still
 * sees it. Call it on the thread of interrupt_begin. */
void interrupt_end(const Interrupt *interrupt);

#endif
