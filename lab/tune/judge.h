/* How good the moves of a search are, as a much longer search of the same engine sees them. A game says one
 * thing at its end, and mostly noise; a judged move says a little at once. But it says only what the referee
 * sees, who shares the prejudices of the evaluation, and nothing of what only whole games show.
 *
 * The positions are stretches of games: moves of one side, searched in order and without forgetting between
 * them, as in a game. A move is worth the expected score (wins and half the draws, by chances.h) that the
 * long search gives the position behind it; that search starts from nothing and is made once for each move,
 * its judgement kept in a journal. Any thread may call with its own engines. */
#ifndef LUFT_TUNE_JUDGE_H
#define LUFT_TUNE_JUDGE_H

#include "chess/types.h"
#include "lab/client/uci_client.h"

enum {
    JUDGE_POSITIONS = 6,     /* of a stretch */
    JUDGE_FIRST_PLY = 8,     /* of a game: where a stretch begins at the earliest */
    JUDGE_SCORE_LIMIT = 450, /* centipawns: a stretch of a decided game says nothing */
    JUDGE_STRETCHES_MAX = 1000000,
    JUDGE_NODES_MIN = 100 /* of a judgement: with less an engine may have no score */
};

typedef struct JudgeSettings {
    const char *games;   /* a PGN file; a stretch of each game, of those long enough */
    const char *journal; /* where the judgements are kept; must outlive the judge */
    const char *referee; /* what judge_know_referee says of who judges: another, another journal */
    int64_t stretches;   /* at most */
    uint64_t nodes;      /* of a judgement */
    uint64_t seed;       /* which games, and where in them */
} JudgeSettings;

typedef struct Judge Judge;

/* What a referee is known by: its name, its nodes, and what it answers in a few positions. Builds and
 * networks of one name are told apart by that; one that answers differently each time (several threads)
 * cannot be known again. */
Status judge_know_referee(UciClient *referee, uint64_t nodes, TextBuffer *out);

/* Reads the games and the judgements that were made before. The reason of a failure names the file and what
 * is wrong: no game that is long enough, a journal of another referee. */
Status judge_open(const JudgeSettings *settings, Judge **judge);
void judge_close(Judge *judge); /* NULL is fine */

int64_t judge_stretches(const Judge *judge);
int64_t judge_judgements(Judge *judge); /* known by now */

/* Lines that tell this judge from others: referee and stretches. */
void judge_describe(const Judge *judge, TextBuffer *lines);

/* The two engines of a thread: the player that is judged, with `nodes` a move, and the referee. */
typedef struct JudgeEngines {
    UciClient *player, *referee;
    uint64_t nodes;
} JudgeEngines;

typedef struct JudgePassage {
    double worth;                /* expected scores, added up */
    Move moves[JUDGE_POSITIONS]; /* what the player chose */
    Fault fault;                 /* FAULT_CANCELLED when it was broken off */
    bool by_referee;             /* whose fault */
    char detail[FAULT_DETAIL_CAPACITY];
} JudgePassage;

/* Lets the player go through a stretch. An error only for the journal, for lack of memory or for a referee
 * that gives no scores: what else engines do wrong is in the passage. */
Status judge_pass(Judge *judge, int64_t stretch, const JudgeEngines *engines, JudgePassage *passage);

#endif
