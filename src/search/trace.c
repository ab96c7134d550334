#include "search/trace.h"

#include <stddef.h>

_Thread_local Tracer *traced_by = NULL;
