#include "search/params.h"

#include <stddef.h>

#ifdef LUFT_LAB
#define PARAM(name, value, low, high, step) .name = (value),
Params params = {
#include "search/params.def"
};
#undef PARAM
#define TECHNIQUE(name, summary) .name = true,
Techniques techniques = {
#include "search/techniques.def"
};
#define LIVE(variable) &(variable)
#else
#define LIVE(variable) NULL
#endif

#define PARAM(name, value, low, high, step) {#name, LIVE(params.name), value, low, high, step},
static const ParamRow PARAM_ROWS[] = {
#include "search/params.def"
};
#undef PARAM

#define TECHNIQUE(name, summary) {#name, summary, LIVE(techniques.name)},
static const TechniqueRow TECHNIQUE_ROWS[] = {
#include "search/techniques.def"
};

const ParamRow *params_rows(int *count) {
    *count = (int)(sizeof PARAM_ROWS / sizeof *PARAM_ROWS);
    return PARAM_ROWS;
}

const TechniqueRow *techniques_rows(int *count) {
    *count = (int)(sizeof TECHNIQUE_ROWS / sizeof *TECHNIQUE_ROWS);
    return TECHNIQUE_ROWS;
}
