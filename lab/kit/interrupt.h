/* Ctrl-C and SIGTERM as a question to ask now and then, so that long work ends in good order. */
#ifndef LUFT_KIT_INTERRUPT_H
#define LUFT_KIT_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* Holds both signals back from now on. Call before other threads are started: they inherit it. */
static inline void interrupt_hold(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* Whether one of them has been sent since. Any thread may ask. */
static inline bool interrupt_requested(void) {
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1;
}

#endif
