#include "base/field.h"

#include "base/bits.h"
#include "base/nearest.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { LABEL_CAPACITY = 96 };

/* --- values --- */

static Status refuse(const char *label, const char *expected, TextView value) {
    char shown[80];
    text_copy_printable(value, shown, sizeof shown);
    return status_error("%s must be %s, not '%s'", label, expected, shown);
}

/* Takes a unit off the end of a number: what it multiplies by. */
static double take_unit(TextView *text, const char *const *names, const double *factors) {
    for (int i = 0; names[i] != NULL; i++) {
        const size_t length = strlen(names[i]);
        if (text->length <= length || memcmp(text->data + text->length - length, names[i], length) != 0)
            continue;
        text->length -= length;
        return factors[i];
    }
    return 1;
}

static bool parse_real(TextView text, double *value) { return text_parse_double(text, value); }

static bool parse_seconds(TextView text, double *value) {
    static const char *const NAMES[] = {"ms", "s", "m", "h", NULL};
    static const double FACTORS[] = {1e-3, 1, 60, 3600};
    const double factor = take_unit(&text, NAMES, FACTORS);
    if (!text_parse_double(text, value)) return false;
    *value *= factor;
    return true;
}

/* A fraction is welcome where its unit makes it whole: 1.5M. */
static bool parse_whole(TextView text, double *value) {
    static const char *const NAMES[] = {"k", "M", "G", NULL};
    static const double FACTORS[] = {1e3, 1e6, 1e9};
    const double factor = take_unit(&text, NAMES, FACTORS);
    if (!text_parse_double(text, value)) return false;
    *value *= factor;
    return *value == floor(*value);
}

static void describe_range(const Field *field, char *out, size_t capacity) {
    const char *what = field->kind == FIELD_KIND_REAL      ? "a number"
                       : field->kind == FIELD_KIND_SECONDS ? "a number of seconds"
                                                           : "a whole number";
    if (field->high >= FIELD_UNLIMITED)
        text_format(out, capacity, "%s from %.15g", what, field->low);
    else
        text_format(out, capacity, "%s from %.15g to %.15g", what, field->low, field->high);
}

/* A field of a certain struct: the row and where its value lies. */
typedef struct Slot {
    const Field *field;
    char *member; /* the first of a series */
    int length;   /* 0: no series */
    size_t stride;
} Slot;

static Slot slot_of(const Field *field, void *base) {
    return (Slot){field, (char *)base + field->offset, field->length, field->stride};
}

static void store(const Field *field, void *member, TextView text, double value) {
    switch (field->kind) {
    case FIELD_KIND_INT: *(int *)member = (int)value; break;
    case FIELD_KIND_INT64: /* exact, where a double is not */
        if (!text_parse_int64(text, member)) *(int64_t *)member = (int64_t)value;
        break;
    case FIELD_KIND_UINT64:
        if (!text_parse_uint64(text, member)) *(uint64_t *)member = (uint64_t)value;
        break;
    default: *(double *)member = value; break;
    }
}

static Status set_number(const Field *field, const char *label, void *member, TextView text) {
    double value;
    const bool good = field->kind == FIELD_KIND_REAL      ? parse_real(text, &value)
                      : field->kind == FIELD_KIND_SECONDS ? parse_seconds(text, &value)
                                                          : parse_whole(text, &value);
    if (!good || value < field->low || value > field->high) {
        char range[80];
        describe_range(field, range, sizeof range);
        return refuse(label, range, text);
    }
    store(field, member, text, value);
    return status_ok();
}

static Status set_flag(const Field *field, const char *label, bool *member, TextView value) {
    static const char *const WORDS[] = {"no", "yes", "false", "true", "off", "on"};
    for (int i = 0; i < 6; i++) {
        if (!text_equals(value, WORDS[i])) continue;
        *member = (i % 2 == 1) != ((field->flags & FIELD_INVERTED) != 0);
        return status_ok();
    }
    return refuse(label, "yes or no", value);
}

/* Whether the value is one of the names with a slash between. */
static bool is_one_of(TextView names, TextView value) {
    TextView name;
    bool more = true;
    while (more) {
        more = text_split(&names, '/', &name);
        if (name.length == value.length && memcmp(name.data, value.data, value.length) == 0) return true;
    }
    return false;
}

