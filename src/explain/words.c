#include "explain/words.h"

#include "chess/fen.h"
#include "chess/san.h"
#include "engine/json.h"
#include "engine/lines.h"
#include "engine/wrap.h"
#include "explain/exchange.h"
#include "explain/mate_pattern.h"
#include "explain/tree_svg.h"
#include "search/score.h"

static const char *const PIECE_NAMES[] = {"pawn", "knight", "bishop", "rook", "queen", "king", "nothing"};
static const char *const COUNTS[] = {"no", "a", "two", "three", "four", "five", "six", "seven", "eight"};

static const char *piece_name(const Position *pos, Square square) {
    return PIECE_NAMES[piece_type(position_piece_on(pos, square))];
}

static void append_square(TextBuffer *out, Square square) {
    buffer_append_format(out, "%c%d", 'a' + square_file(square), square_rank(square) + 1);
}

/* "the knight on e5" */
static void append_piece(TextBuffer *out, const Position *pos, Square square) {
    buffer_append_format(out, "the %s on ", piece_name(pos, square));
    append_square(out, square);
}

/* "24... Nf3+", the move of the line at `ply`. */
static void append_move(TextBuffer *out, const Line *line, int ply) {
    lines_append_moves(out, &line->board[ply], &line->move[ply], 1, SIZE_MAX);
}

static void append_san(TextBuffer *out, const Position *pos, Move move) {
    char san[SAN_CAPACITY];
    san_write(pos, move, san);
    buffer_append_string(out, san);
}

/* "a rook, two pawns", from the dearest down; returns how many kinds. */
static int append_pieces(TextBuffer *out, const int count[PIECE_TYPE_COUNT]) {
    int kinds = 0, rest = 0;
    for (int type = PAWN; type < KING; type++) rest += count[type] > 0;
    for (int type = QUEEN; type >= PAWN; type--) {
        if (count[type] == 0) continue;
        rest--;
        if (kinds++ > 0) buffer_append_string(out, rest > 0 ? ", " : " and ");
        if (type == QUEEN && count[type] == 1)
            buffer_append_string(out, "the queen");
        else
            buffer_append_format(out, "%s %s%s", COUNTS[int_min(count[type], 8)], PIECE_NAMES[type],
                                 count[type] > 1 ? "s" : "");
    }
    return kinds;
}

static bool is_the_exchange(const LineLoss *loss) {
    return loss->net == 2 && loss->lost[ROOK] == 1 && loss->gained[KNIGHT] + loss->gained[BISHOP] == 1 &&
           loss->lost[PAWN] + loss->gained[PAWN] == 0;
}

void words_append_loss(TextBuffer *out, const LineLoss *loss) {
    if (is_the_exchange(loss)) {
        buffer_append_string(out, "the exchange (a rook for a minor piece)");
        return;
    }
    int lost = 0, gained = 0;
    for (int type = PAWN; type < KING; type++) {
        lost += loss->lost[type];
        gained += loss->gained[type];
    }
    if (lost > 0) append_pieces(out, loss->lost);
    if (lost == 0) buffer_append_format(out, "%d point%s", loss->net, loss->net == 1 ? "" : "s");
    if (gained > 0) {
        buffer_append_string(out, " for ");
        append_pieces(out, loss->gained);
    }
}

/* --- one sentence each --- */

/* Points that a promotion to a queen adds. */
enum { QUEEN_GAIN = 8 };

/* "a knight for a pawn, and White gets a new queen" */
static void append_gain(TextBuffer *out, const LineLoss *material, Color winner) {
    words_append_loss(out, material);
    if (material->promoted[winner] > 0)
        buffer_append_format(out, ", and %s gets a new %s", winner == WHITE ? "White" : "Black",
                             material->promoted[winner] < QUEEN_GAIN ? "piece" : "queen");
}

