#include "mcp/tools.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "engine/engine.h"
#include "engine/lines.h"
#include "explain/words.h"
#include "mcp/arguments.h"
#include "overview/overview.h"
#include "review/report.h"

enum {
    ANALYSE_LINES_MAX = 10,
    GAME_PLIES_MAX = 1024,
    WIDTH = 80 /* columns of the words */
};

/* What the tools are asked: each reads the members of its own rows. */
typedef struct Question {
    const char *fen, *moves, *move, *pgn;
    uint64_t nodes;
    int lines;
    int language; /* language_row */
} Question;

/* What is found. */
typedef struct Answer {
    TextBuffer notes; /* what was odd about the question */
    TextBuffer words; /* for people */
    TextBuffer json;  /* for programs: an object */
} Answer;

/* A member that is always in the result. */
typedef struct Property {
    const char *name, *type, *description;
} Property;

struct Tool {
    const char *name, *title, *description;
    const Field *arguments;
    const Property *result; /* the last row is empty */
    Status (*run)(Call *call, const Question *question, Answer *answer);
};

/* --- what the tools share --- */

#define FIELD_STRUCT Question
#define FEN_ROW \
    { FIELD_TEXT("fen", NULL, fen, NULL, "the position as FEN; without it the initial position") }
#define MOVES_ROW                                                                                        \
    {                                                                                                    \
        FIELD_TEXT("moves", NULL, moves, NULL,                                                           \
                   "moves that are played from it, as in a game: \"1. e4 e5 2. Nf3\", or \"e2e4 e7e5\"") \
    }
#define NODES_ROW(standard, most, help) \
    { FIELD_WHOLE("nodes", NULL, nodes, 100, most, standard, help) }
#define LANGUAGE_ROW \
    { FIELD_CHOICE("language", LANGUAGE_CODES, language, "en", "language of the words") }

static const char SCORES[] = "scores are in pawns, as White sees them";

static Document json_of(Answer *answer) { return (Document){.out = &answer->json, .form = DOCUMENT_JSON}; }

/* Why a call has no result: it was stopped. */
static Status stopped(Call *call) {
    return call_stopped(call) == CALL_OUT_OF_TIME
               ? status_error("no answer within %g seconds; ask with fewer nodes", call->seconds)
               : status_error("stopped before there was an answer");
}

static void note(Answer *answer, TextView line) {
    buffer_append_string(&answer->notes, "Note: ");
    buffer_append(&answer->notes, line);
    buffer_append_char(&answer->notes, '\n');
}

/* "12.", "12...", "*" and "1-0" are no moves. */
static bool is_move(TextView word) {
    GameResult result;
    size_t digits = 0;
    while (digits < word.length && char_is_digit(word.data[digits])) digits++;
    while (digits < word.length && word.data[digits] == '.') digits++;
    return digits < word.length && !game_result_parse(word, &result);
}

/* Plays moves from a position; their history stays with it. The reason names the first that is not legal. */
static Status play_moves(const char *moves, Position *pos) {
    TextView rest = text_view(moves), word;
    Status status = status_ok();
    while (status_is_ok(&status) && !text_is_empty(word = text_next_word(&rest))) {
        Move move;
        Undo undo;
        if (!is_move(word)) continue;
        status = move_parse(pos, word, &move);
        if (status_is_ok(&status))
            position_make_move(pos, move, &undo);
        else
            status = status_error("moves: at move %d of %s: %s", pos->fullmove, color_name(pos->side),
                                  status.reason);
    }
    return status;
}

static Status read_position(const Question *question, Position *pos, Answer *answer) {
    TextView fen = text_view(question->fen != NULL ? question->fen : FEN_START);
    Status warning = status_ok(), status = reader_take_position(pos, &fen, false, &warning);
    if (!status_is_ok(&status)) return status_error("fen: %s", status.reason);
    if (!text_is_empty(text_trim(fen)))
        return status_error("fen: after the position there is '%.40s'; moves have an argument of their own",
                            fen.data);
    if (!status_is_ok(&warning)) note(answer, text_view(warning.reason));
    return question->moves != NULL ? play_moves(question->moves, pos) : status;
}

/* The same, where somebody is to move. */
static Status read_living_position(const Question *question, Position *pos, Answer *answer) {
    const Status status = read_position(question, pos, answer);
    return status_is_ok(&status) ? lines_check_moves(pos) : status;
}

/* --- legal_moves --- */

