#include "lab/train/loader.h"

#include "base/memory.h"
#include "base/rng.h"
#include "chess/makemove.h"
#include "lab/train/openmp.h"
#include "lab/record/record.h"
#include "nnue/arch.h"
#include "search/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

LoaderFilter loader_filter_default(void) {
    return (LoaderFilter){.min_ply = 16, .max_score = SCORE_WIN - 1, .validation = 0.01, .seed = 1};
}

bool loader_accepts(const LoaderFilter *filter, const Position *pos, const RecordPly *ply, int ply_number) {
    if (ply->score == RECORD_NO_SCORE || ply_number < filter->min_ply) return false;
    if (score_is_mate(ply->score) || abs(ply->score) > filter->max_score) return false;
    if (!filter->keep_checks && position_in_check(pos)) return false;
    return filter->keep_noisy || !position_is_noisy(pos, ply->move);
}

void loader_pack(const Position *pos, int white_score, RecordResult result, TrainingPosition *out) {
    bool black = pos->side == BLACK;
    *out = (TrainingPosition){.score = (int16_t)(black ? -white_score : white_score),
                              .result = (uint8_t)record_result_for(result, pos->side)};
    Bitboard occupied = position_occupied(pos);
    out->occupied = black ? __builtin_bswap64(occupied) : occupied;
    out->count = (uint8_t)bits_count(occupied);
    int index = 0;
    for (Bitboard rest = out->occupied; rest; index++) {
        Square square = bitboard_pop(&rest);
        unsigned piece = pos->board[black ? square_mirror_rank(square) : square];
        if (black) piece ^= 1;
        if (piece >> 1 == KING) out->king[piece & 1] = (uint8_t)square;
        out->men[index / 2] |= (uint8_t)(piece << 4 * (index & 1));
    }
}

void loader_unpack(const TrainingPosition *packed, Position *pos) {
    position_clear(pos);
    int index = 0;
    for (Bitboard rest = packed->occupied; rest; index++) {
        Square square = bitboard_pop(&rest);
        position_put(pos, (Piece)(packed->men[index / 2] >> 4 * (index & 1) & 15), square);
    }
    pos->side = WHITE;
    position_finish(pos);
}

static double chance_of(int score) { return 1 / (1 + exp(-(double)score / VALUE_ONE)); }

static int score_of(double chance) {
    const double inside = fmin(fmax(chance, 1e-4), 1 - 1e-4);
    return (int)lrint(VALUE_ONE * log(inside / (1 - inside)));
}

double loader_draw_share(const LoaderFilter *filter, int men) {
    const double missing =
        (double)(LOADER_MIDDLEGAME_MEN - men) / (LOADER_MIDDLEGAME_MEN - LOADER_ENDGAME_MEN);
    return filter->draw_share * fmin(fmax(missing, 0), 1);
}

int loader_temper(int white_score, RecordResult result, double share) {
    const bool agrees = result == (white_score > 0 ? RECORD_WHITE_WON : RECORD_BLACK_WON);
    return share == 0 || agrees ? white_score : score_of(share / 2 + (1 - share) * chance_of(white_score));
}

void loader_look_ahead(const RecordedGame *game, double lambda, int *scores) {
    double ahead = (double)game->result / 2;
    for (int ply = game->ply_count - 1; ply >= 0; ply--) {
        const int score = game->ply[ply].score;
        if (score != RECORD_NO_SCORE) ahead = lambda * ahead + (1 - lambda) * chance_of(score);
        scores[ply] = score_of(ahead);
    }
}

/* --- reading
 * ------------------------------------------------------------------------------------------------ */

/* One block of one file, with its share of the big array. */
typedef struct Task {
    const char *path;
    long long offset;
    uint64_t first_game; /* number of its first game among all */
    size_t first_position, capacity, count;
    uint64_t decided, agreeing; /* see TrainingSet */
} Task;

typedef struct TaskList {
    Task *tasks;
    size_t count;
} TaskList;

static bool task_list_add(TaskList *list, Task task) {
    Task *tasks = memory_grow(list->tasks, list->count, sizeof *tasks);
    if (tasks == NULL) return false;
    list->tasks = tasks;
    list->tasks[list->count++] = task;
    return true;
}

/* Walks over the headers of a file. */
static Status list_blocks(const char *path, TaskList *list, TrainingSet *set, long long *torn) {
    Status status;
    RecordReader *reader = record_reader_open(path, &status);
    if (!reader) return status;
    RecordBlock block;
    while (record_reader_next_block(reader, &block, &status)) {
        Task task = {.path = path,
                     .offset = block.offset,
                     .first_game = set->games,
                     .first_position = set->plies,
                     .capacity = block.plies};
        if (!task_list_add(list, task)) {
            status = status_no_memory("the list of blocks");
            break;
        }
        set->games += block.games;
        set->plies += block.plies;
    }
    *torn += record_reader_torn(reader);
    record_reader_close(reader);
    return status;
}

static bool is_validation_game(const LoaderFilter *filter, uint64_t game) {
    Rng rng = rng_stream(filter->seed, game);
    return rng_unit(&rng) < filter->validation;
}

/* By the search's own score: the label may know the result already. */
static void count_agreement(const RecordedGame *game, int score, Task *task) {
    if (game->result == RECORD_DRAWN || abs(score) < LOADER_DECIDED_SCORE) return;
    task->decided++;
    task->agreeing += (score > 0) == (game->result == RECORD_WHITE_WON);
}

