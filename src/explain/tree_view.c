#include "explain/tree_view.h"

#include "base/bits.h"
#include "engine/lines.h"

#include <inttypes.h>

enum {
    SCORE_WIDTH = 10,
    DEPTH_WIDTH = 6,
    NODES_WIDTH = 10,
    RULES_WIDTH = 30, /* two blanks before them */
    INDENT = 2,       /* a level */
    LABEL_LEAST = 12  /* however deep it stands */
};

/* --- words --- */

/* The side to move in an item's node. */
static Color side_of(const Tree *tree, const TreeItem *item) {
    const int below =
        tree->recording->visit[item->visit].ply - tree->recording->visit[tree->item[0].visit].ply;
    return below % 2 == 0 ? tree->root.side : color_other(tree->root.side);
}

void tree_append_label(TextBuffer *out, const Language *language, const Tree *tree, const TreeItem *item) {
    static const WordsId LABELS[] = {[PURPOSE_MOVE] = WORDS_root,
                                     [PURPOSE_RE_SEARCH] = WORDS_again,
                                     [PURPOSE_NULL_MOVE] = WORDS_pass,
                                     [PURPOSE_PROBCUT] = WORDS_for_probcut,
                                     [PURPOSE_VERIFICATION] = WORDS_verification,
                                     [PURPOSE_SINGULAR] = WORDS_other_moves,
                                     [PURPOSE_RAZORING] = WORDS_only_captures};
    const Purpose purpose = (Purpose)tree->recording->visit[item->visit].purpose;
    TextBuffer san = {0};
    if (item->kind == TREE_FOLDED) {
        language_append(out, language, item->count > 0 ? WORDS_folded : WORDS_not_recorded,
                        &(Filling){.name = "count", .number = item->count}, 1);
        return;
    }
    if (item->move != MOVE_NONE) language_append_move_text(&san, language, item->san);
    if (item->move != MOVE_NONE && purpose == PURPOSE_MOVE)
        buffer_append(out, buffer_view(&san));
    else
        language_append(out, language, LABELS[purpose],
                        &(Filling){.name = "move", .text = buffer_string(&san)}, 1);
    buffer_release(&san);
}

void tree_append_score(TextBuffer *out, const Language *language, const Tree *tree, const TreeItem *item) {
    const Visit *visit = &tree->recording->visit[item->visit];
    const Color side = side_of(tree, item);
    const Bound bound = visit_bound(visit);
    if (!visit->finished) {
        buffer_append_string(out, language->words[WORDS_stopped]);
        return;
    }
    if (bound != BOUND_EXACT)
        buffer_append_string(out, (bound == BOUND_LOWER) == (side == WHITE) ? ">= " : "<= ");
    lines_append_score(out, visit->score, side);
}

void tree_append_skipped(TextBuffer *out, const Language *language, const Tree *tree, int index) {
    const TreeItem *item = &tree->item[index];
    const Position pos = tree_position_above(tree, index);
    TextBuffer moves = {0};
    if (item->group.named == 0) {
        language_append_acts(out, language, tree->recording, &item->group, &pos);
        return;
    }
    language_append_skipped(&moves, language, &item->group, &pos);
    language_append(out, language, WORDS_skipped, &(Filling){.name = "moves", .text = buffer_string(&moves)},
                    1);
    buffer_release(&moves);
}

void tree_append_title(TextBuffer *out, const Language *language, const Tree *tree) {
    TextBuffer list = {0};
    for (int id = 0; id < TECHNIQUE_COUNT; id++)
        if (tree->off & technique_bit((TechniqueId)id))
            language_append_to_list(&list, language, technique_name((TechniqueId)id), false);
    language_append(out, language, tree->off == 0 ? WORDS_tree_all : WORDS_tree_without,
                    &(Filling){.name = "list", .text = buffer_string(&list)}, 1);
    buffer_release(&list);
}

/* --- one tree --- */

static int room_of(const Document *document) {
    return (int)document->width - SCORE_WIDTH - DEPTH_WIDTH - NODES_WIDTH - RULES_WIDTH;
}

/* What rules did to a searched item, each in a row of its own: "late_move_reductions reduced". */
static void write_rule(Document *document, const Language *language, int indent, bool is_first, WordsId words,
                       TechniqueId technique) {
    TextBuffer text = {0};
    language_append(&text, language, words,
                    &(Filling){.name = "technique", .text = technique_name(technique)}, 1);
    if (!is_first) document_row(document);
    document_cell(document, STYLE_NORMAL, is_first ? 2 : indent, "%s", "");
    document_cell(document, STYLE_NAME, 0, "%s", buffer_string(&text));
    buffer_release(&text);
}

