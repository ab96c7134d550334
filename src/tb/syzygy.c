#include "tb/syzygy.h"

#ifndef LUFT_SYZYGY

bool syzygy_is_built(void) { return false; }

Status syzygy_load(Syzygy *syzygy, TextView path) {
    (void)syzygy, (void)path;
    return status_error("this program was built without tablebases (make SYZYGY=yes needs libfathom)");
}

bool syzygy_probe(const Syzygy *syzygy, const Position *pos, Wdl *wdl) {
    (void)syzygy, (void)pos, (void)wdl;
    return false;
}

int syzygy_rank_moves(const Syzygy *syzygy, const Position *pos, bool fifty_move_rule, bool *by_dtz,
                      SyzygyMove moves[MAX_MOVES]) {
    (void)syzygy, (void)pos, (void)fifty_move_rule, (void)by_dtz, (void)moves;
    return 0;
}

#else

#include "base/rng.h"
#include "base/sync.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "tb/folder.h"

#include <assert.h>
#include <stdatomic.h>
#include <tbprobe.h>
#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

/* The owner of the tables that the library has. */
static _Atomic(const Syzygy *) owner;

/* Held by the thread that ranks moves: one lock for the one library. */
static Mutex ranking;
static Once ranking_once = ONCE_INITIAL;

static void make_ranking_lock(void) { mutex_init(&ranking); }

bool syzygy_is_built(void) { return true; }

/* The library's arguments for the pieces of a position. */
#define PIECES(pos)                                                                              \
    (pos)->by_color[WHITE], (pos)->by_color[BLACK], (pos)->by_type[KING], (pos)->by_type[QUEEN], \
        (pos)->by_type[ROOK], (pos)->by_type[BISHOP], (pos)->by_type[KNIGHT], (pos)->by_type[PAWN]

/* The library writes a1 for "no square". */
static unsigned en_passant(const Position *pos) {
    return pos->state.en_passant == NO_SQUARE ? 0 : pos->state.en_passant;
}

bool syzygy_probe(const Syzygy *syzygy, const Position *pos, Wdl *wdl) {
    assert(syzygy_covers(syzygy, pos));
    (void)syzygy;
    const unsigned result = tb_probe_wdl(PIECES(pos), 0, 0, en_passant(pos), pos->side == WHITE);
    if (result == TB_RESULT_FAILED) return false;
    *wdl = (Wdl)((int)result - TB_DRAW);
    return true;
}

/* A legal position of the table with nothing to capture: the library answers some others without a look into
 * the table itself. False when this attempt found none. */
static bool try_position(const TableName *name, Rng *rng, Position *pos) {
    static const char LETTERS[] = "PNBRQK";
    Color color = WHITE;
    position_clear(pos);
    for (const char *letter = name->text; *letter != '\0'; letter++) {
        PieceType type = PAWN;
        while (type < KING && LETTERS[type] != *letter) type++;
        const Square square = (Square)rng_below(rng, SQUARE_COUNT);
        const int rank = square_rank(square);
        if (*letter == 'v')
            color = BLACK;
        else if (position_piece_on(pos, square) != NO_PIECE || (type == PAWN && (rank == 0 || rank == 7)))
            return false;
        else
            position_put(pos, piece_make(color, type), square);
    }
    pos->side = rng_below(rng, 2) != 0 ? WHITE : BLACK;
    position_finish(pos);
    char fen[FEN_CAPACITY];
    fen_write(pos, fen);
    const Status status = fen_parse(pos, text_view(fen), false);
    Move moves[MAX_MOVES];
    if (!status_is_ok(&status)) return false;
    for (int i = 0, count = movegen_noisy(pos, moves); i < count; i++)
        if (position_captured_by(pos, moves[i]) != NO_PIECE) return false;
    return true;
}

static Status open_table(const TableName *name) {
    enum { TRIES = 1000000 };
    Rng rng = rng_seed(1);
    Position pos;
    for (int i = 0; i < TRIES; i++) {
        if (!try_position(name, &rng, &pos)) continue;
        if (tb_probe_wdl(PIECES(&pos), 0, 0, 0, pos.side == WHITE) != TB_RESULT_FAILED) return status_ok();
        break;
    }
    return status_error("the tablebase %s cannot be read", name->text);
}

/* The library prints a false error on standard error when it closes old tables of some kinds. */
static void take_tables(const char *path) {
#ifdef _WIN32
    tb_init(path);
#else
    const int nowhere = open("/dev/null", O_WRONLY), errors = dup(STDERR_FILENO);
    if (nowhere >= 0 && errors >= 0) dup2(nowhere, STDERR_FILENO);
    tb_init(path);
    if (nowhere >= 0 && errors >= 0) dup2(errors, STDERR_FILENO);
    if (nowhere >= 0) close(nowhere);
    if (errors >= 0) close(errors);
#endif
}