static const Field LEGAL_ARGUMENTS[] = {FEN_ROW, MOVES_ROW, {0}};
static const Property LEGAL_RESULT[] = {
    {"fen", "string", "the position that was read, after the moves"},
    {"side", "string", "white or black: who is to move"},
    {"check", "boolean", "whether that side is in check"},
    {"end", "string", "how the rules end the game here; empty while it goes on"},
    {"moves", "array", "every legal move, as {\"uci\": \"g1f3\", \"san\": \"Nf3\"}"},
    {0}};

static Status run_legal_moves(Call *call, const Question *question, Answer *answer) {
    Position pos;
    Move moves[MAX_MOVES];
    (void)call;
    const Status status = read_position(question, &pos, answer);
    if (!status_is_ok(&status)) return status;
    const int count = movegen_legal(&pos, moves);
    const char *end = lines_game_end(&pos);
    Document json = json_of(answer);
    if (end != NULL) buffer_append_format(&answer->words, "%s\n", end);
    buffer_append_format(&answer->words, "%s to move%s; legal moves: %d", color_name(pos.side),
                         position_in_check(&pos) ? ", in check" : "", count);
    document_object(&json, NULL);
    document_fen(&json, &pos);
    document_string(&json, "side", pos.side == WHITE ? "white" : "black");
    document_bool(&json, "check", position_in_check(&pos));
    document_string(&json, "end", end != NULL ? end : "");
    document_list(&json, "moves");
    for (int i = 0; i < count; i++) {
        char san[SAN_CAPACITY];
        san_write(&pos, moves[i], san);
        buffer_append_format(&answer->words, "%s %s", i > 0 ? "," : ":", san);
        document_move(&json, NULL, &pos, moves[i]);
    }
    document_list_end(&json);
    document_object_end(&json);
    return status;
}

/* --- analyse --- */

static const Field ANALYSE_ARGUMENTS[] = {
    FEN_ROW,
    MOVES_ROW,
    {FIELD_WHOLE("lines", NULL, lines, 1, ANALYSE_LINES_MAX, "1", "how many of the best moves to show")},
    NODES_ROW("1000000", 1e9, "how many nodes to search; a million take about a second"),
    {0}};
static const Property ANALYSE_RESULT[] = {
    {"fen", "string", "the position that was searched"},
    {"best", "object", "the best move"},
    {"lines", "array",
     "the best lines, each as luft analyse --json prints it: depth, score ({\"cp\": N} or {\"mate\": N}, for "
     "the side to move), wdl (chances to win, draw and lose in permille), pv"},
    {0}};

/* A search in progress; its callbacks fill it. */
typedef struct Analysis {
    Call *call;
    uint64_t nodes; /* that it may spend */
    int count;
    SearchInfo line[ANALYSE_LINES_MAX];
    Move best;
} Analysis;

static void on_info(void *context, const SearchInfo *info) {
    Analysis *analysis = context;
    call_report(analysis->call, (int64_t)info->nodes, (int64_t)analysis->nodes);
    if (info->bound != BOUND_EXACT || info->multi_pv > ANALYSE_LINES_MAX) return;
    analysis->line[info->multi_pv - 1] = *info;
    if (info->multi_pv > analysis->count) analysis->count = info->multi_pv;
}

static void on_best_move(void *context, Move best, Move ponder) {
    (void)ponder;
    ((Analysis *)context)->best = best;
}

static void stop_engine(void *work) { engine_stop(work); }

static Status search(Analysis *analysis, const Position *pos, int lines) {
    Status status;
    char wanted[16];
    const SearchListener listener = {.context = analysis, .info = on_info, .best_move = on_best_move};
    Engine *engine = engine_create(&listener, &status);
    if (engine == NULL) return status;
    text_format(wanted, sizeof wanted, "%d", lines);
    status = engine_set_option(engine, text_view("MultiPV"), text_view(wanted));
    if (status_is_ok(&status))
        status = engine_set_option(engine, text_view("UCI_AnalyseMode"), text_view("true"));
    if (status_is_ok(&status)) {
        engine_use_position(engine, pos, NULL);
        engine_go(engine, &(SearchLimits){.nodes = analysis->nodes, .start = clock_microseconds()});
        call_begin_work(analysis->call, stop_engine, engine);
        engine_wait(engine);
        call_end_work(analysis->call);
    }
    engine_destroy(engine);
    return status;
}

