#include "uci/info.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "engine/chances.h"

#include <inttypes.h>

enum {
    INTERVAL = 50000, /* microseconds before a line that can wait */
    REFUTATIONS_INTERVAL = 200000,
    REFUTATION_PLIES = 8
};

typedef struct Refutations {
    const Engine *engine; /* NULL: none are shown */
    int move_count, line_count;
    Move moves[MAX_MOVES]; /* that are searched */
    Move best[MAX_MOVES];  /* the first moves of the lines of the iteration */
    bool due;              /* those of the iteration have not been printed */
    int64_t shown_at;      /* microseconds */
} Refutations;

struct InfoFeed {
    Output *output;
    Mutex mutex;
    const Position *root;
    bool show_wdl;
    bool reported;           /* whether the search has reported anything */
    bool held;               /* `bound` has not been shown */
    SearchInfo bound;        /* the latest report, if it is no exact one */
    int64_t shown_at;        /* when the last line was shown */
    int64_t current_line_at; /* apart from the others: these come so often */
    TextBuffer line;
    Refutations refutations;
};

static void append_move(TextBuffer *line, const Position *root, Move move) {
    char text[LAN_CAPACITY];
    lan_write(root, move, text);
    buffer_append_char(line, ' ');
    buffer_append_string(line, text);
}

static void append_chances(TextBuffer *line, Chances chances) {
    ChanceParts permille = chances_round(chances, 1000);
    buffer_append_format(line, " wdl %d %d %d", permille.win, permille.draw, permille.loss);
}

void info_format(TextBuffer *line, const Position *root, const SearchInfo *info, bool show_wdl) {
    const int64_t time = info->time > 0 ? info->time : 1;
    buffer_append_format(line, "info depth %d seldepth %d multipv %d score ", info->depth,
                         info->selective_depth, info->multi_pv);
    if (score_is_mate(info->score))
        buffer_append_format(line, "mate %d", score_mate_moves(info->score));
    else
        buffer_append_format(line, "cp %d", score_to_centipawns(info->score));
    if (info->bound == BOUND_LOWER) buffer_append_string(line, " lowerbound");
    if (info->bound == BOUND_UPPER) buffer_append_string(line, " upperbound");
    if (show_wdl) append_chances(line, chances_of_search(root, info->score));
    const uint64_t speed = (uint64_t)((double)info->nodes * 1e6 / (double)time);
    buffer_append_format(line,
                         " nodes %" PRIu64 " nps %" PRIu64 " hashfull %d tbhits %" PRIu64 " time %" PRId64,
                         info->nodes, speed, info->hash_full, info->tb_hits, info->time / 1000);
    if (info->pv_length > 0) buffer_append_string(line, " pv");
    for (int i = 0; i < info->pv_length; i++) append_move(line, root, info->pv[i]);
}

void info_format_best_move(const Position *root, Move best, Move ponder, char out[BEST_MOVE_CAPACITY]) {
    char first[LAN_CAPACITY] = "", second[LAN_CAPACITY] = "";
    if (best != MOVE_NONE) lan_write(root, best, first);
    const bool both = best != MOVE_NONE && ponder != MOVE_NONE;
    if (both) lan_write(root, ponder, second);
    text_format(out, BEST_MOVE_CAPACITY, "bestmove %s%s%s", best != MOVE_NONE ? first : "(none)",
                both ? " ponder " : "", second);
}

InfoFeed *info_feed_create(Output *output) {
    InfoFeed *feed = memory_allocate(sizeof *feed);
    if (feed == NULL) return NULL;
    feed->output = output;
    mutex_init(&feed->mutex);
    return feed;
}

void info_feed_destroy(InfoFeed *feed) {
    if (feed == NULL) return;
    mutex_destroy(&feed->mutex);
    buffer_release(&feed->line);
    memory_release(feed);
}

void info_feed_begin(InfoFeed *feed, const Position *root, bool show_wdl) {
    mutex_lock(&feed->mutex);
    feed->root = root;
    feed->show_wdl = show_wdl;
    feed->reported = feed->held = false;
    feed->refutations.engine = NULL;
    mutex_unlock(&feed->mutex);
}

static bool has_turn(const InfoFeed *feed) { return clock_microseconds() - feed->shown_at >= INTERVAL; }

static void show(InfoFeed *feed, const SearchInfo *info) {
    buffer_clear(&feed->line);
    info_format(&feed->line, feed->root, info, feed->show_wdl);
    if (!feed->line.failed) output_text(feed->output, buffer_view(&feed->line));
    feed->shown_at = clock_microseconds();
}

/* --- refutations --- */

