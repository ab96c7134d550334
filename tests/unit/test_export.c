/* From data to network: the engine evaluates as the trained model does, and training is reproducible. */
#include "base/file.h"
#include "lab/train/checkpoint.h"
#include "lab/train/trainer.h"
#include "lab/train/weights.h"
#include "nnue/evaluate.h"
#include "record_support.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>

static const RecordOrigin ORIGIN = {.nodes = 100};

/* Games whose scores and results follow the material, so there is something to learn. */
static int material(const Position *pos) {
    static const int VALUE[] = {100, 300, 300, 500, 900};
    int sum = 0;
    for (PieceType type = PAWN; type <= QUEEN; type++)
        sum += VALUE[type] * (bits_count(position_pieces(pos, WHITE, type)) -
                              bits_count(position_pieces(pos, BLACK, type)));
    return sum;
}

static void write_material_games(const char *path, int games) {
    static RecordedGame game;
    Status status;
    RecordWriter *writer = record_writer_open(path, NAME_GIVEN, NULL, &status);
    assert_ok(status);
    Rng rng = rng_seed(8);
    for (int i = 0; i < games; i++) {
        recorded_start_standard(&game);
        Position pos = game.start;
        for (int ply = 0; ply < 100; ply++) {
            Move move = test_random_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            Undo undo;
            assert_true(recorded_add(&game, move, material(&pos)));
            position_make_move(&pos, move, &undo);
        }
        int last = material(&pos);
        game.result = last > 150 ? WHITE_WINS : last < -150 ? BLACK_WINS : DRAWN;
        game.end = WIN_ADJUDICATED;
        assert_ok(record_writer_add(writer, &ORIGIN, &game));
    }
    assert_ok(record_writer_close(writer));
}

static char data_path[256], net_path[256];

static int set_up(void **state) {
    test_set_up_chess(state);
    record_path("train.games", data_path);
    record_path("train.nnue", net_path);
    write_material_games(data_path, 400);
    return 0;
}

static void remove_with(const char *ending) {
    char path[300];
    snprintf(path, sizeof path, "%s%s", net_path, ending);
    remove(path);
}

static int tear_down(void **state) {
    (void)state;
    remove(data_path);
    remove(net_path);
    remove_with(".tsv");
    remove_with(".floats");
    remove_with(".checkpoint");
    remove_with(".journal");
    return 0;
}

static char *data_list[] = {data_path};

static TrainSettings small_training(void) {
    TrainSettings settings = {0};
    fields_reset(TRAIN_FIELDS, &settings);
    settings.data = (WordList){data_list, 1};
    settings.out = net_path;
    settings.shape.width = 16;
    settings.epochs = 8;
    settings.batch = 512;
    settings.share = settings.share_end = 0.2;
    settings.rate = 0.005;
    settings.filter.validation = 0.1;
    settings.quiet = true;
    settings.threads = 1;
    return settings;
}

/* From the beginning, whatever was trained before. */
static TextBuffer train(const TrainSettings *settings, TrainReport *report) {
    TextBuffer bytes = {0};
    remove(net_path);
    remove_with(".checkpoint");
    assert_ok(trainer_run(settings, report));
    assert_ok(file_read(net_path, &bytes));
    return bytes;
}

static int value_of(const Network *network, const char *fen) {
    Position pos = test_position(fen);
    Evaluator *evaluator = evaluator_create(network);
    evaluator_reset(evaluator, &pos);
    int value = evaluator_value(evaluator, &pos);
    evaluator_destroy(evaluator);
    return value;
}

static TrainSettings training_with_layers(void) {
    TrainSettings settings = small_training();
    settings.shape.width = LAYER_WIDTH_MIN;
    settings.shape.layers = LAYER_COUNT;
    settings.shape.buckets = 8;
    return settings;
}

