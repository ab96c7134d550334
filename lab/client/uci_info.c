#include "lab/client/uci_info.h"

#include "base/nearest.h"
#include "chess/draw.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "lab/client/engine_config.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

typedef enum InfoField {
    INFO_NONE,
    INFO_DEPTH,
    INFO_SELDEPTH,
    INFO_HASHFULL,
    INFO_NODES,
    INFO_NPS,
    INFO_TBHITS,
    INFO_MULTIPV,
    INFO_SCORE,
    INFO_PV,
    INFO_STRING,
    INFO_OTHER /* of no interest, but it ends a PV */
} InfoField;

/* Lengths are compared first: engines print many lines, and this is most of their cost to us. */
static InfoField field_of(TextView word) {
#define WORD(text, field) \
    { text, sizeof(text) - 1, field }
    static const struct {
        const char *word;
        size_t length;
        InfoField field;
    } WORDS[] = {WORD("depth", INFO_DEPTH),
                 WORD("multipv", INFO_MULTIPV),
                 WORD("score", INFO_SCORE),
                 WORD("pv", INFO_PV),
                 WORD("string", INFO_STRING),
                 WORD("seldepth", INFO_SELDEPTH),
                 WORD("time", INFO_OTHER),
                 WORD("nodes", INFO_NODES),
                 WORD("nps", INFO_NPS),
                 WORD("hashfull", INFO_HASHFULL),
                 WORD("tbhits", INFO_TBHITS),
                 WORD("wdl", INFO_OTHER),
                 WORD("currmove", INFO_OTHER),
                 WORD("sbhits", INFO_OTHER),
                 WORD("currmovenumber", INFO_OTHER),
                 WORD("refutation", INFO_OTHER),
                 WORD("cpuload", INFO_OTHER),
                 WORD("currline", INFO_OTHER)};
#undef WORD
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (WORDS[i].length == word.length && memcmp(WORDS[i].word, word.data, word.length) == 0)
            return WORDS[i].field;
    return INFO_NONE;
}

static int64_t next_number(TextView *rest) {
    int64_t number = 0;
    text_parse_int64(text_next_word(rest), &number);
    return number;
}

static int next_int(TextView *rest) {
    const int64_t number = next_number(rest);
    return number > INT32_MAX ? INT32_MAX : number < -INT32_MAX ? -INT32_MAX : (int)number;
}

static void read_score(TextView *rest, UciScore *score) {
    TextView kind = text_next_word(rest);
    if (text_equals(kind, "cp"))
        score->kind = SCORE_CENTIPAWNS;
    else if (text_equals(kind, "mate"))
        score->kind = SCORE_MATE_IN;
    else
        return;
    score->value = next_int(rest);
    for (;;) {
        TextView peek = *rest, word = text_next_word(&peek);
        if (text_equals(word, "lowerbound"))
            score->bound = SCORE_IS_LOWER;
        else if (text_equals(word, "upperbound"))
            score->bound = SCORE_IS_UPPER;
        else
            return;
        *rest = peek;
    }
}

/* The moves up to the end of the line, or to the next known word: some engines put the PV in the middle. */
static TextView read_pv(TextView *rest) {
    TextView pv = *rest, peek = *rest;
    for (;;) {
        TextView before = peek, word = text_next_word(&peek);
        if (word.length == 0) break;
        const bool like_move = word.length > 1 && word.data[1] >= '0' && word.data[1] <= '9';
        if (!like_move && field_of(word) != INFO_NONE) {
            pv.length = (size_t)(word.data - pv.data);
            peek = before;
            break;
        }
    }
    *rest = peek;
    return text_trim(pv);
}

bool uci_parse_info(TextView line, UciInfo *info) {
    TextView rest = text_trim(line); /* once, for a line may have many PVs */
    *info = (UciInfo){.multi_pv = 1};
    if (!text_equals(text_next_word(&rest), "info")) return false;
    for (;;) {
        TextView word = text_next_word(&rest);
        if (word.length == 0) break;
        switch (field_of(word)) {
        case INFO_DEPTH: info->depth = next_int(&rest); break;
        case INFO_SELDEPTH: info->seldepth = next_int(&rest); break;
        case INFO_HASHFULL: info->hashfull = next_int(&rest); break;
        case INFO_NODES: info->nodes = next_number(&rest); break;
        case INFO_NPS: info->nps = next_number(&rest); break;
        case INFO_TBHITS: info->tbhits = next_number(&rest); break;
        case INFO_MULTIPV: info->multi_pv = next_int(&rest); break;
        case INFO_SCORE: read_score(&rest, &info->score); break;
        case INFO_PV: info->pv = read_pv(&rest); break;
        case INFO_STRING: return info->score.kind != SCORE_NOT_GIVEN;
        default: break; /* another word or its value */
        }
    }
    return info->score.kind != SCORE_NOT_GIVEN;
}

