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
                                        [MOTIF_INTERMEZZO] = "intermezzo",
                                        [MOTIF_REMOVED_GUARD] = "removed guard",
                                        [MOTIF_OVERLOADED] = "overloaded guard",
                                        [MOTIF_DEFLECTION] = "deflection",
                                        [MOTIF_INTERFERENCE] = "interference",
                                        [MOTIF_PINNED] = "pin",
                                        [MOTIF_PINNED_TO] = "relative pin",
                                        [MOTIF_ATTACKS_PINNED] = "attack on a pinned piece",
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
static bool can_be_taken(const Position *pos, Square square) { return exchange_best_on(pos, square) >= 0; }

static bool has_move(const Position *pos, Square from, Square to) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        if (move_from(moves[i]) == from && move_to(moves[i]) == to) return true;
    return false;
}

/* S's move in question, with what surrounds it on the line. */
typedef struct Scene {
    const Line *line;
    int ply, end;
    const Position *before, *after;
    Move move, reply, next; /* S's move, O's reply, S's next move; MOVE_NONE: the line ends before it */
    Square to;              /* of S's move */
    bool wins, next_wins;   /* whether `move` and `next` are captures that win something by exchanges */
} Scene;

static bool wins_at(const Line *line, int ply, int end) {
    return ply < end && position_captured_by(&line->board[ply], line->move[ply]) != NO_PIECE &&
           exchange_gain(&line->board[ply], line->move[ply]) >= 1;
}

static Scene scene_at(const Line *line, int ply, int end) {
    return (Scene){.line = line,
                   .ply = ply,
                   .end = end,
                   .before = &line->board[ply],
                   .after = &line->board[ply + 1],
                   .move = line->move[ply],
                   .reply = ply + 1 < end ? line->move[ply + 1] : (Move)MOVE_NONE,
                   .next = ply + 2 < end ? line->move[ply + 2] : (Move)MOVE_NONE,
                   .to = move_to(line->move[ply]),
                   .wins = wins_at(line, ply, end),
                   .next_wins = wins_at(line, ply + 2, end)};
}

static void add_victim(Motif *motif, Square square) {
    if (motif->victim_count < MOTIF_VICTIMS_MAX) motif->victim[motif->victim_count++] = square;
}

/* The motif holds. `second` may be NO_SQUARE. */
static bool claim(Motif *motif, Square piece, Square first, Square second) {
    motif->piece = piece;
    add_victim(motif, first);
    if (second != NO_SQUARE) add_victim(motif, second);
    return true;
}

/* Whether S's next move takes one of the victims with the piece that has moved. */
static bool hunter_takes(const Scene *at, Bitboard victims) {
    return at->next_wins && move_from(at->next) == at->to && (victims & square_bit(move_to(at->next)));
}

/* Whether another piece takes a victim, or takes back where the hunter was taken. */
static bool takes_instead(const Scene *at, Bitboard victims) {
    if (!at->next_wins) return false;
    const Square to = move_to(at->next);
    if (to == at->to && move_to(at->reply) == at->to) return true;
    return (victims & square_bit(to)) && move_to(at->reply) != to;
}

/* --- each motif: fills `motif` when it holds --- */

static bool find_fork(const Scene *at, Motif *motif) {
    const Position *after = at->after;
    const Bitboard theirs = after->by_color[after->side];
    if (can_be_taken(after, at->to)) return false;
    const int own = exchange_points(type_on(after, at->to));
    const Bitboard attacked = attacks_from(after, at->to) & theirs & ~after->by_type[PAWN];
    Bitboard victims = 0;
    /* Twice: what only another victim guards is one, too. */
    for (int round = 0; round < 2; round++)
        for (Bitboard left = attacked & ~victims; left != 0;) {
            const Square square = bitboard_pop(&left);
            const PieceType type = type_on(after, square);
            const Bitboard guards =
                position_attackers(after, square, position_occupied(after)) & theirs & ~victims;
            if (type == KING || exchange_points(type) > own || guards == 0) victims |= square_bit(square);
        }
    const Bitboard takeable = victims & ~after->by_type[KING];
    if (bits_count(victims) < 2 || takeable == 0) return false;
    const bool takes = hunter_takes(at, takeable);
    if (!takes && !takes_instead(at, takeable)) return false;
    while (victims != 0) add_victim(motif, bitboard_pop(&victims));
    motif->piece = at->to;
    motif->forced = proof_cannot_save(after, takeable, at->to);
    return takes || motif->forced;
}

