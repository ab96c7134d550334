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

void candidate_read(const Line *line, Candidate *candidate) {
    *candidate = (Candidate){.length = line->length};
    for (int i = 0; i < line->length; i++) candidate->move[i] = line->move[i];
    for (int at = line_settled(line, 1); at >= 0; at = at < line->length ? line_settled(line, at + 1) : -1) {
        const LineLoss loss = line_loss(line, 0, at, line->board[0].side);
        int ply = 1;
        while (ply < at && !loss_equals(line_loss(line, 0, ply, line->board[0].side), loss)) ply++;
        if (candidate->rest_count > 0 && candidate->rest[candidate->rest_count - 1].ply >= ply) continue;
        const int row = candidate->rest_count++;
        candidate->rest[row].ply = ply;
        candidate->rest[row].loss = loss;
    }
}

/* The last board at rest up to `ply`, or the first one after it; the root where there is none. */
static int rest_by(const Candidate *line, int ply, LineLoss *loss) {
    int row = 0;
    while (row + 1 < line->rest_count && line->rest[row + 1].ply <= ply) row++;
    *loss = line->rest_count > 0 ? line->rest[row].loss : (LineLoss){.net = 0};
    return line->rest_count > 0 ? line->rest[row].ply : 0;
}

/* What a side has lost by board `ply` of the line, and not on the other line by then or a little later. */
static PairLoss difference(const Candidate *line, int ply, const Candidate *other, bool by_us) {
    LineLoss loss, there;
    const int rest = rest_by(line, ply, &loss), other_rest = rest_by(other, ply + BETTER_LATER, &there);
    const LineLoss beyond = loss_beyond(&loss, &there);
    return (PairLoss){by_us ? beyond : loss_mirrored(&beyond), rest, other_rest};
}

/* Whether what is lost is taken on the line, and not what the other line takes. */
static bool is_taken(const Candidate *line, const Candidate *other, const PairLoss *lost, bool by_us) {
    LineLoss loss, there;
    (void)rest_by(line, lost->ply, &loss);
    (void)rest_by(other, lost->other_ply, &there);
    const int taken = by_us ? loss_lost(&loss) - loss_lost(&there) : loss_gained(&loss) - loss_gained(&there);
    return 2 * taken >= lost->loss.net;
}

/* Whether the loss at `row` of the line is as great at its later boards at rest and at the end of both. */
static bool is_kept(const Candidate *line, int row, const Candidate *other, bool by_us, int net) {
    const int least = int_max(1, net - KEPT_BUT);
    for (int later = row + 1; later < line->rest_count; later++)
        if (difference(line, line->rest[later].ply, other, by_us).loss.net < least) return false;
    return difference(line, LINE_PLIES_MAX, other, by_us).loss.net >= least;
}

PairLoss candidate_loss(const Candidate *line, const Candidate *other, bool by_us, const LossLimits *limits) {
    for (int i = 0; i < line->rest_count && line->rest[i].ply <= limits->ply; i++) {
        const PairLoss lost = difference(line, line->rest[i].ply, other, by_us);
        const int net = lost.loss.net;
        if (net >= limits->least && net <= limits->most && is_taken(line, other, &lost, by_us) &&
            is_kept(line, i, other, by_us, net))
            return lost;
    }
    return (PairLoss){.ply = 0};
}

/* A knight is as dear as a bishop. */
static int price(const LineLoss *loss) { return exchange_points(loss_dearest(loss)); }

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
