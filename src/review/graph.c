#include "review/graph.h"

#include "chess/makemove.h"
#include "review/annotate.h"

#include <math.h>

static int move_number(const Game *game, int ply) {
    return game->start.fullmove + (ply + (game->start.side == BLACK)) / 2;
}

/* --- in characters --- */

enum {
    ROWS = 8,
    EIGHTHS = 8,     /* of a row that a block character can fill */
    LABEL_WIDTH = 9, /* in front of the graph */
    COLUMN_MAX = 3,  /* characters for one position */
    NUMBER_STEP = 5, /* moves between two numbers */
    NUMBER_ROOM = 3  /* columns that a number needs */
};

/* Which positions stand in which columns. */
typedef struct Grid {
    int positions, columns;
} Grid;

static Grid make_grid(const Review *review, int width) {
    const int positions = review->done + 1, room = int_max(width - LABEL_WIDTH, 10);
    const int wide = int_clamp(room / positions, 1, COLUMN_MAX);
    return (Grid){positions, int_min(positions * wide, room)};
}

static int first_position(const Grid *grid, int column) {
    return (int)((int64_t)column * grid->positions / grid->columns);
}

/* The mean of a column's positions; one at least. */
static double column_value(const Game *game, const Review *review, const Grid *grid, int column) {
    const int first = first_position(grid, column),
              end = int_max(first_position(grid, column + 1), first + 1);
    double sum = 0;
    for (int i = first; i < end; i++) sum += review_white_expected(review, game, i);
    return sum / (end - first);
}

