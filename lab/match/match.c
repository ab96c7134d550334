#include "lab/match/match.h"

#include "base/bits.h"
#include "base/memory.h"

#include <stdlib.h>

/* --- results --- */

void tally_add(Tally *tally, const PairResult *pair, bool second) {
    tally->penta.count[second ? 4 - pair->outcome : pair->outcome]++;
    tally->twins += pair->game[0].hash == pair->game[1].hash;
    for (int i = 0; i < 2; i++) {
        const GameSummary *game = &pair->game[i];
        const Color color = (i == 0) != second ? WHITE : BLACK;
        if (game->result == DRAWN)
            tally->draws[color]++;
        else if (game->result == game_won_by(color))
            tally->wins[color]++;
        else
            tally->losses[color]++;
        tally->endings[game->end]++;
    }
}

static void merge(Tally *into, const Tally *from) {
    for (int i = 0; i < PAIR_OUTCOMES; i++) into->penta.count[i] += from->penta.count[i];
    into->twins += from->twins;
    for (int color = WHITE; color <= BLACK; color++) {
        into->wins[color] += from->wins[color];
        into->draws[color] += from->draws[color];
        into->losses[color] += from->losses[color];
    }
    for (int i = 0; i < GAME_ENDS; i++) into->endings[i] += from->endings[i];
}

GameCounts tally_games(const Tally *tally) {
    return (GameCounts){.wins = tally->wins[WHITE] + tally->wins[BLACK],
                        .losses = tally->losses[WHITE] + tally->losses[BLACK],
                        .draws = tally->draws[WHITE] + tally->draws[BLACK]};
}

bool tally_table_create(TallyTable *table, int engines) {
    const size_t count = (size_t)engines;
    table->engines = engines;
    table->cells = memory_allocate(count * count * sizeof *table->cells);
    table->faults = memory_allocate(count * FAULT_COUNT * sizeof *table->faults);
    table->ignoring = memory_allocate(count * sizeof *table->ignoring);
    if (table->cells != NULL && table->faults != NULL && table->ignoring != NULL) return true;
    tally_table_release(table);
    return false;
}

void tally_table_release(TallyTable *table) {
    memory_release(table->cells);
    memory_release(table->faults);
    memory_release(table->ignoring);
    *table = (TallyTable){0};
}

static void add_faults(TallyTable *table, const GameSummary *game, const int players[COLOR_COUNT]) {
    if (game->end == ENGINE_FAULT) table->faults[players[game->at_fault] * FAULT_COUNT + (int)game->fault]++;
    for (int color = WHITE; color <= BLACK; color++)
        for (int fault = 0; fault < FAULT_COUNT; fault++)
            table->faults[players[color] * FAULT_COUNT + fault] += game->warnings[color][fault];
    if (game->end == ENGINE_FAULT && game->fault == FAULT_LIMIT)
        table->ignoring[players[game->at_fault]]++;
    else
        table->ignoring[players[WHITE]] = table->ignoring[players[BLACK]] = 0;
}

void tally_table_add(TallyTable *table, const PairResult *pair) {
    if (pair->repeated) {
        table->repeated++;
    } else {
        tally_add(&table->cells[pair->first * table->engines + pair->second], pair, false);
        tally_add(&table->cells[pair->second * table->engines + pair->first], pair, true);
    }
    add_faults(table, &pair->game[0], (const int[]){pair->first, pair->second});
    add_faults(table, &pair->game[1], (const int[]){pair->second, pair->first});
}

const Tally *tally_table_cell(const TallyTable *table, int engine, int opponent) {
    return &table->cells[engine * table->engines + opponent];
}

Tally tally_table_total(const TallyTable *table, int engine) {
    Tally total = {0};
    for (int opponent = 0; opponent < table->engines; opponent++)
        if (opponent != engine) merge(&total, tally_table_cell(table, engine, opponent));
    return total;
}

int64_t tally_table_faults(const TallyTable *table, int engine, Fault fault) {
    return table->faults[engine * FAULT_COUNT + (int)fault];
}

/* --- the set-up --- */

static int seeds_of(const MatchSetup *setup) { return int_max(setup->seeds, 1); }

int match_pairings(const MatchSetup *setup) {
    const int engines = setup->engine_count, seeds = seeds_of(setup);
    return setup->kind == MATCH_GAUNTLET ? seeds * (engines - seeds) : engines * (engines - 1) / 2;
}

int match_pair_count(const MatchSetup *setup) { return match_pairings(setup) * setup->pairs; }

bool match_is_fixed(const MatchSetup *setup) {
    for (int i = 0; i < setup->engine_count; i++) {
        const PlayLimits *limits = &setup->engines[i].limits;
        if (limits->has_clock || limits->move_time > 0) return false;
    }
    return true;
}

void match_pairing(const MatchSetup *setup, int index, int *first, int *second, int *round) {
    int place = index % match_pairings(setup);
    *round = index / match_pairings(setup);
    *first = 0;
    if (setup->kind == MATCH_GAUNTLET) {
        const int seeds = seeds_of(setup), others = setup->engine_count - seeds;
        *first = place / others;
        *second = seeds + place % others;
        return;
    }
    if (setup->kind == MATCH_PYRAMID) {
        for (*first = 1; place >= *first; ++*first) place -= *first;
        *second = place;
        return;
    }
    int opponents = setup->engine_count - 1; /* of the first engine, among those not yet counted */
    while (place >= opponents) {
        place -= opponents--;
        ++*first;
    }
    *second = *first + 1 + place;
}

static int compare_nodes(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t node_use_median(NodeUse *use) {
    qsort(use->nodes, (size_t)use->count, sizeof *use->nodes, compare_nodes);
    return use->count > 0 ? use->nodes[use->count / 2] : 0;
}

void match_totals_release(MatchTotals *totals) {
    tally_table_release(&totals->table);
    memory_release(totals->use);
    memory_release(totals->versions);
    totals->use = NULL;
    totals->versions = NULL;
}
