#include "lab/train/datastats.h"

#include "base/file.h"
#include "base/memory.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "lab/kit/console.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DECIDED_SCORE = 100, TABLE_SIZE = 2 * STATS_KEYS_MAX, BAR_WIDTH = 40 };

static OriginStats *origin_of(DataStats *stats, const RecordOrigin *origin) {
    for (int i = 0; i < stats->origin_count; i++) {
        const RecordOrigin *known = &stats->origins[i].origin;
        if (known->net_hash == origin->net_hash && known->nodes == origin->nodes &&
            known->seed == origin->seed && known->flags == origin->flags)
            return &stats->origins[i];
    }
    if (stats->origin_count == STATS_ORIGINS_MAX) return &stats->origins[STATS_ORIGINS_MAX - 1];
    OriginStats *fresh = &stats->origins[stats->origin_count++];
    fresh->origin = *origin;
    return fresh;
}

/* Whether the position was there before. A full table still compares, but adds no more. */
static bool seen_before(DataStats *stats, uint64_t key) {
    if (key == 0) key = 1;
    stats->compared++;
    for (uint64_t place = key & (TABLE_SIZE - 1);; place = (place + 1) & (TABLE_SIZE - 1)) {
        if (stats->keys[place] == key) return true;
        if (stats->keys[place] != 0) continue;
        if (stats->compared - stats->duplicates <= STATS_KEYS_MAX) stats->keys[place] = key;
        return false;
    }
}

static void count_used(DataStats *stats, const Position *pos, int white_score, GameResult result) {
    const int edge = STATS_SCORE_BINS * STATS_SCORE_STEP / 2; /* of the whole histogram */
    const int bin = int_clamp(white_score + edge, 0, 2 * edge - 1) / STATS_SCORE_STEP;
    stats->score_count[bin]++;
    stats->score_points[bin] += (uint64_t)game_half_points(result, WHITE);
    stats->pieces[bits_count(position_occupied(pos))]++;
    if (result != DRAWN && abs(white_score) >= DECIDED_SCORE) {
        stats->decided++;
        if ((white_score > 0) == (result == WHITE_WINS)) stats->agreeing++;
    }
    if (seen_before(stats, pos->state.key)) stats->duplicates++;
}

static void count_game(DataStats *stats, const LoaderFilter *filter, const RecordedGame *game) {
    Position pos = game->start;
    stats->results[game->result]++;
    if (game->start.chess960) stats->chess960_games++;
    const bool has_last = game->last_score != RECORD_NO_SCORE;
    for (int i = 0; i < game->ply_count + has_last; i++) {
        Undo undo;
        const RecordPly last = {MOVE_NONE, game->last_score};
        const RecordPly *ply = i < game->ply_count ? &game->ply[i] : &last;
        const PlyUse use = plyuse_find(&filter->plies, &pos, ply, plyuse_number_ply(&filter->plies, game, i));
        stats->uses[use]++;
        if (use == PLY_USED) count_used(stats, &pos, ply->score, game->result);
        if (ply != &last) position_make_move(&pos, ply->move, &undo);
    }
    /* An end by the rules is on the board. */
    const EndKind kind = recorded_end_kind(game->end);
    const bool cut_short = kind == END_BY_RULES && game_end(&pos) == GAME_GOES_ON;
    stats->ends[kind] += !cut_short;
    stats->cut_short += cut_short;
}

