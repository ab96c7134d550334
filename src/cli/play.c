/* luft play: a game between a person and the engine. The first thread runs the game and keeps it (base/file);
 * another one reads the input, so that a person can say something while the engine thinks. */
#include "base/clock.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/play_game.h"
#include "cli/play_view.h"
#include "cli/play_words.h"
#include "cli/source.h"
#include "engine/chances.h"
#include "engine/engine.h"
#include "engine/lines.h"
#include "engine/version.h"
#include "level/level.h"
#include "record/language.h"
#include "uci/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

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
    TextBuffer words;   /* of the sentence in the making */
    TextBuffer message; /* to be shown next */
    bool asking, input_ended, quitting, keeps_no_more;
    bool unsaid;  /* for want of memory */
    Status heard; /* of the thread that reads the input, when it is over */
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

/* Adds the sentence in session->words, and what follows here, to the message. */
static void say(Session *session, const char *more) {
    TextBuffer shown = {0};
    buffer_append_string(&session->words, more);
    buffer_append_foreign(&shown, buffer_view(&session->words));
    usage_write_text(buffer_string(&shown), &session->message);
    session->unsaid |= session->words.failed || shown.failed || session->message.failed;
    buffer_release(&shown);
    buffer_clear(&session->words);
}

static void say_status(Session *session, const Status *status) {
    if (!status_is_ok(status)) say(session, status->reason);
}

/* The board, where it is not on the screen anyway. */
static void show_board(Session *session) {
    if (!session->view.is_terminal) play_view_append_board(&session->view, &session->game, &session->message);
}

static void show(Session *session) {
    char prompt[PROMPT_CAPACITY];
    const PlayGame *game = &session->game;
    const bool waits = session->asking || session->thought == THOUGHT_NONE;
    if (session->asking)
        text_format(prompt, sizeof prompt, "[Y/n] ");
    else if (!play_game_goes_on(game))
        text_format(prompt, sizeof prompt, "> ");
    else
        text_format(prompt, sizeof prompt, "%d%s ", game->now.fullmove,
                    game->now.side == WHITE ? "." : "...");
    const PlayGame *shown = session->asking ? &session->kept : game;
    session->unsaid |= !play_view_show(&session->view, shown, session->asking ? 0 : spent(session),
                                       &session->message, waits ? prompt : NULL);
    buffer_clear(&session->message);
}

static void greet(Session *session) {
    TextBuffer *words = &session->words;
    const PlaySettings *settings = &session->game.settings;
    show_board(session);
    buffer_append_format(words, "You have %s against " ENGINE_NAME " %s", color_name(settings->person),
                         version_name());
    if (settings->has_clock)
        buffer_append_format(words, ", %g minutes and %g seconds a move each", (double)settings->base / 60000,
                             (double)settings->increment / 1000);
    if (settings->elo > 0) buffer_append_format(words, "; it plays at UCI_Elo %d", settings->elo);
    if (settings->elo > 0 && settings->elo <= LEVEL_ELO_HUMAN_MAX)
        buffer_append_format(words, ", about %d +- 100 in blitz at Lichess", level_human(settings->elo));
    if (settings->nodes > 0)
        buffer_append_format(words, "; it looks at %" PRIu64 " positions a move", settings->nodes);
    else if (!settings->has_clock && settings->elo == 0)
        buffer_append_string(words, "; it thinks a second a move");
    say(session, ". Type a move, like e4 or Nf3, or 'help'.");
}

/* --- the game goes on --- */

static void keep(Session *session) {
    const Status status = play_game_keep(&session->game);
    if (status_is_ok(&status) || session->keeps_no_more) return;
    session->keeps_no_more = true;
    say(session, "This game cannot be kept for the next time:");
    say_status(session, &status);
}

static void say_end(Session *session) {
    if (play_game_goes_on(&session->game)) return;
    play_game_describe_end(&session->game, &session->words);
    buffer_append_char(&session->words, ' ');
    say(session, game_result_text(session->game.played.result));
    if (session->view.is_terminal)
        say(session, "'save FILE' writes the game, 'undo' takes back, 'quit' leaves.");
}

