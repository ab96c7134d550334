#include "engine/engine.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/rng.h"
#include "base/sync.h"
#include "chess/fen.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "engine/notebook.h"
#include "nnue/network.h"
#include "search/params.h"
#include "search/pool.h"
#include "tb/syzygy.h"

#include <assert.h>
#include <stdatomic.h>

struct Engine {
    Options options;
    Position position;
    Network *network;
    Syzygy tables;
    SearchListener listener;
    SearchPool *pool;
    SearchPool *level_pool; /* NULL until a level is wanted; a level leaves nothing in the other one */
    _Atomic(SearchPool *) searching; /* the one that searches, or searched last; written by the owner only */
    atomic_bool ends_at_ponderhit;   /* of the search in progress; written by the owner only */
    Move recent[LEVEL_RECENT];
    uint64_t seed; /* of a level in this game; 0: not drawn yet */
    Level level;
    Notebook *notebook;
    bool is_analysis; /* of the search that began last */
};

Engine *engine_create(const SearchListener *listener, Status *status) {
    Engine *engine = memory_allocate(sizeof *engine);
    if (engine == NULL) {
        *status = status_no_memory("the engine");
        return NULL;
    }
    if (listener != NULL) engine->listener = *listener;
    engine->options = options_standard();
    *status = fen_parse(&engine->position, text_view(FEN_START), false);
    if (status_is_ok(status)) engine->network = network_open_embedded(status);
    engine->notebook = notebook_create();
    if (status_is_ok(status) && engine->notebook == NULL) *status = status_no_memory("the engine");
    if (status_is_ok(status))
        engine->pool = pool_create(&engine->listener, (size_t)engine->options.hash, engine->network, status);
    if (engine->pool == NULL) {
        notebook_destroy(engine->notebook);
        network_destroy(engine->network);
        memory_release(engine);
        return NULL;
    }
    atomic_store(&engine->searching, engine->pool);
    return engine;
}

void engine_destroy(Engine *engine) {
    if (engine == NULL) return;
    pool_stop(engine->pool);
    pool_wait(engine->pool);
    notebook_end(engine->notebook);
    notebook_destroy(engine->notebook);
    pool_destroy(engine->level_pool);
    pool_destroy(engine->pool);
    network_destroy(engine->network);
    syzygy_load(&engine->tables, text_view(""));
    memory_release(engine);
}

/* The pool in which levels play: its one thread and small table make a level the same everywhere. */
static SearchPool *create_level_pool(const Engine *engine, const Network *network, Status *status) {
    enum { LEVEL_HASH = 1 /* MiB */ };
    return pool_create(&engine->listener, LEVEL_HASH, network, status);
}

/* The old network stays when the new one is refused (NULL with the reason in `status`, or by the pool). The
 * table holds scores of the old one, so it is cleared. */
static Status use_network(Engine *engine, Network *network, Status status) {
    SearchPool *level_pool = NULL;
    if (status_is_ok(&status) && engine->level_pool != NULL)
        level_pool = create_level_pool(engine, network, &status);
    if (status_is_ok(&status)) status = pool_set_network(engine->pool, network);
    if (!status_is_ok(&status)) {
        pool_destroy(level_pool);
        network_destroy(network);
        return status;
    }
    atomic_store(&engine->searching, engine->pool);
    pool_destroy(engine->level_pool);
    engine->level_pool = level_pool;
    notebook_close(engine->notebook);
    network_destroy(engine->network);
    engine->network = network;
    pool_clear(engine->pool);
    return status;
}

/* --- options --- */

static Status change_network(Engine *engine, const Options *wanted, TextView path) {
    (void)wanted;
    Status status = status_ok();
    Network *network = NULL;
    if (text_is_empty(path) || text_equals(path, EVAL_FILE_EMBEDDED)) {
        network = network_open_embedded(&status);
    } else {
        TextBuffer terminated = {0};
        buffer_append(&terminated, path);
        network = network_load(buffer_string(&terminated), &status);
        buffer_release(&terminated);
    }
    return use_network(engine, network, status);
}