Status datastats_add(DataStats *stats, const char *path, const LoaderFilter *filter) {
    Status status;
    if (stats->keys == NULL &&
        (stats->keys = memory_allocate_large(TABLE_SIZE * sizeof *stats->keys)) == NULL)
        return status_no_memory("the table of positions");
    RecordReader *reader = record_reader_open(path, &status);
    if (reader == NULL) return status;
    RecordedGame *game = memory_allocate(sizeof *game);
    RecordBlock block;
    const uint64_t blocks = stats->blocks;
    if (game == NULL) status = status_no_memory("a game");
    while (game != NULL && record_reader_next_block(reader, &block, &status)) {
        OriginStats *origin = origin_of(stats, &block.origin);
        origin->blocks++;
        origin->games += block.games;
        origin->plies += block.plies;
        stats->blocks++;
        while (record_reader_next_game(reader, game, &status)) {
            stats->games++;
            stats->plies += (uint64_t)game->ply_count;
            count_game(stats, filter, game);
        }
        if (!status_is_ok(&status)) break;
    }
    /* Of a file that begins with none there is nothing to report: it is one of another kind. */
    if (game != NULL && !status_is_ok(&status) && stats->blocks > blocks) {
        if (status_is_ok(&stats->damage)) stats->damage = status;
        status = status_ok();
    }
    stats->bytes += (uint64_t)file_size(path);
    stats->torn += (uint64_t)record_reader_torn(reader);
    record_reader_warn_of_torn_end(reader);
    memory_release(game);
    record_reader_close(reader);
    return status;
}

void datastats_release(DataStats *stats) {
    if (stats->keys != NULL) memory_release_large(stats->keys, TABLE_SIZE * sizeof *stats->keys);
    *stats = (DataStats){0};
}

/* --- printing --- */

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Games that have no move are single positions. */
static void print_size(const DataStats *stats, TextBuffer *out) {
    char number[NUMBER_TEXT_CAPACITY];
    const double bytes = (double)stats->bytes, games = (double)stats->games, plies = (double)stats->plies;
    const bool single = stats->plies == 0 && stats->games > 0;
    buffer_append_format(out, "%s %s in %s, %.1f %% Chess960\n", single ? "positions  " : "games      ",
                         console_thousands(stats->games, number), console_count(stats->blocks, "block").text,
                         percent(stats->chess960_games, stats->games));
    if (single)
        buffer_append_format(out, "size        %.3f bytes a position\n", bytes / games);
    else
        buffer_append_format(out, "plies       %s, %.1f a game, %.3f bytes a ply\n",
                             console_thousands(stats->plies, number), stats->games ? plies / games : 0,
                             stats->plies ? bytes / plies : 0);
}

static uint64_t count_scored(const DataStats *stats) {
    uint64_t scored = 0;
    for (int use = 0; use < PLY_USES; use++) scored += use != PLY_UNSCORED ? stats->uses[use] : 0;
    return scored;
}

static void print_usable(const DataStats *stats, TextBuffer *out) {
    char a[NUMBER_TEXT_CAPACITY], b[NUMBER_TEXT_CAPACITY];
    const uint64_t *uses = stats->uses, scored = count_scored(stats);
    buffer_append_format(
        out,
        "usable      %s of %s with a score (%.1f %%); skipped: early %.1f %%, in check %.1f %%, "
        "noisy %.1f %%, decided %.1f %%\n",
        console_thousands(uses[PLY_USED], a), console_thousands(scored, b), percent(uses[PLY_USED], scored),
        percent(uses[PLY_EARLY], scored), percent(uses[PLY_IN_CHECK], scored),
        percent(uses[PLY_NOISY], scored), percent(uses[PLY_DECIDED], scored));
}

static void print_counts(const DataStats *stats, TextBuffer *out) {
    char a[NUMBER_TEXT_CAPACITY];
    const bool has_scores = count_scored(stats) > 0;
    print_size(stats, out);
    if (has_scores) print_usable(stats, out);
    if (!has_scores && stats->games > 0)
        buffer_append_string(out, "scores      none: luft-lab data relabel adds them\n");
    buffer_append_format(out, "results     White won %.1f %%, drawn %.1f %%, Black won %.1f %%\n",
                         percent(stats->results[WHITE_WINS], stats->games),
                         percent(stats->results[DRAWN], stats->games),
                         percent(stats->results[BLACK_WINS], stats->games));
    buffer_append_format(
        out, "ended       by the rules %.1f %%, by score %.1f %%, by length %.1f %%, otherwise %.1f %%\n",
        percent(stats->ends[END_BY_RULES], stats->games), percent(stats->ends[END_BY_SCORE], stats->games),
        percent(stats->ends[END_BY_LENGTH], stats->games), percent(stats->cut_short, stats->games));
    if (stats->uses[PLY_USED] > 0) {
        buffer_append_format(
            out,
            "agreement   %.1f %% of %s positions beyond +-%d in games with a winner have the winner's sign\n",
            percent(stats->agreeing, stats->decided), console_thousands(stats->decided, a), DECIDED_SCORE);
        buffer_append_format(out, "duplicates  %.2f %% of %s usable positions were there before\n",
                             percent(stats->duplicates, stats->compared),
                             console_thousands(stats->compared, a));
    }
    if (stats->torn > 0)
        buffer_append_format(out, "torn        %" PRIu64 " bytes at the end, ignored\n", stats->torn);
    if (!status_is_ok(&stats->damage)) buffer_append_format(out, "damaged     %s\n", stats->damage.reason);
}

