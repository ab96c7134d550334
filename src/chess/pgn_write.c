#include "chess/pgn_write.h"

#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/san.h"

#include <string.h>

enum { LINE_WIDTH = 79 };

/* --- tags --- */

static void write_tag(TextBuffer *out, const char *name, const char *value) {
    buffer_append_format(out, "[%s \"", name);
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\') buffer_append_char(out, '\\');
        buffer_append_char(out, *value);
    }
    buffer_append_string(out, "\"]\n");
}

/* The start is written from the position itself: tags that contradict it would make the moves nonsense. */
static void write_start_tags(const Game *game, const Position *start, TextBuffer *out) {
    char fen[FEN_CAPACITY];
    fen_write(start, fen);
    if (start->chess960 && game_tag(game, "Variant") == NULL) write_tag(out, "Variant", "Chess960");
    if (strcmp(fen, FEN_START) == 0) return;
    write_tag(out, "SetUp", "1");
    write_tag(out, "FEN", fen);
}

static void write_tags(const Game *game, const Position *start, const char *result, TextBuffer *out) {
    for (int i = 0; i < GAME_ROSTER_SIZE; i++) {
        const char *value = game_tag(game, GAME_ROSTER[i]);
        if (strcmp(GAME_ROSTER[i], "Result") == 0)
            value = result;
        else if (value == NULL)
            value = strcmp(GAME_ROSTER[i], "Date") == 0 ? "????.??.??" : "?";
        write_tag(out, GAME_ROSTER[i], value);
    }
    for (int i = 0; i < game->tag_count; i++) {
        const char *name = game->tags[i].name;
        if (!game_is_roster_tag(name) && !game_is_start_tag(name)) write_tag(out, name, game->tags[i].value);
    }
    write_start_tags(game, start, out);
    buffer_append_char(out, '\n');
}

/* --- moves and notes --- */

/* Words set one after the other, with a line feed where the line would become too long. */
typedef struct Typesetter {
    TextBuffer *out;
    size_t column;
} Typesetter;

/* At the start of a line a per cent sign takes the whole line out of the game, and what looks like a tag is
 * taken for the next game's by readers that look at lines. */
static bool may_begin_line(TextView word) {
    if (word.length == 0 || word.data[0] == '%') return false;
    return word.data[0] != '[' || (word.length > 1 && !is_tag_name_character(word.data[1]));
}

static void set_word(Typesetter *setter, TextView word) {
    if (setter->column > 0 && setter->column + 1 + word.length > LINE_WIDTH && may_begin_line(word)) {
        buffer_append_char(setter->out, '\n');
        setter->column = 0;
    }
    if (setter->column > 0) {
        buffer_append_char(setter->out, ' ');
        setter->column++;
    }
    buffer_append(setter->out, word);
    setter->column += word.length;
}

static bool is_open_command(TextView word) {
    bool open = false;
    for (size_t i = 0; i < word.length; i++) {
        if (word.data[i] == '%' && i > 0 && word.data[i - 1] == '[') open = true;
        if (word.data[i] == ']') open = false;
    }
    return open;
}

/* A command like [%clk 0:01:00] is one word: programs look for it in one line. */
static TextView next_word(TextView *rest) {
    TextView word = text_next_word(rest);
    while (word.length < LINE_WIDTH / 2 && is_open_command(word) && !text_is_empty(text_trim(*rest))) {
        const TextView more = text_next_word(rest);
        word.length = (size_t)(more.data - word.data) + more.length;
    }
    return word;
}

static void set_text(Typesetter *setter, char before, const char *text, char after) {
    TextBuffer whole = {0};
    buffer_append_char(&whole, before);
    buffer_append_string(&whole, text);
    buffer_append_char(&whole, after);
    setter->out->failed |= whole.failed;
    TextView rest = whole.failed ? text_view(NULL) : buffer_view(&whole);
    for (TextView word = next_word(&rest); !text_is_empty(word); word = next_word(&rest))
        set_word(setter, word);
    buffer_release(&whole);
}

/* Returns whether a number is needed after them. */
static bool set_notes(const Game *game, int place, Typesetter *setter) {
    int count;
    bool number_needed = false;
    const GameNote *notes = game_notes(game, place, &count);
    for (int i = 0; i < count; i++) {
        char nag[16];
        switch (notes[i].kind) {
        case NOTE_NAG:
            text_format(nag, sizeof nag, "$%d", notes[i].nag);
            set_word(setter, text_view(nag));
            break;
        case NOTE_COMMENT: set_text(setter, '{', game_note_text(game, &notes[i]), '}'); break;
        case NOTE_VARIATION: set_text(setter, '(', game_note_text(game, &notes[i]), ')'); break;
        }
        number_needed |= notes[i].kind != NOTE_NAG;
    }
    return number_needed;
}

static void set_moves(const Game *game, const Position *start, Typesetter *setter) {
    Position pos = *start;
    bool number_needed = true;
    set_notes(game, 0, setter);
    for (int i = 0; i < game->move_count; i++) {
        char text[32];
        Undo undo;
        if (pos.side == WHITE || number_needed) {
            const size_t length =
                text_format(text, sizeof text, "%d%s", pos.fullmove, pos.side == WHITE ? "." : "...");
            set_word(setter, (TextView){text, length});
        }
        const size_t length = san_write(&pos, game->moves[i], text);
        set_word(setter, (TextView){text, length});
        number_needed = set_notes(game, i + 1, setter);
        position_make_move(&pos, game->moves[i], &undo);
    }
}

void pgn_write_game(const Game *game, TextBuffer *out) {
    Position start = game->start;
    if (!start.by_type[KING]) { /* never set: a game put together from moves alone */
        Status status = fen_parse(&start, text_view(FEN_START), false);
        if (!status_is_ok(&status)) return;
    }
    const char *result = game_result_text(game->result);
    write_tags(game, &start, result, out);
    Typesetter setter = {out, 0};
    set_moves(game, &start, &setter);
    set_word(&setter, text_view(result));
    set_notes(game, AFTER_RESULT, &setter);
    buffer_append_string(out, "\n\n");
}
