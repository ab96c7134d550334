#include "cli/play_session.h"

#include "base/clock.h"
#include "base/file.h"
#include "chess/game.h"
#include "cli/play_save.h"
#include "cli/play_view.h"
#include "cli/play_words.h"
#include "engine/chances.h"
#include "engine/engine.h"
#include "engine/lines.h"
#include "engine/version.h"
#include "uci/input.h"

#include <inttypes.h>

enum {
    HASH = 64,            /* MiB */
    MOVE_TIME = 1000,     /* milliseconds, where neither clock nor nodes say how long the engine thinks */
    TICK = 500,           /* milliseconds between two drawings of the clocks, */
    TICK_LAST = 100,      /* and when there are only */
    LAST_SECONDS = 20000, /* milliseconds left */
    PROMPT_CAPACITY = 32
};

/* What the engine searches for. */
typedef enum Thought { THOUGHT_NONE, THOUGHT_MOVE, THOUGHT_HINT, THOUGHT_EVAL, THOUGHT_DRAW } Thought;

typedef struct Session {
    PlayGame game;
    PlayGame kept; /* broken off earlier; offered while `asking` */
    PlayView view;
    Engine *engine;
    Input input;
    LineQueue waiting; /* lines that wait until the engine has answered */
    Thought thought;
    int64_t turn_began; /* milliseconds: when the side to move got the turn */
    TextBuffer message; /* to be shown next */
    bool asking, input_ended, quitting, keeps_no_more;
    /* Of the search: written by its thread, read when it is over. */
    SearchInfo info;
    Move best;
} Session;

/* --- from the search thread --- */

static void on_info(void *context, const SearchInfo *info) {
    Session *session = context;
    if (info->bound == BOUND_EXACT && info->multi_pv == 1) session->info = *info;
}

static void on_best_move(void *context, Move best, Move ponder) {
    Session *session = context;
    (void)ponder;
    session->best = best;
    input_end_search(&session->input);
}

/* --- what is said --- */

static int64_t spent(const Session *session) { return clock_milliseconds() - session->turn_began; }

static void say(Session *session, const char *words) { play_view_append_words(words, &session->message); }

static void say_status(Session *session, const Status *status) {
    if (!status_is_ok(status)) say(session, status->reason);
}

static void show(Session *session) {
    char prompt[PROMPT_CAPACITY];
    const PlayGame *game = &session->game;
    const bool waits = session->asking || session->thought == THOUGHT_NONE;
    if (session->asking)
        text_format(prompt, sizeof prompt, "[Y/n] ");
    else if (game->end != GAME_GOES_ON)
        text_format(prompt, sizeof prompt, "> ");
    else
        text_format(prompt, sizeof prompt, "%d%s ", game->now.fullmove,
                    game->now.side == WHITE ? "." : "...");
    const PlayGame *shown = session->asking ? &session->kept : game;
    play_view_show(&session->view, shown, session->asking ? 0 : spent(session), &session->message,
                   waits ? prompt : NULL);
    buffer_clear(&session->message);
}

static void say_how_long_it_thinks(TextBuffer *out, const PlaySettings *settings) {
    if (settings->has_clock)
        buffer_append_format(out, ", %g minutes and %g seconds a move each", (double)settings->base / 60000,
                             (double)settings->increment / 1000);
    if (settings->nodes > 0)
        buffer_append_format(out, "; it looks at %" PRIu64 " positions a move", settings->nodes);
    else if (!settings->has_clock)
        buffer_append_string(out, "; it thinks a second a move");
}

static void greet(Session *session) {
    TextBuffer text = {0};
    const PlaySettings *settings = &session->game.settings;
    buffer_append_format(&text, "You have %s against " ENGINE_NAME " %s", color_name(settings->person),
                         version_name());
    say_how_long_it_thinks(&text, settings);
    buffer_append_string(&text, ". Type a move, like e4 or Nf3, or 'help'.");
    if (!session->view.is_terminal) play_view_append_board(&session->view, &session->game, &session->message);
    say(session, buffer_string(&text));
    buffer_release(&text);
}

