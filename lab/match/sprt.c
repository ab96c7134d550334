#include "lab/match/sprt.h"

#include "base/progress.h"
#include "base/rng.h"
#include "lab/kit/console.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SIMULATED_PAIRS_MAX = 1000000 };

/* Seconds as OpenBench prints them, with `decimals` digits after the point at least, more where they are not
 * zero. */
static size_t write_seconds(int64_t microseconds, int decimals, char *out, size_t capacity) {
    size_t length = text_format(out, capacity, "%.6f", (double)microseconds / 1e6);
    for (int left = 6; left > decimals && out[length - 1] == '0'; left--) out[--length] = '\0';
    return length;
}

static void write_clock(const PlayLimits *limits, char *out, size_t capacity) {
    size_t length = write_seconds(limits->base, 1, out, capacity);
    length += text_format(out + length, capacity - length, "+");
    length += write_seconds(limits->increment, 2, out + length, capacity - length);
    text_format(out + length, capacity - length, "s");
}

void sprt_describe_conditions(const EngineConfig *engine, char out[CONDITIONS_CAPACITY]) {
    const PlayLimits *limits = &engine->limits;
    char play[CONDITIONS_CAPACITY / 2];
    const bool has_more =
        limits->moves > 0 || limits->move_time > 0 || limits->depth > 0 || limits->nodes > 0;
    if (limits->has_clock && !has_more)
        write_clock(limits, play, sizeof play);
    else
        play_limits_describe(limits, play, (int)sizeof play);
    const char *threads = engine_config_option(engine, "Threads"),
               *hash = engine_config_option(engine, "Hash");
    const size_t length =
        text_format(out, CONDITIONS_CAPACITY, "%s Threads=%s", play, threads != NULL ? threads : "1");
    if (hash != NULL) text_format(out + length, CONDITIONS_CAPACITY - length, " Hash=%sMB", hash);
}

void sprt_describe_test(const SprtTest *test, char out[TEST_TEXT_CAPACITY]) {
    text_format(out, TEST_TEXT_CAPACITY, "bounds [%g, %g], alpha %g, beta %g, %s", test->elo0, test->elo1,
                test->alpha, test->beta, test->model == ELO_NORMALIZED ? "normalized" : "logistic");
}

void sprt_write_block(const SprtTest *test, const char *conditions, const PairCounts *pairs,
                      const GameCounts *games, TextBuffer *out) {
    assert(pairs != NULL || games != NULL);
    EloEstimate estimate = pairs != NULL ? stats_estimate_pairs(pairs) : stats_estimate_games(games);
    const double llr = pairs != NULL ? stats_llr_pairs(test, pairs) : stats_llr_games(test, games);
    char elo[ELO_TEXT_CAPACITY];
    stats_format_elo(&estimate, elo);
    buffer_append_format(out, "Elo   | %s%s\n", elo, isfinite(estimate.elo_error) ? " (95%)" : "");
    if (conditions != NULL) buffer_append_format(out, "SPRT  | %s\n", conditions);
    buffer_append_format(out, "LLR   | %.2f (%.2f, %.2f) [%.2f, %.2f]\n", stats_shown_llr(llr),
                         stats_sprt_lower(test), stats_sprt_upper(test), test->elo0, test->elo1);
    if (games != NULL)
        buffer_append_format(out, "Games | N: %" PRId64 " W: %" PRId64 " L: %" PRId64 " D: %" PRId64 "\n",
                             stats_game_total(games), games->wins, games->losses, games->draws);
    else
        buffer_append_format(out, "Games | N: %" PRId64 "\n", 2 * stats_pair_total(pairs));
    if (pairs == NULL) return;
    buffer_append_string(out, "Penta | [");
    stats_append_pairs(pairs, ", ", out);
    buffer_append_string(out, "]\n");
}

/* --- simulation --- */

typedef struct Simulated {
    int64_t passed;
    double pairs; /* on average */
} Simulated;

static Simulated simulate(const SprtTest *test, const double shape[PAIR_OUTCOMES], double truth,
                          int64_t tests, ProgressBar *progress, int64_t done) {
    double probability[PAIR_OUTCOMES];
    memcpy(probability, shape, sizeof probability);
    stats_shift_pairs(probability, test->model, truth);
    Simulated simulated = {0};
    for (int64_t i = 0; i < tests; i++) {
        Rng rng = rng_stream((uint64_t)done, (uint64_t)i);
        PairCounts taken;
        const SprtVerdict verdict = stats_simulate_sprt(test, probability, &rng, SIMULATED_PAIRS_MAX, &taken);
        simulated.passed += verdict == SPRT_ACCEPTS_H1;
        simulated.pairs += (double)stats_pair_total(&taken) / (double)tests;
        progress_update(progress, done + i + 1, NULL);
    }
    return simulated;
}

void sprt_write_simulation(const SprtTest *test, const PairCounts *pairs, int64_t tests, TextBuffer *out) {
    const double truths[] = {test->elo0, (test->elo0 + test->elo1) / 2, test->elo1};
    enum { TRUTHS = sizeof truths / sizeof *truths };
    double shape[PAIR_OUTCOMES], total = (double)stats_pair_total(pairs) + PAIR_OUTCOMES;
    for (int i = 0; i < PAIR_OUTCOMES; i++) shape[i] = ((double)pairs->count[i] + 1) / total;
    MarkdownTable table = markdown_table_begin("rrr");
    markdown_table_cells(&table, "true strength | H1 accepted | games on average");
    ProgressBar progress = progress_begin("tests at three strengths", TRUTHS * tests, false);
    for (int i = 0; i < TRUTHS; i++) {
        const Simulated simulated = simulate(test, shape, truths[i], tests, &progress, i * tests);
        markdown_table_cells(&table, "%.2f | %.2f %% | %.0f", truths[i],
                             100.0 * (double)simulated.passed / (double)tests, 2 * simulated.pairs);
    }
    progress_end(&progress);
    markdown_table_write(&table, out);
}
