#include "record/tree_view.h"

#include "base/bits.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

/* The side to move in a visit. */
static Color side_of(const Tree *tree, const Visit *visit) {
    const int below = visit->ply - tree->recording->visit[tree->item[0].visit].ply;
    return below % 2 == 0 ? tree->root.side : color_other(tree->root.side);
}

/* "Nf3"; "" where no move led to the item. */
static const char *move_text(Document *document, const Tree *tree, int index) {
    const Move move = tree->item[index].move;
    const Position above = tree_position_above(tree, index);
    return move == MOVE_NONE ? "" : language_san(document, &above, move);
}

/* What stands at an item: "Nf3", "Nf3 again", "(pass)", "18 more". */
static const char *tree_label(Document *document, const Tree *tree, int index) {
    static const WordsId LABELS[] = {[PURPOSE_MOVE] = WORDS_root,
                                     [PURPOSE_RE_SEARCH] = WORDS_again,
                                     [PURPOSE_NULL_MOVE] = WORDS_pass,
                                     [PURPOSE_PROBCUT] = WORDS_for_probcut,
                                     [PURPOSE_VERIFICATION] = WORDS_verification,
                                     [PURPOSE_SINGULAR] = WORDS_other_moves,
                                     [PURPOSE_RAZORING] = WORDS_only_captures};
    const TreeItem *item = &tree->item[index];
    const Purpose purpose = (Purpose)tree->recording->visit[item->visit].purpose;
    if (item->kind == TREE_FOLDED)
        return language_words(document, item->count > 0 ? WORDS_folded : WORDS_not_recorded,
                              FILL(FILL_NUMBER("count", item->count)));
    const char *move = move_text(document, tree, index);
    if (item->move != MOVE_NONE && purpose == PURPOSE_MOVE) return move;
    return language_words(document, LABELS[purpose], FILL(FILL_TEXT("move", move)));
}

/* The score of a visit as White sees it: "<= -0.31". */
static const char *tree_score(Document *document, const Tree *tree, const Visit *visit) {
    const Color side = side_of(tree, visit);
    const Bound bound = visit_bound(visit);
    if (!visit->finished) return document->language->words[WORDS_stopped];
    const char *sign = bound == BOUND_EXACT ? "" : (bound == BOUND_LOWER) == (side == WHITE) ? ">= " : "<= ";
    return document_text(document, "%s%s", sign, language_white_score(document, visit->score, side));
}

/* "skipped Rb1, Kh1 and 12 more": what a rule skipped. */
static const char *tree_skipped(Document *document, const Tree *tree, int index) {
    const TreeItem *item = &tree->item[index];
    const Position pos = tree_position_above(tree, index);
    if (item->group.named == 0) return language_acts(document, tree->recording, &item->group, &pos);
    return language_words(document, WORDS_skipped,
                          FILL(FILL_TEXT("moves", language_skipped(document, &item->group, &pos))));
}

static const ParamRow *changed_row(const NumberChange *change) {
    int count;
    return &params_rows(&count)[change->row];
}

static const char *listed(Document *document, const SearchChanges *changes) {
    TextBuffer list = {0};
    changes_append(&list, changes);
    const char *text = document_text(document, "%s", buffer_string(&list));
    buffer_release(&list);
    return text;
}

/* "without null_move"; of the other form of such lists, "all, +null_move", "with null_move alone". */
static const char *title_without(Document *document, TechniqueSet off) {
    static const char ALL[] = "all", STAYS[] = ", +";
    TextView list = text_view(listed(document, &(SearchChanges){.off = off}));
    if (!text_starts_with(list, ALL))
        return language_words(document, WORDS_tree_without, FILL(FILL_TEXT("list", list.data)));
    const char *names = "";
    for (const char *at = strstr(list.data, STAYS); at != NULL;) {
        const char *const name = at + strlen(STAYS);
        at = strstr(name, STAYS);
        const int length = at != NULL ? (int)(at - name) : (int)strlen(name);
        names = language_join(document, names, document_text(document, "%.*s", length, name), at == NULL);
    }
    return names[0] == '\0' ? document->language->words[WORDS_tree_none]
                            : language_words(document, WORDS_tree_alone, FILL(FILL_TEXT("list", names)));
}

