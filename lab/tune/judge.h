/* How good the moves of a search are, as a much longer search of the same engine sees them. A game says one
 * thing at its end, and mostly noise; a judged move says a little at once. To compare two players this way
 * takes several times fewer nodes than games do, but it cannot feel what only whole games show.
 *
 * The positions are stretches of games: each of its moves by one side, searched in order and without
 * forgetting between them, as in a game. A move is worth the expected score (wins and half the draws, by
 * chances.h) that the long search gives the position behind it; that search starts from nothing and is made
 * once for each move, its judgement kept in a journal. Any thread may call with engines of its own. */
#ifndef LUFT_TUNE_JUDGE_H
#define LUFT_TUNE_JUDGE_H

#include "chess/types.h"
#include "lab/match/uci_client.h"

enum {
    JUDGE_POSITIONS = 6,     /* of a stretch */
    JUDGE_FIRST_PLY = 8,     /* of a game: where a stretch begins at the earliest */
    JUDGE_SCORE_LIMIT = 450, /* centipawns: a stretch of a decided game says nothing */
    JUDGE_STRETCHES_MAX = 1000000
};

typedef struct JudgeSettings {
    const char *games;   /* a PGN file; a stretch of each game, of those long enough */
    const char *journal; /* where the judgements are kept; must outlive the judge */
    const char *referee; /* who judges, in words: other words, another journal */
    int64_t stretches;   /* at most */
    uint64_t nodes;      /* of a judgement */
    uint64_t seed;       /* which games, and where in them */
} JudgeSettings;

typedef struct Judge Judge;

/* Reads the games and the judgements that were made before. The reason of a failure names the file and what
 * is wrong: no game that is long enough, a journal of other games. */
Status judge_open(const JudgeSettings *settings, Judge **judge);
void judge_close(Judge *judge); /* NULL is fine */

/* An engine as a referee, for JudgeSettings: its program, the name it gives itself, its options. */
void judge_describe_referee(const EngineConfig *config, const char *name, TextBuffer *out);

int64_t judge_stretches(const Judge *judge);
int64_t judge_judgements(Judge *judge); /* known by now */

/* The two engines of a thread: who is judged, with so many nodes a move, and who judges. */
typedef struct JudgeSeats {
    UciClient *player, *referee;
    uint64_t nodes;
} JudgeSeats;

typedef struct JudgePassage {
    double worth;                /* expected scores, added up */
    Move moves[JUDGE_POSITIONS]; /* what the player chose */
    Fault fault;                 /* FAULT_CANCELLED when it was broken off */
    bool by_referee;             /* whose fault */
    char detail[FAULT_DETAIL_CAPACITY];
} JudgePassage;

/* Lets the player go through a stretch. An error only for the journal or for lack of memory: what engines do
 * wrong is in the passage. */
Status judge_pass(Judge *judge, int64_t stretch, const JudgeSeats *seats, JudgePassage *passage);

#endif
