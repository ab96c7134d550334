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
                                        [MOTIF_ATTRACTION] = "attraction",
                                        [MOTIF_REMOVED_GUARD] = "removed guard",
                                        [MOTIF_OVERLOADED] = "overloaded guard",
                                        [MOTIF_DEFLECTION] = "deflection",
                                        [MOTIF_INTERFERENCE] = "interference",
                                        [MOTIF_PINNED] = "pin",
                                        [MOTIF_PINNED_TO] = "relative pin",
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

/* Whether another piece takes a victim, or takes back where the hunter was taken. */
static bool takes_instead(const Line *line, int ply, int end, Square hunter, Bitboard victims) {
    if (!wins_at(line, ply + 2, end)) return false;
    const Square to = move_to(line->move[ply + 2]);
    if (to == hunter && move_to(line->move[ply + 1]) == hunter) return true;
    return (victims & square_bit(to)) && move_to(line->move[ply + 1]) != to;
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
    if (bits_count(victims) < 2 || takeable == 0) return false;
    const bool takes = hunter_takes(line, ply, end, hunter, takeable);
    if (!takes && !takes_instead(line, ply, end, hunter, takeable)) return false;
    add_victims(motif, victims);
    motif->piece = hunter;
    motif->forced = proof_cannot_save(after, takeable, hunter);
    return takes || motif->forced;
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
    if (gap != square_bit(front) || !(after->by_color[after->side] & square_bit(rear))) return false;
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

/* The piece that moves away is free to take: what it goes to at once, or what it attacks with its next move.
 */
static bool find_discovered_check(const Line *line, int ply, int end, Motif *motif) {
    if (move_kind(line->move[ply]) == CASTLING) return false;
    const Position *after = &line->board[ply + 1];
    const Square mover = move_to(line->move[ply]), king = position_king(after, after->side);
    const Square checker = uncovered_slider(line, ply, king);
    if (checker == NO_SQUARE) return false;
    motif->kind = bits_count(after->state.checkers) > 1 ? MOTIF_DOUBLE_CHECK : MOTIF_DISCOVERED_CHECK;
    motif->piece = checker;
    if (hunter_takes(line, ply, end, mover, after->by_color[after->side])) {
        const Square victim = move_to(line->move[ply + 2]);
        if (attacks_from(after, mover) & square_bit(victim)) {
            add_victim(motif, victim);
            motif->forced = proof_cannot_save(after, square_bit(victim), mover);
            return true;
        }
    }
    motif->won_at = ply;
    add_victim(motif, mover);
    return wins_at(line, ply, end);
}

/* S's next move is a capture with the slider that this one has uncovered. */
static bool uncovers_capture(const Line *line, int ply, Motif *motif) {
    if (move_kind(line->move[ply]) == CASTLING || ply + 2 >= line->length) return false;
    const Position *after = &line->board[ply + 1];
    const Square victim = move_to(line->move[ply + 2]);
    const Piece target = position_piece_on(after, victim);
    if (target == NO_PIECE || piece_color(target) != after->side) return false;
    if (position_captured_by(&line->board[ply + 2], line->move[ply + 2]) == NO_PIECE) return false;
    const Square slider = uncovered_slider(line, ply, victim);
    if (slider == NO_SQUARE || slider != move_from(line->move[ply + 2])) return false;
    motif->piece = slider;
    add_victim(motif, victim);
    return true;
}

static bool find_discovered_attack(const Line *line, int ply, int end, Motif *motif) {
    if (!wins_at(line, ply + 2, end) || !uncovers_capture(line, ply, motif)) return false;
    motif->forced = proof_cannot_save(&line->board[ply + 1], square_bit(motif->victim[0]), NO_SQUARE);
    return true;
}

/* Whether S could have won the piece on `victim` before its move at `ply` as well. */
static bool was_lost(const Line *line, int ply, Square victim) {
    Move best;
    return exchange_best_on(&line->board[ply], victim, &best) >= 1;
}

/* The piece that S's next move takes had no safe square after this one. */
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
    add_victim(motif, victim);
    motif->piece = move_to(line->move[ply]);
    motif->forced = proof_cannot_save(after, square_bit(victim), NO_SQUARE);
    return motif->forced || !was_lost(line, ply, victim);
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

/* The capture that S plays at `ply` + 2, when it was possible before `ply` as well but won nothing then, for
 * `guard` could take back; the guard cannot when it is played. */
static bool guard_fails(const Line *line, int ply, int end, Square guard, Square guard_then) {
    if (!wins_at(line, ply + 2, end)) return false;
    const Position *before = &line->board[ply];
    const Move taking = line->move[ply + 2];
    const Move early = move_make(move_from(taking), move_to(taking));
    Move best;
    return movegen_is_legal(before, early) && position_captured_by(before, early) != NO_PIECE &&
           exchange_best_on(before, move_to(taking), &best) < 1 &&
           exchange_can_retake(before, early, guard) &&
           !exchange_can_retake(&line->board[ply + 2], taking, guard_then);
}

/* The guard takes what S offers, or answers its check, and guards no more. */
static bool find_deflection(const Line *line, int ply, int end, Motif *motif) {
    if (ply + 2 >= end) return false;
    const Move reply = line->move[ply + 1];
    const Square guard = move_from(reply), target = move_to(line->move[ply + 2]);
    const bool takes_offer = move_to(reply) == move_to(line->move[ply]) && move_kind(reply) != CASTLING;
    if (!takes_offer && !motif->check) return false;
    if (target == move_to(reply) ||
        (attacks_from(&line->board[ply + 2], move_to(reply)) & square_bit(target)))
        return false; /* it still looks there */
    if (!guard_fails(line, ply, end, guard, move_to(reply))) return false;
    if (find_overloaded(line, ply, end, &(Motif){.kind = MOTIF_NONE}))
        return false; /* the same, said better */
    add_victim(motif, guard);
    add_victim(motif, target);
    motif->piece = move_from(line->move[ply + 2]);
    return true;
}

/* S goes between a slider and what it guards. */
static bool find_interference(const Line *line, int ply, int end, Motif *motif) {
    if (ply + 2 >= end || move_kind(line->move[ply]) == CASTLING) return false;
    const Position *before = &line->board[ply];
    const Square between = move_to(line->move[ply]), target = move_to(line->move[ply + 2]);
    Bitboard guards = position_attackers(before, target, position_occupied(before)) &
                      before->by_color[color_other(before->side)] & ~square_bit(between);
    while (guards != 0) {
        const Square guard = bitboard_pop(&guards);
        if (!(strictly_between(guard, target) & square_bit(between))) continue;
        if (move_from(line->move[ply + 1]) == guard || move_to(line->move[ply + 1]) == between) continue;
        if (!guard_fails(line, ply, end, guard, guard)) continue;
        add_victim(motif, guard);
        add_victim(motif, target);
        motif->piece = between;
        return true;
    }
    return false;
}

/* O's king, queen or rook takes what S offers, and is a victim of S's next move there. */
static bool find_attraction(const Line *line, int ply, int end, Motif *motif) {
    if (ply + 4 >= end || move_to(line->move[ply + 1]) != move_to(line->move[ply])) return false;
    const Square lured = move_to(line->move[ply + 1]);
    const PieceType type = type_on(&line->board[ply + 2], lured);
    if ((type != KING && type != QUEEN && type != ROOK) || move_kind(line->move[ply + 1]) == CASTLING)
        return false;
    Motif next = {.ply = ply + 2, .won_at = ply + 4};
    if (!find_fork(line, ply + 2, end, &next)) {
        next.victim_count = 0;
        if (!find_skewer(line, ply + 2, end, &next)) return false;
    }
    bool is_victim = false;
    for (int i = 0; i < next.victim_count; i++) is_victim |= next.victim[i] == lured;
    const Square hunter = move_to(line->move[ply + 2]);
    if (!is_victim || !(attacks_from(&line->board[ply + 3], hunter) & square_bit(lured))) return false;
    add_victim(motif, lured);
    motif->piece = move_from(line->move[ply + 1]);
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

/* The dearer piece of O behind the one on `front`, as the slider on `pinner` sees it; NO_SQUARE if none. */
static Square piece_behind(const Position *pos, Square pinner, Square front) {
    const PieceType slider = type_on(pos, pinner);
    const Bitboard through = position_occupied(pos) ^ square_bit(front);
    const Bitboard behind = attacks_piece(slider, pinner, through) & squares_line(pinner, front) &
                            pos->by_color[pos->side] & ~square_bit(front);
    Bitboard left = behind;
    while (left != 0) {
        const Square rear = bitboard_pop(&left);
        if (!(strictly_between(pinner, rear) & square_bit(front)) || type_on(pos, rear) == KING) continue;
        const int value = exchange_points(type_on(pos, rear));
        return value > exchange_points(type_on(pos, front)) && value > exchange_points(slider) ? rear
                                                                                               : NO_SQUARE;
    }
    return NO_SQUARE;
}

/* Whether each move of the piece on `front` off the line loses more behind it than it takes; there is one. */
static bool gives_up(const Position *pos, Square pinner, Square front, Square rear) {
    Position copy = *pos;
    Move moves[MAX_MOVES], best;
    int tried = 0;
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        const Move move = moves[i];
        if (move_from(move) != front || (squares_line(pinner, front) & square_bit(move_to(move)))) continue;
        Undo undo;
        tried++;
        position_make_move(&copy, move, &undo);
        const int lost = exchange_best_on(&copy, rear, &best);
        const bool is_answer = position_in_check(&copy) || lost - exchange_taken(pos, move) < 1;
        position_unmake_move(&copy, move, &undo);
        if (is_answer) return false;
    }
    return tried > 0;
}

/* S takes a piece that could only have left by giving up the dearer one behind it. */
static bool find_pinned_to(const Line *line, int ply, int end, Motif *motif) {
    if (ply == 0 || !wins_at(line, ply, end)) return false;
    const Position *before = &line->board[ply - 1]; /* O to move */
    const Square victim = move_to(line->move[ply]);
    if (!(before->by_color[before->side] & square_bit(victim)) || type_on(before, victim) == PAWN)
        return false;
    if (exchange_threat_on(before, victim) < 1) return false;
    Bitboard pinners = position_attackers(before, victim, position_occupied(before)) &
                       before->by_color[color_other(before->side)] &
                       (before->by_type[BISHOP] | before->by_type[ROOK] | before->by_type[QUEEN]);
    while (pinners != 0) {
        const Square pinner = bitboard_pop(&pinners), rear = piece_behind(before, pinner, victim);
        if (rear == NO_SQUARE || !gives_up(before, pinner, victim, rear)) continue;
        add_victim(motif, victim);
        add_victim(motif, rear);
        motif->piece = pinner;
        return true;
    }
    return false;
}

/* S goes where a pinned piece would take it: to win something there, or with its next move from there. */
static bool find_pinned_guard(const Line *line, int ply, int end, Motif *motif) {
    const Position *after = &line->board[ply + 1];
    const Square square = move_to(line->move[ply]);
    if (move_kind(line->move[ply]) == CASTLING || can_be_taken(after, square)) return false;
    if (!wins_at(line, ply, end)) {
        if (!hunter_takes(line, ply, end, square, after->by_color[after->side])) return false;
        motif->won_at = ply + 2;
    }
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

/* The slider that moves away from before the king gives check with what stands behind it. */
static bool find_mating_check(const Line *line, int ply, Motif *motif) {
    if (move_kind(line->move[ply]) == CASTLING) return false;
    const Position *after = &line->board[ply + 1];
    const Square king = position_king(after, after->side);
    motif->piece = uncovered_slider(line, ply, king);
    if (motif->piece == NO_SQUARE) return false;
    motif->kind = bits_count(after->state.checkers) > 1 ? MOTIF_DOUBLE_CHECK : MOTIF_DISCOVERED_CHECK;
    add_victim(motif, king);
    return true;
}

/* A pinned piece looks at the one that has moved or gives check, or between it and the king, and may not go
 * there; nor does any other piece take the one that has moved. */
static bool find_mating_pin(const Line *line, int ply, Motif *motif) {
    const Position *after = &line->board[ply + 1];
    const Square square = move_to(line->move[ply]), king = position_king(after, after->side);
    if (move_kind(line->move[ply]) == CASTLING || bits_count(after->state.checkers) > 1) return false;
    Position copy = *after;
    Move best;
    if (exchange_best_on(&copy, square, &best) != EXCHANGE_NOTHING) return false;
    Bitboard targets = square_bit(square);
    if (after->state.checkers != 0) {
        const Square checker = (Square)bits_lowest(after->state.checkers);
        targets |= square_bit(checker) | strictly_between(checker, king);
    }
    Bitboard pinned = after->state.pinned & after->by_color[after->side];
    while (pinned != 0) {
        const Square guard = bitboard_pop(&pinned);
        Bitboard looks = attacks_from(after, guard) & targets;
        if (type_on(after, guard) == PAWN) looks &= after->by_color[color_other(after->side)];
        while (looks != 0) {
            const Square target = bitboard_pop(&looks);
            if (has_move(after, guard, target)) continue;
            motif->piece = pinner_of(after, guard);
            if (motif->piece == NO_SQUARE || motif->piece == target) continue;
            add_victim(motif, target);
            add_victim(motif, guard);
            return true;
        }
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

int motif_gain(const Line *line, const Motif *motif) {
    return exchange_gain(&line->board[motif->won_at], line->move[motif->won_at]);
}

int motif_find_mating(const Line *line, int ply, Motif found[MOTIF_KINDS]) {
    static const struct {
        bool (*find)(const Line *line, int ply, Motif *motif);
        MotifKind kind;
    } FINDERS[] = {{find_mating_check, MOTIF_DISCOVERED_CHECK},
                   {uncovers_capture, MOTIF_DISCOVERED_ATTACK},
                   {find_mating_pin, MOTIF_PINNED_GUARD}};
    int count = 0;
    for (size_t i = 0; i < sizeof FINDERS / sizeof FINDERS[0]; i++) {
        found[count] = (Motif){.kind = FINDERS[i].kind,
                               .ply = ply,
                               .won_at = line->length - 1,
                               .check = position_in_check(&line->board[ply + 1])};
        if (FINDERS[i].find(line, ply, &found[count])) count++;
    }
    return count;
}

int motif_find(const Line *line, int ply, int end, Motif found[MOTIF_KINDS]) {
    static const struct {
        bool (*find)(const Line *line, int ply, int end, Motif *motif);
        MotifKind kind;
        int won_after; /* plies from the motif's move to the capture */
    } FINDERS[] = {{find_discovered_check, MOTIF_DISCOVERED_CHECK, 2},
                   {find_discovered_attack, MOTIF_DISCOVERED_ATTACK, 2},
                   {find_fork, MOTIF_FORK, 2},
                   {find_skewer, MOTIF_SKEWER, 2},
                   {find_trapped, MOTIF_TRAPPED, 2},
                   {find_attraction, MOTIF_ATTRACTION, 4},
                   {find_removed_guard, MOTIF_REMOVED_GUARD, 2},
                   {find_overloaded, MOTIF_OVERLOADED, 2},
                   {find_deflection, MOTIF_DEFLECTION, 2},
                   {find_interference, MOTIF_INTERFERENCE, 2},
                   {find_pinned, MOTIF_PINNED, 0},
                   {find_pinned_to, MOTIF_PINNED_TO, 0},
                   {find_pinned_guard, MOTIF_PINNED_GUARD, 0},
                   {find_promotion, MOTIF_PROMOTION, 0},
                   {find_capture, MOTIF_UNDEFENDED, 0}};
    int count = 0;
    for (size_t i = 0; ply < end && i < sizeof FINDERS / sizeof FINDERS[0]; i++) {
        found[count] = (Motif){.kind = FINDERS[i].kind,
                               .ply = ply,
                               .won_at = ply + FINDERS[i].won_after,
                               .check = position_in_check(&line->board[ply + 1])};
        if (FINDERS[i].find(line, ply, end, &found[count])) count++;
    }
    return count;
}