/* The library closes the tables that it has. */
static Status open_tables(const TableList *list) {
    Status status = status_ok();
    take_tables(buffer_string(&list->path));
    for (size_t i = 0; i < list->count && status_is_ok(&status); i++) status = open_table(&list->names[i]);
    return status;
}

/* The path moves out of the list. */
static void keep(Syzygy *syzygy, TableList *list) {
    buffer_release(&syzygy->path);
    *syzygy = (Syzygy){.largest = list->largest, .tables = (int)list->count, .path = list->path};
    list->path = (TextBuffer){0};
}

/* After other tables could not be loaded. */
static void go_back(Syzygy *syzygy) {
    TableList old = {0}, none = {0};
    Status status = syzygy->largest > 0 ? table_list_fill(&old, buffer_view(&syzygy->path))
                                        : status_error("there were none");
    if (status_is_ok(&status)) status = open_tables(&old);
    if (!status_is_ok(&status)) take_tables("");
    keep(syzygy, status_is_ok(&status) ? &old : &none);
    table_list_release(&old);
}

Status syzygy_load(Syzygy *syzygy, TextView path) {
    if (syzygy->largest == 0 && text_is_empty(path)) return status_ok(); /* nothing to close */
    const Syzygy *expected = NULL;
    if (!atomic_compare_exchange_strong(&owner, &expected, syzygy) && expected != syzygy)
        return status_error("another engine of this program has the tablebases");
    TableList list = {0};
    Status status = status_ok();
    if (!text_is_empty(path)) status = table_list_fill(&list, path);
    if (status_is_ok(&status)) {
        status = open_tables(&list);
        if (status_is_ok(&status))
            keep(syzygy, &list);
        else
            go_back(syzygy);
    }
    if (syzygy->largest == 0) atomic_store(&owner, NULL);
    table_list_release(&list);
    return status;
}

/* The library's entry of a move, or NULL. */
static const struct TbRootMove *find_move(const struct TbRootMoves *ranked, Move move) {
    static const unsigned PROMOTIONS[] = {[KNIGHT] = TB_PROMOTES_KNIGHT,
                                          [BISHOP] = TB_PROMOTES_BISHOP,
                                          [ROOK] = TB_PROMOTES_ROOK,
                                          [QUEEN] = TB_PROMOTES_QUEEN};
    const unsigned promotion =
        move_kind(move) == PROMOTION ? PROMOTIONS[move_promotion(move)] : TB_PROMOTES_NONE;
    for (unsigned i = 0; i < ranked->size; i++) {
        const TbMove entry = ranked->moves[i].move;
        if (TB_MOVE_FROM(entry) == (int)move_from(move) && TB_MOVE_TO(entry) == (int)move_to(move) &&
            TB_MOVE_PROMOTES(entry) == (int)promotion)
            return &ranked->moves[i];
    }
    return NULL;
}

/* The library ranks certain wins 1000, wins that the fifty-move rule may spoil from 900 on, and losses below
 * zero likewise. */
static Wdl outcome_of_rank(int rank, bool fifty_move_rule) {
    const int sure = fifty_move_rule ? 900 : 1;
    if (rank == 0) return WDL_DRAW;
    if (rank > 0) return rank >= sure ? WDL_WIN : WDL_CURSED_WIN;
    return rank <= -sure ? WDL_LOSS : WDL_BLESSED_LOSS;
}

int syzygy_rank_moves(const Syzygy *syzygy, const Position *pos, bool fifty_move_rule, bool *by_dtz,
                      SyzygyMove moves[MAX_MOVES]) {
    assert(syzygy_covers(syzygy, pos));
    (void)syzygy;
    struct TbRootMoves ranked;
    /* The library keeps it in a byte. All numbers above a hundred mean the same. */
    const unsigned clock = (unsigned)int_min(pos->state.halfmove_clock, 200);
    const bool white = pos->side == WHITE;
    once_run(&ranking_once, make_ranking_lock);
    mutex_lock(&ranking);
    *by_dtz = tb_probe_root_dtz(PIECES(pos), clock, 0, en_passant(pos), white, draw_has_repeated(pos),
                                fifty_move_rule, &ranked) != 0;
    const bool known = *by_dtz || tb_probe_root_wdl(PIECES(pos), clock, 0, en_passant(pos), white,
                                                    fifty_move_rule, &ranked) != 0;
    mutex_unlock(&ranking);
    if (!known) return 0;
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    for (int i = 0; i < count; i++) {
        const struct TbRootMove *entry = find_move(&ranked, legal[i]);
        if (entry == NULL) return 0;
        moves[i] = (SyzygyMove){legal[i], entry->tbRank, outcome_of_rank(entry->tbRank, fifty_move_rule)};
    }
    return count;
}

#endif
