/* Whose a file is. A process that writes to a file for longer than a moment owns it: no other process of the
 * laboratory writes to it meanwhile, and what is written does not go to a file that has lost its name. And no
 * command writes over its own input, or over what it did not make. Any thread may call. */
#ifndef LUFT_KIT_OWNERSHIP_H
#define LUFT_KIT_OWNERSHIP_H

#include "base/status.h"

#include <stddef.h>

/* Opens the file for reading and writing, creates it if need be, and locks it until the handle is closed;
 * `flags` are more of open(2), such as O_APPEND. Refused while another luft-lab writes it. */
Status ownership_take(const char *path, int flags, int *handle);

/* Whether the path still leads to the file of the handle: another process may have removed it, or put another
 * in its place. To be asked before each write. */
Status ownership_check(const char *path, int handle);

/* For who replaces a file as a whole: refused while another luft-lab writes it; and what is a device or a
 * pipe, which root could replace, too. No file is fine. */
Status ownership_check_free(const char *path);

/* Refuses an output that is one of the inputs, whatever its name. NULL and "-" are no files. */
Status ownership_check_inputs(const char *output, const char *const *inputs, int count);

/* Refuses to write over what is there already, unless it is empty or begins with `start`, as `kind` ("a
 * network") does. A folder is refused too; devices and pipes are taken. */
Status ownership_check_kind(const char *output, const void *start, size_t length, const char *kind);

#endif