/* The wider network overfits: it has eight stacks of layers for few games. */
static void check_it_learns(const TrainSettings *settings, double enough) {
    TrainReport report;
    TextBuffer bytes = train(settings, &report);
    assert_true(report.training > 5000 && report.validation > 300);
    assert_true(report.agreement > 0.6);
    if (report.validation_loss >= enough) fail_msg("loss %f, %f", report.loss, report.validation_loss);
    assert_true(report.check.positions > 300);
    if (report.check.mean > 8 || report.check.largest > 50)
        fail_msg("off by %f, %f", report.check.mean, report.check.largest);
    Status status;
    Network *network = network_load(net_path, &status);
    assert_ok(status);
    assert_true(network_hash(network) == report.network_hash);
    const char *without_white_queen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
    const char *without_black_queen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_true(value_of(network, without_white_queen) < -300);
    assert_true(value_of(network, without_black_queen) > 300);
    assert_true(abs(value_of(network, FEN_START)) < 100);
    network_destroy(network);
    buffer_release(&bytes);
}

static void test_it_learns_the_values_of_pieces(void **state) {
    (void)state;
    const TrainSettings plain = small_training(), layers = training_with_layers();
    check_it_learns(&plain, 0.02);
    check_it_learns(&layers, 0.03);
}

static void test_any_number_of_threads_gives_the_same_bytes(void **state) {
    (void)state;
    for (int run = 0; run < 2; run++) {
        TrainSettings settings = run == 0 ? small_training() : training_with_layers();
        settings.epochs = 1;
        settings.batch = 4096; /* few steps: on a busy machine threads wait long for each other */
        settings.shape.width = run == 0 ? 80 : 128; /* several blocks */
        settings.shape.buckets = 8;
        TrainReport report;
        settings.threads = 1;
        TextBuffer first = train(&settings, &report);
        settings.threads = 3;
        TextBuffer second = train(&settings, &report);
        assert_int_equal(first.length, second.length);
        assert_memory_equal(first.data, second.data, first.length);
        if (run == 0)
            settings.seed = 2;
        else
            settings.average = 0.5;
        TextBuffer other = train(&settings, &report);
        assert_memory_not_equal(first.data, other.data, first.length);
        buffer_release(&first);
        buffer_release(&second);
        buffer_release(&other);
    }
}

/* A pending signal stops the training after its first step. Each resumed run then makes one more step. */
static void check_interrupted_and_resumed(TrainSettings settings) {
    settings.epochs = 1;
    TrainReport report;
    settings.average = 0.9;
    TextBuffer whole = train(&settings, &report);
    uint64_t steps = report.steps;
    assert_true(steps > 5);
    remove(net_path);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    assert_int_equal(raise(SIGTERM), 0);
    for (uint64_t step = 1; step <= 3; step++) {
        assert_ok(trainer_run(&settings, &report));
        assert_true(report.interrupted);
        assert_int_equal(report.steps, step);
        assert_int_equal(file_size(net_path), -1); /* no partial file */
    }
    int number;
    assert_int_equal(sigwait(&set, &number), 0);
    TrainSettings other = settings;
    other.rate = 0.1;
    assert_fails(trainer_run(&other, &report), "is of another training: 'rate=0.005");
    TextBuffer resumed = {0};
    assert_ok(trainer_run(&settings, &report));
    assert_ok(file_read(net_path, &resumed));
    assert_int_equal(report.steps, steps);
    assert_false(report.was_finished);
    TrainReport again;
    assert_ok(trainer_run(&settings, &again));
    assert_true(again.was_finished);
    assert_int_equal(again.steps, steps);
    assert_true(again.network_hash == report.network_hash);
    assert_int_equal(resumed.length, whole.length);
    assert_memory_equal(resumed.data, whole.data, whole.length);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    buffer_release(&whole);
    buffer_release(&resumed);
}

static void test_interrupted_and_resumed_is_the_same(void **state) {
    (void)state;
    check_interrupted_and_resumed(small_training());
    check_interrupted_and_resumed(training_with_layers());
}

/* Training that starts from a network and changes nothing ends with its weights; a wider network with its
 * values. */
