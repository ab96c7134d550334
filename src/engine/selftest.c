#include "engine/selftest.h"

#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "chess/san.h"
#include "engine/bench.h"

#include <inttypes.h>

enum { SELFTEST_BENCH_DEPTH = 6, WALK_DEPTH = 3 };

typedef struct KnownPerft {
    const char *name, *fen;
    int depth;
    uint64_t leaves;
} KnownPerft;

/* The standard positions of the Chess Programming Wiki's page "Perft Results". */
static const KnownPerft KNOWN[] = {
    {"initial position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609},
    {"Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
    {"rook endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
    {"promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
    {"castling rook under attack", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
    {"quiet middle game", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4,
     3894594},
};
enum { KNOWN_COUNT = sizeof KNOWN / sizeof KNOWN[0] };

static Status check_perft(const KnownPerft *known) {
    Position pos;
    Status status = fen_parse(&pos, text_view(known->fen), false);
    if (!status_is_ok(&status)) return status;
    const uint64_t leaves = perft_count(&pos, known->depth);
    if (leaves == known->leaves) return status_ok();
    return status_error("perft %d is %" PRIu64 ", not %" PRIu64, known->depth, leaves, known->leaves);
}

/* At every node: the position must agree with itself (keys included), survive FEN, and each move survive SAN.
 */
static Status walk(Position *pos, int depth) {
    char fen[FEN_CAPACITY];
    fen_write(pos, fen);
    if (!position_is_consistent(pos)) return status_error("keys or boards disagree at %s", fen);
    Position again;
    Status status = fen_parse(&again, text_view(fen), pos->chess960);
    if (!status_is_ok(&status)) return status;
    if (again.state.key != pos->state.key)
        return status_error("the key differs from that of the FEN %s", fen);
    Move moves[MAX_MOVES];
    const int count = depth > 0 ? movegen_legal(pos, moves) : 0;
    for (int i = 0; i < count; i++) {
        char san[SAN_CAPACITY];
        Move read;
        Undo undo;
        san_write(pos, moves[i], san);
        status = san_parse(pos, text_view(san), &read);
        if (!status_is_ok(&status) || read != moves[i]) return status_error("%s is misread at %s", san, fen);
        Position before = *pos;
        position_make_move(pos, moves[i], &undo);
        status = walk(pos, depth - 1);
        position_unmake_move(pos, moves[i], &undo);
        if (!status_is_ok(&status)) return status;
        if (!position_equals(pos, &before)) return status_error("%s is not taken back at %s", san, fen);
    }
    return status_ok();
}

static Status check_walk(const KnownPerft *known) {
    Position pos;
    Status status = fen_parse(&pos, text_view(known->fen), false);
    return status_is_ok(&status) ? walk(&pos, WALK_DEPTH - 1) : status;
}

static Status check_bench(void) {
    const BenchWatcher silent = {0};
    BenchResult first, second;
    Status status = bench_run(SELFTEST_BENCH_DEPTH, &silent, &first);
    if (status_is_ok(&status)) status = bench_run(SELFTEST_BENCH_DEPTH, &silent, &second);
    if (!status_is_ok(&status) || first.nodes == second.nodes) return status;
    return status_error("%" PRIu64 " nodes, then %" PRIu64, first.nodes, second.nodes);
}

int selftest_run(SelftestReport *report, void *context) {
    int failures = 0;
    char check[96];
    for (int i = 0; i < 2 * KNOWN_COUNT + 1; i++) {
        const KnownPerft *known = &KNOWN[i % KNOWN_COUNT];
        Status status;
        if (i < KNOWN_COUNT) {
            text_format(check, sizeof check, "perft: %s", known->name);
            status = check_perft(known);
        } else if (i < 2 * KNOWN_COUNT) {
            text_format(check, sizeof check, "keys, undo, notation: %s", known->name);
            status = check_walk(known);
        } else {
            text_format(check, sizeof check, "bench twice to depth %d", SELFTEST_BENCH_DEPTH);
            status = check_bench();
        }
        if (!status_is_ok(&status)) failures++;
        report(context, check, status.reason);
    }
    return failures;
}
