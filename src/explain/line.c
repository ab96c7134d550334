#include "explain/line.h"

#include "base/bits.h"
#include "base/memory.h"
#include "chess/attacks.h"
#include "chess/draw.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "explain/exchange.h"

#include <assert.h>
#include <string.h>

Line *line_create(const Position *start, const Move *moves, int count) {
    Line *line = memory_allocate(sizeof *line);
    if (line == NULL) return NULL;
    line->board[0] = *start;
    for (; line->length < count && line->length < LINE_PLIES_MAX; line->length++) {
        const Move move = moves[line->length];
        assert(movegen_is_legal(&line->board[line->length], move));
        Undo undo;
        line->move[line->length] = move;
        line->board[line->length + 1] = line->board[line->length];
        position_make_move(&line->board[line->length + 1], move, &undo);
    }
    return line;
}

void line_destroy(Line *line) { memory_release(line); }

bool line_is_mate(const Line *line, int ply) {
    return position_in_check(&line->board[ply]) && !movegen_has_legal(&line->board[ply]);
}

bool line_is_stalemate(const Line *line, int ply) {
    return !position_in_check(&line->board[ply]) && !movegen_has_legal(&line->board[ply]);
}

/* The rook goes next to the king, on the side from which it comes. */
static Square place_after_castling(const Position *after, Color side, Move move, Square square) {
    const Square king = position_king(after, side);
    if (square == move_from(move)) return king;
    return move_to(move) > move_from(move) ? king - 1 : king + 1;
}

Square line_place(const Line *line, int ply, Square from) {
    Square square = from;
    for (int i = 0; i < ply; i++) {
        const Position *before = &line->board[i], *after = &line->board[i + 1];
        const Move move = line->move[i];
        const Piece piece = position_piece_on(before, square);
        if (move_kind(move) == CASTLING && (square == move_from(move) || square == move_to(move)))
            square = place_after_castling(after, before->side, move, square);
        else if (square == move_from(move))
            square = move_to(move);
        if (position_piece_on(after, square) != piece) return NO_SQUARE;
    }
    return square;
}

bool line_repeats(const Line *line, int ply) { return draw_stood_before(&line->board[ply]); }

static bool can_promote(const Position *pos) {
    Move moves[MAX_MOVES];
    const int count = movegen_noisy(pos, moves);
    for (int i = 0; i < count; i++)
        if (move_kind(moves[i]) == PROMOTION) return true;
    return false;
}

static bool is_quiet(const Position *pos) {
    return !position_in_check(pos) && !can_promote(pos) && exchange_best_on(pos, NO_SQUARE) < 1;
}

bool line_is_quiet(const Line *line, int ply) { return is_quiet(&line->board[ply]); }

/* Whether the side that is not to move could win something if the turn were its own. */
static bool is_threatened(const Position *pos) {
    Position copy = *pos;
    Undo undo;
    position_make_null(&copy, &undo);
    return exchange_best_on(&copy, NO_SQUARE) >= 1;
}

/* Whether the line takes nothing in the next LINE_REST quiet plies; *ends if it has no more of them. */
static bool takes_nothing(const Line *line, int from, bool *ends) {
    int quiet = 0;
    for (int ply = from; quiet < LINE_REST && ply < line->length; ply++) {
        if (exchange_taken(&line->board[ply], line->move[ply]) != 0) return false;
        quiet += !position_in_check(&line->board[ply]) && !position_in_check(&line->board[ply + 1]);
    }
    *ends = quiet < LINE_REST;
    return true;
}

int line_settled(const Line *line, int from) {
    for (int ply = from; ply <= line->length; ply++) {
        const Position *pos = &line->board[ply];
        if (!movegen_has_legal(pos)) return ply;
        if (!is_quiet(pos)) continue;
        const bool checks = ply < line->length && position_in_check(&line->board[ply + 1]);
        const bool is_threat = is_threatened(pos);
        bool ends;
        if (!is_threat && !checks) return ply;
        if (takes_nothing(line, ply, &ends) && !(ends && is_threat)) return ply;
    }
    return -1;
}

/* Takes away what both lists have of the types from `low` to `high`, whatever the exact type. */
static void cancel(LineLoss *loss, PieceType low, PieceType high) {
    for (PieceType own = low; own <= high; own++)
        for (PieceType other = low; other <= high; other++)
            while (loss->lost[own] > 0 && loss->gained[other] > 0) {
                loss->lost[own]--;
                loss->gained[other]--;
            }
}

/* Equal kinds are no loss, nor is a bishop for a knight. */
static void cancel_all(LineLoss *loss) {
    for (PieceType type = PAWN; type < KING; type++) cancel(loss, type, type);
    cancel(loss, KNIGHT, BISHOP);
}

