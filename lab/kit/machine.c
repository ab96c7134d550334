#include "lab/kit/machine.h"

#include "base/clock.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int machine_processors(int *processors, int capacity) {
    int count = 0;
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int i = 0; i < CPU_SETSIZE && count < capacity; i++)
            if (CPU_ISSET((size_t)i, &set)) processors[count++] = i;
#endif
    if (count == 0 && capacity > 0) processors[count++] = 0;
    return count;
}

void machine_pin_thread(int processor) {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)processor, &set);
    (void)sched_setaffinity(0, sizeof set, &set); /* for this thread; if refused, it runs anywhere */
#else
    (void)processor;
#endif
}

/* What all processors together have done since the system started. */
typedef struct Account {
    double busy; /* clock ticks at work, the stolen ones included */
    double stolen;
} Account;

static bool read_account(Account *account) {
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL) return false;
    unsigned long long user, nice, system, idle, wait, interrupt, soft, stolen;
    bool good = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle,
                       &wait, &interrupt, &soft, &stolen) == 8;
    fclose(file);
    if (!good) return false;
    *account = (Account){(double)(user + nice + system + interrupt + soft + stolen), (double)stolen};
    return true;
}

static double ticks_per_second(void) { return (double)sysconf(_SC_CLK_TCK); }

double machine_measure_load(int64_t milliseconds) {
    Account before, after;
    if (!read_account(&before)) return 0;
    int64_t start = clock_microseconds();
    clock_sleep_milliseconds(milliseconds);
    double seconds = (double)(clock_microseconds() - start) / 1e6;
    if (!read_account(&after) || seconds <= 0) return 0;
    return (after.busy - before.busy) / ticks_per_second() / seconds;
}

int64_t machine_stolen_time(void) {
    Account account;
    return read_account(&account) ? (int64_t)(account.stolen * 1e6 / ticks_per_second()) : 0;
}

int machine_open_waiting(void) { return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC); }

/* schedstat: nanoseconds run, nanoseconds waited while ready, time slices. */
int64_t machine_read_waiting(int descriptor) {
    char text[96];
    ssize_t length = descriptor < 0 ? -1 : pread(descriptor, text, sizeof text - 1, 0);
    if (length <= 0) return 0;
    text[length] = '\0';
    char *rest;
    strtoull(text, &rest, 10);
    return (int64_t)(strtoull(rest, NULL, 10) / 1000);
}
