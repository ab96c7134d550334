/* The formats in which programs that train networks exchange positions. All of it happens in memory; any
 * thread may call.
 *
 * plain: text, as Stockfish's tools write it. Lines "fen", "move", "score", "ply", "result" (1, 0, -1), "e"
 * for each position, all as its side to move sees it. Positions that follow each other are read as a game.
 *
 * bulletformat: 32 bytes for each position, as its side to move sees it: ranks are mirrored and colours
 * swapped for Black. Occupied squares (8 bytes), four bits for each piece in the order of the squares (16):
 * type, and 8 for the opponent; score (2), result 0, 1, 2 (1), own king (1), the other one as its side sees
 * it (1), 3 spare.
 *
 * viriformat: games. 32 bytes for the start: squares and pieces as above, but in White's view, 8 is Black and
 * type 6 a rook that may castle; en passant square or 64, with 128 for Black to move (1), halfmove clock (1),
 * move number (2), score (2), White's result 0, 1, 2 (1), 1 spare. Then for each move 2 bytes and White's
 * score before it, 2 bytes; four zero bytes end the game. Of a move bits 0 to 5 are from, 6 to 11 to
 * (castling takes the own rook), 12 and 13 the promotion from a knight on, 14 and 15 its kind: 1 en passant,
 * 2 castling, 3 promotion.
 *
 * Numbers are little-endian. `pawn` is the score of a pawn in the file, 0 the usual one of its format; scores
 * from SCORE_WIN on are mates, and the same in every unit. */
#ifndef LUFT_DATA_FOREIGN_H
#define LUFT_DATA_FOREIGN_H

#include "base/status.h"
#include "base/text.h"
#include "lab/data/plyuse.h"
#include "lab/data/recorded.h"

enum {
    FOREIGN_PLAIN_UNSCORED = 32002,    /* Stockfish's word for no score */
    FOREIGN_VIRI_UNSCORED = INT16_MIN, /* beyond what its filters let pass */
    FOREIGN_POSITION_SIZE = 32
};

typedef enum ForeignKind { FOREIGN_PLAIN, FOREIGN_BULLET, FOREIGN_VIRI, FOREIGN_KINDS } ForeignKind;

/* How games are written, and what was not. Starts as {0}, or with what is wanted. */
typedef struct ForeignExport {
    int pawn;
    bool usable_only;        /* leaves out positions for which `plies` has a reason; not of viriformat */
    PlyFilter plies;         /* counts positions, too, where all are written */
    uint64_t uses[PLY_USES]; /* positions of plain and bulletformat, written or not */
    uint64_t unscored;       /* positions left out, as they have no score */
    uint64_t moveless;       /* scored positions left out, as they have no move */
    uint64_t empty;          /* games left out, without a move and a score: results alone */
} ForeignExport;

/* Appends a game; adds to the counts. */
void foreign_append(ForeignKind kind, const RecordedGame *game, ForeignExport *export, TextBuffer *out);

/* Takes the next game off the front; false at the end. With a bad `*fault` something could not be read: the
 * game has what was before it, and is UNDECIDED if that is nothing. */
bool foreign_take(ForeignKind kind, TextView *rest, int pawn, RecordedGame *game, Status *fault);

#endif
