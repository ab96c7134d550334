#include "lab/data/recorded.h"

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "search/score.h"

#include <stdlib.h>
#include <string.h>

enum { STANDARD_ARRAY = 518 };

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
    game->number = game->attempt = 0;
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

bool recorded_has_tag(const RecordedGame *game, TextView name, TextView value) {
    TextView rest = text_view(game->tags), line;
    const bool is_beginning = value.length > 0 && value.data[value.length - 1] == '*';
    if (is_beginning) value.length--;
    while (text_next_line(&rest, &line)) {
        if (line.length <= name.length || line.data[name.length] != ' ' ||
            memcmp(line.data, name.data, name.length) != 0)
            continue;
        const TextView has = {line.data + name.length + 1, line.length - name.length - 1};
        if (is_beginning ? has.length < value.length : has.length != value.length) continue;
        size_t same = 0;
        while (same < value.length && char_to_lower(has.data[same]) == char_to_lower(value.data[same]))
            same++;
        if (same == value.length) return true;
    }
    return false;
}

/* A step of 32 changes what is learned from a score by 0.4 % of the loss. */
const ScoreScale RECORD_SCALE_COARSE = {{{32, 256}, {64, 512}, {128, 2048}, {512, SCORE_WIN - 1}}, 83};
const ScoreScale RECORD_SCALE_FINE = {{{8, 512}, {32, 2048}, {256, SCORE_WIN - 1}}, 228};

int record_score_to_level(const ScoreScale *scale, int score) {
    const int size = abs(score);
    int level = 0, from = 0;
    for (int i = 0; size < SCORE_WIN; i++) {
        const int step = scale->part[i].step, limit = scale->part[i].limit;
        if (size <= limit) {
            level = int_min(level + (size - from + step / 2) / step, scale->mate - 1);
            return score < 0 ? -level : level;
        }
        level += (limit - from) / step;
        from = limit;
    }
    return score < 0 ? -scale->mate : scale->mate;
}

int record_level_to_score(const ScoreScale *scale, int level) {
    int rest = abs(level), from = 0;
    if (rest >= scale->mate) return level < 0 ? -SCORE_MATE : SCORE_MATE;
    for (int i = 0;; i++) {
        const int step = scale->part[i].step, limit = scale->part[i].limit;
        if (from + rest * step <= limit || limit >= SCORE_WIN - 1) {
            const int size = from + rest * step;
            return level < 0 ? -size : size;
        }
        rest -= (limit - from) / step;
        from = limit;
    }
}

int record_round_score(int score) {
    if (score == RECORD_NO_SCORE) return score;
    return record_level_to_score(&RECORD_SCALE_FINE, record_score_to_level(&RECORD_SCALE_FINE, score));
}
