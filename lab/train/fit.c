#include "lab/train/fit.h"

#include "base/memory.h"
#include "chess/makemove.h"
#include "lab/data/record.h"
#include "search/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARAMETERS = 2 * CHANCE_TERMS,
    ROWS = CHANCE_MATERIAL_HIGH - CHANCE_MATERIAL_LOW + 1,
    BINS = 2 * FIT_SCORE_MAX / FIT_SCORE_STEP + 1,
    ROUNDS = 100,
    POSITIONS_MIN = 1000
};

/* Chances stay above it, so that their logarithm exists. */
static const double CHANCE_MIN = 1e-9;

/* Scores enter as pawns of this size, so that all parameters are of like size. */
static const double SCALE = SCORE_UNITS_PER_PAWN;

void fit_count(FitCounts *counts, int material, int score, int result) {
    if (score_is_mate(score) || abs(score) > FIT_SCORE_MAX) return;
    const int bin = (score + FIT_SCORE_MAX + FIT_SCORE_STEP / 2) / FIT_SCORE_STEP;
    const int row = int_clamp(material, CHANCE_MATERIAL_LOW, CHANCE_MATERIAL_HIGH) - CHANCE_MATERIAL_LOW;
    counts->count[row][bin < BINS ? bin : BINS - 1][result]++;
    counts->total++;
}

static Chances possible_chances(const ChanceModel *model, int material, double score) {
    Chances chances = chances_by_model(model, material, score);
    chances.win = fmax(chances.win, CHANCE_MIN);
    chances.draw = fmax(chances.draw, CHANCE_MIN);
    chances.loss = fmax(chances.loss, CHANCE_MIN);
    return chances;
}

double fit_loss(const ChanceModel *model, const FitCounts *counts) {
    double loss = 0;
    for (int row = 0; row < ROWS; row++) {
        const int material = row + CHANCE_MATERIAL_LOW;
        /* A negative alpha is no model: even in level positions the chances of win and loss would add up to
         * more than 1. Far from level, a draw may be too rare for floating point. */
        const bool possible = chances_by_model(model, material, 0).draw > CHANCE_MIN;
        for (int bin = 0; bin < BINS; bin++) {
            const uint64_t *n = counts->count[row][bin];
            if (n[0] + n[1] + n[2] == 0) continue;
            if (!possible) return INFINITY;
            Chances p = possible_chances(model, material, bin * FIT_SCORE_STEP - FIT_SCORE_MAX);
            loss -= (double)n[0] * log(p.loss) + (double)n[1] * log(p.draw) + (double)n[2] * log(p.win);
        }
    }
    return counts->total ? loss / (double)counts->total : 0;
}

typedef struct NormalEquations {
    double gradient[PARAMETERS];
    double information[PARAMETERS][PARAMETERS];
} NormalEquations;

/* Adds one cell. The linear predictors are won = beta * score - alpha and lost = -beta * score - alpha. */
static void add_cell(NormalEquations *equations, const ChanceModel *model, int material, double score,
                     const uint64_t *n) {
    Chances p = possible_chances(model, material, score);
    const double total = (double)(n[0] + n[1] + n[2]);
    const double slope_won = p.win * (1 - p.win), slope_lost = p.loss * (1 - p.loss);
    const double by_won = slope_won * ((double)n[2] / p.win - (double)n[1] / p.draw);
    const double by_lost = slope_lost * ((double)n[0] / p.loss - (double)n[1] / p.draw);
    const double won_won = total * slope_won * slope_won * (1 / p.win + 1 / p.draw);
    const double lost_lost = total * slope_lost * slope_lost * (1 / p.loss + 1 / p.draw);
    const double won_lost = total * slope_won * slope_lost / p.draw;
    double won[PARAMETERS], lost[PARAMETERS], x = 1;
    for (int i = 0; i < CHANCE_TERMS; i++, x *= (double)material / CHANCE_MATERIAL_USUAL) {
        won[i] = lost[i] = -x;
        won[CHANCE_TERMS + i] = x * score / SCALE;
        lost[CHANCE_TERMS + i] = -x * score / SCALE;
    }
    for (int i = 0; i < PARAMETERS; i++) {
        equations->gradient[i] += by_won * won[i] + by_lost * lost[i];
        for (int j = 0; j < PARAMETERS; j++)
            equations->information[i][j] += won_won * won[i] * won[j] + lost_lost * lost[i] * lost[j] +
                                            won_lost * (won[i] * lost[j] + lost[i] * won[j]);
    }
}

