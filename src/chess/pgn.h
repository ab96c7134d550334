/* A game of Portable Game Notation in memory: tags, moves, and all that stands between the moves. */
#ifndef LUFT_CHESS_PGN_H
#define LUFT_CHESS_PGN_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

#include <limits.h>

enum { PGN_VALUE_CAPACITY = 256 };

typedef struct PgnTag {
    char name[32];
    char value[PGN_VALUE_CAPACITY];
} PgnTag;

typedef enum PgnNoteKind { PGN_COMMENT, PGN_NAG, PGN_VARIATION } PgnNoteKind;

enum { PGN_BEHIND_RESULT = INT_MAX, PGN_NAG_MAX = 9999 };

/* What stands between the moves. The texts are clean: printable, words separated by one blank. */
typedef struct PgnNote {
    PgnNoteKind kind;
    int place; /* the number of moves before it, or PGN_BEHIND_RESULT */
    int nag;   /* of a NAG: the number behind its dollar sign */
    size_t
        text; /* of a comment and of a variation, without its parentheses: where it begins in PgnGame.text */
} PgnNote;

/* One game. Start from {0}; pgn_game_release frees. */
typedef struct PgnGame {
    PgnTag *tags;
    Move *moves;
    PgnNote *notes;  /* by place, then in their order */
    TextBuffer text; /* of the notes, one behind the other, each with its terminator */
    int tag_count;
    int move_count;
    int note_count;
    Position start; /* from FEN / SetUp, else the initial position */
    char result[8]; /* "1-0", "0-1", "1/2-1/2" or "*" */
} PgnGame;

void pgn_game_release(PgnGame *game);
const char *pgn_tag(const PgnGame *game, const char *name); /* NULL when absent */

/* Sets a tag, whose name may have letters, digits, _ and -. Control characters in the value become blanks. */
Status pgn_set_tag(PgnGame *game, const char *name, const char *value);

/* Adds a move with a comment behind it, or without (NULL). */
Status pgn_add_move(PgnGame *game, Move move, const char *comment);

/* Adds a note behind what there is. Its place is not before that of the last one. The text is cleaned; braces
 * in a comment become parentheses, for PGN has no way to write them. */
Status pgn_add_comment(PgnGame *game, int place, TextView text);
Status pgn_add_nag(PgnGame *game, int place, int nag);
/* The moves in a variation are not looked at; comments in it stand in braces. */
Status pgn_add_variation(PgnGame *game, int place, TextView text);

/* The notes of a place, and their number. */
const PgnNote *pgn_notes(const PgnGame *game, int place, int *count);
const char *pgn_note_text(const PgnGame *game, const PgnNote *note);

/* The first comment of a place; NULL when there is none. Behind moves[i] is place i + 1. */
const char *pgn_comment(const PgnGame *game, int place);

/* Appends the text of a note as it is kept: every run of white space and control characters is one blank, so
 * that wrapping leaves no trace, and a comment has parentheses for braces. */
void pgn_append_clean(TextBuffer *out, TextView text, bool is_comment);

/* Whether a character may stand in the name of a tag. */
static inline bool pgn_is_tag_name_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

#endif
