#include "chess/pgn_scan.h"

#include "chess/game.h"

#include <string.h>

PgnScan pgn_scan_begin(TextView text, int line) {
    return (PgnScan){.rest = text_without_mark(text), .line = line, .line_start = true, .blank = true};
}

char pgn_scan_take(PgnScan *scan) {
    const char c = scan->rest.data[0];
    scan->rest = (TextView){scan->rest.data + 1, scan->rest.length - 1};
    scan->line_start = c == '\n';
    if (c == '\n') {
        scan->line++;
        scan->after_empty = scan->blank;
        scan->blank = true;
    } else if (!char_is_space(c)) {
        scan->blank = false;
    }
    return c;
}

TextView pgn_scan_take_line(PgnScan *scan) {
    TextView line = {scan->rest.data, 0};
    while (!pgn_scan_at_end(scan) && pgn_scan_peek(scan) != '\n') {
        pgn_scan_take(scan);
        line.length++;
    }
    return line;
}

/* Takes a blank that is not ASCII, or a mark without a width. */
static bool take_wide_blank(PgnScan *scan) {
    if ((unsigned char)pgn_scan_peek(scan) < 0x80) return false;
    TextView after = scan->rest;
    const TextView plain = plain_take(&after);
    if (plain.length > 0 && plain.data[0] != ' ') return false;
    scan->rest = after;
    return true;
}

/* Returns the number of lines that end. */
static int skip_white(PgnScan *scan) {
    int feeds = 0;
    for (;;) {
        if (char_is_space(pgn_scan_peek(scan)))
            feeds += pgn_scan_take(scan) == '\n';
        else if (!take_wide_blank(scan))
            return feeds;
    }
}

static bool at_escaped_line(const PgnScan *scan) { return scan->line_start && pgn_scan_peek(scan) == '%'; }

bool pgn_scan_skip_blanks(PgnScan *scan) {
    int feeds = skip_white(scan);
    while (at_escaped_line(scan)) {
        pgn_scan_take_line(scan);
        feeds += skip_white(scan);
    }
    return feeds > 1;
}

static size_t skip_blanks(TextView text, size_t i) {
    while (i < text.length && (text.data[i] == ' ' || text.data[i] == '\t')) i++;
    return i;
}

static bool is_letter(char c) { return char_to_upper(c) >= 'A' && char_to_upper(c) <= 'Z'; }

bool pgn_scan_at_tag(const PgnScan *scan) {
    const TextView rest = scan->rest;
    if (pgn_scan_peek(scan) != '[') return false;
    const size_t name = skip_blanks(rest, 1);
    size_t i = name;
    while (i < rest.length && is_tag_name_character(rest.data[i])) i++;
    if (i == name || !is_letter(rest.data[name])) return false;
    i = skip_blanks(rest, i);
    return i < rest.length && rest.data[i] == '"';
}

bool pgn_scan_at_next_game(const PgnScan *scan) {
    const TextView rest = scan->rest;
    if (!scan->blank || !scan->after_empty || pgn_scan_peek(scan) != '[') return false;
    return pgn_scan_at_tag(scan) || (rest.length > 1 && is_letter(rest.data[1]));
}

bool pgn_scan_at_note(const PgnScan *scan) {
    const char c = pgn_scan_peek(scan);
    return c == '{' || c == ';' || c == '(' || c == '$';
}

/* --- words --- */

/* "a8(Q)": the brackets belong to the move. */
static bool at_bracketed_promotion(const PgnScan *scan) {
    const TextView rest = scan->rest;
    return rest.length >= 3 && rest.data[0] == '(' && rest.data[2] == ')' && rest.data[1] != '\0' &&
           strchr("NBRQ", rest.data[1]) != NULL;
}

/* Whether a blank ends the word here. A mark without a width is one, but not after a letter, where the move
 * goes on: "N\u200Bf3". */
static bool at_word_end(const PgnScan *scan, char last) {
    if (pgn_scan_at_end(scan) || char_is_space(pgn_scan_peek(scan))) return true;
    TextView after = scan->rest;
    if ((unsigned char)pgn_scan_peek(scan) < 0x80) return false;
    const TextView plain = plain_take(&after);
    return plain.length == 0 ? !is_letter(last) : plain.data[0] == ' ';
}

