#include "lab/train/loader.h"

#include "base/memory.h"
#include "base/rng.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "engine/chances.h"
#include "lab/data/record.h"
#include "nnue/arch.h"
#include "search/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_STRUCT LoaderFilter
#define RESULT_EACH  .flags = FIELD_RESULT | FIELD_EACH
const Field LOADER_FIELDS[] = {
    {FIELD_HEADING("Positions and what is learned from them:")},
    {FIELD_REAL("scale", "X", scale, 10, 10000, "400",
                "units in the exponent of a winning chance: the smaller, the less decided positions count"),
     RESULT_EACH},
    {FIELD_REAL("lambda", "X", lambda, 0, 1, "0.7",
                /* lambda-50, lambda-75-50, lambda-87 in results/archive.tsv */
                "TD(lambda): weight of the game's next score next to a position's own, and so on; no share "
                "of the result, which is --share"),
     RESULT_EACH},
    {FIELD_REAL("draw-share", "X", draw_share, 0, 1, "0",
                "how far a score that the result contradicts is moved to zero with four pieces "
                "and pawns or fewer; less with more, not at all from 14 on"),
     RESULT_EACH},
    {FIELD_REAL("validation", "X", validation, 0, 0.5, "0.01",
                "share of games kept for validation, always the same ones"),
     RESULT_EACH},
    {FIELD_REAL("skip-by-pieces", "X", skip_by_pieces, 0, 1, "0",
                "skip positions in training by their number of pieces: with 1, 55 % of those with 8, none "
                "with 16, 25 % of those with 32; with less, fewer"),
     RESULT_EACH},
    {FIELD_WHOLE("min-ply", "N", plies.min_ply, 0, RECORD_PLIES_MAX, "16", "skip plies before this one"),
     .flags = FIELD_RESULT},
    {FIELD_WHOLE("max-score", "N", plies.max_score, 1, SCORE_WIN - 1, "2000",
                 "skip higher scores: the game is decided, and a shallow search does not know by how much"),
     .flags = FIELD_RESULT},
    {FIELD_FLAG("keep-checks", plies.keep_checks, "use positions in check too"), .flags = FIELD_RESULT},
    {FIELD_FLAG("keep-noisy", plies.keep_noisy, "use positions whose best move captures or promotes too"),
     .flags = FIELD_RESULT},
    {FIELD_WHOLE("max-positions", "N", max_positions, 1, 1e12, NULL, "train on N positions at most"),
     .flags = FIELD_RESULT},
    {0}};
_Static_assert(VALUE_ONE == 400, "the standard value of scale is the network's own");

LoaderFilter loader_filter_default(void) {
    LoaderFilter filter = {.seed = 1};
    fields_reset(LOADER_FIELDS, &filter);
    return filter;
}

void loader_pack(const Position *pos, int white_score, GameResult result, TrainingPosition *out) {
    bool black = pos->side == BLACK;
    *out = (TrainingPosition){.score = (int16_t)(black ? -white_score : white_score),
                              .result = (uint8_t)game_half_points(result, pos->side)};
    Bitboard occupied = position_occupied(pos);
    out->occupied = black ? __builtin_bswap64(occupied) : occupied;
    out->count = (uint8_t)bits_count(occupied);
    int index = 0;
    for (Bitboard rest = out->occupied; rest; index++) {
        Square square = bitboard_pop(&rest);
        unsigned piece = pos->board[black ? square_mirror_rank(square) : square];
        if (black) piece ^= 1;
        if (piece >> 1 == KING) out->king[piece & 1] = (uint8_t)square;
        out->pieces[index / 2] |= (uint8_t)(piece << 4 * (index & 1));
    }
}

void loader_unpack(const TrainingPosition *packed, Position *pos) {
    position_clear(pos);
    int index = 0;
    for (Bitboard rest = packed->occupied; rest; index++) {
        Square square = bitboard_pop(&rest);
        position_put(pos, (Piece)(packed->pieces[index / 2] >> 4 * (index & 1) & 15), square);
    }
    pos->side = WHITE;
    position_finish(pos);
}

