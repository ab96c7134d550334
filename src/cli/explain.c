/* luft explain: why a move is worse than the best one. */
#include "base/progress.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "cli/command.h"
#include "cli/source.h"
#include "cli/terminal.h"
#include "explain/words.h"

#include <stdio.h>

enum {
    HASH = 32,        /* MiB */
    GLANCE_SHARE = 8, /* the search for the worst moves has this part of the nodes a position */
    WORST_MAX = 20
};

typedef struct Settings {
    WordList words;
    uint64_t nodes;
    int worst;
    bool json, svg, search;
    int language;        /* language_row */
    const char *without; /* names of techniques */
    bool techniques, all;
    TechniqueSet off; /* those */
    Position pos;     /* of a FEN and a move on the command line */
    Move move;
} Settings;

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
    if (!movegen_has_legal(pos))
        return status_error("the game is over in this position: there is no legal move");
    *move = MOVE_NONE;
    const TextView word = find_move(operations);
    return text_is_empty(word) ? status_ok() : move_parse(pos, word, move);
}

/* Reads "FEN MOVE". */
static Status read_question(TextView text, Position *pos, Move *move) {
    Status status = source_take_position(&text, pos);
    if (!status_is_ok(&status)) return status_error("%s; expected: a FEN, then a move", status.reason);
    status = read_move(pos, text, move);
    if (status_is_ok(&status) && *move == MOVE_NONE)
        status = status_error("there is no move; expected: a FEN, then a move");
    return status;
}

static Status append_answer(TextBuffer *out, const Settings *settings, const Explanation *explanation) {
    Document document = terminal_document(out, settings->json, settings->language);
    if (settings->svg) return words_append_svg(&document, explanation);
    words_write(&document, explanation, settings->search);
    if (settings->json) buffer_append_char(out, '\n');
    return status_ok();
}

