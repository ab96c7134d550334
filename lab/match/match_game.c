#include "lab/match/match_game.h"

#include "base/memory.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/pgn_write.h"
#include "chess/san.h"
#include "lab/match/adjudication.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DELAY_SHOWN = 1000 /* microseconds */ };

/* A game under way. */
typedef struct LiveGame {
    const GameSetup *setup;
    MatchGame *game;
    Position pos;
    TextBuffer line;            /* "position ... moves ..." so far */
    TextBuffer comment;         /* of the last move; the end of the game may follow */
    int64_t clock[COLOR_COUNT]; /* microseconds left */
    int moves_to_go[COLOR_COUNT];
    Adjudication rules;
    Adjudicator adjudicator;
} LiveGame;

void match_game_describe_end(const MatchGame *game, char *out, int capacity) {
    const char *winner = color_name(game->played.result == WHITE_WINS ? WHITE : BLACK);
    const char *at_fault = color_name(game->at_fault);
    const size_t room = (size_t)capacity;
    switch (game->played.end) {
    case CHECKMATE: text_format(out, room, "%s mates", winner); break;
    case WIN_ADJUDICATED: text_format(out, room, "%s wins by adjudication", winner); break;
    case ENGINE_FAULT: text_format(out, room, "%s loses by %s", at_fault, fault_name(game->fault)); break;
    case CANCELLED: text_format(out, room, "cancelled"); break;
    case GAME_GOES_ON: text_format(out, room, "unfinished"); break;
    default: text_format(out, room, "draw: %s", game_end_name(game->played.end));
    }
}

void match_game_release(MatchGame *game) {
    game_release(&game->played);
    *game = (MatchGame){0};
}

static void finish(MatchGame *game, GameResult result, GameEnd end) {
    game->played.result = result;
    game->played.end = end;
}

static void finish_by_fault(LiveGame *live, Color at_fault, Fault fault, const char *detail) {
    MatchGame *game = live->game;
    if (fault == FAULT_CANCELLED) {
        finish(game, UNDECIDED, CANCELLED);
        return;
    }
    finish(game, game_won_by(color_other(at_fault)), ENGINE_FAULT);
    game->fault = fault;
    game->at_fault = at_fault;
    text_copy(text_view(detail), game->detail, sizeof game->detail);
}

/* The game as the rules see it; true when it is over. */
static bool ended_by_rules(LiveGame *live) {
    const GameEnd end = game_end(&live->pos);
    if (end != GAME_GOES_ON) finish(live->game, game_end_result(end, &live->pos), end);
    return end != GAME_GOES_ON;
}

static Adjudication adjudication_of(const GameRules *rules) {
    const int moves = rules->resign_moves;
    return (Adjudication){.by_score = true,
                          .win_score = rules->resign_score,
                          .win_plies = rules->resign_twosided ? 2 * moves : 0,
                          .resign_moves = rules->resign_twosided ? 0 : moves,
                          .draw_score = rules->draw_score,
                          .draw_plies = 2 * rules->draw_moves,
                          .draw_from = 2 * rules->draw_from_move,
                          .plies_max = 2 * rules->max_moves};
}

/* Ends the game by the score of the move made in `before`, or by its length; true when it is over. */
static bool ended_by_adjudication(LiveGame *live, const Position *before, UciScore score) {
    const int plies = live->game->played.move_count - live->game->book_count;
    const int value = uci_score_value(score), white = before->side == WHITE ? value : -value;
    GameResult result = UNDECIDED;
    GameEnd end = adjudicate(&live->rules, &live->adjudicator, before,
                             score.kind == SCORE_NOT_GIVEN ? ADJUDICATION_NO_SCORE : white, plies, &result);
    if (end == GAME_GOES_ON) end = adjudicate_length(&live->rules, plies, &result);
    if (end != GAME_GOES_ON) finish(live->game, result, end);
    return end != GAME_GOES_ON;
}

/* Ends the game by what tablebases know of the position; true when it is over. They hold where the count of
 * the fifty-move rule has just begun. */
static bool ended_by_tables(LiveGame *live) {
    const GameRules *rules = live->setup->rules;
    Position *pos = &live->pos;
    Wdl wdl;
    if (rules->tables == NULL || !syzygy_covers(rules->tables, pos) ||
        (rules->table_pieces > 0 && bits_count(position_occupied(pos)) > rules->table_pieces) ||
        (pos->state.halfmove_clock > 0 && !rules->table_ignores_50) ||
        !syzygy_probe(rules->tables, pos, &wdl))
        return false;
    const int least = rules->table_ignores_50 ? WDL_CURSED_WIN : WDL_WIN;
    const bool is_won = wdl >= least, is_lost = wdl <= -least;
    if (rules->table_rule == (is_won || is_lost ? TABLES_DRAW : TABLES_WIN_LOSS)) return false;
    if (is_won || is_lost)
        finish(live->game, game_won_by(is_won ? pos->side : color_other(pos->side)), WIN_ADJUDICATED);
    else
        finish(live->game, DRAWN, DRAW_ADJUDICATED);
    return true;
}

