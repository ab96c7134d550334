/* Where a store may be. Any thread may call. */
#ifndef LUFT_STORE_PLACE_H
#define LUFT_STORE_PLACE_H

#include "base/status.h"

/* Refuses a file on a network drive. Programs that share a store also share a part of their memory, which
 * ends at the computer: two computers would damage the file. Where the system does not say what a drive is,
 * the file is accepted. */
Status place_check(const char *path);

#endif
