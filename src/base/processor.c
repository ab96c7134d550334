#include "base/processor.h"

#include "base/system.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)

/* __builtin_cpu_supports also asks the system, which must save the AVX registers. It accepts only a literal,
 * hence the list. */
#define RETURN_IF_LACKING(set) \
    if (strstr(target_instructions, " " set " ") != NULL && !__builtin_cpu_supports(set)) return set

const char *processor_lacks(void) {
    __builtin_cpu_init();
    RETURN_IF_LACKING("sse3");
    RETURN_IF_LACKING("ssse3");
    RETURN_IF_LACKING("sse4.1");
    RETURN_IF_LACKING("sse4.2");
    RETURN_IF_LACKING("popcnt");
    RETURN_IF_LACKING("sse4a");
    RETURN_IF_LACKING("avx");
    RETURN_IF_LACKING("fma");
    RETURN_IF_LACKING("fma4");
    RETURN_IF_LACKING("xop");
    RETURN_IF_LACKING("bmi");
    RETURN_IF_LACKING("bmi2");
    RETURN_IF_LACKING("avx2");
    RETURN_IF_LACKING("avx512f");
    RETURN_IF_LACKING("avx512bw");
    RETURN_IF_LACKING("avx512cd");
    RETURN_IF_LACKING("avx512dq");
    RETURN_IF_LACKING("avx512vl");
    RETURN_IF_LACKING("avx512vnni");
    RETURN_IF_LACKING("avx512vbmi");
    RETURN_IF_LACKING("avx512vbmi2");
    RETURN_IF_LACKING("avx512ifma");
    RETURN_IF_LACKING("avx512bitalg");
    RETURN_IF_LACKING("avx512vpopcntdq");
    RETURN_IF_LACKING("gfni");
    return NULL;
}

#else

const char *processor_lacks(void) { return NULL; }

#endif
