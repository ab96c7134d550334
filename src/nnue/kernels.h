/* The arithmetic of the network over whole rows of weights, one set of functions for each width. All rows
 * begin on 64 bytes. Results are the same on every machine. Pure but for their outputs; any thread may call.
 */
#ifndef LUFT_NNUE_KERNELS_H
#define LUFT_NNUE_KERNELS_H

#include "nnue/features.h"
#include "nnue/network.h"

#include <stdint.h>

/* Bytes on which every row of weights and every accumulator begins: the widest vector, and a cache line. */
enum { KERNEL_ALIGNMENT = 64 };

typedef struct Kernels {
    const char *name; /* of the instruction set */

    /* to = from + added - removed, in one pass, for the changes of one move: one piece added and one or two
     * removed, or two and two. `feature` is the network's table. */
    void (*update)(const int16_t *feature, const InputChanges *changes, const int16_t *from, int16_t *to);

    /* cache = to = cache + added - removed, any number of each. */
    void (*refresh)(const int16_t *feature, const InputChanges *changes, int16_t *cache, int16_t *to);

    /* The output sum without its bias: both halves clamped, squared and weighted. `weights` holds a row for
     * each. */
    int32_t (*output)(const int16_t *own, const int16_t *other, const int16_t *weights);

    /* The same with layers, its bias included. NULL below LAYER_WIDTH_MIN units. */
    int32_t (*layers)(const int16_t *own, const int16_t *other, const LayerWeights *weights);
} Kernels;

/* The sum from which network_value computes the value, from the accumulators of both sides. */
static inline int32_t kernels_output_sum(const Kernels *kernels, const NetworkWeights *weights, int bucket,
                                         const int16_t *own, const int16_t *other) {
    if (weights->layers != NULL) return kernels->layers(own, other, &weights->layers[bucket]);
    return kernels->output(own, other, weights->output + bucket * 2 * weights->width);
}

/* The name that this instruction set's kernels are built under: the tests build several into one program. */
#ifndef KERNELS_FOR_WIDTH
#define KERNELS_FOR_WIDTH kernels_for_width
#endif

/* For 32, 64, 128, 256, 512, 768 or 1024 units. */
const Kernels *KERNELS_FOR_WIDTH(int width);

#endif