static void test_a_network_can_be_the_beginning(void **state) {
    (void)state;
    TrainSettings settings = small_training();
    settings.shape.buckets = 8;
    settings.epochs = 2;
    TrainReport report, again;
    char start[256], floats[300];
    record_path("start.nnue", start);
    TextBuffer first = train(&settings, &report);
    assert_ok(file_write(start, first.data, first.length));
    settings.start = start;
    settings.rate = settings.rate_end = 1e-9;
    TextBuffer second = train(&settings, &again);
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.data, second.data, first.length);
    assert_true(fabs(again.validation_loss - report.validation_loss) < 1e-4);

    settings.shape.width = 48;
    TextBuffer wide = train(&settings, &again);
    assert_true(wide.length > 2 * first.length);
    assert_true(fabs(again.validation_loss - report.validation_loss) < 1e-4);

    settings.shape.king_buckets = 4;
    TextBuffer kings = train(&settings, &again);
    assert_true(kings.length > 3 * wide.length);
    assert_true(fabs(again.validation_loss - report.validation_loss) < 1e-4);
    if (again.check.mean > 8) fail_msg("off by %f", again.check.mean);
    assert_ok(file_write(start, kings.data, kings.length)); /* without the common part */
    TextBuffer further = train(&settings, &again);
    assert_memory_equal(further.data, kings.data, kings.length);
    assert_ok(file_write(start, first.data, first.length));

    settings.shape.king_buckets = 1;
    settings.rate = 0.001;
    settings.shape.width = 16;
    TextBuffer better = train(&settings, &again);
    assert_memory_not_equal(first.data, better.data, first.length);
    assert_true(again.loss < report.loss);

    remove(net_path);
    settings.shape.width = 8;
    assert_fails(trainer_run(&settings, &again),
                 "width 16 with 8 buckets, 1 king buckets and 0 layers: no way to 8 with 8");
    settings.shape.width = LAYER_WIDTH_MIN;
    settings.shape.layers = LAYER_COUNT;
    assert_fails(trainer_run(&settings, &again), "no way to 128 with 8, 1 and 2");
    settings.start = "nowhere.nnue";
    assert_fails(trainer_run(&settings, &again), "nowhere.nnue");
    snprintf(floats, sizeof floats, "%s.floats", start);
    remove(floats);
    buffer_release(&first);
    buffer_release(&second);
    buffer_release(&wide);
    buffer_release(&kings);
    buffer_release(&further);
    buffer_release(&better);
    remove(start);
}

/* With layers: more pairs, output buckets and king buckets change no value at first. */
static void test_a_network_with_layers_can_be_the_beginning(void **state) {
    (void)state;
    TrainSettings settings = training_with_layers();
    settings.shape.buckets = 1;
    settings.epochs = 2;
    TrainReport report, again;
    char start[256];
    record_path("start.nnue", start);
    TextBuffer first = train(&settings, &report);
    assert_ok(file_write(start, first.data, first.length));
    settings.start = start;
    settings.rate = settings.rate_end = 1e-9;
    TextBuffer second = train(&settings, &again);
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.data, second.data, first.length);
    assert_true(fabs(again.validation_loss - report.validation_loss) < 1e-4);
    settings.shape.width = 256;
    settings.shape.buckets = 8;
    settings.shape.king_buckets = 4;
    TextBuffer wide = train(&settings, &again);
    assert_true(wide.length > 4 * first.length);
    assert_true(fabs(again.validation_loss - report.validation_loss) < 1e-4);
    if (again.check.mean > 8) fail_msg("off by %f", again.check.mean);
    settings.rate = 0.001;
    TextBuffer better = train(&settings, &again);
    assert_memory_not_equal(wide.data, better.data, wide.length);
    assert_true(again.loss < report.loss);
    buffer_release(&first);
    buffer_release(&second);
    buffer_release(&wide);
    buffer_release(&better);
    remove(start);
}