bool uci_parse_name(TextView line, TextView *name) {
    if (!text_equals(text_next_word(&line), "id") || !text_equals(text_next_word(&line), "name"))
        return false;
    *name = text_trim(line);
    return true;
}

bool uci_parse_best_move(TextView line, TextView *move) {
    if (!text_equals(text_next_word(&line), "bestmove")) return false;
    *move = text_next_word(&line);
    return true;
}

int uci_score_value(UciScore score) {
    enum { MATE = 32000, LARGEST = 31000 };
    if (score.kind == SCORE_CENTIPAWNS) return int_clamp(score.value, -LARGEST, LARGEST);
    if (score.kind == SCORE_MATE_IN)
        return score.value > 0 ? MATE - int_min(score.value, 999) : -MATE + int_min(-score.value, 999);
    return 0;
}

void uci_score_write(UciScore score, char out[UCI_SCORE_CAPACITY]) {
    const int value = uci_score_value(score);
    if (score.kind == SCORE_MATE_IN)
        text_format(out, UCI_SCORE_CAPACITY, "%cM%d", score.value > 0 ? '+' : '-',
                    score.value > 0 ? score.value : -score.value);
    else
        text_format(out, UCI_SCORE_CAPACITY, "%c%d.%02d", value < 0 ? '-' : '+',
                    (value < 0 ? -value : value) / 100, (value < 0 ? -value : value) % 100);
}

Fault uci_check_pv(const Position *pos, TextView pv, char detail[FAULT_DETAIL_CAPACITY]) {
    Position current = *pos;
    Undo undo;
    TextView word;
    detail[0] = '\0';
    for (int number = 1; !text_is_empty(word = text_next_word(&pv)); number++) {
        if (number > 1 && (draw_by_repetition(&current, 0) || draw_by_fifty_moves(&current) ||
                           !movegen_has_legal(&current))) {
            text_format(detail, FAULT_DETAIL_CAPACITY,
                        "move %d (%.*s) of the PV comes after the end of the game", number,
                        (int)int_min((int)word.length, 16), word.data);
            return FAULT_LONG_PV;
        }
        Move move = MOVE_NONE;
        Status status = lan_parse(&current, word, &move);
        if (!status_is_ok(&status)) {
            text_format(detail, FAULT_DETAIL_CAPACITY, "move %d (%.*s) of the PV is illegal", number,
                        (int)int_min((int)word.length, 16), word.data);
            return FAULT_ILLEGAL_PV;
        }
        position_make_move(&current, move, &undo);
    }
    return FAULT_NONE;
}

/* --- options --- */

/* Removes the text up to the word `mark` from the front of `rest`, and the mark too; without the mark, all.
 */
static TextView take_until(TextView *rest, const char *mark) {
    TextView whole = *rest, peek = *rest;
    for (;;) {
        TextView word = text_next_word(&peek);
        if (word.length == 0) break;
        if (!text_equals(word, mark)) continue;
        TextView front = {whole.data, (size_t)(word.data - whole.data)};
        *rest = peek;
        return text_trim(front);
    }
    *rest = text_view(NULL);
    return text_trim(whole);
}

/* Finds the option; `rest` is then the text after the word `type`. */
static bool find_option(TextView offered, const char *name, TextView *rest) {
    TextView line;
    while (text_next_line(&offered, &line)) {
        take_until(&line, "name");
        TextView offered_name = take_until(&line, "type");
        if (!text_equals_ignore_case(offered_name, name)) continue;
        *rest = line;
        return true;
    }
    return false;
}

bool uci_option_exists(TextView offered, const char *name) {
    TextView rest;
    return find_option(offered, name, &rest);
}

