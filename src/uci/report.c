#include "uci/report.h"

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/perft.h"
#include "chess/san.h"
#include "engine/bench.h"
#include "engine/genfens.h"
#include "nnue/network.h"
#include "search/endings.h"

#include <inttypes.h>

/* Where long work prints. */
typedef struct Printer {
    Output *output;
    LongWork work;
    int left; /* lines of a known number */
} Printer;

static bool may_go_on(void *context) {
    const Printer *printer = context;
    const LongWork *work = &printer->work;
    return !output_failed(printer->output) && (work->go_on == NULL || work->go_on(work->context));
}

static void end(const LongWork *work) {
    if (work->end != NULL) work->end(work->context);
}

static double seconds(int64_t microseconds) { return (double)microseconds / 1e6; }

static bool print_bench_position(void *context, int number, const BenchResult *result) {
    const Printer *printer = context;
    output_line(printer->output, "Position %d/%d: nodes=%" PRIu64 " time=%.3fs nps=%" PRIu64, number,
                BENCH_POSITIONS, result->nodes, seconds(result->time), bench_speed(result));
    return !output_failed(printer->output);
}

Status report_bench(Output *output, int depth, LongWork work) {
    Printer printer = {.output = output, .work = work};
    BenchResult total;
    BenchWatcher watcher = {&printer, print_bench_position, work.go_on != NULL ? may_go_on : NULL};
    Status status = bench_run(depth, &watcher, &total);
    if (!status_is_ok(&status)) return status;
    end(&work);
    output_line(output, "Total: depth=%d nodes=%" PRIu64 " time=%.3fs", depth, total.nodes,
                seconds(total.time));
    output_line(output, "%" PRIu64 " nodes %" PRIu64 " nps", total.nodes, bench_speed(&total));
    return status;
}

static bool print_genfens(void *context, const char *fen) {
    Printer *printer = context;
    if (--printer->left == 0) end(&printer->work);
    output_line(printer->output, "info string genfens %s", fen);
    return !output_failed(printer->output);
}

Status report_genfens(Output *output, TextView words, LongWork work) {
    GenfensRequest request;
    Status status = genfens_parse(words, &request);
    if (!status_is_ok(&status)) return status;
    Printer printer = {.output = output, .work = work, .left = request.count};
    return genfens_run(&request, &(GenfensWatcher){&printer, print_genfens, may_go_on});
}

Status report_board(Output *output, const Position *pos) {
    TextBuffer text = {0};
    char fen[FEN_CAPACITY];
    fen_write(pos, fen);
    board_draw(&text, pos, (BoardLook){.style = BOARD_LETTERS});
    buffer_append_format(&text, "\nFEN: %s\nKey: %016" PRIX64 "\nCheckers:", fen, pos->state.key);
    for (Bitboard checkers = pos->state.checkers; checkers != 0;) {
        const Square square = bitboard_pop(&checkers);
        buffer_append_format(&text, " %c%c", 'a' + square_file(square), '1' + square_rank(square));
    }
    Status status = output_buffer(output, &text, "the board");
    buffer_release(&text);
    return status;
}

typedef struct PerftPrinter {
    Printer printer; /* first, so a pointer to the whole is one to it */
    const Position *pos;
    bool divide;
} PerftPrinter;

static void print_share(void *context, Move move, uint64_t leaves) {
    const PerftPrinter *printer = context;
    char text[LAN_CAPACITY];
    if (!printer->divide) return;
    lan_write(printer->pos, move, text);
    output_line(printer->printer.output, "%s: %" PRIu64, text, leaves);
}

Status report_perft(Output *output, const Position *pos, int depth, PerftStyle style, LongWork work) {
    PerftPrinter printer = {{.output = output, .work = work}, pos, style.divide};
    Position root = *pos;
    uint64_t leaves;
    const int64_t start = clock_microseconds();
    if (!perft_divide(&root, depth, print_share, may_go_on, &printer, &leaves))
        return status_error("perft was stopped");
    BenchResult result = {leaves, clock_microseconds() - start};
    end(&work);
    output_line(output, "%sNodes searched: %" PRIu64, style.divide ? "\n" : "", leaves);
    if (style.timed)
        output_line(output, "Time: %.3f s, %" PRIu64 " leaves a second", seconds(result.time),
                    bench_speed(&result));
    return status_ok();
}

/* --- the evaluation --- */

static double pawns_for_white(int value, Color side) {
    return score_to_centipawns(side == WHITE ? value : -value) / 100.0;
}

static void describe_network(TextBuffer *out, const Network *network) {
    buffer_append_format(out, "network: %s, %d hidden units a side, hash %016" PRIx64 "\n",
                         network_name(network), network_width(network), network_hash(network));
}

/* A rank of letters, with the worth of each piece below it. */
static void draw_rank(TextBuffer *out, const Position *pos, const Inspection *inspection, int rank) {
    buffer_append_format(out, " %d ", rank + 1);
    for (int file = 0; file < 8; file++)
        buffer_append_format(out, "   %c    ", piece_letter(position_piece_on(pos, square_make(file, rank))));
    buffer_append_string(out, "\n   ");
    for (int file = 0; file < 8; file++) {
        const Square square = square_make(file, rank);
        if (inspection->has_worth[square])
            buffer_append_format(out, " %+6.2f ", pawns_for_white(inspection->worth[square], pos->side));
        else
            buffer_append_string(out, "        ");
    }
    buffer_append_char(out, '\n');
}

