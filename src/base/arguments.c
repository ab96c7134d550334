#include "base/arguments.h"

#include "base/nearest.h"

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

static void describe_range(const Argument *argument, char *out, size_t capacity) {
    const char *what = argument->kind == ARGUMENT_REAL      ? "a number"
                       : argument->kind == ARGUMENT_SECONDS ? "a number of seconds"
                                                            : "a whole number";
    if (argument->high >= ARGUMENT_UNLIMITED)
        text_format(out, capacity, "%s from %.15g", what, argument->low);
    else
        text_format(out, capacity, "%s from %.15g to %.15g", what, argument->low, argument->high);
}

static void store(const Argument *argument, int index, TextView text, double value) {
    void *target = (char *)argument->target + (size_t)index * argument->stride;
    switch (argument->kind) {
    case ARGUMENT_INT: *(int *)target = (int)value; break;
    case ARGUMENT_WHOLE: /* exact, where a double is not */
        if (!text_parse_int64(text, target)) *(int64_t *)target = (int64_t)value;
        break;
    case ARGUMENT_COUNT:
        if (!text_parse_uint64(text, target)) *(uint64_t *)target = (uint64_t)value;
        break;
    default: *(double *)target = value; break;
    }
}

static Status set_number(const Argument *argument, const char *label, int index, TextView text) {
    double value;
    const bool good = argument->kind == ARGUMENT_REAL      ? parse_real(text, &value)
                      : argument->kind == ARGUMENT_SECONDS ? parse_seconds(text, &value)
                                                           : parse_whole(text, &value);
    if (!good || value < argument->low || value > argument->high) {
        char range[80];
        describe_range(argument, range, sizeof range);
        return refuse(label, range, text);
    }
    store(argument, index, text, value);
    return status_ok();
}

static Status set_series(const Argument *argument, const char *label, TextView rest) {
    TextView item = rest;
    Status status = status_ok();
    for (int i = 0; i < argument->length && status_is_ok(&status); i++) {
        if (rest.data != NULL) {
            const char *comma = memchr(rest.data, ',', rest.length);
            const size_t length = comma != NULL ? (size_t)(comma - rest.data) : rest.length;
            item = text_trim((TextView){rest.data, length});
            rest = comma != NULL ? (TextView){comma + 1, rest.length - length - 1} : text_view(NULL);
        }
        status = set_number(argument, label, i, item);
    }
    if (status_is_ok(&status) && rest.data != NULL)
        return status_error("%s takes %d values at most", label, argument->length);
    return status;
}

static Status set_flag(const Argument *argument, const char *label, const char *value) {
    static const char *const WORDS[] = {"no", "yes", "false", "true", "off", "on"};
    for (int i = 0; i < 6; i++) {
        if (strcmp(value, WORDS[i]) != 0) continue;
        *(bool *)argument->target = i % 2 == 1;
        return status_ok();
    }
    return refuse(label, "yes or no", text_view(value));
}

/* Takes the first of "svg png none"; then `name` is what stands before a slash in it. */
static bool next_choice(TextView *rest, TextView *choice, TextView *name) {
    *choice = *name = text_next_word(rest);
    const char *slash = choice->length > 0 ? memchr(choice->data, '/', choice->length) : NULL;
    if (slash != NULL) name->length = (size_t)(slash - choice->data);
    return choice->length > 0;
}

static Status set_choice(const Argument *argument, const char *label, const char *value) {
    char expected[120] = "";
    size_t length = 0, value_length = strlen(value);
    TextView rest = text_view(argument->placeholder), choice, name;
    for (int i = 0; next_choice(&rest, &choice, &name); i++) {
        for (const char *at = choice.data; at < choice.data + choice.length; at++) {
            const char *slash = memchr(at, '/', (size_t)(choice.data + choice.length - at));
            const char *end = slash != NULL ? slash : choice.data + choice.length;
            if (value_length == (size_t)(end - at) && memcmp(at, value, value_length) == 0) {
                *(int *)argument->target = i;
                return status_ok();
            }
            at = end;
        }
        const char *comma = i == 0 ? "" : text_is_empty(text_trim(rest)) ? " or " : ", ";
        length += text_format(expected + length, sizeof expected - length, "%s%.*s", comma, (int)name.length,
                              name.data);
    }
    return refuse(label, expected, text_view(value));
}

