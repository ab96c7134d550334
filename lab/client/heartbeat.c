#include "lab/client/heartbeat.h"

#include "base/clock.h"
#include "base/memory.h"
#include "lab/kit/machine.h"

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
    machine_pin_thread(pulse->processor);
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