Status engine_load_network(Engine *engine, const void *bytes, size_t size) {
    Status status = status_ok();
    Network *network = network_parse(bytes, size, &status);
    return use_network(engine, network, status);
}

/* The table holds scores that were found without these tablebases, so it is cleared. */
static Status change_tablebases(Engine *engine, const Options *wanted, TextView path) {
    (void)wanted;
    if (text_equals(path, SYZYGY_PATH_EMPTY)) path = text_view("");
    Status status = syzygy_load(&engine->tables, path);
    notebook_close(engine->notebook);
    if (status_is_ok(&status)) pool_clear(engine->pool);
    return status;
}

static Status change_hash(Engine *engine, const Options *wanted, TextView value) {
    (void)value;
    return pool_set_hash(engine->pool, (size_t)wanted->hash);
}

static Status change_threads(Engine *engine, const Options *wanted, TextView value) {
    (void)value;
    return pool_set_threads(engine->pool, wanted->threads);
}

/* The strength of the level, 0 at full strength. */
static int level_elo(const Options *options) {
    if (options->limit_strength) return options->elo;
    return options->skill < LEVEL_SKILL_MAX ? level_elo_of_skill(options->skill) : 0;
}

static Status change_level(Engine *engine, const Options *wanted, TextView value) {
    (void)value;
    Status status = status_ok();
    if (level_elo(wanted) > 0 && engine->level_pool == NULL)
        engine->level_pool = create_level_pool(engine, engine->network, &status);
    return status;
}

static TextView store_path(TextView value) {
    return text_equals(value, STORE_FILE_EMPTY) ? text_view("") : value;
}

static Status change_store(Engine *engine, const Options *wanted, TextView path) {
    (void)wanted;
    return notebook_set_file(engine->notebook, store_path(path));
}

static Status close_store(Engine *engine, const Options *wanted, TextView value) {
    (void)wanted, (void)value;
    notebook_close(engine->notebook);
    return status_ok();
}

static Status clear_hash(Engine *engine, const Options *wanted, TextView value) {
    (void)wanted, (void)value;
    pool_clear(engine->pool);
    return status_ok();
}

static Status change_chess960(Engine *engine, const Options *wanted, TextView value) {
    (void)value;
    if (wanted->chess960 != engine->options.chess960)
        engine->position.chess960 = wanted->chess960 || fen_needs_chess960(&engine->position);
    return status_ok();
}

/* What stands in the braces of a row, next to FIELD_FLAG and FIELD_WHOLE: a text or a button, which have no
 * member; the value goes to `change`. */
#define OPTION_STRING(name_, standard_, help_) \
    .kind = FIELD_KIND_TEXT, .name = name_, .standard = standard_, .help = help_
#define OPTION_BUTTON(name_, help_) .kind = FIELD_KIND_TAKEN, .name = name_, .help = help_

static const char *const STORE_MODES[] = {"off", "read", "write", NULL}; /* NotebookMode */

