/* luft tree: the whole tree of a small search, and what each rule did in it. */
#include "base/interrupt.h"
#include "base/progress.h"
#include "chess/makemove.h"
#include "chess/san.h"
#include "cli/command.h"
#include "cli/source.h"
#include "cli/terminal.h"
#include "engine/lines.h"
#include "explain/explain.h"
#include "explain/searcher.h"
#include "record/tree_view.h"

enum {
    ROWS_TEXT = 60,
    ROWS_JSON = 1000,
    ROWS_MAX = 1000000,
    DEPTH_STANDARD = 4,
    DEPTH_MAX = 30,
    LINE_MOVES_MAX = DEPTH_MAX
};

typedef struct Settings {
    WordList words;
    TreeQuestion question; /* rows -1: not said */
    const char *without, *set, *net, *line_text;
    Move line[LINE_MOVES_MAX];
    int language; /* language_row */
    bool json, svg;
    Position pos;
} Settings;

/* "0-0" begins as a number does. */
static bool is_castling(TextView word) {
    return word.length >= 3 && word.data[0] == '0' && word.data[1] == '-';
}

/* "e4 e5 2. Nf3": numbers of moves may stand before them. */
static Status read_line(Settings *settings) {
    TextView rest = text_view(settings->line_text != NULL ? settings->line_text : ""), word;
    TreeQuestion *question = &settings->question;
    Position pos = settings->pos;
    Status status = status_ok();
    while (status_is_ok(&status) && !text_is_empty(word = text_next_word(&rest))) {
        Undo undo;
        Move move;
        while (word.length > 0 && (char_is_digit(word.data[0]) || word.data[0] == '.') && !is_castling(word))
            word = (TextView){word.data + 1, word.length - 1};
        if (text_is_empty(word)) continue;
        if (question->line_length == LINE_MOVES_MAX)
            return status_error("--line has more than %d moves", LINE_MOVES_MAX);
        status = move_parse(&pos, word, &move);
        if (!status_is_ok(&status)) return status_error("--line: %s", status.reason);
        settings->line[question->line_length++] = move;
        position_make_move(&pos, move, &undo);
    }
    question->line = settings->line;
    return status;
}

static Status check(void *context) {
    Settings *settings = context;
    SearchChanges *changes = &settings->question.changes;
    Status status = source_read_techniques(settings->without, &changes->off);
    if (status_is_ok(&status)) status = changes_parse(text_view(settings->set), CHANGE_NUMBER, changes);
    if (!status_is_ok(&status)) return status;
    if (settings->question.depth == 0)
        settings->question.depth = settings->question.nodes > 0 ? DEPTH_MAX : DEPTH_STANDARD;
    if (settings->json && settings->svg) return status_error("--json and --svg: which of the two?");
    status = source_read_fen(&settings->words, &settings->pos);
    if (status_is_ok(&status)) status = lines_check_moves(&settings->pos);
    return status_is_ok(&status) ? read_line(settings) : status;
}

static void append(TextBuffer *out, const Settings *settings, const Tree *trees, int count) {
    Document document = terminal_document(out, settings->json, settings->language);
    if (settings->svg)
        tree_append_svg(&document, &settings->pos, trees, count);
    else
        tree_write(&document, &settings->pos, trees, count);
    if (settings->json) buffer_append_char(out, '\n');
}

static void show_iteration(void *context, const SearchInfo *info) {
    char note[32];
    text_format(note, sizeof note, "depth %d", info->depth);
    progress_update(context, (int64_t)info->nodes, note);
}

static Status run(void *context) {
    const Settings *settings = context;
    TreeQuestion question = settings->question;
    if (question.size.rows < 0) question.size.rows = settings->json ? ROWS_JSON : ROWS_TEXT;
    Tree trees[2];
    int count = 0;
    Network *network;
    Status missing = status_ok();
    Explainer *explainer = NULL;
    Interrupt interrupt;
    interrupt_begin(&interrupt); /* shows what is finished */
    Status status = source_open_network(settings->net, &network);
    if (status_is_ok(&status)) explainer = explainer_create(network, EXPLAIN_HASH, &status);
    if (explainer != NULL) {
        ProgressBar progress = progress_begin("nodes", 0, false);
        searcher_on_iteration(explainer_searcher(explainer), show_iteration, &progress);
        status = explainer_grow(explainer, &settings->pos, &question, trees, &count, &missing);
        progress_end(&progress);
    }
    if (status_is_ok(&status)) {
        TextBuffer text = {0};
        if (!status_is_ok(&missing)) text_printf(stderr, "luft tree: %s\n", missing.reason);
        append(&text, settings, trees, count);
        if (!buffer_print_raw(&text, stdout)) status = status_no_memory("the tree");
    }
    for (int i = 0; i < count; i++) tree_release(&trees[i]);
    explainer_destroy(explainer);
    network_destroy(network);
    interrupt_end(&interrupt);
    return status;
}

#define FIELD_STRUCT Settings
static const Field FIELDS[] = {
    {FIELD_WORDS("FEN", words, 0, "the position, in quotes or not (default: the initial one)")},
    {FIELD_WHOLE("depth", "N", question.depth, 1, DEPTH_MAX, NULL,
                 "plies to search (default 4; with --nodes as many as they allow)")},
    {FIELD_WHOLE("nodes", "N", question.nodes, 1, 1e12, NULL,
                 "end the search after N nodes, with the last iteration that is finished")},
    {FIELD_TEXT("line", "MOVES", line_text, NULL,
                "show the tree below these moves, as \"e4 e5\": a part of the same search")},
    {FIELD_TEXT("without", "TECHNIQUE,...", without, NULL,
                "show also the tree of the search without all of these techniques, side by side "
                "(docs/search.md has the names; 'all,+NAME': with this one alone)")},
    {FIELD_TEXT("set", "NAME=VALUE,...", set, NULL,
                "let that second search have another value of these numbers (src/search/params.def)")},
    {FIELD_WHOLE("rows", "N", question.size.rows, 0, ROWS_MAX, NULL,
                 "show the N rows of each tree with most nodes and fold the others; 0: show all "
                 "(default 60, with --json 1000)")},
    {FIELD_WHOLE("plies", "N", question.size.plies, 0, MAX_PLY, "0",
                 "fold what is deeper than N plies; 0: nothing")},
    {NET_FIELD(net)},
    {FIELD_CHOICE("language", LANGUAGE_CODES, language, "en", "language of the words")},
    {FIELD_FLAG("json", json, "print a JSON object (docs/explain.md)")},
    {FIELD_FLAG("svg", svg, "print a picture")},
    {0}};

int command_tree(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft tree",
        .usage = "[FEN] [options]",
        .about =
            "Searches a position and shows the tree of the last iteration: each node with its "
            "score, depth and nodes, each move that a rule skipped, and which rule cut, "
            "reduced or extended. "
            "The search is the same as in play.\n\n"
            "A score after <= or >= is a bound: no better than that, or no worse. `again` marks a move that "
            "was searched a second time, deeper or with a wider window. `+ 3 more` are folded (--rows), and may "
            "have the first search of such a move.\n",
        .examples =
            "  luft tree --depth 3\n"
            "  luft tree \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\" --without "
            "null_move\n"
            "  luft tree --depth 10 --line \"e4 e5\" --rows 20\n"
            "  luft tree --depth 8 --set futility_margin=100\n"
            "  luft tree --depth 5 --without late_move_reductions --svg > tree.svg\n",
        .fields = FIELDS,
        .check = check,
        .run = run};
    Settings settings = {.question.size.rows = -1};
    return commands_run(&SYNTAX, argc, argv, &settings);
}
