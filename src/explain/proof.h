/* Facts that hold whatever the other side plays: every legal reply is tried. Such a proof looks two plies
 * ahead, so it overlooks a reply that makes a threat of its own; a claim needs the search's line, too.
 * Pure. */
#ifndef LUFT_EXPLAIN_PROOF_H
#define LUFT_EXPLAIN_PROOF_H

#include "chess/position.h"

/* Whether after every legal reply in `pos` the other side has a capture of one of the pieces on `victims`
 * (followed if it moves) that wins at least a point more than the reply took, or mates at once. `hunter` is
 * the piece that makes the threats, or NO_SQUARE: if a reply takes it, taking back must win a point all the
 * same. A check only delays: it saves nothing where some answer to it leaves all this true. False when there
 * is no reply. */
bool proof_cannot_save(const Position *pos, Bitboard victims, Square hunter);

/* Whether the pawn on `square`, its side not to move, becomes a piece that lives, whatever is replied, by
 * pushes alone. At most PROOF_PUSHES pushes are tried; false beyond them, or when the proof gets too large.
 */
enum { PROOF_PUSHES = 4, PROOF_NODES = 200000 };
bool proof_pawn_promotes(const Position *pos, Square square);

#endif
