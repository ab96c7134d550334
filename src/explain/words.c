#include "explain/words.h"

#include "base/bits.h"
#include "explain/exchange.h"
#include "explain/sentences.h"
#include "record/tree_view.h"
#include "search/score.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

/* --- the lines --- */

int words_plies_to_point(const Line *line, int least) {
    enum { MORE = 4 };
    int ply = int_min(least, line->length);
    const int rest = line_settled(line, ply), most = int_min(line->length, ply + MORE);
    if (rest >= 0 && rest <= most) return rest;
    for (int quiet = ply; quiet <= most; quiet++)
        if (line_is_quiet(line, quiet)) return quiet;
    while (ply < line->length && position_in_check(&line->board[ply])) ply++;
    return ply;
}

/* Points by which the side that began the line is ahead on its board `ply`. */
static int points_ahead(const Line *line, int ply) {
    const Position *pos = &line->board[ply];
    const Color us = line->board[0].side;
    int points = 0;
    for (PieceType type = PAWN; type < KING; type++)
        points += exchange_points(type) * (bits_count(position_pieces(pos, us, type)) -
                                           bits_count(position_pieces(pos, color_other(us), type)));
    return points;
}

/* Where the board at `ply` does not show the score by two points and more, and a little later captures or a
 * promotion bring it nearer by as much: up to there. */
static int plies_to_score(const Branch *branch, int ply) {
    enum { MORE = 6, HIDDEN = 2 };
    const Line *line = branch->line;
    const int last = int_min(line->length, ply + MORE);
    if (line_is_mate(line, last)) return last;
    const int score = (int)lround((double)branch->score / SCORE_UNITS_PER_PAWN);
    int shown = ply, hidden = int_abs(score - points_ahead(line, ply));
    for (int later = ply + 1; later <= last && hidden >= HIDDEN; later++) {
        const int left = int_abs(score - points_ahead(line, later));
        if (left > hidden - HIDDEN || !line_is_quiet(line, later)) continue;
        hidden = left;
        shown = later;
    }
    return shown;
}

/* The board on which all pieces of the loss have fallen: pawns next to them count only where they are spoken
 * of. */
static int complete_ply(const Explanation *explanation, const Line *line) {
    const LineLoss loss = loss_simplified(explanation_loss(explanation));
    int ply = explanation->settled;
    if (loss.net < 1 || loss_dearest(&loss) == PAWN || loss_dearest(&loss) == KING || loss.gained[PAWN] > 0)
        return ply;
    for (; ply > 1; ply--) {
        const Move move = line->move[ply - 1];
        const PieceType taken = piece_type(position_captured_by(&line->board[ply - 1], move));
        if (taken != PAWN && exchange_taken(&line->board[ply - 1], move) > 0) break;
    }
    return ply;
}

/* The last move that a sentence names, and one more. */
static int named_plies(const Explanation *explanation) {
    int plies = complete_ply(explanation, explanation_line(explanation));
    if (explanation->motif.kind != MOTIF_NONE) plies = int_max(plies, explanation->motif.won_at + 1);
    if (explanation->also.kind != MOTIF_NONE) plies = int_max(plies, explanation->also.won_at + 1);
    return plies;
}

/* The same where no board shows the reason: what a sentence says of this line, or a few moves. */
static int told_plies(const Explanation *explanation, const Line *line) {
    enum { USUAL = 4, REPLY = 2 };
    const bool is_good = reason_is_good(explanation->reason), is_played = line == explanation->played.line;
    const bool is_best = is_good ? is_played : line == explanation->better.line;
    const MoveFact *own = is_played && !is_good ? &explanation->against : &explanation->in_favour;
    const MeritKind merit = explanation->merit.kind;
    int plies = 0;
    for (int i = 0; i < explanation->fact_count && explanation->fact[i].refusal == FACT_PROVED; i++)
        if (line == explanation_fact_line(explanation, &explanation->fact[i])) plies = USUAL;
    if ((is_played || is_best) && own->kind != MOVE_FACT_NONE) plies = int_max(plies, own->ply + REPLY);
    if (explanation->in_favour.kind == MOVE_SPACE) plies = int_max(plies, SPACE_PLIES / 2);
    if (is_played && (explanation->reply_threat.branch.line != NULL ||
                      (!is_good && explanation->in_favour.kind == MOVE_PREVENTS)))
        plies = int_max(plies, REPLY);
    if (is_played && merit >= MERIT_MEETS && merit <= MERIT_PREVENTS)
        plies = int_max(plies, merit == MERIT_MEETS ? 1 : REPLY);
    return int_max(plies, USUAL);
}

