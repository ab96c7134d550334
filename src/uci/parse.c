#include "uci/parse.h"

#include "base/bits.h"
#include "chess/movegen.h"
#include "chess/san.h"
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

/* The number after each word, as given. */
typedef struct GoNumbers {
    bool given[GO_NUMBERS];
    int64_t value[GO_NUMBERS];
} GoNumbers;

/* No clock is longer than thirty years: whatever is computed with it stays far from overflow. */
static const int64_t LONGEST_CLOCK = INT64_C(1000000000000);

static GoWord find_word(TextView word) {
    int i = 0;
    while (i < GO_WORDS && !text_equals_ignore_case(word, WORDS[i])) i++;
    return (GoWord)i;
}

static bool looks_like_move(TextView word) {
    return (word.length == 4 || word.length == 5) && word.data[0] >= 'a' && word.data[0] <= 'h' &&
           word.data[1] >= '1' && word.data[1] <= '8' && word.data[2] >= 'a' && word.data[2] <= 'h' &&
           word.data[3] >= '1' && word.data[3] <= '8';
}

static Status parse_search_moves(const Position *pos, TextView *rest, SearchLimits *limits) {
    for (;;) {
        TextView after = *rest;
        TextView word = text_next_word(&after);
        if (!looks_like_move(word)) return status_ok();
        Move move;
        Status status = lan_parse(pos, word, &move);
        if (!status_is_ok(&status)) return status;
        bool known = limits->search_move_count == MAX_MOVES;
        for (int i = 0; i < limits->search_move_count; i++) known = known || limits->search_moves[i] == move;
        if (!known) limits->search_moves[limits->search_move_count++] = move;
        *rest = after;
    }
}

/* A number beyond all limits is as good as the largest. */
static bool parse_saturated(TextView text, int64_t *value) {
    if (text_parse_int64(text, value)) return true;
    const bool negative = text.length > 0 && text.data[0] == '-';
    size_t at = negative || (text.length > 0 && text.data[0] == '+');
    if (at == text.length) return false;
    for (; at < text.length; at++)
        if (text.data[at] < '0' || text.data[at] > '9') return false;
    *value = negative ? INT64_MIN : INT64_MAX;
    return true;
}

static Status parse_number(GoNumbers *numbers, GoWord word, TextView text) {
    if (parse_saturated(text, &numbers->value[word])) {
        numbers->given[word] = true;
        return status_ok();
    }
    char shown[32];
    text_copy(text, shown, sizeof shown);
    return status_error("%s needs a whole number, not '%s'", WORDS[word], shown);
}

static int64_t clamp_clock(int64_t milliseconds) {
    if (milliseconds > LONGEST_CLOCK) return LONGEST_CLOCK;
    return milliseconds < -LONGEST_CLOCK ? -LONGEST_CLOCK : milliseconds;
}

/* A count that was given is at least 1, so that it is never taken for the 0 that means "no limit". */
static int given_count(const GoNumbers *numbers, GoWord word, int most) {
    if (!numbers->given[word]) return 0;
    const int64_t value = numbers->value[word];
    return value < 1 ? 1 : value > most ? most : (int)value;
}

static void fill_limits(SearchLimits *limits, const GoNumbers *numbers) {
    for (int color = WHITE; color < COLOR_COUNT; color++) {
        /* An increment without a clock is a clock that stands at zero. */
        limits->has_clock[color] = numbers->given[GO_WTIME + color] || numbers->given[GO_WINC + color];
        limits->clock[color] = clamp_clock(numbers->value[GO_WTIME + color]);
        limits->increment[color] = clamp_clock(numbers->value[GO_WINC + color]);
        if (limits->increment[color] < 0) limits->increment[color] = 0;
    }
    const bool to_go = numbers->value[GO_MOVESTOGO] > 0;
    limits->moves_to_go = to_go ? given_count(numbers, GO_MOVESTOGO, 10000) : 0;
    limits->has_move_time = numbers->given[GO_MOVETIME];
    limits->move_time = clamp_clock(numbers->value[GO_MOVETIME]);
    limits->depth = given_count(numbers, GO_DEPTH, MAX_PLY - 1);
    limits->mate = given_count(numbers, GO_MATE, MAX_PLY / 2);
    if (numbers->given[GO_NODES])
        limits->nodes = numbers->value[GO_NODES] > 0 ? (uint64_t)numbers->value[GO_NODES] : 1;
}

Status go_parse(const Position *pos, TextView words, GoCommand *go) {
    *go = (GoCommand){0};
    GoNumbers numbers = {0};
    for (TextView word = text_next_word(&words); word.length > 0; word = text_next_word(&words)) {
        const GoWord kind = find_word(word);
        Status status = status_ok();
        if (kind < GO_NUMBERS)
            status = parse_number(&numbers, kind, text_next_word(&words));
        else if (kind == GO_SEARCHMOVES)
            status = parse_search_moves(pos, &words, &go->limits);
        else if (kind == GO_INFINITE)
            go->limits.infinite = true;
        else if (kind == GO_PONDER)
            go->limits.ponder = true;
        if (!status_is_ok(&status)) return status;
    }
    fill_limits(&go->limits, &numbers);
    go->perft_depth = given_count(&numbers, GO_PERFT, MAX_PLY);
    return status_ok();
}

/* --- explain --- */

enum { NODES_MIN = 100 };
static const uint64_t NODES_MAX = 1000000000000;

static Status read_move(const Position *pos, TextView word, Move *move) {
    if (!movegen_has_legal(pos))
        return status_error("the game is over in this position: there is no legal move");
    if (text_is_empty(word)) return status_error("which move? Expected 'explain <move> [depth <plies>]'");
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
    *question = (Question){.pos = *pos};
    Status status = read_move(pos, text_next_word(&arguments), &question->move);
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
