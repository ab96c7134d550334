#include "explain/positional.h"

#include "base/bits.h"
#include "chess/makemove.h"
#include "explain/exchange.h"
#include "explain/move_fact.h"
#include "search/score.h"

enum {
    MOST_PLIES = 12, /* of a line that are looked at: what comes later is hardly searched */
    LEAST_PLIES = 6, /* of a line that shows what lasts */
    LEAST_WORTH = 15 * SCORE_UNITS_PER_PAWN / 100, /* of a fact, in units */
    LEAST_SHARE = 40                               /* percent of the gap */
};

/* The boards of the second half of a line. */
static int last_ply(const Line *line) { return int_min(line->length, MOST_PLIES); }
static int first_ply(const Line *line) { return (last_ply(line) + 1) / 2; }

/* What holds on every board of the second half of a line, and on any. */
typedef struct Lasting {
    uint64_t always[FACT_KINDS][COLOR_COUNT], ever[FACT_KINDS][COLOR_COUNT];
} Lasting;

static void read_lasting(const Line *line, Lasting *lasting) {
    for (FactKind kind = 0; kind < FACT_KINDS; kind++)
        for (Color side = WHITE; side <= BLACK; side++) {
            uint64_t always = ~UINT64_C(0), ever = 0;
            for (int ply = first_ply(line); ply <= last_ply(line); ply++) {
                const uint64_t set = fact_set(kind, &line->board[ply], side);
                always &= set;
                ever |= set;
            }
            lasting->always[kind][side] = always;
            lasting->ever[kind][side] = ever;
        }
}

/* The candidate lines of a branch that are long enough. */
typedef struct Lines {
    int count;
    Lasting line[CANDIDATES_MAX];
} Lines;

static void read_lines(const Branch *branch, Lines *lines) {
    lines->count = 0;
    for (int i = 0; i < branch->candidates->count; i++) {
        const Candidate *candidate = &branch->candidates->line[i];
        if (candidate->length < LEAST_PLIES) continue;
        Line *line = line_create(&branch->line->board[0], candidate->move, candidate->length);
        if (line == NULL) return;
        read_lasting(line, &lines->line[lines->count++]);
        line_destroy(line);
    }
}

/* Whether two of three lines show the difference: it lasts in one of its branch, or never holds in one of the
 * other. */
static bool is_in_most(const Lines *own, const Lines *others, FactKind kind, Color side, uint64_t member) {
    int shown = 0;
    for (int i = 0; i < own->count; i++) shown += (own->line[i].always[kind][side] & member) != 0;
    for (int i = 0; i < others->count; i++) shown += !(others->line[i].ever[kind][side] & member);
    return 3 * shown >= 2 * (own->count + others->count);
}

/* The line's move from which on the fact holds on each board. */
static int ply_since(const Line *line, FactKind kind, Color side, uint64_t member) {
    int ply = last_ply(line);
    while (ply > 1 && (fact_set(kind, &line->board[ply - 1], side) & member)) ply--;
    return ply - 1;
}

/* --- test E --- */

static int value_for(Searcher *searcher, const Position *pos, Color us) {
    const int value = searcher_evaluate(searcher, pos);
    return pos->side == us ? value : -value;
}

/* Whether nothing hangs on the board, so that its value means something. */
static bool is_calm(const Position *pos) {
    return !position_in_check(pos) && exchange_best_on(pos, NO_SQUARE) < 1;
}

/* By how much an edit moves the value towards the other line. */
static int change(const FactReason *fact, const EditedBoard *edit) {
    return fact->on_better ? edit->before - edit->after : edit->after - edit->before;
}

/* Edits the fact off a board, at each square that shows it and as a control at those of the other side, where
 * that leaves a calm board. Returns how many edits there are, and by how much they move the value on average.
 */
