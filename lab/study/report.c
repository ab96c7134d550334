#include "lab/study/report.h"

#include "base/clock.h"
#include "base/progress.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/pgn_write.h"
#include "chess/san.h"
#include "lab/kit/console.h"
#include "lab/kit/plot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum {
    MOVES_SHOWN = 8,    /* of the root, in tables */
    VARIATIONS = 3,     /* next to a move of the best line */
    NESTED = 2,         /* variations of variations */
    WORTH_A_LINE = 100, /* a variation has at least 1 of this many tasks */
    LINE_SHOWN = 12,    /* moves of a line */
    CHANGES_SHOWN = 20  /* of the best move */
};

static double pawns(int score) { return (double)score / SCORE_UNITS_PER_PAWN; }

void report_write_score(int score, const Position *pos, char out[REPORT_SCORE_CAPACITY]) {
    const int white = pos->side == WHITE ? score : -score;
    if (score_is_mate(white))
        text_format(out, REPORT_SCORE_CAPACITY, "#%d", score_mate_moves(white));
    else
        text_format(out, REPORT_SCORE_CAPACITY, "%+.2f", pawns(white));
}

/* Of a number of nodes: "950", "12.3k", "4.56M", "7.89G". */
static const char *short_number(uint64_t number, char out[NUMBER_TEXT_CAPACITY]) {
    static const char *const UNITS[] = {"", "k", "M", "G", "T"};
    double value = (double)number;
    int unit = 0;
    for (; value >= 1000 && unit < 4; unit++) value /= 1000;
    text_format(out, NUMBER_TEXT_CAPACITY, unit == 0 ? "%.0f%s" : "%.3g%s", value, UNITS[unit]);
    return out;
}

/* A line in SAN, with numbers; Black's first move gets one where it stands apart. */
static void append_moves(const Position *start, const Move *line, int count, bool is_apart, TextBuffer *out) {
    Position pos = *start;
    for (int i = 0; i < count; i++) {
        char san[SAN_CAPACITY];
        Undo undo;
        san_write(&pos, line[i], san);
        if (i > 0) buffer_append_char(out, ' ');
        if (pos.side == WHITE)
            buffer_append_format(out, "%d. ", pos.fullmove);
        else if (i == 0 && is_apart)
            buffer_append_format(out, "%d... ", pos.fullmove);
        buffer_append_string(out, san);
        position_make_move(&pos, line[i], &undo);
    }
}

static void append_line(const Position *start, const Move *line, int count, TextBuffer *out) {
    append_moves(start, line, count, true, out);
}

/* --- PGN --- */

/* The score as programs read it, then in words. */
static void append_comment(const StudyTree *tree, int number, TextBuffer *out) {
    const TreeNode *node = &tree->nodes[number];
    Position pos;
    char score[REPORT_SCORE_CAPACITY];
    study_tree_position(tree, number, &pos);
    report_write_score(study_tree_score(tree, number), &pos, score);
    buffer_append_format(out, "[%%eval %s] ", score[0] == '+' ? score + 1 : score);
    if (node->has_own) buffer_append_format(out, "depth %d, ", node->own.depth);
    buffer_append_string(out, console_count((uint64_t)node->effort, "task").text);
}

static bool is_worth_a_line(const StudyTree *tree, int number) {
    const int least = tree->nodes[TREE_ROOT].effort / WORTH_A_LINE;
    return tree->nodes[number].effort >= (least > 1 ? least : 1);
}

/* A move, what it is worth, and how it goes on; moves next to those in parentheses. */
static void append_variation(const StudyTree *tree, int number, int depth, TextBuffer *out);

static void append_others(const StudyTree *tree, int parent, int but, int depth, TextBuffer *out) {
    int children[VARIATIONS + 1];
    const int count = depth > 0 ? study_tree_rank(tree, parent, children, VARIATIONS + 1) : 0;
    for (int i = 0; i < count; i++) {
        if (children[i] == but || !is_worth_a_line(tree, children[i])) continue;
        buffer_append_string(out, " (");
        append_variation(tree, children[i], depth - 1, out);
        buffer_append_char(out, ')');
    }
}

