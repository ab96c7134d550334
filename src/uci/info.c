#include "uci/info.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chess/san.h"
#include "engine/chances.h"

#include <inttypes.h>

enum {
    BURST = 20,                  /* lines shown at once before the tap closes */
    MICROSECONDS_A_LINE = 50000, /* how often one more may follow */
    BOUNDS_FROM = 3000000        /* microseconds: scores that are only bounds are shown in long searches */
};

typedef enum Exactness { INEXACT, EXACT, EXACTNESS_COUNT } Exactness;

/* The latest report of one rank that was not shown. */
typedef struct HeldInfo {
    bool held[EXACTNESS_COUNT];
    SearchInfo info[EXACTNESS_COUNT];
} HeldInfo;

struct InfoFeed {
    Output *output;
    Mutex mutex;
    const Position *root;
    bool show_wdl;
    int64_t next;   /* microseconds: lines may be shown from then on; at most a burst of them in the past */
    bool set_shown; /* whether the iteration now reported is shown: its ranks belong together */
    int told;       /* reports since the search began */
    int highest;    /* rank among them */
    TextBuffer line;
    HeldInfo ranks[MAX_MOVES];
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
    int64_t time = info->time > 0 ? info->time : 1;
    buffer_append_format(line, "info depth %d seldepth %d multipv %d score ", info->depth,
                         info->selective_depth, info->multi_pv);
    if (score_is_mate(info->score))
        buffer_append_format(line, "mate %d", score_mate_moves(info->score));
    else
        buffer_append_format(line, "cp %d", score_to_centipawns(info->score));
    if (info->bound == BOUND_LOWER) buffer_append_string(line, " lowerbound");
    if (info->bound == BOUND_UPPER) buffer_append_string(line, " upperbound");
    if (show_wdl) append_chances(line, chances_of_search(root, info->score));
    uint64_t speed = (uint64_t)((double)info->nodes * 1e6 / (double)time);
    buffer_append_format(line,
                         " nodes %" PRIu64 " nps %" PRIu64 " hashfull %d tbhits %" PRIu64 " time %" PRId64,
                         info->nodes, speed, info->hash_full, info->tb_hits, info->time / 1000);
    if (info->pv_length > 0) buffer_append_string(line, " pv");
    for (int i = 0; i < info->pv_length; i++) append_move(line, root, info->pv[i]);
}

void info_format_best_move(TextBuffer *line, const Position *root, Move best, Move ponder) {
    buffer_append_string(line, best == MOVE_NONE ? "bestmove (none)" : "bestmove");
    if (best == MOVE_NONE) return;
    append_move(line, root, best);
    if (ponder == MOVE_NONE) return;
    buffer_append_string(line, " ponder");
    append_move(line, root, ponder);
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
    feed->told = feed->highest = 0;
    feed->set_shown = true;
    for (int rank = 0; rank < MAX_MOVES; rank++)
        feed->ranks[rank].held[EXACT] = feed->ranks[rank].held[INEXACT] = false;
    mutex_unlock(&feed->mutex);
}

static bool tap_is_open(const InfoFeed *feed) { return feed->next <= clock_microseconds(); }

static void count_line(InfoFeed *feed) {
    int64_t earliest = clock_microseconds() - (int64_t)BURST * MICROSECONDS_A_LINE;
    if (feed->next < earliest) feed->next = earliest;
    feed->next += MICROSECONDS_A_LINE;
}

static void show(InfoFeed *feed, const SearchInfo *info) {
    buffer_clear(&feed->line);
    info_format(&feed->line, feed->root, info, feed->show_wdl);
    if (!feed->line.failed) output_text(feed->output, buffer_view(&feed->line));
    count_line(feed);
}

static void show_held(InfoFeed *feed, HeldInfo *rank) {
    for (int exactness = EXACTNESS_COUNT - 1; exactness >= 0; exactness--) {
        if (rank->held[exactness]) show(feed, &rank->info[exactness]);
        rank->held[exactness] = false;
    }
}

void info_feed_add(InfoFeed *feed, const SearchInfo *info) {
    mutex_lock(&feed->mutex);
    HeldInfo *rank = &feed->ranks[info->multi_pv - 1];
    Exactness exactness = info->bound == BOUND_EXACT ? EXACT : INEXACT;
    feed->told++;
    if (info->multi_pv > feed->highest) feed->highest = info->multi_pv;
    if (info->multi_pv == 1) feed->set_shown = tap_is_open(feed);
    if (exactness == EXACT) rank->held[EXACT] = rank->held[INEXACT] = false;
    if (feed->set_shown && (exactness == EXACT || info->time >= BOUNDS_FROM)) {
        rank->held[INEXACT] = false;
        show_held(feed, rank);
        show(feed, info);
    } else {
        rank->held[exactness] = true;
        rank->info[exactness] = *info;
    }
    mutex_unlock(&feed->mutex);
}

void info_feed_add_current_move(InfoFeed *feed, int depth, Move move, int number) {
    mutex_lock(&feed->mutex);
    if (tap_is_open(feed)) {
        char text[LAN_CAPACITY];
        lan_write(feed->root, move, text);
        output_line(feed->output, "info depth %d currmove %s currmovenumber %d", depth, text, number);
        count_line(feed);
    }
    mutex_unlock(&feed->mutex);
}

void info_feed_refresh(InfoFeed *feed) {
    mutex_lock(&feed->mutex);
    for (int rank = 0; rank < feed->highest; rank++) {
        HeldInfo *held = &feed->ranks[rank];
        bool is_due = held->held[EXACT] || (held->held[INEXACT] && held->info[INEXACT].time >= BOUNDS_FROM);
        if (rank == 0 && !tap_is_open(feed)) break;
        if (is_due) show_held(feed, held);
    }
    mutex_unlock(&feed->mutex);
}

/* There is no move to search: the game is over, and its result known. */
static void show_end(InfoFeed *feed) {
    bool is_mate = position_in_check(feed->root);
    buffer_clear(&feed->line);
    buffer_append_format(&feed->line, "info depth 0 score %s 0", is_mate ? "mate" : "cp");
    if (feed->show_wdl) append_chances(&feed->line, is_mate ? (Chances){.loss = 1} : (Chances){.draw = 1});
    if (!feed->line.failed) output_text(feed->output, buffer_view(&feed->line));
}

void info_feed_finish(InfoFeed *feed) {
    mutex_lock(&feed->mutex);
    for (int rank = 0; rank < feed->highest; rank++) show_held(feed, &feed->ranks[rank]);
    if (feed->told == 0) show_end(feed);
    mutex_unlock(&feed->mutex);
}