static Status set_choice(const Field *field, const char *label, int *member, TextView value) {
    char expected[120] = "";
    size_t length = 0;
    TextView rest = text_view(field->placeholder), choice, name;
    for (int i = 0; !text_is_empty(choice = text_next_word(&rest)); i++) {
        if (is_one_of(choice, value)) {
            *member = i;
            return status_ok();
        }
        text_split(&choice, '/', &name);
        const char *comma = i == 0 ? "" : text_is_empty(text_trim(rest)) ? " or " : ", ";
        length += text_format(expected + length, sizeof expected - length, "%s%.*s", comma, (int)name.length,
                              name.data);
    }
    for (const Field *answer = field->fields; answer != NULL && answer->kind != FIELD_KIND_END; answer++)
        if (text_equals(value, answer->name)) return status_error("%s: %s", label, answer->help);
    return refuse(label, expected, value);
}

static Status set_value(const Field *field, const char *label, void *member, TextView text) {
    switch (field->kind) {
    case FIELD_KIND_FLAG: return set_flag(field, label, member, text);
    case FIELD_KIND_CHOICE: return set_choice(field, label, member, text);
    default: return set_number(field, label, member, text);
    }
}

static Status set_series(const Slot *slot, const char *label, TextView whole) {
    TextView rest = whole, item;
    bool more = true;
    Status status = status_ok();
    for (int i = 0; i < slot->length && status_is_ok(&status); i++) {
        if (more) more = text_split(&rest, ',', &item);
        status = set_value(slot->field, label, slot->member + (size_t)i * slot->stride, text_trim(item));
    }
    /* A placeholder such as LOW,HIGH names the values. */
    if (!status_is_ok(&status) && strchr(slot->field->placeholder, ',') != NULL) {
        char range[80], expected[120];
        describe_range(slot->field, range, sizeof range);
        text_format(expected, sizeof expected, "%s, each %s", slot->field->placeholder, range);
        return refuse(label, expected, whole);
    }
    if (status_is_ok(&status) && more) return status_error("%s takes %d values at most", label, slot->length);
    return status;
}

static Status set(const Slot *slot, const char *label, const char *value) {
    if (slot->field->kind == FIELD_KIND_ACCEPTED) return status_ok();
    if (slot->field->kind == FIELD_KIND_ANSWERED) {
        const char *const holds = slot->field->standard;
        return holds != NULL && strcmp(value, holds) == 0 ? status_ok()
                                                          : status_error("%s: %s", label, slot->field->help);
    }
    if (slot->field->kind == FIELD_KIND_TEXT) {
        *(const char **)(void *)slot->member = value;
        return status_ok();
    }
    if (slot->length > 0) return set_series(slot, label, text_view(value));
    return set_value(slot->field, label, slot->member, text_view(value));
}

Status field_set(const Field *field, void *base, const char *value) {
    const Slot slot = slot_of(field, base);
    return set(&slot, field->name, value);
}

/* --- the table --- */

void fields_reset(const Field *fields, void *base) {
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++) {
        const Slot slot = slot_of(field, base);
        for (int i = 0; field->fields != NULL && i < int_max(slot.length, 1); i++)
            fields_reset(field->fields, slot.member + (size_t)i * slot.stride);
        if (field->standard == NULL) continue;
        const Status status = set(&slot, field->name, field->standard);
        assert(status_is_ok(&status));
        (void)status;
    }
}

static bool is_option(const Field *field) {
    return field->kind != FIELD_KIND_HEADING && field->kind != FIELD_KIND_GROUP &&
           (field->flags & FIELD_WORD) == 0;
}

static bool find_option(const Field *fields, void *base, TextView name, unsigned needed, Slot *slot) {
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++) {
        const Slot here = slot_of(field, base);
        *slot = here;
        if (is_option(field) && (field->flags & needed) == needed && text_equals(name, field->name))
            return true;
        if (field->kind != FIELD_KIND_GROUP ||
            !find_option(field->fields, here.member, name, field_needed_in(field, needed), slot))
            continue;
        if (here.length > 0) {
            slot->length = here.length;
            slot->stride = here.stride;
        }
        return true;
    }
    return false;
}

