#include "cli/play_save.h"

#include "base/file.h"
#include "chess/game.h"
#include "chess/pgn.h"
#include "engine/version.h"

#include <stdlib.h>
#include <string.h>

static const char TAG_PERSON[] = "LuftPerson", TAG_NODES[] = "LuftNodes";

enum { TENTH = 100, SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };

/* --- writing --- */

/* Rounded up: a clock that runs must not stand at nothing. */
static void append_clock(TextBuffer *out, int64_t clock) {
    clock += TENTH - 1;
    buffer_append_format(out, "[%%clk %d:%02d:%02d.%d]", (int)(clock / HOUR), (int)(clock / MINUTE % 60),
                         (int)(clock / SECOND % 60), (int)(clock / TENTH % 10));
}

static void append_comment(TextBuffer *out, const PlayGame *game, int ply) {
    if (game->settings.has_clock) append_clock(out, game->moves[ply].clock);
    const bool is_last = ply == game->count - 1;
    /* What the moves themselves show needs no words. */
    if (!is_last || game->end == game_end(&game->now)) return;
    if (out->length > 0) buffer_append_char(out, ' ');
    play_game_describe_end(game, out);
}

static const char *termination(const PlayGame *game) {
    if (game->end == GAME_GOES_ON) return "unterminated";
    return game->end == TIME_FORFEIT ? "time forfeit" : "normal";
}

static Status set_tags(const PlayGame *game, Game *pgn) {
    const PlaySettings *settings = &game->settings;
    char engine[64], control[48] = "-", nodes[32];
    text_format(engine, sizeof engine, ENGINE_NAME " %s", version_name());
    if (settings->has_clock)
        text_format(control, sizeof control, "%.10g+%.10g", (double)settings->base / SECOND,
                    (double)settings->increment / SECOND);
    text_format(nodes, sizeof nodes, "%llu", (unsigned long long)settings->nodes);
    const bool is_white = settings->person == WHITE;
    const char *const TAGS[][2] = {{"Event", "Game against " ENGINE_NAME},
                                   {"Date", settings->date},
                                   {"Round", "-"},
                                   {"White", is_white ? settings->name : engine},
                                   {"Black", is_white ? engine : settings->name},
                                   {"TimeControl", control},
                                   {"Termination", termination(game)},
                                   {TAG_PERSON, is_white ? "white" : "black"},
                                   {TAG_NODES, settings->nodes > 0 ? nodes : NULL}};
    Status status = status_ok();
    for (size_t i = 0; i < sizeof TAGS / sizeof TAGS[0] && status_is_ok(&status); i++)
        if (TAGS[i][1] != NULL) status = game_set_tag(pgn, TAGS[i][0], TAGS[i][1]);
    return status;
}

Status play_record_write(const PlayGame *game, TextBuffer *out) {
    Game pgn = {.start = game->settings.start, .result = game->result};
    Status status = set_tags(game, &pgn);
    for (int i = 0; i < game->count && status_is_ok(&status); i++) {
        TextBuffer comment = {0};
        append_comment(&comment, game, i);
        status =
            game_add_move(&pgn, game->moves[i].move, comment.length > 0 ? buffer_string(&comment) : NULL);
        buffer_release(&comment);
    }
    if (status_is_ok(&status)) pgn_write_game(&pgn, out);
    if (status_is_ok(&status) && out->failed) status = status_no_memory("the game");
    game_release(&pgn);
    return status;
}

/* --- reading --- */

