/* luft analyse: positions on the terminal, games annotated move by move. */
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/system.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/pgn_write.h"
#include "cli/command.h"
#include "cli/source.h"
#include "cli/terminal.h"
#include "engine/document.h"
#include "engine/engine.h"
#include "engine/lines.h"
#include "review/annotate.h"
#include "review/graph.h"
#include "review/report.h"
#include "review/summary.h"
#include "search/pool.h"
#include "uci/report.h"

enum {
    LINES_MAX = 20,
    REDRAW_INTERVAL = 50000, /* microseconds */
    PIPE_WIDTH = 80          /* columns of a report that is not for a terminal */
};

static const char SVG_ENDING[] = ".svg";
static const char PAGE_ENDING[] = ".html";

typedef struct Settings {
    WordList words;
    double seconds; /* 0: not given */
    int depth, lines, hash, threads;
    uint64_t nodes;                       /* 0: not given */
    const char *net, *tablebases, *store; /* NULL: not given */
    const char *svg, *summary, *page;
    bool ascii, json, report;
    int language; /* language_row */
    const char *shard;
    SourceShard part; /* what `shard` means */
} Settings;

/* --- positions --- */

/* What is on the screen. The callbacks write it from the search thread while the main thread waits. */
typedef struct View {
    const Settings *settings;
    Engine *engine;
    Position root;
    bool is_terminal;
    BoardStyle style;
    TerminalSize size; /* of the window, as it was last drawn */
    SearchInfo lines[LINES_MAX];
    int line_count;
    int rows_drawn;
    int64_t drawn_at;
    Move best;
    bool failed; /* some text did not fit into memory */
} View;

static void print(View *view, TextBuffer *text) {
    if (!buffer_print_raw(text, stdout)) view->failed = true;
}

static Document document_of(const View *view, TextBuffer *text) {
    return (Document){.out = text, .width = SIZE_MAX, .language = language_row(view->settings->language)};
}

static void append_position(TextBuffer *text, const View *view) {
    Document document = document_of(view, text);
    const char *side = document.language->words[view->root.side == WHITE ? WORDS_white : WORDS_black];
    char fen[FEN_CAPACITY];
    fen_write(&view->root, fen);
    board_draw(text, &view->root, (BoardLook){.style = view->style});
    buffer_append_format(text, "\n%s\n", fen);
    language_write(&document, STYLE_NORMAL, WORDS_scores_as_white,
                   FILL(FILL_TEXT("side", side), FILL_NUMBER("threads", view->settings->threads)));
    document_row(&document);
}

/* --- drawing in place --- */

/* As many of the parts as fit, one at least. */
static void append_speed(Document *document, const SearchInfo *info, size_t width) {
    const double time = info->time > 0 ? (double)info->time : 1, nodes = (double)info->nodes;
    const struct {
        WordsId words;
        const char *count;
    } parts[] = {{WORDS_seconds, document_text(document, "%.1f", time / 1e6)},
                 {WORDS_million_nodes, document_text(document, "%.1f", nodes / 1e6)},
                 {WORDS_million_a_second, document_text(document, "%.2f", nodes / time)},
                 {WORDS_hash_full, document_text(document, "%d", info->hash_full / 10)}};
    const char *list = "";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *part = language_words(document, parts[i].words, FILL(FILL_TEXT("count", parts[i].count)));
        const char *longer = language_join(document, list, part, false);
        if (i > 0 && text_view(longer).length > width) break;
        list = longer;
    }
    buffer_append_string(document->out, list);
}

/* A row over what is there; then the cursor is at the beginning of the next one. The last column stays
 * empty: terminals do not agree where the cursor is after a character there. */
static void append_row(TextBuffer *text, const TextBuffer *row, size_t width) {
    TextView shown = buffer_view(row);
    if (shown.length > width) shown.length = width;
    buffer_append_char(text, '\r');
    buffer_append(text, shown);
    buffer_append_string(text, "\033[K\n");
}

/* How many rows may be drawn again: no more than the cursor can go back over. */
static int rows_in_reach(const View *view) { return view->size.rows - 1; }

/* Takes the cursor to the first row of the lines. In a window of another size the terminal has moved and
 * broken what was there, each kind of terminal in its own way: everything is drawn again. */
