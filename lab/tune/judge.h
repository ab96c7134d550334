/* How good the moves of a search are, by a much longer search of the same engine. A game gives one noisy
 * result; judging each move gives many. But it sees only what the referee sees, which shares the errors of
 * the evaluation, and nothing of what only whole games show.
 *
 * The positions are stretches of games: positions of one side to move, searched in order and without clearing
 * the table between them, as in a game. A move is worth the expected score (chances.h) that the long search
 * gives the position after it. That search starts with empty tables and is made once for each move; its
 * judgement is kept in a journal. Any thread may call with its own engines. */
#ifndef LUFT_TUNE_JUDGE_H
#define LUFT_TUNE_JUDGE_H

#include "chess/types.h"
#include "lab/client/uci_client.h"

enum {
    JUDGE_POSITIONS = 6,     /* of a stretch */
    JUDGE_FIRST_PLY = 8,     /* of a game: the earliest start of a stretch */
    JUDGE_SCORE_LIMIT = 450, /* centipawns: a stretch of a decided game says nothing */
    JUDGE_STRETCHES_MAX = 1000000,
    JUDGE_NODES_MIN = 100 /* of a judgement: with less an engine may have no score */
};

typedef struct JudgeSettings {
    const char *games;   /* a PGN file; a stretch of each game, of those long enough */
    const char *journal; /* where the judgements are kept; must outlive the judge */
    const char *referee; /* what judge_identify_referee writes: another referee needs another journal */
    const char *remedy;  /* what to do where the journal is of another referee; ends the sentence */
    int64_t stretches;   /* at most */
    uint64_t nodes;      /* of a judgement */
    uint64_t seed;       /* which games, and where in them */
    bool skip_faults;    /* of the games: go on without what cannot be read */
} JudgeSettings;

typedef struct Judge Judge;

/* Identifies a referee: its name, its nodes, and its answers in a few positions, which differ between builds
 * and networks of one name. A referee that answers differently each time (several threads) cannot be
 * recognised. */
Status judge_identify_referee(UciClient *referee, uint64_t nodes, TextBuffer *out);

/* Reads the games and the judgements that were made before. The reason of a failure names the file and what
 * is wrong: no game that is long enough, a journal of another referee. */
Status judge_open(const JudgeSettings *settings, Judge **judge);
void judge_close(Judge *judge); /* NULL is fine */

int64_t judge_stretches(const Judge *judge);
int64_t judge_judgements(Judge *judge); /* known by now */

/* Lines that distinguish this judge from others: referee and stretches. */
void judge_describe(const Judge *judge, TextBuffer *lines);

/* The two engines of a thread: the player that is judged, with `nodes` a move, and the referee. */
typedef struct JudgeEngines {
    UciClient *player, *referee;
    uint64_t nodes;
} JudgeEngines;

typedef struct JudgePassage {
    double worth;                /* expected scores, added up */
    Move moves[JUDGE_POSITIONS]; /* what the player chose */
    Fault fault;                 /* FAULT_CANCELLED when it was interrupted */
    bool by_referee;             /* whose fault */
    char detail[FAULT_DETAIL_CAPACITY];
} JudgePassage;

/* Lets the player search a stretch. An error only for the journal, for lack of memory or for a referee that
 * gives no scores: other faults of engines are in the passage. */
Status judge_pass(Judge *judge, int64_t stretch, const JudgeEngines *engines, JudgePassage *passage);

/* --- Engines compared by the worth of their moves: all search the same stretches. --- */

typedef struct JudgeComparison {
    EngineList engines;  /* two or more, complete, with a limit of nodes */
    EngineList referee;  /* one; none: the first of the engines judges */
    JudgeSettings judge; /* without its `referee` and `remedy` */
    int concurrency;
    bool quiet;
} JudgeComparison;

/* Appends a table in Markdown, of the stretches that all engines finished. Reports faults on standard error;
 * ten of one engine in a row end the comparison. */
Status judge_compare(const JudgeComparison *settings, TextBuffer *table);

#endif
