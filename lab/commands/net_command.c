/* luft-lab net: makes, shows, times, measures, sorts and mixes networks. */
#include "base/file.h"
#include "base/memory.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/ownership.h"
#include "lab/net/measure.h"
#include "lab/train/export.h"
#include "lab/train/pairs.h"
#include "lab/train/trainer.h"
#include "lab/train/weights.h"
#include "nnue/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SORT_POSITIONS = 10000 };

typedef struct NetArguments {
    const char *file;
    WordList files;
    uint64_t seed;
    NetworkShape shape;
    double seconds;
    const char *results; /* NULL: no file of results */
    bool again;          /* replace a file that is there, and keep the old one */
} NetArguments;

/* A random network, as rows of a table. */
#define RANDOM_ROWS                                                                                         \
    {FIELD_WHOLE("seed", "N", seed, 0, FIELD_UNLIMITED, "1", "of the random weights")},                     \
        {NETWORK_WIDTH(shape, "256")}, {NETWORK_BUCKETS(shape, "8")}, {NETWORK_KING_BUCKETS(shape, "1")}, { \
        NETWORK_LAYERS(shape, "0")                                                                          \
    }

static Network *random_network(const NetArguments *arguments, Status *status) {
    return network_create_random(arguments->seed, arguments->shape, status);
}

/* Refuses what is no network, and a network without --again. */
static Status check_new_network(const char *path, bool again) {
    const Status status = export_check_output(path);
    return status_is_ok(&status) ? ownership_check_new(path, again) : status;
}

static Status save_new_network(const Network *network, const char *path, bool again) {
    Status status = ownership_make_room(path, again);
    if (status_is_ok(&status)) status = network_save(network, path);
    if (status_is_ok(&status)) text_printf(stdout, "%s: hash %016" PRIx64 "\n", path, network_hash(network));
    return status;
}

/* Other widths are legal, but the kernels compute the added units, too. */
static void warn_of_width(const Network *network) {
    const int width = network_width(network), computed = network_weights(network)->width;
    if (width != computed)
        text_printf(stderr, "note: a net of width %d is computed as one of %d, and is no faster\n", width,
                    computed);
}

static Status run_random(void *context) {
    const NetArguments *arguments = context;
    Status status = check_new_network(arguments->file, arguments->again);
    if (!status_is_ok(&status)) return status;
    Network *network = random_network(arguments, &status);
    if (network == NULL) return status;
    status = save_new_network(network, arguments->file, arguments->again);
    if (status_is_ok(&status)) warn_of_width(network);
    network_destroy(network);
    return status;
}

static void print_heading(const Network *network) {
    text_printf(stdout, "name      %s\n", network_name(network));
    text_printf(stdout, "hash      %016" PRIx64 "\n", network_hash(network));
    const NetworkShape shape = network_shape(network);
    text_printf(stdout, "width     %d\n", shape.width);
    text_printf(stdout, "buckets   %d\n", shape.buckets);
    text_printf(stdout, "kings     %d\n", shape.king_buckets);
    text_printf(stdout, "layers    %d\n", shape.layers);
}

typedef struct Range {
    int low, high, zeros, count;
} Range;

static void range_add(Range *range, int number) {
    range->low = range->count > 0 ? int_min(range->low, number) : number;
    range->high = range->count > 0 ? int_max(range->high, number) : number;
    range->zeros += number == 0;
    range->count++;
}

static void print_range(const char *what, const Range *range, double one) {
    text_printf(stdout, "%-9s %.3f to %.3f, %.1f %% zero\n", what, range->low / one, range->high / one,
                100.0 * range->zeros / range->count);
}

static void print_numbers(const char *what, const int16_t *numbers, int count, double one) {
    Range range = {0};
    for (int i = 0; i < count; i++) range_add(&range, numbers[i]);
    print_range(what, &range, one);
}

