#include "engine/bench.h"

#include "base/clock.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "chess/san.h"
#include "search/pool.h"

#include <inttypes.h>

/* FEN, then the moves to be played first. */
static const char *const POSITIONS[BENCH_POSITIONS][2] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10", ""},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11", ""},
    {"4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19", ""},
    {"rq3rk1/ppp2ppp/1bnpb3/3N2B1/3NP3/7P/PPPQ1PP1/2KR3R w - - 7 14", "d4e6"},
    {"r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14", "g2g4"},
    {"r3r1k1/2p2ppp/p1p1bn2/8/1q2P3/2NPQN2/PPP3PP/R4RK1 b - - 2 15", ""},
    {"r1bbk1nr/pp3p1p/2n5/1N4p1/2Np1B2/8/PPP2PPP/2KR1B1R w kq - 0 13", ""},
    {"r1bq1rk1/ppp1nppp/4n3/3p3Q/3P4/1BP1B3/PP1N2PP/R4RK1 w - - 1 16", ""},
    {"4r1k1/r1q2ppp/ppp2n2/4P3/5Rb1/1N1BQ3/PPP3PP/R5K1 w - - 1 17", ""},
    {"2rqkb1r/ppp2p2/2npb1p1/1N1Nn2p/2P1PP2/8/PP2B1PP/R1BQK2R b KQ - 0 11", ""},
    {"r1bq1r1k/b1p1npp1/p2p3p/1p6/3PP3/1B2NN2/PP3PPP/R2Q1RK1 w - - 1 16", ""},
    {"3r1rk1/p5pp/bpp1pp2/8/q1PP1P2/b3P3/P2NQRPP/1R2B1K1 b - - 6 22", ""},
    {"r1q2rk1/2p1bppp/2Pp4/p6b/Q1PNp3/4B3/PP1R1PPP/2K4R w - - 2 18", ""},
    {"4k2r/1pb2ppp/1p2p3/1R1p4/3P4/2r1PN2/P4PPP/1R4K1 b - - 3 22", ""},
    {"3q2k1/pb3p1p/4pbp1/2r5/PpN2N2/1P2P2P/5PP1/Q2R2K1 b - - 4 26", ""},
    {"6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1", ""},
    {"3b4/5kp1/1p1p1p1p/pP1PpP1P/P1P1P3/3KN3/8/8 w - - 0 1", ""},
    {"2K5/p7/7P/5pR1/8/5k2/r7/8 w - - 0 1", "g5g6 f3e3 g6g5 e3f3"},
    {"8/6pk/1p6/8/PP3p1p/5P2/4KP1q/3Q4 w - - 0 1", ""},
    {"7k/3p2pp/4q3/8/4Q3/5Kp1/P6b/8 w - - 0 1", ""},
    {"8/2p5/8/2kPKp1p/2p4P/2P5/3P4/8 w - - 0 1", ""},
    {"8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1", ""},
    {"8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1", ""},
    {"8/3p4/p1bk3p/Pp6/1Kp1PpPp/2P2P1P/2P5/5B2 b - - 0 1", ""},
    {"5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1", ""},
    {"6k1/6p1/P6p/r1N5/5p2/7P/1b3PP1/4R1K1 w - - 0 1", ""},
    {"1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 1", ""},
    {"6k1/4pp1p/3p2p1/P1pPb3/R7/1r2P1PP/3B1P2/6K1 w - - 0 1", ""},
    {"8/3p3B/5p2/5P2/p7/PP5b/k7/6K1 w - - 0 1", ""},
    {"5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90", ""},
    {"4rrk1/1p1nq3/p7/2p1P1pp/3P2bp/3Q1Bn1/PPPB4/1K2R1NR w - - 40 21", ""},
    {"r3k2r/3nnpbp/q2pp1p1/p7/Pp1PPPP1/4BNN1/1P5P/R2Q1RK1 w kq - 0 16", ""},
    {"3Qb1k1/1r2ppb1/pN1n2q1/Pp1Pp1Pr/4P2p/4BP2/4B1R1/1R5K b - - 11 40", ""},
    {"4k3/3q1r2/1N2r1b1/3ppN2/2nPP3/1B1R2n1/2R1Q3/3K4 w - - 5 1", ""},
    {"k7/2n1n3/1nbNbn2/2NbRBn1/1nbRQR2/2NBRBN1/3N1N2/7K w - - 0 1", ""},
    {"K7/8/8/BNQNQNB1/N5N1/R1Q1q2r/n5n1/bnqnqnbk w - - 0 1", ""},
    {"8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1", ""},
    {"8/8/8/5N2/8/p7/8/2NK3k w - - 0 1", ""},
    {"8/3k4/8/8/8/4B3/4KB2/2B5 w - - 0 1", ""},
    {"8/8/1P6/5pr1/8/4R3/7k/2K5 w - - 0 1", ""},
    {"8/2p4P/8/kr6/6R1/8/8/1K6 w - - 0 1", ""},
    {"8/8/3P3k/8/1p6/8/1P6/1K3n2 b - - 0 1", ""},
    {"8/R7/2q5/8/6k1/8/1P5p/K6R w - - 0 124", ""},
    {"6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1", ""},
    {"r2r1n2/pp2bk2/2p1p2p/3q4/3PN1QP/2P3R1/P4PP1/5RK1 w - - 0 1", ""},
    {"8/8/8/8/8/6k1/6p1/6K1 w - -", ""},
    {"7k/7P/6K1/8/3B4/8/8/8 b - -", ""},
};

