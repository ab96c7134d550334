#include "chess/game.h"

#include "base/memory.h"
#include "chess/attacks.h"
#include "chess/draw.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/plain.h"

#include <assert.h>
#include <string.h>

void chess_init(void) {
    attacks_init();
    zobrist_init();
    draw_init(); /* reads both */
}

/* --- results and ends --- */

static const char *const RESULT_TEXTS[GAME_RESULTS] = {"*", "0-1", "1/2-1/2", "1-0"};

const char *game_result_text(GameResult result) { return RESULT_TEXTS[result]; }

bool game_result_parse(TextView text, GameResult *result) {
    static const struct {
        const char *text;
        GameResult result;
    } ALSO[] = {{"1/2", DRAWN},     {"1:0", WHITE_WINS}, {"0:1", BLACK_WINS},
                {"1/2:1/2", DRAWN}, {"0.5-0.5", DRAWN},  {"0.5:0.5", DRAWN}};
    char plain[16];
    const TextView word = {plain, plain_write(text, plain, sizeof plain)};
    for (int i = 0; i < GAME_RESULTS; i++) {
        if (!text_equals(word, RESULT_TEXTS[i])) continue;
        *result = (GameResult)i;
        return true;
    }
    for (size_t i = 0; i < sizeof ALSO / sizeof ALSO[0]; i++) {
        if (!text_equals(word, ALSO[i].text)) continue;
        *result = ALSO[i].result;
        return true;
    }
    return false;
}

GameEnd game_end(const Position *pos) {
    if (!movegen_has_legal(pos)) return position_in_check(pos) ? CHECKMATE : STALEMATE;
    if (draw_by_dead_material(pos)) return DEAD_POSITION;
    if (draw_by_repetition(pos, 0)) return THREEFOLD_REPETITION;
    return draw_by_fifty_moves(pos) ? FIFTY_MOVES : GAME_GOES_ON;
}

GameResult game_end_result(GameEnd end, const Position *pos) {
    if (end == GAME_GOES_ON) return UNDECIDED;
    return end == CHECKMATE ? game_won_by(color_other(pos->side)) : DRAWN;
}

const char *game_end_name(GameEnd end) {
    static const char *const NAMES[GAME_ENDS] = {
        "unfinished",     "mate",          "stalemate",        "threefold repetition",
        "fifty moves",    "dead position", "draw adjudicated", "win adjudicated",
        "maximum length", "fault",         "cancelled",        "resignation",
        "agreement",      "time forfeit"};
    return NAMES[end];
}

/* --- the game --- */

void game_release(Game *game) {
    memory_release(game->tags);
    memory_release(game->moves);
    memory_release(game->notes);
    buffer_release(&game->text);
    *game = (Game){0};
}

/* --- tags --- */

static GameTag *find_tag(const Game *game, const char *name) {
    for (int i = 0; i < game->tag_count; i++) {
        if (text_equals_ignore_case(text_view(name), game->tags[i].name)) return &game->tags[i];
    }
    return NULL;
}

const char *game_tag(const Game *game, const char *name) {
    const GameTag *tag = find_tag(game, name);
    return tag == NULL ? NULL : tag->value;
}

static bool is_tag_name(TextView name) {
    for (size_t i = 0; i < name.length; i++) {
        if (!is_tag_name_character(name.data[i])) return false;
    }
    return name.length > 0 && name.length < sizeof((GameTag *)0)->name;
}

const char *const GAME_ROSTER[GAME_ROSTER_SIZE] = {"Event", "Site",  "Date",  "Round",
                                                   "White", "Black", "Result"};

bool game_is_roster_tag(const char *name) {
    int i = 0;
    while (i < GAME_ROSTER_SIZE && !text_equals_ignore_case(text_view(name), GAME_ROSTER[i])) i++;
    return i < GAME_ROSTER_SIZE;
}

bool game_is_start_tag(const char *name) {
    return text_equals_ignore_case(text_view(name), "FEN") ||
           text_equals_ignore_case(text_view(name), "SetUp");
}

Status game_set_tag(Game *game, const char *name, const char *value) {
    if (!is_tag_name(text_view(name))) return status_error("'%.40s' is no name for a PGN tag", name);
    if (strlen(value) >= sizeof((GameTag *)0)->value)
        return status_error("the value of PGN tag %s is too long", name);
    GameTag *tag = find_tag(game, name);
    if (tag == NULL) {
        GameTag *tags = memory_grow(game->tags, (size_t)game->tag_count, sizeof *tags);
        if (tags == NULL) return status_no_memory("a PGN tag");
        game->tags = tags;
        tag = &tags[game->tag_count++];
        text_copy(text_view(name), tag->name, sizeof tag->name);
    }
    text_copy(text_view(value), tag->value, sizeof tag->value);
    text_blank_hidden(tag->value);
    return status_ok();
}

