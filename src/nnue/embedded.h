/* The bytes of the network inside this program. */
#ifndef LUFT_NNUE_EMBEDDED_H
#define LUFT_NNUE_EMBEDDED_H

#include <stddef.h>

/* The file that the program was built with. */
const void *embedded_network(size_t *size);

#endif
