/* Syzygy endgame tablebases (Ronald de Man): who wins a position with few pieces, and how far the next
 * capture or pawn move is (DTZ). Read by the library Fathom where the build has it.
 *
 * The library keeps one set of tables for the whole program and opens them without a lock. So one Syzygy at a
 * time has tables, and loading opens every table that the search probes; then any number of threads may
 * probe. Those that rank moves wait for each other. Nothing may do either while tables are loaded or closed.
 */
#ifndef LUFT_TB_SYZYGY_H
#define LUFT_TB_SYZYGY_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

/* Who wins, for the side to move. A cursed win and a blessed loss are draws by the fifty-move rule. */
typedef enum Wdl { WDL_LOSS = -2, WDL_BLESSED_LOSS, WDL_DRAW, WDL_CURSED_WIN, WDL_WIN } Wdl;

/* Start from {0}: no tables. */
typedef struct Syzygy {
    int largest; /* most pieces and pawns of a position that a table knows, kings included; 0: no tables */
    int tables;  /* how many say who wins */
    TextBuffer path; /* the folders they lie in */
} Syzygy;

/* Whether this program was built with the library. */
bool syzygy_is_built(void);

/* Loads the tables of `path`, a list of folders as in table_list_fill; none when it is empty, which also
 * frees what is loaded. On failure the old ones stay, or are opened again if the library has closed them; if
 * that fails too, there are none. */
Status syzygy_load(Syzygy *syzygy, TextView path);

/* Whether a table may know the position: few enough pieces, and no castling right. Cheap. */
static inline bool syzygy_covers(const Syzygy *syzygy, const Position *pos) {
    return bits_count(position_occupied(pos)) <= syzygy->largest && pos->state.castling == 0;
}

/* Who wins a position that syzygy_covers, were the fifty-move clock just reset. False without a table for it.
 * Any thread, at any time. */
bool syzygy_probe(const Syzygy *syzygy, const Position *pos, Wdl *wdl);

/* A legal move and what it leads to. The higher the rank, the better: moves that keep a win are ranked alike
 * as long as the fifty-move rule and repetitions do not threaten it. */
typedef struct SyzygyMove {
    Move move;
    int rank;
    Wdl outcome; /* for the side that makes it; cursed and blessed only under the fifty-move rule */
} SyzygyMove;

/* All legal moves of a position that syzygy_covers, by DTZ (*by_dtz), or by who wins where a DTZ table is
 * missing. Returns how many; 0 when the tables do not know them all. Any thread, at any time; this opens DTZ
 * tables. */
int syzygy_rank_moves(const Syzygy *syzygy, const Position *pos, bool fifty_move_rule, bool *by_dtz,
                      SyzygyMove moves[MAX_MOVES]);

#endif