static void print_origins(const DataStats *stats, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin("lrrrrl");
    const char *heading[] = {"network", "nodes", "seed", "games", "plies", "labels"};
    for (int i = 0; i < 6; i++) markdown_table_cell(&table, "%s", heading[i]);
    for (int i = 0; i < stats->origin_count; i++) {
        const OriginStats *origin = &stats->origins[i];
        char games[NUMBER_TEXT_CAPACITY], plies[NUMBER_TEXT_CAPACITY];
        if (origin->origin.net_hash == 0) {
            markdown_table_cells(&table, "imported | - | -");
        } else {
            markdown_table_cell(&table, "%016" PRIx64, origin->origin.net_hash);
            markdown_table_cell(&table, "%u", origin->origin.nodes);
            markdown_table_cell(&table, "%" PRIu64, origin->origin.seed);
        }
        markdown_table_cell(&table, "%s", console_thousands(origin->games, games));
        markdown_table_cell(&table, "%s", console_thousands(origin->plies, plies));
        markdown_table_cell(&table, "%s", origin->origin.flags & RECORD_RELABELLED ? "later" : "of the game");
    }
    buffer_append_char(out, '\n');
    markdown_table_write(&table, out);
}

static uint64_t largest_of(const uint64_t *counts, int count) {
    uint64_t largest = 0;
    for (int i = 0; i < count; i++)
        if (counts[i] > largest) largest = counts[i];
    return largest;
}

static void print_bar(TextBuffer *out, uint64_t part, uint64_t largest) {
    const int width = largest ? (int)(part * BAR_WIDTH / largest) : 0;
    for (int i = 0; i < width; i++) buffer_append_char(out, '#');
    buffer_append_char(out, '\n');
}

static void print_scores(const DataStats *stats, TextBuffer *out) {
    const uint64_t largest = largest_of(stats->score_count, STATS_SCORE_BINS);
    buffer_append_string(
        out, "\nscores of usable positions (White's view), their share, White's points from there\n");
    for (int i = 0; i < STATS_SCORE_BINS; i++) {
        const uint64_t count = stats->score_count[i];
        buffer_append_format(out, "%6d  %5.1f %%  %5.1f %%  ", (i - STATS_SCORE_BINS / 2) * STATS_SCORE_STEP,
                             percent(count, stats->uses[PLY_USED]),
                             percent(stats->score_points[i], 2 * count));
        print_bar(out, count, largest);
    }
}

static void print_pieces(const DataStats *stats, TextBuffer *out) {
    const uint64_t largest = largest_of(stats->pieces, PIECES_MAX + 1);
    buffer_append_string(out, "\npieces on the board, share of usable positions\n");
    for (int i = 2; i <= PIECES_MAX; i++) {
        buffer_append_format(out, "%6d  %5.1f %%  ", i, percent(stats->pieces[i], stats->uses[PLY_USED]));
        print_bar(out, stats->pieces[i], largest);
    }
}

void datastats_print(const DataStats *stats, TextBuffer *out) {
    if (stats->games == 0 && stats->torn == 0 && status_is_ok(&stats->damage)) {
        buffer_append_string(out, "no games\n");
        return;
    }
    print_counts(stats, out);
    print_origins(stats, out);
    if (stats->uses[PLY_USED] == 0) return; /* the tables would be of zeros */
    print_scores(stats, out);
    print_pieces(stats, out);
}