void info_feed_want_refutations(InfoFeed *feed, const Engine *engine, const SearchLimits *limits) {
    Refutations *refutations = &feed->refutations;
    mutex_lock(&feed->mutex);
    *refutations = (Refutations){.engine = engine};
    Move *moves = refutations->moves;
    refutations->move_count = movegen_legal(feed->root, moves);
    if (limits->search_move_count > 0) {
        refutations->move_count = limits->search_move_count;
        for (int i = 0; i < limits->search_move_count; i++) moves[i] = limits->search_moves[i];
    }
    refutations->line_count = int_min(engine_options(engine)->multi_pv, refutations->move_count);
    mutex_unlock(&feed->mutex);
}

static bool is_best(const Refutations *refutations, Move move) {
    for (int i = 0; i < refutations->line_count; i++)
        if (refutations->best[i] == move) return true;
    return false;
}

/* The move, and the moves after it as long as the table knows that they are good for their side: usually the
 * answer alone. */
static void append_refutation(TextBuffer *out, const InfoFeed *feed, Move move) {
    Position pos = *feed->root;
    Undo undo;
    buffer_append_string(out, out->length > 0 ? "\ninfo refutation" : "info refutation");
    for (int ply = 0; ply < REFUTATION_PLIES && move != MOVE_NONE; ply++) {
        append_move(out, feed->root, move);
        position_make_move(&pos, move, &undo);
        move = engine_known_move(feed->refutations.engine, &pos);
    }
}

static void show_refutations(InfoFeed *feed) {
    Refutations *refutations = &feed->refutations;
    TextBuffer text = {0};
    for (int i = 0; i < refutations->move_count; i++)
        if (!is_best(refutations, refutations->moves[i]))
            append_refutation(&text, feed, refutations->moves[i]);
    if (text.length > 0) output_text(feed->output, buffer_view(&text));
    buffer_release(&text);
    refutations->due = false;
    refutations->shown_at = clock_microseconds();
}

static void add_refutations(InfoFeed *feed, const SearchInfo *info) {
    Refutations *refutations = &feed->refutations;
    if (refutations->engine == NULL || info->bound != BOUND_EXACT || info->pv_length == 0) return;
    refutations->best[info->multi_pv - 1] = info->pv[0];
    if (info->multi_pv < refutations->line_count) return;
    refutations->due = true;
    if (clock_microseconds() - refutations->shown_at >= REFUTATIONS_INTERVAL) show_refutations(feed);
}

/* --- reports --- */

void info_feed_add(InfoFeed *feed, const SearchInfo *info) {
    mutex_lock(&feed->mutex);
    /* A set of lines stays whole, whatever its scores are: the next rank shows a bound of the one before. */
    if (feed->held && info->multi_pv > feed->bound.multi_pv) show(feed, &feed->bound);
    feed->reported = true;
    feed->held = info->bound != BOUND_EXACT && (info->time < QUIET_TIME || !has_turn(feed));
    if (feed->held)
        feed->bound = *info;
    else
        show(feed, info);
    add_refutations(feed, info);
    mutex_unlock(&feed->mutex);
}

void info_feed_add_current_move(InfoFeed *feed, int depth, Move move, int number) {
    mutex_lock(&feed->mutex);
    if (has_turn(feed)) {
        char text[LAN_CAPACITY];
        lan_write(feed->root, move, text);
        output_line(feed->output, "info depth %d currmove %s currmovenumber %d", depth, text, number);
        feed->shown_at = clock_microseconds();
    }
    mutex_unlock(&feed->mutex);
}

void info_feed_add_current_line(InfoFeed *feed, const Move *moves, int count, int threads) {
    mutex_lock(&feed->mutex);
    if (clock_microseconds() - feed->current_line_at >= INTERVAL) {
        buffer_clear(&feed->line);
        buffer_append_string(&feed->line, threads > 1 ? "info currline 1" : "info currline");
        for (int i = 0; i < count; i++) append_move(&feed->line, feed->root, moves[i]);
        if (!feed->line.failed) output_text(feed->output, buffer_view(&feed->line));
        feed->current_line_at = clock_microseconds();
    }
    mutex_unlock(&feed->mutex);
}

/* There is no move to search: the game is over, and its result known. */
static void show_end(InfoFeed *feed) {
    const bool is_mate = position_in_check(feed->root);
    buffer_clear(&feed->line);
    buffer_append_format(&feed->line, "info depth 0 score %s 0", is_mate ? "mate" : "cp");
    if (feed->show_wdl) append_chances(&feed->line, is_mate ? (Chances){.loss = 1} : (Chances){.draw = 1});
    if (!feed->line.failed) output_text(feed->output, buffer_view(&feed->line));
}

void info_feed_finish(InfoFeed *feed) {
    mutex_lock(&feed->mutex);
    if (feed->held) show(feed, &feed->bound);
    if (!feed->reported && !movegen_has_legal(feed->root)) show_end(feed);
    if (feed->refutations.engine != NULL && feed->refutations.due) show_refutations(feed);
    mutex_unlock(&feed->mutex);
}
