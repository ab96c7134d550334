#include "lab/game/game.h"

#include "base/memory.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/san.h"

#include <stdio.h>
#include <string.h>

/* A game under way. */
typedef struct Table {
    const GameSetup *setup;
    MatchGame *game;
    Position pos;
    TextBuffer line;            /* "position ... moves ..." so far */
    int64_t clock[COLOR_COUNT]; /* microseconds left */
    int moves_to_go[COLOR_COUNT];
    int level_plies;             /* how long both have called it a draw */
    int lost_moves[COLOR_COUNT]; /* how long each has thought itself lost ... */
    int won_moves[COLOR_COUNT];  /* ... or winning */
} Table;

const char *game_result_text(GameResult result) {
    switch (result) {
    case RESULT_WHITE_WINS: return "1-0";
    case RESULT_BLACK_WINS: return "0-1";
    case RESULT_DRAW: return "1/2-1/2";
    default: return "*";
    }
}

const char *game_ending_name(GameEnding ending) {
    switch (ending) {
    case ENDING_CHECKMATE: return "mate";
    case ENDING_STALEMATE: return "stalemate";
    case ENDING_REPETITION: return "threefold repetition";
    case ENDING_FIFTY_MOVES: return "fifty moves";
    case ENDING_DEAD_POSITION: return "dead position";
    case ENDING_DRAW_ADJUDICATED: return "draw adjudicated";
    case ENDING_WIN_ADJUDICATED: return "win adjudicated";
    case ENDING_MAX_MOVES: return "maximum length";
    case ENDING_FAULT: return "fault";
    case ENDING_CANCELLED: return "cancelled";
    default: return "unfinished";
    }
}

void game_describe_end(const MatchGame *game, char *out, int capacity) {
    const char *winner = game->result == RESULT_WHITE_WINS ? "White" : "Black";
    const char *guilty = game->guilty == WHITE ? "White" : "Black";
    size_t room = (size_t)capacity;
    switch (game->ending) {
    case ENDING_CHECKMATE: text_format(out, room, "%s mates", winner); break;
    case ENDING_WIN_ADJUDICATED: text_format(out, room, "%s wins by adjudication", winner); break;
    case ENDING_FAULT: text_format(out, room, "%s loses by %s", guilty, fault_name(game->fault)); break;
    case ENDING_CANCELLED: text_format(out, room, "cancelled"); break;
    case ENDING_NONE: text_format(out, room, "unfinished"); break;
    default: text_format(out, room, "draw: %s", game_ending_name(game->ending));
    }
}

void match_game_release(MatchGame *game) {
    memory_release(game->moves);
    *game = (MatchGame){0};
}

static void finish(MatchGame *game, GameResult result, GameEnding ending) {
    game->result = result;
    game->ending = ending;
}

static GameResult loss_of(Color color) { return color == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS; }

static void finish_by_fault(Table *table, Color guilty, Fault fault, const char *detail) {
    MatchGame *game = table->game;
    if (fault == FAULT_CANCELLED) {
        finish(game, RESULT_NONE, ENDING_CANCELLED);
        return;
    }
    finish(game, loss_of(guilty), ENDING_FAULT);
    game->fault = fault;
    game->guilty = guilty;
    text_copy(text_view(detail), game->detail, sizeof game->detail);
}

/* The game as the rules see it; true when it is over. */
static bool ended_by_rules(Table *table) {
    switch (game_end(&table->pos)) {
    case GAME_GOES_ON: return false;
    case CHECKMATE: finish(table->game, loss_of(table->pos.side), ENDING_CHECKMATE); break;
    case STALEMATE: finish(table->game, RESULT_DRAW, ENDING_STALEMATE); break;
    case THREEFOLD_REPETITION: finish(table->game, RESULT_DRAW, ENDING_REPETITION); break;
    case FIFTY_MOVES: finish(table->game, RESULT_DRAW, ENDING_FIFTY_MOVES); break;
    case DEAD_MATERIAL: finish(table->game, RESULT_DRAW, ENDING_DEAD_POSITION); break;
    }
    return true;
}

static int magnitude(int value) { return value < 0 ? -value : value; }

/* Counts what the score of the last move says for adjudication. A move without a score breaks every row. */
static void count_opinions(Table *table, Color mover, UciScore score) {
    const GameRules *rules = table->setup->rules;
    int value = uci_score_value(score);
    bool given = score.kind != SCORE_NOT_GIVEN;
    table->level_plies = given && magnitude(value) <= rules->draw_score ? table->level_plies + 1 : 0;
    table->lost_moves[mover] = given && value <= -rules->resign_score ? table->lost_moves[mover] + 1 : 0;
    table->won_moves[mover] = given && value >= rules->resign_score ? table->won_moves[mover] + 1 : 0;
}

