/* luft_create but for create.c, which checks the processor before any code that it may lack runs. */
#ifndef LUFT_LIBRARY_LIBRARY_H
#define LUFT_LIBRARY_LIBRARY_H

#include "include/luft.h"

/* What luft_create does on a processor that fits. */
LuftEngine *library_create(const LuftListener *listener, char *error, size_t capacity);

#endif