static void print_outputs(const NetworkWeights *weights) {
    print_numbers("outputs", weights->output, 2 * weights->buckets * weights->width, OUTPUT_ONE);
    text_printf(stdout, "constants");
    for (int i = 0; i < weights->buckets; i++)
        text_printf(stdout, " %.3f", (double)weights->output_bias[i] / OUTPUT_BIAS_ONE);
    text_printf(stdout, "\n");
}

static void print_layers(const NetworkWeights *weights) {
    Range first = {0}, second = {0}, third = {0};
    for (int bucket = 0; bucket < weights->buckets; bucket++) {
        const LayerWeights *layers = &weights->layers[bucket];
        for (int i = 0; i < weights->width * LAYER1_UNITS; i++) range_add(&first, layers->first[i]);
        for (int i = 0; i < LAYER2_INPUTS * LAYER2_UNITS; i++) range_add(&second, layers->second[i]);
        for (int i = 0; i < LAYER2_UNITS; i++) range_add(&third, layers->third[i]);
    }
    print_range("layer 1", &first, (double)LAYER1_WEIGHT_ONE);
    print_range("layer 2", &second, LAYER2_WEIGHT_ONE);
    print_range("outputs", &third, LAYER3_WEIGHT_ONE);
    text_printf(stdout, "constants");
    for (int i = 0; i < weights->buckets; i++)
        text_printf(stdout, " %.3f", (double)weights->layers[i].third_bias / LAYER3_ONE);
    text_printf(stdout, "\n");
}

static Status run_show(void *context) {
    const char *path = ((NetArguments *)context)->file;
    Status status;
    Network *network = path == NULL ? network_open_embedded(&status) : network_load(path, &status);
    if (network == NULL) return status;
    const NetworkWeights *weights = network_weights(network);
    print_heading(network);
    const NetworkShape shape = network_shape(network);
    text_printf(stdout, "bytes     %zu\n", network_file_size(&shape));
    print_numbers("features", weights->feature, weights->king_buckets * INPUT_COUNT * weights->width,
                  HIDDEN_ONE);
    print_numbers("biases", weights->feature_bias, weights->width, HIDDEN_ONE);
    if (weights->layers != NULL)
        print_layers(weights);
    else
        print_outputs(weights);
    network_destroy(network);
    return status_ok();
}

static Status run_speed(void *context) {
    const NetArguments *arguments = context;
    const char *path = arguments->file;
    Status status;
    Network *network = path == NULL ? random_network(arguments, &status) : network_load(path, &status);
    if (network == NULL) return status;
    EvalSpeed speed = {0};
    status = evalspeed_measure(network, arguments->seconds, &speed);
    if (status_is_ok(&status)) {
        print_heading(network);
        text_printf(stdout, "kernels   %s\n", kernels_for_width(network_weights(network)->width)->name);
        text_printf(stdout, "refreshed   %6.1f ns\n", speed.refreshed);
        text_printf(stdout, "incremental %6.1f ns\n", speed.incremental);
        text_printf(stdout, "unchanged   %6.1f ns\n", speed.unchanged);
    }
    network_destroy(network);
    return status;
}

/* The end of the file's name that fits a column, without ".nnue". */
static void name_by_file(const char *path, char out[GOLD_COLUMN + 1]) {
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    size_t length = strlen(base);
    if (length > 5 && strcmp(base + length - 5, ".nnue") == 0) length -= 5;
    const size_t cut = length > GOLD_COLUMN ? length - GOLD_COLUMN : 0;
    text_copy_printable((TextView){base + cut, length - cut}, out, GOLD_COLUMN + 1);
}

#define GOLD_STANDARD "nets/gold-14.games"

static bool is_named_as_network(const char *path) {
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".nnue") == 0;
}

/* Whether the first word is a gold set, and not a network. */
static bool names_gold_set(const WordList *files) {
    return files->count > 0 && !is_named_as_network(files->word[0]);
}

