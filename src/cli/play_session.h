/* A game in progress: what is typed, what the engine thinks, the clocks. One thread runs the game; the
 * calling one reads the input, so that a person can say something while the engine thinks. */
#ifndef LUFT_CLI_PLAY_SESSION_H
#define LUFT_CLI_PLAY_SESSION_H

#include "cli/play_game.h"

#include <stdio.h>

typedef struct PlayStyle {
    bool ascii;    /* letters instead of chess pieces */
    bool new_game; /* a game that was broken off is not offered */
} PlayStyle;

/* Plays until the person quits or the input ends. */
Status play_session_run(const PlaySettings *settings, PlayStyle style, FILE *in, FILE *out);

#endif
