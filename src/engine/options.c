#include "engine/options.h"

#include "search/params.h"
#include "search/pool.h"
#include "tb/syzygy.h"

#include <inttypes.h>

typedef enum OptionKind { OPTION_CHECK, OPTION_SPIN, OPTION_BUTTON, OPTION_FILE, OPTION_PATH } OptionKind;

typedef struct OptionEntry {
    const char *name;
    OptionKind kind;
    int standard, minimum, maximum;
    size_t offset; /* of the int in Options; unused by buttons, files and paths */
    OptionEffect effect;
} OptionEntry;

#define IN_OPTIONS(field) offsetof(Options, field)

static const OptionEntry TABLE[] = {
    {"Hash", OPTION_SPIN, HASH_DEFAULT, 1, HASH_MAX, IN_OPTIONS(hash), EFFECT_HASH},
    {"Threads", OPTION_SPIN, 1, 1, THREADS_MAX, IN_OPTIONS(threads), EFFECT_THREADS},
    {"Clear Hash", OPTION_BUTTON, 0, 0, 0, 0, EFFECT_CLEAR_HASH},
    {"Ponder", OPTION_CHECK, 0, 0, 1, IN_OPTIONS(ponder), EFFECT_NONE},
    {"MultiPV", OPTION_SPIN, 1, 1, MAX_MOVES, IN_OPTIONS(multi_pv), EFFECT_NONE},
    {"Move Overhead", OPTION_SPIN, 10, 0, 5000, IN_OPTIONS(move_overhead), EFFECT_NONE},
    {"EvalFile", OPTION_FILE, 0, 0, 0, 0, EFFECT_NETWORK},
    {"UCI_Chess960", OPTION_CHECK, 0, 0, 1, IN_OPTIONS(chess960), EFFECT_NONE},
    {"UCI_ShowWDL", OPTION_CHECK, 0, 0, 1, IN_OPTIONS(show_wdl), EFFECT_NONE},
    {"UCI_ShowRefutations", OPTION_CHECK, 0, 0, 1, IN_OPTIONS(show_refutations), EFFECT_NONE},
    {"UCI_ShowCurrLine", OPTION_CHECK, 0, 0, 1, IN_OPTIONS(show_current_line), EFFECT_NONE},
    {"UCI_AnalyseMode", OPTION_CHECK, 0, 0, 1, IN_OPTIONS(analyse_mode), EFFECT_NONE},
    /* In builds with tablebases only. */
    {"SyzygyPath", OPTION_PATH, 0, 0, 0, 0, EFFECT_TABLEBASES},
    {"SyzygyProbeDepth", OPTION_SPIN, 1, 1, 100, IN_OPTIONS(tablebase_depth), EFFECT_NONE},
    {"SyzygyProbeLimit", OPTION_SPIN, 7, 0, 7, IN_OPTIONS(tablebase_pieces), EFFECT_NONE},
    {"Syzygy50MoveRule", OPTION_CHECK, 1, 0, 1, IN_OPTIONS(fifty_move_rule), EFFECT_NONE},
};
enum { TABLE_ROWS = sizeof TABLE / sizeof TABLE[0], TABLEBASE_ROWS = 4 };

/* The rows of this build. */
static int table_count(void) { return syzygy_is_built() ? TABLE_ROWS : TABLE_ROWS - TABLEBASE_ROWS; }

/* Whether the option's value is a number in Options. */
static bool is_number(const OptionEntry *entry) {
    return entry->kind == OPTION_CHECK || entry->kind == OPTION_SPIN;
}

static int *option_value(Options *options, const OptionEntry *entry) {
    return (int *)(void *)((char *)options + entry->offset);
}

Options options_standard(void) {
    Options options = {0};
    for (int i = 0; i < TABLE_ROWS; i++)
        if (is_number(&TABLE[i])) *option_value(&options, &TABLE[i]) = TABLE[i].standard;
    return options;
}

/* An option wherever it lives: in the table, or a number or switch of the search in the LAB=1 build, whose
 * rows come after the table's. */
