/* luft explain: why a move is worse than the best one, or what is going on in a position. */
#include "base/memory.h"
#include "base/progress.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/san.h"
#include "cli/command.h"
#include "cli/source.h"
#include "cli/terminal.h"
#include "engine/lines.h"
#include "explain/words.h"
#include "overview/overview.h"
#include "review/annotate.h"
#include "store/store.h"

#include <stdio.h>

enum {
    GLANCE_SHARE = 8, /* the search for the worst moves has this part of the nodes a position */
    WORST_MAX = 20,
    STORE_PATIENCE = 10000 /* milliseconds for another program that writes it */
};

typedef struct Settings {
    WordList words;
    uint64_t nodes;
    int worst;
    bool json, svg, search;
    int language; /* language_row */
    const char *net, *store;
    const char *without; /* names of techniques */
    bool techniques, all;
    TechniqueSet off; /* those */
    Position pos;     /* of a FEN on the command line */
    Move move;        /* MOVE_NONE: none is asked about */
    bool has_position;
} Settings;

/* A number, or cells of a table of which the first is one. Unlike that, a move may begin with "12." or "0-0".
 */
static bool is_table_cell(TextView word) {
    size_t digits = 0;
    while (digits < word.length && char_is_digit(word.data[digits])) digits++;
    return digits > 0 && word.data[0] != '0' && (digits == word.length || word.data[digits] != '.');
}

/* The move that is asked about after a position: written without more, or by EPD to be avoided (am), to be
 * found (bm), or played (sm, pv). Empty where there is none. */
static TextView find_move(TextView operations) {
    static const char *const NAMES[] = {"am", "bm", "sm", "pv"};
    size_t best = sizeof NAMES / sizeof NAMES[0];
    TextView found = text_view("");
    while (!text_is_empty(operations)) {
        const TextView operation = reader_next_operation(&operations);
        TextView operands = operation, name = text_next_word(&operands);
        operands = text_trim(operands);
        if (is_table_cell(name)) continue;
        const bool is_number = name.length > 0 && name.data[name.length - 1] == '.';
        if (name.length > 0 && (text_is_empty(operands) || is_number)) return operation;
        for (size_t i = 0; i < best; i++) {
            if (!text_equals(name, NAMES[i]) || operands.data[0] == '#') continue; /* "bm #3": a mate */
            found = text_next_word(&operands);
            best = i;
        }
    }
    return found;
}

/* Reads the move that the operations after a position ask about; MOVE_NONE where there is none. */
static Status read_move(const Position *pos, TextView operations, Move *move) {
    const Status status = lines_check_moves(pos);
    *move = MOVE_NONE;
    if (!status_is_ok(&status)) return status;
    const TextView word = find_move(operations);
    if (!text_is_empty(word)) return move_parse(pos, word, move);
    Move first;
    const Status is_move = move_parse(pos, text_next_word(&operations), &first);
    operations = text_trim(operations);
    return status_is_ok(&is_move) ? status_error("expected one move, and more follow it: '%.*s'",
                                                 (int)operations.length, operations.data)
                                  : status_ok();
}

/* Reads "FEN MOVE" or "FEN". */
static Status read_question(TextView text, Settings *settings) {
    const Status status = source_take_position(&text, &settings->pos);
    if (!status_is_ok(&status)) return status_error("%s; expected: a FEN, then a move", status.reason);
    settings->has_position = true;
    return read_move(&settings->pos, text, &settings->move);
}

static void show_confirming(void *context) {
    progress_say(context, "Longer searches look whether the reason holds ...");
}

static Status explain_move(Explainer *explainer, const Settings *settings, const Position *pos, Move move,
                           Explanation *explanation) {
    ProgressBar progress = progress_begin("", 0, false);
    explainer_on_confirm(explainer, show_confirming, &progress);
    const Status status = explainer_explain(explainer, pos, move, settings->nodes, explanation);
    progress_end(&progress);
    return status;
}

/* Of a move, or where `explanation` is NULL of a position. */
static Status print_answer(const Settings *settings, const Explanation *explanation,
                           const Overview *overview) {
    TextBuffer text = {0};
    Status status = status_ok();
    Document document = terminal_document(&text, settings->json, settings->language);
    document.detailed = settings->search || settings->json;
    if (settings->svg)
        status = words_append_svg(&document, explanation);
    else if (explanation != NULL)
        words_write(&document, explanation);
    else
        overview_write(&document, overview);
    if (settings->json) buffer_append_char(&text, '\n');
    return buffer_print_raw(&text, stdout) ? status : status_no_memory("the explanation");
}