static void consider_options(const Field *fields, unsigned needed, Nearest *nearest) {
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++) {
        if (is_option(field) && (field->flags & needed) == needed && field->kind != FIELD_KIND_ANSWERED)
            nearest_consider(nearest, field->name);
        if (field->kind == FIELD_KIND_GROUP)
            consider_options(field->fields, field_needed_in(field, needed), nearest);
    }
}

/* "unknown option --noes; did you mean --nodes?" */
static Status unknown(const Field *fields, const char *what, const char *dashes, TextView name) {
    char shown[LABEL_CAPACITY];
    text_copy_printable(name, shown, sizeof shown);
    Nearest nearest = nearest_to(name);
    consider_options(fields, 0, &nearest);
    if (nearest.name == NULL) return status_error("unknown %s %s%s", what, dashes, shown);
    return status_error("unknown %s %s%s; did you mean %s%s?", what, dashes, shown, dashes, nearest.name);
}

/* Splits "name=value"; false without a '='. */
static bool split_key(const char *text, TextView *name, const char **value) {
    const char *equals = strchr(text, '=');
    *name = (TextView){text, equals != NULL ? (size_t)(equals - text) : strlen(text)};
    *value = equals != NULL ? equals + 1 : NULL;
    return equals != NULL;
}

/* --- a command line --- */

typedef struct Reader {
    const Field *fields;
    void *base;
    int argc;
    char **argv;
    int at;              /* the next to be read */
    int words;           /* that are no options: moved to argv[1] and on */
    const Field *last;   /* option that was read */
    const Field *before; /* the option before the first word that no row wants */
} Reader;

static bool needs_no_value(const Field *option) {
    return option->kind == FIELD_KIND_FLAG || option->kind == FIELD_KIND_ACCEPTED ||
           option->kind == FIELD_KIND_ANSWERED;
}

static bool takes_keys(const Field *option) {
    return option->kind == FIELD_KIND_TAKEN || option->kind == FIELD_KIND_KEYS;
}

/* A dash alone is a word (standard input), and so is a negative number. */
static bool is_dashed(const char *text) {
    return text[0] == '-' && text[1] != '\0' && !char_is_digit(text[1]);
}

static bool find_dashed(const Reader *reader, const char *text, Slot *slot, const char **value) {
    TextView name;
    split_key(text + (text[1] == '-' ? 2 : 1), &name, value);
    return find_option(reader->fields, reader->base, name, 0, slot);
}

static Status read_key(const Slot *option, const char *text) {
    const Field *field = option->field;
    char label[LABEL_CAPACITY];
    TextView name;
    const char *value;
    if (field->kind == FIELD_KIND_TAKEN) {
        Status status = field->take(option->member, text);
        return status_is_ok(&status) ? status : status_error("--%s: %s", field->name, status.reason);
    }
    Slot key;
    split_key(text, &name, &value);
    if (find_option(field->fields, option->member, name, 0, &key)) {
        text_format(label, sizeof label, "--%s: %s", field->name, key.field->name);
        if (value == NULL && needs_no_value(key.field)) value = "yes";
        return value != NULL ? set(&key, label, value) : status_error("%s needs a value", label);
    }
    Status status = unknown(field->fields, "key", "", name);
    return status_error("--%s: %s", field->name, status.reason);
}

/* Whether a word belongs to the option before it: it has a '=' or is the name of a key that needs no value.
 */
static bool is_key(const Slot *option, const char *text) {
    Slot key;
    return !is_dashed(text) &&
           (strchr(text, '=') != NULL ||
            (option->field->fields != NULL &&
             find_option(option->field->fields, option->member, text_view(text), 0, &key)));
}

/* The value of the first key, without its name. */
static bool is_bare_value(const Slot *option, const char *text) {
    const char *const first = (option->field->flags & FIELD_BARE) != 0 ? option->field->fields->name : NULL;
    return first != NULL && !is_key(option, text);
}

