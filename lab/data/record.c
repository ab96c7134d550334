#include "lab/data/record.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lab/data/codec.h"
#include "lab/kit/console.h"
#include "lab/kit/ownership.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A block this big has long since learned its chances, and costs one wait for the disk. Bytes without plies
 * are games that end where they start. */
enum { BLOCK_PLIES = 1 << 19, BLOCK_BYTES = 1 << 22 };

static uint32_t checksum(const uint8_t *bytes, size_t size) { return (uint32_t)bytes_hash(bytes, size); }

static bool is_described(const RecordBlock *block) { return (block->origin.flags & RECORD_DESCRIBED) != 0; }

/* How each version codes its games. */
static const unsigned VERSIONS[] = {[1] = CODEC_OLD,
                                    [2] = CODEC_OLD | CODEC_DESCRIBED,
                                    [3] = 0,
                                    [4] = CODEC_DESCRIBED,
                                    [5] = CODEC_COARSE,
                                    [6] = CODEC_SEEDED,
                                    [7] = CODEC_SEEDED | CODEC_COARSE,
                                    [RECORD_VERSION] = CODEC_SEEDED | CODEC_KEEN,
                                    [RECORD_VERSION_COARSE] = CODEC_SEEDED | CODEC_COARSE | CODEC_KEEN,
                                    [RECORD_VERSION_DESCRIBED] = CODEC_DESCRIBED | CODEC_KEEN};
enum { VERSION_LAST = sizeof VERSIONS / sizeof VERSIONS[0] - 1 };

static uint32_t version_of(const RecordBlock *block) {
    if (is_described(block)) return RECORD_VERSION_DESCRIBED;
    return block->origin.is_coarse ? RECORD_VERSION_COARSE : RECORD_VERSION;
}

static void reset_codec(RecordCodec *codec, const RecordBlock *block) {
    codec_reset(codec, block->codec, block->origin.seed);
}

static void header_write(uint8_t *out, const RecordBlock *block, const uint8_t *body) {
    memcpy(out, RECORD_MAGIC, sizeof RECORD_MAGIC);
    bytes_put(out + 8, version_of(block), 4);
    bytes_put(out + 12, block->body_size, 4);
    bytes_put(out + 16, block->games, 4);
    bytes_put(out + 20, block->plies, 4);
    bytes_put(out + 24, block->origin.nodes, 4);
    bytes_put(out + 28, block->origin.flags, 4);
    bytes_put(out + 32, block->origin.net_hash, 8);
    bytes_put(out + 40, block->origin.seed, 8);
    bytes_put(out + 48, block->origin.next_game, 8);
    bytes_put(out + 56, checksum(body, block->body_size), 4);
    bytes_put(out + 60, checksum(out, 60), 4);
}

/* Whether the body is large enough for what the header says is in it. */
static bool is_expansion_allowed(const RecordBlock *block) {
    return (uint64_t)block->games + block->plies <= (uint64_t)RECORD_EXPANSION_MAX * block->body_size;
}

Status record_read_header(const uint8_t *in, RecordBlock *block) {
    if (memcmp(in, RECORD_MAGIC, sizeof RECORD_MAGIC) != 0) return status_error("no block of game records");
    const uint64_t version = bytes_get(in + 8, 4);
    if (version < 1 || version > VERSION_LAST)
        return status_error("version %u, this program reads 1 to %d", (unsigned)version, VERSION_LAST);
    block->codec = VERSIONS[version];
    if (bytes_get(in + 60, 4) != checksum(in, 60)) return status_error("the block's header is damaged");
    block->body_size = (uint32_t)bytes_get(in + 12, 4);
    block->games = (uint32_t)bytes_get(in + 16, 4);
    block->plies = (uint32_t)bytes_get(in + 20, 4);
    block->origin = (RecordOrigin){.nodes = (uint32_t)bytes_get(in + 24, 4),
                                   .flags = (uint32_t)bytes_get(in + 28, 4),
                                   .net_hash = bytes_get(in + 32, 8),
                                   .seed = bytes_get(in + 40, 8),
                                   .next_game = bytes_get(in + 48, 8),
                                   .is_coarse = (block->codec & CODEC_COARSE) != 0};
    if (block->body_size > RECORD_BODY_MAX || !is_expansion_allowed(block))
        return status_error("the block's size is impossible");
    if (is_described(block) != ((block->codec & CODEC_DESCRIBED) != 0))
        return status_error("the block's version does not fit its flags");
    return status_ok();
}

