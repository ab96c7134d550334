/* The numbers and switches of the search: constants in the normal build, variables of the LAB=1 build, which
 * lists them as UCI options. Read anywhere as params.name and techniques.name; set only while no search runs.
 */
#ifndef LUFT_SEARCH_PARAMS_H
#define LUFT_SEARCH_PARAMS_H

#include <stdbool.h>

typedef struct Params {
#define PARAM(name, value, low, high, step) int name;
#include "search/params.def"
#undef PARAM
} Params;

typedef struct Techniques {
#define TECHNIQUE(name, summary) bool name;
#include "search/techniques.def"
} Techniques;

#ifdef LUFT_LAB
extern Params params;
extern Techniques techniques;
#else
#define PARAM(name, value, low, high, step) .name = (value),
static const Params params __attribute__((unused)) = {
#include "search/params.def"
};
#define TECHNIQUE(name, summary) .name = true,
static const Techniques techniques __attribute__((unused)) = {
#include "search/techniques.def"
};
#undef PARAM
#endif

/* One row for each number and each switch, for option lists and tuners. `value` and `enabled` point to the
 * live variable in the LAB=1 build and are NULL in the normal one. */
typedef struct ParamRow {
    const char *name;
    int *value;
    int initial, low, high, step;
} ParamRow;
typedef struct TechniqueRow {
    const char *name;
    const char *summary;
    bool *enabled;
} TechniqueRow;

const ParamRow *params_rows(int *count);
const TechniqueRow *techniques_rows(int *count);

#endif