#define FIELD_STRUCT Options
const Option ENGINE_OPTIONS[] = {
    {.field = {FIELD_WHOLE(
         "Hash", "MiB", hash, 1, HASH_MAX, "16",
         "Size of the transposition table in MiB. A size above the memory of the machine is refused.")},
     .change = change_hash},
    {.field = {FIELD_WHOLE("Threads", "N", threads, 1, THREADS_EXIST ? THREADS_MAX : 1, "1",
                           "Number of searching threads. More threads than processors do not help.")},
     .change = change_threads},
    {.field = {OPTION_BUTTON("Clear Hash", "Empties the transposition table.")}, .change = clear_hash},
    {.field = {FIELD_FLAG("Ponder", ponder,
                          "Tells the graphical program that the engine can think on the opponent's time.")}},
    {.field = {FIELD_WHOLE("MultiPV", "N", multi_pv, 1, MAX_MOVES, "1", "How many lines to show.")}},
    {.field = {FIELD_WHOLE(
         "Move Overhead", "MS", move_overhead, 0, 5000, "10",
         "Milliseconds lost on every move between program and engine. Raise it when games are lost on "
         "time.")}},
    {.field = {FIELD_WHOLE(
         "nodestime", "N", node_time, 0, 10000, "0",
         "For tests on a busy machine: the clock counts nodes, N of them as a millisecond. The engine keeps "
         "it, from the first move of a game on; the other program must not end games on time. 0: the clock "
         "measures time.")}},
    {.field = {OPTION_STRING("EvalFile", EVAL_FILE_EMBEDDED,
                             "A network to evaluate with instead of the one inside the program.")},
     .change = change_network},
    {.field = {FIELD_FLAG("UCI_Chess960", chess960, "Castling is written as king takes rook.")},
     .change = change_chess960},
    {.field = {FIELD_FLAG(
         "UCI_ShowWDL", show_wdl,
         "After each score, the chances of the side to move to win, draw and lose, in permille: wdl 80 "
         "850 70. They are what followed such a score, with that much material on the board, in games "
         "of the engine against itself.")}},
    {.field = {FIELD_FLAG(
         "UCI_ShowRefutations", show_refutations,
         "After an iteration, the reply that refutes each move that is not the best: info refutation "
         "d1h5 g6h5.")}},
    {.field = {FIELD_FLAG(
         "UCI_ShowCurrLine", show_current_line,
         "Some times a second, the line that is being searched: info currline d1h5 g6h5. With several "
         "threads it is that of the first: info currline 1 d1h5.")}},
    {.field = {FIELD_FLAG(
         "UCI_AnalyseMode", analyse_mode,
         "For analysis, where nobody waits for a move: the engine searches on even if there is only one "
         "legal move.")}},
    {.field = {OPTION_STRING(
         "SyzygyPath", SYZYGY_PATH_EMPTY,
         "The folders with Syzygy tablebases, with a colon between them (on Windows a semicolon). "
         "When a folder or file cannot be used, the engine says which and keeps the tables it had.")},
     .change = change_tablebases},
    {.field = {FIELD_WHOLE(
         "SyzygyProbeDepth", "PLIES", tablebase_depth, 1, 100, "1",
         "Inside the tree, probe the tables only where at least that many plies are left to search.")}},
    {.field = {FIELD_WHOLE(
         "SyzygyProbeLimit", "N", tablebase_pieces, 0, 7, "7",
         "Probe the tables only with at most that many pieces and pawns on the board, kings included; "
         "with 0 never.")}},
    {.field = {FIELD_ROW(
         FIELD_IS_FLAG(fifty_move_rule), "Syzygy50MoveRule", NULL, fifty_move_rule, "true",
         "Whether a win that takes longer than the fifty-move rule allows counts as a draw.")}},
    {.field = {FIELD_FLAG(
         "UCI_LimitStrength", limit_strength,
         "Play as an opponent of the strength UCI_Elo would: it overlooks moves as people do.")},
     .change = change_level},
    {.field = {FIELD_WHOLE("UCI_Elo", "ELO", elo, LEVEL_ELO_MIN, LEVEL_ELO_MAX, "1500",
                           "The strength with UCI_LimitStrength.")},
     .is_clamped = true},
    {.field = {FIELD_WHOLE("Skill Level", "N", skill, 0, LEVEL_SKILL_MAX, "20",
                           "Another name for a strength, for programs that know no UCI_Elo: N below 20 is "
                           "UCI_Elo 600 + 120 N, 20 is full strength. UCI_LimitStrength takes precedence.")},
     .change = change_level,
     .is_clamped = true},
    {.field = {FIELD_WHOLE(
         "Level Seed", "N", level_seed, 0, INT32_MAX, "0",
         "At a limited strength the same seed gives the same game: on any machine, with any "
         "clock. 0: another seed for each game.")}},
    {.field = {FIELD_ROW(
         FIELD_IS_FLAG(level_pace), "Level Pace", NULL, level_pace, "true",
         "At a limited strength, take as long as a person would where the game has a clock.")}},
    {.field = {OPTION_STRING(
         "StoreFile", STORE_FILE_EMPTY,
         "A file that keeps what is found in analysis. Only a search without clock, pondering and limit of "
         "strength uses it.")},
     .change = change_store},
    {.field = {FIELD_CHOICE("StoreMode", "off read write", store_mode, "off",
                            "Whether analysis begins with what StoreFile knows (read), and also adds what it "
                            "finds (write).")},
     .change = close_store,
     .choices = STORE_MODES},
    {.field = {0}}};
