#include "record/without.h"

#include "base/bits.h"
#include "base/nearest.h"

#include <inttypes.h>

bool without_matters(TechniqueId technique) {
    return technique != TECHNIQUE_time_stability && technique != TECHNIQUE_time_falling_score &&
           technique != TECHNIQUE_time_node_share;
}

static TechniqueSet techniques_that_matter(void) {
    TechniqueSet set = 0;
    for (int id = 0; id < TECHNIQUE_COUNT; id++)
        if (without_matters((TechniqueId)id)) set |= technique_bit((TechniqueId)id);
    return set;
}

static Status refuse_unknown(const char *kind, const char *shown, const Nearest *nearest) {
    if (nearest->name == NULL) return status_error("there is no %s '%s'", kind, shown);
    return status_error("there is no %s '%s'; did you mean %s?", kind, shown, nearest->name);
}

static Status parse_value(TextView text, int row, SearchChanges *changes) {
    int count;
    const ParamRow *number = &params_rows(&count)[row];
    int64_t value;
    if (text_starts_with(text_view(number->name), "time_"))
        return status_error("'%s' is of the clock, which plays no part here", number->name);
    if (!text_parse_int64(text, &value) || value < number->low || value > number->high)
        return status_error("%s must be a whole number from %d to %d", number->name, number->low,
                            number->high);
    int i = 0;
    while (i < changes->count && changes->number[i].row != row) i++;
    if (i == CHANGES_MAX) return status_error("at most %d numbers can be set", CHANGES_MAX);
    changes->number[i] = (NumberChange){row, (int)value};
    changes->count = int_max(changes->count, i + 1);
    return status_ok();
}

static Status parse_number(TextView name, TextView value, SearchChanges *changes) {
    char shown[32];
    Nearest nearest = nearest_to(name);
    int count;
    const ParamRow *rows = params_rows(&count);
    text_copy_printable(name, shown, sizeof shown);
    for (int row = 0; row < count; row++) {
        if (text_equals(name, rows[row].name)) return parse_value(value, row, changes);
        nearest_consider(&nearest, rows[row].name);
    }
    for (int id = 0; id < TECHNIQUE_COUNT; id++) {
        const char *technique = technique_name((TechniqueId)id);
        if (text_equals(name, technique))
            return status_error("'%s' is a technique, which has no value: a search can do without it",
                                technique);
        nearest_consider(&nearest, technique);
    }
    return refuse_unknown("number", shown, &nearest);
}

/* A technique, "all", or with a plus one that stays on. */
static Status parse_name(TextView name, TechniqueSet *set) {
    const bool stays = name.data[0] == '+';
    char shown[32];
    if (text_equals(name, "all")) {
        *set |= techniques_that_matter();
        return status_ok();
    }
    if (stays) name = (TextView){name.data + 1, name.length - 1};
    Nearest nearest = nearest_to(name);
    text_copy_printable(name, shown, sizeof shown);
    for (int id = 0; id < TECHNIQUE_COUNT; id++) {
        const char *known = technique_name((TechniqueId)id);
        if (without_matters((TechniqueId)id)) nearest_consider(&nearest, known);
        if (!text_equals(name, known)) continue;
        if (!without_matters((TechniqueId)id))
            return status_error("'%s' is of the clock, which plays no part here", shown);
        *set = stays ? *set & ~technique_bit((TechniqueId)id) : *set | technique_bit((TechniqueId)id);
        return status_ok();
    }
    return refuse_unknown("technique", shown, &nearest);
}

static Status parse_change(TextView word, unsigned kinds, SearchChanges *changes) {
    size_t length = 0;
    while (length < word.length && word.data[length] != '=') length++;
    const bool has_value = length < word.length;
    if (!(kinds & CHANGE_NUMBER) || (!has_value && kinds == CHANGE_ANY))
        return parse_name(word, &changes->off);
    const size_t rest = length + has_value;
    return parse_number((TextView){word.data, length}, (TextView){word.data + rest, word.length - rest},
                        changes);
}

Status changes_parse(TextView list, unsigned kinds, SearchChanges *changes) {
    Status status = status_ok();
    while (list.length > 0 && status_is_ok(&status)) {
        size_t length = 0;
        while (length < list.length && list.data[length] != ',') length++;
        TextView part = {list.data, length}, word;
        while ((word = text_next_word(&part)).length > 0 && status_is_ok(&status))
            status = parse_change(word, kinds, changes);
        if (length < list.length) length++;
        list = (TextView){list.data + length, list.length - length};
    }
    return status;
}

