#include "lab/tune/played.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "engine/engine.h"
#include "engine/verdict.h"
#include "engine/version.h"
#include "lab/kit/console.h"
#include "lab/kit/crew.h"
#include "lab/kit/line_journal.h"
#include "nnue/network.h"
#include "search/score.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define REFEREE_HASH "16" /* MiB of the table of each thread */

/* What the search says of a position: internal units of its side to move, and the move it would play. */
typedef struct Finding {
    int score;
    Move best;
} Finding;

typedef struct PlayedGame {
    Game game;
    int64_t number;   /* in the file, from 1 */
    uint64_t key;     /* of start and moves */
    Finding *finding; /* of each position, the last one too; NULL: not yet searched */
} PlayedGame;

typedef struct Referee {
    Engine *engine;
    const atomic_bool *cancel;
    Finding found; /* of the search in progress */
} Referee;

typedef struct Played {
    const PlayedSettings *settings;
    PlayedGame *game;
    int64_t count;
    int64_t read;     /* games of the file, of which `count` are judged */
    int64_t *waiting; /* games that are still to be searched */
    int64_t waiting_count;
    Referee *referee; /* one for each thread */
    LineJournal journal;
    Crew crew;
} Played;

/* --- games --- */

static uint64_t game_key(const Game *game) {
    char fen[FEN_CAPACITY];
    const size_t length = fen_write(&game->start, fen);
    const uint64_t hash = bytes_hash_more(bytes_hash(fen, length), game->moves,
                                          (size_t)game->move_count * sizeof game->moves[0]);
    return hash != 0 ? hash : 1;
}

static const char *player_name(const Game *game, Color color) {
    const char *name = game_tag(game, color == WHITE ? "White" : "Black");
    return name == NULL || *name == '\0' ? "?" : name;
}

static bool is_wanted(const Played *played, const char *name) {
    return played->settings->player == NULL || strcmp(played->settings->player, name) == 0;
}

static Status read_games(Played *played, Reader *reader) {
    Game game = {0};
    Status status;
    while (reader_next_game(reader, &game, &status)) {
        played->read++;
        if (!is_wanted(played, player_name(&game, WHITE)) && !is_wanted(played, player_name(&game, BLACK))) {
            game_release(&game);
            game = (Game){0};
            continue;
        }
        PlayedGame *games = memory_grow(played->game, (size_t)played->count, sizeof *games);
        if (games == NULL) {
            game_release(&game);
            return status_no_memory("the games");
        }
        played->game = games;
        games[played->count++] = (PlayedGame){.game = game, .number = played->read, .key = game_key(&game)};
        game = (Game){0};
    }
    return status;
}

static Status load_games(Played *played) {
    const PlayedSettings *settings = played->settings;
    Reader reader;
    Status status = reader_open(&reader, settings->games);
    if (status_is_ok(&status)) status = read_games(played, &reader);
    if (status_is_ok(&status)) status = reader_finish(&reader, settings->skip_faults, SKIP_FAULTS);
    buffer_print(&reader.problems.text, stderr);
    reader_close(&reader);
    if (status_is_ok(&status) && played->read == 0)
        status = status_error("%.200s has no game", settings->games);
    if (status_is_ok(&status) && played->count == 0)
        status = status_error("%.100s has no game of '%.60s' (names are compared as they are written)",
                              settings->games, settings->player);
    return status;
}

/* --- the referee --- */

static void on_info(void *context, const SearchInfo *info) {
    Referee *referee = context;
    if (info->bound == BOUND_EXACT && info->multi_pv == 1)
        referee->found = (Finding){info->score, info->pv_length > 0 ? info->pv[0] : MOVE_NONE};
}

static bool is_cancelled(void *context) { return atomic_load(((Referee *)context)->cancel); }