static void append_variation(const StudyTree *tree, int number, int depth, TextBuffer *out) {
    Move line[TREE_LINE_MAX];
    Position pos;
    study_tree_position(tree, tree->nodes[number].parent, &pos);
    append_line(&pos, &tree->nodes[number].move, 1, out);
    buffer_append_string(out, " {");
    append_comment(tree, number, out);
    buffer_append_string(out, "}");
    int count = study_tree_line(tree, number, line);
    if (count > LINE_SHOWN) count = LINE_SHOWN;
    if (count == 0) return;
    buffer_append_char(out, ' ');
    study_tree_position(tree, number, &pos);
    append_line(&pos, line, 1, out);
    const size_t before = out->length;
    append_others(tree, number, study_tree_child(tree, number, line[0]), depth, out);
    if (count == 1) return;
    Undo undo;
    position_make_move(&pos, line[0], &undo);
    const bool is_apart = out->length > before;
    buffer_append_char(out, ' ');
    append_moves(&pos, line + 1, count - 1, is_apart, out);
}

static Status fill_game(const Study *study, const char *name, Game *game) {
    const StudyTree *tree = &study->tree;
    char date[16] = "????.??.??", tasks[NUMBER_TEXT_CAPACITY], nodes[NUMBER_TEXT_CAPACITY];
    const time_t now = time(NULL);
    struct tm day;
    if (localtime_r(&now, &day) != NULL) strftime(date, sizeof date, "%Y.%m.%d", &day);
    text_format(tasks, sizeof tasks, "%" PRId64, study->record.tasks);
    text_format(nodes, sizeof nodes, "%" PRIu64, record_nodes(&study->record));
    const char *const tags[][2] = {{"Event", name},
                                   {"Date", date},
                                   {"Annotator", study->record.has_engine ? study->record.engine : NULL},
                                   {"StudyTasks", tasks},
                                   {"StudyNodes", nodes}};
    game->start = tree->root;
    return game_set_tags(game, tags, sizeof tags / sizeof tags[0]);
}

Status report_write_pgn(const Study *study, const char *name, TextBuffer *out) {
    const StudyTree *tree = &study->tree;
    Game game = {0};
    Move line[TREE_LINE_MAX];
    TextBuffer text = {0};
    const int count = study_tree_line(tree, TREE_ROOT, line);
    Status status = fill_game(study, name, &game);
    for (int i = 0, node = TREE_ROOT; i < count && status_is_ok(&status); i++) {
        const int child = node == TREE_NONE ? TREE_NONE : study_tree_child(tree, node, line[i]);
        buffer_clear(&text);
        if (child != TREE_NONE) append_comment(tree, child, &text);
        status = game_add_move(&game, line[i], text.length > 0 ? buffer_string(&text) : NULL);
        int others[VARIATIONS + 1];
        const int ranked = node == TREE_NONE ? 0 : study_tree_rank(tree, node, others, VARIATIONS + 1);
        for (int k = 0; k < ranked && status_is_ok(&status); k++) {
            if (others[k] == child || !is_worth_a_line(tree, others[k])) continue;
            buffer_clear(&text);
            append_variation(tree, others[k], NESTED, &text);
            status = game_add_variation(&game, i + 1, buffer_view(&text));
        }
        node = child;
    }
    if (status_is_ok(&status)) pgn_write_game(&game, out);
    if (text.failed || out->failed) status = status_no_memory("a report");
    buffer_release(&text);
    game_release(&game);
    return status;
}

/* --- Markdown --- */

static void append_moves_table(const StudyTree *tree, TextBuffer *out) {
    int children[MOVES_SHOWN];
    const int count = study_tree_rank(tree, TREE_ROOT, children, MOVES_SHOWN);
    MarkdownTable table = markdown_table_begin("lrrrrl");
    markdown_table_cells(&table, "move | score | damped | tasks | depth | line");
    for (int i = 0; i < count; i++) {
        const TreeNode *node = &tree->nodes[children[i]];
        Position pos;
        Move line[TREE_LINE_MAX];
        TextBuffer text = {0};
        char san[SAN_CAPACITY], score[REPORT_SCORE_CAPACITY], damped[REPORT_SCORE_CAPACITY];
        san_write(&tree->root, node->move, san);
        study_tree_position(tree, children[i], &pos);
        report_write_score(study_tree_score(tree, children[i]), &pos, score);
        report_write_score(finding_score_of(node->damped), &pos, damped);
        const int moves = study_tree_line(tree, children[i], line);
        append_line(&pos, line, moves < LINE_SHOWN ? moves : LINE_SHOWN, &text);
        markdown_table_cell(&table, "%s", san);
        markdown_table_cell(&table, "%s", score);
        markdown_table_cell(&table, "%s", score_is_mate(node->score) ? "" : damped);
        markdown_table_cell(&table, "%d", node->effort);
        markdown_table_cell(&table, "%d", node->own.depth);
        markdown_table_cell(&table, "%s", buffer_string(&text));
        buffer_release(&text);
    }
    markdown_table_write(&table, out);
}

