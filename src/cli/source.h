/* What a command line names: a position, techniques of the search, a file of positions or games. Faults of a
 * file are reported on standard error and cost only themselves. */
#ifndef LUFT_CLI_SOURCE_H
#define LUFT_CLI_SOURCE_H

#include "base/field.h"
#include "chess/reader.h"
#include "nnue/network.h"
#include "record/without.h"

/* Appends the words, joined by blanks: a FEN may come in quotes or without, the first may be "startpos". */
void source_join(const WordList *words, TextBuffer *out);

/* The option of every command that evaluates. */
#define NET_FIELD(member)                   \
    FIELD_TEXT("net", "FILE", member, NULL, \
               "evaluate with this network instead of the one inside the program")

/* Loads a network to be destroyed by the caller; NULL, that of the program, where `path` is. */
Status source_open_network(const char *path, Network **network);

/* Takes a position off the front of a text, as reader_take_position; standard error shows the warning. */
Status source_take_position(TextView *text, Position *pos);

/* Reads the position that the words are; without words it is the initial one. A word too many is refused. */
Status source_read_fen(const WordList *words, Position *pos);

/* Reads a list like "null_move,futility" (NULL: none). Where it is refused, standard error lists the names.
 */
Status source_read_techniques(const char *list, TechniqueSet *wanted);

/* The K-th of N parts of a file: what begins in the K-th N-th of its bytes. Every part reads the whole file
 * and reports its faults; together they take each position and game once, in order. */
typedef struct SourceShard {
    int64_t number, count; /* from 1; 0: the whole file */
} SourceShard;

/* Reads "3/8"; NULL is the whole file. */
Status source_read_shard(const char *text, SourceShard *shard);

/* These call `take` for each position, with the operations after it, and for each game, until the file or a
 * write to standard output fails, or a signal asks for an end (base/interrupt.h). A position whose `take`
 * fails counts as faulty; a game's failure ends the work. Fails, after all else is done, when something was
 * faulty or was skipped. */
typedef Status SourceTakePosition(void *context, const Position *pos, TextView operations);
Status source_each_position(Reader *reader, SourceShard shard, SourceTakePosition *take, void *context);
typedef Status SourceTakeGame(void *context, const Game *game, int number); /* from 1 */
Status source_each_game(Reader *reader, SourceShard shard, SourceTakeGame *take, void *context);

#endif