static void go_back(View *view, TextBuffer *text) {
    if (terminal_was_resized(view->size)) {
        view->size = terminal_size();
        view->rows_drawn = 0;
        buffer_append_string(text, "\033[H\033[2J");
        append_position(text, view);
    }
    if (view->rows_drawn > 0) buffer_append_format(text, "\033[%dA", view->rows_drawn);
}

/* The last drawing is never written over: it may be longer than the window. */
static void redraw(View *view, bool is_last) {
    TextBuffer text = {0};
    go_back(view, &text);
    const size_t width = view->size.columns > 1 ? (size_t)view->size.columns - 1 : 0;
    const int rows = is_last ? view->line_count + 1 : int_min(view->line_count + 1, rows_in_reach(view));
    for (int i = 0; i < rows; i++) {
        TextBuffer row = {0};
        Document document = document_of(view, &row);
        if (i == rows - 1)
            append_speed(&document, &view->lines[0], width);
        else
            language_append_info(&document, &view->root, &view->lines[i], width);
        append_row(&text, &row, width);
        buffer_release(&row);
    }
    view->rows_drawn = rows;
    view->drawn_at = clock_microseconds();
    print(view, &text);
}

static void on_info(void *context, const SearchInfo *info) {
    View *view = context;
    if (info->bound != BOUND_EXACT || info->multi_pv > LINES_MAX) return;
    view->lines[info->multi_pv - 1] = *info;
    if (info->multi_pv > view->line_count) view->line_count = info->multi_pv;
    if (view->is_terminal) {
        if (clock_microseconds() - view->drawn_at >= REDRAW_INTERVAL) redraw(view, false);
    } else {
        TextBuffer text = {0};
        Document document = document_of(view, &text);
        document.form = view->settings->json ? DOCUMENT_JSON : DOCUMENT_PLAIN;
        if (view->settings->json)
            document_info(&document, &view->root, info);
        else
            language_append_info(&document, &view->root, info, SIZE_MAX);
        buffer_append_char(&text, '\n');
        print(view, &text);
    }
}

/* A window of another size need not wait for the next line, which may take minutes. */
static void on_current_move(void *context, int depth, Move move, int number) {
    View *view = context;
    (void)depth;
    (void)move;
    (void)number;
    if (view->is_terminal && view->line_count > 0 && terminal_was_resized(view->size)) redraw(view, false);
}

/* A position may take minutes: a signal ends its search. */
static bool on_poll(void *context) {
    (void)context;
    return interrupt_requested();
}

static void on_best_move(void *context, Move best, Move ponder) {
    (void)ponder;
    ((View *)context)->best = best;
}

static void draw_position(View *view) {
    TextBuffer text = {0};
    view->size = terminal_size();
    append_position(&text, view);
    print(view, &text);
}

/* The last object of a position. */
static void print_json_result(View *view) {
    TextBuffer text = {0};
    Document document = {.out = &text, .form = DOCUMENT_JSON};
    document_object(&document, NULL);
    document_int(&document, "schema", JSON_SCHEMA);
    document_fen(&document, &view->root);
    document_int(&document, "threads", view->settings->threads);
    document_move(&document, "best", &view->root, view->best);
    document_object_end(&document);
    buffer_append_char(&text, '\n');
    print(view, &text);
}

static void draw_result(View *view) {
    TextBuffer text = {0};
    const char *end = lines_game_end(&view->root);
    if (view->is_terminal && view->line_count > 0) redraw(view, true);
    Document document = document_of(view, &text);
    if (end == NULL && view->line_count > 0 && !score_is_mate(view->lines[0].score)) {
        const char *chances = language_chances(&document, &view->root, view->lines[0].score);
        language_write(&document, STYLE_NORMAL, WORDS_chances_title, FILL(FILL_TEXT("chances", chances)));
    }
    if (view->best != MOVE_NONE) {
        const char *best = language_line(&document, &view->root, &view->best, 1, SIZE_MAX);
        language_write(&document, STYLE_NORMAL, WORDS_best_move, FILL(FILL_TEXT("move", best)));
    }
    if (end != NULL) buffer_append_format(&text, "%s\n", language_name(&document, end));
    print(view, &text);
}

