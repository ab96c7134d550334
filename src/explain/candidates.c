#include "explain/candidates.h"

#include "base/bits.h"
#include "explain/exchange.h"

enum {
    BETTER_LATER = 2,    /* plies that the other line may need more until its material counts */
    POINTS_COUNTED = 5,  /* of a loss when it is weighed: from a rook on it explains any score */
    WEIGHT_UNITS = 4096, /* of the whole of the pairs, for one point */
    LOSSES_MAX = 2 * CANDIDATES_MAX * CANDIDATES_MAX
};

static PieceType dearest(const int count[PIECE_TYPE_COUNT]) {
    PieceType best = KING;
    for (PieceType type = PAWN; type < KING; type++)
        if (count[type] > 0) best = type;
    return best;
}

void candidate_read(const Line *line, Candidate *candidate) {
    *candidate = (Candidate){.length = line->length};
    for (int i = 0; i < line->length; i++) candidate->move[i] = line->move[i];
    for (int at = line_settled(line, 1); at >= 0; at = line_settled(line, at + 1)) {
        const LineLoss loss = line_loss(line, 0, at, line->board[0].side);
        const int row = candidate->rest_count++;
        candidate->rest[row].ply = at;
        candidate->rest[row].net = loss.net;
        candidate->rest[row].lost = dearest(loss.lost);
        candidate->rest[row].gained = dearest(loss.gained);
        if (at >= line->length) break;
    }
}

/* Points lost by the last board at rest up to `ply` and a little after. */
static int net_at_rest(const Candidate *line, int ply, int sign) {
    int net = 0;
    for (int i = 0; i < line->rest_count; i++)
        if (line->rest[i].ply <= ply + BETTER_LATER) net = sign * line->rest[i].net;
    return net;
}

PairLoss candidate_loss(const Candidate *line, const Candidate *other, bool by_us, int most) {
    const int sign = by_us ? 1 : -1;
    for (int i = 0; i < line->rest_count; i++) {
        const int net = sign * line->rest[i].net;
        const int excess = net - net_at_rest(other, line->rest[i].ply, sign);
        if (net >= 1 && excess >= 1 && excess <= most)
            return (PairLoss){.points = net,
                              .dearest = by_us ? line->rest[i].lost : line->rest[i].gained,
                              .excess = excess,
                              .ply = line->rest[i].ply};
    }
    return (PairLoss){.dearest = KING};
}

/* A knight is as dear as a bishop. */
static int price(const PairLoss *loss) { return exchange_points(loss->dearest); }

static bool is_same(const PairLoss *a, const PairLoss *b) {
    return a->points == b->points || price(a) == price(b);
}

/* The pairs that show a loss. */
typedef struct Votes {
    int count;
    CandidatePair row[LOSSES_MAX];
} Votes;

static void add(Votes *votes, CandidatePair pair) {
    if (pair.loss.points > 0) votes->row[votes->count++] = pair;
}

/* How many lines ever rest: the others show neither a loss nor that there is none. */
static int count_resting(const Candidates *candidates) {
    int count = 0;
    for (int i = 0; i < candidates->count; i++) count += candidates->line[i].rest_count > 0;
    return count;
}

/* The weight of a vote: the share of the pairs that show the same loss, of all pairs that could, times its
 * points. A pawn that falls in each line is not why a queen is lost in half of them. */
static int weight(const Votes *votes, int row, int pairs) {
    const CandidatePair *vote = &votes->row[row];
    int same = 0;
    for (int other = 0; other < votes->count; other++)
        same +=
            vote->is_missed == votes->row[other].is_missed && is_same(&vote->loss, &votes->row[other].loss);
    return WEIGHT_UNITS * same * int_min(vote->loss.points, POINTS_COUNTED) / pairs;
}

bool candidates_vote(const Candidates *played, const Candidates *better, int most, CandidatePair *pair) {
    Votes votes = {.count = 0};
    for (int i = 0; i < played->count; i++)
        for (int j = 0; j < better->count; j++) {
            const Candidate *line = &played->line[i], *other = &better->line[j];
            add(&votes, (CandidatePair){i, j, false, candidate_loss(line, other, true, most)});
            add(&votes, (CandidatePair){i, j, true, candidate_loss(other, line, false, most)});
        }
    const int pairs_played = count_resting(played) * better->count;
    const int pairs_better = count_resting(better) * played->count;
    int best = -1;
    for (int row = 0; row < votes.count; row++) {
        const bool is_missed = votes.row[row].is_missed;
        /* What the move itself loses comes before what it misses; then the deepest lines. */
        const int found = 2 * weight(&votes, row, is_missed ? pairs_better : pairs_played) + !is_missed;
        if (found < best) continue;
        best = found;
        *pair = votes.row[row];
    }
    return best >= 0;
}
