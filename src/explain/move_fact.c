#include "explain/move_fact.h"

#include "base/bits.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "explain/exchange.h"
#include "explain/fact.h"

#include <stddef.h>

enum {
    SOON = 4,           /* plies of a line in which a fact must show itself */
    OPENING_MOVES = 12, /* in which a side develops */
    AT_HOME = 2,        /* pieces that are still to be developed at least */
    MORE_THAN_A_PAWN = 2
};

typedef struct Pair {
    const Line *own, *other; /* of the move, and of the other one */
} Pair;

static bool is_quiet(const Position *pos, Move move) {
    return position_captured_by(pos, move) == NO_PIECE && move_kind(move) != CASTLING;
}

static PieceType mover(const Position *pos, Move move) {
    return piece_type(position_piece_on(pos, move_from(move)));
}

/* --- time --- */

/* The ply at which the piece of the first move goes on, both moves being quiet and no check forcing it; 0: it
 * does not. */
static int next_step(const Line *line) {
    const Square square = move_to(line->move[0]);
    if (!is_quiet(&line->board[0], line->move[0])) return 0;
    for (int ply = 1; ply <= int_min(SOON, line->length - 1); ply++) {
        if (ply % 2 == 1 && move_to(line->move[ply]) == square) return 0;
        if (ply % 2 == 0 && move_from(line->move[ply]) == square)
            return is_quiet(&line->board[ply], line->move[ply]) && !position_in_check(&line->board[ply]) ? ply
                                                                                                         : 0;
    }
    return 0;
}

Move move_fact_at_once(const Line *line, int *ply) {
    const Position *root = &line->board[0];
    *ply = next_step(line);
    const Move move = move_make(move_from(line->move[0]), move_to(line->move[*ply]));
    return *ply > 0 && movegen_is_legal(root, move) && is_quiet(root, move) ? move : MOVE_NONE;
}

/* Whether the side that plays the line has lost something by its board `ply`: then that says more than time.
 */
static bool has_lost(const Line *line, int ply) {
    return line_loss(line, 0, int_min(ply, line->length), line->board[0].side).net > 0;
}

static bool goes_on(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    const Move at_once = move_fact_at_once(line, &fact->ply);
    return fact->ply > 0 && !has_lost(line, fact->ply) &&
           (at_once != MOVE_NONE || move_to(line->move[fact->ply]) == move_from(line->move[0]));
}

/* Whether the answer at `ply` gives check, or attacks a piece that was safe, to win more than a pawn: then no
 * time is gained on it. */
static bool answers_with_tempo(const Line *line, int ply) {
    const Position *before = &line->board[ply], *after = &line->board[ply + 1];
    Bitboard targets = after->by_color[after->side] & ~after->by_type[KING];
    if (position_in_check(after)) return true;
    while (targets != 0) {
        const Square square = bitboard_pop(&targets);
        if (exchange_best_on(before, square) < 1 && exchange_threat_on(after, square) >= MORE_THAN_A_PAWN)
            return true;
    }
    return false;
}

/* The quiet move at `ply` attacks a piece that was safe, and the piece moves away and takes nothing, nor
 * gains the time back. */
static bool drives_away(const Line *line, int ply, MoveFact *fact) {
    if (ply + 1 >= line->length) return false;
    const Position *before = &line->board[ply], *after = &line->board[ply + 1];
    const Move answer = line->move[ply + 1];
    const Square square = move_from(answer);
    if (!is_quiet(before, line->move[ply]) || !is_quiet(after, answer)) return false;
    if (mover(after, answer) == PAWN || mover(after, answer) == KING) return false;
    *fact = (MoveFact){.kind = fact->kind, .ply = ply, .square = square};
    return exchange_best_on(before, square) < 1 && exchange_threat_on(after, square) >= 1 &&
           !answers_with_tempo(line, ply + 1);
}

static bool loses_tempo(const Pair *pair, MoveFact *fact) {
    return (drives_away(pair->own, 1, fact) || drives_away(pair->own, 3, fact)) &&
           !has_lost(pair->own, fact->ply + 1);
}

/* Whether the same move could attack the same piece on the other line, too: then that one only does without
 * it. */