static int points_over_pawn(PieceType type) { return exchange_points(type) - exchange_points(PAWN); }

int loss_lost(const LineLoss *loss) {
    int points = loss->lost_by_promotion;
    for (PieceType type = PAWN; type < KING; type++) points += loss->lost[type] * exchange_points(type);
    return points;
}

LineLoss loss_mirrored(const LineLoss *loss) {
    LineLoss other = {.net = -loss->net,
                      .lost_by_promotion = loss->gained_by_promotion,
                      .gained_by_promotion = loss->lost_by_promotion};
    memcpy(other.lost, loss->gained, sizeof other.lost);
    memcpy(other.gained, loss->lost, sizeof other.gained);
    return other;
}

int loss_gained(const LineLoss *loss) {
    const LineLoss other = loss_mirrored(loss);
    return loss_lost(&other);
}

LineLoss line_loss(const Line *line, int from, int to, Color color) {
    LineLoss loss = {0};
    Bitboard new_pieces = 0; /* where those stand that have been pawns */
    for (int ply = from; ply < to; ply++) {
        const Position *pos = &line->board[ply];
        const Move move = line->move[ply];
        const Piece taken = position_captured_by(pos, move);
        const Bitboard left = square_bit(move_from(move)), reached = square_bit(move_to(move));
        if (taken != NO_PIECE) {
            const bool was_pawn = (new_pieces & reached) != 0;
            const PieceType type = was_pawn ? PAWN : piece_type(taken);
            (piece_color(taken) == color ? loss.lost : loss.gained)[type]++;
            if (was_pawn)
                *(piece_color(taken) == color ? &loss.gained_by_promotion : &loss.lost_by_promotion) -=
                    points_over_pawn(piece_type(taken));
        }
        const bool moves_new = move_kind(move) == PROMOTION || (new_pieces & left);
        new_pieces = moves_new ? (new_pieces & ~left) | reached : new_pieces & ~reached;
        if (move_kind(move) == PROMOTION)
            *(pos->side == color ? &loss.gained_by_promotion : &loss.lost_by_promotion) +=
                points_over_pawn(move_promotion(move));
    }
    cancel_all(&loss);
    loss.net = loss_lost(&loss) - loss_gained(&loss);
    return loss;
}

LineLoss loss_beyond(const LineLoss *loss, const LineLoss *other) {
    LineLoss beyond = {.net = loss->net - other->net,
                       .lost_by_promotion = loss->lost_by_promotion - other->lost_by_promotion,
                       .gained_by_promotion = loss->gained_by_promotion - other->gained_by_promotion};
    for (PieceType type = PAWN; type < KING; type++) {
        beyond.lost[type] = loss->lost[type] + other->gained[type];
        beyond.gained[type] = loss->gained[type] + other->lost[type];
    }
    cancel_all(&beyond);
    return beyond;
}

PieceType loss_dearest(const LineLoss *loss) {
    PieceType dearest = KING;
    for (PieceType type = PAWN; type < KING; type++)
        if (loss->lost[type] > 0) dearest = type;
    return dearest;
}

LineLoss loss_simplified(LineLoss loss) {
    const PieceType dearest = loss_dearest(&loss);
    if (dearest == KING || dearest == PAWN) return loss;
    loss.lost[PAWN] = 0;
    if (loss.net < exchange_points(dearest)) return loss;
    const bool has_gained = loss_gained(&loss) > 0;
    for (PieceType type = PAWN; type < KING; type++) {
        loss.gained[type] = 0;
        if (has_gained && type != dearest) loss.lost[type] = 0;
    }
    return loss;
}

bool loss_is_exchange(const LineLoss *loss) {
    return loss->lost[ROOK] == 1 && loss->lost[QUEEN] + loss->lost[KNIGHT] + loss->lost[BISHOP] == 0 &&
           loss->gained[KNIGHT] + loss->gained[BISHOP] == 1 && loss->gained[ROOK] + loss->gained[QUEEN] == 0;
}

bool loss_is_promotion(const LineLoss *loss) {
    const PieceType dearest = loss_dearest(loss);
    return loss->lost_by_promotion > 0 && (dearest == PAWN || dearest == KING);
}

/* --- causes --- */

const char *cause_name(CauseKind kind) {
    static const char *const NAMES[] = {[CAUSE_NONE] = "none",
                                        [CAUSE_POISONED] = "poisoned capture",
                                        [CAUSE_GUARDED] = "guarded capture",
                                        [CAUSE_MOVED_INTO] = "moved into attack",
                                        [CAUSE_IGNORED] = "ignored threat",
                                        [CAUSE_UNGUARDED] = "guard moved away",
                                        [CAUSE_OPENED_LINE] = "opened line",
                                        [CAUSE_CLOSED_LINE] = "closed line",
                                        [CAUSE_UNGUARDED_SQUARE] = "guard of the square moved away",
                                        [CAUSE_CUT_OFF_SQUARE] = "guard of the square cut off",
                                        [CAUSE_BLOCKED_FLIGHT] = "blocked flight square"};
    return NAMES[kind];
}

