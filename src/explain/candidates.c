#include "explain/candidates.h"

#include "base/bits.h"
#include "explain/exchange.h"

#include <string.h>

enum {
    BETTER_LATER = 2,  /* plies that the other line may need more until its material counts */
    KEPT_BUT = 1,      /* points of a loss that may come back later */
    POINTS_COUNTED = 5 /* of a loss when it is weighed: from a rook on it explains any score */
};

static bool loss_equals(LineLoss a, LineLoss b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool takes(const Line *line, int ply) {
    return position_captured_by(&line->board[ply], line->move[ply]) != NO_PIECE;
}

/* The first board on which `loss` is lost and the next move takes nothing, or board `at`. */
static int first_complete(const Line *line, int at, const LineLoss *loss) {
    int ply = 1;
    while (ply < at &&
           (takes(line, ply) || !loss_equals(line_loss(line, 0, ply, line->board[0].side), *loss)))
        ply++;
    return ply;
}

/* Whether the move wins what the other side has just put there, which took nothing and answered no check. */
static bool is_gift(const Line *line, int ply) {
    const Position *before = &line->board[ply - 1];
    const Move given = line->move[ply - 1];
    return move_to(line->move[ply]) == move_to(given) && !position_in_check(before) &&
           exchange_taken(before, given) == 0 && takes(line, ply) &&
           exchange_gain(&line->board[ply], line->move[ply]) >= 1;
}

/* Whether the move takes something or makes a pawn a piece. */
static bool gains(const Line *line, int ply) {
    return takes(line, ply) || move_kind(line->move[ply]) == PROMOTION;
}

/* The board up to which only one side gains something, and the other one does not take back: a queen for a
 * queen is a trade, too. */
static int one_side_gains(const Line *line) {
    int first = 0, ply;
    while (first < line->length && !gains(line, first)) first++;
    for (ply = first + 1; ply < line->length && !gains(line, ply); ply += 2) {
    }
    if (ply >= line->length) return line->length;
    return move_to(line->move[ply]) == move_to(line->move[ply - 1]) && takes(line, ply - 1) ? ply - 1 : ply;
}

void candidate_read(const Line *line, Candidate *candidate) {
    const Color side = line->board[0].side;
    *candidate = (Candidate){.length = line->length, .early_ply = one_side_gains(line)};
    candidate->early = line_loss(line, 0, candidate->early_ply, side);
    candidate->end = line_loss(line, 0, line->length, side);
    for (int i = 0; i < line->length; i++) candidate->move[i] = line->move[i];
    for (int i = 2; i < line->length; i++) candidate->gifts |= (uint64_t)is_gift(line, i) << i;
    for (int at = line_settled(line, 1); at >= 0; at = at < line->length ? line_settled(line, at + 1) : -1) {
        const LineLoss loss = line_loss(line, 0, at, side);
        const int ply = first_complete(line, at, &loss);
        if (candidate->rest_count > 0 && candidate->rest[candidate->rest_count - 1].ply >= ply) continue;
        const int row = candidate->rest_count++;
        candidate->rest[row].ply = ply;
        candidate->rest[row].loss = loss;
    }
}

/* The last board at rest up to `ply`, or the first one after it; the end where there is none. */
static int rest_by(const Candidate *line, int ply, LineLoss *loss) {
    int row = 0;
    while (row + 1 < line->rest_count && line->rest[row + 1].ply <= ply) row++;
    *loss = line->rest_count > 0 ? line->rest[row].loss : line->end;
    return line->rest_count > 0 ? line->rest[row].ply : line->length;
}

/* What falls on both lines, by points: a knight is as dear as a bishop. The `first` of them to fall stays. */
static void read_common(const int own[PIECE_TYPE_COUNT], const int others[PIECE_TYPE_COUNT], PieceType first,
                        int common[PIECE_TYPE_COUNT]) {
    const PieceType second = first == KNIGHT ? BISHOP : KNIGHT;
    for (PieceType type = PAWN; type < KING; type++) common[type] = int_min(own[type], others[type]);
    const int minors = int_min(own[KNIGHT] + own[BISHOP], others[KNIGHT] + others[BISHOP]);
    common[second] = int_min(own[second], minors);
    common[first] = minors - common[second];
}

/* The loss without what the other line loses, too, and without what both gain: that is no return for the
 * rest. Where nothing is lost on both, a gain is one only on `early`, before anything is lost; and so is a
 * new queen where no queen of the other side is on both: a queen for a queen is a trade. */
static LineLoss without_common(const LineLoss *own, const LineLoss *early, const LineLoss *there) {
    LineLoss common = {.lost_by_promotion = int_min(own->lost_by_promotion, there->lost_by_promotion)};
    read_common(own->lost, there->lost, early->lost[KNIGHT] > 0 ? KNIGHT : BISHOP, common.lost);
    const LineLoss *gains = loss_lost(&common) > 0 ? own : early;
    read_common(gains->gained, there->gained, KNIGHT, common.gained);
    const LineLoss *promoted = common.lost_by_promotion > 0 ? own : early;
    common.gained_by_promotion = int_min(promoted->gained_by_promotion, there->gained_by_promotion);
    common.net = loss_lost(&common) - loss_gained(&common);
    return loss_beyond(own, &common);
}

/* What a side has lost by board `ply` of the line, and not on the other line by then or a little later. What
 * the other line wins is not lost on this one. */
static PairLoss difference(const Candidate *line, int ply, const Candidate *other, bool by_us) {
    LineLoss own, there, early = line->early;
    PairLoss found = {.ply = rest_by(line, ply, &own)};
    if (found.ply <= line->early_ply) early = (LineLoss){.net = 0}; /* nothing is lost yet */
    found.other_ply = rest_by(other, ply + BETTER_LATER, &there);
    if (!by_us) {
        own = loss_mirrored(&own);
        there = loss_mirrored(&there);
        early = loss_mirrored(&early);
    }
    found.whole = own.net - there.net;
    found.loss = without_common(&own, &early, &there);
    return found;
}

/* Whether the loss at `row` of the line is as great at its later boards at rest and at the end of both. */
static bool is_kept(const Candidate *line, int row, const Candidate *other, bool by_us, int least) {
    for (int later = row + 1; later <= line->rest_count; later++) {
        const int ply = later < line->rest_count ? line->rest[later].ply : LINE_PLIES_MAX;
        const PairLoss lost = difference(line, ply, other, by_us);
        if (int_min(lost.whole, lost.loss.net) < least) return false;
    }
    return true;
}

/* Whether a piece of the loss was given away by board `ply`. */
static bool has_gift(const Candidate *line, int ply, bool by_us) {
    const uint64_t first_movers = UINT64_C(0x5555555555555555), takers = by_us ? ~first_movers : first_movers;
    return (line->gifts & takers & ((UINT64_C(1) << ply) - 1)) != 0;
}

/* A knight is as dear as a bishop. */
static int price(const LineLoss *loss) {
    return exchange_points(loss_dearest(loss)) + loss->lost_by_promotion;
}

PairLoss candidate_loss(const Candidate *line, const Candidate *other, bool by_us, const LossLimits *limits) {
    PairLoss dearest = {.ply = 0};
    for (int i = 0; i < line->rest_count && line->rest[i].ply <= limits->ply; i++) {
        const PairLoss lost = difference(line, line->rest[i].ply, other, by_us);
        const int net = lost.loss.net, in_the_end = difference(line, LINE_PLIES_MAX, other, by_us).whole;
        if (lost.whole < 1 || lost.whole > limits->most || net < 1) continue;
        if (int_max(lost.whole, in_the_end) < limits->least || net < limits->least_alone) continue;
        if (2 * net < lost.whole || 2 * lost.whole < net) continue; /* this line is not what makes it */
        const bool is_pawn = price(&lost.loss) <= exchange_points(PAWN);
        if ((limits->no_gifts || is_pawn) && has_gift(line, lost.ply, by_us)) continue;
        if (price(&lost.loss) > price(&dearest.loss) &&
            is_kept(line, i, other, by_us, int_max(1, int_min(lost.whole, net) - KEPT_BUT)))
            dearest = lost;
    }
    return dearest;
}

PairLoss candidate_loss_alone(const Candidate *line, bool by_us) {
    static const LossLimits ANY_LOSS = {
        .deepest_only = true, .no_gifts = true, .least = 1, .most = 100, .ply = LOSS_PLY};
    static const Candidate NOTHING = {.length = 0};
    return candidate_loss(line, &NOTHING, by_us, &ANY_LOSS);
}

static bool is_same(const LineLoss *a, const LineLoss *b) { return a->net == b->net || price(a) == price(b); }

/* The pairs that show a loss. */
typedef struct Votes {
    int count;
    CandidatePair row[CANDIDATES_MAX * CANDIDATES_MAX];
} Votes;

/* The weight of a vote: how many pairs show the same loss, times its points. A pawn that falls in each line
 * is not why a queen is lost in half of them. */
static int weight(const Votes *votes, int row) {
    const LineLoss *loss = &votes->row[row].lost.loss;
    int same = 0;
    for (int other = 0; other < votes->count; other++) same += is_same(loss, &votes->row[other].lost.loss);
    return same * int_min(loss->net, POINTS_COUNTED);
}

bool candidates_vote(const Candidates *lines, const Candidates *others, bool by_us, const LossLimits *limits,
                     CandidatePair *pair) {
    Votes votes = {.count = 0};
    for (int i = limits->deepest_only ? lines->count - 1 : 0; i < lines->count; i++)
        for (int j = limits->deepest_only ? others->count - 1 : 0; j < others->count; j++) {
            const PairLoss lost = candidate_loss(&lines->line[i], &others->line[j], by_us, limits);
            if (lost.loss.net > 0) votes.row[votes.count++] = (CandidatePair){i, j, lost};
        }
    int best = 0;
    for (int row = 0; row < votes.count; row++) {
        const int found = weight(&votes, row);
        if (found < best) continue;
        best = found;
        *pair = votes.row[row];
    }
    return best > 0;
}
