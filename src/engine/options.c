#include "engine/options.h"

#include "search/params.h"
#include "tb/syzygy.h"

#include <inttypes.h>

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
static Slot slot_at(const Option *table, Options *options, int index) {
    const Slot tables[] = {{table, options},
#ifdef LUFT_LAB
                           {NUMBERS, &params},
                           {SWITCHES, &techniques}
#endif
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const Option *row = tables[i].option; row->field.kind != FIELD_KIND_END; row++)
            if ((syzygy_is_built() || !row->needs_tablebases) && index-- == 0)
                return (Slot){row, tables[i].base};
    return (Slot){0};
}

int options_count(const Option *table) {
    int count = 0;
    while (slot_at(table, NULL, count).option != NULL) count++;
    return count;
}

static Status parse_value(const Field *field, TextView text, int *value) {
    char shown[40];
    int64_t number;
    text_copy(text, shown, sizeof shown);
    if (field->kind == FIELD_KIND_FLAG) {
        *value = text_equals_ignore_case(text, "true");
        if (*value || text_equals_ignore_case(text, "false")) return status_ok();
        return status_error("option %s is true or false, not '%s'", field->name, shown);
    }
    if (!text_parse_int64(text, &number))
        return status_error("option %s needs a whole number, not '%s'", field->name, shown);
    if ((double)number < field->low || (double)number > field->high)
        return status_error("option %s must be from %.0f to %.0f, not %" PRId64, field->name, field->low,
                            field->high, number);
    *value = (int)number;
    return status_ok();
}

static Status set_member(const Slot *slot, TextView value) {
    const Field *field = &slot->option->field;
    void *member = (char *)slot->base + field->offset;
    int number = 0;
    if (field->kind != FIELD_KIND_FLAG && field->kind != FIELD_KIND_INT) return status_ok();
    const Status status = parse_value(field, value, &number);
    if (!status_is_ok(&status)) return status;
    if (field->kind == FIELD_KIND_FLAG)
        *(bool *)member = number != 0;
    else
        *(int *)member = number;
    return status;
}

Options options_standard(const Option *table) {
    Options options = {0};
    for (const Option *row = table; row->field.kind != FIELD_KIND_END; row++)
        if (row->field.standard != NULL)
            (void)set_member(&(Slot){row, &options}, text_view(row->field.standard));
    return options;
}

void options_describe(const Option *table, int index, char out[OPTION_TEXT_CAPACITY]) {
    const Field *field = &slot_at(table, NULL, index).option->field;
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

Status options_set(const Option *table, Options *options, TextView name, TextView value,
                   OptionChange **change) {
    Slot slot;
    *change = NULL;
    for (int i = 0; (slot = slot_at(table, options, i)).option != NULL; i++) {
        if (!name_matches(name, slot.option->field.name)) continue;
        const Status status = set_member(&slot, text_trim(value));
        if (status_is_ok(&status)) *change = slot.option->change;
        return status;
    }
    return status_ok();
}
