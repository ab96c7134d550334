#include "explain/story.h"

#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "engine/json.h"
#include "engine/lines.h"
#include "engine/wrap.h"
#include "explain/language.h"
#include "search/score.h"

/* --- reading --- */

static Bound turned(Bound bound) {
    return bound == BOUND_LOWER ? BOUND_UPPER : bound == BOUND_UPPER ? BOUND_LOWER : bound;
}

static void note_search(Story *story, const Visit *visit) {
    StoryRow *row = story->row_count > 0 ? &story->row[story->row_count - 1] : NULL;
    const int depth = visit->depth + 1;
    if (row == NULL || row->iteration != visit->iteration) {
        if (story->row_count == STORY_ITERATIONS_MAX) return;
        row = &story->row[story->row_count++];
        *row = (StoryRow){.iteration = visit->iteration, .depth = depth, .deepest = depth};
    }
    row->place = visit->number;
    row->deepest = depth > row->deepest ? depth : row->deepest;
    row->searches++;
    row->nodes += visit->nodes;
    row->score = -visit->score;
    row->bound = turned(visit_bound(visit));
}

static void add_act(StoryNode *node, const Recording *recording, int index) {
    const RecordedAct *act = &recording->act[index];
    int row = 0;
    while (row < node->act_count && (recording->act[node->act[row].act].technique != act->technique ||
                                     recording->act[node->act[row].act].effect != act->effect))
        row++;
    if (row == STORY_ACTS_MAX) return;
    node->act_count += row == node->act_count;
    recording_group_act(recording, &node->act[row], index);
}

/* What the rules did in a visit; `only`: to that move, MOVE_NONE: to all. */
static void read_node(const Recording *recording, int visit, Move only, StoryNode *node) {
    const Visit *at = &recording->visit[visit];
    *node = (StoryNode){.visit = visit, .best = MOVE_NONE};
    for (int i = at->act; i < at->act_end; i++)
        if (recording->act[i].visit == visit && (only == MOVE_NONE || recording->act[i].move == only))
            add_act(node, recording, i);
    for (int v = recording_next_child(recording, visit, visit + 1); v < at->end;
         v = recording_next_child(recording, visit, recording->visit[v].end))
        node->move_count += recording->visit[v].purpose == PURPOSE_MOVE;
}

void story_read(const Recording *recording, const Position *root, Move move, Story *story) {
    int last = VISIT_NONE; /* the search of the move that has most to tell, the last of such */
    *story = (Story){.move = move, .root_moves = movegen_count(root)};
    for (int r = 0; r < recording->visit_count; r = recording->visit[r].end)
        for (int v = recording_next_child(recording, r, r + 1); v < recording->visit[r].end;
             v = recording_next_child(recording, r, recording->visit[v].end)) {
            const Visit *visit = &recording->visit[v];
            if (visit->move != move || !visit->finished || !visit_is_of_move(visit)) continue;
            note_search(story, visit);
            if (last == VISIT_NONE || visit->nodes >= recording->visit[last].nodes) last = v;
        }
    if (last == VISIT_NONE) return;
    StoryNode *node = &story->node[story->node_count++];
    read_node(recording, recording->visit[last].parent, move, node);
    node->best = move;
    while (last != VISIT_NONE && story->node_count < STORY_NODES_MAX) {
        node = &story->node[story->node_count++];
        read_node(recording, last, MOVE_NONE, node);
        last = recording_best_child(recording, last);
        if (last != VISIT_NONE) node->best = recording->visit[last].move;
    }
}

/* --- words --- */

static void append_san(TextBuffer *out, const Position *pos, Move move) {
    char san[SAN_CAPACITY];
    san_write(pos, move, san);
    buffer_append_string(out, san);
}

/* "<= -0.31": a score for White, as lines have it. */
static void append_score(TextBuffer *out, int score, Bound bound, Color side) {
    if (side == BLACK) bound = turned(bound);
    if (bound == BOUND_UPPER) buffer_append_string(out, "<= ");
    if (bound == BOUND_LOWER) buffer_append_string(out, ">= ");
    lines_append_score(out, score, side);
}