static Status read_keys(Reader *reader, const Slot *option, const char *first) {
    const Field *field = option->field;
    Status status = status_ok();
    const int begin = first != NULL ? -1 : reader->at;
    if (field->kind == FIELD_KIND_TAKEN) status = field->take(option->member, NULL);
    if (first == NULL && reader->at < reader->argc && !is_dashed(reader->argv[reader->at]) &&
        is_bare_value(option, reader->argv[reader->at]))
        first = reader->argv[reader->at++];
    if (first != NULL && is_bare_value(option, first)) {
        const Slot value = slot_of(field->fields, option->member);
        status = set(&value, field->fields->name, first);
    } else if (first != NULL && status_is_ok(&status)) {
        status = read_key(option, first);
    }
    while (status_is_ok(&status) && reader->at < reader->argc && is_key(option, reader->argv[reader->at]))
        status = read_key(option, reader->argv[reader->at++]);
    if (status_is_ok(&status) && reader->at == begin) {
        if (field->kind == FIELD_KIND_TAKEN)
            return status_error("--%s needs %s", field->name, field->placeholder);
        return status_error("--%s needs %s=%s", field->name, field->fields->name, field->fields->placeholder);
    }
    return status;
}

static Status read_option(Reader *reader) {
    const char *text = reader->argv[reader->at++], *value, *next_value;
    char label[LABEL_CAPACITY];
    Slot option, next;
    if (!find_dashed(reader, text, &option, &value)) {
        TextView name;
        split_key(text + (text[1] == '-' ? 2 : 1), &name, &value);
        return unknown(reader->fields, "option", "--", name);
    }
    reader->last = option.field;
    if (option.field->kind == FIELD_KIND_ACCEPTED)
        while (reader->at < reader->argc && !is_dashed(reader->argv[reader->at])) reader->at++;
    if (takes_keys(option.field)) return read_keys(reader, &option, value);
    if (value == NULL && needs_no_value(option.field)) value = "yes";
    if (value == NULL && (option.field->flags & FIELD_OPTIONAL) != 0 &&
        (reader->at == reader->argc || is_dashed(reader->argv[reader->at])))
        value = "";
    if (value == NULL && reader->at < reader->argc) {
        value = reader->argv[reader->at++];
        if (is_dashed(value) && find_dashed(reader, value, &next, &next_value)) value = NULL;
    }
    text_format(label, sizeof label, "--%s", option.field->name);
    if (value == NULL) return status_error("%s needs a value", label);
    return set(&option, label, value);
}

/* How many words, that are no options, the rows want. */
static int words_wanted(const Field *fields) {
    int wanted = 0;
    for (const Field *row = fields; row->kind != FIELD_KIND_END; row++) {
        if ((row->flags & FIELD_WORD) == 0) continue;
        if (row->kind == FIELD_KIND_WORDS) return INT_MAX;
        wanted++;
    }
    return wanted;
}

/* Gives the words to the rows that want them. */
static Status read_words(const Reader *reader) {
    int taken = 0;
    Status status = status_ok();
    for (const Field *row = reader->fields; row->kind != FIELD_KIND_END && status_is_ok(&status); row++) {
        const Slot slot = slot_of(row, reader->base);
        const int left = reader->words - taken;
        if ((row->flags & FIELD_WORD) == 0) continue;
        if (left <
            int_max((int)row->low * (row->kind == FIELD_KIND_WORDS), (row->flags & FIELD_OPTIONAL) == 0))
            return status_error("%s is missing: %s", row->name, row->help);
        if (row->kind == FIELD_KIND_WORDS) {
            *(WordList *)(void *)slot.member = (WordList){reader->argv + 1 + taken, left};
            taken = reader->words;
        } else if (left > 0) {
            status = set(&slot, row->name, reader->argv[1 + taken++]);
        }
    }
    if (!status_is_ok(&status) || taken == reader->words) return status;
    const char *word = reader->argv[1 + taken];
    if (reader->before == NULL) return status_error("unexpected word '%s'", word);
    if (takes_keys(reader->before))
        return status_error("unexpected word '%s'; --%s takes words with a '='", word, reader->before->name);
    return status_error("unexpected word '%s'; --%s takes %s", word, reader->before->name,
                        reader->before->kind == FIELD_KIND_FLAG ? "none" : "one");
}