static bool find_skewer(const Scene *at, Motif *motif) {
    if (at->next == MOVE_NONE) return false;
    const Position *after = at->after;
    const Square front = move_from(at->reply), rear = move_to(at->next);
    const PieceType slider = type_on(after, at->to);
    if (slider != BISHOP && slider != ROOK && slider != QUEEN) return false;
    if (!(attacks_from(after, at->to) & square_bit(front))) return false;
    if (!(squares_line(at->to, front) & square_bit(rear)) || !hunter_takes(at, square_bit(rear)))
        return false;
    const Bitboard gap = strictly_between(at->to, rear) & position_occupied(after);
    if (gap != square_bit(front) || !(after->by_color[after->side] & square_bit(rear))) return false;
    const PieceType front_type = type_on(after, front), rear_type = type_on(after, rear);
    if (front_type != KING && exchange_points(front_type) <= exchange_points(rear_type)) return false;
    if (can_be_taken(after, at->to)) return false;
    motif->forced =
        proof_cannot_save(after, square_bit(rear) | (square_bit(front) & ~after->by_type[KING]), at->to);
    return claim(motif, at->to, front, rear);
}

/* The slider of S behind the square that its piece has left, which now looks at `target`; NO_SQUARE if none.
 */
static Square uncovered_slider(const Scene *at, Square target) {
    if (move_kind(at->move) == CASTLING) return NO_SQUARE;
    Bitboard sliders = position_attackers(at->after, target, position_occupied(at->after)) &
                       at->after->by_color[at->before->side] & ~square_bit(at->to);
    while (sliders != 0) {
        const Square slider = bitboard_pop(&sliders);
        const bool opened = (strictly_between(slider, target) & square_bit(move_from(at->move))) != 0;
        if (opened && !(squares_line(slider, target) & square_bit(at->to))) return slider;
    }
    return NO_SQUARE;
}

/* The slider that S's move lets give check, alone or with the piece that moved; NO_SQUARE if none. */
static Square uncovered_checker(const Scene *at, Motif *motif) {
    const Position *after = at->after;
    motif->kind = bits_count(after->state.checkers) > 1 ? MOTIF_DOUBLE_CHECK : MOTIF_DISCOVERED_CHECK;
    return uncovered_slider(at, position_king(after, after->side));
}

/* The piece that moves away is free to take: what it goes to at once, or what it attacks with its next move.
 */
static bool find_discovered_check(const Scene *at, Motif *motif) {
    const Position *after = at->after;
    const Square checker = uncovered_checker(at, motif);
    if (checker == NO_SQUARE) return false;
    if (hunter_takes(at, after->by_color[after->side] & attacks_from(after, at->to))) {
        const Square victim = move_to(at->next);
        motif->forced = proof_cannot_save(after, square_bit(victim), at->to);
        return claim(motif, checker, victim, NO_SQUARE);
    }
    motif->won_at = at->ply;
    return at->wins && claim(motif, checker, at->to, NO_SQUARE);
}

/* The same on the way to mate, where nothing need be taken. */
static bool find_mating_check(const Scene *at, Motif *motif) {
    const Square checker = uncovered_checker(at, motif);
    if (checker == NO_SQUARE) return false;
    return claim(motif, checker, position_king(at->after, at->after->side), NO_SQUARE);
}