/* Takes characters up to `end` and appends what they stand for. */
static void append_plain(PgnScan *scan, const char *end, char *word, size_t *length) {
    while (scan->rest.data < end) {
        TextView after = scan->rest;
        const TextView plain = plain_take(&after);
        while (scan->rest.data < after.data) pgn_scan_take(scan);
        if (*length + plain.length < PGN_WORD_CAPACITY)
            *length += text_copy(plain, word + *length, PGN_WORD_CAPACITY - *length);
    }
}

/* The length of the longest result at the front, 0 where there is none. */
static size_t result_length(TextView text, bool with_blanks, char plain[PGN_WORD_CAPACITY]) {
    enum { LONGEST = 8 };
    char longest[PGN_WORD_CAPACITY] = "";
    size_t found = 0, length = 0;
    for (TextView rest = text; rest.length > 0 && length < LONGEST;) {
        const TextView taken = plain_take(&rest);
        GameResult result;
        if (with_blanks && text_equals(taken, " ")) continue;
        if (taken.length == 0 || strchr("0125/-:.", taken.data[0]) == NULL) break;
        length += text_copy(taken, plain + length, PGN_WORD_CAPACITY - length);
        const char next = rest.length > 0 ? rest.data[0] : ' ';
        if (!game_result_parse((TextView){plain, length}, &result) || char_is_digit(next) ||
            is_letter(next) || strchr("/-:.", next) != NULL)
            continue;
        found = text.length - rest.length;
        text_copy((TextView){plain, length}, longest, sizeof longest);
    }
    text_copy(text_view(longest), plain, PGN_WORD_CAPACITY);
    return found;
}

/* "1 - 0": a result with blanks in it. */
static bool take_wide_result(PgnScan *scan, char word[PGN_WORD_CAPACITY]) {
    const char c = pgn_scan_peek(scan);
    const size_t length = c == '0' || c == '1' ? result_length(scan->rest, true, word) : 0;
    for (size_t i = 0; i < length; i++) pgn_scan_take(scan);
    return length > 0;
}

/* "Qh7#1-0": a result that follows a move without a blank. */
static bool at_joined_result(const PgnScan *scan, TextView word) {
    char plain[PGN_WORD_CAPACITY];
    bool is_move = false;
    if (pgn_scan_peek(scan) != '0' && pgn_scan_peek(scan) != '1') return false;
    for (size_t i = 0; i < word.length; i++) is_move |= is_letter(word.data[i]);
    return is_move && result_length(scan->rest, false, plain) > 0;
}

TextView pgn_scan_word(PgnScan *scan, char word[PGN_WORD_CAPACITY]) {
    static const char alone[] = "{}();[]<>\"*,";
    size_t length = 0;
    if (take_wide_result(scan, word)) return text_view(word);
    word[0] = '\0';
    for (bool is_first = true; !at_word_end(scan, length > 0 ? word[length - 1] : ' '); is_first = false) {
        const char c = pgn_scan_peek(scan), *at = scan->rest.data;
        const bool is_alone = c != '\0' && strchr(alone, c) != NULL;
        if (at_joined_result(scan, (TextView){word, length})) break;
        if (!is_first && at_bracketed_promotion(scan))
            append_plain(scan, at + 3, word, &length);
        else if (!is_first && (is_alone || c == '$'))
            break;
        else
            append_plain(scan, at + 1, word, &length);
        if (is_first && is_alone) break;
    }
    return (TextView){word, length};
}

bool pgn_word_has_square(TextView word) {
    for (size_t i = 1; i < word.length; i++) {
        const char file = char_to_lower(word.data[i - 1]), rank = word.data[i];
        if (file >= 'a' && file <= 'h' && rank >= '1' && rank <= '8') return true;
    }
    return false;
}

bool pgn_scan_at_first_number(const PgnScan *scan) {
    char room[PGN_WORD_CAPACITY];
    PgnScan next = *scan;
    GameResult result;
    if (!scan->blank || pgn_scan_peek(scan) != '1') return false;
    const TextView word = pgn_scan_word(&next, room);
    const bool is_number = word.length == 1 || word.data[1] == '.';
    return is_number && !text_starts_with(word, "1..") && !game_result_parse(word, &result);
}

/* --- comments and variations --- */

