#include "base/text.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <xlocale.h>
#endif

static TextView view_skip(TextView text, size_t count) {
    if (count > 0) text.data += count; /* an empty view may have none */
    text.length -= count;
    return text;
}

TextView text_view(const char *string) {
    return string == NULL ? (TextView){NULL, 0} : (TextView){string, strlen(string)};
}

TextView text_next_word(TextView *rest) {
    size_t start = 0;
    while (start < rest->length && char_is_space(rest->data[start])) start++;
    size_t end = start;
    while (end < rest->length && !char_is_space(rest->data[end])) end++;
    TextView word = view_skip(*rest, start);
    word.length = end - start;
    *rest = view_skip(*rest, end);
    return word;
}

bool text_split(TextView *rest, char separator, TextView *front) {
    const char *found = rest->length == 0 ? NULL : memchr(rest->data, separator, rest->length);
    *front = (TextView){rest->data, found == NULL ? rest->length : (size_t)(found - rest->data)};
    *rest = view_skip(*rest, front->length + (found != NULL));
    return found != NULL;
}

bool text_next_line(TextView *rest, TextView *line) {
    if (rest->length == 0) return false;
    text_split(rest, '\n', line);
    if (line->length > 0 && line->data[line->length - 1] == '\r') line->length--;
    return true;
}

static bool begins_character(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

size_t text_whole_characters(const char *text, size_t length) {
    size_t lead = length, tail = 0; /* continuation bytes after the start of the last character */
    while (lead > 0 && tail < 4 && !begins_character(text[lead - 1])) lead--, tail++;
    if (lead == 0) return length;
    const unsigned char first = (unsigned char)text[lead - 1];
    const size_t wanted = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    return tail < wanted ? lead - 1 : length;
}

TextView text_without_mark(TextView text) {
    return text_starts_with(text, "\xEF\xBB\xBF") ? (TextView){text.data + 3, text.length - 3} : text;
}

TextView text_trim(TextView text) {
    size_t start = 0;
    while (start < text.length && char_is_space(text.data[start])) start++;
    text = view_skip(text, start);
    while (text.length > 0 && char_is_space(text.data[text.length - 1])) text.length--;
    return text;
}

bool text_is_empty(TextView text) { return text.length == 0; }

bool text_starts_with(TextView text, const char *prefix) {
    const size_t length = strlen(prefix);
    return text.length >= length && (length == 0 || memcmp(text.data, prefix, length) == 0);
}

bool text_equals(TextView text, const char *string) {
    return text.length == strlen(string) && text_starts_with(text, string);
}

bool text_equals_ignore_case(TextView text, const char *string) {
    if (text.length != strlen(string)) return false;
    for (size_t i = 0; i < text.length; i++) {
        if (char_to_lower(text.data[i]) != char_to_lower(string[i])) return false;
    }
    return true;
}

static bool take_sign(TextView *text) {
    if (text->length == 0 || (text->data[0] != '-' && text->data[0] != '+')) return false;
    const bool negative = text->data[0] == '-';
    *text = view_skip(*text, 1);
    return negative;
}

static bool parse_digits(TextView text, uint64_t *value) {
    if (text.length == 0) return false;
    uint64_t sum = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (!char_is_digit(text.data[i])) return false;
        const uint64_t digit = (uint64_t)(text.data[i] - '0');
        if (sum > (UINT64_MAX - digit) / 10) return false;
        sum = 10 * sum + digit;
    }
    *value = sum;
    return true;
}

bool text_parse_int64(TextView text, int64_t *value) {
    const bool negative = take_sign(&text);
    uint64_t magnitude;
    if (!parse_digits(text, &magnitude)) return false;
    if (magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0)) return false;
    if (!negative)
        *value = (int64_t)magnitude;
    else
        *value = magnitude == 0 ? 0 : -(int64_t)(magnitude - 1) - 1;
    return true;
}