static void write_rules(Document *document, const Language *language, const Tree *tree,
                        const TreeItem *item) {
    const Visit *visit = &tree->recording->visit[item->visit];
    const int indent = room_of(document) + SCORE_WIDTH + DEPTH_WIDTH + NODES_WIDTH + 2;
    bool is_first = true;
    for (int i = tree_next_change(tree, item, item->act); i != VISIT_NONE;
         i = tree_next_change(tree, item, i + 1)) {
        const RecordedAct *act = &tree->recording->act[i];
        write_rule(document, language, indent, is_first,
                   act->effect == EFFECT_REDUCES ? WORDS_rule_reduced : WORDS_rule_extended,
                   (TechniqueId)act->technique);
        is_first = false;
    }
    if (visit->ended_by != TECHNIQUE_COUNT)
        write_rule(document, language, indent, is_first, WORDS_rule_cut, (TechniqueId)visit->ended_by);
}

/* `next` finds the acts from `act` on; in JSON alone. */
static void write_acts(Document *document, const Language *language, const Tree *tree, int index,
                       const char *name, int act,
                       int (*next)(const Tree *tree, const TreeItem *item, int act)) {
    const TreeItem *item = &tree->item[index];
    act = next(tree, item, act);
    if (act == VISIT_NONE || document->form != DOCUMENT_JSON) return;
    document_list(document, name);
    for (; act != VISIT_NONE; act = next(tree, item, act + 1)) {
        const RecordedAct *at = &tree->recording->act[act];
        TextBuffer words = {0};
        tree_append_act(&words, language, tree, index, act);
        document_object(document, NULL);
        document_string(document, "technique", technique_name((TechniqueId)at->technique));
        document_string(document, "effect", effect_name((Effect)at->effect));
        document_string(document, "words", buffer_string(&words));
        document_object_end(document);
        buffer_release(&words);
    }
    document_list_end(document);
}

static void write_skipped(Document *document, const Language *language, const Tree *tree, int index) {
    const TreeItem *item = &tree->item[index];
    const char *technique = technique_name((TechniqueId)tree->recording->act[item->group.act].technique);
    const Position pos = tree_position_above(tree, index);
    TextBuffer words = {0};
    Move last = MOVE_NONE;
    document_string(document, "skipped_by", technique);
    document_int(document, "count", item->group.count);
    document_list(document, "moves");
    for (int i = item->group.act; i != VISIT_NONE && document->form == DOCUMENT_JSON;
         i = tree_next_skip(tree, item, i)) {
        const Move move = tree->recording->act[i].move;
        if (move == MOVE_NONE || move == last) continue;
        document_move(document, NULL, &pos, move);
        last = move;
    }
    document_list_end(document);
    language_append_acts(&words, language, tree->recording, &item->group, &pos);
    document_string(document, "words", buffer_string(&words));
    buffer_clear(&words);
    tree_append_skipped(&words, language, tree, index);
    document_cell(document, STYLE_QUIET, 0, "- ");
    document_cell(document, STYLE_NAME, 0, "%s:", technique);
    document_cell(document, STYLE_QUIET, 0, " %s", buffer_string(&words));
    buffer_release(&words);
}

static void write_node(Document *document, const Language *language, const Tree *tree, int index,
                       const char *label, int width) {
    const TreeItem *item = &tree->item[index];
    const Visit *visit = &tree->recording->visit[item->visit];
    TextBuffer score = {0};
    const Position above = tree_position_above(tree, index);
    if (item->move != MOVE_NONE) document_move(document, "move", &above, item->move);
    document_string(document, "purpose", purpose_name((Purpose)visit->purpose));
    document_int(document, "ply", visit->ply);
    document_int(document, "depth", visit->depth);
    document_int(document, "alpha", visit->alpha);
    document_int(document, "beta", visit->beta);
    if (visit->finished) {
        document_int(document, "score", visit->score);
        document_string(document, "bound", bound_name(visit_bound(visit)));
    }
    document_bool(document, "best", item->is_best);
    document_int(document, "nodes", (int64_t)item->nodes);
    write_acts(document, language, tree, index, "changed_by", item->act, tree_next_change);
    write_acts(document, language, tree, index, "acts", visit->act, tree_next_own);
    tree_append_score(&score, language, tree, item);
    document_cell(document, item->is_best ? STYLE_STRONG : STYLE_NORMAL, -width, "%s", label);
    document_cell(document, STYLE_NORMAL, SCORE_WIDTH, "%s", buffer_string(&score));
    document_cell(document, STYLE_NORMAL, DEPTH_WIDTH, "%d", visit->depth);
    document_cell(document, STYLE_NORMAL, NODES_WIDTH, "%" PRIu64, item->nodes);
    write_rules(document, language, tree, item);
    buffer_release(&score);
}

