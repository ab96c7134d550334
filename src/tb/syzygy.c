#include "tb/syzygy.h"

#include "base/file.h"
#include "base/memory.h"
#include "chess/draw.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "tb/folder.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

/* The tables of one material. */
typedef struct Ending {
    Material material;
    Table *table[TABLE_KINDS]; /* NULL: there is none; always one of who wins */
} Ending;

/* --- loading --- */

static int compare_endings(const void *one, const void *two) {
    const Material a = ((const Ending *)one)->material, b = ((const Ending *)two)->material;
    return (a > b) - (a < b);
}

static Ending *find_ending(const Syzygy *syzygy, Material material) {
    const Ending wanted = {.material = material};
    return syzygy->tables == 0 ? NULL
                               : bsearch(&wanted, syzygy->endings, (size_t)syzygy->tables,
                                         sizeof *syzygy->endings, compare_endings);
}

/* Makes an ending of each table that says who wins, and puts them in order. */
static Status make_endings(Syzygy *syzygy, const TableList *list) {
    syzygy->endings = memory_allocate(list->count * sizeof *syzygy->endings);
    if (syzygy->endings == NULL) return status_no_memory("the tablebases");
    for (size_t i = 0; i < list->count; i++) {
        const Material material = list->files[i].material;
        if (list->files[i].kind != TABLE_WDL) continue;
        syzygy->endings[syzygy->tables++].material = material;
        syzygy->largest = int_max(syzygy->largest, material_total(material));
    }
    if (syzygy->tables == 0) return status_error("no tablebase that says who wins");
    qsort(syzygy->endings, (size_t)syzygy->tables, sizeof *syzygy->endings, compare_endings);
    return status_ok();
}

static Status open_tables(Syzygy *syzygy, TextView path) {
    TableList list = {0};
    Status status = table_list_fill(&list, path);
    if (status_is_ok(&status)) status = make_endings(syzygy, &list);
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        const TableFile *const file = &list.files[i];
        Ending *const ending = find_ending(syzygy, file->material);
        if (ending != NULL)
            ending->table[file->kind] = table_open(file->path, file->kind, file->material, &status);
    }
    table_list_release(&list);
    return status;
}

static void close_tables(Syzygy *syzygy) {
    for (int i = 0; i < syzygy->tables; i++)
        for (TableKind kind = 0; kind < TABLE_KINDS; kind++) table_close(syzygy->endings[i].table[kind]);
    memory_release(syzygy->endings);
    *syzygy = (Syzygy){0};
}

Status syzygy_load(Syzygy *syzygy, TextView path) {
    if (!FILES_EXIST) return text_is_empty(path) ? status_ok() : status_error("this build has no files");
    Syzygy loaded = {0};
    const Status status = text_is_empty(path) ? status_ok() : open_tables(&loaded, path);
    close_tables(status_is_ok(&status) ? syzygy : &loaded);
    if (status_is_ok(&status)) *syzygy = loaded;
    return status;
}

/* --- who wins --- */

/* The ending of the position; `*swap`: its colours are exchanged in the tables. NULL if no table knows it. */
static const Ending *ending_of(const Syzygy *syzygy, const Position *pos, bool *swap) {
    const Material material = material_of(pos);
    const Ending *ending = find_ending(syzygy, material);
    *swap = ending == NULL;
    return ending != NULL ? ending : find_ending(syzygy, material_swap(material));
}

static bool probe_table(const Syzygy *syzygy, const Position *pos, int *wdl) {
    bool swap;
    Wdl found = WDL_DRAW;
    const Ending *const ending = ending_of(syzygy, pos, &swap);
    const bool known = ending != NULL ? table_probe_wdl(ending->table[TABLE_WDL], pos, swap, &found)
                                      : bits_count(position_occupied(pos)) == 2;
    *wdl = found;
    return known;
}

typedef struct Outcome {
    int wdl;      /* Wdl for the side to move */
    bool zeroing; /* a capture is known to be a best move */
} Outcome;

/* A table may ignore that a capture is better than what it says, and knows nothing of captures en passant: so
 * the captures are searched, between `alpha` and `beta` as in every search. */