bool text_parse_uint64(TextView text, uint64_t *value) {
    uint64_t magnitude;
    const bool negative = take_sign(&text);
    if (!parse_digits(text, &magnitude) || (negative && magnitude != 0)) return false;
    *value = magnitude;
    return true;
}

/* A larger exponent makes no other whole number of any text that fits into memory. */
enum { EXPONENT_MAX = 1 << 30 };

static size_t count_digits(TextView text, size_t start) {
    size_t end = start;
    while (end < text.length && char_is_digit(text.data[end])) end++;
    return end - start;
}

/* With one of `points` before its fraction. strtod alone would also take "inf", "nan", hexadecimal and
 * leading space. */
static bool is_decimal_number(TextView text, const char *points) {
    take_sign(&text);
    size_t at = count_digits(text, 0), digits = at;
    if (at < text.length && text.data[at] != '\0' && strchr(points, text.data[at]) != NULL) {
        const size_t fraction = count_digits(text, at + 1);
        digits += fraction;
        at += 1 + fraction;
    }
    if (digits == 0) return false;
    if (at < text.length && char_to_lower(text.data[at]) == 'e') {
        TextView exponent = view_skip(text, at + 1);
        take_sign(&exponent);
        return exponent.length > 0 && count_digits(exponent, 0) == exponent.length;
    }
    return at == text.length;
}

static double decimal_to_double(const char *string) {
#ifdef _WIN32
    _locale_t locale = _create_locale(LC_ALL, "C");
    double value = _strtod_l(string, NULL, locale);
    _free_locale(locale);
#elif defined(__wasm__) /* whose only locale is "C" */
    double value = strtod(string, NULL);
#else
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale == (locale_t)0) return (double)NAN;
    const double value = strtod_l(string, NULL, locale);
    freelocale(locale);
#endif
    return value;
}

bool text_parse_double(TextView text, double *value) {
    char string[256]; /* longer numbers are refused */
    if (text.length >= sizeof string || !is_decimal_number(text, ".")) return false;
    text_copy(text, string, sizeof string);
    const double parsed = decimal_to_double(string);
    if (!isfinite(parsed)) return false;
    *value = parsed;
    return true;
}

/* In whole numbers: a double does not hold the last of 19 digits, and strtod is a large part of a small
 * module. */
bool text_parse_rounded(TextView text, int64_t *value) {
    if (text_parse_int64(text, value)) return true;
    if (!is_decimal_number(text, ".,")) return false;
    const bool negative = take_sign(&text);
    const size_t whole = count_digits(text, 0);
    size_t end = whole; /* of the digits */
    if (end < text.length && char_to_lower(text.data[end]) != 'e') end += 1 + count_digits(text, end + 1);
    int64_t exponent = 0;
    const TextView power = view_skip(text, end + 1);
    if (end < text.length && !text_parse_int64(power, &exponent))
        exponent = power.data[0] == '-' ? -EXPONENT_MAX : EXPONENT_MAX;
    exponent = exponent < -EXPONENT_MAX ? -EXPONENT_MAX : exponent > EXPONENT_MAX ? EXPONENT_MAX : exponent;

    const uint64_t limit = (uint64_t)INT64_MAX + 1;
    int64_t left = (int64_t)whole + exponent; /* digits of the whole number */
    uint64_t sum = 0;
    for (size_t at = 0; at < end && left >= 0; at++) {
        if (at == whole) continue; /* the point */
        const uint64_t digit = (uint64_t)(text.data[at] - '0');
        if (left-- == 0)
            sum += digit >= 5;
        else
            sum = sum > (limit - digit) / 10 ? limit : 10 * sum + digit;
    }
    for (; left > 0 && sum != 0 && sum < limit; left--) sum = sum > limit / 10 ? limit : 10 * sum;
    if (sum >= limit)
        *value = negative ? INT64_MIN : INT64_MAX;
    else
        *value = negative ? -(int64_t)sum : (int64_t)sum;
    return true;
}