/* A number up to a sign that ends it, which is taken off too. */
static bool take_number(TextView *text, char sign, double *value) {
    size_t length = 0;
    while (length < text->length && text->data[length] != sign) length++;
    const TextView number = {text->data, length};
    const size_t taken = length < text->length ? length + 1 : length;
    *text = (TextView){text->data + taken, text->length - taken};
    return text_parse_double(number, value) && *value >= 0;
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

static Status read_settings(const Game *pgn, PlaySettings *settings) {
    const char *person = game_tag(pgn, TAG_PERSON), *nodes = game_tag(pgn, TAG_NODES),
               *date = game_tag(pgn, "Date"), *control = game_tag(pgn, "TimeControl");
    *settings = (PlaySettings){.start = pgn->start};
    if (person == NULL) return status_error("it is not a game that luft play has kept");
    settings->person = strcmp(person, "black") == 0 ? BLACK : WHITE;
    if (nodes != NULL && !text_parse_uint64(text_view(nodes), &settings->nodes))
        return status_error("its number of nodes, '%.40s', is none", nodes);
    if (control != NULL && !read_control(control, settings))
        return status_error("its time control, '%.40s', is none", control);
    const char *name = game_tag(pgn, color_name(settings->person));
    text_copy(text_view(name), settings->name, sizeof settings->name);
    text_copy(text_view(date), settings->date, sizeof settings->date);
    return status_ok();
}

static Status replay(const Game *pgn, PlayGame *game) {
    Status status = status_ok();
    for (int i = 0; i < pgn->move_count && status_is_ok(&status); i++) {
        int64_t left, spent = 0;
        if (game->settings.has_clock && read_clock(game_comment(pgn, i + 1), &left)) {
            spent = game->clock[game->now.side] + game->settings.increment - left;
            if (spent <= -TENTH) return status_error("a clock in it gains time");
            if (spent < 0) spent = 0;
        }
        if (game->end != GAME_GOES_ON) return status_error("moves stand behind its end");
        status = play_game_move(game, pgn->moves[i], spent);
    }
    return status;
}

Status play_record_read(TextView text, PlayGame *game) {
    Game pgn = {0};
    PlaySettings settings;
    bool found = false;
    int line = 1;
    Status status = pgn_read_game(&text, &line, &pgn, &found);
    if (status_is_ok(&status) && !found) status = status_error("there is no game in it");
    if (status_is_ok(&status)) status = read_settings(&pgn, &settings);
    if (status_is_ok(&status)) {
        play_game_begin(game, &settings);
        status = replay(&pgn, game);
        if (!status_is_ok(&status)) play_game_release(game);
    }
    game_release(&pgn);
    return status;
}

/* --- the kept game --- */

static const char FILE_NAME[] = "game.pgn";

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

static Status keep_at(const PlayGame *game, const char *folder) {
    TextBuffer path = {0}, text = {0};
    buffer_append_format(&path, "%s/%s", folder, FILE_NAME);
    Status status = status_ok();
    if (game->count == 0 || game->end != GAME_GOES_ON) {
        status = file_remove(buffer_string(&path));
    } else {
        status = file_make_folder(folder);
        if (status_is_ok(&status)) status = play_record_write(game, &text);
        if (status_is_ok(&status)) status = file_write(buffer_string(&path), text.data, text.length);
    }
    buffer_release(&path);
    buffer_release(&text);
    return status;
}

Status play_record_keep(const PlayGame *game) {
    TextBuffer folder = {0};
    const Status status =
        append_folder(&folder)
            ? keep_at(game, buffer_string(&folder))
            : status_error("there is no folder for it: neither XDG_STATE_HOME nor HOME is set");
    buffer_release(&folder);
    return status;
}

Status play_record_find(PlayGame *game, bool *found) {
    TextBuffer path = {0}, text = {0};
    Status status = status_ok();
    *found = false;
    if (append_folder(&path)) {
        buffer_append_format(&path, "/%s", FILE_NAME);
        if (file_size(buffer_string(&path)) >= 0) {
            status = file_read(buffer_string(&path), &text);
            if (status_is_ok(&status)) status = play_record_read(buffer_view(&text), game);
            *found = status_is_ok(&status);
            if (!*found) status = status_error("%.100s: %.140s", buffer_string(&path), status.reason);
        }
    }
    buffer_release(&path);
    buffer_release(&text);
    return status;
}
