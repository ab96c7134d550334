/* Files of games to and from the other formats: text, PGN, and those of foreign.h. Called from one thread. */
#ifndef LUFT_DATA_CONVERT_H
#define LUFT_DATA_CONVERT_H

#include "base/field.h"
#include "base/status.h"
#include "lab/data/plyuse.h"

#define CONVERT_FORMATS "text pgn plain bulletformat viriformat"
#define IMPORT_FORMATS  CONVERT_FORMATS " auto"

typedef struct ConvertSettings {
    WordList files;
    const char *out; /* renamed when complete; NULL or "-" of an export of text: standard output */
    int format;      /* of CONVERT_FORMATS or IMPORT_FORMATS; auto: the first line says which text it is */
    int pawn;        /* the score of a pawn in a foreign file; 0: the standard of its format */
    bool usable;     /* exports only the positions that `plies` has nothing against */
    PlyFilter plies;
    bool again;       /* replaces a file that is there, and sets that aside */
    bool skip_faults; /* what cannot be read is no failure */
} ConvertSettings;

/* From files of records to another format. Reports on standard error what the format cannot hold. */
Status convert_export(const ConvertSettings *settings);

/* From another format into a file of records. What cannot be read is reported on standard error; what was
 * before it in its game is written. Games without a result are skipped. Fails when something was lost, unless
 * `skip_faults`, and without a file when there was nothing to write. */
Status convert_import(const ConvertSettings *settings);

#endif
