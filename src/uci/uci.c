#include "uci/uci.h"

#include "base/clock.h"
#include "base/sync.h"
#include "chess/fen.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "engine/bench.h"
#include "engine/engine.h"
#include "engine/version.h"
#include "explain/words.h"
#include "level/level.h"
#include "overview/overview.h"
#include "uci/info.h"
#include "uci/input.h"
#include "uci/output.h"
#include "uci/parse.h"
#include "uci/report.h"

/* Two threads. The one that reads looks each line up, and acts on `stop`, `ponderhit` and `quit` at once. The
 * other one runs all other lines in their order, each to its end: a search too.
 *
 * What can be stopped (`go`, `bench`, `genfens`, `explain`) is numbered as it is read. The n-th `stop` ends
 * the n-th of them, however fast they come: a `stop` names the first that is neither over nor stopped, or
 * none. A `ponderhit` is for every `go` before it. A search that begins or runs compares its own number with
 * these. */
typedef struct Uci {
    Engine *engine;
    Output output;
    InfoFeed *feed;
    Explainer *explainer; /* NULL: nothing is explained */
    bool is_script;       /* a command line: no search is cut short by what comes after it */
    int shown_elo;        /* of the level that was reported last; 0: full strength */
    bool warned;          /* that its analysis is weak */
    uint64_t number;      /* of what runs */
    Status position;      /* why there is none: the last one that was asked for could not be read */
    Status fault;         /* the first one of a line */

    /* Guarded by the mutex of `input`. */
    Input input;
    uint64_t read, begun, stopped, hit, over; /* up to these numbers lines are read, have begun, ... */
    uint64_t ready; /* `isready`s that what runs has to answer; they are not queued */
    bool quits;     /* after the line that runs */
} Uci;

typedef void CommandFunction(Uci *uci, TextView arguments);

typedef enum CommandKind {
    COMMAND_PLAIN,
    COMMAND_READY,     /* answered at once while something can be stopped, else in its order */
    COMMAND_STOPPABLE, /* numbered */
    COMMAND_AT_ONCE    /* run by the thread that reads */
} CommandKind;

typedef struct Command {
    const char *name;
    CommandFunction *run;
    CommandKind kind;
    const char *help;
} Command;

/* What runs is over: a `stop` that comes now is not for it. Called before its last line is printed, so what a
 * program sends in answer finds it over. */
static void end_running(void *context) {
    Uci *uci = context;
    mutex_lock(&uci->input.mutex);
    uci->over = uci->number;
    condition_signal_all(&uci->input.changed);
    mutex_unlock(&uci->input.mutex);
}

/* --- from the search thread --- */

/* On a command line nothing else would end a search whose output has failed. */
static void stop_if_unheard(Uci *uci) {
    if (uci->is_script && output_failed(&uci->output)) engine_stop(uci->engine);
}

static void on_info(void *context, const SearchInfo *info) {
    Uci *uci = context;
    info_feed_add(uci->feed, info);
    stop_if_unheard(uci);
}

static void on_current_move(void *context, int depth, Move move, int number) {
    info_feed_add_current_move(((Uci *)context)->feed, depth, move, number);
}

static void on_current_line(void *context, const Move *line, int length) {
    const Uci *uci = context;
    info_feed_add_current_line(uci->feed, line, length, engine_options(uci->engine)->threads);
}

static void on_no_mate(void *context, int moves) {
    output_line(&((Uci *)context)->output, "info string no mate in %d: every move was tried", moves);
}

static void on_best_move(void *context, Move best, Move ponder) {
    Uci *uci = context;
    char line[BEST_MOVE_CAPACITY];
    info_format_best_move(engine_position(uci->engine), best, ponder, line);
    info_feed_finish(uci->feed);
    end_running(uci);
    output_text(&uci->output, text_view(line));
}

/* --- while something runs --- */

/* Answers each `isready` that has come so far. The mutex is held, but not while lines are printed: what comes
 * then may be for later. */