static Status referee_begin(Referee *referee, const atomic_bool *cancel) {
    static const char *const OPTIONS[][2] = {
        {"Hash", REFEREE_HASH}, {"Threads", "1"}, {"UCI_AnalyseMode", "true"}};
    const SearchListener listener = {.context = referee, .info = on_info, .poll = is_cancelled};
    Status status;
    referee->cancel = cancel;
    referee->engine = engine_create(&listener, &status);
    for (int i = 0; i < 3 && referee->engine != NULL && status_is_ok(&status); i++)
        status = engine_set_option(referee->engine, text_view(OPTIONS[i][0]), text_view(OPTIONS[i][1]));
    return status;
}

/* Players may go on where they could claim a draw: that ends only the game in which they stopped. */
static bool is_over(const Position *pos, bool is_last, int *score) {
    const GameEnd end = game_end(pos);
    *score = end == CHECKMATE ? score_mated_in(0) : SCORE_DRAW;
    if (end == FIFTY_MOVES || end == THREEFOLD_REPETITION) return is_last;
    return end != GAME_GOES_ON;
}

/* Searches all positions of a game in order, keeping the table, as in a game. */
static Status search_game(Played *played, Referee *referee, PlayedGame *game, Finding *finding) {
    Position pos = game->game.start;
    engine_new_game(referee->engine);
    for (int ply = 0;; ply++) {
        const bool is_last = ply == game->game.move_count;
        referee->found = (Finding){0};
        if (!is_over(&pos, is_last, &referee->found.score)) {
            const SearchLimits limits = {.nodes = played->settings->nodes, .start = clock_microseconds()};
            engine_use_position(referee->engine, &pos, NULL);
            engine_go(referee->engine, &limits);
            engine_wait(referee->engine);
            if (is_cancelled(referee)) return status_ok();
        }
        finding[ply] = referee->found;
        if (is_last) return status_ok();
        Undo undo;
        position_make_move(&pos, game->game.moves[ply], &undo);
    }
}

/* --- the journal: "KEY SCORE MOVE SCORE MOVE ..." for each game --- */

static Finding *allocate_findings(const PlayedGame *game) {
    return memory_allocate(((size_t)game->game.move_count + 1) * sizeof(Finding));
}

static bool read_findings(TextView line, int count, Finding *finding) {
    for (int i = 0; i < count; i++) {
        int64_t score, best;
        if (!text_parse_int64(text_next_word(&line), &score) || score < -SCORE_MATE || score > SCORE_MATE ||
            !text_parse_int64(text_next_word(&line), &best) || best < 0 || best > UINT16_MAX)
            return false;
        finding[i] = (Finding){(int)score, (Move)best};
    }
    return text_is_empty(text_trim(line));
}

/* A game that is no longer in the file keeps its line, for when it is again. */
static Status restore_game(void *context, TextView line, bool *whole) {
    Played *played = context;
    uint64_t key;
    *whole = text_parse_uint64(text_next_word(&line), &key);
    for (int64_t i = 0; i < played->count && *whole; i++) {
        PlayedGame *game = &played->game[i];
        if (game->key != key || game->finding != NULL) continue;
        game->finding = allocate_findings(game);
        if (game->finding == NULL) return status_no_memory("the games");
        *whole = read_findings(line, game->game.move_count + 1, game->finding);
        if (*whole) continue;
        memory_release(game->finding);
        game->finding = NULL;
    }
    return status_ok();
}

static Status open_journal(Played *played) {
    const PlayedSettings *settings = played->settings;
    TextBuffer header = {0};
    if (settings->journal == NULL) return status_ok();
    buffer_append_format(&header,
                         "luft-lab judged games 1\n%" PRIu64 " nodes of %s %s with network %016" PRIx64 "\n",
                         settings->nodes, ENGINE_NAME, version_name(),
                         network_hash(engine_network(played->referee[0].engine)));
    const LineJournalPlan plan = {.path = settings->journal,
                                  .what = "referee",
                                  .header = buffer_view(&header),
                                  .remedy = "another -journal, or --again, begins from the start"};
    const Status status = header.failed ? status_no_memory("the journal of judged games")
                                        : line_journal_open(&played->journal, &plan, restore_game, played);
    buffer_release(&header);
    return status;
}

