#include "explain/tree_json.h"

#include "chess/fen.h"
#include "engine/json.h"

static void append_move(TextBuffer *out, const Tree *tree, const TreeItem *item) {
    char lan[LAN_CAPACITY];
    lan_write(&tree->root, item->move, lan);
    buffer_append_format(out, "\"move\":{\"uci\":\"%s\",\"san\":\"%s\"},", lan, item->san);
}

/* `field` opens a list, which `next` of the acts from `act` on fills; nothing where there are none. */
static void append_acts(TextBuffer *out, const Tree *tree, int index, const char *field, int act,
                        int (*next)(const Tree *tree, const TreeItem *item, int act)) {
    const TreeItem *item = &tree->item[index];
    bool is_first = true;
    for (act = next(tree, item, act); act != VISIT_NONE; act = next(tree, item, act + 1)) {
        const RecordedAct *at = &tree->recording->act[act];
        if (is_first)
            buffer_append_format(out, "\"%s\":[", field);
        else
            buffer_append_char(out, ',');
        is_first = false;
        buffer_append_format(out, "{\"technique\":\"%s\",\"effect\":\"%s\",\"words\":\"",
                             technique_name((TechniqueId)at->technique), effect_name((Effect)at->effect));
        tree_append_act(out, language_find(NULL), tree, index, act);
        buffer_append_string(out, "\"}");
    }
    if (!is_first) buffer_append_string(out, "],");
}

static void append_skipped(TextBuffer *out, const Tree *tree, int index) {
    const TreeItem *item = &tree->item[index];
    const RecordedAct *act = &tree->recording->act[item->group.act];
    const Position pos = tree_position_above(tree, index);
    Move last = MOVE_NONE;
    buffer_append_format(out, "{\"skipped_by\":\"%s\",\"count\":%d,\"moves\":[",
                         technique_name((TechniqueId)act->technique), item->group.count);
    for (int i = item->group.act; i != VISIT_NONE; i = tree_next_skip(tree, item, i)) {
        const Move move = tree->recording->act[i].move;
        if (move == MOVE_NONE || move == last) continue;
        if (last != MOVE_NONE) buffer_append_char(out, ',');
        json_append_move(out, &pos, move);
        last = move;
    }
    buffer_append_string(out, "],\"words\":\"");
    language_append_acts(out, language_find(NULL), tree->recording, &item->group, &pos);
    buffer_append_string(out, "\"}");
}

static void append_item(TextBuffer *out, const Tree *tree, int index) {
    const TreeItem *item = &tree->item[index];
    const Visit *visit = &tree->recording->visit[item->visit];
    if (item->kind == TREE_SKIPPED) {
        append_skipped(out, tree, index);
        return;
    }
    if (item->kind == TREE_FOLDED) {
        buffer_append_format(out, "{\"folded\":%d,\"nodes\":%llu}", item->count,
                             (unsigned long long)item->nodes);
        return;
    }
    buffer_append_char(out, '{');
    if (item->move != MOVE_NONE) append_move(out, tree, item);
    buffer_append_format(out, "\"purpose\":\"%s\",\"ply\":%d,\"depth\":%d,\"alpha\":%d,\"beta\":%d,",
                         purpose_name((Purpose)visit->purpose), visit->ply, visit->depth, visit->alpha,
                         visit->beta);
    if (visit->finished)
        buffer_append_format(out, "\"score\":%d,\"bound\":\"%s\",", visit->score,
                             bound_name(visit_bound(visit)));
    buffer_append_format(out, "\"best\":%s,\"nodes\":%llu,", item->is_best ? "true" : "false",
                         (unsigned long long)item->nodes);
    append_acts(out, tree, index, "changed_by", item->act, tree_next_change);
    append_acts(out, tree, index, "acts", visit->act, tree_next_own);
    buffer_append_string(out, "\"children\":[");
    for (int child = index + 1; child < item->end; child = tree->item[child].end) {
        if (child > index + 1) buffer_append_char(out, ',');
        append_item(out, tree, child);
    }
    buffer_append_string(out, "]}");
}

static void append_tree(TextBuffer *out, const Position *root, const Tree *tree) {
    bool is_first = true;
    buffer_append_string(out, "{\"without\":[");
    for (int id = 0; id < TECHNIQUE_COUNT; id++) {
        if (!(tree->off & technique_bit((TechniqueId)id))) continue;
        buffer_append_format(out, "%s\"%s\"", is_first ? "" : ",", technique_name((TechniqueId)id));
        is_first = false;
    }
    buffer_append_format(out, "],\"depth\":%d,\"nodes\":%llu,\"best\":", tree->found.depth,
                         (unsigned long long)tree->found.nodes);
    json_append_move(out, root, tree->found.best);
    buffer_append_string(out, ",\"score\":");
    json_append_score(out, tree->found.score);
    buffer_append_format(out, ",\"dropped\":%llu,\"root\":", (unsigned long long)tree->recording->dropped);
    append_item(out, tree, 0);
    buffer_append_char(out, '}');
}

void tree_append_json(TextBuffer *out, const Position *root, const Tree *trees, int count) {
    char fen[FEN_CAPACITY];
    fen_write(root, fen);
    buffer_append_format(out, "{\"schema\":%d,\"fen\":\"%s\",\"trees\":[", TREE_SCHEMA, fen);
    for (int i = 0; i < count; i++) {
        if (i > 0) buffer_append_char(out, ',');
        append_tree(out, root, &trees[i]);
    }
    buffer_append_string(out, "]}");
}