static bool could_attack_on_other(const Pair *pair, const MoveFact *fact) {
    for (int ply = 1; ply <= int_min(fact->ply, pair->other->length); ply += 2) {
        const Position *before = &pair->other->board[ply];
        Position after;
        if (move_fact_can_reply(before, pair->own->move[fact->ply], &after) &&
            exchange_best_on(before, fact->square) < 1 && exchange_threat_on(&after, fact->square) >= 1)
            return true;
    }
    return false;
}

static bool gains_tempo(const Pair *pair, MoveFact *fact) {
    return drives_away(pair->own, 0, fact) && !has_lost(pair->own, SOON);
}

/* --- captures --- */

/* A quiet move lets the reply win something, which after the other move is impossible, or wins nothing. */
static bool drops(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    if (line->length < 2 || !is_quiet(&line->board[0], line->move[0])) return false;
    const Position *pos = &line->board[1], *there = &pair->other->board[1];
    const Move reply = line->move[1];
    fact->ply = 1;
    fact->square = move_to(reply);
    return position_captured_by(pos, reply) != NO_PIECE && exchange_gain(pos, reply) >= 1 &&
           !(movegen_is_legal(there, reply) && exchange_gain(there, reply) >= 1);
}

static bool takes(const Pair *pair, MoveFact *fact) {
    const Position *root = &pair->own->board[0];
    const Move move = pair->own->move[0];
    fact->square = move_to(move);
    return position_captured_by(root, move) != NO_PIECE && exchange_gain(root, move) >= MORE_THAN_A_PAWN;
}

/* A bishop for a knight, and the other side still has both of its own a little later. */
static bool gives_pair(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    const Position *root = &line->board[0];
    const Color them = color_other(root->side);
    fact->ply = 1;
    return line->length > SOON && mover(root, line->move[0]) == BISHOP &&
           position_captured_by(root, line->move[0]) == piece_make(them, KNIGHT) &&
           move_to(line->move[1]) == move_to(line->move[0]) &&
           fact_squares(FACT_bishop_pair, &line->board[2], them) != 0 &&
           fact_squares(FACT_bishop_pair, &line->board[SOON + 1], them) != 0;
}

static bool draws_king(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    const Position *root = &line->board[0];
    fact->ply = 2;
    return line->length > 2 && mover(&line->board[1], line->move[1]) == KING &&
           move_to(line->move[1]) == move_to(line->move[0]) && move_kind(line->move[1]) != CASTLING &&
           square_relative_rank(line->board[1].side, move_from(line->move[1])) == 0 &&
           exchange_points(mover(root, line->move[0])) > exchange_taken(root, line->move[0]) &&
           position_in_check(&line->board[3]);
}

/* The piece that moves at `ply` pins another one to its king: no pawn, and it could move before. */
static bool pins_at(const Line *line, int ply, MoveFact *fact) {
    if (ply >= line->length) return false;
    const Position *after = &line->board[ply + 1];
    Position passed = line->board[ply];
    Undo undo;
    if (position_in_check(&passed) || position_in_check(after)) return false;
    position_make_null(&passed, &undo);
    const Square king = position_king(after, after->side), to = move_to(line->move[ply]);
    Bitboard pinned =
        after->state.pinned & after->by_color[after->side] & ~after->by_type[PAWN] & ~passed.state.pinned;
    fact->ply = ply;
    while (pinned != 0) {
        fact->square = bitboard_pop(&pinned);
        if (squares_between(king, to) & ~square_bit(to) & square_bit(fact->square)) return true;
    }
    return false;
}

static bool pins(const Pair *pair, MoveFact *fact) { return pins_at(pair->own, 0, fact); }

/* By a reply that is not possible on the other line, or pins nothing there. */
static bool is_pinned(const Pair *pair, MoveFact *fact) {
    if (!pins_at(pair->own, 1, fact)) return false;
    Position after;
    return exchange_gain(&pair->own->board[1], pair->own->move[1]) >= 0 &&
           (!move_fact_can_reply(&pair->other->board[1], pair->own->move[1], &after) ||
            !(after.state.pinned & square_bit(fact->square)));
}

/* A quiet move attacks a piece that was safe, by more than a pawn, or a pawn that it takes next. Not
 * where the piece goes to attack something in its turn. */
