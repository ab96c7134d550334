/* What a command line names: a position, techniques of the search, a file of positions or games. Faulty lines
 * and games of a file are reported on standard error and cost only themselves. */
#ifndef LUFT_CLI_SOURCE_H
#define LUFT_CLI_SOURCE_H

#include "base/field.h"
#include "chess/game.h"
#include "record/without.h"

/* Appends the words, joined by blanks: a FEN may come in quotes or without. */
void source_join(const WordList *words, TextBuffer *out);

/* Whether a text is meant as a FEN: its first word has seven slashes, none of them in front, and no full
 * stop. A path may have as many slashes. */
bool source_is_fen(TextView text);

/* Reads the position that the words are; without words it is the initial one. */
Status source_read_fen(const WordList *words, Position *pos);

/* Reads a list like "null_move,futility" (NULL: none). Where it is refused, standard error lists the names.
 */
Status source_read_techniques(const char *list, TechniqueSet *wanted);

/* Reads a file ("-": standard input). It has positions when it begins with one, good or bad, else games. */
Status source_read(const char *path, TextBuffer *text, bool *has_games);

/* These call `take` for each line that is not empty, and for each game, until the text or a write to standard
 * output fails, or a signal asks for an end (base/interrupt.h). A line whose `take` fails counts as faulty; a
 * game's failure ends the work. Fails, after all else is done, when something was faulty or was left out. */
typedef Status SourceTakeLine(void *context, TextView line);
Status source_each_line(TextView text, SourceTakeLine *take, void *context);
typedef Status SourceTakeGame(void *context, const Game *game, int number); /* from 1 */
Status source_each_game(TextView text, SourceTakeGame *take, void *context);

#endif
