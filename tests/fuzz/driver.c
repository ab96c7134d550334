/* Connects a fuzzer to libFuzzer. One in four new inputs comes from libFuzzer's own edits and the dictionary,
 * the others from fuzz_vary. At the end it prints the share of inputs that got past the parser. */
#include "fuzz.h"

#include <inttypes.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity); /* libFuzzer's own */

static uint64_t tried, accepted;

static void report(void) {
    fprintf(stderr, "stat::got_past_the_parser: %.1f %%\n",
            tried > 0 ? 100.0 * (double)accepted / (double)tried : 0.0);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    fuzz_begin();
    atexit(report);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tried++;
    accepted += fuzz_input(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed) {
    Rng rng = rng_stream(1, seed);
    if (rng_below(&rng, 4) == 0) return LLVMFuzzerMutate(data, size, capacity);
    TextBuffer out = {0};
    fuzz_vary((TextView){(const char *)data, size}, &rng, &out);
    const size_t length = out.failed ? size : out.length < capacity ? out.length : capacity;
    if (!out.failed && length > 0) memcpy(data, out.data, length);
    buffer_release(&out);
    return length;
}
