#include "explain/without.h"

#include "base/nearest.h"
#include "chess/san.h"
#include "engine/json.h"
#include "engine/lines.h"
#include "engine/wrap.h"

bool without_matters(TechniqueId technique) {
    return technique != TECHNIQUE_time_stability && technique != TECHNIQUE_time_falling_score &&
           technique != TECHNIQUE_time_node_share;
}

static Status parse_name(TextView name, TechniqueSet *set) {
    char shown[32];
    Nearest nearest = nearest_to(name);
    text_copy_printable(name, shown, sizeof shown);
    for (int id = 0; id < TECHNIQUE_COUNT; id++) {
        const char *known = technique_name((TechniqueId)id);
        if (without_matters((TechniqueId)id)) nearest_consider(&nearest, known);
        if (!text_equals(name, known)) continue;
        if (!without_matters((TechniqueId)id))
            return status_error("'%s' is of the clock, which plays no part here", shown);
        *set |= technique_bit((TechniqueId)id);
        return status_ok();
    }
    if (nearest.name != NULL)
        return status_error("there is no technique '%s'; did you mean %s?", shown, nearest.name);
    return status_error("there is no technique '%s'", shown);
}

Status without_parse(TextView list, TechniqueSet *techniques_out) {
    Status status = status_ok();
    *techniques_out = 0;
    while (list.length > 0 && status_is_ok(&status)) {
        size_t length = 0;
        while (length < list.length && list.data[length] != ',') length++;
        TextView part = {list.data, length}, word;
        while ((word = text_next_word(&part)).length > 0 && status_is_ok(&status))
            status = parse_name(word, techniques_out);
        if (length < list.length) length++;
        list = (TextView){list.data + length, list.length - length};
    }
    return status;
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

/* --- trials --- */

static void append_finding(TextBuffer *out, const Finding *finding, const Position *root) {
    if (finding->best == MOVE_NONE) {
        buffer_append_format(out, "%-7s %7s", "-", "");
        return;
    }
    TextBuffer score = {0};
    char san[SAN_CAPACITY];
    san_write(root, finding->best, san);
    lines_append_score(&score, finding->score, root->side);
    buffer_append_format(out, "%-7s %7s", san, buffer_string(&score));
    if (score.failed) out->failed = true;
    buffer_release(&score);
}

void without_append(TextBuffer *out, const Trial *trials, int count, const Position *root) {
    const Finding *base = &trials[0].same_depth;
    buffer_append_format(out,
                         PAINT_STRONG
                         "The same search without a technique, to depth %d and with the same nodes:" PAINT_END
                         "\n" PAINT_QUIET "%-23s  %-7s %7s  %-9s  %5s  %-7s %7s" PAINT_END "\n",
                         base->depth, "without", "move", "score", "nodes", "depth", "move", "score");
    for (int i = 0; i < count; i++) {
        const Trial *trial = &trials[i];
        TextBuffer nodes = {0};
        if (i == 0)
            buffer_append_format(&nodes, "%llu", (unsigned long long)base->nodes);
        else if (trial->same_depth.depth < base->depth)
            buffer_append_format(&nodes, "> x %d", TRIAL_NODES_FACTOR);
        else
            buffer_append_format(&nodes, "x %.2f",
                                 (double)trial->same_depth.nodes /
                                     (double)(base->nodes > 0 ? base->nodes : 1));
        buffer_append_format(out, PAINT_NAME "%-23s" PAINT_END "  ",
                             trial->off == TECHNIQUE_COUNT ? "(none)" : technique_name(trial->off));
        append_finding(out, &trial->same_depth, root);
        buffer_append_format(out, "  %-9s  %5d  ", buffer_string(&nodes), trial->same_nodes.depth);
        append_finding(out, &trial->same_nodes, root);
        buffer_append_char(out, '\n');
        if (nodes.failed) out->failed = true;
        buffer_release(&nodes);
    }
}

static void json_finding(TextBuffer *out, const char *name, const Finding *finding, const Position *root) {
    buffer_append_format(out, ",\"%s\":{\"depth\":%d,\"nodes\":%llu,\"units\":%d", name, finding->depth,
                         (unsigned long long)finding->nodes, finding->score);
    if (finding->best != MOVE_NONE) {
        buffer_append_string(out, ",\"best\":");
        json_append_move(out, root, finding->best);
    }
    buffer_append_char(out, '}');
}

void without_append_json(TextBuffer *out, const Trial *trials, int count, const Position *root) {
    buffer_append_char(out, '[');
    for (int i = 0; i < count; i++) {
        buffer_append_format(out, "%s{\"without\":", i > 0 ? "," : "");
        if (trials[i].off == TECHNIQUE_COUNT)
            buffer_append_string(out, "null");
        else
            buffer_append_format(out, "\"%s\"", technique_name(trials[i].off));
        json_finding(out, "same_depth", &trials[i].same_depth, root);
        json_finding(out, "same_nodes", &trials[i].same_nodes, root);
        buffer_append_char(out, '}');
    }
    buffer_append_char(out, ']');
}

/* --- totals --- */

static uint64_t acts_of(const RecordingTotals *totals, int technique) {
    uint64_t acts = 0;
    for (int effect = 0; effect < EFFECT_COUNT; effect++) acts += totals->acted[technique][effect];
    return acts;
}

/* Whether it spares searches or adds some: else an estimate would say nothing. */
static bool can_be_estimated(const RecordingTotals *totals, int technique) {
    const uint64_t *acted = totals->acted[technique];
    return acted[EFFECT_CUTS] + acted[EFFECT_SKIPS] + acted[EFFECT_REDUCES] + acted[EFFECT_EXTENDS] +
               acted[EFFECT_TRIES] >
           0;
}

static double percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

void without_append_totals(TextBuffer *out, const RecordingTotals *totals, size_t width) {
    TextBuffer text = {0};
    buffer_append_format(
        &text,
        "The whole search had %llu nodes. It reduced %llu moves; %llu of them (%.1f %%) were "
        "searched again. A table entry decided %.1f %% of its positions. Nodes saved are an "
        "estimate: for each search that a technique spared, the average of those searches "
        "of that depth that none cut, less what it searched itself.\n",
        (unsigned long long)totals->nodes, (unsigned long long)totals->reduced,
        (unsigned long long)totals->re_searched, percent(totals->re_searched, totals->reduced),
        percent(totals->table_visits, totals->visits));
    wrap_append(out, buffer_view(&text), width, 0);
    if (text.failed) out->failed = true;
    buffer_release(&text);
    buffer_append_format(out, PAINT_QUIET "%-23s %10s %14s %12s" PAINT_END "\n", "technique", "acted",
                         "moves skipped", "nodes saved");
    for (int id = 0; id < TECHNIQUE_COUNT; id++) {
        if (acts_of(totals, id) == 0) continue;
        buffer_append_format(out, PAINT_NAME "%-23s" PAINT_END " %10llu", technique_name((TechniqueId)id),
                             (unsigned long long)acts_of(totals, id));
        const bool estimates = can_be_estimated(totals, id);
        if (totals->skipped[id] > 0)
            buffer_append_format(out, " %14llu", (unsigned long long)totals->skipped[id]);
        else if (estimates)
            buffer_append_format(out, " %14s", "");
        if (estimates) buffer_append_format(out, " %12.0f", recording_saved(totals, (TechniqueId)id));
        buffer_append_char(out, '\n');
    }
}

void without_append_totals_json(TextBuffer *out, const RecordingTotals *totals) {
    buffer_append_format(out,
                         "{\"nodes\":%llu,\"visits\":%llu,\"table_visits\":%llu,\"reduced\":%llu,"
                         "\"re_searched\":%llu,\"techniques\":[",
                         (unsigned long long)totals->nodes, (unsigned long long)totals->visits,
                         (unsigned long long)totals->table_visits, (unsigned long long)totals->reduced,
                         (unsigned long long)totals->re_searched);
    bool first = true;
    for (int id = 0; id < TECHNIQUE_COUNT; id++) {
        if (acts_of(totals, id) == 0) continue;
        buffer_append_format(out, "%s{\"technique\":\"%s\",\"acted\":%llu,\"skipped\":%llu", first ? "" : ",",
                             technique_name((TechniqueId)id), (unsigned long long)acts_of(totals, id),
                             (unsigned long long)totals->skipped[id]);
        if (can_be_estimated(totals, id))
            buffer_append_format(out, ",\"saved\":%.0f", recording_saved(totals, (TechniqueId)id));
        buffer_append_char(out, '}');
        first = false;
    }
    buffer_append_string(out, "]}");
}