/* S's next move is a capture with the slider that this one has uncovered. */
static bool uncovers_capture(const Scene *at, Motif *motif) {
    if (at->next == MOVE_NONE) return false;
    const Square victim = move_to(at->next);
    const Piece target = position_piece_on(at->after, victim);
    if (target == NO_PIECE || piece_color(target) != at->after->side) return false;
    if (position_captured_by(&at->line->board[at->ply + 2], at->next) == NO_PIECE) return false;
    const Square slider = uncovered_slider(at, victim);
    if (slider == NO_SQUARE || slider != move_from(at->next)) return false;
    return claim(motif, slider, victim, NO_SQUARE);
}

static bool find_discovered_attack(const Scene *at, Motif *motif) {
    if (!at->next_wins || !uncovers_capture(at, motif)) return false;
    motif->forced = proof_cannot_save(at->after, square_bit(motif->victim[0]), NO_SQUARE);
    return true;
}

bool motif_has_safe_move(const Position *pos, Square square) {
    Position copy = *pos;
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        if (move_from(moves[i]) != square) continue;
        Undo undo;
        position_make_move(&copy, moves[i], &undo);
        const int lost = exchange_best_on(&copy, move_to(moves[i]));
        position_unmake_move(&copy, moves[i], &undo);
        if (lost - exchange_taken(pos, moves[i]) < 1) return true;
    }
    return false;
}

/* The piece that S's next move takes had no safe square after this one. */
static bool find_trapped(const Scene *at, Motif *motif) {
    if (!at->next_wins) return false;
    const Position *after = at->after;
    const Square taken = move_to(at->next);
    const Square victim = move_to(at->reply) == taken ? move_from(at->reply) : taken;
    const Piece piece = position_piece_on(after, victim);
    if (piece == NO_PIECE || piece_type(piece) == PAWN || piece_type(piece) == KING) return false;
    if (piece_color(piece) != after->side || exchange_threat_on(after, victim) < 1) return false;
    if (motif_has_safe_move(after, victim)) return false;
    claim(motif, at->to, victim, NO_SQUARE);
    motif->forced = proof_cannot_save(after, square_bit(victim), NO_SQUARE);
    if (motif->forced) return true;
    return !position_in_check(at->before) && exchange_best_on(at->before, victim) < 1; /* not won before */
}

/* S's next move is a capture that was possible before this one as well but won nothing then, for `guard`
 * could take back. It cannot any more: from `guard_then`, where it stands now; NO_SQUARE: it is taken. */
static bool guard_fails(const Scene *at, Square guard, Square guard_then) {
    if (!at->next_wins) return false;
    const Move early = move_make(move_from(at->next), move_to(at->next));
    return movegen_is_legal(at->before, early) && position_captured_by(at->before, early) != NO_PIECE &&
           exchange_best_on(at->before, move_to(early)) < 1 &&
           exchange_can_retake(at->before, early, guard) &&
           !exchange_can_retake(&at->line->board[at->ply + 2], at->next, guard_then);
}

/* S takes the guard, then what it guarded. */
static bool find_removed_guard(const Scene *at, Motif *motif) {
    if (position_captured_by(at->before, at->move) == NO_PIECE || !at->next_wins) return false;
    const Square guard = at->to, target = move_to(at->next);
    if (target == guard || move_from(at->next) == guard || target == move_to(at->reply)) return false;
    return guard_fails(at, guard, NO_SQUARE) && claim(motif, guard, guard, target);
}

/* S takes, the guard takes back and no longer guards what S takes next. */
static bool find_overloaded(const Scene *at, Motif *motif) {
    if (position_captured_by(at->before, at->move) == NO_PIECE || !at->next_wins) return false;
    const Square first = at->to, second = move_to(at->next), guard = move_from(at->reply);
    if (move_to(at->reply) != first || first == second || exchange_best_on(at->before, first) >= 1)
        return false;
    return guard_fails(at, guard, first) && claim(motif, move_from(at->next), guard, second);
}

