#include "uci/uci.h"

#include "base/clock.h"
#include "base/sync.h"
#include "engine/engine.h"
#include "engine/version.h"
#include "uci/evaluation.h"
#include "uci/explaining.h"
#include "uci/go.h"
#include "uci/info.h"
#include "uci/mailbox.h"
#include "uci/output.h"
#include "uci/refutations.h"
#include "uci/report.h"

/* The n-th `stop` ends the n-th `go`. One that comes when the search has had its own belongs to the next `go`
 * in the queue that has none; it is noted there and does not queue, for it counts even if another line is
 * between. `ponderhit` is the same among those that ponder and have not been stopped. */

/* One thread runs all commands and owns everything here. Another one reads the input and knows the mailbox
 * only; the search thread comes in through the listener, to the mailbox and the feed. */
typedef struct Uci {
    Engine *engine;
    Output output;
    InfoFeed *feed;
    Refutations refutations;
    Mailbox mailbox;
    LetterQueue deferred; /* lines that came during a search or other long work */
    bool overflowed;      /* a line was lost since `deferred` was empty */
    bool patient;         /* a search is never cut short by what comes behind it (command line) */
    bool searching;
    bool pondering; /* the search waits for its `ponderhit` */
    bool working;   /* at a perft, bench or genfens */
    Explaining explaining;
    bool stopped;            /* the search or work has had its `stop` */
    Letter *first_unstopped; /* of `deferred`: none before it can take a `stop`, ... */
    Letter *first_unhit;     /* ... or a `ponderhit` */
    const Letter *current;   /* the deferred line that runs now, or NULL */
    bool input_ended;
    bool quitting;
} Uci;

typedef void CommandFunction(Uci *uci, TextView arguments);

typedef struct Command {
    const char *name;
    CommandFunction *run;
    bool at_once; /* during a search too */
    const char *help;
} Command;

static const Command *find_command(TextView line, TextView *arguments);
static void accept_line(Uci *uci, Letter *letter);

/* Whether the mailbox will say that something is over. */
static bool is_awaiting(const Uci *uci) { return uci->searching || explaining_goes_on(&uci->explaining); }

static bool is_busy(const Uci *uci) { return is_awaiting(uci) || uci->working; }

/* The first deferred line that can take a `stop`, or else (`hit`) a `ponderhit`; NULL when there is none. */
static Letter *find_taker(Uci *uci, bool hit) {
    Letter **first = hit ? &uci->first_unhit : &uci->first_unstopped;
    while (*first != NULL &&
           (!(*first)->can_stop || (*first)->is_stopped || (hit && (!(*first)->ponders || (*first)->is_hit))))
        *first = (*first)->next;
    return *first;
}

/* Whether the words of a `go` say that it ponders. */
static bool says_ponder(TextView words) {
    TextView word;
    do word = text_next_word(&words);
    while (!text_is_empty(word) && !text_equals_ignore_case(word, "ponder"));
    return !text_is_empty(word);
}

/* --- from the search thread --- */

/* On a command line nothing else would end a search whose output has failed. */
static void stop_if_unheard(Uci *uci) {
    if (uci->patient && output_failed(&uci->output)) engine_stop(uci->engine);
}

static void on_info(void *context, const SearchInfo *info) {
    Uci *uci = context;
    info_feed_add(uci->feed, info);
    refutations_add(&uci->refutations, info);
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
    refutations_finish(&uci->refutations);
    /* Before the line goes out: what a GUI sends in answer to it must find the search over. */
    mailbox_post_search_over(&uci->mailbox);
    output_text(&uci->output, text_view(line));
}

/* --- commands --- */

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
    output_line(&uci->output, "readyok");
}