static Status run_analyse(Call *call, const Question *question, Answer *answer) {
    Analysis analysis = {.call = call, .nodes = question->nodes};
    Position pos;
    Status status = read_living_position(question, &pos, answer);
    if (status_is_ok(&status)) status = search(&analysis, &pos, question->lines);
    if (!status_is_ok(&status)) return status;
    if (analysis.count == 0) return stopped(call);
    Document json = json_of(answer), words = {.out = &answer->words, .language = language_row(0)};
    document_object(&json, NULL);
    document_fen(&json, &pos);
    document_move(&json, "best", &pos, analysis.best);
    document_list(&json, "lines");
    buffer_append_format(&answer->words, "%s to move; %s.\n", color_name(pos.side), SCORES);
    for (int i = 0; i < analysis.count; i++) {
        document_info(&json, &pos, &analysis.line[i]);
        language_append_info(&words, &pos, &analysis.line[i], SIZE_MAX);
        buffer_append_char(&answer->words, '\n');
    }
    document_list_end(&json);
    document_object_end(&json);
    buffer_append_string(&answer->words, language_chances(&words, &pos, analysis.line[0].score));
    return status;
}

/* --- explain_move --- */

static const Field EXPLAIN_ARGUMENTS[] = {
    FEN_ROW,
    MOVES_ROW,
    {FIELD_TEXT("move", NULL, move, NULL, "the move to explain: \"Nf3\" or \"g1f3\""),
     .flags = FIELD_REQUIRED},
    NODES_ROW("400000", 1e7, "nodes of each search; small losses are searched with four times as many"),
    LANGUAGE_ROW,
    {0}};
_Static_assert(EXPLAIN_NODES == 400000, "the standard value of nodes");
static const Property EXPLAIN_RESULT[] = {
    {"fen", "string", "the position that was read"},
    {"move", "object", "the move that was asked about"},
    {"best", "object", "the best move"},
    {"score", "object", "of the move: {\"cp\": N} in centipawns or {\"mate\": N}, for the side to move"},
    {"best_score", "object", "of the best move"},
    {"loss", "number", "how much of the expected score (from 0 to 1) the move costs"},
    {"reason", "string", "best, as good as the best, allows mate, loses material, fact, none and others"},
    {"words", "array", "the sentences of the answer; each is proved on the board or says what it rests on"},
    {"line", "array", "what happens after the move"},
    {"better", "array", "the better line"},
    {0}};

static void stop_explainer(void *work) { explainer_stop(work); }

/* Of a move, or where `explanation` is NULL of the position. */
static void write_document(Document *document, const Explanation *explanation, const Overview *overview) {
    if (explanation != NULL)
        words_write(document, explanation);
    else
        overview_write(document, overview);
}

static void write_explanation(const Question *question, const Explanation *explanation,
                              const Overview *overview, Answer *answer) {
    Document words = {.out = &answer->words, .width = WIDTH, .language = language_row(question->language)};
    Document json = json_of(answer);
    json.language = words.language;
    write_document(&words, explanation, overview);
    write_document(&json, explanation, overview);
}

/* Half an explanation is none: what is stopped is not written. */
static Status explain(Call *call, const Question *question, const Position *pos, Move move, Answer *answer) {
    Explanation explanation;
    Overview overview;
    Status status;
    Explainer *explainer = explainer_create(NULL, EXPLAIN_HASH, &status);
    if (explainer == NULL) return status;
    call_begin_work(call, stop_explainer, explainer);
    status = move != MOVE_NONE ? explainer_explain(explainer, pos, move, question->nodes, &explanation)
                               : overview_find(explainer, pos, question->nodes, &overview);
    call_end_work(call);
    const bool is_found = status_is_ok(&status);
    if (is_found && call_stopped(call) != CALL_GOES_ON)
        status = stopped(call);
    else if (is_found)
        write_explanation(question, move != MOVE_NONE ? &explanation : NULL, &overview, answer);
    if (is_found && move != MOVE_NONE) explanation_release(&explanation);
    if (is_found && move == MOVE_NONE) overview_release(&overview);
    explainer_destroy(explainer);
    return status;
}

static Status run_explain_move(Call *call, const Question *question, Answer *answer) {
    Position pos;
    Move move;
    Status status = read_living_position(question, &pos, answer);
    if (status_is_ok(&status)) status = move_parse(&pos, text_view(question->move), &move);
    return status_is_ok(&status) ? explain(call, question, &pos, move, answer) : status;
}

/* --- explain_position --- */

