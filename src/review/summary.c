#include "review/summary.h"

#include "base/bits.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "engine/lines.h"
#include "explain/sentences.h"
#include "explain/words.h"
#include "review/annotate.h"
#include "review/diagram.h"

#include <string.h>

/* --- collecting --- */

static bool has_name(const char *name, const char *part) {
    const size_t length = strlen(part);
    for (TextView rest = text_view(name); rest.length >= length; rest.data++, rest.length--)
        if (text_equals_ignore_case((TextView){rest.data, length}, part)) return true;
    return false;
}

static char *keep_text(TextBuffer *text) {
    char *kept = text->failed ? NULL : text_duplicate(buffer_view(text));
    buffer_release(text);
    return kept;
}

static bool is_missed(const Explanation *why) {
    return why->reason == REASON_MISSES_MATE || why->reason == REASON_MISSES_MATERIAL ||
           why->result.better == OUTCOME_DRAW;
}

static Status add_fault(Summary *summary, const Game *game, int number, const Review *review, int ply) {
    SummaryFault *grown = memory_grow(summary->fault, (size_t)summary->count, sizeof *grown);
    if (grown == NULL) return status_no_memory("the summary");
    summary->fault = grown;
    SummaryFault *fault = &grown[summary->count++];
    const Explanation *why = review_reason(review, ply);
    const Move move = game->moves[ply];
    TextBuffer says = {0}, refuted = {0}, better = {0};
    *fault = (SummaryFault){.game = number, .ply = ply, .pos = game_position(game, ply), .move = move};
    fault->best = why != NULL ? why->better.move : review->positions[ply].line[0];
    fault->verdict = review->verdicts[ply];
    if (why != NULL) {
        fault->is_explained = true;
        fault->is_missed = is_missed(why);
        fault->reason = why->reason;
        fault->cause = why->cause;
        fault->motif = why->motif.kind;
        lines_append_moves(&refuted, &fault->pos, why->played.line->move,
                           words_shown_plies(why, why->played.line), SIZE_MAX);
    }
    annotate_append_fault(&says, &fault->pos, move, review, ply, FAULT_NUMBERED);
    annotate_append_better(&better, &fault->pos, review, ply, SIZE_MAX);
    fault->says = keep_text(&says);
    fault->refuted = keep_text(&refuted);
    fault->better = keep_text(&better);
    const bool has_memory = fault->says != NULL && fault->refuted != NULL && fault->better != NULL;
    return has_memory ? status_ok() : status_no_memory("the summary");
}

static void remember(Summary *summary, const char *name) {
    const size_t used = strlen(summary->seen);
    if (name[0] == '\0' || strstr(summary->seen, name) != NULL) return;
    if (used + strlen(name) + 3 < sizeof summary->seen)
        text_format(summary->seen + used, sizeof summary->seen - used, "%s%s", used > 0 ? "; " : "", name);
}

Status summary_add(Summary *summary, const Game *game, int number, const Review *review) {
    Status status = status_ok();
    for (Color side = WHITE; side <= BLACK; side++) {
        const char *name = game_tag(game, color_name(side));
        if (name == NULL) continue;
        if (!has_name(name, summary->name)) {
            remember(summary, name);
            continue;
        }
        summary->games++;
        summary->with_score += game->result != UNDECIDED;
        if (game->result != UNDECIDED) summary->half_points += game_half_points(game->result, side);
        for (int ply = 0; ply < review->done && status_is_ok(&status); ply++) {
            if (review_mover(game, ply) != side) continue;
            summary->moves++;
            summary->lost += review->verdicts[ply].loss;
            if (verdict_is_fault(review->verdicts[ply].kind))
                status = add_fault(summary, game, number, review, ply);
        }
    }
    return status;
}

void summary_release(Summary *summary) {
    for (int i = 0; i < summary->count; i++) {
        memory_release(summary->fault[i].says);
        memory_release(summary->fault[i].refuted);
        memory_release(summary->fault[i].better);
    }
    memory_release(summary->fault);
    *summary = (Summary){0};
}

/* --- tables --- */

static const char *phase_of(const SummaryFault *fault) {
    enum { OPENING_MOVES = 12, ENDGAME_PIECES = 6 };
    const Position *pos = &fault->pos;
    const Bitboard pieces = position_occupied(pos) & ~(pos->by_type[PAWN] | pos->by_type[KING]);
    if (bits_count(pieces) <= ENDGAME_PIECES) return "endgame";
    return pos->fullmove <= OPENING_MOVES ? "opening" : "middlegame";
}