static void answer_ready(Uci *uci) {
    uint64_t due = uci->ready;
    uci->ready = 0;
    mutex_unlock(&uci->input.mutex);
    for (; due > 0; due--) output_text(&uci->output, text_view("readyok"));
    mutex_lock(&uci->input.mutex);
}

/* Waits for the end of the search or explanation that runs. The end of the input is a `stop` for it. */
static void wait_until_over(Uci *uci) {
    Input *input = &uci->input;
    mutex_lock(&input->mutex);
    while (uci->over < uci->number) {
        if (uci->hit >= uci->number) engine_ponderhit(uci->engine);
        if (input->ended && uci->stopped < uci->number) {
            output_line(&uci->output, "info string the input ended: what runs is stopped");
            uci->stopped = uci->number;
        }
        if (uci->stopped >= uci->number) {
            engine_stop(uci->engine);
            if (uci->explainer != NULL) explainer_stop(uci->explainer);
        }
        if (uci->ready > 0)
            answer_ready(uci);
        else
            condition_wait(&input->changed, &input->mutex);
    }
    mutex_unlock(&input->mutex);
}

/* Whether other long work goes on: asked by it all the time. */
static bool may_go_on(void *context) {
    Uci *uci = context;
    mutex_lock(&uci->input.mutex);
    if (uci->over < uci->number) answer_ready(uci);
    const bool goes_on = uci->stopped < uci->number;
    mutex_unlock(&uci->input.mutex);
    return goes_on;
}

/* --- commands --- */

static void report_fault(Uci *uci, const char *where, const Status *status) {
    if (status_is_ok(&uci->fault)) uci->fault = *status;
    output_error(&uci->output, where, status);
}

static void run_uci(Uci *uci, TextView arguments) {
    (void)arguments;
    output_line(&uci->output, "id name " ENGINE_NAME " %s\nid author " ENGINE_AUTHOR, version_name());
    for (int i = 0; i < options_count(); i++) {
        char line[OPTION_TEXT_CAPACITY];
        options_describe(i, line);
        output_text(&uci->output, text_view(line));
    }
    output_text(&uci->output, text_view("uciok"));
}

static void run_isready(Uci *uci, TextView arguments) {
    (void)arguments;
    output_text(&uci->output, text_view("readyok"));
}

/* Splits "… key A B last C" at the words: the text between `key` and `last`, and the text after `last`. False
 * without the key. */
static bool split_at(TextView text, const char *key, const char *last, TextView *between, TextView *after) {
    TextView word;
    do word = text_next_word(&text);
    while (word.length > 0 && !text_equals_ignore_case(word, key));
    bool found = word.length > 0;
    *between = (TextView){text.data, 0};
    *after = text_view("");
    while (found && (word = text_next_word(&text)).length > 0) {
        if (text_equals_ignore_case(word, last)) {
            *after = text;
            break;
        }
        between->length = (size_t)(word.data + word.length - between->data);
    }
    return found;
}

static void run_setoption(Uci *uci, TextView arguments) {
    TextView name, value;
    Status status = status_error("expected 'setoption name <name> [value <value>]'");
    if (split_at(arguments, "name", "value", &name, &value))
        status = engine_set_option(uci->engine, text_trim(name), text_trim(value));
    report_fault(uci, "setoption", &status);
}

/* Sets uci->position. The result is about the moves: at one that is not legal the position is the one before
 * it. */
static Status read_position(Uci *uci, TextView arguments, Position *pos, Move recent[LEVEL_RECENT],
                            Status *warning) {
    const bool chess960 = engine_options(uci->engine)->chess960;
    TextView text, moves;
    uci->position = fen_parse(pos, text_view(FEN_START), chess960);
    if (!split_at(arguments, "startpos", "moves", &text, &moves)) {
        if (split_at(arguments, "fen", "moves", &text, &moves))
            uci->position = reader_take_position(pos, &text, chess960, warning);
        else
            uci->position =
                status_error("expected 'position startpos' or 'position fen <FEN>', then 'moves ...' if any");
    }
    if (!status_is_ok(&uci->position)) return uci->position;
    for (TextView rest = text_trim(text); !text_is_empty(rest);) {
        char ignored[32];
        const TextView operation = reader_next_operation(&rest);
        if (!reader_is_counter(operation) && text_copy_printable(operation, ignored, sizeof ignored) > 0)
            status_append(warning, status_error("'%s' is ignored", ignored));
    }
    return lan_play(pos, moves, recent);
}

