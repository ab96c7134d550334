#include "explain/tree_svg.h"

#include "base/bits.h"
#include "engine/lines.h"
#include "explain/tree_text.h"
#include "search/score.h"

#include <math.h>

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
    const Tree *tree;
    int left; /* of the tree, pixels */
    int row;
    int row_of[LEVELS_MAX]; /* of the last item of each level */
    TextBuffer *out;        /* NULL: it is only measured */
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

/* What stands right of a box, or in place of one. */
static void append_remark(TextBuffer *out, const Tree *tree, int index, bool is_end) {
    const TreeItem *item = &tree->item[index];
    const Visit *visit = &tree->recording->visit[item->visit];
    if (item->kind == TREE_SKIPPED) {
        buffer_append_format(
            out, "%s: ", technique_name((TechniqueId)tree->recording->act[item->group.act].technique));
        tree_append_skipped(out, tree, index);
    } else if (item->kind == TREE_FOLDED) {
        tree_append_label(out, tree, item);
        buffer_append_format(out, " (%llu node%s)", (unsigned long long)item->nodes,
                             item->nodes == 1 ? "" : "s");
    } else if (visit->ended_by != TECHNIQUE_COUNT && (is_end || item->end == index + 1)) {
        buffer_append_format(out, "%s cut", technique_name((TechniqueId)visit->ended_by));
    }
}

/* Where a remark begins. */
static int remark_x(const Layout *layout, const TreeItem *item, bool is_end) {
    const bool behind_box = item->kind == TREE_VISIT && !is_end;
    return x_of(layout, item->level + is_end) + (behind_box ? BOX_WIDTH : 0) + 4;
}

static void measure(Layout *layout, int index, bool is_end) {
    const TreeItem *item = &layout->tree->item[index];
    TextBuffer remark = {0};
    append_remark(&remark, layout->tree, index, is_end);
    const int room = remark.length > 0 ? (int)remark.length * LETTER / 10 + 4 : 0;
    layout->width = int_max(layout->width, remark_x(layout, item, is_end) + room);
    buffer_release(&remark);
}

/* --- drawing --- */

/* The score of a visit for the side that moves at the tree's root. */
static int score_at_root(const Tree *tree, const Visit *visit) {
    const Visit *top = &tree->recording->visit[tree->item[0].visit];
    return (visit->ply - top->ply) % 2 == 0 ? visit->score : -visit->score;
}

/* White where a node is worth what the root is; towards blue where it is better for the side to move there,
 * towards orange where it is worse. */
static void append_color(TextBuffer *out, const Tree *tree, const Visit *visit) {
    static const int BETTER[] = {110, 165, 230}, WORSE[] = {240, 160, 90};
    const Visit *top = &tree->recording->visit[tree->item[0].visit];
    const int apart =
        int_clamp(score_at_root(tree, visit) - score_at_root(tree, top), -DEEPEST_COLOR, DEEPEST_COLOR);
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
    buffer_append_format(layout->out, "<path d=\"M%d %d", x - GAP, above);
    if (y != above) buffer_append_format(layout->out, "H%dV%d", x - GAP / 2, y);
    buffer_append_format(layout->out, "H%d\" stroke-width=\"%.1f\"%s/>\n", x, 0.7 + THICKEST * sqrt(share),
                         is_rule ? " stroke-dasharray=\"2 2\"" : "");
}

/* The label in short: a box has room for some nine characters of it. */
static void append_short_label(TextBuffer *out, const Visit *visit, const TreeItem *item) {
    static const char *const WORDS[] = {[PURPOSE_MOVE] = "",
                                        [PURPOSE_RESEARCH] = " \xE2\x86\xBB",
                                        [PURPOSE_NULL_MOVE] = "pass",
                                        [PURPOSE_VERIFICATION] = "verify",
                                        [PURPOSE_PROBCUT] = " ?",
                                        [PURPOSE_SINGULAR] = "others",
                                        [PURPOSE_RAZORING] = "captures"};
    buffer_append_string(out, item->san);
    buffer_append_string(out,
                         item->parent == VISIT_NONE && item->san[0] == '\0' ? "root" : WORDS[visit->purpose]);
}

/* All that there is to say of a node, for who points at it. */
static void append_title(TextBuffer *out, const Tree *tree, const TreeItem *item) {
    const Recording *recording = tree->recording;
    const Visit *visit = &recording->visit[item->visit];
    TextBuffer text = {0};
    tree_append_label(&text, tree, item);
    buffer_append_string(&text, ": ");
    tree_append_score(&text, tree, item);
    buffer_append_format(&text, ", depth %d, window %d to %d, %llu nodes", visit->depth, visit->alpha,
                         visit->beta, (unsigned long long)item->nodes);
    for (int changes = 1; changes >= 0; changes--) {
        int (*next)(const Tree *, const TreeItem *, int) = changes ? tree_next_change : tree_next_own;
        for (int i = next(tree, item, changes ? item->act : visit->act); i != VISIT_NONE;
             i = next(tree, item, i + 1)) {
            const RecordedAct *act = &recording->act[i];
            buffer_append_format(&text, "\n%s: ", technique_name((TechniqueId)act->technique));
            tree_append_act(&text, language_find(NULL), tree, (int)(item - tree->item), i);
        }
    }
    buffer_append_string(out, "<title>");
    TextView rest = buffer_view(&text), line;
    for (bool is_first = true; text_next_line(&rest, &line); is_first = false) {
        if (!is_first) buffer_append_char(out, '\n');
        buffer_append_xml(out, line);
    }
    buffer_append_string(out, "</title>");
    if (text.failed) out->failed = true;
    buffer_release(&text);
}

