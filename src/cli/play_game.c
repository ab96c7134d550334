#include "cli/play_game.h"

#include "base/memory.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "engine/lines.h"

enum { DRAW_PLIES = 18 }; /* nine moves of either side: no draw is taken before */

static Color mover(const PlayGame *game, int ply) {
    return ply % 2 == 0 ? game->settings.start.side : color_other(game->settings.start.side);
}

static void end_by_rule(PlayGame *game) {
    game->end = game_end(&game->now);
    game->result = game_end_result(game->end, &game->now);
}

/* Clocks as the moves that are left say. */
static void set_clocks(PlayGame *game) {
    for (Color side = WHITE; side < COLOR_COUNT; side++) game->clock[side] = game->settings.base;
    for (int i = 0; i < game->count; i++) game->clock[mover(game, i)] = game->moves[i].clock;
}

void play_game_begin(PlayGame *game, const PlaySettings *settings) {
    *game = (PlayGame){.settings = *settings, .now = settings->start};
    set_clocks(game);
    end_by_rule(game);
}

void play_game_release(PlayGame *game) {
    memory_release(game->moves);
    *game = (PlayGame){0};
}

bool play_game_waits_for_person(const PlayGame *game) {
    return game->end == GAME_GOES_ON && game->now.side == game->settings.person;
}

Status play_game_move(PlayGame *game, Move move, int64_t spent) {
    const Color side = game->now.side;
    int64_t left = 0;
    if (game->settings.has_clock) {
        left = game->clock[side] - spent;
        if (left <= 0) {
            play_game_run_out_of_time(game);
            return status_ok();
        }
        left += game->settings.increment;
    }
    PlayedMove *moves = memory_grow(game->moves, (size_t)game->count, sizeof *moves);
    if (moves == NULL) return status_no_memory("the moves of the game");
    game->moves = moves;
    moves[game->count++] = (PlayedMove){move, left};
    game->clock[side] = left;
    Undo undo;
    position_make_move(&game->now, move, &undo);
    end_by_rule(game);
    return status_ok();
}

bool play_game_undo(PlayGame *game) {
    int last = game->count - 1;
    while (last >= 0 && mover(game, last) != game->settings.person) last--;
    if (last < 0) return false;
    game->count = last;
    game->now = play_game_position(game, last);
    set_clocks(game);
    end_by_rule(game);
    return true;
}

static void end_with(PlayGame *game, GameEnd end, GameResult result) {
    game->end = end;
    game->result = result;
}

void play_game_resign(PlayGame *game, Color side) {
    end_with(game, RESIGNATION, game_won_by(color_other(side)));
}

void play_game_agree(PlayGame *game) { end_with(game, AGREEMENT, DRAWN); }

void play_game_run_out_of_time(PlayGame *game) {
    const Color side = game->now.side, other = color_other(side);
    const bool lone_king = game->now.by_color[other] == position_pieces(&game->now, other, KING);
    end_with(game, TIME_FORFEIT, lone_king ? DRAWN : game_won_by(other));
    game->clock[side] = 0;
}

Position play_game_position(const PlayGame *game, int plies) {
    Position pos = game->settings.start;
    for (int i = 0; i < plies; i++) {
        Undo undo;
        position_make_move(&pos, game->moves[i].move, &undo);
    }
    return pos;
}

bool play_game_accepts_draw(const PlayGame *game, double expected) {
    return game->count >= DRAW_PLIES && expected <= 0.5;
}

void play_game_describe_end(const PlayGame *game, TextBuffer *out) {
    const Color late = game->now.side, loser = game->result == BLACK_WINS ? WHITE : BLACK;
    const char *winner = color_name(color_other(loser));
    if (game->end == RESIGNATION)
        buffer_append_format(out, "%s resigns: %s has won.", color_name(loser), winner);
    else if (game->end == AGREEMENT)
        buffer_append_string(out, "A draw by agreement.");
    else if (game->end == TIME_FORFEIT && game->result == DRAWN)
        buffer_append_format(out, "%s is out of time, but %s has only a king: a draw.", color_name(late),
                             color_name(color_other(late)));
    else if (game->end == TIME_FORFEIT)
        buffer_append_format(out, "%s is out of time: %s has won.", color_name(loser), winner);
    else if (game->end != GAME_GOES_ON)
        buffer_append_string(out, lines_game_end(&game->now));
}

/* Of Black's two rows as FEN has them; White's are the same in capitals. */
static const char *const ODDS_PIECES[] = {"rnbqkbnr", "rnb1kbnr", "1nbqkbnr", "r1bqkbnr", "rnbqkbnr"};

static void write_row(const char *row, Color color, char out[9]) {
    for (int i = 0; i <= 8; i++) {
        const bool is_letter = row[i] >= 'a';
        out[i] = is_letter && color == WHITE ? (char)(row[i] - 'a' + 'A') : row[i];
    }
}

void play_game_write_odds(PlayOdds odds, Color giver, char fen[FEN_CAPACITY]) {
    char pieces[COLOR_COUNT][9], pawns[COLOR_COUNT][9];
    for (Color side = WHITE; side < COLOR_COUNT; side++) {
        const PlayOdds given = side == giver ? odds : ODDS_NONE;
        write_row(ODDS_PIECES[given], side, pieces[side]);
        write_row(given == ODDS_PAWN ? "ppppp1pp" : "pppppppp", side, pawns[side]);
    }
    const char *castling = odds != ODDS_ROOK ? "KQkq" : giver == WHITE ? "Kkq" : "KQk";
    text_format(fen, FEN_CAPACITY, "%s/%s/8/8/8/8/%s/%s w %s - 0 1", pieces[BLACK], pawns[BLACK],
                pawns[WHITE], pieces[WHITE], castling);
}
