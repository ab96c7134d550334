/* The traced search: its sources again, as one unit. Every source with a rule belongs in this list. */
#define LUFT_TRACED

#include "search/trace.h"

/* NOLINTBEGIN(bugprone-suspicious-include) */
#include "search/history.c"
#include "search/iterate.c"
#include "search/movepick.c"
#include "search/qsearch.c"
#include "search/search.c"
#include "search/see.c"
#include "search/value.c"
/* NOLINTEND(bugprone-suspicious-include) */

bool trace_iterate_slice(Worker *worker, const Slice *slice, Tracer *tracer) {
    traced_by = tracer;
    const bool is_left = iterate_slice(worker, slice);
    traced_by = NULL;
    return is_left;
}
