#include "cli/play_game.h"

#include "base/file.h"
#include "chess/makemove.h"
#include "chess/pgn.h"
#include "chess/pgn_write.h"
#include "engine/lines.h"
#include "engine/version.h"
#include "level/level.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DRAW_PLIES = 18 /* nine moves of either side: no draw is taken before */ };
enum { TENTH = 100, SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };

static const char TAG_PERSON[] = "LuftPerson", TAG_NODES[] = "LuftNodes", TAG_ELO[] = "LuftElo",
                  TAG_SEED[] = "LuftSeed";
static const char FILE_NAME[] = "game.pgn";

/* --- clocks --- */

/* Rounded up: a clock that runs must not be at nothing. */
static void append_clock(TextBuffer *out, int64_t clock) {
    clock += TENTH - 1;
    buffer_append_format(out, "[%%clk %d:%02d:%02d.%d]", (int)(clock / HOUR), (int)(clock / MINUTE % 60),
                         (int)(clock / SECOND % 60), (int)(clock / TENTH % 10));
}

/* A number up to a sign that ends it, which is taken off too. */
static bool take_number(TextView *text, char sign, double *value) {
    TextView number;
    text_split(text, sign, &number);
    return text_parse_double(number, value) && *value >= 0;
}

static bool read_clock(const char *comment, int64_t *clock) {
    static const char KEY[] = "[%clk ";
    const char *at = comment == NULL ? NULL : strstr(comment, KEY);
    if (at == NULL) return false;
    TextView rest = text_view(at + sizeof KEY - 1);
    double hours, minutes, seconds;
    if (!take_number(&rest, ':', &hours) || !take_number(&rest, ':', &minutes) ||
        !take_number(&rest, ']', &seconds) || hours > 1e4 || minutes > 59 || seconds >= 60)
        return false;
    *clock = (int64_t)hours * HOUR + (int64_t)minutes * MINUTE + (int64_t)(seconds * SECOND + 0.5);
    return true;
}

/* Position, clocks and end as the moves say. */
static Status set_up(PlayGame *game) {
    const PlaySettings *settings = &game->settings;
    game->now = game_position(&game->played, game->played.move_count);
    for (Color side = WHITE; side < COLOR_COUNT; side++) game->clock[side] = settings->base;
    Color side = settings->start.side;
    for (int i = 0; i < game->played.move_count && settings->has_clock; i++, side = color_other(side)) {
        const int64_t most = game->clock[side] + settings->increment;
        int64_t left = most;
        (void)read_clock(game_comment(&game->played, i + 1), &left);
        if (left >= most + TENTH) return status_error("a clock in it gains time");
        game->clock[side] = left;
    }
    game->played.end = game_end(&game->now);
    game->played.result = game_end_result(game->played.end, &game->now);
    return status_ok();
}

/* --- the game --- */

void play_game_begin(PlayGame *game, const PlaySettings *settings) {
    *game = (PlayGame){.settings = *settings, .played.start = settings->start};
    (void)set_up(game);
}

void play_game_release(PlayGame *game) {
    game_release(&game->played);
    *game = (PlayGame){0};
}

bool play_game_goes_on(const PlayGame *game) { return game->played.end == GAME_GOES_ON; }

bool play_game_waits_for_person(const PlayGame *game) {
    return play_game_goes_on(game) && game->now.side == game->settings.person;
}

Status play_game_move(PlayGame *game, Move move, int64_t spent) {
    const PlaySettings *settings = &game->settings;
    const Color side = game->now.side;
    TextBuffer comment = {0};
    if (settings->has_clock) {
        if (spent >= game->clock[side]) {
            play_game_run_out_of_time(game);
            return status_ok();
        }
        game->clock[side] += settings->increment - spent;
        append_clock(&comment, game->clock[side]);
    }
    const Status status =
        game_add_move(&game->played, move, settings->has_clock ? buffer_string(&comment) : NULL);
    buffer_release(&comment);
    if (!status_is_ok(&status)) return status;
    Undo undo;
    position_make_move(&game->now, move, &undo);
    game->played.end = game_end(&game->now);
    game->played.result = game_end_result(game->played.end, &game->now);
    return status;
}

bool play_game_undo(PlayGame *game) {
    const bool person_begins = game->settings.start.side == game->settings.person;
    int last = game->played.move_count - 1;
    if ((last % 2 == 0) != person_begins) last--;
    if (last < 0) return false;
    game_cut(&game->played, last);
    (void)set_up(game);
    return true;
}

/* What the moves do not show is said in a comment after them; without memory it is missing. */
static void end_with(PlayGame *game, GameEnd end, GameResult result) {
    TextBuffer words = {0};
    game->played.end = end;
    game->played.result = result;
    play_game_describe_end(game, &words);
    (void)game_add_comment(&game->played, game->played.move_count, buffer_view(&words));
    buffer_release(&words);
}