static void begin_turn(Session *session) {
    session->turn_began = clock_milliseconds();
    keep(session);
    say_end(session);
}

/* Only its moves are those of a level: hints and evaluations come from full strength. */
static void set_strength(Session *session, bool is_move) {
    const PlaySettings *settings = &session->game.settings;
    char elo[16], seed[16];
    if (settings->elo == 0) return;
    text_format(elo, sizeof elo, "%d", settings->elo);
    text_format(seed, sizeof seed, "%d", settings->seed);
    const struct {
        const char *option, *value;
    } rows[] = {{"UCI_Elo", elo}, {"Level Seed", seed}, {"UCI_LimitStrength", is_move ? "true" : "false"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Status status =
            engine_set_option(session->engine, text_view(rows[i].option), text_view(rows[i].value));
        say_status(session, &status);
    }
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
    set_strength(session, thought == THOUGHT_MOVE);
    const Move *moves = game->played.moves;
    const int count = game->played.move_count;
    engine_use_position(session->engine, &game->now,
                        count > 1 ? (Move[]){moves[count - 1], moves[count - 2]} : NULL);
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
    PlayGame *game = &session->game;
    const Position before = game->now;
    const int moves = game->played.move_count;
    const Status status = play_game_move(game, session->best, spent(session));
    if (game->played.move_count > moves) {
        if (session->view.is_terminal) buffer_append_string(&session->words, ENGINE_NAME " plays ");
        lines_append_moves(&session->words, &before, &session->best, 1, SIZE_MAX);
        say(session, "");
        if (!session->view.is_terminal) play_view_append_clocks(game, 0, &session->message);
    }
    say_status(session, &status);
    begin_turn(session);
}

static void say_hint(Session *session) {
    buffer_append_string(&session->words, "Hint: ");
    lines_append_moves(&session->words, &session->game.now, &session->best, 1, SIZE_MAX);
    say(session, "");
}

static void say_evaluation(Session *session) {
    Document words = {.out = &session->words, .language = language_row(0)};
    const SearchInfo *info = &session->info;
    if (info->depth == 0) {
        say(session, "So few nodes are not enough to tell.");
        return;
    }
    lines_append_score(words.out, info->score, session->game.now.side);
    buffer_append_format(words.out, " as White sees it, at depth %d: %s", info->depth,
                         language_chances(&words, &session->game.now, info->score));
    say(session, "");
    buffer_append_format(words.out, "Best line: %s",
                         language_line(&words, &session->game.now, info->pv, info->pv_length, 60));
    say(session, "");
}

static void answer_draw(Session *session) {
    PlayGame *game = &session->game;
    const Chances chances = chances_of_search(&game->now, session->info.score); /* the person's */
    if (session->info.depth > 0 && play_game_accepts_draw(game, 1 - chances_expected(chances))) {
        play_game_agree(game);
        begin_turn(session);
    } else {
        say(session, ENGINE_NAME " declines: it plays on.");
    }
}

static void end_thought(Session *session) {
    const Thought thought = session->thought;
    engine_wait(session->engine);
    session->thought = THOUGHT_NONE;
    switch (thought) {
    case THOUGHT_MOVE: take_engine_move(session); break;
    case THOUGHT_HINT: say_hint(session); break;
    case THOUGHT_EVAL: say_evaluation(session); break;
    case THOUGHT_DRAW: answer_draw(session); break;
    case THOUGHT_NONE: break;
    }
    show(session);
}

/* --- what is typed --- */

static void make_move(Session *session, TextView text) {
    PlayGame *game = &session->game;
    Move move;
    if (!play_game_goes_on(game)) {
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
        show_board(session);
    } else {
        say(session, "There is no move of yours to take back.");
    }
}

static void resign(Session *session) {
    if (!play_game_goes_on(&session->game)) {
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
    const Game *played = &session->game.played;
    lines_append_moves(&session->words, &played->start, played->moves, played->move_count, SIZE_MAX);
    say(session, played->move_count > 0 ? "" : "There is no move yet.");
}

static void list_legal(Session *session) {
    const bool is_yours = play_game_waits_for_person(&session->game);
    if (is_yours) play_words_append_legal(&session->words, &session->game.now);
    say(session, is_yours ? "" : "It is not your move.");
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
        status = play_game_write(&session->game, &pgn);
    if (status_is_ok(&status)) status = file_write(buffer_string(&path), pgn.data, pgn.length);
    if (status_is_ok(&status))
        buffer_append_format(&session->words, "The game is in %s.", buffer_string(&path));
    say(session, status_is_ok(&status) ? "" : status.reason);
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
        show_board(session);
        break;
    case PLAY_BOARD: show_board(session); break;
    case PLAY_SAVE: save(session, rest); break;
    case PLAY_HELP: play_words_append_help(&session->message); break;
    case PLAY_QUIT: session->quitting = true; break;
    }
}

/* While the engine thinks, most words wait for its answer, and so does whatever was typed after one that
 * waits; but not those that end the search. */
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
    say_end(session);
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
    if (session->asking || !game->settings.has_clock || !play_game_goes_on(game)) return 0;
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

static void run_game(Session *session) {
    show(session);
    while (!session->quitting) {
        const PlayGame *game = &session->game;
        if (!session->asking && session->thought == THOUGHT_NONE && play_game_goes_on(game) &&
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
    if (!session->asking && session->game.played.move_count > 0 && play_game_goes_on(&session->game) &&
        !session->keeps_no_more)
        say(session, "The game is kept: 'luft play' offers it again.");
    buffer_print(&session->message, stdout);
}

static void read_input(void *context) {
    Session *session = context;
    TextBuffer line = {0};
    bool is_quit = false;
    while (!is_quit && buffer_read_line(&line, SIZE_MAX, stdin)) {
        TextView rest;
        is_quit = play_words_read(text_view(buffer_string(&line)), &rest) == PLAY_QUIT; /* up to a NUL */
        InputLine *posted = line.failed ? NULL : input_line_create(buffer_view(&line));
        if (posted != NULL)
            input_post(&session->input, posted);
        else
            session->heard = status_no_memory("what was typed");
        is_quit |= posted == NULL;
    }
    input_end(&session->input);
    buffer_release(&line);
}

/* --- the beginning --- */

/* A game that was broken off is offered; one that cannot be read is reported. */
static void look_for_kept_game(Session *session) {
    const Status status = play_game_find(&session->kept, &session->asking);
    if (!status_is_ok(&status)) {
        say(session, "The game that was kept cannot be read; the first move of this one takes its place:");
        say_status(session, &status);
    }
    if (!session->asking) return;
    const PlaySettings *settings = &session->kept.settings;
    const int moves = (session->kept.played.move_count + 1) / 2;
    session->view.look.flipped = settings->person == BLACK;
    buffer_append_format(&session->words, "A game of %s is not over: you have %s, %d %s played.",
                         settings->date, color_name(settings->person), moves,
                         moves == 1 ? "move was" : "moves were");
    say(session, " Go on with it?");
}

static Status play(const PlaySettings *settings, const char *net, bool ascii, bool new_game) {
    Session session = {.view = play_view_open(ascii, settings->person)};
    const SearchListener listener = {.context = &session, .info = on_info, .best_move = on_best_move};
    Thread thread;
    Status status = status_ok();
    input_open(&session.input);
    play_game_begin(&session.game, settings);
    session.engine = engine_create(&listener, &status);
    if (status_is_ok(&status) && net != NULL)
        status = engine_set_option(session.engine, text_view("EvalFile"), text_view(net));
    if (status_is_ok(&status)) {
        if (!new_game) look_for_kept_game(&session);
        if (!session.asking) begin(&session);
        status = thread_start(&thread, read_input, &session);
    }
    if (status_is_ok(&status)) {
        run_game(&session);
        thread_join(&thread);
        status = session.heard;
        if (session.unsaid) status = status_no_memory("all that was to be said");
    }
    engine_destroy(session.engine);
    line_queue_release(&session.waiting);
    input_release(&session.input);
    buffer_release(&session.words);
    buffer_release(&session.message);
    play_game_release(&session.game);
    play_game_release(&session.kept);
    return status;
}

/* --- the command --- */

typedef struct PlayOptions {
    WordList words;
    uint64_t nodes;
    const char *time, *net;
    int odds, chess960, seed;
    int64_t level, elo;
    bool black, new_game, ascii;
    PlaySettings settings; /* made of the others */
} PlayOptions;

static Status read_time(const char *text, PlaySettings *settings) {
    TextView base, increment = text_view(text);
    if (text == NULL) return status_ok();
    if (!text_split(&increment, '+', &base)) increment = text_view("0");
    double minutes, seconds;
    if (!text_parse_double(base, &minutes) || !text_parse_double(increment, &seconds) || minutes <= 0 ||
        minutes > 10000 || seconds < 0 || seconds > 10000)
        return status_error("--time wants minutes for the game and seconds a move, like 5+3, not '%.40s'",
                            text);
    settings->has_clock = true;
    settings->base = (int64_t)(minutes * 60000);
    settings->increment = (int64_t)(seconds * 1000);
    return status_ok();
}

static Status read_start(const PlayOptions *options, PlaySettings *settings) {
    char fen[FEN_CAPACITY];
    const bool has_fen = options->words.count > 0;
    if (has_fen + (options->odds != ODDS_NONE) + (options->chess960 >= 0) > 1)
        return status_error("a FEN, --odds and --chess960 each set the position: choose one");
    if (options->chess960 >= 0)
        fen_chess960_start(options->chess960, options->chess960, fen);
    else
        play_game_write_odds((PlayOdds)options->odds, color_other(settings->person), fen);
    const bool chess960 = options->chess960 >= 0;
    Status status = has_fen ? source_read_fen(&options->words, &settings->start)
                            : fen_parse(&settings->start, text_view(fen), chess960);
    if (status_is_ok(&status) && game_end(&settings->start) != GAME_GOES_ON)
        status = status_error("the game is over in this position: %s", lines_game_end(&settings->start));
    return status;
}

/* A strength that there is not becomes the nearest, and a line says so. */
static Status read_level(const PlayOptions *options, PlaySettings *settings) {
    const bool is_human = options->level >= 0;
    if (is_human && options->elo >= 0)
        return status_error("--level and --elo both set the strength: choose one");
    if (!is_human && options->elo < 0) return status_ok();
    const int64_t low = is_human ? level_human(LEVEL_ELO_MIN) : LEVEL_ELO_MIN;
    const int64_t high = is_human ? level_human(LEVEL_ELO_HUMAN_MAX) : LEVEL_ELO_MAX;
    const int64_t wanted = is_human ? options->level : options->elo;
    const int64_t taken = wanted < low ? low : wanted > high ? high : wanted;
    settings->elo = is_human ? level_elo_of_human((int)taken) : (int)taken;
    settings->seed = options->seed > 0 ? options->seed : 1 + (int)(clock_microseconds() % INT32_MAX);
    if (taken != wanted)
        text_printf(stdout, "There is no strength of %" PRId64 ": the nearest is %" PRId64 ".\n", wanted,
                    taken);
    return status_ok();
}

static void set_date(PlaySettings *settings) {
    const time_t now = time(NULL);
    const struct tm *day = localtime(&now);
    text_copy(text_view("????.??.??"), settings->date, sizeof settings->date);
    if (day != NULL) strftime(settings->date, sizeof settings->date, "%Y.%m.%d", day);
}

static void set_name(PlaySettings *settings) {
    const char *const VARIABLES[] = {"USER", "LOGNAME", "USERNAME"};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof VARIABLES / sizeof VARIABLES[0] && (name == NULL || name[0] == '\0'); i++)
        name = getenv(VARIABLES[i]);
    TextView whole = text_view(name == NULL || name[0] == '\0' ? "Person" : name);
    if (whole.length >= sizeof settings->name)
        whole.length = text_whole_characters(whole.data, sizeof settings->name - 1);
    text_copy(whole, settings->name, sizeof settings->name);
}

static Status check(void *context) {
    PlayOptions *options = context;
    PlaySettings *settings = &options->settings;
    settings->person = options->black ? BLACK : WHITE;
    settings->nodes = options->nodes;
    set_date(settings);
    set_name(settings);
    Status status = read_time(options->time, settings);
    if (status_is_ok(&status)) status = read_level(options, settings);
    if (status_is_ok(&status)) status = read_start(options, settings);
    return status;
}

static Status run(void *context) {
    const PlayOptions *options = context;
    return play(&options->settings, options->net, options->ascii, options->new_game);
}

#define FIELD_STRUCT PlayOptions
static const Field FIELDS[] = {
    {FIELD_WORDS("FEN", words, 0, "the start position (default: the initial position)")},
    {FIELD_WHOLE("nodes", "N", nodes, 0, 1e12, "0",
                 "Luft searches N nodes for each move: the fewer, the weaker it plays; 0: no such limit")},
    {FIELD_WHOLE(
        "level", "H", level, 0, FIELD_UNLIMITED, NULL,
        "Luft overlooks moves as people do. H is a rating in blitz at Lichess, from 684 to 1907, good to "
        "about 100")},
    {FIELD_WHOLE("elo", "E", elo, 0, FIELD_UNLIMITED, NULL,
                 "the same on the scale of engines, from 600 to 3000, like the option UCI_Elo")},
    {FIELD_WHOLE("seed", "N", seed, 0, INT32_MAX, "0",
                 "at such a strength, the same seed gives the same game; 0: another one for each")},
    {FIELD_TEXT(
        "time", "M+S", time, NULL,
        "a clock for each side: M minutes for the game and S seconds for each move. Without --time and "
        "--nodes Luft thinks for a second a move")},
    {FIELD_CHOICE("odds", "none queen rook knight pawn", odds, "none",
                  "Luft begins without this piece (the queen's rook or knight; the pawn on f2 or f7)")},
    {FIELD_FLAG("black", black, "you have Black")},
    {FIELD_WHOLE("chess960", "N", chess960, 0, 959, NULL, "start position N of Chess960")},
    {FIELD_FLAG("new", new_game, "start a new game, even if one was broken off")},
    {NET_FIELD(net)},
    {FIELD_FLAG("ascii", ascii, "draw boards with letters instead of chess pieces")},
    {0}};

int command_play(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft play",
        .usage = "[FEN] [options]",
        .about = "A game against Luft. "
                 "Type moves as in books (e4, Nf3, exd5, O-O, e8=Q) or as squares (e2e4). "
                 "Small letters do. While you play:\n"
                 "\n"
                 "  undo     takes back your last move and the reply\n"
                 "  hint     shows the move that Luft would make;  eval  who stands better\n"
                 "  draw     offers a draw;  resign  gives up\n"
                 "  save F   writes the game to the file F, as PGN, which luft analyse reads\n"
                 "  help     lists the other commands;  quit  ends the program\n"
                 "\n"
                 "undo, resign and quit work while Luft thinks, other commands after its move. "
                 "Luft accepts a draw after nine moves of each side, when it expects half a point "
                 "or less. "
                 "The rules end the game: mate, stalemate, threefold repetition, fifty moves, "
                 "insufficient material, the clock. "
                 "A game that is broken off, by quit, Ctrl-C or a closed terminal, is kept and "
                 "offered again at the next start. There is one such game. "
                 "In a pipe no boards are printed: only moves and answers, line by line.\n",
        .examples = "  luft play                           # you have White; a second a move\n"
                    "  luft play --level 1000 --black      # a weak Luft\n"
                    "  luft play --time 5+3 --odds knight  # five minutes each, no knight\n",
        .fields = FIELDS,
        .check = check,
        .run = run};
    PlayOptions options = {.chess960 = -1, .level = -1, .elo = -1};
    return commands_run(&SYNTAX, argc, argv, &options);
}
