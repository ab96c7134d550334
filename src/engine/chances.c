#include "engine/chances.h"

#include "search/score.h"

#include <math.h>

/* Each network has its own scores and needs its own fit: `luft-lab fit` prints these two lines. These come
 * from 1,000 games of network 16 against itself with 8,000 nodes a move, 135,808 positions. */
static const ChanceModel MODEL = {
    .alpha = {4.850835, -5.890559, 3.686686, -0.998531},
    .beta = {-0.000454377, 0.070524807, -0.096344743, 0.038466535},
};

const ChanceModel *chances_model(void) { return &MODEL; }

int chances_material(const Position *pos) {
    static const int VALUE[] = {1, 3, 3, 5, 9};
    int material = 0;
    for (int type = PAWN; type <= QUEEN; type++) material += VALUE[type] * bits_count(pos->by_type[type]);
    return int_clamp(material, CHANCE_MATERIAL_LOW, CHANCE_MATERIAL_HIGH);
}

static double polynomial(const double terms[CHANCE_TERMS], int material) {
    double x = (double)material / CHANCE_MATERIAL_USUAL, sum = 0;
    for (int i = CHANCE_TERMS - 1; i >= 0; i--) sum = sum * x + terms[i];
    return sum;
}

static double logistic(double x) { return 1 / (1 + exp(-x)); }

Chances chances_by_model(const ChanceModel *model, int material, double score) {
    const double alpha = polynomial(model->alpha, material), beta = polynomial(model->beta, material);
    const double win = logistic(beta * score - alpha), loss = logistic(-beta * score - alpha);
    return (Chances){win, fmax(1 - win - loss, 0), loss};
}

double chances_logistic(double value, double scale) { return logistic(value / scale); }

double chances_even_score(const ChanceModel *model, int material) {
    return polynomial(model->alpha, material) / polynomial(model->beta, material);
}

double chances_spread(const ChanceModel *model, int material) {
    return 1 / polynomial(model->beta, material);
}

Chances chances_of_search(const Position *root, int score) {
    if (score_is_decided(score)) return score > 0 ? (Chances){.win = 1} : (Chances){.loss = 1};
    return chances_by_model(&MODEL, chances_material(root), score);
}

ChanceParts chances_round(Chances chances, int whole) {
    /* The borders between the three are rounded, not the three: no part can come out negative. */
    const int win = (int)lround(chances.win * whole), not_lost = (int)lround((1 - chances.loss) * whole);
    return (ChanceParts){win, not_lost - win, whole - not_lost};
}