static bool probe_wdl(const Syzygy *syzygy, Position *pos, int alpha, int beta, Outcome *outcome) {
    Move moves[MAX_MOVES];
    const int count = movegen_noisy(pos, moves);
    int best = alpha, en_passants = 0, wdl;
    bool by_en_passant = false;
    for (int i = 0; i < count; i++) {
        const bool en_passant = move_kind(moves[i]) == EN_PASSANT;
        if (position_captured_by(pos, moves[i]) == NO_PIECE) continue;
        en_passants += en_passant;
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        const bool known = probe_wdl(syzygy, pos, -beta, -best, outcome);
        position_unmake_move(pos, moves[i], &undo);
        if (!known) return false;
        const int value = -outcome->wdl;
        if (value > best || (value == best && !en_passant)) by_en_passant = en_passant;
        best = int_max(best, value);
        *outcome = (Outcome){best, true};
        if (best >= beta) return true;
    }
    if (en_passants > 0 && movegen_count(pos) == en_passants) return true; /* the table says stalemate */
    if (!probe_table(syzygy, pos, &wdl)) return false;
    outcome->zeroing = best > WDL_DRAW ? best >= wdl : by_en_passant && best > wdl;
    outcome->wdl = int_max(best, wdl);
    return true;
}

bool syzygy_probe(const Syzygy *syzygy, Position *pos, Wdl *wdl) {
    assert(syzygy_covers(syzygy, pos));
    Outcome outcome;
    if (!FILES_EXIST || !probe_wdl(syzygy, pos, WDL_LOSS - 1, WDL_WIN, &outcome)) return false;
    *wdl = (Wdl)outcome.wdl;
    return true;
}

/* --- how far --- */

/* Plies to the next capture or pawn move, below zero for the side that loses; 0 in a draw. What the
 * fifty-move rule makes a draw begins after 100. This is the number if that move comes next. */
static int dtz_before_zeroing(int wdl) {
    static const int PLIES[] = {-1, -101, 0, 101, 1};
    return PLIES[wdl - WDL_LOSS];
}

static bool is_pawn_move(const Position *pos, Move move) {
    return piece_type(position_piece_on(pos, move_from(move))) == PAWN;
}

static bool is_mated(const Position *pos) { return position_in_check(pos) && !movegen_has_legal(pos); }

static bool probe_dtz(const Syzygy *syzygy, Position *pos, int *dtz);

/* The best DTZ by one move that is neither a capture nor a pawn move. False too if a win has no such move. */
static bool search_dtz(const Syzygy *syzygy, Position *pos, const MoveList *list, int wdl, int *dtz) {
    int best = wdl > 0 ? INT_MAX : dtz_before_zeroing(wdl);
    for (int i = 0; i < list->count; i++) {
        const Move move = list->move[i];
        Undo undo;
        int reply;
        if (is_pawn_move(pos, move) || position_captured_by(pos, move) != NO_PIECE) continue;
        position_make_move(pos, move, &undo);
        const bool known = probe_dtz(syzygy, pos, &reply);
        const bool mates = known && wdl > 0 && reply == -1 && is_mated(pos);
        position_unmake_move(pos, move, &undo);
        if (!known) return false;
        if (wdl < 0)
            best = int_min(best, -1 - reply);
        else if (reply < 0)
            best = int_min(best, mates ? 1 : 1 - reply);
    }
    *dtz = best;
    return best != INT_MAX;
}

/* Within one ply; a win of DTZ n is certain with n or more plies left to the fifty-move rule's hundred. */
static bool probe_dtz(const Syzygy *syzygy, Position *pos, int *dtz) {
    Outcome outcome;
    if (!probe_wdl(syzygy, pos, WDL_LOSS - 1, WDL_WIN, &outcome)) return false;
    const int wdl = outcome.wdl;
    *dtz = dtz_before_zeroing(wdl);
    if (wdl == WDL_DRAW || outcome.zeroing) return true;
    MoveList list = {.count = movegen_legal(pos, list.move)};
    for (int i = 0; wdl > 0 && i < list.count; i++) {
        Undo undo;
        if (!is_pawn_move(pos, list.move[i]) || position_captured_by(pos, list.move[i]) != NO_PIECE) continue;
        position_make_move(pos, list.move[i], &undo);
        const bool known = probe_wdl(syzygy, pos, WDL_LOSS - 1, WDL_WIN, &outcome);
        position_unmake_move(pos, list.move[i], &undo);
        if (!known) return false;
        if (-outcome.wdl == wdl) return true;
    }
    bool swap;
    int plies;
    const Ending *const ending = ending_of(syzygy, pos, &swap);
    if (ending == NULL || ending->table[TABLE_DTZ] == NULL) return false;
    switch (table_probe_dtz(ending->table[TABLE_DTZ], pos, swap, (Wdl)wdl, &plies)) {
    case DTZ_DAMAGED: return false;
    case DTZ_OTHER_SIDE: return search_dtz(syzygy, pos, &list, wdl, dtz);
    default: *dtz += wdl > 0 ? plies : -plies; return true;
    }
}

