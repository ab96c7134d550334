/* A position as words of a command line: a FEN, in quotes or not. */
#ifndef LUFT_CLI_POSITION_WORD_H
#define LUFT_CLI_POSITION_WORD_H

#include "base/arguments.h"

/* The words joined by blanks. */
void position_word_join(const ArgumentList *words, TextBuffer *out);

/* Whether a text is meant as a FEN: its first word has seven slashes, none of them in front, and no full
 * stop. A path may have as many slashes. */
bool position_word_is_fen(TextView text);

/* Whether the words are a legal position; none at all are the initial one. */
Status position_word_check(const ArgumentList *words);

#endif