static bool attacks(const Pair *pair, MoveFact *fact) {
    const Position *root = &pair->own->board[0], *after = &pair->own->board[1];
    const Color other = color_other(root->side);
    const Square next = pair->own->length > 2 ? move_to(pair->own->move[2]) : NO_SQUARE;
    Bitboard targets = root->by_color[other] & ~root->by_type[KING];
    if (!is_quiet(root, pair->own->move[0])) return false;
    while (targets != 0) {
        fact->square = bitboard_pop(&targets);
        const bool is_pawn = piece_type(position_piece_on(root, fact->square)) == PAWN;
        if (exchange_best_on(root, fact->square) < 1 && (!is_pawn || fact->square == next) &&
            exchange_threat_on(after, fact->square) >= (is_pawn ? 1 : MORE_THAN_A_PAWN) &&
            !(pair->own->length > 1 && move_from(pair->own->move[1]) == fact->square &&
              answers_with_tempo(pair->own, 1)))
            return true;
    }
    return false;
}

/* --- what the opponent can do --- */

bool move_fact_is_prevented(const Position *possible, const Position *pos, Move reply) {
    const Square from = move_from(reply);
    if (position_captured_by(possible, reply) != NO_PIECE || position_in_check(pos)) return false;
    if (position_piece_on(pos, from) != position_piece_on(possible, from)) return false;
    if (exchange_gain(possible, reply) < 0) return false;
    return !movegen_is_legal(pos, reply) || exchange_gain(pos, reply) < 0;
}

bool move_fact_can_reply(const Position *pos, Move reply, Position *after) {
    Undo undo;
    *after = *pos;
    if (!movegen_is_legal(pos, reply)) return false;
    position_make_move(after, reply, &undo);
    return exchange_best_on(after, NO_SQUARE) < 1;
}

static bool allows(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    Position passed = line->board[0];
    Undo undo;
    if (line->length < 2 || position_in_check(&passed)) return false;
    position_make_null(&passed, &undo);
    fact->ply = 1;
    return move_fact_is_prevented(&line->board[1], &passed, line->move[1]);
}

/* Whether the move prevents the reply to the other one. */
static bool prevents_reply(const Pair *pair) {
    const Line *other = pair->other;
    return other->length > 1 &&
           move_fact_is_prevented(&other->board[1], &pair->own->board[1], other->move[1]);
}

/* Not what the opponent only plays a little later. */
static bool prevents(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own, *other = pair->other;
    fact->ply = 1;
    if (!prevents_reply(pair)) return false;
    for (int ply = 3; ply < line->length; ply += 2)
        if (line->move[ply] == other->move[1]) return false;
    return true;
}

/* The reply, not the move itself, puts an end to the better move. */
static bool stops(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    const Move better = pair->other->move[0];
    Position passed = line->board[1];
    Undo undo;
    if (line->length < 2 || position_in_check(&passed) || move_to(line->move[1]) == move_to(better))
        return false;
    position_make_null(&passed, &undo);
    fact->ply = 1;
    return move_fact_is_prevented(&line->board[0], &line->board[2], better) &&
           !move_fact_is_prevented(&line->board[0], &passed, better);
}

/* The other line's reply takes a piece that the move guards: there it wins nothing now. */
static bool guards(const Pair *pair, MoveFact *fact) {
    const Position *after = &pair->own->board[1];
    if (pair->other->length < 2) return false;
    const Position *loose = &pair->other->board[1];
    const Move reply = pair->other->move[1], move = pair->own->move[0];
    fact->square = move_to(reply);
    const Piece guarded = position_piece_on(after, fact->square); /* not where a reply takes en passant */
    return guarded != NO_PIECE && guarded == position_captured_by(loose, reply) &&
           exchange_gain(loose, reply) >= 1 && move_to(move) != fact->square &&
           exchange_best_on(after, fact->square) < 1 &&
           (position_attackers(after, fact->square, position_occupied(after)) & square_bit(move_to(move)));
}

/* --- development --- */

static bool is_opening(const Position *pos) {
    return pos->fullmove <= OPENING_MOVES &&
           bits_count(fact_squares(FACT_undeveloped, pos, pos->side)) >= AT_HOME;
}

bool move_fact_develops(const Position *pos, Move move) {
    const Bitboard home = fact_squares(FACT_undeveloped, pos, pos->side);
    return (home & square_bit(move_from(move))) || move_kind(move) == CASTLING;
}

bool move_fact_develops_nothing(const Position *pos, Move move) {
    return is_opening(pos) && !move_fact_develops(pos, move);
}

