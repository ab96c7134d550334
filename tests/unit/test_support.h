/* Shared by the unit tests: cmocka with its prerequisites, and positions from FEN. */
#ifndef LUFT_UNIT_TEST_SUPPORT_H
#define LUFT_UNIT_TEST_SUPPORT_H

#include "base/rng.h"
#include "base/status.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Passes if the status is success; prints its reason if not. */
#define assert_ok(status)                                 \
    do {                                                  \
        Status assert_ok_status = (status);               \
        assert_string_equal(assert_ok_status.reason, ""); \
    } while (0)

/* Passes if the status is a failure whose reason contains `part`. */
#define assert_fails(status, part)                                                                  \
    do {                                                                                            \
        Status assert_fails_status = (status);                                                      \
        if (strstr(assert_fails_status.reason, part) == NULL || status_is_ok(&assert_fails_status)) \
            fail_msg("reason '%s' without '%s'", assert_fails_status.reason, part);                 \
    } while (0)

/* How long an answer may take, in milliseconds: `idle` where LUFT_LATENCY says that the machine is idle (make
 * check-speed). Elsewhere only a hang takes too long: no test fails because the machine is slow. */
static inline int64_t test_within(int64_t idle) { return getenv("LUFT_LATENCY") != NULL ? idle : 600000; }

/* How much of a test that repeats itself is run: `whole`, or a tenth where LUFT_TEST_EMULATED says that the
 * processor is emulated, many times slower (tests/platforms.py). */
static inline int test_share(int whole) {
    return getenv("LUFT_TEST_EMULATED") != NULL ? (whole + 9) / 10 : whole;
}

/* For cmocka_run_group_tests: the tables of the rules. */
static inline int test_set_up_chess(void **state) {
    (void)state;
    chess_init();
    return 0;
}

static inline Position test_position(const char *fen) {
    Position pos;
    assert_ok(fen_parse(&pos, text_view(fen), false));
    return pos;
}

/* Makes moves given as "e2e4 e7e5 …". */
static inline void test_play(Position *pos, const char *moves) {
    assert_ok(lan_play(pos, text_view(moves), NULL));
}

/* A random legal move; MOVE_NONE if there is none. */
static inline Move test_random_move(const Position *pos, Rng *rng) {
    Move moves[MAX_MOVES];
    int count = movegen_legal(pos, moves);
    return count == 0 ? (Move)MOVE_NONE : moves[rng_below(rng, (uint64_t)count)];
}

#endif