static void append_shares_table(const Record *record, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin("lrrr");
    markdown_table_cells(&table, "worker | tasks | nodes | engine time");
    for (int i = 0; i < record->share_count; i++) {
        const RecordShare *share = &record->shares[i];
        char nodes[NUMBER_TEXT_CAPACITY], time[DURATION_CAPACITY];
        markdown_table_cell(&table, "%s", share->name);
        markdown_table_cell(&table, "%" PRId64, share->tasks);
        markdown_table_cell(&table, "%s", console_thousands(share->nodes, nodes));
        markdown_table_cell(&table, "%s", duration_write(share->milliseconds, time));
    }
    markdown_table_write(&table, out);
}

/* When another move became the best; the last ones. */
static void append_history(const Record *record, const Position *root, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin("rrlr");
    char nodes[NUMBER_TEXT_CAPACITY], san[SAN_CAPACITY], score[REPORT_SCORE_CAPACITY];
    int64_t shown = 0, first = record->tasks;
    while (first > 0 && shown < CHANGES_SHOWN) {
        first--;
        shown += first == 0 || record->points[first].move != record->points[first - 1].move;
    }
    markdown_table_cells(&table, "task | nodes | best move | score");
    for (int64_t i = first; i < record->tasks; i++) {
        const RecordPoint *point = &record->points[i];
        if (point->move == MOVE_NONE || (i > 0 && point->move == record->points[i - 1].move)) continue;
        san_write(root, point->move, san);
        report_write_score(point->score, root, score);
        markdown_table_cell(&table, "%" PRId64, i + 1);
        markdown_table_cell(&table, "%s", console_thousands(point->nodes, nodes));
        markdown_table_cell(&table, "%s", san);
        markdown_table_cell(&table, "%s", score);
    }
    markdown_table_write(&table, out);
}

void report_write_markdown(const Study *study, const char *name, TextBuffer *out) {
    const StudyTree *tree = &study->tree;
    const TreeNode *root = &tree->nodes[TREE_ROOT];
    char fen[FEN_CAPACITY], score[REPORT_SCORE_CAPACITY], damped[REPORT_SCORE_CAPACITY],
        nodes[NUMBER_TEXT_CAPACITY];
    Move line[TREE_LINE_MAX];
    const int count = study_tree_line(tree, TREE_ROOT, line);
    int deepest = 0;
    for (int i = 0; i < tree->count; i++)
        if (tree->nodes[i].ply > deepest) deepest = tree->nodes[i].ply;
    fen_write(&tree->root, fen);
    report_write_score(root->score, &tree->root, score);
    report_write_score(finding_score_of(root->damped), &tree->root, damped);
    buffer_append_string(out, "# ");
    buffer_append_foreign(out, text_view(name));
    buffer_append_format(out, "\n\n`%s`\n\n", fen);
    if (count == 0) {
        buffer_append_string(out, "Nothing is known yet.\n");
        return;
    }
    buffer_append_format(out, "**%s**", score);
    if (!score_is_mate(root->score)) buffer_append_format(out, " (damped %s)", damped);
    buffer_append_string(out, ": ");
    append_line(&tree->root, line, count, out);
    buffer_append_format(out, "\n\n%s of ", console_count((uint64_t)study->record.tasks, "task").text);
    buffer_append_foreign(out, text_view(study->record.engine));
    buffer_append_format(out, ", %s nodes; %s in the tree, which is %s deep.\n\n",
                         console_thousands(record_nodes(&study->record), nodes),
                         console_count((uint64_t)tree->count, "position").text,
                         console_count((uint64_t)deepest, "ply").text);
    append_moves_table(tree, out);
    buffer_append_char(out, '\n');
    append_history(&study->record, &tree->root, out);
    buffer_append_char(out, '\n');
    append_shares_table(&study->record, out);
    buffer_append_string(out,
                         "\nScores are White's, in pawns. The score of a position is that of its best move; "
                         "the damped score mixes in\nthose of the moves near it, because the best of several "
                         "uncertain scores is too high on the average.\n");
}

/* --- the picture --- */