static bool lies_between(Square a, Square b, Square square) {
    return squares_line(a, b) != 0 && (squares_between(a, b) & ~square_bit(b) & square_bit(square));
}

/* Whether `move` goes between the lost piece and another one that guards it on board `pos`. */
static bool cuts_off_guard(const Position *pos, Square lost, Move move) {
    Bitboard guards = position_attackers(pos, lost, position_occupied(pos)) & pos->by_color[pos->side] &
                      ~square_bit(move_from(move));
    while (guards != 0)
        if (lies_between(bitboard_pop(&guards), lost, move_to(move))) return true;
    return false;
}

/* Whether the first move takes, and loses by it in an exchange on that square up to the capture. */
static bool is_bad_exchange(const Line *line, int capture) {
    for (int ply = 1; ply <= capture; ply++)
        if (move_to(line->move[ply]) != move_to(line->move[0])) return false;
    return position_captured_by(&line->board[0], line->move[0]) != NO_PIECE &&
           exchange_gain(&line->board[0], line->move[0]) < 0;
}

/* Squares that a piece attacks from `square` when the squares of `occupied` are occupied. */
static Bitboard attacks_of(Piece piece, Square square, Bitboard occupied) {
    if (piece_type(piece) == PAWN) return attacks_pawn(piece_color(piece), square);
    return attacks_piece(piece_type(piece), square, occupied);
}

/* The board with the piece that moved first on its old square again; also where it has been taken. False
 * where that cannot be. */
static bool put_back(const Position *pos, Move move, Piece mover, Position *back) {
    const Square from = move_from(move), to = move_to(move);
    *back = *pos;
    if (position_piece_on(pos, from) != NO_PIECE) return false;
    if (position_piece_on(pos, to) == mover) {
        back->by_type[piece_type(mover)] &= ~square_bit(to);
        back->by_color[piece_color(mover)] &= ~square_bit(to);
        back->board[to] = NO_PIECE;
    }
    position_put(back, mover, from);
    position_finish(back);
    const Square king = position_king(back, color_other(back->side));
    return !(position_attackers(back, king, position_occupied(back)) & back->by_color[back->side]);
}

/* Of the capture of a piece that has not moved: with the first piece put back it could not
 * be taken so, or would win less. */
static CauseKind later_cause(const Line *line, int capture) {
    const Position *root = &line->board[0], *pos = &line->board[capture];
    const Move move = line->move[0], taking = line->move[capture];
    const Square from = move_from(move), to = move_to(move), lost = move_to(taking);
    const Piece mover = position_piece_on(root, from);
    const int now = exchange_gain(pos, taking);
    Position back;
    if (piece_type(mover) == KING || move_kind(move) == PROMOTION || lost == to || now < 1) return CAUSE_NONE;
    if (line_place(line, capture, lost) != lost || position_captured_by(pos, taking) == NO_PIECE ||
        !put_back(pos, move, mover, &back))
        return CAUSE_NONE;
    const bool is_there = position_piece_on(pos, to) == mover;
    const bool left = (attacks_of(mover, from, position_occupied(root)) & square_bit(lost)) != 0 &&
                      !(is_there && (attacks_of(mover, to, position_occupied(pos)) & square_bit(lost)));
    if (!movegen_is_legal(&back, taking)) {
        if (!lies_between(move_from(taking), lost, from)) return CAUSE_NONE;
        /* It stood in the way and guarded: what is cheaper than its taker was safe by that. */
        return left && exchange_points(piece_type(position_piece_on(pos, lost))) <
                           exchange_points(piece_type(position_piece_on(pos, move_from(taking))))
                   ? CAUSE_UNGUARDED
                   : CAUSE_OPENED_LINE;
    }
    if (exchange_gain(&back, taking) >= now) return CAUSE_NONE;
    if (left && (attacks_of(mover, from, position_occupied(&back)) & square_bit(lost)))
        return CAUSE_UNGUARDED;
    Bitboard guards = position_attackers(&back, lost, position_occupied(&back)) & root->by_color[root->side] &
                      back.by_color[root->side];
    while (guards != 0 && is_there)
        if (lies_between(bitboard_pop(&guards), lost, to)) return CAUSE_CLOSED_LINE;
    return CAUSE_NONE;
}

