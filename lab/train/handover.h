/* Training outside of luft-lab, on a GPU for instance (lab/train/gpu.py): the positions and the first weights
 * go out as plain files, the trained weights come back and become a network. Called from one thread; it uses
 * all cores itself. */
#ifndef LUFT_TRAIN_HANDOVER_H
#define LUFT_TRAIN_HANDOVER_H

#include "base/status.h"
#include "lab/train/loader.h"
#include "nnue/arch.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct HandoverPositions {
    WordList data; /* files of recorded games */
    const char *out;
    LoaderFilter filter;
    const char *tablebases; /* folders of Syzygy tables, which know labels with few pieces; NULL: none */
    bool again;             /* replace `out` and keep it under another name */
    uint64_t training, validation; /* positions written */
} HandoverPositions;

/* Writes the positions that training would use as TrainingPosition rows, shuffled, those for validation last.
 */
Status handover_write_positions(HandoverPositions *settings);

/* Writes the weights that a training begins with: random ones, or those of `start` (weights_begin). `again`:
 * as above. */
Status handover_write_weights(const char *start, NetworkShape shape, uint64_t seed, const char *out,
                              bool again);

/* Writes the network of a file of weights, rounded as training rounds it; `hash` receives its checksum. */
Status handover_write_network(const char *weights, const char *name, const char *out, bool again,
                              uint64_t *hash);

#endif
