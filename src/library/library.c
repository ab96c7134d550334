/* include/luft.h: converts between plain C types and those of engine.h, which does the work. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/processor.h"
#include "base/sync.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "engine/bench.h"
#include "engine/chances.h"
#include "engine/document.h"
#include "engine/engine.h"
#include "engine/verdict.h"
#include "engine/version.h"
#include "explain/words.h"
#include "include/luft.h"
#include "library/games.h"
#include "nnue/embedded.h"
#include "nnue/network.h"
#include "overview/overview.h"
#include "record/tree_view.h"

/* Guards chess_init, because a program may create engines in several threads. */
static Once tables = ONCE_INITIAL;

struct LuftEngine {
    Engine *engine;
    LuftListener listener;
    Status status;            /* of the last call; holds the reason that callers receive */
    TextBuffer text;          /* holds the text that the last call returned */
    const Language *language; /* of explanations */
    Mutex explaining;         /* guards explainer, because any thread may call luft_stop */
    Explainer *explainer;     /* NULL when no explanation is running */
    TextBuffer line;          /* holds LuftInfo.line; used by the search thread only */
    char best[LAN_CAPACITY];  /* written by the search thread before luft_wait returns */
};

static const char *result_of(LuftEngine *engine, Status status) {
    engine->status = status;
    return status_is_ok(&status) ? NULL : engine->status.reason;
}

static const char *text_result(LuftEngine *engine, const char *text) {
    buffer_clear(&engine->text);
    buffer_append_string(&engine->text, text);
    return buffer_string(&engine->text);
}

static Document answer(LuftEngine *engine) {
    return (Document){
        .out = &engine->text, .form = DOCUMENT_JSON, .language = engine->language, .detailed = true};
}

/* The answer that was written. */
static const char *json_result(LuftEngine *engine, Status status, const char **json) {
    if (status_is_ok(&status) && engine->text.failed) status = status_no_memory("the answer");
    if (status_is_ok(&status)) *json = buffer_string(&engine->text);
    return result_of(engine, status);
}

/* The moves of a line or of a list, with blanks between. */
static void set_moves(TextBuffer *out, const Position *root, const Move *moves, int count) {
    buffer_clear(out);
    for (int i = 0; i < count; i++) {
        char move[LAN_CAPACITY];
        lan_write(root, moves[i], move);
        buffer_append_format(out, i > 0 ? " %s" : "%s", move);
    }
}

static void report_info(void *context, const SearchInfo *info) {
    LuftEngine *engine = context;
    if (engine->listener.info == NULL) return;
    const Position *root = engine_position(engine->engine);
    set_moves(&engine->line, root, info->pv, info->pv_length);
    const bool is_mate = score_is_mate(info->score);
    const ChanceParts chances = chances_round(chances_of_search(root, info->score), 1000);
    const LuftInfo report = {.depth = info->depth,
                             .selective_depth = info->selective_depth,
                             .rank = info->multi_pv,
                             .is_mate = is_mate,
                             .score =
                                 is_mate ? score_mate_moves(info->score) : score_to_centipawns(info->score),
                             .bound = info->bound == BOUND_LOWER   ? 1
                                      : info->bound == BOUND_UPPER ? -1
                                                                   : 0,
                             .win = chances.win,
                             .draw = chances.draw,
                             .loss = chances.loss,
                             .nodes = info->nodes,
                             .time = info->time,
                             .hash_full = info->hash_full,
                             .line = buffer_string(&engine->line)};
    engine->listener.info(engine->listener.context, &report);
}

static void write_move(const Position *root, Move move, char out[LAN_CAPACITY]) {
    out[0] = '\0';
    if (move != MOVE_NONE) lan_write(root, move, out);
}

static void report_best_move(void *context, Move best, Move ponder) {
    LuftEngine *engine = context;
    char expected[LAN_CAPACITY];
    const Position *root = engine_position(engine->engine);
    write_move(root, best, engine->best);
    write_move(root, ponder, expected);
    if (engine->listener.best_move != NULL)
        engine->listener.best_move(engine->listener.context, engine->best, expected);
}

static bool poll_listener(void *context) {
    LuftEngine *engine = context;
    return engine->listener.poll(engine->listener.context) != 0;
}

const char *luft_version(void) { return ENGINE_VERSION; }

static void copy_reason(const Status *status, char *error, size_t capacity) {
    if (error != NULL && capacity > 0) text_copy(text_view(status->reason), error, capacity);
}