static void tell_material(TextBuffer *out, const Explanation *explanation, const Line *line, bool misses) {
    append_san(out, &explanation->refutation->board[0], explanation->move);
    if (misses) {
        buffer_append_string(out, " misses ");
        append_san(out, &line->board[0], explanation->best);
        buffer_append_string(out, ", which wins ");
    } else {
        buffer_append_string(out, " loses ");
    }
    append_gain(out, &explanation->material, misses ? line->board[0].side : color_other(line->board[0].side));
    buffer_append_string(out, ".\n");
}

/* Behind "... is the best move": what it does for its side, or cannot prevent. */
static void append_achievement(TextBuffer *out, const Explanation *explanation) {
    const Line *line = explanation->refutation;
    if (explanation->mate > 0 && line->length % 2 == 1)
        buffer_append_format(out, ": it mates in %d", explanation->mate);
    else if (explanation->mate > 0)
        buffer_append_format(out, ", but mate in %d cannot be avoided", explanation->mate);
    else if (explanation->material.net > 0) {
        buffer_append_string(out, ": in this line it wins ");
        append_gain(out, &explanation->material, line->board[0].side);
    }
}

static void tell_reason(TextBuffer *out, const Explanation *explanation) {
    const Position *root = &explanation->refutation->board[0];
    const bool misses = explanation->reason == REASON_MISSES_MATERIAL;
    if (misses || explanation->reason == REASON_LOSES_MATERIAL) {
        tell_material(out, explanation, misses ? explanation->better : explanation->refutation, misses);
        return;
    }
    append_san(out, root, explanation->move);
    switch (explanation->reason) {
    case REASON_BEST:
        buffer_append_string(out, " is the best move that the search finds");
        append_achievement(out, explanation);
        break;
    case REASON_GOOD:
        buffer_append_string(out, " is as good as the best move, ");
        append_san(out, root, explanation->best);
        append_achievement(out, explanation);
        break;
    case REASON_MATED: buffer_append_format(out, " allows a forced mate in %d", explanation->mate); break;
    case REASON_MISSES_MATE:
        buffer_append_string(out, " misses ");
        append_san(out, root, explanation->best);
        buffer_append_format(out, ", a forced mate in %d", explanation->mate);
        break;
    case REASON_STALEMATE:
        buffer_append_format(out, " gives a better game away: %s stalemate",
                             explanation->settled == 1 ? "it is" : "in this line it ends in");
        break;
    case REASON_REPETITION:
        buffer_append_string(out, " gives a better game away: in this line the position repeats");
        break;
    default:
        buffer_append_string(out, " is weaker in the long term: no loss can be shown, the network values the "
                                  "position at the end of the line less");
    }
    buffer_append_string(out, ".\n");
}

static void tell_cause(TextBuffer *out, const Explanation *explanation) {
    const Line *line = explanation->refutation;
    const Position *before = &line->board[0], *after = &line->board[1];
    const Move move = line->move[0];
    const Square lost = explanation->cause == CAUSE_NONE ? NO_SQUARE : move_to(line->move[1]);
    switch (explanation->cause) {
    case CAUSE_NONE: return;
    case CAUSE_POISONED:
        buffer_append_string(out, "The capture on ");
        append_square(out, move_to(move));
        buffer_append_string(out, " is answered by ");
        append_move(out, line, 1);
        break;
    case CAUSE_MOVED_INTO:
        buffer_append_format(out, "The %s can be taken on ", piece_name(after, lost));
        append_square(out, lost);
        break;
    case CAUSE_IGNORED:
        buffer_append_string(out, "It does not answer the threat ");
        append_move(out, line, 1);
        break;
    case CAUSE_UNGUARDED:
        buffer_append_format(out, "The %s no longer guards ", piece_name(before, move_from(move)));
        append_piece(out, after, lost);
        break;
    case CAUSE_OPENED_LINE:
    case CAUSE_CLOSED_LINE:
        buffer_append_string(out, explanation->cause == CAUSE_OPENED_LINE ? "It opens the line to "
                                                                          : "It cuts off a guard of ");
        append_piece(out, after, lost);
        break;
    }
    buffer_append_string(out, ".\n");
}

