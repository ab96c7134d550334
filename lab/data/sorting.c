#include "lab/data/sorting.h"

#include "base/memory.h"
#include "base/rng.h"
#include "lab/kit/ownership.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

Status sorting_open(RecordOutput *output, const char *path) {
    Status status;
    *output = (RecordOutput){.path = path};
    text_format(output->part, sizeof output->part, "%s.part", path);
    status = record_check_output(path);
    if (status_is_ok(&status)) status = ownership_check_free(output->part);
    if (!status_is_ok(&status)) return status;
    (void)remove(output->part);
    output->writer = record_writer_open(output->part, NULL, &status);
    return status;
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
    if (status_is_ok(&status)) status = ownership_check_free(output->path);
    if (status_is_ok(&status) && rename(output->part, output->path) != 0)
        status = status_system_error("cannot rename %s", output->part);
    if (!status_is_ok(&status)) {
        (void)remove(output->part);
        return status;
    }
    printf("%s: %" PRIu64 " games, %" PRIu64 " plies\n", output->path, output->games, output->plies);
    return status;
}

Status sorting_for_each_game(char *const *files, int count, TakeGame *take, void *context) {
    RecordedGame *game = memory_allocate(sizeof *game);
    Status status = game != NULL ? status_ok() : status_no_memory("the games");
    for (int i = 0; game != NULL && i < count && status_is_ok(&status); i++) {
        RecordReader *reader = record_reader_open(files[i], &status);
        RecordBlock block;
        while (reader != NULL && record_reader_next_block(reader, &block, &status)) {
            while (record_reader_next_game(reader, game, &status)) {
                status = take(context, &block.origin, game);
                if (!status_is_ok(&status)) break;
            }
            if (!status_is_ok(&status)) break;
        }
        record_reader_close(reader);
    }
    memory_release(game);
    return status;
}

typedef struct Sorting {
    const SortingSettings *settings;
    RecordOutput kept, rest;
    Rng rng;
    uint64_t *seen; /* hashes of games that passed; 0 is an empty place */
    size_t seen_size;
} Sorting;

static bool is_repeated(Sorting *sorting, const RecordedGame *game) {
    const uint64_t hash = recorded_hash(game);
    for (size_t place = hash % sorting->seen_size;; place = (place + 1) % sorting->seen_size) {
        if (sorting->seen[place] == hash) return true;
        if (sorting->seen[place] == 0) {
            sorting->seen[place] = hash;
            return false;
        }
    }
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
    return !settings->unique || !is_repeated(sorting, game);
}

static Status sort_game(void *context, const RecordOrigin *origin, RecordedGame *game) {
    Sorting *sorting = context;
    if (is_wanted(sorting, origin, game)) return sorting_add(&sorting->kept, origin, game);
    return sorting->settings->rest != NULL ? sorting_add(&sorting->rest, origin, game) : status_ok();
}

static Status prepare_unique(Sorting *sorting) {
    uint64_t games = 0;
    Status status = status_ok();
    for (int i = 0; i < sorting->settings->in_count && status_is_ok(&status); i++) {
        RecordReader *reader = record_reader_open(sorting->settings->in[i], &status);
        RecordBlock block;
        while (reader != NULL && record_reader_next_block(reader, &block, &status)) games += block.games;
        record_reader_close(reader);
    }
    sorting->seen_size = (size_t)games * 2 + 1;
    sorting->seen = memory_allocate(sorting->seen_size * sizeof *sorting->seen);
    if (sorting->seen == NULL && status_is_ok(&status)) status = status_no_memory("the games");
    return status;
}

Status sorting_run(const SortingSettings *settings) {
    Sorting sorting = {.settings = settings, .rng = rng_seed(settings->seed)};
    Status status = settings->unique ? prepare_unique(&sorting) : status_ok();
    if (status_is_ok(&status)) status = sorting_open(&sorting.kept, settings->out);
    if (status_is_ok(&status) && settings->rest != NULL) status = sorting_open(&sorting.rest, settings->rest);
    if (status_is_ok(&status))
        status = sorting_for_each_game(settings->in, settings->in_count, sort_game, &sorting);
    status = sorting_close(&sorting.kept, status);
    status = sorting_close(&sorting.rest, status);
    memory_release(sorting.seen);
    return status;
}
