#include "engine/json.h"

#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/san.h"
#include "engine/chances.h"

#include <inttypes.h>

void json_append_move(TextBuffer *out, const Position *pos, Move move) {
    char lan[LAN_CAPACITY], san[SAN_CAPACITY];
    if (move == MOVE_NONE) {
        buffer_append_string(out, "null");
        return;
    }
    lan_write(pos, move, lan);
    san_write(pos, move, san);
    buffer_append_format(out, "{\"uci\":\"%s\",\"san\":\"%s\"}", lan, san);
}

void json_append_moves(TextBuffer *out, const Position *root, const Move *moves, int count) {
    Position pos = *root;
    buffer_append_char(out, '[');
    for (int i = 0; i < count; i++) {
        Undo undo;
        if (i > 0) buffer_append_char(out, ',');
        json_append_move(out, &pos, moves[i]);
        position_make_move(&pos, moves[i], &undo);
    }
    buffer_append_char(out, ']');
}

void json_append_score(TextBuffer *out, int score) {
    if (score_is_mate(score))
        buffer_append_format(out, "{\"mate\":%d}", score_mate_moves(score));
    else
        buffer_append_format(out, "{\"cp\":%d}", score_to_centipawns(score));
}

void json_append_wdl(TextBuffer *out, const Position *pos, int score) {
    const ChanceParts parts = chances_round(chances_of_search(pos, score), 1000);
    buffer_append_format(out, "[%d,%d,%d]", parts.win, parts.draw, parts.loss);
}

void json_append_info(TextBuffer *out, const Position *root, const SearchInfo *info) {
    char fen[FEN_CAPACITY];
    fen_write(root, fen);
    buffer_append_format(
        out, "{\"schema\":%d,\"fen\":\"%s\",\"depth\":%d,\"seldepth\":%d,\"rank\":%d,\"score\":", JSON_SCHEMA,
        fen, info->depth, info->selective_depth, info->multi_pv);
    json_append_score(out, info->score);
    buffer_append_string(out, ",\"wdl\":");
    json_append_wdl(out, root, info->score);
    buffer_append_format(out,
                         ",\"nodes\":%" PRIu64 ",\"time\":%" PRId64 ",\"hashfull\":%d,\"tbhits\":%" PRIu64,
                         info->nodes, info->time / 1000, info->hash_full, info->tb_hits);
    buffer_append_string(out, ",\"pv\":");
    json_append_moves(out, root, info->pv, info->pv_length);
    buffer_append_char(out, '}');
}
