#include "cli/command_line.h"

enum { LONGEST_TIME = 100000000 }; /* seconds: three years */

static Status set_flag(const Flag *flag, const char *value) {
    int64_t number;
    double seconds;
    switch (flag->kind) {
    case FLAG_SWITCH: *(bool *)flag->target = true; break;
    case FLAG_NUMBER:
        if (!text_parse_int64(text_view(value), &number) || number < flag->minimum || number > flag->maximum)
            return status_error("%s needs a number from %d to %d", flag->name, flag->minimum, flag->maximum);
        *(int *)flag->target = (int)number;
        break;
    case FLAG_SECONDS:
        if (!text_parse_double(text_view(value), &seconds) || seconds <= 0 || seconds > LONGEST_TIME)
            return status_error("%s needs a number of seconds", flag->name);
        *(double *)flag->target = seconds;
        break;
    }
    return status_ok();
}

Status command_line_parse(const Flag *flags, int flag_count, int argc, char *const *argv, TextBuffer *words) {
    for (int i = 0; i < argc; i++) {
        if (!text_starts_with(text_view(argv[i]), "--")) {
            if (words->length > 0) buffer_append_char(words, ' ');
            buffer_append_string(words, argv[i]);
            continue;
        }
        const Flag *flag = flags;
        while (flag < flags + flag_count && !text_equals(text_view(argv[i]), flag->name)) flag++;
        if (flag == flags + flag_count) return status_error("unknown flag %s", argv[i]);
        Status status = set_flag(flag, flag->kind != FLAG_SWITCH && i + 1 < argc ? argv[++i] : NULL);
        if (!status_is_ok(&status)) return status;
    }
    return words->failed ? status_no_memory("the command line") : status_ok();
}
