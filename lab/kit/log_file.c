#include "lab/kit/log_file.h"

#include "base/clock.h"
#include "lab/kit/ownership.h"

#include <fcntl.h>
#include <unistd.h>

Status log_file_open(LogFile *log, const char *path) {
    log->handle = -1;
    log->start = clock_microseconds();
    return ownership_take(path, O_APPEND, &log->handle);
}

void log_file_add(const LogFile *log, const char *source, TextView text) {
    if (log->handle < 0) return;
    TextBuffer line = {0};
    buffer_append_format(&line, "%12.6f %s ", (double)(clock_microseconds() - log->start) / 1e6, source);
    buffer_append_foreign(&line, text);
    buffer_append_char(&line, '\n');
    /* By one call, so that the lines of several threads do not mix. */
    if (!line.failed && write(log->handle, line.data, line.length) < 0) line.failed = true;
    buffer_release(&line);
}

void log_file_close(LogFile *log) {
    if (log->handle >= 0) close(log->handle);
    log->handle = -1;
}
