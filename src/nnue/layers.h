/* The numbers after the hidden units of a network with layers, as arch.h names them: to and from the bytes of
 * the file, and the proof that no sum can leave 32 bits. Pure; any thread may call. */
#ifndef LUFT_NNUE_LAYERS_H
#define LUFT_NNUE_LAYERS_H

#include "base/rng.h"
#include "base/status.h"
#include "nnue/arch.h"

/* Of one bucket of a network of this width: layers_file_size bytes. Return the byte after them. */
uint8_t *layers_encode(const LayerWeights *layers, int width, uint8_t *bytes);
const uint8_t *layers_decode(LayerWeights *layers, int width, const uint8_t *bytes);

/* An error names `bucket`. */
Status layers_prove(const LayerWeights *layers, int width, int bucket);

/* Small random weights: values of some hundred units. */
void layers_randomise(LayerWeights *layers, int width, Rng *rng);

#endif
