#include "lab/kit/plot.h"

#include "lab/kit/console.h"
#include "lab/kit/process.h"

#include <stdio.h>
#include <string.h>

enum { PATIENCE = 30000 /* milliseconds for gnuplot */ };

void plot_begin(const char *terminal, const char *image, int width, int height, TextBuffer *script) {
    if (strcmp(terminal, "png") == 0)
        buffer_append_format(script, "set terminal pngcairo size %d,%d\n", width, height);
    else
        buffer_append_format(script, "set terminal svg size %d,%d background 'white'\n", width, height);
    buffer_append_format(script, "set output '%s'\n", image);
}

Status plot_draw(const char *command, const char *path, const TextBuffer *script) {
    Status status = console_write_result(path, script);
    if (!status_is_ok(&status)) return status;
    Process *process = NULL;
    Status drawn =
        process_start(&(ProcessOptions){.arguments = (const char *[]){"gnuplot", path, NULL}}, &process);
    if (!status_is_ok(&drawn)) {
        fprintf(stderr, "luft-lab %s: no plot: %s\n", command, drawn.reason);
        return status;
    }
    if (!process_has_ended(process, PATIENCE))
        fprintf(stderr, "luft-lab %s: no plot: gnuplot does not end\n", command);
    process_stop(process, 0);
    return status;
}

Status plot_check(const char *kind) {
    if (strcmp(kind, "svg") == 0 || strcmp(kind, "png") == 0 || strcmp(kind, "none") == 0) return status_ok();
    return status_error("--plot '%s': svg, png or none expected", kind);
}