/* "without null_move", "with futility_margin=60", both, or "with all techniques". */
static const char *tree_title(Document *document, const Tree *tree) {
    const SearchChanges *changes = &tree->changes;
    const char *off = changes->off != 0 ? title_without(document, changes->off) : "";
    SearchChanges numbers = *changes;
    numbers.off = 0;
    const char *set = listed(document, &numbers);
    if (changes->count > 0) set = language_words(document, WORDS_tree_set, FILL(FILL_TEXT("list", set)));
    if (changes->off == 0 && changes->count == 0) return document->language->words[WORDS_tree_all];
    return changes->off == 0 || changes->count == 0 ? document_text(document, "%s%s", off, set)
                                                    : document_text(document, "%s, %s", off, set);
}

/* --- one tree --- */

static int room_of(const Document *document) {
    return (int)document->width - SCORE_WIDTH - DEPTH_WIDTH - NODES_WIDTH - RULES_WIDTH;
}

/* What rules did to a searched item, each in a row of its own: "late_move_reductions reduced". The depth of
 * its move was changed in the node above, that of all its moves in its own. */
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
    for (TreeActs acts = TREE_CHANGES; acts <= TREE_OWN; acts++)
        for (int i = tree_next_act(tree, item, acts, VISIT_NONE); i != VISIT_NONE;
             i = tree_next_act(tree, item, acts, i)) {
            const RecordedAct *act = &tree->recording->act[i];
            if (act->effect != EFFECT_REDUCES && act->effect != EFFECT_EXTENDS) continue;
            write_rule(document, indent, is_first,
                       act->effect == EFFECT_REDUCES ? WORDS_rule_reduced : WORDS_rule_extended,
                       (TechniqueId)act->technique);
            is_first = false;
        }
    if (visit->ended_by != TECHNIQUE_COUNT)
        write_rule(document, indent, is_first, WORDS_rule_cut, (TechniqueId)visit->ended_by);
}