/* Whether nothing but the piece on `shield` stood between S's next capture and the piece that it takes. */
static bool was_shielded(const Scene *at, Square shield) {
    const Square from = move_from(at->next), target = move_to(at->next);
    const Position *before = at->before;
    return at->next_wins && position_piece_on(before, from) == position_piece_on(at->after, from) &&
           position_piece_on(before, target) == position_piece_on(at->after, target) &&
           (strictly_between(from, target) & position_occupied(before)) == square_bit(shield);
}

/* The guard takes what S offers, or answers its check, and guards no more; or it no longer stands before what
 * S takes. */
static bool find_deflection(const Scene *at, Motif *motif) {
    if (at->next == MOVE_NONE) return false;
    const Square guard = move_from(at->reply), target = move_to(at->next), reached = move_to(at->reply);
    const bool takes_offer = reached == at->to && move_kind(at->reply) != CASTLING;
    if (!takes_offer && !motif->check) return false;
    if (target == reached || (attacks_from(&at->line->board[at->ply + 2], reached) & square_bit(target)))
        return false;                                                    /* it still looks there */
    if (find_overloaded(at, &(Motif){.kind = MOTIF_NONE})) return false; /* the same, said better */
    return (guard_fails(at, guard, reached) || was_shielded(at, guard)) &&
           claim(motif, move_from(at->next), guard, target);
}

/* S goes between a slider and what it guards. */
static bool find_interference(const Scene *at, Motif *motif) {
    if (at->next == MOVE_NONE || move_kind(at->move) == CASTLING) return false;
    const Position *before = at->before;
    const Square target = move_to(at->next);
    Bitboard guards = position_attackers(before, target, position_occupied(before)) &
                      before->by_color[color_other(before->side)] & ~square_bit(at->to);
    while (guards != 0) {
        const Square guard = bitboard_pop(&guards);
        if (!(strictly_between(guard, target) & square_bit(at->to))) continue;
        if (move_from(at->reply) == guard || move_to(at->reply) == at->to) continue;
        if (guard_fails(at, guard, guard)) return claim(motif, at->to, guard, target);
    }
    return false;
}

/* O's king, queen or rook takes what S offers, and is a victim of S's next move there. */
static bool find_attraction(const Scene *at, Motif *motif) {
    if (at->ply + 4 >= at->end || move_to(at->reply) != at->to) return false;
    const PieceType type = type_on(&at->line->board[at->ply + 2], at->to);
    if ((type != KING && type != QUEEN && type != ROOK) || move_kind(at->reply) == CASTLING) return false;
    const Scene later = scene_at(at->line, at->ply + 2, at->end);
    Motif next = {.ply = later.ply, .won_at = later.ply + 2};
    if (!find_fork(&later, &next)) {
        next.victim_count = 0;
        if (!find_skewer(&later, &next)) return false;
    }
    bool is_victim = false;
    for (int i = 0; i < next.victim_count; i++) is_victim |= next.victim[i] == at->to;
    if (!is_victim || !(attacks_from(later.after, later.to) & square_bit(at->to))) return false;
    return claim(motif, move_from(at->reply), at->to, NO_SQUARE);
}

