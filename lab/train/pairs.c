#include "lab/train/pairs.h"

#include "base/memory.h"
#include "nnue/evaluate.h"
#include "nnue/kernels.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = WIDTH_MAX / 2 };

/* Which products of pairs are not zero in a sample of positions, each seen from either side. */
typedef struct Activity {
    int pairs;
    size_t sides;                 /* two for each position */
    size_t words;                 /* a bit for each side, in the row of a pair */
    uint64_t *present[PAIRS_MAX]; /* one block of memory, at [0] */
    int order[PAIRS_MAX];         /* the pair that comes first, second, ... */
} Activity;

static void note_side(Activity *activity, const int16_t *units, size_t side) {
    for (int pair = 0; pair < activity->pairs; pair++) {
        const int product =
            int_clamp(units[pair], 0, HIDDEN_ONE) * int_clamp(units[activity->pairs + pair], 0, HIDDEN_ONE);
        if (product < 1 << (PRODUCT_SHIFT - 1)) continue; /* rounded to zero */
        activity->present[pair][side / 64] |= 1ull << side % 64;
    }
}

static Status activity_measure(const Network *network, const TrainingPosition *positions, size_t count,
                               Activity *activity) {
    *activity =
        (Activity){.pairs = network_width(network) / 2, .sides = 2 * count, .words = (2 * count + 63) / 64};
    const size_t bytes = (size_t)activity->pairs * activity->words * sizeof(uint64_t);
    activity->present[0] = memory_allocate(bytes + 1);
    if (activity->present[0] == NULL) return status_no_memory("the activity of hidden units");
    memset(activity->present[0], 0, bytes);
    for (int pair = 0; pair < activity->pairs; pair++) {
        activity->present[pair] = activity->present[0] + (size_t)pair * activity->words;
        activity->order[pair] = pair;
    }
    for (size_t side = 0; side < activity->sides; side++) {
        Position pos;
        loader_unpack(&positions[side / 2], &pos);
        alignas(KERNEL_ALIGNMENT) int16_t units[WIDTH_MAX];
        evaluator_compute_units(network, &pos, side % 2 ? BLACK : WHITE, units);
        note_side(activity, units, side);
    }
    return status_ok();
}

/* From how many sides the group of four at this place in the order is not all zero. */
static int group_count(const Activity *activity, int group) {
    const int *four = activity->order + group * LAYER1_GROUP;
    const uint64_t *a = activity->present[four[0]], *b = activity->present[four[1]];
    const uint64_t *c = activity->present[four[2]], *d = activity->present[four[3]];
    int count = 0;
    for (size_t i = 0; i < activity->words; i++) count += bits_count(a[i] | b[i] | c[i] | d[i]);
    return count;
}

static int pair_count(const Activity *activity, int pair) {
    int count = 0;
    for (size_t i = 0; i < activity->words; i++) count += bits_count(activity->present[pair][i]);
    return count;
}

static double share_of(const Activity *activity) {
    const int groups = activity->pairs / LAYER1_GROUP;
    double sum = 0;
    for (int group = 0; group < groups; group++) sum += group_count(activity, group);
    return sum / ((double)groups * (double)activity->sides);
}

static void swap(int *a, int *b) {
    const int kept = *a;
    *a = *b;
    *b = kept;
}

/* Tries each exchange of a pair for another of a later group; whether one helped. */
static bool improve(Activity *activity) {
    bool improved = false;
    for (int i = 0; i < activity->pairs; i++) {
        for (int j = (i / LAYER1_GROUP + 1) * LAYER1_GROUP; j < activity->pairs; j++) {
            const int one = i / LAYER1_GROUP, other = j / LAYER1_GROUP;
            const int before = group_count(activity, one) + group_count(activity, other);
            swap(&activity->order[i], &activity->order[j]);
            if (group_count(activity, one) + group_count(activity, other) < before)
                improved = true;
            else
                swap(&activity->order[i], &activity->order[j]);
        }
    }
    return improved;
}

typedef struct CountedPair {
    int count, pair;
} CountedPair;

static int compare_counts(const void *a, const void *b) {
    const CountedPair *one = a, *other = b;
    return one->count != other->count ? one->count - other->count : one->pair - other->pair;
}

/* By how often they are present; then pairs are exchanged as long as that helps. */
static void find_order(Activity *activity) {
    CountedPair counted[PAIRS_MAX];
    for (int pair = 0; pair < activity->pairs; pair++)
        counted[pair] = (CountedPair){pair_count(activity, pair), pair};
    qsort(counted, (size_t)activity->pairs, sizeof *counted, compare_counts);
    for (int i = 0; i < activity->pairs; i++) activity->order[i] = counted[i].pair;
    while (improve(activity)) continue;
}

/* A row of numbers for all hidden units. */
static void sort_row(const Activity *activity, const int16_t *from, int16_t *to) {
    for (int i = 0; i < activity->pairs; i++) {
        to[i] = from[activity->order[i]];
        to[activity->pairs + i] = from[activity->pairs + activity->order[i]];
    }
}

static void sort_layer(const Activity *activity, const LayerWeights *from, LayerWeights *to) {
    *to = *from;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < activity->pairs; i++)
            for (int unit = 0; unit < LAYER1_UNITS; unit++)
                to->first[layer1_index(half * activity->pairs + i, unit)] =
                    from->first[layer1_index(half * activity->pairs + activity->order[i], unit)];
}

static Network *sorted_network(const Network *network, const Activity *activity, Status *status) {
    const NetworkWeights *weights = network_weights(network);
    const size_t width = (size_t)weights->width, rows = (size_t)weights->king_buckets * INPUT_COUNT;
    int16_t *feature = memory_allocate(rows * width * sizeof *feature);
    int16_t *bias = memory_allocate(width * sizeof *bias);
    LayerWeights *layers = memory_allocate_aligned((size_t)weights->buckets * sizeof *layers, 64);
    Network *sorted = NULL;
    if (feature != NULL && bias != NULL && layers != NULL) {
        for (size_t row = 0; row < rows; row++)
            sort_row(activity, weights->feature + row * width, feature + row * width);
        sort_row(activity, weights->feature_bias, bias);
        for (int bucket = 0; bucket < weights->buckets; bucket++)
            sort_layer(activity, &weights->layers[bucket], &layers[bucket]);
        NetworkWeights view = *weights;
        view.feature = feature;
        view.feature_bias = bias;
        view.layers = layers;
        sorted = network_create(&view, network_name(network), status);
    } else {
        *status = status_no_memory("the network's weights");
    }
    memory_release_aligned(layers);
    memory_release(bias);
    memory_release(feature);
    return sorted;
}

Network *pairs_sort(const Network *network, const TrainingPosition *positions, size_t count, Status *status) {
    assert(network_shape(network).layers > 0);
    Activity activity;
    Network *sorted = NULL;
    *status = activity_measure(network, positions, count, &activity);
    if (status_is_ok(status)) {
        find_order(&activity);
        sorted = sorted_network(network, &activity, status);
    }
    memory_release(activity.present[0]);
    return sorted;
}

Status pairs_share(const Network *network, const TrainingPosition *positions, size_t count, double *share) {
    Activity activity;
    const Status status = activity_measure(network, positions, count, &activity);
    if (status_is_ok(&status)) *share = share_of(&activity);
    memory_release(activity.present[0]);
    return status;
}
