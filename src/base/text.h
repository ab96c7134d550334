/* Text: bounded views into somebody else's characters, a growable buffer, and strict number parsing.
 * Views own nothing and need no terminator. Any thread may call on its own data. */
#ifndef LUFT_BASE_TEXT_H
#define LUFT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct TextView {
    const char *data;
    size_t length;
} TextView;

/* A view of a C string; of NULL, the empty view. */
TextView text_view(const char *string);

/* Takes the next word (characters between white space) off the front of `rest`; empty at the end. */
TextView text_next_word(TextView *rest);

/* Takes the next line off the front of `rest`, without its LF or CRLF; false at the end. */
bool text_next_line(TextView *rest, TextView *line);

/* The length of a piece of UTF-8 that was cut off after `length` bytes, without the half character that the
 * cut may have left at its end. Text that is no UTF-8 stays as it is. */
size_t text_whole_characters(const char *text, size_t length);

/* The view without the byte order mark that some editors put before UTF-8 text. */
TextView text_without_mark(TextView text);

/* The view without leading and trailing white space. */
TextView text_trim(TextView text);

bool text_is_empty(TextView text);
bool text_equals(TextView text, const char *string);
bool text_equals_ignore_case(TextView text, const char *string);
bool text_starts_with(TextView text, const char *prefix);

/* Whole view to a number: optional sign, decimal digits, nothing else. False on anything else or on overflow;
 * then `*value` is unchanged. */
bool text_parse_int64(TextView text, int64_t *value);
bool text_parse_uint64(TextView text, uint64_t *value);

/* Whole view to a finite decimal number, with optional fraction and exponent; always with '.' whatever the
 * locale. */
bool text_parse_double(TextView text, double *value);

/* See bytes_hash. */
uint64_t text_hash(TextView text);

/* Copies into `out` (capacity bytes, terminator included), cutting what does not fit. Returns the bytes
 * copied. */
size_t text_copy(TextView text, char *out, size_t capacity);

/* A copy with a terminator; NULL when there is no memory. Free with memory_release. */
char *text_duplicate(TextView text);

/* Copies for a message: what is not printable ASCII becomes '?', and what does not fit (capacity at least 4)
 * ends in "...". Returns the bytes copied. */
size_t text_copy_printable(TextView text, char *out, size_t capacity);

/* snprintf that never returns more than fits: the characters now in `out`, without the terminator. */
size_t text_format(char *out, size_t capacity, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A growable string, always terminated. Start from {0}; free with buffer_release. When memory runs out, it
 * keeps what it has and sets `failed`, so that a long composition is checked once, at its end. */
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
/* Appends text of a stranger as UTF-8 without control characters; what is neither becomes '?'. */
void buffer_append_foreign(TextBuffer *buffer, TextView text);
/* The same inside XML. */
void buffer_append_xml(TextBuffer *buffer, TextView text);
void buffer_clear(TextBuffer *buffer);   /* keeps the memory */
void buffer_release(TextBuffer *buffer); /* back to {0} */
TextView buffer_view(const TextBuffer *buffer);
const char *buffer_string(const TextBuffer *buffer); /* never NULL */

/* Reads one line of any length into `line` (cleared first; LF, CRLF stripped). False at the end of input with
 * nothing read; a last line without a line feed counts. Keeps reading after an interrupted system call. */
bool buffer_read_line(TextBuffer *line, FILE *file);

#endif
