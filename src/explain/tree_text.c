#include "explain/tree_text.h"

#include "base/bits.h"
#include "engine/lines.h"
#include "engine/wrap.h"

enum {
    SCORE_WIDTH = 10,
    DEPTH_WIDTH = 6,
    NODES_WIDTH = 10,
    RULES_WIDTH = 30, /* two blanks before them */
    INDENT = 2,       /* a level */
    LABEL_LEAST = 12, /* however deep it stands */
    NAMED_MAX = 3     /* skipped moves that are named */
};

/* The side to move in an item's node. */
static Color side_of(const Tree *tree, const TreeItem *item) {
    const int below =
        tree->recording->visit[item->visit].ply - tree->recording->visit[tree->item[0].visit].ply;
    return below % 2 == 0 ? tree->root.side : color_other(tree->root.side);
}

void tree_append_label(TextBuffer *out, const Tree *tree, const TreeItem *item) {
    const Visit *visit = &tree->recording->visit[item->visit];
    if (item->kind == TREE_FOLDED) {
        if (item->count > 0)
            buffer_append_format(out, "%d more", item->count);
        else
            buffer_append_string(out, "not recorded");
        return;
    }
    buffer_append_string(out, item->san);
    switch ((Purpose)visit->purpose) {
    case PURPOSE_MOVE:
        if (item->san[0] == '\0') buffer_append_string(out, "(root)");
        break;
    case PURPOSE_RESEARCH: buffer_append_string(out, " again"); break;
    case PURPOSE_NULL_MOVE: buffer_append_string(out, "(pass)"); break;
    case PURPOSE_PROBCUT: buffer_append_string(out, " for probcut"); break;
    case PURPOSE_VERIFICATION: buffer_append_string(out, "(verification)"); break;
    case PURPOSE_SINGULAR: buffer_append_string(out, "(other moves)"); break;
    case PURPOSE_RAZORING: buffer_append_string(out, "(quiescence)"); break;
    }
}

void tree_append_score(TextBuffer *out, const Tree *tree, const TreeItem *item) {
    const Visit *visit = &tree->recording->visit[item->visit];
    const Color side = side_of(tree, item);
    const Bound bound = visit_bound(visit);
    if (!visit->finished) {
        buffer_append_string(out, "stopped");
        return;
    }
    if (bound != BOUND_EXACT)
        buffer_append_string(out, (bound == BOUND_LOWER) == (side == WHITE) ? ">= " : "<= ");
    lines_append_score(out, visit->score, side);
}

