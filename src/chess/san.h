/* Moves as text: Standard Algebraic Notation for people, long algebraic notation (e2e4) for programs. */
#ifndef LUFT_CHESS_SAN_H
#define LUFT_CHESS_SAN_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

enum { SAN_CAPACITY = 12, LAN_CAPACITY = 6, PLAIN_MOVE_CAPACITY = 48 };

/* Writes a legal move as SAN with the needed disambiguation, + or #. Returns its length. */
size_t san_write(const Position *pos, Move move, char out[SAN_CAPACITY]);

/* Takes a legal move off the front of a word in plain ASCII (plain.h), as people and programs write it: SAN
 * or e2e4, long forms, missing or superfluous +, #, x, =, hyphens, 0-0 for O-O, all in small letters or all
 * in capitals. What is left are signs and words that comment on it ("!?", "e.p.", "mate"). The move must fit
 * exactly one legal move; `*text` and `*move` are unchanged when it does not. */
Status san_take(const Position *pos, TextView *text, Move *move);

/* The same for a text that is only a move; its comments are ignored. */
Status san_parse(const Position *pos, TextView text, Move *move);

/* Writes e2e4, e7e8q; castling as e1g1, or king takes rook (e1h1) when pos->chess960. MOVE_NONE and MOVE_NULL
 * are written 0000. Of the position only chess960 counts, so that a line may be written from its start.
 * Returns the length. */
size_t lan_write(const Position *pos, Move move, char out[LAN_CAPACITY]);

/* Reads a legal move; both ways of writing castling are understood, whatever pos->chess960. */
Status lan_parse(const Position *pos, TextView text, Move *move);

/* Makes moves, with white space between them. At one that is not legal it ends: the reason says which, and
 * `*pos` is the position before it. `recent`, unless NULL, gets the last move made and the one before;
 * MOVE_NONE where there is none. */
Status lan_play(Position *pos, TextView moves, Move recent[2]);

/* "12.Rxd4", "12...Rxd4": without the number, which always ends in a full stop. */
TextView move_without_number(TextView text);

/* The same as san_parse, with its number or without ("12. Rxd4"). The reason says why not and which legal
 * moves may be meant: "ambiguous move 'Nd2'; legal moves: Nbd2, Nfd2", "illegal move 'Nd2': a pawn of the
 * same side is on d2; legal moves: Nf3". */
Status move_parse(const Position *pos, TextView text, Move *move);

#endif
