#include "uci/parse.h"

#include "chess/san.h"
#include "engine/lines.h"
#include "explain/explain.h"

#include <inttypes.h>

/* --- go --- */

typedef enum GoWord {
    GO_WTIME,
    GO_BTIME,
    GO_WINC,
    GO_BINC,
    GO_MOVESTOGO,
    GO_MOVETIME,
    GO_DEPTH,
    GO_NODES,
    GO_MATE,
    GO_PERFT,
    GO_NUMBERS,
    GO_INFINITE = GO_NUMBERS,
    GO_PONDER,
    GO_SEARCHMOVES,
    GO_WORDS
} GoWord;

static const char *const WORDS[GO_WORDS] = {"wtime",    "btime",  "winc",       "binc", "movestogo",
                                            "movetime", "depth",  "nodes",      "mate", "perft",
                                            "infinite", "ponder", "searchmoves"};

/* No clock is longer than thirty years: whatever is computed with it stays far from overflow. */
static const int64_t LONGEST_CLOCK = INT64_C(1000000000000);

static GoWord find_word(TextView word) {
    int i = 0;
    while (i < GO_WORDS && !text_equals_ignore_case(word, WORDS[i])) i++;
    return (GoWord)i;
}

/* Reads the moves up to the next word of `go`. Returns whether there are any, legal or not. */
static bool parse_search_moves(const Position *pos, TextView *rest, SearchLimits *limits, Status *warning) {
    TextView after = *rest, word;
    bool any = false;
    while ((word = text_next_word(&after)).length > 0 && find_word(word) == GO_WORDS) {
        Move move = MOVE_NONE;
        const Status status = lan_parse(pos, word, &move);
        bool known = !status_is_ok(&status) || limits->search_move_count == MAX_MOVES;
        for (int i = 0; i < limits->search_move_count; i++) known = known || limits->search_moves[i] == move;
        if (!known) limits->search_moves[limits->search_move_count++] = move;
        status_append(warning, status);
        any = true;
        *rest = after;
    }
    return any;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

/* A count is at least 1, so that it is never taken for the 0 that means "no limit". */
static int count_of(int64_t value, int most) { return (int)clamp(value, 1, most); }

static void set_number(GoCommand *go, GoWord word, int64_t value) {
    SearchLimits *limits = &go->limits;
    const int64_t clock = clamp(value, -LONGEST_CLOCK, LONGEST_CLOCK);
    switch (word) {
    case GO_WTIME:
    case GO_BTIME:
        limits->has_clock[word - GO_WTIME] = true;
        limits->clock[word - GO_WTIME] = clock;
        break;
    case GO_WINC: /* an increment without a clock is a clock that stands at zero; none is no clock */
    case GO_BINC:
        limits->has_clock[word - GO_WINC] |= clock > 0;
        limits->increment[word - GO_WINC] = clamp(clock, 0, LONGEST_CLOCK);
        break;
    case GO_MOVETIME:
        limits->has_move_time = true;
        limits->move_time = clock;
        break;
    case GO_MOVESTOGO: limits->moves_to_go = (int)clamp(value, 0, 10000); break;
    case GO_DEPTH: limits->depth = count_of(value, MAX_PLY - 1); break;
    case GO_MATE: limits->mate = count_of(value, MAX_PLY / 2); break;
    case GO_PERFT: go->perft_depth = count_of(value, MAX_PLY); break;
    default: limits->nodes = (uint64_t)clamp(value, 1, INT64_MAX); break;
    }
}

void go_parse(const Position *pos, TextView words, GoCommand *go, Status *warning) {
    *go = (GoCommand){0};
    *warning = status_ok();
    bool some_moves = false;
    for (TextView word = text_next_word(&words); word.length > 0; word = text_next_word(&words)) {
        const GoWord kind = find_word(word);
        TextView after = words;
        int64_t value;
        if (kind == GO_SEARCHMOVES)
            some_moves |= parse_search_moves(pos, &words, &go->limits, warning);
        else if (kind == GO_INFINITE)
            go->limits.infinite = true;
        else if (kind == GO_PONDER)
            go->limits.ponder = true;
        else if (kind < GO_NUMBERS && text_parse_rounded(text_next_word(&after), &value)) {
            set_number(go, kind, value);
            words = after;
        } else if (kind < GO_NUMBERS)
            status_append(warning, status_error("%s has no number and does not count", WORDS[kind]));
    }
    if (some_moves && go->limits.search_move_count == 0)
        go->limits.search_moves[go->limits.search_move_count++] = MOVE_NONE;
}

/* --- explain --- */

enum { NODES_MIN = 100 };
static const uint64_t NODES_MAX = 1000000000000;

/* Takes the move off the front of the words, if they begin with one. */
static Status take_move(const Position *pos, TextView *words, Move *move) {
    static const char *const OTHERS[] = {"", "depth", "nodes", "json"};
    TextView rest = *words;
    const TextView word = text_next_word(&rest);
    const Status status = lines_check_moves(pos);
    if (!status_is_ok(&status)) return status;
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++)
        if (text_equals_ignore_case(word, OTHERS[i])) return status_ok();
    *words = rest;
    return move_parse(pos, word, move);
}

static Status read_limit(TextView *arguments, const char *name, uint64_t low, uint64_t high,
                         uint64_t *value) {
    const TextView word = text_next_word(arguments);
    char shown[24];
    text_copy_printable(word, shown, sizeof shown);
    if (text_parse_uint64(word, value) && *value >= low && *value <= high) return status_ok();
    return status_error("%s must be a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'", name, low,
                        high, shown);
}

Status question_parse(const Position *pos, TextView arguments, Question *question) {
    uint64_t depth = 0, nodes = 0;
    *question = (Question){.pos = *pos, .move = MOVE_NONE};
    Status status = take_move(pos, &arguments, &question->move);
    while (status_is_ok(&status)) {
        char shown[24];
        const TextView word = text_next_word(&arguments);
        if (text_is_empty(word)) break;
        text_copy_printable(word, shown, sizeof shown);
        if (text_equals_ignore_case(word, "depth"))
            status = read_limit(&arguments, "depth", 1, MAX_PLY - 1, &depth);
        else if (text_equals_ignore_case(word, "nodes"))
            status = read_limit(&arguments, "nodes", NODES_MIN, NODES_MAX, &nodes);
        else if (text_equals_ignore_case(word, "json"))
            question->json = true;
        else
            status = status_error("unknown word '%s'; expected depth, nodes or json", shown);
    }
    question->depth = (int)depth;
    question->nodes = nodes > 0 ? nodes : depth > 0 ? NODES_MAX : EXPLAIN_NODES;
    return status;
}
