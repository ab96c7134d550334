#include "review/report.h"

#include "chess/makemove.h"
#include "engine/document.h"
#include "engine/lines.h"
#include "explain/sentences.h"
#include "review/annotate.h"
#include "review/graph.h"

#include <limits.h>
#include <math.h>

enum {
    WORST_MOVES = 5,
    MOVE_WIDTH = 16, /* of the column of moves */
    WIDTH_LEAST = 40
};

/* --- for people --- */

static void append_players(TextBuffer *out, const Game *game, bool ascii) {
    for (int color = WHITE; color < COLOR_COUNT; color++) {
        const char *name = game_tag(game, color_name((Color)color));
        const size_t start = out->length;
        if (color == BLACK) buffer_append_string(out, " - ");
        buffer_append_foreign(out, text_view(name == NULL || name[0] == '\0' ? "?" : name));
        for (size_t i = start; i < out->length && ascii; i++)
            if (out->data[i] > '~' || out->data[i] < ' ') out->data[i] = '?';
    }
    buffer_append_format(out, ", %s\n", game_result_text(game->result));
}

static void append_sides(TextBuffer *out, const Review *review) {
    buffer_append_string(out, "       accuracy  inaccuracies  mistakes  blunders\n");
    for (int color = WHITE; color < COLOR_COUNT; color++) {
        const ReviewedSide *side = &review->side[color];
        buffer_append_string(out, color_name((Color)color));
        if (side->moves > 0)
            buffer_append_format(out, "  %6.1f %%", side->accuracy);
        else
            buffer_append_string(out, "         -");
        buffer_append_format(out, "  %12d  %8d  %8d\n", side->count[VERDICT_INACCURACY],
                             side->count[VERDICT_MISTAKE], side->count[VERDICT_BLUNDER]);
    }
}

/* How many faults cost more than this one; of equal ones the earlier goes first. */
static int rank_of(const Review *review, int ply) {
    int rank = 0;
    for (int other = 0; other < review->done; other++) {
        const double more = review->verdicts[other].loss - review->verdicts[ply].loss;
        rank += verdict_is_fault(review->verdicts[other].kind) && (more > 0 || (more == 0 && other < ply));
    }
    return rank;
}

static void append_worst_move(TextBuffer *out, const Position *pos, Move move, const Review *review, int ply,
                              int width) {
    enum { VERDICT_WIDTH = 11, LEAST = 12 };
    Document document = {.out = out, .width = (size_t)width, .language = language_row(0)};
    TextBuffer says = {0};
    annotate_append_fault(&says, pos, move, review, ply, FAULT_WITHOUT_MOVE);
    document_cell(&document, STYLE_NORMAL, -MOVE_WIDTH, "  %s",
                  language_line(&document, pos, &move, 1, SIZE_MAX));
    document_cell(&document, STYLE_NORMAL, -VERDICT_WIDTH, "%s", verdict_name(review->verdicts[ply].kind));
    document_put(&document, STYLE_NORMAL, MOVE_WIDTH + VERDICT_WIDTH + 1, buffer_string(&says));
    buffer_append_format(out, "\n%*s better ", MOVE_WIDTH + VERDICT_WIDTH, "");
    const int used = MOVE_WIDTH + VERDICT_WIDTH + (int)sizeof " better ";
    annotate_append_better(out, pos, review, ply, (size_t)int_max(width - used, LEAST));
    buffer_append_char(out, '\n');
    out->failed |= says.failed;
    buffer_release(&says);
}

static void append_worst_moves(TextBuffer *out, const Game *game, const Review *review, int width) {
    Position pos = game->start;
    bool first = true;
    for (int ply = 0; ply < review->done; ply++) {
        Undo undo;
        if (verdict_is_fault(review->verdicts[ply].kind) && rank_of(review, ply) < WORST_MOVES) {
            if (first) buffer_append_string(out, "\nThe moves that cost most\n");
            append_worst_move(out, &pos, game->moves[ply], review, ply, width);
            first = false;
        }
        position_make_move(&pos, game->moves[ply], &undo);
    }
    if (first && review->done > 0)
        buffer_append_format(out, "\n%s\n", language_row(0)->words[WORDS_no_fault]);
}

/* --- what decided --- */

enum { DECIDED_NEVER = -1, DECIDED_ELSEWHERE = -2, DECIDED_UNKNOWN = -3 };

/* The last move before which the expected score was not close to the result: from then on it stays close. */
static int deciding_ply(const Game *game, const Review *review) {
    static const double CLOSE = 0.25;
    const double result = game_half_points(game->result, WHITE) / 2.0;
    int ply = review->done;
    if (game->result == UNDECIDED || review->done < review->moves || review->done < 1) return DECIDED_UNKNOWN;
    while (ply >= 0 && fabs(review_white_expected(review, game, ply) - result) <= CLOSE) ply--;
    if (ply == review->done) return DECIDED_ELSEWHERE;
    return ply >= 0 && verdict_is_fault(review->verdicts[ply].kind) ? ply : DECIDED_NEVER;
}