static const Field OVERVIEW_ARGUMENTS[] = {
    FEN_ROW,
    MOVES_ROW,
    NODES_ROW("400000", 1e7,
              "nodes of the search of the position; what the opponent threatens takes half as many"),
    LANGUAGE_ROW,
    {0}};
static const Property OVERVIEW_RESULT[] = {
    {"fen", "string", "the position that was read"},
    {"score", "object", "{\"cp\": N} in centipawns or {\"mate\": N}, for the side to move"},
    {"words", "array", "the sentences of the answer; each is proved on the board or says what it rests on"},
    {"best", "object", "the best move, its line, and what it achieves"},
    {0}};

static Status run_explain_position(Call *call, const Question *question, Answer *answer) {
    Position pos;
    const Status status = read_living_position(question, &pos, answer);
    return status_is_ok(&status) ? explain(call, question, &pos, MOVE_NONE, answer) : status;
}

/* --- judge_game --- */

static const Field JUDGE_ARGUMENTS[] = {
    {FIELD_TEXT("pgn", NULL, pgn, NULL, "the game as PGN, with its tags or without"),
     .flags = FIELD_REQUIRED},
    NODES_ROW("100000", 1e7, "nodes of the search of each position; a game then takes about ten seconds"),
    LANGUAGE_ROW,
    {0}};
static const Property JUDGE_RESULT[] = {
    {"moves", "array",
     "the moves that have a verdict, each as luft analyse --json prints it: move, ply (from 1), fen before "
     "it, score and pv (the better line), loss of the expected score, verdict"},
    {"game", "object", "moves, judged (how many of them), and of white and black accuracy and faults"},
    {0}};

static void stop_reviewer(void *work) { reviewer_stop(work); }

static void on_progress(void *context, int done, int total) { call_report(context, done, total); }

static Status take_game(const char *pgn, Game *game, Answer *answer) {
    Reader reader;
    Game second = {0};
    TextView line;
    Status status = reader_open_text(&reader, text_view(pgn));
    if (status_is_ok(&status) && !reader_next_game(&reader, game, &status) && status_is_ok(&status))
        status = status_error("pgn: there is no game in it; expected moves as in \"1. e4 e5 2. Nf3\"");
    TextView rest = buffer_view(&reader.problems.text);
    while (text_next_line(&rest, &line)) note(answer, line);
    if (status_is_ok(&status) && game->move_count > GAME_PLIES_MAX)
        status = status_error("pgn: the game has %d plies, and %d can be judged", game->move_count,
                              GAME_PLIES_MAX);
    if (status_is_ok(&status) && reader_next_game(&reader, &second, &status))
        note(answer, text_view("there is more than one game, and the first one is judged"));
    game_release(&second);
    reader_close(&reader);
    return status;
}

static void write_review(const Question *question, const Game *game, const Review *review, Answer *answer) {
    Document json = json_of(answer);
    Document words = {.out = &answer->words, .width = WIDTH, .language = language_row(question->language)};
    json.language = words.language;
    Position pos = game->start;
    report_write(&words, game, review, true);
    document_object(&json, NULL);
    document_list(&json, "moves");
    for (int ply = 0; ply < review->done; ply++) {
        Undo undo;
        const Move move = game->moves[ply];
        if (review->verdicts[ply].kind != VERDICT_NONE) report_write_move(&json, &pos, move, review, ply, 1);
        position_make_move(&pos, move, &undo);
    }
    document_list_end(&json);
    report_write_game(&json, "game", game, review, 1);
    document_object_end(&json);
}

static Status run_judge_game(Call *call, const Question *question, Answer *answer) {
    Game game = {0};
    Review review;
    Reviewer *reviewer = NULL;
    Status status = take_game(question->pgn, &game, answer);
    if (status_is_ok(&status)) reviewer = reviewer_create(&status);
    if (reviewer != NULL) {
        const SearchLimits limits = {.nodes = question->nodes};
        call_begin_work(call, stop_reviewer, reviewer);
        status = reviewer_review(reviewer, &game, &limits, on_progress, call, &review);
        call_end_work(call);
        if (status_is_ok(&status)) {
            if (review.done > 0 || review.moves == 0)
                write_review(question, &game, &review, answer);
            else
                status = stopped(call);
            review_release(&review);
        }
    }
    reviewer_destroy(reviewer);
    game_release(&game);
    return status;
}

/* --- the table --- */

