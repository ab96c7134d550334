/* A match: who plays whom and how, what it reports, its results so far, and what it cost. Plain data. */
#ifndef LUFT_MATCH_MATCH_H
#define LUFT_MATCH_MATCH_H

#include "base/field.h"
#include "chess/game.h"
#include "lab/match/match_game.h"
#include "lab/match/openings.h"
#include "lab/match/stats.h"

/* --- results --- */

/* What a journal keeps of a game. */
typedef struct GameSummary {
    GameResult result;
    GameEnd end;
    Fault fault;
    Color at_fault;
    int plies;
    int warnings[COLOR_COUNT][FAULT_COUNT];
    uint64_t hash; /* of the start position and the moves */
} GameSummary;

/* Two games from one opening; `first` has White in game[0] and Black in game[1]. */
typedef struct PairResult {
    int index;         /* place in the schedule, from 0 */
    int round;         /* which pair of this pairing, from 0 */
    int first, second; /* engines */
    bool restored;     /* read from the journal, not played now */
    bool repeated;     /* both games were played before, by the same engines: says nothing new */
    int outcome;       /* half points of `first` in both games: 0 to 4; indexes a pentanomial */
    GameSummary game[2];
} PairResult;

/* One engine's results against one other, from its own side. */
typedef struct Tally {
    PairCounts penta; /* pairs by half points: LL, LD, .., WD, WW */
    int64_t twins;    /* pairs whose two games have the same moves */
    int64_t wins[COLOR_COUNT], draws[COLOR_COUNT], losses[COLOR_COUNT]; /* by own colour */
    int64_t endings[GAME_ENDS];
} Tally;

/* Adds a pair as seen by its first (or, with `second`, by its second) engine. */
void tally_add(Tally *tally, const PairResult *pair, bool second);
GameCounts tally_games(const Tally *tally); /* with both colours */

/* All engines' results against all. Start with tally_table_create; faults[engine * FAULT_COUNT + fault]. */
typedef struct TallyTable {
    int engines;
    Tally *cells;     /* cells[a * engines + b]: a against b, seen by a */
    int64_t *faults;  /* games lost by each fault, and warnings */
    int *ignoring;    /* by engine: its last games, in a row, that were lost by ignoring the limit */
    int64_t repeated; /* pairs, which count for nothing else but faults */
} TallyTable;

bool tally_table_create(TallyTable *table, int engines);
void tally_table_release(TallyTable *table);
void tally_table_add(TallyTable *table, const PairResult *pair);
const Tally *tally_table_cell(const TallyTable *table, int engine, int opponent);
Tally tally_table_total(const TallyTable *table, int engine); /* against all */
int64_t tally_table_faults(const TallyTable *table, int engine, Fault fault);

/* --- the set-up --- */

typedef enum MatchKind {
    MATCH_ROUND_ROBIN,
    MATCH_GAUNTLET,
    MATCH_PYRAMID
} MatchKind; /* for two engines the same */

/* The files that grow with every pair: the games, and the positions in which they ended. */
typedef enum MatchFile { MATCH_PGN, MATCH_EPD, MATCH_FILES } MatchFile;

/* What a log has: faults and warnings; each game, too; all that engines get and say, too. */
typedef enum LogLevel { LOG_WARNINGS, LOG_GAMES, LOG_LINES } LogLevel;

enum { TEST_TEXT_CAPACITY = 96 };

typedef struct MatchSetup {
    WordList words; /* of the command line, which the journal keeps; none where it is no command of its own */
    const EngineConfig *engines;
    int engine_count;
    MatchKind kind; /* gauntlet: the seeds against each other engine; pyramid: each against those before it */
    int seeds;      /* of a gauntlet, the first engines; 0: one */
    int pairs;      /* of each pairing; 0: only what was played before is read */
    int concurrency;
    const OpeningBook *book;
    OpeningOptions openings;
    GameRules rules;
    bool chess960;
    int wait; /* milliseconds between two games of a thread */
    PgnDetails details;
    bool restore_only;        /* plays nothing: counts what was played before */
    const char *test;         /* the sequential test in words, which may change on the way; NULL: none */
    bool open_ended;          /* a test ends it: `pairs` is more than any test needs */
    bool pin;                 /* keep each game on its own processors */
    const char *pin_to;       /* the same, on these: "3,5,7-11", or "" for all; NULL: `pin` says it */
    bool reproducible;        /* no times, dates, or speeds in the PGN */
    bool again;               /* start over: the files of an earlier run are kept under other names */
    const char *tablebases;   /* folders of rules.tables; NULL: none */
    const char *pgn_path;     /* NULL: none */
    const char *epd_path;     /* NULL: none */
    const char *journal_path; /* NULL: none */
    const char *log_folder;   /* engines' standard error; NULL: thrown away */
    const char *log_path;     /* NULL: no log */
    int log_level;            /* a LogLevel */
    bool log_engines;         /* the same as LOG_LINES */
    const char *event, *site; /* PGN tags; NULL: defaults */
    int64_t start_timeout, stall_timeout; /* milliseconds; 0: see uci_client.h */
} MatchSetup;

/* Called under the match's lock, one at a time, from its threads. */
typedef struct MatchListener {
    void *context;
    /* After each finished pair, also for each one restored from the journal. False: stop the match; pairs
     * under way are abandoned and not counted. */
    bool (*pair_finished)(void *context, const PairResult *pair, const TallyTable *table);
    /* A line worth showing: a fault by name, a warning. */
    void (*notice)(void *context, const char *text);
    /* About twice a second while games go on. */
    void (*tick)(void *context);
} MatchListener;

/* The nodes that an engine said of its first moves in the first games played now. */
enum { NODES_KEPT = 1024 };
typedef struct NodeUse {
    int count;
    int64_t nodes[NODES_KEPT];
} NodeUse;

/* Of all that are kept; 0 when there are none. Sorts them. */
int64_t node_use_median(NodeUse *use);

/* What the match cost and met. */
typedef struct MatchTotals {
    TallyTable table;
    NodeUse *use;                         /* of each engine; NULL before the match */
    EngineVersion *versions;              /* the same; blank where nothing was played */
    int64_t pairs_played, pairs_restored; /* now; before */
    int64_t plies;                        /* played by engines now */
    int64_t replays;                      /* of games that the machine had decided */
    int64_t wall;                         /* microseconds */
    int64_t own_cpu;       /* microseconds of our own processor time, engines and heartbeat not included */
    int64_t heartbeat_cpu; /* microseconds of processor time that watching the machine took */
    int64_t engine_wall, engine_delay;   /* of all searches: how long they took; how long engines waited */
    bool stopped;                        /* by the listener or a signal */
    bool completed;                      /* all pairs are played */
    char begun_test[TEST_TEXT_CAPACITY]; /* the test that the match was begun with, where it is another one */
} MatchTotals;

/* How many pairs of engines meet in a round. */
int match_pairings(const MatchSetup *setup);

/* The number of pairs that the set-up means in all. */
int match_pair_count(const MatchSetup *setup);

/* Whether all engines search to a fixed depth or a fixed number of nodes: the same opening then gives the
 * same games again. */
bool match_is_fixed(const MatchSetup *setup);

/* Pair `index`: which engines, which pair between them. */
void match_pairing(const MatchSetup *setup, int index, int *first, int *second, int *round);

void match_totals_release(MatchTotals *totals);

#endif