CauseKind line_cause(const Line *line, int capture) {
    if (capture > 1 && is_bad_exchange(line, capture)) return CAUSE_GUARDED;
    if (capture > 1) return later_cause(line, capture);
    if (capture != 1) return CAUSE_NONE;
    const Position *before = &line->board[0], *after = &line->board[1];
    const Move move = line->move[0], taking = line->move[1];
    const Square lost = move_to(taking);
    const int now = exchange_gain(after, taking);
    if (now < 1) return CAUSE_NONE;
    const bool is_mover = lost == move_to(move) && move_kind(move) != CASTLING;
    if (is_mover && position_captured_by(before, move) != NO_PIECE) return CAUSE_POISONED;
    if (position_in_check(before)) return CAUSE_NONE; /* nobody can pass: there is nothing to compare with */
    if (is_mover) return exchange_threat_on(before, move_from(move)) < 1 ? CAUSE_MOVED_INTO : CAUSE_NONE;
    Position passed = *before;
    Undo undo;
    position_make_null(&passed, &undo);
    const bool possible = movegen_is_legal(&passed, taking);
    if (possible && exchange_gain(&passed, taking) >= 1) return CAUSE_IGNORED;
    if (possible && exchange_can_retake(&passed, taking, move_from(move)) &&
        !exchange_can_retake(after, taking, move_to(move)))
        return CAUSE_UNGUARDED;
    if (!possible) return later_cause(line, 1);
    if (possible && cuts_off_guard(before, lost, move)) return CAUSE_CLOSED_LINE;
    return CAUSE_NONE;
}

/* Whether the piece that moved would attack `target` on the board if it stood on its old square, and does not
 * from its new one. */
static bool has_left(const Position *pos, Move move, Square target) {
    const Square from = move_from(move), to = move_to(move);
    const Piece mover = position_piece_on(pos, to);
    const Bitboard occupied = position_occupied(pos);
    return (attacks_of(mover, from, occupied & ~square_bit(to)) & square_bit(target)) != 0 &&
           !(attacks_of(mover, to, occupied) & square_bit(target));
}

/* Whether a piece on `square` would cut off what guards the mating piece, which the king could take then. */
static bool shuts_off_support(const Position *last, Square mater, Square square) {
    const Square king = position_king(last, last->side);
    const Bitboard occupied = position_occupied(last), theirs = last->by_color[color_other(last->side)];
    return (attacks_king(king) & square_bit(mater)) && position_piece_on(last, square) == NO_PIECE &&
           (position_attackers(last, mater, occupied) & theirs) &&
           !(position_attackers(last, mater, occupied | square_bit(square)) & theirs);
}

/* Whether a piece on `square` would have stopped the mating side's move at `ply`: it stood in its way, or of
 * the check at the end, or of what guards the piece that mates. */
static bool stands_in_way(const Line *line, int ply, Square square) {
    const Position *last = &line->board[line->length];
    const Move move = line->move[ply];
    if (lies_between(move_from(move), move_to(move), square)) return true;
    if (ply != line->length - 1 || bits_count(last->state.checkers) > 1) return false;
    if (shuts_off_support(last, move_to(move), square)) return true;
    const Square checker = bitboard_lowest(last->state.checkers);
    return lies_between(checker, position_king(last, last->side), square);
}

/* The piece that moved is put back on the boards of the mating moves, or taken off the last one. */
CauseKind line_mate_cause(const Line *line, int *ply) {
    const Position *last = &line->board[line->length];
    const Move move = line->move[0];
    const Square to = move_to(move), king = position_king(last, last->side);
    const Bitboard occupied = position_occupied(last), without = occupied & ~square_bit(to);
    const Bitboard own = last->by_color[last->side] & ~square_bit(to) & ~square_bit(king);
    const Piece mover = position_piece_on(&line->board[1], to);
    if (move_kind(move) == CASTLING || piece_type(mover) == KING) return CAUSE_NONE;
    for (*ply = line->length - 1; *ply > 0; *ply -= 2)
        if (position_piece_on(&line->board[*ply + 1], to) == mover &&
            has_left(&line->board[*ply + 1], move, move_to(line->move[*ply])))
            return CAUSE_UNGUARDED_SQUARE;
    for (*ply = line->length - 1; *ply > 0; *ply -= 2)
        if (stands_in_way(line, *ply, move_from(move))) return CAUSE_OPENED_LINE;
    *ply = line->length - 1;
    if (position_piece_on(last, to) != mover) return CAUSE_NONE;
    const Square mater = move_to(line->move[*ply]);
    if (position_attackers(last, mater, without) & own & ~position_attackers(last, mater, occupied))
        return CAUSE_CUT_OFF_SQUARE;
    const Bitboard ruled =
        position_attackers(last, to, occupied & ~square_bit(king)) & ~last->by_color[last->side];
    return (attacks_king(king) & square_bit(to)) && !ruled ? CAUSE_BLOCKED_FLIGHT : CAUSE_NONE;
}
