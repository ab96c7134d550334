#include "chess/pgn.h"

#include "base/memory.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/san.h"

#include <string.h>

enum { LINE_WIDTH = 79 };

static const char *const ROSTER[] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};
enum { ROSTER_SIZE = sizeof ROSTER / sizeof ROSTER[0] };

static const char *const RESULTS[] = {"1-0", "0-1", "1/2-1/2", "*"};
enum { RESULT_COUNT = sizeof RESULTS / sizeof RESULTS[0] };

/* The game in memory */

void pgn_game_release(PgnGame *game) {
    for (int i = 0; i < game->move_count; i++) memory_release(game->comments[i]);
    memory_release(game->comments);
    memory_release(game->moves);
    memory_release(game->tags);
    *game = (PgnGame){0};
}

static PgnTag *find_tag(const PgnGame *game, const char *name) {
    for (int i = 0; i < game->tag_count; i++) {
        if (strcmp(game->tags[i].name, name) == 0) return &game->tags[i];
    }
    return NULL;
}

const char *pgn_tag(const PgnGame *game, const char *name) {
    const PgnTag *tag = find_tag(game, name);
    return tag == NULL ? NULL : tag->value;
}

static bool is_control(char c) { return (unsigned char)c < ' ' || c == 0x7F; }

static bool is_tag_name_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static bool is_tag_name(TextView name) {
    for (size_t i = 0; i < name.length; i++) {
        if (!is_tag_name_character(name.data[i])) return false;
    }
    return name.length > 0 && name.length < sizeof((PgnTag *)0)->name;
}

Status pgn_set_tag(PgnGame *game, const char *name, const char *value) {
    if (!is_tag_name(text_view(name))) return status_error("'%.40s' is no name for a PGN tag", name);
    if (strlen(value) >= sizeof((PgnTag *)0)->value)
        return status_error("the value of PGN tag %s is too long", name);
    PgnTag *tag = find_tag(game, name);
    if (tag == NULL) {
        PgnTag *tags = memory_grow(game->tags, (size_t)game->tag_count, sizeof *tags);
        if (tags == NULL) return status_no_memory("a PGN tag");
        game->tags = tags;
        tag = &tags[game->tag_count++];
        text_copy(text_view(name), tag->name, sizeof tag->name);
    }
    const size_t length = text_copy(text_view(value), tag->value, sizeof tag->value);
    for (size_t i = 0; i < length; i++) {
        if (is_control(tag->value[i])) tag->value[i] = ' ';
    }
    return status_ok();
}

Status pgn_add_move(PgnGame *game, Move move, const char *comment) {
    Status no_memory = status_no_memory("the moves of a game");
    Move *moves = memory_grow(game->moves, (size_t)game->move_count, sizeof *moves);
    if (moves == NULL) return no_memory;
    game->moves = moves;
    char **comments = memory_grow(game->comments, (size_t)game->move_count, sizeof *comments);
    if (comments == NULL) return no_memory;
    game->comments = comments;
    char *copy = comment == NULL ? NULL : text_duplicate(text_view(comment));
    if (comment != NULL && copy == NULL) return no_memory;
    game->moves[game->move_count] = move;
    game->comments[game->move_count++] = copy;
    return status_ok();
}

/* Reading: characters and tokens */

typedef struct Reader {
    TextView rest;
    int line;
    bool line_start; /* the next character is the first of its line */
    PgnGame *game;
    Position pos; /* after the moves read so far */
} Reader;

static bool at_end(const Reader *reader) { return reader->rest.length == 0; }
static char peek(const Reader *reader) { return at_end(reader) ? '\0' : reader->rest.data[0]; }

