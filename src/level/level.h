/* An opponent of a given strength. It is weak because it overlooks moves, searches few nodes, chooses among
 * root moves by what they promise to a player of its strength, and misjudges positions, in this order of
 * weight. Time never decides.
 *
 * What it overlooks, likes and misjudges is keyed: a hash of the move (or the position), the seed of the game
 * and a window of a few moves takes the place of a random number. So the same seed gives the same game, an
 * oversight lasts, and it is noticed some moves later. Whatever a level sees, a stronger one with the same
 * seed sees too.
 *
 * Strength has two scales. `elo` is that of UCI_Elo, like the rating lists of engines; level_human gives
 * ratings of people in blitz at Lichess. Integers only, so that every machine plays the same. Pure; any
 * thread may call. docs/levels.md explains the numbers. */
#ifndef LUFT_LEVEL_LEVEL_H
#define LUFT_LEVEL_LEVEL_H

#include "chess/position.h"

enum {
    LEVEL_ELO_MIN = 600,
    LEVEL_ELO_MAX = 3000,
    LEVEL_ELO_HUMAN_MAX = 2800, /* no rating of people is known above */
    LEVEL_NODES_AT_ONCE = 2000, /* a level that searches no more than these looks at no clock: up to 2100 */
    LEVEL_RECENT = 2
};

/* One opponent at one move. A search has a pointer to it, NULL at full strength. */
typedef struct Level {
    int elo;
    uint64_t nodes;            /* for this move */
    int lines;                 /* root moves among which it chooses */
    int root;                  /* sight in points of its own moves at the root ... */
    int own;                   /* ... of its further moves on a line ... */
    int reply;                 /* ... and of the replies: 72 points are 100 of the rating of a puzzle */
    int spread;                /* of its liking for moves: permille of a point, one standard deviation */
    int noise;                 /* of its judgement: internal units, one standard deviation */
    int slope;                 /* how fast its expected score rises with the score: see level_expected */
    bool paces;                /* it answers as late as a person would */
    uint64_t seed;             /* of the game */
    int fullmove;              /* of the root: where the windows stand */
    Move recent[LEVEL_RECENT]; /* the last move of the game and the one before; MOVE_NONE where unknown */
} Level;

/* The opponent of strength `elo` (held within the limits), about to move in `root`. From 1300 on it has the
 * technique to mate a lone king: nothing is overlooked there. */
Level level_at(int elo, uint64_t seed, const Position *root, const Move recent[LEVEL_RECENT]);

/* The rating of people in blitz at Lichess that fits, and back; not held within the limits. Good to about 100
 * points from 1300 to LEVEL_ELO_HUMAN_MAX, a guess below. */
int level_human(int elo);
int level_elo_of_human(int human);

/* The strength of `Skill Level` 0 to 19. */
enum { LEVEL_SKILL_MAX = 20 /* full strength */ };
static inline int level_elo_of_skill(int skill) { return LEVEL_ELO_MIN + 120 * skill; }

/* What a side looks at in one node. */
typedef struct Sight {
    const Level *level; /* NULL: it sees all */
    int ply;
    int carried; /* points of the level's own moves that led here */
    int crowd;   /* at the root: points for its captures and checks, among which it must find the right one */
    Square own;  /* where the level's last move on this line ended; NO_SQUARE: there was none */
    Square last; /* where the move that led here ended */
    Square before; /* where the last move of the side to move ended */
    Bitboard threats;
    CheckSquares checks;
} Sight;

/* `last` and `before` are the moves one and two plies back, MOVE_NONE or MOVE_NULL where there are none;
 * `carried` is the sum of level_points over the level's own moves on the way from the root. */
Sight level_sight(const Level *level, const Position *pos, int ply, Move last, Move before, int carried);

/* How well a legal move is seen for its kind and place. One that is hard to see leaves less sight for what
 * follows it. */
int level_points(const Sight *sight, const Position *pos, Move move);

/* Whether a legal move is seen. Evasions, promotions, recaptures, and captures by a pawn of what has just
 * moved always are: even beginners find them. */
bool level_sees(const Sight *sight, const Position *pos, Move move);

/* Removes the legal moves that are not seen; returns how many are left. With `keeps_one` the last one stays:
 * that which is seen best. */
int level_filter(const Sight *sight, const Position *pos, Move *moves, int count, bool keeps_one);

/* How it misjudges the position, in internal units: less as pieces leave the board. */
int level_noise(const Level *level, const Position *pos);

/* The score in permille of a point that it expects, from a search's score that is no mate. */
int level_expected(const Level *level, int score);

/* How much it likes a move beyond what it expects, in permille of a point. */
int level_liking(const Level *level, const Position *root, Move move);

/* Microseconds that it takes for its move, where `soft` is a fair share of the clock and `hard` all that may
 * be used. People think where thinking pays (Russek and others, Cognitive Science 2025): `gain` is the
 * expected score of its move, less that of the move which looked best at first, in permille. */
int64_t level_pace(const Level *level, const Position *root, int64_t soft, int64_t hard, int gain);

#endif
