#include "uci/output.h"

#include <stdarg.h>

void output_open(Output *output, FILE *file) {
    output->file = file;
    atomic_init(&output->failed, false);
    mutex_init(&output->mutex);
}

void output_close(Output *output) { mutex_destroy(&output->mutex); }

void output_text(Output *output, TextView text) {
    mutex_lock(&output->mutex);
    text_print(output->file, text);
    text_print(output->file, text_view("\n"));
    /* Where nothing is buffered (a device on Windows), it was the writing that failed. */
    if (fflush(output->file) != 0 || ferror(output->file)) atomic_store(&output->failed, true);
    mutex_unlock(&output->mutex);
}

Status output_buffer(Output *output, const TextBuffer *text, const char *what) {
    if (text->failed) return status_no_memory("%s", what);
    output_text(output, buffer_view(text));
    return status_ok();
}

void output_line(Output *output, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    text_format_arguments(line, sizeof line, format, arguments);
    va_end(arguments);
    output_text(output, text_view(line));
}

bool output_failed(const Output *output) { return atomic_load(&output->failed); }

void output_error(Output *output, const char *where, const Status *status) {
    if (!status_is_ok(status)) output_line(output, "info string error: %s: %s", where, status->reason);
}

void output_warning(Output *output, const char *where, const Status *warning) {
    if (!status_is_ok(warning)) output_line(output, "info string %s: %s", where, warning->reason);
}
