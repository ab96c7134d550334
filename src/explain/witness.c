#include "explain/witness.h"

#include "base/bits.h"
#include "explain/exchange.h"

enum {
    BETTER_LATER = 2,    /* plies that the other line may need more until its material counts */
    POINTS_COUNTED = 5,  /* of a loss when it is weighed: from a rook on it explains any score */
    WEIGHT_UNITS = 4096, /* of the whole of the pairs, for one point */
    CLAIMS_MAX = 2 * WITNESSES_MAX * WITNESSES_MAX
};

static PieceType dearest(const int count[PIECE_TYPE_COUNT]) {
    PieceType best = KING;
    for (PieceType type = PAWN; type < KING; type++)
        if (count[type] > 0) best = type;
    return best;
}

void witness_read(const Line *line, Witness *witness) {
    *witness = (Witness){.length = line->length};
    for (int i = 0; i < line->length; i++) witness->move[i] = line->move[i];
    for (int at = line_settled(line, 1); at >= 0; at = line_settled(line, at + 1)) {
        const LineLoss loss = line_loss(line, 0, at, line->board[0].side);
        const int row = witness->rest_count++;
        witness->rest[row].ply = at;
        witness->rest[row].net = loss.net;
        witness->rest[row].lost = dearest(loss.lost);
        witness->rest[row].gained = dearest(loss.gained);
        if (at >= line->length) break;
    }
}

/* Points lost by the last board at rest up to `ply` and a little after. */
static int net_at_rest(const Witness *line, int ply, int sign) {
    int net = 0;
    for (int i = 0; i < line->rest_count; i++)
        if (line->rest[i].ply <= ply + BETTER_LATER) net = sign * line->rest[i].net;
    return net;
}

Claim witness_claim(const Witness *line, const Witness *other, bool by_us, int most) {
    const int sign = by_us ? 1 : -1;
    for (int i = 0; i < line->rest_count; i++) {
        const int net = sign * line->rest[i].net;
        const int blame = net - net_at_rest(other, line->rest[i].ply, sign);
        if (net >= 1 && blame >= 1 && blame <= most)
            return (Claim){.points = net,
                           .dearest = by_us ? line->rest[i].lost : line->rest[i].gained,
                           .blame = blame,
                           .ply = line->rest[i].ply};
    }
    return (Claim){.dearest = KING};
}

/* A knight is as dear as a bishop. */
static int price(const Claim *claim) { return exchange_points(claim->dearest); }

static bool is_same(const Claim *a, const Claim *b) { return a->points == b->points || price(a) == price(b); }

/* One claim for each pair of lines, or none. */
typedef struct Ballot {
    int count;
    struct {
        Agreement pair;
        Claim claim;
    } row[CLAIMS_MAX];
} Ballot;

static void add(Ballot *ballot, Agreement pair, Claim claim) {
    if (claim.points == 0) return;
    ballot->row[ballot->count].pair = pair;
    ballot->row[ballot->count++].claim = claim;
}

/* How many lines ever rest: the others show neither a loss nor that there is none. */
static int count_resting(const Witnesses *witnesses) {
    int count = 0;
    for (int i = 0; i < witnesses->count; i++) count += witnesses->witness[i].rest_count > 0;
    return count;
}

/* How well a row of the ballot is founded: the share of the pairs that show the same, of all pairs that
 * could, times its points. A pawn that falls in each line is not why a queen is lost in half of them. */
static int weight(const Ballot *ballot, int row, int pairs) {
    int votes = 0;
    for (int other = 0; other < ballot->count; other++)
        votes += ballot->row[row].pair.is_missed == ballot->row[other].pair.is_missed &&
                 is_same(&ballot->row[row].claim, &ballot->row[other].claim);
    return WEIGHT_UNITS * votes * int_min(ballot->row[row].claim.points, POINTS_COUNTED) / pairs;
}

bool witness_agree(const Witnesses *played, const Witnesses *better, int most, Agreement *agreement) {
    Ballot ballot = {.count = 0};
    for (int i = 0; i < played->count; i++)
        for (int j = 0; j < better->count; j++) {
            const Witness *line = &played->witness[i], *other = &better->witness[j];
            add(&ballot, (Agreement){i, j, false}, witness_claim(line, other, true, most));
            add(&ballot, (Agreement){i, j, true}, witness_claim(other, line, false, most));
        }
    const int pairs_played = count_resting(played) * better->count;
    const int pairs_better = count_resting(better) * played->count;
    int best = -1;
    for (int row = 0; row < ballot.count; row++) {
        const bool is_missed = ballot.row[row].pair.is_missed;
        /* What the move itself loses is told rather than what it leaves to others; then the deepest lines. */
        const int found = 2 * weight(&ballot, row, is_missed ? pairs_better : pairs_played) + !is_missed;
        if (found < best) continue;
        best = found;
        *agreement = ballot.row[row].pair;
    }
    return best >= 0;
}