/* On through the checks and captures of the side that sacrifices: they are what the sacrifice is for. */
static int plies_of_attack(const Line *line, int ply) {
    enum { MORE = 4 };
    const int last = int_min(line->length, ply + MORE);
    while (ply + 1 < last && (position_captured_by(&line->board[ply], line->move[ply]) != NO_PIECE ||
                              position_in_check(&line->board[ply + 1])))
        ply += 2;
    return ply;
}

/* Up to the point of the line, before its score is looked at. */
static int plies_to_own_point(const Explanation *explanation, const Line *line) {
    enum { BETTER = 4, REPLY = 2 };
    assert(line != NULL);
    const Merit *merit = &explanation->merit;
    const bool shows_reason = line == explanation_line(explanation);
    int least = shows_reason ? named_plies(explanation) : BETTER;
    if (line_is_mate(line, line->length) && explanation->mate > 0 && shows_reason) return line->length;
    if (line == explanation->better.line && explanation_misses_mate_too(explanation)) return line->length;
    if (line == explanation->better.line && explanation->result.better == OUTCOME_DRAW &&
        explanation->result.draw != DRAW_SCORE)
        return line->length;
    if (line == explanation->played.line && merit->kind == MERIT_DRAWS) return line->length;
    if (!shows_reason && explanation->reason == REASON_MISSES_MATE && explanation->cause != CAUSE_NONE)
        return words_plies_to_point(line, REPLY); /* it takes what the cause is about */
    if (explanation->settled < 0 || explanation_is_shown_by_second(explanation))
        least = told_plies(explanation, line);
    if (line == explanation->played.line && merit->kind == MERIT_SACRIFICE && merit->accepted.line == NULL)
        least = plies_of_attack(line, least + least % 2);
    for (int i = 0; i < explanation->fact_count && explanation->fact[i].refusal == FACT_PROVED; i++)
        if (line == explanation_fact_line(explanation, &explanation->fact[i]))
            least = int_max(least, explanation->fact[i].ply + 1);
    return words_plies_to_point(line, least);
}

int words_shown_plies(const Explanation *explanation, const Line *line) {
    const Branch *second = &explanation->merit.second;
    const Branch *branch = line == explanation->played.line   ? &explanation->played
                           : line == explanation->better.line ? &explanation->better
                                                              : second;
    return plies_to_score(branch, plies_to_own_point(explanation, line));
}

void words_write_line(Document *document, WordsId label, Style style, const Branch *branch, Color side,
                      int plies) {
    enum { INDENT = 17 };
    const Line *line = branch->line;
    assert(line != NULL);
    const int score = line->board[0].side == side ? branch->score : -branch->score;
    document_cell(document, style, -9, "%s", document->language->words[label]);
    document_cell(document, STYLE_NORMAL, 6, "%s", language_white_score(document, score, side));
    document_cell(document, STYLE_NORMAL, 1, "%s", "");
    document_put(document, STYLE_NORMAL, INDENT,
                 language_line(document, &line->board[0], line->move, plies, SIZE_MAX));
    document_row(document);
}

void words_write_moves(Document *document, const char *name, const Line *line, int shown) {
    document_moves(document, name, &line->board[0], line->move, document->detailed ? line->length : shown);
}

static void write_natural(Document *document, const Branch *natural, Color us) {
    words_write_line(document, WORDS_line_natural, STYLE_BAD, natural, us,
                     plies_to_score(natural, words_plies_to_point(natural->line, 2)));
}

