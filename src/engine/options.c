#include "engine/options.h"

#include "search/pool.h"

#include <inttypes.h>

typedef enum OptionKind { OPTION_CHECK, OPTION_SPIN, OPTION_BUTTON } OptionKind;

typedef struct OptionEntry {
    const char *name;
    OptionKind kind;
    int standard, minimum, maximum;
    size_t offset; /* of the int in Options; unused by buttons */
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
    {"UCI_Chess960", OPTION_CHECK, 0, 0, 1, IN_OPTIONS(chess960), EFFECT_NONE},
};
enum { TABLE_COUNT = sizeof TABLE / sizeof TABLE[0] };

static int *option_value(Options *options, const OptionEntry *entry) {
    return (int *)(void *)((char *)options + entry->offset);
}

Options options_standard(void) {
    Options options = {0};
    for (int i = 0; i < TABLE_COUNT; i++)
        if (TABLE[i].kind != OPTION_BUTTON) *option_value(&options, &TABLE[i]) = TABLE[i].standard;
    return options;
}

static void entry_describe(const OptionEntry *entry, char out[OPTION_TEXT_CAPACITY]) {
    if (entry->kind == OPTION_BUTTON)
        text_format(out, OPTION_TEXT_CAPACITY, "option name %s type button", entry->name);
    else if (entry->kind == OPTION_CHECK)
        text_format(out, OPTION_TEXT_CAPACITY, "option name %s type check default %s", entry->name,
                    entry->standard ? "true" : "false");
    else
        text_format(out, OPTION_TEXT_CAPACITY, "option name %s type spin default %d min %d max %d",
                    entry->name, entry->standard, entry->minimum, entry->maximum);
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

static Status parse_value(const OptionEntry *entry, TextView text, int *value) {
    char shown[40];
    int64_t number;
    text_copy(text, shown, sizeof shown);
    if (entry->kind == OPTION_CHECK) {
        bool on = text_equals_ignore_case(text, "true");
        if (!on && !text_equals_ignore_case(text, "false"))
            return status_error("option %s is true or false, not '%s'", entry->name, shown);
        *value = on;
        return status_ok();
    }
    if (!text_parse_int64(text, &number))
        return status_error("option %s needs a whole number, not '%s'", entry->name, shown);
    if (number < entry->minimum || number > entry->maximum)
        return status_error("option %s must be from %d to %d, not %" PRId64, entry->name, entry->minimum,
                            entry->maximum, number);
    *value = (int)number;
    return status_ok();
}

int options_count(void) { return TABLE_COUNT; }

void options_describe(int index, char out[OPTION_TEXT_CAPACITY]) { entry_describe(&TABLE[index], out); }

Status options_set(Options *options, TextView name, TextView value, OptionEffect *effect) {
    *effect = EFFECT_NONE;
    for (int i = 0; i < TABLE_COUNT; i++) {
        const OptionEntry *entry = &TABLE[i];
        if (!name_matches(name, entry->name)) continue;
        if (entry->kind != OPTION_BUTTON) {
            int number;
            Status status = parse_value(entry, text_trim(value), &number);
            if (!status_is_ok(&status)) return status;
            *option_value(options, entry) = number;
        }
        *effect = entry->effect;
        break;
    }
    return status_ok();
}
