#include "explain/tree_view.h"

#include "base/bits.h"

#include <inttypes.h>

enum {
    SCORE_WIDTH = 10,
    DEPTH_WIDTH = 6,
    NODES_WIDTH = 10,
    SIDE_WIDTH = 2 + SCORE_WIDTH + DEPTH_WIDTH + NODES_WIDTH, /* of a tree in the comparison */
    RULES_WIDTH = 30,                                         /* two blanks before them */
    INDENT = 2,                                               /* a level */
    LABEL_LEAST = 12                                          /* however deep it stands */
};

/* --- words --- */

/* The side to move in an item's node. */
static Color side_of(const Tree *tree, const TreeItem *item) {
    const int below =
        tree->recording->visit[item->visit].ply - tree->recording->visit[tree->item[0].visit].ply;
    return below % 2 == 0 ? tree->root.side : color_other(tree->root.side);
}

const char *tree_label(Document *document, const Tree *tree, const TreeItem *item) {
    static const WordsId LABELS[] = {[PURPOSE_MOVE] = WORDS_root,
                                     [PURPOSE_RE_SEARCH] = WORDS_again,
                                     [PURPOSE_NULL_MOVE] = WORDS_pass,
                                     [PURPOSE_PROBCUT] = WORDS_for_probcut,
                                     [PURPOSE_VERIFICATION] = WORDS_verification,
                                     [PURPOSE_SINGULAR] = WORDS_other_moves,
                                     [PURPOSE_RAZORING] = WORDS_only_captures};
    const Purpose purpose = (Purpose)tree->recording->visit[item->visit].purpose;
    if (item->kind == TREE_FOLDED)
        return language_words(document, item->count > 0 ? WORDS_folded : WORDS_not_recorded,
                              FILL(FILL_NUMBER("count", item->count)));
    const char *move = language_move(document, item->san);
    if (move[0] != '\0' && purpose == PURPOSE_MOVE) return move;
    return language_words(document, LABELS[purpose], FILL(FILL_TEXT("move", move)));
}

const char *tree_score(Document *document, const Tree *tree, const TreeItem *item) {
    const Visit *visit = &tree->recording->visit[item->visit];
    const Color side = side_of(tree, item);
    const Bound bound = visit_bound(visit);
    if (!visit->finished) return document->language->words[WORDS_stopped];
    const char *sign = bound == BOUND_EXACT ? "" : (bound == BOUND_LOWER) == (side == WHITE) ? ">= " : "<= ";
    return document_text(document, "%s%s", sign, language_white_score(document, visit->score, side));
}

const char *tree_skipped(Document *document, const Tree *tree, int index) {
    const TreeItem *item = &tree->item[index];
    const Position pos = tree_position_above(tree, index);
    if (item->group.named == 0) return language_acts(document, tree->recording, &item->group, &pos);
    return language_words(document, WORDS_skipped,
                          FILL(FILL_TEXT("moves", language_skipped(document, &item->group, &pos))));
}

const char *tree_title(Document *document, const Tree *tree) {
    const char *list = "";
    for (int id = 0; id < TECHNIQUE_COUNT; id++)
        if (tree->off & technique_bit((TechniqueId)id))
            list = language_join(document, list, technique_name((TechniqueId)id), false);
    return language_words(document, tree->off == 0 ? WORDS_tree_all : WORDS_tree_without,
                          FILL(FILL_TEXT("list", list)));
}

/* --- one tree --- */

static int room_of(const Document *document) {
    return (int)document->width - SCORE_WIDTH - DEPTH_WIDTH - NODES_WIDTH - RULES_WIDTH;
}

/* What rules did to a searched item, each in a row of its own: "late_move_reductions reduced". */
static void write_rule(Document *document, int indent, bool is_first, WordsId words, TechniqueId technique) {
    if (!is_first) document_row(document);
    document_cell(document, STYLE_NORMAL, is_first ? 2 : indent, "%s", "");
    document_cell(document, STYLE_NAME, 0, "%s",
                  language_words(document, words, FILL(FILL_TEXT("technique", technique_name(technique)))));
}

