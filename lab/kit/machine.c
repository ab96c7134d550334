#include "lab/kit/machine.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/text.h"

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
    if (count == 0)
        for (; count < capacity && count < system_processors(); count++) processors[count] = count;
    return count;
}

static bool contains(const int *processors, int count, int64_t wanted) {
    for (int i = 0; i < count; i++)
        if (processors[i] == wanted) return true;
    return false;
}

/* "7" or "7-11". */
static bool parse_span(TextView text, int64_t *first, int64_t *last) {
    TextView begin;
    const bool is_span = text_split(&text, '-', &begin);
    if (!text_parse_int64(begin, first) || *first < 0) return false;
    *last = *first;
    return !is_span || (text_parse_int64(text, last) && *last >= *first);
}

Status machine_parse_processors(const char *list, int *processors, int capacity, int *count) {
    int all[MACHINE_PROCESSORS_MAX];
    const int all_count = machine_processors(all, MACHINE_PROCESSORS_MAX);
    TextView rest = text_view(list), item;
    *count = 0;
    for (bool more = true; more;) {
        int64_t first, last;
        more = text_split(&rest, ',', &item);
        if (!parse_span(text_trim(item), &first, &last))
            return status_error("'%.60s' is no list of processors such as 3,5,7-11", list);
        for (int64_t i = first; i <= last; i++) {
            if (!contains(all, all_count, i)) return status_error("there is no processor %lld", (long long)i);
            if (*count == capacity || contains(processors, *count, i))
                return status_error("processor %lld is in '%.60s' twice", (long long)i, list);
            processors[(*count)++] = (int)i;
        }
    }
    return status_ok();
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

bool machine_describe_load(int threads, const char *what, char out[LOAD_TEXT_CAPACITY]) {
    const double tolerance = 0.3; /* processors that what runs now and then may keep busy */
    int processors[MACHINE_PROCESSORS_MAX];
    const int count = machine_processors(processors, MACHINE_PROCESSORS_MAX);
    const double load = machine_measure_load(LOAD_SAMPLE);
    if (load + threads <= count + tolerance) return false;
    text_format(out, LOAD_TEXT_CAPACITY,
                "the machine is loaded: %.1f of %d processors are busy, the %s needs %d", load, count, what,
                threads);
    return true;
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

/* --- standstills --- */

/* Keeps the calling thread on one processor, if the system allows it. */
static void pin_thread(int processor) {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)processor, &set);
    (void)sched_setaffinity(0, sizeof set, &set); /* for this thread; if refused, it runs anywhere */
#else
    (void)processor;
#endif
}

enum {
    BEAT = 20,       /* milliseconds of sleep */
    TOLERANCE = 5000 /* microseconds: schedulers are often a little late */
};

/* One thread on one processor. */
struct Pulse {
    Heartbeat *heartbeat;
    int processor;
    Thread thread;
};

/* Simultaneous standstills of several processors count once. */
static void add_standstill(Heartbeat *heartbeat, int64_t from, int64_t to) {
    mutex_lock(&heartbeat->lock);
    if (from < heartbeat->known) from = heartbeat->known;
    if (to > from) {
        heartbeat->loss.still += to - from;
        heartbeat->known = to;
    }
    mutex_unlock(&heartbeat->lock);
}

static void note_stolen(Heartbeat *heartbeat) {
    const int64_t stolen = machine_stolen_time();
    mutex_lock(&heartbeat->lock);
    heartbeat->loss.stolen = stolen;
    mutex_unlock(&heartbeat->lock);
}

static void beat(void *argument) {
    Pulse *pulse = argument;
    pin_thread(pulse->processor);
    while (!atomic_load(&pulse->heartbeat->over)) {
        const int64_t due = clock_microseconds() + BEAT * 1000;
        clock_sleep_milliseconds(BEAT);
        const int64_t woke = clock_microseconds();
        if (woke > due + TOLERANCE) add_standstill(pulse->heartbeat, due, woke);
        if (pulse == pulse->heartbeat->pulses) note_stolen(pulse->heartbeat);
    }
    mutex_lock(&pulse->heartbeat->lock);
    pulse->heartbeat->cpu += clock_thread_cpu_microseconds();
    mutex_unlock(&pulse->heartbeat->lock);
}

Status heartbeat_begin(Heartbeat *heartbeat, const int *processors, int count) {
    *heartbeat = (Heartbeat){.pulses = memory_allocate((size_t)count * sizeof *heartbeat->pulses)};
    if (heartbeat->pulses == NULL) return status_no_memory("watching %d processors", count);
    mutex_init(&heartbeat->lock);
    note_stolen(heartbeat);
    for (; heartbeat->count < count; heartbeat->count++) {
        Pulse *pulse = &heartbeat->pulses[heartbeat->count];
        *pulse = (Pulse){.heartbeat = heartbeat, .processor = processors[heartbeat->count]};
        Status status = thread_start(&pulse->thread, beat, pulse);
        if (status_is_ok(&status)) continue;
        heartbeat_end(heartbeat);
        return status;
    }
    return status_ok();
}

HeartbeatLoss heartbeat_read(Heartbeat *heartbeat) {
    if (heartbeat == NULL || heartbeat->pulses == NULL) return (HeartbeatLoss){0};
    mutex_lock(&heartbeat->lock);
    HeartbeatLoss loss = heartbeat->loss;
    mutex_unlock(&heartbeat->lock);
    return loss;
}

void heartbeat_end(Heartbeat *heartbeat) {
    if (heartbeat->pulses == NULL) return;
    atomic_store(&heartbeat->over, true);
    for (int i = 0; i < heartbeat->count; i++) thread_join(&heartbeat->pulses[i].thread);
    mutex_destroy(&heartbeat->lock);
    memory_release(heartbeat->pulses);
    heartbeat->pulses = NULL;
}
