#include "lab/data/shards.h"

#include "base/file.h"
#include "base/memory.h"
#include "lab/data/sorting.h"
#include "lab/kit/console.h"
#include "lab/kit/ownership.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_CAPACITY = 4096, SHARDS_MAX = 1 << 20 };

static int64_t groups_of(int64_t games) { return (games + SHARD_GAMES - 1) / SHARD_GAMES; }

/* The numbers of a shard of a run of `games`, all arguments valid. */
static Shard shard_of(int64_t number, int64_t count, int64_t games) {
    const int64_t groups = groups_of(games);
    const int64_t end = number * groups / count * SHARD_GAMES;
    return (Shard){.number = number,
                   .count = count,
                   .first = (uint64_t)((number - 1) * groups / count * SHARD_GAMES),
                   .end = (uint64_t)(end < games ? end : games)};
}

Status shard_parse(const char *text, int64_t games, Shard *shard) {
    TextView rest = text_view(text), front;
    int64_t number, count;
    if (!text_split(&rest, '/', &front) || !text_parse_int64(front, &number) ||
        !text_parse_int64(rest, &count) || number < 1 || count < number || count > SHARDS_MAX)
        return status_error("--shard needs K/N, the K-th of N shards, for example 3/64");
    if (games <= 0) return status_error("--shard needs --games, the number of games of all shards");
    if (count > groups_of(games))
        return status_error("%" PRId64 " shards of %" PRId64
                            " games: a shard has at least %d, so there can be "
                            "%" PRId64 " at most, or more --games",
                            count, games, SHARD_GAMES, groups_of(games));
    *shard = shard_of(number, count, games);
    return status_ok();
}

uint64_t shard_block_end(uint64_t next, uint64_t end) {
    const uint64_t rounded = (next + SHARD_GAMES - 1) / SHARD_GAMES * SHARD_GAMES;
    return rounded < end ? rounded : end;
}

/* --- collecting --- */

/* A block of one of the files. */
typedef struct Part {
    uint64_t group; /* which SHARD_GAMES numbers its games have */
    uint64_t hash;  /* of its games */
    int file;
    RecordBlock block;
} Part;

typedef struct Collection {
    const CollectSettings *settings;
    Part *part;
    size_t count;
    uint64_t repeated; /* blocks */
    RecordOutput output;
} Collection;

static const char *file_of(const Collection *collection, const Part *part) {
    return collection->settings->in.word[part->file];
}

static Status add_part(Collection *collection, Part part) {
    if (part.block.origin.next_game == 0)
        return status_error("%s: the games have no numbers", file_of(collection, &part));
    part.group = (part.block.origin.next_game - 1) / SHARD_GAMES;
    const RecordOrigin *origin = &part.block.origin;
    if (collection->count > 0) {
        const Part *first = &collection->part[0];
        const RecordOrigin *other = &first->block.origin;
        if (origin->net_hash != other->net_hash || origin->seed != other->seed ||
            origin->nodes != other->nodes)
            return status_error("%s and %s are not of the same run: network, seed or nodes differ",
                                file_of(collection, first), file_of(collection, &part));
    }
    Part *grown = memory_grow(collection->part, collection->count, sizeof *grown);
    if (grown == NULL) return status_no_memory("the blocks");
    collection->part = grown;
    grown[collection->count++] = part;
    return status_ok();
}

/* The blocks of a file, each read as a whole: damage is found before anything is written. */
static Status add_file(Collection *collection, int index, RecordedGame *game) {
    const char *path = collection->settings->in.word[index];
    Status status;
    RecordReader *reader = record_reader_open(path, &status);
    if (reader == NULL) return status;
    Part part = {.file = index};
    while (status_is_ok(&status) && record_reader_next_block(reader, &part.block, &status)) {
        part.hash = 0;
        while (record_reader_next_game(reader, game, &status))
            part.hash = part.hash * 31 + recorded_hash(game);
        if (status_is_ok(&status)) status = add_part(collection, part);
    }
    if (status_is_ok(&status) && record_reader_torn(reader) > 0)
        status = status_error("%s has a torn end: its own command carries on", path);
    record_reader_close(reader);
    return status;
}

static int compare_parts(const void *left, const void *right) {
    const Part *a = left, *b = right;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    return a->file != b->file ? (a->file < b->file ? -1 : 1) : (a->block.offset > b->block.offset) * 2 - 1;
}

/* Sorts the blocks by their numbers and drops those that came before. */
static Status sort_parts(Collection *collection) {
    if (collection->part == NULL) return status_ok();
    qsort(collection->part, collection->count, sizeof *collection->part, compare_parts);
    size_t kept = 1;
    for (size_t i = 1; i < collection->count; i++) {
        const Part *part = &collection->part[i], *before = &collection->part[kept - 1];
        if (part->group != before->group) {
            collection->part[kept++] = *part;
            continue;
        }
        if (part->hash != before->hash || part->block.games != before->block.games)
            return status_error("%s and %s have different games of the same numbers, from %" PRIu64
                                " on: they are not shards of one run",
                                file_of(collection, before), file_of(collection, part),
                                part->group * SHARD_GAMES);
        collection->repeated++;
        text_printf(stdout, "twice: the games from number %" PRIu64 " on, in %s and in %s\n",
                    part->group * SHARD_GAMES, file_of(collection, before), file_of(collection, part));
    }
    collection->count = kept;
    return status_ok();
}