/* In JSON alone. */
static void write_acts(Document *document, const Tree *tree, int index, const char *name, TreeActs acts) {
    const TreeItem *item = &tree->item[index];
    int act = tree_next_act(tree, item, acts, VISIT_NONE);
    if (act == VISIT_NONE || document->form != DOCUMENT_JSON) return;
    document_list(document, name);
    for (; act != VISIT_NONE; act = tree_next_act(tree, item, acts, act)) {
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
         i = tree_next_act(tree, item, TREE_SKIPS, i)) {
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

static void write_folded(Document *document, const Tree *tree, int index, int width) {
    const TreeItem *item = &tree->item[index];
    document_int(document, "folded", item->count);
    document_int(document, "nodes", (int64_t)item->nodes);
    document_cell(document, STYLE_QUIET, -width - SCORE_WIDTH - DEPTH_WIDTH, "+ %s",
                  tree_label(document, tree, index));
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
    write_acts(document, tree, index, "changed_by", TREE_CHANGES);
    write_acts(document, tree, index, "acts", TREE_OWN);
    document_cell(document, item->is_best ? STYLE_STRONG : STYLE_NORMAL, -width, "%s",
                  tree_label(document, tree, index));
    document_cell(document, STYLE_NORMAL, SCORE_WIDTH, "%s", tree_score(document, tree, visit));
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
    case TREE_FOLDED: write_folded(document, tree, index, room - indent); break;
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
    const bool is_part = tree->item[0].nodes < tree->iteration_nodes;
    const WordsId part = tree->item[0].move == MOVE_NONE ? WORDS_tree_nodes_missed : WORDS_tree_nodes_part;
    language_write(document, STYLE_NORMAL, is_part ? part : WORDS_tree_nodes,
                   FILL(FILL_NUMBER("nodes", found->nodes), FILL_NUMBER("last", tree->iteration_nodes),
                        FILL_NUMBER("tree", tree->item[0].nodes)));
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
        if (tree->changes.off & technique_bit((TechniqueId)id))
            document_string(document, NULL, technique_name((TechniqueId)id));
    document_list_end(document);
    document_object(document, "set");
    for (int i = 0; i < tree->changes.count; i++)
        document_int(document, changed_row(&tree->changes.number[i])->name, tree->changes.number[i].value);
    document_object_end(document);
    document_int(document, "depth", tree->found.depth);
    document_int(document, "nodes", (int64_t)tree->found.nodes);
    document_int(document, "iteration_nodes", (int64_t)tree->iteration_nodes);
    document_move(document, "best", root, tree->found.best);
    document_score(document, "score", tree->found.score);
    write_title(document, root, tree);
    write_item(document, tree, 0, "root");
    language_write_dropped(document, tree->recording);
    document_object_end(document);
}

/* --- side by side --- */

/* The last search of a root move, and the nodes of all of them. */
typedef struct TreeSide {
    const Visit *visit; /* NULL: it was not searched */
    uint64_t nodes;
} TreeSide;

static TreeSide tree_side(const Tree *tree, Move move) {
    const Recording *recording = tree->recording;
    TreeSide side = {0};
    for (int v = recording_child(recording, tree->item[0].visit); v != VISIT_NONE;
         v = recording_sibling(recording, v)) {
        if (recording->visit[v].move != move) continue;
        side.nodes += recording->visit[v].nodes;
        if (visit_is_of_move(&recording->visit[v])) side.visit = &recording->visit[v];
    }
    return side;
}

/* Whether two scores are written alike. */
static bool is_same_score(int a, int b) {
    if (score_is_mate(a) || score_is_mate(b)) return a == b;
    return score_to_centipawns(a) == score_to_centipawns(b);
}

static bool is_unchanged(const TreeSide *a, const TreeSide *b) {
    if (a->visit == NULL || b->visit == NULL) return a->visit == b->visit;
    return is_same_score(a->visit->score, b->visit->score) &&
           visit_bound(a->visit) == visit_bound(b->visit) && a->visit->depth == b->visit->depth &&
           a->visit->finished == b->visit->finished && a->nodes == b->nodes;
}

static void write_side(Document *document, const Tree *tree, const TreeSide *side) {
    if (side->visit == NULL) {
        document_cell(document, STYLE_NORMAL, SIDE_WIDTH, "%s", "");
        return;
    }
    document_cell(document, STYLE_NORMAL, SCORE_WIDTH + 2, "%s", tree_score(document, tree, side->visit));
    document_cell(document, STYLE_NORMAL, DEPTH_WIDTH, "%d", side->visit->depth);
    document_cell(document, STYLE_NORMAL, NODES_WIDTH, "%" PRIu64, side->nodes);
}

/* Whether the first item was ended before any move of its own was searched. */
static bool is_ended(const Tree *tree) {
    const Recording *recording = tree->recording;
    for (int v = recording_child(recording, tree->item[0].visit); v != VISIT_NONE;
         v = recording_sibling(recording, v))
        if (visit_is_of_move(&recording->visit[v])) return false;
    return true;
}

/* The first item of both trees, where a line was asked for. */
static void write_compared(Document *document, const Tree trees[2]) {
    const char *title = tree_title(document, &trees[1]);
    const char *move = move_text(document, &trees[0], 0);
    language_write(document, STYLE_STRONG, move[0] == '\0' ? WORDS_tree_compared : WORDS_tree_compared_after,
                   FILL(FILL_TEXT("techniques", title), FILL_TEXT("move", move)));
}

/* The moves of the first item that are not the same in both, in the order of the first tree; text alone. */
static void write_comparison(Document *document, const Tree trees[2]) {
    enum { MOVE_WIDTH = 9 };
    const Recording *recording = trees[0].recording;
    const int top = trees[0].item[0].visit;
    const char *const *words = document->language->words;
    Move last = MOVE_NONE;
    int unchanged = 0;
    if (is_ended(&trees[0]) != is_ended(&trees[1])) {
        const Tree *ended = &trees[is_ended(&trees[1])];
        language_write(document, STYLE_STRONG, WORDS_tree_ended,
                       FILL(FILL_TEXT("techniques", tree_title(document, ended)),
                            FILL_TEXT("move", move_text(document, ended, 0))));
        document_row(document);
        return;
    }
    write_compared(document, trees);
    document_cell(document, STYLE_QUIET, -MOVE_WIDTH, "%s", words[WORDS_column_move]);
    for (int i = 0; i < 2; i++) {
        document_cell(document, STYLE_QUIET, SCORE_WIDTH + 2, "%s", words[WORDS_column_score]);
        document_cell(document, STYLE_QUIET, DEPTH_WIDTH, "%s", words[WORDS_column_depth]);
        document_cell(document, STYLE_QUIET, NODES_WIDTH, "%s", words[WORDS_column_nodes]);
    }
    document_row(document);
    for (int v = recording_child(recording, top); v != VISIT_NONE; v = recording_sibling(recording, v)) {
        const Move move = recording->visit[v].move;
        if (move == last || move == MOVE_NONE || move == MOVE_NULL) continue;
        last = move;
        const TreeSide sides[2] = {tree_side(&trees[0], move), tree_side(&trees[1], move)};
        if (is_unchanged(&sides[0], &sides[1])) {
            unchanged++;
            continue;
        }
        document_cell(document, STYLE_NORMAL, -MOVE_WIDTH, "%s",
                      language_san(document, &trees[0].root, move));
        for (int i = 0; i < 2; i++) write_side(document, &trees[i], &sides[i]);
        document_row(document);
    }
    if (unchanged > 0)
        language_write(document, STYLE_QUIET, WORDS_tree_unchanged, FILL(FILL_NUMBER("count", unchanged)));
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
    if (count == 2 && document->form != DOCUMENT_JSON) write_comparison(document, trees);
    document_list(document, "trees");
    for (int i = 0; i < count; i++) {
        if (i > 0) document_row(document);
        write_tree(document, root, &trees[i]);
    }
    document_list_end(document);
    document_object_end(document);
}

/* --- the picture --- */

enum {
    BOX_WIDTH = 118,
    BOX_HEIGHT = 16,
    BASELINE = 12, /* of its text */
    GAP = 18,      /* between two columns: room for the lines */
    ROW = 20,
    SCORE_RIGHT = 29, /* of a score's end to the box's: room for the depth */
    MARGIN = 12,
    HEAD = 44,           /* titles */
    FOOT = 34,           /* the legend */
    TREE_GAP = 28,       /* between two trees */
    FONT = 11,           /* pixels; a character is about 0.57 of it wide, */
    LETTER = 63,         /* here in 1/10 pixel */
    LEVELS_MAX = 1024,   /* more than nodes that a search has open at once */
    THICKEST = 10,       /* line to the root, in pixels */
    DEEPEST_COLOR = 150, /* units from the root's score, from which on the colour stays */
    LEGEND_WIDTH = 640
};

/* Where things go. The first item below a node stands next to it, each further one in a row of its own; what
 * ended a node after others below it comes last. */
typedef struct Layout {
    Document *document; /* whose `out` it goes to */
    const Tree *tree;
    int left; /* of the tree, pixels */
    int row;
    int row_of[LEVELS_MAX]; /* of the last item of each level */
    uint64_t most;          /* nodes of the largest tree */
    int width;              /* pixels that are taken */
} Layout;

/* Called for each item in order; `is_end`: for what ended it, in a row of its own. */
typedef void Draw(Layout *layout, int index, bool is_end);

static int x_of(const Layout *layout, int level) { return layout->left + level * (BOX_WIDTH + GAP); }
static int y_of(int row) { return MARGIN + HEAD + row * ROW; }

static void walk(Layout *layout, Draw *draw) {
    const Tree *tree = layout->tree;
    int open[LEVELS_MAX] = {0}, levels = 0;
    layout->row = 0;
    for (int i = 0; i <= tree->count; i++) {
        const int level = i < tree->count ? int_min(tree->item[i].level, LEVELS_MAX - 1) : 0;
        while (levels > level) {
            const int closed = open[--levels];
            const TreeItem *item = &tree->item[closed];
            if (item->kind != TREE_VISIT || item->end == closed + 1 ||
                tree->recording->visit[item->visit].ended_by == TECHNIQUE_COUNT)
                continue;
            layout->row++;
            draw(layout, closed, true);
        }
        if (i == tree->count) break;
        if (i > 0 && tree->item[i].parent != i - 1) layout->row++;
        layout->row_of[level] = layout->row;
        open[levels++] = i;
        draw(layout, i, false);
    }
}

/* What stands right of a box, or in place of one; "" where nothing does. */
static const char *remark_of(const Layout *layout, int index, bool is_end) {
    Document *document = layout->document;
    const Tree *tree = layout->tree;
    const TreeItem *item = &tree->item[index];
    const Visit *visit = &tree->recording->visit[item->visit];
    if (item->kind == TREE_SKIPPED)
        return document_text(document, "%s: %s",
                             technique_name((TechniqueId)tree->recording->act[item->group.act].technique),
                             tree_skipped(document, tree, index));
    if (item->kind == TREE_FOLDED)
        return language_words(
            document, WORDS_picture_folded,
            FILL(FILL_TEXT("label", tree_label(document, tree, index)), FILL_NUMBER("nodes", item->nodes)));
    if (visit->ended_by == TECHNIQUE_COUNT || (!is_end && item->end != index + 1)) return "";
    return language_words(document, WORDS_rule_cut,
                          FILL(FILL_TEXT("technique", technique_name((TechniqueId)visit->ended_by))));
}

/* Where a remark begins. */
static int remark_x(const Layout *layout, const TreeItem *item, bool is_end) {
    const bool behind_box = item->kind == TREE_VISIT && !is_end;
    return x_of(layout, item->level + is_end) + (behind_box ? BOX_WIDTH : 0) + 4;
}

static void measure(Layout *layout, int index, bool is_end) {
    const TreeItem *item = &layout->tree->item[index];
    const int columns = (int)text_columns(text_view(remark_of(layout, index, is_end)));
    const int room = columns > 0 ? columns * LETTER / 10 + 4 : 0;
    layout->width = int_max(layout->width, remark_x(layout, item, is_end) + room);
}

/* --- drawing --- */

/* White where a node is worth what the root is; towards blue where it is better for the side to move there,
 * towards orange where it is worse. */
static void append_color(TextBuffer *out, const Tree *tree, const Visit *visit) {
    static const int BETTER[] = {110, 165, 230}, WORSE[] = {240, 160, 90};
    const int score = side_of(tree, visit) == tree->root.side ? visit->score : -visit->score;
    const int apart =
        int_clamp(score - tree->recording->visit[tree->item[0].visit].score, -DEEPEST_COLOR, DEEPEST_COLOR);
    const int *end = apart > 0 ? BETTER : WORSE;
    buffer_append_char(out, '#');
    for (int i = 0; i < 3; i++)
        buffer_append_format(out, "%02x", (unsigned)(255 + (end[i] - 255) * int_abs(apart) / DEEPEST_COLOR));
}

/* From the box above to the item, along the gap between the columns. */
static void draw_line(Layout *layout, int index, bool is_end) {
    const TreeItem *item = &layout->tree->item[index];
    const int level = item->level + is_end, x = x_of(layout, level);
    if (level == 0) return;
    const int above = y_of(layout->row_of[int_min(level, LEVELS_MAX - 1) - 1]) + BOX_HEIGHT / 2;
    const int y = y_of(layout->row) + BOX_HEIGHT / 2;
    const bool is_rule = is_end || item->kind == TREE_SKIPPED;
    const double share = is_rule ? 0 : (double)item->nodes / (double)(layout->most > 0 ? layout->most : 1);
    buffer_append_format(layout->document->out, "<path d=\"M%d %d", x - GAP, above);
    if (y != above) buffer_append_format(layout->document->out, "H%dV%d", x - GAP / 2, y);
    buffer_append_format(layout->document->out, "H%d\" stroke-width=\"%.1f\"%s/>\n", x,
                         0.7 + THICKEST * sqrt(share), is_rule ? " stroke-dasharray=\"2 2\"" : "");
}

/* The label in short: a box has room for some nine characters of it. */
static const char *short_label(Document *document, const Tree *tree, int index) {
    static const WordsId LABELS[] = {[PURPOSE_MOVE] = WORDS_short_root,
                                     [PURPOSE_NULL_MOVE] = WORDS_short_pass,
                                     [PURPOSE_VERIFICATION] = WORDS_short_verification,
                                     [PURPOSE_SINGULAR] = WORDS_short_others,
                                     [PURPOSE_RAZORING] = WORDS_short_captures};
    const Visit *visit = &tree->recording->visit[tree->item[index].visit];
    const char *move = move_text(document, tree, index);
    if (visit->purpose == PURPOSE_RE_SEARCH) return document_text(document, "%s ↻", move);
    if (visit->purpose == PURPOSE_PROBCUT) return document_text(document, "%s ?", move);
    return move[0] != '\0' ? move : document->language->words[LABELS[visit->purpose]];
}

/* All that there is to say of a node, for who points at it. */
static void append_title(Document *document, const Tree *tree, int index) {
    const TreeItem *item = &tree->item[index];
    const Visit *visit = &tree->recording->visit[item->visit];
    const char *title = language_words(
        document, WORDS_picture_node,
        FILL(FILL_TEXT("label", tree_label(document, tree, index)),
             FILL_TEXT("score", tree_score(document, tree, visit)), FILL_NUMBER("depth", visit->depth),
             FILL_TEXT("alpha", language_score(document, visit->alpha)),
             FILL_TEXT("beta", language_score(document, visit->beta)), FILL_NUMBER("nodes", item->nodes)));
    buffer_append_string(document->out, "<title>");
    buffer_append_xml(document->out, text_view(title));
    for (TreeActs acts = TREE_CHANGES; acts <= TREE_OWN; acts++)
        for (int i = tree_next_act(tree, item, acts, VISIT_NONE); i != VISIT_NONE;
             i = tree_next_act(tree, item, acts, i)) {
            buffer_append_format(document->out,
                                 "\n%s: ", technique_name((TechniqueId)tree->recording->act[i].technique));
            buffer_append_xml(document->out, text_view(tree_act(document, tree, index, i)));
        }
    buffer_append_string(document->out, "</title>");
}

/* With one character for a bound. */
static const char *short_score(Document *document, const Tree *tree, const Visit *visit) {
    const char *score = tree_score(document, tree, visit);
    if (!text_starts_with(text_view(score), "<= ") && !text_starts_with(text_view(score), ">= "))
        return score;
    return document_text(document, "%s%s", score[0] == '<' ? "≤" : "≥", score + 3);
}

/* An arrow where a rule reduced or extended the depth of the move. */
static const char *arrow_of(const Tree *tree, const TreeItem *item) {
    const int act = tree_next_act(tree, item, TREE_CHANGES, VISIT_NONE);
    if (act == VISIT_NONE) return "";
    return tree->recording->act[act].effect == EFFECT_REDUCES ? "↓" : "↑";
}

static void append_text(TextBuffer *out, int x, int y, const char *look, const char *text) {
    buffer_append_format(out, "<text x=\"%d\" y=\"%d\"%s>", x, y, look);
    buffer_append_xml(out, text_view(text));
    buffer_append_string(out, "</text>");
}

static void append_box(const Layout *layout, int index) {
    const TreeItem *item = &layout->tree->item[index];
    Document *document = layout->document;
    const Tree *tree = layout->tree;
    TextBuffer *out = document->out;
    const Visit *visit = &tree->recording->visit[item->visit];
    const int x = x_of(layout, item->level), y = y_of(layout->row), base = y + BASELINE;
    buffer_append_string(out, "<g>");
    append_title(document, tree, index);
    buffer_append_format(
        out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" stroke=\"#888\" fill=\"", x, y,
        BOX_WIDTH, BOX_HEIGHT);
    append_color(out, tree, visit);
    buffer_append_string(out, "\"/>");
    append_text(out, x + 4, base, item->is_best ? " font-weight=\"bold\"" : "",
                short_label(document, tree, index));
    append_text(out, x + BOX_WIDTH - SCORE_RIGHT, base, " text-anchor=\"end\"",
                short_score(document, tree, visit));
    append_text(out, x + BOX_WIDTH - 3, base, " text-anchor=\"end\" fill=\"#666\"",
                document_text(document, "%d%s", visit->depth, arrow_of(tree, item)));
    buffer_append_string(out, "</g>\n");
}

static void draw_item(Layout *layout, int index, bool is_end) {
    const TreeItem *item = &layout->tree->item[index];
    const char *remark = remark_of(layout, index, is_end);
    const bool has_remark = remark[0] != '\0';
    if (has_remark)
        append_text(layout->document->out, remark_x(layout, item, is_end), y_of(layout->row) + BASELINE,
                    item->kind == TREE_FOLDED ? " fill=\"#777\"" : " fill=\"#a02020\"", remark);
    if (item->kind == TREE_VISIT && !is_end)
        append_box(layout, index);
    else if (has_remark)
        buffer_append_char(layout->document->out, '\n');
}

static void append_tree(Layout *layout, const Position *root) {
    Document *document = layout->document;
    TextBuffer *out = document->out;
    const Tree *tree = layout->tree;
    const Finding *found = &tree->found;
    const char *move = found->best == MOVE_NONE ? "-" : language_san(document, root, found->best);
    append_text(out, layout->left, MARGIN + 14, " font-size=\"14\" font-weight=\"bold\"",
                tree_title(document, tree));
    append_text(
        out, layout->left, MARGIN + 31, "",
        language_words(document, WORDS_picture_title,
                       FILL(FILL_NUMBER("depth", found->depth), FILL_TEXT("move", move),
                            FILL_TEXT("score", language_white_score(document, found->score, root->side)),
                            FILL_NUMBER("nodes", tree->item[0].nodes))));
    buffer_append_string(out, "\n<g fill=\"none\" stroke=\"#9a9a9a\">\n");
    walk(layout, draw_line);
    buffer_append_string(out, "</g>\n");
    walk(layout, draw_item);
}

static void append_legend(Document *document, Color side, int y) {
    const char *const *words = document->language->words;
    append_text(document->out, MARGIN, y + 12, " fill=\"#666\"",
                language_words(document, WORDS_picture_colors,
                               FILL(FILL_TEXT("side", words[side == WHITE ? WORDS_white : WORDS_black]))));
    append_text(document->out, MARGIN, y + 27, " fill=\"#666\"", words[WORDS_picture_signs]);
}

void tree_append_svg(Document *document, const Position *root, const Tree *trees, int count) {
    TextBuffer *out = document->out;
    int width = MARGIN, height = 0, left[2] = {0};
    uint64_t most = 0;
    for (int i = 0; i < count; i++) {
        Layout layout = {.document = document, .tree = &trees[i], .left = width};
        walk(&layout, measure);
        left[i] = width;
        width = layout.width + (i + 1 < count ? TREE_GAP : MARGIN);
        height = int_max(height, (layout.row + 1) * ROW);
        if (trees[i].item[0].nodes > most) most = trees[i].item[0].nodes;
    }
    width = int_max(width, LEGEND_WIDTH);
    height += MARGIN + HEAD + FOOT;
    buffer_append_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
        "%d\" font-family=\"sans-serif\" font-size=\"%d\" fill=\"#222\">\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        width, height, width, height, FONT, width, height);
    for (int i = 0; i < count; i++) {
        Layout layout = {.document = document, .tree = &trees[i], .left = left[i], .most = most};
        append_tree(&layout, root);
    }
    if (count > 0)
        append_legend(document, trees[0].root.side, height - FOOT);
    else
        append_text(out, MARGIN, MARGIN + 14, "", document->language->words[WORDS_story_never]);
    buffer_append_string(out, "</svg>\n");
}
