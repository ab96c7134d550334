/* The shape of Luft's network, its quantisation and its file: what inference and trainer must agree on.
 *
 *   768 inputs --\                       /-- own half,   SCReLU --\
 *   (one piece on >-- feature weights --<                          >-- output weights of one bucket --> value
 *   one square)  /    (same for both)    \-- other half, SCReLU --/
 *
 * Each side sees the board from its own first rank, mirrored so that its king is on files a to d. The side to
 * move's hidden layer comes first. A network may have several tables of feature weights: which one a side
 * uses depends on where its king stands (king buckets). SCReLU is clamp(x, 0, 1) squared. The design follows
 * what most small networks of today use (NNUE: Yu Nasu 2018; perspective halves, SCReLU and mirroring: common
 * practice of open engines).
 *
 * Quantised: a hidden unit of 1.0 is 255, an output weight of 1.0 is 64. An output of 1.0 is 400 internal
 * units.
 *
 * The file, all numbers little-endian, no padding:
 *
 *   offset  bytes          what
 *   0       8              "LuftNNUE"
 *   8       4              version: 1, or 2 with king buckets
 *   12      4              inputs (768)
 *   16      4              width W: hidden units a side, 1 to 1024
 *   20      4              buckets B: 1 or 8
 *   24      4              HIDDEN_ONE (255)
 *   28      4              OUTPUT_ONE (64)
 *   32      8              FNV-1a (64 bits) of the file with these eight bytes zero: the network's hash
 *   40      88             name, UTF-8, zero-terminated and padded with zeros
 *   128     4              version 2 alone: king buckets K, 2 to 8
 *   132     32             version 2 alone: bucket of the own king on a1 .. d1, a2 .. d8, seen from its own
 * side
 *   ...     2 * 768 * K*W  feature weights, int16, [king bucket][input][unit]; K is 1 in version 1
 *           2 * W          feature biases, int16, [unit]
 *           4 * B * W      output weights, int16, [bucket][own, other][unit], each within +-OUTPUT_WEIGHT_MAX
 *           4 * B          output biases, int32, [bucket], 1.0 being OUTPUT_BIAS_ONE
 */
#ifndef LUFT_NNUE_ARCH_H
#define LUFT_NNUE_ARCH_H

#include "chess/types.h"

#include <stdbool.h>
#include <stddef.h>

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

/* The trainer keeps its weights within this, so that a quantised output weight is at most OUTPUT_WEIGHT_MAX.
 */
#define WEIGHT_CLIP 1.98f

enum {
    NETWORK_VERSION = 1,
    NETWORK_VERSION_KINGS = 2,
    NETWORK_HEADER_SIZE = 128,
    NETWORK_KINGS_SIZE = 4 + KING_PLACES, /* what version 2 has behind the header */
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

/* Size of the file of a network of this shape; one king bucket is none. */
static inline size_t network_file_size(int width, int buckets, int king_buckets) {
    const size_t w = (size_t)width, b = (size_t)buckets, k = (size_t)king_buckets;
    const size_t header = NETWORK_HEADER_SIZE + (k > 1 ? (size_t)NETWORK_KINGS_SIZE : 0);
    return header + 2 * (INPUT_COUNT * k * w + w + b * 2 * w) + 4 * b;
}

#endif
