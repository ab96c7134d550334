/* A file that only grows, by whole pieces: when append_file_write returns, the piece is on the disk or not in
 * the file at all. One thread at a time; one process at a time (see ownership.h). */
#ifndef LUFT_KIT_APPEND_FILE_H
#define LUFT_KIT_APPEND_FILE_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct AppendFile {
    const char *path; /* the caller's; must outlive this */
    int handle;       /* -1: closed */
    bool is_new;      /* was made when it was opened */
    int64_t length;
} AppendFile;

/* Where the name of a file comes from. A link whose name a program makes up was put there by somebody else:
 * it is not followed. */
typedef enum NameOrigin { NAME_GIVEN, NAME_DERIVED } NameOrigin;

/* Opens or creates the file. Checks that the disk has room, before anything can be lost. */
Status append_file_open(AppendFile *file, const char *path, NameOrigin origin);

/* Appends and synchronises. On an error the file is cut back to what it was. */
Status append_file_write(AppendFile *file, TextView text);

/* Whether the file is empty or its last byte ends a line; true where it cannot be read. */
bool append_file_ends_line(const AppendFile *file);

/* Cuts off everything after `length`. */
Status append_file_cut(AppendFile *file, int64_t length);

/* bytes_hash of the first `length` bytes. */
Status append_file_hash(const AppendFile *file, int64_t length, uint64_t *hash);

/* Moves everything after `length` to the end of another file; it is on the disk there before it is cut off
 * here. */
Status append_file_move_tail(AppendFile *file, int64_t length, const char *path);

/* Removes the file from its folder if it was made when it was opened; then closes it. */
void append_file_drop(AppendFile *file);

void append_file_close(AppendFile *file);

#endif
