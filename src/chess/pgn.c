#include "chess/pgn.h"

#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/san.h"

#include <string.h>

/* === reading === */

/* --- characters and tokens --- */

/* A place in the input. */
typedef struct Cursor {
    TextView rest;
    int line;
    bool line_start;  /* the next character is the first of its line */
    bool blank;       /* there was only white space in this line so far */
    bool after_empty; /* and in the line before */
} Cursor;

typedef struct Reader {
    Cursor at;
    Game *game;
    Position pos; /* after the moves read so far */
} Reader;

static bool at_end(const Reader *reader) { return reader->at.rest.length == 0; }
static char peek(const Reader *reader) { return at_end(reader) ? '\0' : reader->at.rest.data[0]; }

static char take(Reader *reader) {
    Cursor *at = &reader->at;
    const char c = at->rest.data[0];
    at->rest = (TextView){at->rest.data + 1, at->rest.length - 1};
    at->line_start = c == '\n';
    if (c == '\n') {
        at->line++;
        at->after_empty = at->blank;
        at->blank = true;
    } else if (!char_is_space(c)) {
        at->blank = false;
    }
    return c;
}

/* Takes the rest of the line, without its end. */
static TextView take_line(Reader *reader) {
    TextView line = {reader->at.rest.data, 0};
    while (!at_end(reader) && peek(reader) != '\n') {
        take(reader);
        line.length++;
    }
    return line;
}

/* White space and whole lines that '%' takes out of the game. Returns whether an empty line was among them.
 */
static bool skip_space(Reader *reader) {
    int feeds = 0;
    while (!at_end(reader)) {
        if (reader->at.line_start && peek(reader) == '%')
            take_line(reader);
        else if (char_is_space(peek(reader)))
            feeds += take(reader) == '\n';
        else
            break;
    }
    return feeds > 1;
}

/* Whether a line like [Name "value"] begins here. A clock in a wrapped comment, [%clk 0:01], is none. */
static bool at_tag(const Reader *reader) {
    const TextView rest = reader->at.rest;
    size_t i = 1;
    if (peek(reader) != '[') return false;
    while (i < rest.length && (rest.data[i] == ' ' || rest.data[i] == '\t')) i++;
    const size_t name = i;
    while (i < rest.length && is_tag_name_character(rest.data[i])) i++;
    const size_t name_end = i;
    while (i < rest.length && (rest.data[i] == ' ' || rest.data[i] == '\t')) i++;
    return name_end > name && i < rest.length && rest.data[i] == '"';
}

/* Whether the next game's tags begin here: a comment or variation that is still open was never closed. */
static bool at_next_game(const Reader *reader) {
    return reader->at.line_start && at_tag(reader) &&
           (reader->at.after_empty || text_starts_with(reader->at.rest, "[Event "));
}

static Status fault(const Reader *reader, const char *reason) {
    return status_error("line %d: %s", reader->at.line, reason);
}

/* "a8(Q)": the brackets belong to the move. */
static bool at_bracketed_promotion(const Reader *reader) {
    const TextView rest = reader->at.rest;
    return rest.length >= 3 && rest.data[0] == '(' && rest.data[1] != '\0' &&
           strchr("NBRQ", rest.data[1]) != NULL && rest.data[2] == ')';
}

static TextView take_token(Reader *reader) {
    static const char delimiters[] = "{}();$[]<>\"";
    TextView token = {reader->at.rest.data, 0};
    while (!at_end(reader) && !char_is_space(peek(reader))) {
        const char c = peek(reader);
        if (token.length > 0 && at_bracketed_promotion(reader)) {
            for (int i = 0; i < 3; i++) take(reader);
            token.length += 3;
            continue;
        }
        if (token.length > 0 && c != '\0' && strchr(delimiters, c) != NULL) break;
        take(reader);
        token.length++;
    }
    return token;
}

/* --- comments and variations --- */