static int score_of(double chance, double scale) {
    const double most = 1 - 1e-4, inside = chance > most ? most : chance < 1 - most ? 1 - most : chance;
    /* A large scale makes more units of it than a score has. */
    return int_clamp((int)lrint(scale * log(inside / (1 - inside))), 1 - SCORE_DECIDED, SCORE_DECIDED - 1);
}

double loader_draw_share(const LoaderFilter *filter, int pieces) {
    const double missing =
        (double)(LOADER_MIDDLEGAME_PIECES - pieces) / (LOADER_MIDDLEGAME_PIECES - LOADER_ENDGAME_PIECES);
    return filter->draw_share * fmin(fmax(missing, 0), 1);
}

double loader_weight(int pieces) {
    enum { STEP = 8 };
    static const double WEIGHT[] = {-0.2, 0.45, 1, 0.95, 0.75, 0.75};
    const double before = WEIGHT[pieces / STEP], after = WEIGHT[pieces / STEP + 1];
    return fmax(before + (after - before) * (pieces % STEP) / STEP, 0);
}

int loader_temper(int white_score, GameResult result, double share, double scale) {
    const bool agrees = result == (white_score > 0 ? WHITE_WINS : BLACK_WINS);
    if (share == 0 || agrees) return white_score;
    return score_of(share / 2 + (1 - share) * chances_logistic(white_score, scale), scale);
}

void loader_look_ahead(const RecordedGame *game, const LoaderFilter *filter, int *scores) {
    const double lambda = filter->lambda, scale = filter->scale;
    double ahead = game_half_points(game->result, WHITE) / 2.0;
    bool known = true;
    for (int ply = game->ply_count - 1; ply >= 0; ply--) {
        const int score = game->ply[ply].score;
        const bool scored = score != RECORD_NO_SCORE;
        if (scored) {
            const double now = chances_logistic(score, scale);
            ahead = known ? lambda * ahead + (1 - lambda) * now : now;
        }
        known = scored;
        scores[ply] = score_of(ahead, scale);
    }
}

/* The better side's score is at least that of a win. */
static int score_by_tables(int white_wdl, int white_score) {
    if (white_wdl == WDL_WIN) return int_max(white_score, LOADER_TABLE_WIN);
    if (white_wdl == WDL_LOSS) return int_min(white_score, -LOADER_TABLE_WIN);
    return 0;
}

static GameResult result_by_score(int white_score) {
    if (white_score == 0) return DRAWN;
    return white_score > 0 ? WHITE_WINS : BLACK_WINS;
}

int loader_ask_tables(const Syzygy *tables, RecordedGame *game) {
    Position pos = game->start;
    int known = game->ply_count;
    for (int i = 0; i < game->ply_count; i++) {
        RecordPly *ply = &game->ply[i];
        Wdl wdl;
        if (syzygy_covers(tables, &pos) && syzygy_probe(tables, &pos, &wdl)) {
            const int white_wdl = pos.side == WHITE ? wdl : -wdl;
            if (known == game->ply_count) {
                known = i;
                game->result = result_by_score(score_by_tables(white_wdl, 0));
            }
            if (ply->score != RECORD_NO_SCORE) ply->score = (int16_t)score_by_tables(white_wdl, ply->score);
        }
        Undo undo;
        position_make_move(&pos, ply->move, &undo);
    }
    return known;
}

/* --- reading --- */

/* Decided by the moves of the game, so that no later training with other files or another seed learns from
 * it. */
static bool keeps_for_validation(const LoaderFilter *filter, uint64_t game_hash) {
    Rng rng = rng_seed(game_hash);
    return rng_unit(&rng) < filter->validation;
}

/* Decided by game and ply, for the same reason. */
static bool is_skipped(const LoaderFilter *filter, uint64_t game_hash, int ply, int pieces) {
    if (filter->skip_by_pieces == 0) return false;
    Rng rng = rng_stream(game_hash, (uint64_t)ply + 1);
    return rng_unit(&rng) < filter->skip_by_pieces * (1 - loader_weight(pieces));
}

