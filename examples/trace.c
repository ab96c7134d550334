/* A small alpha-beta search that writes its tree as JSON lines (docs/trace.md). The library gives it the
 * rules and the static value; the search and its two ways of pruning are its own.
 *
 *     cc trace.c $(pkg-config --cflags --libs luft) -o trace
 *     ./trace [FEN [DEPTH]] > tree.jsonl */
#define _POSIX_C_SOURCE 200809L /* strtok_r */

#include <luft.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATE = 30000, MARGIN = 80 /* centipawns a ply */, DEPTH_MAX = 20, MOVE_LENGTH = 6 };

static LuftEngine *engine;
static const char *root;
static char path[DEPTH_MAX * MOVE_LENGTH + 1]; /* the moves from the root */

static int is_quiet(const char *move) { return strpbrk(luft_san(engine, move), "x+#=") == NULL; }

static int search(const char *move, int ply, int depth, int alpha, int beta) {
    char moves[256 * MOVE_LENGTH], numbers[80] = "", *rest = moves;
    const int low = alpha;
    int value = 0, best = -MATE;
    luft_set_position(engine, root, path);
    luft_evaluate(engine, &value);
    const int in_check = luft_in_check(engine), may_prune = !in_check && depth > 0 && ply > 0;
    snprintf(moves, sizeof moves, "%s", luft_legal_moves(engine));
    if (moves[0] == '\0') {
        best = in_check ? ply - MATE : 0;
    } else if (depth == 0) {
        best = value;
    } else if (may_prune && value - MARGIN * depth >= beta) {
        best = value;
        snprintf(numbers, sizeof numbers, ",\"rule\":\"reverse_futility\",\"numbers\":{\"margin\":%d}",
                 MARGIN * depth);
    } else {
        for (char *next; alpha < beta && (next = strtok_r(rest, " ", &rest)) != NULL;) {
            if (may_prune && depth == 1 && best > -MATE && value + MARGIN <= alpha && is_quiet(next)) {
                printf(
                    "{\"ply\":%d,\"skipped\":[\"%s\"],\"rule\":\"futility\",\"numbers\":{\"ceiling\":%d,\"alpha\":%d}}\n",
                    ply + 1, next, value + MARGIN, alpha);
                best = best > value + MARGIN ? best : value + MARGIN;
                continue;
            }
            const size_t length = strlen(path);
            snprintf(path + length, sizeof path - length, "%s ", next);
            const int score = -search(next, ply + 1, depth - 1, -beta, -alpha);
            path[length] = '\0';
            luft_set_position(engine, root, path);
            best = score > best ? score : best;
            alpha = best > alpha ? best : alpha;
        }
    }
    printf("{\"ply\":%d,\"%s\":\"%s\",\"depth\":%d,\"alpha\":%d,\"beta\":%d,\"static\":%d,\"score\":%d%s}\n",
           ply, ply == 0 ? "fen" : "move", move, depth, low, beta, value, best, numbers);
    return best;
}

int main(int argc, char **argv) {
    char fen[128], error[256];
    const int depth = argc > 2 ? atoi(argv[2]) : 3;
    engine = luft_create(NULL, error, sizeof error);
    const char *fault = engine == NULL ? error : luft_set_position(engine, argc > 1 ? argv[1] : NULL, NULL);
    if (fault == NULL && (depth < 1 || depth > DEPTH_MAX)) fault = "the depth must be from 1 to 20";
    if (fault == NULL) {
        snprintf(fen, sizeof fen, "%s", luft_fen(engine));
        root = fen;
        search(fen, 0, depth, -MATE, MATE);
    } else
        fprintf(stderr, "%s\n", fault);
    luft_destroy(engine);
    return fault != NULL;
}
