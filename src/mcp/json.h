/* JSON that others send (RFC 8259), read where it stands: a value is a view of its text, and only strings
 * that somebody wants are copied. engine/document.h writes JSON. Pure. */
#ifndef LUFT_MCP_JSON_H
#define LUFT_MCP_JSON_H

#include "base/status.h"
#include "base/text.h"

enum { JSON_DEPTH_MAX = 64 /* lists and objects inside each other */ };

typedef enum JsonKind {
    JSON_MISSING, /* the empty view */
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_LIST,
    JSON_OBJECT
} JsonKind;

/* Takes the white space off a text and checks that it is one value, in UTF-8. On failure the reason names
 * the place and what was expected there. */
Status json_check(TextView *text);

/* --- of a value that json_check has passed, and of all values inside it --- */

JsonKind json_kind(TextView value);

/* The member of that name, of several the last. Missing where there is none, or no object. */
TextView json_member(TextView object, const char *name);

/* Walks over a list or an object: takes the next value off the front of `rest`, which starts as the value
 * itself. `*name` is the string before it, missing in a list. False at the end. */
bool json_next(TextView *rest, TextView *name, TextView *value);

/* Appends what a string stands for, in UTF-8. Zeros and halves of surrogate pairs become U+FFFD, so that the
 * text is one for C, too. */
void json_append_text(TextView string, TextBuffer *out);

#endif
