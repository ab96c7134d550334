/* The trainer's model: compares its outputs with a simple double-precision version, and its gradient with
 * finite differences. */
#include "chess/game.h"
#include "lab/train/model.h"

#include "record_support.h"

#include <math.h>

enum { POSITIONS = 700 }; /* more than a tile */

static TrainingPosition positions[POSITIONS];
static const TrainingPosition *list[POSITIONS];

static int make_positions(void **state) {
    test_set_up_chess(state);
    Rng rng = rng_seed(4);
    int count = 0;
    while (count < POSITIONS) {
        Position pos = test_position(FEN_START);
        for (int ply = 0; ply < 200 && count < POSITIONS; ply++) {
            Move move = test_random_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            Undo undo;
            position_make_move(&pos, move, &undo);
            if (rng_below(&rng, 4)) continue;
            loader_pack(&pos, (int)rng_below(&rng, 801) - 400,
                        (GameResult)(BLACK_WINS + (int)rng_below(&rng, 3)), &positions[count]);
            list[count] = &positions[count];
            count++;
        }
    }
    return 0;
}

/* A direct implementation of the definition, in double precision. */
static double clamped(double x) { return fmin(fmax(x, 0), 1); }

static void plain_hidden(const ModelShape *shape, const double *parameters, const Position *pos, Color side,
                         double *hidden) {
    const Square king = position_king(pos, side);
    const unsigned flip = input_flip(side, king);
    const int table = shape->king_bucket[input_king_place(side, king)] * INPUT_COUNT;
    for (int unit = 0; unit < shape->width; unit++) {
        hidden[unit] = parameters[model_unit(shape, unit, shape->bias_row)];
        for (Bitboard rest = position_occupied(pos); rest;) {
            Square square = bitboard_pop(&rest);
            int input = input_index(side, flip, position_piece_on(pos, square), square);
            hidden[unit] += parameters[model_unit(shape, unit, (size_t)(table + input))];
        }
        hidden[unit] = clamped(hidden[unit]);
    }
}

/* Searches the index of layer 1's weight for pair `pair` of a half. */
static double layer1_weight(const ModelShape *shape, const double *parameters, int bucket, int half, int pair,
                            int unit) {
    const size_t begin = shape->output_row + (size_t)(2 * bucket + half) * shape->half_rows;
    const int input = half * shape->width / 2 + pair;
    for (size_t row = begin; row < begin + shape->half_rows; row++)
        for (int side = 0; side < 2; side++) {
            const int of = pair + side * shape->width / 2;
            if (model_layer1_unit(shape, of, row) != unit) continue;
            assert_int_equal(model_layer1_input(shape, of, row), input);
            return parameters[model_unit(shape, of, row)];
        }
    fail_msg("no weight for unit %d", unit);
    return 0;
}

static double plain_stack(const ModelShape *shape, const double *parameters, int bucket, double **hidden) {
    const double *tail = parameters + model_tail(shape, bucket);
    double active[LAYER2_INPUTS], output = tail[STACK_THIRD_BIAS];
    for (int unit = 0; unit < LAYER1_UNITS; unit++) {
        double sum = tail[STACK_FIRST_BIAS + unit];
        for (int half = 0; half < 2; half++)
            for (int pair = 0; pair < shape->width / 2; pair++)
                sum += hidden[half][pair] * hidden[half][shape->width / 2 + pair] *
                       layer1_weight(shape, parameters, bucket, half, pair, unit);
        active[unit] = clamped(sum);
        active[LAYER1_UNITS + unit] = fmin(sum * sum, 1);
    }
    for (int unit = 0; unit < LAYER2_UNITS; unit++) {
        double sum = tail[STACK_SECOND_BIAS + unit];
        for (int input = 0; input < LAYER2_INPUTS; input++)
            sum += active[input] * tail[STACK_SECOND + input * LAYER2_UNITS + unit];
        output += clamped(sum) * clamped(sum) * tail[STACK_THIRD + unit];
    }
    return output;
}