/* The searches without the techniques that were asked for. */
static Status try_without(Explainer *explainer, const Settings *settings, Explanation *explanation) {
    TechniqueId wanted[TECHNIQUE_COUNT];
    int count = 0;
    Status status = status_ok();
    if (settings->techniques && !settings->all)
        count = without_touched(explanation->recording, explanation->played.move, wanted);
    for (int id = 0; id < TECHNIQUE_COUNT && (settings->all || !settings->techniques); id++) {
        const bool is_wanted = settings->all ? without_matters((TechniqueId)id)
                                             : (settings->off & technique_bit((TechniqueId)id)) != 0;
        if (is_wanted) wanted[count++] = (TechniqueId)id;
    }
    ProgressBar progress = progress_begin("techniques switched off", count, !stream_is_terminal(stderr));
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        progress_update(&progress, i, NULL);
        status = explainer_try_without(explainer, explanation, wanted[i]);
    }
    progress_end(&progress);
    return status;
}

static Status explain_position(Explainer *explainer, const Settings *settings, const Position *pos) {
    Overview overview;
    Status status = overview_find(explainer, pos, settings->nodes, &overview);
    if (!status_is_ok(&status)) return status;
    status = print_answer(settings, NULL, &overview);
    overview_release(&overview);
    return status;
}

/* Completes an explanation, prints and releases it. */
static Status answer(Explainer *explainer, const Settings *settings, Explanation *explanation) {
    Status status = try_without(explainer, settings, explanation);
    if (status_is_ok(&status)) status = print_answer(settings, explanation, NULL);
    explanation_release(explanation);
    return status;
}

static Status explain_one(Explainer *explainer, const Settings *settings, const Position *pos, Move move) {
    Explanation explanation;
    if (move == MOVE_NONE) return explain_position(explainer, settings, pos);
    const Status status = explain_move(explainer, settings, pos, move, &explanation);
    return status_is_ok(&status) ? answer(explainer, settings, &explanation) : status;
}

/* --- files --- */

typedef struct Job {
    Explainer *explainer;
    const Settings *settings;
} Job;

static Status explain_line(void *context, const Position *pos, TextView operations) {
    const Job *job = context;
    Move move = MOVE_NONE;
    Status status = read_move(pos, operations, &move);
    if (!status_is_ok(&status)) return status;
    if (!job->settings->json) {
        char fen[FEN_CAPACITY];
        fen_write(pos, fen);
        text_printf(stdout, "%s ", fen);
        text_print(stdout, operations);
        text_printf(stdout, "\n");
    }
    status = explain_one(job->explainer, job->settings, pos, move);
    if (!job->settings->json) text_printf(stdout, "\n");
    return status;
}

/* What a short search says of a move of a game. */
typedef struct Glance {
    double loss;  /* of the expected score */
    bool is_mate; /* it allows or misses a mate: that matters in a lost game, too */
    bool is_done; /* explained, or found to be good */
} Glance;

/* Fills the glances, one for each move, and what the search says of the positions, one more. */
static void look_at_moves(const Job *job, const Game *game, Glance *glances, ReviewedPosition *positions) {
    Position pos = game->start;
    ProgressBar progress = progress_begin("moves looked at", game->move_count, !stream_is_terminal(stderr));
    const uint64_t nodes = job->settings->nodes / GLANCE_SHARE + 1;
    Move best, next_best;
    Assessment before = explainer_assess(job->explainer, &pos, nodes, &best);
    positions[0].assessment = before;
    for (int i = 0; i < game->move_count; i++) {
        Undo undo;
        position_make_move(&pos, game->moves[i], &undo);
        const Assessment after = explainer_assess(job->explainer, &pos, nodes, &next_best);
        const Verdict verdict =
            verdict_of(&(MoveFacts){.before = before, .after = after, .is_best = best == game->moves[i]});
        glances[i] = (Glance){.loss = verdict.loss, .is_mate = verdict.allows_mate || verdict.misses_mate};
        before = positions[i + 1].assessment = after;
        best = next_best;
        progress_update(&progress, i + 1, NULL);
    }
    progress_end(&progress);
}

/* Of the moves that lose something the worst ones, and each that has to do with a mate. */
static bool is_chosen(const Glance *glances, int count, int ply, int worst) {
    int rank = 0;
    for (int other = 0; other < count; other++) {
        const double more = glances[other].loss - glances[ply].loss;
        rank += more > 0 || (more == 0 && other < ply);
    }
    return !glances[ply].is_done &&
           (glances[ply].is_mate || (glances[ply].loss >= REASON_GOOD_LOSS && rank < worst));
}

