#include "lab/data/recorded.h"

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "search/score.h"

#include <stdlib.h>
#include <string.h>

enum { STANDARD_ARRAY = 518, LEVEL_FINE = 64, LEVEL_MIDDLE = 112 };

EndKind recorded_end_kind(GameEnd end) {
    if (end == LENGTH_LIMIT) return END_BY_LENGTH;
    return end == WIN_ADJUDICATED || end == DRAW_ADJUDICATED ? END_BY_SCORE : END_BY_RULES;
}

GameEnd recorded_end(EndKind kind, GameResult result, const Position *last) {
    if (kind == END_BY_LENGTH) return LENGTH_LIMIT;
    if (kind == END_BY_RULES) return game_end(last);
    return result == DRAWN ? DRAW_ADJUDICATED : WIN_ADJUDICATED;
}

static void start(RecordedGame *game, int white, int black) {
    game->start_white = white;
    game->start_black = black;
    game->ply_count = 0;
    game->last_score = RECORD_NO_SCORE;
    game->tags[0] = '\0';
    game->result = DRAWN;
    game->end = GAME_GOES_ON;
}

void recorded_start_standard(RecordedGame *game) {
    recorded_start_chess960(game, STANDARD_ARRAY, STANDARD_ARRAY);
}

void recorded_start_chess960(RecordedGame *game, int white, int black) {
    char fen[FEN_CAPACITY];
    fen_chess960_start(white, black, fen);
    const bool standard = white == STANDARD_ARRAY && black == STANDARD_ARRAY;
    (void)fen_parse(&game->start, text_view(fen), !standard);
    start(game, white, black);
}

Status recorded_start_fen(RecordedGame *game, TextView fen) {
    Position position;
    const Status status = fen_parse(&position, fen, false);
    if (!status_is_ok(&status)) return status;
    game->start = position;
    start(game, RECORD_CUSTOM_START, RECORD_CUSTOM_START);
    return status;
}

void recorded_start_position(RecordedGame *game, const Position *position) {
    recorded_start_standard(game);
    if (position_equals(&game->start, position)) return;
    game->start = *position;
    start(game, RECORD_CUSTOM_START, RECORD_CUSTOM_START);
}

uint64_t recorded_hash(const RecordedGame *game) {
    uint64_t hash = game->start.state.key;
    for (int i = 0; i < game->ply_count; i++) {
        Rng mix = rng_seed(hash ^ game->ply[i].move);
        hash = rng_next(&mix);
    }
    return hash ? hash : 1;
}

bool recorded_add(RecordedGame *game, Move move, int score) {
    if (game->ply_count == RECORD_PLIES_MAX) return false;
    game->ply[game->ply_count++] = (RecordPly){move, (int16_t)record_round_score(score)};
    return true;
}

bool recorded_add_tag(RecordedGame *game, const char *name, const char *value) {
    const size_t used = strlen(game->tags), size = strlen(name) + strlen(value) + sizeof " \n";
    if (size > sizeof game->tags - used) return false;
    text_format(game->tags + used, sizeof game->tags - used, "%s %s\n", name, value);
    return true;
}

int record_score_to_level(int score) {
    int size = abs(score), level;
    if (size <= 512) {
        level = (size + 4) / 8;
    } else if (size <= 2048) {
        level = LEVEL_FINE + (size - 512 + 16) / 32;
    } else if (size < SCORE_WIN) {
        level = int_min(LEVEL_MIDDLE + (size - 2048 + 128) / 256, RECORD_LEVEL_MATE - 1);
    } else {
        level = RECORD_LEVEL_MATE;
    }
    return score < 0 ? -level : level;
}

int record_level_to_score(int level) {
    int size = abs(level), score;
    if (size <= LEVEL_FINE) {
        score = 8 * size;
    } else if (size <= LEVEL_MIDDLE) {
        score = 512 + 32 * (size - LEVEL_FINE);
    } else if (size < RECORD_LEVEL_MATE) {
        score = 2048 + 256 * (size - LEVEL_MIDDLE);
    } else {
        score = SCORE_MATE;
    }
    return level < 0 ? -score : score;
}

int record_round_score(int score) {
    return score == RECORD_NO_SCORE ? score : record_level_to_score(record_score_to_level(score));
}