/* Everything between braces. */
static Status read_braces(Reader *reader, TextView *inside) {
    const int first_line = reader->at.line;
    take(reader);
    *inside = (TextView){reader->at.rest.data, 0};
    while (!at_end(reader) && !at_next_game(reader)) {
        if (take(reader) == '}') return status_ok();
        inside->length++;
    }
    return status_error("line %d: the comment that begins here has no closing brace", first_line);
}

/* A comment of either kind. */
static Status read_comment(Reader *reader, TextView *text) {
    if (peek(reader) == '{') return read_braces(reader, text);
    take(reader);
    *text = take_line(reader);
    return status_ok();
}

/* A comment as a part of a variation, whose text then is as if it were in one line. */
static Status copy_comment(Reader *reader, TextBuffer *out) {
    TextView text;
    Status status = read_comment(reader, &text);
    if (!status_is_ok(&status)) return status;
    buffer_append_char(out, '{');
    game_append_clean(out, text, true);
    buffer_append_char(out, '}');
    return status;
}

/* The text of a variation with all variations and comments in it, without its own parentheses. */
static Status read_variation(Reader *reader, TextBuffer *out) {
    const int first_line = reader->at.line;
    int depth = 0;
    while (!at_end(reader) && !at_next_game(reader)) {
        const char c = peek(reader);
        if (c == '%' && reader->at.line_start) {
            take_line(reader);
        } else if (c == '{' || c == ';') {
            Status status = copy_comment(reader, out);
            if (!status_is_ok(&status)) return status;
        } else {
            take(reader);
            depth += c == '(';
            depth -= c == ')';
            if (depth == 0) return status_ok();
            if (depth > 1 || c != '(') buffer_append_char(out, c);
        }
    }
    return status_error("line %d: the variation that begins here has no closing parenthesis", first_line);
}

/* Without a move in front of it a variation is no program's business: a comment says the same. */
static Status keep_variation(Reader *reader, int place) {
    TextBuffer text = {0};
    const bool is_comment = place == 0 || place == AFTER_RESULT;
    if (is_comment) buffer_append_char(&text, '(');
    Status status = read_variation(reader, &text);
    if (is_comment) buffer_append_char(&text, ')');
    if (status_is_ok(&status) && text.failed) status = status_no_memory("a variation");
    if (status_is_ok(&status))
        status = is_comment ? game_add_comment(reader->game, place, buffer_view(&text))
                            : game_add_variation(reader->game, place, buffer_view(&text));
    buffer_release(&text);
    return status;
}

static Status keep_nag(Reader *reader, int place) {
    TextView token = take_token(reader);
    int64_t nag;
    token = (TextView){token.data + 1, token.length - 1};
    if (!text_parse_int64(token, &nag) || nag < 0 || nag > NAG_MAX) return status_ok();
    return game_add_nag(reader->game, place, (int)nag);
}

static bool at_note(const Reader *reader) {
    const char c = peek(reader);
    return c == '{' || c == ';' || c == '(' || c == '$';
}

static Status keep_note(Reader *reader, int place) {
    if (peek(reader) == '$') return keep_nag(reader, place);
    if (peek(reader) == '(') return keep_variation(reader, place);
    TextView text;
    Status status = read_comment(reader, &text);
    return status_is_ok(&status) ? game_add_comment(reader->game, place, text) : status;
}

/* Opinions as signs and their NAGs, in front of which some write no dollar. */
static const struct {
    const char *sign;
    int nag;
} SIGNS[] = {{"!", 1},    {"?", 2},    {"!!", 3},   {"??", 4},   {"!?", 5},
             {"?!", 6},   {"=", 10},   {"+=", 14},  {"+/=", 14}, {"=+", 15},
             {"=/+", 15}, {"+/-", 16}, {"-/+", 17}, {"+-", 18},  {"-+", 19}};

