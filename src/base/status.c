#include "base/status.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

Status status_ok(void) { return (Status){.kind = STATUS_OK}; }

/* The reason begins with `start` and ends with `end`, whatever the length of what is between. */
static Status status_formatted(StatusKind kind, const char *start, const char *end, const char *format,
                               va_list arguments) {
    Status status = {.kind = kind};
    char text[STATUS_CAPACITY];
    const int written = text_format_arguments(text, sizeof text, format, arguments);
    size_t length = strlen(text), done = text_copy(text_view(start), status.reason, sizeof status.reason);
    if (written >= (int)sizeof text) length = text_whole_characters(text, length);
    const size_t room = sizeof status.reason - done - strlen(end);
    done += text_copy_printable((TextView){text, length}, status.reason + done, room);
    text_copy(text_view(end), status.reason + done, sizeof status.reason - done);
    return status;
}

Status status_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Status status = status_formatted(STATUS_ERROR, "", "", format, arguments);
    va_end(arguments);
    return status;
}

Status status_no_memory(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Status status = status_formatted(STATUS_NO_MEMORY, "not enough memory for ", "", format, arguments);
    va_end(arguments);
    return status;
}

Status status_busy(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Status status = status_formatted(STATUS_BUSY, "", "", format, arguments);
    va_end(arguments);
    return status;
}

Status status_unfinished(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Status status = status_formatted(STATUS_UNFINISHED, "", "", format, arguments);
    va_end(arguments);
    return status;
}

Status status_system_error(const char *format, ...) {
    /* strerror returns constants for known errors and a buffer of the thread for others in all libraries that
     * we build with, while the two signatures of strerror_r exclude each other. */
    char cause[STATUS_CAPACITY / 2];
    text_format(cause, sizeof cause, ": %s", strerror(errno));
    va_list arguments;
    va_start(arguments, format);
    Status status = status_formatted(STATUS_ERROR, "", cause, format, arguments);
    va_end(arguments);
    return status;
}

void status_append(Status *warning, Status sentence) {
    if (warning == NULL || status_is_ok(&sentence)) return;
    const Status before = *warning;
    *warning = status_is_ok(&before) ? sentence : status_error("%s; %s", before.reason, sentence.reason);
}

/* --- several --- */

void problems_add(Problems *problems, ProblemKind kind, const char *format, ...) {
    if (++problems->count[kind] > PROBLEMS_SHOWN) return;
    TextBuffer sentence = {0};
    if (problems->origin != NULL) buffer_append_format(&sentence, "%s: ", problems->origin);
    va_list arguments;
    va_start(arguments, format);
    buffer_append_arguments(&sentence, format, arguments);
    va_end(arguments);
    buffer_append_foreign(&problems->text, buffer_view(&sentence));
    buffer_append_char(&problems->text, '\n');
    buffer_release(&sentence);
}

void problems_finish(Problems *problems) {
    int more = 0;
    for (int kind = 0; kind < PROBLEM_KINDS; kind++)
        if (problems->count[kind] > PROBLEMS_SHOWN) more += problems->count[kind] - PROBLEMS_SHOWN;
    if (more > 0) buffer_append_format(&problems->text, "... and %d more\n", more);
}

void problems_release(Problems *problems) {
    buffer_release(&problems->text);
    *problems = (Problems){.origin = problems->origin};
}