/* --- the game goes on --- */

static void keep(Session *session) {
    const Status status = play_record_keep(&session->game);
    if (status_is_ok(&status) || session->keeps_no_more) return;
    session->keeps_no_more = true;
    say(session, "This game cannot be kept for the next time:");
    say_status(session, &status);
}

static void tell_end(Session *session) {
    TextBuffer text = {0};
    if (session->game.end == GAME_GOES_ON) return;
    play_game_describe_end(&session->game, &text);
    buffer_append_format(&text, " %s", game_result_text(session->game.result));
    say(session, buffer_string(&text));
    if (session->view.is_terminal)
        say(session, "'save FILE' writes the game, 'undo' takes back, 'quit' leaves.");
    buffer_release(&text);
}

static void begin_turn(Session *session) {
    session->turn_began = clock_milliseconds();
    keep(session);
    tell_end(session);
}

static void think(Session *session, Thought thought) {
    const PlayGame *game = &session->game;
    const PlaySettings *settings = &game->settings;
    SearchLimits limits = {.start = clock_microseconds(), .nodes = settings->nodes};
    if (settings->has_clock && thought == THOUGHT_MOVE) {
        for (Color side = WHITE; side < COLOR_COUNT; side++) {
            limits.has_clock[side] = true;
            limits.clock[side] = game->clock[side];
            limits.increment[side] = settings->increment;
        }
    } else if (settings->nodes == 0) {
        limits.has_move_time = true;
        limits.move_time = MOVE_TIME;
    }
    session->thought = thought;
    session->info = (SearchInfo){0};
    session->best = MOVE_NONE;
    engine_use_position(session->engine, &game->now);
    engine_go(session->engine, &limits);
}

/* What a search that is broken off has found does not count. */
static void stop_thinking(Session *session) {
    InputLine *line;
    if (session->thought == THOUGHT_NONE) return;
    engine_stop(session->engine);
    engine_wait(session->engine);
    input_take(&session->input, false, 0, &line);
    session->thought = THOUGHT_NONE;
}

static void take_engine_move(Session *session) {
    TextBuffer text = {0};
    PlayGame *game = &session->game;
    const Position before = game->now;
    const Status status = play_game_move(game, session->best, spent(session));
    if (game->count > 0 && game->moves[game->count - 1].move == session->best) {
        if (session->view.is_terminal) buffer_append_string(&text, ENGINE_NAME " plays ");
        lines_append_moves(&text, &before, &session->best, 1, SIZE_MAX);
        say(session, buffer_string(&text));
        if (!session->view.is_terminal) play_view_append_clocks(game, 0, &session->message);
    }
    buffer_release(&text);
    say_status(session, &status);
    begin_turn(session);
}

static void tell_hint(Session *session) {
    TextBuffer text = {0};
    buffer_append_string(&text, "Hint: ");
    lines_append_moves(&text, &session->game.now, &session->best, 1, SIZE_MAX);
    say(session, buffer_string(&text));
    buffer_release(&text);
}

static void tell_evaluation(Session *session) {
    TextBuffer text = {0};
    const Position *pos = &session->game.now;
    const SearchInfo *info = &session->info;
    if (info->depth == 0) {
        say(session, "So few nodes are not enough to tell.");
        return;
    }
    lines_append_score(&text, info->score, pos->side);
    buffer_append_format(&text, " as White sees it, at depth %d: ", info->depth);
    lines_append_chances(&text, pos, info->score);
    say(session, buffer_string(&text));
    buffer_clear(&text);
    buffer_append_string(&text, "Best line: ");
    lines_append_moves(&text, pos, info->pv, info->pv_length, 60);
    say(session, buffer_string(&text));
    buffer_release(&text);
}

