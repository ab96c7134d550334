/* The bytes of the network inside this program. */
#ifndef LUFT_NNUE_EMBEDDED_H
#define LUFT_NNUE_EMBEDDED_H

#include "base/status.h"

#include <stddef.h>

/* The file that the program was built with; else the one that was provided, or NULL and 0 bytes. */
const void *embedded_network(size_t *size);

/* For a program built without a file (EVALFILE=none): keeps a copy of these bytes, a checked network, until
 * the program ends. Call it once, before there is a second thread. */
Status embedded_provide(const void *bytes, size_t size);

#endif