/* --- writing --- */

struct RecordWriter {
    char *path;
    AppendFile file;
    RecordCodec *codec;
    RangeCoder coder;
    TextBuffer bytes; /* room for the header, then the body so far */
    RecordBlock block;
    bool broken;
};

static void writer_begin_block(RecordWriter *writer) {
    static const char EMPTY_HEADER[RECORD_HEADER_SIZE] = {0};
    writer->block = (RecordBlock){0};
    buffer_clear(&writer->bytes);
    buffer_append(&writer->bytes, (TextView){EMPTY_HEADER, sizeof EMPTY_HEADER});
    range_begin_writing(&writer->coder, &writer->bytes);
}

static void writer_release(RecordWriter *writer) {
    append_file_close(&writer->file);
    codec_destroy(writer->codec);
    buffer_release(&writer->bytes);
    memory_release(writer->path);
    memory_release(writer);
}

static Status prepare_games(RecordReader *reader);

/* Where the whole blocks end. All are checked: nothing is added after damage, where no reader comes to it.
 */
static Status find_end(const char *path, long long *end, long long *torn) {
    Status status;
    RecordReader *reader = record_reader_open(path, &status);
    if (reader == NULL) return status;
    RecordBlock block;
    *end = 0;
    while (record_reader_next_block(reader, &block, &status)) {
        *end = block.offset + RECORD_HEADER_SIZE + (long long)block.body_size;
        status = prepare_games(reader);
        if (!status_is_ok(&status)) break;
    }
    *torn = record_reader_torn(reader);
    record_reader_close(reader);
    return status;
}

/* A torn end is mostly of no use. But one flipped bit in the last block looks the same, and that is not a
 * reason to lose its games for good. */
static Status set_tail_aside(RecordWriter *writer, long long end) {
    TextBuffer aside = {0};
    buffer_append_format(&aside, "%s.tail", writer->path);
    const Status status = aside.failed ? status_no_memory("a torn end")
                                       : append_file_move_tail(&writer->file, end, buffer_string(&aside));
    buffer_release(&aside);
    return status;
}

RecordWriter *record_writer_open(const char *path, NameOrigin origin, long long *torn, Status *status) {
    RecordWriter *writer = memory_allocate(sizeof *writer);
    long long end, torn_size = 0;
    *status = status_no_memory("the writer of games");
    if (writer == NULL) return NULL;
    writer->file.handle = -1;
    writer->codec = codec_create();
    writer->path = text_duplicate(text_view(path));
    if (writer->codec != NULL && writer->path != NULL) {
        *status = append_file_open(&writer->file, writer->path, origin);
        if (status_is_ok(status)) *status = find_end(path, &end, &torn_size);
        if (status_is_ok(status) && torn_size > 0) *status = set_tail_aside(writer, end);
    }
    if (!status_is_ok(status)) {
        writer_release(writer);
        return NULL;
    }
    if (torn != NULL) *torn = torn_size;
    writer_begin_block(writer);
    return writer;
}

static bool same_origin(const RecordOrigin *a, const RecordOrigin *b) {
    return a->net_hash == b->net_hash && a->seed == b->seed && a->nodes == b->nodes &&
           (a->flags | RECORD_DESCRIBED) == (b->flags | RECORD_DESCRIBED);
}

Status record_writer_add(RecordWriter *writer, const RecordOrigin *origin, RecordedGame *game) {
    if (writer->broken) return status_error("%s: writing failed earlier", writer->path);
    const bool described = recorded_is_described(game);
    const bool is_coarse = origin->is_coarse && !described;
    const bool fits = same_origin(origin, &writer->block.origin) &&
                      is_coarse == writer->block.origin.is_coarse &&
                      (!described || is_described(&writer->block));
    if (writer->block.games > 0 && !fits) {
        Status status = record_writer_flush(writer);
        if (!status_is_ok(&status)) return status;
    }
    const uint32_t flag = writer->block.games > 0 ? writer->block.origin.flags & RECORD_DESCRIBED
                          : described             ? RECORD_DESCRIBED
                                                  : 0;
    const bool begins = writer->block.games == 0;
    const uint64_t next_game = writer->block.origin.next_game;
    writer->block.origin = *origin;
    writer->block.origin.is_coarse = is_coarse;
    writer->block.origin.flags = (origin->flags & ~(uint32_t)RECORD_DESCRIBED) | flag;
    if (next_game > origin->next_game) writer->block.origin.next_game = next_game;
    if (begins) {
        writer->block.codec = VERSIONS[version_of(&writer->block)];
        reset_codec(writer->codec, &writer->block);
    }
    codec_encode(writer->codec, &writer->coder, game);
    writer->block.games++;
    writer->block.plies += (uint32_t)game->ply_count;
    const bool is_full = writer->block.plies >= BLOCK_PLIES || writer->bytes.length >= BLOCK_BYTES;
    return is_full ? record_writer_flush(writer) : status_ok();
}