static void answer_draw(Session *session) {
    PlayGame *game = &session->game;
    const Chances chances = chances_of_search(&game->now, session->info.score); /* the person's */
    const bool accepts =
        session->info.depth > 0 && play_game_accepts_draw(game, chances.loss + chances.draw / 2);
    if (!accepts) {
        say(session, ENGINE_NAME " declines: it plays on.");
        return;
    }
    play_game_agree(game);
    begin_turn(session);
}

static void end_thought(Session *session) {
    const Thought thought = session->thought;
    engine_wait(session->engine);
    session->thought = THOUGHT_NONE;
    switch (thought) {
    case THOUGHT_MOVE: take_engine_move(session); break;
    case THOUGHT_HINT: tell_hint(session); break;
    case THOUGHT_EVAL: tell_evaluation(session); break;
    case THOUGHT_DRAW: answer_draw(session); break;
    case THOUGHT_NONE: break;
    }
    show(session);
}

/* --- what is typed --- */

static void make_move(Session *session, TextView text) {
    PlayGame *game = &session->game;
    Move move;
    if (game->end != GAME_GOES_ON) {
        say(session, "The game is over; 'undo' takes a move back, 'help' lists what you can do.");
        return;
    }
    Status status = play_words_read_move(&game->now, text, &move);
    if (status_is_ok(&status)) {
        status = play_game_move(game, move, spent(session));
        if (status_is_ok(&status)) begin_turn(session);
    }
    say_status(session, &status);
}

static void undo(Session *session) {
    stop_thinking(session);
    if (play_game_undo(&session->game)) {
        begin_turn(session);
        if (!session->view.is_terminal)
            play_view_append_board(&session->view, &session->game, &session->message);
    } else {
        say(session, "There is no move of yours to take back.");
    }
}

static void resign(Session *session) {
    if (session->game.end != GAME_GOES_ON) {
        say(session, "The game is over.");
        return;
    }
    stop_thinking(session);
    play_game_resign(&session->game, session->game.settings.person);
    begin_turn(session);
}

static void ask_engine(Session *session, Thought thought) {
    if (play_game_waits_for_person(&session->game))
        think(session, thought);
    else
        say(session, "The game is over.");
}

static void list_moves(Session *session) {
    TextBuffer text = {0};
    const PlayGame *game = &session->game;
    Position pos = game->settings.start;
    for (int i = 0; i < game->count; i += 2) {
        const Move pair[2] = {game->moves[i].move, i + 1 < game->count ? game->moves[i + 1].move : MOVE_NONE};
        if (i > 0) buffer_append_char(&text, ' ');
        pos = play_game_position(game, i);
        lines_append_moves(&text, &pos, pair, i + 1 < game->count ? 2 : 1, SIZE_MAX);
    }
    say(session, text.length > 0 ? buffer_string(&text) : "There is no move yet.");
    buffer_release(&text);
}

static void list_legal(Session *session) {
    TextBuffer text = {0};
    if (play_game_waits_for_person(&session->game))
        play_words_append_legal(&text, &session->game.now);
    else
        buffer_append_string(&text, "It is not your move.");
    say(session, buffer_string(&text));
    buffer_release(&text);
}

static void save(Session *session, TextView name) {
    TextBuffer path = {0}, pgn = {0};
    buffer_append(&path, name);
    Status status = status_ok();
    if (text_is_empty(name))
        status = status_error("'save' wants the name of a file: save game.pgn");
    else if (file_size(buffer_string(&path)) >= 0)
        status = status_error("there is a file %.200s already; choose another name", buffer_string(&path));
    else
        status = play_record_write(&session->game, &pgn);
    if (status_is_ok(&status)) status = file_write(buffer_string(&path), pgn.data, pgn.length);
    if (status_is_ok(&status)) {
        buffer_clear(&pgn);
        buffer_append_format(&pgn, "The game is in %s.", buffer_string(&path));
        say(session, buffer_string(&pgn));
    }
    say_status(session, &status);
    buffer_release(&path);
    buffer_release(&pgn);
}

