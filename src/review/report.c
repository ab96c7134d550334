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

static void write_heading(Document *document, WordsId id) {
    document_row(document);
    document_put(document, STYLE_NORMAL, 0, document->language->words[id]);
    document_row(document);
}

static void write_sides(Document *document, const Review *review) {
    static const WordsId COLUMNS[] = {WORDS_column_accuracy, WORDS_column_inaccuracies, WORDS_column_mistakes,
                                      WORDS_column_blunders};
    enum { FIRST = 7, COUNTS = 4 };
    const char *const *words = document->language->words;
    int width[COUNTS];
    document_cell(document, STYLE_NORMAL, FIRST, "%s", "");
    for (int i = 0; i < COUNTS; i++) {
        width[i] = (int)text_columns(text_view(words[COLUMNS[i]])) + 2;
        document_cell(document, STYLE_NORMAL, i > 0 ? width[i] : 0, "%s", words[COLUMNS[i]]);
    }
    document_row(document);
    for (int color = WHITE; color < COLOR_COUNT; color++) {
        const ReviewedSide *side = &review->side[color];
        const char *accuracy = side->moves > 0 ? document_text(document, "%.1f %%", side->accuracy) : "-";
        document_cell(document, STYLE_NORMAL, -FIRST, "%s",
                      words[color == WHITE ? WORDS_white : WORDS_black]);
        document_cell(document, STYLE_NORMAL, width[0] - 2, "%s", accuracy);
        for (VerdictKind kind = VERDICT_INACCURACY; verdict_is_fault(kind); kind++)
            document_cell(document, STYLE_NORMAL, width[kind], "%d", side->count[kind]);
        document_row(document);
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

static void write_worst_move(Document *document, const Position *pos, Move move, const Review *review,
                             int ply) {
    enum { VERDICT_WIDTH = 13, LEAST = 12 };
    const char *verdict = language_name(document, verdict_name(review->verdicts[ply].kind));
    TextBuffer text = {0};
    Document says = {.out = &text, .language = document->language};
    annotate_append_fault(&says, pos, move, review, ply, FAULT_WITHOUT_MOVE);
    document_cell(document, STYLE_NORMAL, -MOVE_WIDTH, "  %s",
                  language_line(document, pos, &move, 1, SIZE_MAX));
    document_cell(document, STYLE_NORMAL, -VERDICT_WIDTH, "%s", verdict);
    document_put(document, STYLE_NORMAL, MOVE_WIDTH + VERDICT_WIDTH + 1, buffer_string(&text));
    document_row(document);
    document_cell(document, STYLE_NORMAL, MOVE_WIDTH + VERDICT_WIDTH, "%s", "");
    document_cell(document, STYLE_NORMAL, 0, " %s ", document->language->words[WORDS_line_better]);
    const int room = (int)document->width - (int)document->column;
    annotate_append_better(document, pos, review, ply, (size_t)int_max(room, LEAST));
    document_row(document);
    document->out->failed |= text.failed;
    buffer_release(&text);
}

static void write_worst_moves(Document *document, const Game *game, const Review *review) {
    Position pos = game->start;
    bool first = true;
    for (int ply = 0; ply < review->done; ply++) {
        Undo undo;
        if (verdict_is_fault(review->verdicts[ply].kind) && rank_of(review, ply) < WORST_MOVES) {
            if (first) write_heading(document, WORDS_worst_moves);
            write_worst_move(document, &pos, game->moves[ply], review, ply);
            first = false;
        }
        position_make_move(&pos, game->moves[ply], &undo);
    }
    if (first && review->done > 0) write_heading(document, WORDS_no_fault);
}

/* --- what decided --- */

enum { DECIDED_NEVER = -1, DECIDED_ELSEWHERE = -2, DECIDED_UNKNOWN = -3 };

static const double CLOSE = 0.25;

/* The last move before which the expected score was not close to the result: from then on it stays close. */
static int deciding_ply(const Game *game, const Review *review) {
    const double result = game_half_points(game->result, WHITE) / 2.0;
    int ply = review->done;
    if (game->result == UNDECIDED || review->done < review->moves || review->done < 1) return DECIDED_UNKNOWN;
    while (ply >= 0 && fabs(review_white_expected(review, game, ply) - result) <= CLOSE) ply--;
    if (ply == review->done) return DECIDED_ELSEWHERE;
    return ply >= 0 && verdict_is_fault(review->verdicts[ply].kind) ? ply : DECIDED_NEVER;
}

static void write_decision(Document *document, const Game *game, const Review *review) {
    const int ply = deciding_ply(game, review);
    const char *lost = annotate_lost_text(document, game, review);
    if (ply != DECIDED_UNKNOWN || lost != NULL) document_row(document);
    if (ply >= 0) {
        TextBuffer sentence = {0};
        Document says = {.out = &sentence, .language = document->language};
        const Position pos = game_position(game, ply);
        annotate_append_fault(&says, &pos, game->moves[ply], review, ply, FAULT_NUMBERED);
        language_write(document, STYLE_STRONG, WORDS_decisive,
                       FILL(FILL_TEXT("sentence", buffer_string(&sentence))));
        document->out->failed |= sentence.failed;
        buffer_release(&sentence);
    } else if (ply == DECIDED_ELSEWHERE) {
        const double white = review_white_expected(review, game, review->done);
        const bool is_ahead = fabs(white - 0.5) >= 0.5 - CLOSE;
        const char *ahead = document->language->words[white > 0.5 ? WORDS_white : WORDS_black];
        language_write(document, STYLE_STRONG, is_ahead ? WORDS_decided_against : WORDS_decided_elsewhere,
                       FILL(FILL_TEXT("side", ahead)));
    } else if (ply == DECIDED_NEVER) {
        language_write(document, STYLE_STRONG, WORDS_decided_slowly, NULL, 0);
    }
    if (lost == NULL) return;
    document_put(document, STYLE_NORMAL, 0, lost);
    document_row(document);
}

void report_write(Document *document, const Game *game, const Review *review, bool ascii) {
    if (document->width < WIDTH_LEAST) document->width = WIDTH_LEAST;
    append_players(document->out, game, ascii);
    document_row(document);
    write_sides(document, review);
    write_decision(document, game, review);
    if (review->done > 0) {
        write_heading(document, WORDS_graph_title);
        graph_write_text(document, game, review, ascii);
    }
    write_worst_moves(document, game, review);
    if (review->done < review->moves) {
        document_row(document);
        language_write(
            document, STYLE_NORMAL, WORDS_judged_only,
            FILL(FILL_NUMBER("count", int_max(review->done, 0)), FILL_NUMBER("all", review->moves)));
    }
    document_row(document);
}

/* --- for programs --- */

/* The same as in the object of an explanation. */
static void write_reason(Document *document, const Position *pos, const Explanation *why) {
    document_string(document, "reason", reason_name(why->reason));
    (void)sentences_write(document, why, INT_MAX);
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
    const int lost_from = review_lost_from(review, game);
    if (lost_from >= 0) document_int(document, "lost_from", lost_from + 1);
    document_object_end(document);
}

/* Of an object: the next one has no comma before it. */
static void end_line(Document *document) {
    buffer_append_char(document->out, '\n');
    document->needs_comma = false;
}

void report_write_json(Document *document, const Game *game, const Review *review, int number) {
    Position pos = game->start;
    for (int ply = 0; ply < review->done; ply++) {
        Undo undo;
        report_write_move(document, &pos, game->moves[ply], review, ply, number);
        end_line(document);
        position_make_move(&pos, game->moves[ply], &undo);
    }
    report_write_game(document, NULL, game, review, number);
    end_line(document);
}
