#include "lab/client/uci_info.h"

#include "chess/draw.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <string.h>

typedef enum InfoField {
    FIELD_NONE,
    FIELD_DEPTH,
    FIELD_SELDEPTH,
    FIELD_TIME,
    FIELD_NODES,
    FIELD_PV,
    FIELD_MULTIPV,
    FIELD_SCORE,
    FIELD_CURRMOVE,
    FIELD_CURRMOVENUMBER,
    FIELD_HASHFULL,
    FIELD_NPS,
    FIELD_TBHITS,
    FIELD_WDL,
    FIELD_STRING,
    FIELD_OTHER
} InfoField;

typedef struct InfoWord {
    const char *word;
    size_t length;
    InfoField field;
} InfoWord;

#define WORD(text, field) \
    { text, sizeof(text) - 1, field }
static const InfoWord INFO_WORDS[] = {
    WORD("depth", FIELD_DEPTH),
    WORD("seldepth", FIELD_SELDEPTH),
    WORD("time", FIELD_TIME),
    WORD("nodes", FIELD_NODES),
    WORD("pv", FIELD_PV),
    WORD("multipv", FIELD_MULTIPV),
    WORD("score", FIELD_SCORE),
    WORD("currmove", FIELD_CURRMOVE),
    WORD("currmovenumber", FIELD_CURRMOVENUMBER),
    WORD("hashfull", FIELD_HASHFULL),
    WORD("nps", FIELD_NPS),
    WORD("tbhits", FIELD_TBHITS),
    WORD("wdl", FIELD_WDL),
    WORD("string", FIELD_STRING),
    WORD("sbhits", FIELD_OTHER),
    WORD("cpuload", FIELD_OTHER),
    WORD("refutation", FIELD_OTHER),
    WORD("currline", FIELD_OTHER),
};
#undef WORD

/* Lengths are compared first: engines print many lines, and this is most of their cost to us. */
static InfoField field_of(TextView word) {
    for (size_t i = 0; i < sizeof INFO_WORDS / sizeof INFO_WORDS[0]; i++)
        if (INFO_WORDS[i].length == word.length && memcmp(INFO_WORDS[i].word, word.data, word.length) == 0)
            return INFO_WORDS[i].field;
    return FIELD_NONE;
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
    TextView pv = text_trim(*rest), peek = *rest;
    for (;;) {
        TextView before = peek, word = text_next_word(&peek);
        if (word.length == 0) break;
        const bool like_move = word.length > 1 && word.data[1] >= '0' && word.data[1] <= '9';
        if (!like_move && field_of(word) != FIELD_NONE) {
            pv.length = (size_t)(word.data - pv.data);
            peek = before;
            break;
        }
    }
    *rest = peek;
    return text_trim(pv);
}

bool uci_parse_info(TextView line, UciInfo *info) {
    TextView rest = line;
    *info = (UciInfo){.multi_pv = 1};
    if (!text_equals(text_next_word(&rest), "info")) return false;
    for (;;) {
        TextView word = text_next_word(&rest);
        if (word.length == 0) break;
        switch (field_of(word)) {
        case FIELD_DEPTH: info->depth = next_int(&rest); break;
        case FIELD_SELDEPTH: info->selective_depth = next_int(&rest); break;
        case FIELD_TIME: info->time = next_number(&rest); break;
        case FIELD_NODES: info->nodes = (uint64_t)next_number(&rest); break;
        case FIELD_NPS: info->nps = (uint64_t)next_number(&rest); break;
        case FIELD_TBHITS: info->tb_hits = (uint64_t)next_number(&rest); break;
        case FIELD_HASHFULL: info->hash_full = next_int(&rest); break;
        case FIELD_MULTIPV: info->multi_pv = next_int(&rest); break;
        case FIELD_SCORE: read_score(&rest, &info->score); break;
        case FIELD_PV: info->pv = read_pv(&rest); break;
        case FIELD_WDL:
            info->has_wdl = true;
            for (int i = 0; i < 3; i++) info->wdl[i] = next_int(&rest);
            break;
        case FIELD_STRING: return info->score.kind != SCORE_NOT_GIVEN;
        default: break; /* an unknown word; its value, if any, will be one too */
        }
    }
    return info->score.kind != SCORE_NOT_GIVEN;
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
