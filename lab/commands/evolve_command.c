/* luft-lab evolve: a network from nothing. */
#include "base/file.h"
#include "base/memory.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/train/climb.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct Printed {
    bool headed;
    int best; /* generation; -1: none yet */
} Printed;

/* Rows as wide as the heading: they are printed one by one, hours apart. */
static void print_row(void *context, const ClimbRow *row) {
    Printed *printed = context;
    char best[16] = "random", against[24], plies[NUMBER_TEXT_CAPACITY], positions[NUMBER_TEXT_CAPACITY],
         elo[ELO_TEXT_CAPACITY], validation[24] = "-"; /* where too few games were kept for it */
    if (!printed->headed) {
        text_printf(
            stdout,
            "| gen | played by | nodes |       plies |   positions | width |    loss | validation | play "
            "h | train h | "
            "Elo against the best before | promoted |\n"
            "| --: | --------: | ----: | ----------: | ----------: | ----: | ------: | ---------: | "
            "-----: | ------: | "
            "--------------------------: | :------- |\n");
        printed->headed = true;
    }
    if (row->best >= 0) text_format(best, sizeof best, "%d", row->best);
    text_format(against, sizeof against, " (%s)", best);
    const size_t length = stats_format_elo(&row->elo, elo);
    text_copy(text_view(against), elo + length, sizeof elo - length);
    if (!isnan(row->validation_loss))
        text_format(validation, sizeof validation, "%.5f", row->validation_loss);
    text_printf(stdout,
                "| %3d | %9s | %5" PRId64 " | %11s | %11s | %5" PRId64
                " | %.5f | %10s | %6.2f | %7.2f | %27s | %-8s |\n",
                row->generation, best, row->nodes, console_thousands(row->plies, plies),
                console_thousands(row->positions, positions), row->width, row->loss, validation,
                row->play_hours, row->train_hours, elo, row->promoted ? "yes" : "no");
    fflush(stdout);
    if (row->validation_games > 0 && row->validation_games < TRAIN_VALIDATION_GAMES)
        text_printf(
            stderr,
            "generation %d: its validation is the loss of %s alone, which is noise; in a plan with validation = "
            "0.1 it is of a tenth of the games\n",
            row->generation, console_count(row->validation_games, "game").text);
    printed->best = row->promoted ? row->generation : row->best;
}

typedef struct EvolveArguments {
    const char *plan, *folder;
    bool again, quiet;
} EvolveArguments;

static Status run(void *context) {
    const EvolveArguments *arguments = context;
    TextBuffer text = {0};
    ClimbPlan *plan = memory_allocate(sizeof *plan);
    if (plan == NULL) return status_no_memory("the plan");
    Status status = file_read(arguments->plan, &text);
    if (status_is_ok(&status)) {
        buffer_append_char(&text, '\n');
        status = text.failed ? status_no_memory("the plan") : climb_read_plan(&text, plan);
        if (!status_is_ok(&status)) status = status_error("%s: %s", arguments->plan, status.reason);
    }
    if (status_is_ok(&status)) {
        Printed printed = {.best = -1};
        bool interrupted = false;
        plan->quiet = arguments->quiet;
        plan->again = arguments->again;
        if (arguments->folder != NULL) plan->folder = arguments->folder;
        status = climb_run(plan, print_row, &printed, &interrupted);
        if (status_is_ok(&status) && printed.best >= 0)
            text_printf(stderr,
                        "The best network is %s/generation-%d.nnue: setoption name EvalFile loads it\n",
                        plan->folder, printed.best);
        else if (status_is_ok(&status) && printed.headed)
            text_printf(stderr, "No generation was surely better than a random network: more plies, or more "
                                "match-pairs, may show one\n");
        if (status_is_ok(&status) && interrupted)
            status = status_unfinished("stopped; the same command carries on");
    }
    buffer_release(&text);
    memory_release(plan);
    return status;
}

#define FIELD_STRUCT EvolveArguments
static const Field FIELDS[] = {
    {FIELD_TEXT("PLAN", NULL, plan, NULL, "a file that says what each generation does"), .flags = FIELD_WORD},
    {FIELD_TEXT("folder", "DIR", folder, NULL, "instead of the plan's")},
    {FIELD_FLAG("again", again, "start over, and keep the old folder as DIR.old")},
    {FIELD_FLAG("quiet", quiet, "no progress, only the table")},
    {0}};

int command_evolve(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft-lab evolve",
        .about =
            "Grows a network from random weights: games by the last network, training on them, a match against the "
            "best, generation by generation. The same command carries on where it was stopped.\n\n"
            "What the plan does not set is\n" CLIMB_DEFAULT_PLAN "and the defaults of datagen and train.\n\n"
            "Lines of the plan are name = value:\n",
        .fields = FIELDS,
        .settings = CLIMB_PLAN_FIELDS,
        .run = run};
    EvolveArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}
