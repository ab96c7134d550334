/* A log that people read: a line for each thing that happens, with the seconds since the file was opened.
 * Nothing depends on it, so a line that cannot be written is lost. Any thread may add lines. */
#ifndef LUFT_KIT_LOG_FILE_H
#define LUFT_KIT_LOG_FILE_H

#include "base/status.h"
#include "base/text.h"

#include <stdint.h>

typedef struct LogFile {
    int handle;    /* -1: no file, and nothing is written */
    int64_t start; /* clock_microseconds */
} LogFile;

/* Opens a file to which lines are added. On an error the handle is -1. */
Status log_file_open(LogFile *log, const char *path);

/* Adds "  12.345678 SOURCE TEXT". Controls in the text, which may come from an engine, are escaped. */
void log_file_add(const LogFile *log, const char *source, TextView text);

void log_file_close(LogFile *log);

#endif
