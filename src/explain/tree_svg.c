#include "explain/tree_svg.h"

#include "base/bits.h"
#include "engine/lines.h"
#include "explain/tree_view.h"

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
    const Language *language;
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
static void append_remark(TextBuffer *out, const Layout *layout, int index, bool is_end) {
    const Tree *tree = layout->tree;
    const TreeItem *item = &tree->item[index];
    const Visit *visit = &tree->recording->visit[item->visit];
    if (item->kind == TREE_SKIPPED) {
        buffer_append_format(
            out, "%s: ", technique_name((TechniqueId)tree->recording->act[item->group.act].technique));
        tree_append_skipped(out, layout->language, tree, index);
    } else if (item->kind == TREE_FOLDED) {
        TextBuffer label = {0};
        tree_append_label(&label, layout->language, tree, item);
        language_append(out, layout->language, WORDS_picture_folded,
                        (Filling[]){{.name = "label", .text = buffer_string(&label)},
                                    {.name = "nodes", .number = (int64_t)item->nodes}},
                        2);
        buffer_release(&label);
    } else if (visit->ended_by != TECHNIQUE_COUNT && (is_end || item->end == index + 1)) {
        language_append(out, layout->language, WORDS_rule_cut,
                        &(Filling){.name = "technique", .text = technique_name((TechniqueId)visit->ended_by)},
                        1);
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
    append_remark(&remark, layout, index, is_end);
    const int room = remark.length > 0 ? (int)text_columns(buffer_view(&remark)) * LETTER / 10 + 4 : 0;
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
static void append_short_label(TextBuffer *out, const Language *language, const Visit *visit,
                               const TreeItem *item) {
    static const WordsId LABELS[] = {[PURPOSE_MOVE] = WORDS_short_root,
                                     [PURPOSE_NULL_MOVE] = WORDS_short_pass,
                                     [PURPOSE_VERIFICATION] = WORDS_short_verification,
                                     [PURPOSE_SINGULAR] = WORDS_short_others,
                                     [PURPOSE_RAZORING] = WORDS_short_captures};
    language_append_move_text(out, language, item->san);
    if (visit->purpose == PURPOSE_RE_SEARCH)
        buffer_append_string(out, " \xE2\x86\xBB");
    else if (visit->purpose == PURPOSE_PROBCUT)
        buffer_append_string(out, " ?");
    else if (item->move == MOVE_NONE)
        buffer_append_string(out, language->words[LABELS[visit->purpose]]);
}

/* All that there is to say of a node, for who points at it. */
static void append_title(const Layout *layout, const TreeItem *item) {
    const Tree *tree = layout->tree;
    const Visit *visit = &tree->recording->visit[item->visit];
    TextBuffer text = {0}, label = {0}, score = {0}, alpha = {0}, beta = {0};
    tree_append_label(&label, layout->language, tree, item);
    tree_append_score(&score, layout->language, tree, item);
    language_append_score(&alpha, visit->alpha);
    language_append_score(&beta, visit->beta);
    language_append(&text, layout->language, WORDS_picture_node,
                    (Filling[]){{.name = "label", .text = buffer_string(&label)},
                                {.name = "score", .text = buffer_string(&score)},
                                {.name = "depth", .number = visit->depth},
                                {.name = "alpha", .text = buffer_string(&alpha)},
                                {.name = "beta", .text = buffer_string(&beta)},
                                {.name = "nodes", .number = (int64_t)item->nodes}},
                    6);
    buffer_append_string(layout->out, "<title>");
    buffer_append_xml(layout->out, buffer_view(&text));
    for (int changes = 1; changes >= 0; changes--) {
        int (*next)(const Tree *, const TreeItem *, int) = changes ? tree_next_change : tree_next_own;
        for (int i = next(tree, item, changes ? item->act : visit->act); i != VISIT_NONE;
             i = next(tree, item, i + 1)) {
            buffer_clear(&text);
            tree_append_act(&text, layout->language, tree, (int)(item - tree->item), i);
            buffer_append_format(layout->out,
                                 "\n%s: ", technique_name((TechniqueId)tree->recording->act[i].technique));
            buffer_append_xml(layout->out, buffer_view(&text));
        }
    }
    buffer_append_string(layout->out, "</title>");
    layout->out->failed |= text.failed || label.failed || score.failed;
    buffer_release(&text);
    buffer_release(&label);
    buffer_release(&score);
    buffer_release(&alpha);
    buffer_release(&beta);
}

static void append_short_score(const Layout *layout, const TreeItem *item) {
    TextBuffer *out = layout->out, score = {0};
    tree_append_score(&score, layout->language, layout->tree, item);
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
    append_title(layout, item);
    buffer_append_format(
        out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" stroke=\"#888\" fill=\"", x, y,
        BOX_WIDTH, BOX_HEIGHT);
    append_color(out, tree, visit);
    append_short_label(&label, layout->language, visit, item);
    buffer_append_format(out, "\"/><text x=\"%d\" y=\"%d\"%s>", x + 4, base,
                         item->is_best ? " font-weight=\"bold\"" : "");
    buffer_append_xml(out, buffer_view(&label));
    buffer_append_format(out, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">",
                         x + BOX_WIDTH - SCORE_RIGHT, base);
    append_short_score(layout, item);
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
    append_remark(&remark, layout, index, is_end);
    if (remark.length > 0) {
        buffer_append_format(out, "<text x=\"%d\" y=\"%d\" fill=\"%s\">", remark_x(layout, item, is_end),
                             y_of(layout->row) + BASELINE, item->kind == TREE_FOLDED ? "#777" : "#a02020");
        buffer_append_xml(out, buffer_view(&remark));
        buffer_append_string(out, "</text>\n");
    }
    if (remark.failed) out->failed = true;
    buffer_release(&remark);
}

static void append_text(TextBuffer *out, int x, int y, const char *look, const TextBuffer *text) {
    buffer_append_format(out, "<text x=\"%d\" y=\"%d\"%s>", x, y, look);
    buffer_append_xml(out, buffer_view(text));
    buffer_append_string(out, "</text>\n");
    out->failed |= text->failed;
}

static void append_tree(Layout *layout, const Position *root) {
    const Tree *tree = layout->tree;
    TextBuffer *out = layout->out, title = {0}, san = {0}, score = {0};
    tree_append_title(&title, layout->language, tree);
    append_text(out, layout->left, MARGIN + 14, " font-size=\"14\" font-weight=\"bold\"", &title);
    buffer_clear(&title);
    if (tree->found.best != MOVE_NONE) language_append_san(&san, layout->language, root, tree->found.best);
    lines_append_score(&score, tree->found.score, root->side);
    language_append(&title, layout->language, WORDS_picture_title,
                    (Filling[]){{.name = "depth", .number = tree->found.depth},
                                {.name = "move", .text = san.length > 0 ? buffer_string(&san) : "-"},
                                {.name = "score", .text = buffer_string(&score)},
                                {.name = "nodes", .number = (int64_t)tree->item[0].nodes}},
                    4);
    append_text(out, layout->left, MARGIN + 31, "", &title);
    buffer_append_string(out, "<g fill=\"none\" stroke=\"#9a9a9a\">\n");
    walk(layout, draw_line);
    buffer_append_string(out, "</g>\n");
    walk(layout, draw_item);
    buffer_release(&title);
    buffer_release(&san);
    buffer_release(&score);
}

static void append_legend(TextBuffer *out, const Language *language, Color side, int y) {
    static const char GREY[] = " fill=\"#666\"";
    const Filling name = {.name = "side", .text = language->words[side == WHITE ? WORDS_white : WORDS_black]};
    TextBuffer text = {0};
    language_append(&text, language, WORDS_picture_colors, &name, 1);
    append_text(out, MARGIN, y + 12, GREY, &text);
    buffer_clear(&text);
    language_append(&text, language, WORDS_picture_signs, NULL, 0);
    append_text(out, MARGIN, y + 27, GREY, &text);
    buffer_release(&text);
}

void tree_append_svg(TextBuffer *out, const Language *language, const Position *root, const Tree *trees,
                     int count) {
    int width = MARGIN, height = 0, left[2] = {0};
    uint64_t most = 0;
    for (int i = 0; i < count; i++) {
        Layout layout = {.language = language, .tree = &trees[i], .left = width};
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
        Layout layout = {.language = language, .tree = &trees[i], .left = left[i], .out = out, .most = most};
        append_tree(&layout, root);
    }
    if (count > 0) {
        append_legend(out, language, trees[0].root.side, height - FOOT);
    } else {
        TextBuffer never = {0};
        language_append(&never, language, WORDS_story_never, NULL, 0);
        append_text(out, MARGIN, MARGIN + 14, "", &never);
        buffer_release(&never);
    }
    buffer_append_string(out, "</svg>\n");
}
