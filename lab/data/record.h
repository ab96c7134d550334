/* Files of game records. A file is a row of blocks and nothing else, so that two files joined end to end are
 * a file. A block is written in one piece and synchronised to the disk: whatever kills the writer, at most
 * the last block is torn; readers drop it, and a writer that continues the file sets it aside.
 *
 * Block, all numbers little-endian:
 *
 *   offset  bytes  what
 *   0       8      "LuftGame"
 *   8       4      version: 6; 7 for coarse scores, 4 for described games
 *                         1 to 3 and 5 in files of older programs
 *   12      4      bytes of the body
 *   16      4      games
 *   20      4      plies
 *   24      4      nodes searched a move
 *   28      4      flags: 1 = relabelled (scores by a later net than the one that played)
 *                         2 = described (games have tags and a score of the last position)
 *   32      8      hash of the network whose scores these are
 *   40      8      seed of the run
 *   48      8      one more than the highest number in the run of the games up to here
 *   56      4      checksum of the body (low half of FNV-1a, 64 bits)
 *   60      4      checksum of bytes 0 to 59 (the same)
 *   64      ...    the body: the games, see codec.h
 */
#ifndef LUFT_DATA_RECORD_H
#define LUFT_DATA_RECORD_H

#include "base/field.h"
#include "lab/data/recorded.h"
#include "lab/kit/append_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RECORD_VERSION = 8,
    RECORD_VERSION_COARSE = 9,
    RECORD_VERSION_DESCRIBED = 10,
    RECORD_HEADER_SIZE = 64,
    RECORD_BODY_MAX = 1 << 26,
    RECORD_EXPANSION_MAX = 32, /* games and plies for a byte of the body; most files have one */
    RECORD_RELABELLED = 1,     /* flags of the block */
    RECORD_DESCRIBED = 2       /* set by the writer */
};

static const char RECORD_MAGIC[8] = {'L', 'u', 'f', 't', 'G', 'a', 'm', 'e'};

/* What a block says of its games. */
typedef struct RecordOrigin {
    uint64_t net_hash;
    uint64_t seed;
    uint64_t next_game; /* where a continued run goes on */
    uint32_t nodes;
    uint32_t flags;
    bool is_coarse; /* scores are rounded to what training needs (recorded.h), but not in described games */
} RecordOrigin;

typedef struct RecordBlock {
    RecordOrigin origin;
    unsigned codec; /* CODEC_OLD and so on: how its games are coded */
    uint32_t games, plies, body_size;
    long long offset; /* of its header in the file */
} RecordBlock;

/* --- writing: one thread at a time --- */

typedef struct RecordWriter RecordWriter;

/* Opens the file for appending, creating it if need be, and owns it until it is closed (see append_file.h). A
 * torn last block is moved to the end of PATH.tail; `*torn` (may be NULL) gets its size. NULL with the reason
 * when the file cannot be opened, is no record file, or is being written by another process. */
RecordWriter *record_writer_open(const char *path, NameOrigin origin, long long *torn, Status *status);

/* Adds a game to the block being made, which is written when it is big enough or the origin changes. Scores
 * in the game are rounded to what is kept: more so where the origin says so. */
Status record_writer_add(RecordWriter *writer, const RecordOrigin *origin, RecordedGame *game);

/* Writes the block being made, if it has games, and waits until it is on the disk. After a failure (a full
 * disk) the file is cut back to its last whole block and the writer accepts no more. */
Status record_writer_flush(RecordWriter *writer);

/* Drops the block being made; what it says of its games. */
RecordBlock record_writer_drop(RecordWriter *writer);

/* Flushes and closes. NULL is fine. */
Status record_writer_close(RecordWriter *writer);

/* For who makes a whole file: as ownership_check_new, and refuses what is no file of games. */
Status record_check_output(const char *path, bool again);

/* --- reading: each reader by one thread at a time --- */

typedef struct RecordReader RecordReader;

/* NULL with the reason. */
RecordReader *record_reader_open(const char *path, Status *status);

/* The same from a block's offset on. */
RecordReader *record_reader_open_at(const char *path, long long offset, Status *status);
void record_reader_close(RecordReader *reader);

/* Goes to the next block, which the following call of record_reader_next_game begins. False at the end of the
 * file or on damage: then *status has the reason and the offset. */
bool record_reader_next_block(RecordReader *reader, RecordBlock *block, Status *status);

/* The next game of the current block; false after its last one, or on damage as above. The body is read and
 * checked with the first game: headers alone are quick to walk over. */
bool record_reader_next_game(RecordReader *reader, RecordedGame *game, Status *status);

/* Bytes of a torn last block; known when the end was reached. */
long long record_reader_torn(const RecordReader *reader);

/* Warns of a torn last block on standard error: its place, and the games that its header names. */
void record_reader_warn_of_torn_end(const RecordReader *reader);

/* The header of a block, from RECORD_HEADER_SIZE bytes; the reason says what is wrong with it. */
Status record_read_header(const uint8_t *bytes, RecordBlock *block);

/* Gets a game and its block; an error ends the reading. */
typedef Status RecordTake(void *context, const RecordBlock *block, RecordedGame *game);

/* Calls `take` for each game of the files, in order. Warns on standard error of torn ends. */
Status record_each_game(const WordList *files, RecordTake *take, void *context);

/* The number of games in the files, from their headers. */
Status record_count_games(const WordList *files, uint64_t *games);

/* Decodes one block from memory, header and body, as if it were alone in a file. `take` may be NULL. */
Status record_decode_block(const uint8_t *bytes, size_t size, RecordTake *take, void *context);

#endif