#undef FIELD_STRUCT
_Static_assert(HASH_DEFAULT == 16, "the standard value of Hash is what the pool begins with");

/* The numbers and switches of the search, which are options of the LAB=1 build. */
#ifdef LUFT_LAB
#define FIELD_STRUCT Params
#define PARAM(name, value, low, high, step) \
    {.field = {FIELD_WHOLE(#name, NULL, name, low, high, #value, NULL)}},
static const Option NUMBERS[] = {
#include "search/params.def"
    {.field = {0}}};
#undef PARAM
#undef FIELD_STRUCT
#define FIELD_STRUCT Techniques
#define TECHNIQUE(name, ...) \
    {.field = {FIELD_ROW(FIELD_IS_FLAG(name), "Use " #name, NULL, name, "true", NULL)}},
static const Option SWITCHES[] = {
#include "search/techniques.def"
    {.field = {0}}};
#undef FIELD_STRUCT
#endif

/* A row, and the struct that has its member. */
typedef struct Slot {
    const Option *option;
    void *base;
} Slot;

/* The option `index` of this build; one without a row past the last. */
static Slot slot_at(Options *options, int index) {
    const Slot tables[] = {{ENGINE_OPTIONS, options},
#ifdef LUFT_LAB
                           {NUMBERS, &params},
                           {SWITCHES, &techniques}
#endif
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const Option *row = tables[i].option; row->field.kind != FIELD_KIND_END; row++)
            if (index-- == 0) return (Slot){row, tables[i].base};
    return (Slot){0};
}

const Option *options_row(int index) { return slot_at(NULL, index).option; }

int options_count(void) {
    int count = 0;
    while (options_row(count) != NULL) count++;
    return count;
}

static Status parse_value(const Option *option, TextView text, int *value) {
    const Field *field = &option->field;
    char shown[40];
    int64_t number;
    text_copy(text, shown, sizeof shown);
    if (field->kind == FIELD_KIND_FLAG) {
        const bool is_true = text_equals_ignore_case(text, "true");
        if (is_true || text_equals_ignore_case(text, "false")) {
            *value = is_true;
            return status_ok();
        }
        return status_error("option %s is true or false, not '%s'", field->name, shown);
    }
    if (!text_parse_rounded(text, &number))
        return status_error("option %s needs a whole number, not '%s'", field->name, shown);
    if ((double)number >= field->low && (double)number <= field->high) {
        *value = (int)number;
        return status_ok();
    }
    if (option->is_clamped) *value = (int)((double)number < field->low ? field->low : field->high);
    return status_error("option %s must be from %.0f to %.0f, not %s%s", field->name, field->low, field->high,
                        shown, option->is_clamped ? ": it is now the nearest of these" : "");
}

static Status parse_choice(const Option *option, TextView text, int *value) {
    TextBuffer list = {0};
    for (int i = 0; option->choices[i] != NULL; i++) {
        if (text_equals_ignore_case(text, option->choices[i])) {
            buffer_release(&list);
            *value = i;
            return status_ok();
        }
        buffer_append_format(&list, "%s%s",
                             i == 0                           ? ""
                             : option->choices[i + 1] == NULL ? " or "
                                                              : ", ",
                             option->choices[i]);
    }
    char shown[40];
    text_copy(text, shown, sizeof shown);
    const Status status =
        status_error("option %s is %s, not '%s'", option->field.name, buffer_string(&list), shown);
    buffer_release(&list);
    return status;
}

static Status set_member(const Slot *slot, TextView value) {
    const Field *field = &slot->option->field;
    void *member = (char *)slot->base + field->offset;
    Status status = status_ok();
    if (field->kind == FIELD_KIND_FLAG) {
        int flag = *(bool *)member;
        status = parse_value(slot->option, value, &flag);
        *(bool *)member = flag != 0;
    } else if (field->kind == FIELD_KIND_INT) {
        status = parse_value(slot->option, value, member);
    } else if (field->kind == FIELD_KIND_CHOICE) {
        status = parse_choice(slot->option, value, member);
    }
    return status;
}

Options options_standard(void) {
    Options options = {0};
    for (const Option *row = ENGINE_OPTIONS; row->field.kind != FIELD_KIND_END; row++)
        if (row->field.standard != NULL)
            (void)set_member(&(Slot){row, &options}, text_view(row->field.standard));
    return options;
}

static void describe_choice(const Option *option, char *out, size_t room) {
    size_t length = text_format(out, room, "combo default %s", option->field.standard);
    for (int i = 0; option->choices[i] != NULL; i++)
        length += text_format(out + length, room - length, " var %s", option->choices[i]);
}

void options_describe(int index, char out[OPTION_TEXT_CAPACITY]) {
    const Option *option = options_row(index);
    assert(option != NULL);
    const Field *field = &option->field;
    const size_t length = text_format(out, OPTION_TEXT_CAPACITY, "option name %s type ", field->name);
    out += length;
    const size_t room = OPTION_TEXT_CAPACITY - length;
    switch (field->kind) {
    case FIELD_KIND_FLAG:
        text_format(out, room, "check default %s", field->standard != NULL ? field->standard : "false");
        break;
    case FIELD_KIND_INT:
        text_format(out, room, "spin default %s min %.0f max %.0f", field->standard, field->low, field->high);
        break;
    case FIELD_KIND_TEXT: text_format(out, room, "string default %s", field->standard); break;
    case FIELD_KIND_CHOICE: describe_choice(option, out, room); break;
    default: text_format(out, room, "button"); break;
    }
}

/* Compares word by word, so that doubled spaces in a name do no harm. */
static bool name_matches(TextView name, const char *option_name) {
    TextView expected = text_view(option_name);
    for (;;) {
        TextView word = text_next_word(&name), wanted = text_next_word(&expected);
        char word_text[OPTION_TEXT_CAPACITY];
        if (text_is_empty(word) || text_is_empty(wanted)) return text_is_empty(word) && text_is_empty(wanted);
        text_copy(wanted, word_text, sizeof word_text);
        if (!text_equals_ignore_case(word, word_text)) return false;
    }
}

/* The slot of an option; without one, its member `option` is NULL. */
static Slot find_slot(Options *options, TextView name) {
    Slot slot;
    for (int i = 0; (slot = slot_at(options, i)).option != NULL; i++)
        if (name_matches(name, slot.option->field.name)) break;
    return slot;
}

static Status refuse_name(TextView name) {
    char shown[OPTION_TEXT_CAPACITY];
    Nearest nearest = nearest_to(name);
    Slot slot;
    for (int i = 0; (slot = slot_at(NULL, i)).option != NULL; i++)
        nearest_consider(&nearest, slot.option->field.name);
    text_copy_printable(name, shown, sizeof shown);
    return nearest.name == NULL
               ? status_error("there is no option '%.80s'", shown)
               : status_error("there is no option '%.80s'; did you mean '%s'?", shown, nearest.name);
}

Status options_set(Options *options, TextView name, TextView value, OptionChange **change) {
    const Slot slot = find_slot(options, name);
    *change = NULL;
    if (slot.option == NULL) return refuse_name(name);
    const Status status = set_member(&slot, text_trim(value));
    if (status_is_ok(&status) || slot.option->is_clamped) *change = slot.option->change;
    return status;
}

Status engine_set_option(Engine *engine, TextView name, TextView value) {
    Options wanted = engine->options;
    OptionChange *change;
    const Status status = options_set(&wanted, name, value, &change);
    if (change != NULL) {
        const Status changed = change(engine, &wanted, text_trim(value));
        if (!status_is_ok(&changed)) return changed;
    }
    engine->options = wanted; /* as before where the value was refused */
    return status;
}

Status engine_check_store(const Engine *engine, TextView name, TextView value) {
    Options wanted = engine->options;
    OptionChange *change;
    const Status good = options_set(&wanted, name, value, &change);
    if (!status_is_ok(&good) || (change != change_store && change != close_store)) return status_ok();
    if (change == close_store && wanted.store_mode == NOTEBOOK_OFF) return status_ok();
    const TextView path =
        change == change_store ? store_path(text_trim(value)) : text_view(notebook_file(engine->notebook));
    const Status status = notebook_check(path, (NotebookMode)wanted.store_mode);
    if (status_is_ok(&status)) return status;
    return status_error("option %s: %s", change == change_store ? "StoreFile" : "StoreMode", status.reason);
}

/* --- the position and its search --- */

const Options *engine_options(const Engine *engine) { return &engine->options; }
const Position *engine_position(const Engine *engine) { return &engine->position; }

Status engine_set_position(Engine *engine, TextView fen, TextView moves) {
    Position pos;
    Move recent[LEVEL_RECENT];
    if (text_is_empty(text_trim(fen))) fen = text_view(FEN_START);
    Status status = reader_take_position(&pos, &fen, engine->options.chess960, NULL);
    if (status_is_ok(&status)) status = lan_play(&pos, moves, recent);
    if (status_is_ok(&status)) engine_use_position(engine, &pos, recent);
    return status;
}

void engine_use_position(Engine *engine, const Position *pos, const Move recent[LEVEL_RECENT]) {
    engine->position = *pos;
    for (int i = 0; i < LEVEL_RECENT; i++) engine->recent[i] = recent != NULL ? recent[i] : (Move)MOVE_NONE;
}

void engine_new_game(Engine *engine) {
    engine->seed = 0;
    pool_clear(engine->pool);
}

/* A seed that Level Seed can be set to, to see the game again. */
static uint64_t draw_seed(void) {
    Rng rng = rng_seed((uint64_t)clock_microseconds());
    return 1 + rng_below(&rng, INT32_MAX);
}

const Level *engine_level(Engine *engine) {
    const Options *options = &engine->options;
    if (level_elo(options) == 0) return NULL;
    if (options->level_seed > 0)
        engine->seed = (uint64_t)options->level_seed;
    else if (engine->seed == 0)
        engine->seed = draw_seed();
    engine->level = level_at(level_elo(options), engine->seed, &engine->position, engine->recent);
    return &engine->level;
}

/* A level is slow on purpose only on a clock, and where nobody says how long it shall search. */
static void limit_to_level(Engine *engine, SearchLimits *limits) {
    enum { TABLEBASES_ELO = 2200 /* weaker players err in endings */ };
    limits->level = engine_level(engine);
    if (limits->level == NULL) return;
    Level *level = &engine->level;
    level->paces = engine->options.level_pace && limits->has_clock[engine->position.side] &&
                   !limits->has_move_time && limits->depth == 0 && limits->nodes == 0;
    if (limits->nodes == 0 || limits->nodes > level->nodes) limits->nodes = level->nodes;
    limits->multi_pv = level->lines;
    if (level->elo < TABLEBASES_ELO) limits->tablebases.tables = NULL;
}

/* What the caller and the options ask for. A side without its own clock gets the other's: a runner that sends
 * only one means both. A search that nothing would end is infinite, unless it waits for its ponderhit. */
static SearchLimits complete_limits(Engine *engine, const SearchLimits *wanted) {
    SearchLimits limits = *wanted;
    const Color side = engine->position.side, other = color_other(side);
    if (!limits.has_clock[side] && limits.has_clock[other]) {
        limits.has_clock[side] = true;
        limits.clock[side] = limits.clock[other];
    }
    limits.infinite = limits.infinite || (!limits.ponder && !limits_will_end(&limits));
    limits.multi_pv = engine->options.multi_pv;
    limits.move_overhead = engine->options.move_overhead;
    limits.node_time = engine->options.node_time;
    limits.tablebases = (TableUse){.tables = engine->tables.largest > 0 ? &engine->tables : NULL,
                                   .pieces = engine->options.tablebase_pieces,
                                   .depth = engine->options.tablebase_depth,
                                   .fifty_move_rule = engine->options.fifty_move_rule};
    limits.analyse = engine->options.analyse_mode;
    limits.current_line = engine->options.show_current_line;
    limit_to_level(engine, &limits);
    return limits;
}

/* Analysis alone uses the store. A game on a clock must not wait for a disk, and gains nothing that its
 * opponent does not have to gain. */
static bool is_analysis(const SearchLimits *limits) {
    return !limits->has_clock[WHITE] && !limits->has_clock[BLACK] && !limits->ponder && !limits->in_slices &&
           limits->level == NULL && THREADS_EXIST;
}

static const SearchNotes *begin_notes(Engine *engine, const SearchLimits *limits) {
    const NotebookSource source = {.network = engine->network,
                                   .tables = limits->tablebases.tables,
                                   .fifty_move_rule = limits->tablebases.fifty_move_rule};
    return notebook_begin(engine->notebook, (NotebookMode)engine->options.store_mode, &source,
                          &engine->position, limits, pool_table(engine->pool));
}

void engine_go(Engine *engine, const SearchLimits *wanted) {
    SearchLimits limits = complete_limits(engine, wanted);
    engine_wait(engine);
    engine->is_analysis = is_analysis(&limits);
    if (engine->is_analysis) limits.notes = begin_notes(engine, &limits);
    atomic_store(&engine->ends_at_ponderhit, limits.ponder && !limits.infinite && !limits_will_end(&limits));
    SearchPool *pool = limits.level != NULL ? engine->level_pool : engine->pool;
    if (limits.level != NULL) pool_clear(pool);
    atomic_store(&engine->searching, pool);
    pool_start(pool, &engine->position, &limits);
}

SliceEnd engine_slice(Engine *engine, const Slice *slice) {
    return pool_slice(atomic_load(&engine->searching), slice);
}

void engine_stop(Engine *engine) { pool_stop(atomic_load(&engine->searching)); }

void engine_ponderhit(Engine *engine) {
    if (atomic_load(&engine->ends_at_ponderhit))
        engine_stop(engine);
    else
        pool_ponderhit(atomic_load(&engine->searching));
}

void engine_wait(Engine *engine) {
    pool_wait(atomic_load(&engine->searching));
    notebook_end(engine->notebook);
}

Status engine_take_store_fault(Engine *engine) { return notebook_take_fault(engine->notebook); }

Status engine_store_refusal(Engine *engine) {
    const bool wants_store = engine->is_analysis && engine_store(engine) != NULL;
    return wants_store ? notebook_refusal(engine->notebook) : status_ok();
}

const char *engine_store(const Engine *engine) {
    const char *path = notebook_file(engine->notebook);
    return engine->options.store_mode == NOTEBOOK_OFF || path[0] == '\0' ? NULL : path;
}

Status engine_close_store(Engine *engine) {
    engine_wait(engine);
    notebook_close(engine->notebook);
    return engine_take_store_fault(engine);
}

Move engine_known_move(const Engine *engine, const Position *pos) {
    return pool_known_move(engine->pool, pos);
}

const Network *engine_network(const Engine *engine) { return engine->network; }

Status engine_evaluate(const Engine *engine, Inspection *inspection) {
    Evaluator *evaluator = evaluator_create(engine->network);
    if (evaluator == NULL) return status_no_memory("the evaluator");
    *inspection = evaluator_inspect(evaluator, &engine->position);
    evaluator_destroy(evaluator);
    return status_ok();
}
