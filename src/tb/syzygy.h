/* Syzygy endgame tablebases (Ronald de Man): who wins a position with few pieces (WDL), and how far the next
 * capture or pawn move is (DTZ).
 *
 * Loading opens every table; nothing may probe meanwhile. After it any number of threads may probe. */
#ifndef LUFT_TB_SYZYGY_H
#define LUFT_TB_SYZYGY_H

#include "base/text.h"
#include "tb/table.h"

/* Start from {0}: no tables. */
typedef struct Syzygy {
    int largest; /* most pieces and pawns of a position that a table knows, kings included; 0: no tables */
    int tables;  /* how many say who wins */
    struct Ending *endings; /* one for each of them */
} Syzygy;

/* Loads the tables of `path`, a list of folders as in table_list_fill; none when it is empty, which also
 * frees what is loaded. A table that is damaged refuses the whole path; the reason names it. On failure the
 * old ones stay. */
Status syzygy_load(Syzygy *syzygy, TextView path);

/* Whether a table may know the position: few enough pieces, and no castling right. Cheap. */
static inline bool syzygy_covers(const Syzygy *syzygy, const Position *pos) {
    return bits_count(position_occupied(pos)) <= syzygy->largest && pos->state.castling == 0;
}

/* Who wins a position that syzygy_covers, were the fifty-move clock just reset; captures are made and taken
 * back. False without a table for it, or with a damaged one. Any thread, at any time. */
bool syzygy_probe(const Syzygy *syzygy, Position *pos, Wdl *wdl);

/* A legal move and what it leads to. The higher the rank, the better: moves that keep a win are ranked alike
 * as long as the fifty-move rule and repetitions do not threaten it. */
typedef struct SyzygyMove {
    Move move;
    int rank;
    Wdl outcome; /* for the side that makes it; cursed and blessed only under the fifty-move rule */
} SyzygyMove;

/* All legal moves of a position that syzygy_covers, by DTZ (*by_dtz), or by who wins where a DTZ table is
 * missing. Returns how many; 0 when the tables do not know them all. Any thread, at any time. */
int syzygy_rank_moves(const Syzygy *syzygy, const Position *pos, bool fifty_move_rule, bool *by_dtz,
                      SyzygyMove moves[MAX_MOVES]);

#endif