/* People know several networks by their files, rows of results by the names in them. `paths` of the networks;
 * none: the program's. */
static Status print_gold(const TrainingSet *set, const char *file, char *const *paths, int path_count,
                         Network *const *networks, const char *results) {
    const int count = int_max(path_count, 1);
    char names[GOLD_NETWORKS_MAX][GOLD_COLUMN + 1];
    GoldErrors errors[GOLD_NETWORKS_MAX] = {0};
    Status status = status_ok();
    for (int i = 0; i < count && status_is_ok(&status); i++)
        status = goldset_measure(set, networks[i], &errors[i]);
    TextBuffer text = {0};
    if (status_is_ok(&status)) {
        for (int i = 0; i < count && path_count > 0; i++) {
            name_by_file(paths[i], names[i]);
            errors[i].name = names[i];
        }
        goldset_print(set, errors, count, &text);
        status = console_write_result(NULL, &text);
    }
    for (int i = 0; i < count; i++) errors[i].name = network_name(networks[i]);
    if (status_is_ok(&status) && results != NULL)
        status = goldset_append_rows(file, set, errors, count, results);
    buffer_release(&text);
    for (int i = 0; i < count; i++) memory_release(errors[i].error);
    return status;
}

/* Without a set among the words it is Luft's own. */
static Status run_gold(void *context) {
    const NetArguments *arguments = context;
    const bool has_set = names_gold_set(&arguments->files);
    char standard[] = GOLD_STANDARD, *const path = has_set ? arguments->files.word[0] : standard;
    char *const *paths = arguments->files.word + has_set;
    const int count = arguments->files.count - has_set;
    TrainingSet set;
    if (!has_set && file_size(path) < 0)
        return status_error("there is no %s here; name a gold set before the networks: luft-lab datagen "
                            "--gold-nodes N makes one",
                            path);
    Status status = goldset_read(path, &set);
    if (!status_is_ok(&status)) return status;
    if (set.training == 0) status = status_error("%s has no position with a score", path);
    /* A gold set has the score of one position of each game. */
    if (status_is_ok(&status) && set.training > set.games)
        text_printf(stderr,
                    "warning: %s has whole games, whose scores are of short searches: it is no gold set\n",
                    path);
    Network *networks[GOLD_NETWORKS_MAX] = {NULL};
    const int wanted = int_max(count, 1);
    for (int i = 0; i < wanted && status_is_ok(&status); i++)
        networks[i] = count == 0 ? network_open_embedded(&status) : network_load(paths[i], &status);
    if (status_is_ok(&status)) status = print_gold(&set, path, paths, count, networks, arguments->results);
    for (int i = 0; i < wanted; i++) network_destroy(networks[i]);
    loader_release(&set);
    return status;
}

static Status print_shares(const Network *before, const Network *after, const TrainingPosition *positions,
                           size_t count) {
    double first, second;
    Status status = pairs_share(before, positions, count, &first);
    if (status_is_ok(&status)) status = pairs_share(after, positions, count, &second);
    if (status_is_ok(&status))
        text_printf(stdout, "products to multiply: %.1f %% of all fours before, %.1f %% now\n", 100 * first,
                    100 * second);
    return status;
}

/* A network without layers is sorted as it is: its copy, so that what comes next has its file. */
static Status copy_unsorted(const Network *network, const char *path, const char *out, bool again) {
    const Status status = save_new_network(network, out, again);
    if (status_is_ok(&status))
        text_printf(stdout, "%s has no layers, so there is nothing to sort: %s is the same network\n", path,
                    out);
    return status;
}

static Status sort_network(const Network *network, const TrainingSet *set, const char *out, bool again) {
    const size_t count = set->training < SORT_POSITIONS ? set->training : SORT_POSITIONS;
    Status status;
    Network *sorted = pairs_sort(network, set->positions, count, &status);
    if (sorted == NULL) return status;
    status = print_shares(network, sorted, set->positions, count);
    if (status_is_ok(&status)) status = save_new_network(sorted, out, again);
    network_destroy(sorted);
    return status;
}

