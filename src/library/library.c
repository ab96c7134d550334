/* include/luft.h: converts between plain C types and those of engine.h, which does the work. */
#include "library/library.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/sync.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "engine/bench.h"
#include "engine/chances.h"
#include "engine/document.h"
#include "engine/engine.h"
#include "engine/lines.h"
#include "engine/verdict.h"
#include "engine/version.h"
#include "explain/words.h"
#include "include/luft.h"
#include "library/contract.h"
#include "library/games.h"
#include "library/moves.h"
#include "nnue/embedded.h"
#include "nnue/network.h"
#include "overview/overview.h"
#include "record/tree_view.h"

#include <string.h>

/* Guards chess_init, because a program may create engines in several threads. */
static Once tables = ONCE_INITIAL;

struct LuftEngine {
    Contract contract;
    Engine *engine;
    LuftListener listener;
    Status status;            /* of the last call; holds the reason that callers receive */
    Status store;             /* of the store during the last search */
    TextBuffer text;          /* holds the text that the last call returned */
    const Language *language; /* of explanations */
    Explainer *explainer;     /* NULL when no explanation is running; guarded by contract.mutex */
    TextBuffer start;         /* the FEN of luft_set_position */
    TextBuffer moves;         /* made since then, in UCI */
    TextBuffer line;          /* holds LuftInfo.line; used by the search thread only */
    char best[LAN_CAPACITY];  /* written by the search thread before luft_wait returns */
};

/* Begins a call. Returns the reason why it is refused; NULL if it is not, then `leave` ends it. */
static const char *enter(LuftEngine *engine, Call call) {
    if (engine == NULL) return contract_answer(contract_kind(call), NOWHERE);
    const char *refusal = contract_enter(&engine->contract, call);
    /* Its best move has been reported, but the search may still be in that callback. */
    if (refusal == NULL && contract_kind(call) == CHANGE) engine_wait(engine->engine);
    return refusal;
}

static const char *leave(LuftEngine *engine, Call call, Status status) {
    engine->status = status;
    return contract_leave(&engine->contract, call, status_is_ok(&status) ? NULL : engine->status.reason);
}

/* Ends a call that returns the text in engine->text. */
static const char *leave_with_buffer(LuftEngine *engine, Call call, Status status) {
    if (status_is_ok(&status) && engine->text.failed) status = status_no_memory("the answer");
    const char *text = buffer_string(&engine->text);
    return leave(engine, call, status) == NULL ? text : NULL;
}

static const char *leave_with(LuftEngine *engine, Call call, const char *text) {
    buffer_clear(&engine->text);
    buffer_append_string(&engine->text, text);
    return leave_with_buffer(engine, call, status_ok());
}

/* For an argument that must not be NULL. */
static Status require(const void *argument, const char *name) {
    return argument != NULL ? status_ok() : status_error("%s is NULL", name);
}

static Document answer(LuftEngine *engine) {
    return (Document){
        .out = &engine->text, .form = DOCUMENT_JSON, .language = engine->language, .detailed = true};
}

/* The same for a call that returns it through a pointer; NULL if it fails. */
static const char *leave_with_json(LuftEngine *engine, Call call, Status status, const char **json) {
    const char *text = leave_with_buffer(engine, call, status);
    if (text == NULL && json != NULL) *json = NULL;
    if (text == NULL) return engine->status.reason;
    *json = text;
    return NULL;
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
    contract_report(&engine->contract);
    engine->listener.info(engine->listener.context, &report);
    contract_report(NULL);
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
    contract_found(&engine->contract);
    if (engine->listener.best_move == NULL) return;
    contract_report(&engine->contract);
    engine->listener.best_move(engine->listener.context, engine->best, expected);
    contract_report(NULL);
}

static bool poll_listener(void *context) {
    LuftEngine *engine = context;
    contract_report(&engine->contract);
    const bool stops = engine->listener.poll(engine->listener.context) != 0;
    contract_report(NULL);
    return stops;
}