static void append_decision(TextBuffer *out, const Game *game, const Review *review, int width) {
    Document document = {.out = out, .width = (size_t)width, .language = language_row(0)};
    const int ply = deciding_ply(game, review);
    if (ply == DECIDED_UNKNOWN) return;
    buffer_append_char(out, '\n');
    if (ply >= 0) {
        TextBuffer sentence = {0};
        const Position pos = game_position(game, ply);
        annotate_append_fault(&sentence, &pos, game->moves[ply], review, ply, FAULT_NUMBERED);
        language_write(&document, STYLE_STRONG, WORDS_decisive,
                       FILL(FILL_TEXT("sentence", buffer_string(&sentence))));
        out->failed |= sentence.failed;
        buffer_release(&sentence);
    } else if (ply == DECIDED_ELSEWHERE) {
        const double white = review_white_expected(review, game, review->done);
        language_write(&document, STYLE_STRONG, WORDS_decided_elsewhere,
                       FILL(FILL_NUMBER("percent", lround(100 * white))));
    } else {
        language_write(&document, STYLE_STRONG, WORDS_decided_slowly, NULL, 0);
    }
}

void report_append(TextBuffer *out, const Game *game, const Review *review, ReportLook look) {
    const int width = int_max(look.width, WIDTH_LEAST);
    append_players(out, game, look.ascii);
    buffer_append_char(out, '\n');
    append_sides(out, review);
    append_decision(out, game, review, width);
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

/* The same as in the object of an explanation. */
static void write_reason(Document *document, const Position *pos, const Explanation *why) {
    document_string(document, "reason", reason_name(why->reason));
    sentences_write(document, why, INT_MAX);
    document_moves(document, "line", pos, why->played.line->move, why->played.line->length);
    document_moves(document, "better", pos, why->better.line->move, why->better.line->length);
}

void report_write_move(Document *document, const Position *pos, Move move, const Review *review, int ply,
                       int number) {
    const ReviewedPosition *before = &review->positions[ply];
    const Verdict *verdict = &review->verdicts[ply];
    document_object(document, NULL);
    document_int(document, "schema", JSON_SCHEMA);
    document_int(document, "game", number);
    document_int(document, "ply", ply + 1);
    document_fen(document, pos);
    document_move(document, "move", pos, move);
    document_int(document, "depth", before->depth);
    document_int(document, "nodes", (int64_t)before->nodes);
    document_score(document, "score", before->score);
    document_chances(document, pos, before->score);
    document_moves(document, "pv", pos, before->line, before->line_length);
    document_real(document, "loss", verdict->loss, 4);
    document_real(document, "accuracy", verdict_move_accuracy(verdict->loss), 1);
    document_string(document, "verdict", verdict_name(verdict->kind));
    document_int(document, "nag", verdict_nag(verdict->kind));
    if (review_reason(review, ply) != NULL) write_reason(document, pos, review_reason(review, ply));
    document_object_end(document);
}

static void write_side(Document *document, const char *name, const ReviewedSide *side) {
    document_object(document, name);
    document_int(document, "moves", side->moves);
    document_real(document, "accuracy", side->accuracy, 1);
    document_int(document, "inaccuracies", side->count[VERDICT_INACCURACY]);
    document_int(document, "mistakes", side->count[VERDICT_MISTAKE]);
    document_int(document, "blunders", side->count[VERDICT_BLUNDER]);
    document_object_end(document);
}

void report_write_game(Document *document, const char *name, const Game *game, const Review *review,
                       int number) {
    document_object(document, name);
    document_int(document, "schema", JSON_SCHEMA);
    document_int(document, "game", number);
    document_string(document, "result", game_result_text(game->result));
    document_int(document, "moves", review->moves);
    document_int(document, "judged", int_max(review->done, 0));
    write_side(document, "white", &review->side[WHITE]);
    write_side(document, "black", &review->side[BLACK]);
    const int decisive = deciding_ply(game, review);
    if (decisive >= 0) document_int(document, "decisive", decisive + 1);
    document_object_end(document);
}

void report_append_json(TextBuffer *out, const Game *game, const Review *review, int number) {
    Position pos = game->start;
    for (int ply = 0; ply < review->done; ply++) {
        Undo undo;
        report_write_move(&(Document){.out = out, .form = DOCUMENT_JSON, .language = language_row(0)}, &pos,
                          game->moves[ply], review, ply, number);
        buffer_append_char(out, '\n');
        position_make_move(&pos, game->moves[ply], &undo);
    }
    report_write_game(&(Document){.out = out, .form = DOCUMENT_JSON}, NULL, game, review, number);
    buffer_append_char(out, '\n');
}