uint64_t text_hash(TextView text) { return bytes_hash(text.data, text.length); }

char *text_duplicate(TextView text) {
    char *copy = memory_allocate(text.length + 1);
    if (copy != NULL) text_copy(text, copy, text.length + 1);
    return copy;
}

size_t text_copy(TextView text, char *out, size_t capacity) {
    if (capacity == 0) return 0;
    const size_t length = text.length < capacity ? text.length : capacity - 1;
    if (length > 0) memcpy(out, text.data, length);
    out[length] = '\0';
    return length;
}

int text_format_arguments(char *out, size_t capacity, const char *format, va_list arguments) {
#if defined(_WIN32) || defined(__wasm__)
    return vsnprintf(out, capacity, format, arguments);
#else
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    const int length = vsnprintf(out, capacity, format, arguments);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    return length;
#endif
}

size_t text_format(char *out, size_t capacity, const char *format, ...) {
    if (capacity == 0) return 0;
    va_list arguments;
    va_start(arguments, format);
    const int length = text_format_arguments(out, capacity, format, arguments);
    va_end(arguments);
    if (length < 0) {
        out[0] = '\0';
        return 0;
    }
    return (size_t)length < capacity ? (size_t)length : capacity - 1;
}

/* Room for `extra` characters and the terminator. */
static bool buffer_reserve(TextBuffer *buffer, size_t extra) {
    if (buffer->failed) return false; /* the content remains a prefix of the whole text */
    if (extra >= SIZE_MAX / 2 - buffer->length) {
        buffer->failed = true;
        return false;
    }
    const size_t needed = buffer->length + extra + 1;
    if (needed <= buffer->capacity) return true;
    size_t capacity = buffer->capacity == 0 ? 64 : buffer->capacity;
    while (capacity < needed) capacity *= 2;
    char *data = memory_resize(buffer->data, capacity);
    if (data == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void buffer_append(TextBuffer *buffer, TextView text) {
    if (!buffer_reserve(buffer, text.length)) return;
    if (text.length > 0) memcpy(buffer->data + buffer->length, text.data, text.length);
    buffer->length += text.length;
    buffer->data[buffer->length] = '\0';
}

void buffer_append_string(TextBuffer *buffer, const char *string) {
    buffer_append(buffer, text_view(string));
}

void buffer_append_char(TextBuffer *buffer, char character) {
    buffer_append(buffer, (TextView){&character, 1});
}

void buffer_append_arguments(TextBuffer *buffer, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = text_format_arguments(NULL, 0, format, arguments);
    if (length < 0) {
        buffer->failed = true;
    } else if (buffer_reserve(buffer, (size_t)length)) {
        text_format_arguments(buffer->data + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
}

void buffer_append_format(TextBuffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    buffer_append_arguments(buffer, format, arguments);
    va_end(arguments);
}

size_t text_columns(TextView text) {
    size_t columns = 0;
    for (size_t i = 0; i < text.length; i++) columns += begins_character(text.data[i]);
    return columns;
}

TextView text_first_columns(TextView text, size_t columns) {
    size_t end = 0;
    while (end < text.length && (!begins_character(text.data[end]) || columns-- > 0)) end++;
    return (TextView){text.data, end};
}

void buffer_append_wrapped(TextBuffer *buffer, TextView text, size_t *column, size_t width,
                           const char *prefix, size_t indent) {
    TextView word;
    for (bool is_first = true; (word = text_next_word(&text)).length > 0; is_first = false) {
        const size_t columns = text_columns(word);
        if (!is_first && *column + 1 + columns > width) {
            buffer_append_format(buffer, "\n%s%*s", prefix, (int)indent, "");
            *column = indent;
        } else if (!is_first) {
            buffer_append_char(buffer, ' ');
            ++*column;
        }
        buffer_append(buffer, word);
        *column += columns;
    }
}

/* --- foreign text --- */

/* Whether a character steers what shows it or cannot be seen: controls, a soft hyphen, characters of no
 * width, the direction of text, ends of lines, marks, tags. */
static bool is_hidden(uint32_t point) {
    static const uint32_t RANGES[][2] = {{0, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},
                                         {0x61C, 0x61C},   {0x200B, 0x200B}, {0x200E, 0x200F},
                                         {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
                                         {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF}};
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
        if (point >= RANGES[i][0] && point <= RANGES[i][1]) return true;
    return false;
}

size_t text_decode(TextView text, uint32_t *point) {
    const unsigned char first = (unsigned char)text.data[0];
    *point = first;
    if (first < 0x80) return 1;
    const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.length < size) return 0;
    uint32_t value = first & (0xFFU >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if (begins_character(text.data[i])) return 0;
        value = value << 6 | ((unsigned char)text.data[i] & 0x3F);
    }
    const uint32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000; /* of this length */
    if (value < least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return 0;
    *point = value;
    return size;
}

void text_blank_hidden(char *text) {
    TextView rest = text_view(text);
    for (size_t at = 0; rest.length > 0;) {
        uint32_t point;
        const size_t size = text_decode(rest, &point), taken = size > 0 ? size : 1;
        if (is_hidden(point)) memset(text + at, ' ', taken);
        rest = view_skip(rest, taken);
        at += taken;
    }
}

enum { ESCAPE_CAPACITY = 8 };

/* Takes what is to be shown next off the front: a character, or a byte written as an escape. */
static TextView take_shown(TextView *rest, char escape[ESCAPE_CAPACITY]) {
    uint32_t point;
    TextView shown = {rest->data, text_decode(*rest, &point)};
    if (is_hidden(point)) shown.length = 0;
    const size_t taken = shown.length > 0 ? shown.length : 1;
    if (shown.length == 0)
        shown = (TextView){
            escape, text_format(escape, ESCAPE_CAPACITY, "\\x%02x", (unsigned)(unsigned char)rest->data[0])};
    *rest = view_skip(*rest, taken);
    return shown;
}

size_t text_copy_printable(TextView text, char *out, size_t capacity) {
    static const char DOTS[] = "...";
    size_t length = 0, cut = 0; /* up to `cut` there is room for the dots */
    while (text.length > 0) {
        char escape[ESCAPE_CAPACITY];
        const TextView shown = take_shown(&text, escape);
        if (length + shown.length >= capacity)
            return cut + text_copy(text_view(DOTS), out + cut, sizeof DOTS);
        memcpy(out + length, shown.data, shown.length);
        length += shown.length;
        if (length + sizeof DOTS <= capacity) cut = length;
    }
    out[length] = '\0';
    return length;
}

void buffer_append_foreign(TextBuffer *buffer, TextView text) {
    char escape[ESCAPE_CAPACITY];
    while (text.length > 0) buffer_append(buffer, take_shown(&text, escape));
}

void buffer_append_point(TextBuffer *buffer, uint32_t point) {
    static const unsigned char LEAD[] = {0, 0xC0, 0xE0, 0xF0};
    const int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    buffer_append_char(buffer, (char)(LEAD[more] | point >> 6 * more));
    for (int i = more - 1; i >= 0; i--) buffer_append_char(buffer, (char)(0x80 | (point >> 6 * i & 0x3F)));
}

void buffer_append_json(TextBuffer *buffer, TextView text) {
    buffer_append_char(buffer, '"');
    while (text.length > 0) {
        uint32_t point;
        const size_t size = text_decode(text, &point);
        if (size == 0) point = 0xFFFD;
        if (point >= 0x10000 && is_hidden(point)) {
            buffer_append_format(buffer, "\\u%04x\\u%04x", (unsigned)(0xD800 + ((point - 0x10000) >> 10)),
                                 (unsigned)(0xDC00 + (point & 0x3FF)));
        } else if (size == 0 || is_hidden(point)) {
            buffer_append_format(buffer, "\\u%04x", (unsigned)point);
        } else {
            if (point == '"' || point == '\\') buffer_append_char(buffer, '\\');
            buffer_append(buffer, (TextView){text.data, size});
        }
        text = view_skip(text, size > 0 ? size : 1);
    }
    buffer_append_char(buffer, '"');
}

void buffer_append_xml(TextBuffer *buffer, TextView text) {
    TextBuffer clean = {0};
    buffer_append_foreign(&clean, text);
    for (const char *c = buffer_string(&clean); *c != '\0'; c++) {
        switch (*c) {
        case '<': buffer_append_string(buffer, "&lt;"); break;
        case '>': buffer_append_string(buffer, "&gt;"); break;
        case '&': buffer_append_string(buffer, "&amp;"); break;
        case '"': buffer_append_string(buffer, "&quot;"); break;
        default: buffer_append_char(buffer, *c); break;
        }
    }
    buffer->failed |= clean.failed;
    buffer_release(&clean);
}

void buffer_cut(TextBuffer *buffer, size_t length) {
    buffer->length = length;
    buffer->failed = false;
    if (buffer->data != NULL) buffer->data[length] = '\0';
}

void buffer_clear(TextBuffer *buffer) { buffer_cut(buffer, 0); }

void buffer_release(TextBuffer *buffer) {
    memory_release(buffer->data);
    *buffer = (TextBuffer){0};
}

TextView buffer_view(const TextBuffer *buffer) { return (TextView){buffer->data, buffer->length}; }

const char *buffer_string(const TextBuffer *buffer) { return buffer->data == NULL ? "" : buffer->data; }

bool buffer_read_line(TextBuffer *line, size_t most, FILE *file) {
    buffer_clear(line);
    bool read_any = false;
    for (;;) {
        errno = 0;
        const int character = getc(file);
        if (character == EOF) {
            if (!ferror(file) || errno != EINTR) break;
            clearerr(file);
            continue;
        }
        read_any = true;
        if (character == '\n') break;
        if (line->length == most) line->failed = true;
        buffer_append_char(line, (char)character);
    }
    if (line->length > 0 && line->data[line->length - 1] == '\r') line->data[--line->length] = '\0';
    return read_any;
}

/* --- printing --- */

enum { PRINT_CAPACITY = 4096 };

/* Through a block, for standard error has no buffer. */
void text_print(FILE *file, TextView text) {
    char block[PRINT_CAPACITY], escape[ESCAPE_CAPACITY];
    size_t used = 0;
    while (text.length > 0) {
        const bool is_layout = text.data[0] == '\n' || text.data[0] == '\t';
        const TextView shown = is_layout ? (TextView){text.data, 1} : take_shown(&text, escape);
        if (is_layout) text = view_skip(text, 1);
        if (used + shown.length > sizeof block) {
            fwrite(block, 1, used, file);
            used = 0;
        }
        memcpy(block + used, shown.data, shown.length);
        used += shown.length;
    }
    fwrite(block, 1, used, file);
}

void text_printf(FILE *file, const char *format, ...) {
    char text[PRINT_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    text_format_arguments(text, sizeof text, format, arguments);
    va_end(arguments);
    text_print(file, text_view(text));
}

static bool finish_print(TextBuffer *buffer, FILE *file) {
    const bool complete = !buffer->failed;
    fflush(file);
    buffer_release(buffer);
    return complete;
}

bool buffer_print(TextBuffer *buffer, FILE *file) {
    if (!buffer->failed) text_print(file, buffer_view(buffer));
    return finish_print(buffer, file);
}

bool buffer_print_raw(TextBuffer *buffer, FILE *file) {
    if (!buffer->failed) fwrite(buffer_string(buffer), 1, buffer->length, file);
    return finish_print(buffer, file);
}