void report_write_plot(const Study *study, const char *name, const char *terminal, TextBuffer *out) {
    enum { WIDTH = 900, HEIGHT = 420, LIMIT = 15 /* pawns; mates are drawn there */ };
    const Record *record = &study->record;
    const Position *root = &study->tree.root;
    plot_begin(terminal, WIDTH, HEIGHT, out);
    buffer_append_string(out, "set title ");
    plot_quote(out, name);
    buffer_append_string(
        out, "\nset xlabel 'million nodes'\nset ylabel 'pawns, for White'\nset grid\nset key off\n"
             "$values << EOD\n");
    for (int64_t i = 0; i < record->tasks; i++) {
        const RecordPoint *point = &record->points[i];
        const double white = pawns(root->side == WHITE ? point->score : -point->score);
        buffer_append_format(out, "%.6f %.2f\n", (double)point->nodes / 1e6,
                             fmax(-LIMIT, fmin(LIMIT, white)));
    }
    buffer_append_string(out, "EOD\n$moves << EOD\n");
    for (int64_t i = 0; i < record->tasks; i++) {
        const RecordPoint *point = &record->points[i];
        char san[SAN_CAPACITY];
        if (point->move == MOVE_NONE || (i > 0 && point->move == record->points[i - 1].move)) continue;
        const double white = pawns(root->side == WHITE ? point->score : -point->score);
        san_write(root, point->move, san);
        buffer_append_format(out, "%.6f %.2f %s\n", (double)point->nodes / 1e6,
                             fmax(-LIMIT, fmin(LIMIT, white)), san);
    }
    buffer_append_string(out, "EOD\nplot $values using 1:2 with steps lw 2 lc rgb '#3b6ea5', "
                              "$moves using 1:2 with points pt 7 ps 0.6 lc rgb '#b5382c', "
                              "$moves using 1:2:3 with labels offset 0,0.8 font ',10'\n");
}

/* --- the terminal --- */

void report_write_summary(const Study *study, TextBuffer *out) {
    const StudyTree *tree = &study->tree;
    char nodes[NUMBER_TEXT_CAPACITY], score[REPORT_SCORE_CAPACITY], san[SAN_CAPACITY];
    const Move best = study_tree_best_move(tree);
    buffer_append_format(out, "%s, %s nodes", console_count((uint64_t)study->record.tasks, "task").text,
                         short_number(record_nodes(&study->record), nodes));
    if (best == MOVE_NONE) return;
    san_write(&tree->root, best, san);
    report_write_score(tree->nodes[TREE_ROOT].score, &tree->root, score);
    buffer_append_format(out, ", %s %s", san, score);
}

static void append_place(Study *study, int number, TextBuffer *out) {
    static const char *const STATES[] = {"starting", "waiting", "working", "away"};
    const StudyPlace *place = &study->places[number];
    int counts[WORKER_GONE + 1] = {0};
    for (int i = 0; i < study->pool.count; i++) {
        const Worker *worker = study->pool.workers[i];
        WorkerView view;
        if (worker->place == number) counts[worker_pool_look(&study->pool, worker, &view)]++;
    }
    buffer_append_format(out, "  %-20s", place->place.name);
    for (int state = 0; state < WORKER_GONE; state++)
        if (counts[state] > 0) buffer_append_format(out, " %d %s", counts[state], STATES[state]);
    if (counts[WORKER_RESTS] > 0) buffer_append_format(out, ": %s", place->said);
    buffer_append_char(out, '\n');
}

void report_write_view(Study *study, const char *name, TextBuffer *out) {
    const StudyTree *tree = &study->tree;
    int children[MOVES_SHOWN];
    const int count = study_tree_rank(tree, TREE_ROOT, children, MOVES_SHOWN);
    char time[DURATION_CAPACITY], speed[NUMBER_TEXT_CAPACITY];
    const int64_t elapsed = clock_milliseconds() - study->started;
    buffer_append_format(out, "%s: ", name);
    report_write_summary(study, out);
    buffer_append_format(out, "; %s, %s nodes/s\n", duration_write(elapsed, time),
                         short_number(elapsed > 0 ? study->searched * 1000 / (uint64_t)elapsed : 0, speed));
    for (int i = 0; i < count; i++) {
        const TreeNode *node = &tree->nodes[children[i]];
        Position pos;
        Move line[TREE_LINE_MAX];
        char san[SAN_CAPACITY], score[REPORT_SCORE_CAPACITY];
        san_write(&tree->root, node->move, san);
        study_tree_position(tree, children[i], &pos);
        report_write_score(study_tree_score(tree, children[i]), &pos, score);
        buffer_append_format(out, "  %-7s %7s %6d  ", san, score, node->effort);
        const int moves = study_tree_line(tree, children[i], line);
        append_line(&pos, line, moves < LINE_SHOWN ? moves : LINE_SHOWN, out);
        buffer_append_char(out, '\n');
    }
    for (int i = 0; i < study->place_count; i++)
        if (!study->places[i].is_gone) append_place(study, i, out);
}
