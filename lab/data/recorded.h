/* One recorded game: where it started, its moves, what the search thought before each, how it ended; of games
 * that others played, their tags. A single position is a game without moves. Plain data. */
#ifndef LUFT_DATA_RECORDED_H
#define LUFT_DATA_RECORDED_H

#include "base/status.h"
#include "base/text.h"
#include "chess/game.h"

#include <stdint.h>

enum {
    RECORD_PLIES_MAX = 1024,
    RECORD_TAGS_CAPACITY = 1 << 13,
    RECORD_NO_SCORE = INT16_MIN, /* the ply was not judged: a random opening move, say */
    RECORD_CUSTOM_START = -1
};

/* What a file keeps of a GameEnd: by the rules (or cut short), by score, or at the limit of plies. */
typedef enum EndKind { END_BY_RULES, END_BY_SCORE, END_BY_LENGTH, END_KINDS } EndKind;

EndKind recorded_end_kind(GameEnd end);

/* The end of that kind in a game with this last position and result. */
GameEnd recorded_end(EndKind kind, GameResult result, const Position *last);

typedef struct RecordPly {
    Move move;
    int16_t score; /* internal units, White's view, before the move; or RECORD_NO_SCORE */
} RecordPly;

typedef struct RecordedGame {
    Position start;
    int start_white, start_black; /* Chess960 arrays (518 twice: standard chess), or RECORD_CUSTOM_START */
    uint64_t number;              /* in the run that played it, and ... */
    uint32_t attempt;             /* ... of the attempt at its opening: seeded.h; 0: it has no seed */
    GameResult result;
    GameEnd end;
    int ply_count;
    RecordPly ply[RECORD_PLIES_MAX];
    int16_t last_score;              /* of the position after the last move, as in RecordPly */
    char tags[RECORD_TAGS_CAPACITY]; /* lines "Name value"; not those of start, result and end */
} RecordedGame;

/* Sets the start and empties the game. */
void recorded_start_standard(RecordedGame *game);
void recorded_start_chess960(RecordedGame *game, int white, int black);
Status recorded_start_fen(RecordedGame *game, TextView fen);
void recorded_start_position(RecordedGame *game, const Position *start);

/* Adds a ply, its score rounded by record_round_score. False when the game is full. */
bool recorded_add(RecordedGame *game, Move move, int score);

/* Adds a tag, whose name has no blank and whose value no line end. False when there is no room. */
bool recorded_add_tag(RecordedGame *game, const char *name, const char *value);

/* Whether it has a tag of this name with this value, in any case, or begins with it where the value ends in
 * '*'. */
bool recorded_has_tag(const RecordedGame *game, TextView name, TextView value);

/* Whether it has what games of Luft against itself do not have: tags, or a score of the last position. */
static inline bool recorded_is_described(const RecordedGame *game) {
    return game->tags[0] != '\0' || game->last_score != RECORD_NO_SCORE;
}

/* Whether it has nothing but a result: no move and no score. */
static inline bool recorded_is_empty(const RecordedGame *game) {
    return game->ply_count == 0 && game->last_score == RECORD_NO_SCORE;
}

/* Of the start and the moves alone, so that it is the same in every file. Never 0. */
uint64_t recorded_hash(const RecordedGame *game);

/* Which scores a file keeps, as numbers without gaps, odd in the score: its levels. All mates of a side are
 * the last one. */
typedef struct ScoreScale {
    struct {
        int step, limit; /* so wide are the steps up to this score */
    } part[4];
    int mate; /* the last level */
} ScoreScale;
extern const ScoreScale RECORD_SCALE_FINE; /* steps of 8 up to 512, of 32 up to 2048, of 256 beyond */
extern const ScoreScale
    RECORD_SCALE_COARSE; /* 32 up to 256, 64 up to 512, 128 up to 2048, 512: for training */

int record_score_to_level(const ScoreScale *scale, int score);
int record_level_to_score(const ScoreScale *scale, int level);

/* The nearest score that the fine scale has. 0 and RECORD_NO_SCORE stay exact. */
int record_round_score(int score);

#endif