/* Where it cannot be read, no older position takes its place. */
static void run_position(Uci *uci, TextView arguments) {
    Position pos;
    Move recent[LEVEL_RECENT] = {MOVE_NONE, MOVE_NONE};
    Status warning = status_ok();
    const Status status = read_position(uci, arguments, &pos, recent, &warning);
    engine_use_position(uci->engine, &pos, recent);
    output_warning(&uci->output, "position", &warning);
    report_fault(uci, "position", &status);
}

static void run_ucinewgame(Uci *uci, TextView arguments) {
    (void)arguments;
    engine_new_game(uci->engine);
}

static void run_stop(Uci *uci, TextView arguments) {
    (void)arguments;
    mutex_lock(&uci->input.mutex);
    const uint64_t next = (uci->stopped > uci->over ? uci->stopped : uci->over) + 1;
    if (next <= uci->read) uci->stopped = next;
    condition_signal_all(&uci->input.changed);
    mutex_unlock(&uci->input.mutex);
}

static void run_ponderhit(Uci *uci, TextView arguments) {
    (void)arguments;
    mutex_lock(&uci->input.mutex);
    uci->hit = uci->read;
    condition_signal_all(&uci->input.changed);
    mutex_unlock(&uci->input.mutex);
}

/* Ends what runs, and drops what waits; without anything that runs the lines before it are run. */
static void run_quit(Uci *uci, TextView arguments) {
    (void)arguments;
    mutex_lock(&uci->input.mutex);
    uci->quits = uci->over < uci->read;
    if (uci->quits) uci->stopped = UINT64_MAX;
    uci->input.ended = true;
    condition_signal_all(&uci->input.changed);
    mutex_unlock(&uci->input.mutex);
}

/* Reports once at which level the engine plays, and once that it is no analyst. */
static void report_level(Uci *uci, const SearchLimits *limits) {
    const Level *level = engine_level(uci->engine);
    const int elo = level != NULL ? level->elo : 0;
    if (elo != uci->shown_elo) uci->warned = false;
    if (elo > 0 && elo != uci->shown_elo) {
        char people[48] = "";
        if (elo <= LEVEL_ELO_HUMAN_MAX)
            text_format(people, sizeof people, ", about %d +- 100 in blitz at Lichess", level_human(elo));
        output_line(&uci->output, "info string plays at UCI_Elo %d%s; Level Seed %d", elo, people,
                    (int)level->seed);
    }
    uci->shown_elo = elo;
    const Options *options = engine_options(uci->engine);
    const bool analyses =
        options->analyse_mode || limits->infinite || (!limits->ponder && !limits_will_end(limits));
    const bool ignores_elo = elo == 0 && options->elo != options_standard().elo;
    if (uci->warned || (elo > 0 ? !analyses : !ignores_elo)) return;
    uci->warned = true;
    if (elo == 0) {
        output_line(&uci->output, "info string UCI_Elo counts only with UCI_LimitStrength true");
        return;
    }
    output_line(&uci->output,
                "info string this analysis is weakened to UCI_Elo %d; for full strength set "
                "UCI_LimitStrength to false and Skill Level to 20",
                elo);
}

