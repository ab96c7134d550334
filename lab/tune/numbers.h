/* The numbers of an engine that can be tuned: options of a LAB=1 build, with the steps of params.def. */
#ifndef LUFT_TUNE_NUMBERS_H
#define LUFT_TUNE_NUMBERS_H

#include "lab/client/uci_client.h"
#include "lab/tune/spsa.h"

typedef struct TuneNumbers {
    SpsaParam param[SPSA_PARAMS_MAX];
    int count;
} TuneNumbers;

/* Adds the named numbers of the engine that runs; without names, all of params.def that it has, that `config`
 * does not set and that do something under its limits. The reason of a failure says which name is wrong, and
 * why. */
Status numbers_find(const UciClient *client, const EngineConfig *config, char *const *names, int name_count,
                    TuneNumbers *numbers);

#endif
