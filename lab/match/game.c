#include "lab/match/game.h"

#include "base/memory.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/san.h"

#include <stdio.h>
#include <string.h>

/* A game under way. */
typedef struct LiveGame {
    const GameSetup *setup;
    MatchGame *game;
    Position pos;
    TextBuffer line;            /* "position ... moves ..." so far */
    int64_t clock[COLOR_COUNT]; /* microseconds left */
    int moves_to_go[COLOR_COUNT];
    int level_plies;             /* how long both have called it a draw */
    int lost_moves[COLOR_COUNT]; /* how long each has thought itself lost ... */
    int won_moves[COLOR_COUNT];  /* ... or winning */
} LiveGame;

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
    const size_t room = (size_t)capacity;
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

static void finish_by_fault(LiveGame *live, Color guilty, Fault fault, const char *detail) {
    MatchGame *game = live->game;
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
static bool ended_by_rules(LiveGame *live) {
    switch (game_end(&live->pos)) {
    case GAME_GOES_ON: return false;
    case CHECKMATE: finish(live->game, loss_of(live->pos.side), ENDING_CHECKMATE); break;
    case STALEMATE: finish(live->game, RESULT_DRAW, ENDING_STALEMATE); break;
    case THREEFOLD_REPETITION: finish(live->game, RESULT_DRAW, ENDING_REPETITION); break;
    case FIFTY_MOVES: finish(live->game, RESULT_DRAW, ENDING_FIFTY_MOVES); break;
    case DEAD_MATERIAL: finish(live->game, RESULT_DRAW, ENDING_DEAD_POSITION); break;
    }
    return true;
}

static int magnitude(int value) { return value < 0 ? -value : value; }

/* Counts what the score of the last move says for adjudication. A move without a score breaks every row. */
static void count_opinions(LiveGame *live, Color mover, UciScore score) {
    const GameRules *rules = live->setup->rules;
    const int value = uci_score_value(score);
    const bool given = score.kind != SCORE_NOT_GIVEN;
    live->level_plies = given && magnitude(value) <= rules->draw_score ? live->level_plies + 1 : 0;
    live->lost_moves[mover] = given && value <= -rules->resign_score ? live->lost_moves[mover] + 1 : 0;
    live->won_moves[mover] = given && value >= rules->resign_score ? live->won_moves[mover] + 1 : 0;
}

/* Ends by agreement of the scores; true when the game is over. */
static bool ended_by_adjudication(LiveGame *live, Color mover) {
    const GameRules *rules = live->setup->rules;
    const int plies = live->game->move_count - live->game->book_count;
    const bool agreed = !rules->resign_twosided || live->won_moves[color_other(mover)] >= rules->resign_moves;
    if (rules->resign_moves > 0 && live->lost_moves[mover] >= rules->resign_moves && agreed) {
        finish(live->game, loss_of(mover), ENDING_WIN_ADJUDICATED);
    } else if (rules->draw_moves > 0 && live->level_plies >= 2 * rules->draw_moves &&
               plies >= 2 * rules->draw_from_move) {
        finish(live->game, RESULT_DRAW, ENDING_DRAW_ADJUDICATED);
    } else if (rules->max_moves > 0 && plies >= 2 * rules->max_moves) {
        finish(live->game, RESULT_DRAW, ENDING_MAX_MOVES);
    } else {
        return false;
    }
    return true;
}

/* Makes the move on the board, in the record and in the text for the engines. */
static bool record_move(LiveGame *live, const MoveRecord *record) {
    MatchGame *game = live->game;
    MoveRecord *moves = memory_grow(game->moves, (size_t)game->move_count, sizeof *moves);
    if (moves == NULL) return false;
    game->moves = moves;
    char text[LAN_CAPACITY];
    lan_write(&live->pos, record->move, text);
    buffer_append_string(&live->line, game->move_count == 0 ? " moves " : " ");
    buffer_append_string(&live->line, text);
    Undo undo;
    position_make_move(&live->pos, record->move, &undo);
    game->moves[game->move_count++] = *record;
    return !live->line.failed;
}

static Status set_up(LiveGame *live) {
    const GameSetup *setup = live->setup;
    MatchGame *game = live->game;
    Status status = fen_parse(&live->pos, text_view(setup->opening.fen), setup->chess960);
    if (!status_is_ok(&status)) return status;
    text_copy(text_view(setup->opening.fen), game->fen, sizeof game->fen);
    if (strcmp(game->fen, FEN_START) == 0)
        buffer_append_string(&live->line, "position startpos");
    else
        buffer_append_format(&live->line, "position fen %s", game->fen);
    for (int i = 0; i < setup->opening.move_count; i++) {
        MoveRecord book_move = {.move = setup->opening.moves[i], .book = true};
        if (!record_move(live, &book_move)) return status_no_memory("a game");
    }
    game->book_count = game->move_count;
    for (int color = WHITE; color <= BLACK; color++) {
        const PlayLimits *limits = &setup->limits[color];
        live->clock[color] =
            limits->base > 0 ? limits->base : limits->increment; /* 0+1: a second from the first move on */
        live->moves_to_go[color] = setup->limits[color].moves;
    }
    return live->line.failed ? status_no_memory("a game") : status_ok();
}

static long long clock_in_milliseconds(int64_t microseconds) {
    const long long milliseconds = microseconds / 1000;
    return milliseconds < 1 ? 1 : milliseconds;
}

/* Each side gets both clocks; for a side without a clock, it gets the other's. */
static size_t write_clocks(const LiveGame *live, Color side, char *out, size_t room) {
    const PlayLimits *limits = live->setup->limits;
    const Color white = limits[WHITE].has_clock ? WHITE : side,
                black = limits[BLACK].has_clock ? BLACK : side;
    size_t used = text_format(out, room, " wtime %lld btime %lld", clock_in_milliseconds(live->clock[white]),
                              clock_in_milliseconds(live->clock[black]));
    if (limits[white].increment > 0 || limits[black].increment > 0)
        used +=
            text_format(out + used, room - used, " winc %lld binc %lld",
                        (long long)limits[white].increment / 1000, (long long)limits[black].increment / 1000);
    if (limits[side].moves > 0)
        used += text_format(out + used, room - used, " movestogo %d", live->moves_to_go[side]);
    return used;
}

static size_t write_go(const LiveGame *live, Color side, char *out, size_t room) {
    const PlayLimits *limits = &live->setup->limits[side];
    size_t used = text_format(out, room, "go");
    if (limits->has_clock) used += write_clocks(live, side, out + used, room - used);
    return used + play_limits_write_go(limits, out + used, room - used);
}

static void warn(LiveGame *live, Color side, Fault fault, const char *detail) {
    MatchGame *game = live->game;
    game->warnings[side][fault]++;
    if (game->warning_detail[0] == '\0')
        text_format(game->warning_detail, sizeof game->warning_detail, "%s, move %d: %s",
                    side == WHITE ? "White" : "Black", live->pos.fullmove, detail);
}

static void check_pv(LiveGame *live, TextView pv) {
    char detail[FAULT_DETAIL_CAPACITY];
    const Fault fault = uci_check_pv(&live->pos, pv, detail);
    if (fault != FAULT_NONE) warn(live, live->pos.side, fault, detail);
}

static void see_info(void *context, const UciInfo *info, int64_t elapsed) {
    (void)elapsed;
    check_pv(context, info->pv);
}

/* Takes the time used off the clock. */
static void press_clock(LiveGame *live, Color side, int64_t used) {
    const PlayLimits *limits = &live->setup->limits[side];
    if (!limits->has_clock) return;
    /* What the margin forgave is not held against the moves to come. */
    live->clock[side] = (live->clock[side] > used ? live->clock[side] - used : 0) + limits->increment;
    if (limits->moves > 0 && --live->moves_to_go[side] == 0) {
        live->clock[side] += limits->base;
        live->moves_to_go[side] = limits->moves;
    }
}

static int64_t time_limit_of(const LiveGame *live, Color side) {
    const PlayLimits *limits = &live->setup->limits[side];
    if (limits->has_clock) {
        const int64_t left = live->clock[side] + limits->margin;
        return left > 0 ? left : 1; /* 0 would say that there is no limit */
    }
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

/* Asks the side to move for a move and makes it. False when this ends the game, or memory runs out. */
static bool play_move(LiveGame *live, SearchReport *report, bool *out_of_memory) {
    const GameSetup *setup = live->setup;
    const Color side = live->pos.side;
    char go[192];
    const size_t length = write_go(live, side, go, sizeof go);
    SearchRequest request = {.position = buffer_view(&live->line),
                             .go = {go, length},
                             .time_limit = time_limit_of(live, side),
                             .context = live,
                             .info = setup->rules->check_every_pv ? see_info : NULL};
    const Fault fault = uci_client_search(setup->players[side], &request, report);
    *out_of_memory = fault == FAULT_MEMORY;
    if (*out_of_memory) return false;
    add_costs(live->game, report);
    if (fault != FAULT_NONE) {
        finish_by_fault(live, side, fault, report->detail);
        live->game->overdrawn = report->wall - request.time_limit;
        return false;
    }
    Move move;
    Status status = lan_parse(&live->pos, text_view(report->best_move), &move);
    if (!status_is_ok(&status)) {
        char detail[FAULT_DETAIL_CAPACITY], fen[FEN_CAPACITY];
        fen_write(&live->pos, fen);
        text_format(detail, sizeof detail, "bestmove %s in %s", report->best_move, fen);
        finish_by_fault(live, side, FAULT_ILLEGAL_MOVE, detail);
        return false;
    }
    if (report->has_info && !setup->rules->check_every_pv) check_pv(live, report->info.pv);
    press_clock(live, side, report->wall);
    MoveRecord record = describe_move(report, move);
    *out_of_memory = !record_move(live, &record);
    if (*out_of_memory) return false;
    count_opinions(live, side, record.score);
    return !ended_by_rules(live) && !ended_by_adjudication(live, side);
}

static bool is_cancelled(const GameSetup *setup) {
    return setup->cancel != NULL && atomic_load_explicit(setup->cancel, memory_order_relaxed);
}

static Status play_out(LiveGame *live) {
    SearchReport *report = memory_allocate(sizeof *report);
    if (report == NULL) return status_no_memory("a game");
    bool out_of_memory = false;
    if (!ended_by_rules(live))
        while (play_move(live, report, &out_of_memory)) {
            if (is_cancelled(live->setup)) {
                finish(live->game, RESULT_NONE, ENDING_CANCELLED);
                break;
            }
        }
    memory_release(report);
    return out_of_memory ? status_no_memory("a game") : status_ok();
}

/* Tells both engines; false when one of them fails at that. */
static bool announce(LiveGame *live) {
    for (int color = WHITE; color <= BLACK; color++) {
        char detail[FAULT_DETAIL_CAPACITY];
        const Fault fault = uci_client_new_game(live->setup->players[color], detail);
        if (fault == FAULT_NONE) continue;
        finish_by_fault(live, (Color)color, fault, detail);
        return false;
    }
    return true;
}

Status game_play(const GameSetup *setup, MatchGame *game) {
    *game = (MatchGame){.moves = game->moves, .chess960 = setup->chess960};
    LiveGame *live = memory_allocate(sizeof *live);
    if (live == NULL) return status_no_memory("a game");
    live->setup = setup;
    live->game = game;
    Status status = set_up(live);
    if (status_is_ok(&status) && announce(live)) status = play_out(live);
    buffer_release(&live->line);
    memory_release(live);
    return status;
}
