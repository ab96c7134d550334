#include "mcp/json.h"

#include <string.h>

static TextView skip(TextView text, size_t count) {
    return (TextView){text.data + count, text.length - count};
}

/* Nothing but these four: not all that char_is_space takes. */
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int hex_digit(char c) {
    if (char_is_digit(c)) return c - '0';
    c = char_to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* --- checking --- */

typedef struct Checker {
    TextView rest;
    int depth;
    const char *expected; /* at the front of the rest; NULL: all is well so far */
} Checker;

static bool expect(Checker *checker, const char *what) {
    if (checker->expected == NULL) checker->expected = what;
    return false;
}

/* '\0' at the end; no zero is valid anywhere. */
static char peek(const Checker *checker) { return checker->rest.length > 0 ? checker->rest.data[0] : '\0'; }

static void advance(Checker *checker, size_t count) { checker->rest = skip(checker->rest, count); }

static bool take(Checker *checker, char wanted) {
    if (peek(checker) != wanted) return false;
    advance(checker, 1);
    return true;
}

static void skip_blanks(Checker *checker) {
    while (is_blank(peek(checker))) advance(checker, 1);
}

static bool check_escape(Checker *checker) {
    if (take(checker, 'u')) {
        for (int i = 0; i < 4; i++) {
            if (hex_digit(peek(checker)) < 0) return expect(checker, "a hexadecimal digit");
            advance(checker, 1);
        }
        return true;
    }
    if (peek(checker) == '\0' || strchr("\"\\/bfnrt", peek(checker)) == NULL)
        return expect(checker, "one of \"\\/bfnrtu");
    advance(checker, 1);
    return true;
}

static bool check_string(Checker *checker) {
    if (!take(checker, '"')) return expect(checker, "a name in double quotes");
    while (!take(checker, '"')) {
        uint32_t point;
        if (take(checker, '\\')) {
            if (!check_escape(checker)) return false;
            continue;
        }
        const size_t size = (unsigned char)peek(checker) < ' ' ? 0 : text_decode(checker->rest, &point);
        if (size == 0) return expect(checker, "a character in UTF-8 or the closing quote");
        advance(checker, size);
    }
    return true;
}

static bool check_digits(Checker *checker) {
    if (!char_is_digit(peek(checker))) return expect(checker, "a digit");
    while (char_is_digit(peek(checker))) advance(checker, 1);
    return true;
}

static bool check_number(Checker *checker) {
    if (!take(checker, '-') && !char_is_digit(peek(checker))) return expect(checker, "a value");
    if (!take(checker, '0') && !check_digits(checker)) return false;
    if (take(checker, '.') && !check_digits(checker)) return false;
    if (!take(checker, 'e') && !take(checker, 'E')) return true;
    if (!take(checker, '+')) take(checker, '-');
    return check_digits(checker);
}

static bool check_word(Checker *checker, const char *word) {
    if (!text_starts_with(checker->rest, word)) return expect(checker, "a value");
    advance(checker, strlen(word));
    return true;
}

static bool check_value(Checker *checker);

static bool check_items(Checker *checker, char end) {
    const bool has_names = end == '}';
    if (checker->depth == JSON_DEPTH_MAX)
        return expect(checker, "no more lists and objects inside each other");
    checker->depth++;
    advance(checker, 1);
    skip_blanks(checker);
    bool more = !take(checker, end);
    while (more) {
        skip_blanks(checker);
        if (has_names && !check_string(checker)) return false;
        skip_blanks(checker);
        if (has_names && !take(checker, ':')) return expect(checker, "a colon");
        if (!check_value(checker)) return false;
        skip_blanks(checker);
        more = take(checker, ',');
        if (!more && !take(checker, end))
            return expect(checker, has_names ? "a comma or '}'" : "a comma or ']'");
    }
    checker->depth--;
    return true;
}

static bool check_value(Checker *checker) {
    skip_blanks(checker);
    switch (peek(checker)) {
    case '{': return check_items(checker, '}');
    case '[': return check_items(checker, ']');
    case '"': return check_string(checker);
    case 't': return check_word(checker, "true");
    case 'f': return check_word(checker, "false");
    case 'n': return check_word(checker, "null");
    default: return check_number(checker);
    }
}

Status json_check(TextView *text) {
    Checker checker = {.rest = *text};
    skip_blanks(&checker);
    const TextView start = checker.rest;
    const bool good = check_value(&checker);
    const size_t length = start.length - checker.rest.length;
    if (good) skip_blanks(&checker);
    if (good && checker.rest.length > 0) expect(&checker, "the end");
    if (checker.expected != NULL)
        return status_error("this is no JSON: expected %s at byte %zu", checker.expected,
                            text->length - checker.rest.length + 1);
    *text = (TextView){start.data, length};
    return status_ok();
}

/* --- walking --- */

JsonKind json_kind(TextView value) {
    if (text_is_empty(value)) return JSON_MISSING;
    switch (value.data[0]) {
    case '{': return JSON_OBJECT;
    case '[': return JSON_LIST;
    case '"': return JSON_STRING;
    case 't':
    case 'f': return JSON_BOOL;
    case 'n': return JSON_NULL;
    default: return JSON_NUMBER;
    }
}

/* The length of the string at the front, with its quotes. */
static size_t string_length(TextView text) {
    size_t at = 1;
    while (text.data[at] != '"') at += text.data[at] == '\\' ? 2 : 1;
    return at + 1;
}

static size_t value_length(TextView text) {
    int depth = 0;
    size_t at = 0;
    do {
        const char c = text.data[at];
        if (c == '"') {
            at += string_length(skip(text, at));
            continue;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        at++;
    } while (depth > 0);
    if (strchr("{[\"", text.data[0]) != NULL) return at;
    while (at < text.length && strchr(",:]} \t\n\r", text.data[at]) == NULL) at++;
    return at;
}

static TextView skip_front_blanks(TextView text) {
    while (text.length > 0 && is_blank(text.data[0])) text = skip(text, 1);
    return text;
}

static TextView take_value(TextView *rest) {
    const TextView value = {rest->data, value_length(*rest)};
    *rest = skip_front_blanks(skip(*rest, value.length));
    return value;
}

static bool at_end(TextView rest) { return rest.data[0] == '}' || rest.data[0] == ']'; }

bool json_next(TextView *rest, TextView *name, TextView *value) {
    *name = text_view(NULL);
    if (at_end(*rest)) return false;
    *rest = skip_front_blanks(skip(*rest, 1)); /* the opening bracket or a comma */
    if (at_end(*rest)) return false;
    *value = take_value(rest);
    if (rest->data[0] != ':') return true;
    *name = *value;
    *rest = skip_front_blanks(skip(*rest, 1));
    *value = take_value(rest);
    return true;
}

TextView json_member(TextView object, const char *name) {
    TextView found = text_view(NULL), key, value;
    if (json_kind(object) != JSON_OBJECT) return found;
    TextBuffer text = {0};
    while (json_next(&object, &key, &value)) {
        buffer_clear(&text);
        json_append_text(key, &text);
        if (text_equals(buffer_view(&text), name)) found = value;
    }
    buffer_release(&text);
    return found;
}

/* --- strings --- */

/* Takes the four digits after "\\u". */
static uint32_t take_unit(TextView *rest) {
    uint32_t unit = 0;
    for (int i = 2; i < 6; i++) unit = unit << 4 | (uint32_t)hex_digit(rest->data[i]);
    *rest = skip(*rest, 6);
    return unit;
}

static void append_escape(TextView *rest, TextBuffer *out) {
    static const char LETTERS[] = "bfnrt", MEANING[] = "\b\f\n\r\t";
    const char kind = rest->data[1];
    if (kind != 'u') {
        const char *letter = strchr(LETTERS, kind);
        buffer_append_char(out, letter != NULL ? MEANING[letter - LETTERS] : kind);
        *rest = skip(*rest, 2);
        return;
    }
    uint32_t point = take_unit(rest);
    const bool is_high = point >= 0xD800 && point < 0xDC00;
    if (is_high && text_starts_with(*rest, "\\u")) {
        TextView after = *rest;
        const uint32_t low = take_unit(&after);
        if (low >= 0xDC00 && low < 0xE000) {
            point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
            *rest = after;
        }
    }
    const bool is_half = point >= 0xD800 && point < 0xE000;
    buffer_append_point(out, point == 0 || is_half ? 0xFFFD : point);
}

void json_append_text(TextView string, TextBuffer *out) {
    TextView rest = {string.data + 1, string.length - 2};
    while (rest.length > 0) {
        const char *escape = memchr(rest.data, '\\', rest.length);
        const size_t plain = escape == NULL ? rest.length : (size_t)(escape - rest.data);
        buffer_append(out, (TextView){rest.data, plain});
        rest = skip(rest, plain);
        if (rest.length > 0) append_escape(&rest, out);
    }
}
