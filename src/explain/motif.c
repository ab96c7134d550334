#include "explain/motif.h"

#include "chess/attacks.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "explain/exchange.h"
#include "explain/proof.h"

#include <stddef.h>

const char *motif_name(MotifKind kind) {
    static const char *const NAMES[] = {[MOTIF_NONE] = "none",
                                        [MOTIF_DOUBLE_CHECK] = "double check",
                                        [MOTIF_DISCOVERED_CHECK] = "discovered check",
                                        [MOTIF_DISCOVERED_ATTACK] = "discovered attack",
                                        [MOTIF_FORK] = "fork",
                                        [MOTIF_SKEWER] = "skewer",
                                        [MOTIF_TRAPPED] = "trapped piece",
                                        [MOTIF_REMOVED_GUARD] = "removed guard",
                                        [MOTIF_OVERLOADED] = "overloaded guard",
                                        [MOTIF_PINNED] = "pin",
                                        [MOTIF_PINNED_GUARD] = "pinned guard",
                                        [MOTIF_PROMOTION] = "promotion",
                                        [MOTIF_UNDEFENDED] = "undefended piece",
                                        [MOTIF_OUTNUMBERED] = "piece not guarded enough"};
    return NAMES[kind];
}

static PieceType type_on(const Position *pos, Square square) {
    return piece_type(position_piece_on(pos, square));
}

/* Squares that the piece on `square` attacks, pins apart. */
static Bitboard attacks_from(const Position *pos, Square square) {
    const Piece piece = position_piece_on(pos, square);
    if (piece == NO_PIECE) return 0;
    if (piece_type(piece) == PAWN) return attacks_pawn(piece_color(piece), square);
    return attacks_piece(piece_type(piece), square, position_occupied(pos));
}

/* Squares strictly between two on one line. */
static Bitboard strictly_between(Square a, Square b) {
    return squares_line(a, b) == 0 ? 0 : squares_between(a, b) & ~square_bit(b);
}

/* Whether the side to move has a capture on `square` that loses nothing by it. */
static bool can_be_taken(const Position *pos, Square square) {
    Move best;
    return exchange_best_on(pos, square, &best) >= 0;
}

static bool has_move(const Position *pos, Square from, Square to) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        if (move_from(moves[i]) == from && move_to(moves[i]) == to) return true;
    return false;
}

/* The capture at `ply`, if there is one that wins something by exchanges. */
static bool wins_at(const Line *line, int ply, int end) {
    return ply < end && position_captured_by(&line->board[ply], line->move[ply]) != NO_PIECE &&
           exchange_gain(&line->board[ply], line->move[ply]) >= 1;
}

static void add_victim(Motif *motif, Square square) {
    if (motif->victim_count < MOTIF_VICTIMS_MAX) motif->victim[motif->victim_count++] = square;
}

static void add_victims(Motif *motif, Bitboard victims) {
    while (victims != 0) add_victim(motif, bitboard_pop(&victims));
}

/* Whether the line's next move of S takes one of the victims with `hunter`. */
static bool hunter_takes(const Line *line, int ply, int end, Square hunter, Bitboard victims) {
    return wins_at(line, ply + 2, end) && move_from(line->move[ply + 2]) == hunter &&
           (victims & square_bit(move_to(line->move[ply + 2])));
}

/* --- each motif: fills `motif` when it holds --- */

static bool find_fork(const Line *line, int ply, int end, Motif *motif) {
    const Position *after = &line->board[ply + 1];
    const Square hunter = move_to(line->move[ply]);
    const Color them = after->side;
    if (can_be_taken(after, hunter)) return false;
    const int own = exchange_points(type_on(after, hunter));
    Bitboard victims = 0;
    Bitboard attacked = attacks_from(after, hunter) & after->by_color[them] & ~after->by_type[PAWN];
    while (attacked != 0) {
        const Square square = bitboard_pop(&attacked);
        const PieceType type = type_on(after, square);
        const Bitboard guards =
            position_attackers(after, square, position_occupied(after)) & after->by_color[them];
        if (type == KING || exchange_points(type) > own || guards == 0) victims |= square_bit(square);
    }
    const Bitboard takeable = victims & ~after->by_type[KING];
    if (bits_count(victims) < 2 || !hunter_takes(line, ply, end, hunter, takeable)) return false;
    add_victims(motif, victims);
    motif->piece = hunter;
    motif->forced = proof_cannot_save(after, takeable, hunter);
    return true;
}

