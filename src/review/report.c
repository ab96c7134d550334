#include "review/report.h"

#include "chess/fen.h"
#include "chess/makemove.h"
#include "engine/json.h"
#include "engine/lines.h"
#include "review/annotate.h"
#include "review/graph.h"

#include <string.h>

enum {
    WORST_MOVES = 5,
    MOVE_WIDTH = 14, /* of the column of moves */
    WIDTH_LEAST = 40
};

static const VerdictKind FAULTS[] = {VERDICT_INACCURACY, VERDICT_MISTAKE, VERDICT_BLUNDER};
enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0] };

/* --- for people --- */

static void append_players(TextBuffer *out, const Game *game, bool ascii) {
    for (int color = WHITE; color < COLOR_COUNT; color++) {
        const char *name = game_tag(game, color_name(color));
        char plain[sizeof((GameTag *)0)->value];
        if (name == NULL || name[0] == '\0') name = "?";
        text_copy_printable(text_view(name), plain, sizeof plain);
        if (color == BLACK) buffer_append_string(out, " - ");
        buffer_append_foreign(out, text_view(ascii ? plain : name));
    }
    buffer_append_format(out, ", %s\n", game_result_text(game->result));
}

static void append_sides(TextBuffer *out, const Review *review) {
    buffer_append_string(out, "       accuracy  inaccuracies  mistakes  blunders\n");
    for (int color = WHITE; color < COLOR_COUNT; color++) {
        const ReviewedSide *side = &review->side[color];
        buffer_append_string(out, color_name(color));
        if (side->moves > 0)
            buffer_append_format(out, "  %6.1f %%", side->accuracy);
        else
            buffer_append_string(out, "         -");
        buffer_append_format(out, "  %12d  %8d  %8d\n", side->count[VERDICT_INACCURACY],
                             side->count[VERDICT_MISTAKE], side->count[VERDICT_BLUNDER]);
    }
}

static bool is_fault(const Review *review, int ply) {
    for (int i = 0; i < FAULT_COUNT; i++)
        if (review->verdicts[ply].kind == FAULTS[i]) return true;
    return false;
}

/* How many faults cost more than this one; of equal ones the earlier goes first. */
static int rank_of(const Review *review, int ply) {
    int rank = 0;
    for (int other = 0; other < review->done; other++) {
        const double more = review->verdicts[other].loss - review->verdicts[ply].loss;
        rank += is_fault(review, other) && (more > 0 || (more == 0 && other < ply));
    }
    return rank;
}

static void append_worst_move(TextBuffer *out, const Position *pos, Move move, const Review *review, int ply,
                              int width) {
    const ReviewedPosition *before = &review->positions[ply];
    const size_t start = out->length;
    buffer_append_string(out, "  ");
    lines_append_moves(out, pos, &move, 1, SIZE_MAX);
    while (out->length - start < MOVE_WIDTH && !out->failed) buffer_append_char(out, ' ');
    buffer_append_format(out, "  %-10s  ", verdict_name(review->verdicts[ply].kind));
    annotate_append_fault(out, review, ply);
    buffer_append_string(out, "; better ");
    const int used = (int)(out->length - start), least = 12;
    lines_append_moves(out, pos, before->line, annotate_line_length(pos, before),
                       (size_t)int_max(width - used, least));
    buffer_append_char(out, '\n');
}

static void append_worst_moves(TextBuffer *out, const Game *game, const Review *review, int width) {
    Position pos = game->start;
    bool first = true;
    for (int ply = 0; ply < review->done; ply++) {
        Undo undo;
        if (is_fault(review, ply) && rank_of(review, ply) < WORST_MOVES) {
            if (first) buffer_append_string(out, "\nThe moves that cost most\n");
            append_worst_move(out, &pos, game->moves[ply], review, ply, width);
            first = false;
        }
        position_make_move(&pos, game->moves[ply], &undo);
    }
    if (first && review->done > 0) buffer_append_string(out, "\nNo move cost much.\n");
}

void report_append(TextBuffer *out, const Game *game, const Review *review, ReportLook look) {
    const int width = int_max(look.width, WIDTH_LEAST);
    append_players(out, game, look.ascii);
    buffer_append_char(out, '\n');
    append_sides(out, review);
    if (review->done > 0) {
        buffer_append_string(out, "\nWhite's expected score (I inaccuracy, M mistake, B blunder)\n");
        graph_append_text(out, game, review, width, look.ascii);
    }
    append_worst_moves(out, game, review, width);
    if (review->done < review->moves)
        buffer_append_format(out, "\nOnly %d of %d moves are judged.\n", int_max(review->done, 0),
                             review->moves);
    buffer_append_char(out, '\n');
}

/* --- for programs --- */

static void append_json_move(TextBuffer *out, const Position *pos, Move move, const Review *review, int ply) {
    const ReviewedPosition *before = &review->positions[ply];
    const Verdict *verdict = &review->verdicts[ply];
    buffer_append_string(out, ",\"move\":");
    json_append_move(out, pos, move);
    buffer_append_format(out, ",\"depth\":%d,\"nodes\":%llu,\"score\":", before->depth,
                         (unsigned long long)before->nodes);
    json_append_score(out, before->score);
    buffer_append_string(out, ",\"wdl\":");
    json_append_wdl(out, pos, before->score);
    buffer_append_string(out, ",\"pv\":");
    json_append_moves(out, pos, before->line, before->line_length);
    buffer_append_format(out, ",\"loss\":%.4f,\"accuracy\":%.1f,\"verdict\":\"%s\",\"nag\":%d}\n",
                         verdict->loss, verdict_move_accuracy(verdict->loss), verdict_name(verdict->kind),
                         verdict_nag(verdict->kind));
}

static void append_json_side(TextBuffer *out, const ReviewedSide *side) {
    buffer_append_format(
        out, "{\"moves\":%d,\"accuracy\":%.1f,\"inaccuracies\":%d,\"mistakes\":%d,\"blunders\":%d}",
        side->moves, side->accuracy, side->count[VERDICT_INACCURACY], side->count[VERDICT_MISTAKE],
        side->count[VERDICT_BLUNDER]);
}

void report_append_json(TextBuffer *out, const Game *game, const Review *review, int number) {
    Position pos = game->start;
    for (int ply = 0; ply < review->done; ply++) {
        char fen[FEN_CAPACITY];
        Undo undo;
        fen_write(&pos, fen);
        buffer_append_format(out, "{\"schema\":%d,\"game\":%d,\"ply\":%d,\"fen\":\"%s\"", JSON_SCHEMA, number,
                             ply + 1, fen);
        append_json_move(out, &pos, game->moves[ply], review, ply);
        position_make_move(&pos, game->moves[ply], &undo);
    }
    buffer_append_format(
        out,
        "{\"schema\":%d,\"game\":%d,\"result\":\"%s\",\"moves\":%d,\"judged\":%d,\"white\":", JSON_SCHEMA,
        number, game_result_text(game->result), review->moves, int_max(review->done, 0));
    append_json_side(out, &review->side[WHITE]);
    buffer_append_string(out, ",\"black\":");
    append_json_side(out, &review->side[BLACK]);
    buffer_append_string(out, "}\n");
}
