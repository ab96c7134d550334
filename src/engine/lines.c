#include "engine/lines.h"

#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "search/score.h"

void lines_append_moves(TextBuffer *out, const Position *root, const Move *moves, int count, size_t width) {
    Position pos = *root;
    const size_t start = out->length;
    for (int i = 0; i < count; i++) {
        char san[SAN_CAPACITY], word[SAN_CAPACITY + 16];
        Undo undo;
        san_write(&pos, moves[i], san);
        if (pos.side == WHITE)
            text_format(word, sizeof word, "%s%d. %s", i > 0 ? " " : "", pos.fullmove, san);
        else if (i == 0)
            text_format(word, sizeof word, "%d... %s", pos.fullmove, san);
        else
            text_format(word, sizeof word, " %s", san);
        TextView view = text_view(word);
        if (out->length - start + view.length > width) break;
        buffer_append(out, view);
        position_make_move(&pos, moves[i], &undo);
    }
}

void lines_append_score(TextBuffer *out, int score, Color side) {
    const int sign = side == WHITE ? 1 : -1;
    if (score_is_mate(score))
        buffer_append_format(out, "#%d", sign * score_mate_moves(score));
    else
        buffer_append_format(out, "%+.2f", sign * score_to_centipawns(score) / 100.0);
}

const char *lines_game_end(const Position *pos) {
    switch (game_end(pos)) {
    case CHECKMATE: return pos->side == WHITE ? "Checkmate: Black has won." : "Checkmate: White has won.";
    case STALEMATE: return "Stalemate: a draw.";
    case FIFTY_MOVES: return "A draw by the fifty-move rule.";
    case THREEFOLD_REPETITION: return "A draw by threefold repetition.";
    case DEAD_POSITION: return "A draw: neither side has enough pieces to mate.";
    default: break;
    }
    return NULL;
}

Status lines_check_moves(const Position *pos) {
    if (movegen_has_legal(pos)) return status_ok();
    return status_error("the game is over in this position: %s is %s; expected one with a legal move",
                        pos->side == WHITE ? "White" : "Black",
                        position_in_check(pos) ? "checkmated" : "stalemated");
}
