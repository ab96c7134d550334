#include "lab/train/climb_plan.h"

#include "base/usage.h"
#include "lab/train/trainer.h"
#include "nnue/arch.h"

#include <math.h>

/* Of the first generations; the last counts for all further. */
static const ClimbStep STEPS[] = {
    {.plies = 3000000,
     .nodes = 200,
     .width = 32,
     .buckets = 1,
     .king_buckets = 1,
     .scale = VALUE_ONE,
     .epochs = 5,
     .window = 1,
     .share = 1,
     .rate = 0.001},
    {.plies = 20000000,
     .nodes = 200,
     .width = 64,
     .buckets = 1,
     .king_buckets = 1,
     .scale = VALUE_ONE,
     .epochs = 5,
     .window = 1,
     .share = 0.2,
     .rate = 0.001},
    {.plies = 40000000,
     .nodes = 200,
     .width = 128,
     .buckets = 1,
     .king_buckets = 1,
     .scale = VALUE_ONE,
     .epochs = 8,
     .window = 2,
     .share = 0.2,
     .rate = 0.001},
    {.plies = 40000000,
     .nodes = 200,
     .width = 256,
     .buckets = 1,
     .king_buckets = 1,
     .scale = VALUE_ONE,
     .epochs = 10,
     .window = 2,
     .lambda = 0.7,
     .rate = 0.001},
};
enum { STEP_COUNT = sizeof STEPS / sizeof STEPS[0] };

static ClimbPlan plan_default(void) {
    const TrainSettings train = train_settings_default();
    ClimbPlan plan = {.folder = "climb",
                      .generations = STEP_COUNT,
                      .seed = 1,
                      .hash = 2,
                      .random_width = 32,
                      .batch = train.batch,
                      .decay = train.decay,
                      .match_pairs = 250,
                      .match_nodes = 10000};
    for (int i = 0; i < CLIMB_GENERATIONS_MAX; i++) {
        plan.step[i] = STEPS[i < STEP_COUNT ? i : STEP_COUNT - 1];
        plan.step[i].share_end = NAN;
    }
    return plan;
}

/* A value for each generation. */
static Argument whole_each(const char *name, int64_t *first, double low, double high, const char *help) {
    return argument_series(option_whole(name, "N", first, low, high, help), CLIMB_GENERATIONS_MAX,
                           sizeof(ClimbStep));
}

static Argument real_each(const char *name, double *first, const char *help) {
    return argument_series(option_real(name, "X", first, 0, 1, help), CLIMB_GENERATIONS_MAX,
                           sizeof(ClimbStep));
}

static Argument scale_each(double *first) {
    return argument_series(
        option_real("scale", "UNITS", first, 10, 10000, "in the exponent of a winning chance"),
        CLIMB_GENERATIONS_MAX, sizeof(ClimbStep));
}

/* Reads the settings, or without a text tells in `help` what there is. */
static Status use_table(ClimbPlan *plan, TextBuffer *text, TextBuffer *help) {
    ClimbStep *step = plan->step;
    const Argument table[] = {
        option_text("folder", "DIR", &plan->folder, "for games, networks and the table"),
        option_text("tablebases", "DIR", &plan->tablebases,
                    "folders of Syzygy tables, for play and for labels (default: none)"),
        option_whole("generations", "N", &plan->generations, 1, CLIMB_GENERATIONS_MAX, "how many to make"),
        option_whole("threads", "N", &plan->threads, 0, 1024, "0: one for each core"),
        option_whole("train-threads", "N", &plan->train_threads, 0, 1024,
                     "the same for training, whose threads wait for each other; 0: as threads"),
        option_whole("seed", "N", &plan->seed, 0, 1e12, "of everything"),
        option_whole("hash", "MIB", &plan->hash, 1, 1024, "of each player's table"),
        option_whole("random-width", "N", &plan->random_width, WIDTH_MIN, WIDTH_MAX, "of the random network"),
        option_whole("batch", "N", &plan->batch, 1, 1 << 20, "positions a step of training"),
        option_real("decay", "X", &plan->decay, 0, 100, "of the weights, a step: this times the rate"),
        option_whole("match-pairs", "N", &plan->match_pairs, 1, 1e6, "of games against the best before"),
        option_whole("match-nodes", "N", &plan->match_nodes, 1, 1e9, "a move in that match"),
        option_real("promote-elo", "X", &plan->promote_elo, -1000, 1000, "how much better it must surely be"),
        argument_heading("One value for each generation (200, 200, 500), the last for all further:"),
        whole_each("plies", &step->plies, 1, 1e13, "to play"),
        whole_each("nodes", &step->nodes, 1, 1e9, "searched a move"),
        whole_each("width", &step->width, WIDTH_MIN, WIDTH_MAX, "hidden units a side"),
        whole_each("buckets", &step->buckets, 1, BUCKETS_MAX, "output buckets, 1 or 8"),
        whole_each("king-buckets", &step->king_buckets, 1, KING_BUCKETS_MAX, "tables of inputs, 1, 4 or 8"),
        whole_each("layers", &step->layers, 0, LAYER_COUNT, "between hidden units and output, 0 or 2"),
        whole_each("epochs", &step->epochs, 1, 1e6, "passes over the data"),
        whole_each("window", &step->window, 1, CLIMB_GENERATIONS_MAX, "generations whose games are used"),
        real_each("share", &step->share, "of the result in the target"),
        real_each("share-end", &step->share_end, "the same at the end of training (default: as share)"),
        scale_each(&step->scale),
        real_each("lambda", &step->lambda, "weight of a game's next score next to a position's own"),
        real_each("draw-share", &step->draw_share,
                  "how far a score that the result contradicts is drawn to zero, with few pieces and pawns"),
        real_each("chess960", &step->chess960, "share of Chess960 starts"),
        real_each("endings", &step->endings, "share of games from random positions of six to ten pieces"),
        real_each("rate", &step->rate, "learning rate at the beginning"),
    };
    if (text != NULL) return arguments_read_settings(ARGUMENTS(table), text);
    usage_write_settings(ARGUMENTS(table), help);
    return status_ok();
}

void climb_write_settings(TextBuffer *out) {
    ClimbPlan plan = plan_default();
    (void)use_table(&plan, NULL, out);
}

Status climb_read_plan(TextBuffer *text, ClimbPlan *plan) {
    *plan = plan_default();
    if (text_is_empty(text_trim(buffer_view(text))))
        return status_error("it is empty; 'generations = %d' alone would do, and --help has all settings",
                            STEP_COUNT);
    Status status = use_table(plan, text, NULL);
    if (!status_is_ok(&status)) return status;
    for (int i = 0; i < CLIMB_GENERATIONS_MAX; i++) {
        ClimbStep *step = &plan->step[i];
        if (isnan(step->share_end)) step->share_end = step->share;
        if (step->buckets != 1 && step->buckets != BUCKETS_MAX)
            return status_error("buckets must be 1 or %d", BUCKETS_MAX);
        if (!model_knows_king_buckets(step->king_buckets))
            return status_error("king-buckets must be 1, 4 or 8");
        if (step->layers == 1) return status_error("layers must be 0 or %d", LAYER_COUNT);
        if (step->layers > 0 && !network_layers_fit((int)step->width))
            return status_error("layers need a width of 128, 256, 512, 768 or 1024");
    }
    return status;
}