void changes_append(TextBuffer *out, const SearchChanges *changes) {
    int count;
    const ParamRow *rows = params_rows(&count);
    const TechniqueSet all = techniques_that_matter(), on = all & ~changes->off;
    const bool most = bits_count(changes->off) > bits_count(on);
    const TechniqueSet named = most ? on : changes->off;
    const size_t start = out->length;
    if (most) buffer_append_string(out, "all");
    for (int id = 0; id < TECHNIQUE_COUNT; id++)
        if (named & technique_bit((TechniqueId)id))
            buffer_append_format(out, "%s%s%s", out->length > start ? ", " : "", most ? "+" : "",
                                 technique_name((TechniqueId)id));
    for (int i = 0; i < changes->count; i++)
        buffer_append_format(out, "%s%s=%d", out->length > start ? ", " : "",
                             rows[changes->number[i].row].name, changes->number[i].value);
}

int without_touched(const Recording *recording, Move move, TechniqueId *techniques_out) {
    int acted[TECHNIQUE_COUNT] = {0}, count = 0;
    for (int i = 0; i < recording->act_count; i++) {
        const RecordedAct *act = &recording->act[i];
        if (recording->visit[act->visit].ply > 0 || act->move == move) acted[act->technique]++;
    }
    for (; count < TOUCHED_MAX; count++) {
        int most = 0;
        for (int id = 1; id < TECHNIQUE_COUNT; id++)
            if (acted[id] > acted[most]) most = id;
        if (acted[most] == 0) break;
        techniques_out[count] = (TechniqueId)most;
        acted[most] = 0;
    }
    return count;
}

/* --- searches without --- */

enum { NAME_WIDTH = 23, COUNT_WIDTH = 11, SKIPPED_WIDTH = 15, SAVED_WIDTH = 13 };

static void write_finding(Document *document, const char *name, const Finding *finding,
                          const Position *root) {
    const bool any = finding->best != MOVE_NONE;
    document_object(document, name);
    document_int(document, "depth", finding->depth);
    document_int(document, "nodes", (int64_t)finding->nodes);
    document_int(document, "units", finding->score);
    if (any) document_move(document, "best", root, finding->best);
    document_object_end(document);
    document_cell(document, STYLE_NORMAL, -8, "  %s",
                  any ? language_san(document, root, finding->best) : "-");
    document_cell(document, STYLE_NORMAL, 8, "%s",
                  any ? language_white_score(document, finding->score, root->side) : "");
}

static void write_search(Document *document, const Without *search, const Finding *base,
                         const Position *root) {
    const bool is_base = search->off == TECHNIQUE_COUNT;
    const char *name = is_base ? NULL : technique_name(search->off);
    const double factor = (double)search->same_depth.nodes / (double)(base->nodes > 0 ? base->nodes : 1);
    document_object(document, NULL);
    document_string(document, "without", name);
    document_cell(document, STYLE_NAME, -NAME_WIDTH, "%s",
                  is_base ? document->language->words[WORDS_without_nothing] : name);
    write_finding(document, "same_depth", &search->same_depth, root);
    document_cell(document, STYLE_NORMAL, -11, "  %s",
                  is_base ? document_text(document, "%" PRIu64, base->nodes)
                  : search->same_depth.depth < base->depth
                      ? document_text(document, "> x %d", WITHOUT_NODES_FACTOR)
                      : document_text(document, "x %.2f", factor));
    document_cell(document, STYLE_NORMAL, 7, "%d", search->same_nodes.depth);
    write_finding(document, "same_nodes", &search->same_nodes, root);
    document_row(document);
    document_object_end(document);
}

static void write_head(Document *document) {
    static const struct {
        WordsId id;
        int width;
        const char *before;
    } COLUMNS[] = {{WORDS_column_without, -NAME_WIDTH, ""},
                   {WORDS_column_move, -8, "  "},
                   {WORDS_column_score, 8, ""},
                   {WORDS_column_nodes, -11, "  "},
                   {WORDS_column_depth, 7, ""},
                   {WORDS_column_move, -8, "  "},
                   {WORDS_column_score, 8, ""}};
    for (size_t i = 0; i < sizeof COLUMNS / sizeof COLUMNS[0]; i++)
        document_cell(document, STYLE_QUIET, COLUMNS[i].width, "%s%s", COLUMNS[i].before,
                      document->language->words[COLUMNS[i].id]);
    document_row(document);
}