const char *luft_version(void) { return ENGINE_VERSION; }
int luft_version_number(void) { return LUFT_VERSION; }
int luft_abi(void) { return LUFT_ABI; }

const char *luft_fault(LuftEngine *engine) {
    return engine != NULL ? contract_fault(&engine->contract) : contract_answer(QUESTION, NOWHERE);
}

static void copy_reason(const Status *status, char *error, size_t capacity) {
    if (error != NULL && capacity > 0) text_copy(text_view(status->reason), error, capacity);
}

int luft_provide_network(const void *bytes, size_t size, char *error, size_t capacity) {
    Status status = require(bytes, "the network");
    if (status_is_ok(&status)) network_destroy(network_parse(bytes, size, &status));
    if (status_is_ok(&status)) status = embedded_provide(bytes, size);
    copy_reason(&status, error, capacity);
    return status_is_ok(&status);
}

LuftEngine *library_create(const LuftListener *listener, char *error, size_t capacity) {
    once_run(&tables, chess_init);
    Status status = status_no_memory("the engine");
    LuftEngine *engine = memory_allocate(sizeof *engine);
    if (engine != NULL) {
        if (listener != NULL) engine->listener = *listener;
        engine->language = language_row(0);
        contract_init(&engine->contract);
        const SearchListener search = {.context = engine,
                                       .info = report_info,
                                       .poll = engine->listener.poll != NULL ? poll_listener : NULL,
                                       .best_move = report_best_move};
        engine->engine = engine_create(&search, &status);
        if (engine->engine != NULL) return engine;
        contract_destroy(&engine->contract);
    }
    memory_release(engine);
    copy_reason(&status, error, capacity);
    return NULL;
}

const char *luft_destroy(LuftEngine *engine) {
    const char *refusal = enter(engine, CALL_destroy);
    if (refusal != NULL || engine == NULL) return refusal;
    engine_destroy(engine->engine);
    buffer_release(&engine->start);
    buffer_release(&engine->moves);
    buffer_release(&engine->text);
    buffer_release(&engine->line);
    contract_destroy(&engine->contract);
    memory_release(engine);
    return NULL;
}

/* --- options --- */

static int option_type(const Field *field) {
    switch (field->kind) {
    case FIELD_KIND_FLAG: return LUFT_FLAG;
    case FIELD_KIND_INT: return LUFT_NUMBER;
    case FIELD_KIND_TEXT: return LUFT_TEXT;
    case FIELD_KIND_CHOICE: return LUFT_CHOICE;
    default: return LUFT_BUTTON;
    }
}

int luft_option(int index, LuftOption *option) {
    const Option *row = options_row(index);
    if (row == NULL || option == NULL) return 0;
    const Field *field = &row->field;
    const int type = option_type(field);
    *option = (LuftOption){.name = field->name,
                           .help = field->help != NULL ? field->help : "",
                           .standard = field->standard != NULL ? field->standard
                                       : type == LUFT_FLAG     ? "false"
                                                               : "",
                           .type = type,
                           .low = type == LUFT_NUMBER ? (int)field->low : 0,
                           .high = type == LUFT_NUMBER ? (int)field->high : 0,
                           .choices = row->choices};
    return 1;
}

/* UCI rounds the numbers of options, and takes "+16" and blanks; a program gives digits alone. */
static Status check_number(TextView name, const char *value) {
    if (value == NULL || value[strspn(value, "-0123456789")] == '\0') return status_ok();
    const Option *row;
    for (int i = 0; (row = options_row(i)) != NULL; i++)
        if (row->field.kind == FIELD_KIND_INT && text_equals_ignore_case(name, row->field.name))
            return status_error("option %s needs a whole number, not '%.40s'", row->field.name, value);
    return status_ok();
}

