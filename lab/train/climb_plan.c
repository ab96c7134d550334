#include "lab/train/climb_plan.h"

#include "lab/kit/arguments.h"
#include "lab/train/trainer.h"
#include "nnue/arch.h"

#include <string.h>

/* Settings that may differ from generation to generation are lists: "200, 200, 500"; the last counts for all
 * further. */
typedef struct Lists {
    const char *plies, *nodes, *width, *buckets, *epochs, *window, *share, *share_end, *lambda, *draw_share,
        *chess960, *rate;
} Lists;

static Status item_of(const char *name, const char *list, int generation, double low, double high,
                      double *value) {
    TextView rest = text_view(list), item = {0};
    for (int i = 0; i <= generation; i++) {
        const char *comma = memchr(rest.data, ',', rest.length);
        size_t length = comma != NULL ? (size_t)(comma - rest.data) : rest.length;
        item = text_trim((TextView){rest.data, length});
        if (comma == NULL) break;
        rest.data += length + 1;
        rest.length -= length + 1;
    }
    double factor = 1;
    if (item.length > 0 && strchr("kMG", item.data[item.length - 1]) != NULL) {
        char unit = item.data[--item.length];
        factor = unit == 'k' ? 1e3 : unit == 'M' ? 1e6 : 1e9;
    }
    if (!text_parse_double(item, value)) return status_error("%s: '%s' is no list of numbers", name, list);
    *value *= factor;
    if (*value < low || *value > high)
        return status_error("%s must lie between %.15g and %.15g", name, low, high);
    return status_ok();
}

static Status whole_item_of(const char *name, const char *list, int generation, double low, double high,
                            int64_t *out) {
    double value = 0;
    Status status = item_of(name, list, generation, low, high, &value);
    *out = (int64_t)(value + 0.5);
    return status;
}

static Status read_step(const Lists *lists, int generation, ClimbStep *step) {
    const struct {
        const char *name, *list;
        int64_t *target;
        double low, high;
    } whole[] = {{"plies", lists->plies, &step->plies, 1, 1e13},
                 {"nodes", lists->nodes, &step->nodes, 1, 1e9},
                 {"width", lists->width, &step->width, WIDTH_MIN, WIDTH_MAX},
                 {"buckets", lists->buckets, &step->buckets, 1, BUCKETS_MAX},
                 {"epochs", lists->epochs, &step->epochs, 1, 1e6},
                 {"window", lists->window, &step->window, 1, CLIMB_GENERATIONS_MAX}};
    const struct {
        const char *name, *list;
        double *target;
        double high;
    } real[] = {
        {"share", lists->share, &step->share, 1},
        {"share-end", lists->share_end != NULL ? lists->share_end : lists->share, &step->share_end, 1},
        {"lambda", lists->lambda, &step->lambda, 1},
        {"draw-share", lists->draw_share, &step->draw_share, 1},
        {"chess960", lists->chess960, &step->chess960, 1},
        {"rate", lists->rate, &step->rate, 1}};
    Status status = status_ok();
    for (size_t i = 0; i < sizeof whole / sizeof whole[0] && status_is_ok(&status); i++)
        status = whole_item_of(whole[i].name, whole[i].list, generation, whole[i].low, whole[i].high,
                               whole[i].target);
    for (size_t i = 0; i < sizeof real / sizeof real[0] && status_is_ok(&status); i++)
        status = item_of(real[i].name, real[i].list, generation, 0, real[i].high, real[i].target);
    if (status_is_ok(&status) && step->buckets != 1 && step->buckets != BUCKETS_MAX)
        status = status_error("buckets must be 1 or %d", BUCKETS_MAX);
    return status;
}

static ClimbPlan plan_default(void) {
    const TrainSettings train = train_settings_default();
    return (ClimbPlan){.folder = "climb",
                       .generations = 4,
                       .seed = 1,
                       .hash = 2,
                       .random_width = 32,
                       .batch = train.batch,
                       .decay = train.decay,
                       .match_pairs = 250,
                       .match_nodes = 10000};
}

static Lists lists_default(void) {
    return (Lists){.plies = "3M, 20M, 40M",
                   .nodes = "200",
                   .width = "32, 64, 128, 256",
                   .buckets = "1",
                   .epochs = "5, 5, 8, 10",
                   .window = "1, 1, 2",
                   .share = "1, 0.2, 0.2, 0",
                   .lambda = "0, 0, 0, 0.7",
                   .draw_share = "0",
                   .chess960 = "0",
                   .rate = "0.001"};
}

