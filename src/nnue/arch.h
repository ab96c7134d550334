/* The shape of Luft's network, its quantisation and its file: what inference and trainer must agree on.
 *
 *   768 inputs --\                       /-- own half   --\
 *   (one piece on >-- feature weights --<                  >-- the rest, of one bucket       --> value
 *   one square)  /    (same for both)    \-- other half --/
 *
 * Each side sees the board from its own first rank, mirrored so that its king is on files a to d. The side to
 * move's hidden layer comes first. A network may have several tables of feature weights: which one a side
 * uses depends on where its king stands (king buckets). The design follows what most small networks of today
 * use (NNUE: Yu Nasu 2018; perspective halves, SCReLU and mirroring: common practice of open engines).
 *
 * After the hidden units of both halves comes one of two things, once for each output bucket:
 *
 *   no layers    SCReLU, which is clamp(x, 0, 1) squared, and output weights
 *   two layers   products of pairs of clamped units, unit i with unit i + W/2; 16 units, each of which goes
 * on clamped and squared; 32 units, clamped and squared; output weights (as in Stockfish since 2022, whose
 * sizes these are)
 *
 * Quantised: a hidden unit of 1.0 is 255, an output weight of 1.0 is 64. An output of 1.0 is 400 internal
 * units. The scales of the layers are below.
 *
 * The file, all numbers little-endian, no padding:
 *
 *   offset  bytes          what
 *   0       8              "LuftNNUE"
 *   8       4              version: 1, 2 with king buckets, 3 with layers
 *   12      4              inputs (768)
 *   16      4              width W: hidden units a side, 1 to 1024; with layers 128, 256, 512, 768 or 1024
 *   20      4              buckets B: 1 or 8
 *   24      4              HIDDEN_ONE (255)
 *   28      4              OUTPUT_ONE (64)
 *   32      8              FNV-1a (64 bits) of the file with these eight bytes zero: the network's hash
 *   40      88             name, UTF-8, zero-terminated and padded with zeros
 *   128     4              versions 2 and 3: king buckets K, 2 to 8, in version 3 also 1
 *   132     32             versions 2 and 3: bucket of the own king on a1 .. d1, a2 .. d8, seen from its own
 *                          side; zeros when there is one
 *   164     8              version 3: units of the two layers (16, 32)
 *   ...     2 * 768 * K*W  feature weights, int16, [king bucket][input][unit]; K is 1 in version 1
 *           2 * W          feature biases, int16, [unit]
 *
 * then in versions 1 and 2
 *
 *           4 * B * W      output weights, int16, [bucket][own, other][unit], each within +-OUTPUT_WEIGHT_MAX
 *           4 * B          output biases, int32, [bucket], 1.0 being OUTPUT_BIAS_ONE
 *
 * or in version 3 for each bucket the numbers of LayerWeights, one after the other.
 */
#ifndef LUFT_NNUE_ARCH_H
#define LUFT_NNUE_ARCH_H

#include "chess/types.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INPUT_COUNT = 768, /* 2 sides x 6 types x 64 squares */
    WIDTH_MIN = 1,     /* of a file; in memory the next that kernels.h has, with zeros in the added units */
    WIDTH_PADDED_MIN = 32,
    WIDTH_MAX = 1024,
    BUCKETS_MAX = 8,
    KING_BUCKETS_MAX = 8,
    KING_PLACES = 32, /* where a side sees its own king: files a to d */
    PIECES_MAX = 32 /* no legal position has more; in network and trainer, pawns and kings are pieces, too */
};

enum {
    HIDDEN_ONE = 255,        /* feature weights, biases and hidden units: 1.0 */
    OUTPUT_ONE = 64,         /* output weights: 1.0 */
    OUTPUT_WEIGHT_MAX = 127, /* so that unit * weight fits 16 bits */
    OUTPUT_BIAS_ONE = HIDDEN_ONE * HIDDEN_ONE * OUTPUT_ONE, /* output sum and bias: 1.0 */
    VALUE_MAX = 29000, /* internal units: of any evaluation, far inside the scores of mate */
    VALUE_ONE = 400,   /* internal units of an output of 1.0: win probability is sigmoid(value / 400) */
    OUTPUT_DIVISOR = OUTPUT_BIAS_ONE / VALUE_ONE /* from output sum to internal units: 10404, exact */
};

/* With layers. Products fit a byte, and two of them times a weight each fit 16 bits (an instruction of AVX2
 * adds such pairs and would cut off what does not). The 16 sums are cut to +-LAYER1_ONE before they are
 * squared: from there on, all numbers that are multiplied have 16 bits, and all sums 32. */
enum {
    LAYER_COUNT = 2,
    LAYER_WIDTH_MIN = 128, /* of the hidden layer: its pairs are whole vectors */
    PRODUCT_SHIFT = 9,     /* of a product of two hidden units, rounded to nearest: at most PRODUCT_MAX */
    PRODUCT_MAX = 127,
    LAYER1_UNITS = 16,
    LAYER1_GROUP = 4, /* inputs that are multiplied together, or not at all where all are zero */
    LAYER1_WEIGHT_MAX = 127,
    LAYER1_ONE = 1 << 13,  /* sums and biases of the first layer: 1.0 */
    CLIP1_SHIFT = 3,       /* what goes on: the sum clamped to 0 .. 1.0, */
    SQUARE1_SHIFT = 16,    /* and its square, */
    ACTIVE1_ONE = 1 << 10, /* both with this 1.0 */
    LAYER2_INPUTS = 2 * LAYER1_UNITS,
    LAYER2_UNITS = 32,
    LAYER2_WEIGHT_ONE = 1 << 10,
    LAYER2_ONE = ACTIVE1_ONE * LAYER2_WEIGHT_ONE,
    CLIP2_SHIFT = 8, /* before squaring */
    SQUARE2_SHIFT = 12,
    ACTIVE2_ONE = 1 << 12,
    LAYER3_WEIGHT_ONE = 1 << 10,
    LAYER3_ONE = ACTIVE2_ONE * LAYER3_WEIGHT_ONE /* the output of the network: 1.0 */
};