static void append_cell(TextBuffer *out, int filled, bool ascii) {
    static const char *const BLOCKS[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    if (ascii)
        buffer_append_char(out, filled >= EIGHTHS / 2 ? '#' : ' ');
    else
        buffer_append_string(out, BLOCKS[int_clamp(filled, 0, EIGHTHS)]);
}

/* The first letter of the worst fault. */
static char fault_letter(const Document *document, const Review *review, const Grid *grid, int column) {
    VerdictKind worst = VERDICT_NONE;
    const int first = first_position(grid, column);
    /* A position wider than a column is marked once. */
    if (column > 0 && first_position(grid, column - 1) == first) return ' ';
    for (int i = int_max(first, 1); i < int_max(first_position(grid, column + 1), first + 1); i++) {
        const VerdictKind kind = review->verdicts[i - 1].kind;
        if (verdict_is_fault(kind) && kind > worst) worst = kind;
    }
    return worst == VERDICT_NONE ? ' ' : char_to_upper(language_name(document, verdict_name(worst))[0]);
}

static void append_faults(TextBuffer *out, const Document *document, const Review *review, const Grid *grid) {
    for (int column = 0; column < grid->columns; column++)
        buffer_append_char(out, fault_letter(document, review, grid, column));
}

/* Each under the position behind White's move of that number. */
static void append_numbers(TextBuffer *out, const Game *game, const Grid *grid) {
    const size_t start = out->length, end = start + (size_t)grid->columns;
    for (int position = 1; position < grid->positions && !out->failed; position++) {
        const int number = move_number(game, position - 1);
        const size_t place = start + (size_t)((int64_t)position * grid->columns / grid->positions);
        if (review_mover(game, position - 1) != WHITE || (number % NUMBER_STEP != 0 && position > 2))
            continue;
        /* A blank at least between two numbers, and none beyond the graph. */
        if ((out->length > start && place <= out->length) || place + NUMBER_ROOM > end) continue;
        while (out->length < place && !out->failed) buffer_append_char(out, ' ');
        buffer_append_format(out, "%d", number);
    }
}

static void write_row(Document *document, const char *label, const TextBuffer *row) {
    TextView text = buffer_view(row);
    while (text.length > 0 && text.data[text.length - 1] == ' ') text.length--;
    document_cell(document, STYLE_NORMAL, LABEL_WIDTH, "%s", label);
    buffer_append(document->out, text);
    document_row(document);
}

void graph_write_text(Document *document, const Game *game, const Review *review, bool ascii) {
    if (review->done < 1) return;
    const Grid grid = make_grid(review, (int)document->width);
    const char *const *words = document->language->words;
    TextBuffer row = {0};
    for (int level = ROWS - 1; level >= 0; level--) {
        buffer_clear(&row);
        for (int column = 0; column < grid.columns; column++) {
            const double value = column_value(game, review, &grid, column);
            append_cell(&row, (int)lround(value * ROWS * EIGHTHS) - level * EIGHTHS, ascii);
        }
        const char *side = level == ROWS - 1 ? words[WORDS_white] : level == 0 ? words[WORDS_black] : "";
        write_row(document, document_text(document, "%s |", side), &row);
    }
    buffer_clear(&row);
    append_faults(&row, document, review, &grid);
    write_row(document, "", &row);
    buffer_clear(&row);
    append_numbers(&row, game, &grid);
    write_row(document, "", &row);
    document->out->failed |= row.failed;
    buffer_release(&row);
}

/* --- as SVG --- */

enum { WIDTH = 900, HEIGHT = 340, LEFT = 40, RIGHT = 20, TOP = 62, BOTTOM = 52, NUMBERS_MAX = 12 };

static double x_of(const Review *review, int position) {
    return LEFT + (double)(WIDTH - LEFT - RIGHT) * position / int_max(review->done, 1);
}

static double y_of(double expected) { return TOP + (HEIGHT - TOP - BOTTOM) * (1 - expected); }

static const char *accuracy_text(Document *document, double percent) {
    return language_words(document, WORDS_accuracy_of,
                          FILL(FILL_TEXT("percent", document_text(document, "%.1f", percent))));
}

static void append_player(Document *document, const Game *game, const Review *review, Color color) {
    TextBuffer *out = document->out;
    const char *name = game_tag(game, color_name(color));
    buffer_append_xml(out, text_view(name == NULL || name[0] == '\0' ? "?" : name));
    if (review->side[color].moves > 0)
        buffer_append_format(out, " (%s)", accuracy_text(document, review->side[color].accuracy));
}

static void append_head(Document *document, const Game *game, const Review *review) {
    TextBuffer *out = document->out;
    buffer_append_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"24\" font-size=\"16\">",
        WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    append_player(document, game, review, WHITE);
    buffer_append_string(out, " \xE2\x80\x93 ");
    append_player(document, game, review, BLACK);
    buffer_append_format(out, ", %s</text>\n<text x=\"%d\" y=\"46\" fill=\"#666\">%s</text>\n",
                         game_result_text(game->result), LEFT,
                         document->language->words[WORDS_graph_of_moves]);
}

static void append_area(TextBuffer *out, const Game *game, const Review *review) {
    buffer_append_format(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#4a4a4a\"/>\n", LEFT,
                         TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    if (review->done < 1) return;
    buffer_append_format(out, "<path fill=\"#efe9dc\" d=\"M%d %.1f", LEFT, y_of(0));
    for (int i = 0; i <= review->done; i++)
        buffer_append_format(out, " L%.1f %.1f", x_of(review, i),
                             y_of(review_white_expected(review, game, i)));
    buffer_append_format(out, " L%.1f %.1f Z\"/>\n", x_of(review, review->done), y_of(0));
}

static void append_axes(TextBuffer *out, const Game *game, const Review *review) {
    static const char *const SCORE[] = {"0", "\xC2\xBD", "1"};
    for (int i = 0; i <= 2; i++) {
        const double y = y_of(i / 2.0);
        buffer_append_format(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8,
                             y + 4, SCORE[i]);
        if (i == 1)
            buffer_append_format(out,
                                 "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#8a8a8a\" "
                                 "stroke-dasharray=\"4 4\"/>\n",
                                 LEFT, y, WIDTH - RIGHT, y);
    }
    const int moves = move_number(game, review->done) - game->start.fullmove;
    const int step = int_max(5, (moves / NUMBERS_MAX + 4) / 5 * 5);
    for (int ply = 0; ply < review->done; ply++) {
        const int number = move_number(game, ply);
        if (review_mover(game, ply) != WHITE || (number % step != 0 && ply != 0)) continue;
        buffer_append_format(out,
                             "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#666\">%d</text>\n",
                             x_of(review, ply + 1), HEIGHT - BOTTOM + 18, number);
    }
}

static void append_dot(TextBuffer *out, double x, double y, VerdictKind fault) {
    static const char *const COLOR[] = {
        [VERDICT_INACCURACY] = "#e0b000", [VERDICT_MISTAKE] = "#e87500", [VERDICT_BLUNDER] = "#d21f1f"};
    buffer_append_format(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\" stroke=\"#fff\"", x, y,
                         COLOR[fault]);
}

static void append_dots(Document *document, const Game *game, const Review *review) {
    TextBuffer *out = document->out;
    Position pos = game->start;
    for (int ply = 0; ply < review->done; ply++) {
        Undo undo;
        const VerdictKind kind = review->verdicts[ply].kind;
        if (verdict_is_fault(kind)) {
            append_dot(out, x_of(review, ply + 1), y_of(review_white_expected(review, game, ply + 1)), kind);
            buffer_append_string(out, "><title>");
            language_append_moves(document, &pos, &game->moves[ply], 1, SIZE_MAX);
            buffer_append_format(out, ": %s, ", language_name(document, verdict_name(kind)));
            annotate_append_fault(document, &pos, game->moves[ply], review, ply, FAULT_WITHOUT_MOVE);
            buffer_append_string(out, "</title></circle>\n");
        }
        position_make_move(&pos, game->moves[ply], &undo);
    }
}

static void append_legend(Document *document) {
    TextBuffer *out = document->out;
    int x = LEFT;
    for (VerdictKind kind = VERDICT_INACCURACY; verdict_is_fault(kind); kind++, x += 100) {
        append_dot(out, x + 6, HEIGHT - 14, kind);
        buffer_append_format(out, "/><text x=\"%d\" y=\"%d\">%s</text>\n", x + 16, HEIGHT - 10,
                             language_name(document, verdict_name(kind)));
    }
}

void graph_write_svg(Document *document, const Game *game, const Review *review) {
    TextBuffer *out = document->out;
    append_head(document, game, review);
    append_area(out, game, review);
    append_axes(out, game, review);
    append_dots(document, game, review);
    append_legend(document);
    buffer_append_string(out, "</svg>\n");
}
