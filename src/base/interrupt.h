/* Lets long work poll for Ctrl-C (SIGINT), SIGTERM and SIGHUP, so it can end cleanly, and lets short work end
 * before they act. The signals are blocked and never handled; there is no global state. On systems without
 * signals that can be blocked (Windows, WebAssembly) interrupt_requested is always false. */
#ifndef LUFT_BASE_INTERRUPT_H
#define LUFT_BASE_INTERRUPT_H

#include <stdbool.h>

#if defined(_WIN32) || defined(__wasm__)
typedef bool Interrupt;
#else
#include <signal.h>

typedef struct Interrupt {
    sigset_t blocked; /* by this call; others were blocked already */
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

/* Blocks the signals until interrupt_resume, where a pending one acts as if it came only then. Both calls are
 * of one thread. */
void interrupt_postpone(Interrupt *interrupt);
void interrupt_resume(const Interrupt *interrupt);

#endif
