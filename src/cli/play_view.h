/* What a person sees of a game. On a terminal the window is drawn again with the board at its top; else only
 * what is new is printed, line by line. */
#ifndef LUFT_CLI_PLAY_VIEW_H
#define LUFT_CLI_PLAY_VIEW_H

#include "cli/play_game.h"
#include "cli/terminal.h"
#include "uci/report.h"

typedef struct PlayView {
    bool is_terminal;  /* standard input and output: who types sees the answer there */
    BoardLook look;    /* without the last move */
    TerminalSize size; /* of the window when it was drawn */
    int clock_row;     /* of the window, from 1: where the clocks are; 0: unknown */
} PlayView;

/* For the person's side, letters if asked for or wanted by the environment. */
PlayView play_view_open(bool ascii, Color person);

/* Appends the board as the person looks at it. */
void play_view_append_board(const PlayView *view, const PlayGame *game, TextBuffer *out);

/* Appends "White 4:32, Black 5:00" as a line; nothing without clocks. `spent`: milliseconds that the side to
 * move has used for its move so far. */
void play_view_append_clocks(const PlayGame *game, int64_t spent, TextBuffer *out);

/* Shows the message, in a terminal below the board, and the prompt (NULL: none, for there is nothing to
 * type). False for want of memory. */
bool play_view_show(PlayView *view, const PlayGame *game, int64_t spent, const TextBuffer *message,
                    const char *prompt);

/* Writes the clocks again where they are, whatever is being typed. False when all must be shown again, for
 * the window has another size. */
bool play_view_tick(const PlayView *view, const PlayGame *game, int64_t spent);

#endif