static SearchLimits limits_of(const Settings *settings, double standard_seconds) {
    SearchLimits limits = {.depth = settings->depth, .nodes = settings->nodes, .start = clock_microseconds()};
    const bool has_end = settings->depth > 0 || settings->nodes > 0;
    const double seconds = settings->seconds > 0 ? settings->seconds : has_end ? 0 : standard_seconds;
    limits.has_move_time = seconds > 0;
    limits.move_time = (int64_t)(seconds * 1000);
    return limits;
}

static Status set_number(Engine *engine, const char *option, int value) {
    char text[16];
    text_format(text, sizeof text, "%d", value);
    return engine_set_option(engine, text_view(option), text_view(text));
}

static Status set_text(Engine *engine, const char *option, const char *value) {
    return value == NULL ? status_ok() : engine_set_option(engine, text_view(option), text_view(value));
}

/* What holds for positions and games. */
static Status set_up(Engine *engine, const Settings *settings) {
    Status status = set_number(engine, "Hash", settings->hash);
    if (status_is_ok(&status)) status = set_number(engine, "Threads", settings->threads);
    if (status_is_ok(&status)) status = set_text(engine, "EvalFile", settings->net);
    if (status_is_ok(&status)) status = set_text(engine, "SyzygyPath", settings->tablebases);
    if (status_is_ok(&status)) status = set_text(engine, "UCI_AnalyseMode", "true");
    if (status_is_ok(&status)) status = set_text(engine, "StoreFile", settings->store);
    if (status_is_ok(&status) && settings->store != NULL) status = set_text(engine, "StoreMode", "write");
    return status;
}

static Status analyse_position(void *context, const Position *pos, TextView operations) {
    View *view = context;
    Engine *engine = view->engine;
    char fen[FEN_CAPACITY];
    (void)operations;
    fen_write(pos, fen);
    const Status status = engine_set_position(engine, text_view(fen), text_view(""));
    if (!status_is_ok(&status)) return status;
    view->root = *engine_position(engine);
    view->line_count = view->rows_drawn = 0;
    view->failed = false;
    view->drawn_at = 0;
    view->best = MOVE_NONE;
    if (!view->settings->json) draw_position(view);
    if (movegen_has_legal(&view->root)) {
        SearchLimits limits = limits_of(view->settings, 5);
        engine_new_game(engine);
        engine_go(engine, &limits);
        engine_wait(engine);
        const Status fault = engine_take_store_fault(engine);
        if (!status_is_ok(&fault)) return fault;
    }
    if (view->settings->json)
        print_json_result(view);
    else
        draw_result(view);
    return view->failed ? status_no_memory("the lines of a position") : status;
}

static Status analyse_positions(const Settings *settings, Reader *reader) {
    View view = {.settings = settings, .is_terminal = stream_is_terminal(stdout) && !settings->json};
    const bool is_colored = view.is_terminal && terminal_wants_color() && !settings->ascii;
    view.style = is_colored ? BOARD_COLORS : BOARD_LETTERS;
    Status status;
    SearchListener listener = {.context = &view,
                               .info = on_info,
                               .current_move = on_current_move,
                               .poll = on_poll,
                               .best_move = on_best_move};
    Engine *engine = view.engine = engine_create(&listener, &status);
    if (engine == NULL) return status;
    status = set_up(engine, settings);
    if (status_is_ok(&status)) status = set_number(engine, "MultiPV", settings->lines);
    if (status_is_ok(&status)) status = source_each_position(reader, settings->part, analyse_position, &view);
    const Status closed = engine_close_store(engine);
    engine_destroy(engine);
    return status_is_ok(&status) ? closed : status;
}

/* --- games --- */

typedef struct GamesJob {
    const Settings *settings;
    Reviewer *reviewer;
    SearchLimits limits; /* of the search of each position */
    int number;          /* of the game, from 1 */
    Summary summary;     /* of the player whom --summary names */
    char counted[40];    /* by the progress */
    ProgressBar progress;
} GamesJob;

static void show_progress(void *context, int done, int total) {
    GamesJob *job = context;
    job->progress.total = int_max(total - 1, 1);
    progress_update(&job->progress, done, NULL);
}

static void report_done(const GamesJob *job, const Review *review) {
    progress_end(&job->progress);
    text_printf(stderr, "game %d: %d moves judged", job->number, int_max(review->done, 0));
    if (review->done < review->moves) text_printf(stderr, " of %d", review->moves);
    text_printf(stderr, "\n");
}