/* Signs of check, mate and capture en passant may be words of their own: the move says the same. */
static Status keep_sign(Reader *reader, TextView sign) {
    static const char *const SAID[] = {"", "+", "++", "#", "/", "e.p."};
    for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; i++)
        if (text_equals(sign, SAID[i])) return status_ok();
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++)
        if (text_equals(sign, SIGNS[i].sign))
            return game_add_nag(reader->game, reader->game->move_count, SIGNS[i].nag);
    return game_add_comment(reader->game, reader->game->move_count, sign);
}

/* --- tags --- */

/* The quoted value, unescaped. What does not fit a GameTag is cut, in names too: it costs nobody the game. */
static Status read_tag_value(Reader *reader, char value[sizeof((GameTag *)0)->value]) {
    size_t length = 0;
    bool is_cut = false;
    take(reader); /* the opening quote */
    for (;;) {
        if (at_end(reader) || peek(reader) == '\n')
            return fault(reader, "the value of a tag has no closing quote");
        char c = take(reader);
        if (c == '"') break;
        if (c == '\\' && (peek(reader) == '"' || peek(reader) == '\\')) c = take(reader);
        if (length + 1 < sizeof((GameTag *)0)->value)
            value[length++] = char_is_control(c) ? ' ' : c;
        else
            is_cut = true;
    }
    if (is_cut) length = text_whole_characters(value, length);
    value[length] = '\0';
    return status_ok();
}

static Status read_tag(Reader *reader) {
    TextView name = {NULL, 0};
    char value[sizeof((GameTag *)0)->value], name_string[sizeof((GameTag *)0)->name];
    take(reader); /* the bracket */
    while (char_is_space(peek(reader))) take(reader);
    name.data = reader->at.rest.data;
    while (is_tag_name_character(peek(reader))) {
        take(reader);
        name.length++;
    }
    while (char_is_space(peek(reader))) take(reader);
    Status status = read_tag_value(reader, value);
    if (!status_is_ok(&status)) return status;
    while (peek(reader) == ' ' || peek(reader) == '\t') take(reader);
    if (peek(reader) != ']') return fault(reader, "a tag has no closing bracket");
    take(reader);
    text_copy(name, name_string, sizeof name_string);
    return game_set_tag(reader->game, name_string, value);
}

/* Tags until the moves begin. A second Event after an empty line belongs to the next game: this one has no
 * moves. */
static Status read_tags(Reader *reader, bool *moves_follow) {
    Status status = status_ok();
    *moves_follow = true;
    while (status_is_ok(&status)) {
        const bool empty_line = skip_space(reader);
        const bool is_head = reader->game->tag_count == 0;
        if (is_head && (peek(reader) == '{' || peek(reader) == ';')) {
            status = keep_note(reader, 0); /* some files say something before the tags */
            continue;
        }
        if (!at_tag(reader)) return status;
        if (empty_line && !is_head) {
            const TextView rest = reader->at.rest;
            if (text_starts_with((TextView){rest.data + 1, rest.length - 1}, "Event ")) {
                *moves_follow = false;
                return status;
            }
        }
        status = read_tag(reader);
    }
    return status;
}

static bool is_any_of(const char *value, const char *const *names) {
    for (; *names != NULL; names++) {
        if (text_equals_ignore_case(text_view(value), *names)) return true;
    }
    return false;
}

