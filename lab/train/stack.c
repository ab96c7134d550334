#include "lab/train/stack.h"

#include <assert.h>
#include <string.h>

/* Positions that share each load of a weight. Places that a smaller group leaves are computed and forgotten.
 */
enum { GROUP = 8 };
enum { PAIR_VECTORS = MODEL_VECTORS / 2 }; /* of the products of a block's pairs */

/* Where layer 1's weights of a half lie in a block's rows. */
static size_t weights_at(const StackBlock *block, int bucket, int half) {
    return block->output_row * MODEL_COLUMNS + (size_t)(2 * bucket + half) * LAYER1_UNITS * STACK_PAIRS;
}

void stack_turn(const StackBlock *block, StackTurned *turned) {
    for (int bucket = 0; bucket < block->buckets; bucket++)
        for (int half = 0; half < 2; half++) {
            const float *from = block->rows + weights_at(block, bucket, half);
            for (int unit = 0; unit < LAYER1_UNITS; unit++)
                for (int pair = 0; pair < STACK_PAIRS; pair++)
                    turned->weight[bucket][half][pair][unit] = from[unit * STACK_PAIRS + pair];
        }
}

/* --- forward --- */

/* The product of the pairs of vector v of a half. */
ALWAYS_INLINE Lanes product_of(const Lanes *units, int v) {
    LaneMask inside;
    return lanes_clamp(units[v], &inside) * lanes_clamp(units[PAIR_VECTORS + v], &inside);
}

/* Hidden sums of a group and the products of their pairs. */
static void multiply_group(const StackBlock *block, const Tile *tile, int first, int count, float *hidden,
                           float (*product)[2][STACK_PAIRS]) {
    const Lanes *rows = (const Lanes *)block->rows, *biases = rows + block->bias_row * MODEL_VECTORS;
    Lanes *out = (Lanes *)hidden + (size_t)first * 2 * MODEL_VECTORS;
    for (int i = 0; i < count; i++)
        for (int half = 0; half < 2; half++, out += MODEL_VECTORS) {
            Lanes sum[MODEL_VECTORS];
            tile_sum_inputs(rows, biases, tile->input[first + i][half], tile->pieces[first + i], sum);
            memcpy(out, sum, sizeof sum);
            for (int v = 0; v < PAIR_VECTORS; v++) {
                const Lanes x = product_of(sum, v);
                memcpy(product[i][half] + v * MODEL_LANES, &x, sizeof x);
            }
        }
}

void stack_forward(const StackBlock *block, const StackTurned *turned, const Tile *tile, float *hidden,
                   float *shares) {
    float product[GROUP][2][STACK_PAIRS] = {0};
    for (int bucket = 0; bucket < block->buckets; bucket++) {
        const int end = tile->bucket_start[bucket + 1];
        for (int first = tile->bucket_start[bucket]; first < end; first += GROUP) {
            const int count = int_min(GROUP, end - first);
            multiply_group(block, tile, first, count, hidden, product);
            Lanes sum[GROUP] = {0};
            for (int half = 0; half < 2; half++)
                for (int pair = 0; pair < STACK_PAIRS; pair++) {
                    Lanes weights;
                    memcpy(&weights, turned->weight[bucket][half][pair], sizeof weights);
                    for (int i = 0; i < GROUP; i++) sum[i] += weights * product[i][half][pair];
                }
            memcpy(shares + (size_t)first * LAYER1_UNITS, sum, (size_t)count * sizeof *sum);
        }
    }
}

/* --- backward --- */

/* The gradient of layer 1's weights: sums over the positions of a bucket stay in registers, for some units at
 * a time. */
static void add_weights_gradient(const StackBlock *block, const Tile *tile, int bucket, const float *errors,
                                 const float *hidden) {
    enum { UNITS = 8 };
    const int begin = tile->bucket_start[bucket], end = tile->bucket_start[bucket + 1];
    for (int half = 0; half < 2; half++) {
        Lanes *gradient = (Lanes *)(block->gradient + weights_at(block, bucket, half));
        for (int v = 0; v < PAIR_VECTORS; v++)
            for (int unit = 0; unit < LAYER1_UNITS; unit += UNITS) {
                Lanes sum[UNITS];
                for (int u = 0; u < UNITS; u++) sum[u] = gradient[(unit + u) * PAIR_VECTORS + v];
                for (int i = begin; i < end; i++) {
                    const Lanes x =
                        product_of((const Lanes *)hidden + (size_t)(2 * i + half) * MODEL_VECTORS, v);
                    for (int u = 0; u < UNITS; u++) sum[u] += x * errors[i * LAYER1_UNITS + unit + u];
                }
                for (int u = 0; u < UNITS; u++) gradient[(unit + u) * PAIR_VECTORS + v] = sum[u];
            }
    }
}

/* The derivatives by the hidden sums of a group, in their place. */
static void derive_group(const StackBlock *block, int bucket, int first, int count,
                         const float (*error)[LAYER1_UNITS], float *hidden, Lanes bias[MODEL_VECTORS]) {
    for (int half = 0; half < 2; half++) {
        const Lanes *weights = (const Lanes *)(block->rows + weights_at(block, bucket, half));
        for (int v = 0; v < PAIR_VECTORS; v++) {
            Lanes sum[GROUP] = {0}; /* derivatives by the products */
            for (int unit = 0; unit < LAYER1_UNITS; unit++)
                for (int i = 0; i < GROUP; i++) sum[i] += weights[unit * PAIR_VECTORS + v] * error[i][unit];
            for (int i = 0; i < count; i++) {
                Lanes *units = (Lanes *)hidden + (size_t)(2 * (first + i) + half) * MODEL_VECTORS;
                Lanes *one = &units[v], *other = &units[PAIR_VECTORS + v];
                LaneMask one_inside, other_inside;
                const Lanes a = lanes_clamp(*one, &one_inside), b = lanes_clamp(*other, &other_inside);
                bias[v] += *one = lanes_keep(sum[i] * b, one_inside);
                bias[PAIR_VECTORS + v] += *other = lanes_keep(sum[i] * a, other_inside);
            }
        }
    }
}