static Status run_sort(void *context) {
    const NetArguments *arguments = context;
    char *const *words = arguments->files.word;
    Status status = check_new_network(words[2], arguments->again);
    if (!status_is_ok(&status)) return status;
    Network *network = network_load(words[1], &status);
    if (network == NULL) return status;
    TrainingSet set = {0};
    status = goldset_read(words[0], &set);
    if (status_is_ok(&status) && network_shape(network).layers == 0) {
        status = copy_unsorted(network, words[1], words[2], arguments->again);
        loader_release(&set);
    } else if (status_is_ok(&status)) {
        status = set.training > 0 ? sort_network(network, &set, words[2], arguments->again)
                                  : status_error("%s has no position with a score", words[0]);
        loader_release(&set);
    }
    network_destroy(network);
    return status;
}

static Status run_mean(void *context) {
    const NetArguments *arguments = context;
    const WordList *files = &arguments->files;
    const char *const out = files->word[0], *const *inputs = (const char *const *)files->word + 1;
    Status status = ownership_check_inputs(out, inputs, files->count - 1);
    if (status_is_ok(&status)) status = weights_check_new(out, arguments->again);
    return status_is_ok(&status) ? weights_write_mean(out, arguments->again, inputs, files->count - 1)
                                 : status;
}

static Status run_pack(void *context) {
    const NetArguments *arguments = context;
    const char *const input = arguments->files.word[0], *const out = arguments->files.word[1];
    Status status = ownership_check_inputs(out, &input, 1);
    if (status_is_ok(&status)) status = weights_check_new(out, arguments->again);
    return status_is_ok(&status) ? weights_pack(out, arguments->again, input) : status;
}

static Status check_pack(void *context) {
    if (((NetArguments *)context)->files.count == 2) return status_ok();
    return status_error("NET.floats and a file for the result are needed");
}

static Status check_gold(void *context) {
    const WordList *files = &((NetArguments *)context)->files;
    if (files->count - names_gold_set(files) <= GOLD_NETWORKS_MAX) return status_ok();
    return status_error("at most %d networks at once", GOLD_NETWORKS_MAX);
}

static Status check_sort(void *context) {
    if (((NetArguments *)context)->files.count == 3) return status_ok();
    return status_error("games, a network and a file for the result are needed");
}

/* --- what the command line may say --- */

#define FIELD_STRUCT NetArguments

/* A file to write that is there already, as rows of a table. */
#define REPLACING(name) \
    { FIELD_FLAG("again", again, "replace " name " where it is there, and keep it as " name ".old") }

static const Field RANDOM_FIELDS[] = {
    {FIELD_TEXT("FILE", NULL, file, NULL, "the file to write"), .flags = FIELD_WORD},
    RANDOM_ROWS,
    REPLACING("FILE"),
    {FIELD_ANSWERED("out", "the file is a word: luft-lab net random FILE")},
    {0}};

static const Field SHOW_FIELDS[] = {
    {FIELD_TEXT("FILE", NULL, file, NULL, "the network (default: the program's)"),
     .flags = FIELD_WORD | FIELD_OPTIONAL},
    {0}};

static const Field SPEED_FIELDS[] = {
    {FIELD_TEXT("FILE", NULL, file, NULL, "the network (default: a random one)"),
     .flags = FIELD_WORD | FIELD_OPTIONAL},
    RANDOM_ROWS,
    {FIELD_SECONDS("seconds", seconds, 0.01, 600, "2", "how long to measure")},
    {0}};