/* Weights before rounding are restored exactly; damage is detected. */
static void check_kept_weights(const char *path, NetworkShape network, Weights *weights) {
    const ModelShape shape = model_shape(network);
    float *written = memory_allocate(shape.count * sizeof(float));
    float *back = memory_allocate(shape.count * sizeof(float));
    Rng rng = rng_seed(3);
    for (int unit = 0; unit < shape.width; unit++)
        for (size_t row = 0; row < shape.rows; row++)
            written[model_unit(&shape, unit, row)] = (float)rng_unit(&rng);
    for (size_t i = shape.tail; i < shape.count; i++) written[i] = (float)rng_unit(&rng);
    assert_ok(weights_write(path, &shape, written));
    assert_ok(weights_read(path, weights));
    assert_ok(weights_begin(weights, &shape, 9, back));
    for (int unit = 0; unit < shape.width; unit++)
        for (size_t row = 0; row < shape.rows; row++)
            assert_true(back[model_unit(&shape, unit, row)] == written[model_unit(&shape, unit, row)]);
    assert_memory_equal(back + shape.tail, written + shape.tail, (shape.count - shape.tail) * sizeof(float));
    memory_release(written);
    memory_release(back);
}

static void test_weights_are_kept_exactly(void **state) {
    (void)state;
    char path[256];
    record_path("weights", path);
    Weights weights;
    check_kept_weights(path, (NetworkShape){128, 8, 4, LAYER_COUNT}, &weights);
    weights_release(&weights);
    check_kept_weights(path, (NetworkShape){40, 8, 4, 0}, &weights);
    const ModelShape one = model_shape((NetworkShape){40, 1, 4, 0});
    assert_fails(weights_begin(&weights, &one, 9, NULL),
                 "width 40 with 8 buckets, 4 king buckets and 0 layers: no way to 40 with 1, 4");
    weights_release(&weights);

    TextBuffer bytes = {0};
    assert_ok(file_read(path, &bytes));
    bytes.data[100] ^= 1;
    assert_ok(file_write(path, bytes.data, bytes.length));
    assert_fails(weights_read(path, &weights), "checksum");
    weights_release(&weights);
    assert_ok(file_write(path, bytes.data, bytes.length - 4));
    assert_fails(weights_read(path, &weights), "wrong size");
    weights_release(&weights);
    buffer_release(&bytes);
    remove(path);
}

static void test_packed_weights_are_kept_to_their_step(void **state) {
    (void)state;
    char path[256], packed[256];
    record_path("weights", path);
    record_path("packed", packed);
    const NetworkShape shapes[] = {{128, 8, 4, LAYER_COUNT}, {40, 8, 1, 0}};
    for (int k = 0; k < 2; k++) {
        Weights exact, kept;
        check_kept_weights(path, shapes[k], &exact);
        remove(packed);
        assert_ok(weights_pack(packed, false, path));
        assert_ok(weights_read(packed, &kept));
        assert_int_equal(kept.shape.layers, exact.shape.layers);
        assert_int_equal(kept.shape.count, exact.shape.count);
        for (size_t i = 0; i < exact.shape.rows * (size_t)exact.shape.width; i++)
            assert_true(fabsf(kept.values[i] - exact.values[i]) <= 0.5f / 16384);
        assert_true(file_size(packed) - 24 == (file_size(path) - 24) / 2);
        assert_fails(weights_pack(path, false, packed), "is there already; --again replaces it");
        remove(path);
        assert_ok(weights_pack(path, false, packed)); /* packing again changes nothing */
        weights_release(&exact);
        assert_ok(weights_read(path, &exact));
        assert_memory_equal(exact.values, kept.values,
                            exact.shape.rows * (size_t)exact.shape.width * sizeof(float));
        weights_release(&exact);
        weights_release(&kept);
    }
    TextBuffer bytes = {0};
    assert_ok(file_read(packed, &bytes));
    bytes.data[7] = '5';
    assert_ok(file_write(packed, bytes.data, bytes.length));
    assert_fails(weights_pack(path, true, packed), "has no weights of a training");
    buffer_release(&bytes);
    remove(path);
    remove(packed);
}

static void write_floats(const char *path, NetworkShape network, float value) {
    const ModelShape shape = model_shape(network);
    float *parameters = memory_allocate(shape.count * sizeof(float));
    for (size_t i = 0; i < shape.count; i++) parameters[i] = value + (float)(i % 7);
    assert_ok(weights_write(path, &shape, parameters));
    memory_release(parameters);
}