static Status print_explanation(const Settings *settings, const Explanation *explanation) {
    TextBuffer text = {0};
    Status status = append_answer(&text, settings, explanation);
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

static Status explain_one(Explainer *explainer, const Settings *settings, const Position *pos, Move move) {
    Explanation explanation;
    if (move == MOVE_NONE) move = explainer_search_without(explainer, pos, 0, settings->nodes, 0)->pv[0];
    Status status = explainer_explain(explainer, pos, move, settings->nodes, &explanation);
    if (!status_is_ok(&status)) return status;
    status = try_without(explainer, settings, &explanation);
    if (status_is_ok(&status)) status = print_explanation(settings, &explanation);
    explanation_release(&explanation);
    return status;
}

/* --- files --- */

typedef struct Job {
    Explainer *explainer;
    const Settings *settings;
} Job;

static Status explain_position(void *context, const Position *pos, TextView operations) {
    const Job *job = context;
    Move move;
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

/* The moves of a game that lost most, in the order in which they were played. */
typedef struct WorstMoves {
    int count, ply[WORST_MAX];
    double loss[WORST_MAX];
} WorstMoves;

/* Keeps a move, if need be in place of the one that lost least, of equals the last. */
static void keep_move(WorstMoves *worst, int limit, int ply, double loss) {
    if (worst->count == limit) {
        int least = 0;
        for (int i = 1; i < limit; i++)
            if (worst->loss[i] <= worst->loss[least]) least = i;
        if (loss <= worst->loss[least]) return;
        worst->count--;
        for (int i = least; i < worst->count; i++) {
            worst->ply[i] = worst->ply[i + 1];
            worst->loss[i] = worst->loss[i + 1];
        }
    }
    worst->ply[worst->count] = ply;
    worst->loss[worst->count++] = loss;
}

/* By what each move gave away of the expected score. */
static WorstMoves find_worst(const Job *job, const Game *game) {
    WorstMoves worst = {0};
    Position pos = game->start;
    ProgressBar progress = progress_begin("moves looked at", game->move_count, !stream_is_terminal(stderr));
    const uint64_t nodes = job->settings->nodes / GLANCE_SHARE + 1;
    double before = explainer_expected_score(job->explainer, &pos, nodes);
    for (int i = 0; i < game->move_count; i++) {
        Undo undo;
        position_make_move(&pos, game->moves[i], &undo);
        const double after = 1 - explainer_expected_score(job->explainer, &pos, nodes);
        if (before - after >= REASON_GOOD_LOSS) keep_move(&worst, job->settings->worst, i, before - after);
        before = 1 - after;
        progress_update(&progress, i + 1, NULL);
    }
    progress_end(&progress);
    return worst;
}

static Status explain_ply(const Job *job, const Game *game, int ply) {
    const Position pos = game_position(game, ply);
    if (!job->settings->json) {
        TextBuffer title = {0};
        Document document = terminal_document(&title, false, job->settings->language);
        text_printf(stdout, "%s\n", language_line(&document, &pos, &game->moves[ply], 1, SIZE_MAX));
    }
    const Status status = explain_one(job->explainer, job->settings, &pos, game->moves[ply]);
    if (!job->settings->json) text_printf(stdout, "\n");
    return status;
}

static Status explain_game(void *context, const Game *game, int number) {
    (void)number;
    const WorstMoves worst = find_worst(context, game);
    Status status = status_ok();
    for (int i = 0; i < worst.count && status_is_ok(&status); i++)
        status = explain_ply(context, game, worst.ply[i]);
    return status;
}

static Status explain_file(Job *job, const char *path) {
    Reader reader;
    Status status = reader_open(&reader, path);
    if (status_is_ok(&status))
        status = reader.has_games ? source_each_game(&reader, explain_game, job)
                                  : source_each_position(&reader, explain_position, job);
    reader_close(&reader);
    return status;
}

static Status check(void *context) {
    Settings *settings = context;
    TextBuffer text = {0};
    Status named = source_read_techniques(settings->without, &settings->off);
    if (!status_is_ok(&named)) return named;
    source_join(&settings->words, &text);
    const bool has_position = reader_is_position(buffer_view(&text));
    Status status =
        has_position ? read_question(buffer_view(&text), &settings->pos, &settings->move) : status_ok();
    if (settings->words.count > 1 && !has_position)
        status = status_error("expected a FEN and a move, or one file");
    if (status_is_ok(&status) && settings->svg && (settings->json || settings->move == MOVE_NONE))
        status = status_error("--svg is the picture of one move: it wants a FEN and a move, and no --json");
    buffer_release(&text);
    return status;
}

static Status run(void *context) {
    const Settings *settings = context;
    Status status = status_ok();
    Job job = {explainer_create(NULL, HASH, &status), settings};
    if (job.explainer == NULL) return status;
    status = settings->move != MOVE_NONE
                 ? explain_one(job.explainer, settings, &settings->pos, settings->move)
                 : explain_file(&job, settings->words.word[0]);
    explainer_destroy(job.explainer);
    return status;
}

#define FIELD_STRUCT Settings
static const Field FIELDS[] = {
    {FIELD_WORDS("WHAT", words, 1,
                 "a FEN and a move (Nf3 or g1f3); or a file of games (PGN) or with a FEN and a "
                 "move in each line; or - for standard input")},
    {FIELD_WHOLE("nodes", "N", nodes, 100, 1e12, "400k",
                 "nodes for the best move, and as many for the move in question")},
    {FIELD_WHOLE("worst", "N", worst, 1, WORST_MAX, "3", "of each game, explain the N moves that lost most")},
    {FIELD_TEXT("without", "TECHNIQUE,...", without, NULL,
                "repeat the search without these techniques, one at a time (docs/search.md has "
                "the names)")},
    {FIELD_FLAG("techniques", techniques,
                "repeat the search without each technique that affected the move, eight at most")},
    {FIELD_FLAG("all", all, "repeat the search once for each technique, without it")},
    {FIELD_FLAG("search", search,
                "report also how the search treated the move, and what each rule did at its refutation")},
    {FIELD_CHOICE("language", LANGUAGE_CODES, language, "en", "language of the answer")},
    {FIELD_FLAG("json", json, "print a JSON object for each move (docs/explain.md)")},
    {FIELD_FLAG("svg", svg, "print a picture of the tree that was searched for the move")},
    {0}};

_Static_assert(EXPLAIN_NODES == 400000, "the standard value of --nodes");

int command_explain(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft explain",
        .usage = "FEN MOVE | FILE [options]",
        .about = "Says why a move is worse than the best one: the line that refutes it, what it "
                 "loses and by which motif (a fork, a pin and the like). "
                 "It says only what the board shows on that line. "
                 "Where it can show nothing, it says so.\n",
        .examples =
            "  luft explain \"2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17\" Qd4\n"
            "  luft explain \"2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17\" Qd4 --techniques\n"
            "  luft explain game.pgn\n",
        .fields = FIELDS,
        .check = check,
        .run = run};
    Settings settings = {0};
    return commands_run(&SYNTAX, argc, argv, &settings);
}
