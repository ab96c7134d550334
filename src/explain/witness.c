#include "explain/witness.h"

#include "base/bits.h"
#include "explain/exchange.h"

enum {
    BETTER_LATER = 2, /* plies that the other line may need more until its material counts */
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

bool witness_agree(const Witnesses *played, const Witnesses *better, int most, Agreement *agreement) {
    Ballot ballot = {.count = 0};
    for (int i = 0; i < played->count; i++)
        for (int j = 0; j < better->count; j++) {
            const Witness *line = &played->witness[i], *other = &better->witness[j];
            add(&ballot, (Agreement){i, j, false}, witness_claim(line, other, true, most));
            add(&ballot, (Agreement){i, j, true}, witness_claim(other, line, false, most));
        }
    int best = -1;
    for (int a = 0; a < ballot.count; a++) {
        int votes = 0;
        for (int b = 0; b < ballot.count; b++)
            votes += ballot.row[a].pair.is_missed == ballot.row[b].pair.is_missed &&
                     is_same(&ballot.row[a].claim, &ballot.row[b].claim);
        /* What the move itself loses is told rather than what it leaves to others; then the deepest lines. */
        votes = 2 * votes + !ballot.row[a].pair.is_missed;
        if (votes >= best) {
            best = votes;
            *agreement = ballot.row[a].pair;
        }
    }
    return best >= 0;
}
