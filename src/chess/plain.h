/* Chess text in plain ASCII. Books, pages and keyboards put other characters in its place: dashes of every
 * length, blanks that do not break, dots in one, fractions, figurines, printed signs of annotation. Every
 * reader of moves, results and signs reads them through this (docs/reading.md). */
#ifndef LUFT_CHESS_PLAIN_H
#define LUFT_CHESS_PLAIN_H

#include "base/text.h"

/* Takes the first character off `text`, which is not empty, and returns what it stands for: "-", "...",
 * "1/2", "N" for a figurine of a knight, " " for every blank, "" for what has no width; the character itself
 * where it stands for nothing else. What is no UTF-8 is taken byte by byte. */
TextView plain_take(TextView *text);

/* Writes the text in plain ASCII as far as it has one and fits, terminated. Returns the length. */
size_t plain_write(TextView text, char *out, size_t capacity);

/* --- signs and words that comment on a move: "!?", "+-", "ep" --- */

/* The length of the longest one at the end of a text, 0 where there is none, and its NAG: 0 when the move
 * says the same. Of those that have a NAG for each side `by_black` chooses. */
size_t plain_last_sign(TextView text, bool by_black, int *nag);

/* Whether a word has neither letter nor digit, is one of those, or begins with a sign beyond ASCII. */
bool plain_is_sign(TextView word);

/* --- the letters of the pieces in the languages that games are printed in --- */

enum { ALPHABET_ENGLISH = 0 };

int plain_alphabets(void);

/* Writes a move that is in plain ASCII with English letters. False when it has a capital letter that is no
 * piece in this alphabet (O of castling is none), or does not fit. */
bool plain_in_english(int alphabet, TextView word, char *out, size_t capacity);

/* Appends a line of moves with variations and comments in braces; the moves with English letters. */
void plain_translate(int alphabet, TextView line, TextBuffer *out);

#endif