/* Of a report. */
static int columns(void) { return stream_is_terminal(stdout) ? terminal_size().columns - 1 : PIPE_WIDTH; }

static Status write_annotated(Document *document, const Game *game, const Review *review) {
    Game annotated = {0};
    Status status = annotate_game(game, review, document->language, &annotated);
    if (status_is_ok(&status)) pgn_write_game(&annotated, document->out);
    game_release(&annotated);
    return status;
}

static Status write_review(const GamesJob *job, const Game *game, const Review *review) {
    TextBuffer text = {0};
    Status status = status_ok();
    const Settings *settings = job->settings;
    Document document = {.out = &text,
                         .form = settings->json ? DOCUMENT_JSON : DOCUMENT_PLAIN,
                         .width = (size_t)columns(),
                         .language = language_row(settings->language)};
    if (settings->report)
        report_write(&document, game, review, settings->ascii || !terminal_wants_color());
    else if (settings->json)
        report_write_json(&document, game, review, job->number);
    else
        status = write_annotated(&document, game, review);
    /* An annotated game keeps every byte of its comments, unless somebody looks at them. */
    const bool is_data = !settings->report && !stream_is_terminal(stdout);
    const bool printed = (is_data ? buffer_print_raw : buffer_print)(&text, stdout);
    return printed ? status : status_no_memory("game %d", job->number);
}

/* "game.svg", "game-2.svg", "game-3.svg" ... */
static Status write_svg(const GamesJob *job, const Game *game, const Review *review) {
    TextView stem = text_view(job->settings->svg);
    TextBuffer path = {0}, picture = {0};
    stem.length -= sizeof SVG_ENDING - 1;
    buffer_append(&path, stem);
    if (job->number > 1) buffer_append_format(&path, "-%d", job->number);
    buffer_append_string(&path, SVG_ENDING);
    graph_write_svg(&(Document){.out = &picture, .language = language_row(job->settings->language)}, game,
                    review);
    Status status = path.failed || picture.failed
                        ? status_no_memory("the picture")
                        : file_write(buffer_string(&path), buffer_string(&picture), picture.length);
    buffer_release(&path);
    buffer_release(&picture);
    return status;
}

static Status analyse_game(void *context, const Game *game, int number) {
    GamesJob *job = context;
    Review review;
    job->number = number;
    text_format(job->counted, sizeof job->counted, "moves of game %d", number);
    job->progress = progress_begin(job->counted, 0, !stream_is_terminal(stderr));
    Status status = reviewer_review(job->reviewer, game, &job->limits, show_progress, job, &review);
    if (!status_is_ok(&status)) return status;
    status = job->settings->summary != NULL ? summary_add(&job->summary, game, number, &review)
                                            : write_review(job, game, &review);
    /* A picture of part of a game does not replace one of the whole. */
    const bool is_whole = review.done == review.moves;
    if (status_is_ok(&status) && job->settings->svg != NULL && is_whole)
        status = write_svg(job, game, &review);
    if (status_is_ok(&status)) report_done(job, &review);
    review_release(&review);
    return status;
}

static Status write_page(const char *path, Summary *summary) {
    TextBuffer page = {0};
    summary_append_page(&page, summary);
    const Status status =
        page.failed ? status_no_memory("the page") : file_write(path, buffer_string(&page), page.length);
    buffer_release(&page);
    return status;
}

static Status write_summary(GamesJob *job) {
    const Settings *settings = job->settings;
    TextBuffer text = {0};
    if (job->summary.games == 0)
        return status_error("nobody in these games is called '%.60s'%s%s", settings->summary,
                            job->summary.seen[0] != '\0' ? "; their players: " : "", job->summary.seen);
    if (settings->json)
        summary_append_json(&text, &job->summary);
    else
        summary_append_text(&text, &job->summary, columns());
    if (!buffer_print_raw(&text, stdout)) return status_no_memory("the summary");
    /* Nor does a page of some games. */
    const bool writes_page = settings->page != NULL && !interrupt_requested();
    return writes_page ? write_page(settings->page, &job->summary) : status_ok();
}

