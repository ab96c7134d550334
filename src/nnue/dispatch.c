#include "nnue/dispatch.h"

#include "base/processor.h"
#include "base/text.h"
#include "nnue/arch.h"
#include "nnue/kernels.h"

#include <stdlib.h>
#include <string.h>

const char *dispatch_kernels_name(void) { return kernels_for_width(WIDTH_MAX)->name; }

#ifdef LUFT_PORTABLE

typedef const Kernels *KernelsForWidth(int width);
KernelsForWidth kernels_for_width_sse2, kernels_for_width_avx2, kernels_for_width_avx512,
    kernels_for_width_avx512vnni;

/* One compilation of kernels.c, and whether it runs here. */
typedef struct KernelSet {
    const char *name; /* in LUFT_KERNELS */
    KernelsForWidth *for_width;
    bool runs;
} KernelSet;

enum { SET_COUNT = 4 };

/* Worst first. There is none between SSE2 and AVX2: SSSE3 and SSE4 have nothing that the kernels could use.
 */
static void list_sets(KernelSet sets[SET_COUNT]) {
    const bool avx2 = processor_has("avx2");
    const bool avx512 = avx2 && processor_has("avx512f") && processor_has("avx512bw");
    const bool vnni = avx512 && processor_has("avx512vnni");
    sets[0] = (KernelSet){"sse2", kernels_for_width_sse2, true};
    sets[1] = (KernelSet){"avx2", kernels_for_width_avx2, avx2};
    sets[2] = (KernelSet){"avx512", kernels_for_width_avx512, avx512};
    sets[3] = (KernelSet){"avx512vnni", kernels_for_width_avx512vnni, vnni};
}

const Kernels *kernels_for_width(int width) {
    KernelSet sets[SET_COUNT];
    list_sets(sets);
    TextView wanted = text_view(getenv("LUFT_KERNELS"));
    int chosen = 0;
    for (int i = 1; i < SET_COUNT && !text_equals(wanted, sets[chosen].name); i++)
        if (sets[i].runs) chosen = i;
    return sets[chosen].for_width(width);
}

Status dispatch_check(void) {
    const char *wanted = getenv("LUFT_KERNELS");
    if (wanted == NULL || *wanted == '\0') return status_ok();
    KernelSet sets[SET_COUNT];
    list_sets(sets);
    char names[64] = "";
    for (int i = 0; i < SET_COUNT; i++) {
        if (!sets[i].runs) continue;
        if (text_equals(text_view(wanted), sets[i].name)) return status_ok();
        size_t length = strlen(names);
        text_format(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "", sets[i].name);
    }
    return status_error("LUFT_KERNELS=%.32s: this processor runs only %s", wanted, names);
}

#elif defined(__wasm__) // without an environment

Status dispatch_check(void) { return status_ok(); }

#else

Status dispatch_check(void) {
    const char *wanted = getenv("LUFT_KERNELS");
    if (wanted == NULL || *wanted == '\0') return status_ok();
    return status_error(
        "LUFT_KERNELS=%.32s: this build has the kernels of its ARCH only, %s; make ARCH=portable "
        "builds all",
        wanted, dispatch_kernels_name());
}

#endif
