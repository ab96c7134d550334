#include "lab/match/game_pgn.h"

#include "chess/game.h"
#include "chess/pgn.h"

#include <math.h>
#include <string.h>

enum { DELAY_WORTH_TELLING = 1000 /* microseconds */ };

static double seconds(int64_t microseconds) { return (double)microseconds / 1e6; }

static void write_comment(const MoveRecord *move, bool reproducible, char *out, size_t room) {
    if (move->book) {
        text_format(out, room, "book");
        return;
    }
    size_t used = 0;
    out[0] = '\0';
    if (move->score.kind != SCORE_NOT_GIVEN) {
        char score[UCI_SCORE_CAPACITY];
        uci_score_write(move->score, score);
        used += text_format(out, room, "%s/%d", score, move->depth);
    }
    if (reproducible) return;
    used += text_format(out + used, room - used, "%s%.3fs, cpu %.3fs", used > 0 ? " " : "",
                        seconds(move->wall), seconds(move->cpu));
    const int64_t delay = move->engine_delay + move->runner_delay;
    if (delay >= DELAY_WORTH_TELLING) text_format(out + used, room - used, ", wait %.3fs", seconds(delay));
}

UciScore game_pgn_read_score(const char *comment) {
    enum { PAWNS_MAX = 310 };
    TextView rest = text_view(comment), word = text_next_word(&rest);
    const char *slash = word.length > 0 ? memchr(word.data, '/', word.length) : NULL;
    if (slash != NULL) word.length = (size_t)(slash - word.data);
    double pawns;
    if (text_starts_with(word, "+M") || text_starts_with(word, "-M"))
        return (UciScore){SCORE_MATE_IN, SCORE_IS_EXACT, word.data[0] == '-' ? -1 : 1};
    if (!text_parse_double(word, &pawns) || fabs(pawns) > PAWNS_MAX)
        return (UciScore){.kind = SCORE_NOT_GIVEN};
    return (UciScore){SCORE_CENTIPAWNS, SCORE_IS_EXACT, (int)lround(100 * pawns)};
}

static const char *termination(const MatchGame *game) {
    switch (game->end) {
    case DRAW_ADJUDICATED:
    case WIN_ADJUDICATED:
    case LENGTH_LIMIT: return "adjudication";
    case ENGINE_FAULT:
        if (game->fault == FAULT_TIME || game->fault == FAULT_TIME_MACHINE) return "time forfeit";
        return game->fault == FAULT_ILLEGAL_MOVE ? "rules infraction" : "abandoned";
    case GAME_GOES_ON:
    case CANCELLED: return "unterminated";
    default: return "normal";
    }
}

static Status set_limits(Game *pgn, const GameTags *tags) {
    char white[80], black[80];
    play_limits_describe(&tags->limits[WHITE], white, sizeof white);
    play_limits_describe(&tags->limits[BLACK], black, sizeof black);
    if (text_equals(text_view(white), black)) return game_set_tag(pgn, "TimeControl", white);
    Status status = game_set_tag(pgn, "WhiteTimeControl", white);
    return status_is_ok(&status) ? game_set_tag(pgn, "BlackTimeControl", black) : status;
}

static Status set_times(Game *pgn, const GameTags *tags) {
    if (tags->reproducible) return game_set_tag(pgn, "Date", "????.??.??");
    char text[40];
    struct tm when;
    gmtime_r(&tags->start, &when);
    strftime(text, sizeof text, "%Y.%m.%d", &when);
    Status status = game_set_tag(pgn, "Date", text);
    strftime(text, sizeof text, "%H:%M:%S", &when);
    return status_is_ok(&status) ? game_set_tag(pgn, "UTCTime", text) : status;
}

static Status set_tags(Game *pgn, const MatchGame *game, const GameTags *tags) {
    char round[32], plies[16], opening[16];
    text_format(round, sizeof round, "%d.%d", tags->round, tags->game);
    text_format(plies, sizeof plies, "%d", game->move_count);
    text_format(opening, sizeof opening, "%d", tags->opening);
    const char *fixed[][2] = {
        {"Event", tags->event},
        {"Site", tags->site},
        {"Round", round},
        {"White", tags->players[WHITE]},
        {"Black", tags->players[BLACK]},
        {"Result", game_result_text(game->result)},
        {"PlyCount", plies},
        {"Termination", termination(game)},
        {"BookLine", tags->opening > 0 ? opening : NULL},
    };
    Status status = set_times(pgn, tags);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0] && status_is_ok(&status); i++)
        if (fixed[i][1] != NULL) status = game_set_tag(pgn, fixed[i][0], fixed[i][1]);
    return status_is_ok(&status) ? set_limits(pgn, tags) : status;
}

/* The comment behind the last move says how the game ended; what else is known of a fault follows there. */
static void append_end(const MatchGame *game, char *comment, size_t used, size_t room) {
    char end[96];
    match_game_describe_end(game, end, sizeof end);
    text_format(comment + used, room - used, "%s%s", used > 0 ? ", " : "", end);
}

static Status add_moves(Game *pgn, const MatchGame *game, bool reproducible) {
    Status status = status_ok();
    for (int i = 0; i < game->move_count && status_is_ok(&status); i++) {
        char comment[256];
        write_comment(&game->moves[i], reproducible, comment, sizeof comment);
        if (i == game->move_count - 1) append_end(game, comment, text_view(comment).length, sizeof comment);
        status = game_add_move(pgn, game->moves[i].move, comment[0] == '\0' ? NULL : comment);
    }
    return status;
}

Status game_pgn_write(const MatchGame *game, const GameTags *tags, TextBuffer *out) {
    Game pgn = {0};
    Status status = fen_parse(&pgn.start, text_view(game->fen), game->chess960);
    if (status_is_ok(&status)) status = set_tags(&pgn, game, tags);
    if (status_is_ok(&status)) status = add_moves(&pgn, game, tags->reproducible);
    pgn.result = game->result;
    if (status_is_ok(&status)) pgn_write_game(&pgn, out);
    game_release(&pgn);
    if (status_is_ok(&status) && out->failed) return status_no_memory("the PGN of a game");
    return status;
}
