#include "lab/rate/rate_report.h"

#include "base/memory.h"
#include "lab/kit/console.h"
#include "lab/kit/plot.h"

#include <math.h>
#include <string.h>

Status families_parse(const char *text, Families *families) {
    TextView rest = text_view(text), prefix;
    families->count = 0;
    for (bool more = !text_is_empty(rest); more;) {
        more = text_split(&rest, ',', &prefix);
        if (families->count == FAMILIES_MAX) return status_error("at most %d families", FAMILIES_MAX);
        if (text_is_empty(prefix)) return status_error("a family has no prefix in '%.80s'", text);
        families->prefix[families->count++] = prefix;
    }
    return status_ok();
}

/* The family of a player: the number of its prefix, or that after the last. */
static int family_of(const Families *families, const RatingPlayer *player) {
    int family = 0;
    while (family < families->count) {
        const TextView prefix = families->prefix[family];
        if (strncmp(player->name, prefix.data, prefix.length) == 0) break;
        family++;
    }
    return family;
}

static void append_family(const Families *families, int family, TextBuffer *out) {
    if (family < families->count)
        buffer_append(out, families->prefix[family]);
    else
        buffer_append_string(out, "others");
}

/* What one player has scored. */
typedef struct Score {
    double wins, draws, losses;
} Score;

static double games_of(Score score) { return score.wins + score.draws + score.losses; }
static double points_of(Score score) { return score.wins + score.draws / 2; }

static void add_pair(Score *score, const RatingPair *pair, bool is_white) {
    score->wins += pair->count[is_white ? RATING_WIN : RATING_LOSS];
    score->draws += pair->count[RATING_DRAW];
    score->losses += pair->count[is_white ? RATING_LOSS : RATING_WIN];
}

static Score score_of(const Rating *rating, int player) {
    Score score = {0};
    for (int i = 0; i < rating->pair_count; i++) {
        const RatingPair *pair = &rating->pairs[i];
        if (pair->white == player || pair->black == player) add_pair(&score, pair, pair->white == player);
    }
    return score;
}