/* The piece was not attacked: it had no need to move. */
static bool moves_again(const Pair *pair, MoveFact *fact) {
    const Position *root = &pair->own->board[0];
    const Move move = pair->own->move[0];
    const PieceType type = mover(root, move);
    (void)fact;
    return (type == KNIGHT || type == BISHOP) && move_fact_develops_nothing(root, move) &&
           is_quiet(root, move) && !position_in_check(root) && exchange_threat_on(root, move_from(move)) < 1;
}

static bool develops(const Pair *pair, MoveFact *fact) {
    (void)fact;
    return move_fact_develops(&pair->own->board[0], pair->own->move[0]);
}

static bool takes_centre(const Pair *pair, MoveFact *fact) {
    const Position *root = &pair->own->board[0];
    const Move move = pair->own->move[0];
    const Square to = move_to(move);
    const int rank = square_relative_rank(root->side, to);
    (void)fact;
    return mover(root, move) == PAWN && is_quiet(root, move) && (rank == 3 || rank == 4) &&
           (square_bit(to) & (file_mask(3) | file_mask(4))) && exchange_best_on(&pair->own->board[1], to) < 1;
}

/* --- files --- */

/* A rook leaves a file with own pawns for one without, or the other way round. */
static bool changes_file(const Line *line, bool to_open) {
    const Position *root = &line->board[0];
    const Move move = line->move[0];
    const Bitboard pawns = position_pieces(root, root->side, PAWN);
    const bool was_open = !(pawns & file_mask(square_file(move_from(move)))),
               is_open = !(pawns & file_mask(square_file(move_to(move))));
    return mover(root, move) == ROOK && is_quiet(root, move) && was_open != is_open && is_open == to_open;
}

static bool leaves_file(const Pair *pair, MoveFact *fact) {
    (void)fact;
    return changes_file(pair->own, false);
}

static bool takes_file(const Pair *pair, MoveFact *fact) {
    (void)fact;
    return changes_file(pair->own, true);
}

/* A rook comes where no pawns are, and cannot be won there. */
static bool seizes_file(const Pair *pair, MoveFact *fact) {
    const Position *root = &pair->own->board[0];
    const Move move = pair->own->move[0];
    const Bitboard pawns = root->by_type[PAWN];
    (void)fact;
    return mover(root, move) == ROOK && is_quiet(root, move) &&
           (pawns & file_mask(square_file(move_from(move)))) != 0 &&
           !(pawns & file_mask(square_file(move_to(move)))) &&
           exchange_best_on(&pair->own->board[1], move_to(move)) < 1;
}

/* The file has no pawns, and before the move the two rooks stood face to face. */
static bool closes_file(const Pair *pair, MoveFact *fact) {
    const Position *root = &pair->own->board[0];
    const Move move = pair->own->move[0];
    const Square to = move_to(move);
    const Bitboard file = file_mask(square_file(to)), rooks = root->by_type[ROOK] & file;
    const Bitboard facing = rooks & attacks_piece(ROOK, to, position_occupied(root));
    (void)fact;
    return (mover(root, move) == KNIGHT || mover(root, move) == BISHOP) && is_quiet(root, move) &&
           !(root->by_type[PAWN] & file) && square_file(move_from(move)) != square_file(to) &&
           (facing & root->by_color[WHITE]) != 0 && (facing & root->by_color[BLACK]) != 0 &&
           exchange_best_on(&pair->own->board[1], to) < 1;
}

/* --- places --- */

/* The bishop next to the pawn on the first rank cannot get out. */
static bool blocks(const Pair *pair, MoveFact *fact) {
    const Position *root = &pair->own->board[0], *after = &pair->own->board[1];
    const Color us = root->side;
    const Move move = pair->own->move[0];
    const Bitboard place = square_bit(move_to(move));
    if (!is_quiet(root, move) || !(fact_squares(FACT_blocked_pawn, after, us) & place) ||
        (fact_squares(FACT_blocked_pawn, root, us) & square_bit(move_from(move))))
        return false;
    const Bitboard pawn = bitboard_forward(color_other(us), place);
    fact->square = bitboard_lowest(pawn);
    const Square home = (square_file(fact->square) == 3 ? C1 : F1) ^ (us == WHITE ? 0 : A8);
    return position_piece_on(root, home) == piece_make(us, BISHOP);
}