static Status set(const Argument *argument, const char *label, const char *value) {
    switch (argument->kind) {
    case ARGUMENT_FLAG: return set_flag(argument, label, value);
    case ARGUMENT_CHOICE: return set_choice(argument, label, value);
    case ARGUMENT_TEXT: *(const char **)argument->target = value; return status_ok();
    default: break;
    }
    if (argument->length > 0) return set_series(argument, label, text_view(value));
    return set_number(argument, label, 0, text_view(value));
}

/* --- the table --- */

static bool is_option(const Argument *row) {
    return row->kind != ARGUMENT_HEADING && row->kind != ARGUMENT_TABLE && !row->is_word;
}

static const Argument *find_option(const Argument *table, size_t count, TextView name) {
    for (size_t i = 0; i < count; i++) {
        if (is_option(&table[i]) && text_equals(name, table[i].name)) return &table[i];
        const Argument *inner =
            table[i].kind == ARGUMENT_TABLE ? find_option(table[i].table, table[i].count, name) : NULL;
        if (inner != NULL) return inner;
    }
    return NULL;
}

static void consider_options(const Argument *table, size_t count, Nearest *nearest) {
    for (size_t i = 0; i < count; i++) {
        if (is_option(&table[i])) nearest_consider(nearest, table[i].name);
        if (table[i].kind == ARGUMENT_TABLE) consider_options(table[i].table, table[i].count, nearest);
    }
}

/* "unknown option --noes; did you mean --nodes?" */
static Status unknown(const Argument *table, size_t count, const char *what, const char *dashes,
                      TextView name) {
    char shown[LABEL_CAPACITY];
    text_copy_printable(name, shown, sizeof shown);
    Nearest nearest = nearest_to(name);
    consider_options(table, count, &nearest);
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
    const Argument *table;
    size_t count;
    int argc;
    char **argv;
    int at;            /* the next to be read */
    int words;         /* that are no options: moved to argv[1] and on */
    const char *keyed; /* the option whose key=value words came last */
} Reader;

/* A dash alone is a word (standard input), and so is a negative number. */
static bool is_dashed(const char *text) {
    return text[0] == '-' && text[1] != '\0' && !(text[1] >= '0' && text[1] <= '9');
}

static const Argument *find_dashed(const Reader *reader, const char *text, const char **value) {
    TextView name;
    split_key(text + (text[1] == '-' ? 2 : 1), &name, value);
    return find_option(reader->table, reader->count, name);
}

static Status read_key(const Argument *option, const char *text) {
    char label[LABEL_CAPACITY];
    TextView name;
    const char *value;
    if (option->kind == ARGUMENT_WORDS) {
        Status status = option->take(option->target, text);
        return status_is_ok(&status) ? status : status_error("--%s: %s", option->name, status.reason);
    }
    split_key(text, &name, &value);
    const Argument *key = find_option(option->table, option->count, name);
    if (key != NULL) {
        text_format(label, sizeof label, "--%s: %s", option->name, key->name);
        return value != NULL ? set(key, label, value) : status_error("%s needs a value", label);
    }
    Status status = unknown(option->table, option->count, "key", "", name);
    return status_error("--%s: %s", option->name, status.reason);
}

static Status read_keys(Reader *reader, const Argument *option, const char *first) {
    Status status = status_ok();
    const int begin = first != NULL ? -1 : reader->at;
    if (option->kind == ARGUMENT_WORDS) status = option->take(option->target, NULL);
    if (first != NULL && status_is_ok(&status)) status = read_key(option, first);
    while (status_is_ok(&status) && reader->at < reader->argc && reader->argv[reader->at][0] != '-' &&
           strchr(reader->argv[reader->at], '=') != NULL)
        status = read_key(option, reader->argv[reader->at++]);
    if (status_is_ok(&status) && reader->at == begin) {
        const Argument *shown = option->kind == ARGUMENT_KEYS ? option->table : option;
        return status_error("--%s needs %s%s%s", option->name, shown != option ? shown->name : "",
                            shown != option ? "=" : "", shown->placeholder);
    }
    reader->keyed = option->name;
    return status;
}

