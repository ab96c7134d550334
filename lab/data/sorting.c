#include "lab/data/sorting.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/rng.h"
#include "lab/kit/console.h"
#include "lab/kit/ownership.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

Status sorting_open(RecordOutput *output, const char *path, bool again) {
    Status status;
    *output = (RecordOutput){.path = path, .again = again};
    status = record_check_output(path, again);
    if (status_is_ok(&status)) status = new_file_begin(&output->file, path);
    if (status_is_ok(&status))
        output->writer = record_writer_open(output->file.temporary, NAME_DERIVED, NULL, &status);
    return output->writer == NULL ? new_file_end(&output->file, status) : status;
}

Status sorting_add(RecordOutput *output, const RecordOrigin *origin, RecordedGame *game) {
    output->games++;
    output->plies += (uint64_t)game->ply_count;
    return record_writer_add(output->writer, origin, game);
}

Status sorting_close(RecordOutput *output, Status status) {
    if (output->writer == NULL) return status;
    Status closed = record_writer_close(output->writer);
    if (status_is_ok(&status)) status = closed;
    if (status_is_ok(&status)) status = ownership_make_room(output->path, output->again);
    status = new_file_end(&output->file, status);
    if (status_is_ok(&status))
        text_printf(stdout, "%s: %s\n", output->path, console_games(output->games, output->plies).text);
    return status;
}

typedef struct Sorting {
    const SortingSettings *settings;
    RecordOutput kept, rest;
    Rng rng;
    uint64_t *seen; /* hashes of games that passed; 0 is an empty place */
    size_t seen_size;
} Sorting;

/* The address of the table takes part in the place, so that no file can be made whose games all want one. */
static bool is_repeated(Sorting *sorting, const RecordedGame *game) {
    const uint64_t hash = recorded_hash(game), mixed = rng_next(&(Rng){hash ^ (uintptr_t)sorting->seen});
    for (size_t place = mixed % sorting->seen_size;; place = (place + 1) % sorting->seen_size) {
        if (sorting->seen[place] == hash) return true;
        if (sorting->seen[place] == 0) {
            sorting->seen[place] = hash;
            return false;
        }
    }
}

/* "NAME=VALUE" */
static bool has_tag(const RecordedGame *game, const char *text) {
    TextView value = text_view(text), name;
    text_split(&value, '=', &name);
    return recorded_has_tag(game, name, value);
}

static bool is_wanted(Sorting *sorting, const RecordOrigin *origin, const RecordedGame *game) {
    const SortingSettings *settings = sorting->settings;
    if (rng_unit(&sorting->rng) >= settings->share) return false;
    if (settings->min_plies > 0 && game->ply_count < settings->min_plies) return false;
    if (settings->max_plies > 0 && game->ply_count > settings->max_plies) return false;
    if (settings->nodes > 0 && origin->nodes != (uint32_t)settings->nodes) return false;
    if (settings->result >= 0 && game_half_points(game->result, WHITE) != settings->result) return false;
    if (settings->start >= 0 && (settings->start == 1) != game->start.chess960) return false;
    if (settings->network != NULL) {
        char hash[32];
        text_format(hash, sizeof hash, "%016" PRIx64, origin->net_hash);
        if (strcmp(settings->network, hash) != 0) return false;
    }
    const TextView player = text_view(settings->player != NULL ? settings->player : "");
    if (settings->player != NULL && !recorded_has_tag(game, text_view("White"), player) &&
        !recorded_has_tag(game, text_view("Black"), player))
        return false;
    if (settings->tag != NULL && !has_tag(game, settings->tag)) return false;
    if (settings->not_tag != NULL && has_tag(game, settings->not_tag)) return false;
    return !settings->unique || !is_repeated(sorting, game);
}

static Status sort_game(void *context, const RecordBlock *block, RecordedGame *game) {
    Sorting *sorting = context;
    if (interrupt_requested()) return status_error("interrupted");
    const bool wanted = is_wanted(sorting, &block->origin, game);
    if (!wanted && sorting->settings->rest == NULL) return status_ok();
    RecordOrigin origin = block->origin;
    origin.is_coarse |= sorting->settings->coarse;
    return sorting_add(wanted ? &sorting->kept : &sorting->rest, &origin, game);
}

static Status prepare_unique(Sorting *sorting) {
    uint64_t games;
    const Status status = record_count_games(&sorting->settings->in, &games);
    if (!status_is_ok(&status)) return status;
    sorting->seen_size = (size_t)games * 2 + 1;
    sorting->seen = memory_allocate(sorting->seen_size * sizeof *sorting->seen);
    return sorting->seen != NULL ? status : status_no_memory("the games");
}