/* A longer search may find the move good: then nothing is said. */
static Status explain_ply(const Job *job, const Game *game, int ply, bool *is_reported) {
    const Settings *settings = job->settings;
    const Position pos = game_position(game, ply);
    Explanation explanation;
    Status status = explain_move(job->explainer, settings, &pos, game->moves[ply], &explanation);
    if (!status_is_ok(&status)) return status;
    *is_reported = !reason_is_good(explanation.reason);
    if (!*is_reported) {
        explanation_release(&explanation);
        return status;
    }
    if (!settings->json) {
        TextBuffer title = {0};
        Document document = terminal_document(&title, false, settings->language);
        text_printf(stdout, "%s\n", language_line(&document, &pos, &game->moves[ply], 1, SIZE_MAX));
    }
    status = answer(job->explainer, settings, &explanation);
    if (!settings->json) text_printf(stdout, "\n");
    return status;
}

/* Why there may be less than was looked for. */
static Status print_rest(const Settings *settings, const Game *game, const Review *review,
                         bool has_reported) {
    TextBuffer text = {0};
    Document document = terminal_document(&text, false, settings->language);
    const char *lost = annotate_lost_text(&document, game, review);
    if (!has_reported) language_write(&document, STYLE_NORMAL, WORDS_no_fault, NULL, 0);
    if (lost != NULL) {
        document_put(&document, STYLE_NORMAL, 0, lost);
        document_row(&document);
    }
    if (text.length > 0) buffer_append_char(&text, '\n');
    return buffer_print_raw(&text, stdout) ? status_ok() : status_no_memory("the explanation");
}

/* Which game it is, where there are names or other games. */
static Status print_head(const Settings *settings, const Game *game, int number) {
    const char *white = game_tag(game, "White"), *black = game_tag(game, "Black");
    if (number == 1 && white == NULL && black == NULL) return status_ok();
    TextBuffer text = {0};
    Document document = terminal_document(&text, false, settings->language);
    document_put(&document, STYLE_STRONG, 0,
                 language_words(&document, WORDS_game_head,
                                FILL(FILL_NUMBER("number", number), FILL_TEXT("white", white ? white : "?"),
                                     FILL_TEXT("black", black ? black : "?"))));
    document_row(&document);
    buffer_append_char(&text, '\n');
    return buffer_print(&text, stdout) ? status_ok() : status_no_memory("the explanation");
}

static Status explain_game(void *context, const Game *game, int number) {
    const Job *job = context;
    const Settings *settings = job->settings;
    const int count = game->move_count;
    Glance *glances = memory_allocate(((size_t)count + 1) * sizeof *glances);
    Review review = {.done = count, .moves = count};
    review.positions = memory_allocate(((size_t)count + 1) * sizeof *review.positions);
    Status status = status_ok();
    if (glances == NULL || review.positions == NULL) {
        memory_release(glances);
        review_release(&review);
        return status_no_memory("game %d", number);
    }
    if (!settings->json) status = print_head(settings, game, number);
    bool has_reported = false, is_replaced = true; /* a move that is found to be good, by the next one */
    look_at_moves(job, game, glances, review.positions);
    while (is_replaced && status_is_ok(&status)) {
        is_replaced = false;
        for (int ply = 0; ply < count && status_is_ok(&status); ply++) {
            if (!is_chosen(glances, count, ply, settings->worst)) continue;
            bool is_reported = false;
            status = explain_ply(job, game, ply, &is_reported);
            glances[ply].is_done = true;
            if (!is_reported) glances[ply].loss = 0;
            has_reported |= is_reported;
            is_replaced |= !is_reported;
        }
    }
    if (status_is_ok(&status) && !settings->json) status = print_rest(settings, game, &review, has_reported);
    memory_release(glances);
    review_release(&review);
    return status;
}

static Status explain_file(Job *job, const char *path) {
    Reader reader;
    Status status = reader_open(&reader, path);
    if (status_is_ok(&status))
        status = reader.has_games ? source_each_game(&reader, (SourceShard){0, 0}, explain_game, job)
                                  : source_each_position(&reader, (SourceShard){0, 0}, explain_line, job);
    reader_close(&reader);
    return status;
}

