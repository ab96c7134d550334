/* From recorded games to training positions: decoded, filtered, split by game, all in memory, fully shuffled.
 * Called from one thread; it uses all cores itself. */
#ifndef LUFT_TRAIN_LOADER_H
#define LUFT_TRAIN_LOADER_H

#include "base/field.h"
#include "chess/game.h"
#include "lab/data/plyuse.h"
#include "lab/data/recorded.h"
#include "lab/kit/crew.h"
#include "tb/syzygy.h"

#include <stddef.h>
#include <stdint.h>

/* A position as the side to move sees it: that side is White here and its first rank is rank 1. 32 bytes. */
typedef struct TrainingPosition {
    uint64_t occupied;
    uint8_t pieces[16]; /* Piece of each occupied square, from a1 up, two to a byte, low half first */
    int16_t score;      /* internal units, side to move */
    uint8_t result;     /* 0 lost, 1 drawn, 2 won by the side to move */
    uint8_t king[2];    /* squares of the kings, own first */
    uint8_t count;      /* of pieces */
    uint8_t validation; /* the game is kept out of training */
    uint8_t spare;
} TrainingPosition;

/* Which plies are used, and how. */
typedef struct LoaderFilter {
    PlyFilter plies;
    double lambda;          /* weight of the next score in the target, next to a ply's own, 0 (none) to 1 */
    double draw_share;      /* of a draw in scores that the result contradicts, with few pieces, 0 to 1 */
    double scale;           /* units in the exponent of a score's winning chance, for both of these */
    double validation;      /* share of games kept for validation, 0 to 1: the same games whatever the seed */
    double skip_by_pieces;  /* chance to skip a position in training, times 1 - loader_weight, 0 to 1 */
    uint64_t seed;          /* of the shuffle */
    uint64_t max_positions; /* train on at most N, chosen at random; 0: all */
    const Syzygy *tables;   /* they know the result of positions with few pieces; NULL: none */
    /* Of the games, counted over all files, every `parts`th from number `part` on; those for validation are
     * all in part 0. 0 parts: all games. */
    uint64_t part, parts;
} LoaderFilter;

extern const Field LOADER_FIELDS[];

LoaderFilter loader_filter_default(void);

/* What each ply's score (White's view) becomes when the rest of the game has its say, as in temporal
 * difference learning (Sutton 1988): the lambda-return, a mean of the scores from here on in which each
 * counts `filter->lambda` times the one before, and the result has the remaining weight. Averaged as winning
 * chances. A ply without a score is a random move, and what follows it says nothing about what was before:
 * the mean ends there. `scores` has room for every ply. */
void loader_look_ahead(const RecordedGame *game, const LoaderFilter *filter, int *scores);

/* How much of a score is believed when the game was not won by the side that it favours: all of it with
 * LOADER_MIDDLEGAME_PIECES, 1 - `filter->draw_share` with LOADER_ENDGAME_PIECES. A search sees no further
 * than its score, so that a net taught by scores alone never finds out that a bishop and the wrong rook pawn
 * do not win; the end of the game does show it, and with few pieces it is seldom chance. Results that agree
 * with the score change nothing: they would only make it steeper. */
enum { LOADER_ENDGAME_PIECES = 4, LOADER_MIDDLEGAME_PIECES = 14 };
double loader_draw_share(const LoaderFilter *filter, int pieces);

/* How much a position with so many pieces is worth to training, 0 to 1: less in endings, of which games have
 * more than a net needs, and in openings, which are alike. The curve is that of Stockfish's data loader. */
double loader_weight(int pieces);

/* A score mixed with that share of a draw, as winning chances of this scale. Both in White's view. */
int loader_temper(int white_score, GameResult result, double share, double scale);

/* Asks the tables about the end of a game, and returns the first ply that they know (ply_count: none). For
 * those who learn, the game ends there: its result becomes theirs. A score from that ply on becomes what they
 * say of its own position: 0 for a draw, and for a win at least LOADER_TABLE_WIN for the side that wins. More
 * is left as it is, or a net would not learn which way a win comes nearer. Any thread. */
enum { LOADER_TABLE_WIN = 600 };
int loader_ask_tables(const Syzygy *tables, RecordedGame *game);

void loader_pack(const Position *pos, int white_score, GameResult result, TrainingPosition *out);

/* Back to a position that an evaluator accepts: pieces and side only; the side to move is White. */
void loader_unpack(const TrainingPosition *packed, Position *pos);

typedef struct TrainingSet {
    TrainingPosition *positions; /* first those for training, then those for validation; each part shuffled */
    size_t training, validation;
    uint64_t validation_games; /* those of `validation` */
    size_t allocated;          /* bytes */
    uint64_t games, plies;     /* read */
    /* Positions beyond +-LOADER_DECIDED_SCORE in games with a winner, and those whose score favours the
     * winner: where they are not many more than half, a sign is wrong somewhere (or the network was a random
     * one). */
    uint64_t decided, agreeing;
} TrainingSet;

enum { LOADER_DECIDED_SCORE = 100 };

/* Reads whole files, on the threads of the crew (NULL: one). Takes memory for the positions that pass, and
 * little more. On failure nothing is kept and the reason names file and offset: of the first block that
 * failed, whatever the threads. A torn end is no failure; `*torn` counts its bytes. */
Status loader_read(Crew *crew, char *const *paths, int path_count, const LoaderFilter *filter,
                   TrainingSet *set, long long *torn);
void loader_release(TrainingSet *set);

#endif