Status record_writer_flush(RecordWriter *writer) {
    if (writer->broken) return status_error("%s: writing failed earlier", writer->path);
    if (writer->block.games == 0) return status_ok();
    range_end_writing(&writer->coder);
    writer->block.body_size = (uint32_t)(writer->bytes.length - RECORD_HEADER_SIZE);
    for (; !is_expansion_allowed(&writer->block); writer->block.body_size++)
        buffer_append_char(&writer->bytes, '\0'); /* no reader comes to it */
    Status status = status_no_memory("a block of games");
    if (!writer->bytes.failed) {
        uint8_t *bytes = (uint8_t *)writer->bytes.data;
        header_write(bytes, &writer->block, bytes + RECORD_HEADER_SIZE);
        status = append_file_write(&writer->file, buffer_view(&writer->bytes));
    }
    writer->broken = !status_is_ok(&status);
    if (!writer->broken) writer_begin_block(writer);
    return status;
}

RecordBlock record_writer_drop(RecordWriter *writer) {
    const RecordBlock block = writer->block;
    writer_begin_block(writer);
    return block;
}

Status record_writer_close(RecordWriter *writer) {
    if (writer == NULL) return status_ok();
    Status status = writer->broken ? status_ok() : record_writer_flush(writer);
    writer_release(writer);
    return status;
}

Status record_check_output(const char *path, bool again) {
    Status status = ownership_check_kind(path, RECORD_MAGIC, sizeof RECORD_MAGIC, "a file of games");
    return status_is_ok(&status) ? ownership_check_new(path, again) : status;
}

/* --- reading --- */

struct RecordReader {
    FILE *file;
    char *path;
    long long size;   /* of the file when it was opened */
    long long offset; /* of the next header */
    long long torn;
    RecordBlock torn_block;  /* what its header says; zeros where that is torn, too */
    RecordBlock block, left; /* `left`: the games and plies that are still to be read */
    bool body_loaded;
    uint8_t header[RECORD_HEADER_SIZE];
    TextBuffer body;
    RecordCodec *codec;
    RangeCoder coder;
};

void record_reader_close(RecordReader *reader) {
    if (reader == NULL) return;
    if (reader->file != NULL) (void)fclose(reader->file);
    codec_destroy(reader->codec);
    buffer_release(&reader->body);
    memory_release(reader->path);
    memory_release(reader);
}

static Status open_file(RecordReader *reader) {
    struct stat facts;
    reader->file = fopen(reader->path, "rb");
    if (reader->file == NULL || fstat(fileno(reader->file), &facts) != 0)
        return status_system_error("cannot open %s", reader->path);
    if (!S_ISREG(facts.st_mode)) return status_error("%s is no regular file", reader->path);
    reader->size = facts.st_size;
    return file_check_input(fileno(reader->file), reader->path);
}

RecordReader *record_reader_open(const char *path, Status *status) {
    RecordReader *reader = memory_allocate(sizeof *reader);
    *status = status_no_memory("the reader of games");
    if (reader == NULL) return NULL;
    reader->codec = codec_create();
    reader->path = text_duplicate(text_view(path));
    if (reader->codec != NULL && reader->path != NULL) *status = open_file(reader);
    if (status_is_ok(status)) return reader;
    record_reader_close(reader);
    return NULL;
}

RecordReader *record_reader_open_at(const char *path, long long offset, Status *status) {
    RecordReader *reader = record_reader_open(path, status);
    if (reader != NULL) reader->offset = offset;
    return reader;
}

/* Whether nothing but zeros follows: what some file systems leave of a write that the power cut short. */
static bool only_zeros_left(RecordReader *reader) {
    if (fseeko(reader->file, reader->offset, SEEK_SET) != 0) return false;
    for (int byte; (byte = getc(reader->file)) != EOF;)
        if (byte != 0) return false;
    return true;
}

