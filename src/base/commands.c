#include "base/commands.h"

#include <stdio.h>
#include <string.h>

#define MANUAL "--man"

/* --- what is said --- */

static int refuse(const char *command, const Status *status) {
    text_printf(stderr, "%s: %s (see %s --help)\n", command, status->reason, command);
    return COMMAND_USAGE;
}

int commands_finish(const char *command, const Status *status) {
    const bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (status_is_ok(status) && written) return COMMAND_OK;
    text_printf(stderr, "%s: %s\n", command,
                written ? status->reason : "standard output could not be written; is the disk full?");
    return written && status->kind == STATUS_UNFINISHED ? COMMAND_UNFINISHED : COMMAND_FAILED;
}

/* --- one command --- */

bool commands_ask_for_manual(int argc, char **argv) { return argc == 2 && strcmp(argv[1], MANUAL) == 0; }

int commands_run(const Syntax *syntax, int argc, char **argv, void *settings) {
    bool help;
    fields_reset(syntax->fields, settings);
    Status status = fields_read_arguments(syntax->fields, settings, argc, argv, &help);
    const bool manual = commands_ask_for_manual(argc, argv);
    if (help || manual) {
        TextBuffer text = {0};
        (manual ? usage_write_manual : usage_write)(syntax, &text);
        buffer_print(&text, stdout);
        status = status_ok();
        return commands_finish(syntax->command, &status);
    }
    if (status_is_ok(&status) && syntax->check != NULL) status = syntax->check(settings);
    if (!status_is_ok(&status)) return refuse(syntax->command, &status);
    status = syntax->run(settings);
    return commands_finish(syntax->command, &status);
}

/* --- several --- */

const Command *commands_find(const CommandList *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->commands[i].name, name) == 0) return &list->commands[i];
    return NULL;
}

static void print_list(const CommandList *list, FILE *out) {
    TextBuffer text = {0};
    usage_write_text(list->before, &text);
    for (size_t i = 0; i < list->count; i++)
        if (list->commands[i].summary != NULL)
            buffer_append_format(&text, "  %-12s%s\n", list->commands[i].name, list->commands[i].summary);
    buffer_append_format(&text, "\n%s COMMAND --help explains one of them.\n", list->program);
    usage_write_text(list->after, &text);
    buffer_print(&text, out);
}

int commands_refuse(const CommandList *list, Nearest *nearest) {
    char word[64];
    for (size_t i = 0; i < list->count; i++) nearest_consider(nearest, list->commands[i].name);
    text_copy_printable(nearest->word, word, sizeof word);
    Status status =
        nearest->name == NULL
            ? status_error(word[0] == '-' ? "unknown command '%s'; options stand after the command"
                                          : "unknown command '%s'",
                           word)
            : status_error("unknown command '%s'; did you mean '%s'?", word, nearest->name);
    return refuse(list->program, &status);
}

static int run_command(const CommandList *list, const Command *command, int argc, char **argv) {
    return command->run != NULL ? command->run(argc, argv)
                                : commands_run(&command->syntax, argc, argv, list->settings);
}

/* What each command is in a line, then a section for each. */
static int print_manual(const CommandList *list) {
    int result = COMMAND_OK;
    TextBuffer text = {0};
    if (strchr(list->program, ' ') == NULL)
        buffer_append_string(&text, ".SH COMMANDS\n");
    else
        buffer_append_format(&text, ".SS %s\n", list->program);
    for (size_t i = 0; i < list->count; i++)
        if (list->commands[i].summary != NULL)
            usage_write_manual_entry(list->commands[i].name, list->commands[i].summary, &text);
    buffer_print(&text, stdout);
    for (size_t i = 0; i < list->count && result == COMMAND_OK; i++) {
        char option[] = MANUAL, *asking[] = {option, option, NULL};
        if (list->commands[i].summary != NULL) result = run_command(list, &list->commands[i], 2, asking);
    }
    return result;
}

int commands_dispatch(const CommandList *list, int argc, char **argv) {
    if (argc < 2) {
        print_list(list, stderr);
        return COMMAND_USAGE;
    }
    if (commands_ask_for_manual(argc, argv)) return print_manual(list);
    const bool help = fields_ask_for_help(argv[1]);
    if (help && argc == 2) {
        const Status status = status_ok();
        print_list(list, stdout);
        return commands_finish(list->program, &status);
    }
    const char *name = help ? argv[2] : argv[1];
    const Command *command = commands_find(list, name);
    if (command == NULL) {
        Nearest nearest = nearest_to(text_view(name));
        return commands_refuse(list, &nearest);
    }
    if (!help) return run_command(list, command, argc - 1, argv + 1);
    char option[] = "--help", *asking[] = {argv[2], option, NULL}; /* "help tune" is "tune --help" */
    return run_command(list, command, 2, asking);
}
