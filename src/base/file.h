/* Reading and writing whole files. A file grows under a temporary name in the folder of its final one and is
 * renamed when complete, so a crash or a full disk leaves the old file unchanged. Any thread may call. */
#ifndef LUFT_BASE_FILE_H
#define LUFT_BASE_FILE_H

#include "base/interrupt.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* False: every call below fails. The host of a WebAssembly build passes bytes instead. */
#ifdef __wasm__
enum { FILES_EXIST = false };
#else
enum { FILES_EXIST = true };
#endif

/* Appends the whole file to `content`. "-" is standard input. Files that file_check_input refuses are not
 * read. The reason of a failure names the path and the cause. */
Status file_read(const char *path, TextBuffer *content);

/* Writes `size` bytes to `path`, as a NewFile. */
Status file_write(const char *path, const void *data, size_t size);

/* A file that is being written: nothing else creates temporary files. Its name cannot be guessed, and no link
 * of that name is followed. It gets the mode of the file that it replaces, which must not be write-protected.
 * A link at `path` stays, and what it leads to is replaced; a device or a pipe is written to directly. The
 * signals of base/interrupt wait from begin to end, so that none leaves a temporary file. Both calls are of
 * the program's first thread, which alone gets signals (thread_start), or between interrupt_begin and _end.
 */
enum { FILE_PATH_CAPACITY = 4096 };

typedef struct NewFile {
    int handle; /* -1: not open */
    char target[FILE_PATH_CAPACITY], temporary[FILE_PATH_CAPACITY];
    Interrupt interrupt; /* of a temporary file */
} NewFile;

Status new_file_begin(NewFile *file, const char *path);
Status new_file_add(NewFile *file, const void *data, size_t size);

/* Ends the file, also one that new_file_begin could not open. If all went well (`status`), it is synchronised
 * to disk and renamed; otherwise it is removed. Returns the first failure, which names `path`. */
Status new_file_end(NewFile *file, Status status);

/* Deletes the file. It is no error if there is none. */
Status file_remove(const char *path);

/* Checks that file_write can write there now, by making and removing a file next to it. Devices and pipes are
 * not tried. */
Status file_check_writable(const char *path);

/* Refuses the name of a file that cannot be made: a folder, or a path into a folder that does not exist or is
 * write-protected. Makes nothing. Windows does not look at the protection. */
Status file_check_name(const char *path);

/* Whether two paths lead to one file. False if one does not exist. Windows compares the names only. */
bool file_is_same(const char *path, const char *other);

/* Refuses to read the file that standard output is written to, which would damage it, and devices that may
 * never end, such as /dev/zero. Terminals and /dev/null are allowed. `path` is for the reason. Checks nothing
 * on Windows. */
Status file_check_input(int handle, const char *path);

/* Whether the path is a regular file, which can be read to its end without waiting. */
bool file_is_plain(const char *path);

/* Size in bytes; -1 if there is no such file. */
long long file_size(const char *path);

/* Maps a regular file, which must not be empty, into memory for reading: its pages are read when they are
 * touched. Free with file_unmap. If the file is shortened or its disk fails meanwhile, the next access ends
 * the program. */
Status file_map(const char *path, uint8_t **bytes, size_t *size);
void file_unmap(uint8_t *bytes, size_t size);

/* Creates the folder and its parents. It is no error if it exists. */
Status file_make_folder(const char *path);

#endif