static int edit_board(Searcher *searcher, const Line *line, int ply, const FactReason *fact,
                      EditedBoard *edits, int *moved) {
    const Position *pos = &line->board[ply];
    const Color us = line->board[0].side;
    const uint64_t member = fact_member(fact->kind, fact->square);
    const int before = value_for(searcher, pos, us);
    const Bitboard controls = fact_controls(fact->kind, pos, fact->side);
    Bitboard squares = fact_squares(fact->kind, pos, fact->side) | controls;
    int count = 0, sum = 0;
    while (squares != 0 && count < SQUARES_EDITED) {
        Position edited = *pos;
        const Square square = bitboard_pop(&squares);
        if (!(fact_member(fact->kind, square) & member)) continue;
        if (!fact_edit(fact->kind, &edited, fact->side, square, fact->to) || !is_calm(&edited)) continue;
        edits[count] = (EditedBoard){.ply = ply,
                                     .is_control = (controls & square_bit(square)) != 0,
                                     .square = square,
                                     .before = before,
                                     .after = value_for(searcher, &edited, us)};
        sum += change(fact, &edits[count++]);
    }
    *moved = count > 0 ? sum / count : 0;
    return count;
}

/* Whether the controls alone, if there are any, do not move the value the other way. */
static bool is_controlled(const FactReason *fact) {
    int sum = 0;
    for (int i = 0; i < fact->edit_count; i++)
        if (fact->edit[i].is_control) sum += change(fact, &fact->edit[i]);
    return sum >= 0;
}

/* Test E on three boards of the second half of the line, where nothing hangs. */
static Refusal weigh(Searcher *searcher, const Line *line, int gap, FactReason *fact) {
    EditedBoard edits[SQUARES_EDITED];
    int plies[MOST_PLIES + 1], count = 0, moved = 0, sum = 0;
    bool is_same_sign = true;
    for (int ply = first_ply(line); ply <= last_ply(line); ply++)
        if (is_calm(&line->board[ply]) && edit_board(searcher, line, ply, fact, edits, &moved) > 0)
            plies[count++] = ply;
    if (count < BOARDS_EDITED) return FACT_WITHOUT_EDIT;
    for (int i = 0; i < BOARDS_EDITED; i++) {
        const int ply = plies[i * (count - 1) / (BOARDS_EDITED - 1)];
        fact->edit_count += edit_board(searcher, line, ply, fact, &fact->edit[fact->edit_count], &moved);
        is_same_sign &= moved > 0;
        sum += moved;
    }
    fact->worth = sum / BOARDS_EDITED;
    const bool is_enough = fact->worth >= LEAST_WORTH && 100 * fact->worth >= LEAST_SHARE * gap;
    return is_same_sign && is_enough && is_controlled(fact) ? FACT_PROVED : FACT_WORTH_LITTLE;
}

/* --- all facts --- */

/* Those that are proved come first, then those that say more than where a piece stands, then those of greater
 * worth, then those that hold earlier. */
static bool comes_before(const FactReason *a, const FactReason *b) {
    const bool a_is_place = fact_compares_squares(a->kind), b_is_place = fact_compares_squares(b->kind);
    if ((a->refusal == FACT_PROVED) != (b->refusal == FACT_PROVED)) return a->refusal == FACT_PROVED;
    if (a_is_place != b_is_place) return b_is_place;
    return a->worth != b->worth ? a->worth > b->worth : a->ply < b->ply;
}

static void keep(const FactReason *fact, FactReason tried[FACTS_TRIED], int *count) {
    int place = *count;
    while (place > 0 && comes_before(fact, &tried[place - 1])) place--;
    if (place == FACTS_TRIED) return;
    *count = int_min(*count + 1, FACTS_TRIED);
    for (int i = *count - 1; i > place; i--) tried[i] = tried[i - 1];
    tried[place] = *fact;
}

static Square square_of(FactKind kind, const Position *pos, Color side, uint64_t member) {
    Bitboard squares = fact_squares(kind, pos, side);
    while (squares != 0) {
        const Square square = bitboard_pop(&squares);
        if (fact_member(kind, square) & member) return square;
    }
    return NO_SQUARE;
}