/* One block of one file, and the positions read from it. */
typedef struct Task {
    const char *path;
    long long offset;
    uint64_t game; /* number of its first game, over all files */
    TrainingPosition *positions;
    size_t capacity, count, validation;
    uint64_t validation_games;
    uint64_t decided, agreeing; /* see TrainingSet */
    Status status;
} Task;

typedef struct TaskList {
    const LoaderFilter *filter;
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
    if (reader == NULL) return status;
    RecordBlock block;
    while (record_reader_next_block(reader, &block, &status)) {
        const bool described = (block.origin.flags & RECORD_DESCRIBED) != 0;
        const size_t last_positions = described ? block.games : 0;
        Task task = {.path = path,
                     .offset = block.offset,
                     .game = set->games,
                     .capacity = block.plies + last_positions};
        if (!task_list_add(list, task)) {
            status = status_no_memory("the list of blocks");
            break;
        }
        set->games += block.games;
        set->plies += block.plies + last_positions;
    }
    *torn += record_reader_torn(reader);
    record_reader_warn_of_torn_end(reader);
    record_reader_close(reader);
    return status;
}

/* By the score of the search: the label may already contain the result. */
static void count_agreement(const RecordedGame *game, int score, Task *task) {
    if (game->result == DRAWN || abs(score) < LOADER_DECIDED_SCORE) return;
    task->decided++;
    task->agreeing += (score > 0) == (game->result == WHITE_WINS);
}

/* The labels of the plies of a game: scores, mixed with those of the later plies. White's view. */
static void label_plies(const LoaderFilter *filter, RecordedGame *game, int known, int *labels) {
    for (int i = 0; i < game->ply_count; i++) labels[i] = game->ply[i].score;
    if (filter->lambda == 0) return;
    const int played = game->ply_count;
    game->ply_count = known;
    loader_look_ahead(game, filter, labels);
    game->ply_count = played;
}

static bool is_of_part(const LoaderFilter *filter, uint64_t game, bool validation) {
    return filter->parts == 0 || (validation ? 0 : game % filter->parts) == filter->part;
}

static Status take_game(const LoaderFilter *filter, uint64_t number, RecordedGame *game, Task *task) {
    const uint64_t hash = recorded_hash(game); /* of the game as it was played */
    const bool validation = keeps_for_validation(filter, hash);
    if (!is_of_part(filter, number, validation)) return status_ok();
    const int known = filter->tables != NULL ? loader_ask_tables(filter->tables, game) : game->ply_count;
    int labels[RECORD_PLIES_MAX + 1];
    label_plies(filter, game, known, labels);
    labels[game->ply_count] = game->last_score;
    const size_t before = task->count;
    Position pos = game->start;
    for (int ply = 0; ply <= game->ply_count; ply++) {
        const RecordPly last = {MOVE_NONE, game->last_score};
        const RecordPly *record = ply < game->ply_count ? &game->ply[ply] : &last;
        const int pieces = bits_count(position_occupied(&pos));
        const bool is_used = plyuse_find(&filter->plies, &pos, record,
                                         plyuse_number_ply(&filter->plies, game, ply)) == PLY_USED;
        if (is_used && (validation || !is_skipped(filter, hash, ply, pieces))) {
            if (task->count == task->capacity)
                return status_error("a block has more plies than its header says");
            TrainingPosition *out = &task->positions[task->count++];
            const bool exact = ply >= known && known < game->ply_count;
            const GameResult result = exact ? result_by_score(labels[ply]) : game->result;
            const double share = exact ? 0 : loader_draw_share(filter, pieces);
            loader_pack(&pos, loader_temper(labels[ply], result, share, filter->scale), result, out);
            out->validation = validation;
            task->validation += validation;
            if (!validation) count_agreement(game, record->score, task);
        }
        Undo undo;
        if (record != &last) position_make_move(&pos, record->move, &undo);
    }
    task->validation_games += validation && task->count > before;
    return status_ok();
}

/* How many positions pass is known only after the games are read: memory for all plies is allocated first and
 * shrunk afterwards. */