/* Under the lock of the crew. */
static Status keep_game(Played *played, const PlayedGame *game) {
    TextBuffer line = {0};
    if (played->settings->journal == NULL) return status_ok();
    buffer_append_format(&line, "%" PRIu64, game->key);
    for (int i = 0; i <= game->game.move_count; i++)
        buffer_append_format(&line, " %d %u", game->finding[i].score, game->finding[i].best);
    buffer_append_char(&line, '\n');
    const Status status =
        line.failed ? status_no_memory("a game") : line_journal_add(&played->journal, &line);
    buffer_release(&line);
    return status;
}

/* --- all games --- */

static Status judge_game(void *context, int number, int64_t index) {
    Played *played = context;
    PlayedGame *game = &played->game[played->waiting[index]];
    Finding *finding = allocate_findings(game);
    if (finding == NULL) return status_no_memory("a game");
    Status status = search_game(played, &played->referee[number], game, finding);
    if (!status_is_ok(&status) || atomic_load(&played->crew.cancel)) {
        memory_release(finding);
        return status;
    }
    mutex_lock(&played->crew.lock);
    game->finding = finding;
    status = keep_game(played, game);
    mutex_unlock(&played->crew.lock);
    return status;
}

static Status judge_games(Played *played) {
    const PlayedSettings *settings = played->settings;
    played->waiting = memory_allocate((size_t)played->count * sizeof *played->waiting);
    if (played->waiting == NULL) return status_no_memory("the games");
    for (int64_t i = 0; i < played->count; i++)
        if (played->game[i].finding == NULL) played->waiting[played->waiting_count++] = i;
    ProgressBar progress = progress_begin("games", played->waiting_count, settings->quiet);
    const Status status = crew_run_tasks(&played->crew, settings->concurrency, played->waiting_count,
                                         judge_game, played, &progress);
    progress_end(&progress);
    if (!status_is_ok(&status) || !played->crew.interrupted) return status;
    return settings->journal != NULL ? status_unfinished("interrupted; the same command carries on")
                                     : status_error("interrupted");
}

/* --- players --- */

/* A ratio of two sums over games, and what its error needs. */
typedef struct Ratio {
    double part, whole, part_part, part_whole, whole_whole;
    int games;
} Ratio;

static void ratio_add(Ratio *ratio, double part, double whole) {
    if (whole == 0) return;
    ratio->part += part;
    ratio->whole += whole;
    ratio->part_part += part * part;
    ratio->part_whole += part * whole;
    ratio->whole_whole += whole * whole;
    ratio->games++;
}

/* "21.3 ± 4.0": times `scale`, with half of the 95 % interval where there are two games at least. */
static void add_ratio(MarkdownTable *table, const Ratio *ratio, double scale) {
    if (ratio->whole == 0) {
        markdown_table_cell(table, "-");
        return;
    }
    const double mean = ratio->part / ratio->whole, games = ratio->games;
    if (ratio->games < 2) {
        markdown_table_cell(table, "%.1f", scale * mean);
        return;
    }
    const double squares =
        fmax(ratio->part_part - 2 * mean * ratio->part_whole + mean * mean * ratio->whole_whole, 0);
    const double error = 1.96 * sqrt(squares * games / (games - 1)) / ratio->whole;
    markdown_table_cell(table, "%.1f ± %.1f", scale * mean, scale * error);
}

typedef struct WorstMove {
    int64_t game;
    int ply;
    double loss;
} WorstMove;

typedef struct Player {
    char name[TAG_VALUE_CAPACITY];
    int games, moves;
    Ratio accuracy, loss, phase[PHASES], faults[VERDICT_KINDS]; /* faults: of its kind or worse */
    WorstMove worst[PLAYED_WORST];                              /* the worst first */
    int worst_count;
} Player;

/* What one side did in one game. */
typedef struct Side {
    double *losses; /* of the moves so far */
    int moves, phase_moves[PHASES], faults[VERDICT_KINDS];
    double loss, phase_loss[PHASES];
} Side;