static double plain_output(const ModelShape *shape, const double *parameters,
                           const TrainingPosition *position) {
    const int bucket = output_bucket(position->count, shape->buckets);
    static double halves[2][WIDTH_MAX];
    double *hidden[2] = {halves[0], halves[1]}, output = parameters[model_output_bias(shape, bucket)];
    Position pos;
    loader_unpack(position, &pos);
    plain_hidden(shape, parameters, &pos, WHITE, hidden[0]);
    plain_hidden(shape, parameters, &pos, BLACK, hidden[1]);
    if (shape->layers > 0) return plain_stack(shape, parameters, bucket, hidden);
    for (int side = WHITE; side <= BLACK; side++)
        for (int unit = 0; unit < shape->width; unit++) {
            const size_t row = shape->output_row + 2 * (size_t)bucket + (size_t)side;
            output += hidden[side][unit] * hidden[side][unit] * parameters[model_unit(shape, unit, row)];
        }
    return output;
}

static double plain_loss(const ModelShape *shape, const double *parameters, size_t count,
                         ModelTarget target) {
    double loss = 0;
    for (size_t i = 0; i < count; i++) {
        double scale = (double)target.scale, share = (double)target.share;
        double said = 1 / (1 + exp(-plain_output(shape, parameters, list[i]) * 400 / scale));
        double score = 1 / (1 + exp(-(double)list[i]->score / scale));
        double wanted = share * list[i]->result / 2.0 + (1 - share) * score;
        loss += (said - wanted) * (said - wanted);
    }
    return loss;
}

static const ModelTarget HALF = {0.5f, 400};

typedef struct Fixture {
    ModelShape shape;
    ModelWorkspace *workspace;
    float *parameters, *gradient;
    double *plain;
} Fixture;

static Fixture fixture_make(int width, int buckets, int king_buckets, int layers) {
    Fixture f = {.shape = model_shape((NetworkShape){width, buckets, king_buckets, layers})};
    f.workspace = model_workspace_create(NULL, &f.shape, POSITIONS);
    f.parameters = memory_allocate_aligned(f.shape.count * sizeof(float), 64);
    f.gradient = memory_allocate_aligned(f.shape.count * sizeof(float), 64);
    f.plain = memory_allocate(f.shape.count * sizeof(double));
    model_initialise(&f.shape, f.parameters, 5);
    for (size_t i = 0; i < f.shape.count; i++) f.plain[i] = f.parameters[i];
    return f;
}

static void fixture_release(Fixture *f) {
    model_workspace_destroy(f->workspace);
    memory_release_aligned(f->parameters);
    memory_release_aligned(f->gradient);
    memory_release(f->plain);
}

static void test_outputs_are_those_of_the_definition(void **state) {
    (void)state;
    const int widths[] = {1, 8, 16, 40, 64, 128};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        for (int scale = 170; scale <= 400; scale += 230) {
            Fixture f = fixture_make(widths[w], w % 2 ? 8 : 1, w % 3 ? 1 : 4, 0);
            static float outputs[POSITIONS];
            model_evaluate(f.workspace, f.parameters, list, POSITIONS, outputs);
            for (int i = 0; i < POSITIONS; i += 7)
                assert_true(fabs(outputs[i] - plain_output(&f.shape, f.plain, list[i])) < 1e-4);
            const ModelTarget target = {0.3f, (float)scale};
            double loss = model_loss(f.workspace, f.parameters, list, POSITIONS, target);
            assert_true(fabs(loss - plain_loss(&f.shape, f.plain, POSITIONS, target)) < 1e-3 * loss);
            fixture_release(&f);
        }
    }
}

/* With layers: positions of all buckets in mixed order, in a number that fills neither tile nor group. */
static void test_outputs_with_layers_are_those_of_the_definition(void **state) {
    (void)state;
    for (int buckets = 1; buckets <= BUCKETS_MAX; buckets += 7) {
        Fixture f = fixture_make(128, buckets, buckets == 1 ? 4 : 1, LAYER_COUNT);
        Rng rng = rng_seed(3);
        for (size_t i = 0; i < f.shape.count; i++) { /* all buckets differ */
            f.parameters[i] *= 1 + (float)rng_unit(&rng) / 2;
            f.plain[i] = f.parameters[i];
        }
        static float outputs[POSITIONS];
        model_evaluate(f.workspace, f.parameters, list, POSITIONS - 3, outputs);
        for (int i = 0; i < POSITIONS - 3; i += 41)
            assert_true(fabs(outputs[i] - plain_output(&f.shape, f.plain, list[i])) < 1e-4);
        const ModelTarget target = {0.3f, 250};
        const double loss = model_loss(f.workspace, f.parameters, list, 61, target);
        assert_true(fabs(loss - plain_loss(&f.shape, f.plain, 61, target)) < 1e-3 * loss);
        fixture_release(&f);
    }
}

