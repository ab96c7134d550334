#include "base/processor.h"

#include "base/system.h"

#include <stddef.h>

#if defined(__x86_64__) || defined(__i386__)

/* __builtin_cpu_supports also asks the system, which must save the AVX registers. It accepts only a literal,
 * hence the macro. */
#define RETURN_IF_LACKING(name, macro) \
    if (**set++ == '1' && !__builtin_cpu_supports(name)) return name;

const char *processor_lacks(void) {
    const char *const *set = target_sets;
    __builtin_cpu_init();
    INSTRUCTION_SETS(RETURN_IF_LACKING)
    return NULL;
}

#else

const char *processor_lacks(void) { return NULL; }

#endif
