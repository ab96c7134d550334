/* luft-lab fit: what a score is worth in won games. */
#include "base/memory.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/train/fit.h"
#include "search/score.h"

#include <inttypes.h>
#include <stdio.h>

static void print_terms(const char *name, const double terms[CHANCE_TERMS], double scale) {
    text_printf(stdout, "%-8s", name);
    for (int i = 0; i < CHANCE_TERMS; i++) text_printf(stdout, " %+.6f", terms[i] * scale);
    text_printf(stdout, "\n");
}

static void print_initializer(const char *name, const double terms[CHANCE_TERMS], int digits) {
    text_printf(stdout, "    .%s = {", name);
    for (int i = 0; i < CHANCE_TERMS; i++) text_printf(stdout, "%s%.*f", i > 0 ? ", " : "", digits, terms[i]);
    text_printf(stdout, "},\n");
}

/* Lines to be pasted as they are, so that the engine says what this model says. */
static void print_source(const ChanceModel *model) {
    text_printf(stdout, "\nfor src/engine/chances.c:\n");
    print_initializer("alpha", model->alpha, 6);
    print_initializer("beta", model->beta, 9);
    text_printf(stdout, "for src/search/score.h:\nenum { SCORE_UNITS_PER_PAWN = %.0f };\n",
                chances_even_score(model, CHANCE_MATERIAL_USUAL));
}

/* How often the model's chances came true, by score. */
static void print_calibration(const ChanceModel *model, const FitCounts *counts) {
    enum { STEP = 200 };
    text_printf(stdout, "\n  score   positions   won, said   won, was   drawn, said   drawn, was\n");
    for (int low = -1000 - STEP / 2; low < 1000; low += STEP) {
        double won = 0, drawn = 0;
        uint64_t total = 0, real_won = 0, real_drawn = 0;
        for (int row = 0; row <= CHANCE_MATERIAL_HIGH - CHANCE_MATERIAL_LOW; row++) {
            for (int score = low; score < low + STEP; score += FIT_SCORE_STEP) {
                const uint64_t *n = counts->count[row][(score + FIT_SCORE_MAX) / FIT_SCORE_STEP];
                const uint64_t here = n[0] + n[1] + n[2];
                Chances p = chances_by_model(model, row + CHANCE_MATERIAL_LOW, score);
                total += here;
                won += p.win * (double)here;
                drawn += p.draw * (double)here;
                real_won += n[2];
                real_drawn += n[1];
            }
        }
        if (total == 0) continue;
        const double n = (double)total;
        text_printf(stdout, "%7d %11" PRIu64 " %9.1f %% %8.1f %% %11.1f %% %10.1f %%\n", low + STEP / 2,
                    total, 100 * won / n, 100 * (double)real_won / n, 100 * drawn / n,
                    100 * (double)real_drawn / n);
    }
}

static void print_model(const ChanceModel *model, const FitCounts *counts) {
    char number[NUMBER_TEXT_CAPACITY];
    text_printf(stdout, "positions   %s\n", console_thousands(counts->total, number));
    text_printf(
        stdout, "even score  %.0f units win half the games at material %d: SCORE_UNITS_PER_PAWN (now %d)\n",
        chances_even_score(model, CHANCE_MATERIAL_USUAL), CHANCE_MATERIAL_USUAL, SCORE_UNITS_PER_PAWN);
    text_printf(stdout, "loss        %.5f nats a position; the model in this build has %.5f\n\n",
                fit_loss(model, counts), fit_loss(chances_model(), counts));
    text_printf(stdout,
                "coefficients of 1, x, x^2, x^3 with x = material / %d; beta for a score of 1000 units\n",
                CHANCE_MATERIAL_USUAL);
    print_terms("alpha", model->alpha, 1);
    print_terms("beta", model->beta, 1000);
    text_printf(stdout, "\nmaterial   half are won at   spread\n");
    for (int material = 18; material <= CHANCE_MATERIAL_HIGH; material += 10)
        text_printf(stdout, "%8d %17.0f %8.0f\n", material, chances_even_score(model, material),
                    chances_spread(model, material));
    print_calibration(model, counts);
    if (fit_is_plausible(model))
        print_source(model);
    else
        text_printf(stdout,
                    "\nno model for the engine: at some material it makes a higher score a worse chance; "
                    "it takes more games\n");
}

typedef struct FitArguments {
    WordList files;
    int64_t min_ply;
    bool played_out;
} FitArguments;

static Status run(void *context) {
    const FitArguments *arguments = context;
    FitCounts *counts = memory_allocate(sizeof *counts);
    if (counts == NULL) return status_no_memory("the counts");
    Status status = fit_count_files(&arguments->files, arguments->min_ply, arguments->played_out, counts);
    ChanceModel model;
    if (status_is_ok(&status)) status = fit_solve(counts, &model);
    if (status_is_ok(&status)) print_model(&model, counts);
    memory_release(counts);
    return status;
}

#define FIELD_STRUCT FitArguments
static const Field FIELDS[] = {
    {FIELD_WORDS("FILE", files, 1, "a file of recorded games")},
    {FIELD_WHOLE("min-ply", "N", min_ply, 0, RECORD_PLIES_MAX, "16", "skip earlier plies")},
    {FIELD_FLAG("played-out", played_out, "use only games that were not adjudicated by score")},
    {0}};

int command_fit(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft-lab fit",
        .about = "Fits the chances of winning to the scores of recorded games, and prints the lines to paste "
                 "into the engine.\n",
        .fields = FIELDS,
        .run = run};
    FitArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}