static void append_rows(TextBuffer *out, const Story *story, const Position *root) {
    buffer_append_string(out, PAINT_QUIET "iteration   place  searched to   times     nodes  score" PAINT_END
                                          "\n");
    for (int i = 0; i < story->row_count; i++) {
        const StoryRow *row = &story->row[i];
        TextBuffer depth = {0};
        buffer_append_format(&depth, "%d", row->depth);
        if (row->deepest > row->depth) buffer_append_format(&depth, ", then %d", row->deepest);
        buffer_append_format(out, "%9d %7d  %11s %7d %9llu  ", row->iteration, row->place,
                             buffer_string(&depth), row->searches, (unsigned long long)row->nodes);
        if (depth.failed) out->failed = true;
        buffer_release(&depth);
        append_score(out, row->score, row->bound, root->side);
        buffer_append_char(out, '\n');
    }
}

static void append_act(TextBuffer *out, const Recording *recording, const ActGroup *group,
                       const Position *pos) {
    const RecordedAct *act = &recording->act[group->act];
    const bool repeats = group->count > 1 && act->effect != EFFECT_SKIPS;
    buffer_append_format(out, "  " PAINT_NAME "%s" PAINT_END, technique_name((TechniqueId)act->technique));
    if (repeats) buffer_append_format(out, " (%d times, first)", group->count);
    buffer_append_string(out, ": ");
    language_append_acts(out, language_find(NULL), recording, group, pos);
    buffer_append_char(out, '\n');
}

/* Changes of a value or of what is learned are in the JSON only: they say nothing about one move. */
static bool is_told(const Recording *recording, const ActGroup *sum) {
    return recording->act[sum->act].effect != EFFECT_CHANGES;
}

static void append_node(TextBuffer *out, const Recording *recording, const StoryNode *node, bool is_root,
                        const Position *pos, Move before, const Position *above) {
    const Visit *visit = &recording->visit[node->visit];
    int told = 0;
    for (int i = 0; i < node->act_count; i++) told += is_told(recording, &node->act[i]);
    if (is_root) {
        buffer_append_format(out, "At the root, iteration %d, which spent most nodes on it%s\n",
                             visit->iteration, told > 0 ? ":" : ", no rule touched it.");
    } else {
        buffer_append_string(out, "After ");
        lines_append_moves(out, above, &before, 1, SIZE_MAX);
        if (visit->depth == 0)
            buffer_append_string(out, " (quiescence");
        else
            buffer_append_format(out, " (depth %d", visit->depth);
        buffer_append_format(out, ", alpha %d): ", visit->alpha);
        if (node->best != MOVE_NONE) {
            append_san(out, pos, node->best);
            buffer_append_format(out, ", %s %d",
                                 visit_bound(visit) == BOUND_LOWER ? "which cut with"
                                                                   : "best of those searched,",
                                 visit->score);
        } else {
            buffer_append_format(out, "%d without a move", visit->score);
        }
        buffer_append_format(out, "; %d searched.\n", node->move_count);
    }
    for (int i = 0; i < node->act_count; i++)
        if (is_told(recording, &node->act[i])) append_act(out, recording, &node->act[i], pos);
}

