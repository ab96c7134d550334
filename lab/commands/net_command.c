/* luft-lab net: makes, shows, times and measures networks. */
#include "lab/command.h"
#include "lab/kit/arguments.h"
#include "lab/train/evalspeed.h"
#include "lab/train/goldset.h"
#include "lab/kit/console.h"
#include "base/memory.h"
#include "nnue/kernels.h"

#include <stdio.h>
#include <string.h>

typedef struct NetOptions {
    int64_t seed, width, buckets;
    double seconds;
} NetOptions;

static const char HELP[] =
    "Usage: luft-lab net random FILE [options]   a network of random weights: generation 0\n"
    "       luft-lab net show [FILE]             its name, shape, hash, weights\n"
    "       luft-lab net speed [FILE] [options]  nanoseconds for an evaluation\n"
    "       luft-lab net gold SET [FILE...]      errors on a gold set (datagen --gold-nodes)\n"
    "Without a FILE, gold and show take the embedded network, speed a random one.\n";

static Network *random_network(const NetOptions *options, Status *status) {
    return network_create_random((uint64_t)options->seed, (int)options->width, (int)options->buckets, status);
}

static Status make_random(const char *path, const NetOptions *options) {
    Status status;
    Network *network = random_network(options, &status);
    if (network == NULL) return status;
    status = network_save(network, path);
    if (status_is_ok(&status)) printf("%s: hash %016llx\n", path, (unsigned long long)network_hash(network));
    network_destroy(network);
    return status;
}

static void print_heading(const Network *network) {
    printf("name      %s\n", network_name(network));
    printf("hash      %016llx\n", (unsigned long long)network_hash(network));
    printf("width     %d\n", network_width(network));
    printf("buckets   %d\n", network_buckets(network));
    printf("kings     %d\n", network_king_buckets(network));
}

static void print_range(const char *what, const int16_t *numbers, int count, int one) {
    int low = numbers[0], high = numbers[0], zeros = 0;
    for (int i = 0; i < count; i++) {
        low = int_min(low, numbers[i]);
        high = int_max(high, numbers[i]);
        zeros += numbers[i] == 0;
    }
    printf("%-9s %.3f to %.3f, %.1f %% zero\n", what, (double)low / one, (double)high / one,
           100.0 * zeros / count);
}

static Status show(const char *path) {
    Status status;
    Network *network = path == NULL ? network_open_embedded(&status) : network_load(path, &status);
    if (network == NULL) return status;
    const NetworkWeights *weights = network_weights(network);
    print_heading(network);
    printf("bytes     %zu\n", network_file_size(network_width(network), network_buckets(network),
                                                network_king_buckets(network)));
    print_range("features", weights->feature, weights->king_buckets * INPUT_COUNT * weights->width,
                HIDDEN_ONE);
    print_range("biases", weights->feature_bias, weights->width, HIDDEN_ONE);
    print_range("outputs", weights->output, 2 * weights->buckets * weights->width, OUTPUT_ONE);
    printf("constants");
    for (int i = 0; i < weights->buckets; i++)
        printf(" %.3f", (double)weights->output_bias[i] / OUTPUT_BIAS_ONE);
    printf("\n");
    network_destroy(network);
    return status_ok();
}

static Status time_network(const char *path, const NetOptions *options) {
    Status status;
    Network *network = path == NULL ? random_network(options, &status) : network_load(path, &status);
    if (network == NULL) return status;
    EvalSpeed speed = {0};
    status = evalspeed_measure(network, options->seconds, &speed);
    if (status_is_ok(&status)) {
        print_heading(network);
        printf("kernels   %s\n", kernels_for_width(network_weights(network)->width)->name);
        printf("refreshed   %6.1f ns\n", speed.refreshed);
        printf("incremental %6.1f ns\n", speed.incremental);
        printf("unchanged   %6.1f ns\n", speed.unchanged);
    }
    network_destroy(network);
    return status;
}

static Status print_gold(const TrainingSet *set, Network *const *networks, int count) {
    GoldErrors errors[GOLD_NETWORKS_MAX] = {0};
    Status status = status_ok();
    for (int i = 0; i < count && status_is_ok(&status); i++)
        status = goldset_measure(set, networks[i], &errors[i]);
    TextBuffer text = {0};
    if (status_is_ok(&status)) {
        goldset_print(set, errors, count, &text);
        status = console_write_result(NULL, &text);
    }
    buffer_release(&text);
    for (int i = 0; i < count; i++) memory_release(errors[i].error);
    return status;
}

static Status measure_on_gold(char **paths, int count) {
    if (count == 0) return status_error("gold needs a set, made by datagen --gold-nodes");
    char *gold = *paths++;
    count--;
    if (count > GOLD_NETWORKS_MAX) return status_error("at most %d networks at once", GOLD_NETWORKS_MAX);
    TrainingSet set;
    Status status = goldset_read(gold, &set);
    if (!status_is_ok(&status)) return status;
    if (set.training == 0) status = status_error("%s has no position with a score", gold);
    Network *networks[GOLD_NETWORKS_MAX] = {NULL};
    const int wanted = int_max(count, 1);
    for (int i = 0; i < wanted && status_is_ok(&status); i++)
        networks[i] = count == 0 ? network_open_embedded(&status) : network_load(paths[i], &status);
    if (status_is_ok(&status)) status = print_gold(&set, networks, wanted);
    for (int i = 0; i < wanted; i++) network_destroy(networks[i]);
    loader_release(&set);
    return status;
}

static Status run(char **words, int count, const NetOptions *options, bool *understood) {
    const char *path = count > 1 ? words[1] : NULL;
    *understood = count > 0 && strcmp(words[0], "gold") == 0;
    if (*understood) return measure_on_gold(words + 1, count - 1);
    *understood = count == 1 || count == 2;
    if (*understood && strcmp(words[0], "random") == 0 && path != NULL) return make_random(path, options);
    if (*understood && strcmp(words[0], "show") == 0) return show(path);
    if (*understood && strcmp(words[0], "speed") == 0) return time_network(path, options);
    *understood = false;
    return status_error("say what to do, and with which file: random, show, speed or gold");
}

enum { WORDS_MAX = 32 };

int command_net(int argc, char **argv) {
    NetOptions options = {1, 256, 8, 2};
    const Argument table[] = {
        {"seed", ARGUMENT_WHOLE, &options.seed, 0, 9e15, "of the random weights (1)"},
        {"width", ARGUMENT_WHOLE, &options.width, WIDTH_MIN, WIDTH_MAX, "hidden units a side (256)"},
        {"buckets", ARGUMENT_WHOLE, &options.buckets, 1, BUCKETS_MAX, "output buckets, 1 or 8 (8)"},
        {"seconds", ARGUMENT_REAL, &options.seconds, 0.01, 600, "for timing (2)"},
    };
    const size_t count = sizeof table / sizeof *table;
    char *words[WORDS_MAX];
    int word_count;
    bool help, understood = false;
    if (argc > WORDS_MAX) argc = WORDS_MAX;
    Status status = arguments_parse(table, count, argc, argv, words, &word_count, &help);
    if (status_is_ok(&status) && help) {
        fputs(HELP, stdout);
        arguments_print_help(table, count);
        return COMMAND_OK;
    }
    if (status_is_ok(&status)) status = run(words, word_count, &options, &understood);
    if (status_is_ok(&status)) return COMMAND_OK;
    return understood ? console_fail(argv[0], &status) : console_fail_usage(argv[0], &status);
}
