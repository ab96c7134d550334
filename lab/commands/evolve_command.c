#include "lab/command.h"
#include "lab/kit/arguments.h"
#include "lab/train/climb.h"
#include "lab/kit/console.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdio.h>

static void name_network(int generation, char out[16]) {
    if (generation < 0)
        text_format(out, 16, "random");
    else
        text_format(out, 16, "%d", generation);
}

/* Rows as wide as the heading: they are printed one by one, hours apart. */
static void print_row(void *context, const ClimbRow *row) {
    bool *headed = context;
    char player[16], rival[16], plies[NUMBER_TEXT_CAPACITY], positions[NUMBER_TEXT_CAPACITY],
        elo[ELO_TEXT_CAPACITY];
    if (!*headed) {
        printf("| gen | played by | nodes |       plies |   positions | width |    loss | validation | play "
               "h | train h | "
               "Elo against the best before | promoted |\n"
               "| --: | --------: | ----: | ----------: | ----------: | ----: | ------: | ---------: | "
               "-----: | ------: | "
               "--------------------------: | :------- |\n");
        *headed = true;
    }
    name_network(row->player, player);
    name_network(row->rival, rival);
    stats_format_elo(row->elo.elo, row->elo.elo_error, elo);
    printf("| %3d | %9s | %5lld | %11s | %11s | %5lld | %.5f | %10.5f | %6.2f | %7.2f | %17s (%s) | %-8s |\n",
           row->generation, player, (long long)row->nodes, console_thousands(row->plies, plies),
           console_thousands(row->positions, positions), (long long)row->width, row->loss,
           row->validation_loss, row->play_hours, row->train_hours, elo, rival, row->promoted ? "yes" : "no");
    fflush(stdout);
}

static Status run_plan(const char *path, const char *folder, bool quiet, bool *interrupted) {
    TextBuffer text = {0};
    ClimbPlan *plan = memory_allocate(sizeof *plan);
    Status status = plan ? file_read(path, &text) : status_no_memory("the plan");
    if (plan && status_is_ok(&status)) {
        buffer_append_char(&text, '\n');
        status = text.failed ? status_no_memory("the plan") : climb_read_plan(&text, plan);
        if (!status_is_ok(&status)) status = status_error("%s: %s", path, status.reason);
    }
    if (plan && status_is_ok(&status)) {
        bool headed = false;
        plan->quiet = quiet;
        if (folder) plan->folder = folder;
        status = climb_run(plan, print_row, &headed, interrupted);
    }
    buffer_release(&text);
    memory_release(plan);
    return status;
}

int command_evolve(int argc, char **argv) {
    const char *folder = NULL;
    bool quiet = false, help, interrupted = false;
    const Argument table[] = {
        {NULL, ARGUMENT_HEADING, NULL, 0, 0, "usage: luft-lab evolve [options] PLAN\n"},
        {"folder", ARGUMENT_FILE, &folder, 0, 0, "instead of the plan's"},
        {"quiet", ARGUMENT_FLAG, &quiet, 0, 0, "no progress, only the table"},
        {NULL, ARGUMENT_HEADING, NULL, 0, 0,
         "\nThe same command goes on where it was stopped. Lines of the plan are name = value:\n"},
    };
    enum { COUNT = sizeof table / sizeof table[0] };
    int rest_count;
    char **rest = memory_allocate((size_t)(argc + 1) * sizeof *rest);
    if (!rest) return COMMAND_FAILED;
    Status status = arguments_parse(table, COUNT, argc, argv, rest, &rest_count, &help);
    const char *path = rest_count == 1 ? rest[0] : NULL;
    memory_release(rest);
    if (help) {
        arguments_print_help(table, COUNT);
        climb_print_settings();
        return COMMAND_OK;
    }
    if (status_is_ok(&status) && !path) status = status_error("needs one file with the plan");
    if (!status_is_ok(&status)) return console_fail_usage(argv[0], &status);
    status = run_plan(path, folder, quiet, &interrupted);
    if (!status_is_ok(&status)) return console_fail(argv[0], &status);
    if (interrupted) fprintf(stderr, "stopped; the same command goes on from here\n");
    return COMMAND_OK;
}