/* A piece that still stands there, or another one that has taken back, some plies later. */
static bool makes_outpost(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    const Color us = line->board[0].side;
    for (fact->ply = 0; fact->ply <= 2 && fact->ply < line->length; fact->ply += 2) {
        const Bitboard place = square_bit(move_to(line->move[fact->ply]));
        const int later = int_min(line->length, fact->ply + 1 + SOON);
        if (!(fact_squares(FACT_outpost, &line->board[fact->ply], us) & place) &&
            (fact_squares(FACT_outpost, &line->board[fact->ply + 1], us) & place) &&
            (fact_squares(FACT_outpost, &line->board[later], us) & place) &&
            is_quiet(&line->board[fact->ply], line->move[fact->ply]))
            return true;
    }
    return false;
}

static Bitboard queens(const Position *pos) { return pos->by_type[QUEEN]; }

/* The reply to the other move trades queens; on the line they stay. */
static bool avoids_trade(const Pair *pair, MoveFact *fact) {
    const Line *own = pair->own, *other = pair->other;
    (void)fact;
    return other->length > 2 && own->length > SOON && bits_count(queens(&other->board[0])) == 2 &&
           queens(&other->board[3]) == 0 && move_to(other->move[1]) == move_to(other->move[2]) &&
           bits_count(queens(&own->board[SOON + 1])) == 2 && is_quiet(&own->board[0], own->move[0]);
}

/* The line does not take the pawn at once. */
static bool is_kept_pawn_move(const Line *line) {
    return mover(&line->board[0], line->move[0]) == PAWN && is_quiet(&line->board[0], line->move[0]) &&
           move_kind(line->move[0]) != PROMOTION &&
           !(line->length > 1 && move_to(line->move[1]) == move_to(line->move[0]));
}

static bool is_lever(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    const Color us = line->board[0].side;
    const Bitboard targets =
        position_pieces(&line->board[1], color_other(us), PAWN) & attacks_pawn(us, move_to(line->move[0]));
    if (!is_kept_pawn_move(line) || targets == 0) return false;
    fact->square = bitboard_lowest(targets);
    return true;
}

static bool pushes(const Pair *pair, MoveFact *fact) {
    enum { FAR = 3 }; /* from the fourth rank on */
    const Line *line = pair->own;
    const Color us = line->board[0].side;
    (void)fact;
    return is_kept_pawn_move(line) && square_relative_rank(us, move_to(line->move[0])) >= FAR &&
           (fact_squares(FACT_passed_pawn, &line->board[0], us) & square_bit(move_from(line->move[0])));
}

/* Whether a passed pawn of the side to move stands on the file of the square, behind it. */
static bool has_pawn_behind(const Position *pos, Square square) {
    Bitboard passed = fact_squares(FACT_passed_pawn, pos, pos->side) & file_mask(square_file(square));
    while (passed != 0)
        if (square_relative_rank(pos->side, bitboard_pop(&passed)) < square_relative_rank(pos->side, square))
            return true;
    return false;
}

bool move_fact_goes_before_pawn(const Position *pos, Move move) {
    return has_pawn_behind(pos, move_to(move)) && !has_pawn_behind(pos, move_from(move));
}

static bool leads_king(const Pair *pair, MoveFact *fact) {
    enum { PIECES = 6 };
    const Line *line = pair->own;
    const Position *root = &line->board[0];
    const Bitboard pieces = position_occupied(root) & ~(root->by_type[PAWN] | root->by_type[KING]);
    (void)fact;
    return mover(root, line->move[0]) == KING && is_quiet(root, line->move[0]) && !position_in_check(root) &&
           queens(root) == 0 && bits_count(pieces) <= PIECES &&
           (fact_from_centre(&line->board[1], root->side) < fact_from_centre(root, root->side) ||
            move_fact_goes_before_pawn(root, line->move[0]));
}

/* It can be taken back there, and so can the knight on the bishop's square. */
static bool nears_bishop(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    const Position *root = &line->board[0];
    const Square from = move_from(line->move[0]), to = move_to(line->move[0]);
    const Bitboard targets = position_pieces(root, color_other(root->side), BISHOP) & attacks_knight(to);
    if (mover(root, line->move[0]) != KNIGHT || !is_quiet(root, line->move[0]) || targets == 0 ||
        (attacks_knight(from) & position_pieces(root, color_other(root->side), BISHOP)) ||
        exchange_best_on(&line->board[1], to) >= 1)
        return false;
    fact->square = bitboard_lowest(targets);
    return true;
}

