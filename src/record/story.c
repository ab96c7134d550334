#include "record/story.h"

#include "chess/makemove.h"
#include "chess/movegen.h"
#include "engine/lines.h"

#include <inttypes.h>

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
    for (int v = recording_child(recording, visit); v != VISIT_NONE; v = recording_sibling(recording, v))
        node->move_count += recording->visit[v].purpose == PURPOSE_MOVE;
}

void story_read(const Recording *recording, const Position *root, Move move, Story *story) {
    int last = VISIT_NONE; /* the search of the move that has most to tell, the last of such */
    *story = (Story){.move = move, .root_moves = movegen_count(root)};
    for (int r = 0; r < recording->visit_count; r = recording->visit[r].end)
        for (int v = recording_child(recording, r); v != VISIT_NONE; v = recording_sibling(recording, v)) {
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

/* --- writing --- */

/* "<= -0.31": a score for White, as lines have it. */
static const char *score_text(Document *document, int score, Bound bound, Color side) {
    if (side == BLACK) bound = turned(bound);
    const char *sign = bound == BOUND_UPPER ? "<= " : bound == BOUND_LOWER ? ">= " : "";
    return document_text(document, "%s%s", sign, language_white_score(document, score, side));
}

static const int WIDTHS[] = {9, 8, 13, 8, 10};

static void write_head(Document *document) {
    static const WordsId COLUMNS[] = {WORDS_column_iteration, WORDS_column_place, WORDS_column_searched_to,
                                      WORDS_column_times, WORDS_column_nodes};
    for (int i = 0; i < 5; i++)
        document_cell(document, STYLE_QUIET, WIDTHS[i], "%s", document->language->words[COLUMNS[i]]);
    document_cell(document, STYLE_QUIET, 0, "  %s", document->language->words[WORDS_column_score]);
    document_row(document);
}

static void write_row(Document *document, const StoryRow *row, Color side) {
    document_object(document, NULL);
    document_int(document, "iteration", row->iteration);
    document_int(document, "place", row->place);
    document_int(document, "depth", row->depth);
    document_int(document, "deepest", row->deepest);
    document_int(document, "searches", row->searches);
    document_int(document, "nodes", (int64_t)row->nodes);
    document_int(document, "units", row->score);
    document_string(document, "bound", bound_name(row->bound));
    document_object_end(document);
    const char *depth =
        language_words(document, WORDS_searched_to,
                       FILL(FILL_NUMBER("depth", row->depth), FILL_NUMBER("deepest", row->deepest)));
    if (row->deepest == row->depth) depth = document_text(document, "%d", row->depth);
    document_cell(document, STYLE_NORMAL, WIDTHS[0], "%d", row->iteration);
    document_cell(document, STYLE_NORMAL, WIDTHS[1], "%d", row->place);
    document_cell(document, STYLE_NORMAL, WIDTHS[2], "%s", depth);
    document_cell(document, STYLE_NORMAL, WIDTHS[3], "%d", row->searches);
    document_cell(document, STYLE_NORMAL, WIDTHS[4], "%" PRIu64, row->nodes);
    document_cell(document, STYLE_NORMAL, 0, "  %s", score_text(document, row->score, row->bound, side));
    document_row(document);
}

/* In text not the changes of a value or of what is learned: they say nothing about one move. */
static bool is_shown(const Recording *recording, const ActGroup *group) {
    return recording->act[group->act].effect != EFFECT_CHANGES;
}

static void write_acts(Document *document, const Recording *recording, const ActGroup *group,
                       const Position *pos) {
    const RecordedAct *act = &recording->act[group->act];
    const char *technique = technique_name((TechniqueId)act->technique);
    const bool repeats = group->count > 1 && act->effect != EFFECT_SKIPS;
    const char *sentence = language_acts(document, recording, group, pos);
    const char *term =
        language_words(document, repeats ? WORDS_act_times : WORDS_act_once,
                       FILL(FILL_TEXT("technique", technique), FILL_NUMBER("count", group->count)));
    document_object(document, NULL);
    document_string(document, "technique", technique);
    document_string(document, "effect", effect_name((Effect)act->effect));
    document_int(document, "count", group->count);
    document_list(document, "moves");
    for (int i = 0; i < group->named; i++) document_move(document, NULL, pos, group->move[i]);
    document_list_end(document);
    document_string(document, "words", sentence);
    document_object_end(document);
    if (!is_shown(recording, group)) return;
    document_cell(document, STYLE_NORMAL, 1, "%s", "");
    document_put(document, STYLE_NAME, 4, term);
    document_put(document, STYLE_NORMAL, 4, sentence);
    document_row(document);
}

static void write_root_title(Document *document, const Recording *recording, const StoryNode *node) {
    bool is_touched = false;
    for (int i = 0; i < node->act_count; i++) is_touched |= is_shown(recording, &node->act[i]);
    language_write(document, STYLE_NORMAL, is_touched ? WORDS_at_root : WORDS_at_root_nothing,
                   FILL(FILL_NUMBER("iteration", recording->visit[node->visit].iteration)));
}

/* `before` led from `above` to the node of `pos`. */
static void write_node_title(Document *document, const Visit *visit, const StoryNode *node,
                             const Position *pos, Move before, const Position *above) {
    const WordsId id = node->best == MOVE_NONE             ? WORDS_after_nothing
                       : visit_bound(visit) == BOUND_LOWER ? WORDS_after_cut
                                                           : WORDS_after_best;
    const char *depth = language_words(document, visit->depth > 0 ? WORDS_depth_of : WORDS_quiescence,
                                       FILL(FILL_NUMBER("depth", visit->depth)));
    const char *best = node->best == MOVE_NONE ? "" : language_san(document, pos, node->best);
    language_write(document, STYLE_NORMAL, id,
                   FILL(FILL_TEXT("move", language_line(document, above, &before, 1, SIZE_MAX)),
                        FILL_TEXT("depth", depth), FILL_TEXT("best", best),
                        FILL_TEXT("alpha", language_score(document, visit->alpha)),
                        FILL_TEXT("score", language_score(document, visit->score)),
                        FILL_NUMBER("count", node->move_count)));
}

static void write_node(Document *document, const Recording *recording, const StoryNode *node,
                       const Position *pos) {
    const Visit *visit = &recording->visit[node->visit];
    document_object(document, NULL);
    document_int(document, "ply", visit->ply);
    document_int(document, "depth", visit->depth);
    document_int(document, "alpha", visit->alpha);
    document_int(document, "beta", visit->beta);
    document_int(document, "score", visit->score);
    document_string(document, "bound", bound_name(visit_bound(visit)));
    document_int(document, "searched", node->move_count);
    if (node->best != MOVE_NONE) document_move(document, "move", pos, node->best);
    document_list(document, "acts");
    for (int i = 0; i < node->act_count; i++) write_acts(document, recording, &node->act[i], pos);
    document_list_end(document);
    document_object_end(document);
}

void story_write(Document *document, const Story *story, const Recording *recording, const Position *root) {
    document_object(document, "search");
    document_int(document, "moves", story->root_moves);
    document_row(document);
    language_write(document, STYLE_STRONG, WORDS_story_title,
                   FILL(FILL_TEXT("move", language_san(document, root, story->move)),
                        FILL_NUMBER("count", story->root_moves)));
    if (story->row_count == 0) language_write(document, STYLE_NORMAL, WORDS_story_never, NULL, 0);
    if (story->row_count > 0) write_head(document);
    document_list(document, "iterations");
    for (int i = 0; i < story->row_count; i++) write_row(document, &story->row[i], root->side);
    document_list_end(document);
    document_list(document, "refutation");
    if (story->node_count > 0) {
        document_row(document);
        language_write(document, STYLE_STRONG, WORDS_rules_title, NULL, 0);
    }
    Position pos = *root, above = *root;
    Move before = MOVE_NONE;
    for (int i = 0; i < story->node_count; i++) {
        const StoryNode *node = &story->node[i];
        if (i == 0)
            write_root_title(document, recording, node);
        else
            write_node_title(document, &recording->visit[node->visit], node, &pos, before, &above);
        write_node(document, recording, node, &pos);
        if (node->best == MOVE_NONE) break;
        Undo undo;
        above = pos;
        before = node->best;
        position_make_move(&pos, before, &undo);
    }
    document_list_end(document);
    language_write_dropped(document, recording);
    document_object_end(document);
}
