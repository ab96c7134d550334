#include "explain/rules.h"

#include "search/reduce.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

const char *effect_name(Effect effect) {
    static const char *const NAMES[] = {"cuts", "skips", "reduces", "extends", "tries", "changes", "weighs"};
    return NAMES[effect];
}

const char *bound_name(Bound bound) {
    return bound == BOUND_LOWER ? "lower" : bound == BOUND_UPPER ? "upper" : "exact";
}

const char *technique_name(TechniqueId technique) {
    int count;
    return techniques_rows(&count)[technique].name;
}

const char *rules_verb(TechniqueId technique, Effect effect) {
    static const char *const VERBS[] = {
        "cut the node", "skipped", "reduced the depth", "extended the depth", "began a search",
        "changed",      "added"};
    if (effect != EFFECT_CHANGES) return VERBS[effect];
    switch (technique) {
    case TECHNIQUE_table_eval: return "took the table's score for the static value";
    case TECHNIQUE_correction_history: return "corrected the static value";
    case TECHNIQUE_lone_king:
    case TECHNIQUE_drawish_endings: return "valued the ending";
    case TECHNIQUE_upcoming_repetition: return "saw a draw";
    case TECHNIQUE_mate_hunt: return "pruned less";
    case TECHNIQUE_opponent_worsening: return "lowered the margin";
    case TECHNIQUE_cutoff_bonus:
    case TECHNIQUE_research_history: return "taught the history";
    default: return "narrowed the window";
    }
}

/* --- the source text with its numbers filled in --- */

/* Names of the source in plain words; what is not here stands for itself. */
static const char *const LABELS[][2] = {{"eval", "value"},
                                        {"static_eval", "static value"},
                                        {"node->beta", "beta"},
                                        {"plies", "depth"},
                                        {"reduced", "reduced depth"},
                                        {"move_number", "move"},
                                        {"worsening", "opponent worsening"},
                                        {"entry->depth", "table depth"},
                                        {"entry->score", "table score"},
                                        {"entry.score", "table score"},
                                        {"hash_score", "table score"},
                                        {"*score", "score"},
                                        {"verified", "score"},
                                        {"best_score", "best score"},
                                        {"probcut_beta", "raised beta"},
                                        {"sum_of_values", "sum of both static values"},
                                        {"low", "alpha"},
                                        {"mated", "mated here"},
                                        {"high", "beta"},
                                        {"mates", "mate by the next move"},
                                        {"less", "plies"},
                                        {"1 + more", "plies"},
                                        {"picker.bad_count", "captures"},
                                        {"SCORE_DRAW", "draw"}};

static const char *const OPERATORS[][2] = {
    {"!=", "is not"}, {"<=", "is not above"}, {">=", "is at least"}, {"&&", "and"},
    {"||", "or"},     {"<", "is below"},      {">", "is above"},     {"*", "x"}};

/* A text with the numbers of its names. */
typedef struct Filled {
    const char *expression, *names;
    const int *numbers;
    const struct Filled *sum; /* whose name stands for it; NULL: none */
    const char *sum_name;
} Filled;

static void append_label(TextBuffer *out, TextView name) {
    for (size_t i = 0; i < sizeof LABELS / sizeof LABELS[0]; i++)
        if (text_equals(name, LABELS[i][0])) {
            buffer_append_string(out, LABELS[i][1]);
            return;
        }
    for (size_t i = 0; i < name.length; i++)
        buffer_append_char(out, name.data[i] == '_' ? ' ' : name.data[i]);
}