static void write_rules(Document *document, const Tree *tree, const TreeItem *item) {
    const Visit *visit = &tree->recording->visit[item->visit];
    const int indent = room_of(document) + SCORE_WIDTH + DEPTH_WIDTH + NODES_WIDTH + 2;
    bool is_first = true;
    for (int i = tree_next_change(tree, item, item->act); i != VISIT_NONE;
         i = tree_next_change(tree, item, i + 1)) {
        const RecordedAct *act = &tree->recording->act[i];
        write_rule(document, indent, is_first,
                   act->effect == EFFECT_REDUCES ? WORDS_rule_reduced : WORDS_rule_extended,
                   (TechniqueId)act->technique);
        is_first = false;
    }
    if (visit->ended_by != TECHNIQUE_COUNT)
        write_rule(document, indent, is_first, WORDS_rule_cut, (TechniqueId)visit->ended_by);
}

/* `next` finds the acts from `act` on; in JSON alone. */
static void write_acts(Document *document, const Tree *tree, int index, const char *name, int act,
                       int (*next)(const Tree *tree, const TreeItem *item, int act)) {
    const TreeItem *item = &tree->item[index];
    act = next(tree, item, act);
    if (act == VISIT_NONE || document->form != DOCUMENT_JSON) return;
    document_list(document, name);
    for (; act != VISIT_NONE; act = next(tree, item, act + 1)) {
        const RecordedAct *at = &tree->recording->act[act];
        document_object(document, NULL);
        document_string(document, "technique", technique_name((TechniqueId)at->technique));
        document_string(document, "effect", effect_name((Effect)at->effect));
        document_string(document, "words", tree_act(document, tree, index, act));
        document_object_end(document);
    }
    document_list_end(document);
}

static void write_skipped(Document *document, const Tree *tree, int index) {
    const TreeItem *item = &tree->item[index];
    const char *technique = technique_name((TechniqueId)tree->recording->act[item->group.act].technique);
    const Position pos = tree_position_above(tree, index);
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
    document_string(document, "words", language_acts(document, tree->recording, &item->group, &pos));
    document_cell(document, STYLE_QUIET, 0, "- ");
    document_cell(document, STYLE_NAME, 0, "%s:", technique);
    document_cell(document, STYLE_QUIET, 0, " %s", tree_skipped(document, tree, index));
}

static void write_folded(Document *document, const Tree *tree, const TreeItem *item, int width) {
    document_int(document, "folded", item->count);
    document_int(document, "nodes", (int64_t)item->nodes);
    document_cell(document, STYLE_QUIET, -width - SCORE_WIDTH - DEPTH_WIDTH, "+ %s",
                  tree_label(document, tree, item));
    document_cell(document, STYLE_QUIET, NODES_WIDTH, "%" PRIu64, item->nodes);
}

static void write_node(Document *document, const Tree *tree, int index, int width) {
    const TreeItem *item = &tree->item[index];
    const Visit *visit = &tree->recording->visit[item->visit];
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
    write_acts(document, tree, index, "changed_by", item->act, tree_next_change);
    write_acts(document, tree, index, "acts", visit->act, tree_next_own);
    document_cell(document, item->is_best ? STYLE_STRONG : STYLE_NORMAL, -width, "%s",
                  tree_label(document, tree, item));
    document_cell(document, STYLE_NORMAL, SCORE_WIDTH, "%s", tree_score(document, tree, item));
    document_cell(document, STYLE_NORMAL, DEPTH_WIDTH, "%d", visit->depth);
    document_cell(document, STYLE_NORMAL, NODES_WIDTH, "%" PRIu64, item->nodes);
    write_rules(document, tree, item);
}

static void write_item(Document *document, const Tree *tree, int index, const char *name) {
    const TreeItem *item = &tree->item[index];
    const int room = room_of(document), indent = int_min(item->level * INDENT, room - LABEL_LEAST);
    document_object(document, name);
    document_cell(document, STYLE_NORMAL, indent, "%s", "");
    switch (item->kind) {
    case TREE_VISIT: write_node(document, tree, index, room - indent); break;
    case TREE_SKIPPED: write_skipped(document, tree, index); break;
    case TREE_FOLDED: write_folded(document, tree, item, room - indent); break;
    }
    document_row(document);
    if (item->kind == TREE_VISIT) {
        document_list(document, "children");
        for (int child = index + 1; child < item->end; child = tree->item[child].end)
            write_item(document, tree, child, NULL);
        document_list_end(document);
    }
    document_object_end(document);
}