void tree_append_skipped(TextBuffer *out, const Tree *tree, int index) {
    const TreeItem *item = &tree->item[index];
    const Position pos = tree_position_above(tree, index);
    const Language *language = language_find(NULL);
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

void tree_append_title(TextBuffer *out, const Tree *tree) {
    bool is_first = true;
    buffer_append_string(out, tree->off == 0 ? "with all techniques" : "without ");
    for (int id = 0; id < TECHNIQUE_COUNT; id++) {
        if (!(tree->off & technique_bit((TechniqueId)id))) continue;
        buffer_append_format(out, "%s%s", is_first ? "" : ", ", technique_name((TechniqueId)id));
        is_first = false;
    }
}

/* --- one tree --- */

/* What rules did to a searched item, each on a row of its own: "late_move_reductions reduced". Returns
 * whether there is any. */
static bool append_rules(TextBuffer *out, const Tree *tree, const TreeItem *item, int indent) {
    const Visit *visit = &tree->recording->visit[item->visit];
    bool any = false;
    for (int i = tree_next_change(tree, item, item->act); i != VISIT_NONE;
         i = tree_next_change(tree, item, i + 1)) {
        const RecordedAct *act = &tree->recording->act[i];
        buffer_append_format(out, "%*s" PAINT_NAME "%s" PAINT_END "%s\n", any ? indent : 2, "",
                             technique_name((TechniqueId)act->technique),
                             act->effect == EFFECT_REDUCES ? " reduced" : " extended");
        any = true;
    }
    if (visit->ended_by != TECHNIQUE_COUNT) {
        buffer_append_format(out, "%*s" PAINT_NAME "%s" PAINT_END " cut\n", any ? indent : 2, "",
                             technique_name((TechniqueId)visit->ended_by));
        any = true;
    }
    return any;
}

static void append_row(TextBuffer *out, const Tree *tree, int index, size_t width) {
    const TreeItem *item = &tree->item[index];
    const int room = (int)width - SCORE_WIDTH - DEPTH_WIDTH - NODES_WIDTH - RULES_WIDTH;
    const int indent = int_min(item->level * INDENT, room - LABEL_LEAST);
    TextBuffer label = {0}, score = {0};
    tree_append_label(&label, tree, item);
    if (item->kind == TREE_SKIPPED) {
        buffer_clear(&label);
        tree_append_skipped(&label, tree, index);
        buffer_append_format(
            out, "%*s" PAINT_QUIET "- " PAINT_NAME "%s" PAINT_END PAINT_QUIET ": %s" PAINT_END "\n", indent,
            "", technique_name((TechniqueId)tree->recording->act[item->group.act].technique),
            buffer_string(&label));
    } else if (item->kind == TREE_FOLDED) {
        buffer_append_format(out, "%*s" PAINT_QUIET "+ %-*s%*llu" PAINT_END "\n", indent, "",
                             room - indent - 2 + SCORE_WIDTH + DEPTH_WIDTH, buffer_string(&label),
                             NODES_WIDTH, (unsigned long long)item->nodes);
    } else {
        const Visit *visit = &tree->recording->visit[item->visit];
        tree_append_score(&score, tree, item);
        buffer_append_format(out, "%*s%s%-*s" PAINT_END "%*s%*d%*llu", indent, "",
                             item->is_best ? PAINT_STRONG : "", room - indent, buffer_string(&label),
                             SCORE_WIDTH, buffer_string(&score), DEPTH_WIDTH, visit->depth, NODES_WIDTH,
                             (unsigned long long)item->nodes);
        if (!append_rules(out, tree, item, room + SCORE_WIDTH + DEPTH_WIDTH + NODES_WIDTH + 2))
            buffer_append_char(out, '\n');
    }
    if (label.failed || score.failed) out->failed = true;
    buffer_release(&label);
    buffer_release(&score);
}

static void append_tree(TextBuffer *out, const Position *root, const Tree *tree, size_t width) {
    const int room = (int)width - SCORE_WIDTH - DEPTH_WIDTH - NODES_WIDTH - RULES_WIDTH;
    char san[SAN_CAPACITY] = "-";
    TextBuffer text = {0};
    if (tree->found.best != MOVE_NONE) san_write(root, tree->found.best, san);
    buffer_append_string(&text, PAINT_STRONG "Depth ");
    buffer_append_format(&text, "%d ", tree->found.depth);
    tree_append_title(&text, tree);
    buffer_append_format(&text, ": %s ", san);
    lines_append_score(&text, tree->found.score, root->side);
    buffer_append_format(
        &text, PAINT_END ". %llu nodes in all iterations, %llu in the last one, whose tree this is.\n",
        (unsigned long long)tree->found.nodes, (unsigned long long)tree->item[0].nodes);
    wrap_append(out, buffer_view(&text), width, 0);
    buffer_append_format(out, PAINT_QUIET "%-*s%*s%*s%*s  rules" PAINT_END "\n", room, "move", SCORE_WIDTH,
                         "score", DEPTH_WIDTH, "depth", NODES_WIDTH, "nodes");
    buffer_clear(&text);
    for (int i = 0; i < tree->count; i++) append_row(&text, tree, i, width);
    buffer_append(out, buffer_view(&text));
    if (tree->recording->dropped > 0)
        buffer_append_format(out, "%llu nodes and acts were not recorded for want of room.\n",
                             (unsigned long long)tree->recording->dropped);
    if (text.failed) out->failed = true;
    buffer_release(&text);
}

/* --- side by side --- */

/* The last search of a root move; VISIT_NONE where there is none. */
static int last_search(const Tree *tree, Move move) {
    const Recording *recording = tree->recording;
    const int root = tree->item[0].visit;
    int last = VISIT_NONE;
    for (int v = recording_next_child(recording, root, root + 1); v < recording->visit[root].end;
         v = recording_next_child(recording, root, recording->visit[v].end))
        if (recording->visit[v].move == move && visit_is_of_move(&recording->visit[v])) last = v;
    return last;
}

static uint64_t nodes_of_move(const Tree *tree, Move move) {
    const Recording *recording = tree->recording;
    const int root = tree->item[0].visit;
    uint64_t nodes = 0;
    for (int v = recording_next_child(recording, root, root + 1); v < recording->visit[root].end;
         v = recording_next_child(recording, root, recording->visit[v].end))
        if (recording->visit[v].move == move) nodes += recording->visit[v].nodes;
    return nodes;
}

static void append_side(TextBuffer *out, const Tree *tree, Move move) {
    const int visit = last_search(tree, move);
    TextBuffer score = {0};
    if (visit == VISIT_NONE) {
        buffer_append_format(out, "%*s", SCORE_WIDTH + DEPTH_WIDTH + NODES_WIDTH + 2, "");
        return;
    }
    const TreeItem item = {.visit = visit};
    tree_append_score(&score, tree, &item);
    buffer_append_format(out, "  %*s%*d%*llu", SCORE_WIDTH, buffer_string(&score), DEPTH_WIDTH,
                         tree->recording->visit[visit].depth, NODES_WIDTH,
                         (unsigned long long)nodes_of_move(tree, move));
    if (score.failed) out->failed = true;
    buffer_release(&score);
}

/* The root moves in the order of the first tree. */
static void append_comparison(TextBuffer *out, const Position *root, const Tree trees[2], size_t width) {
    enum { MOVE_WIDTH = 9 };
    const Recording *recording = trees[0].recording;
    const int top = trees[0].item[0].visit;
    TextBuffer title = {0};
    Move last = MOVE_NONE;
    buffer_append_string(&title, PAINT_STRONG "Each root move with all techniques, and ");
    tree_append_title(&title, &trees[1]);
    buffer_append_string(&title, PAINT_END "\n");
    wrap_append(out, buffer_view(&title), width, 0);
    buffer_append_format(out, PAINT_QUIET "%-*s", MOVE_WIDTH, "move");
    for (int i = 0; i < 2; i++)
        buffer_append_format(out, "  %*s%*s%*s", SCORE_WIDTH, "score", DEPTH_WIDTH, "depth", NODES_WIDTH,
                             "nodes");
    buffer_append_string(out, PAINT_END "\n");
    for (int v = recording_next_child(recording, top, top + 1); v < recording->visit[top].end;
         v = recording_next_child(recording, top, recording->visit[v].end)) {
        const Move move = recording->visit[v].move;
        char san[SAN_CAPACITY];
        if (move == last || move == MOVE_NONE || move == MOVE_NULL) continue;
        last = move;
        san_write(root, move, san);
        buffer_append_format(out, "%-*s", MOVE_WIDTH, san);
        for (int i = 0; i < 2; i++) append_side(out, &trees[i], move);
        buffer_append_char(out, '\n');
    }
    buffer_append_format(out, PAINT_QUIET "%-*s" PAINT_END, MOVE_WIDTH, "all");
    for (int i = 0; i < 2; i++)
        buffer_append_format(out, "  %*s%*s%*llu", SCORE_WIDTH, "", DEPTH_WIDTH, "", NODES_WIDTH,
                             (unsigned long long)trees[i].item[0].nodes);
    buffer_append_string(out, "\n\n");
    if (title.failed) out->failed = true;
    buffer_release(&title);
}

void tree_append_text(TextBuffer *out, const Position *root, const Tree *trees, int count, size_t width,
                      bool color) {
    TextBuffer text = {0};
    if (width < TREE_TEXT_WIDTH) width = TREE_TEXT_WIDTH;
    if (count == 2) append_comparison(&text, root, trees, width);
    for (int i = 0; i < count; i++) {
        if (i > 0) buffer_append_char(&text, '\n');
        append_tree(&text, root, &trees[i], width);
    }
    paint_append(out, buffer_view(&text), color);
    if (text.failed) out->failed = true;
    buffer_release(&text);
}