int luft_provide_network(const void *bytes, size_t size, char *error, size_t capacity) {
    Status status;
    network_destroy(network_parse(bytes, size, &status));
    if (status_is_ok(&status)) status = embedded_provide(bytes, size);
    copy_reason(&status, error, capacity);
    return status_is_ok(&status);
}

/* A separate function: none of its code may run before the processor has been checked. */
static __attribute__((noinline)) LuftEngine *create(const LuftListener *listener, Status *status) {
    once_run(&tables, chess_init);
    *status = status_no_memory("the engine");
    LuftEngine *engine = memory_allocate(sizeof *engine);
    if (engine != NULL) {
        if (listener != NULL) engine->listener = *listener;
        engine->language = language_row(0);
        mutex_init(&engine->explaining);
        const SearchListener search = {.context = engine,
                                       .info = report_info,
                                       .poll = engine->listener.poll != NULL ? poll_listener : NULL,
                                       .best_move = report_best_move};
        engine->engine = engine_create(&search, status);
        if (engine->engine != NULL) return engine;
        mutex_destroy(&engine->explaining);
    }
    memory_release(engine);
    return NULL;
}

LuftEngine *luft_create(const LuftListener *listener, char *error, size_t capacity) {
    const char *lacks = processor_lacks();
    Status status;
    if (lacks != NULL) {
        status = status_error("this library needs %s, which this processor or system lacks", lacks);
    } else {
        LuftEngine *engine = create(listener, &status);
        if (engine != NULL) return engine;
    }
    copy_reason(&status, error, capacity);
    return NULL;
}

void luft_destroy(LuftEngine *engine) {
    if (engine == NULL) return;
    engine_destroy(engine->engine);
    buffer_release(&engine->text);
    buffer_release(&engine->line);
    mutex_destroy(&engine->explaining);
    memory_release(engine);
}

const char *luft_option(LuftEngine *engine, int index) {
    if (index < 0 || index >= options_count()) return NULL;
    char text[OPTION_TEXT_CAPACITY];
    options_describe(index, text);
    return text_result(engine, text);
}

const char *luft_set_option(LuftEngine *engine, const char *name, const char *value) {
    return result_of(engine, engine_set_option(engine->engine, text_view(name), text_view(value)));
}

const char *luft_load_network(LuftEngine *engine, const void *bytes, size_t size) {
    return result_of(engine, engine_load_network(engine->engine, bytes, size));
}

const char *luft_set_position(LuftEngine *engine, const char *fen, const char *moves) {
    return result_of(engine, engine_set_position(engine->engine, text_view(fen), text_view(moves)));
}

void luft_new_game(LuftEngine *engine) { engine_new_game(engine->engine); }

const char *luft_fen(LuftEngine *engine) {
    char fen[FEN_CAPACITY];
    fen_write(engine_position(engine->engine), fen);
    return text_result(engine, fen);
}

const char *luft_legal_moves(LuftEngine *engine) {
    const Position *pos = engine_position(engine->engine);
    Move moves[MAX_MOVES];
    set_moves(&engine->text, pos, moves, movegen_legal(pos, moves));
    return buffer_string(&engine->text);
}

const char *luft_san(LuftEngine *engine, const char *move) {
    const Position *pos = engine_position(engine->engine);
    Move read = MOVE_NONE;
    char san[SAN_CAPACITY];
    if (result_of(engine, lan_parse(pos, text_view(move), &read)) != NULL) return NULL;
    san_write(pos, read, san);
    return text_result(engine, san);
}

const char *luft_move_from_san(LuftEngine *engine, const char *san) {
    const Position *pos = engine_position(engine->engine);
    Move read = MOVE_NONE;
    char move[LAN_CAPACITY];
    if (result_of(engine, san_parse(pos, text_view(san), &read)) != NULL) return NULL;
    lan_write(pos, read, move);
    return text_result(engine, move);
}

const char *luft_read(LuftEngine *engine, const void *bytes, size_t size, int most, const char **json) {
    Reader reader;
    Document document = answer(engine);
    buffer_clear(&engine->text);
    Status status = reader_open_text(&reader, (TextView){bytes, size});
    if (status_is_ok(&status))
        status = games_write(&document, &reader, most, engine_options(engine->engine)->chess960);
    reader_close(&reader);
    return json_result(engine, status, json);
}

int luft_in_check(LuftEngine *engine) { return position_in_check(engine_position(engine->engine)); }