static bool find_skewer(const Line *line, int ply, int end, Motif *motif) {
    if (ply + 2 >= end) return false;
    const Position *after = &line->board[ply + 1];
    const Square hunter = move_to(line->move[ply]), front = move_from(line->move[ply + 1]);
    const Square rear = move_to(line->move[ply + 2]);
    const PieceType slider = type_on(after, hunter);
    if (slider != BISHOP && slider != ROOK && slider != QUEEN) return false;
    if (!(attacks_from(after, hunter) & square_bit(front))) return false;
    if (!(squares_line(hunter, front) & square_bit(rear)) ||
        !hunter_takes(line, ply, end, hunter, square_bit(rear)))
        return false;
    const Bitboard gap = strictly_between(hunter, rear) & position_occupied(after);
    if (gap != square_bit(front) || piece_color(position_piece_on(after, rear)) != after->side) return false;
    const PieceType front_type = type_on(after, front), rear_type = type_on(after, rear);
    if (front_type != KING && exchange_points(front_type) <= exchange_points(rear_type)) return false;
    if (can_be_taken(after, hunter)) return false;
    add_victim(motif, front);
    add_victim(motif, rear);
    motif->piece = hunter;
    motif->forced =
        proof_cannot_save(after, square_bit(rear) | (square_bit(front) & ~after->by_type[KING]), hunter);
    return true;
}

/* The slider of S behind the square that its piece has left, which now looks at `target`; NO_SQUARE if none.
 */
static Square uncovered_slider(const Line *line, int ply, Square target) {
    const Position *before = &line->board[ply], *after = &line->board[ply + 1];
    const Square from = move_from(line->move[ply]), to = move_to(line->move[ply]);
    Bitboard sliders = position_attackers(after, target, position_occupied(after)) &
                       after->by_color[before->side] & ~square_bit(to);
    while (sliders != 0) {
        const Square slider = bitboard_pop(&sliders);
        const bool opened = (strictly_between(slider, target) & square_bit(from)) != 0;
        if (opened && !(squares_line(slider, target) & square_bit(to))) return slider;
    }
    return NO_SQUARE;
}

static bool find_discovery(const Line *line, int ply, int end, Motif *motif) {
    if (move_kind(line->move[ply]) == CASTLING) return false;
    const Position *after = &line->board[ply + 1];
    const Square mover = move_to(line->move[ply]), king = position_king(after, after->side);
    const Square checker = uncovered_slider(line, ply, king);
    if (checker != NO_SQUARE) { /* the piece that moved away is free to take what it attacks */
        if (!hunter_takes(line, ply, end, mover, after->by_color[after->side])) return false;
        const Square victim = move_to(line->move[ply + 2]);
        if (!(attacks_from(after, mover) & square_bit(victim))) return false;
        motif->kind = bits_count(after->state.checkers) > 1 ? MOTIF_DOUBLE_CHECK : MOTIF_DISCOVERED_CHECK;
        motif->piece = checker;
        add_victim(motif, victim);
        motif->forced = proof_cannot_save(after, square_bit(victim), mover);
        return true;
    }
    if (!wins_at(line, ply + 2, end)) return false;
    const Square victim = move_to(line->move[ply + 2]);
    if (piece_color(position_piece_on(after, victim)) != after->side) return false;
    const Square slider = uncovered_slider(line, ply, victim);
    if (slider == NO_SQUARE || slider != move_from(line->move[ply + 2])) return false;
    motif->kind = MOTIF_DISCOVERED_ATTACK;
    motif->piece = slider;
    add_victim(motif, victim);
    motif->forced = proof_cannot_save(after, square_bit(victim), NO_SQUARE);
    return true;
}