static const char *cause_of(const SummaryFault *fault) {
    return fault->cause != CAUSE_NONE ? cause_name(fault->cause) : reason_name(fault->reason);
}

static const char *motif_of(const SummaryFault *fault) { return motif_name(fault->motif); }

/* That moved, or of what was missed that should have. */
static const char *piece_of(const SummaryFault *fault) {
    const Move move = fault->is_missed ? fault->best : fault->move;
    return piece_type_name(piece_type(position_piece_on(&fault->pos, move_from(move))));
}

static const struct {
    const char *by;
    const char *(*name_of)(const SummaryFault *fault);
} TABLES[SUMMARY_TABLES] = {
    {"phase", phase_of}, {"cause", cause_of}, {"motif", motif_of}, {"piece", piece_of}};

/* Keeps the costliest positions of a row, of equals the earlier one. */
static void keep_position(const Summary *summary, SummaryRow *row, int index) {
    const double loss = summary->fault[index].verdict.loss;
    int place = row->positions;
    while (place > 0 && summary->fault[row->position[place - 1]].verdict.loss < loss) place--;
    if (place == ROW_POSITIONS) return;
    row->positions = int_min(row->positions + 1, ROW_POSITIONS);
    for (int i = row->positions - 1; i > place; i--) row->position[i] = row->position[i - 1];
    row->position[place] = index;
}

static void add_to_row(const Summary *summary, SummaryRow *row, int index) {
    const SummaryFault *fault = &summary->fault[index];
    *(fault->is_missed ? &row->missed : &row->allowed) += 1;
    row->lost += fault->verdict.loss;
    keep_position(summary, row, index);
}

/* Gives numbers to the positions that are shown, in the order in which the tables name them. */
static void number_positions(Summary *summary, const SummaryRow *rows, int count, int *last) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < rows[i].positions; j++) {
            SummaryFault *fault = &summary->fault[rows[i].position[j]];
            if (fault->number == 0) fault->number = ++*last;
        }
}

static int last_number(const Summary *summary) {
    int last = 0;
    for (int i = 0; i < summary->count; i++) last = int_max(last, summary->fault[i].number);
    return last;
}

int summary_rows(Summary *summary, int table, SummaryRow rows[SUMMARY_ROWS_MAX], const char **by) {
    int count = 0, last = last_number(summary);
    *by = TABLES[table].by;
    for (int i = 0; i < summary->count; i++) {
        if (!summary->fault[i].is_explained) continue;
        const char *name = TABLES[table].name_of(&summary->fault[i]);
        int row = 0;
        while (row < count && strcmp(rows[row].name, name) != 0) row++;
        if (row == SUMMARY_ROWS_MAX) continue;
        if (row == count) rows[count++] = (SummaryRow){.name = name};
        add_to_row(summary, &rows[row], i);
    }
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && rows[j].lost > rows[j - 1].lost; j--) {
            const SummaryRow dearer = rows[j];
            rows[j] = rows[j - 1];
            rows[j - 1] = dearer;
        }
    number_positions(summary, rows, count, &last);
    return count;
}

static const SummaryFault *fault_of_number(const Summary *summary, int number) {
    for (int i = 0; i < summary->count; i++)
        if (summary->fault[i].number == number) return &summary->fault[i];
    return NULL;
}

static int count_explained(const Summary *summary) {
    int count = 0;
    for (int i = 0; i < summary->count; i++) count += summary->fault[i].is_explained;
    return count;
}

/* --- for people --- */

/* "Doe: 12 games (score 7.5 of 12), 431 moves judged. 58 faults, 51 of them explained. All moves together
 * cost as much as 9.4 lost games." */
static void append_head(TextBuffer *out, const Summary *summary) {
    buffer_append_foreign(out, text_view(summary->name));
    buffer_append_format(out, ": %d game%s", summary->games, summary->games == 1 ? "" : "s");
    if (summary->with_score > 0)
        buffer_append_format(out, " (score %.1f of %d)", summary->half_points / 2.0, summary->with_score);
    buffer_append_format(out,
                         ", %d moves judged. %d faults, %d of them explained. All moves together cost as "
                         "much as %.1f lost games (column cost).",
                         summary->moves, summary->count, count_explained(summary), summary->lost);
}

