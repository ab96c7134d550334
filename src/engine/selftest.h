/* Does this binary play by the rules and count the same every time? A few seconds, no other program needed.
 */
#ifndef LUFT_ENGINE_SELFTEST_H
#define LUFT_ENGINE_SELFTEST_H

#include <stdbool.h>

/* Told of each check: what was checked, and "" or the reason why it failed. */
typedef void SelftestReport(void *context, const char *check, const char *reason);

/* Runs all checks: perft of known positions, hash keys kept up against fresh ones, SAN and FEN round trips,
 * bench twice. Returns the number of checks that failed. */
int selftest_run(SelftestReport *report, void *context);

#endif