static Status set_up_start(Reader *reader) {
    static const char *const standard[] = {"",  "?", "-", "Standard", "Normal", "Chess", "From Position",
                                           NULL};
    static const char *const chess960[] = {"Chess960",      "Chess 960", "Fischerandom", "Fischer Random",
                                           "Fischerrandom", "FRC",       "Freestyle",    NULL};
    Game *game = reader->game;
    const char *variant = game_tag(game, "Variant"), *fen = game_tag(game, "FEN"),
               *set_up = game_tag(game, "SetUp");
    const bool free_castling = variant != NULL && is_any_of(variant, chess960);
    if (variant != NULL && !free_castling && !is_any_of(variant, standard)) {
        return status_error("line %d: the variant '%.40s' is not chess as we play it", reader->at.line,
                            variant);
    }
    if (fen == NULL && set_up != NULL && strcmp(set_up, "1") == 0) {
        return fault(reader, "the SetUp tag promises a FEN tag, but there is none");
    }
    Status status = fen_parse(&game->start, text_view(fen == NULL ? FEN_START : fen), free_castling);
    if (!status_is_ok(&status)) return fault(reader, status.reason);
    reader->pos = game->start;
    return status;
}

/* --- moves --- */

static bool read_result(TextView token, GameResult *result) {
    return game_result_parse(text_equals(token, "1/2") ? text_view("1/2-1/2") : token, result);
}

static TextView skip_move_number(TextView token) {
    size_t digits = 0;
    while (digits < token.length && char_is_digit(token.data[digits])) digits++;
    size_t end = digits;
    while (end < token.length && token.data[end] == '.') end++;
    /* "12" alone is a number too, but the 0 of 0-0 and the 1 of 1-0 are none. */
    if (end == digits && end < token.length) return token;
    return (TextView){token.data + end, token.length - end};
}

/* "!?", "+-", "=" on their own: opinions. But "--" passes the turn, which is no chess. */
static bool is_sign(TextView token) {
    if (text_equals(token, "--")) return false;
    for (size_t i = 0; i < token.length; i++) {
        if (token.data[i] == '\0' || strchr("!?+-=/#", token.data[i]) == NULL)
            return text_equals(token, "e.p.");
    }
    return true;
}

/* The length of a token without the longest opinion at its end: "Qh5+-" is Qh5 and "+-". */
static size_t length_without_sign(TextView token) {
    size_t longest = 0;
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
        const size_t length = strlen(SIGNS[i].sign);
        if (length > longest && length < token.length &&
            memcmp(token.data + token.length - length, SIGNS[i].sign, length) == 0)
            longest = length;
    }
    return token.length - longest;
}

static Status read_move(Reader *reader, TextView token) {
    Move move = MOVE_NONE;
    Undo undo;
    size_t bare = token.length;
    while (bare > 0 && (token.data[bare - 1] == '!' || token.data[bare - 1] == '?')) bare--;
    Status status = san_parse(&reader->pos, token, &move);
    if (!status_is_ok(&status)) {
        const size_t shorter = length_without_sign(token);
        const Status again = san_parse(&reader->pos, (TextView){token.data, shorter}, &move);
        if (status_is_ok(&again)) {
            status = again;
            bare = shorter;
        }
    }
    if (!status_is_ok(&status)) {
        return status_error("line %d, move %d%s %s", reader->at.line, reader->pos.fullmove,
                            reader->pos.side == WHITE ? "." : "...", status.reason);
    }
    status = game_add_move(reader->game, move, NULL);
    if (!status_is_ok(&status)) return status;
    position_make_move(&reader->pos, move, &undo);
    return keep_sign(reader, (TextView){token.data + bare, token.length - bare});
}

static Status read_token(Reader *reader, bool *over) {
    TextView token = take_token(reader);
    if (token.data[0] == ')' || token.data[0] == '<' || token.data[0] == '>')
        return status_ok(); /* a stray sign that changes nothing */
    *over = read_result(token, &reader->game->result);
    if (*over) return status_ok();
    token = skip_move_number(token);
    return is_sign(token) ? keep_sign(reader, token) : read_move(reader, token);
}

/* Notes after the result. After an empty line they may be the next game's: they are this one's if nothing
 * else follows. */