/* What is threatened, where more than a capture shows it. */
static void write_threatened(Document *document, const Explanation *explanation) {
    const Threat *threat = explanation->merit.kind == MERIT_MEETS       ? &explanation->pass
                           : explanation->merit.kind == MERIT_THREATENS ? &explanation->merit.threat
                           : explanation->plan.branch.line != NULL      ? &explanation->plan
                                                                        : &explanation->reply_threat;
    const int plies = threat->mate > 0 ? 2 * threat->mate - 1 : threat->settled;
    if (threat->branch.line != NULL && plies > 1)
        words_write_line(document, WORDS_line_threat, STYLE_NORMAL, &threat->branch,
                         explanation_root(explanation)->side,
                         plies_to_score(&threat->branch, words_plies_to_point(threat->branch.line, plies)));
}

static void write_lines(Document *document, const Explanation *explanation, bool says_natural) {
    enum { AFTER_TAKING = 4 };
    const Branch *played = &explanation->played, *better = &explanation->better;
    const bool has_natural = says_natural && explanation->natural.line != NULL;
    const Branch *accepted = &explanation->merit.accepted, *natural = &explanation->natural,
                 *second = &explanation->merit.second;
    const Color us = explanation_root(explanation)->side;
    words_write_moves(document, "line", played->line, words_shown_plies(explanation, played->line));
    words_write_moves(document, "better", better->line, words_shown_plies(explanation, better->line));
    document_object(document, "shown");
    document_int(document, "line", words_shown_plies(explanation, played->line));
    document_int(document, "better", words_shown_plies(explanation, better->line));
    if (second->line != NULL) document_int(document, "second", words_shown_plies(explanation, second->line));
    document_object_end(document);
    words_write_line(document, WORDS_line_played, STYLE_BAD, played, us,
                     words_shown_plies(explanation, played->line));
    const bool is_of_better = explanation_line(explanation) == better->line; /* then it stands after it */
    if (has_natural && !is_of_better) write_natural(document, natural, us);
    if (explanation->merit.kind == MERIT_SACRIFICE && accepted->line != NULL)
        words_write_line(document, WORDS_line_accepted, STYLE_NORMAL, accepted, us,
                         plies_to_score(accepted, words_plies_to_point(accepted->line, AFTER_TAKING)));
    write_threatened(document, explanation);
    const bool shows_fact = explanation->merit.kind == MERIT_FACT && !explanation->fact[0].on_better;
    if (second->line != NULL && (shows_fact || explanation_is_shown_by_second(explanation)))
        words_write_line(document, WORDS_line_second, STYLE_NORMAL, second, us,
                         words_shown_plies(explanation, second->line));
    if (better->move != played->move)
        words_write_line(document, WORDS_line_better, STYLE_GOOD, better, us,
                         words_shown_plies(explanation, better->line));
    if (has_natural && is_of_better) write_natural(document, natural, us);
}

/* --- facts for programs --- */

static void write_pieces(Document *document, const char *name, const int count[PIECE_TYPE_COUNT]) {
    document_object(document, name);
    for (int type = PAWN; type < KING; type++)
        if (count[type] > 0) document_int(document, piece_type_name((PieceType)type), count[type]);
    document_object_end(document);
}

static void write_motif(Document *document, const char *name, const Motif *motif) {
    if (motif->kind == MOTIF_NONE) return;
    document_object(document, name);
    document_string(document, "kind", motif_name(motif->kind));
    document_int(document, "ply", motif->ply);
    document_int(document, "won_at", motif->won_at);
    document_bool(document, "forced", motif->forced);
    document_string(document, "piece", language_square(document, motif->piece));
    document_list(document, "victims");
    for (int i = 0; i < motif->victim_count; i++)
        document_string(document, NULL, language_square(document, motif->victim[i]));
    document_list_end(document);
    document_object_end(document);
}