static Status check(void *context) {
    Settings *settings = context;
    TextBuffer text = {0};
    Status named = source_read_techniques(settings->without, &settings->off);
    if (!status_is_ok(&named)) return named;
    source_join(&settings->words, &text);
    Status status =
        reader_is_position(buffer_view(&text)) ? read_question(buffer_view(&text), settings) : status_ok();
    if (status_is_ok(&status) && settings->words.count > 1 && !settings->has_position)
        status = status_error("expected a FEN and a move, or one file");
    if (status_is_ok(&status) && settings->svg && (settings->json || settings->move == MOVE_NONE))
        status = status_error("--svg is the picture of one move: it wants a FEN and a move, and no --json");
    buffer_release(&text);
    return status;
}

/* A store that cannot be used is named before a search begins. */
static Status check_store(const char *path) {
    Status status;
    store_close(store_open(path, STORE_READ, STORE_PATIENCE, &status));
    return status;
}

static Status run(void *context) {
    const Settings *settings = context;
    Network *network = NULL;
    Job job = {.settings = settings};
    Status status = settings->store != NULL ? check_store(settings->store) : status_ok();
    if (status_is_ok(&status)) status = source_open_network(settings->net, &network);
    if (status_is_ok(&status) && network == NULL && settings->store != NULL)
        network = network_open_embedded(&status);
    if (status_is_ok(&status)) job.explainer = explainer_create(network, EXPLAIN_HASH, &status);
    if (job.explainer != NULL && settings->store != NULL)
        status = explainer_use_store(job.explainer, settings->store);
    if (status_is_ok(&status))
        status = settings->has_position ? explain_one(job.explainer, settings, &settings->pos, settings->move)
                                        : explain_file(&job, settings->words.word[0]);
    if (status_is_ok(&status)) status = explainer_take_store_fault(job.explainer);
    explainer_destroy(job.explainer);
    network_destroy(network);
    return status;
}

#define FIELD_STRUCT Settings
static const Field FIELDS[] = {
    {FIELD_WORDS("WHAT", words, 1,
                 "a FEN and a move (Nf3 or g1f3), or a FEN alone; or a file of games (PGN) or with a "
                 "FEN and a move in each line; or - for standard input")},
    {FIELD_WHOLE(
        "nodes", "N", nodes, 100, 1e12, "400k",
        "nodes for the best move, and as many for the move in question; what confirms a reason may take "
        "ten times N in all")},
    {FIELD_WHOLE("worst", "N", worst, 1, WORST_MAX, "3",
                 "of each game, explain the N moves that lost most, and those that allow or miss a mate")},
    {FIELD_TEXT("without", "TECHNIQUE,...", without, NULL,
                "repeat the search without these techniques, one at a time (docs/search.md has "
                "the names)")},
    {FIELD_FLAG("techniques", techniques,
                "repeat the search without each technique that affected the move, eight at most")},
    {FIELD_FLAG("all", all, "repeat the search once for each technique, without it")},
    {FIELD_FLAG("search", search,
                "report also how the search treated the move, and what each rule did at its refutation")},
    {NET_FIELD(net)},
    {FIELD_TEXT("store", "FILE", store, NULL,
                "begin with what analyses have left in this store (docs/store.md)")},
    {FIELD_CHOICE("language", LANGUAGE_CODES, language, "en", "language of the answer")},
    {FIELD_FLAG("json", json, "print a JSON object for each move (docs/explain.md)")},
    {FIELD_FLAG("svg", svg, "print a picture of the tree that was searched for the move")},
    {0}};

_Static_assert(EXPLAIN_NODES == 400000, "the standard value of --nodes");

int command_explain(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft explain",
        .usage = "FEN [MOVE] | FILE [options]",
        .about = "Says why a move is worse than the best one: the line that refutes it, what it "
                 "loses and by which motif (a fork, a pin and the like). "
                 "It says only what the board shows on that line. "
                 "Where it can show nothing, it says so. "
                 "Without a move it says what is going on: who is better, what the opponent "
                 "threatens, which pieces are in trouble, which facts of the position matter.\n",
        .examples =
            "  luft explain \"2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17\" Qd4\n"
            "  luft explain \"2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17\" Qd4 --techniques\n"
            "  luft explain \"2kr3r/ppp3pp/6q1/3Pnp2/1PPQp3/7P/P3NPP1/R4RK1 b - - 2 17\"\n"
            "  luft explain game.pgn\n",
        .fields = FIELDS,
        .check = check,
        .run = run};
    Settings settings = {0};
    return commands_run(&SYNTAX, argc, argv, &settings);
}
