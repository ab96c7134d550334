/* A game: where it started, its moves, what is noted next to them, its result and how it ended. */
#ifndef LUFT_CHESS_GAME_H
#define LUFT_CHESS_GAME_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

#include <limits.h>

/* Fills the tables of attacks, hash keys and draws. Call it first in every program, before there is a second
 * thread; calling it again does nothing. */
void chess_init(void);

/* Ordered by White's points. */
typedef enum GameResult { UNDECIDED, BLACK_WINS, DRAWN, WHITE_WINS, GAME_RESULTS } GameResult;

/* "*", "0-1", "1/2-1/2" or "1-0". */
const char *game_result_text(GameResult result);

/* Reads one of these, and other ways to write them ("½-½", "1:0", "0.5-0.5"); false when the text is none. */
bool game_result_parse(TextView text, GameResult *result);

static inline GameResult game_won_by(Color color) { return color == WHITE ? WHITE_WINS : BLACK_WINS; }

/* What a decided game gives to a side: 0 lost, 1 drawn, 2 won. */
static inline int game_half_points(GameResult result, Color side) {
    return side == WHITE ? (int)result - BLACK_WINS : WHITE_WINS - (int)result;
}

/* How a game ended. Match journals hold these numbers: new ones are added at the end. */
typedef enum GameEnd {
    GAME_GOES_ON,
    CHECKMATE,
    STALEMATE,
    THREEFOLD_REPETITION,
    FIFTY_MOVES,
    DEAD_POSITION, /* no sequence of legal moves can mate */
    DRAW_ADJUDICATED,
    WIN_ADJUDICATED,
    LENGTH_LIMIT, /* adjudicated as a draw */
    ENGINE_FAULT, /* the other side wins */
    CANCELLED,    /* no result */
    RESIGNATION,
    AGREEMENT,
    TIME_FORFEIT, /* a draw when the other side has only its king */
    GAME_ENDS
} GameEnd;

/* How the rules alone end a game in this position. */
GameEnd game_end(const Position *pos);

/* The result of such an end, in the position where it came about; UNDECIDED while the game goes on. */
GameResult game_end_result(GameEnd end, const Position *pos);

/* "mate", "threefold repetition", "win adjudicated": for statistics. */
const char *game_end_name(GameEnd end);

/* --- the game --- */

enum { TAG_VALUE_CAPACITY = 256 };

typedef struct GameTag {
    char name[32];
    char value[TAG_VALUE_CAPACITY];
} GameTag;

typedef enum NoteKind { NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION } NoteKind;

enum { AFTER_RESULT = INT_MAX, NAG_MAX = 9999 };

/* What is written between the moves. The texts are clean: printable, words separated by one blank. */
typedef struct GameNote {
    NoteKind kind;
    int place;   /* the number of moves before it, or AFTER_RESULT */
    int nag;     /* of a NAG: the number after its dollar sign */
    size_t text; /* of a comment and of a variation, without its parentheses: where it begins in Game.text */
} GameNote;

/* One game. Start from {0}; game_release frees. */
typedef struct Game {
    GameTag *tags;
    Move *moves;
    GameNote *notes; /* by place, then in their order */
    TextBuffer text; /* of the notes, one after the other, each with its terminator */
    int tag_count;
    int move_count;
    int note_count;
    Position start; /* all zero: the initial position, for a writer */
    GameResult result;
    GameEnd end; /* GAME_GOES_ON where it is not known: PGN does not say */
} Game;

void game_release(Game *game);
const char *game_tag(const Game *game, const char *name); /* in any case; NULL when absent */

/* The position after the first `plies` moves, with its history. */
Position game_position(const Game *game, int plies);

/* The seven tags that every game has, in their order, and whether a name is one of them, or one of the two
 * that say where the game starts; in any case. */
enum { GAME_ROSTER_SIZE = 7 };
extern const char *const GAME_ROSTER[GAME_ROSTER_SIZE];
bool game_is_roster_tag(const char *name);
bool game_is_start_tag(const char *name);

/* Sets a tag, whose name may have letters, digits, _ and -. What steers a terminal or cannot be
 * seen becomes blanks in the value. */
Status game_set_tag(Game *game, const char *name, const char *value);

/* The same for several names and values; those without a value (NULL) are left out. */
Status game_set_tags(Game *game, const char *const (*tags)[2], size_t count);

/* Adds a move with a comment after it, or without (NULL). */
Status game_add_move(Game *game, Move move, const char *comment);

/* Adds a note after those that are there. Its place is not before that of the last one. The text is cleaned;
 * braces in a comment become parentheses, for PGN has no way to write them. */
Status game_add_comment(Game *game, int place, TextView text);
Status game_add_nag(Game *game, int place, int nag);
/* The moves in a variation are not checked; comments in it are in braces. */
Status game_add_variation(Game *game, int place, TextView text);

/* Takes back all moves after the first `plies`, with their notes, the result and the end. */
void game_cut(Game *game, int plies);

/* The notes of a place, and their number. */
const GameNote *game_notes(const Game *game, int place, int *count);
const char *game_note_text(const Game *game, const GameNote *note);

/* The first comment of a place; NULL when there is none. After moves[i] is place i + 1. */
const char *game_comment(const Game *game, int place);

/* Appends the text of a note as it is kept: every run of white space and control characters is one blank, so
 * that wrapping leaves no trace, and a comment has parentheses for braces. */
void game_append_clean(TextBuffer *out, TextView text, bool is_comment);

/* Whether a character may be part of the name of a tag. */
static inline bool is_tag_name_character(char c) {
    const char upper = char_to_upper(c);
    return (upper >= 'A' && upper <= 'Z') || char_is_digit(c) || c == '_' || c == '-';
}

#endif
