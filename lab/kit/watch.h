/* The main thread of long work: it waits while others work, and learns there that somebody has asked to stop
 * (SIGINT, SIGTERM, SIGHUP). No handler, no state outside. */
#ifndef LUFT_KIT_WATCH_H
#define LUFT_KIT_WATCH_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Watch {
    pthread_t main;
    sigset_t signals, before;
} Watch;

/* From now on the signals are taken by waiting for them. Call before other threads are started: they inherit
 * it. */
void watch_begin(Watch *watch);

/* Waits so many milliseconds, or until it is woken; true when somebody asks to stop. On the thread that
 * began.
 */
bool watch_wait(const Watch *watch, int64_t milliseconds);

/* Ends a wait, from another thread. */
void watch_wake(const Watch *watch);

/* Takes what is still pending, so that it does not strike now. */
void watch_end(const Watch *watch);

#endif