typedef struct OptionSlot {
    OptionEntry entry;
    char name[64];
    int *number;   /* a search parameter */
    bool *enabled; /* a search technique */
} OptionSlot;

int options_count(void) {
    int numbers, switches;
    const bool is_lab = params_rows(&numbers)->value != NULL;
    techniques_rows(&switches);
    return is_lab ? table_count() + numbers + switches : table_count();
}

static OptionSlot slot_at(int index) {
    OptionSlot slot = {0};
    int numbers, switches;
    const ParamRow *param = params_rows(&numbers);
    const TechniqueRow *technique = techniques_rows(&switches);
    if (index < table_count()) {
        slot.entry = TABLE[index];
        text_format(slot.name, sizeof slot.name, "%s", slot.entry.name);
    } else if (index < table_count() + numbers) {
        param += index - table_count();
        slot.entry =
            (OptionEntry){NULL, OPTION_SPIN, param->initial, param->low, param->high, 0, EFFECT_NONE};
        slot.number = param->value;
        text_format(slot.name, sizeof slot.name, "%s", param->name);
    } else {
        technique += index - table_count() - numbers;
        slot.entry = (OptionEntry){NULL, OPTION_CHECK, 1, 0, 1, 0, EFFECT_NONE};
        slot.enabled = technique->enabled;
        text_format(slot.name, sizeof slot.name, "Use %s", technique->name);
    }
    return slot;
}

void options_describe(int index, char out[OPTION_TEXT_CAPACITY]) {
    OptionSlot slot = slot_at(index);
    const OptionEntry *entry = &slot.entry;
    if (entry->kind == OPTION_BUTTON)
        text_format(out, OPTION_TEXT_CAPACITY, "option name %s type button", slot.name);
    else if (entry->kind == OPTION_FILE || entry->kind == OPTION_PATH)
        text_format(out, OPTION_TEXT_CAPACITY, "option name %s type string default %s", slot.name,
                    entry->kind == OPTION_FILE ? OPTION_FILE_EMBEDDED : OPTION_PATH_EMPTY);
    else if (entry->kind == OPTION_CHECK)
        text_format(out, OPTION_TEXT_CAPACITY, "option name %s type check default %s", slot.name,
                    entry->standard ? "true" : "false");
    else
        text_format(out, OPTION_TEXT_CAPACITY, "option name %s type spin default %d min %d max %d", slot.name,
                    entry->standard, entry->minimum, entry->maximum);
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

static Status parse_value(const OptionSlot *slot, TextView text, int *value) {
    const OptionEntry *entry = &slot->entry;
    char shown[40];
    int64_t number;
    text_copy(text, shown, sizeof shown);
    if (entry->kind == OPTION_CHECK) {
        const bool on = text_equals_ignore_case(text, "true");
        if (!on && !text_equals_ignore_case(text, "false"))
            return status_error("option %s is true or false, not '%s'", slot->name, shown);
        *value = on;
        return status_ok();
    }
    if (!text_parse_int64(text, &number))
        return status_error("option %s needs a whole number, not '%s'", slot->name, shown);
    if (number < entry->minimum || number > entry->maximum)
        return status_error("option %s must be from %d to %d, not %" PRId64, slot->name, entry->minimum,
                            entry->maximum, number);
    *value = (int)number;
    return status_ok();
}

static void store_value(Options *options, const OptionSlot *slot, int value) {
    if (slot->number != NULL)
        *slot->number = value;
    else if (slot->enabled != NULL)
        *slot->enabled = value != 0;
    else
        *option_value(options, &slot->entry) = value;
}

Status options_set(Options *options, TextView name, TextView value, OptionEffect *effect) {
    *effect = EFFECT_NONE;
    for (int i = 0; i < options_count(); i++) {
        OptionSlot slot = slot_at(i);
        if (!name_matches(name, slot.name)) continue;
        if (is_number(&slot.entry)) {
            int number = 0;
            Status status = parse_value(&slot, text_trim(value), &number);
            if (!status_is_ok(&status)) return status;
            store_value(options, &slot, number);
        }
        *effect = slot.entry.effect;
        break;
    }
    return status_ok();
}