static void append_short_score(TextBuffer *out, const Tree *tree, const TreeItem *item) {
    TextBuffer score = {0};
    tree_append_score(&score, tree, item);
    TextView text = buffer_view(&score);
    if (text_starts_with(text, "<= ") || text_starts_with(text, ">= ")) {
        buffer_append_string(out, text.data[0] == '<' ? "\xE2\x89\xA4" : "\xE2\x89\xA5");
        text = (TextView){text.data + 3, text.length - 3};
    }
    buffer_append(out, text);
    if (score.failed) out->failed = true;
    buffer_release(&score);
}

/* An arrow where a rule reduced or extended the depth of the move. */
static const char *arrow_of(const Tree *tree, const TreeItem *item) {
    const int act = tree_next_change(tree, item, item->act);
    if (act == VISIT_NONE) return "";
    return tree->recording->act[act].effect == EFFECT_REDUCES ? "\xE2\x86\x93" : "\xE2\x86\x91";
}

static void append_box(const Layout *layout, const TreeItem *item) {
    const Tree *tree = layout->tree;
    TextBuffer *out = layout->out;
    const Visit *visit = &tree->recording->visit[item->visit];
    const int x = x_of(layout, item->level), y = y_of(layout->row), base = y + BASELINE;
    TextBuffer label = {0};
    buffer_append_string(out, "<g>");
    append_title(out, tree, item);
    buffer_append_format(
        out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" stroke=\"#888\" fill=\"", x, y,
        BOX_WIDTH, BOX_HEIGHT);
    append_color(out, tree, visit);
    append_short_label(&label, visit, item);
    buffer_append_format(out, "\"/><text x=\"%d\" y=\"%d\"%s>", x + 4, base,
                         item->is_best ? " font-weight=\"bold\"" : "");
    buffer_append_xml(out, buffer_view(&label));
    buffer_append_format(out, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">",
                         x + BOX_WIDTH - SCORE_RIGHT, base);
    append_short_score(out, tree, item);
    buffer_append_format(out,
                         "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#666\">%d%s</text></g>\n",
                         x + BOX_WIDTH - 3, base, visit->depth, arrow_of(tree, item));
    if (label.failed) out->failed = true;
    buffer_release(&label);
}

static void draw_item(Layout *layout, int index, bool is_end) {
    const TreeItem *item = &layout->tree->item[index];
    TextBuffer *out = layout->out, remark = {0};
    if (item->kind == TREE_VISIT && !is_end) append_box(layout, item);
    append_remark(&remark, layout->tree, index, is_end);
    if (remark.length > 0) {
        buffer_append_format(out, "<text x=\"%d\" y=\"%d\" fill=\"%s\">", remark_x(layout, item, is_end),
                             y_of(layout->row) + BASELINE, item->kind == TREE_FOLDED ? "#777" : "#a02020");
        buffer_append_xml(out, buffer_view(&remark));
        buffer_append_string(out, "</text>\n");
    }
    if (remark.failed) out->failed = true;
    buffer_release(&remark);
}

static void append_tree(Layout *layout, const Position *root) {
    const Tree *tree = layout->tree;
    TextBuffer *out = layout->out, title = {0};
    char san[SAN_CAPACITY] = "-";
    if (tree->found.best != MOVE_NONE) san_write(root, tree->found.best, san);
    buffer_append_format(out, "<text x=\"%d\" y=\"%d\" font-size=\"14\" font-weight=\"bold\">", layout->left,
                         MARGIN + 14);
    tree_append_title(&title, tree);
    buffer_append_xml(out, buffer_view(&title));
    buffer_append_format(out, "</text>\n<text x=\"%d\" y=\"%d\">depth %d: %s ", layout->left, MARGIN + 31,
                         tree->found.depth, san);
    lines_append_score(out, tree->found.score, root->side);
    buffer_append_format(out, ", %llu nodes in this tree</text>\n<g fill=\"none\" stroke=\"#9a9a9a\">\n",
                         (unsigned long long)tree->item[0].nodes);
    walk(layout, draw_line);
    buffer_append_string(out, "</g>\n");
    walk(layout, draw_item);
    if (title.failed) out->failed = true;
    buffer_release(&title);
}

static void append_legend(TextBuffer *out, Color side, int y) {
    buffer_append_format(
        out,
        "<g fill=\"#666\"><text x=\"%d\" y=\"%d\">Scores as White sees them. Blue: better for %s than the "
        "first box; orange: worse. Broken lines: what rules did.</text>\n"
        "<text x=\"%d\" y=\"%d\">Right in a box: the depth that was searched; \xE2\x86\x93 reduced, "
        "\xE2\x86\x91 extended. \xE2\x86\xBB: searched again. Width of a line: root of its share of nodes."
        "</text></g>\n",
        MARGIN, y + 12, side == WHITE ? "White" : "Black", MARGIN, y + 27);
}

void tree_append_svg(TextBuffer *out, const Position *root, const Tree *trees, int count) {
    int width = MARGIN, height = 0, left[2] = {0};
    uint64_t most = 0;
    for (int i = 0; i < count; i++) {
        Layout layout = {.tree = &trees[i], .left = width};
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
        Layout layout = {.tree = &trees[i], .left = left[i], .out = out, .most = most};
        append_tree(&layout, root);
    }
    if (count > 0)
        append_legend(out, trees[0].root.side, height - FOOT);
    else
        buffer_append_format(out, "<text x=\"%d\" y=\"%d\">The search never came to it.</text>\n", MARGIN,
                             MARGIN + 14);
    buffer_append_string(out, "</svg>\n");
}
