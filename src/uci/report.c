#include "uci/report.h"

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "engine/bench.h"
#include "engine/genfens.h"
#include "uci/board.h"

#include <inttypes.h>

typedef struct BenchPrinter {
    Output *output;
    EnginePoll *go_on;
    void *context;
} BenchPrinter;

static bool bench_may_go_on(void *context) {
    const BenchPrinter *printer = context;
    return printer->go_on(printer->context);
}

static double seconds(int64_t microseconds) { return (double)microseconds / 1e6; }

static void print_bench_position(void *context, int number, const BenchResult *result) {
    const BenchPrinter *printer = context;
    output_line(printer->output, "Position %d/%d: nodes=%" PRIu64 " time=%.3fs nps=%" PRIu64, number,
                BENCH_POSITIONS, result->nodes, seconds(result->time), bench_speed(result));
}

Status report_bench(Output *output, TextView depth_text, EnginePoll *go_on, void *context) {
    BenchPrinter printer = {output, go_on, context};
    BenchResult total;
    int64_t depth = BENCH_DEPTH;
    depth_text = text_trim(depth_text);
    if (!text_is_empty(depth_text) &&
        (!text_parse_int64(depth_text, &depth) || depth < 1 || depth >= MAX_PLY))
        return status_error("the depth must be a number from 1 to %d", MAX_PLY - 1);
    BenchWatcher watcher = {&printer, print_bench_position, go_on != NULL ? bench_may_go_on : NULL};
    Status status = bench_run((int)depth, &watcher, &total);
    if (!status_is_ok(&status)) return status;
    output_line(output, "Total: depth=%d nodes=%" PRIu64 " time=%.3fs", (int)depth, total.nodes,
                seconds(total.time));
    output_line(output, "%" PRIu64 " nodes %" PRIu64 " nps", total.nodes, bench_speed(&total));
    return status;
}

static void print_genfens(void *context, const char *fen) {
    output_line(context, "info string genfens %s", fen);
}

Status report_genfens(Output *output, TextView words) {
    GenfensRequest request;
    Status status = genfens_parse(words, &request);
    return status_is_ok(&status) ? genfens_run(&request, print_genfens, output) : status;
}

void report_board(Output *output, const Position *pos) {
    TextBuffer text = {0};
    char fen[FEN_CAPACITY];
    fen_write(pos, fen);
    board_draw(&text, pos, BOARD_LETTERS);
    buffer_append_format(&text, "\nFEN: %s\nKey: %016" PRIX64 "\nCheckers:", fen, pos->state.key);
    for (Bitboard checkers = pos->state.checkers; checkers != 0;) {
        Square square = bitboard_pop(&checkers);
        buffer_append_format(&text, " %c%c", 'a' + square_file(square), '1' + square_rank(square));
    }
    output_text(output, buffer_view(&text));
    buffer_release(&text);
}

typedef struct PerftPrinter {
    Output *output;
    const Position *pos;
    bool divide;
    EnginePoll *go_on;
    void *context;
} PerftPrinter;

static void print_share(void *context, Move move, uint64_t leaves) {
    const PerftPrinter *printer = context;
    char text[LAN_CAPACITY];
    if (!printer->divide) return;
    lan_write(printer->pos, move, text);
    output_line(printer->output, "%s: %" PRIu64, text, leaves);
}

static bool ask_to_go_on(void *context) {
    const PerftPrinter *printer = context;
    return printer->go_on == NULL || printer->go_on(printer->context);
}

Status report_perft(Output *output, const Engine *engine, int depth, PerftStyle style, EnginePoll *go_on,
                    void *context) {
    PerftPrinter printer = {output, engine_position(engine), style.divide, go_on, context};
    uint64_t leaves;
    int64_t start = clock_microseconds();
    if (!engine_perft(engine, depth, print_share, ask_to_go_on, &printer, &leaves))
        return status_error("perft was stopped");
    BenchResult result = {leaves, clock_microseconds() - start};
    output_line(output, "%sNodes searched: %" PRIu64, style.divide ? "\n" : "", leaves);
    if (style.timed)
        output_line(output, "Time: %.3f s, %" PRIu64 " leaves a second", seconds(result.time),
                    bench_speed(&result));
    return status_ok();
}
