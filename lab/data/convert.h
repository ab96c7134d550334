/* Recorded games as text, a line or a PGN game each, and back. Called from one thread. */
#ifndef LUFT_DATA_CONVERT_H
#define LUFT_DATA_CONVERT_H

#include "base/status.h"

#include <stdbool.h>

/* To the file `out`, which is renamed when complete; NULL or "-": to standard output. */
Status convert_export(char *const *files, int count, bool pgn, const char *out);

/* From files of text into one of records. The reason names file and line. */
Status convert_import(char *const *files, int count, bool pgn, const char *out);

#endif