/* What the whole search found, and the head of the table. */
static void write_title(Document *document, const Position *root, const Tree *tree) {
    const Finding *found = &tree->found;
    const char *const *words = document->language->words;
    const char *title = tree_title(document, tree);
    const char *move = found->best == MOVE_NONE ? "-" : language_san(document, root, found->best);
    document_put(
        document, STYLE_STRONG, 0,
        language_words(document, WORDS_tree_title,
                       FILL(FILL_NUMBER("depth", found->depth), FILL_TEXT("techniques", title),
                            FILL_TEXT("move", move),
                            FILL_TEXT("score", language_white_score(document, found->score, root->side)))));
    language_write(document, STYLE_NORMAL, WORDS_tree_nodes,
                   FILL(FILL_NUMBER("nodes", found->nodes), FILL_NUMBER("last", tree->item[0].nodes)));
    document_cell(document, STYLE_QUIET, -room_of(document), "%s", words[WORDS_column_move]);
    document_cell(document, STYLE_QUIET, SCORE_WIDTH, "%s", words[WORDS_column_score]);
    document_cell(document, STYLE_QUIET, DEPTH_WIDTH, "%s", words[WORDS_column_depth]);
    document_cell(document, STYLE_QUIET, NODES_WIDTH, "%s", words[WORDS_column_nodes]);
    document_cell(document, STYLE_QUIET, 0, "  %s", words[WORDS_column_rules]);
    document_row(document);
}

static void write_tree(Document *document, const Position *root, const Tree *tree) {
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
    write_title(document, root, tree);
    write_item(document, tree, 0, "root");
    language_write_dropped(document, tree->recording);
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

static void write_side(Document *document, const Tree *tree, Move move) {
    uint64_t nodes;
    const int visit = find_searches(tree, move, &nodes);
    if (visit == VISIT_NONE) {
        document_cell(document, STYLE_NORMAL, SIDE_WIDTH, "%s", "");
        return;
    }
    document_cell(document, STYLE_NORMAL, SCORE_WIDTH + 2, "%s",
                  tree_score(document, tree, &(TreeItem){.visit = visit}));
    document_cell(document, STYLE_NORMAL, DEPTH_WIDTH, "%d", tree->recording->visit[visit].depth);
    document_cell(document, STYLE_NORMAL, NODES_WIDTH, "%" PRIu64, nodes);
}

/* The root moves in the order of the first tree; text alone. */
static void write_comparison(Document *document, const Position *root, const Tree trees[2]) {
    enum { MOVE_WIDTH = 9 };
    const Recording *recording = trees[0].recording;
    const int top = trees[0].item[0].visit;
    const char *const *words = document->language->words;
    Move last = MOVE_NONE;
    language_write(document, STYLE_STRONG, WORDS_tree_compared,
                   FILL(FILL_TEXT("techniques", tree_title(document, &trees[1]))));
    document_cell(document, STYLE_QUIET, -MOVE_WIDTH, "%s", words[WORDS_column_move]);
    for (int i = 0; i < 2; i++) {
        document_cell(document, STYLE_QUIET, SCORE_WIDTH + 2, "%s", words[WORDS_column_score]);
        document_cell(document, STYLE_QUIET, DEPTH_WIDTH, "%s", words[WORDS_column_depth]);
        document_cell(document, STYLE_QUIET, NODES_WIDTH, "%s", words[WORDS_column_nodes]);
    }
    document_row(document);
    for (int v = recording_next_child(recording, top, top + 1); v < recording->visit[top].end;
         v = recording_next_child(recording, top, recording->visit[v].end)) {
        const Move move = recording->visit[v].move;
        if (move == last || move == MOVE_NONE || move == MOVE_NULL) continue;
        last = move;
        document_cell(document, STYLE_NORMAL, -MOVE_WIDTH, "%s", language_san(document, root, move));
        for (int i = 0; i < 2; i++) write_side(document, &trees[i], move);
        document_row(document);
    }
    document_cell(document, STYLE_QUIET, -MOVE_WIDTH, "%s", words[WORDS_tree_sum]);
    for (int i = 0; i < 2; i++)
        document_cell(document, STYLE_NORMAL, SIDE_WIDTH, "%" PRIu64, trees[i].item[0].nodes);
    document_row(document);
    document_row(document);
}

void tree_write(Document *document, const Position *root, const Tree *trees, int count) {
    if (document->width < TREE_WIDTH) document->width = TREE_WIDTH;
    document_object(document, NULL);
    document_int(document, "schema", TREE_SCHEMA);
    document_fen(document, root);
    if (count == 2 && document->form != DOCUMENT_JSON) write_comparison(document, root, trees);
    document_list(document, "trees");
    for (int i = 0; i < count; i++) {
        if (i > 0) document_row(document);
        write_tree(document, root, &trees[i]);
    }
    document_list_end(document);
    document_object_end(document);
}
