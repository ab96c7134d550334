/* Counting results: what a match knows after each pair. Plain data. */
#ifndef LUFT_MATCH_TALLY_H
#define LUFT_MATCH_TALLY_H

#include "chess/game.h"
#include "lab/match/match_game.h"
#include "lab/match/stats.h"

/* What a journal keeps of a game. */
typedef struct GameSummary {
    GameResult result;
    GameEnd end;
    Fault fault;
    Color at_fault;
    int plies;
    int warnings[COLOR_COUNT][FAULT_COUNT];
} GameSummary;

/* Two games from one opening; `first` has White in game[0] and Black in game[1]. */
typedef struct PairResult {
    int index;         /* place in the schedule, from 0 */
    int round;         /* which pair of this pairing, from 0 */
    int first, second; /* engines */
    bool restored;     /* read from the journal, not played now */
    int outcome;       /* half points of `first` in both games: 0 to 4; indexes a pentanomial */
    GameSummary game[2];
} PairResult;

/* One engine's results against one other, from its own side. */
typedef struct Tally {
    PairCounts penta; /* pairs by half points: LL, LD, .., WD, WW */
    int64_t wins[COLOR_COUNT], draws[COLOR_COUNT], losses[COLOR_COUNT]; /* by own colour */
    int64_t endings[GAME_ENDS];
} Tally;

/* Adds a pair as seen by its first (or, with `second`, by its second) engine. */
void tally_add(Tally *tally, const PairResult *pair, bool second);
int64_t tally_wins(const Tally *tally);
int64_t tally_draws(const Tally *tally);
int64_t tally_losses(const Tally *tally);

/* All engines' results against all. Start with tally_table_create; faults[engine * FAULT_COUNT + fault]. */
typedef struct TallyTable {
    int engines;
    Tally *cells;    /* cells[a * engines + b]: a against b, seen by a */
    int64_t *faults; /* games lost by each fault, and warnings */
} TallyTable;

bool tally_table_create(TallyTable *table, int engines);
void tally_table_release(TallyTable *table);
void tally_table_add(TallyTable *table, const PairResult *pair);
const Tally *tally_table_cell(const TallyTable *table, int engine, int opponent);
Tally tally_table_total(const TallyTable *table, int engine); /* against all */
int64_t tally_table_faults(const TallyTable *table, int engine, Fault fault);

#endif