/* Picks a parameter of a kind by the number of the sample. */
static size_t choose_parameter(const ModelShape *shape, int sample, Rng *rng) {
    const int unit = (int)rng_below(rng, (uint64_t)shape->width);
    const int bucket = (int)rng_below(rng, (uint64_t)shape->buckets);
    switch (sample % 4) {
    case 0: return model_tail(shape, bucket) + rng_below(rng, shape->layers > 0 ? STACK_THIRD_BIAS + 1 : 1);
    case 1: return model_unit(shape, unit, shape->bias_row);
    case 2:
        return model_unit(shape, unit,
                          shape->output_row + rng_below(rng, shape->factor_row - shape->output_row));
    default: return model_unit(shape, unit, rng_below(rng, shape->inputs));
    }
}

/* Checks some parameters of every kind, in double precision for meaningful differences. */
static void check_gradient(int width, int buckets, int king_buckets, int layers, ModelTarget target) {
    enum { COUNT = 60, SAMPLES_MAX = 300 };
    const int samples = layers > 0 ? 120 : SAMPLES_MAX;
    const double step = 1e-5;
    Fixture f = fixture_make(width, buckets, king_buckets, layers);
    (void)model_add_gradient(f.workspace, f.parameters, list, COUNT, target, 1.0f, f.gradient);
    Rng rng = rng_seed(6);
    int different_from_zero = 0;
    for (int sample = 0; sample < samples; sample++) {
        const size_t index = choose_parameter(&f.shape, sample, &rng);
        double kept = f.plain[index];
        f.plain[index] = kept + step;
        double above = plain_loss(&f.shape, f.plain, COUNT, target);
        f.plain[index] = kept - step;
        double below = plain_loss(&f.shape, f.plain, COUNT, target);
        f.plain[index] = kept;
        double expected = (above - below) / (2 * step), found = f.gradient[index];
        if (fabs(found - expected) > 1e-4 + 2e-3 * fabs(expected))
            fail_msg("width %d, parameter %zu: gradient %g, by differences %g", width, index, found,
                     expected);
        different_from_zero += fabs(expected) > 1e-3;
    }
    if (different_from_zero <= samples / (king_buckets > 1 || layers > 0 ? 12 : 4))
        fail_msg("only %d of %d gradients are not zero", different_from_zero, samples);
    fixture_release(&f);
}

static void test_gradient_is_that_of_finite_differences(void **state) {
    (void)state;
    check_gradient(8, 1, 1, 0, (ModelTarget){1, 400});
    check_gradient(40, 8, 4, 0, (ModelTarget){0.5f, 250});
    check_gradient(64, 8, 8, 0, (ModelTarget){0.25f, 170});
    check_gradient(128, 1, 1, LAYER_COUNT, (ModelTarget){0.5f, 250});
    check_gradient(128, 8, 4, LAYER_COUNT, (ModelTarget){0.25f, 400});
}

static void test_units_beyond_the_width_stay_zero(void **state) {
    (void)state;
    Fixture f = fixture_make(5, 8, 4, 0);
    (void)model_add_gradient(f.workspace, f.parameters, list, POSITIONS, HALF, 1.0f, f.gradient);
    for (size_t row = 0; row < f.shape.rows; row++) {
        for (int unit = 5; unit < MODEL_COLUMNS; unit++) {
            assert_true(f.parameters[model_unit(&f.shape, unit, row)] == 0);
            assert_true(f.gradient[model_unit(&f.shape, unit, row)] == 0);
        }
    }
    fixture_release(&f);
}

