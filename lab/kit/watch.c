#include "lab/kit/watch.h"

#include <time.h>

void watch_begin(Watch *watch) {
    watch->main = pthread_self();
    sigemptyset(&watch->signals);
    sigaddset(&watch->signals, SIGINT);
    sigaddset(&watch->signals, SIGTERM);
    sigaddset(&watch->signals, SIGHUP);
    sigaddset(&watch->signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &watch->signals, &watch->before);
}

bool watch_wait(const Watch *watch, int64_t milliseconds) {
    struct timespec timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    int caught = sigtimedwait(&watch->signals, NULL, &timeout);
    return caught > 0 && caught != SIGUSR1;
}

void watch_wake(const Watch *watch) { pthread_kill(watch->main, SIGUSR1); }

void watch_end(const Watch *watch) {
    const struct timespec at_once = {0, 0};
    while (sigtimedwait(&watch->signals, NULL, &at_once) > 0) continue;
    pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
}