Status sorting_run(const SortingSettings *settings) {
    Sorting sorting = {.settings = settings, .rng = rng_seed(settings->seed)};
    Interrupt interrupt;
    interrupt_begin(&interrupt);
    Status status = settings->unique ? prepare_unique(&sorting) : status_ok();
    if (settings->rest != NULL && strcmp(settings->out, settings->rest) == 0)
        status = status_error("%s cannot take both parts: two files are needed", settings->out);
    if (status_is_ok(&status)) status = sorting_open(&sorting.kept, settings->out, settings->again);
    if (status_is_ok(&status) && settings->rest != NULL)
        status = sorting_open(&sorting.rest, settings->rest, settings->again);
    if (status_is_ok(&status)) status = record_each_game(&settings->in, sort_game, &sorting);
    status = sorting_close(&sorting.kept, status);
    status = sorting_close(&sorting.rest, status);
    interrupt_end(&interrupt);
    memory_release(sorting.seen);
    return status;
}

/* --- salvage --- */

/* Where the next block may begin, from `offset` on; the end of the file if nowhere. */
static size_t find_block(TextView content, size_t offset) {
    static const size_t LENGTH = sizeof RECORD_MAGIC;
    for (; offset + LENGTH <= content.length; offset++) {
        const char *at = memchr(content.data + offset, RECORD_MAGIC[0], content.length - LENGTH + 1 - offset);
        if (at == NULL) break;
        offset = (size_t)(at - content.data);
        if (memcmp(at, RECORD_MAGIC, LENGTH) == 0) return offset;
    }
    return content.length;
}

/* Counts what lies between two whole blocks as lost. */
static void add_gap(SalvageReport *report, TextView content, size_t begin, size_t end) {
    if (begin == end) return;
    SalvageGap gap = {.offset = begin, .bytes = end - begin};
    for (size_t at = find_block(content, begin); at + RECORD_HEADER_SIZE <= end;
         at = find_block(content, at + 1)) {
        RecordBlock block;
        Status status = record_read_header((const uint8_t *)content.data + at, &block);
        if (!status_is_ok(&status)) continue;
        gap.games += block.games;
        gap.plies += block.plies;
    }
    if (report->gaps < SALVAGE_GAPS_MAX) report->gap[report->gaps] = gap;
    report->gaps++;
    report->lost_bytes += gap.bytes;
    report->lost_games += gap.games;
    report->lost_plies += gap.plies;
}

/* The size of the whole block at `offset`, all of whose games can be read; 0 if there is none. `*wasted`
 * counts the bytes that are read for false headers, and does not pass `limit`. */
static size_t take_block(TextView content, size_t offset, RecordBlock *block, uint64_t limit,
                         uint64_t *wasted) {
    const uint8_t *bytes = (const uint8_t *)content.data + offset;
    if (content.length - offset < RECORD_HEADER_SIZE) return 0;
    Status status = record_read_header(bytes, block);
    const size_t size = RECORD_HEADER_SIZE + (size_t)block->body_size;
    if (!status_is_ok(&status) || size > content.length - offset || size > limit - *wasted) return 0;
    status = record_decode_block(bytes, size, NULL, NULL);
    if (status_is_ok(&status)) return size;
    *wasted += size;
    return 0;
}

static void collect(TextView content, TextBuffer *saved, SalvageReport *report) {
    size_t end = 0; /* of the last whole block */
    uint64_t wasted = 0;
    for (size_t at = find_block(content, 0); at < content.length;) {
        RecordBlock block = {0};
        /* It grows with the place: no number of false headers costs more than what is soon after them. */
        const uint64_t limit = RECORD_HEADER_SIZE + RECORD_BODY_MAX + (uint64_t)SALVAGE_WORK * at;
        const size_t size = take_block(content, at, &block, limit, &wasted);
        if (size == 0) {
            at = find_block(content, at + 1);
            continue;
        }
        add_gap(report, content, end, at);
        buffer_append(saved, (TextView){content.data + at, size});
        report->blocks++;
        report->games += block.games;
        report->plies += block.plies;
        end = at + size;
        at = find_block(content, end);
    }
    add_gap(report, content, end, content.length);
}

Status salvage_games(const char *in, const char *out, bool again, SalvageReport *report) {
    *report = (SalvageReport){0};
    Status status = ownership_check_inputs(out, &in, 1);
    if (status_is_ok(&status)) status = record_check_output(out, again);
    TextBuffer content = {0}, saved = {0};
    if (status_is_ok(&status)) status = file_read(in, &content);
    if (status_is_ok(&status)) {
        collect(buffer_view(&content), &saved, report);
        if (saved.failed)
            status = status_no_memory("the games of %s", in);
        else if (report->blocks == 0)
            status = status_error("%s has no whole block of games", in);
        else
            status = ownership_make_room(out, again);
        if (status_is_ok(&status)) status = file_write(out, saved.data, saved.length);
    }
    buffer_release(&content);
    buffer_release(&saved);
    return status;
}