bool fields_ask_for_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static bool asks_for_help(int argc, char **argv) {
    if (argc == 2 && fields_ask_for_help(argv[1])) return true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) return false;
        const bool is_subject = strncmp(argv[i], "--help=", 7) == 0; /* the whole help has it */
        if (is_dashed(argv[i]) &&
            (fields_ask_for_help(argv[i]) || strcmp(argv[i], "-help") == 0 || is_subject))
            return true;
    }
    return false;
}

static Status check_required(const Field *fields, void *base) {
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++) {
        const char *const *text = (const void *)slot_of(field, base).member;
        if ((field->flags & FIELD_REQUIRED) != 0 && *text == NULL)
            return status_error("needs --%s", field->name);
    }
    return status_ok();
}

Status fields_read_arguments(const Field *fields, void *base, int argc, char **argv, bool *help) {
    Reader reader = {.fields = fields, .base = base, .argc = argc, .argv = argv, .at = 1};
    const int wanted = words_wanted(fields);
    bool only_words = false;
    Status status = status_ok();
    *help = asks_for_help(argc, argv);
    if (*help) return status;
    while (reader.at < argc && status_is_ok(&status)) {
        char *text = argv[reader.at];
        if (only_words || !is_dashed(text)) {
            if (reader.words == wanted && !only_words) reader.before = reader.last;
            argv[1 + reader.words++] = text;
            reader.at++;
        } else if (strcmp(text, "--") == 0) {
            only_words = true;
            reader.at++;
        } else {
            status = read_option(&reader);
        }
    }
    if (status_is_ok(&status)) status = read_words(&reader);
    return status_is_ok(&status) ? check_required(fields, base) : status;
}

/* --- a file of settings --- */

static Status read_setting(const Field *fields, void *base, char *line) {
    char *comment = strchr(line, '#');
    if (comment != NULL) *comment = '\0';
    if (text_is_empty(text_trim(text_view(line)))) return status_ok();
    TextView name;
    const char *rest;
    Slot setting;
    if (!split_key(line, &name, &rest)) return status_error("expected name = value");
    TextView value = text_trim(text_view(rest));
    line[(size_t)(value.data - line) + value.length] = '\0';
    if (!find_option(fields, base, text_trim(name), 0, &setting))
        return unknown(fields, "setting", "", text_trim(name));
    return set(&setting, setting.field->name, value.data);
}

Status fields_read_settings(const Field *fields, void *base, TextBuffer *text) {
    int number = 1;
    if (text->length > 0 && memchr(text->data, '\0', text->length) != NULL)
        return status_error("it holds zero bytes, and is no text");
    for (char *line = text->data; line != NULL; number++) {
        char *end = strchr(line, '\n');
        if (end != NULL) *end = '\0';
        Status status = read_setting(fields, base, line);
        if (!status_is_ok(&status)) return status_error("line %d: %s", number, status.reason);
        line = end != NULL ? end + 1 : NULL;
    }
    return status_ok();
}

/* --- fingerprints, tables of results --- */

/* With nine digits, or as many more up to `most` as it takes to read the same number back. */
static void append_real(double value, int most, TextBuffer *out) {
    char text[32] = "-";
    double back;
    for (int digits = 9; digits <= most && !isnan(value); digits++) {
        text_format(text, sizeof text, "%.*g", digits, value);
        if (text_parse_double(text_view(text), &back) && back == value) break;
    }
    buffer_append_string(out, text);
}

static void append_value(const Field *field, const void *member, int digits, TextBuffer *out) {
    switch (field->kind) {
    case FIELD_KIND_FLAG: buffer_append_format(out, "%d", *(const bool *)member); break;
    case FIELD_KIND_INT:
    case FIELD_KIND_CHOICE: buffer_append_format(out, "%d", *(const int *)member); break;
    case FIELD_KIND_INT64: buffer_append_format(out, "%" PRId64, *(const int64_t *)member); break;
    case FIELD_KIND_UINT64: buffer_append_format(out, "%" PRIu64, *(const uint64_t *)member); break;
    case FIELD_KIND_TEXT: buffer_append_string(out, *(const char *const *)member); break;
    default: append_real(*(const double *)member, digits, out);
    }
}