/* O took something; S plays another move first and takes back only then. */
static bool find_intermezzo(const Scene *at, Motif *motif) {
    if (at->ply == 0 || at->next == MOVE_NONE || position_in_check(at->before)) return false;
    const Position *earlier = at->before - 1; /* O to move */
    const Move taking = at->line->move[at->ply - 1];
    const Square square = move_to(taking);
    if (position_captured_by(earlier, taking) == NO_PIECE || move_to(at->move) == square) return false;
    if (!at->next_wins || move_to(at->next) != square || move_from(at->reply) == square) return false;
    if (exchange_best_on(at->before, square) < 1) return false;
    if (!motif->check && position_captured_by(at->before, at->move) == NO_PIECE) return false;
    return claim(motif, at->to, square, NO_SQUARE);
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

/* Whether S takes a piece, no pawn, that it could have taken as well a ply before if O had passed. */
static bool takes_threatened(const Scene *at) {
    if (at->ply == 0 || !at->wins) return false;
    const Position *before = at->before - 1; /* O to move */
    return (before->by_color[before->side] & square_bit(at->to)) && type_on(before, at->to) != PAWN &&
           exchange_threat_on(before, at->to) >= 1;
}

bool motif_pinned(const Position *pos, Square square, Square *pinner) {
    *pinner = pinner_of(pos, square);
    if (!(pos->state.pinned & pos->by_color[pos->side] & square_bit(square)) || *pinner == NO_SQUARE)
        return false;
    return (attacks_from(pos, square) & ~pos->by_color[pos->side] & ~squares_line(*pinner, square)) != 0;
}

/* S takes a piece that the pin kept from leaving: off the line it had a square, on it none. */
static bool find_pinned(const Scene *at, Motif *motif) {
    Square pinner;
    return takes_threatened(at) && motif_pinned(at->before - 1, at->to, &pinner) && /* O to move */
           claim(motif, pinner, at->to, NO_SQUARE);
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
    Move moves[MAX_MOVES];
    int tried = 0;
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        const Move move = moves[i];
        if (move_from(move) != front || (squares_line(pinner, front) & square_bit(move_to(move)))) continue;
        Undo undo;
        tried++;
        position_make_move(&copy, move, &undo);
        const int lost = exchange_best_on(&copy, rear);
        const bool is_answer = position_in_check(&copy) || lost - exchange_taken(pos, move) < 1;
        position_unmake_move(&copy, move, &undo);
        if (is_answer) return false;
    }
    return tried > 0;
}

bool motif_pinned_to(const Position *pos, Square front, Square excluded, Square *pinner, Square *rear) {
    Bitboard pinners = position_attackers(pos, front, position_occupied(pos)) &
                       pos->by_color[color_other(pos->side)] &
                       (pos->by_type[BISHOP] | pos->by_type[ROOK] | pos->by_type[QUEEN]);
    while (pinners != 0) {
        *pinner = bitboard_pop(&pinners);
        *rear = piece_behind(pos, *pinner, front);
        if (*pinner != excluded && *rear != NO_SQUARE && gives_up(pos, *pinner, front, *rear)) return true;
    }
    return false;
}

/* S takes a piece that could only have left by giving up the dearer one behind it. */
static bool find_pinned_to(const Scene *at, Motif *motif) {
    Square pinner, rear;
    return takes_threatened(at) && motif_pinned_to(at->before - 1, at->to, NO_SQUARE, &pinner, &rear) &&
           claim(motif, pinner, at->to, rear);
}

/* The ply of S's next move after checks by O that take nothing, and the answers to them. */
static int after_checks(const Scene *at) {
    const Line *line = at->line;
    int ply = at->ply + 2;
    while (ply + 2 < at->end && position_in_check(&line->board[ply]) &&
           position_captured_by(&line->board[ply - 1], line->move[ply - 1]) == NO_PIECE)
        ply += 2;
    return ply;
}

/* S attacks a piece that may not leave its king's line, or would give up the dearer one behind it, and takes
 * it next, checks apart. */
static bool find_attack_on_pinned(const Scene *at, Motif *motif) {
    motif->won_at = after_checks(at);
    if (!wins_at(at->line, motif->won_at, at->end) || move_kind(at->move) == CASTLING) return false;
    const Position *after = at->after;
    const Square target = move_to(at->line->move[motif->won_at]);
    if (position_piece_on(after, target) != position_piece_on(&at->line->board[motif->won_at], target))
        return false;
    const Bitboard victim = square_bit(target) & after->by_color[after->side] & ~after->by_type[PAWN];
    if (!(attacks_from(after, at->to) & victim) || move_to(at->reply) == target) return false;
    if (attacks_from(at->before, move_from(at->move)) & victim) return false; /* it did so before */
    if (after->state.pinned & victim) return claim(motif, at->to, target, position_king(after, after->side));
    Square pinner, rear;
    return motif_pinned_to(after, target, at->to, &pinner, &rear) && claim(motif, at->to, target, rear);
}