const char *luft_set_option(LuftEngine *engine, const char *name, const char *value) {
    const char *refusal = enter(engine, CALL_set_option);
    if (refusal != NULL) return refusal;
    Status status = require(name, "the name of the option");
    if (status_is_ok(&status)) status = check_number(text_view(name), value);
    if (status_is_ok(&status)) status = engine_check_store(engine->engine, text_view(name), text_view(value));
    if (status_is_ok(&status)) status = engine_set_option(engine->engine, text_view(name), text_view(value));
    return leave(engine, CALL_set_option, status);
}

const char *luft_load_network(LuftEngine *engine, const void *bytes, size_t size) {
    const char *refusal = enter(engine, CALL_load_network);
    if (refusal != NULL) return refusal;
    Status status = require(bytes, "the network");
    if (status_is_ok(&status)) status = engine_load_network(engine->engine, bytes, size);
    return leave(engine, CALL_load_network, status);
}

/* --- the position --- */

/* Sets up the position, and keeps the texts from which it came. */
static Status set_position(LuftEngine *engine, TextView fen, TextView moves) {
    TextBuffer start = {0}, played = {0};
    Move recent[LEVEL_RECENT] = {MOVE_NONE, MOVE_NONE};
    Position pos;
    if (text_is_empty(text_trim(fen))) fen = text_view(FEN_START);
    buffer_append(&start, fen);
    Status status = reader_take_position(&pos, &fen, engine_options(engine->engine)->chess960, NULL);
    if (status_is_ok(&status)) status = moves_play(&pos, moves, &played, recent);
    if (status_is_ok(&status) && (start.failed || played.failed)) status = status_no_memory("the moves");
    if (status_is_ok(&status)) {
        const TextBuffer before[] = {engine->start, engine->moves};
        engine_use_position(engine->engine, &pos, recent);
        engine->start = start;
        engine->moves = played;
        start = before[0];
        played = before[1];
    }
    buffer_release(&start);
    buffer_release(&played);
    return status;
}

const char *luft_set_position(LuftEngine *engine, const char *fen, const char *moves) {
    const char *refusal = enter(engine, CALL_set_position);
    if (refusal != NULL) return refusal;
    return leave(engine, CALL_set_position, set_position(engine, text_view(fen), text_view(moves)));
}

const char *luft_make_move(LuftEngine *engine, const char *move) {
    const char *refusal = enter(engine, CALL_make_move);
    if (refusal != NULL) return refusal;
    const Position *pos = engine_position(engine->engine);
    const size_t length = engine->moves.length;
    char lan[LAN_CAPACITY];
    Move read = MOVE_NONE;
    Status status = moves_read(pos, text_view(move), &read);
    if (status_is_ok(&status)) {
        lan_write(pos, read, lan);
        buffer_append_format(&engine->moves, length > 0 ? " %s" : "%s", lan);
        if (engine->moves.failed) status = status_no_memory("the move");
    }
    if (status_is_ok(&status))
        status =
            engine_set_position(engine->engine, buffer_view(&engine->start), buffer_view(&engine->moves));
    if (!status_is_ok(&status)) buffer_cut(&engine->moves, length);
    return leave(engine, CALL_make_move, status);
}

const char *luft_take_back(LuftEngine *engine) {
    const char *refusal = enter(engine, CALL_take_back);
    if (refusal != NULL) return refusal;
    TextView moves = buffer_view(&engine->moves);
    Status status = status_error("there is no move to take back");
    if (moves.length > 0) {
        while (moves.length > 0 && moves.data[moves.length - 1] != ' ') moves.length--;
        moves = text_trim(moves);
        status = engine_set_position(engine->engine, buffer_view(&engine->start), moves);
    }
    if (status_is_ok(&status)) buffer_cut(&engine->moves, moves.length);
    return leave(engine, CALL_take_back, status);
}