static bool keep_comment(LiveGame *live) {
    if (live->setup->details.minimal) {
        buffer_clear(&live->comment);
        return true;
    }
    Game *played = &live->game->played;
    const Status status = game_add_comment(played, played->move_count, buffer_view(&live->comment));
    const bool kept = status_is_ok(&status) && !live->comment.failed;
    buffer_clear(&live->comment);
    return kept;
}

/* Makes the move on the board, in the game and in the text for the engines. A move without a report is from
 * the book. False without memory. */
static bool make_move(LiveGame *live, Move move, const SearchReport *report) {
    Game *played = &live->game->played;
    char text[LAN_CAPACITY];
    Undo undo;
    lan_write(&live->pos, move, text);
    buffer_append_format(&live->line, "%s%s", played->move_count == 0 ? " moves " : " ", text);
    position_make_move(&live->pos, move, &undo);
    if (!keep_comment(live)) return false;
    if (report == NULL)
        buffer_append_string(&live->comment, "book");
    else
        match_game_append_comment(report, live->setup->reproducible, &live->setup->details,
                                  live->clock[color_other(live->pos.side)], &live->comment);
    const Status status = game_add_move(played, move, NULL);
    return status_is_ok(&status) && !live->line.failed;
}

static Status set_up(LiveGame *live) {
    const GameSetup *setup = live->setup;
    MatchGame *game = live->game;
    Status status = fen_parse(&live->pos, text_view(setup->opening.fen), setup->chess960);
    if (!status_is_ok(&status)) return status;
    game->played.start = live->pos;
    if (strcmp(setup->opening.fen, FEN_START) == 0)
        buffer_append_string(&live->line, "position startpos");
    else
        buffer_append_format(&live->line, "position fen %s", setup->opening.fen);
    for (int i = 0; i < setup->opening.move_count; i++)
        if (!make_move(live, setup->opening.moves[i], NULL)) return status_no_memory("a game");
    game->book_count = game->played.move_count;
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
        used += text_format(out + used, room - used, " winc %" PRId64 " binc %" PRId64,
                            limits[white].increment / 1000, limits[black].increment / 1000);
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
        text_format(game->warning_detail, sizeof game->warning_detail, "%s, move %d: %s", color_name(side),
                    live->pos.fullmove, detail);
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
    /* What the margin allowed does not count against later moves. */
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

static void add_costs(MatchGame *game, Color side, const SearchReport *report) {
    game->searches++;
    game->search_wall += report->wall;
    game->search_delay += report->engine_delay;
    if (report->nodes > 0 && game->nodes_kept[side] < GAME_NODES_KEPT)
        game->nodes[side][game->nodes_kept[side]++] = report->nodes;
}

static void see_from_other_side(UciScore *score) {
    score->value = -score->value;
    if (score->bound != SCORE_IS_EXACT)
        score->bound = score->bound == SCORE_IS_LOWER ? SCORE_IS_UPPER : SCORE_IS_LOWER;
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
                             .limits = &setup->limits[side],
                             .context = live,
                             .info = setup->rules->check_every_pv ? see_info : NULL};
    const Fault fault = uci_client_search(setup->players[side], &request, report);
    *out_of_memory = fault == FAULT_MEMORY;
    if (*out_of_memory) return false;
    add_costs(live->game, side, report);
    if (fault != FAULT_NONE) {
        finish_by_fault(live, side, fault, report->detail);
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
    const Position before = live->pos;
    if (setup->white_view[side] && side == BLACK) see_from_other_side(&report->info.score);
    *out_of_memory = !make_move(live, move, report);
    if (*out_of_memory) return false;
    const UciScore score = report->has_info ? report->info.score : (UciScore){0};
    return !ended_by_rules(live) && !ended_by_tables(live) && !ended_by_adjudication(live, &before, score);
}

static bool is_cancelled(const GameSetup *setup) {
    return setup->cancel != NULL && atomic_load_explicit(setup->cancel, memory_order_relaxed);
}

static Status play_out(LiveGame *live) {
    SearchReport *report = memory_allocate(sizeof *report);
    if (report == NULL) return status_no_memory("a game");
    bool out_of_memory = false;
    if (!ended_by_rules(live) && !ended_by_tables(live))
        while (play_move(live, report, &out_of_memory)) {
            if (is_cancelled(live->setup)) {
                finish(live->game, UNDECIDED, CANCELLED);
                break;
            }
        }
    memory_release(report);
    return out_of_memory ? status_no_memory("a game") : status_ok();
}

/* Informs both engines; false when one of them fails. */
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

/* The comment of the last move says how the game ended. */
static bool end_comments(LiveGame *live) {
    char end[96];
    if (live->game->played.move_count == 0) return true;
    match_game_describe_end(live->game, end, sizeof end);
    buffer_append_format(&live->comment, "%s%s", live->comment.length > 0 ? ", " : "", end);
    return keep_comment(live);
}

Status match_game_play(const GameSetup *setup, MatchGame *game) {
    match_game_release(game);
    game->start = time(NULL);
    LiveGame *live = memory_allocate(sizeof *live);
    if (live == NULL) return status_no_memory("a game");
    live->setup = setup;
    live->game = game;
    live->rules = adjudication_of(setup->rules);
    Status status = set_up(live);
    if (status_is_ok(&status) && announce(live)) status = play_out(live);
    if (status_is_ok(&status) && !end_comments(live)) status = status_no_memory("a game");
    buffer_release(&live->line);
    buffer_release(&live->comment);
    memory_release(live);
    return status;
}

/* --- PGN --- */

static double seconds(int64_t microseconds) { return (double)microseconds / 1e6; }

static void append_detail(const char *name, bool is_wanted, int64_t value, TextBuffer *out) {
    if (is_wanted && value > 0)
        buffer_append_format(out, "%s%s %" PRId64, out->length > 0 ? ", " : "", name, value);
}

static void append_details(const UciInfo *info, const PgnDetails *details, TextBuffer *out) {
    append_detail("nodes", details->nodes, info->nodes, out);
    append_detail("seldepth", details->seldepth, info->seldepth, out);
    append_detail("nps", details->nps, info->nps, out);
    append_detail("hashfull", details->hashfull, info->hashfull, out);
    append_detail("tbhits", details->tbhits, info->tbhits, out);
}

static void append_times(const SearchReport *report, TextBuffer *out) {
    buffer_append_format(out, "%s%.3fs, cpu %.3fs", out->length > 0 ? " " : "", seconds(report->wall),
                         seconds(report->cpu));
    const int64_t delay = report->engine_delay + report->runner_delay;
    if (delay >= DELAY_SHOWN) buffer_append_format(out, ", wait %.3fs", seconds(delay));
}

void match_game_append_comment(const SearchReport *report, bool reproducible, const PgnDetails *details,
                               int64_t left, TextBuffer *out) {
    if (report->has_info && report->info.score.kind != SCORE_NOT_GIVEN) {
        char score[UCI_SCORE_CAPACITY];
        uci_score_write(report->info.score, score);
        buffer_append_format(out, "%s/%d", score, report->info.depth);
    }
    if (!reproducible) append_times(report, out);
    if (report->has_info) append_details(&report->info, details, out);
    if (details->timeleft && left > 0)
        buffer_append_format(out, "%sleft %.3fs", out->length > 0 ? ", " : "", seconds(left));
}

enum { PAWNS_MAX = 310 };

static UciScore score_of_pawns(double pawns) {
    return fabs(pawns) > PAWNS_MAX ? (UciScore){.kind = SCORE_NOT_GIVEN}
                                   : (UciScore){SCORE_CENTIPAWNS, SCORE_IS_EXACT, (int)lround(100 * pawns)};
}

static UciScore score_of_mate(bool is_lost) {
    return (UciScore){SCORE_MATE_IN, SCORE_IS_EXACT, is_lost ? -1 : 1};
}

/* "+0.35/12 ...", "0.00/9", "-M5/9": a score of the mover and a depth. */
static UciScore read_runner_score(const char *comment) {
    TextView rest = text_view(comment), word = text_next_word(&rest), score;
    double pawns;
    const bool has_depth = text_split(&word, '/', &score) && word.length > 0 && char_is_digit(word.data[0]);
    if (has_depth && (text_starts_with(score, "+M") || text_starts_with(score, "-M")))
        return score_of_mate(score.data[0] == '-');
    const bool is_score = has_depth && memchr(score.data, '.', score.length) != NULL;
    return is_score && text_parse_double(score, &pawns) ? score_of_pawns(pawns)
                                                        : (UciScore){.kind = SCORE_NOT_GIVEN};
}

/* "[%eval 0.35]", "[%eval #-3]", with a depth after a comma or without: White's score. ChessBase writes whole
 * centipawns and a depth. */
static UciScore read_eval_command(const char *comment) {
    static const char NAME[] = "[%eval";
    const char *at = strstr(comment, NAME);
    TextView rest = text_view(at == NULL ? NULL : at + sizeof NAME - 1), word;
    double pawns;
    if (!text_split(&rest, ']', &word)) return (UciScore){.kind = SCORE_NOT_GIVEN};
    rest = text_trim(word);
    const bool has_depth = text_split(&rest, ',', &word);
    if (text_starts_with(word, "#")) return score_of_mate(text_starts_with(word, "#-"));
    if (!text_parse_double(word, &pawns)) return (UciScore){.kind = SCORE_NOT_GIVEN};
    return score_of_pawns(has_depth && memchr(word.data, '.', word.length) == NULL ? pawns / 100 : pawns);
}

/* The first score in the comments of a place. */
static UciScore find_score(const Game *game, int place, UciScore (*read)(const char *comment)) {
    UciScore score = {.kind = SCORE_NOT_GIVEN};
    int count;
    const GameNote *notes = game_notes(game, place, &count);
    for (int i = 0; i < count && score.kind == SCORE_NOT_GIVEN; i++)
        if (notes[i].kind == NOTE_COMMENT) score = read(game_note_text(game, &notes[i]));
    return score;
}

UciScore match_game_score_before(const Game *game, int ply) {
    UciScore score = find_score(game, ply + 1, read_runner_score);
    if (score.kind != SCORE_NOT_GIVEN) return score;
    score = find_score(game, ply, read_eval_command);
    if ((game->start.side == WHITE) != (ply % 2 == 0)) score.value = -score.value;
    return score;
}

static const char *termination(const MatchGame *game) {
    switch (game->played.end) {
    case DRAW_ADJUDICATED:
    case WIN_ADJUDICATED:
    case LENGTH_LIMIT: return "adjudication";
    case ENGINE_FAULT:
        if (game->fault == FAULT_TIME || game->fault == FAULT_TIME_MACHINE) return "time forfeit";
        return game->fault == FAULT_ILLEGAL_MOVE ? "rules infraction" : "abandoned";
    case GAME_GOES_ON:
    case CANCELLED: return "unterminated";
    default: return "normal";
    }
}

static Status set_limits(Game *game, const GameSetup *setup) {
    char white[80], black[80];
    play_limits_describe(&setup->limits[WHITE], white, sizeof white);
    play_limits_describe(&setup->limits[BLACK], black, sizeof black);
    if (text_equals(text_view(white), black)) return game_set_tag(game, "TimeControl", white);
    Status status = game_set_tag(game, "WhiteTimeControl", white);
    return status_is_ok(&status) ? game_set_tag(game, "BlackTimeControl", black) : status;
}

static Status set_tags(MatchGame *game, const GameSetup *setup) {
    char round[32], plies[16], opening[16], date[40] = "????.??.??", utc[40];
    struct tm when = {0};
    gmtime_r(&game->start, &when);
    if (!setup->reproducible) strftime(date, sizeof date, "%Y.%m.%d", &when);
    strftime(utc, sizeof utc, "%H:%M:%S", &when);
    text_format(round, sizeof round, "%d.%d", setup->round, setup->number);
    text_format(plies, sizeof plies, "%d", game->played.move_count);
    text_format(opening, sizeof opening, "%d", setup->opening.number);
    const char *const tags[][2] = {{"Event", setup->event},
                                   {"Site", setup->site},
                                   {"Date", date},
                                   {"Round", round},
                                   {"White", setup->names[WHITE]},
                                   {"Black", setup->names[BLACK]},
                                   {"UTCTime", setup->reproducible ? NULL : utc},
                                   {"PlyCount", plies},
                                   {"Termination", termination(game)},
                                   {"BookLine", setup->opening.number > 0 ? opening : NULL}};
    const Status status = game_set_tags(&game->played, tags, sizeof tags / sizeof tags[0]);
    return status_is_ok(&status) ? set_limits(&game->played, setup) : status;
}

Status match_game_write_pgn(MatchGame *game, const GameSetup *setup, TextBuffer *out) {
    const Status status = set_tags(game, setup);
    if (status_is_ok(&status)) pgn_write_game(&game->played, out);
    return status_is_ok(&status) && out->failed ? status_no_memory("the PGN of a game") : status;
}
