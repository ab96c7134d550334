/* luft-lab handover: trains networks outside of the laboratory, on a GPU for instance. */
#include "lab/command.h"
#include "lab/train/handover.h"
#include "lab/train/model.h"
#include "lab/train/trainer.h"
#include "nnue/network.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct HandoverArguments {
    HandoverPositions positions;
    const char *start, *weights, *out, *name;
    NetworkShape shape;
    uint64_t seed;
    bool again;
} HandoverArguments;

static Status run_positions(void *context) {
    HandoverPositions *settings = &((HandoverArguments *)context)->positions;
    const Status status = handover_write_positions(settings);
    if (status_is_ok(&status))
        text_printf(stdout, "%s: %" PRIu64 " positions, then %" PRIu64 " for validation\n", settings->out,
                    settings->training, settings->validation);
    return status;
}

static Status check_weights(void *context) {
    const NetworkShape shape = ((HandoverArguments *)context)->shape;
    if (!model_knows_king_buckets(shape.king_buckets)) return status_error("king buckets: 1, 4 or 8");
    return network_check_shape(shape);
}

static Status run_weights(void *context) {
    const HandoverArguments *arguments = context;
    return handover_write_weights(arguments->start, arguments->shape, arguments->seed, arguments->out,
                                  arguments->again);
}

static Status run_network(void *context) {
    const HandoverArguments *arguments = context;
    uint64_t hash = 0;
    const Status status =
        handover_write_network(arguments->weights, arguments->name, arguments->out, arguments->again, &hash);
    if (status_is_ok(&status)) text_printf(stdout, "%s: hash %016" PRIx64 "\n", arguments->out, hash);
    return status;
}

#define FIELD_STRUCT HandoverArguments
#define OUT_FILE(member, what) \
    { FIELD_TEXT("out", "FILE", member, NULL, what), .flags = FIELD_REQUIRED }

#define REPLACING(member) \
    { FIELD_FLAG("again", member, "replace a FILE that is there, and keep it as FILE.old") }

static const Field POSITION_FIELDS[] = {
    {FIELD_WORDS("GAMES", positions.data, 1, "a file of recorded games")},
    OUT_FILE(positions.out, "the file to write: 32 bytes for each position"),
    {FIELD_GROUP(positions.filter, LOADER_FIELDS)},
    {FIELD_TEXT("tablebases", "DIR", positions.tablebases, NULL,
                "folders of Syzygy tablebases: where they know the result, it is the label")},
    REPLACING(positions.again),
    {0}};

static const Field WEIGHT_FIELDS[] = {
    {FIELD_TEXT("start", "NET", start, NULL, "a network or its .floats (default: random weights)")},
    OUT_FILE(out, "the file of weights to write"),
    {NETWORK_WIDTH(shape, "64")},
    {NETWORK_BUCKETS(shape, "1")},
    {NETWORK_KING_BUCKETS(shape, "1")},
    {NETWORK_LAYERS(shape, "0")},
    {FIELD_WHOLE("seed", "N", seed, 0, 1e15, "1", "of random weights")},
    REPLACING(again),
    {0}};

static const Field NETWORK_FIELDS[] = {
    {FIELD_TEXT("WEIGHTS", NULL, weights, NULL, "a file of trained weights"), .flags = FIELD_WORD},
    OUT_FILE(out, "the network file to write"),
    {FIELD_TEXT("name", "TEXT", name, "luft", "name of the network")},
    REPLACING(again),
    {0}};

static const Command ACTIONS[] = {
    {"positions", "the positions that training would use, as a plain file",
     .syntax = {.command = "luft-lab handover positions",
                .about =
                    "Writes the positions that training would use, shuffled, those for validation last, as "
                    "rows of 32 bytes (TrainingPosition in lab/train/loader.h).\n",
                .fields = POSITION_FIELDS,
                .run = run_positions}},
    {"weights", "the weights that a training begins with",
     .syntax = {.command = "luft-lab handover weights",
                .about = "Writes the weights that a training of this shape begins with.\n",
                .fields = WEIGHT_FIELDS,
                .check = check_weights,
                .run = run_weights}},
    {"network", "the network of trained weights",
     .syntax = {.command = "luft-lab handover network",
                .about = "Rounds trained weights to a network. With layers, luft-lab net sort then makes it "
                         "faster.\n",
                .fields = NETWORK_FIELDS,
                .run = run_network}},
};

int command_handover(int argc, char **argv) {
    HandoverArguments arguments = {0};
    const CommandList list = {"luft-lab handover", "Usage: luft-lab handover ACTION [options]\n\n", NULL,
                              COMMANDS(ACTIONS), &arguments};
    return commands_dispatch(&list, argc, argv);
}
