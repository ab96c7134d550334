#include "chess/pgn_reader.h"

#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/san.h"

#include <string.h>

static const char *const RESULTS[] = {"1-0", "0-1", "1/2-1/2", "*"};
enum { RESULT_COUNT = sizeof RESULTS / sizeof RESULTS[0] };

/* --- characters and tokens --- */

/* A place in the input. */
typedef struct Cursor {
    TextView rest;
    int line;
    bool line_start;   /* the next character is the first of its line */
    bool blank;        /* there was only white space in this line so far */
    bool behind_empty; /* and in the line before */
} Cursor;

typedef struct Reader {
    Cursor at;
    PgnGame *game;
    Position pos; /* after the moves read so far */
} Reader;

static bool at_end(const Reader *reader) { return reader->at.rest.length == 0; }
static char peek(const Reader *reader) { return at_end(reader) ? '\0' : reader->at.rest.data[0]; }

static bool is_control(char c) { return (unsigned char)c < ' ' || c == 0x7F; }
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static char take(Reader *reader) {
    Cursor *at = &reader->at;
    const char c = at->rest.data[0];
    at->rest = (TextView){at->rest.data + 1, at->rest.length - 1};
    at->line_start = c == '\n';
    if (c == '\n') {
        at->line++;
        at->behind_empty = at->blank;
        at->blank = true;
    } else if (!is_space(c)) {
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
        else if (is_space(peek(reader)))
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
    while (i < rest.length && pgn_is_tag_name_character(rest.data[i])) i++;
    const size_t name_end = i;
    while (i < rest.length && (rest.data[i] == ' ' || rest.data[i] == '\t')) i++;
    return name_end > name && i < rest.length && rest.data[i] == '"';
}

/* Whether the next game's tags begin here: a comment or variation that is still open was never closed. */
static bool at_next_game(const Reader *reader) {
    return reader->at.line_start && at_tag(reader) &&
           (reader->at.behind_empty || text_starts_with(reader->at.rest, "[Event "));
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
    while (!at_end(reader) && !is_space(peek(reader))) {
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

/* A comment as a part of a variation, whose text then is as if it stood in one line. */
static Status copy_comment(Reader *reader, TextBuffer *out) {
    TextView text;
    Status status = read_comment(reader, &text);
    if (!status_is_ok(&status)) return status;
    buffer_append_char(out, '{');
    pgn_append_clean(out, text, true);
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
    const bool is_comment = place == 0 || place == PGN_BEHIND_RESULT;
    if (is_comment) buffer_append_char(&text, '(');
    Status status = read_variation(reader, &text);
    if (is_comment) buffer_append_char(&text, ')');
    if (status_is_ok(&status) && text.failed) status = status_no_memory("a variation");
    if (status_is_ok(&status))
        status = is_comment ? pgn_add_comment(reader->game, place, buffer_view(&text))
                            : pgn_add_variation(reader->game, place, buffer_view(&text));
    buffer_release(&text);
    return status;
}

static Status keep_nag(Reader *reader, int place) {
    TextView token = take_token(reader);
    int64_t nag;
    token = (TextView){token.data + 1, token.length - 1};
    if (!text_parse_int64(token, &nag) || nag < 0 || nag > PGN_NAG_MAX) return status_ok();
    return pgn_add_nag(reader->game, place, (int)nag);
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
    return status_is_ok(&status) ? pgn_add_comment(reader->game, place, text) : status;
}

/* Opinions as signs and their NAGs, in front of which some write no dollar. */
static const struct {
    const char *sign;
    int nag;
} SIGNS[] = {{"!", 1},    {"?", 2},    {"!!", 3},   {"??", 4},   {"!?", 5},
             {"?!", 6},   {"=", 10},   {"+=", 14},  {"+/=", 14}, {"=+", 15},
             {"=/+", 15}, {"+/-", 16}, {"-/+", 17}, {"+-", 18},  {"-+", 19}};

/* Check, mate and capture en passant may stand on their own, too: the move says the same. */
static Status keep_sign(Reader *reader, TextView sign) {
    static const char *const SAID[] = {"", "+", "++", "#", "/", "e.p."};
    for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; i++)
        if (text_equals(sign, SAID[i])) return status_ok();
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++)
        if (text_equals(sign, SIGNS[i].sign))
            return pgn_add_nag(reader->game, reader->game->move_count, SIGNS[i].nag);
    return pgn_add_comment(reader->game, reader->game->move_count, sign);
}

/* --- tags --- */

/* The quoted value, unescaped. What does not fit a PgnTag is cut, in names too: it costs nobody the game. */
static Status read_tag_value(Reader *reader, char value[sizeof((PgnTag *)0)->value]) {
    size_t length = 0;
    bool is_cut = false;
    take(reader); /* the opening quote */
    for (;;) {
        if (at_end(reader) || peek(reader) == '\n')
            return fault(reader, "the value of a tag has no closing quote");
        char c = take(reader);
        if (c == '"') break;
        if (c == '\\' && (peek(reader) == '"' || peek(reader) == '\\')) c = take(reader);
        if (length + 1 < sizeof((PgnTag *)0)->value)
            value[length++] = is_control(c) ? ' ' : c;
        else
            is_cut = true;
    }
    if (is_cut) length = text_whole_characters(value, length);
    value[length] = '\0';
    return status_ok();
}

static Status read_tag(Reader *reader) {
    TextView name = {NULL, 0};
    char value[sizeof((PgnTag *)0)->value], name_string[sizeof((PgnTag *)0)->name];
    take(reader); /* the bracket */
    while (is_space(peek(reader))) take(reader);
    name.data = reader->at.rest.data;
    while (pgn_is_tag_name_character(peek(reader))) {
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
    PgnGame *game = reader->game;
    const char *variant = pgn_tag(game, "Variant"), *fen = pgn_tag(game, "FEN"),
               *set_up = pgn_tag(game, "SetUp");
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
    status = pgn_add_move(reader->game, move, NULL);
    if (!status_is_ok(&status)) return status;
    position_make_move(&reader->pos, move, &undo);
    return keep_sign(reader, (TextView){token.data + bare, token.length - bare});
}

static Status read_token(Reader *reader, bool *over) {
    TextView token = take_token(reader);
    if (token.data[0] == ')' || token.data[0] == '<' || token.data[0] == '>')
        return status_ok(); /* a stray sign that changes nothing */
    if (is_result(token)) {
        const bool half = text_equals(token, "1/2");
        text_copy(half ? text_view("1/2-1/2") : token, reader->game->result, sizeof reader->game->result);
        *over = true;
        return status_ok();
    }
    token = skip_move_number(token);
    return is_sign(token) ? keep_sign(reader, token) : read_move(reader, token);
}

/* Notes behind the result. Behind an empty line they may be the next game's: they are this one's if nothing
 * else follows. */
static Status read_behind_result(Reader *reader) {
    PgnGame *game = reader->game;
    Status status = status_ok();
    bool empty_line = skip_space(reader);
    while (at_note(reader) && !empty_line && status_is_ok(&status)) {
        status = keep_note(reader, PGN_BEHIND_RESULT);
        empty_line = skip_space(reader);
    }
    if (!status_is_ok(&status)) return status;
    const Cursor gap = reader->at;
    const int note_count = game->note_count;
    const size_t length = game->text.length;
    while (at_note(reader) && status_is_ok(&status)) {
        status = keep_note(reader, PGN_BEHIND_RESULT);
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
    return over && status_is_ok(&status) ? read_behind_result(reader) : status;
}

/* Behind a fault: to the first tag of the next game. A tag that stands among tags is still of this one. */
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