static void search(Uci *uci, SearchLimits *limits, int64_t start) {
    limits->start = start;
    if (uci->is_script) { /* no line would ever be read that ends it */
        limits->infinite = limits->ponder = false;
        if (!limits_will_end(limits)) limits->depth = MAX_PLY - 1;
    }
    const Options *options = engine_options(uci->engine);
    info_feed_begin(uci->feed, engine_position(uci->engine), options->show_wdl);
    if (options->show_refutations) info_feed_want_refutations(uci->feed, uci->engine, limits);
    report_level(uci, limits);
    engine_go(uci->engine, limits);
    Status fault = engine_take_store_fault(uci->engine);
    output_warning(&uci->output, "store", &fault);
    wait_until_over(uci);
    engine_wait(uci->engine);
    fault = engine_take_store_fault(uci->engine);
    output_warning(&uci->output, "store", &fault);
}

/* The end of what can be stopped, with the reason if it was refused or stopped. */
static void refuse(Uci *uci, const char *where, const Status *status) {
    if (status_is_ok(status)) return;
    end_running(uci);
    report_fault(uci, where, status);
}

static LongWork work_of(Uci *uci) {
    return (LongWork){.go_on = may_go_on, .end = end_running, .context = uci};
}

static void run_go(Uci *uci, TextView arguments) {
    GoCommand go;
    Status status = status_ok(), warning;
    const int64_t start = clock_microseconds();
    go_parse(engine_position(uci->engine), arguments, &go, &warning);
    const bool is_for_no_move = go.limits.search_move_count > 0 && go.limits.search_moves[0] == MOVE_NONE;
    if (is_for_no_move && status_is_ok(&uci->fault)) uci->fault = warning;
    Status fault = uci->position;
    /* On a command line no `stop` follows for a search whose limit cannot be read. */
    if (status_is_ok(&fault) && uci->is_script && go.perft_depth == 0 && !limits_will_end(&go.limits))
        fault = warning;
    if (status_is_ok(&fault)) {
        output_warning(&uci->output, "go", &warning);
    } else { /* the best move is none; it comes when that of a search would come */
        report_fault(uci, "go", &fault);
        if (go.perft_depth > 0) go.limits.depth = go.perft_depth;
        go.perft_depth = 0;
        go.limits.search_move_count = 1;
        go.limits.search_moves[0] = MOVE_NONE;
    }
    if (go.perft_depth > 0)
        status = report_perft(&uci->output, engine_position(uci->engine), go.perft_depth,
                              (PerftStyle){.divide = true}, work_of(uci));
    else
        search(uci, &go.limits, start);
    refuse(uci, "go", &status);
}

static void run_bench(Uci *uci, TextView arguments) {
    const TextView word = text_next_word(&arguments);
    int64_t depth = BENCH_DEPTH;
    Status status = status_ok();
    if (!text_is_empty(word) && (!text_parse_int64(word, &depth) || depth < 1 || depth >= MAX_PLY))
        status = status_error("the depth must be a number from 1 to %d", MAX_PLY - 1);
    if (status_is_ok(&status)) status = report_bench(&uci->output, (int)depth, work_of(uci));
    refuse(uci, "bench", &status);
}

static void run_genfens(Uci *uci, TextView arguments) {
    const Status status = report_genfens(&uci->output, arguments, work_of(uci));
    refuse(uci, "genfens", &status);
}

static void run_eval(Uci *uci, TextView arguments) {
    (void)arguments;
    Status status = uci->position;
    if (status_is_ok(&status)) status = report_evaluation(&uci->output, uci->engine);
    report_fault(uci, "eval", &status);
}

/* An explanation in progress. It has a thread, a table and histories of its own: the game in progress is not
 * disturbed. */
typedef struct Explaining {
    Uci *uci;
    Question question;
    Explanation found; /* of a move */
    Overview overview; /* of the position, where the question names no move */
    Status status;
} Explaining;

static void find_explanation(void *context) {
    Explaining *explaining = context;
    const Question *question = &explaining->question;
    Explainer *explainer = explaining->uci->explainer;
    explaining->status =
        question->move == MOVE_NONE
            ? overview_find(explainer, &question->pos, question->nodes, &explaining->overview)
            : explainer_explain(explainer, &question->pos, question->move, question->nodes,
                                &explaining->found);
    end_running(explaining->uci);
}

