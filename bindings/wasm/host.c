/* What a WebAssembly host needs beside the functions of luft.h: a listener whose calls are imports of the
 * module, because a host can hardly hand over functions of its own. luft.mjs is the other side. */
#include "include/luft.h"

#define IMPORT(name) __attribute__((import_module("luft"), import_name(name)))

/* Whether to stop. A host that can suspend (JSPI) may do so in it; meanwhile the engine may be asked for
 * luft_stop and luft_ponderhit only. */
IMPORT("luft_host_poll") int luft_host_poll(void *context);
IMPORT("luft_host_info") void luft_host_info(void *context, const LuftInfo *info);
IMPORT("luft_host_best_move")
void luft_host_best_move(void *context, const char *best, const char *ponder);

/* luft_create with the imports as listener; `context`, any number, comes back in each call. */
LUFT_API LuftEngine *luft_host_create(void *context, char *error, size_t capacity);

LuftEngine *luft_host_create(void *context, char *error, size_t capacity) {
    const LuftListener listener = {
        .context = context, .info = luft_host_info, .best_move = luft_host_best_move, .poll = luft_host_poll};
    return luft_create(&listener, error, capacity);
}

/* Where luft.mjs reads and writes. */
_Static_assert(offsetof(LuftInfo, loss) == 32 && offsetof(LuftInfo, nodes) == 40 &&
                   offsetof(LuftInfo, time) == 48 && offsetof(LuftInfo, hash_full) == 56 &&
                   offsetof(LuftInfo, line) == 60,
               "LuftInfo as in luft.mjs");
_Static_assert(offsetof(LuftLimits, nodes) == 8 && offsetof(LuftLimits, black_increment) == 48 &&
                   offsetof(LuftLimits, moves_to_go) == 56 && offsetof(LuftLimits, in_slices) == 68 &&
                   sizeof(LuftLimits) == 72,
               "LuftLimits as in luft.mjs");