static Status analyse_games(const Settings *settings, Reader *reader) {
    Status status = settings->svg != NULL ? file_check_writable(settings->svg) : status_ok();
    if (settings->page != NULL) status = file_check_writable(settings->page);
    if (!status_is_ok(&status)) return status;
    GamesJob job = {.settings = settings,
                    .reviewer = reviewer_create(&status),
                    .limits = limits_of(settings, 1),
                    .summary.name = settings->summary,
                    .summary.language = language_row(settings->language)};
    if (job.reviewer == NULL) return status;
    status = set_up(reviewer_engine(job.reviewer), settings);
    if (status_is_ok(&status)) status = source_each_game(reader, settings->part, analyse_game, &job);
    const Status closed = engine_close_store(reviewer_engine(job.reviewer));
    if (status_is_ok(&status)) status = closed;
    if (settings->summary != NULL && job.number > 0) {
        const Status written = write_summary(&job);
        if (status_is_ok(&status)) status = written;
    }
    summary_release(&job.summary);
    reviewer_destroy(job.reviewer);
    return status;
}

/* --- the command --- */

static bool wants_games(const Settings *settings) {
    return settings->report || settings->svg != NULL || settings->summary != NULL;
}

/* What the words are: a position, or the name of a file. */
static Status analyse(const Settings *settings, const char *words) {
    Reader reader;
    Status status = reader_is_position(text_view(words)) ? reader_open_text(&reader, text_view(words))
                                                         : reader_open(&reader, words);
    if (status_is_ok(&status) && !reader.has_games && wants_games(settings))
        status = status_error(
            "--report, --svg and --summary are for games, and %.150s begins with a position", words);
    else if (status_is_ok(&status))
        status = reader.has_games ? analyse_games(settings, &reader) : analyse_positions(settings, &reader);
    reader_close(&reader);
    return status;
}

/* The signals are held back before the engine starts its threads: they inherit it. */
static Status run(void *context) {
    const Settings *settings = context;
    TextBuffer what = {0};
    source_join(&settings->words, &what);
    Interrupt interrupt;
    interrupt_begin(&interrupt);
    const Status status = what.failed ? status_no_memory("the words")
                                      : analyse(settings, what.length > 0 ? buffer_string(&what) : FEN_START);
    interrupt_end(&interrupt);
    buffer_release(&what);
    return status;
}

/* A file that is written has the ending of its kind, and is not the one that is read. */
static Status check_output(const Settings *settings, const char *option, const char *path,
                           const char *ending) {
    const TextView text = text_view(path);
    const size_t length = text_view(ending).length;
    if (path == NULL) return status_ok();
    if (text.length <= length || !text_equals((TextView){text.data + text.length - length, length}, ending))
        return status_error("%s needs a name that ends in %s, not '%.150s'", option, ending, path);
    if (file_is_same(path, settings->words.word[0]))
        return status_error("%s names the file that is read: choose another name", option);
    return status_ok();
}

/* What only games have needs the name of a file, and a picture does not overwrite it. */
static Status check_outputs(const Settings *settings) {
    const WordList *words = &settings->words;
    const bool is_file = words->count == 1 && !reader_is_position(text_view(words->word[0]));
    if (wants_games(settings) && !is_file)
        return status_error("--report, --svg and --summary are for games: name a PGN file");
    if (settings->report && settings->json)
        return status_error("--report and --json are two forms: choose one");
    if (settings->report && settings->summary != NULL)
        return status_error("--report and --summary are two answers: choose one");
    if (settings->summary != NULL && settings->summary[0] == '\0')
        return status_error("--summary needs the name of a player, or a part of it");
    if (settings->page != NULL && settings->summary == NULL)
        return status_error("--page is a summary to print: name the player with --summary");
    const Status status = check_output(settings, "--svg", settings->svg, SVG_ENDING);
    return status_is_ok(&status) ? check_output(settings, "--page", settings->page, PAGE_ENDING) : status;
}

static Status check(void *context) {
    Settings *settings = context;
    const WordList *words = &settings->words;
    Status outputs = check_outputs(settings);
    if (status_is_ok(&outputs)) outputs = source_read_shard(settings->shard, &settings->part);
    if (status_is_ok(&outputs) && settings->shard != NULL && settings->summary != NULL)
        outputs = status_error("--summary needs all games, not those of a shard");
    if (!status_is_ok(&outputs)) return outputs;
    Position pos;
    TextBuffer what = {0};
    source_join(words, &what);
    TextView text = buffer_view(&what);
    const Status status =
        reader_is_position(text) ? reader_take_position(&pos, &text, false, NULL) : status_ok();
    buffer_release(&what);
    return status;
}