/* Reads the body of the block; *sound says whether its checksum is right. */
static Status read_body(RecordReader *reader, bool *sound) {
    const size_t size = reader->block.body_size;
    buffer_clear(&reader->body);
    if (fseeko(reader->file, reader->block.offset + RECORD_HEADER_SIZE, SEEK_SET) != 0)
        return status_system_error("cannot read %s", reader->path);
    char chunk[1 << 14];
    for (size_t done = 0; done < size;) {
        const size_t want = size - done < sizeof chunk ? size - done : sizeof chunk;
        const size_t got = fread(chunk, 1, want, reader->file);
        if (got == 0)
            return status_error("%s: the file became shorter while it was read, at offset %lld", reader->path,
                                reader->block.offset);
        buffer_append(&reader->body, (TextView){chunk, got});
        done += got;
    }
    if (reader->body.failed) return status_no_memory("a block of games");
    const uint8_t *body = (const uint8_t *)buffer_string(&reader->body);
    *sound = checksum(body, size) == bytes_get(reader->header + 56, 4);
    reader->body_loaded = *sound;
    range_begin_reading(&reader->coder, body, size);
    return status_ok();
}

/* `block`: its header, NULL where that is torn, too. */
static bool reader_is_torn(RecordReader *reader, const RecordBlock *block) {
    if (block != NULL) reader->torn_block = *block;
    reader->torn = reader->size - reader->offset;
    reader->offset = reader->size;
    return false;
}

/* A file that begins with something else is of another kind. */
static Status refuse_block(const RecordReader *reader, const char *reason) {
    const char *const hint =
        reader->offset == 0 ? " (luft-lab data import makes a file of games from PGN and other formats)" : "";
    return status_error("%s, offset %lld: %s%s", reader->path, reader->offset, reason, hint);
}

bool record_reader_next_block(RecordReader *reader, RecordBlock *block, Status *status) {
    *status = status_ok();
    reader->left.games = 0;
    reader->body_loaded = false;
    const long long offset = reader->offset, left = reader->size - offset;
    if (left == 0) return false;
    if (left < RECORD_HEADER_SIZE) {
        /* A foreign file may be short too: a torn header is still the beginning of one, or zeros. */
        char start[sizeof RECORD_MAGIC] = {0};
        const size_t known = left < (long long)sizeof start ? (size_t)left : sizeof start;
        if (fseeko(reader->file, offset, SEEK_SET) == 0 && fread(start, 1, known, reader->file) == known &&
            (memcmp(start, RECORD_MAGIC, known) == 0 || only_zeros_left(reader)))
            return reader_is_torn(reader, NULL);
        *status = refuse_block(reader, "no block of game records");
        return false;
    }
    if (fseeko(reader->file, offset, SEEK_SET) != 0 ||
        fread(reader->header, 1, RECORD_HEADER_SIZE, reader->file) != RECORD_HEADER_SIZE) {
        *status = status_system_error("cannot read %s", reader->path);
        return false;
    }
    Status fault = record_read_header(reader->header, &reader->block);
    if (!status_is_ok(&fault)) {
        if (only_zeros_left(reader)) return reader_is_torn(reader, NULL);
        *status = refuse_block(reader, fault.reason);
        return false;
    }
    if (left < RECORD_HEADER_SIZE + (long long)reader->block.body_size)
        return reader_is_torn(reader, &reader->block);
    reader->block.offset = offset;
    reader->offset = offset + RECORD_HEADER_SIZE + (long long)reader->block.body_size;
    if (reader->offset == reader->size) {
        /* The last block may have its length but not its content when the machine went down. */
        bool sound = false;
        *status = read_body(reader, &sound);
        if (!status_is_ok(status)) return false;
        if (!sound) {
            reader->offset = offset;
            return reader_is_torn(reader, &reader->block);
        }
    }
    reader->left = reader->block;
    reset_codec(reader->codec, &reader->block);
    *block = reader->block;
    return true;
}

/* Reads and checks the body of the block, if that has not been done. */
static Status prepare_games(RecordReader *reader) {
    bool sound = false;
    if (reader->body_loaded) return status_ok();
    const Status status = read_body(reader, &sound);
    if (!status_is_ok(&status) || sound) return status;
    return status_error("%s, offset %lld: the block is damaged (checksum)", reader->path,
                        reader->block.offset);
}

