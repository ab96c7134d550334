#include "lab/study/finding.h"

#include "chess/makemove.h"
#include "chess/san.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double SCALE = 91.0 * SCORE_UNITS_PER_PAWN / 100; /* see finding_expect: 1 / ln 3 pawns */
static const double SURE = 0.999;

double finding_expect(int score) { return 1 / (1 + exp(-score / SCALE)); }

int finding_score_of(double points) {
    const double sane = points < 1 - SURE ? 1 - SURE : points > SURE ? SURE : points;
    return (int)lround(SCALE * log(sane / (1 - sane)));
}

int finding_score_before(int score) {
    if (score >= SCORE_WIN) return -score + 1;
    return score <= -SCORE_WIN ? -score - 1 : -score;
}

/* In the engine's centipawns or moves; what no engine should say is limited. */
static int internal_score(UciScore score) {
    enum { CENTIPAWNS_MAX = (SCORE_WIN - 1) * 100 / SCORE_UNITS_PER_PAWN, MOVES_MAX = MAX_PLY / 2 };
    int value = score.value;
    if (score.kind == SCORE_MATE_IN) {
        const int moves = value > MOVES_MAX ? MOVES_MAX : value < -MOVES_MAX ? -MOVES_MAX : value;
        return moves > 0 ? score_mate_in(2 * moves - 1) : score_mated_in(-2 * moves);
    }
    if (value > CENTIPAWNS_MAX) value = CENTIPAWNS_MAX;
    if (value < -CENTIPAWNS_MAX) value = -CENTIPAWNS_MAX;
    return (int)((int64_t)value * SCORE_UNITS_PER_PAWN / 100);
}

/* Reads moves up to the first that is not legal. */
static void read_line(Finding *finding, const Position *start, TextView text) {
    Position pos = *start;
    finding->count = 0;
    while (finding->count < FINDING_LINE_MAX) {
        const TextView word = text_next_word(&text);
        Move move = MOVE_NONE;
        Undo undo;
        const Status status = text_is_empty(word) ? status_error("end") : lan_parse(&pos, word, &move);
        if (!status_is_ok(&status)) return;
        finding->line[finding->count++] = move;
        position_make_move(&pos, move, &undo);
    }
}

Status finding_take(Finding *finding, const Position *pos, const SearchReport *report) {
    Move best;
    *finding = (Finding){0};
    const Status status = lan_parse(pos, text_view(report->best_move), &best);
    if (!status_is_ok(&status)) return status_error("answered with %.20s", status.reason);
    if (!report->has_info || report->info.score.kind == SCORE_NOT_GIVEN) return status_error("gave no score");
    finding->score = internal_score(report->info.score);
    finding->depth = report->info.depth > 0 ? report->info.depth : 1;
    finding->nodes = report->info.nodes > 0 ? (uint64_t)report->info.nodes : 0;
    read_line(finding, pos, report->info.pv);
    /* A line that begins with another move belongs to an earlier answer. */
    if (finding->count == 0 || finding->line[0] != best) {
        finding->line[0] = best;
        finding->count = 1;
    }
    return status_ok();
}

void finding_write(const Finding *finding, const Position *pos, TextBuffer *out) {
    buffer_append_format(out, "%d %d %" PRIu64, finding->score, finding->depth, finding->nodes);
    for (int i = 0; i < finding->count; i++) {
        char move[LAN_CAPACITY];
        lan_write(pos, finding->line[i], move);
        buffer_append_format(out, " %s", move);
    }
}

bool finding_read(Finding *finding, const Position *pos, TextView text) {
    int64_t score, depth;
    *finding = (Finding){0};
    if (!text_parse_int64(text_next_word(&text), &score) || score < -SCORE_MATE || score > SCORE_MATE)
        return false;
    if (!text_parse_int64(text_next_word(&text), &depth) || depth < 0 || depth > 1000000) return false;
    if (!text_parse_uint64(text_next_word(&text), &finding->nodes)) return false;
    finding->score = (int)score;
    finding->depth = (int)depth;
    read_line(finding, pos, text);
    return finding->count > 0;
}
