/* A listener for WebAssembly hosts. Its callbacks are imports of the module, because a host cannot easily
 * pass function pointers. luft.mjs provides them. */
#include "include/luft.h"

#define IMPORT(name) __attribute__((import_module("luft"), import_name(name)))

/* Whether the search goes on (0), stops (1), or goes on after luft_host_rest (2). */
enum { RESTS = 2 };
IMPORT("luft_host_poll") int luft_host_poll(void *context);
/* The host suspends the search (JSPI) and runs its events. Until the search resumes, other calls may use the
 * stack below it, but must return. */
IMPORT("luft_host_rest") void luft_host_rest(void *context);
IMPORT("luft_host_info") void luft_host_info(void *context, const LuftInfo *info);
IMPORT("luft_host_best_move")
void luft_host_best_move(void *context, const char *best, const char *ponder);

/* luft_create with the imports as listener. Each callback receives `context`, which may be any number. */
LUFT_API LuftEngine *luft_host_create(void *context, char *error, size_t capacity);

static int poll(void *context) {
    const int answer = luft_host_poll(context);
    if (answer != RESTS) return answer;
    luft_host_rest(context);
    return 0;
}

LuftEngine *luft_host_create(void *context, char *error, size_t capacity) {
    const LuftListener listener = {
        .context = context, .info = luft_host_info, .best_move = luft_host_best_move, .poll = poll};
    return luft_create(&listener, error, capacity);
}

/* The offsets that luft.mjs uses. */
_Static_assert(offsetof(LuftInfo, loss) == 32 && offsetof(LuftInfo, nodes) == 40 &&
                   offsetof(LuftInfo, time) == 48 && offsetof(LuftInfo, hash_full) == 56 &&
                   offsetof(LuftInfo, line) == 60,
               "LuftInfo as in luft.mjs");
_Static_assert(offsetof(LuftLimits, nodes) == 8 && offsetof(LuftLimits, black_increment) == 48 &&
                   offsetof(LuftLimits, moves_to_go) == 56 && offsetof(LuftLimits, in_slices) == 68 &&
                   offsetof(LuftLimits, search_moves) == 72 && sizeof(LuftLimits) == 80,
               "LuftLimits as in luft.mjs");
_Static_assert(offsetof(LuftOption, type) == 16 && sizeof(LuftOption) == 28, "LuftOption as in luft.mjs");