static void append_victims(TextBuffer *out, const Position *pos, const Motif *motif) {
    for (int i = 0; i < motif->victim_count; i++) {
        if (i > 0) buffer_append_string(out, i + 1 < motif->victim_count ? ", " : " and ");
        append_piece(out, pos, motif->victim[i]);
    }
}

/* "In this line ..." or "Whatever is replied ...": how far the fact reaches. */
static void append_reach(TextBuffer *out, const Motif *motif, const char *forced, const char *in_line) {
    buffer_append_string(out, motif->forced ? forced : in_line);
}

static void tell_trapped(TextBuffer *out, const Motif *motif, const Position *after) {
    const Bitboard attackers = position_attackers(after, motif->victim[0], position_occupied(after));
    const bool attacks = (attackers & square_bit(motif->piece)) != 0;
    buffer_append_string(out, attacks ? " attacks " : " leaves ");
    append_victims(out, after, motif);
    buffer_append_string(out, attacks ? ", which has no safe square" : " without a safe square");
    append_reach(out, motif, ": no reply saves it", "; in this line it is lost");
}

/* Of a guard that is gone, drawn away or cut off. */
static void tell_guard(TextBuffer *out, const Motif *motif, const Line *line) {
    const Position *before = &line->board[motif->ply], *after = &line->board[motif->ply + 1];
    switch (motif->kind) {
    case MOTIF_REMOVED_GUARD:
        buffer_append_string(out, " takes the guard of ");
        append_piece(out, before, motif->victim[1]);
        break;
    case MOTIF_OVERLOADED:
        buffer_append_string(out, " draws away ");
        append_piece(out, before, motif->victim[0]);
        buffer_append_string(out, ", which also guarded ");
        append_piece(out, before, motif->victim[1]);
        break;
    case MOTIF_DEFLECTION:
        buffer_append_string(out, " draws away ");
        append_piece(out, after, motif->victim[0]);
        buffer_append_string(out, ", which guarded ");
        append_piece(out, before, motif->victim[1]);
        break;
    case MOTIF_INTERFERENCE:
        buffer_append_string(out, " cuts ");
        append_piece(out, after, motif->victim[0]);
        buffer_append_string(out, " off from ");
        append_piece(out, after, motif->victim[1]);
        buffer_append_string(out, ", which it guarded");
        break;
    default: break;
    }
}

static void tell_uncovered_check(TextBuffer *out, const Motif *motif, const Line *line) {
    const Position *after = &line->board[motif->ply + 1];
    if (motif->kind == MOTIF_DOUBLE_CHECK) {
        buffer_append_string(out, " is a double check");
    } else {
        buffer_append_string(out, " uncovers a check by ");
        append_piece(out, after, motif->piece);
    }
    if (piece_type(position_piece_on(after, motif->victim[0])) == KING) return; /* on the way to a mate */
    if (motif->won_at == motif->ply) {
        const Piece won = position_captured_by(&line->board[motif->ply], line->move[motif->ply]);
        buffer_append_format(out, " and takes the %s", PIECE_NAMES[piece_type(won)]);
        return;
    }
    buffer_append_string(out, " and attacks ");
    append_victims(out, after, motif);
    append_reach(out, motif, ", which no reply saves", ", which is lost in this line");
}