static void append_row(TextBuffer *out, const Summary *summary, const SummaryRow *row) {
    buffer_append_format(out, "  %-32s %6d %8d %7d %6.1f  ", row->name, row->allowed + row->missed,
                         row->allowed, row->missed, row->lost);
    for (int i = 0; i < row->positions; i++)
        buffer_append_format(out, i > 0 ? " #%d" : "#%d", summary->fault[row->position[i]].number);
    buffer_append_char(out, '\n');
}

static void append_paragraph(TextBuffer *out, const char *text, int width, int indent) {
    Document document = {.out = out, .width = (size_t)width};
    document_put(&document, STYLE_NORMAL, indent, text);
    document_row(&document);
}

static void append_position(TextBuffer *out, const SummaryFault *fault, int width) {
    TextBuffer text = {0};
    char fen[FEN_CAPACITY];
    fen_write(&fault->pos, fen);
    buffer_append_format(&text, "#%d game %d, %s: %s Better %s", fault->number, fault->game,
                         verdict_name(fault->verdict.kind), fault->says, fault->better);
    append_paragraph(out, buffer_string(&text), width, 4);
    buffer_append_format(out, "    %s\n", fen);
    out->failed |= text.failed;
    buffer_release(&text);
}

void summary_append_text(TextBuffer *out, Summary *summary, int width) {
    TextBuffer head = {0};
    append_head(&head, summary);
    append_paragraph(out, buffer_string(&head), width, 0);
    out->failed |= head.failed;
    buffer_release(&head);
    for (int table = 0; table < SUMMARY_TABLES; table++) {
        SummaryRow rows[SUMMARY_ROWS_MAX];
        const char *by;
        const int count = summary_rows(summary, table, rows, &by);
        buffer_append_format(out, "\n  by %-29s faults  allowed  missed   cost  positions\n", by);
        for (int i = 0; i < count; i++) append_row(out, summary, &rows[i]);
    }
    const int last = last_number(summary);
    if (last > 0) buffer_append_char(out, '\n');
    for (int number = 1; number <= last; number++)
        append_position(out, fault_of_number(summary, number), width);
}

/* --- for programs --- */

static void write_row(Document *document, const Summary *summary, const SummaryRow *row) {
    document_object(document, NULL);
    document_string(document, "name", row->name);
    document_int(document, "faults", row->allowed + row->missed);
    document_int(document, "allowed", row->allowed);
    document_int(document, "missed", row->missed);
    document_real(document, "lost", row->lost, 3);
    document_list(document, "positions");
    for (int i = 0; i < row->positions; i++)
        document_int(document, NULL, summary->fault[row->position[i]].number);
    document_list_end(document);
    document_object_end(document);
}

static void write_position(Document *document, const SummaryFault *fault) {
    document_object(document, NULL);
    document_int(document, "number", fault->number);
    document_int(document, "game", fault->game);
    document_int(document, "ply", fault->ply + 1);
    document_fen(document, &fault->pos);
    document_move(document, "move", &fault->pos, fault->move);
    document_move(document, "best", &fault->pos, fault->best);
    document_string(document, "verdict", verdict_name(fault->verdict.kind));
    document_real(document, "loss", fault->verdict.loss, 4);
    for (int table = 0; table < SUMMARY_TABLES; table++)
        document_string(document, TABLES[table].by, TABLES[table].name_of(fault));
    document_bool(document, "missed", fault->is_missed);
    document_string(document, "says", fault->says);
    document_string(document, "line", fault->refuted);
    document_string(document, "better", fault->better);
    document_object_end(document);
}

void summary_append_json(TextBuffer *out, Summary *summary) {
    Document document = {.out = out, .form = DOCUMENT_JSON, .language = language_row(0)};
    document_object(&document, NULL);
    document_int(&document, "schema", JSON_SCHEMA);
    document_string(&document, "name", summary->name);
    document_int(&document, "games", summary->games);
    document_int(&document, "moves", summary->moves);
    document_int(&document, "faults", summary->count);
    document_int(&document, "explained", count_explained(summary));
    document_real(&document, "lost", summary->lost, 3);
    document_list(&document, "tables");
    for (int table = 0; table < SUMMARY_TABLES; table++) {
        SummaryRow rows[SUMMARY_ROWS_MAX];
        const char *by;
        const int count = summary_rows(summary, table, rows, &by);
        document_object(&document, NULL);
        document_string(&document, "by", by);
        document_list(&document, "rows");
        for (int i = 0; i < count; i++) write_row(&document, summary, &rows[i]);
        document_list_end(&document);
        document_object_end(&document);
    }
    document_list_end(&document);
    document_list(&document, "positions");
    for (int number = 1; number <= last_number(summary); number++)
        write_position(&document, fault_of_number(summary, number));
    document_list_end(&document);
    document_object_end(&document);
    buffer_append_char(out, '\n');
}

