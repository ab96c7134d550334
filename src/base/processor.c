#include "base/processor.h"

#include "base/system.h"

#include <stddef.h>

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* CPUID is asked here rather than by the compiler's library, which not every system has. */

enum { EAX, EBX, ECX, EDX, REGISTER_COUNT };

/* Bits of XCR0: which registers the system saves when it switches to another thread. Those of baseline x86-64
 * it saves always. macOS sets the bits of ZMM only when a program uses these registers for the first time, so
 * AVX-512 counts as missing there. */
enum { XMM = 0x00, YMM = 0x06, ZMM = 0xE6, OSXSAVE = 27 };

typedef struct InstructionSet {
    const char *name;
    unsigned leaf, subleaf;
    int where, bit;
    uint32_t saved;
} InstructionSet;

#define ROW_OF(name, macro, leaf, subleaf, where, bit, saved) {name, leaf, subleaf, where, bit, saved},
static const InstructionSet SETS[] = {INSTRUCTION_SETS(ROW_OF)};
enum { SET_COUNT = sizeof SETS / sizeof SETS[0] };

static bool cpuid_bit(unsigned leaf, unsigned subleaf, int where, int bit) {
    unsigned found[REGISTER_COUNT] = {0};
    __get_cpuid_count(leaf, subleaf, &found[EAX], &found[EBX], &found[ECX], &found[EDX]);
    return found[where] >> bit & 1;
}

static uint32_t saved_registers(void) {
    if (!cpuid_bit(1, 0, ECX, OSXSAVE)) return 0; /* there is no XGETBV then */
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* Asked once: on a virtual machine each CPUID is a call of its host, longer than an evaluation. */
enum { UNKNOWN, NO, YES };
static atomic_uchar answers[SET_COUNT];

static bool has(const InstructionSet *set) {
    atomic_uchar *answer = &answers[set - SETS];
    if (atomic_load_explicit(answer, memory_order_relaxed) == UNKNOWN) {
        const bool found = cpuid_bit(set->leaf, set->subleaf, set->where, set->bit) &&
                           (set->saved & ~saved_registers()) == 0;
        atomic_store_explicit(answer, found ? YES : NO, memory_order_relaxed);
    }
    return atomic_load_explicit(answer, memory_order_relaxed) == YES;
}

bool processor_has(const char *name) {
    for (int i = 0; i < SET_COUNT; i++)
        if (strcmp(SETS[i].name, name) == 0) return has(&SETS[i]);
    return false;
}

const char *processor_lacks(void) {
    for (int i = 0; i < SET_COUNT; i++)
        if (*target_sets[i] == '1' && !has(&SETS[i])) return SETS[i].name;
    return NULL;
}

#else

bool processor_has(const char *name) {
    (void)name;
    return false;
}

const char *processor_lacks(void) { return NULL; }

#endif