/* S goes where a pinned piece would take it: to win something there, or with its next move from there. */
static bool find_pinned_guard(const Scene *at, Motif *motif) {
    const Position *after = at->after;
    if (move_kind(at->move) == CASTLING || can_be_taken(after, at->to)) return false;
    if (!at->wins) {
        if (!hunter_takes(at, after->by_color[after->side])) return false;
        motif->won_at = at->ply + 2;
    }
    Bitboard pinned = after->state.pinned & after->by_color[after->side];
    while (pinned != 0) {
        const Square guard = bitboard_pop(&pinned), pinner = pinner_of(after, guard);
        if (!(attacks_from(after, guard) & square_bit(at->to)) || has_move(after, guard, at->to)) continue;
        if (pinner != NO_SQUARE && pinner != at->to) return claim(motif, pinner, at->to, guard);
    }
    return false;
}

/* A pinned piece looks at the one that has moved or gives check, or between it and the king, and may not go
 * there; nor does any other piece take the one that has moved. */
static bool find_mating_pin(const Scene *at, Motif *motif) {
    const Position *after = at->after;
    if (move_kind(at->move) == CASTLING || bits_count(after->state.checkers) > 1) return false;
    if (exchange_best_on(after, at->to) != EXCHANGE_NOTHING) return false;
    Bitboard targets = square_bit(at->to);
    if (after->state.checkers != 0) {
        const Square checker = (Square)bits_lowest(after->state.checkers);
        targets |= square_bit(checker) | strictly_between(checker, position_king(after, after->side));
    }
    Bitboard pinned = after->state.pinned & after->by_color[after->side];
    while (pinned != 0) {
        const Square guard = bitboard_pop(&pinned), pinner = pinner_of(after, guard);
        Bitboard looks = attacks_from(after, guard) & targets;
        if (type_on(after, guard) == PAWN) looks &= after->by_color[color_other(after->side)];
        while (looks != 0) {
            const Square target = bitboard_pop(&looks);
            if (has_move(after, guard, target) || pinner == NO_SQUARE || pinner == target) continue;
            return claim(motif, pinner, target, guard);
        }
    }
    return false;
}

static bool find_promotion(const Scene *at, Motif *motif) {
    if (type_on(at->before, move_from(at->move)) != PAWN) return false;
    motif->piece = at->to;
    if (move_kind(at->move) == PROMOTION) {
        motif->forced = true;
        return !can_be_taken(at->after, at->to);
    }
    Square pawn = at->to;
    for (int later = at->ply + 2; later < at->end;
         later += 2) { /* the line must show it, by this very pawn */
        const Move move = at->line->move[later];
        if (move_from(move) != pawn) continue;
        pawn = move_to(move);
        if (move_kind(move) != PROMOTION) continue;
        motif->won_at = later;
        motif->forced = proof_pawn_promotes(at->after, at->to);
        return motif->forced;
    }
    return false;
}

/* Whether S only takes back, at once or later, what O has taken by its last move to this square, and no more.
 */
static bool is_recapture(const Scene *at) {
    int ply = at->ply - 1;
    while (ply >= 0 && move_to(at->line->move[ply]) != at->to) ply -= 2;
    if (ply < 0 || position_captured_by(&at->line->board[ply], at->line->move[ply]) == NO_PIECE) return false;
    return exchange_taken(at->before, at->move) <= exchange_taken(&at->line->board[ply], at->line->move[ply]);
}