/* What the search of a position has reported so far. Written from the search thread, read when it is done. */
typedef struct Progress {
    const BenchWatcher *watcher;
    uint64_t nodes;
    int64_t finished; /* clock at the best move */
    bool stopped;     /* by the watcher */
} Progress;

static void note_nodes(void *context, const SearchInfo *info) { ((Progress *)context)->nodes = info->nodes; }

static bool ask_watcher(void *context) {
    Progress *progress = context;
    const BenchWatcher *watcher = progress->watcher;
    if (watcher->go_on != NULL && !watcher->go_on(watcher->context)) progress->stopped = true;
    return progress->stopped;
}

static void note_end(void *context, Move best, Move ponder) {
    (void)best;
    (void)ponder;
    ((Progress *)context)->finished = clock_microseconds();
}

Status bench_set_up(Position *pos, int index) {
    const Status status = fen_parse(pos, text_view(POSITIONS[index][0]), false);
    return status_is_ok(&status) ? lan_play(pos, text_view(POSITIONS[index][1]), NULL) : status;
}

Status bench_run(int depth, const BenchWatcher *watcher, BenchResult *total) {
    Progress progress = {0};
    SearchListener listener = {
        .context = &progress, .info = note_nodes, .poll = ask_watcher, .best_move = note_end};
    Status status;
    SearchPool *pool = pool_create(&listener, 16, NULL, &status);
    if (pool == NULL) return status;
    *total = (BenchResult){0};
    for (int i = 0; i < BENCH_POSITIONS && status_is_ok(&status); i++) {
        Position pos;
        status = bench_set_up(&pos, i);
        if (!status_is_ok(&status)) break;
        const int64_t start = clock_microseconds();
        progress = (Progress){.watcher = watcher, .finished = start};
        if (movegen_has_legal(&pos)) {
            const SearchLimits limits = {.depth = depth, .nodes = BENCH_NODES, .multi_pv = 1, .start = start};
            pool_start(pool, &pos, &limits);
            pool_wait(pool);
            if (progress.stopped) status = status_error("bench was stopped");
        }
        BenchResult result = {progress.nodes, progress.finished - start};
        total->nodes += result.nodes;
        total->time += result.time;
        if (watcher->report != NULL && status_is_ok(&status) &&
            !watcher->report(watcher->context, i + 1, &result))
            status = status_error("bench was stopped");
    }
    pool_destroy(pool);
    return status;
}

uint64_t bench_speed(const BenchResult *result) {
    const uint64_t time = result->time > 0 ? (uint64_t)result->time : 1;
    return result->nodes * 1000000u / time;
}

/* --- the self-test --- */

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
    BenchResult first = {0}, second = {0};
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