#define FIELD_STRUCT Settings
static const Field FIELDS[] = {
    {FIELD_WORDS("WHAT", words, 0,
                 "a FEN, in quotes or not; or a file of FENs or of games (PGN); or - for one of "
                 "these on standard input (default: the initial position)")},
    {FIELD_SECONDS("time", seconds, 0.001, 1e8, NULL,
                   "for each position (default 5 seconds) or each move of a game (default 1)")},
    {FIELD_WHOLE("depth", "N", depth, 1, MAX_PLY - 1, NULL,
                 "search N plies deep; without a limit of time unless --time is given")},
    {FIELD_WHOLE("nodes", "N", nodes, 1, 1e15, NULL, "search N nodes at most")},
    {FIELD_WHOLE("lines", "N", lines, 1, LINES_MAX, "1", "show the N best lines of a position")},
    {FIELD_WHOLE("hash", "MiB", hash, 1, 1 << 20, "64", "size of the transposition table in MiB")},
    {FIELD_WHOLE("threads", "N", threads, 1, THREADS_MAX, NULL,
                 "searching threads (default: one for each processor); only one thread finds the "
                 "same again")},
    {NET_FIELD(net)},
    {FIELD_TEXT("tablebases", "DIR", tablebases, NULL,
                "the folders of Syzygy tablebases, as in the UCI option SyzygyPath")},
    {FIELD_TEXT("store", "FILE", store, NULL,
                "begin with what this store knows, and add to it what is found (docs/store.md)")},
    {FIELD_FLAG("json", json,
                "print a JSON object for each line of a position and each move of a game "
                "(docs/analyse.md)")},
    {FIELD_FLAG("report", report,
                "instead of the annotated game: accuracy and errors of each side, a graph of "
                "White's expected score, the worst moves")},
    {FIELD_TEXT("svg", "FILE", svg, NULL,
                "of a game, also write this graph as a picture; the second game of a file goes to "
                "FILE-2.svg, and so on")},
    {FIELD_TEXT("summary", "NAME", summary, NULL,
                "instead of the annotated games: the faults of the player whose name contains NAME, by "
                "phase, cause, motif and piece, with the positions that show them")},
    {FIELD_TEXT("page", "FILE", page, NULL,
                "with --summary, also write it as a page to print (HTML): diagrams, solutions on the back")},
    {FIELD_TEXT("shard", "K/N", shard, NULL,
                "take only the K-th of N parts of the file: the annotated games of all parts, one after "
                "the other, are those of the file")},
    {FIELD_CHOICE("language", LANGUAGE_CODES, language, "en", "language of the words")},
    {FIELD_FLAG("ascii", ascii, "draw boards with letters instead of chess pieces")},
    {0}};

int command_analyse(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft analyse",
        .usage = "[FEN | FILE | -] [options]",
        .about = "Shows a position and the best lines that the engine finds in it: depth, score in "
                 "pawns as White sees it, moves. "
                 "On a terminal the lines are updated in place. "
                 "The positions of a file of FENs are analysed one after the other.\n"
                 "\n"
                 "The games of a PGN file are annotated and go to standard output, the progress to "
                 "standard error. "
                 "After each move stands the score of the position ([%eval 0.31] or [%eval #-3]). "
                 "A move that loses 0.05 of the expected score is an inaccuracy, 0.10 a mistake, "
                 "0.20 a blunder: the comment says why, and the better line and the refutation follow as "
                 "variations. "
                 "Comments, signs and variations that were there are kept. "
                 "Ctrl-C stops it: the current game is written as far as it is judged, the games "
                 "after it are not, and the exit status is 1.\n",
        .examples = "  luft analyse\n"
                    "  luft analyse --time 10 --lines 3 \\\n"
                    "      \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"\n"
                    "  luft analyse game.pgn > annotated.pgn\n"
                    "  luft analyse game.pgn --report --svg game.svg\n"
                    "  luft analyse games.pgn --summary NAME --page name.html\n",
        .fields = FIELDS,
        .check = check,
        .run = run};
    Settings settings = {.threads = int_min(system_processors(), THREADS_MAX)};
    return commands_run(&SYNTAX, argc, argv, &settings);
}