const char *luft_evaluate(LuftEngine *engine, int *centipawns) {
    Inspection inspection;
    Status status = engine_evaluate(engine->engine, &inspection);
    if (status_is_ok(&status)) *centipawns = score_to_centipawns(inspection.value);
    return result_of(engine, status);
}

static Status check_limits(const LuftLimits *limits) {
    const struct {
        const char *name;
        int64_t value;
    } rows[] = {{"depth", limits->depth},
                {"move_time", limits->move_time},
                {"white_increment", limits->white_increment},
                {"black_increment", limits->black_increment},
                {"moves_to_go", limits->moves_to_go},
                {"mate", limits->mate}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].value < 0) return status_error("the limit %s is below zero", rows[i].name);
    return status_ok();
}

const char *luft_go(LuftEngine *engine, const LuftLimits *limits) {
    const Status status = check_limits(limits);
    engine->best[0] = '\0';
    if (!status_is_ok(&status)) return result_of(engine, status);
    const SearchLimits search = {.depth = limits->depth,
                                 .nodes = limits->nodes,
                                 .has_move_time = limits->move_time != 0,
                                 .move_time = limits->move_time,
                                 .has_clock = {limits->white_clock != 0 || limits->white_increment != 0,
                                               limits->black_clock != 0 || limits->black_increment != 0},
                                 .clock = {limits->white_clock, limits->black_clock},
                                 .increment = {limits->white_increment, limits->black_increment},
                                 .moves_to_go = limits->moves_to_go,
                                 .mate = limits->mate,
                                 .ponder = limits->ponder != 0,
                                 .in_slices = limits->in_slices != 0,
                                 .start = clock_microseconds()};
    engine_go(engine->engine, &search);
    return NULL;
}

int luft_slice(LuftEngine *engine, int64_t milliseconds, uint64_t nodes) {
    static const int64_t longest = INT64_C(1000000000000); /* what takes longer has no end */
    const Slice slice = {.time = milliseconds > 0 && milliseconds < longest ? milliseconds * 1000 : 0,
                         .nodes = nodes > INT64_MAX ? 0 : nodes};
    switch (engine_slice(engine->engine, &slice)) {
    case SLICE_PAUSED: return LUFT_PAUSED;
    case SLICE_HELD: return LUFT_HELD;
    default: return LUFT_FINISHED;
    }
}

void luft_stop(LuftEngine *engine) {
    engine_stop(engine->engine);
    mutex_lock(&engine->explaining);
    if (engine->explainer != NULL) explainer_stop(engine->explainer);
    mutex_unlock(&engine->explaining);
}
void luft_ponderhit(LuftEngine *engine) { engine_ponderhit(engine->engine); }

const char *luft_wait(LuftEngine *engine) {
    engine_wait(engine->engine);
    return engine->best;
}

static void set_explainer(LuftEngine *engine, Explainer *explainer) {
    mutex_lock(&engine->explaining);
    engine->explainer = explainer;
    mutex_unlock(&engine->explaining);
}

/* Begins what luft_stop may end. NULL, with the reason in *status, for want of memory. */
static Explainer *begin_explaining(LuftEngine *engine, Status *status) {
    Explainer *explainer = explainer_create(engine_network(engine->engine), EXPLAIN_HASH, status);
    set_explainer(engine, explainer);
    buffer_clear(&engine->text);
    return explainer;
}

/* Ends it (also where it could not begin). The answer is in engine->text. */
static const char *end_explaining(LuftEngine *engine, Explainer *explainer, Status status,
                                  const char **json) {
    set_explainer(engine, NULL);
    explainer_destroy(explainer);
    return json_result(engine, status, json);
}

static Status check_game_goes_on(const Position *pos) {
    if (movegen_has_legal(pos)) return status_ok();
    return status_error("the game is over in this position: there is no legal move");
}

const char *luft_explain(LuftEngine *engine, const char *move, uint64_t nodes, const char **json) {
    const Position *pos = engine_position(engine->engine);
    Move read = MOVE_NONE;
    Explanation found = {0};
    Overview overview = {0};
    Explainer *explainer = NULL;
    Document document = answer(engine);
    const bool has_move = move != NULL && move[0] != '\0';
    Status status = has_move ? move_parse(pos, text_view(move), &read) : check_game_goes_on(pos);
    if (nodes == 0) nodes = EXPLAIN_NODES;
    if (status_is_ok(&status)) explainer = begin_explaining(engine, &status);
    if (status_is_ok(&status))
        status = has_move ? explainer_explain(explainer, pos, read, nodes, &found)
                          : overview_find(explainer, pos, nodes, &overview);
    if (status_is_ok(&status))
        has_move ? words_write(&document, &found) : overview_write(&document, &overview);
    explanation_release(&found);
    overview_release(&overview);
    return end_explaining(engine, explainer, status, json);
}