static Status read_block(const LoaderFilter *filter, Task *task) {
    Status status;
    RecordReader *reader = record_reader_open_at(task->path, task->offset, &status);
    RecordedGame *game = memory_allocate(sizeof *game);
    RecordBlock block;
    task->positions = memory_allocate(task->capacity * sizeof *task->positions);
    const bool ready = reader != NULL && game != NULL && task->positions != NULL;
    if (reader != NULL && !ready) status = status_no_memory("the games of a block");
    if (ready && record_reader_next_block(reader, &block, &status)) {
        for (uint64_t number = task->game; record_reader_next_game(reader, game, &status); number++) {
            status = take_game(filter, number, game, task);
            if (!status_is_ok(&status)) break;
        }
    }
    if (task->positions != NULL) {
        void *shrunk = memory_resize(task->positions, task->count * sizeof *task->positions);
        if (shrunk != NULL) task->positions = shrunk;
    }
    memory_release(game);
    record_reader_close(reader);
    return status;
}

static void run_task(void *context, int index) {
    const TaskList *list = context;
    list->tasks[index].status = read_block(list->filter, &list->tasks[index]);
}

/* The failure of the first block that has one. */
static Status run_tasks(Crew *crew, TaskList *list) {
    crew_for(crew, (int)list->count, run_task, list);
    for (size_t i = 0; i < list->count; i++)
        if (!status_is_ok(&list->tasks[i].status)) return list->tasks[i].status;
    return status_ok();
}

/* Moves all positions into one array, those for validation after the others. The memory of a block is
 * released as soon as it was copied, so that there are never two copies of all. */
static Status gather(TaskList *list, TrainingSet *set) {
    for (size_t i = 0; i < list->count; i++) {
        const Task *task = &list->tasks[i];
        set->training += task->count - task->validation;
        set->validation += task->validation;
        set->validation_games += task->validation_games;
        set->decided += task->decided;
        set->agreeing += task->agreeing;
    }
    const size_t total = set->training + set->validation;
    set->allocated = total * sizeof *set->positions;
    set->positions = memory_allocate_large(set->allocated);
    if (set->positions == NULL) return status_no_memory("the positions");
    TrainingPosition *training = set->positions, *validation = training + set->training;
    for (size_t i = 0; i < list->count; i++) {
        Task *task = &list->tasks[i];
        for (size_t k = 0; k < task->count; k++)
            *(task->positions[k].validation ? validation++ : training++) = task->positions[k];
        memory_release(task->positions);
        task->positions = NULL;
    }
    return status_ok();
}

static void release_tasks(TaskList *list) {
    for (size_t i = 0; i < list->count; i++) memory_release(list->tasks[i].positions);
    memory_release(list->tasks);
}

static void swap_positions(TrainingPosition *a, TrainingPosition *b) {
    TrainingPosition swap = *a;
    *a = *b;
    *b = swap;
}

/* Fisher and Yates, with the random places chosen a few steps ahead, so that memory can be prefetched. */
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

Status loader_read(Crew *crew, char *const *paths, int path_count, const LoaderFilter *filter,
                   TrainingSet *set, long long *torn) {
    *set = (TrainingSet){0};
    *torn = 0;
    TaskList list = {.filter = filter};
    Status status = status_ok();
    for (int i = 0; i < path_count && status_is_ok(&status); i++)
        status = list_blocks(paths[i], &list, set, torn);
    if (status_is_ok(&status) && set->plies == 0)
        status = status_error("%s: there are no%s games", paths[0], *torn > 0 ? " whole" : "");
    if (status_is_ok(&status)) status = run_tasks(crew, &list);
    if (status_is_ok(&status)) status = gather(&list, set);
    if (status_is_ok(&status)) {
        shuffle(set->positions, set->training, filter->seed);
        shuffle(set->positions + set->training, set->validation, filter->seed + 1);
        if (filter->max_positions && set->training > filter->max_positions) {
            size_t kept = (size_t)filter->max_positions;
            memmove(set->positions + kept, set->positions + set->training,
                    set->validation * sizeof *set->positions);
            set->training = kept;
        }
    }
    release_tasks(&list);
    if (!status_is_ok(&status)) loader_release(set);
    return status;
}

void loader_release(TrainingSet *set) {
    if (set->positions != NULL) memory_release_large(set->positions, set->allocated);
    *set = (TrainingSet){0};
}
