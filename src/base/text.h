/* Text: views, a growable buffer, and strict number parsing. A view points to characters that it does not own
 * and needs no terminator. Any thread may call on its own data. */
#ifndef LUFT_BASE_TEXT_H
#define LUFT_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Unlike <ctype.h>, these depend on no locale and take any character. */
static inline bool char_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline bool char_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool char_is_control(char c) { return (unsigned char)c < ' ' || c == 0x7F; }
static inline char char_to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
static inline char char_to_upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

typedef struct TextView {
    const char *data;
    size_t length;
} TextView;

/* A view of a C string; the empty view for NULL. */
TextView text_view(const char *string);

/* Takes the next word (characters between white space) off the front of `rest`; empty at the end. */
TextView text_next_word(TextView *rest);

/* Takes the next line off the front of `rest`, without its LF or CRLF; false at the end. */
bool text_next_line(TextView *rest, TextView *line);

/* Takes what stands before the next separator off the front of `rest`, and the separator; all of it without
 * one. Returns whether there was one. */
bool text_split(TextView *rest, char separator, TextView *front);

/* The length of the UTF-8 character at the front of a text that is not empty, and which it is. 0 if there is
 * none; it is then the value of the first byte. */
size_t text_decode(TextView text, uint32_t *point);

/* The length of UTF-8 text that was cut after `length` bytes, without an incomplete character at its end.
 * Text that is not UTF-8 keeps its length. */
size_t text_whole_characters(const char *text, size_t length);

/* Columns of a terminal that UTF-8 text takes: one a character. */
size_t text_columns(TextView text);

/* The text up to this column. */
TextView text_first_columns(TextView text, size_t columns);

/* The view without a leading UTF-8 byte order mark. */
TextView text_without_mark(TextView text);

/* The view without leading and trailing white space. */
TextView text_trim(TextView text);

bool text_is_empty(TextView text);
bool text_equals(TextView text, const char *string);
bool text_equals_ignore_case(TextView text, const char *string);
bool text_starts_with(TextView text, const char *prefix);

/* Parses the whole view as an integer: optional sign, decimal digits, nothing else. False otherwise or on
 * overflow; `*value` is then unchanged. */
bool text_parse_int64(TextView text, int64_t *value);
bool text_parse_uint64(TextView text, uint64_t *value);

/* Parses the whole view as a finite decimal number, with optional fraction and exponent. The decimal point is
 * always '.', whatever the locale. */
bool text_parse_double(TextView text, double *value);

/* A whole number as other programs print it: with a fraction, which is rounded, with a decimal comma, or
 * beyond all limits, where the nearest one counts. */
bool text_parse_rounded(TextView text, int64_t *value);

/* See bytes_hash. */
uint64_t text_hash(TextView text);

/* Copies into `out` (capacity bytes, terminator included) and cuts the rest. Returns the bytes copied. */
size_t text_copy(TextView text, char *out, size_t capacity);

/* A terminated copy; NULL on failure. Free with memory_release. */
char *text_duplicate(TextView text);

/* Copies text as buffer_append_foreign appends it, and ends what does not fit (capacity at least 4) in "...".
 * Returns the bytes copied. */
size_t text_copy_printable(TextView text, char *out, size_t capacity);

/* Puts blanks in the place of all that buffer_append_foreign escapes, but for bytes that are no UTF-8 and may
 * be letters of another encoding. */
void text_blank_hidden(char *text);

/* snprintf, but returns the number of characters now in `out`, without the terminator. */
size_t text_format(char *out, size_t capacity, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* vsnprintf, but the decimal point is always '.', whatever the locale of a program that uses the library. All
 * formatting ends here. */
int text_format_arguments(char *out, size_t capacity, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* A growable string, always terminated. Start from {0}; free with buffer_release. When memory runs out, it
 * keeps its content and sets `failed`, so callers may append many times and check once. */
typedef struct TextBuffer {
    char *data; /* NULL until first used */
    size_t length;
    size_t capacity;
    bool failed;
} TextBuffer;

void buffer_append(TextBuffer *buffer, TextView text);
void buffer_append_string(TextBuffer *buffer, const char *string);
void buffer_append_char(TextBuffer *buffer, char character);
void buffer_append_format(TextBuffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_append_arguments(TextBuffer *buffer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* Appends the words of `text`, a blank between two. A word that would go beyond `width` columns begins a new
 * row, after `prefix`, which does not count, and `indent` blanks. `*column`: where the row stands. */
void buffer_append_wrapped(TextBuffer *buffer, TextView text, size_t *column, size_t width,
                           const char *prefix, size_t indent);
/* Appends a character in UTF-8. */
void buffer_append_point(TextBuffer *buffer, uint32_t point);
/* Appends text from outside so that it can do no harm on a terminal: printable UTF-8 as it is; controls, the
 * direction of text, what cannot be seen, and bytes that are no UTF-8 as escapes ("\x1b"). */
void buffer_append_foreign(TextBuffer *buffer, TextView text);
/* As buffer_append_foreign, and escapes the text for XML. */
void buffer_append_xml(TextBuffer *buffer, TextView text);
/* The same as a string of JSON, with its quotes, in the escapes of JSON: what is no UTF-8 becomes U+FFFD. */
void buffer_append_json(TextBuffer *buffer, TextView text);
void buffer_cut(TextBuffer *buffer, size_t length); /* to its first characters; whole again if it failed */
void buffer_clear(TextBuffer *buffer);              /* keeps the memory */
void buffer_release(TextBuffer *buffer);            /* back to {0} */
TextView buffer_view(const TextBuffer *buffer);
const char *buffer_string(const TextBuffer *buffer); /* never NULL */

/* Reads one line into `line`, without its LF or CRLF. What goes beyond `most` bytes is read and dropped, and
 * `line` has failed. False at the end of input; a last line without a line feed counts. Continues after an
 * interrupted system call. */
bool buffer_read_line(TextBuffer *line, size_t most, FILE *file);

/* --- printing, of which nothing else does any (tests/layers.py) --- */

/* Prints text as buffer_append_foreign appends it, but with its line feeds and tabs. */
void text_print(FILE *file, TextView text);
/* The same of a formatted text, of which 4095 bytes are printed at most. Needs no memory. */
void text_printf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the text like text_print, and releases it. False, and nothing is printed, when it failed. */
bool buffer_print(TextBuffer *buffer, FILE *file);
/* The same, byte by byte: for data, and for text that steers the terminal on purpose, to which all that is
 * foreign was appended by buffer_append_foreign. */
bool buffer_print_raw(TextBuffer *buffer, FILE *file);

#endif