Status game_set_tags(Game *game, const char *const (*tags)[2], size_t count) {
    Status status = status_ok();
    for (size_t i = 0; i < count && status_is_ok(&status); i++)
        if (tags[i][1] != NULL) status = game_set_tag(game, tags[i][0], tags[i][1]);
    return status;
}

/* --- moves --- */

Status game_add_move(Game *game, Move move, const char *comment) {
    Move *moves = memory_grow(game->moves, (size_t)game->move_count, sizeof *moves);
    if (moves == NULL) return status_no_memory("the moves of a game");
    game->moves = moves;
    game->moves[game->move_count++] = move;
    return comment == NULL ? status_ok() : game_add_comment(game, game->move_count, text_view(comment));
}

Position game_position(const Game *game, int plies) {
    Position pos = game->start;
    for (int i = 0; i < plies; i++) {
        Undo undo;
        position_make_move(&pos, game->moves[i], &undo);
    }
    return pos;
}

/* --- notes --- */

static Status add_note(Game *game, GameNote note) {
    assert(game->note_count == 0 || game->notes[game->note_count - 1].place <= note.place);
    GameNote *notes = memory_grow(game->notes, (size_t)game->note_count, sizeof *notes);
    if (notes == NULL) return status_no_memory("the notes of a game");
    game->notes = notes;
    notes[game->note_count++] = note;
    return status_ok();
}

static char without_brace(char c) { return c == '{' ? '(' : c == '}' ? ')' : c; }

void game_append_clean(TextBuffer *out, TextView text, bool is_comment) {
    const size_t start = out->length;
    bool gap = false;
    for (size_t i = 0; i < text.length; i++) {
        const char c = text.data[i];
        if (c == ' ' || char_is_control(c)) {
            gap = true;
            continue;
        }
        if (gap && out->length > start) buffer_append_char(out, ' ');
        buffer_append_char(out, is_comment ? without_brace(c) : c);
        gap = false;
    }
}

/* A note of a text; an empty one is none. */
static Status add_text(Game *game, GameNote note, TextView text) {
    TextBuffer *out = &game->text;
    note.text = out->length;
    game_append_clean(out, text, note.kind == NOTE_COMMENT);
    if (out->length > note.text) buffer_append_char(out, '\0');
    if (out->failed) return status_no_memory("the notes of a game");
    return out->length > note.text ? add_note(game, note) : status_ok();
}

Status game_add_comment(Game *game, int place, TextView text) {
    return add_text(game, (GameNote){.kind = NOTE_COMMENT, .place = place}, text);
}

Status game_add_variation(Game *game, int place, TextView text) {
    return add_text(game, (GameNote){.kind = NOTE_VARIATION, .place = place}, text);
}

Status game_add_nag(Game *game, int place, int nag) {
    return add_note(game, (GameNote){.kind = NOTE_NAG, .place = place, .nag = nag});
}

/* The first note at the place or after it. */
static int find_note(const Game *game, int place) {
    int low = 0, high = game->note_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (game->notes[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void game_cut(Game *game, int plies) {
    game->move_count = plies;
    game->result = UNDECIDED;
    game->end = GAME_GOES_ON;
    while (game->note_count > 0 && game->notes[game->note_count - 1].place > plies) {
        const GameNote *note = &game->notes[--game->note_count];
        if (note->kind != NOTE_NAG) game->text.length = note->text;
    }
}

const GameNote *game_notes(const Game *game, int place, int *count) {
    const int first = find_note(game, place);
    int last = first;
    while (last < game->note_count && game->notes[last].place == place) last++;
    *count = last - first;
    return *count == 0 ? NULL : game->notes + first;
}

const char *game_note_text(const Game *game, const GameNote *note) {
    return buffer_string(&game->text) + note->text;
}

const char *game_comment(const Game *game, int place) {
    int count;
    const GameNote *notes = game_notes(game, place, &count);
    for (int i = 0; i < count; i++)
        if (notes[i].kind == NOTE_COMMENT) return game_note_text(game, &notes[i]);
    return NULL;
}
