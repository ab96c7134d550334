/* Whole files. A file that others may read is written beside its final name and renamed over it when
 * complete, so that a crash or a full disk leaves the old one as it was. Any thread may call. */
#ifndef LUFT_BASE_FILE_H
#define LUFT_BASE_FILE_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends the whole file to `content`. The reason names the path and the cause. "-" is standard input.
 * What file_check_input refuses is not read. */
Status file_read(const char *path, TextBuffer *content);

/* Writes `size` bytes to `path` through a temporary file, synchronised to disk, then renamed. */
Status file_write(const char *path, const void *data, size_t size);

/* Deletes the file; that there is none is fine. */
Status file_remove(const char *path);

/* Whether file_write could write there now, shown by a file that is made next to it and removed. */
Status file_check_writable(const char *path);

/* Whether two names lead to one file; false where one of them is none, and on Windows unless they are equal.
 */
bool file_is_same(const char *path, const char *other);

/* Refuses an open file that standard output goes to: who reads what he writes spoils both. And a device that
 * may have no end, as /dev/zero; terminals and /dev/null are fine. The path is for the reason. Windows does
 * not tell. */
Status file_check_input(int handle, const char *path);

/* Whether the path leads to a plain file, which can be read to its end without waiting. */
bool file_is_plain(const char *path);

/* Size in bytes, or -1 when there is no such file. */
long long file_size(const char *path);

/* Creates the folder and its parents; an existing folder is fine. */
Status file_make_folder(const char *path);

#endif
