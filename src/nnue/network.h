/* A quantised network in memory: read from a file, from the bytes inside the program, or made by the trainer.
 * Each way to make one checks the shape and proves that no sum can overflow, so the kernels need no checks:
 * hidden sums of the 32 pieces that a position can have stay in 16 bits, all later sums in 32. A Network
 * never changes once made; any number of threads may read it. */
#ifndef LUFT_NNUE_NETWORK_H
#define LUFT_NNUE_NETWORK_H

#include "base/status.h"
#include "base/text.h"
#include "nnue/arch.h"

#include <stddef.h>
#include <stdint.h>

/* The same opaque type that evaluate.h names. */
typedef struct Network Network;

/* The numbers of a network as arch.h orders them; another object owns the memory. */
typedef struct NetworkWeights {
    int width, buckets;
    const int16_t *feature;      /* [king_buckets][INPUT_COUNT][width] */
    const int16_t *feature_bias; /* [width] */
    const int16_t *output;       /* [buckets][2][width]; NULL with layers */
    const int32_t *output_bias;  /* [buckets]; NULL with layers */
    int king_buckets;            /* 1: the same weights wherever the king stands */
    const uint8_t *king_bucket;  /* [KING_PLACES]; not looked at when there is one */
    const LayerWeights *layers;  /* [buckets]; NULL without layers */
} NetworkWeights;

/* The table of feature weights that a side uses whose king stands here. */
static inline const int16_t *network_feature(const NetworkWeights *weights, Color perspective, Square king) {
    const int bucket = weights->king_bucket[input_king_place(perspective, king)];
    return weights->feature + bucket * INPUT_COUNT * weights->width;
}

/* A network of a copy of these weights; `name` is cut to what the header holds. NULL with the reason in
 * *status when the shape does not exist, a sum could overflow, or memory is short. */
Network *network_create(const NetworkWeights *weights, const char *name, Status *status);

/* Whether there is a network of this shape; the reason says what it may be. */
Status network_check_shape(NetworkShape shape);

/* Generation 0: small random weights, the same for the same seed everywhere. NULL as above. */
Network *network_create_random(uint64_t seed, NetworkShape shape, Status *status);

/* Reads the bytes of a network file, copying them. NULL with the reason and the offset in *status. */
Network *network_parse(const void *file, size_t size, Status *status);

/* The same from a file; the reason names it. */
Network *network_load(const char *path, Status *status);

/* The network inside this program; its weights are used where they lie. NULL with the reason if it is
 * refused. */
Network *network_open_embedded(Status *status);

/* NULL is fine. Not while an evaluator uses it. */
void network_destroy(Network *network);

/* Appends the bytes of its file, byte for byte those it was parsed from. Look at out->failed. */
void network_serialise(const Network *network, TextBuffer *out);

/* Writes its file, complete or not at all. */
Status network_save(const Network *network, const char *path);

/* Names the network: the checksum of its file. Game records carry it. */
uint64_t network_hash(const Network *network);
const char *network_name(const Network *network);
int network_width(const Network *network); /* as in the file */
NetworkShape network_shape(const Network *network);

/* The weights as the kernels want them: every row on 64 bytes, the width padded with zeros. */
const NetworkWeights *network_weights(const Network *network);

/* The output of the network in internal units, from the output bucket and kernels_output_sum. */
int network_value(const Network *network, int bucket, int32_t sum);

#endif