/* The capture takes as much as is taken back at once. */
static bool trades(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    const Position *root = &line->board[0];
    const PieceType taken = piece_type(position_captured_by(root, line->move[0]));
    const PieceType taker = mover(root, line->move[0]);
    fact->square = move_to(line->move[0]);
    return position_captured_by(root, line->move[0]) != NO_PIECE && line->length > 1 &&
           move_to(line->move[1]) == move_to(line->move[0]) && taken != PAWN && taker != KING &&
           move_kind(line->move[0]) != PROMOTION && exchange_points(taken) == exchange_points(taker);
}

int move_fact_room(const Position *pos, Square square) {
    const Piece piece = position_piece_on(pos, square);
    return bits_count(attacks_piece(piece_type(piece), square, position_occupied(pos)) &
                      ~pos->by_color[piece_color(piece)]);
}

static bool gives_room(const Pair *pair, MoveFact *fact) {
    enum { MORE = 4 };
    const Line *line = pair->own;
    const Position *root = &line->board[0];
    const PieceType type = mover(root, line->move[0]);
    (void)fact;
    return type >= KNIGHT && type <= ROOK && is_quiet(root, line->move[0]) &&
           exchange_best_on(&line->board[1], move_to(line->move[0])) < 1 &&
           move_fact_room(&line->board[1], move_to(line->move[0])) >=
               move_fact_room(root, move_from(line->move[0])) + MORE;
}

static Bitboard pieces_of(const Position *pos, Color side) {
    return pos->by_color[side] & ~(pos->by_type[PAWN] | pos->by_type[KING]);
}

/* To how many squares the pieces of a side could go. */
static int room_of_all(const Position *pos, Color side) {
    Bitboard pieces = pieces_of(pos, side);
    int squares = 0;
    while (pieces != 0) squares += move_fact_room(pos, bitboard_pop(&pieces));
    return squares;
}

int move_fact_space(const Line *line, Color side) {
    const int end = int_min(line->length, SPACE_PLIES), first = end / 2;
    int squares = 0;
    for (int ply = first; ply <= end; ply++) squares += room_of_all(&line->board[ply], side);
    return squares / (end - first + 1);
}

/* Whether a side has as many pieces of each kind on both boards. */
static bool has_same_pieces(const Position *pos, const Position *other, Color side) {
    for (PieceType type = KNIGHT; type < KING; type++)
        if (bits_count(position_pieces(pos, side, type)) != bits_count(position_pieces(other, side, type)))
            return false;
    return true;
}

/* On each board of the second half of the line more than on the other line's at the same ply, and five on an
 * average. */
static bool has_space(const Pair *pair, MoveFact *fact) {
    enum { MORE = 5 };
    const Line *own = pair->own, *other = pair->other;
    const Color us = own->board[0].side;
    (void)fact;
    if (int_min(own->length, other->length) < SPACE_PLIES) return false;
    for (int ply = SPACE_PLIES / 2; ply <= SPACE_PLIES; ply++)
        if (!has_same_pieces(&own->board[ply], &other->board[ply], us) ||
            room_of_all(&own->board[ply], us) <= room_of_all(&other->board[ply], us))
            return false;
    return move_fact_space(own, us) >= move_fact_space(other, us) + MORE;
}

/* --- what comes next --- */

/* Its piece goes on, to give check or to take something that cannot be taken back without loss. */
static bool prepares(const Pair *pair, MoveFact *fact) {
    const Line *line = pair->own;
    fact->ply = 2;
    if (line->length < 3 || move_from(line->move[2]) != move_to(line->move[0])) return false;
    const Position *pos = &line->board[2];
    const Move next = move_make(move_from(line->move[0]), move_to(line->move[2]));
    const bool takes_something =
        position_captured_by(pos, line->move[2]) != NO_PIECE && exchange_gain(pos, line->move[2]) >= 1;
    return is_quiet(&line->board[0], line->move[0]) && !movegen_is_legal(&line->board[0], next) &&
           exchange_gain(pos, line->move[2]) >= 0 && (takes_something || position_in_check(&line->board[3]));
}

/* --- the table --- */