static void print_explanation(Output *output, const Explaining *explaining) {
    enum { WIDTH = 100 /* characters of a line */ };
    const bool json = explaining->question.json;
    TextBuffer text = {0};
    Document document = {.out = &text,
                         .form = json ? DOCUMENT_JSON : DOCUMENT_PLAIN,
                         .width = WIDTH,
                         .prefix = "info string ",
                         .language = language_row(0),
                         .detailed = json};
    if (json) buffer_append_string(&text, document.prefix);
    if (explaining->question.move == MOVE_NONE)
        overview_write(&document, &explaining->overview);
    else
        words_write(&document, &explaining->found);
    output_text(output, text_trim(buffer_view(&text)));
    buffer_release(&text);
}

static Status explain(Uci *uci, Explaining *explaining) {
    Thread thread;
    Status status = status_ok();
    uci->explainer = explainer_create(engine_network(uci->engine), EXPLAIN_HASH, &status);
    if (uci->explainer == NULL) return status;
    explainer_set_depth(uci->explainer, explaining->question.depth);
    const char *store = engine_store(uci->engine);
    if (store != NULL) status = explainer_use_store(uci->explainer, store);
    if (status_is_ok(&status)) status = thread_start(&thread, find_explanation, explaining);
    if (status_is_ok(&status)) {
        wait_until_over(uci);
        thread_join(&thread);
        status = explaining->status;
        const Status fault = explainer_take_store_fault(uci->explainer);
        output_warning(&uci->output, "store", &fault);
    }
    if (status_is_ok(&status)) {
        print_explanation(&uci->output, explaining);
        explanation_release(&explaining->found);
        overview_release(&explaining->overview);
    }
    explainer_destroy(uci->explainer);
    uci->explainer = NULL;
    return status;
}

/* The last line of every `explain`, refused ones too, says that the answer is complete. */
static void run_explain(Uci *uci, TextView arguments) {
    Explaining explaining = {.uci = uci};
    Status status = uci->position;
    if (status_is_ok(&status))
        status = question_parse(engine_position(uci->engine), arguments, &explaining.question);
    if (status_is_ok(&status)) status = explain(uci, &explaining);
    refuse(uci, "explain", &status);
    output_line(&uci->output, "info string explain end");
}

static void run_d(Uci *uci, TextView arguments) {
    (void)arguments;
    Status status = uci->position;
    if (status_is_ok(&status)) status = report_board(&uci->output, engine_position(uci->engine));
    report_fault(uci, "d", &status);
}

/* Known to the protocol, nothing to do. */
static void run_nothing(Uci *uci, TextView arguments) {
    (void)uci;
    (void)arguments;
}

static void run_help(Uci *uci, TextView arguments);

static const Command COMMANDS[] = {
    {"uci", run_uci, COMMAND_PLAIN, "name and options"},
    {"isready", run_isready, COMMAND_READY, "answers readyok"},
    {"setoption", run_setoption, COMMAND_PLAIN, "name <option> value <value>"},
    {"ucinewgame", run_ucinewgame, COMMAND_PLAIN, "forgets earlier games"},
    {"position", run_position, COMMAND_PLAIN, "startpos | fen <FEN>, then: moves e2e4 …"},
    {"go", run_go, COMMAND_STOPPABLE,
     "depth 12 | movetime 1000 | wtime 60000 btime 60000 | infinite | perft 5 …"},
    {"stop", run_stop, COMMAND_AT_ONCE, "ends the search"},
    {"ponderhit", run_ponderhit, COMMAND_AT_ONCE, "the expected move was played"},
    {"quit", run_quit, COMMAND_AT_ONCE, "ends the program"},
    {"d", run_d, COMMAND_PLAIN, "shows the board"},
    {"eval", run_eval, COMMAND_PLAIN, "the static evaluation"},
    {"explain", run_explain, COMMAND_STOPPABLE,
     "[<move>] [depth 12 | nodes 400000] [json]: why it is worse than the best one; what is going on"},
    {"bench", run_bench, COMMAND_STOPPABLE,
     "[depth]: searches 48 positions; the node count is the engine's signature"},
    {"genfens", run_genfens, COMMAND_STOPPABLE, "<N> seed <S> book <None | file>: random openings"},
    {"help", run_help, COMMAND_PLAIN, "this list"},
    {"debug", run_nothing, COMMAND_PLAIN, NULL},
    {"register", run_nothing, COMMAND_PLAIN, NULL},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static void run_help(Uci *uci, TextView arguments) {
    (void)arguments;
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (COMMANDS[i].help != NULL)
            output_line(&uci->output, "%-10s  %s", COMMANDS[i].name, COMMANDS[i].help);
}

bool uci_is_command(TextView word) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (text_equals_ignore_case(word, COMMANDS[i].name)) return true;
    return false;
}