static void test_gradients_add_up(void **state) {
    (void)state;
    Fixture f = fixture_make(32, 8, 1, 0), g = fixture_make(32, 8, 1, 0);
    double whole = model_add_gradient(f.workspace, f.parameters, list, POSITIONS, HALF, 10.0f, f.gradient);
    double first = model_add_gradient(g.workspace, g.parameters, list, 300, HALF, 10.0f, g.gradient);
    double second =
        model_add_gradient(g.workspace, g.parameters, list + 300, POSITIONS - 300, HALF, 10.0f, g.gradient);
    assert_true(fabs(whole - first - second) < 1e-3);
    for (size_t i = 0; i < f.shape.count; i++)
        assert_true(fabs((double)f.gradient[i] - (double)g.gradient[i]) < 1e-4);
    fixture_release(&f);
    fixture_release(&g);
}

static void test_swapped_colours_and_mirroring_change_nothing(void **state) {
    (void)state;
    const char *fens[] = {"2r5/5k2/8/2p5/8/1P6/3Q4/1K6 w - - 0 1",  /* as it is */
                          "5r2/2k5/8/5p2/8/6P1/4Q3/6K1 w - - 0 1",  /* a with h */
                          "1k6/3q4/1p6/8/2P5/8/5K2/2R5 b - - 0 1"}; /* White with Black */
    Fixture f = fixture_make(32, 8, 1, 0);
    TrainingPosition packed[3];
    const TrainingPosition *pointers[3] = {&packed[0], &packed[1], &packed[2]};
    float outputs[3];
    for (int i = 0; i < 3; i++) {
        Position pos = test_position(fens[i]);
        loader_pack(&pos, 0, DRAWN, &packed[i]);
    }
    model_evaluate(f.workspace, f.parameters, pointers, 3, outputs);
    assert_true(fabsf(outputs[0] - outputs[1]) < 1e-5f);
    assert_true(fabsf(outputs[0] - outputs[2]) < 1e-5f);
    fixture_release(&f);
}

/* A change of the common part changes every bucket; a change in a bucket changes only that bucket. */
static void test_king_buckets_have_a_common_part(void **state) {
    (void)state;
    Fixture f = fixture_make(20, 1, 4, 0);
    const ModelShape *shape = &f.shape;
    const size_t common = model_unit(shape, 3, shape->factor_row + 100);
    size_t own[4];
    for (size_t bucket = 0; bucket < 4; bucket++) {
        own[bucket] = model_unit(shape, 3, bucket * INPUT_COUNT + 100);
        assert_true(f.parameters[own[bucket]] == f.parameters[common]); /* all equal at first */
        f.gradient[own[bucket]] = (float)(bucket + 1);
    }
    const float before = f.parameters[common];
    model_split(NULL, shape, 0.5f, f.parameters, f.gradient);
    assert_true(f.gradient[common] == 10 && f.gradient[own[2]] == 3);
    for (size_t bucket = 0; bucket < 4; bucket++) assert_true(f.parameters[own[bucket]] == 0);
    f.parameters[common] += 0.5f;
    f.parameters[own[2]] -= 0.25f;
    f.parameters[own[3]] += 5;
    model_join(NULL, shape, f.parameters);
    assert_true(fabsf(f.parameters[own[0]] - before - 0.5f) < 1e-6f);
    assert_true(fabsf(f.parameters[own[2]] - before - 0.25f) < 1e-6f);
    assert_true(f.parameters[own[3]] == WEIGHT_CLIP);
    const float difference = f.parameters[own[2]] - f.parameters[common];
    model_split(NULL, shape, 0.5f, f.parameters, f.gradient);
    assert_true(fabsf(f.parameters[own[2]] - 0.5f * difference) < 1e-6f && f.parameters[own[0]] == 0);
    fixture_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs_are_those_of_the_definition),
        cmocka_unit_test(test_outputs_with_layers_are_those_of_the_definition),
        cmocka_unit_test(test_gradient_is_that_of_finite_differences),
        cmocka_unit_test(test_units_beyond_the_width_stay_zero),
        cmocka_unit_test(test_gradients_add_up),
        cmocka_unit_test(test_king_buckets_have_a_common_part),
        cmocka_unit_test(test_swapped_colours_and_mirroring_change_nothing),
    };
    return cmocka_run_group_tests(tests, make_positions, NULL);
}
