/* A walk through the text of a PGN file: blanks, words, comments, variations, tags. Nothing here knows a
 * move. Each function takes what it reads off the front. */
#ifndef LUFT_CHESS_PGN_SCAN_H
#define LUFT_CHESS_PGN_SCAN_H

#include "chess/game.h"
#include "chess/plain.h"

/* A place in the text. */
typedef struct PgnScan {
    TextView rest;
    int line;
    bool line_start;  /* the next character is the first of its line */
    bool blank;       /* there was only white space in this line so far */
    bool after_empty; /* and in the line before */
} PgnScan;

PgnScan pgn_scan_begin(TextView text, int line);
static inline bool pgn_scan_at_end(const PgnScan *scan) { return scan->rest.length == 0; }
static inline char pgn_scan_peek(const PgnScan *scan) {
    return scan->rest.length == 0 ? '\0' : scan->rest.data[0];
}
/* One byte; the text is not at its end. */
char pgn_scan_take(PgnScan *scan);
/* The rest of the line, without its end. */
TextView pgn_scan_take_line(PgnScan *scan);

/* Every kind of blank, and whole lines that '%' takes out of the game. Returns whether an empty line was
 * among them. */
bool pgn_scan_skip_blanks(PgnScan *scan);

/* Whether a tag begins here: [Name "value"]. A clock in a wrapped comment, [%clk 0:01], is none. */
bool pgn_scan_at_tag(const PgnScan *scan);

/* The same after an empty line, where also a broken tag begins the next game. */
bool pgn_scan_at_next_game(const PgnScan *scan);

/* Whether a note begins here: a comment, a variation, a NAG. */
bool pgn_scan_at_note(const PgnScan *scan);

/* A word between the notes: one bracket or asterisk, or all up to a blank or one of these. The text is not at
 * a blank. The word is written in plain ASCII as far as it has one and fits, and returned as a view of it. */
enum { PGN_WORD_CAPACITY = 48 };
TextView pgn_scan_word(PgnScan *scan, char word[PGN_WORD_CAPACITY]);

/* Whether it may be meant as a move. */
bool pgn_word_has_square(TextView word);

/* Whether move number 1 of White, or the number 1 alone, is the first word of a line. */
bool pgn_scan_at_first_number(const PgnScan *scan);

/* What is between the signs of a comment of either kind. False when it has no closing brace: it ends with the
 * game then, at an empty line with a tag after it. Braces may be nested. */
bool pgn_scan_comment(PgnScan *scan, TextView *inside);

/* Appends a variation with all variations and comments in it, without its own parentheses, as if it were in
 * one line. False when it is not closed; what is open in it is then closed. */
bool pgn_scan_variation(PgnScan *scan, TextBuffer *out);

/* Takes a tag, whose name and value are cut where they do not fit. False, and nothing is taken, when it is
 * broken or none. */
bool pgn_scan_tag(PgnScan *scan, GameTag *tag);

/* Takes what is no tag and stands in a tag's place: a line with a bracket or a quote too few, words in front
 * of a tag or of the line in which the moves begin. False when they begin here. */
bool pgn_scan_broken_tag(PgnScan *scan, TextView *text);

/* Whether the text or the game ends here. */
bool pgn_scan_at_end_of_moves(const PgnScan *scan);

/* Takes the notes before the next word, and that word; an empty one at the end of the moves. */
TextView pgn_scan_next_word(PgnScan *scan, char word[PGN_WORD_CAPACITY]);

#endif
