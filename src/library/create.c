#include "base/processor.h"
#include "library/library.h"

#include <stdio.h>

LuftEngine *luft_create(const LuftListener *listener, char *error, size_t capacity) {
    const char *lacks = processor_lacks();
    if (lacks == NULL) return library_create(listener, error, capacity);
    if (error != NULL)
        snprintf(error, capacity, "this library needs %s, which this processor or system lacks", lacks);
    return NULL;
}