const char *luft_new_game(LuftEngine *engine) {
    const char *refusal = enter(engine, CALL_new_game);
    if (refusal != NULL) return refusal;
    engine_new_game(engine->engine);
    return leave(engine, CALL_new_game, status_ok());
}

/* --- questions --- */

const char *luft_fen(LuftEngine *engine) {
    char fen[FEN_CAPACITY];
    if (enter(engine, CALL_fen) != NULL) return NULL;
    fen_write(engine_position(engine->engine), fen);
    return leave_with(engine, CALL_fen, fen);
}

const char *luft_legal_moves(LuftEngine *engine) {
    Move moves[MAX_MOVES];
    if (enter(engine, CALL_legal_moves) != NULL) return NULL;
    const Position *pos = engine_position(engine->engine);
    set_moves(&engine->text, pos, moves, movegen_legal(pos, moves));
    return leave_with_buffer(engine, CALL_legal_moves, status_ok());
}

const char *luft_san(LuftEngine *engine, const char *moves) {
    TextBuffer san = {0};
    if (enter(engine, CALL_san) != NULL) return NULL;
    const Status status = moves_write_san(engine_position(engine->engine), text_view(moves), &san);
    buffer_clear(&engine->text);
    buffer_append(&engine->text, buffer_view(&san));
    engine->text.failed |= san.failed;
    buffer_release(&san);
    return leave_with_buffer(engine, CALL_san, status);
}

const char *luft_move_from_san(LuftEngine *engine, const char *san) {
    char move[LAN_CAPACITY];
    Move read = MOVE_NONE;
    if (enter(engine, CALL_move_from_san) != NULL) return NULL;
    const Position *pos = engine_position(engine->engine);
    const Status status = moves_read_san(pos, text_trim(text_view(san)), &read);
    if (!status_is_ok(&status)) return leave(engine, CALL_move_from_san, status), NULL;
    lan_write(pos, read, move);
    return leave_with(engine, CALL_move_from_san, move);
}

int luft_in_check(LuftEngine *engine) {
    if (enter(engine, CALL_in_check) != NULL) return LUFT_REFUSED;
    const bool in_check = position_in_check(engine_position(engine->engine));
    leave(engine, CALL_in_check, status_ok());
    return in_check;
}

_Static_assert((int)GAME_GOES_ON == LUFT_GOES_ON && (int)CHECKMATE == LUFT_CHECKMATE &&
                   (int)STALEMATE == LUFT_STALEMATE && (int)THREEFOLD_REPETITION == LUFT_REPETITION &&
                   (int)FIFTY_MOVES == LUFT_FIFTY_MOVES && (int)DEAD_POSITION == LUFT_DEAD_POSITION,
               "the ends in luft.h are those of chess/game.h");

int luft_game_end(LuftEngine *engine) {
    if (enter(engine, CALL_game_end) != NULL) return LUFT_REFUSED;
    const GameEnd end = game_end(engine_position(engine->engine));
    leave(engine, CALL_game_end, status_ok());
    return (int)end;
}

const char *luft_evaluate(LuftEngine *engine, int *centipawns) {
    const char *refusal = enter(engine, CALL_evaluate);
    if (refusal != NULL) return refusal;
    Inspection inspection;
    Status status = require(centipawns, "centipawns");
    if (status_is_ok(&status)) status = engine_evaluate(engine->engine, &inspection);
    if (status_is_ok(&status)) *centipawns = score_to_centipawns(inspection.value);
    return leave(engine, CALL_evaluate, status);
}

const char *luft_read(LuftEngine *engine, const void *bytes, size_t size, int most, const char **json) {
    const char *refusal = enter(engine, CALL_read);
    if (refusal != NULL) return refusal;
    Reader reader;
    Document document = answer(engine);
    Status status = require(json, "json");
    if (status_is_ok(&status) && size > 0) status = require(bytes, "the text");
    if (status_is_ok(&status) && most < 0) status = status_error("most must not be negative");
    if (!status_is_ok(&status)) return leave_with_json(engine, CALL_read, status, json);
    buffer_clear(&engine->text);
    status = reader_open_text(&reader, (TextView){bytes, size});
    if (status_is_ok(&status))
        status = games_write(&document, &reader, most, engine_options(engine->engine)->chess960);
    reader_close(&reader);
    return leave_with_json(engine, CALL_read, status, json);
}