static void tell_motif(TextBuffer *out, const Motif *motif, const Line *line) {
    if (motif->kind == MOTIF_NONE) return;
    const Position *after = &line->board[motif->ply + 1], *taken = &line->board[motif->won_at];
    append_move(out, line, motif->ply);
    switch (motif->kind) {
    case MOTIF_FORK:
        buffer_append_string(out, " forks ");
        append_victims(out, after, motif);
        append_reach(out, motif, ": no reply saves both", "; in this line one of them is lost");
        break;
    case MOTIF_SKEWER:
        buffer_append_string(out, " attacks ");
        append_piece(out, after, motif->victim[0]);
        buffer_append_string(out, " and, behind it, ");
        append_piece(out, after, motif->victim[1]);
        append_reach(out, motif, ": no reply saves both", "; in this line the second is lost");
        break;
    case MOTIF_DOUBLE_CHECK:
    case MOTIF_DISCOVERED_CHECK: tell_uncovered_check(out, motif, line); break;
    case MOTIF_DISCOVERED_ATTACK:
        buffer_append_string(out, " uncovers an attack by ");
        append_piece(out, after, motif->piece);
        buffer_append_string(out, " on ");
        append_victims(out, after, motif);
        append_reach(out, motif, ", which no reply saves", ", which is lost in this line");
        break;
    case MOTIF_TRAPPED: tell_trapped(out, motif, after); break;
    case MOTIF_REMOVED_GUARD:
    case MOTIF_OVERLOADED:
    case MOTIF_DEFLECTION:
    case MOTIF_INTERFERENCE: tell_guard(out, motif, line); break;
    case MOTIF_ATTRACTION:
        buffer_append_format(out, " draws the %s to ",
                             piece_name(&line->board[motif->ply + 2], motif->victim[0]));
        append_square(out, motif->victim[0]);
        buffer_append_string(out, ", where ");
        append_move(out, line, motif->ply + 2);
        buffer_append_string(out, " attacks it");
        break;
    case MOTIF_PINNED_TO:
        buffer_append_string(out, " takes ");
        append_piece(out, taken, motif->victim[0]);
        buffer_append_string(out, ", which was pinned to ");
        append_piece(out, taken, motif->victim[1]);
        break;
    case MOTIF_PINNED:
        buffer_append_string(out, " takes ");
        append_piece(out, taken, motif->victim[0]);
        buffer_append_string(out, ", which was pinned to its king");
        break;
    case MOTIF_PINNED_GUARD:
        buffer_append_string(out, " cannot be answered by ");
        append_piece(out, after, motif->victim[1]);
        buffer_append_string(out, ", which is pinned to its king");
        break;
    case MOTIF_PROMOTION:
        buffer_append_string(out, motif->won_at == motif->ply ? " gets a new piece that cannot be taken"
                                                              : ": no reply stops the pawn");
        break;
    case MOTIF_UNDEFENDED:
        buffer_append_format(out, " takes the %s, and nothing can take back",
                             PIECE_NAMES[piece_type(position_captured_by(taken, line->move[motif->won_at]))]);
        break;
    case MOTIF_OUTNUMBERED:
        buffer_append_format(out, " takes the %s, which is not guarded well enough",
                             PIECE_NAMES[piece_type(position_captured_by(taken, line->move[motif->won_at]))]);
        break;
    case MOTIF_NONE:
    case MOTIF_KINDS: break;
    }
    buffer_append_string(out, ".\n");
}

static void tell_line(TextBuffer *out, const char *title, const Line *line, int end, int score,
                      size_t width) {
    TextBuffer text = {0};
    lines_append_score(&text, score, line->board[0].side);
    buffer_append_format(out, "%s %7s  ", title, buffer_string(&text));
    buffer_release(&text);
    const int count = end > 0 ? int_min(end, line->length) : line->length;
    lines_append_moves(out, &line->board[0], line->move, count, width > 20 ? width - 20 : width);
    buffer_append_char(out, '\n');
}

/* The line that shows the reason. */
static const Line *telling_line(const Explanation *explanation) {
    const bool better =
        explanation->reason == REASON_MISSES_MATERIAL || explanation->reason == REASON_MISSES_MATE;
    return better ? explanation->better : explanation->refutation;
}

static MatePattern pattern_of(const Explanation *explanation) {
    const Line *line = telling_line(explanation);
    const bool mates = explanation->mate > 0 && line_is_mate(line, line->length);
    return mates ? mate_pattern_of(&line->board[line->length]) : MATE_PATTERN_NONE;
}