static void test_weights_have_a_mean(void **state) {
    (void)state;
    char path[3][256], mean[256];
    record_path("weights", path[0]);
    record_path("weights2", path[1]);
    record_path("weights3", path[2]);
    record_path("mean", mean);
    const NetworkShape network = {128, 8, 4, LAYER_COUNT};
    for (int i = 0; i < 3; i++) write_floats(path[i], network, (float)(i * i)); /* 0, 1, 4 */
    const char *const inputs[] = {path[0], path[1], path[2]};
    assert_ok(weights_write_mean(mean, false, inputs, 3));
    Weights first, weights;
    assert_ok(weights_read(path[0], &first));
    assert_ok(weights_read(mean, &weights));
    const ModelShape shape = model_shape(network);
    for (size_t i = 0; i < shape.rows * (size_t)shape.width; i++)
        assert_true(fabsf(weights.values[i] - first.values[i] - 5.0f / 3) < 1e-5f);
    weights_release(&first);
    weights_release(&weights);

    write_floats(path[1], (NetworkShape){256, 8, 4, LAYER_COUNT}, 1);
    assert_fails(weights_write_mean(mean, true, inputs, 2), "have not the same shape");
    Status status;
    Network *random = network_create_random(1, network, &status);
    assert_non_null(random);
    assert_ok(network_save(random, path[1]));
    network_destroy(random);
    assert_fails(weights_write_mean(mean, true, inputs, 2), "has no weights of a training");
    for (int i = 0; i < 3; i++) remove(path[i]);
    remove(mean);
}

/* Rounding is undone bit for bit, and affects only the output weights. */
static void check_rounding(NetworkShape network, float one) {
    const ModelShape shape = model_shape(network);
    const size_t size = shape.count * sizeof(float);
    float *parameters = memory_allocate(size), *before = memory_allocate(size);
    float *exact = memory_allocate(export_output_count(&shape) * sizeof(float));
    model_initialise(&shape, parameters, 3);
    memcpy(before, parameters, size);
    export_round_outputs(&shape, parameters, exact);
    for (int unit = 0; unit < shape.width; unit++)
        for (size_t row = 0; row < shape.rows; row++) {
            const size_t i = model_unit(&shape, unit, row);
            const bool output = row >= shape.output_row && row < shape.factor_row;
            assert_true(parameters[i] == (output ? rintf(before[i] * one) / one : before[i]));
        }
    assert_memory_not_equal(parameters, before, size);
    assert_memory_equal(parameters + shape.tail, before + shape.tail, size - shape.tail * sizeof(float));
    export_restore_outputs(&shape, parameters, exact);
    assert_memory_equal(parameters, before, size);
    memory_release(parameters);
    memory_release(before);
    memory_release(exact);
}

static void test_rounded_outputs_are_restored(void **state) {
    (void)state;
    check_rounding((NetworkShape){40, 8, 4, 0}, OUTPUT_ONE);
    check_rounding((NetworkShape){128, 8, 4, LAYER_COUNT}, LAYER1_WEIGHT_ONE);
}

/* The model and the engine compute the same, layer by layer, for random weights. */
static void test_layers_equal_the_model(void **state) {
    (void)state;
    const ModelShape shape = model_shape((NetworkShape){256, 8, 4, LAYER_COUNT});
    float *parameters = memory_allocate_aligned(shape.count * sizeof(float), 64);
    model_initialise(&shape, parameters, 3);
    Rng rng = rng_seed(2);
    for (size_t i = shape.tail; i < shape.count; i++) parameters[i] += (float)(rng_unit(&rng) - 0.5) / 2;
    enum { POSITIONS = 2000 };
    TrainingPosition *positions = memory_allocate(POSITIONS * sizeof *positions);
    Position pos = test_position(FEN_START);
    for (int i = 0; i < POSITIONS; i++) {
        const Move move = test_random_move(&pos, &rng);
        Undo undo;
        if (move == MOVE_NONE || i % 200 == 199)
            pos = test_position(FEN_START);
        else
            position_make_move(&pos, move, &undo);
        loader_pack(&pos, 0, DRAWN, &positions[i]);
    }
    float *exact = memory_allocate(export_output_count(&shape) * sizeof(float));
    export_round_outputs(&shape, parameters, exact);
    Status status;
    ExportCheck check;
    Network *network = export_network(&shape, parameters, "layers", &status);
    assert_ok(status);
    assert_ok(export_check(&shape, parameters, network, positions, POSITIONS, &check));
    if (check.mean > 4 || check.largest > 30) fail_msg("off by %f, %f", check.mean, check.largest);
    network_destroy(network);
    memory_release(positions);
    memory_release(exact);
    memory_release_aligned(parameters);
}