static void write_folded(Document *document, const TreeItem *item, const char *label, int width) {
    document_int(document, "folded", item->count);
    document_int(document, "nodes", (int64_t)item->nodes);
    document_cell(document, STYLE_QUIET, -width - SCORE_WIDTH - DEPTH_WIDTH, "+ %s", label);
    document_cell(document, STYLE_QUIET, NODES_WIDTH, "%" PRIu64, item->nodes);
}

static void write_item(Document *document, const Language *language, const Tree *tree, int index,
                       const char *name) {
    const TreeItem *item = &tree->item[index];
    const int room = room_of(document), indent = int_min(item->level * INDENT, room - LABEL_LEAST);
    TextBuffer label = {0};
    document_object(document, name);
    document_cell(document, STYLE_NORMAL, indent, "%s", "");
    if (item->kind != TREE_SKIPPED) tree_append_label(&label, language, tree, item);
    if (item->kind == TREE_SKIPPED)
        write_skipped(document, language, tree, index);
    else if (item->kind == TREE_FOLDED)
        write_folded(document, item, buffer_string(&label), room - indent);
    else
        write_node(document, language, tree, index, buffer_string(&label), room - indent);
    document_row(document);
    if (item->kind == TREE_VISIT) {
        document_list(document, "children");
        for (int child = index + 1; child < item->end; child = tree->item[child].end)
            write_item(document, language, tree, child, NULL);
        document_list_end(document);
    }
    document->out->failed |= label.failed;
    document_object_end(document);
    buffer_release(&label);
}

/* What the whole search found, and the head of the table. */
static void write_title(Document *document, const Language *language, const Position *root,
                        const Tree *tree) {
    TextBuffer text = {0}, title = {0}, san = {0}, score = {0};
    tree_append_title(&title, language, tree);
    if (tree->found.best != MOVE_NONE) language_append_san(&san, language, root, tree->found.best);
    lines_append_score(&score, tree->found.score, root->side);
    language_append(&text, language, WORDS_tree_title,
                    (Filling[]){{.name = "depth", .number = tree->found.depth},
                                {.name = "techniques", .text = buffer_string(&title)},
                                {.name = "move", .text = san.length > 0 ? buffer_string(&san) : "-"},
                                {.name = "score", .text = buffer_string(&score)}},
                    4);
    document_put(document, STYLE_STRONG, 0, buffer_string(&text));
    language_write(document, STYLE_NORMAL, language, WORDS_tree_nodes,
                   (Filling[]){{.name = "nodes", .number = (int64_t)tree->found.nodes},
                               {.name = "last", .number = (int64_t)tree->item[0].nodes}},
                   2);
    document_cell(document, STYLE_QUIET, -room_of(document), "%s", language->words[WORDS_column_move]);
    document_cell(document, STYLE_QUIET, SCORE_WIDTH, "%s", language->words[WORDS_column_score]);
    document_cell(document, STYLE_QUIET, DEPTH_WIDTH, "%s", language->words[WORDS_column_depth]);
    document_cell(document, STYLE_QUIET, NODES_WIDTH, "%s", language->words[WORDS_column_nodes]);
    document_cell(document, STYLE_QUIET, 0, "  %s", language->words[WORDS_column_rules]);
    document_row(document);
    document->out->failed |= text.failed || title.failed || san.failed || score.failed;
    buffer_release(&text);
    buffer_release(&title);
    buffer_release(&san);
    buffer_release(&score);
}

static void write_tree(Document *document, const Language *language, const Position *root, const Tree *tree) {
    document_object(document, NULL);
    document_list(document, "without");
    for (int id = 0; id < TECHNIQUE_COUNT; id++)
        if (tree->off & technique_bit((TechniqueId)id))
            document_string(document, NULL, technique_name((TechniqueId)id));
    document_list_end(document);
    document_int(document, "depth", tree->found.depth);
    document_int(document, "nodes", (int64_t)tree->found.nodes);
    document_move(document, "best", root, tree->found.best);
    document_score(document, "score", tree->found.score);
    document_int(document, "dropped", (int64_t)tree->recording->dropped);
    write_title(document, language, root, tree);
    write_item(document, language, tree, 0, "root");
    if (tree->recording->dropped > 0)
        language_write(document, STYLE_NORMAL, language, WORDS_dropped,
                       &(Filling){.name = "count", .number = (int64_t)tree->recording->dropped}, 1);
    document_object_end(document);
}