static void tell_mate(TextBuffer *out, const Explanation *explanation) {
    static const char *const WORDS[MATE_PATTERN_COUNT] = {
        [MATE_SMOTHERED] = "a smothered mate: the king's own men leave it no square",
        [MATE_BACK_RANK] = "a back-rank mate: the king's own men keep it on its rank",
        [MATE_ARABIAN] = "an Arabian mate: rook and knight catch the king in the corner",
        [MATE_HOOK] = "a hook mate: pawn, knight and rook guard each other at the king",
        [MATE_ANASTASIA] = "Anastasia's mate: knight and own man keep the king on the edge",
        [MATE_BODEN] = "Boden's mate: two bishops cross before the king",
        [MATE_DOUBLE_BISHOP] = "a double bishop mate: side by side they take all its squares",
        [MATE_DOVETAIL] = "a dovetail mate: the queen takes all squares that the king's own men leave"};
    const MatePattern pattern = pattern_of(explanation);
    if (pattern == MATE_PATTERN_NONE) return;
    const Line *line = telling_line(explanation);
    append_move(out, line, line->length - 1);
    buffer_append_format(out, " is %s.\n", WORDS[pattern]);
}

/* One sentence a row. */
static void tell(TextBuffer *out, const Explanation *explanation) {
    tell_reason(out, explanation);
    tell_mate(out, explanation);
    if (explanation->reason > REASON_GOOD && explanation->loss < REASON_GOOD_LOSS)
        buffer_append_string(out, "That hardly changes the result which is to be expected.\n");
    tell_cause(out, explanation);
    const Motif *first = &explanation->motif, *second = &explanation->also;
    const bool is_earlier = second->kind != MOTIF_NONE && second->ply < first->ply;
    tell_motif(out, is_earlier ? second : first, telling_line(explanation));
    tell_motif(out, is_earlier ? first : second, telling_line(explanation));
}

/* --- the network's values at the ends of the lines --- */

/* Centipawns for a colour. */
static int worth_for(int units, Color side, Color color) {
    return score_to_centipawns(side == color ? units : -units);
}

static void append_parts(TextBuffer *out, const char *title, const Line *line, const Inspection *end) {
    const Position *pos = &line->board[line->length];
    buffer_append_format(out, "%s %+.2f:", title, worth_for(end->value, pos->side, WHITE) / 100.0);
    bool first = true;
    for (int square = 63; square >= 0; square--) {
        if (!end->has_worth[square]) continue;
        buffer_append_format(out, "%s %c", first ? "" : ",",
                             piece_letter(position_piece_on(pos, (Square)square)));
        append_square(out, (Square)square);
        buffer_append_format(out, " %+.2f", worth_for(end->worth[square], pos->side, WHITE) / 100.0);
        first = false;
    }
    buffer_append_char(out, '\n');
}

static void append_values(TextBuffer *out, const Explanation *explanation, size_t width) {
    TextBuffer text = {0};
    buffer_append_string(out, PAINT_STRONG "What the network says at the ends of the lines" PAINT_END
                                           " (pawns, capitals are White's):\n");
    append_parts(&text, "played", explanation->refutation, &explanation->played_end);
    append_parts(&text, "better", explanation->better, &explanation->better_end);
    wrap_append(out, buffer_view(&text), width, 4);
    buffer_append_char(out, '\n');
    if (text.failed) out->failed = true;
    buffer_release(&text);
}