/* --- searching --- */

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

static Status parse_search_moves(const Position *pos, TextView text, SearchLimits *limits) {
    TextView word;
    while ((word = text_next_word(&text)).length > 0) {
        Move move = MOVE_NONE;
        const Status status = moves_read(pos, word, &move);
        if (!status_is_ok(&status)) return status_error("the limit search_moves: %.200s", status.reason);
        bool known = false;
        for (int i = 0; i < limits->search_move_count; i++) known = known || limits->search_moves[i] == move;
        if (!known) limits->search_moves[limits->search_move_count++] = move;
    }
    return status_ok();
}

const char *luft_go(LuftEngine *engine, const LuftLimits *limits) {
    const char *refusal = enter(engine, CALL_go);
    if (refusal != NULL) return refusal;
    engine->best[0] = '\0';
    engine_take_store_fault(engine->engine); /* of the search before, for which nobody has waited */
    engine->store = status_ok();
    Status status = require(limits, "limits");
    if (status_is_ok(&status)) status = check_limits(limits);
    if (!status_is_ok(&status)) return leave(engine, CALL_go, status);
    const bool has_clock = limits->white_clock != 0 || limits->black_clock != 0 ||
                           limits->white_increment != 0 || limits->black_increment != 0;
    SearchLimits search = {.depth = limits->depth,
                           .nodes = limits->nodes,
                           .has_move_time = limits->move_time != 0,
                           .move_time = limits->move_time,
                           .has_clock = {has_clock, has_clock},
                           .clock = {limits->white_clock, limits->black_clock},
                           .increment = {limits->white_increment, limits->black_increment},
                           .moves_to_go = limits->moves_to_go,
                           .mate = limits->mate,
                           .ponder = limits->ponder != 0,
                           .in_slices = limits->in_slices != 0,
                           .start = clock_microseconds()};
    status = parse_search_moves(engine_position(engine->engine), text_view(limits->search_moves), &search);
    if (!status_is_ok(&status)) return leave(engine, CALL_go, status);
    contract_search(&engine->contract, search.in_slices || !THREADS_EXIST ? SLICING : SEARCHING);
    engine_go(engine->engine, &search);
    engine->store = engine_take_store_fault(engine->engine);
    if (status_is_ok(&engine->store)) engine->store = engine_store_refusal(engine->engine);
    return contract_leave(&engine->contract, CALL_wait, NULL);
}

int luft_slice(LuftEngine *engine, int64_t milliseconds, uint64_t nodes) {
    static const int64_t longest = INT64_C(1000000000000); /* what takes longer has no end */
    const Slice slice = {.time = milliseconds > 0 && milliseconds < longest ? milliseconds * 1000 : 0,
                         .nodes = nodes > INT64_MAX ? 0 : nodes};
    if (enter(engine, CALL_slice) != NULL) return LUFT_REFUSED;
    const SliceEnd end = engine_slice(engine->engine, &slice);
    contract_leave(&engine->contract, CALL_slice, NULL);
    switch (end) {
    case SLICE_PAUSED: return LUFT_PAUSED;
    case SLICE_HELD: return LUFT_HELD;
    default: return LUFT_FINISHED;
    }
}

/* The mutex keeps what is searching in place. */
void luft_stop(LuftEngine *engine) {
    if (enter(engine, CALL_stop) != NULL) return;
    mutex_lock(&engine->contract.mutex);
    if (engine->contract.activity != IDLE) engine_stop(engine->engine);
    if (engine->explainer != NULL) explainer_stop(engine->explainer);
    mutex_unlock(&engine->contract.mutex);
}