/* 1.0 of a weight of the first layer: its sums of products, 1.0 being 255 * 255 / 512, shall have the 1.0
 * above. No integer, since no sum is ever divided by it. */
#define LAYER1_WEIGHT_ONE ((float)LAYER1_ONE * (1 << PRODUCT_SHIFT) / (HIDDEN_ONE * HIDDEN_ONE))

/* What follows the hidden units in one output bucket of a network with layers. The weights lie as the
 * vector instructions take them, in memory as in the file: four inputs (layer 1) or two (layer 2) are
 * repeated in all lanes, and each unit has a lane. */
typedef struct LayerWeights {
    alignas(64) int8_t first[WIDTH_MAX * LAYER1_UNITS]; /* see layer1_index; own pairs, then the other's */
    alignas(64) int32_t first_bias[LAYER1_UNITS];
    alignas(64) int16_t second[LAYER2_INPUTS * LAYER2_UNITS]; /* see layer2_index; clamped, then squared */
    alignas(64) int32_t second_bias[LAYER2_UNITS];
    alignas(64) int16_t third[LAYER2_UNITS];
    int32_t third_bias;
} LayerWeights;

static inline int layer1_index(int input, int unit) {
    return (input / LAYER1_GROUP * LAYER1_UNITS + unit) * LAYER1_GROUP + input % LAYER1_GROUP;
}
static inline int layer2_index(int input, int unit) {
    return (input / 2 * LAYER2_UNITS + unit) * 2 + input % 2;
}

/* The trainer keeps its weights within this, so that a quantised output weight is at most OUTPUT_WEIGHT_MAX.
 */
#define WEIGHT_CLIP 1.98f

enum {
    NETWORK_VERSION = 1,
    NETWORK_VERSION_KINGS = 2,
    NETWORK_VERSION_LAYERS = 3,
    NETWORK_HEADER_SIZE = 128,
    NETWORK_KINGS_SIZE = 4 + KING_PLACES, /* what versions 2 and 3 have after the header */
    NETWORK_LAYERS_SIZE = 8,              /* what version 3 has after that */
    NETWORK_HASH_OFFSET = 32,
    NETWORK_NAME_OFFSET = 40,
    NETWORK_NAME_CAPACITY = NETWORK_HEADER_SIZE - NETWORK_NAME_OFFSET /* terminator included */
};

/* Whether a side whose king stands here sees the board mirrored (a with h). */
static inline bool input_mirrored(Square king) { return (king & 4) != 0; }

/* What to exclusive-or squares with to see them as `perspective` does, its king on `king`. */
static inline unsigned input_flip(Color perspective, Square king) {
    return (perspective == BLACK ? 56u : 0u) ^ (input_mirrored(king) ? 7u : 0u);
}

/* The input of `piece` on `square`, 0 to 767, for a perspective with this flip: own pawns, knights, bishops,
 * rooks, queens, king, then the other side's; 64 squares each. */
static inline int input_index(Color perspective, unsigned flip, Piece piece, Square square) {
    unsigned plane = (unsigned)piece_type(piece) + (piece_color(piece) == perspective ? 0u : 6u);
    return (int)(plane * SQUARE_COUNT + ((unsigned)square ^ flip));
}

/* The place of a king as its own side sees it: a1 .. d1, a2 .. d8. */
static inline int input_king_place(Color perspective, Square king) {
    const unsigned seen = (unsigned)king ^ input_flip(perspective, king);
    return (int)(seen / 8 * 4 + seen % 8);
}

/* The output bucket of a position with this many pieces: 2-5, 6-9, ... 30-32 for eight buckets. */
static inline int output_bucket(int pieces, int buckets) { return (pieces - 2) * buckets / PIECES_MAX; }

/* Whether a network of this width may have layers. */
static inline bool network_layers_fit(int width) {
    return width == 128 || width == 256 || width == 512 || width == 768 || width == 1024;
}

/* What a network is made of. */
typedef struct NetworkShape {
    int width, buckets;
    int king_buckets; /* 1: none */
    int layers;       /* 0 or LAYER_COUNT */
} NetworkShape;

/* Sizes in bytes: of the numbers of LayerWeights in the file, and of a whole file. */
static inline size_t layers_file_size(int width) {
    return (size_t)width * LAYER1_UNITS + 4 * LAYER1_UNITS + 2 * LAYER2_INPUTS * LAYER2_UNITS +
           4 * LAYER2_UNITS + 2 * LAYER2_UNITS + 4;
}
static inline size_t network_header_size(const NetworkShape *shape) {
    if (shape->layers > 0) return NETWORK_HEADER_SIZE + NETWORK_KINGS_SIZE + NETWORK_LAYERS_SIZE;
    return NETWORK_HEADER_SIZE + (shape->king_buckets > 1 ? (size_t)NETWORK_KINGS_SIZE : 0);
}
static inline size_t network_file_size(const NetworkShape *shape) {
    const size_t w = (size_t)shape->width, b = (size_t)shape->buckets, k = (size_t)shape->king_buckets;
    const size_t after = shape->layers > 0 ? layers_file_size(shape->width) : 2 * 2 * w + 4;
    return network_header_size(shape) + 2 * (INPUT_COUNT * k * w + w) + b * after;
}

#endif