static size_t span(TextView text, const char *set) {
    size_t length = 0;
    while (length < text.length && text.data[length] != '\0' && strchr(set, text.data[length]) != NULL)
        length++;
    return length;
}

/* Whether the game may go on here, after a brace in a comment that has another one open: with a note, a tag,
 * a sign, an escaped line, a number, a result or a move. Looks no further than the next word, for it is asked
 * at every brace. */
static bool goes_on(PgnScan scan) {
    char room[PGN_WORD_CAPACITY];
    skip_white(&scan);
    if (pgn_scan_at_end(&scan) || at_escaped_line(&scan) || strchr("{(;$)*![?", pgn_scan_peek(&scan)) != NULL)
        return true;
    const TextView word = pgn_scan_word(&scan, room);
    const size_t digits = span(word, "0123456789"), result = span(word, "01/2-*"),
                 origin = span(word, "KQRBNPO0-abcdefgh");
    if (digits > 0 && digits < word.length && word.data[digits] == '.') return true;
    if (result == word.length) return memchr(word.data, '-', word.length) != NULL;
    return origin > 0 &&
           (origin == word.length ? word.data[0] == 'O' : strchr("x12345678", word.data[origin]) != NULL);
}

bool pgn_scan_comment(PgnScan *scan, TextView *inside) {
    const bool has_braces = pgn_scan_take(scan) == '{';
    if (!has_braces) {
        *inside = pgn_scan_take_line(scan);
        return true;
    }
    int open = 0;
    *inside = (TextView){scan->rest.data, 0};
    while (!pgn_scan_at_end(scan) && !(scan->blank && scan->after_empty && pgn_scan_at_tag(scan))) {
        const char c = pgn_scan_take(scan);
        open += c == '{';
        if (c == '}' && (open-- == 0 || goes_on(*scan))) return true;
        inside->length++;
    }
    return false;
}

/* Appends a comment as a part of a variation. */
static void append_comment(PgnScan *scan, TextBuffer *out) {
    TextView text;
    pgn_scan_comment(scan, &text);
    buffer_append_char(out, '{');
    game_append_clean(out, text, true);
    buffer_append_char(out, '}');
}

bool pgn_scan_variation(PgnScan *scan, TextBuffer *out) {
    int depth = 0;
    while (!pgn_scan_at_end(scan) && !pgn_scan_at_next_game(scan)) {
        const char c = pgn_scan_peek(scan);
        if (c == '%' && scan->line_start) {
            pgn_scan_take_line(scan);
        } else if (c == '{' || c == ';') {
            append_comment(scan, out);
        } else {
            pgn_scan_take(scan);
            depth += c == '(';
            depth -= c == ')';
            if (depth == 0) return true;
            if (depth > 1 || c != '(') buffer_append_char(out, c);
        }
    }
    for (; depth > 1; depth--) buffer_append_char(out, ')');
    return false;
}

/* --- tags --- */

enum { WRAPPED_LINES_MAX = 8, LOOK_AHEAD = 1 << 10 /* bytes, where what is there may be looked at often */ };

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Finds the quote that ends a value, and the bracket after it: on the line or, of a wrapped value, before an
 * empty line or the next tag. */
static bool find_value_end(TextView text, bool wrapped, bool escapes, size_t *quote, size_t *bracket) {
    int lines = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char next = i + 1 < text.length ? text.data[i + 1] : '\n';
        if (text.data[i] == '\n') {
            if (!wrapped || next == '\n' || next == '[' || ++lines == WRAPPED_LINES_MAX) return false;
        } else if (escapes && text.data[i] == '\\' && next != '\n') {
            i++;
        } else if (text.data[i] == '"') {
            size_t end = i + 1;
            while (end < text.length && (wrapped ? char_is_space : is_blank)(text.data[end])) end++;
            *quote = i;
            *bracket = end;
            if (end < text.length && text.data[end] == ']') return true;
        }
    }
    return false;
}

/* Takes the value and the bracket after it. Quotes in the value should be escaped, and are not always. What
 * does not fit is cut. */