static bool is_same(TextView a, TextView b) {
    return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

/* The place of a name in the list "a, b"; -1: it is not there. */
static int place_of(const char *names, TextView name) {
    TextView rest = text_view(names), word;
    for (int place = 0; record_next_name(&rest, &word); place++)
        if (is_same(word, name)) return place;
    return -1;
}

static bool append_param(TextBuffer *out, TextView name) {
    int count;
    const ParamRow *rows = params_rows(&count);
    if (!text_starts_with(name, "params.")) return false;
    const TextView field = {name.data + 7, name.length - 7};
    for (int i = 0; i < count; i++)
        if (text_equals(field, rows[i].name)) {
            buffer_append_format(out, "%d", rows[i].value != NULL ? *rows[i].value : rows[i].initial);
            return true;
        }
    return false;
}

static void append_filled(TextBuffer *out, const Filled *filled);

/* A name: its label and number, the sum that it stands for, a number of params.def. */
static void append_name(TextBuffer *out, const Filled *filled, TextView name, bool is_factor) {
    const int place = place_of(filled->names, name);
    if (append_param(out, name)) return;
    if (filled->sum != NULL && text_equals(name, filled->sum_name)) {
        buffer_append_char(out, '(');
        append_filled(out, filled->sum);
        buffer_append_char(out, ')');
        return;
    }
    if (!is_factor || !text_equals(name, "depth")) append_label(out, name);
    if (place < 0) return;
    if (!is_factor || !text_equals(name, "depth")) buffer_append_char(out, ' ');
    buffer_append_format(out, "%d", filled->numbers[place]);
}

static size_t name_length(TextView text) {
    size_t length = 0;
    while (length < text.length) {
        const char c = text.data[length];
        const bool arrow = c == '-' && length + 1 < text.length && text.data[length + 1] == '>';
        if (!isalnum((unsigned char)c) && c != '_' && c != '.' && !arrow) break;
        length += arrow ? 2 : 1;
    }
    return length;
}

/* Whether the text before or behind a name multiplies it. */
static bool is_factor(const char *start, const char *name, size_t length) {
    const bool behind = name[length] != '\0' && name[length + 1] == '*';
    return behind || (name - start >= 2 && name[-2] == '*');
}

static void append_filled(TextBuffer *out, const Filled *filled) {
    TextView rest = text_view(filled->expression);
    while (rest.length > 0) {
        size_t taken = name_length(rest);
        const char *word = NULL;
        if (taken > 0) {
            append_name(out, filled, (TextView){rest.data, taken},
                        is_factor(filled->expression, rest.data, taken));
        } else {
            taken = 1;
            for (size_t i = 0; i < sizeof OPERATORS / sizeof OPERATORS[0] && word == NULL; i++)
                if (text_starts_with(rest, OPERATORS[i][0])) {
                    word = OPERATORS[i][1];
                    taken = text_view(OPERATORS[i][0]).length;
                }
            if (word != NULL)
                buffer_append_string(out, word);
            else
                buffer_append_char(out, *rest.data);
        }
        rest = (TextView){rest.data + taken, rest.length - taken};
    }
}

/* --- acts --- */

/* "cut node 1.0": the addends of a reduction, in plies. */
static void append_parts(TextBuffer *out, const Recording *recording, const RecordedAct *act) {
    const int *part = &recording->number[act->first_number + act->count + act->sum_count];
    for (int i = 0; i < act->part_count; i++) {
        const TextView text = text_view(recording->text[part[2 * i]].expression);
        buffer_append_string(out, i == 0 ? ": " : ", ");
        size_t at = 0;
        while (at < text.length &&
               !text_starts_with((TextView){text.data + at, text.length - at}, "reduction_"))
            at++;
        const TextView name = {text.data + at + 10, at < text.length ? text.length - at - 10 : 0};
        if (name.length > 0)
            append_label(out, (TextView){name.data, name_length(name)});
        else
            buffer_append_string(out, "depth and move number");
        const int tenths =
            (part[2 * i + 1] * 10 + (part[2 * i + 1] < 0 ? -ONE_PLY / 2 : ONE_PLY / 2)) / ONE_PLY;
        buffer_append_format(out, " %s%d.%d", tenths < 0 ? "-" : "", int_abs(tenths) / 10,
                             int_abs(tenths) % 10);
    }
}

/* Names that the condition does not show. */
static void append_others(TextBuffer *out, const Filled *filled, bool shown) {
    TextView rest = text_view(filled->names), name;
    bool open = false;
    for (int i = 0; record_next_name(&rest, &name); i++) {
        bool is_there = false;
        for (TextView text = text_view(filled->expression); shown && text.length > 0;) {
            const size_t taken = name_length(text);
            is_there |= is_same((TextView){text.data, taken}, name);
            const size_t step = taken > 0 ? taken : 1;
            text = (TextView){text.data + step, text.length - step};
        }
        if (is_there) continue;
        buffer_append_string(out, open ? ", " : shown ? " (" : "");
        open = true;
        append_label(out, name);
        buffer_append_format(out, " %d", filled->numbers[i]);
        if (filled->sum != NULL && text_equals(name, filled->sum_name)) {
            buffer_append_string(out, " = ");
            append_filled(out, filled->sum);
        }
    }
    if (open && shown) buffer_append_char(out, ')');
}

void rules_append_numbers(TextBuffer *out, const Recording *recording, const RecordedAct *act) {
    const RecordText *text = &recording->text[act->text], *sum_text = &recording->text[act->sum];
    const int *numbers = &recording->number[act->first_number];
    const Filled sum = {sum_text->expression, sum_text->names, numbers + act->count, NULL, NULL};
    const bool has_sum = act->sum_count > 0;
    const Filled filled = {text->expression, text->names, numbers, has_sum ? &sum : NULL,
                           has_sum ? sum_text->name : NULL};
    const bool compares = !text_equals(text_view(text->expression), "true");
    int reduced, depth;
    if (act->technique == TECHNIQUE_late_move_reductions &&
        recording_number(recording, act, "reduced", &reduced) &&
        recording_number(recording, act, "depth", &depth)) {
        buffer_append_format(out, "to %d instead of %d", reduced, depth);
        append_parts(out, recording, act);
        return;
    }
    if (compares) append_filled(out, &filled);
    append_others(out, &filled, compares);
}