static bool find_capture(const Scene *at, Motif *motif) {
    if (!at->wins || is_recapture(at)) return false;
    const int value = exchange_points(piece_type(position_captured_by(at->before, at->move)));
    if (exchange_gain(at->before, at->move) < value - 1) return false;
    const bool is_undefended = exchange_best_on(at->after, at->to) == EXCHANGE_NOTHING;
    motif->kind = is_undefended ? MOTIF_UNDEFENDED : MOTIF_OUTNUMBERED;
    return claim(motif, move_from(at->move), at->to, NO_SQUARE);
}

/* --- all of them --- */

int motif_gain(const Line *line, const Motif *motif) {
    return exchange_gain(&line->board[motif->won_at], line->move[motif->won_at]);
}

typedef struct Finder {
    bool (*find)(const Scene *at, Motif *motif);
    MotifKind kind;
    int won_after;     /* plies from the motif's move to the capture */
    int victims_after; /* plies from the board before the motif's move to that of `victim` */
} Finder;

static int find_all(const Scene *at, const Finder *finders, size_t finder_count, Motif found[MOTIF_KINDS]) {
    int count = 0;
    for (size_t i = 0; i < finder_count; i++) {
        found[count] = (Motif){.kind = finders[i].kind,
                               .ply = at->ply,
                               .won_at = at->ply + finders[i].won_after,
                               .victims_at = at->ply + finders[i].victims_after,
                               .check = position_in_check(at->after)};
        if (finders[i].find(at, &found[count])) count++;
    }
    return count;
}

int motif_find_mating(const Line *line, int ply, Motif found[MOTIF_KINDS]) {
    const int to_mate = line->length - 1 - ply;
    const Finder finders[] = {{find_mating_check, MOTIF_DISCOVERED_CHECK, to_mate, 1},
                              {uncovers_capture, MOTIF_DISCOVERED_ATTACK, to_mate, 1},
                              {find_mating_pin, MOTIF_PINNED_GUARD, to_mate, 1}};
    const Scene scene = scene_at(line, ply, line->length);
    return find_all(&scene, finders, sizeof finders / sizeof finders[0], found);
}

int motif_find(const Line *line, int ply, int end, Motif found[MOTIF_KINDS]) {
    static const Finder FINDERS[] = {{find_discovered_check, MOTIF_DISCOVERED_CHECK, 2, 1},
                                     {find_discovered_attack, MOTIF_DISCOVERED_ATTACK, 2, 1},
                                     {find_fork, MOTIF_FORK, 2, 1},
                                     {find_skewer, MOTIF_SKEWER, 2, 1},
                                     {find_trapped, MOTIF_TRAPPED, 2, 1},
                                     {find_attraction, MOTIF_ATTRACTION, 4, 2},
                                     {find_intermezzo, MOTIF_INTERMEZZO, 2, 0},
                                     {find_removed_guard, MOTIF_REMOVED_GUARD, 2, 0},
                                     {find_overloaded, MOTIF_OVERLOADED, 2, 0},
                                     {find_deflection, MOTIF_DEFLECTION, 2, 0},
                                     {find_interference, MOTIF_INTERFERENCE, 2, 1},
                                     {find_pinned, MOTIF_PINNED, 0, 0},
                                     {find_pinned_to, MOTIF_PINNED_TO, 0, 0},
                                     {find_attack_on_pinned, MOTIF_ATTACKS_PINNED, 2, 1},
                                     {find_pinned_guard, MOTIF_PINNED_GUARD, 0, 1},
                                     {find_promotion, MOTIF_PROMOTION, 0, 1},
                                     {find_capture, MOTIF_UNDEFENDED, 0, 1}};
    if (ply >= end) return 0;
    const Scene scene = scene_at(line, ply, end);
    return find_all(&scene, FINDERS, sizeof FINDERS / sizeof FINDERS[0], found);
}
