#include "base/interrupt.h"

#if defined(_WIN32) || defined(__wasm__)

void interrupt_begin(Interrupt *interrupt) { *interrupt = false; }
bool interrupt_requested(void) { return false; }
void interrupt_end(const Interrupt *interrupt) { (void)interrupt; }
void interrupt_postpone(Interrupt *interrupt) { *interrupt = false; }
void interrupt_resume(const Interrupt *interrupt) { (void)interrupt; }

#else

#include <pthread.h>
#include <stddef.h>

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof SIGNALS[0] };

static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void interrupt_postpone(Interrupt *interrupt) {
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    sigemptyset(&interrupt->blocked);
    /* A signal that is blocked becomes pending even where it is ignored. For SIGHUP that would undo nohup.
     * For SIGINT it is wanted: a shell that starts a job in the background has it ignored. */
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (sigismember(&before, SIGNALS[i]) == 0 && (SIGNALS[i] != SIGHUP || !is_ignored(SIGHUP)))
            sigaddset(&interrupt->blocked, SIGNALS[i]);
    pthread_sigmask(SIG_BLOCK, &interrupt->blocked, NULL);
}

void interrupt_resume(const Interrupt *interrupt) { pthread_sigmask(SIG_UNBLOCK, &interrupt->blocked, NULL); }

void interrupt_begin(Interrupt *interrupt) { interrupt_postpone(interrupt); }

bool interrupt_requested(void) {
    sigset_t pending;
    sigpending(&pending);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (sigismember(&pending, SIGNALS[i]) == 1) return true;
    return false;
}

/* Not every system has a call that takes a pending signal without waiting. sigwait does not wait for one that
 * is pending. */
void interrupt_end(const Interrupt *interrupt) {
    sigset_t pending, one;
    sigpending(&pending);
    for (int i = 0, number; i < SIGNAL_COUNT; i++) {
        if (sigismember(&pending, SIGNALS[i]) != 1) continue;
        if (sigismember(&interrupt->blocked, SIGNALS[i]) != 1) continue;
        sigemptyset(&one);
        sigaddset(&one, SIGNALS[i]);
        sigwait(&one, &number);
    }
    interrupt_resume(interrupt);
}

#endif