void play_game_resign(PlayGame *game, Color side) {
    end_with(game, RESIGNATION, game_won_by(color_other(side)));
}

void play_game_agree(PlayGame *game) { end_with(game, AGREEMENT, DRAWN); }

void play_game_run_out_of_time(PlayGame *game) {
    const Color side = game->now.side, other = color_other(side);
    const bool lone_king = game->now.by_color[other] == position_pieces(&game->now, other, KING);
    game->clock[side] = 0;
    end_with(game, TIME_FORFEIT, lone_king ? DRAWN : game_won_by(other));
}

bool play_game_accepts_draw(const PlayGame *game, double expected) {
    return game->played.move_count >= DRAW_PLIES && expected <= 0.5;
}

void play_game_describe_end(const PlayGame *game, TextBuffer *out) {
    const GameResult result = game->played.result;
    const Color loser = result == DRAWN ? game->now.side : result == BLACK_WINS ? WHITE : BLACK;
    const char *name = color_name(loser), *other = color_name(color_other(loser));
    switch (game->played.end) {
    case GAME_GOES_ON: break;
    case RESIGNATION: buffer_append_format(out, "%s resigns: %s has won.", name, other); break;
    case AGREEMENT: buffer_append_string(out, "A draw by agreement."); break;
    case TIME_FORFEIT:
        if (result == DRAWN)
            buffer_append_format(out, "%s is out of time, but %s has only a king: a draw.", name, other);
        else
            buffer_append_format(out, "%s is out of time: %s has won.", name, other);
        break;
    default: buffer_append_string(out, lines_game_end(&game->now));
    }
}

void play_game_write_odds(PlayOdds odds, Color giver, char fen[FEN_CAPACITY]) {
    /* Where the piece is in FEN_START; the white pawns and pieces come after the four empty ranks. */
    static const int PLACE[][COLOR_COUNT] = {
        [ODDS_QUEEN] = {38, 3}, [ODDS_ROOK] = {35, 0}, [ODDS_KNIGHT] = {36, 1}, [ODDS_PAWN] = {31, 14}};
    const char *castling = odds != ODDS_ROOK ? "KQkq" : giver == WHITE ? "Kkq" : "KQk";
    text_format(fen, FEN_CAPACITY, "%.43s w %s - 0 1", FEN_START, castling);
    if (odds != ODDS_NONE) fen[PLACE[odds][giver]] = '1';
}

/* --- as PGN --- */

Status play_game_write(PlayGame *game, TextBuffer *out) {
    const PlaySettings *settings = &game->settings;
    const GameEnd end = game->played.end;
    const bool is_white = settings->person == WHITE;
    char engine[64], control[48] = "-", nodes[32], elo[16], seed[16];
    text_format(engine, sizeof engine, ENGINE_NAME " %s", version_name());
    if (settings->has_clock)
        text_format(control, sizeof control, "%.10g+%.10g", (double)settings->base / SECOND,
                    (double)settings->increment / SECOND);
    text_format(nodes, sizeof nodes, "%" PRIu64, settings->nodes);
    text_format(elo, sizeof elo, "%d", settings->elo);
    text_format(seed, sizeof seed, "%d", settings->seed);
    const char *const tags[][2] = {{"Event", "Game against " ENGINE_NAME},
                                   {"Date", settings->date},
                                   {"Round", "-"},
                                   {"White", is_white ? settings->name : engine},
                                   {"Black", is_white ? engine : settings->name},
                                   {"TimeControl", control},
                                   {"Termination", end == GAME_GOES_ON   ? "unterminated"
                                                   : end == TIME_FORFEIT ? "time forfeit"
                                                                         : "normal"},
                                   {TAG_PERSON, is_white ? "white" : "black"},
                                   {TAG_NODES, settings->nodes > 0 ? nodes : NULL},
                                   {TAG_ELO, settings->elo > 0 ? elo : NULL},
                                   {TAG_SEED, settings->elo > 0 ? seed : NULL}};
    const Status status = game_set_tags(&game->played, tags, sizeof tags / sizeof tags[0]);
    if (status_is_ok(&status)) pgn_write_game(&game->played, out);
    return status_is_ok(&status) && out->failed ? status_no_memory("the game") : status;
}

static bool read_control(const char *text, PlaySettings *settings) {
    TextView rest = text_view(text);
    double base, increment = 0;
    if (text_equals(rest, "-") || text_is_empty(rest)) return true;
    if (!take_number(&rest, '+', &base) || !take_number(&rest, '+', &increment)) return false;
    if (base > 1e7 || increment > 1e7) return false;
    settings->has_clock = true;
    settings->base = (int64_t)(base * SECOND);
    settings->increment = (int64_t)(increment * SECOND);
    return true;
}

