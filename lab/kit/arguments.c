#include "lab/kit/arguments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const Argument *find(const Argument *table, size_t count, TextView name) {
    for (size_t i = 0; i < count; i++)
        if (table[i].kind != ARGUMENT_HEADING && text_equals(name, table[i].name)) return &table[i];
    return NULL;
}

/* "300k", "1.5M": a number and what multiplies it. */
static bool parse_whole(const char *text, int64_t *value) {
    TextView view = text_view(text);
    double factor = 1, number;
    if (text_parse_int64(view, value)) return true;
    if (view.length == 0) return false;
    switch (view.data[view.length - 1]) {
    case 'k': factor = 1e3; break;
    case 'M': factor = 1e6; break;
    case 'G': factor = 1e9; break;
    default: return false;
    }
    view.length--;
    if (!text_parse_double(view, &number) || fabs(number * factor) > 9e15) return false;
    *value = llround(number * factor);
    return true;
}

static Status set(const Argument *argument, const char *value) {
    int64_t whole;
    double real;
    switch (argument->kind) {
    case ARGUMENT_WHOLE:
        if (!parse_whole(value, &whole))
            return status_error("%s needs a whole number, not '%s'", argument->name, value);
        if ((double)whole < argument->low || (double)whole > argument->high)
            return status_error("%s must lie between %.15g and %.15g", argument->name, argument->low,
                                argument->high);
        *(int64_t *)argument->target = whole;
        break;
    case ARGUMENT_REAL:
        if (!text_parse_double(text_view(value), &real))
            return status_error("%s needs a number, not '%s'", argument->name, value);
        if (real < argument->low || real > argument->high)
            return status_error("%s must lie between %.15g and %.15g", argument->name, argument->low,
                                argument->high);
        *(double *)argument->target = real;
        break;
    case ARGUMENT_FLAG:
        if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return status_error("%s is yes or no, not '%s'", argument->name, value);
        *(bool *)argument->target = strcmp(value, "yes") == 0;
        break;
    case ARGUMENT_TEXT:
    case ARGUMENT_FILE: *(const char **)argument->target = value; break;
    case ARGUMENT_HEADING: break;
    }
    return status_ok();
}

Status arguments_parse(const Argument *table, size_t count, int argc, char **argv, char **rest,
                       int *rest_count, bool *help) {
    *help = false;
    *rest_count = 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            *help = true;
            continue;
        }
        if (strncmp(word, "--", 2) != 0) {
            rest[(*rest_count)++] = argv[i];
            continue;
        }
        const char *equals = strchr(word, '=');
        TextView name = {word + 2, equals ? (size_t)(equals - word) - 2 : strlen(word) - 2};
        const Argument *argument = find(table, count, name);
        if (!argument) return status_error("there is no option --%.*s", (int)name.length, name.data);
        const char *value = equals ? equals + 1 : NULL;
        if (!value && argument->kind == ARGUMENT_FLAG) value = "yes";
        if (!value && i + 1 < argc) value = argv[++i];
        if (!value) return status_error("--%s needs a value", argument->name);
        Status status = set(argument, value);
        if (!status_is_ok(&status)) return status;
    }
    return status_ok();
}

static Status read_line(const Argument *table, size_t count, char *line, int number) {
    char *comment = strchr(line, '#');
    if (comment) *comment = '\0';
    TextView text = text_trim(text_view(line));
    if (text_is_empty(text)) return status_ok();
    const char *equals = memchr(text.data, '=', text.length);
    if (!equals) return status_error("line %d: expected name = value", number);
    TextView name = text_trim((TextView){text.data, (size_t)(equals - text.data)});
    TextView value = text_trim((TextView){equals + 1, text.length - (size_t)(equals - text.data) - 1});
    const Argument *argument = find(table, count, name);
    if (!argument)
        return status_error("line %d: there is no setting '%.*s'", number, (int)name.length, name.data);
    line[(size_t)(value.data - line) + value.length] = '\0';
    Status status = set(argument, value.data);
    return status_is_ok(&status) ? status : status_error("line %d: %s", number, status.reason);
}

Status arguments_read_file(const Argument *table, size_t count, TextBuffer *text) {
    int number = 1;
    for (char *line = text->data; line; number++) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        Status status = read_line(table, count, line, number);
        if (!status_is_ok(&status)) return status;
        line = end ? end + 1 : NULL;
    }
    return status_ok();
}

static void print_table(const Argument *table, size_t count, const char *format) {
    static const char *const VALUE[] = {
        [ARGUMENT_WHOLE] = "N", [ARGUMENT_REAL] = "X", [ARGUMENT_TEXT] = "TEXT", [ARGUMENT_FILE] = "FILE"};
    for (size_t i = 0; i < count; i++) {
        char name[64];
        if (table[i].kind == ARGUMENT_HEADING) {
            printf("%s\n", table[i].help);
            continue;
        }
        const char *value = table[i].kind == ARGUMENT_FLAG ? "" : VALUE[table[i].kind];
        text_format(name, sizeof name, format, table[i].name, value);
        printf("  %-24s %s\n", name, table[i].help);
    }
}

void arguments_print_help(const Argument *table, size_t count) { print_table(table, count, "--%s %s"); }
void arguments_print_settings(const Argument *table, size_t count) { print_table(table, count, "%s = %s"); }