static Status read_after_result(Reader *reader) {
    Game *game = reader->game;
    Status status = status_ok();
    bool empty_line = skip_space(reader);
    while (at_note(reader) && !empty_line && status_is_ok(&status)) {
        status = keep_note(reader, AFTER_RESULT);
        empty_line = skip_space(reader);
    }
    if (!status_is_ok(&status)) return status;
    const Cursor gap = reader->at;
    const int note_count = game->note_count;
    const size_t length = game->text.length;
    while (at_note(reader) && status_is_ok(&status)) {
        status = keep_note(reader, AFTER_RESULT);
        skip_space(reader);
    }
    if (status_is_ok(&status) && at_end(reader)) return status;
    reader->at = gap;
    game->note_count = note_count;
    game->text.length = length;
    return status_ok();
}

/* Moves until the result, the next game's tags or the end. */
static Status read_moves(Reader *reader) {
    Status status = status_ok();
    bool over = false;
    while (!over && status_is_ok(&status)) {
        skip_space(reader);
        if (at_end(reader) || at_tag(reader)) return status;
        status = at_note(reader) ? keep_note(reader, reader->game->move_count) : read_token(reader, &over);
    }
    return over && status_is_ok(&status) ? read_after_result(reader) : status;
}

/* After a fault: to the first tag of the next game. A tag among tags is still of this one. */
static void skip_to_next_game(Reader *reader) {
    bool tags_over = reader->game->move_count > 0;
    while (!at_end(reader) && !at_next_game(reader)) {
        take_line(reader);
        const bool empty_line = skip_space(reader);
        const bool tag = at_tag(reader);
        if (tag && (tags_over || (empty_line && text_starts_with(reader->at.rest, "[Event ")))) return;
        tags_over |= !tag;
    }
}

static Status read_game(Reader *reader) {
    bool moves_follow;
    Game *game = reader->game;
    Status status = read_tags(reader, &moves_follow);
    (void)game_result_parse(text_view(game_tag(game, "Result")),
                            &game->result); /* the moves may end it otherwise */
    if (status_is_ok(&status)) status = set_up_start(reader);
    if (status_is_ok(&status) && moves_follow) status = read_moves(reader);
    return status;
}

Status pgn_read_game(TextView *rest, int *line, Game *game, bool *found) {
    game_release(game);
    Reader reader = {
        .at = {.rest = text_without_mark(*rest), .line = *line, .line_start = true, .blank = true},
        .game = game};
    skip_space(&reader);
    Status status = status_ok();
    *found = !at_end(&reader);
    if (*found) {
        status = read_game(&reader);
        if (!status_is_ok(&status)) skip_to_next_game(&reader);
    }
    *rest = reader.at.rest;
    *line = reader.at.line;
    return status;
}

/* === writing === */

enum { LINE_WIDTH = 79 };

static const char *const ROSTER[] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};
enum { ROSTER_SIZE = sizeof ROSTER / sizeof ROSTER[0] };

/* --- tags --- */

static void write_tag(TextBuffer *out, const char *name, const char *value) {
    buffer_append_format(out, "[%s \"", name);
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\') buffer_append_char(out, '\\');
        buffer_append_char(out, *value);
    }
    buffer_append_string(out, "\"]\n");
}

static bool is_in_roster(const char *name) {
    for (int i = 0; i < ROSTER_SIZE; i++) {
        if (strcmp(name, ROSTER[i]) == 0) return true;
    }
    return false;
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
    for (int i = 0; i < ROSTER_SIZE; i++) {
        const char *value = game_tag(game, ROSTER[i]);
        if (strcmp(ROSTER[i], "Result") == 0)
            value = result;
        else if (value == NULL)
            value = strcmp(ROSTER[i], "Date") == 0 ? "????.??.??" : "?";
        write_tag(out, ROSTER[i], value);
    }
    for (int i = 0; i < game->tag_count; i++) {
        const char *name = game->tags[i].name;
        const bool of_start = strcmp(name, "FEN") == 0 || strcmp(name, "SetUp") == 0;
        if (!of_start && !is_in_roster(name)) write_tag(out, name, game->tags[i].value);
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