static void append_marked(TextBuffer *out, const Explanation *explanation, size_t width) {
    TextBuffer sentences = {0}, marked = {0};
    TextView reason;
    const bool is_good = explanation->reason == REASON_BEST || explanation->reason == REASON_GOOD;
    tell(&sentences, explanation);
    TextView rest = buffer_view(&sentences);
    text_next_line(&rest, &reason);
    buffer_append_string(&marked, is_good ? PAINT_GOOD : PAINT_BAD);
    buffer_append(&marked, reason);
    buffer_append_string(&marked, PAINT_END "\n");
    buffer_append(&marked, rest);
    wrap_append(out, buffer_view(&marked), width, 0);
    if (sentences.failed || marked.failed) out->failed = true;
    buffer_release(&sentences);
    buffer_release(&marked);
    buffer_append_char(out, '\n');
    tell_line(out, PAINT_BAD "played" PAINT_END, explanation->refutation, explanation->settled,
              explanation->score, width);
    if (explanation->best != explanation->move)
        tell_line(out, PAINT_GOOD "better" PAINT_END, explanation->better, explanation->settled,
                  explanation->best_score, width);
    buffer_append_format(out, "depth %d, %.1f %% of the expected score lost\n\n", explanation->depth,
                         100 * explanation->loss);
    if (explanation->reason == REASON_VALUE) append_values(out, explanation, width);
    story_append(out, &explanation->story, explanation->recording, &explanation->refutation->board[0], width);
    if (explanation->trial_count < 2) return;
    buffer_append_char(out, '\n');
    without_append(out, explanation->trial, explanation->trial_count, &explanation->refutation->board[0]);
    buffer_append_char(out, '\n');
    without_append_totals(out, &explanation->recording->totals, width);
}

void words_append(TextBuffer *out, const Explanation *explanation, size_t width, bool color) {
    TextBuffer text = {0};
    append_marked(&text, explanation, width);
    paint_append(out, buffer_view(&text), color);
    if (text.failed) out->failed = true;
    buffer_release(&text);
}

Status words_append_svg(TextBuffer *out, const Explanation *explanation) {
    enum { ROWS = 60 };
    const Story *story = &explanation->story;
    const Position *root = &explanation->refutation->board[0];
    Tree tree;
    if (story->node_count < 2) {
        tree_append_svg(out, root, NULL, 0);
        return status_ok();
    }
    const Status status =
        tree_build(explanation->recording, root, story->node[1].visit, (TreeSize){.rows = ROWS}, &tree);
    if (!status_is_ok(&status)) return status;
    const Visit *visit = &explanation->recording->visit[story->node[1].visit];
    tree.found = (Finding){explanation->move, -visit->score, visit->iteration, visit->nodes};
    tree_append_svg(out, root, &tree, 1);
    tree_release(&tree);
    return status;
}

/* --- JSON; every string in it is ASCII that needs no escape --- */

static void json_square(TextBuffer *out, Square square) {
    buffer_append_char(out, '"');
    append_square(out, square);
    buffer_append_char(out, '"');
}

static void json_pieces(TextBuffer *out, const char *name, const int count[PIECE_TYPE_COUNT]) {
    buffer_append_format(out, "\"%s\":{", name);
    bool first = true;
    for (int type = PAWN; type < KING; type++) {
        if (count[type] == 0) continue;
        buffer_append_format(out, "%s\"%s\":%d", first ? "" : ",", PIECE_NAMES[type], count[type]);
        first = false;
    }
    buffer_append_char(out, '}');
}

static void json_motif(TextBuffer *out, const char *field, const Motif *motif) {
    if (motif->kind == MOTIF_NONE) return;
    buffer_append_format(
        out, ",\"%s\":{\"kind\":\"%s\",\"ply\":%d,\"won_at\":%d,\"forced\":%s,\"piece\":", field,
        motif_name(motif->kind), motif->ply, motif->won_at, motif->forced ? "true" : "false");
    json_square(out, motif->piece);
    buffer_append_string(out, ",\"victims\":[");
    for (int i = 0; i < motif->victim_count; i++) {
        if (i > 0) buffer_append_char(out, ',');
        json_square(out, motif->victim[i]);
    }
    buffer_append_string(out, "]}");
}