static const Field GOLD_FIELDS[] = {
    {FIELD_WORDS("SET", files, 0,
                 "a gold set, made by datagen --gold-nodes (default: " GOLD_STANDARD
                 "); then networks, as NAME.nnue (default: the program's)")},
    {FIELD_TEXT("results", "FILE", results, NULL, "append rows of results/errors.tsv")},
    {0}};

static const Field SORT_FIELDS[] = {
    {FIELD_WORDS("GAMES", files, 3,
                 "games or a gold set; then a network with layers; then the file to write")},
    REPLACING("OUT"),
    {0}};

static const Field MEAN_FIELDS[] = {
    {FIELD_WORDS("OUT", files, 3,
                 "the file to write; then NET.floats, which training leaves next to a network")},
    REPLACING("OUT"),
    {0}};

static const Field PACK_FIELDS[] = {
    {FIELD_WORDS("FLOATS", files, 2,
                 "NET.floats, which training leaves next to a network; then the file to write")},
    REPLACING("OUT"),
    {0}};

static const Command ACTIONS[] = {
    {"random", "a network of random weights: generation 0",
     .syntax = {.command = "luft-lab net random",
                .about = "Writes a network of random weights: generation 0.\n",
                .fields = RANDOM_FIELDS,
                .run = run_random}},
    {"show", "its name, shape, hash, weights",
     .syntax = {.command = "luft-lab net show",
                .about = "Prints a network's name, shape, hash and weights.\n",
                .fields = SHOW_FIELDS,
                .run = run_show}},
    {"speed", "nanoseconds for an evaluation",
     .syntax = {.command = "luft-lab net speed",
                .about = "Measures the nanoseconds that an evaluation takes.\n",
                .fields = SPEED_FIELDS,
                .run = run_speed}},
    {"gold", "errors on a gold set",
     .syntax = {.command = "luft-lab net gold",
                .usage = "SET [NETWORK...]",
                .about = "Measures the errors of networks on a gold set.\n",
                .examples = "  luft-lab net gold candidate.nnue\n"
                            "  luft-lab net gold gold.games luft-8.nnue candidate.nnue\n",
                .fields = GOLD_FIELDS,
                .check = check_gold,
                .run = run_gold}},
    {"sort", "the same network, faster: pairs that are zero together side by side",
     .syntax = {.command = "luft-lab net sort",
                .usage = "GAMES NETWORK OUT",
                .about = "Sorts the pairs of hidden units, so units that tend to be zero together are "
                         "neighbours: their products are skipped. The values stay the same and are computed "
                         "faster. luft-lab train does this itself.\n",
                .fields = SORT_FIELDS,
                .check = check_sort,
                .run = run_sort}},
    {"mean", "of the weights of several trainings, to go on from",
     .syntax = {.command = "luft-lab net mean",
                .usage = "OUT FLOATS...",
                .about = "Writes the mean of the weights of several trainings that began with the same "
                         "weights. Its loss is often lower than that of each. Continue from it with luft-lab "
                         "train --start OUT: a short training makes the network.\n",
                .examples = "  luft-lab net mean both.floats one.nnue.floats two.nnue.floats\n",
                .fields = MEAN_FIELDS,
                .run = run_mean}},
    {"pack", "the weights of a training in 16 bits each, to keep",
     .syntax =
         {.command = "luft-lab net pack",
          .usage = "FLOATS OUT",
          .about =
              "Writes the weights of a training with 16 bits each, half as large: the file to keep with a "
              "network. luft-lab train --start and luft-lab net mean take it as they take the other.\n",
          .examples = "  luft-lab net pack luft-16.nnue.floats nets/luft-16.floats\n",
          .fields = PACK_FIELDS,
          .check = check_pack,
          .run = run_pack}},
};

int command_net(int argc, char **argv) {
    NetArguments arguments = {0};
    const CommandList list = {"luft-lab net", "Usage: luft-lab net ACTION [options]\n\n", NULL,
                              COMMANDS(ACTIONS), &arguments};
    return commands_dispatch(&list, argc, argv);
}
