/* Prints the best move of a position.
 *     cc best_move.c $(pkg-config --cflags --libs luft) -o best_move
 *     ./best_move [FEN [DEPTH]] */
#include <luft.h>

#include <stdio.h>
#include <stdlib.h>

static void print_line(void *context, const LuftInfo *info) {
    (void)context;
    printf("%2d  %s%+d  %s\n", info->depth, info->is_mate ? "mate " : "", info->score, info->line);
}

int main(int argc, char **argv) {
    const int depth = argc > 2 ? atoi(argv[2]) : 10;
    if (depth < 1) { /* 0 would mean no limit: the search would never end */
        fprintf(stderr, "the depth must be at least 1\n");
        return 1;
    }
    const LuftListener listener = {.info = print_line};
    char error[256];
    LuftEngine *engine = luft_create(&listener, error, sizeof error);
    if (engine == NULL) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    const char *fault = luft_set_position(engine, argc > 1 ? argv[1] : NULL, NULL);
    if (fault == NULL) fault = luft_go(engine, &(LuftLimits){.depth = depth});
    if (fault == NULL)
        printf("best move: %s\n", luft_wait(engine));
    else
        fprintf(stderr, "%s\n", fault);
    luft_destroy(engine);
    return fault != NULL;
}