static void note_worst(Player *player, WorstMove move) {
    if (move.loss <= 0) return;
    int place = player->worst_count;
    while (place > 0 && player->worst[place - 1].loss < move.loss) place--;
    if (place == PLAYED_WORST) return;
    if (player->worst_count < PLAYED_WORST) player->worst_count++;
    for (int i = player->worst_count - 1; i > place; i--) player->worst[i] = player->worst[i - 1];
    player->worst[place] = move;
}

static void add_move(Side *side, const Position *pos, const Verdict *verdict) {
    const Phase phase = verdict_phase(pos);
    side->losses[side->moves++] = verdict->loss;
    side->loss += verdict->loss;
    side->phase_moves[phase]++;
    side->phase_loss[phase] += verdict->loss;
    for (int kind = VERDICT_INACCURACY; kind <= VERDICT_BLUNDER; kind++)
        side->faults[kind] += (int)verdict->kind >= kind && verdict_is_fault(verdict->kind);
}

static void add_side(Player *player, const Side *side) {
    player->games++;
    player->moves += side->moves;
    if (side->moves > 0) ratio_add(&player->accuracy, verdict_accuracy(side->losses, side->moves), 1);
    ratio_add(&player->loss, side->loss, side->moves);
    for (int phase = 0; phase < PHASES; phase++)
        ratio_add(&player->phase[phase], side->phase_loss[phase], side->phase_moves[phase]);
    for (int kind = VERDICT_INACCURACY; kind <= VERDICT_BLUNDER; kind++)
        ratio_add(&player->faults[kind], side->faults[kind], side->moves);
}

typedef struct PlayerList {
    Player *player;
    int count;
} PlayerList;

static int find_player(PlayerList *list, const char *name) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->player[i].name, name) == 0) return i;
    Player *players = memory_grow(list->player, (size_t)list->count, sizeof *players);
    if (players == NULL) return -1;
    list->player = players;
    players[list->count] = (Player){0};
    text_copy(text_view(name), players[list->count].name, sizeof players->name);
    return list->count++;
}

static Status add_game(PlayerList *list, const PlayedGame *played, int64_t number) {
    const Game *game = &played->game;
    int player[COLOR_COUNT] = {find_player(list, player_name(game, WHITE)),
                               find_player(list, player_name(game, BLACK))};
    double *losses = memory_allocate(2 * ((size_t)game->move_count + 1) * sizeof *losses);
    if (losses == NULL || player[WHITE] < 0 || player[BLACK] < 0) {
        memory_release(losses);
        return status_no_memory("the players");
    }
    Side side[COLOR_COUNT] = {{.losses = losses}, {.losses = losses + game->move_count + 1}};
    Position pos = game->start;
    for (int ply = 0; ply < game->move_count; ply++) {
        const Position before = pos;
        Undo undo;
        position_make_move(&pos, game->moves[ply], &undo);
        const Finding *found = &played->finding[ply];
        const MoveFacts facts = {.before = verdict_assess(&before, found->score),
                                 .after = verdict_assess(&pos, found[1].score),
                                 .is_best = found->best == game->moves[ply]};
        const Verdict verdict = verdict_of(&facts);
        add_move(&side[before.side], &before, &verdict);
        note_worst(&list->player[player[before.side]], (WorstMove){number, ply, verdict.loss});
    }
    for (int color = WHITE; color <= BLACK; color++) add_side(&list->player[player[color]], &side[color]);
    memory_release(losses);
    return status_ok();
}

/* --- the report --- */

static void write_players(const Played *played, const PlayerList *list, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin("lrrrrrrrrrr");
    markdown_table_cells(&table,
                         "player | games | moves | accuracy %% | loss | opening | middlegame | endgame | "
                         "inaccuracies | mistakes | blunders");
    for (int i = 0; i < list->count; i++) {
        const Player *player = &list->player[i];
        if (!is_wanted(played, player->name)) continue;
        markdown_table_cell(&table, "%s", player->name);
        markdown_table_cells(&table, "%d | %d", player->games, player->moves);
        add_ratio(&table, &player->accuracy, 1);
        add_ratio(&table, &player->loss, 1000);
        for (int phase = 0; phase < PHASES; phase++) add_ratio(&table, &player->phase[phase], 1000);
        for (int kind = VERDICT_INACCURACY; kind <= VERDICT_BLUNDER; kind++)
            add_ratio(&table, &player->faults[kind], 100);
    }
    markdown_table_write(&table, out);
    buffer_append_string(
        out, "\nLoss is in thousandths of a game a move; faults are counted in 100 moves, each kind "
             "with the worse ones.\n± is half of the 95 % interval, with the games as units.\n");
}

