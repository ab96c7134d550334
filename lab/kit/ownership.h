/* Who may write a file. A process that writes to a file for longer than a moment owns it: no other process of
 * the laboratory may write to it, and nothing is written to a file that was removed or renamed. No command
 * overwrites its own input, or a file of another kind. Any thread may call. */
#ifndef LUFT_KIT_OWNERSHIP_H
#define LUFT_KIT_OWNERSHIP_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Opens the file for reading and writing, creates it if necessary, and locks it until the handle is closed.
 * `flags` are further ones of open(2), such as O_APPEND. Refused while another luft-lab writes it. */
Status ownership_take(const char *path, int flags, int *handle);

/* Whether the path still names the file of the handle: another process may have removed or replaced it. Call
 * before each write. */
Status ownership_check(const char *path, int handle);

/* For replacing a whole file: refused while another luft-lab writes it, where it is write-protected, and for
 * devices and pipes, which root could replace. A missing file is fine. */
Status ownership_check_free(const char *path);

/* Keeps a file, or a folder with all that is in it, under another name, PATH.old or .old2 and so on, so that
 * a run can begin again or a file be replaced. A missing one is fine; refused while another luft-lab writes
 * it, or a file of the folder. */
Status ownership_set_aside(const char *path);

/* For a file that a command makes: what ownership_check_free refuses, and a file that is there already,
 * unless it is empty or `again` (the option --again, which the reason names) replaces it. */
Status ownership_check_new(const char *output, bool again);

/* The same when the file is complete and gets its name: with `again`, the old one is set aside. */
Status ownership_make_room(const char *output, bool again);

/* Refuses an output that is one of the inputs, whatever its name. NULL and "-" are no files. */
Status ownership_check_inputs(const char *output, const char *const *inputs, int count);

/* Refuses to overwrite a file, unless it is empty or begins with `start`, as files of this `kind` ("a
 * network") do. A folder is refused; devices and pipes are accepted. */
Status ownership_check_kind(const char *output, const void *start, size_t length, const char *kind);

#endif