static bool take_value(PgnScan *scan, char value[TAG_VALUE_CAPACITY]) {
    const TextView inside = {scan->rest.data + 1, scan->rest.length - 1};
    size_t quote = 0, bracket = 0, length = 0;
    bool found = false;
    for (int way = 0; way < 4 && !found; way++)
        found = find_value_end(inside, way >= 2, way % 2 == 0, &quote, &bracket);
    if (!found) return false;
    for (size_t i = 0; i < quote && length + 1 < TAG_VALUE_CAPACITY; i++) {
        const char *c = inside.data + i;
        if (c[0] == '\\' && i + 1 < quote && (c[1] == '"' || c[1] == '\\')) i++;
        value[length++] = inside.data[i];
    }
    if (length + 1 == TAG_VALUE_CAPACITY) length = text_whole_characters(value, length);
    value[length] = '\0';
    while (scan->rest.data <= inside.data + bracket) pgn_scan_take(scan);
    return true;
}

bool pgn_scan_tag(PgnScan *scan, GameTag *tag) {
    const PgnScan start = *scan;
    if (pgn_scan_peek(scan) != '[') return false;
    pgn_scan_take(scan);
    while (is_blank(pgn_scan_peek(scan))) pgn_scan_take(scan);
    TextView name = {scan->rest.data, 0};
    while (is_tag_name_character(pgn_scan_peek(scan))) {
        pgn_scan_take(scan);
        name.length++;
    }
    while (char_is_space(pgn_scan_peek(scan))) pgn_scan_take(scan);
    text_copy(name, tag->name, sizeof tag->name);
    if (name.length > 0 && is_letter(name.data[0]) && pgn_scan_peek(scan) == '"' &&
        take_value(scan, tag->value))
        return true;
    *scan = start;
    return false;
}

/* A tag without its opening bracket: Name "value"]. */
static bool at_bare_tag(TextView rest) {
    TextView line;
    size_t name = 0;
    if (rest.length > LOOK_AHEAD) rest.length = LOOK_AHEAD;
    while (name < rest.length && is_tag_name_character(rest.data[name])) name++;
    if (name == 0 || name + 1 >= rest.length || rest.data[name] != ' ' || rest.data[name + 1] != '"')
        return false;
    text_next_line(&rest, &line);
    line = text_trim(line);
    return line.data[line.length - 1] == ']';
}

/* Whether moves or notes begin here, and no blank. */
static bool begins_moves(PgnScan scan) {
    char room[PGN_WORD_CAPACITY];
    if (pgn_scan_at_end(&scan) || char_is_space(pgn_scan_peek(&scan))) return false;
    return goes_on(scan) || pgn_word_has_square(pgn_scan_word(&scan, room));
}

bool pgn_scan_broken_tag(PgnScan *scan, TextView *text) {
    PgnScan next = *scan;
    const bool is_bracket =
        pgn_scan_peek(scan) == '[' && !(scan->rest.length > 1 && char_is_digit(scan->rest.data[1]));
    if (is_bracket || at_bare_tag(scan->rest)) {
        *text = pgn_scan_take_line(scan);
        return true;
    }
    if (pgn_scan_at_end(scan) || begins_moves(*scan)) return false;
    /* Words that are neither moves nor notes, up to a tag or to a line that begins with moves. */
    *text = (TextView){scan->rest.data, 0};
    while (!pgn_scan_at_tag(&next) && !(text->length > 0 && next.line_start && begins_moves(next))) {
        if (pgn_scan_at_end(&next) || text->length == LOOK_AHEAD) return false;
        pgn_scan_take(&next);
        text->length++;
    }
    *scan = next;
    return true;
}

/* --- the moves as a whole --- */

bool pgn_scan_at_end_of_moves(const PgnScan *scan) {
    return pgn_scan_at_end(scan) || pgn_scan_at_tag(scan) || pgn_scan_at_next_game(scan);
}

TextView pgn_scan_next_word(PgnScan *scan, char word[PGN_WORD_CAPACITY]) {
    for (;;) {
        pgn_scan_skip_blanks(scan);
        if (pgn_scan_at_end_of_moves(scan)) return text_view("");
        TextBuffer variation = {0};
        TextView text;
        switch (pgn_scan_peek(scan)) {
        case '(':
            pgn_scan_variation(scan, &variation);
            buffer_release(&variation);
            break;
        case '{':
        case ';': pgn_scan_comment(scan, &text); break;
        default:
            text = pgn_scan_word(scan, word);
            if (text.length > 0) return text;
        }
    }
}