static const struct {
    const char *name;
    bool (*holds)(const Pair *pair, MoveFact *fact);
} ROWS[] = {[MOVE_DROPS] = {"drops", drops},
            [MOVE_LOSES_TEMPO] = {"loses a tempo", loses_tempo},
            [MOVE_IS_PINNED] = {"is pinned", is_pinned},
            [MOVE_GIVES_PAIR] = {"gives the bishop pair", gives_pair},
            [MOVE_GOES_ON] = {"goes on", goes_on},
            [MOVE_STOPS] = {"stops", stops},
            [MOVE_ALLOWS] = {"allows", allows},
            [MOVE_BLOCKS] = {"blocks a pawn", blocks},
            [MOVE_AGAIN] = {"moves again", moves_again},
            [MOVE_LEAVES_FILE] = {"leaves a file", leaves_file},
            [MOVE_TAKES] = {"takes", takes},
            [MOVE_DRAWS_KING] = {"draws the king out", draws_king},
            [MOVE_PINS] = {"pins", pins},
            [MOVE_GUARDS] = {"guards", guards},
            [MOVE_SEIZES_FILE] = {"seizes a file", seizes_file},
            [MOVE_OUTPOST] = {"outpost", makes_outpost},
            [MOVE_PREVENTS] = {"prevents", prevents},
            [MOVE_GAINS_TEMPO] = {"gains a tempo", gains_tempo},
            [MOVE_ATTACKS] = {"attacks", attacks},
            [MOVE_AVOIDS_TRADE] = {"avoids a trade", avoids_trade},
            [MOVE_CLOSES_FILE] = {"closes a file", closes_file},
            [MOVE_LEVER] = {"lever", is_lever},
            [MOVE_PUSHES] = {"pushes a passed pawn", pushes},
            [MOVE_LEADS_KING] = {"leads the king", leads_king},
            [MOVE_TAKES_CENTRE] = {"takes the centre", takes_centre},
            [MOVE_DEVELOPS] = {"develops", develops},
            [MOVE_TAKES_FILE] = {"takes a file", takes_file},
            [MOVE_PREPARES] = {"prepares", prepares},
            [MOVE_NEARS_BISHOP] = {"nears a bishop", nears_bishop},
            [MOVE_TRADES] = {"trades", trades},
            [MOVE_GIVES_ROOM] = {"gives room", gives_room},
            [MOVE_SPACE] = {"space", has_space}};

/* Whether the other line shows the same: of its own first move, of the same piece, or by the same later
 * move. */
static bool is_common(const Pair *pair, const MoveFact *fact) {
    const Pair turned = {pair->other, pair->own};
    MoveFact there = {.kind = fact->kind};
    if (fact->kind == MOVE_LOSES_TEMPO && could_attack_on_other(pair, fact)) return true;
    if (fact->kind == MOVE_PREVENTS) return prevents_reply(&turned);
    if (!ROWS[fact->kind].holds(&turned, &there)) return false;
    if (fact->kind == MOVE_TAKES || fact->kind == MOVE_GUARDS) return there.square == fact->square;
    return fact->ply == 0 || pair->own->move[fact->ply] == pair->other->move[there.ply];
}

bool move_fact_is_in_most(const Line *line, const Candidates *candidates, int ply) {
    enum { LATER = 2 };
    int shown = 0, count = 0;
    for (int i = 0; i < candidates->count; i++) {
        const Candidate *candidate = &candidates->line[i];
        bool is_shown = false;
        if (candidate->length <= ply + LATER) continue;
        count++;
        for (int at = ply % 2; at <= ply + LATER; at += 2) is_shown |= candidate->move[at] == line->move[ply];
        shown += is_shown;
    }
    return 3 * shown >= 2 * count;
}

/* Whether it is no accident of this line. */
static bool is_usual(const Line *line, const Candidates *candidates, const MoveFact *fact) {
    return fact->ply < 2 || candidates == NULL || move_fact_is_in_most(line, candidates, fact->ply);
}

MoveFact move_fact_find(const Line *line, const Line *other, const Candidates *candidates, bool in_favour) {
    const Pair pair = {line, other};
    const MoveFactKind first = in_favour ? MOVE_TAKES : MOVE_DROPS,
                       end = in_favour ? MOVE_FACT_KINDS : MOVE_TAKES;
    for (MoveFactKind kind = first; kind < end; kind++) {
        MoveFact fact = {.kind = kind, .square = move_from(line->move[0])};
        if (ROWS[kind].holds(&pair, &fact) && !is_common(&pair, &fact) && is_usual(line, candidates, &fact))
            return fact;
    }
    return (MoveFact){.kind = MOVE_FACT_NONE};
}

const char *move_fact_name(MoveFactKind kind) { return ROWS[kind].name; }