/* Ends by agreement of the scores; true when the game is over. */
static bool ended_by_adjudication(Table *table, Color mover) {
    const GameRules *rules = table->setup->rules;
    int plies = table->game->move_count - table->game->book_count;
    bool agreed = !rules->resign_twosided || table->won_moves[color_other(mover)] >= rules->resign_moves;
    if (rules->resign_moves > 0 && table->lost_moves[mover] >= rules->resign_moves && agreed) {
        finish(table->game, loss_of(mover), ENDING_WIN_ADJUDICATED);
    } else if (rules->draw_moves > 0 && table->level_plies >= 2 * rules->draw_moves &&
               plies >= 2 * rules->draw_from_move) {
        finish(table->game, RESULT_DRAW, ENDING_DRAW_ADJUDICATED);
    } else if (rules->max_moves > 0 && plies >= 2 * rules->max_moves) {
        finish(table->game, RESULT_DRAW, ENDING_MAX_MOVES);
    } else {
        return false;
    }
    return true;
}

/* Makes the move on the board, in the record and in the text for the engines. */
static bool record_move(Table *table, const MoveRecord *record) {
    MatchGame *game = table->game;
    MoveRecord *moves = memory_grow(game->moves, (size_t)game->move_count, sizeof *moves);
    if (moves == NULL) return false;
    game->moves = moves;
    char text[LAN_CAPACITY];
    lan_write(&table->pos, record->move, text);
    buffer_append_string(&table->line, game->move_count == 0 ? " moves " : " ");
    buffer_append_string(&table->line, text);
    Undo undo;
    position_make_move(&table->pos, record->move, &undo);
    game->moves[game->move_count++] = *record;
    return !table->line.failed;
}

static Status set_up(Table *table) {
    const GameSetup *setup = table->setup;
    MatchGame *game = table->game;
    Status status = fen_parse(&table->pos, text_view(setup->opening.fen), setup->chess960);
    if (!status_is_ok(&status)) return status;
    text_copy(text_view(setup->opening.fen), game->fen, sizeof game->fen);
    if (strcmp(game->fen, FEN_START) == 0)
        buffer_append_string(&table->line, "position startpos");
    else
        buffer_append_format(&table->line, "position fen %s", game->fen);
    for (int i = 0; i < setup->opening.move_count; i++) {
        MoveRecord book_move = {.move = setup->opening.moves[i], .book = true};
        if (!record_move(table, &book_move)) return status_no_memory("a game");
    }
    game->book_count = game->move_count;
    for (int color = WHITE; color <= BLACK; color++) {
        table->clock[color] = setup->limits[color].base;
        table->moves_to_go[color] = setup->limits[color].moves;
    }
    return status_ok();
}

static long long clock_in_milliseconds(int64_t microseconds) {
    long long milliseconds = microseconds / 1000;
    return milliseconds < 1 ? 1 : milliseconds;
}

/* Each side is told both clocks; a side without one is shown as the other's. */
static size_t write_clocks(const Table *table, Color side, char *out, size_t room) {
    const PlayLimits *limits = table->setup->limits;
    Color white = limits[WHITE].has_clock ? WHITE : side, black = limits[BLACK].has_clock ? BLACK : side;
    size_t used = text_format(out, room, " wtime %lld btime %lld", clock_in_milliseconds(table->clock[white]),
                              clock_in_milliseconds(table->clock[black]));
    if (limits[white].increment > 0 || limits[black].increment > 0)
        used +=
            text_format(out + used, room - used, " winc %lld binc %lld",
                        (long long)limits[white].increment / 1000, (long long)limits[black].increment / 1000);
    if (limits[side].moves > 0)
        used += text_format(out + used, room - used, " movestogo %d", table->moves_to_go[side]);
    return used;
}

static size_t write_go(const Table *table, Color side, char *out, size_t room) {
    const PlayLimits *limits = &table->setup->limits[side];
    size_t used = text_format(out, room, "go");
    if (limits->has_clock) used += write_clocks(table, side, out + used, room - used);
    if (limits->move_time > 0)
        used +=
            text_format(out + used, room - used, " movetime %lld", clock_in_milliseconds(limits->move_time));
    if (limits->depth > 0) used += text_format(out + used, room - used, " depth %d", limits->depth);
    if (limits->nodes > 0)
        used += text_format(out + used, room - used, " nodes %llu", (unsigned long long)limits->nodes);
    return used;
}

static void warn(Table *table, Color side, Fault fault, const char *detail) {
    MatchGame *game = table->game;
    game->warnings[side][fault]++;
    if (game->warning_detail[0] == '\0')
        text_format(game->warning_detail, sizeof game->warning_detail, "%s, move %d: %s",
                    side == WHITE ? "White" : "Black", table->pos.fullmove, detail);
}

static void check_pv(Table *table, TextView pv) {
    char detail[FAULT_DETAIL_CAPACITY];
    Fault fault = uci_check_pv(&table->pos, pv, detail);
    if (fault != FAULT_NONE) warn(table, table->pos.side, fault, detail);
}