void words_write_fact(Document *document, const Line *line, const char *name, const FactReason *fact) {
    if (fact->refusal != FACT_PROVED && !document->detailed) return;
    document_object(document, NULL);
    document_string(document, "kind", fact_name(fact->kind));
    document_string(document, "side", color_name(fact->side));
    document_string(document, "square", language_square(document, fact->square));
    if (fact->to != NO_SQUARE) document_string(document, "to", language_square(document, fact->to));
    document_string(document, "line", name);
    document_int(document, "ply", fact->ply);
    document_string(document, "refused", fact->refusal == FACT_PROVED ? NULL : refusal_name(fact->refusal));
    document_int(document, "worth", score_to_centipawns(fact->worth));
    document_list(document, "edits");
    for (int i = 0; i < fact->edit_count && document->detailed; i++) {
        const EditedBoard *edit = &fact->edit[i];
        Position edited = line->board[edit->ply];
        (void)fact_edit(fact->kind, &edited, fact->side, edit->square, fact->to);
        document_object(document, NULL);
        document_int(document, "ply", edit->ply);
        document_bool(document, "control", edit->is_control);
        document_int(document, "before", score_to_centipawns(edit->before));
        document_int(document, "after", score_to_centipawns(edit->after));
        document_fen(document, &edited);
        document_object_end(document);
    }
    document_list_end(document);
    document_object_end(document);
}

/* A branch: its first move, score for the side to move at its root, and line. */
static void write_branch(Document *document, const char *name, const Branch *branch, int settled) {
    enum { POINT = 4 }; /* plies by which a branch shows its point, more or less */
    if (branch->line == NULL) return;
    const Position *root = &branch->line->board[0];
    document_object(document, name);
    document_fen(document, root);
    document_score(document, "score", branch->score);
    words_write_moves(document, "line", branch->line,
                      words_plies_to_point(branch->line, int_max(POINT, settled)));
    document_object_end(document);
}

static void write_threat(Document *document, const char *name, const Threat *threat) {
    if (threat->branch.line == NULL) return;
    document_object(document, name);
    document_score(document, "score", threat->score);
    if (threat->mate > 0) document_int(document, "mate", threat->mate);
    if (threat->settled >= 0) document_int(document, "settled", threat->settled);
    if (threat->settled >= 0) document_int(document, "points", threat->loss.net);
    write_branch(document, "branch", &threat->branch, threat->settled);
    document_object_end(document);
}

static void write_merit(Document *document, const Merit *merit) {
    static const char *const NAMES[] = {[MERIT_NONE] = "none",           [MERIT_DRAWS] = "draws",
                                        [MERIT_SACRIFICE] = "sacrifice", [MERIT_MEETS] = "meets a threat",
                                        [MERIT_THREATENS] = "threatens", [MERIT_ZUGZWANG] = "zugzwang",
                                        [MERIT_PREVENTS] = "prevents",   [MERIT_FACT] = "fact"};
    document_object(document, "merit");
    document_string(document, "kind", NAMES[merit->kind]);
    document_bool(document, "only", merit->is_only);
    if (merit->kind == MERIT_SACRIFICE) document_int(document, "offered", merit->offered);
    write_branch(document, "second", &merit->second, 0);
    if (merit->kind == MERIT_SACRIFICE) write_branch(document, "accepted", &merit->accepted, 0);
    write_threat(document, "threat", &merit->threat);
    write_motif(document, "motif", &merit->motif);
    document_object_end(document);
}

static void write_positional(Document *document, const Explanation *explanation) {
    write_threat(document, "pass", &explanation->pass);
    if (explanation->fact_count == 0) return;
    document_list(document, "facts");
    for (int i = 0; i < explanation->fact_count; i++) {
        const FactReason *fact = &explanation->fact[i];
        const Line *line = explanation_fact_line(explanation, fact);
        const char *name = line == explanation->played.line ? "line" : fact->on_better ? "better" : "second";
        words_write_fact(document, line, name, fact);
    }
    document_list_end(document);
}

static void write_result(Document *document, const Result *result) {
    if (result->better == OUTCOME_OPEN) return;
    document_object(document, "result");
    document_string(document, "better", outcome_name(result->better));
    document_string(document, "played", outcome_name(result->played));
    if (result->draw != DRAW_NONE) document_string(document, "draw", draw_name(result->draw));
    document_object_end(document);
}

