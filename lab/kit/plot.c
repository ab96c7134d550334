#include "lab/kit/plot.h"

#include "base/clock.h"
#include "base/file.h"
#include "lab/kit/process.h"

#include <string.h>

enum { PATIENCE = 30000 /* milliseconds for gnuplot */ };

/* In quotes, and without the control characters, which no line of a script can have. */
static void append_quoted(TextBuffer *script, TextBuffer *text) {
    buffer_append_char(script, '\'');
    for (const char *c = buffer_string(text); *c != '\0'; c++) {
        buffer_append_char(script, char_is_control(*c) ? '?' : *c);
        if (*c == '\'') buffer_append_char(script, '\''); /* doubled, it stands for itself */
    }
    buffer_append_char(script, '\'');
    script->failed |= text->failed;
    buffer_release(text);
}

void plot_quote(TextBuffer *script, const char *text) {
    TextBuffer shown = {0};
    buffer_append_foreign(&shown, text_view(text));
    append_quoted(script, &shown);
}

void plot_quote_file(TextBuffer *script, const char *path) {
    TextBuffer name = {0};
    buffer_append_format(&name, "%s%s", path[0] == '/' || path[0] == '.' ? "" : "./", path);
    append_quoted(script, &name);
}

void plot_begin(const char *terminal, int width, int height, TextBuffer *script) {
    if (strcmp(terminal, "png") == 0)
        buffer_append_format(script, "set terminal pngcairo size %d,%d\n", width, height);
    else
        buffer_append_format(script, "set terminal svg size %d,%d background 'white'\n", width, height);
}

static Status run_gnuplot(const TextBuffer *script) {
    if (script->failed) return status_no_memory("a plot");
    Process *process = NULL;
    Status status =
        process_start(&(ProcessOptions){.arguments = (const char *[]){"gnuplot", "-", NULL}}, &process);
    if (!status_is_ok(&status))
        return status_error(
            "%.120s; where it is missing, install the package gnuplot (Debian: gnuplot-nox): the same command "
            "adds the plot",
            status.reason);
    const int64_t deadline = clock_microseconds() + INT64_C(1000) * PATIENCE;
    const bool sent = process_write(process, buffer_view(script), deadline) &&
                      process_write(process, text_view("\nexit\n"), deadline);
    char end[PROCESS_END_CAPACITY];
    process_has_ended(process, sent ? PATIENCE : 1000);
    process_describe_end(process, end);
    process_stop(process, 0);
    return strcmp(end, "exited with status 0") == 0 ? status_ok() : status_error("gnuplot %s", end);
}

/* On a full disk gnuplot says nothing: only the end of the image proves that it is whole. */
static Status check_image(const char *path, const char *image) {
    static const char *const ENDS[] = {"</svg>", "IEND\xAE\x42\x60\x82"};
    TextBuffer content = {0};
    Status status = file_read(path, &content);
    const TextView text = text_trim(buffer_view(&content));
    bool whole = false;
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) {
        const size_t length = strlen(ENDS[i]);
        whole |= text.length >= length && memcmp(text.data + text.length - length, ENDS[i], length) == 0;
    }
    buffer_release(&content);
    if (status_is_ok(&status) && !whole)
        status = status_error("cannot write %s: gnuplot drew only a part; is the disk full?", image);
    return status;
}

Status plot_run(const TextBuffer *script, const char *image) {
    NewFile file;
    TextBuffer whole = {0};
    Status status = new_file_begin(&file, image);
    buffer_append_string(&whole, "set output ");
    plot_quote_file(&whole, file.temporary);
    buffer_append_char(&whole, '\n');
    buffer_append(&whole, buffer_view(script));
    whole.failed |= script->failed;
    if (status_is_ok(&status)) status = run_gnuplot(&whole);
    if (status_is_ok(&status)) status = check_image(file.temporary, image);
    buffer_release(&whole);
    return new_file_end(&file, status);
}

const char *plot_kind(int choice) {
    static const char *const KINDS[] = {"svg", "png", NULL};
    return KINDS[choice];
}