static char take(Reader *reader) {
    const char c = reader->rest.data[0];
    reader->rest = (TextView){reader->rest.data + 1, reader->rest.length - 1};
    reader->line_start = c == '\n';
    reader->line += c == '\n';
    return c;
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_line(Reader *reader) {
    while (!at_end(reader) && peek(reader) != '\n') take(reader);
}

/* White space and whole lines that '%' takes out of the game. Returns whether an empty line was among them.
 */
static bool skip_space(Reader *reader) {
    int feeds = 0;
    while (!at_end(reader)) {
        if (reader->line_start && peek(reader) == '%')
            skip_line(reader);
        else if (is_space(peek(reader)))
            feeds += take(reader) == '\n';
        else
            break;
    }
    return feeds > 1;
}

/* Whether a line like [Name "value"] begins here. A clock in a wrapped comment, [%clk 0:01], is none. */
static bool at_tag(const Reader *reader) {
    TextView rest = reader->rest;
    size_t i = 1;
    if (peek(reader) != '[') return false;
    while (i < rest.length && (rest.data[i] == ' ' || rest.data[i] == '\t')) i++;
    const size_t name = i;
    while (i < rest.length && is_tag_name_character(rest.data[i])) i++;
    const size_t name_end = i;
    while (i < rest.length && (rest.data[i] == ' ' || rest.data[i] == '\t')) i++;
    return name_end > name && i < rest.length && rest.data[i] == '"';
}

static Status fault(const Reader *reader, const char *reason) {
    return status_error("line %d: %s", reader->line, reason);
}

/* Reading: tags */

/* The quoted value, unescaped. What does not fit a PgnTag is cut, in names too: it costs nobody the game. */
static Status read_tag_value(Reader *reader, char value[sizeof((PgnTag *)0)->value]) {
    size_t length = 0;
    take(reader); /* the opening quote */
    for (;;) {
        if (at_end(reader) || peek(reader) == '\n')
            return fault(reader, "the value of a tag has no closing quote");
        char c = take(reader);
        if (c == '"') break;
        if (c == '\\' && (peek(reader) == '"' || peek(reader) == '\\')) c = take(reader);
        if (length + 1 < sizeof((PgnTag *)0)->value) value[length++] = is_control(c) ? ' ' : c;
    }
    value[length] = '\0';
    return status_ok();
}

static Status read_tag(Reader *reader) {
    TextView name = {NULL, 0};
    char value[sizeof((PgnTag *)0)->value], name_string[sizeof((PgnTag *)0)->name];
    take(reader); /* the bracket */
    while (is_space(peek(reader))) take(reader);
    name.data = reader->rest.data;
    while (is_tag_name_character(peek(reader))) {
        take(reader);
        name.length++;
    }
    while (is_space(peek(reader))) take(reader);
    Status status = read_tag_value(reader, value);
    if (!status_is_ok(&status)) return status;
    while (peek(reader) == ' ' || peek(reader) == '\t') take(reader);
    if (peek(reader) != ']') return fault(reader, "a tag has no closing bracket");
    take(reader);
    text_copy(name, name_string, sizeof name_string);
    return pgn_set_tag(reader->game, name_string, value);
}

/* Tags until the moves begin. A second Event behind an empty line belongs to the next game: this one has no
 * moves. */
static Status read_tags(Reader *reader, bool *moves_follow) {
    *moves_follow = true;
    for (;;) {
        const bool empty_line = skip_space(reader);
        if (!at_tag(reader)) return status_ok();
        if (empty_line && reader->game->tag_count > 0) {
            TextView inside = {reader->rest.data + 1, reader->rest.length - 1};
            if (text_starts_with(inside, "Event ")) {
                *moves_follow = false;
                return status_ok();
            }
        }
        Status status = read_tag(reader);
        if (!status_is_ok(&status)) return status;
    }
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
    PgnGame *game = reader->game;
    const char *variant = pgn_tag(game, "Variant"), *fen = pgn_tag(game, "FEN"),
               *set_up = pgn_tag(game, "SetUp");
    const bool free_castling = variant != NULL && is_any_of(variant, chess960);
    if (variant != NULL && !free_castling && !is_any_of(variant, standard)) {
        return status_error("line %d: the variant '%.40s' is not chess as we play it", reader->line, variant);
    }
    if (fen == NULL && set_up != NULL && strcmp(set_up, "1") == 0) {
        return fault(reader, "the SetUp tag promises a FEN tag, but there is none");
    }
    Status status = fen_parse(&game->start, text_view(fen == NULL ? FEN_START : fen), free_castling);
    if (!status_is_ok(&status)) return fault(reader, status.reason);
    reader->pos = game->start;
    return status;
}

/* Reading: moves */

/* Everything between braces; every run of white space and control characters becomes one space, so that
 * wrapping leaves no trace. */
static Status read_comment(Reader *reader, TextBuffer *comment) {
    const int first_line = reader->line;
    bool gap = false;
    take(reader); /* the brace */
    while (!at_end(reader)) {
        const char c = take(reader);
        if (c == '}') return status_ok();
        if (c == ' ' || is_control(c)) {
            gap = true;
            continue;
        }
        if (gap && comment->length > 0) buffer_append_char(comment, ' ');
        buffer_append_char(comment, c);
        gap = false;
    }
    return status_error("line %d: a comment has no closing brace", first_line);
}

/* Hangs the comment on the last move, behind what hangs there already. Before the first move it has no place.
 */
static Status keep_comment(Reader *reader) {
    PgnGame *game = reader->game;
    TextBuffer comment = {0};
    char **place = game->move_count == 0 ? NULL : &game->comments[game->move_count - 1];
    if (place != NULL && *place != NULL) {
        buffer_append_string(&comment, *place);
        buffer_append_char(&comment, ' ');
    }
    Status status = read_comment(reader, &comment);
    TextView text = text_trim(buffer_view(&comment));
    if (status_is_ok(&status) && place != NULL && !text_is_empty(text)) {
        char *copy = comment.failed ? NULL : text_duplicate(text);
        if (copy == NULL) {
            status = status_no_memory("a comment");
        } else {
            memory_release(*place);
            *place = copy;
        }
    }
    buffer_release(&comment);
    return status;
}

/* Skips a variation with all variations and comments in it. */
static Status skip_variation(Reader *reader) {
    int first_line = reader->line, depth = 0;
    while (!at_end(reader)) {
        const char c = peek(reader);
        if (c == ';' || (c == '%' && reader->line_start)) {
            skip_line(reader);
        } else if (c == '{') {
            TextBuffer ignored = {0};
            Status status = read_comment(reader, &ignored);
            buffer_release(&ignored);
            if (!status_is_ok(&status)) return status;
        } else {
            take(reader);
            depth += c == '(';
            depth -= c == ')';
            if (depth == 0) return status_ok();
        }
    }
    return status_error("line %d: a variation has no closing parenthesis", first_line);
}

static TextView take_token(Reader *reader) {
    static const char delimiters[] = "{}();$[]<>\"";
    TextView token = {reader->rest.data, 0};
    while (!at_end(reader) && !is_space(peek(reader))) {
        const char c = peek(reader);
        if (token.length > 0 && c != '\0' && strchr(delimiters, c) != NULL) break;
        take(reader);
        token.length++;
    }
    return token;
}

static bool is_result(TextView token) {
    for (int i = 0; i < RESULT_COUNT; i++) {
        if (text_equals(token, RESULTS[i])) return true;
    }
    return text_equals(token, "1/2");
}

static TextView skip_move_number(TextView token) {
    size_t digits = 0;
    while (digits < token.length && token.data[digits] >= '0' && token.data[digits] <= '9') digits++;
    size_t end = digits;
    while (end < token.length && token.data[end] == '.') end++;
    /* "12" alone is a number too, but the 0 of 0-0 and the 1 of 1-0 are none. */
    if (end == digits && end < token.length) return token;
    return (TextView){token.data + end, token.length - end};
}

/* "!?", "+-", "=" on their own: opinions. But "--" passes the turn, which is no chess. */
static bool is_annotation(TextView token) {
    if (text_equals(token, "--")) return false;
    for (size_t i = 0; i < token.length; i++) {
        if (token.data[i] == '\0' || strchr("!?+-=/#", token.data[i]) == NULL)
            return text_equals(token, "e.p.");
    }
    return true;
}

static Status read_move(Reader *reader, TextView token) {
    Move move;
    Undo undo;
    Status status = san_parse(&reader->pos, token, &move);
    if (!status_is_ok(&status)) {
        return status_error("line %d, move %d%s %s", reader->line, reader->pos.fullmove,
                            reader->pos.side == WHITE ? "." : "...", status.reason);
    }
    status = pgn_add_move(reader->game, move, NULL);
    if (status_is_ok(&status)) position_make_move(&reader->pos, move, &undo);
    return status;
}

static Status read_token(Reader *reader, bool *over) {
    TextView token = take_token(reader);
    if (token.data[0] == '$' || token.data[0] == ')' || token.data[0] == '<' || token.data[0] == '>') {
        return status_ok(); /* a NAG; a stray sign that changes nothing */
    }
    if (is_result(token)) {
        const bool half = text_equals(token, "1/2");
        text_copy(half ? text_view("1/2-1/2") : token, reader->game->result, sizeof reader->game->result);
        *over = true;
        return status_ok();
    }
    token = skip_move_number(token);
    return is_annotation(token) ? status_ok() : read_move(reader, token);
}

/* Moves until the result, the next game's tags or the end. */
static Status read_moves(Reader *reader) {
    Status status = status_ok();
    bool over = false;
    while (!over && status_is_ok(&status)) {
        skip_space(reader);
        if (at_end(reader) || at_tag(reader)) return status;
        switch (peek(reader)) {
        case '{': status = keep_comment(reader); break;
        case '(': status = skip_variation(reader); break;
        case ';': skip_line(reader); break;
        default: status = read_token(reader, &over); break;
        }
    }
    return status;
}

/* Behind a fault: to the first tag of the next game. A tag that stands among tags is still of this one. */
static void skip_to_next_game(Reader *reader) {
    bool tags_over = reader->game->move_count > 0;
    while (!at_end(reader)) {
        skip_line(reader);
        const bool empty_line = skip_space(reader);
        const bool tag = at_tag(reader);
        if (tag && (tags_over || (empty_line && text_starts_with(reader->rest, "[Event ")))) return;
        tags_over |= !tag;
    }
}

static Status read_game(Reader *reader) {
    bool moves_follow;
    Status status = read_tags(reader, &moves_follow);
    if (status_is_ok(&status)) status = set_up_start(reader);
    if (status_is_ok(&status) && moves_follow) status = read_moves(reader);
    PgnGame *game = reader->game;
    if (game->result[0] == '\0') {
        const char *tag = pgn_tag(game, "Result");
        const bool known = tag != NULL && is_result(text_view(tag)) && !text_equals(text_view(tag), "1/2");
        text_copy(text_view(known ? tag : "*"), game->result, sizeof game->result);
    }
    return status;
}

Status pgn_read_game(TextView *rest, int *line, PgnGame *game, bool *found) {
    pgn_game_release(game);
    Reader reader = {.rest = text_without_mark(*rest), .line = *line, .line_start = true, .game = game};
    skip_space(&reader);
    Status status = status_ok();
    *found = !at_end(&reader);
    if (*found) {
        status = read_game(&reader);
        if (!status_is_ok(&status)) skip_to_next_game(&reader);
    }
    *rest = reader.rest;
    *line = reader.line;
    return status;
}

/* Writing */

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
static void write_start_tags(const PgnGame *game, const Position *start, TextBuffer *out) {
    char fen[FEN_CAPACITY];
    fen_write(start, fen);
    if (start->chess960 && pgn_tag(game, "Variant") == NULL) write_tag(out, "Variant", "Chess960");
    if (strcmp(fen, FEN_START) == 0) return;
    write_tag(out, "SetUp", "1");
    write_tag(out, "FEN", fen);
}

static void write_tags(const PgnGame *game, const Position *start, const char *result, TextBuffer *out) {
    for (int i = 0; i < ROSTER_SIZE; i++) {
        const char *value = pgn_tag(game, ROSTER[i]);
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

/* Words set one behind the other, with a line feed where the line would become too long. */
typedef struct Typesetter {
    TextBuffer *out;
    size_t column;
} Typesetter;

static void set_word(Typesetter *setter, TextView word) {
    if (setter->column > 0 && setter->column + 1 + word.length > LINE_WIDTH) {
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

/* Braces do not nest and cannot be escaped, so those inside become parentheses. */
static void set_comment(Typesetter *setter, const char *comment) {
    TextBuffer text = {0};
    buffer_append_char(&text, '{');
    for (; *comment != '\0'; comment++) {
        const char c = *comment == '{' ? '(' : *comment == '}' ? ')' : is_control(*comment) ? ' ' : *comment;
        buffer_append_char(&text, c);
    }
    buffer_append_char(&text, '}');
    setter->out->failed |= text.failed;
    TextView rest = text.failed ? text_view(NULL) : buffer_view(&text);
    for (TextView word = text_next_word(&rest); !text_is_empty(word); word = text_next_word(&rest)) {
        set_word(setter, word);
    }
    buffer_release(&text);
}

static void set_moves(const PgnGame *game, const Position *start, Typesetter *setter) {
    Position pos = *start;
    bool number_needed = true;
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
        number_needed = game->comments[i] != NULL;
        if (number_needed) set_comment(setter, game->comments[i]);
        position_make_move(&pos, game->moves[i], &undo);
    }
}

void pgn_write_game(const PgnGame *game, TextBuffer *out) {
    Position start = game->start;
    if (!start.by_type[KING]) { /* never set: a game put together from moves alone */
        Status status = fen_parse(&start, text_view(FEN_START), false);
        if (!status_is_ok(&status)) return;
    }
    const char *result = game->result[0] == '\0' ? "*" : game->result;
    write_tags(game, &start, result, out);
    Typesetter setter = {out, 0};
    set_moves(game, &start, &setter);
    set_word(&setter, text_view(result));
    buffer_append_string(out, "\n\n");
}