static void obey(Session *session, PlayWord word, TextView rest) {
    switch (word) {
    case PLAY_NOTHING: break;
    case PLAY_MOVE: make_move(session, rest); break;
    case PLAY_UNDO: undo(session); break;
    case PLAY_HINT: ask_engine(session, THOUGHT_HINT); break;
    case PLAY_EVAL: ask_engine(session, THOUGHT_EVAL); break;
    case PLAY_DRAW: ask_engine(session, THOUGHT_DRAW); break;
    case PLAY_RESIGN: resign(session); break;
    case PLAY_MOVES: list_moves(session); break;
    case PLAY_LEGAL: list_legal(session); break;
    case PLAY_FLIP:
        session->view.look.flipped = !session->view.look.flipped;
        if (session->view.is_terminal) break;
        /* fall through */
    case PLAY_BOARD:
        if (!session->view.is_terminal)
            play_view_append_board(&session->view, &session->game, &session->message);
        break;
    case PLAY_SAVE: save(session, rest); break;
    case PLAY_HELP: play_words_append_help(&session->message); break;
    case PLAY_QUIT: session->quitting = true; break;
    }
}

/* While the engine thinks, most words wait for its answer, and whatever was typed behind one that waits; but
 * not those that break the thinking off. */
static bool must_wait(const Session *session, PlayWord word) {
    if (session->thought == THOUGHT_NONE || word == PLAY_QUIT || word == PLAY_RESIGN) return false;
    const bool at_once = word == PLAY_UNDO || word == PLAY_HELP || word == PLAY_FLIP || word == PLAY_NOTHING;
    return !at_once || session->waiting.first != NULL;
}

static void begin(Session *session) {
    session->asking = false;
    session->view.look.flipped = session->game.settings.person == BLACK;
    session->turn_began = clock_milliseconds();
    greet(session);
    tell_end(session);
}

/* The answer to the question whether the kept game goes on. */
static void take_answer(Session *session, TextView answer) {
    TextView rest;
    answer = text_trim(answer);
    const bool yes = text_is_empty(answer) || text_equals_ignore_case(answer, "y") ||
                     text_equals_ignore_case(answer, "yes");
    if (play_words_read(answer, &rest) == PLAY_QUIT) {
        session->quitting = true;
    } else if (yes) {
        play_game_release(&session->game);
        session->game = session->kept;
        session->kept = (PlayGame){0};
        begin(session);
    } else if (text_equals_ignore_case(answer, "n") || text_equals_ignore_case(answer, "no")) {
        play_game_release(&session->kept);
        begin(session);
    } else {
        say(session, "Go on with that game? Answer 'yes' or 'no'; after 'no', the first move of a new game "
                     "takes its place.");
    }
}

static void take_line(Session *session, InputLine *line) {
    TextView rest;
    const PlayWord word = play_words_read(text_view(line->text), &rest);
    if (session->asking) {
        take_answer(session, text_view(line->text));
    } else if (must_wait(session, word) && line_queue_push(&session->waiting, line)) {
        return;
    } else {
        obey(session, word, rest);
    }
    input_line_release(line);
    if (!session->quitting) show(session);
}

/* --- the loop --- */

/* Milliseconds until the person's time is over, or until the clocks on the screen are to be written again; 0:
 * nothing comes by itself. */
static int64_t patience(const Session *session) {
    const PlayGame *game = &session->game;
    if (session->asking || !game->settings.has_clock || game->end != GAME_GOES_ON) return 0;
    const int64_t left = game->clock[game->now.side] - spent(session);
    const int64_t tick = left < LAST_SECONDS ? TICK_LAST : TICK;
    const bool is_person = play_game_waits_for_person(game);
    if (!session->view.is_terminal) return !is_person ? 0 : left > 0 ? left : 1;
    return is_person && left < tick ? (left > 0 ? left : 1) : tick;
}

static void look_at_clock(Session *session) {
    PlayGame *game = &session->game;
    if (play_game_waits_for_person(game) && spent(session) >= game->clock[game->now.side]) {
        stop_thinking(session);
        play_game_run_out_of_time(game);
        begin_turn(session);
        show(session);
    } else if (session->view.is_terminal && !play_view_tick(&session->view, game, spent(session))) {
        show(session);
    }
}

