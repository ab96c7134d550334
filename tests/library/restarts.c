/* An app that opens and closes engines, and one that restarts its search with each move of the mouse: memory
 * must not grow, and the first line must come at once. restarts [ENGINES RESTARTS]        1000 and 10000
 * unless given */
#include <luft.h>

#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    WARM = 50,
    GROWTH_MAX = 1024 /* KiB */,
    FIRST_LINE_MAX = 2000 /* microseconds; a hundred times what a busy machine takes */
};

typedef struct FirstLine {
    sem_t came;
    int waits;
    int64_t at;
} FirstLine;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static long resident(void) {
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &pages) != 2) pages = 0;
    if (file != NULL) fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void note(void *context, const LuftInfo *info) {
    FirstLine *first = context;
    (void)info;
    if (!first->waits) return;
    first->waits = 0;
    first->at = now();
    sem_post(&first->came);
}

static LuftEngine *open_engine(FirstLine *first) {
    const LuftListener listener = {.context = first, .info = note};
    LuftEngine *engine = luft_create(&listener, NULL, 0);
    if (engine == NULL || luft_set_option(engine, "Hash", "1") != NULL) abort();
    return engine;
}

/* Microseconds to the first line. */
static int64_t restart(LuftEngine *engine, FirstLine *first, int number) {
    if (luft_set_position(engine, NULL, number % 2 ? "e2e4" : "d2d4 d7d5") != NULL) abort();
    first->waits = 1;
    const int64_t start = now();
    if (luft_go(engine, &(LuftLimits){0}) != NULL) abort();
    while (sem_wait(&first->came) != 0) continue;
    luft_stop(engine);
    luft_wait(engine);
    return first->at - start;
}

static void use_engines(FirstLine *first, int count) {
    for (int i = 0; i < count; i++) {
        LuftEngine *engine = open_engine(first);
        if (i % 10 == 0) restart(engine, first, i);
        luft_destroy(engine);
    }
}

static int compare(const void *a, const void *b) {
    const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

int main(int argc, char **argv) {
    const int engines = argc > 2 ? atoi(argv[1]) : 1000, restarts = argc > 2 ? atoi(argv[2]) : 10000;
    FirstLine first = {.waits = 0};
    int64_t *times = malloc((size_t)restarts * sizeof *times);
    if (times == NULL || sem_init(&first.came, 0, 0) != 0) return 2;
    use_engines(&first, WARM);
    const long before_engines = resident();
    use_engines(&first, engines);
    const long grown_by_engines = resident() - before_engines;
    LuftEngine *engine = open_engine(&first);
    for (int i = 0; i < WARM; i++) restart(engine, &first, i);
    const long before_restarts = resident();
    for (int i = 0; i < restarts; i++) times[i] = restart(engine, &first, i);
    const long grown_by_restarts = resident() - before_restarts;
    luft_destroy(engine);
    qsort(times, (size_t)restarts, sizeof *times, compare);
    const int64_t median = times[restarts / 2];
    const int good =
        grown_by_engines < GROWTH_MAX && grown_by_restarts < GROWTH_MAX && median < FIRST_LINE_MAX;
    printf(
        "%s: %d engines grow memory by %ld KiB, %d restarts by %ld KiB; first line after %lld us (median)\n",
        good ? "ok" : "not ok", engines, grown_by_engines, restarts, grown_by_restarts, (long long)median);
    free(times);
    return good ? 0 : 1;
}
