/* One game between two engines, and its PGN. Runs on the calling thread. */
#ifndef LUFT_MATCH_MATCH_GAME_H
#define LUFT_MATCH_MATCH_GAME_H

#include "chess/game.h"
#include "lab/client/uci_client.h"
#include "lab/match/openings.h"
#include "tb/syzygy.h"

#include <time.h>

/* Which results of tablebases end a game. */
typedef enum TableRule { TABLES_BOTH, TABLES_WIN_LOSS, TABLES_DRAW } TableRule;

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
    TableRule table_rule;
    int table_pieces;      /* at most, kings counted; 0: as many as the tables know */
    bool table_ignores_50; /* wins and losses that the fifty-move rule makes draws stay what they are */
    const Syzygy *tables;  /* NULL: none */
} GameRules;

/* What the comments of a PGN have besides score, depth and times. */
typedef struct PgnDetails {
    bool nodes, seldepth, nps, hashfull, tbhits, timeleft;
    bool minimal; /* no comments at all */
    int notation; /* a choice of one: SAN */
} PgnDetails;

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

enum { GAME_NODES_KEPT = 64 };

/* Start from {0}; free with match_game_release. May be used again for another game. */
typedef struct MatchGame {
    Game played;
    time_t start;                               /* when it began */
    int book_count;                             /* how many moves came from the book: the first ones */
    Fault fault;                                /* with ENGINE_FAULT */
    Color at_fault;                             /* whose fault */
    char detail[FAULT_DETAIL_CAPACITY];         /* about the fault that ended the game */
    int warnings[COLOR_COUNT][FAULT_COUNT];     /* faults that did not end it: illegal and overlong PVs */
    char warning_detail[FAULT_DETAIL_CAPACITY]; /* about the first of them */
    int searches;                               /* of both engines, the one that failed included */
    int64_t search_wall, search_delay;          /* microseconds in them all; waited by engines */
    int nodes_kept[COLOR_COUNT];                /* how many of its moves have their nodes here, the first */
    int64_t nodes[COLOR_COUNT][GAME_NODES_KEPT];
} MatchGame;

typedef struct GameSetup {
    UciClient *players[COLOR_COUNT];
    PlayLimits limits[COLOR_COUNT];
    Opening opening;
    bool chess960;
    bool white_view[COLOR_COUNT]; /* this player's scores are White's */
    PgnDetails details;
    bool reproducible; /* no times in the comments, no date in the tags */
    const GameRules *rules;
    const atomic_bool *cancel; /* NULL: never */
    /* For the tags of the PGN only: */
    const char *event, *site, *names[COLOR_COUNT];
    int round, number; /* round.number, both from 1 */
} GameSetup;

/* Plays to the end. The players must be started; they are not restarted here. An error only for lack of
 * memory or an impossible opening: what engines do wrong is in the record. */
Status match_game_play(const GameSetup *setup, MatchGame *game);
void match_game_release(MatchGame *game);

/* "White mates", "Black loses on time": for people, in PGN's last comment and the log. */
void match_game_describe_end(const MatchGame *game, char *out, int capacity);

/* --- PGN --- */

/* Appends the comment of a move: {+0.31/14 0.052s, cpu 0.050s} is the mover's view, depth, wall time,
 * processor time; with ", wait 0.004s" when the move was delayed by a millisecond or more for want of a
 * processor. The details follow, where the engine gave them: {..., nodes 1234, seldepth 20, left 9.81s};
 * `left` are the microseconds on the clock after the move. */
void match_game_append_comment(const SearchReport *report, bool reproducible, const PgnDetails *details,
                               int64_t left, TextBuffer *out);

/* What a game says of the position before a ply, as its side to move sees it: a score at the beginning of the
 * comment after the move, as match runners write it ("+0.35/12 0.1s", "-M5/9"), or [%eval 0.35] in one before
 * the move. Other numbers in comments are no scores. */
UciScore match_game_score_before(const Game *game, int ply);

/* Sets the tags of the game and appends its PGN to `out`. */
Status match_game_write_pgn(MatchGame *game, const GameSetup *setup, TextBuffer *out);

#endif