/* --- the moves of the root --- */

/* DTZ of a move that has just been made, for the side that made it. */
static bool probe_move(const Syzygy *syzygy, Position *pos, int *dtz) {
    Wdl wdl;
    if (pos->state.halfmove_clock == 0) {
        if (!syzygy_probe(syzygy, pos, &wdl)) return false;
        *dtz = dtz_before_zeroing(-(int)wdl);
    } else {
        if (!probe_dtz(syzygy, pos, dtz)) return false;
        *dtz = *dtz < 0 ? 1 - *dtz : *dtz > 0 ? -1 - *dtz : 0;
    }
    if (*dtz == 2 && is_mated(pos)) *dtz = 1;
    return true;
}

/* Certain wins rank alike, 1000, and so do certain losses. If the fifty-move rule or a repetition threatens,
 * what makes progress faster, or holds out longer, ranks first. */
static int rank_by_dtz(int dtz, int clock, bool has_repeated) {
    if (dtz > 0) return dtz + clock <= 99 && !has_repeated ? 1000 : 1000 - (dtz + clock);
    if (dtz < 0) return -2 * dtz + clock < 100 ? -1000 : -1000 + (-dtz + clock);
    return 0;
}

static int rank_by_wdl(int wdl, bool fifty_move_rule) {
    const int sure = fifty_move_rule && int_abs(wdl) == WDL_CURSED_WIN ? 899 : 1000;
    return wdl > 0 ? sure : wdl < 0 ? -sure : 0;
}

/* Below 900 the fifty-move rule may spoil a win. */
static Wdl outcome_of_rank(int rank, bool fifty_move_rule) {
    const int sure = fifty_move_rule ? 900 : 1;
    if (rank == 0) return WDL_DRAW;
    if (rank > 0) return rank >= sure ? WDL_WIN : WDL_CURSED_WIN;
    return rank <= -sure ? WDL_LOSS : WDL_BLESSED_LOSS;
}

static bool rank_moves(const Syzygy *syzygy, Position *pos, bool fifty_move_rule, bool by_dtz,
                       SyzygyMove *moves, int count) {
    const int clock = pos->state.halfmove_clock;
    const bool has_repeated = draw_has_repeated(pos);
    for (int i = 0; i < count; i++) {
        Undo undo;
        Wdl wdl = WDL_DRAW;
        int dtz = 0;
        position_make_move(pos, moves[i].move, &undo);
        const bool known = by_dtz ? probe_move(syzygy, pos, &dtz) : syzygy_probe(syzygy, pos, &wdl);
        position_unmake_move(pos, moves[i].move, &undo);
        if (!known) return false;
        moves[i].rank =
            by_dtz ? rank_by_dtz(dtz, clock, has_repeated) : rank_by_wdl(-(int)wdl, fifty_move_rule);
        moves[i].outcome = outcome_of_rank(moves[i].rank, fifty_move_rule);
    }
    return true;
}

int syzygy_rank_moves(const Syzygy *syzygy, const Position *pos, bool fifty_move_rule, bool *by_dtz,
                      SyzygyMove moves[MAX_MOVES]) {
    assert(syzygy_covers(syzygy, pos));
    if (!FILES_EXIST) return 0;
    Position root = *pos;
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    for (int i = 0; i < count; i++) moves[i].move = legal[i];
    *by_dtz = rank_moves(syzygy, &root, fifty_move_rule, true, moves, count);
    return *by_dtz || rank_moves(syzygy, &root, fifty_move_rule, false, moves, count) ? count : 0;
}
