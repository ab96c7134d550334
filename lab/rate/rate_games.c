#include "lab/rate/rate_games.h"

#include "base/memory.h"
#include "chess/reader.h"
#include "lab/kit/console.h"

#include <stdio.h>
#include <string.h>

int rate_games_find(const RateGames *games, TextView name) {
    for (int i = 0; i < games->player_count; i++)
        if (text_equals(name, games->players[i].name)) return i;
    return -1;
}

/* The player of this name, which is new if need be; -1 without memory. */
static int take_player(RateGames *games, const char *name) {
    const int found = rate_games_find(games, text_view(name));
    if (found >= 0) return found;
    RatingPlayer *players = memory_grow(games->players, (size_t)games->player_count, sizeof *games->players);
    if (players == NULL) return -1;
    games->players = players;
    players[games->player_count] = (RatingPlayer){.name = text_duplicate(text_view(name))};
    return players[games->player_count].name != NULL ? games->player_count++ : -1;
}

static RatingPair *take_pair(RateGames *games, int white, int black) {
    for (int i = 0; i < games->pair_count; i++)
        if (games->pairs[i].white == white && games->pairs[i].black == black) return &games->pairs[i];
    RatingPair *pairs = memory_grow(games->pairs, (size_t)games->pair_count, sizeof *games->pairs);
    if (pairs == NULL) return NULL;
    games->pairs = pairs;
    pairs[games->pair_count] = (RatingPair){.white = white, .black = black};
    return &pairs[games->pair_count++];
}

Status rate_games_add(RateGames *games, const char *white, const char *black, GameResult result) {
    if (white == NULL || black == NULL || white[0] == '\0' || black[0] == '\0')
        return status_error("a game does not name its players");
    if (strlen(white) > RATE_NAME_MAX || strlen(black) > RATE_NAME_MAX)
        return status_error("a player's name is longer than %d bytes", RATE_NAME_MAX);
    if (strcmp(white, black) == 0) return status_error("%.80s plays against itself", white);
    if (result == UNDECIDED) {
        games->undecided++;
        return status_ok();
    }
    const int first = take_player(games, white);
    const int second = first >= 0 ? take_player(games, black) : -1;
    RatingPair *pair = second >= 0 ? take_pair(games, first, second) : NULL;
    if (pair == NULL) return status_no_memory("the games");
    pair->count[game_half_points(result, WHITE)]++;
    games->rated++;
    return status_ok();
}

static Status read_file(RateGames *games, const char *path, bool skip_faults) {
    Reader reader;
    Game game = {0};
    Status status = reader_open(&reader, path);
    while (status_is_ok(&status) && reader_next_game(&reader, &game, &status)) {
        const Status added =
            rate_games_add(games, game_tag(&game, "White"), game_tag(&game, "Black"), game.result);
        if (added.kind == STATUS_NO_MEMORY) status = added;
        if (added.kind == STATUS_ERROR) reader_refuse(&reader, added.reason);
    }
    if (status_is_ok(&status)) status = reader_finish(&reader, skip_faults, SKIP_FAULTS);
    buffer_print(&reader.problems.text, stderr);
    game_release(&game);
    reader_close(&reader);
    return status;
}

Status rate_games_read(RateGames *games, const WordList *files, bool skip_faults) {
    Status status = status_ok();
    for (int i = 0; i < files->count && status_is_ok(&status); i++)
        status = read_file(games, files->word[i], skip_faults);
    if (status_is_ok(&status) && games->rated == 0) status = status_error("no game in it has a result");
    return status;
}

void rate_games_release(RateGames *games) {
    for (int i = 0; i < games->player_count; i++) memory_release(games->players[i].name);
    memory_release(games->players);
    memory_release(games->pairs);
    *games = (RateGames){0};
}