static void take_event(Session *session) {
    InputLine *line = NULL;
    switch (input_take(&session->input, !session->input_ended, patience(session), &line)) {
    case INPUT_LINE: take_line(session, line); break;
    case INPUT_SEARCH_OVER: end_thought(session); break;
    case INPUT_END: session->input_ended = true; break;
    case INPUT_TIMEOUT: look_at_clock(session); break;
    }
}

static void run_game(void *context) {
    Session *session = context;
    show(session);
    while (!session->quitting) {
        const PlayGame *game = &session->game;
        if (!session->asking && session->thought == THOUGHT_NONE && game->end == GAME_GOES_ON &&
            !play_game_waits_for_person(game)) {
            think(session, THOUGHT_MOVE);
            if (session->view.is_terminal) {
                say(session, ENGINE_NAME " is thinking ...");
                show(session);
            }
        }
        InputLine *line = session->thought == THOUGHT_NONE ? line_queue_pop(&session->waiting) : NULL;
        if (line != NULL)
            take_line(session, line);
        else if (session->input_ended && session->thought == THOUGHT_NONE)
            session->quitting = true;
        else
            take_event(session);
    }
    stop_thinking(session);
    if (!session->asking && session->game.count > 0 && session->game.end == GAME_GOES_ON &&
        !session->keeps_no_more)
        say(session, "The game is kept: 'luft play' offers it again.");
    fwrite(buffer_string(&session->message), 1, session->message.length, session->view.out);
}

static void read_input(Session *session, FILE *in) {
    TextBuffer line = {0};
    bool is_quit = false;
    while (!is_quit && buffer_read_line(&line, in)) {
        TextView rest;
        is_quit = play_words_read(text_view(buffer_string(&line)), &rest) == PLAY_QUIT; /* up to a NUL */
        InputLine *posted = line.failed ? NULL : input_line_create(buffer_view(&line));
        if (posted != NULL) input_post(&session->input, posted);
    }
    input_end(&session->input);
    buffer_release(&line);
}

/* --- the beginning --- */

/* A game that was broken off is offered; one that cannot be read is told. */
static void look_for_kept_game(Session *session) {
    TextBuffer text = {0};
    const Status status = play_record_find(&session->kept, &session->asking);
    if (!status_is_ok(&status)) {
        say(session, "The game that was kept cannot be read; the first move of this one takes its place:");
        say_status(session, &status);
    }
    if (!session->asking) return;
    const PlayGame *kept = &session->kept;
    const int moves = (kept->count + 1) / 2;
    buffer_append_format(&text, "A game of %s is not over: you have %s, %d %s played. Go on with it?",
                         kept->settings.date, color_name(kept->settings.person), moves,
                         moves == 1 ? "move was" : "moves were");
    session->view.look.flipped = kept->settings.person == BLACK;
    say(session, buffer_string(&text));
    buffer_release(&text);
}

Status play_session_run(const PlaySettings *settings, PlayStyle style, FILE *in, FILE *out) {
    Session session = {.view = play_view_open(in, out, style.ascii, settings->person)};
    const SearchListener listener = {.context = &session, .info = on_info, .best_move = on_best_move};
    Thread thread;
    Status status = status_ok();
    input_open(&session.input);
    play_game_begin(&session.game, settings);
    session.engine = engine_create(&listener, &status);
    if (status_is_ok(&status)) {
        if (!style.new_game) look_for_kept_game(&session);
        if (!session.asking) begin(&session);
        status = thread_start(&thread, run_game, &session);
    }
    if (status_is_ok(&status)) {
        read_input(&session, in);
        thread_join(&thread);
    }
    engine_destroy(session.engine);
    line_queue_release(&session.waiting);
    input_release(&session.input);
    buffer_release(&session.message);
    play_game_release(&session.game);
    play_game_release(&session.kept);
    return status;
}
