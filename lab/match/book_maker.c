#include "lab/match/book_maker.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/rng.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "lab/client/seat.h"
#include "lab/kit/key_set.h"

#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 256, /* candidates judged before the accepted ones are counted */
    /* After this many candidates in a row without a new opening the request contradicts itself: its window
     * is too narrow, or its plies allow too few different positions. */
    HOPELESS = 5000
};

typedef struct BookCandidate {
    char fen[FEN_CAPACITY];
    HashKey key; /* 0: of no use */
    int score;   /* centipawns, side to move */
    bool accepted;
} BookCandidate;

typedef struct Maker {
    const BookRequest *request;
    SeatGroup seats;
    uint64_t first; /* number of the batch's first candidate */
    BookCandidate batch[BATCH];
    KeySet seen; /* the keys of all positions */
} Maker;

/* --- candidates --- */

bool book_random_position(uint64_t seed, uint64_t candidate, int plies_low, int plies_high, bool chess960,
                          Position *pos) {
    Rng rng = rng_stream(seed, candidate);
    char start[FEN_CAPACITY];
    text_copy(text_view(FEN_START), start, sizeof start);
    if (chess960) {
        const int array = (int)rng_below(&rng, 960);
        fen_chess960_start(array, array, start);
    }
    Status status = fen_parse(pos, text_view(start), chess960);
    if (!status_is_ok(&status)) return false;
    const int plies = plies_low + (int)rng_below(&rng, (uint64_t)plies_high - (uint64_t)plies_low + 1);
    for (int ply = 0; ply < plies; ply++) {
        Move moves[MAX_MOVES];
        const int count = movegen_legal(pos, moves);
        if (count == 0) return false;
        Undo undo;
        position_make_move(pos, moves[rng_below(&rng, (uint64_t)count)], &undo);
        /* With the root that far back, one earlier occurrence is enough. */
        if (draw_by_repetition(pos, ply + 2)) return false;
    }
    return game_end(pos) == GAME_GOES_ON && !position_in_check(pos);
}

bool book_accepts_score(const BookRequest *request, UciScore score) {
    if (score.kind != SCORE_CENTIPAWNS || score.bound != SCORE_IS_EXACT) return false;
    return abs(abs(score.value) - request->margin) <= request->window;
}

/* --- judging --- */

static Status judge_candidate(void *context, int number, int64_t index) {
    Maker *maker = context;
    const BookRequest *request = maker->request;
    BookCandidate *candidate = &maker->batch[index];
    Position pos;
    *candidate = (BookCandidate){.accepted = false};
    if (!book_random_position(request->seed, maker->first + (uint64_t)index, request->plies_low,
                              request->plies_high, request->chess960, &pos))
        return status_ok();
    fen_write(&pos, candidate->fen);
    candidate->key = pos.state.key != 0 ? pos.state.key : 1;
    /* Met before, it was accepted or refused for good. */
    if (key_set_has(&maker->seen, candidate->key)) return status_ok();
    Status status;
    const Seat *seat = seat_group_take(&maker->seats, number, 0, &status);
    if (seat == NULL) return status;
    char detail[FAULT_DETAIL_CAPACITY];
    Fault fault = uci_client_new_game(seat->client, detail);
    if (fault == FAULT_CANCELLED) return status;
    if (fault != FAULT_NONE)
        return status_error("%s: %s (%s)", seat->engine->command, fault_name(fault), detail);
    SearchReport report;
    fault = uci_client_analyse(seat->client, candidate->fen, &seat->engine->limits, NULL, NULL, &report);
    if (fault == FAULT_CANCELLED) return status;
    if (fault != FAULT_NONE)
        return status_error("%s: %s at %s (%s)", seat->engine->command, fault_name(fault), candidate->fen,
                            report.detail);
    candidate->score = report.info.score.value;
    candidate->accepted = report.has_info && book_accepts_score(request, report.info.score);
    return status;
}

/* --- the book --- */

/* EPD has four fields; the counters follow as operations, then the score. */
static void write_opening(const BookCandidate *candidate, TextBuffer *out) {
    TextView rest = text_view(candidate->fen), word = {0};
    for (int field = 0; field < 4; field++) {
        word = text_next_word(&rest);
        if (field > 0) buffer_append_char(out, ' ');
        buffer_append(out, word);
    }
    TextView halfmove = text_next_word(&rest), fullmove = text_next_word(&rest);
    buffer_append_format(out, " hmvc %.*s; fmvn %.*s; ce %d;\n", (int)halfmove.length, halfmove.data,
                         (int)fullmove.length, fullmove.data, candidate->score);
}

/* Judges the next batch and writes those of its candidates that are accepted and new, in order. `*idle`
 * counts the candidates since the last. */
static Status add_batch(Maker *maker, TextBuffer *out, int *made, int64_t *tried, int *idle) {
    const BookRequest *request = maker->request;
    if (!key_set_reserve(&maker->seen, BATCH)) return status_no_memory("the book");
    Crew *crew = &maker->seats.crew;
    Status status = crew_run_tasks(crew, request->concurrency, BATCH, judge_candidate, maker, NULL);
    if (status_is_ok(&status) && crew->interrupted) status = status_error("stopped, and no book written");
    for (int i = 0; i < BATCH && *made < request->count && status_is_ok(&status); i++) {
        const BookCandidate *candidate = &maker->batch[i];
        ++*tried;
        ++*idle;
        if (candidate->key == 0 || !key_set_add(&maker->seen, candidate->key) || !candidate->accepted)
            continue;
        write_opening(candidate, out);
        ++*made;
        *idle = 0;
    }
    maker->first += BATCH;
    return status;
}

static Status fill_book(Maker *maker, TextBuffer *out, int64_t *tried) {
    const BookRequest *request = maker->request;
    ProgressBar progress = progress_begin("openings", request->count, request->quiet);
    int made = 0, idle = 0;
    Status status = status_ok();
    while (made < request->count && status_is_ok(&status)) {
        status = add_batch(maker, out, &made, tried, &idle);
        progress_update(&progress, made, NULL);
        if (status_is_ok(&status) && idle >= HOPELESS)
            status = status_error(
                "gave up: only %d openings, and no other among %d random positions; widen --window or change --plies",
                made, idle);
    }
    progress_end(&progress);
    if (status_is_ok(&status) && out->failed) status = status_no_memory("the book");
    return status;
}

Status book_make(const BookRequest *request, TextBuffer *out, int64_t *tried) {
    *tried = 0;
    Maker *maker = memory_allocate(sizeof *maker);
    if (maker == NULL) return status_no_memory("the book");
    maker->request = request;
    maker->seats = (SeatGroup){
        .engines = request->engines, .threads = request->concurrency, .chess960 = request->chess960};
    Status status = seat_group_begin(&maker->seats);
    if (status_is_ok(&status)) {
        crew_begin(&maker->seats.crew);
        status = fill_book(maker, out, tried);
        crew_end(&maker->seats.crew);
    }
    seat_group_end(&maker->seats);
    key_set_release(&maker->seen);
    memory_release(maker);
    return status;
}