int *rate_report_order(const Rating *rating) {
    int *order = memory_allocate((size_t)rating->player_count * sizeof *order);
    for (int i = 0; i < rating->player_count && order != NULL; i++) {
        const RatingPlayer *player = &rating->players[i];
        int at = i;
        for (; at > 0; at--) {
            const RatingPlayer *above = &rating->players[order[at - 1]];
            if (above->group < player->group ||
                (above->group == player->group && above->rating >= player->rating))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order;
}

/* --- the tables --- */

static void write_model(const Rating *rating, TextBuffer *out) {
    static const char *const NAMES[] = {"half points", "Davidson", "Rao-Kupper"};
    double games = 0;
    for (int i = 0; i < rating->pair_count; i++)
        games += rating->pairs[i].count[0] + rating->pairs[i].count[1] + rating->pairs[i].count[2];
    buffer_append_format(out, "%.0f games of %d players. Model: %s", games, rating->player_count,
                         NAMES[rating->model]);
    if (rating->model != RATING_HALF_POINTS) /* whose likelihoods are for comparing the two */
        buffer_append_format(out, "; %s = %.5f, -2 ln L = %.4f",
                             rating->model == RATING_DAVIDSON ? "nu" : "theta", rating->draw,
                             rating->deviance);
    buffer_append_char(out, '.');
    if (rating->advantage_unknown)
        buffer_append_string(out, " These games do not show White's advantage: none is assumed.");
    else if (rating->has_advantage)
        buffer_append_format(out, " White's advantage: %.1f +- %.1f.", rating->advantage,
                             rating->advantage_error);
    buffer_append_string(out, "\n\n");
}

/* Why a player alone in its group has no rating that means anything. */
static const char *loneliness(Score score) {
    if (games_of(score) == 0) return "no games";
    if (score.draws + score.losses == 0) return "won all games";
    if (score.draws + score.wins == 0) return "lost all games";
    return "no results that link it";
}

static bool is_alone(const Rating *rating, int player) {
    for (int i = 0; i < rating->player_count; i++)
        if (i != player && rating->players[i].group == rating->players[player].group) return false;
    return true;
}

/* The chance to be stronger than the next player of the group in `order`, from place `at` on. */
static void superiority_cell(const Rating *rating, const int *order, int at, MarkdownTable *table) {
    const bool has_next = at + 1 < rating->player_count &&
                          rating->players[order[at]].group == rating->players[order[at + 1]].group;
    if (has_next)
        markdown_table_cell(table, "%.1f", 100 * rating_superiority(rating, order[at], order[at + 1]));
    else
        markdown_table_cell(table, "-");
}

static void write_ratings(const Rating *rating, const int *order, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin("lrrrrrrrr");
    markdown_table_cells(
        &table, "player | rating | error | games | wins | draws | losses | score %% | above the next %%");
    for (int i = 0; i < rating->player_count; i++) {
        const RatingPlayer *player = &rating->players[order[i]];
        const Score score = score_of(rating, order[i]);
        if (rating->group_count > 1 && (i == 0 || player->group != rating->players[order[i - 1]].group)) {
            markdown_table_cell(&table, "(group %d)", player->group + 1);
            markdown_table_cells(&table, " |  |  |  |  |  |  | ");
        }
        markdown_table_cell(&table, "%s", player->name);
        if (player->is_fixed)
            markdown_table_cells(&table, "%.1f | anchor", player->rating);
        else if (is_alone(rating, order[i]))
            markdown_table_cells(&table, "- | %s", loneliness(score));
        else
            markdown_table_cells(&table, "%.1f | %.1f", player->rating, player->error);
        markdown_table_cells(&table, "%.0f | %.0f | %.0f | %.0f | %.1f", games_of(score), score.wins,
                             score.draws, score.losses,
                             games_of(score) > 0 ? 100 * points_of(score) / games_of(score) : 0);
        superiority_cell(rating, order, i, &table);
    }
    markdown_table_write(&table, out);
    if (rating->group_count > 1)
        buffer_append_format(out,
                             "\nThere are %d groups, and no results link them in both directions: ratings of "
                             "different groups cannot be compared.\n",
                             rating->group_count);
    buffer_append_string(
        out, "\nErrors are 95 %, relative to the anchors, or to the mean of a group that has none.\n");
}

/* --- families --- */

typedef struct FamilyFilter {
    const Families *families;
    int family;
} FamilyFilter;

static bool is_in_family(const void *context, const RatingPlayer *player) {
    const FamilyFilter *filter = context;
    return family_of(filter->families, player) == filter->family;
}

static void begin_family_table(const Families *families, const char *first, MarkdownTable *table) {
    *table = markdown_table_begin("lrrrrrrrrrrrrrrrrr");
    table->columns = families->count + 2;
    markdown_table_cell(table, "%s", first);
    for (int family = 0; family <= families->count; family++) {
        TextBuffer name = {0};
        append_family(families, family, &name);
        markdown_table_cell(table, "%s", buffer_string(&name));
        buffer_release(&name);
    }
}

static void write_family_ratings(const Rating *rating, const Families *families, const int *order,
                                 TextBuffer *out) {
    MarkdownTable table;
    begin_family_table(families, "player, by games against", &table);
    for (int i = 0; i < rating->player_count; i++) {
        markdown_table_cell(&table, "%s", rating->players[order[i]].name);
        for (int family = 0; family <= families->count; family++) {
            const FamilyFilter filter = {families, family};
            double elo;
            if (rating_against(rating, order[i], is_in_family, &filter, &elo))
                markdown_table_cell(&table, "%.1f", elo);
            else
                markdown_table_cell(&table, "-");
        }
    }
    buffer_append_string(out, "\n## Ratings against each family\n\n");
    markdown_table_write(&table, out);
}

static double expected_of(const Rating *rating, const RatingPair *pair) {
    return rating_expected(rating, rating->players[pair->white].rating - rating->players[pair->black].rating +
                                       rating->advantage);
}

static void write_family_residuals(const Rating *rating, const Families *families, TextBuffer *out) {
    MarkdownTable table;
    begin_family_table(families, "points a game more than expected, against", &table);
    for (int family = 0; family <= families->count; family++) {
        TextBuffer name = {0};
        append_family(families, family, &name);
        markdown_table_cell(&table, "%s", buffer_string(&name));
        buffer_release(&name);
        for (int other = 0; other <= families->count; other++) {
            double games = 0, more = 0;
            for (int i = 0; i < rating->pair_count; i++) {
                const RatingPair *pair = &rating->pairs[i];
                const RatingPlayer *white = &rating->players[pair->white],
                                   *black = &rating->players[pair->black];
                const bool as_white =
                    family_of(families, white) == family && family_of(families, black) == other;
                const bool as_black =
                    family_of(families, black) == family && family_of(families, white) == other;
                if (white->group != black->group || as_white == as_black) continue;
                Score score = {0};
                add_pair(&score, pair, as_white);
                const double expected = expected_of(rating, pair);
                games += games_of(score);
                more += points_of(score) - games_of(score) * (as_white ? expected : 1 - expected);
            }
            if (games > 0)
                markdown_table_cell(&table, "%+.3f", more / games);
            else
                markdown_table_cell(&table, "-");
        }
    }
    buffer_append_string(out, "\n## Residuals between families\n\n");
    markdown_table_write(&table, out);
}

/* --- pairs --- */

/* Both colours of two players, from the view of the first. */
static Score score_against(const Rating *rating, int player, int other, double *expected) {
    Score score = {0};
    *expected = 0;
    for (int i = 0; i < rating->pair_count; i++) {
        const RatingPair *pair = &rating->pairs[i];
        const bool is_white = pair->white == player && pair->black == other;
        if (!is_white && !(pair->black == player && pair->white == other)) continue;
        Score here = {0};
        add_pair(&here, pair, is_white);
        add_pair(&score, pair, is_white);
        *expected += games_of(here) * (is_white ? expected_of(rating, pair) : 1 - expected_of(rating, pair));
    }
    return score;
}

static void write_pairs(const Rating *rating, const int *order, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin("llrrrrr");
    markdown_table_cells(&table,
                         "player | opponent | games | score | expected | residual a game | superior %%");
    for (int i = 0; i < rating->player_count; i++) {
        for (int j = i + 1; j < rating->player_count; j++) {
            double expected;
            const Score score = score_against(rating, order[i], order[j], &expected);
            const double games = games_of(score);
            if (games == 0) continue;
            markdown_table_cell(&table, "%s", rating->players[order[i]].name);
            markdown_table_cell(&table, "%s", rating->players[order[j]].name);
            markdown_table_cells(&table, "%.0f | %.1f", games, points_of(score));
            if (rating->players[order[i]].group == rating->players[order[j]].group)
                markdown_table_cells(&table, "%.1f | %+.3f", expected,
                                     round(1000 * (points_of(score) - expected) / games) / 1000 +
                                         0.0 /* no -0 */);
            else
                markdown_table_cells(&table, "- | -");
            markdown_table_cell(&table, "%.2f", 100 * rating_superiority_of_games(score.wins, score.losses));
        }
    }
    buffer_append_string(out, "\n## Pairs\n\n");
    markdown_table_write(&table, out);
}

/* Points of each player against each other one, both colours. */
static void write_matrix(const Rating *rating, const int *order, TextBuffer *out) {
    const int count = rating->player_count;
    MarkdownTable table = markdown_table_begin("lrrrrrrrrrrrrrrrrrrrrrrr");
    table.columns = count + 1;
    if (count < 3 || table.columns > TABLE_COLUMNS_MAX) return;
    markdown_table_cell(&table, "points of games against");
    for (int i = 0; i < count; i++) markdown_table_cell(&table, "%d", i + 1);
    for (int i = 0; i < count; i++) {
        markdown_table_cell(&table, "%d %s", i + 1, rating->players[order[i]].name);
        for (int j = 0; j < count; j++) {
            double expected;
            const Score score = score_against(rating, order[i], order[j], &expected);
            if (i == j || games_of(score) == 0)
                markdown_table_cell(&table, "%s", i == j ? "" : "-");
            else
                markdown_table_cell(&table, "%.1f/%.0f", points_of(score), games_of(score));
        }
    }
    buffer_append_string(out, "\n## Head to head\n\n");
    markdown_table_write(&table, out);
}

void rate_report_write_standings(const Rating *rating, const int *order, TextBuffer *out) {
    buffer_append_string(out, "## Ratings\n\n");
    write_model(rating, out);
    write_ratings(rating, order, out);
    write_matrix(rating, order, out);
}

void rate_report_write(const Rating *rating, const Families *families, TextBuffer *out) {
    int *order = rate_report_order(rating);
    out->failed |= order == NULL;
    if (order == NULL) return;
    buffer_append_string(out, "## Ratings\n\n");
    write_model(rating, out);
    write_ratings(rating, order, out);
    if (families->count > 0) {
        write_family_ratings(rating, families, order, out);
        write_family_residuals(rating, families, out);
    }
    write_matrix(rating, order, out);
    write_pairs(rating, order, out);
    memory_release(order);
}

void rate_report_write_rows(const Rating *rating, const Families *families, TextBuffer *out) {
    buffer_append_string(out, "group\tplayer\tfamily\trating\terror\tgames\twins\tdraws\tlosses\n");
    int *order = rate_report_order(rating);
    out->failed |= order == NULL;
    for (int i = 0; i < rating->player_count && order != NULL; i++) {
        const RatingPlayer *player = &rating->players[order[i]];
        const Score score = score_of(rating, order[i]);
        buffer_append_format(out, "%d\t%s\t", player->group + 1, player->name);
        append_family(families, family_of(families, player), out);
        if (!player->is_fixed && is_alone(rating, order[i]))
            buffer_append_string(out, "\t-\t-");
        else
            buffer_append_format(out, "\t%.2f\t%.2f", player->rating, player->error);
        buffer_append_format(out, "\t%.0f\t%.0f\t%.0f\t%.0f\n", games_of(score), score.wins, score.draws,
                             score.losses);
    }
    memory_release(order);
}

void rate_report_write_plot(const Rating *rating, TextBuffer *out) {
    int *order = rate_report_order(rating);
    out->failed |= order == NULL;
    if (order == NULL) return;
    buffer_append_format(out,
                         "set xlabel 'Elo (95 %% error bars)'\nset yrange [-0.7:%.1f]\nset grid xtics\n"
                         "unset key\nset ytics noenhanced (",
                         rating->player_count - 0.3);
    for (int i = 0; i < rating->player_count; i++) {
        if (i > 0) buffer_append_string(out, ", ");
        plot_quote(out, rating->players[order[i]].name);
        buffer_append_format(out, " %d", rating->player_count - 1 - i);
    }
    buffer_append_string(out, ")\n$ratings << END\n");
    for (int i = 0; i < rating->player_count; i++) {
        const RatingPlayer *player = &rating->players[order[i]];
        if (player->is_fixed || !is_alone(rating, order[i]))
            buffer_append_format(out, "%.2f %d %.2f\n", player->rating, rating->player_count - 1 - i,
                                 player->error);
    }
    buffer_append_string(out, "END\nplot $ratings using 1:2:3 with xerrorbars pt 7 lc rgb 'black'\n");
    memory_release(order);
}