/* Gauss with pivots; the matrix is small and, with a little added to its diagonal, never singular. */
static void solve(NormalEquations *equations, double step[PARAMETERS]) {
    double(*m)[PARAMETERS] = equations->information, *v = equations->gradient;
    for (int i = 0; i < PARAMETERS; i++) {
        int pivot = i;
        for (int k = i + 1; k < PARAMETERS; k++)
            if (fabs(m[k][i]) > fabs(m[pivot][i])) pivot = k;
        for (int j = 0; j < PARAMETERS; j++) {
            const double swap = m[i][j];
            m[i][j] = m[pivot][j];
            m[pivot][j] = swap;
        }
        const double swap = v[i];
        v[i] = v[pivot];
        v[pivot] = swap;
        for (int k = i + 1; k < PARAMETERS; k++) {
            const double factor = m[k][i] / m[i][i];
            for (int j = i; j < PARAMETERS; j++) m[k][j] -= factor * m[i][j];
            v[k] -= factor * v[i];
        }
    }
    for (int i = PARAMETERS - 1; i >= 0; i--) {
        step[i] = v[i];
        for (int j = i + 1; j < PARAMETERS; j++) step[i] -= m[i][j] * step[j];
        step[i] /= m[i][i];
    }
}

static void find_step(const FitCounts *counts, const ChanceModel *model, double step[PARAMETERS]) {
    NormalEquations equations;
    memset(&equations, 0, sizeof equations);
    for (int row = 0; row < ROWS; row++) {
        for (int bin = 0; bin < BINS; bin++) {
            const uint64_t *n = counts->count[row][bin];
            if (n[0] + n[1] + n[2] > 0)
                add_cell(&equations, model, row + CHANCE_MATERIAL_LOW, bin * FIT_SCORE_STEP - FIT_SCORE_MAX,
                         n);
        }
    }
    for (int i = 0; i < PARAMETERS; i++) equations.information[i][i] += 1e-9 * (double)counts->total;
    solve(&equations, step);
}

static ChanceModel model_after(const ChanceModel *model, const double step[PARAMETERS], double part) {
    ChanceModel next = *model;
    for (int i = 0; i < CHANCE_TERMS; i++) {
        next.alpha[i] += part * step[i];
        next.beta[i] += part * step[CHANCE_TERMS + i] / SCALE;
    }
    return next;
}

Status fit_solve(const FitCounts *counts, ChanceModel *model) {
    uint64_t results[3] = {0};
    for (int row = 0; row < ROWS; row++)
        for (int bin = 0; bin < BINS; bin++)
            for (int i = 0; i < 3; i++) results[i] += counts->count[row][bin][i];
    if (counts->total < POSITIONS_MIN)
        return status_error("needs at least %d positions with a score", POSITIONS_MIN);
    if (!results[0] || !results[1] || !results[2]) return status_error("needs games won, drawn and lost");
    *model = (ChanceModel){.alpha = {2}, .beta = {2 / SCALE}};
    double loss = fit_loss(model, counts), gained = 1;
    for (int round = 0; round < ROUNDS && gained > 1e-12; round++) {
        double step[PARAMETERS];
        find_step(counts, model, step);
        gained = 0;
        /* The direction is always downhill, but a whole step may lead too far, or out of where a model
         * exists. */
        for (double part = 1; part > 1e-9 && !(gained > 0); part /= 2) {
            ChanceModel next = model_after(model, step, part);
            gained = loss - fit_loss(&next, counts);
            if (gained > 0) *model = next;
        }
        loss -= gained;
    }
    return status_ok();
}

/* --- games --- */

typedef struct Counting {
    int64_t min_ply;
    bool played_out;
    FitCounts *counts;
} Counting;

static Status count_game(void *context, const RecordBlock *block, RecordedGame *game) {
    const Counting *counting = context;
    (void)block;
    if (counting->played_out && recorded_end_kind(game->end) == END_BY_SCORE) return status_ok();
    Position pos = game->start;
    for (int i = 0; i < game->ply_count; i++) {
        const RecordPly *ply = &game->ply[i];
        if (ply->score != RECORD_NO_SCORE && i >= counting->min_ply)
            fit_count(counting->counts, chances_material(&pos), pos.side == WHITE ? ply->score : -ply->score,
                      game_half_points(game->result, pos.side));
        Undo undo;
        position_make_move(&pos, ply->move, &undo);
    }
    return status_ok();
}

Status fit_count_files(const WordList *files, int64_t min_ply, bool played_out, FitCounts *counts) {
    return record_each_game(files, count_game, &(Counting){min_ply, played_out, counts});
}

bool fit_is_plausible(const ChanceModel *model) {
    for (int material = CHANCE_MATERIAL_LOW; material <= CHANCE_MATERIAL_HIGH; material++)
        if (chances_even_score(model, material) <= 0 || chances_spread(model, material) <= 0) return false;
    return true;
}