static Status take_game(const LoaderFilter *filter, const RecordedGame *game, bool validation, Task *task,
                        TrainingPosition *positions) {
    int ahead[RECORD_PLIES_MAX] = {0};
    if (filter->lambda > 0) loader_look_ahead(game, filter->lambda, ahead);
    Position pos = game->start;
    for (int ply = 0; ply < game->ply_count; ply++) {
        const RecordPly *record = &game->ply[ply];
        if (loader_accepts(filter, &pos, record, ply)) {
            if (task->count == task->capacity)
                return status_error("a block has more plies than its header says");
            TrainingPosition *out = &positions[task->first_position + task->count++];
            const int score = filter->lambda > 0 ? ahead[ply] : record->score;
            const double share = loader_draw_share(filter, bits_count(position_occupied(&pos)));
            loader_pack(&pos, loader_temper(score, game->result, share), game->result, out);
            out->validation = validation;
            if (!validation) count_agreement(game, record->score, task);
        }
        Undo undo;
        position_make_move(&pos, record->move, &undo);
    }
    return status_ok();
}

static Status run_task(const LoaderFilter *filter, Task *task, TrainingPosition *positions) {
    Status status;
    RecordReader *reader = record_reader_open_at(task->path, task->offset, &status);
    RecordedGame *game = memory_allocate(sizeof *game);
    RecordBlock block;
    if (reader && !game) status = status_no_memory("a game");
    if (reader && game && record_reader_next_block(reader, &block, &status)) {
        uint64_t number = task->first_game;
        while (record_reader_next_game(reader, game, &status)) {
            status = take_game(filter, game, is_validation_game(filter, number++), task, positions);
            if (!status_is_ok(&status)) break;
        }
    }
    memory_release(game);
    record_reader_close(reader);
    return status;
}

static Status run_tasks(const LoaderFilter *filter, TaskList *list, TrainingPosition *positions) {
    Status first = status_ok();
    long count = (long)list->count;
    OPENMP_FOR_UNEVEN
    for (long i = 0; i < count; i++) {
        Status status = run_task(filter, &list->tasks[i], positions);
        if (!status_is_ok(&status)) {
#ifdef _OPENMP
#pragma omp critical
#endif
            first = status;
        }
    }
    return first;
}

/* Closes the gaps that the filter left between the blocks' shares. */
static size_t compact(const TaskList *list, TrainingPosition *positions) {
    size_t total = 0;
    for (size_t i = 0; i < list->count; i++) {
        const Task *task = &list->tasks[i];
        memmove(positions + total, positions + task->first_position, task->count * sizeof *positions);
        total += task->count;
    }
    return total;
}

static void swap_positions(TrainingPosition *a, TrainingPosition *b) {
    TrainingPosition swap = *a;
    *a = *b;
    *b = swap;
}

/* Moves the games for validation behind those for training; returns the number of the latter. */
static size_t partition(TrainingPosition *positions, size_t count) {
    size_t training = 0;
    for (size_t i = 0; i < count; i++)
        if (!positions[i].validation) swap_positions(&positions[training++], &positions[i]);
    return training;
}

/* Fisher and Yates, with the random places chosen a few steps ahead, so that memory can be fetched meanwhile.
 */
static void shuffle(TrainingPosition *positions, size_t count, uint64_t seed) {
    enum { AHEAD = 32 };
    Rng rng = rng_seed(seed);
    size_t places[AHEAD];
    for (size_t i = 0; i < count + AHEAD; i++) {
        if (i >= AHEAD) swap_positions(&positions[i - AHEAD], &positions[places[i % AHEAD]]);
        if (i >= count) continue;
        places[i % AHEAD] = i + rng_below(&rng, count - i);
        __builtin_prefetch(&positions[places[i % AHEAD]], 1);
    }
}

Status loader_read(char *const *paths, int path_count, const LoaderFilter *filter, TrainingSet *set,
                   long long *torn) {
    *set = (TrainingSet){0};
    *torn = 0;
    TaskList list = {0};
    Status status = status_ok();
    for (int i = 0; i < path_count && status_is_ok(&status); i++)
        status = list_blocks(paths[i], &list, set, torn);
    if (status_is_ok(&status) && set->plies == 0) status = status_error("%s: there are no games", paths[0]);
    if (status_is_ok(&status)) {
        set->allocated = (size_t)set->plies * sizeof *set->positions;
        set->positions = memory_allocate_large(set->allocated);
        status = set->positions ? run_tasks(filter, &list, set->positions)
                                : status_no_memory("%llu positions", (unsigned long long)set->plies);
    }
    if (set->positions && status_is_ok(&status)) {
        size_t total = compact(&list, set->positions);
        set->training = partition(set->positions, total);
        set->validation = total - set->training;
        shuffle(set->positions, set->training, filter->seed);
        shuffle(set->positions + set->training, set->validation, filter->seed + 1);
        if (filter->max_positions && set->training > filter->max_positions) {
            size_t kept = (size_t)filter->max_positions;
            memmove(set->positions + kept, set->positions + set->training,
                    set->validation * sizeof *set->positions);
            set->training = kept;
        }
        for (size_t i = 0; i < list.count; i++) {
            set->decided += list.tasks[i].decided;
            set->agreeing += list.tasks[i].agreeing;
        }
    }
    memory_release(list.tasks);
    if (!status_is_ok(&status)) loader_release(set);
    return status;
}

void loader_release(TrainingSet *set) {
    if (set->positions) memory_release_large(set->positions, set->allocated);
    *set = (TrainingSet){0};
}
