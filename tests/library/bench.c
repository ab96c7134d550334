/* Prints the bench of the library to a depth, and the move of an engine: what a processor must find like any
 * other. bench DEPTH */
#include <luft.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const int depth = argc > 1 ? atoi(argv[1]) : 1;
    uint64_t nodes = 0;
    LuftEngine *engine = luft_create(NULL, NULL, 0);
    if (engine == NULL || luft_go(engine, &(LuftLimits){.depth = depth}) != NULL) return 1;
    const char *best = luft_wait(engine);
    if (!luft_bench(depth, &nodes)) return 1;
    printf("%" PRIu64 " %s\n", nodes, best);
    luft_destroy(engine);
    return 0;
}