void uci_consider_commands(Nearest *nearest) {
    for (int i = 0; i < COMMAND_COUNT; i++) nearest_consider(nearest, COMMANDS[i].name);
}

/* The first word that is a command's name, in any case, counts; unknown ones before it are skipped, as the
 * protocol asks. */
static const Command *find_command(TextView line, TextView *arguments) {
    *arguments = line;
    for (TextView word = text_next_word(arguments); word.length > 0; word = text_next_word(arguments))
        for (int i = 0; i < COMMAND_COUNT; i++)
            if (text_equals_ignore_case(word, COMMANDS[i].name)) return &COMMANDS[i];
    return NULL;
}

/* --- the loops --- */

static bool is_stoppable(const Command *command) {
    return command != NULL && command->kind == COMMAND_STOPPABLE;
}

/* What can be stopped, numbered in the order in which it is read. An `isready` that came before its end but
 * was not seen by it is answered after it; but the next one may already have been read, and the `isready`
 * after that one: then the next one answers. */
static void run_stoppable(Uci *uci, const Command *command, TextView arguments) {
    Input *input = &uci->input;
    mutex_lock(&input->mutex);
    uci->number = ++uci->begun;
    condition_signal_all(&input->changed);
    mutex_unlock(&input->mutex);
    command->run(uci, arguments);
    mutex_lock(&input->mutex);
    if (uci->number == uci->read || uci->quits) answer_ready(uci);
    mutex_unlock(&input->mutex);
}

/* Runs a line to its end. `command` NULL: there is none in it. */
static void run_line(Uci *uci, const Command *command, TextView text) {
    if (is_stoppable(command)) {
        run_stoppable(uci, command, text);
    } else if (command != NULL) {
        command->run(uci, text);
    } else if (!text_is_empty(text_trim(text))) {
        char shown[48];
        text_copy_printable(text_trim(text), shown, sizeof shown);
        Status status = status_error("unknown command '%s'; 'help' lists those that there are", shown);
        report_fault(uci, "input", &status);
    }
}

static bool must_quit(Uci *uci) {
    mutex_lock(&uci->input.mutex);
    const bool quits = uci->quits;
    mutex_unlock(&uci->input.mutex);
    return quits;
}

static void run_lines(void *context) {
    Uci *uci = context;
    InputLine *line;
    bool quits = false;
    while (!quits && input_take(&uci->input, true, 0, &line) == INPUT_LINE) {
        const Command *command = line->command;
        run_line(uci, command, text_view(line->text));
        input_line_release(line);
        quits = is_stoppable(command) && must_quit(uci);
    }
}

/* An `isready` that what runs, or the first of what waits to run, has to answer. */
static bool take_ready(Uci *uci) {
    mutex_lock(&uci->input.mutex);
    const bool taken = uci->over < uci->read;
    uci->ready += taken;
    condition_signal_all(&uci->input.changed);
    mutex_unlock(&uci->input.mutex);
    return taken;
}

/* While too many lines wait, stops what runs before them: none is lost. Without memory for the text, the
 * command comes without its words: then there is no position rather than the one before. */