/* Centipawns for the side to move at the root, by square. */
static void json_parts(TextBuffer *out, const char *name, const Line *line, const Inspection *end) {
    const Color side = line->board[line->length].side, us = line->board[0].side;
    bool first = true;
    buffer_append_format(out, "\"%s\":{\"cp\":%d,\"pieces\":{", name, worth_for(end->value, side, us));
    for (int square = 0; square < SQUARE_COUNT; square++) {
        if (!end->has_worth[square]) continue;
        if (!first) buffer_append_char(out, ',');
        json_square(out, (Square)square);
        buffer_append_format(out, ":%d", worth_for(end->worth[square], side, us));
        first = false;
    }
    buffer_append_string(out, "}}");
}

static void json_words(TextBuffer *out, const Explanation *explanation) {
    TextBuffer sentences = {0};
    TextView row;
    bool first = true;
    tell(&sentences, explanation);
    TextView rest = buffer_view(&sentences);
    buffer_append_string(out, ",\"words\":[");
    while (text_next_line(&rest, &row)) {
        if (!text_is_empty(row))
            buffer_append_format(out, "%s\"%.*s\"", first ? "" : ",", (int)row.length, row.data);
        first = false;
    }
    buffer_append_char(out, ']');
    if (sentences.failed) out->failed = true;
    buffer_release(&sentences);
}

void words_append_json(TextBuffer *out, const Explanation *explanation) {
    const Position *root = &explanation->refutation->board[0];
    char fen[FEN_CAPACITY];
    fen_write(root, fen);
    buffer_append_format(out, "{\"schema\":%d,\"fen\":\"%s\",\"move\":", EXPLAIN_SCHEMA, fen);
    json_append_move(out, root, explanation->move);
    buffer_append_string(out, ",\"best\":");
    json_append_move(out, root, explanation->best);
    buffer_append_string(out, ",\"score\":");
    json_append_score(out, explanation->score);
    buffer_append_string(out, ",\"best_score\":");
    json_append_score(out, explanation->best_score);
    buffer_append_format(out, ",\"loss\":%.4f,\"depth\":%d,\"nodes\":%llu,\"reason\":\"%s\"",
                         explanation->loss, explanation->depth, (unsigned long long)explanation->nodes,
                         reason_name(explanation->reason));
    json_words(out, explanation);
    if (explanation->mate > 0) buffer_append_format(out, ",\"mate\":%d", explanation->mate);
    if (pattern_of(explanation) != MATE_PATTERN_NONE)
        buffer_append_format(out, ",\"mate_pattern\":\"%s\"", mate_pattern_name(pattern_of(explanation)));
    if (explanation->settled >= 0) buffer_append_format(out, ",\"settled\":%d", explanation->settled);
    if (explanation->material.net > 0) {
        buffer_append_format(out, ",\"material\":{\"points\":%d,", explanation->material.net);
        json_pieces(out, "lost", explanation->material.lost);
        buffer_append_char(out, ',');
        json_pieces(out, "gained", explanation->material.gained);
        buffer_append_char(out, '}');
    }
    if (explanation->cause != CAUSE_NONE)
        buffer_append_format(out, ",\"cause\":\"%s\"", cause_name(explanation->cause));
    json_motif(out, "motif", &explanation->motif);
    json_motif(out, "also", &explanation->also);
    if (explanation->reason == REASON_VALUE) {
        buffer_append_string(out, ",\"value\":{");
        json_parts(out, "played", explanation->refutation, &explanation->played_end);
        buffer_append_char(out, ',');
        json_parts(out, "better", explanation->better, &explanation->better_end);
        buffer_append_char(out, '}');
    }
    buffer_append_string(out, ",\"line\":");
    json_append_moves(out, root, explanation->refutation->move, explanation->refutation->length);
    buffer_append_string(out, ",\"better\":");
    json_append_moves(out, root, explanation->better->move, explanation->better->length);
    buffer_append_string(out, ",\"search\":");
    story_append_json(out, &explanation->story, explanation->recording, root);
    buffer_append_string(out, ",\"without\":");
    without_append_json(out, explanation->trial, explanation->trial_count, root);
    buffer_append_string(out, ",\"totals\":");
    without_append_totals_json(out, &explanation->recording->totals);
    buffer_append_char(out, '}');
}