void words_write_achievement(Document *document, const Explanation *explanation) {
    const MatePattern pattern = explanation_mate_pattern(explanation);
    if (explanation->mate > 0) document_int(document, "mate", explanation->mate);
    if (pattern != MATE_PATTERN_NONE) document_string(document, "mate_pattern", mate_pattern_name(pattern));
    if (explanation->settled >= 0) document_int(document, "settled", explanation->settled);
    if (explanation->material.net > 0) {
        document_object(document, "material");
        document_int(document, "points", explanation->material.net);
        document_int(document, "compared", explanation->compared);
        write_pieces(document, "lost", explanation->material.lost);
        write_pieces(document, "gained", explanation->material.gained);
        document_object_end(document);
    }
    write_motif(document, "motif", &explanation->motif);
    write_motif(document, "also", &explanation->also);
}

static void write_move_fact(Document *document, const char *name, const MoveFact *fact) {
    if (fact->kind == MOVE_FACT_NONE) return;
    document_object(document, name);
    document_string(document, "kind", move_fact_name(fact->kind));
    document_int(document, "ply", fact->ply);
    document_string(document, "square", language_square(document, fact->square));
    document_object_end(document);
}

static void write_facts(Document *document, const Explanation *explanation) {
    write_result(document, &explanation->result);
    if (explanation->cause != CAUSE_NONE) document_string(document, "cause", cause_name(explanation->cause));
    if (explanation->cause != CAUSE_NONE && explanation->capture > 1 &&
        explanation->reason == REASON_LOSES_MATERIAL)
        document_int(document, "falls", explanation->capture);
    words_write_achievement(document, explanation);
    write_branch(document, "natural", &explanation->natural, 0);
    write_branch(document, "opposition", &explanation->opposition, 0);
    write_move_fact(document, "against", &explanation->against);
    write_move_fact(document, "in_favour", &explanation->in_favour);
    write_threat(document, "reply_threat", &explanation->reply_threat);
    write_threat(document, "plan", &explanation->plan);
    if (reason_is_good(explanation->reason)) write_merit(document, &explanation->merit);
    write_positional(document, explanation);
}

/* --- the whole --- */

void words_write(Document *document, const Explanation *explanation) {
    enum { SENTENCES = 3 }; /* of a short answer */
    const Position *root = &explanation->played.line->board[0];
    const bool detailed = document->detailed, is_short = !detailed && document->form != DOCUMENT_JSON;
    document_object(document, NULL);
    document_int(document, "schema", EXPLAIN_SCHEMA);
    document_fen(document, root);
    document_move(document, "move", root, explanation->played.move);
    document_move(document, "best", root, explanation->better.move);
    document_score(document, "score", explanation->played.score);
    document_score(document, "best_score", explanation->better.score);
    document_real(document, "loss", explanation->loss, 4);
    document_int(document, "depth", explanation->played.depth);
    document_int(document, "nodes", (int64_t)explanation->nodes);
    document_string(document, "reason", reason_name(explanation->reason));
    const bool says_all = sentences_write(document, explanation, is_short ? SENTENCES : INT_MAX);
    document_row(document);
    write_facts(document, explanation);
    write_lines(document, explanation, says_all);
    if (detailed && explanation->better.move != explanation->played.move)
        language_write(document, STYLE_NORMAL, WORDS_share_lost,
                       FILL(FILL_TEXT("percent", document_text(document, "%.1f", 100 * explanation->loss))));
    if (detailed) story_write(document, &explanation->story, explanation->recording, root);
    if (detailed || explanation->without_count > 1) {
        without_write(document, explanation->without, explanation->without_count, root);
        without_write_totals(document, &explanation->recording->totals);
    }
    document_object_end(document);
}

Status words_append_svg(Document *document, const Explanation *explanation) {
    enum { ROWS = 60 };
    const Story *story = &explanation->story;
    const Position *root = &explanation->played.line->board[0];
    Tree tree;
    if (story->node_count < 2) {
        tree_append_svg(document, root, NULL, 0);
        return status_ok();
    }
    const Status status =
        tree_build(explanation->recording, root, story->node[1].visit, (TreeSize){.rows = ROWS}, &tree);
    if (!status_is_ok(&status)) return status;
    const Visit *visit = &explanation->recording->visit[story->node[1].visit];
    tree.found = (Finding){explanation->played.move, -visit->score, visit->iteration, visit->nodes};
    tree_append_svg(document, root, &tree, 1);
    tree_release(&tree);
    return status;
}