static const Tool TOOLS[] = {
    {"legal_moves", "Legal moves",
     "Plays moves from a position, says whether the game is over, and lists the legal moves. "
     "For a move that is not legal it says why.",
     LEGAL_ARGUMENTS, LEGAL_RESULT, run_legal_moves},
    {"analyse", "Analyse a position",
     "Searches a position for the best moves: their lines, scores and chances.", ANALYSE_ARGUMENTS,
     ANALYSE_RESULT, run_analyse},
    {"explain_move", "Explain a move",
     "Says why a move is worse than the best one, or what a good move does: mates, material and motifs that "
     "the board proves, positional facts that the network confirms. Quote its sentences: they are facts.",
     EXPLAIN_ARGUMENTS, EXPLAIN_RESULT, run_explain_move},
    {"explain_position", "Explain a position",
     "Says what is going on before any move: who is better, what the opponent threatens, what the side to "
     "move can win, pieces in trouble, positional facts that matter. Quote its sentences: they are facts.",
     OVERVIEW_ARGUMENTS, OVERVIEW_RESULT, run_explain_position},
    {"judge_game", "Judge a game",
     "Searches every position of a game and judges each move: the accuracy of both sides, their mistakes, "
     "and what would have been better.",
     JUDGE_ARGUMENTS, JUDGE_RESULT, run_judge_game},
};
enum { TOOL_COUNT = sizeof TOOLS / sizeof TOOLS[0] };

const Tool *tools_find(TextView name, Nearest *nearest) {
    for (int i = 0; i < TOOL_COUNT; i++)
        if (text_equals(name, TOOLS[i].name)) return &TOOLS[i];
    for (int i = 0; i < TOOL_COUNT; i++) nearest_consider(nearest, TOOLS[i].name);
    return NULL;
}

static void write_result_schema(Document *document, const Property *properties) {
    document_object(document, "outputSchema");
    document_string(document, "type", "object");
    document_object(document, "properties");
    for (const Property *row = properties; row->name != NULL; row++) {
        document_object(document, row->name);
        document_string(document, "type", row->type);
        document_string(document, "description", row->description);
        document_object_end(document);
    }
    document_object_end(document);
    document_list(document, "required");
    for (const Property *row = properties; row->name != NULL; row++)
        document_string(document, NULL, row->name);
    document_list_end(document);
    document_object_end(document);
}

void tools_write_list(Document *document) {
    document_list(document, "tools");
    for (const Tool *tool = TOOLS; tool < TOOLS + TOOL_COUNT; tool++) {
        document_object(document, NULL);
        document_string(document, "name", tool->name);
        document_string(document, "title", tool->title);
        document_string(document, "description", tool->description);
        arguments_write_schema(document, "inputSchema", tool->arguments);
        write_result_schema(document, tool->result);
        document_object(document, "annotations");
        document_bool(document, "readOnlyHint", true);
        document_bool(document, "openWorldHint", false);
        document_object_end(document);
        document_object_end(document);
    }
    document_list_end(document);
}

/* --- running --- */

/* The words come first: what a client shows to its model. */
static void write_result(const Status *status, Answer *answer, TextBuffer *out) {
    TextBuffer text = {0};
    if (status_is_ok(status)) {
        buffer_append(&text, buffer_view(&answer->notes));
        buffer_append(&text, text_trim(buffer_view(&answer->words)));
    } else {
        buffer_append_string(&text, status->reason);
    }
    buffer_append_string(out, "{\"content\":[{\"type\":\"text\",\"text\":");
    buffer_append_json(out, buffer_view(&text));
    buffer_append_string(out, "}],");
    if (status_is_ok(status))
        buffer_append_format(out, "\"structuredContent\":%s}", buffer_string(&answer->json));
    else
        buffer_append_string(out, "\"isError\":true}");
    out->failed |= text.failed;
    buffer_release(&text);
}

void tools_run(Call *call) {
    Question question = {0};
    Answer answer = {0};
    char *texts = memory_allocate(text_view(call->arguments).length + 1);
    Status status = texts == NULL ? status_no_memory("the arguments")
                                  : arguments_read(call->tool->arguments, &question, call->arguments, texts);
    if (status_is_ok(&status)) status = call->tool->run(call, &question, &answer);
    if (answer.notes.failed || answer.words.failed || answer.json.failed)
        status = status_no_memory("the answer");
    write_result(&status, &answer, &call->result);
    buffer_release(&answer.notes);
    buffer_release(&answer.words);
    buffer_release(&answer.json);
    memory_release(texts);
}