const char *luft_tree(LuftEngine *engine, int depth, const char *without, int rows, const char **json) {
    const Position *root = engine_position(engine->engine);
    TreeQuestion question = {.depth = depth, .size = {.rows = rows}};
    Tree trees[2];
    int count = 0;
    Explainer *explainer = NULL;
    Status status = changes_parse(text_view(without), CHANGE_ANY, &question.changes);
    if (status_is_ok(&status)) status = check_game_goes_on(root);
    if (status_is_ok(&status) && (depth < 1 || depth >= MAX_PLY || rows < 0))
        status = status_error("depth must be from 1 to %d, and rows not negative", MAX_PLY - 1);
    if (status_is_ok(&status)) explainer = begin_explaining(engine, &status);
    if (status_is_ok(&status)) status = explainer_grow(explainer, root, &question, trees, &count);
    Document document = answer(engine);
    if (count > 0) tree_write(&document, root, trees, count);
    for (int i = 0; i < count; i++) tree_release(&trees[i]);
    return end_explaining(engine, explainer, status, json);
}

const char *luft_technique(int index, const char **summary) {
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    if (index < 0 || index >= count) return NULL;
    *summary = rows[index].summary;
    return rows[index].name;
}

const char *luft_technique_summary(LuftEngine *engine, int index) {
    return index < 0 || index >= TECHNIQUE_COUNT ? NULL : engine->language->summaries[index];
}

const char *luft_set_language(LuftEngine *engine, const char *code) {
    const Language *language;
    const Status status = language_find(code, &language);
    if (status_is_ok(&status)) engine->language = language;
    return result_of(engine, status);
}

const char *luft_without(LuftEngine *engine, const char *names, uint64_t nodes, int depth,
                         const char **json) {
    const Position *pos = engine_position(engine->engine);
    SearchChanges changes = {0};
    Explainer *explainer = NULL;
    Status status = changes_parse(text_view(names), CHANGE_ANY, &changes);
    if (status_is_ok(&status) && nodes == 0 && depth <= 0)
        status = status_error("a search without a technique needs a number of nodes or a depth");
    if (status_is_ok(&status)) status = check_game_goes_on(pos);
    if (status_is_ok(&status)) explainer = begin_explaining(engine, &status);
    if (status_is_ok(&status)) {
        Document document = answer(engine);
        document_info(&document, pos, explainer_search_without(explainer, pos, &changes, nodes, depth));
    }
    return end_explaining(engine, explainer, status, json);
}

static double expected_score(const LuftInfo *info) {
    if (info->is_mate) return info->score > 0;
    return chances_expected((Chances){.win = info->win, .draw = info->draw}) / 1000;
}

static Assessment assessment_of(const LuftInfo *info) {
    const bool is_mate = info->is_mate != 0;
    return (Assessment){
        .expected = expected_score(info), .is_mate = is_mate, .mate = is_mate ? info->score : 0};
}

void luft_judge(const LuftInfo *before, const LuftInfo *second, const LuftInfo *after, int flags,
                LuftVerdict *verdict) {
    const MoveFacts facts = {.before = assessment_of(before),
                             .after = assessment_of(after),
                             .has_second = second != NULL,
                             .second = second != NULL ? expected_score(second) : 0,
                             .is_best = (flags & LUFT_MOVE_BEST) != 0,
                             .is_obvious = (flags & LUFT_MOVE_OBVIOUS) != 0,
                             .is_hidden = (flags & LUFT_MOVE_HIDDEN) != 0};
    const Verdict judged = verdict_of(&facts);
    *verdict = (LuftVerdict){
        .nag = verdict_nag(judged.kind), .loss = judged.loss, .accuracy = verdict_move_accuracy(judged.loss)};
}

double luft_accuracy(const double *losses, int count) { return verdict_accuracy(losses, count); }

int luft_bench(int depth, uint64_t *nodes) {
    if (depth < 1) return 0;
    once_run(&tables, chess_init);
    const BenchWatcher silent = {0};
    BenchResult result;
    Status status = bench_run(depth, &silent, &result);
    if (!status_is_ok(&status)) return 0;
    *nodes = result.nodes;
    return 1;
}