/* The piece that S's next move takes had no safe square, and this move attacks it. */
static bool find_trapped(const Line *line, int ply, int end, Motif *motif) {
    if (!wins_at(line, ply + 2, end)) return false;
    const Position *after = &line->board[ply + 1];
    const Move reply = line->move[ply + 1];
    const Square taken = move_to(line->move[ply + 2]);
    const Square victim = move_to(reply) == taken ? move_from(reply) : taken;
    const Piece piece = position_piece_on(after, victim);
    if (piece == NO_PIECE || piece_type(piece) == PAWN || piece_type(piece) == KING) return false;
    if (piece_color(piece) != after->side || exchange_threat_on(after, victim) < 1) return false;
    Position copy = *after;
    Move moves[MAX_MOVES], best;
    const int count = movegen_legal(after, moves);
    for (int i = 0; i < count; i++) {
        if (move_from(moves[i]) != victim) continue;
        Undo undo;
        position_make_move(&copy, moves[i], &undo);
        const int lost = exchange_best_on(&copy, move_to(moves[i]), &best);
        position_unmake_move(&copy, moves[i], &undo);
        if (lost - exchange_taken(after, moves[i]) < 1) return false;
    }
    if (!proof_cannot_save(after, square_bit(victim), NO_SQUARE)) return false;
    add_victim(motif, victim);
    motif->piece = move_to(line->move[ply]);
    motif->forced = true;
    return true;
}

/* S takes the guard, then what it guarded. */
static bool find_removed_guard(const Line *line, int ply, int end, Motif *motif) {
    const Position *before = &line->board[ply];
    if (position_captured_by(before, line->move[ply]) == NO_PIECE || !wins_at(line, ply + 2, end))
        return false;
    const Square guard = move_to(line->move[ply]), target = move_to(line->move[ply + 2]);
    const Square taker = move_from(line->move[ply + 2]);
    if (target == guard || taker == guard || target == move_to(line->move[ply + 1])) return false;
    const Move early = move_make(taker, target);
    Move best;
    if (!movegen_is_legal(before, early) || exchange_best_on(before, target, &best) >= 1) return false;
    if (!exchange_can_retake(before, early, guard)) return false;
    add_victim(motif, guard);
    add_victim(motif, target);
    motif->piece = guard;
    return true;
}

/* S takes, the guard takes back and no longer guards what S takes next. */
static bool find_overloaded(const Line *line, int ply, int end, Motif *motif) {
    const Position *before = &line->board[ply];
    if (position_captured_by(before, line->move[ply]) == NO_PIECE || !wins_at(line, ply + 2, end))
        return false;
    const Square first = move_to(line->move[ply]), second = move_to(line->move[ply + 2]);
    const Square guard = move_from(line->move[ply + 1]), taker = move_from(line->move[ply + 2]);
    if (move_to(line->move[ply + 1]) != first || first == second) return false;
    const Move early = move_make(taker, second);
    Move best;
    if (!movegen_is_legal(before, early) || exchange_best_on(before, second, &best) >= 1) return false;
    if (exchange_best_on(before, first, &best) >= 1 || !exchange_can_retake(before, early, guard))
        return false;
    if (exchange_can_retake(&line->board[ply + 2], line->move[ply + 2], first))
        return false; /* it still guards */
    add_victim(motif, guard);
    add_victim(motif, second);
    motif->piece = taker;
    return true;
}

/* The slider of the side not to move that pins the piece on `square` of the side to move to its king. */
static Square pinner_of(const Position *pos, Square square) {
    const Square king = position_king(pos, pos->side);
    const Bitboard occupied = position_occupied(pos) ^ square_bit(square);
    Bitboard snipers = ((attacks_bishop(king, occupied) & (pos->by_type[BISHOP] | pos->by_type[QUEEN])) |
                        (attacks_rook(king, occupied) & (pos->by_type[ROOK] | pos->by_type[QUEEN]))) &
                       pos->by_color[color_other(pos->side)];
    while (snipers != 0) {
        const Square sniper = bitboard_pop(&snipers);
        if (strictly_between(king, sniper) & square_bit(square)) return sniper;
    }
    return NO_SQUARE;
}

/* S takes a piece that the pin kept from leaving: off the line it had a square, on it none. */
static bool find_pinned(const Line *line, int ply, int end, Motif *motif) {
    if (ply == 0 || !wins_at(line, ply, end)) return false;
    const Position *before = &line->board[ply - 1]; /* O to move */
    const Square victim = move_to(line->move[ply]);
    if (!(before->state.pinned & square_bit(victim)) ||
        !(before->by_color[before->side] & square_bit(victim)))
        return false;
    const Square pinner = pinner_of(before, victim);
    if (pinner == NO_SQUARE || type_on(before, victim) == PAWN) return false;
    if (exchange_threat_on(before, victim) < 1) return false;
    const Bitboard off_line =
        attacks_from(before, victim) & ~before->by_color[before->side] & ~squares_line(pinner, victim);
    if (off_line == 0) return false;
    add_victim(motif, victim);
    motif->piece = pinner;
    return true;
}