/* --- side by side --- */

/* The last search of a root move (VISIT_NONE where there is none), and the nodes of all of them. */
static int find_searches(const Tree *tree, Move move, uint64_t *nodes) {
    const Recording *recording = tree->recording;
    const int root = tree->item[0].visit;
    int last = VISIT_NONE;
    *nodes = 0;
    for (int v = recording_next_child(recording, root, root + 1); v < recording->visit[root].end;
         v = recording_next_child(recording, root, recording->visit[v].end)) {
        if (recording->visit[v].move != move) continue;
        *nodes += recording->visit[v].nodes;
        if (visit_is_of_move(&recording->visit[v])) last = v;
    }
    return last;
}

static void write_side(Document *document, const Language *language, const Tree *tree, Move move) {
    uint64_t nodes;
    const int visit = find_searches(tree, move, &nodes);
    TextBuffer score = {0};
    if (visit == VISIT_NONE) {
        document_cell(document, STYLE_NORMAL, SCORE_WIDTH + DEPTH_WIDTH + NODES_WIDTH + 2, "%s", "");
        return;
    }
    tree_append_score(&score, language, tree, &(TreeItem){.visit = visit});
    document_cell(document, STYLE_NORMAL, SCORE_WIDTH + 2, "%s", buffer_string(&score));
    document_cell(document, STYLE_NORMAL, DEPTH_WIDTH, "%d", tree->recording->visit[visit].depth);
    document_cell(document, STYLE_NORMAL, NODES_WIDTH, "%" PRIu64, nodes);
    buffer_release(&score);
}

/* The root moves in the order of the first tree; text alone. */
static void write_comparison(Document *document, const Language *language, const Position *root,
                             const Tree trees[2]) {
    enum { MOVE_WIDTH = 9 };
    const Recording *recording = trees[0].recording;
    const int top = trees[0].item[0].visit;
    TextBuffer text = {0};
    Move last = MOVE_NONE;
    tree_append_title(&text, language, &trees[1]);
    language_write(document, STYLE_STRONG, language, WORDS_tree_compared,
                   &(Filling){.name = "techniques", .text = buffer_string(&text)}, 1);
    document_cell(document, STYLE_QUIET, -MOVE_WIDTH, "%s", language->words[WORDS_column_move]);
    for (int i = 0; i < 2; i++) {
        document_cell(document, STYLE_QUIET, SCORE_WIDTH + 2, "%s", language->words[WORDS_column_score]);
        document_cell(document, STYLE_QUIET, DEPTH_WIDTH, "%s", language->words[WORDS_column_depth]);
        document_cell(document, STYLE_QUIET, NODES_WIDTH, "%s", language->words[WORDS_column_nodes]);
    }
    document_row(document);
    for (int v = recording_next_child(recording, top, top + 1); v < recording->visit[top].end;
         v = recording_next_child(recording, top, recording->visit[v].end)) {
        const Move move = recording->visit[v].move;
        if (move == last || move == MOVE_NONE || move == MOVE_NULL) continue;
        last = move;
        buffer_clear(&text);
        language_append_san(&text, language, root, move);
        document_cell(document, STYLE_NORMAL, -MOVE_WIDTH, "%s", buffer_string(&text));
        for (int i = 0; i < 2; i++) write_side(document, language, &trees[i], move);
        document_row(document);
    }
    document_cell(document, STYLE_QUIET, -MOVE_WIDTH, "%s", language->words[WORDS_tree_sum]);
    for (int i = 0; i < 2; i++)
        document_cell(document, STYLE_NORMAL, SCORE_WIDTH + DEPTH_WIDTH + NODES_WIDTH + 2, "%" PRIu64,
                      trees[i].item[0].nodes);
    document_row(document);
    document_row(document);
    document->out->failed |= text.failed;
    buffer_release(&text);
}

void tree_write(Document *document, const Language *language, const Position *root, const Tree *trees,
                int count) {
    if (document->width < TREE_WIDTH) document->width = TREE_WIDTH;
    document_object(document, NULL);
    document_int(document, "schema", TREE_SCHEMA);
    document_fen(document, root);
    if (count == 2 && document->form != DOCUMENT_JSON) write_comparison(document, language, root, trees);
    document_list(document, "trees");
    for (int i = 0; i < count; i++) {
        if (i > 0) document_row(document);
        write_tree(document, language, root, &trees[i]);
    }
    document_list_end(document);
    document_object_end(document);
}