static Status post_line(Uci *uci, const Command *command, TextView text, bool is_cut) {
    Input *input = &uci->input;
    InputLine *line = is_cut ? NULL : input_line_create(text);
    is_cut = line == NULL;
    if (is_cut) line = input_line_create(text_view(""));
    if (line == NULL) return status_no_memory("a line");
    line->command = command;
    mutex_lock(&input->mutex);
    bool stops = false;
    while (!line_queue_push(&input->lines, line)) {
        stops = stops || uci->stopped < uci->begun;
        if (stops) uci->stopped = uci->begun;
        condition_signal_all(&input->changed);
        condition_wait(&input->changed, &input->mutex);
    }
    uci->read += is_stoppable(command);
    condition_signal_all(&input->changed);
    mutex_unlock(&input->mutex);
    if (is_cut) return status_no_memory("a line of this length");
    return stops ? status_error("%d MiB of lines wait: what ran before them is stopped", LINE_QUEUE_MAX >> 20)
                 : status_ok();
}

/* Reads up to the end or a `quit`: nothing after it may be read. */
static void read_lines(Uci *uci, FILE *in) {
    TextBuffer line = {0};
    while (!uci->input.ended && buffer_read_line(&line, SIZE_MAX, in)) {
        TextView text = text_without_mark(text_view(buffer_string(&line))), arguments; /* up to a NUL */
        const Command *command = find_command(text, &arguments);
        Status status = status_ok();
        if (command != NULL && command->kind == COMMAND_AT_ONCE)
            command->run(uci, arguments);
        else if (command == NULL || command->kind != COMMAND_READY || !take_ready(uci))
            status = post_line(uci, command, command != NULL ? arguments : text, line.failed);
        output_error(&uci->output, "input", &status);
        if (line.failed) buffer_release(&line);
    }
    input_end(&uci->input);
    buffer_release(&line);
}

static Status uci_open(Uci *uci, FILE *out) {
    Status status = status_ok();
    const SearchListener listener = {.context = uci,
                                     .info = on_info,
                                     .current_move = on_current_move,
                                     .current_line = on_current_line,
                                     .no_mate = on_no_mate,
                                     .best_move = on_best_move};
    output_open(&uci->output, out);
    input_open(&uci->input);
    uci->feed = info_feed_create(&uci->output);
    if (uci->feed == NULL) return status_no_memory("the output");
    uci->engine = engine_create(&listener, &status);
    return status;
}

static void uci_close(Uci *uci) {
    if (uci->engine != NULL) {
        engine_stop(uci->engine);
        const Status fault = engine_close_store(uci->engine);
        output_warning(&uci->output, "store", &fault);
    }
    engine_destroy(uci->engine);
    info_feed_destroy(uci->feed);
    input_release(&uci->input);
    output_close(&uci->output);
}

Status uci_serve(FILE *in, FILE *out) {
    Uci uci = {0};
    Thread thread;
    Status status = uci_open(&uci, out);
    if (status_is_ok(&status)) {
        output_line(&uci.output, ENGINE_NAME " %s by " ENGINE_AUTHOR "; 'help' lists the commands",
                    version_name());
        status = thread_start(&thread, run_lines, &uci);
    }
    if (status_is_ok(&status)) {
        read_lines(&uci, in);
        thread_join(&thread);
    }
    uci_close(&uci);
    return status;
}

Status uci_run_lines(char *const *lines, int count, FILE *out) {
    Uci uci = {.is_script = true};
    Status status = uci_open(&uci, out);
    for (int i = 0; i < count && status_is_ok(&status) && !uci.input.ended && !output_failed(&uci.output);
         i++) {
        TextView text = text_view(lines[i]), arguments;
        const Command *command = find_command(text, &arguments);
        uci.read += is_stoppable(command);
        run_line(&uci, command, command != NULL ? arguments : text);
    }
    uci_close(&uci);
    return status_is_ok(&status) ? uci.fault : status;
}