static void see_info(void *context, const UciInfo *info, int64_t elapsed) {
    (void)elapsed;
    check_pv(context, info->pv);
}

/* Takes the time used off the clock. */
static void press_clock(Table *table, Color side, int64_t used) {
    const PlayLimits *limits = &table->setup->limits[side];
    if (!limits->has_clock) return;
    /* What the margin forgave is not held against the moves to come. */
    table->clock[side] = (table->clock[side] > used ? table->clock[side] - used : 0) + limits->increment;
    if (limits->moves > 0 && --table->moves_to_go[side] == 0) {
        table->clock[side] += limits->base;
        table->moves_to_go[side] = limits->moves;
    }
}

static int64_t time_limit_of(const Table *table, Color side) {
    const PlayLimits *limits = &table->setup->limits[side];
    if (limits->has_clock) return table->clock[side] + limits->margin;
    return limits->move_time > 0 ? limits->move_time + limits->margin : 0;
}

static MoveRecord describe_move(const SearchReport *report, Move move) {
    MoveRecord record = {.move = move,
                         .wall = report->wall,
                         .cpu = report->cpu,
                         .engine_delay = report->engine_delay,
                         .runner_delay = report->runner_delay};
    if (report->has_info) {
        record.score = report->info.score;
        record.depth = report->info.depth;
        record.selective_depth = report->info.selective_depth;
        record.nodes = report->info.nodes;
    }
    return record;
}

static void add_costs(MatchGame *game, const SearchReport *report) {
    game->searches++;
    game->search_wall += report->wall;
    game->search_cpu += report->cpu;
    game->search_delay += report->engine_delay;
}

/* Asks the side to move for a move and makes it. False when the game ends thereby, or memory does. */
static bool play_move(Table *table, SearchReport *report, bool *out_of_memory) {
    const GameSetup *setup = table->setup;
    Color side = table->pos.side;
    char go[192];
    size_t length = write_go(table, side, go, sizeof go);
    SearchRequest request = {.position = buffer_view(&table->line),
                             .go = {go, length},
                             .time_limit = time_limit_of(table, side),
                             .context = table,
                             .info = setup->rules->check_every_pv ? see_info : NULL};
    Fault fault = uci_client_search(setup->players[side], &request, report);
    add_costs(table->game, report);
    if (fault != FAULT_NONE) {
        finish_by_fault(table, side, fault, report->detail);
        table->game->overdrawn = report->wall - request.time_limit;
        return false;
    }
    Move move;
    Status status = lan_parse(&table->pos, text_view(report->best_move), &move);
    if (!status_is_ok(&status)) {
        char detail[FAULT_DETAIL_CAPACITY], fen[FEN_CAPACITY];
        fen_write(&table->pos, fen);
        text_format(detail, sizeof detail, "bestmove %s in %s", report->best_move, fen);
        finish_by_fault(table, side, FAULT_ILLEGAL_MOVE, detail);
        return false;
    }
    if (report->has_info && !setup->rules->check_every_pv) check_pv(table, report->info.pv);
    press_clock(table, side, report->wall);
    MoveRecord record = describe_move(report, move);
    *out_of_memory = !record_move(table, &record);
    if (*out_of_memory) return false;
    count_opinions(table, side, record.score);
    return !ended_by_rules(table) && !ended_by_adjudication(table, side);
}

static bool is_cancelled(const GameSetup *setup) {
    return setup->cancel != NULL && atomic_load_explicit(setup->cancel, memory_order_relaxed);
}

static Status play_out(Table *table) {
    SearchReport *report = memory_allocate(sizeof *report);
    if (report == NULL) return status_no_memory("a game");
    bool out_of_memory = false;
    if (!ended_by_rules(table))
        while (play_move(table, report, &out_of_memory)) {
            if (is_cancelled(table->setup)) {
                finish(table->game, RESULT_NONE, ENDING_CANCELLED);
                break;
            }
        }
    memory_release(report);
    return out_of_memory ? status_no_memory("a game") : status_ok();
}

/* Tells both engines; false when one of them fails at that. */
static bool announce(Table *table) {
    for (int color = WHITE; color <= BLACK; color++) {
        char detail[FAULT_DETAIL_CAPACITY];
        Fault fault = uci_client_new_game(table->setup->players[color], detail);
        if (fault == FAULT_NONE) continue;
        finish_by_fault(table, (Color)color, fault, detail);
        return false;
    }
    return true;
}

Status game_play(const GameSetup *setup, MatchGame *game) {
    *game = (MatchGame){.moves = game->moves, .chess960 = setup->chess960};
    Table *table = memory_allocate(sizeof *table);
    if (table == NULL) return status_no_memory("a game");
    table->setup = setup;
    table->game = game;
    Status status = set_up(table);
    if (status_is_ok(&status) && announce(table)) status = play_out(table);
    buffer_release(&table->line);
    memory_release(table);
    return status;
}