/* Decodes a game of those that are left. */
static Status decode_next(RecordCodec *codec, RangeCoder *coder, RecordBlock *left, RecordedGame *game) {
    const Status status = codec_decode(codec, coder, game);
    if (!status_is_ok(&status)) return status;
    if ((uint32_t)game->ply_count > left->plies)
        return status_error("the block has more plies than its header says");
    left->games--;
    left->plies -= (uint32_t)game->ply_count;
    return status;
}

bool record_reader_next_game(RecordReader *reader, RecordedGame *game, Status *status) {
    *status = status_ok();
    if (reader->left.games == 0) return false;
    *status = prepare_games(reader);
    if (!status_is_ok(status)) return false;
    const Status fault = decode_next(reader->codec, &reader->coder, &reader->left, game);
    if (status_is_ok(&fault)) return true;
    reader->left.games = 0;
    *status = status_error("%s, offset %lld: %s", reader->path, reader->block.offset, fault.reason);
    return false;
}

long long record_reader_torn(const RecordReader *reader) { return reader->torn; }

void record_reader_warn_of_torn_end(const RecordReader *reader) {
    const RecordBlock *block = &reader->torn_block;
    if (reader->torn == 0) return;
    /* Of its full length, it was changed later, or the machine went down before all of it was on the disk. */
    const bool is_whole =
        block->games > 0 && reader->torn == RECORD_HEADER_SIZE + (long long)block->body_size;
    text_printf(stderr, "warning: %s: the last block, %s from offset %lld on, is %s and left out: %s\n",
                reader->path, console_count((uint64_t)reader->torn, "byte").text, reader->size - reader->torn,
                is_whole ? "damaged (its checksum is wrong)" : "torn",
                block->games > 0 ? console_games(block->games, block->plies).text
                                 : "how many games it had, nothing says");
}

Status record_each_game(const WordList *files, RecordTake *take, void *context) {
    RecordedGame *game = memory_allocate(sizeof *game);
    if (game == NULL) return status_no_memory("the games");
    Status status = status_ok();
    for (int i = 0; i < files->count && status_is_ok(&status); i++) {
        RecordReader *reader = record_reader_open(files->word[i], &status);
        RecordBlock block;
        while (reader != NULL && record_reader_next_block(reader, &block, &status)) {
            while (record_reader_next_game(reader, game, &status)) {
                status = take(context, &block, game);
                if (!status_is_ok(&status)) break;
            }
            if (!status_is_ok(&status)) break;
        }
        if (status_is_ok(&status)) record_reader_warn_of_torn_end(reader);
        record_reader_close(reader);
    }
    memory_release(game);
    return status;
}

Status record_count_games(const WordList *files, uint64_t *games) {
    Status status = status_ok();
    *games = 0;
    for (int i = 0; i < files->count && status_is_ok(&status); i++) {
        RecordReader *reader = record_reader_open(files->word[i], &status);
        RecordBlock block;
        while (reader != NULL && record_reader_next_block(reader, &block, &status)) *games += block.games;
        record_reader_close(reader);
    }
    return status;
}

Status record_decode_block(const uint8_t *bytes, size_t size, RecordTake *take, void *context) {
    RecordBlock block = {0};
    if (size < RECORD_HEADER_SIZE) return status_error("too short for a block");
    Status status = record_read_header(bytes, &block);
    if (!status_is_ok(&status)) return status;
    if (size - RECORD_HEADER_SIZE != block.body_size) return status_error("the size does not fit the header");
    if (checksum(bytes + RECORD_HEADER_SIZE, block.body_size) != bytes_get(bytes + 56, 4))
        return status_error("the block is damaged (checksum)");
    RecordCodec *codec = codec_create();
    RecordedGame *game = codec != NULL ? memory_allocate(sizeof *game) : NULL;
    if (game == NULL) {
        codec_destroy(codec);
        return status_no_memory("a block of games");
    }
    RangeCoder coder;
    reset_codec(codec, &block);
    range_begin_reading(&coder, bytes + RECORD_HEADER_SIZE, block.body_size);
    for (RecordBlock left = block; left.games > 0 && status_is_ok(&status);) {
        status = decode_next(codec, &coder, &left, game);
        if (status_is_ok(&status) && take != NULL) status = take(context, &block, game);
    }
    memory_release(game);
    codec_destroy(codec);
    return status;
}