static void test_damaged_checkpoints_are_refused(void **state) {
    (void)state;
    char path[256];
    record_path("checkpoint", path);
    enum { FLOATS = 100 };
    float array[FLOATS], back[FLOATS];
    float *const written[CHECKPOINT_ARRAYS] = {array, array, array, array};
    float *const found[CHECKPOINT_ARRAYS] = {back, back, back, back};
    for (int i = 0; i < FLOATS; i++) array[i] = (float)i;
    Checkpoint checkpoint = {.fingerprint = 5, .step = 9, .floats = FLOATS};
    assert_ok(checkpoint_write(path, &checkpoint, written));
    Checkpoint read = {.fingerprint = 5, .floats = FLOATS};
    assert_ok(checkpoint_read(path, &read, found));
    assert_int_equal(read.step, 9);
    assert_memory_equal(array, back, sizeof array);
    TextBuffer bytes = {0};
    assert_ok(file_read(path, &bytes));
    bytes.data[200] ^= 1;
    assert_ok(file_write(path, bytes.data, bytes.length));
    assert_fails(checkpoint_read(path, &read, found), "checksum");
    assert_ok(file_write(path, "short", 5));
    assert_fails(checkpoint_read(path, &read, found), "no checkpoint");
    buffer_release(&bytes);
    remove(path);
}

static void test_losses_are_written_and_read(void **state) {
    (void)state;
    char path[256];
    record_path("losses", path);
    LossLog log = {0}, back = {0}, again = {0};
    for (uint64_t i = 1; i <= 300; i++)
        losslog_add(&log, &(LossRow){.step = i,
                                     .epoch = (double)i / 10,
                                     .loss = 1.0 / (double)i,
                                     .validation_loss = i % 2 ? 0.5 : (double)NAN,
                                     .rate = 1e-3});
    assert_ok(losslog_write(&log, path));
    assert_ok(losslog_read(&back, path, 200));
    assert_int_equal(back.last.step, 200);
    assert_true(fabs(back.last.loss - 1.0 / 200) < 1e-6 && isnan(back.last.validation_loss));
    assert_memory_equal(back.table.data, log.table.data, back.table.length);
    assert_ok(losslog_read(&again, path, 199));
    assert_true(again.last.step == 199 && again.last.validation_loss == 0.5);
    assert_ok(file_write(path, "step\nnonsense\n", 14));
    assert_fails(losslog_read(&back, path, 200), "line 2");
    buffer_release(&log.table);
    buffer_release(&back.table);
    buffer_release(&again.table);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_learns_the_values_of_pieces),
        cmocka_unit_test(test_any_number_of_threads_gives_the_same_bytes),
        cmocka_unit_test(test_interrupted_and_resumed_is_the_same),
        cmocka_unit_test(test_a_network_can_be_the_beginning),
        cmocka_unit_test(test_a_network_with_layers_can_be_the_beginning),
        cmocka_unit_test(test_layers_equal_the_model),
        cmocka_unit_test(test_weights_are_kept_exactly),
        cmocka_unit_test(test_packed_weights_are_kept_to_their_step),
        cmocka_unit_test(test_weights_have_a_mean),
        cmocka_unit_test(test_rounded_outputs_are_restored),
        cmocka_unit_test(test_damaged_checkpoints_are_refused),
        cmocka_unit_test(test_losses_are_written_and_read),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