void story_append(TextBuffer *out, const Story *story, const Recording *recording, const Position *root,
                  size_t width) {
    TextBuffer text = {0};
    buffer_append_string(&text, PAINT_STRONG "How the search treated ");
    append_san(&text, root, story->move);
    buffer_append_format(&text, ", one of %d moves:" PAINT_END "\n", story->root_moves);
    if (story->row_count == 0)
        buffer_append_string(&text, "It was never searched: another move cut before its turn.\n");
    wrap_append(out, buffer_view(&text), width, 0);
    buffer_clear(&text);
    if (story->row_count > 0) append_rows(out, story, root);
    if (story->node_count > 0)
        buffer_append_format(&text,
                             "\n" PAINT_STRONG "What the rules did" PAINT_END
                             " (units of the search, %d to a pawn; side to move):\n",
                             SCORE_UNITS_PER_PAWN);
    Position pos = *root, above = *root;
    Move before = MOVE_NONE;
    for (int i = 0; i < story->node_count; i++) {
        const StoryNode *node = &story->node[i];
        append_node(&text, recording, node, i == 0, &pos, before, &above);
        if (node->best == MOVE_NONE) break;
        Undo undo;
        above = pos;
        before = node->best;
        position_make_move(&pos, before, &undo);
    }
    wrap_append(out, buffer_view(&text), width, 4);
    if (recording->dropped > 0)
        buffer_append_format(out, "%llu nodes and acts were not recorded for want of room.\n",
                             (unsigned long long)recording->dropped);
    if (text.failed) out->failed = true;
    buffer_release(&text);
}

/* --- JSON --- */

static void json_act(TextBuffer *out, const Recording *recording, const ActGroup *sum, const Position *pos) {
    const RecordedAct *act = &recording->act[sum->act];
    buffer_append_format(out, "{\"technique\":\"%s\",\"effect\":\"%s\",\"count\":%d,\"moves\":[",
                         technique_name((TechniqueId)act->technique), effect_name((Effect)act->effect),
                         sum->count);
    for (int i = 0; i < sum->named; i++) {
        if (i > 0) buffer_append_char(out, ',');
        json_append_move(out, pos, sum->move[i]);
    }
    buffer_append_string(out, "],\"words\":\"");
    language_append_acts(out, language_find(NULL), recording, sum, pos);
    buffer_append_string(out, "\"}");
}

static void json_node(TextBuffer *out, const Recording *recording, const StoryNode *node,
                      const Position *pos) {
    const Visit *visit = &recording->visit[node->visit];
    buffer_append_format(out,
                         "{\"ply\":%d,\"depth\":%d,\"alpha\":%d,\"beta\":%d,\"score\":%d,\"bound\":\"%s\","
                         "\"searched\":%d,",
                         visit->ply, visit->depth, visit->alpha, visit->beta, visit->score,
                         bound_name(visit_bound(visit)), node->move_count);
    if (node->best != MOVE_NONE) {
        buffer_append_string(out, "\"move\":");
        json_append_move(out, pos, node->best);
        buffer_append_char(out, ',');
    }
    buffer_append_string(out, "\"acts\":[");
    for (int i = 0; i < node->act_count; i++) {
        if (i > 0) buffer_append_char(out, ',');
        json_act(out, recording, &node->act[i], pos);
    }
    buffer_append_string(out, "]}");
}

void story_append_json(TextBuffer *out, const Story *story, const Recording *recording,
                       const Position *root) {
    buffer_append_format(out, "{\"moves\":%d,\"iterations\":[", story->root_moves);
    for (int i = 0; i < story->row_count; i++) {
        const StoryRow *row = &story->row[i];
        buffer_append_format(out,
                             "%s{\"iteration\":%d,\"place\":%d,\"depth\":%d,\"deepest\":%d,\"searches\":%d,"
                             "\"nodes\":%llu,\"units\":%d,\"bound\":\"%s\"}",
                             i > 0 ? "," : "", row->iteration, row->place, row->depth, row->deepest,
                             row->searches, (unsigned long long)row->nodes, row->score,
                             bound_name(row->bound));
    }
    buffer_append_string(out, "],\"refutation\":[");
    Position pos = *root;
    for (int i = 0; i < story->node_count; i++) {
        if (i > 0) buffer_append_char(out, ',');
        json_node(out, recording, &story->node[i], &pos);
        if (story->node[i].best == MOVE_NONE) break;
        Undo undo;
        position_make_move(&pos, story->node[i].best, &undo);
    }
    buffer_append_format(out, "],\"dropped\":%llu}", (unsigned long long)recording->dropped);
}
