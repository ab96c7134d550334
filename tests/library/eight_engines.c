/* Eight engines in eight threads must find what one finds alone; many engines are created and freed. For
 * ThreadSanitizer and the leak checker. */
#include "include/luft.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ENGINES = 8, DEPTH = 6 };

typedef struct Found {
    uint64_t nodes, bench;
    char best[8];
} Found;

static void note(void *context, const LuftInfo *info) { ((Found *)context)->nodes = info->nodes; }

static void *play(void *argument) {
    Found *found = argument;
    const LuftListener listener = {.context = found, .info = note};
    LuftEngine *engine = luft_create(&listener, NULL, 0);
    if (engine == NULL) return NULL;
    luft_set_position(engine, NULL, "e2e4 e7e5 g1f3");
    luft_go(engine, &(LuftLimits){.depth = DEPTH});
    snprintf(found->best, sizeof found->best, "%s", luft_wait(engine));
    luft_destroy(engine);
    luft_bench(2, &found->bench);
    return NULL;
}

int main(int argc, char **argv) {
    Found alone = {0}, found[ENGINES] = {{0}};
    pthread_t threads[ENGINES];
    int failures = 0;
    for (int i = 0; i < ENGINES; i++) failures += pthread_create(&threads[i], NULL, play, &found[i]) != 0;
    for (int i = 0; i < ENGINES; i++) pthread_join(threads[i], NULL);
    play(&alone);
    for (int i = 0; i < ENGINES; i++)
        failures += found[i].nodes != alone.nodes || found[i].bench != alone.bench ||
                    strcmp(found[i].best, alone.best) != 0;
    failures += luft_bench(0, &alone.bench) != 0;
    const int rounds = argc > 1 && strcmp(argv[1], "many") == 0 ? 1000 : 0;
    for (int i = 0; i < rounds; i++) {
        LuftEngine *engine = luft_create(NULL, NULL, 0);
        if (engine == NULL) return 1;
        luft_set_option(engine, "Hash", "1");
        luft_go(engine, i % 2 == 0 ? &(LuftLimits){.nodes = 100} : &(LuftLimits){.white_clock = -1});
        luft_destroy(engine);
    }
    printf("%s: %llu nodes, bench %llu, %s; %d failures\n",
           alone.nodes > 0 && failures == 0 ? "ok" : "not ok", (unsigned long long)alone.nodes,
           (unsigned long long)alone.bench, alone.best, failures);
    return alone.nodes == 0 || failures > 0;
}
