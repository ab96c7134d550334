#include "lab/train/climb_plan.h"

#define FIELD_STRUCT ClimbStep
static const Field STEP_FIELDS[] = {
    {FIELD_GROUP(play, DATAGEN_FIELDS)},
    {FIELD_GROUP(train, TRAIN_FIELDS)},
    {FIELD_WHOLE("window", "N", window, 1, CLIMB_GENERATIONS_MAX, "1", "generations whose games are used"),
     .flags = FIELD_EACH},
    {0}};
#undef FIELD_STRUCT

#define FIELD_STRUCT ClimbPlan
const Field CLIMB_PLAN_FIELDS[] = {
    {FIELD_TEXT("folder", "DIR", folder, "climb", "for games, networks and the table")},
    {FIELD_TEXT("tablebases", "DIR", tablebases, NULL,
                "folders of Syzygy tables, for play and for labels (default: none)")},
    {FIELD_WHOLE("generations", "N", generations, 1, CLIMB_GENERATIONS_MAX, "4", "how many to make")},
    {FIELD_WHOLE("threads", "N", threads, 0, 1024, "0", "0: one for each core")},
    {FIELD_WHOLE("train-threads", "N", train_threads, 0, 1024, "0",
                 "the same for training, whose threads wait for each other; 0: as threads")},
    {FIELD_WHOLE("seed", "N", seed, 0, 1e12, "1", "of everything")},
    {FIELD_WHOLE("hash", "MIB", hash, 1, 1024, "2", "of each player's table")},
    {FIELD_WHOLE("random-width", "N", random_width, WIDTH_MIN, WIDTH_MAX, "32", "of the random network")},
    {FIELD_WHOLE("match-pairs", "N", match_pairs, 1, 1e6, "250", "of games against the best before")},
    {FIELD_WHOLE("match-nodes", "N", match_nodes, 1, 1e9, "10k", "a move in that match")},
    {FIELD_REAL("promote-elo", "X", promote_elo, -1000, 1000, "0", "how much better it must surely be")},
    {FIELD_HEADING("One value for each generation (200, 200, 500), the last for all further:")},
    {FIELD_GROUP(step, STEP_FIELDS), .length = CLIMB_GENERATIONS_MAX, .stride = sizeof(ClimbStep)},
    {0}};
#undef FIELD_STRUCT

static Status read_default_plan(ClimbPlan *plan) {
    TextBuffer text = {0};
    buffer_append_string(&text, CLIMB_DEFAULT_PLAN);
    Status status =
        text.failed ? status_no_memory("the plan") : fields_read_settings(CLIMB_PLAN_FIELDS, plan, &text);
    buffer_release(&text); /* no text among its values */
    return status;
}

Status climb_read_plan(TextBuffer *text, ClimbPlan *plan) {
    *plan = (ClimbPlan){0};
    fields_reset(CLIMB_PLAN_FIELDS, plan);
    if (text_is_empty(text_trim(buffer_view(text))))
        return status_error("it is empty; 'generations = 4' alone would do, and --help has all settings");
    Status status = read_default_plan(plan);
    if (status_is_ok(&status)) status = fields_read_settings(CLIMB_PLAN_FIELDS, plan, text);
    for (int i = 0; i < CLIMB_GENERATIONS_MAX && status_is_ok(&status); i++)
        status = train_settings_check(&plan->step[i].train);
    return status;
}
