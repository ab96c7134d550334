/* Games of the engine against itself inside one process: the players, the openings. For data generation and
 * for matches between networks. Each player by one thread at a time. */
#ifndef LUFT_SELFPLAY_SELFPLAY_H
#define LUFT_SELFPLAY_SELFPLAY_H

#include "base/field.h"
#include "base/rng.h"
#include "lab/data/recorded.h"
#include "lab/match/adjudication.h"
#include "nnue/network.h"
#include "tb/syzygy.h"

#include <stdbool.h>
#include <stdint.h>

/* The network that a word names: a file; "random", "random:WIDTH" or "random:WIDTH:SEED" (generation 0;
 * 32 and 1 unless given); NULL or "" the one inside this program. NULL with the reason. */
Network *selfplay_open_network(const char *word, Status *status);

/* A searcher with its own table. */
typedef struct Player Player;

Player *player_create(const Network *network, size_t hash_megabytes, Status *status);
void player_destroy(Player *player); /* NULL is fine */

/* From now on it asks these tables, which must outlive it; NULL: none. */
void player_use_tables(Player *player, const Syzygy *tables);

/* Forgets the last game. */
void player_new_game(Player *player);

/* What one move may cost: no iteration begins past `soft` nodes, none goes on past `hard` (0: no limit). */
typedef struct MoveBudget {
    uint64_t soft, hard;
} MoveBudget;

typedef struct PlayerMove {
    Move move;
    int score; /* White's view */
    uint64_t nodes;
} PlayerMove;

/* The position must have a legal move. */
PlayerMove player_choose(Player *player, const Position *pos, MoveBudget budget);

/* What ends a game of two players, and what their moves cost. */
typedef struct PairRules {
    MoveBudget budget;
    const Adjudication *adjudication;       /* on the scores of both */
    void (*turn)(void *context, int mover); /* called before each search; NULL: nothing */
    void *context;
} PairRules;

/* One game from `start`, with fresh tables; `white` is the player with White. Returns half points for player
 * 0. */
int players_play_game(const PairRules *rules, Player *const players[2], const Position *start, int white);

/* A random move to a position that the player's last search visited. MOVE_NONE where there is none: a leaf.
 */
Move player_step_inside(const Player *player, const Position *pos, Rng *rng);

/* The random move that seeded.h gives for this ply. */
Move selfplay_random_move(const Position *pos, uint64_t key, int ply);

/* How games begin. */
typedef struct OpeningSettings {
    int plies;       /* random ones; every other game has one more, so that both sides come to move first */
    double chess960; /* share of games that begin from two random Chess960 arrays */
    double endings;  /* share of games that begin with six to ten pieces anywhere, without random moves */
    bool check;      /* only openings that a player finds playable */
    int score_limit; /* ... within this many internal units */
    int endings_score_limit; /* ... and those with few pieces within this many */
    uint64_t check_nodes;
} OpeningSettings;

/* Starts game `number` of a run and plays random moves that drop no piece at once, recorded without scores;
 * `pos` is then the position reached, which is not over. The check is made by `player` (unused without one).
 * Returns the key of what the seed gives this game. */
uint64_t selfplay_opening(const OpeningSettings *settings, Player *player, uint64_t seed, uint64_t number,
                          RecordedGame *game, Position *pos);

/* How games begin, and what ends them. */
extern const Field OPENING_FIELDS[], ADJUDICATION_FIELDS[];

#endif
