/* The options that an engine offers, and whether a value fits. Pure. */
#ifndef LUFT_CLIENT_UCI_OPTION_H
#define LUFT_CLIENT_UCI_OPTION_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

/* Whether the option is among `offered`, the engine's lines "option name ...". Ignores case. */
bool uci_option_exists(TextView offered, const char *name);

/* A number that the engine offers (type spin): its default and range. */
typedef struct UciSpin {
    int initial, low, high;
} UciSpin;

/* Looks up a number; false when there is no such option, it is no number, or its line makes no sense. */
bool uci_option_spin(TextView offered, const char *name, UciSpin *spin);

/* Why the engine cannot accept this value: no such option, a number out of range, no such choice. Sets
 * `*button` when the option takes no value. */
Status uci_option_check(TextView offered, const char *name, const char *value, bool *button);

#endif