static bool has_group(const Collection *collection, uint64_t group) {
    size_t low = 0, high = collection->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (collection->part[middle].group == group) return true;
        if (collection->part[middle].group < group)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* --- the commands that play what is missing --- */

/* The value of a line "name=value" of a journal; empty where there is none. */
static TextView value_of(TextView journal, const char *name) {
    for (TextView line, front; text_next_line(&journal, &line);)
        if (text_split(&line, '=', &front) && text_equals(front, name)) return line;
    return (TextView){NULL, 0};
}

static Status read_journal(const char *path, TextBuffer *journal) {
    char name[PATH_CAPACITY];
    text_format(name, sizeof name, "%s.journal", path);
    buffer_clear(journal);
    return file_read(name, journal);
}

/* The file that was begun for a shard, or a new name. */
static void append_name(const Collection *collection, const Shard *shard, TextBuffer *out) {
    char wanted[64];
    text_format(wanted, sizeof wanted, "%" PRId64 "/%" PRId64, shard->number, shard->count);
    TextBuffer journal = {0};
    const char *found = NULL;
    for (int i = 0; i < collection->settings->in.count && found == NULL; i++) {
        const char *path = collection->settings->in.word[i];
        Status status = read_journal(path, &journal);
        if (status_is_ok(&status) && text_equals(value_of(buffer_view(&journal), "shard"), wanted))
            found = path;
    }
    if (found != NULL)
        buffer_append_string(out, found);
    else
        buffer_append_format(out, "shard-%" PRId64 ".games", shard->number);
    buffer_release(&journal);
}

static void print_commands(const Collection *collection, int64_t games) {
    TextBuffer journal = {0}, out = {0};
    Shard whole = {0};
    Status status = read_journal(file_of(collection, &collection->part[0]), &journal);
    const TextView number = value_of(buffer_view(&journal), "shard");
    char text[64];
    text_copy(number, text, sizeof text);
    if (status_is_ok(&status)) status = shard_parse(text, games, &whole);
    for (int64_t k = 1; status_is_ok(&status) && k <= whole.count; k++) {
        const Shard shard = shard_of(k, whole.count, games);
        bool is_whole = true;
        for (uint64_t game = shard.first; game < shard.end; game += SHARD_GAMES)
            is_whole = is_whole && has_group(collection, game / SHARD_GAMES);
        if (is_whole) continue;
        buffer_append_string(&out, "luft-lab datagen --out ");
        append_name(collection, &shard, &out);
        const TextView options = value_of(buffer_view(&journal), "options");
        buffer_append_format(&out, " --shard %" PRId64 "/%" PRId64 " --games %" PRId64 "%.*s\n", k,
                             whole.count, games, (int)options.length, options.data);
    }
    if (out.length > 0)
        text_printf(stdout, "To play them, with the same --net as before:\n%s", buffer_string(&out));
    buffer_release(&journal);
    buffer_release(&out);
}

/* Reports each row of missing games; the number of games that are. */
static uint64_t report_gaps(const Collection *collection, uint64_t games) {
    uint64_t missing = 0;
    for (uint64_t number = 0; number < games;) {
        const uint64_t begin = number;
        while (number < games && !has_group(collection, number / SHARD_GAMES)) number += SHARD_GAMES;
        if (number > games) number = games;
        if (number > begin)
            text_printf(stdout, "missing: games %" PRIu64 " to %" PRIu64 "\n", begin, number - 1);
        missing += number - begin;
        if (number < games) number += SHARD_GAMES;
    }
    return missing;
}

static Status check_whole(const Collection *collection) {
    const CollectSettings *settings = collection->settings;
    if (collection->part == NULL) return status_error("there are no games");
    const uint64_t last = (collection->part[collection->count - 1].group + 1) * SHARD_GAMES;
    const int64_t games = settings->games > 0 ? settings->games : (int64_t)last;
    const uint64_t missing = report_gaps(collection, (uint64_t)games);
    if (missing == 0) return status_ok();
    print_commands(collection, games);
    if (settings->gaps) return status_ok();
    return status_error("%s missing: %s was not written; --gaps writes it all the same",
                        missing == 1 ? "a game is" : "games are", settings->out);
}

static Status copy_part(Collection *collection, const Part *part, RecordedGame *game) {
    Status status;
    RecordReader *reader = record_reader_open_at(file_of(collection, part), part->block.offset, &status);
    if (reader == NULL) return status;
    RecordBlock block;
    if (record_reader_next_block(reader, &block, &status))
        while (status_is_ok(&status) && record_reader_next_game(reader, game, &status)) {
            RecordOrigin origin = block.origin;
            status = sorting_add(&collection->output, &origin, game);
        }
    record_reader_close(reader);
    return status_is_ok(&status) ? record_writer_flush(collection->output.writer) : status;
}

Status collect_run(const CollectSettings *settings) {
    Collection collection = {.settings = settings};
    RecordedGame *game = memory_allocate(sizeof *game);
    Status status = game != NULL ? status_ok() : status_no_memory("a game");
    if (status_is_ok(&status))
        status =
            ownership_check_inputs(settings->out, (const char *const *)settings->in.word, settings->in.count);
    for (int i = 0; i < settings->in.count && status_is_ok(&status); i++)
        status = add_file(&collection, i, game);
    if (status_is_ok(&status)) status = sort_parts(&collection);
    if (status_is_ok(&status)) status = check_whole(&collection);
    if (status_is_ok(&status)) status = sorting_open(&collection.output, settings->out, settings->again);
    for (size_t i = 0; i < collection.count && status_is_ok(&status); i++)
        status = copy_part(&collection, &collection.part[i], game);
    status = sorting_close(&collection.output, status);
    memory_release(collection.part);
    memory_release(game);
    return status;
}
