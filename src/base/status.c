#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Status status_ok(void) { return (Status){.kind = STATUS_OK}; }

/* The reason begins with `start`, a constant. */
static Status status_formatted(StatusKind kind, const char *start, const char *format, va_list arguments) {
    Status status = {.kind = kind};
    const int length = snprintf(status.reason, sizeof status.reason, "%s", start);
    vsnprintf(status.reason + length, sizeof status.reason - (size_t)length, format, arguments);
    return status;
}

Status status_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Status status = status_formatted(STATUS_ERROR, "", format, arguments);
    va_end(arguments);
    return status;
}

Status status_no_memory(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Status status = status_formatted(STATUS_NO_MEMORY, "not enough memory for ", format, arguments);
    va_end(arguments);
    return status;
}

Status status_system_error(const char *format, ...) {
    const int cause = errno;
    va_list arguments;
    va_start(arguments, format);
    Status status = status_formatted(STATUS_ERROR, "", format, arguments);
    va_end(arguments);
    const size_t length = strlen(status.reason);
    /* strerror returns constants for known errors and a buffer of the thread for others in all libraries that
     * we build with, while the two signatures of strerror_r exclude each other. */
    snprintf(status.reason + length, sizeof status.reason - length, ": %s", strerror(cause));
    return status;
}
