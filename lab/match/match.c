#include "lab/match/match.h"

static int pairings(const MatchSetup *setup) {
    const int n = setup->engine_count;
    return setup->kind == MATCH_GAUNTLET ? n - 1 : n * (n - 1) / 2;
}

int match_pair_count(const MatchSetup *setup) { return pairings(setup) * setup->pairs; }

void match_pairing(const MatchSetup *setup, int index, int *first, int *second, int *round) {
    int place = index % pairings(setup);
    *round = index / pairings(setup);
    *first = 0;
    *second = place + 1;
    if (setup->kind == MATCH_GAUNTLET) return;
    int opponents = setup->engine_count - 1; /* of the first engine, among those not yet counted */
    while (place >= opponents) {
        place -= opponents--;
        ++*first;
    }
    *second = *first + 1 + place;
}

void match_totals_release(MatchTotals *totals) { tally_table_release(&totals->table); }
