/* A game between a person and the engine: its clocks, its PGN, and the game that was broken off, a file in
 * the folder where the system keeps the state of programs (XDG_STATE_HOME, else ~/.local/state; on Windows
 * LOCALAPPDATA). It knows neither terminal nor search nor time; the caller says how long a move took. One
 * thread. */
#ifndef LUFT_CLI_PLAY_GAME_H
#define LUFT_CLI_PLAY_GAME_H

#include "chess/fen.h"
#include "chess/game.h"

/* What is agreed before the first move. Times are milliseconds. */
typedef struct PlaySettings {
    Position start;
    Color person; /* whose moves the person makes */
    bool has_clock;
    int64_t base, increment;
    uint64_t nodes; /* for each move of the engine; 0: no such limit */
    int elo;        /* of the engine's level; 0: full strength */
    int seed;       /* of its level, above 0 */
    char date[11];  /* as PGN writes it: "2026.11.23" */
    char name[64];  /* of the person */
} PlaySettings;

typedef struct PlayGame {
    PlaySettings settings;
    Game played; /* with clocks, each comment has what its mover had left, rounded up to tenths of a second */
    Position now;
    int64_t clock[COLOR_COUNT];
} PlayGame;

void play_game_begin(PlayGame *game, const PlaySettings *settings);
void play_game_release(PlayGame *game);

bool play_game_goes_on(const PlayGame *game);

/* Whether the person is to move, and the game goes on. */
bool play_game_waits_for_person(const PlayGame *game);

/* Makes a legal move that took `spent` milliseconds, unless these were more than the clock had: then the game
 * ends. It goes on only while the rules let it. Fails for want of memory only. */
Status play_game_move(PlayGame *game, Move move, int64_t spent);

/* Takes back the person's last move and what followed, the end of the game too. False when there is none. */
bool play_game_undo(PlayGame *game);

/* These end a game that goes on; the time is that of the side to move. */
void play_game_resign(PlayGame *game, Color side);
void play_game_agree(PlayGame *game);
void play_game_run_out_of_time(PlayGame *game);

/* Whether the engine takes a draw when it expects that part of a point (0 to 1): not before move 10, and not
 * when it expects more than a half. */
bool play_game_accepts_draw(const PlayGame *game, double expected);

/* Appends why it is over: "Checkmate: White has won." Nothing while it goes on. */
void play_game_describe_end(const PlayGame *game, TextBuffer *out);

/* Writes the initial position without the giver's queen, the rook or knight of the queen's side, or the pawn
 * before the king's bishop. */
typedef enum PlayOdds { ODDS_NONE, ODDS_QUEEN, ODDS_ROOK, ODDS_KNIGHT, ODDS_PAWN } PlayOdds;
void play_game_write_odds(PlayOdds odds, Color giver, char fen[FEN_CAPACITY]);

/* --- as PGN --- */

/* Sets the tags and appends the game. What the tags of PGN cannot say (which side is the person, the engine's
 * nodes) is in tags of our own. */
Status play_game_write(PlayGame *game, TextBuffer *out);

/* Sets up the game that play_game_write has written. `game` is to be released only on success. */
Status play_game_read(PlayGame *game, TextView pgn);

/* Writes the game into the state folder, in place of the one that is there; one without moves, or that is
 * over, takes that one away. */
Status play_game_keep(PlayGame *game);

/* Reads the game that is kept. `*found` is false when there is none. */
Status play_game_find(PlayGame *game, bool *found);

#endif