static bool takes_back(const Line *line, int ply) {
    return ply > 0 && move_to(line->move[ply]) == move_to(line->move[ply - 1]) &&
           exchange_taken(&line->board[ply - 1], line->move[ply - 1]) > 0;
}

/* Whether the side that suffers from the fact brings it about by a later move that neither answers a check
 * nor takes back nor saves a piece: then it could do without. What is taken back was given by the move
 * before. */
static bool is_chosen_later(const Line *line, const FactReason *fact) {
    const Color sufferer = fact_is_good(fact->kind) ? color_other(fact->side) : fact->side;
    const int ply = takes_back(line, fact->ply) ? fact->ply - 1 : fact->ply;
    const Position *pos = &line->board[ply];
    return ply > 0 && pos->side == sufferer && !position_in_check(pos) && !takes_back(line, ply) &&
           exchange_threat_on(pos, move_from(line->move[ply])) < 1;
}

/* Whether the move that brings the fact about is possible on the other line, too, and does so there: then
 * that line only does without it. */
static bool is_possible_on_other(const Line *line, const Line *other, const FactReason *fact,
                                 uint64_t member) {
    const Color side = fact_is_good(fact->kind) ? fact->side : color_other(fact->side);
    const Move move = line->move[fact->ply];
    Position after;
    if (fact->ply == 0 || line->board[fact->ply].side != side) return false;
    for (int ply = 1; ply <= last_ply(other); ply++)
        if (other->board[ply].side == side && move_fact_can_reply(&other->board[ply], move, &after) &&
            (fact_set(fact->kind, &after, fact->side) & member))
            return true;
    return false;
}

/* Where the piece of that square of the first board goes in a line by at most so many moves; *made: how many
 * it makes. NO_SQUARE where it does not last. */
static Square place_after_moves(const Line *line, Square from, int most, int *made) {
    Square place = from;
    *made = 0;
    for (int ply = 0; ply < last_ply(line); ply++) {
        const Square next = line_place(line, ply + 1, from);
        if (next == NO_SQUARE) return NO_SQUARE;
        if (next == line_place(line, ply, from) || *made == most) continue;
        place = next;
        ++*made;
    }
    return place;
}

/* Where the piece on `square` at the end of the line goes on the other line, if one of the two first moves,
 * or of the two replies to them, is its own; NO_SQUARE: nowhere else. It makes as many moves: the edit must
 * not be worth one to the side that it is to help. */
static Square place_on_other(const Line *line, const Line *other, Color side, Square square) {
    const int ply = line->board[0].side != side;
    const Square roots[] = {move_from(line->move[ply]), move_from(other->move[ply])};
    for (int i = 0; i < 2; i++) {
        int own, others;
        if (place_after_moves(line, roots[i], MOST_PLIES, &own) != square) continue;
        const Square place = place_after_moves(other, roots[i], own, &others);
        return place == square || (ply == 1 && others < own) ? NO_SQUARE : place;
    }
    return NO_SQUARE;
}

static FactReason try_fact(Searcher *searcher, const Line *line, const Line *other_line, const Lines *own,
                           const Lines *others, int gap, FactReason fact, uint64_t member) {
    fact.seen = last_ply(line);
    fact.square = square_of(fact.kind, &line->board[fact.seen], fact.side, member);
    fact.ply = ply_since(line, fact.kind, fact.side, member);
    fact.stood_before = !fact.on_better && !fact_compares_squares(fact.kind) &&
                        (fact_set(fact.kind, &line->board[0], fact.side) & member);
    const bool is_left =
        fact.stood_before && (fact_set(fact.kind, &other_line->board[1], fact.side) & member);
    if (is_left || (fact.kind != FACT_worse_square && is_chosen_later(line, &fact)) ||
        (!fact_compares_squares(fact.kind) && is_possible_on_other(line, other_line, &fact, member))) {
        fact.refusal = FACT_CHOSEN_LATER;
        return fact;
    }
    const bool is_shown = is_in_most(own, others, fact.kind, fact.side, member);
    fact.refusal = is_shown ? weigh(searcher, line, gap, &fact) : FACT_SHOWN_SELDOM;
    return fact;
}

