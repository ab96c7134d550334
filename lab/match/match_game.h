/* One game between two engines. Runs on the calling thread. */
#ifndef LUFT_MATCH_MATCH_GAME_H
#define LUFT_MATCH_MATCH_GAME_H

#include "chess/game.h"
#include "lab/client/uci_client.h"
#include "lab/match/openings.h"

/* Adjudication. A count of 0 switches a rule off. */
typedef struct GameRules {
    int draw_from_move;   /* full moves played before a draw may be adjudicated */
    int draw_moves;       /* consecutive moves of both sides ... */
    int draw_score;       /* ... within this many centipawns of 0 */
    int resign_moves;     /* consecutive moves ... */
    int resign_score;     /* ... with this many centipawns lost */
    bool resign_twosided; /* and the other side agrees */
    int max_moves;        /* full moves, then a draw */
    bool check_every_pv;  /* not only the last one of each search */
} GameRules;

/* What test frameworks customarily adjudicate: a win when for four moves both sides say six pawns or more, a
 * draw when from move 40 on both say for eight moves that neither side is better. */
static inline GameRules game_rules_customary(void) {
    return (GameRules){.draw_from_move = 40,
                       .draw_moves = 8,
                       .draw_score = 10,
                       .resign_moves = 4,
                       .resign_score = 600,
                       .resign_twosided = true};
}

typedef struct MoveRecord {
    Move move;
    bool book;
    UciScore score; /* side to move */
    int depth, selective_depth;
    uint64_t nodes;
    int64_t wall, cpu, engine_delay, runner_delay; /* microseconds */
} MoveRecord;

enum { PLAYER_FAULT_KINDS = FAULT_COUNT };

/* Start from {0}; free with match_game_release. May be used again for another game. */
typedef struct MatchGame {
    char fen[FEN_CAPACITY]; /* starting position */
    bool chess960;
    MoveRecord *moves;
    int move_count;
    int book_count; /* how many of these came from the book: the first ones */
    GameResult result;
    GameEnd end;
    Fault fault;                                   /* with ENGINE_FAULT */
    Color guilty;                                  /* whose fault */
    char detail[FAULT_DETAIL_CAPACITY];            /* about the fault that ended the game */
    int warnings[COLOR_COUNT][PLAYER_FAULT_KINDS]; /* faults that did not end it: illegal and overlong PVs */
    char warning_detail[FAULT_DETAIL_CAPACITY];    /* about the first of them */
    int64_t overdrawn; /* with a time fault: microseconds beyond clock and margin */
    int searches;      /* of both engines, the one that failed included */
    int64_t search_wall, search_cpu, search_delay; /* microseconds in them all; waited by engines */
} MatchGame;

typedef struct GameSetup {
    UciClient *players[COLOR_COUNT];
    PlayLimits limits[COLOR_COUNT];
    Opening opening;
    bool chess960;
    const GameRules *rules;
    const atomic_bool *cancel; /* NULL: never */
} GameSetup;

/* Plays to the end. The players must be started; they are not restarted here. An error only for lack of
 * memory or an impossible opening: what engines do wrong is in the record. */
Status match_game_play(const GameSetup *setup, MatchGame *record);
void match_game_release(MatchGame *record);

/* "White mates", "Black loses on time": for people, in PGN's last comment and the log. */
void match_game_describe_end(const MatchGame *record, char *out, int capacity);

#endif
