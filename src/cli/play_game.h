/* A game between a person and the engine: what was played, the clocks, how it ended. Pure: it knows neither
 * terminal nor search nor time; the caller says how long a move took. One thread. */
#ifndef LUFT_CLI_PLAY_GAME_H
#define LUFT_CLI_PLAY_GAME_H

#include "base/status.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/game.h"

/* What is agreed before the first move. Times are milliseconds. */
typedef struct PlaySettings {
    Position start;
    Color person; /* whose moves the person makes */
    bool has_clock;
    int64_t base, increment;
    uint64_t nodes; /* for each move of the engine; 0: no such limit */
    char date[11];  /* as PGN writes it: "2026.11.23" */
    char name[64];  /* of the person */
} PlaySettings;

typedef struct PlayedMove {
    Move move;
    int64_t clock; /* left to the mover behind the move; 0 without clocks */
} PlayedMove;

typedef struct PlayGame {
    PlaySettings settings;
    Position now;
    PlayedMove *moves;
    int count;
    int64_t clock[COLOR_COUNT];
    GameEnd end;
    GameResult result;
} PlayGame;

void play_game_begin(PlayGame *game, const PlaySettings *settings);
void play_game_release(PlayGame *game);

/* Whether the person is to move, and the game goes on. */
bool play_game_waits_for_person(const PlayGame *game);

/* Makes a legal move that took `spent` milliseconds, unless these were more than the clock had: then the game
 * ends. It goes on only while the rules let it. Fails, and changes nothing, for want of memory only. */
Status play_game_move(PlayGame *game, Move move, int64_t spent);

/* Takes back the person's last move and what followed, the end of the game too; the clocks stand as they
 * stood. False when there is no such move. */
bool play_game_undo(PlayGame *game);

/* These end a game that goes on. */
void play_game_resign(PlayGame *game, Color side);
void play_game_agree(PlayGame *game);
void play_game_run_out_of_time(PlayGame *game); /* the side to move */

/* The position after the first `plies` moves, with its history. */
Position play_game_position(const PlayGame *game, int plies);

/* Whether the engine takes a draw when it expects that part of a point (0 to 1): not before move 10, and not
 * when it expects more than a half. */
bool play_game_accepts_draw(const PlayGame *game, double expected);

/* Appends why it is over: "Checkmate: White has won." Nothing while it goes on. */
void play_game_describe_end(const PlayGame *game, TextBuffer *out);

/* Writes the initial position without the giver's queen, the rook or knight of the queen's side, or the pawn
 * before the king's bishop. */
typedef enum PlayOdds { ODDS_NONE, ODDS_QUEEN, ODDS_ROOK, ODDS_KNIGHT, ODDS_PAWN } PlayOdds;
void play_game_write_odds(PlayOdds odds, Color giver, char fen[FEN_CAPACITY]);

#endif