/* Splits "… key A B last C" at the words: the text between `key` and `last`, and the text behind `last`. */
static bool split_at(TextView text, const char *key, const char *last, TextView *between, TextView *behind) {
    TextView word;
    do word = text_next_word(&text);
    while (word.length > 0 && !text_equals_ignore_case(word, key));
    bool found = word.length > 0;
    *between = (TextView){text.data, 0};
    *behind = text_view("");
    while (found && (word = text_next_word(&text)).length > 0) {
        if (text_equals_ignore_case(word, last)) {
            *behind = text;
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
    output_error(&uci->output, "setoption", &status);
}

static void run_position(Uci *uci, TextView arguments) {
    TextView fen, moves;
    Status status =
        status_error("expected 'position startpos' or 'position fen <FEN>', then 'moves ...' if any");
    bool is_fen = split_at(arguments, "fen", "moves", &fen, &moves);
    if (is_fen && text_is_empty(text_trim(fen)))
        status = status_error("the FEN is missing");
    else if (is_fen || split_at(arguments, "startpos", "moves", &fen, &moves))
        status = engine_set_position(uci->engine, is_fen ? fen : text_view(""), moves);
    output_error(&uci->output, "position", &status);
}

static void run_ucinewgame(Uci *uci, TextView arguments) {
    (void)arguments;
    engine_new_game(uci->engine);
}

/* Asked during long work that is no search: lets the commands act that act at once; false to give up the
 * work. */
static bool attend_to_mail(void *context) {
    Uci *uci = context;
    Letter *letter;
    while (!uci->patient && mailbox_take(&uci->mailbox, (MailWish){.lines = true}, &letter) == MAIL_LINE)
        accept_line(uci, letter);
    return !uci->stopped && !uci->quitting;
}

static void run_stop(Uci *uci, TextView arguments) {
    (void)arguments;
    if (!is_busy(uci) || uci->stopped) {
        Letter *taker = find_taker(uci, false);
        if (taker != NULL) taker->is_stopped = true;
        return;
    }
    uci->stopped = true;
    if (uci->searching) engine_stop(uci->engine);
    explaining_stop(&uci->explaining);
}

static void run_ponderhit(Uci *uci, TextView arguments) {
    (void)arguments;
    if (!uci->searching || uci->stopped || !uci->pondering) {
        Letter *taker = find_taker(uci, true);
        if (taker != NULL) taker->is_hit = true;
        return;
    }
    uci->pondering = false;
    engine_ponderhit(uci->engine);
}

static void begin(Uci *uci, bool *activity) {
    *activity = true;
    uci->stopped = false;
}

/* Whether a `stop` came for this line while it waited. */
static bool is_stopped_before(const Uci *uci) { return uci->current != NULL && uci->current->is_stopped; }

static void begin_work(Uci *uci) {
    begin(uci, &uci->working);
    uci->stopped = is_stopped_before(uci);
}

static void search(Uci *uci, SearchLimits *limits, int64_t start) {
    limits->start = start;
    if (uci->patient) { /* no line would ever be read that ends it */
        limits->infinite = limits->ponder = false;
        if (!limits_will_end(limits)) limits->depth = MAX_PLY - 1;
    }
    begin(uci, &uci->searching);
    uci->pondering = limits->ponder;
    refutations_begin(&uci->refutations, uci->engine, limits, &uci->output);
    info_feed_begin(uci->feed, engine_position(uci->engine), engine_options(uci->engine)->show_wdl != 0);
    engine_go(uci->engine, limits);
    if (uci->input_ended && !uci->patient) engine_stop(uci->engine);
}

static void run_go(Uci *uci, TextView arguments) {
    GoCommand go;
    const int64_t start = clock_microseconds();
    const bool stop = is_stopped_before(uci);
    const bool hit = uci->current != NULL && uci->current->is_hit;
    Status status = go_parse(engine_position(uci->engine), arguments, &go);
    if (status_is_ok(&status) && go.perft_depth > 0) {
        begin_work(uci);
        status = report_perft(&uci->output, uci->engine, go.perft_depth, (PerftStyle){.divide = true},
                              attend_to_mail, uci);
        uci->working = false;
    } else if (status_is_ok(&status)) {
        search(uci, &go.limits, start);
        if (hit) run_ponderhit(uci, arguments);
        if (stop) run_stop(uci, arguments);
    }
    output_error(&uci->output, "go", &status);
}

static void run_quit(Uci *uci, TextView arguments) {
    (void)arguments;
    uci->quitting = true;
}

static void run_bench(Uci *uci, TextView arguments) {
    begin_work(uci);
    Status status = report_bench(&uci->output, text_next_word(&arguments), attend_to_mail, uci);
    uci->working = false;
    output_error(&uci->output, "bench", &status);
}

static void run_genfens(Uci *uci, TextView arguments) {
    begin_work(uci);
    Status status = report_genfens(&uci->output, arguments, attend_to_mail, uci);
    uci->working = false;
    output_error(&uci->output, "genfens", &status);
}

static void run_eval(Uci *uci, TextView arguments) {
    (void)arguments;
    Status status = report_evaluation(&uci->output, uci->engine);
    output_error(&uci->output, "eval", &status);
}

static void run_explain(Uci *uci, TextView arguments) {
    Question question;
    Status status = question_parse(engine_position(uci->engine), arguments, &question);
    uci->stopped = is_stopped_before(uci);
    if (status_is_ok(&status))
        status = explaining_begin(&uci->explaining, &question, engine_network(uci->engine), &uci->mailbox);
    if (!status_is_ok(&status)) {
        output_error(&uci->output, "explain", &status);
        explaining_print_end(&uci->output);
    } else if (uci->stopped || (uci->input_ended && !uci->patient)) {
        explaining_stop(&uci->explaining);
    }
}

static void run_d(Uci *uci, TextView arguments) {
    (void)arguments;
    Status status = report_board(&uci->output, engine_position(uci->engine));
    output_error(&uci->output, "d", &status);
}

/* Known to the protocol, nothing to do. */
static void run_nothing(Uci *uci, TextView arguments) {
    (void)uci;
    (void)arguments;
}

static void run_help(Uci *uci, TextView arguments);

static const Command COMMANDS[] = {
    {"uci", run_uci, false, "name and options"},
    {"isready", run_isready, true, "answers readyok"},
    {"setoption", run_setoption, false, "name <option> value <value>"},
    {"ucinewgame", run_ucinewgame, false, "forgets earlier games"},
    {"position", run_position, false, "startpos | fen <FEN>, then: moves e2e4 …"},
    {"go", run_go, false, "depth 12 | movetime 1000 | wtime 60000 btime 60000 | infinite | perft 5 …"},
    {"stop", run_stop, true, "ends the search"},
    {"ponderhit", run_ponderhit, true, "the expected move was played"},
    {"quit", run_quit, true, "ends the program"},
    {"d", run_d, false, "shows the board"},
    {"eval", run_eval, false, "the static evaluation"},
    {"explain", run_explain, false,
     "<move> [depth 12 | nodes 400000] [json]: why it is worse than the best one"},
    {"bench", run_bench, false, "[depth]: searches 48 positions; the node count is the engine's signature"},
    {"genfens", run_genfens, false, "<N> seed <S> book <None | file>: random openings"},
    {"help", run_help, false, "this list"},
    {"debug", run_nothing, false, NULL},
    {"register", run_nothing, false, NULL},
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
        if (text_equals(word, COMMANDS[i].name)) return true;
    return false;
}

void uci_consider_commands(Nearest *nearest) {
    for (int i = 0; i < COMMAND_COUNT; i++) nearest_consider(nearest, COMMANDS[i].name);
}

/* The first word that is a command's name counts; unknown ones before it are skipped, as the protocol asks.
 */
static const Command *find_command(TextView line, TextView *arguments) {
    *arguments = line;
    for (TextView word = text_next_word(arguments); word.length > 0; word = text_next_word(arguments))
        for (int i = 0; i < COMMAND_COUNT; i++)
            if (text_equals(word, COMMANDS[i].name)) return &COMMANDS[i];
    return NULL;
}

/* --- the loop --- */

static void run_line(Uci *uci, TextView line) {
    TextView arguments;
    const Command *command = find_command(line, &arguments);
    if (command != NULL) {
        command->run(uci, arguments);
    } else if (!text_is_empty(text_trim(line))) {
        char shown[48];
        text_copy(text_trim(line), shown, sizeof shown);
        Status status = status_error("unknown command '%s'; 'help' lists those that there are", shown);
        output_error(&uci->output, "input", &status);
    }
}

static void defer(Uci *uci, Letter *letter) {
    TextView arguments;
    const Command *command = find_command(text_view(letter->text), &arguments);
    const bool is_go = command != NULL && command->run == run_go;
    letter->ponders = is_go && says_ponder(arguments);
    letter->can_stop =
        is_go || (command != NULL &&
                  (command->run == run_bench || command->run == run_genfens || command->run == run_explain));
    if (letters_push(&uci->deferred, letter)) {
        if (uci->first_unstopped == NULL) uci->first_unstopped = letter;
        if (uci->first_unhit == NULL) uci->first_unhit = letter;
        return;
    }
    if (!uci->overflowed) {
        Status status = status_error("%d MiB of lines wait for the search to end: others are lost until then",
                                     LETTERS_SIZE_MAX >> 20);
        output_error(&uci->output, "input", &status);
    }
    uci->overflowed = true;
    letter_release(letter);
}

static void accept_line(Uci *uci, Letter *letter) {
    TextView arguments;
    const Command *command = find_command(text_view(letter->text), &arguments);
    if (is_busy(uci) && (command == NULL || !command->at_once)) {
        defer(uci, letter);
        return;
    }
    run_line(uci, text_view(letter->text));
    letter_release(letter);
}

/* The letter has just been taken out of the queue. */
static void run_deferred(Uci *uci, Letter *letter) {
    if (uci->first_unstopped == letter) uci->first_unstopped = letter->next;
    if (uci->first_unhit == letter) uci->first_unhit = letter->next;
    uci->current = letter;
    run_line(uci, text_view(letter->text));
    uci->current = NULL;
    letter_release(letter);
}

static void accept_end_of_search(Uci *uci) {
    if (uci->searching) {
        engine_wait(uci->engine);
        uci->searching = false;
    } else {
        explaining_finish(&uci->explaining, &uci->output);
    }
}

static void accept_mail(Uci *uci) {
    bool wants_lines = !is_awaiting(uci) || (!uci->patient && !uci->input_ended);
    Letter *letter;
    switch (mailbox_take(&uci->mailbox, (MailWish){.lines = wants_lines, .wait = true}, &letter)) {
    case MAIL_LINE: accept_line(uci, letter); break;
    case MAIL_SEARCH_OVER: accept_end_of_search(uci); break;
    case MAIL_END:
        uci->input_ended = true;
        if (is_awaiting(uci))
            run_stop(uci, text_view(""));
        else
            uci->quitting = true;
        break;
    case MAIL_NOTHING: break;
    }
}

static void run_until_quit(void *context) {
    Uci *uci = context;
    while (!uci->quitting) {
        Letter *letter = is_awaiting(uci) ? NULL : letters_pop(&uci->deferred);
        if (letter != NULL) {
            run_deferred(uci, letter);
            continue;
        }
        if (!is_awaiting(uci)) uci->overflowed = false;
        accept_mail(uci);
    }
    engine_stop(uci->engine);
    engine_wait(uci->engine);
    explaining_stop(&uci->explaining);
    if (explaining_goes_on(&uci->explaining)) explaining_finish(&uci->explaining, &uci->output);
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
    mailbox_open(&uci->mailbox);
    uci->feed = info_feed_create(&uci->output);
    if (uci->feed == NULL) return status_no_memory("the output");
    uci->engine = engine_create(&listener, &status);
    return status;
}

static void uci_close(Uci *uci) {
    engine_destroy(uci->engine);
    info_feed_destroy(uci->feed);
    letters_release(&uci->deferred);
    mailbox_release(&uci->mailbox);
    output_close(&uci->output);
}

/* Reads up to the end or a `quit`, behind which nothing may be read any more. */
static void read_input(Uci *uci, FILE *in) {
    TextBuffer line = {0};
    bool is_quit = false;
    while (!is_quit && buffer_read_line(&line, in)) {
        TextView arguments;
        const Command *command = find_command(text_view(buffer_string(&line)), &arguments); /* up to a NUL */
        is_quit = command != NULL && command->run == run_quit;
        if (line.failed || !mailbox_post(&uci->mailbox, buffer_view(&line))) {
            Status status = status_no_memory("a line of this length");
            output_error(&uci->output, "input", &status);
            buffer_release(&line);
        }
    }
    mailbox_post_end(&uci->mailbox);
    buffer_release(&line);
}

Status uci_serve(FILE *in, FILE *out) {
    Uci uci = {0};
    Thread thread;
    Status status = uci_open(&uci, out);
    if (status_is_ok(&status)) {
        output_line(&uci.output, ENGINE_NAME " %s by " ENGINE_AUTHOR "; 'help' lists the commands",
                    version_name());
        status = thread_start(&thread, run_until_quit, &uci);
    }
    if (status_is_ok(&status)) {
        read_input(&uci, in);
        thread_join(&thread);
    }
    uci_close(&uci);
    return status;
}

Status uci_run_lines(char *const *lines, int count, FILE *out) {
    Uci uci = {.patient = true};
    Status status = uci_open(&uci, out);
    for (int i = 0; i < count && status_is_ok(&status) && !uci.quitting && !output_failed(&uci.output); i++) {
        run_line(&uci, text_view(lines[i]));
        while (is_awaiting(&uci)) accept_mail(&uci);
    }
    uci_close(&uci);
    return status;
}
