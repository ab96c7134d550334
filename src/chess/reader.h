/* A file of positions or of games: every command reads with this, so that all accept the same and read the
 * same moves (docs/reading.md). One thread calls. */
#ifndef LUFT_CHESS_READER_H
#define LUFT_CHESS_READER_H

#include "base/status.h"
#include "chess/game.h"

typedef struct Reader {
    const char *path;
    TextBuffer text;
    TextView rest;
    int line;          /* of the line that was taken last; of games where the next one begins */
    int taken;         /* positions or games, good or bad */
    bool has_games;    /* as it looks; the functions below that take them also set it */
    Problems problems; /* what cannot be read; print its text whenever you like */
} Reader;

/* Reads a file ("-": standard input). UTF-16 is recognised by its mark or its zeros; what is neither it nor
 * UTF-8 is Windows-1252, byte by byte, so that one wrong byte costs no other letter. A gzip file, a ZIP
 * archive, a web page and the like are refused by their names. The file has positions when the first line
 * that is neither empty nor a comment nor a tag begins with a board, else games. `path` must outlive the
 * reader. Close it in any case. */
Status reader_open(Reader *reader, const char *path);
/* The same for the bytes of a file, which are copied. */
Status reader_open_text(Reader *reader, TextView bytes);
void reader_close(Reader *reader);

/* Whether a text is meant as a position: its first word has seven slashes, none of them in front, and no full
 * stop. A path may have as many slashes. */
bool reader_is_position(TextView text);

/* Takes the next line with something in it; lines that begin with '#' are comments. False at the end. */
bool reader_next_line(Reader *reader, TextView *line);

/* Takes the next position, the same in every command; the rest of its line are operations. Lines without one
 * are reported. False at the end. */
bool reader_next_position(Reader *reader, bool chess960, Position *pos, TextView *operations);

/* Takes the next game; false at its end, and with a bad `*status` without memory. */
bool reader_next_game(Reader *reader, Game *game, Status *status);

/* Reports that the line or game that was taken last cannot be used. */
void reader_refuse(Reader *reader, const char *reason);

/* What is known at the end: fails when the file is empty, or when something could not be read and nobody
 * wants to go on without it; the reason then names the option for that (NULL: there is none). Completes the
 * text of the problems. */
Status reader_finish(Reader *reader, bool skip_faults, const char *option);

/* --- lines of EPD --- */

/* Takes the position off the front of a line; what is left are operations, which begin with no blank. The
 * counters may be among these, "hmvc 3; fmvn 21;". `*warning` (NULL: nobody asks) as in fen_take. */
Status reader_take_position(Position *pos, TextView *line, bool chess960, Status *warning);

/* Takes the next operation off the front, up to a ';' outside quotes. */
TextView reader_next_operation(TextView *operations);

/* Whether an operation sets a counter of the position, which reader_take_position has read. */
bool reader_is_counter(TextView operation);

#endif