/* The number in a tag of ours; 0 without the tag. */
static Status read_tag(const Game *pgn, const char *name, int low, int high, int *value) {
    const char *text = game_tag(pgn, name);
    int64_t number = 0;
    if (text != NULL && (!text_parse_int64(text_view(text), &number) || number < low || number > high))
        return status_error("its tag %s, '%.40s', is no number from %d to %d", name, text, low, high);
    *value = (int)number;
    return status_ok();
}

static Status read_settings(const Game *pgn, PlaySettings *settings) {
    const char *person = game_tag(pgn, TAG_PERSON), *nodes = game_tag(pgn, TAG_NODES),
               *control = game_tag(pgn, "TimeControl");
    *settings = (PlaySettings){.start = pgn->start};
    if (person == NULL) return status_error("it is not a game that luft play has kept");
    settings->person = strcmp(person, "black") == 0 ? BLACK : WHITE;
    if (nodes != NULL && !text_parse_uint64(text_view(nodes), &settings->nodes))
        return status_error("its number of nodes, '%.40s', is none", nodes);
    Status status = read_tag(pgn, TAG_ELO, LEVEL_ELO_MIN, LEVEL_ELO_MAX, &settings->elo);
    if (status_is_ok(&status)) status = read_tag(pgn, TAG_SEED, 1, INT32_MAX, &settings->seed);
    if (!status_is_ok(&status)) return status;
    if (!read_control(control, settings)) return status_error("its time control, '%.40s', is none", control);
    text_copy(text_view(game_tag(pgn, color_name(settings->person))), settings->name, sizeof settings->name);
    text_copy(text_view(game_tag(pgn, "Date")), settings->date, sizeof settings->date);
    return status_ok();
}

Status play_game_read(PlayGame *game, TextView pgn) {
    bool found = false;
    int line = 1;
    Problems problems = {0};
    *game = (PlayGame){0};
    Status status = pgn_read_game(&pgn, &line, &game->played, &found, &problems);
    if (status_is_ok(&status) && problems.count[PROBLEM_LOSS] > 0)
        status = status_error("%.*s", (int)text_trim(buffer_view(&problems.text)).length,
                              buffer_string(&problems.text));
    problems_release(&problems);
    if (status_is_ok(&status) && !found) status = status_error("there is no game in it");
    if (status_is_ok(&status)) status = read_settings(&game->played, &game->settings);
    if (status_is_ok(&status)) status = set_up(game);
    if (!status_is_ok(&status)) play_game_release(game);
    return status;
}

/* --- the kept game --- */

/* Appends the folder's name; false when the system names none. */
static bool append_folder(TextBuffer *out) {
#ifdef _WIN32
    const char *state = getenv("LOCALAPPDATA"), *home = NULL;
#else
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    /* A path that is relative does not count, says the specification of base folders. */
    if (state != NULL && state[0] != '/') state = NULL;
#endif
    if (state != NULL && state[0] != '\0')
        buffer_append_format(out, "%s/luft", state);
    else if (home != NULL && home[0] != '\0')
        buffer_append_format(out, "%s/.local/state/luft", home);
    return out->length > 0 && !out->failed;
}

static Status keep_at(PlayGame *game, const char *folder) {
    TextBuffer path = {0}, text = {0};
    buffer_append_format(&path, "%s/%s", folder, FILE_NAME);
    Status status = status_ok();
    if (game->played.move_count == 0 || !play_game_goes_on(game)) {
        status = file_remove(buffer_string(&path));
    } else {
        status = file_make_folder(folder);
        if (status_is_ok(&status)) status = play_game_write(game, &text);
        if (status_is_ok(&status)) status = file_write(buffer_string(&path), text.data, text.length);
    }
    buffer_release(&path);
    buffer_release(&text);
    return status;
}

Status play_game_keep(PlayGame *game) {
    TextBuffer folder = {0};
    const Status status =
        append_folder(&folder)
            ? keep_at(game, buffer_string(&folder))
            : status_error("there is no folder for it: neither XDG_STATE_HOME nor HOME is set");
    buffer_release(&folder);
    return status;
}

Status play_game_find(PlayGame *game, bool *found) {
    TextBuffer path = {0}, text = {0};
    Status status = status_ok();
    *found = false;
    if (append_folder(&path)) {
        buffer_append_format(&path, "/%s", FILE_NAME);
        if (file_size(buffer_string(&path)) >= 0) {
            status = file_read(buffer_string(&path), &text);
            if (status_is_ok(&status)) status = play_game_read(game, buffer_view(&text));
            *found = status_is_ok(&status);
            if (!*found) status = status_error("%.100s: %.140s", buffer_string(&path), status.reason);
        }
    }
    buffer_release(&path);
    buffer_release(&text);
    return status;
}