void without_write(Document *document, const Without *searches, int count, const Position *root) {
    const bool is_shown = count > 1 || document->form == DOCUMENT_JSON;
    document_list(document, "without");
    if (is_shown) {
        document_row(document);
        language_write(document, STYLE_STRONG, WORDS_without_title,
                       FILL(FILL_NUMBER("depth", searches[0].same_depth.depth)));
        write_head(document);
    }
    for (int i = 0; i < count && is_shown; i++)
        write_search(document, &searches[i], &searches[0].same_depth, root);
    document_list_end(document);
}

/* --- totals --- */

static uint64_t acts_of(const RecordingTotals *totals, TechniqueId technique) {
    uint64_t acts = 0;
    for (int effect = 0; effect < EFFECT_COUNT; effect++) acts += totals->acted[technique][effect];
    return acts;
}

/* Whether it spares searches or adds some: else an estimate would say nothing. */
static bool can_be_estimated(const RecordingTotals *totals, TechniqueId technique) {
    const uint64_t *acted = totals->acted[technique];
    return acted[EFFECT_CUTS] + acted[EFFECT_SKIPS] + acted[EFFECT_REDUCES] + acted[EFFECT_EXTENDS] +
               acted[EFFECT_TRIES] >
           0;
}

static const char *percent(Document *document, uint64_t part, uint64_t whole) {
    return document_text(document, "%.1f", whole > 0 ? 100 * (double)part / (double)whole : 0);
}

static void write_technique(Document *document, const RecordingTotals *totals, TechniqueId id) {
    const uint64_t acted = acts_of(totals, id), skipped = totals->skipped[id];
    document_object(document, NULL);
    document_string(document, "technique", technique_name(id));
    document_int(document, "acted", (int64_t)acted);
    document_int(document, "skipped", (int64_t)skipped);
    document_cell(document, STYLE_NAME, -NAME_WIDTH, "%s", technique_name(id));
    document_cell(document, STYLE_NORMAL, COUNT_WIDTH, "%" PRIu64, acted);
    if (can_be_estimated(totals, id)) {
        document_real(document, "saved", recording_saved(totals, id), 0);
        document_cell(document, STYLE_NORMAL, SKIPPED_WIDTH, "%s",
                      skipped > 0 ? document_text(document, "%" PRIu64, skipped) : "");
        document_cell(document, STYLE_NORMAL, SAVED_WIDTH, "%.0f", recording_saved(totals, id));
    }
    document_row(document);
    document_object_end(document);
}

void without_write_totals(Document *document, const RecordingTotals *totals) {
    document_object(document, "totals");
    document_int(document, "nodes", (int64_t)totals->nodes);
    document_int(document, "visits", (int64_t)totals->visits);
    document_int(document, "table_visits", (int64_t)totals->table_visits);
    document_int(document, "reduced", (int64_t)totals->reduced);
    document_int(document, "re_searched", (int64_t)totals->re_searched);
    document_row(document);
    language_write(document, STYLE_NORMAL, WORDS_totals,
                   FILL(FILL_NUMBER("nodes", totals->nodes), FILL_NUMBER("reduced", totals->reduced),
                        FILL_NUMBER("again", totals->re_searched),
                        FILL_TEXT("percent", percent(document, totals->re_searched, totals->reduced)),
                        FILL_TEXT("table", percent(document, totals->table_visits, totals->visits))));
    const char *const *words = document->language->words;
    document_cell(document, STYLE_QUIET, -NAME_WIDTH, "%s", words[WORDS_column_technique]);
    document_cell(document, STYLE_QUIET, COUNT_WIDTH, "%s", words[WORDS_column_acted]);
    document_cell(document, STYLE_QUIET, SKIPPED_WIDTH, "%s", words[WORDS_column_skipped]);
    document_cell(document, STYLE_QUIET, SAVED_WIDTH, "%s", words[WORDS_column_saved]);
    document_row(document);
    document_list(document, "techniques");
    for (int id = 0; id < TECHNIQUE_COUNT; id++)
        if (acts_of(totals, (TechniqueId)id) > 0) write_technique(document, totals, (TechniqueId)id);
    document_list_end(document);
    document_object_end(document);
}