static void list_buckets(TextBuffer *out, const Inspection *inspection, Color side) {
    for (int bucket = 0; bucket < inspection->buckets && inspection->buckets > 1; bucket++) {
        const int pieces = 2 + bucket * PIECES_MAX / inspection->buckets;
        buffer_append_format(out, "bucket %d (%d to %d pieces): %+.2f%s\n", bucket, pieces,
                             int_min(pieces + PIECES_MAX / inspection->buckets - 1, PIECES_MAX),
                             pawns_for_white(inspection->bucket_values[bucket], side),
                             bucket == inspection->used ? ", in use" : "");
    }
}

/* The static value from which the search begins, and why where it is not the network's. */
static int value_in_search(TextBuffer *out, const Position *pos, int network) {
    if (lone_king_value(pos) != 0) {
        buffer_append_string(out,
                             "search: does not ask the network here, a rule drives the king to its mate\n");
        return lone_king_value(pos);
    }
    const int value = drawish_value(pos, network);
    if (value == network) return value;
    const int share = drawish_share(pos, network >= 0 ? pos->side : color_other(pos->side));
    const char *const why = share == DRAWISH_NO_PAWNS ? "there are no pawns to win with"
                            : share == DRAWISH_WRONG_BISHOP
                                ? "the bishop does not rule the corner of promotion"
                                : "the bishops are of opposite colours";
    buffer_append_format(out, "search: %s, only 1/%d of the lead counts\n", why, DRAWISH_WHOLE / share);
    return value;
}

Status report_evaluation(Output *output, const Engine *engine) {
    Inspection inspection = {0};
    Status status = engine_evaluate(engine, &inspection);
    if (!status_is_ok(&status)) return status;
    const Position *pos = engine_position(engine);
    TextBuffer text = {0};
    describe_network(&text, engine_network(engine));
    buffer_append_string(&text, "worth: the evaluation less that without the piece, in pawns for White\n\n");
    for (int rank = 7; rank >= 0; rank--) draw_rank(&text, pos, &inspection, rank);
    buffer_append_string(&text, "      a       b       c       d       e       f       g       h\n\n");
    list_buckets(&text, &inspection, pos->side);
    buffer_append_format(&text, "network: %+.2f pawns for White\n",
                         pawns_for_white(inspection.value, pos->side));
    const int value = value_in_search(&text, pos, inspection.value);
    buffer_append_format(&text, "evaluation: %+.2f pawns for White\nside to move: %s\nvalue: %d",
                         pawns_for_white(value, pos->side), pos->side == WHITE ? "white" : "black", value);
    status = output_buffer(output, &text, "the evaluation");
    buffer_release(&text);
    return status;
}

/* --- the board --- */

/* Both colours use the filled glyphs and differ by ink: outlined ones are hard to read on coloured squares.
 * The variation selector keeps the pawn from becoming a picture. */
static const char *const GLYPHS[PIECE_TYPE_COUNT] = {"♟\uFE0E", "♞", "♝", "♜", "♛", "♚"};

/* 256-colour terminal codes: light and dark squares, white and black ink. */
static const int SQUARE_COLOR[2] = {137, 180}, LAST_MOVE_COLOR[2] = {107, 150};
static const int INK[COLOR_COUNT] = {231, 16};

static void draw_square(TextBuffer *out, const Position *pos, Square square, const BoardLook *look) {
    const Piece piece = position_piece_on(pos, square);
    if (look->style == BOARD_LETTERS) {
        buffer_append_char(out, ' ');
        buffer_append_char(out, piece_letter(piece));
        return;
    }
    const int light = (square_file(square) + square_rank(square)) & 1;
    const char *glyph = piece == NO_PIECE ? " " : GLYPHS[piece_type(piece)];
    const int ink = piece == NO_PIECE ? INK[WHITE] : INK[piece_color(piece)];
    const bool is_last =
        look->last != MOVE_NONE && (square == move_from(look->last) || square == move_to(look->last));
    buffer_append_format(out, "\033[48;5;%d;38;5;%dm %s ",
                         is_last ? LAST_MOVE_COLOR[light] : SQUARE_COLOR[light], ink, glyph);
}

void board_draw(TextBuffer *out, const Position *pos, BoardLook look) {
    const int turn = look.flipped ? 7 : 0;
    for (int row = 7; row >= 0; row--) {
        const int rank = row ^ turn;
        buffer_append_format(out, " %d ", rank + 1);
        for (int column = 0; column < 8; column++)
            draw_square(out, pos, square_make(column ^ turn, rank), &look);
        buffer_append_string(out, look.style == BOARD_COLORS ? "\033[0m\n" : "\n");
    }
    buffer_append_string(out, "   ");
    for (int column = 0; column < 8; column++)
        buffer_append_format(out, look.style == BOARD_COLORS ? " %c " : " %c", 'a' + (column ^ turn));
    buffer_append_string(out, "\n");
}