void stack_backward(const StackBlock *block, const Tile *tile, const float *errors, float *hidden) {
    Lanes *biases = (Lanes *)block->gradient + block->bias_row * MODEL_VECTORS;
    Lanes bias[MODEL_VECTORS];
    memcpy(bias, biases, sizeof bias);
    for (int bucket = 0; bucket < block->buckets; bucket++) {
        add_weights_gradient(block, tile, bucket, errors, hidden);
        const int end = tile->bucket_start[bucket + 1];
        for (int first = tile->bucket_start[bucket]; first < end; first += GROUP) {
            const int count = int_min(GROUP, end - first);
            float error[GROUP][LAYER1_UNITS] = {0};
            memcpy(error, errors + (size_t)first * LAYER1_UNITS, (size_t)count * sizeof *error);
            derive_group(block, bucket, first, count, (const float(*)[LAYER1_UNITS])error, hidden, bias);
        }
    }
    memcpy(biases, bias, sizeof bias);
}

/* --- after layer 1 --- */

enum { VECTORS = LAYER2_UNITS / MODEL_LANES };
static_assert((int)LAYER1_UNITS == (int)MODEL_LANES, "layer 1 is one vector");

/* 1 at most, whatever the sign of x. */
static Lanes clamped_square(Lanes x, LaneMask *inside) {
    const Lanes square = x * x, one = (Lanes){0} + 1.0f;
    *inside = square < 1.0f;
    return (Lanes)(((LaneMask)square & *inside) | ((LaneMask)one & ~*inside));
}

float stack_output(const float *numbers, Lanes sums, StackTrace *trace) {
    LaneMask inside;
    const Lanes first = trace->first = sums + *(const Lanes *)(numbers + STACK_FIRST_BIAS);
    const Lanes clamped = lanes_clamp(first, &inside), square = clamped_square(first, &inside);
    memcpy(trace->active, &clamped, sizeof clamped);
    memcpy(trace->active + LAYER1_UNITS, &square, sizeof square);
    const Lanes *rows = (const Lanes *)(numbers + STACK_SECOND);
    Lanes even[VECTORS], odd[VECTORS] = {0}; /* two chains hide the latency */
    for (int v = 0; v < VECTORS; v++) even[v] = ((const Lanes *)(numbers + STACK_SECOND_BIAS))[v];
    for (int input = 0; input < LAYER2_INPUTS; input += 2)
        for (int v = 0; v < VECTORS; v++) {
            even[v] += rows[input * VECTORS + v] * trace->active[input];
            odd[v] += rows[(input + 1) * VECTORS + v] * trace->active[input + 1];
        }
    Lanes total = {0};
    for (int v = 0; v < VECTORS; v++) {
        trace->second[v] = even[v] + odd[v];
        const Lanes active = lanes_clamp(trace->second[v], &inside);
        total += active * active * ((const Lanes *)(numbers + STACK_THIRD))[v];
    }
    return numbers[STACK_THIRD_BIAS] + lanes_total(total);
}

void stack_turn_second(const float *numbers, float *turned) {
    for (int input = 0; input < LAYER2_INPUTS; input++)
        for (int unit = 0; unit < LAYER2_UNITS; unit++)
            turned[unit * LAYER2_INPUTS + input] = numbers[STACK_SECOND + input * LAYER2_UNITS + unit];
}

void stack_output_backward(const float *numbers, const float *turned, const StackTrace *trace, float error,
                           float *gradient, float *errors) {
    Lanes *third_gradient = (Lanes *)(gradient + STACK_THIRD), second_error[VECTORS];
    gradient[STACK_THIRD_BIAS] += error;
    for (int v = 0; v < VECTORS; v++) {
        LaneMask inside;
        const Lanes active = lanes_clamp(trace->second[v], &inside);
        third_gradient[v] += active * active * error;
        second_error[v] =
            lanes_keep(active * ((const Lanes *)(numbers + STACK_THIRD))[v] * (2.0f * error), inside);
        ((Lanes *)(gradient + STACK_SECOND_BIAS))[v] += second_error[v];
    }
    Lanes *second_gradient = (Lanes *)(gradient + STACK_SECOND);
    for (int input = 0; input < LAYER2_INPUTS; input++)
        for (int v = 0; v < VECTORS; v++)
            second_gradient[input * VECTORS + v] += second_error[v] * trace->active[input];
    float unit_error[LAYER2_UNITS];
    memcpy(unit_error, second_error, sizeof second_error);
    Lanes by_clamped = {0}, by_square = {0}; /* what layer 2 takes from layer 1 */
    for (int unit = 0; unit < LAYER2_UNITS; unit++) {
        const Lanes *row = (const Lanes *)(turned + unit * LAYER2_INPUTS);
        by_clamped += row[0] * unit_error[unit];
        by_square += row[1] * unit_error[unit];
    }
    LaneMask clamp_inside, square_inside;
    (void)lanes_clamp(trace->first, &clamp_inside);
    (void)clamped_square(trace->first, &square_inside);
    const Lanes first_error =
        lanes_keep(by_clamped, clamp_inside) + lanes_keep(by_square * trace->first * 2.0f, square_inside);
    *(Lanes *)(gradient + STACK_FIRST_BIAS) += first_error;
    memcpy(errors, &first_error, sizeof first_error);
}