/* Reads the settings, or without a text prints what there is. */
static Status use_table(ClimbPlan *plan, Lists *lists, TextBuffer *text) {
    const Argument table[] = {
        {"folder", ARGUMENT_FILE, &plan->folder, 0, 0, "for games, networks and the table (climb)"},
        {"generations", ARGUMENT_WHOLE, &plan->generations, 1, CLIMB_GENERATIONS_MAX, "how many to make (4)"},
        {"threads", ARGUMENT_WHOLE, &plan->threads, 0, 1024, "0: one for each core (0)"},
        {"train-threads", ARGUMENT_WHOLE, &plan->train_threads, 0, 1024,
         "the same for training, whose threads wait for each other (as threads)"},
        {"seed", ARGUMENT_WHOLE, &plan->seed, 0, 1e12, "of everything (1)"},
        {"hash", ARGUMENT_WHOLE, &plan->hash, 1, 1024, "MiB of each player's table (2)"},
        {"random-width", ARGUMENT_WHOLE, &plan->random_width, WIDTH_MIN, WIDTH_MAX,
         "of the random network (32)"},
        {"batch", ARGUMENT_WHOLE, &plan->batch, 1, 1 << 20, "positions a step of training (1024)"},
        {"decay", ARGUMENT_REAL, &plan->decay, 0, 100, "of the weights, a step: this times the rate (0.1)"},
        {"match-pairs", ARGUMENT_WHOLE, &plan->match_pairs, 1, 1e6, "of games against the best before (250)"},
        {"match-nodes", ARGUMENT_WHOLE, &plan->match_nodes, 1, 1e9, "a move in that match (10000)"},
        {"promote-elo", ARGUMENT_REAL, &plan->promote_elo, -1000, 1000,
         "how much better it must surely be (0)"},
        {NULL, ARGUMENT_HEADING, NULL, 0, 0, "\nOne value for each generation, the last for all further:"},
        {"plies", ARGUMENT_TEXT, &lists->plies, 0, 0, "to play (3M, 20M, 40M)"},
        {"nodes", ARGUMENT_TEXT, &lists->nodes, 0, 0, "searched a move (200)"},
        {"width", ARGUMENT_TEXT, &lists->width, 0, 0, "hidden units a side (32, 64, 128, 256)"},
        {"buckets", ARGUMENT_TEXT, &lists->buckets, 0, 0, "output buckets, 1 or 8 (1)"},
        {"epochs", ARGUMENT_TEXT, &lists->epochs, 0, 0, "passes over the data (5, 5, 8, 10)"},
        {"window", ARGUMENT_TEXT, &lists->window, 0, 0, "generations whose games are used (1, 1, 2)"},
        {"share", ARGUMENT_TEXT, &lists->share, 0, 0, "of the result in the target (1, 0.2, 0.2, 0)"},
        {"share-end", ARGUMENT_TEXT, &lists->share_end, 0, 0, "the same at the end of training (as share)"},
        {"lambda", ARGUMENT_TEXT, &lists->lambda, 0, 0,
         "weight of a game's next score beside one's own (0, 0, 0, 0.7)"},
        {"draw-share", ARGUMENT_TEXT, &lists->draw_share, 0, 0,
         "how far a score that the result belies is drawn to zero with few men (0)"},
        {"chess960", ARGUMENT_TEXT, &lists->chess960, 0, 0, "share of Chess960 starts (0)"},
        {"rate", ARGUMENT_TEXT, &lists->rate, 0, 0, "learning rate at the beginning (0.001)"},
    };
    enum { COUNT = sizeof table / sizeof table[0] };
    if (text != NULL) return arguments_read_file(table, COUNT, text);
    arguments_print_settings(table, COUNT);
    return status_ok();
}

void climb_print_settings(void) {
    ClimbPlan plan = plan_default();
    Lists lists = lists_default();
    (void)use_table(&plan, &lists, NULL);
}

Status climb_read_plan(TextBuffer *text, ClimbPlan *plan) {
    *plan = plan_default();
    Lists lists = lists_default();
    Status status = use_table(plan, &lists, text);
    for (int i = 0; i < plan->generations && status_is_ok(&status); i++)
        status = read_step(&lists, i, &plan->step[i]);
    return status;
}