static Status read_option(Reader *reader) {
    const char *text = reader->argv[reader->at++], *value, *next_value;
    const Argument *option = find_dashed(reader, text, &value);
    char label[LABEL_CAPACITY];
    if (option == NULL) {
        TextView name;
        split_key(text + (text[1] == '-' ? 2 : 1), &name, &value);
        return unknown(reader->table, reader->count, "option", "--", name);
    }
    if (option->kind == ARGUMENT_WORDS || option->kind == ARGUMENT_KEYS)
        return read_keys(reader, option, value);
    if (value == NULL && option->kind == ARGUMENT_FLAG) value = "yes";
    if (value == NULL && reader->at < reader->argc) {
        value = reader->argv[reader->at++];
        if (is_dashed(value) && find_dashed(reader, value, &next_value) != NULL) value = NULL;
    }
    text_format(label, sizeof label, "--%s", option->name);
    if (value == NULL) return status_error("%s needs a value", label);
    return set(option, label, value);
}

/* Gives the words to the rows that want them. */
static Status read_words(const Reader *reader) {
    int taken = 0;
    Status status = status_ok();
    for (size_t i = 0; i < reader->count && status_is_ok(&status); i++) {
        const Argument *row = &reader->table[i];
        if (!row->is_word) continue;
        if (row->kind == ARGUMENT_LIST) {
            *(ArgumentList *)row->target = (ArgumentList){reader->argv + 1 + taken, reader->words - taken};
            if (reader->words - taken < (int)row->low)
                status = status_error("%s is missing: %s", row->name, row->help);
            taken = reader->words;
        } else if (taken < reader->words) {
            status = set(row, row->name, reader->argv[1 + taken++]);
        } else if (!row->is_optional) {
            status = status_error("%s is missing: %s", row->name, row->help);
        }
    }
    if (!status_is_ok(&status) || taken == reader->words) return status;
    if (reader->keyed != NULL)
        return status_error("unexpected word '%s'; --%s takes words with a '='", reader->argv[1 + taken],
                            reader->keyed);
    return status_error("unexpected word '%s'", reader->argv[1 + taken]);
}

bool arguments_asks_for_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static bool asks_for_help(int argc, char **argv) {
    if (argc == 2 && arguments_asks_for_help(argv[1])) return true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) return false;
        if (is_dashed(argv[i]) && (arguments_asks_for_help(argv[i]) || strcmp(argv[i], "-help") == 0))
            return true;
    }
    return false;
}

Status arguments_read(const Argument *table, size_t count, int argc, char **argv, bool *help) {
    Reader reader = {.table = table, .count = count, .argc = argc, .argv = argv, .at = 1};
    bool only_words = false;
    Status status = status_ok();
    *help = asks_for_help(argc, argv);
    if (*help) return status;
    while (reader.at < argc && status_is_ok(&status)) {
        char *text = argv[reader.at];
        if (only_words || !is_dashed(text)) {
            argv[1 + reader.words++] = text;
            reader.at++;
        } else if (strcmp(text, "--") == 0) {
            only_words = true;
            reader.at++;
        } else {
            status = read_option(&reader);
        }
    }
    return status_is_ok(&status) ? read_words(&reader) : status;
}

/* --- a file of settings --- */

static Status read_setting(const Argument *table, size_t count, char *line) {
    char *comment = strchr(line, '#');
    if (comment != NULL) *comment = '\0';
    if (text_is_empty(text_trim(text_view(line)))) return status_ok();
    TextView name;
    const char *rest;
    if (!split_key(line, &name, &rest)) return status_error("expected name = value");
    TextView value = text_trim(text_view(rest));
    line[(size_t)(value.data - line) + value.length] = '\0';
    const Argument *setting = find_option(table, count, text_trim(name));
    if (setting == NULL) return unknown(table, count, "setting", "", text_trim(name));
    return set(setting, setting->name, value.data);
}

Status arguments_read_settings(const Argument *table, size_t count, TextBuffer *text) {
    int number = 1;
    if (text->length > 0 && memchr(text->data, '\0', text->length) != NULL)
        return status_error("it holds zero bytes, and is no text");
    for (char *line = text->data; line != NULL; number++) {
        char *end = strchr(line, '\n');
        if (end != NULL) *end = '\0';
        Status status = read_setting(table, count, line);
        if (!status_is_ok(&status)) return status_error("line %d: %s", number, status.reason);
        line = end != NULL ? end + 1 : NULL;
    }
    return status_ok();
}