void luft_ponderhit(LuftEngine *engine) {
    if (enter(engine, CALL_ponderhit) != NULL) return;
    mutex_lock(&engine->contract.mutex);
    if (engine->contract.activity != IDLE) engine_ponderhit(engine->engine);
    mutex_unlock(&engine->contract.mutex);
}

const char *luft_wait(LuftEngine *engine) {
    if (enter(engine, CALL_wait) != NULL) return NULL;
    engine_wait(engine->engine);
    const Status later = engine_take_store_fault(engine->engine);
    if (status_is_ok(&engine->store)) engine->store = later;
    contract_leave(&engine->contract, CALL_wait, status_is_ok(&engine->store) ? NULL : engine->store.reason);
    return engine->best;
}

/* --- judging moves --- */

static void set_explainer(LuftEngine *engine, Explainer *explainer) {
    mutex_lock(&engine->contract.mutex);
    engine->explainer = explainer;
    mutex_unlock(&engine->contract.mutex);
}

/* Begins what luft_stop may end. NULL, with the reason in *status, for want of memory. */
static Explainer *begin_explaining(LuftEngine *engine, Status *status) {
    Explainer *explainer = explainer_create(engine_network(engine->engine), EXPLAIN_HASH, status);
    set_explainer(engine, explainer);
    buffer_clear(&engine->text);
    return explainer;
}

/* Ends it (also where it could not begin). The answer is in engine->text. */
static const char *end_explaining(LuftEngine *engine, Call call, Explainer *explainer, Status status,
                                  const char **json) {
    set_explainer(engine, NULL);
    explainer_destroy(explainer);
    return leave_with_json(engine, call, status, json);
}

const char *luft_explain(LuftEngine *engine, const char *move, uint64_t nodes, const char **json) {
    const char *refusal = enter(engine, CALL_explain);
    if (refusal != NULL) return refusal;
    const Position *pos = engine_position(engine->engine);
    Move read = MOVE_NONE;
    Explanation found = {0};
    Overview overview = {0};
    Explainer *explainer = NULL;
    Document document = answer(engine);
    const bool has_move = move != NULL && move[0] != '\0';
    Status status = require(json, "json");
    if (status_is_ok(&status))
        status = has_move ? moves_read(pos, text_view(move), &read) : lines_check_moves(pos);
    if (nodes == 0) nodes = EXPLAIN_NODES;
    if (status_is_ok(&status)) explainer = begin_explaining(engine, &status);
    if (status_is_ok(&status))
        status = has_move ? explainer_explain(explainer, pos, read, nodes, &found)
                          : overview_find(explainer, pos, nodes, &overview);
    if (status_is_ok(&status))
        has_move ? words_write(&document, &found) : overview_write(&document, &overview);
    explanation_release(&found);
    overview_release(&overview);
    return end_explaining(engine, CALL_explain, explainer, status, json);
}

const char *luft_tree(LuftEngine *engine, int depth, const char *without, int rows, const char **json) {
    const char *refusal = enter(engine, CALL_tree);
    if (refusal != NULL) return refusal;
    const Position *root = engine_position(engine->engine);
    TreeQuestion question = {.depth = depth, .size = {.rows = rows}};
    Tree trees[2];
    Status missing = status_ok(); /* of a line: there is none */
    int count = 0;
    Explainer *explainer = NULL;
    Status status = require(json, "json");
    if (status_is_ok(&status)) status = changes_parse(text_view(without), CHANGE_ANY, &question.changes);
    if (status_is_ok(&status)) status = lines_check_moves(root);
    if (status_is_ok(&status) && (depth < 1 || depth >= MAX_PLY))
        status = status_error("depth must be from 1 to %d, not %d", MAX_PLY - 1, depth);
    if (status_is_ok(&status) && rows < 0) status = status_error("rows must not be negative");
    if (status_is_ok(&status)) explainer = begin_explaining(engine, &status);
    if (status_is_ok(&status)) status = explainer_grow(explainer, root, &question, trees, &count, &missing);
    if (status_is_ok(&status) && !status_is_ok(&missing)) status = missing;
    Document document = answer(engine);
    if (count > 0) tree_write(&document, root, trees, count);
    for (int i = 0; i < count; i++) tree_release(&trees[i]);
    return end_explaining(engine, CALL_tree, explainer, status, json);
}

