#include "review/summary.h"

#include "base/bits.h"
#include "base/memory.h"
#include "chess/fen.h"
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
        fault->cause = fault->is_missed ? CAUSE_NONE : why->cause;
        fault->motif = why->motif.kind;
        language_append_moves(&(Document){.out = &refuted, .language = summary->language}, &fault->pos,
                              why->played.line->move, words_shown_plies(why, why->played.line), SIZE_MAX);
    }
    annotate_append_fault(&(Document){.out = &says, .language = summary->language}, &fault->pos, move, review,
                          ply, FAULT_NUMBERED);
    annotate_append_better(&(Document){.out = &better, .language = summary->language}, &fault->pos, review,
                           ply, SIZE_MAX);
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
    return verdict_phase_name(verdict_phase(&fault->pos));
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

/* Faults that have nothing in common come last, whatever they cost. */
static bool is_before(const SummaryRow *a, const SummaryRow *b) {
    const bool a_is_none = strcmp(a->name, "none") == 0, b_is_none = strcmp(b->name, "none") == 0;
    return a_is_none != b_is_none ? b_is_none : a->lost > b->lost;
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
        for (int j = i; j > 0 && is_before(&rows[j], &rows[j - 1]); j--) {
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
static const char *head_text(Document *document, const Summary *summary) {
    TextBuffer name = {0};
    buffer_append_foreign(&name, text_view(summary->name));
    const char *points = document_text(document, "%.1f", summary->half_points / 2.0), *result = "";
    if (summary->with_score > 0)
        result = language_words(document, WORDS_summary_result,
                                FILL(FILL_TEXT("points", points), FILL_NUMBER("games", summary->with_score)));
    const char *text = language_words(
        document, WORDS_summary_head,
        FILL(FILL_TEXT("name", buffer_string(&name)), FILL_NUMBER("games", summary->games),
             FILL_TEXT("result", result), FILL_NUMBER("moves", summary->moves),
             FILL_NUMBER("faults", summary->count), FILL_NUMBER("explained", count_explained(summary)),
             FILL_TEXT("lost", document_text(document, "%.1f", summary->lost))));
    document->out->failed |= name.failed;
    buffer_release(&name);
    return text;
}

static const char *by_text(Document *document, const char *by) {
    return language_words(document, WORDS_summary_by, FILL(FILL_TEXT("what", language_name(document, by))));
}

/* The columns of numbers: their heads and widths. */
static const WordsId COLUMNS[] = {WORDS_column_faults, WORDS_column_allowed, WORDS_column_missed,
                                  WORDS_column_cost, WORDS_column_positions};
enum { NAME_WIDTH = 34, COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

static void write_table(Document *document, const Summary *summary, const SummaryRow *rows, int count,
                        const char *by) {
    static const int WIDTHS[COLUMN_COUNT] = {6, 11, 9, 7, 0};
    const char *const *words = document->language->words;
    document_row(document);
    document_cell(document, STYLE_STRONG, -NAME_WIDTH, "  %s", by_text(document, by));
    for (int i = 0; i < COLUMN_COUNT; i++)
        document_cell(document, STYLE_STRONG, WIDTHS[i], WIDTHS[i] == 0 ? "  %s" : "%s", words[COLUMNS[i]]);
    document_row(document);
    for (int i = 0; i < count; i++) {
        const SummaryRow *row = &rows[i];
        document_cell(document, STYLE_NORMAL, -NAME_WIDTH, "  %s", language_name(document, row->name));
        document_cell(document, STYLE_NORMAL, WIDTHS[0], "%d", row->allowed + row->missed);
        document_cell(document, STYLE_NORMAL, WIDTHS[1], "%d", row->allowed);
        document_cell(document, STYLE_NORMAL, WIDTHS[2], "%d", row->missed);
        document_cell(document, STYLE_NORMAL, WIDTHS[3], "%.1f ", row->lost);
        for (int j = 0; j < row->positions; j++)
            document_cell(document, STYLE_NORMAL, 0, " #%d", summary->fault[row->position[j]].number);
        document_row(document);
    }
}

static void write_shown(Document *document, const SummaryFault *fault) {
    char fen[FEN_CAPACITY];
    fen_write(&fault->pos, fen);
    document_put(
        document, STYLE_NORMAL, 4,
        language_words(document, WORDS_summary_position,
                       FILL(FILL_NUMBER("number", fault->number), FILL_NUMBER("game", fault->game),
                            FILL_TEXT("verdict", language_name(document, verdict_name(fault->verdict.kind))),
                            FILL_TEXT("says", fault->says), FILL_TEXT("better", fault->better))));
    document_row(document);
    buffer_append_format(document->out, "    %s\n", fen);
}

void summary_append_text(TextBuffer *out, Summary *summary, int width) {
    Document document = {.out = out, .width = (size_t)width, .language = summary->language};
    document_put(&document, STYLE_NORMAL, 0, head_text(&document, summary));
    document_row(&document);
    for (int table = 0; table < SUMMARY_TABLES; table++) {
        SummaryRow rows[SUMMARY_ROWS_MAX];
        const char *by;
        const int count = summary_rows(summary, table, rows, &by);
        write_table(&document, summary, rows, count, by);
    }
    const int last = last_number(summary);
    if (last > 0) document_row(&document);
    for (int number = 1; number <= last; number++) write_shown(&document, fault_of_number(summary, number));
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
    Document document = {.out = out, .form = DOCUMENT_JSON, .language = summary->language};
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
    "<head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
    "body{font:11pt/1.35 serif;margin:1.5cm}table{border-collapse:collapse;margin:0 0 1em}\n"
    "th,td{padding:.15em .7em;text-align:right;border-bottom:1px solid #bbb}"
    "th:first-child,td:first-child{text-align:left}\n"
    "section{break-after:page}.sheet{display:grid;grid-template-columns:1fr 1fr;gap:.5cm}\n"
    "figure{margin:0;break-inside:avoid}svg{width:100%;max-width:7cm}figcaption{font-size:10pt}\n"
    "@page{margin:1.5cm}@media print{body{margin:0}}\n</style>\n";

static void append_table(Document *document, const Summary *summary, const SummaryRow *rows, int count,
                         const char *by) {
    TextBuffer *out = document->out;
    buffer_append_format(out, "<table><tr><th>%s</th>", by_text(document, by));
    for (int i = 0; i < COLUMN_COUNT; i++)
        buffer_append_format(out, "<th>%s</th>", document->language->words[COLUMNS[i]]);
    buffer_append_string(out, "</tr>\n");
    for (int i = 0; i < count; i++) {
        const SummaryRow *row = &rows[i];
        buffer_append_format(out, "<tr><td>%s</td><td>%d</td><td>%d</td><td>%d</td><td>%.1f</td><td>",
                             language_name(document, row->name), row->allowed + row->missed, row->allowed,
                             row->missed, row->lost);
        for (int j = 0; j < row->positions; j++)
            buffer_append_format(out, j > 0 ? ", %d" : "%d", summary->fault[row->position[j]].number);
        buffer_append_string(out, "</td></tr>\n");
    }
    buffer_append_string(out, "</table>\n");
}

static void append_figure(Document *document, const SummaryFault *fault) {
    TextBuffer *out = document->out;
    const char *side = document->language->words[fault->pos.side == WHITE ? WORDS_white : WORDS_black];
    buffer_append_string(out, "<figure>");
    diagram_append_svg(out, &fault->pos, fault->pos.side);
    buffer_append_format(out, "<figcaption><b>%d</b> %s</figcaption></figure>\n", fault->number,
                         language_words(document, WORDS_to_move, FILL(FILL_TEXT("side", side))));
}

static void append_solution(Document *document, const SummaryFault *fault) {
    TextBuffer *out = document->out;
    buffer_append_format(out, "<p><b>%d</b> ", fault->number);
    buffer_append_xml(out, text_view(language_words(document, WORDS_summary_solution,
                                                    FILL(FILL_NUMBER("game", fault->game),
                                                         FILL_TEXT("better", fault->better),
                                                         FILL_TEXT("says", fault->says)))));
    if (fault->refuted[0] != '\0') buffer_append_format(out, " (%s)", fault->refuted);
    buffer_append_string(out, "</p>\n");
}

void summary_append_page(TextBuffer *out, Summary *summary) {
    enum { SHEET = 6 /* diagrams */ };
    Document *document = &(Document){.out = out, .language = summary->language};
    buffer_append_format(out, "<!doctype html>\n<html lang=\"%s\">", summary->language->code);
    buffer_append_string(out, PAGE_HEAD);
    buffer_append_string(out, "<title>");
    buffer_append_xml(
        out, text_view(language_words(document, WORDS_page_title, FILL(FILL_TEXT("name", summary->name)))));
    buffer_append_string(out, "</title></head><body>\n<section><p>");
    buffer_append_xml(out, text_view(head_text(document, summary)));
    buffer_append_string(out, "</p>\n");
    for (int table = 0; table < SUMMARY_TABLES; table++) {
        SummaryRow rows[SUMMARY_ROWS_MAX];
        const char *by;
        const int count = summary_rows(summary, table, rows, &by);
        append_table(document, summary, rows, count, by);
    }
    buffer_append_string(out, "</section>\n<section></section>\n");
    const int last = last_number(summary);
    for (int first = 1; first <= last; first += SHEET) {
        const int end = int_min(first + SHEET - 1, last);
        buffer_append_string(out, "<section class=\"sheet\">\n");
        for (int number = first; number <= end; number++)
            append_figure(document, fault_of_number(summary, number));
        buffer_append_string(out, "</section>\n<section>\n");
        for (int number = first; number <= end; number++)
            append_solution(document, fault_of_number(summary, number));
        buffer_append_string(out, "</section>\n");
    }
    buffer_append_string(out, "</body></html>\n");
}