static void append_results(const Field *fields, unsigned inherited, const void *base, TextBuffer *out) {
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++) {
        const char *member = (const char *)base + field->offset;
        const unsigned flags = inherited | field->flags;
        if (field->fields != NULL) append_results(field->fields, flags & FIELD_RESULT, member, out);
        if ((flags & FIELD_RESULT) == 0 || field->fields != NULL || field->kind == FIELD_KIND_HEADING)
            continue;
        buffer_append_format(out, "%s=", field->name);
        append_value(field, member, DBL_DECIMAL_DIG, out);
        buffer_append_char(out, '\n');
    }
}

void fields_append_results(const Field *fields, const void *base, TextBuffer *out) {
    append_results(fields, 0, base, out);
}

/* " --name 'value'" as the command line has it. */
static void append_option(const Field *field, const void *member, TextBuffer *out) {
    if (field->kind == FIELD_KIND_FLAG) {
        const bool is_given = *(const bool *)member != ((field->flags & FIELD_INVERTED) != 0);
        buffer_append_format(out, " --%s%s", field->name, is_given ? "" : "=no");
        return;
    }
    buffer_append_format(out, " --%s ", field->name);
    if (field->kind != FIELD_KIND_CHOICE) {
        const bool is_quoted = field->kind == FIELD_KIND_TEXT;
        if (is_quoted) buffer_append_char(out, '\'');
        append_value(field, member, DBL_DECIMAL_DIG, out);
        if (is_quoted) buffer_append_char(out, '\'');
        return;
    }
    TextView rest = text_view(field->placeholder), choice = {NULL, 0}, name;
    for (int i = 0; i <= *(const int *)member; i++) choice = text_next_word(&rest);
    text_split(&choice, '/', &name);
    buffer_append(out, name);
}

static void append_options(const Field *fields, unsigned inherited, const char *base, const char *standard,
                           TextBuffer *out) {
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++) {
        const unsigned flags = inherited | field->flags;
        const char *member = base + field->offset, *usual = standard + field->offset;
        if (field->fields != NULL) append_options(field->fields, flags & FIELD_RESULT, member, usual, out);
        if ((flags & FIELD_RESULT) == 0 || field->fields != NULL || field->kind == FIELD_KIND_HEADING)
            continue;
        TextBuffer is = {0}, was = {0};
        append_value(field, member, DBL_DECIMAL_DIG, &is);
        append_value(field, usual, DBL_DECIMAL_DIG, &was);
        if (strcmp(buffer_string(&is), buffer_string(&was)) != 0) append_option(field, member, out);
        out->failed |= is.failed || was.failed;
        buffer_release(&is);
        buffer_release(&was);
    }
}

void fields_append_options(const Field *fields, const void *base, const void *standard, TextBuffer *out) {
    append_options(fields, 0, base, standard, out);
}

void fields_append_names(const Field *fields, TextBuffer *out) {
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++)
        buffer_append_format(out, field == fields ? "%s" : "\t%s", field->name);
}

void fields_append_row(const Field *fields, const void *base, TextBuffer *out) {
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++) {
        if (field != fields) buffer_append_char(out, '\t');
        append_value(field, (const char *)base + field->offset, 9, out);
    }
}

static bool read_real(TextView word, double *value) {
    if (text_equals(word, "inf"))
        *value = (double)INFINITY;
    else if (text_equals(word, "-inf"))
        *value = -(double)INFINITY;
    else if (text_equals(word, "-"))
        *value = (double)NAN;
    else
        return text_parse_double(word, value);
    return true;
}

static bool read_value(const Field *field, void *member, TextView word) {
    int64_t number = 0;
    switch (field->kind) {
    case FIELD_KIND_INT64: return text_parse_int64(word, member);
    case FIELD_KIND_UINT64: return text_parse_uint64(word, member);
    case FIELD_KIND_REAL: return read_real(word, member);
    case FIELD_KIND_FLAG:
        *(bool *)member = text_equals(word, "1");
        return *(bool *)member || text_equals(word, "0");
    default:
        if (!text_parse_int64(word, &number) || number < INT_MIN || number > INT_MAX) return false;
        *(int *)member = (int)number;
        return true;
    }
}

bool fields_read_row(const Field *fields, void *base, TextView line) {
    for (const Field *field = fields; field->kind != FIELD_KIND_END; field++)
        if (!read_value(field, (char *)base + field->offset, text_next_word(&line))) return false;
    return true;
}
