#include "uci/report.h"

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "engine/bench.h"
#include "engine/genfens.h"
#include "uci/board.h"

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

Status report_bench(Output *output, TextView depth_text, LongWork work) {
    Printer printer = {.output = output, .work = work};
    BenchResult total;
    int64_t depth = BENCH_DEPTH;
    depth_text = text_trim(depth_text);
    if (!text_is_empty(depth_text) &&
        (!text_parse_int64(depth_text, &depth) || depth < 1 || depth >= MAX_PLY))
        return status_error("the depth must be a number from 1 to %d", MAX_PLY - 1);
    BenchWatcher watcher = {&printer, print_bench_position, work.go_on != NULL ? may_go_on : NULL};
    Status status = bench_run((int)depth, &watcher, &total);
    if (!status_is_ok(&status)) return status;
    end(&work);
    output_line(output, "Total: depth=%d nodes=%" PRIu64 " time=%.3fs", (int)depth, total.nodes,
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
    Printer printer; /* first: what is a PerftPrinter is a Printer, too */
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

Status report_perft(Output *output, const Engine *engine, int depth, PerftStyle style, LongWork work) {
    PerftPrinter printer = {{.output = output, .work = work}, engine_position(engine), style.divide};
    uint64_t leaves;
    const int64_t start = clock_microseconds();
    if (!engine_perft(engine, depth, print_share, may_go_on, &printer, &leaves))
        return status_error("perft was stopped");
    BenchResult result = {leaves, clock_microseconds() - start};
    end(&work);
    output_line(output, "%sNodes searched: %" PRIu64, style.divide ? "\n" : "", leaves);
    if (style.timed)
        output_line(output, "Time: %.3f s, %" PRIu64 " leaves a second", seconds(result.time),
                    bench_speed(&result));
    return status_ok();
}