/* --- as a page to print --- */

static const char PAGE_HEAD[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
    "body{font:11pt/1.35 serif;margin:1.5cm}table{border-collapse:collapse;margin:0 0 1em}\n"
    "th,td{padding:.15em .7em;text-align:right;border-bottom:1px solid #bbb}"
    "th:first-child,td:first-child{text-align:left}\n"
    "section{break-after:page}.sheet{display:grid;grid-template-columns:1fr 1fr;gap:.5cm}\n"
    "figure{margin:0;break-inside:avoid}svg{width:100%;max-width:7cm}figcaption{font-size:10pt}\n"
    "@page{margin:1.5cm}@media print{body{margin:0}}\n</style>\n";

static void append_table(TextBuffer *out, const Summary *summary, const SummaryRow *rows, int count,
                         const char *by) {
    buffer_append_format(out,
                         "<table><tr><th>By %s</th><th>faults</th><th>allowed</th><th>missed</th>"
                         "<th>cost</th><th>positions</th></tr>\n",
                         by);
    for (int i = 0; i < count; i++) {
        const SummaryRow *row = &rows[i];
        buffer_append_format(out, "<tr><td>%s</td><td>%d</td><td>%d</td><td>%d</td><td>%.1f</td><td>",
                             row->name, row->allowed + row->missed, row->allowed, row->missed, row->lost);
        for (int j = 0; j < row->positions; j++)
            buffer_append_format(out, j > 0 ? ", %d" : "%d", summary->fault[row->position[j]].number);
        buffer_append_string(out, "</td></tr>\n");
    }
    buffer_append_string(out, "</table>\n");
}

static void append_figure(TextBuffer *out, const SummaryFault *fault) {
    buffer_append_string(out, "<figure>");
    diagram_append_svg(out, &fault->pos, fault->pos.side);
    buffer_append_format(out, "<figcaption><b>%d</b> %s to move</figcaption></figure>\n", fault->number,
                         color_name(fault->pos.side));
}

static void append_solution(TextBuffer *out, const SummaryFault *fault) {
    buffer_append_format(out, "<p><b>%d</b> Game %d. Better %s. Played: ", fault->number, fault->game,
                         fault->better);
    buffer_append_xml(out, text_view(fault->says));
    if (fault->refuted[0] != '\0') buffer_append_format(out, " (%s)", fault->refuted);
    buffer_append_string(out, "</p>\n");
}

void summary_append_page(TextBuffer *out, Summary *summary) {
    enum { SHEET = 6 /* diagrams */ };
    TextBuffer head = {0};
    append_head(&head, summary);
    buffer_append_string(out, PAGE_HEAD);
    buffer_append_string(out, "<title>Faults of ");
    buffer_append_xml(out, text_view(summary->name));
    buffer_append_string(out, "</title></head><body>\n<section><p>");
    buffer_append_xml(out, buffer_view(&head));
    buffer_append_string(out, "</p>\n");
    for (int table = 0; table < SUMMARY_TABLES; table++) {
        SummaryRow rows[SUMMARY_ROWS_MAX];
        const char *by;
        const int count = summary_rows(summary, table, rows, &by);
        append_table(out, summary, rows, count, by);
    }
    buffer_append_string(out, "</section>\n<section></section>\n");
    const int last = last_number(summary);
    for (int first = 1; first <= last; first += SHEET) {
        const int end = int_min(first + SHEET - 1, last);
        buffer_append_string(out, "<section class=\"sheet\">\n");
        for (int number = first; number <= end; number++)
            append_figure(out, fault_of_number(summary, number));
        buffer_append_string(out, "</section>\n<section>\n");
        for (int number = first; number <= end; number++)
            append_solution(out, fault_of_number(summary, number));
        buffer_append_string(out, "</section>\n");
    }
    buffer_append_string(out, "</body></html>\n");
    out->failed |= head.failed;
    buffer_release(&head);
}