static void write_worst(const Played *played, const Player *player, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin("rrllll");
    if (player->worst_count == 0) return;
    buffer_append_format(out, "\n## %s: the worst moves\n\n", player->name);
    markdown_table_cells(&table, "game | loss | move | better | result | position");
    for (int i = 0; i < player->worst_count; i++) {
        const WorstMove *worst = &player->worst[i];
        const PlayedGame *game = &played->game[worst->game];
        char move[SAN_CAPACITY], better[SAN_CAPACITY] = "-", fen[FEN_CAPACITY];
        const Position pos = game_position(&game->game, worst->ply);
        const Move best = game->finding[worst->ply].best;
        san_write(&pos, game->game.moves[worst->ply], move);
        if (movegen_is_legal(&pos, best)) san_write(&pos, best, better);
        fen_write(&pos, fen);
        markdown_table_cell(&table, "%" PRId64, game->number);
        markdown_table_cell(&table, "%.0f", 1000 * worst->loss);
        markdown_table_cell(&table, "%d%s %s", pos.fullmove, pos.side == WHITE ? "." : "...", move);
        markdown_table_cell(&table, "%s", better);
        markdown_table_cell(&table, "%s", game_result_text(game->game.result));
        markdown_table_cell(&table, "%s", fen);
    }
    markdown_table_write(&table, out);
}

static Status write_report(const Played *played, TextBuffer *out) {
    PlayerList list = {0};
    Status status = status_ok();
    char nodes[NUMBER_TEXT_CAPACITY];
    for (int64_t i = 0; i < played->count && status_is_ok(&status); i++)
        status = add_game(&list, &played->game[i], i);
    buffer_append_format(out, "%s, judged by %s %s with %s nodes a position\n\n",
                         console_count((uint64_t)played->count, "game").text, ENGINE_NAME, version_name(),
                         console_thousands(played->settings->nodes, nodes));
    write_players(played, &list, out);
    for (int i = 0; i < list.count; i++)
        if (is_wanted(played, list.player[i].name)) write_worst(played, &list.player[i], out);
    memory_release(list.player);
    return status_is_ok(&status) && out->failed ? status_no_memory("the report") : status;
}

static Status run(Played *played, TextBuffer *out) {
    const int threads = played->settings->concurrency;
    Status status = load_games(played);
    if (!status_is_ok(&status)) return status;
    played->referee = memory_allocate((size_t)threads * sizeof *played->referee);
    if (played->referee == NULL) return status_no_memory("the referees");
    for (int i = 0; i < threads && status_is_ok(&status); i++)
        status = referee_begin(&played->referee[i], &played->crew.cancel);
    if (status_is_ok(&status)) status = open_journal(played);
    if (status_is_ok(&status)) status = judge_games(played);
    return status_is_ok(&status) ? write_report(played, out) : status;
}

Status played_judge(const PlayedSettings *settings, TextBuffer *out) {
    Played played = {.settings = settings, .journal = {.file = {.handle = -1}}};
    crew_begin(&played.crew);
    const Status status = run(&played, out);
    for (int i = 0; played.referee != NULL && i < settings->concurrency; i++)
        engine_destroy(played.referee[i].engine);
    crew_end(&played.crew);
    line_journal_close(&played.journal);
    for (int64_t i = 0; i < played.count; i++) {
        game_release(&played.game[i].game);
        memory_release(played.game[i].finding);
    }
    memory_release(played.game);
    memory_release(played.waiting);
    memory_release(played.referee);
    return status;
}