static void try_facts(Searcher *searcher, const Line *line, const Line *other_line, bool is_better,
                      const Lines *own, const Lines *others, int gap, FactReason tried[FACTS_TRIED],
                      int *count) {
    const Color us = line->board[0].side;
    const Lasting *last = &own->line[own->count - 1], *other = &others->line[others->count - 1];
    for (FactKind kind = 0; kind < FACT_KINDS; kind++)
        for (Color side = WHITE; side <= BLACK; side++) {
            /* On the played line what is bad for its side, on the better one what is good for it. */
            if ((fact_is_good(kind) == (side == us)) != is_better) continue;
            uint64_t members = last->always[kind][side] & ~other->ever[kind][side];
            while (members != 0) {
                const int member = bits_pop(&members);
                FactReason fact = {.kind = kind, .side = side, .on_better = is_better, .to = NO_SQUARE};
                if (fact_compares_squares(kind)) {
                    if (!is_better) fact.to = place_on_other(line, other_line, side, (Square)member);
                    if (fact.to == NO_SQUARE) continue;
                }
                fact = try_fact(searcher, line, other_line, own, others, gap, fact, UINT64_C(1) << member);
                keep(&fact, tried, count);
            }
        }
}

int positional_find(Searcher *searcher, const Branch *played, const Branch *better, int gap,
                    FactReason tried[FACTS_TRIED]) {
    Lines lines[2];
    int count = 0;
    read_lines(played, &lines[0]);
    read_lines(better, &lines[1]);
    if (gap > FACTS_GAP || lines[0].count == 0 || lines[1].count == 0) return 0;
    if (played->line->length < LEAST_PLIES || better->line->length < LEAST_PLIES) return 0;
    try_facts(searcher, played->line, better->line, false, &lines[0], &lines[1], gap, tried, &count);
    try_facts(searcher, better->line, played->line, true, &lines[1], &lines[0], gap, tried, &count);
    for (int i = 1; i < count; i++)
        if (tried[i].refusal == FACT_PROVED &&
            (i > 1 || 2 * tried[i].worth < tried[0].worth || fact_compares_squares(tried[i].kind)))
            tried[i].refusal = FACT_WORTH_LITTLE;
    return count;
}

int positional_find_standing(Searcher *searcher, const Line *line, FactReason tried[FACTS_TRIED]) {
    Lasting lasting;
    int count = 0;
    if (line->length < LEAST_PLIES) return 0;
    read_lasting(line, &lasting);
    for (FactKind kind = 0; kind < FACT_KINDS; kind++)
        for (Color side = WHITE; side <= BLACK; side++) {
            const Position *root = &line->board[0];
            if (kind == FACT_no_queens || kind == FACT_no_rooks || fact_compares_squares(kind))
                continue; /* they compare two boards */
            uint64_t members = lasting.always[kind][side] & fact_set(kind, root, side);
            while (members != 0) {
                FactReason fact = {.kind = kind,
                                   .side = side,
                                   .to = NO_SQUARE,
                                   .on_better = fact_is_good(kind) == (side == root->side)};
                fact.square = square_of(kind, root, side, UINT64_C(1) << bits_pop(&members));
                fact.refusal = weigh(searcher, line, 0, &fact);
                keep(&fact, tried, &count);
            }
        }
    return count;
}

const char *refusal_name(Refusal refusal) {
    static const char *const NAMES[] = {[FACT_PROVED] = "none",
                                        [FACT_CHOSEN_LATER] = "chosen later",
                                        [FACT_SHOWN_SELDOM] = "shown seldom",
                                        [FACT_WITHOUT_EDIT] = "without an edit",
                                        [FACT_WORTH_LITTLE] = "worth little"};
    return NAMES[refusal];
}
