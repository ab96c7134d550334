/* Names of techniques on a command line. */
#ifndef LUFT_CLI_TECHNIQUE_WORDS_H
#define LUFT_CLI_TECHNIQUE_WORDS_H

#include "explain/without.h"

/* Reads a list like "null_move,futility" (NULL: none). Where it is refused, what names there are stands on
 * the standard error. */
Status technique_words_read(const char *list, TechniqueSet *techniques_out);

#endif
