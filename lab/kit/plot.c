#include "lab/kit/plot.h"

#include "base/clock.h"
#include "lab/kit/process.h"

#include <string.h>

enum { PATIENCE = 30000 /* milliseconds for gnuplot */ };

void plot_quote(TextBuffer *script, const char *text) {
    buffer_append_char(script, '\'');
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        buffer_append_char(script, c < ' ' || c == 127 ? '?' : *text);
        if (c == '\'') buffer_append_char(script, '\''); /* doubled, it stands for itself */
    }
    buffer_append_char(script, '\'');
}

void plot_quote_file(TextBuffer *script, const char *path) {
    TextBuffer name = {0};
    buffer_append_format(&name, "%s%s", path[0] == '/' || path[0] == '.' ? "" : "./", path);
    plot_quote(script, buffer_string(&name));
    script->failed |= name.failed;
    buffer_release(&name);
}

void plot_begin(const char *terminal, const char *image, int width, int height, TextBuffer *script) {
    if (strcmp(terminal, "png") == 0)
        buffer_append_format(script, "set terminal pngcairo size %d,%d\n", width, height);
    else
        buffer_append_format(script, "set terminal svg size %d,%d background 'white'\n", width, height);
    buffer_append_string(script, "set output ");
    plot_quote_file(script, image);
    buffer_append_char(script, '\n');
}

Status plot_run(const TextBuffer *script) {
    if (script->failed) return status_no_memory("a plot");
    Process *process = NULL;
    Status status =
        process_start(&(ProcessOptions){.arguments = (const char *[]){"gnuplot", "-", NULL}}, &process);
    if (!status_is_ok(&status)) return status;
    const int64_t deadline = clock_microseconds() + INT64_C(1000) * PATIENCE;
    const bool sent = process_write(process, buffer_view(script), deadline) &&
                      process_write(process, text_view("\nexit\n"), deadline);
    char end[PROCESS_END_CAPACITY];
    process_has_ended(process, sent ? PATIENCE : 1000);
    process_describe_end(process, end);
    process_stop(process, 0);
    return strcmp(end, "exited with status 0") == 0 ? status_ok() : status_error("gnuplot %s", end);
}

const char *plot_kind(int choice) {
    static const char *const KINDS[] = {"svg", "png", NULL};
    return KINDS[choice];
}