const char *luft_technique(int index, const char **summary) {
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    if (index < 0 || index >= count) return NULL;
    if (summary != NULL) *summary = rows[index].summary;
    return rows[index].name;
}

const char *luft_technique_summary(LuftEngine *engine, int index) {
    if (enter(engine, CALL_technique_summary) != NULL) return NULL;
    const bool exists = index >= 0 && index < TECHNIQUE_COUNT;
    const char *summary = exists ? engine->language->summaries[index] : NULL;
    leave(engine, CALL_technique_summary, status_ok());
    return summary;
}

const char *luft_set_language(LuftEngine *engine, const char *code) {
    const char *refusal = enter(engine, CALL_set_language);
    if (refusal != NULL) return refusal;
    const Language *language;
    Status status = require(code, "code");
    if (status_is_ok(&status)) status = language_find(code, &language);
    if (status_is_ok(&status)) engine->language = language;
    return leave(engine, CALL_set_language, status);
}

const char *luft_without(LuftEngine *engine, const char *names, uint64_t nodes, int depth,
                         const char **json) {
    const char *refusal = enter(engine, CALL_without);
    if (refusal != NULL) return refusal;
    const Position *pos = engine_position(engine->engine);
    SearchChanges changes = {0};
    Explainer *explainer = NULL;
    Status status = require(json, "json");
    if (status_is_ok(&status)) status = changes_parse(text_view(names), CHANGE_ANY, &changes);
    if (status_is_ok(&status) && (depth < 0 || (nodes == 0 && depth == 0)))
        status = status_error("nodes or depth must be above 0, and depth not negative");
    if (status_is_ok(&status)) status = lines_check_moves(pos);
    if (status_is_ok(&status)) explainer = begin_explaining(engine, &status);
    if (status_is_ok(&status)) {
        Document document = answer(engine);
        document_info(&document, pos, explainer_search_without(explainer, pos, &changes, nodes, depth));
    }
    return end_explaining(engine, CALL_without, explainer, status, json);
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
    if (verdict == NULL) return;
    *verdict = (LuftVerdict){0};
    if (before == NULL || after == NULL) return;
    const MoveFacts facts = {.before = assessment_of(before),
                             .after = assessment_of(after),
                             .has_second = second != NULL,
                             .second = second != NULL ? expected_score(second) : 0,
                             .is_best = (flags & LUFT_MOVE_BEST) != 0,
                             .is_obvious = (flags & LUFT_MOVE_OBVIOUS) != 0,
                             .is_hidden = (flags & LUFT_MOVE_HIDDEN) != 0};
    const Verdict judged = verdict_of(&facts);
    *verdict = (LuftVerdict){.nag = verdict_nag(judged.kind),
                             .loss = judged.loss,
                             .accuracy = verdict_move_accuracy(judged.loss),
                             .before = facts.before.expected,
                             .after = 1 - facts.after.expected};
}

double luft_accuracy(const double *losses, int count) {
    return verdict_accuracy(losses, losses != NULL && count > 0 ? count : 0);
}

int luft_bench(int depth, uint64_t *nodes) {
    if (depth < 1 || nodes == NULL) return 0;
    once_run(&tables, chess_init);
    const BenchWatcher silent = {0};
    BenchResult result;
    Status status = bench_run(depth, &silent, &result);
    if (!status_is_ok(&status)) return 0;
    *nodes = result.nodes;
    return 1;
}
