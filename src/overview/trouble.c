#include "overview/trouble.h"

#include "base/bits.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "explain/exchange.h"
#include "explain/motif.h"
#include "explain/proof.h"

const char *trouble_name(TroubleKind kind) {
    static const char *const NAMES[] = {
        [TROUBLE_HANGING] = "hanging", [TROUBLE_OUTNUMBERED] = "not guarded enough",
        [TROUBLE_TRAPPED] = "trapped", [TROUBLE_OVERLOADED] = "overloaded",
        [TROUBLE_PINNED] = "pinned",   [TROUBLE_PINNED_TO] = "relative pin"};
    return NAMES[kind];
}

static Position with_turn_passed(const Position *pos) {
    Position passed = *pos;
    Undo undo;
    position_make_null(&passed, &undo);
    return passed;
}

static PieceType type_on(const Position *pos, Square square) {
    return piece_type(position_piece_on(pos, square));
}

/* The pieces that could take back on the square of a legal capture. */
static Bitboard retakers(const Position *pos, Move capture) {
    Position after = *pos;
    Undo undo;
    Move moves[MAX_MOVES];
    Bitboard from = 0;
    position_make_move(&after, capture, &undo);
    const int count = movegen_noisy(&after, moves);
    for (int i = 0; i < count; i++)
        if (move_to(moves[i]) == move_to(capture) && position_captured_by(&after, moves[i]) != NO_PIECE)
            from |= square_bit(move_from(moves[i]));
    return from;
}

/* A piece that the other side can take at a loss, and the only one that would take back. */
typedef struct Guarded {
    Move capture;
    Square guard;
} Guarded;

/* The captures of the side to move that lose something because a single piece takes back. */
static int find_guarded(const Position *attack, Guarded found[MAX_MOVES]) {
    Move moves[MAX_MOVES];
    const int moves_count = movegen_noisy(attack, moves);
    int count = 0;
    for (int i = 0; i < moves_count; i++) {
        if (position_captured_by(attack, moves[i]) == NO_PIECE || move_kind(moves[i]) != NORMAL_MOVE)
            continue;
        const Bitboard guards = retakers(attack, moves[i]);
        if (bits_count(guards) == 1 && exchange_best_on(attack, move_to(moves[i])) < 1)
            found[count++] = (Guarded){moves[i], (Square)bits_lowest(guards)};
    }
    return count;
}

/* Whether the guard takes back on the first square, and the second one is worth more than that was. */
static bool is_overloaded(const Position *attack, const Guarded *first, Square second) {
    Position pos = *attack;
    Undo undo;
    const Square square = move_to(first->capture);
    const int given = exchange_points(type_on(attack, move_from(first->capture)));
    position_make_move(&pos, first->capture, &undo);
    const Move retake = move_make(first->guard, square);
    if (!movegen_is_legal(&pos, retake)) return false; /* by a promotion, say */
    position_make_move(&pos, retake, &undo);
    return exchange_taken(attack, first->capture) - given + exchange_best_on(&pos, second) >= 1;
}

/* Of the guards of the side that is not to move. */
static int find_overloaded(const Position *attack, Trouble found[TROUBLES_MAX], int count) {
    Guarded guarded[MAX_MOVES];
    const int guarded_count = find_guarded(attack, guarded);
    Bitboard reported = 0;
    for (int i = 0; i < guarded_count; i++)
        for (int j = 0; j < guarded_count && count < TROUBLES_MAX; j++) {
            const Square first = move_to(guarded[i].capture), second = move_to(guarded[j].capture);
            const Square guard = guarded[i].guard;
            if (first == second || guard != guarded[j].guard || (reported & square_bit(guard))) continue;
            if (!is_overloaded(attack, &guarded[i], second)) continue;
            reported |= square_bit(guard);
            found[count++] = (Trouble){.kind = TROUBLE_OVERLOADED,
                                       .side = color_other(attack->side),
                                       .square = guard,
                                       .other = {first, second}};
        }
    return count;
}

/* Whether each capture of the piece could be answered by another one. */
static bool is_guarded(const Position *attack, Square square) {
    Move moves[MAX_MOVES];
    const int count = movegen_noisy(attack, moves);
    for (int i = 0; i < count; i++)
        if (move_to(moves[i]) == square && retakers(attack, moves[i]) == 0) return false;
    return true;
}

/* An attacked piece of the side to move on `pos`; `attack` is the board with the turn passed. */
static bool find_attacked(const Position *pos, const Position *attack, Square square, Trouble *trouble) {
    const PieceType type = type_on(pos, square);
    if (type == KING || exchange_best_on(attack, square) < 1) return false;
    trouble->kind = is_guarded(attack, square) ? TROUBLE_OUTNUMBERED : TROUBLE_HANGING;
    if (type == PAWN || (pos->state.pinned & square_bit(square)) || motif_has_safe_move(pos, square))
        return true;
    trouble->kind = TROUBLE_TRAPPED;
    return true;
}

static bool find_pin(const Position *pos, Square square, Trouble *trouble) {
    const PieceType type = type_on(pos, square);
    if (type == KING || type == PAWN) return false;
    if (motif_pinned(pos, square, &trouble->other[0])) {
        trouble->kind = TROUBLE_PINNED;
        return true;
    }
    trouble->kind = TROUBLE_PINNED_TO;
    return !position_in_check(pos) &&
           motif_pinned_to(pos, square, NO_SQUARE, &trouble->other[0], &trouble->other[1]);
}

/* Keeps the order by value of the piece; of equals the earlier one stays first. */
static void sort(const Position *pos, Trouble *found, int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && exchange_points(type_on(pos, found[j].square)) >
                                     exchange_points(type_on(pos, found[j - 1].square));
             j--) {
            const Trouble dearer = found[j];
            found[j] = found[j - 1];
            found[j - 1] = dearer;
        }
}

int trouble_find(const Position *pos, Color side, Trouble found[TROUBLES_MAX]) {
    const bool in_check = position_in_check(pos), is_to_move = side == pos->side;
    int count = 0;
    if (in_check && !is_to_move) return 0;
    const Position own = is_to_move ? *pos : with_turn_passed(pos);
    const Position attack = is_to_move && !in_check ? with_turn_passed(pos) : *pos;
    Bitboard pieces = own.by_color[side];
    while (pieces != 0 && count + 2 < TROUBLES_MAX) {
        const Square square = bitboard_pop(&pieces);
        Trouble trouble = {.side = side, .square = square, .other = {NO_SQUARE, NO_SQUARE}};
        if (find_pin(&own, square, &trouble)) found[count++] = trouble;
        trouble.other[0] = trouble.other[1] = NO_SQUARE;
        if (in_check || !find_attacked(&own, &attack, square, &trouble)) continue;
        trouble.is_lost = is_to_move && trouble.kind == TROUBLE_TRAPPED &&
                          proof_cannot_save(pos, square_bit(square), NO_SQUARE);
        found[count++] = trouble;
    }
    if (!in_check) count = find_overloaded(&attack, found, count);
    sort(&own, found, count);
    return count;
}