bool uci_option_spin(TextView offered, const char *name, UciSpin *spin) {
    TextView rest, word;
    int64_t initial = INT64_MIN, low = INT64_MAX, high = INT64_MIN;
    if (!find_option(offered, name, &rest) || !text_equals(text_next_word(&rest), "spin")) return false;
    while (!text_is_empty(word = text_next_word(&rest))) {
        if (text_equals(word, "default")) text_parse_int64(text_next_word(&rest), &initial);
        if (text_equals(word, "min")) text_parse_int64(text_next_word(&rest), &low);
        if (text_equals(word, "max")) text_parse_int64(text_next_word(&rest), &high);
    }
    if (low < INT_MIN || high > INT_MAX || initial < low || initial > high) return false;
    *spin = (UciSpin){(int)initial, (int)low, (int)high};
    return true;
}

static Status check_spin(TextView rest, const char *name, const char *value) {
    int64_t number, low = INT64_MIN, high = INT64_MAX;
    TextView word;
    if (!text_parse_int64(text_view(value), &number))
        return status_error("option %s must be a whole number, not '%s'", name, value);
    while (!text_is_empty(word = text_next_word(&rest))) {
        if (text_equals(word, "min")) text_parse_int64(text_next_word(&rest), &low);
        if (text_equals(word, "max")) text_parse_int64(text_next_word(&rest), &high);
    }
    if (number < low || number > high)
        return status_error("option %s is %s, but must be from %" PRId64 " to %" PRId64, name, value, low,
                            high);
    return status_ok();
}

static Status check_choice(TextView rest, const char *name, const char *value) {
    take_until(&rest, "var");
    while (rest.length > 0)
        if (text_equals_ignore_case(take_until(&rest, "var"), value)) return status_ok();
    return status_error("option %s has no choice '%s'", name, value);
}

/* The nearest name that the engine offers is in one of two places, and the next one goes to the other. */
static Status refuse_option(TextView offered, const char *name) {
    char names[2][ENGINE_OPTION_NAME_CAPACITY];
    int place = 0;
    Nearest nearest = nearest_to(text_view(name));
    for (TextView line; text_next_line(&offered, &line);) {
        take_until(&line, "name");
        text_copy(take_until(&line, "type"), names[place], sizeof names[place]);
        nearest_consider(&nearest, names[place]);
        if (nearest.name == names[place]) place = 1 - place;
    }
    if (nearest.name == NULL) return status_error("there is no option %s", name);
    return status_error("there is no option %s; did you mean %s?", name, nearest.name);
}

Status uci_option_check(TextView offered, const char *name, const char *value, bool *button) {
    TextView rest;
    *button = false;
    if (!find_option(offered, name, &rest)) return refuse_option(offered, name);
    TextView type = text_next_word(&rest);
    if (text_equals(type, "spin")) return check_spin(rest, name, value);
    if (text_equals(type, "combo")) return check_choice(rest, name, value);
    if (text_equals(type, "check") && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return status_error("option %s must be true or false, not '%s'", name, value);
    *button = text_equals(type, "button");
    return status_ok();
}

/* --- faults --- */

const char *fault_name(Fault fault) {
    static const char *const NAMES[FAULT_COUNT] = {
        [FAULT_NONE] = "none",
        [FAULT_CRASH] = "crash",
        [FAULT_DISCONNECT] = "disconnect",
        [FAULT_STALL] = "stall",
        [FAULT_TIME] = "time loss",
        [FAULT_TIME_MACHINE] = "time loss (machine)",
        [FAULT_ILLEGAL_MOVE] = "illegal move",
        [FAULT_FLOOD] = "flood",
        [FAULT_ILLEGAL_PV] = "illegal PV",
        [FAULT_LONG_PV] = "PV past the end",
        [FAULT_CANCELLED] = "cancelled",
        [FAULT_MEMORY] = "no memory",
        [FAULT_EXTRA_MOVE] = "extra move",
        [FAULT_LIMIT] = "limit ignored",
    };
    return NAMES[fault];
}

bool fault_needs_restart(Fault fault) {
    return fault == FAULT_CRASH || fault == FAULT_DISCONNECT || fault == FAULT_STALL ||
           fault == FAULT_FLOOD || fault == FAULT_CANCELLED || fault == FAULT_EXTRA_MOVE;
}