/* S goes where a pinned piece would take it. */
static bool find_pinned_guard(const Line *line, int ply, int end, Motif *motif) {
    if (!wins_at(line, ply, end)) return false;
    const Position *after = &line->board[ply + 1];
    const Square square = move_to(line->move[ply]);
    if (can_be_taken(after, square)) return false;
    Bitboard pinned = after->state.pinned & after->by_color[after->side];
    while (pinned != 0) {
        const Square guard = bitboard_pop(&pinned), pinner = pinner_of(after, guard);
        if (!(attacks_from(after, guard) & square_bit(square)) || has_move(after, guard, square)) continue;
        if (pinner == NO_SQUARE || pinner == square) continue;
        add_victim(motif, square);
        add_victim(motif, guard);
        motif->piece = pinner;
        return true;
    }
    return false;
}

static bool find_promotion(const Line *line, int ply, int end, Motif *motif) {
    const Position *before = &line->board[ply], *after = &line->board[ply + 1];
    const Square to = move_to(line->move[ply]);
    if (type_on(before, move_from(line->move[ply])) != PAWN) return false;
    motif->piece = to;
    if (move_kind(line->move[ply]) == PROMOTION) {
        motif->forced = true;
        return !can_be_taken(after, to);
    }
    for (int later = ply + 2; later < end; later += 2) { /* the line must show it, by this very pawn */
        if (move_from(line->move[later]) != motif->piece) continue;
        motif->piece = move_to(line->move[later]);
        if (move_kind(line->move[later]) != PROMOTION) continue;
        motif->won_at = later;
        motif->piece = to;
        motif->forced = proof_pawn_promotes(after, to);
        return motif->forced;
    }
    return false;
}

static bool find_capture(const Line *line, int ply, int end, Motif *motif) {
    if (!wins_at(line, ply, end)) return false;
    const Position *before = &line->board[ply];
    const Square victim = move_to(line->move[ply]);
    const int value = exchange_points(piece_type(position_captured_by(before, line->move[ply])));
    if (exchange_gain(before, line->move[ply]) < value - 1) return false;
    Position after = line->board[ply + 1];
    Move best;
    motif->kind =
        exchange_best_on(&after, victim, &best) == EXCHANGE_NOTHING ? MOTIF_UNDEFENDED : MOTIF_OUTNUMBERED;
    motif->piece = move_from(line->move[ply]);
    add_victim(motif, victim);
    return true;
}

Motif motif_find(const Line *line, int ply, int end) {
    static const struct {
        bool (*find)(const Line *line, int ply, int end, Motif *motif);
        MotifKind kind;
        int won_after; /* plies from the motif's move to the capture */
    } FINDERS[] = {{find_discovery, MOTIF_DISCOVERED_ATTACK, 2},
                   {find_fork, MOTIF_FORK, 2},
                   {find_skewer, MOTIF_SKEWER, 2},
                   {find_trapped, MOTIF_TRAPPED, 2},
                   {find_removed_guard, MOTIF_REMOVED_GUARD, 2},
                   {find_overloaded, MOTIF_OVERLOADED, 2},
                   {find_pinned, MOTIF_PINNED, 0},
                   {find_pinned_guard, MOTIF_PINNED_GUARD, 0},
                   {find_promotion, MOTIF_PROMOTION, 0},
                   {find_capture, MOTIF_UNDEFENDED, 0}};
    for (size_t i = 0; ply < end && i < sizeof FINDERS / sizeof FINDERS[0]; i++) {
        Motif motif = {.kind = FINDERS[i].kind,
                       .ply = ply,
                       .won_at = ply + FINDERS[i].won_after,
                       .check = position_in_check(&line->board[ply + 1])};
        if (FINDERS[i].find(line, ply, end, &motif)) return motif;
    }
    return (Motif){.kind = MOTIF_NONE, .ply = ply};
}
