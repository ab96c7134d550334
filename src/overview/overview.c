#include "overview/overview.h"

#include "base/bits.h"
#include "chess/movegen.h"
#include "explain/exchange.h"
#include "explain/loss_words.h"
#include "explain/reason.h"
#include "explain/sentences.h"
#include "explain/words.h"

#include <assert.h>

enum {
    PASS_SHARE = 2,                              /* the search of the pass has this part of the nodes */
    LEVEL_UNITS = 3 * SCORE_UNITS_PER_PAWN / 10, /* less is level */
    TROUBLES_SAID = 3,                           /* of each side, in text */
    FACTS_SAID = 2,
    PLIES_SHOWN = 6 /* of a line that achieves nothing */
};

/* --- finding --- */

/* What the branch achieves. */
static void find_achievement(Explanation *found) {
    found->reason = REASON_BEST;
    found->settled = found->capture = -1;
    const Line *line = found->played.line;
    if (found->played.score <= -SCORE_WIN && line_is_mate(line, line->length)) {
        found->mate = line->length / 2;
        found->settled = line->length;
    } else {
        reason_find_achievement(found);
    }
}

static bool achieves(const Explanation *found) { return found->mate > 0 || found->material.net > 0; }

/* False without memory. */
static bool find_threat(Searcher *searcher, uint64_t nodes, Overview *overview) {
    Threat threat;
    if (!searcher_find_threat(searcher, &overview->pos, MOVE_NONE, nodes / PASS_SHARE, &threat)) return false;
    overview->threat.played = threat.branch;
    overview->pass = threat.score;
    if (threat.branch.line == NULL) return true;
    find_achievement(&overview->threat);
    const int best = overview->best.played.score, cost = best - threat.score;
    const bool is_in_pawns = !score_is_mate(best) && !score_is_mate(threat.score);
    overview->has_threat =
        achieves(&overview->threat) ? cost > 0 : is_in_pawns && cost >= SCORE_UNITS_PER_PAWN;
    return true;
}

static void find_troubles(Overview *overview) {
    const Position *pos = &overview->pos;
    const int own = trouble_find(pos, pos->side, overview->trouble);
    overview->trouble_count = own + trouble_find(pos, color_other(pos->side), &overview->trouble[own]);
}

Status overview_find(Explainer *explainer, const Position *pos, uint64_t nodes, Overview *overview) {
    Searcher *searcher = explainer_searcher(explainer);
    *overview = (Overview){.pos = *pos};
    (void)searcher_take_nodes(searcher);
    searcher_forget(searcher);
    const SearchInfo *info = searcher_search(searcher, pos, MOVES_ALL, MOVE_NONE, nodes);
    Move moves[MAX_MOVES];
    (void)movegen_legal(pos, moves);
    const Move best = info->pv_length > 0 ? info->pv[0] : moves[0];
    bool has_memory = searcher_read(searcher, pos, best, nodes, &overview->best.played);
    if (has_memory) {
        find_achievement(&overview->best);
        has_memory = find_threat(searcher, nodes, overview);
    }
    if (!has_memory) {
        overview_release(overview);
        return status_no_memory("the lines of a position");
    }
    find_troubles(overview);
    overview->fact_count = positional_find_standing(searcher, overview->best.played.line, overview->fact);
    overview->nodes = searcher_take_nodes(searcher);
    return status_ok();
}

void overview_release(Overview *overview) {
    explanation_release(&overview->best);
    explanation_release(&overview->threat);
}

/* --- sentences --- */

/* A piece in trouble, as its sentence names it. */
typedef struct Named {
    Document *document;
    const Position *pos;
    const Trouble *trouble;
} Named;

static const char *text_of(const void *context, TextView name, TextView form, int64_t *number) {
    const Named *of = context;
    const Trouble *trouble = of->trouble;
    const Square square = text_equals(name, "piece")   ? trouble->square
                          : text_equals(name, "first") ? trouble->other[0]
                                                       : trouble->other[1];
    (void)number;
    if (text_equals(name, "side"))
        return of->document->language->words[trouble->side == WHITE ? WORDS_white : WORDS_black];
    return language_piece(of->document, piece_type(position_piece_on(of->pos, square)), square, form);
}

static void say_trouble(Document *document, const Position *pos, const Trouble *trouble) {
    static const WordsId TROUBLES[TROUBLE_KINDS] = {
        [TROUBLE_HANGING] = WORDS_trouble_hanging, [TROUBLE_OUTNUMBERED] = WORDS_trouble_outnumbered,
        [TROUBLE_TRAPPED] = WORDS_trouble_trapped, [TROUBLE_OVERLOADED] = WORDS_trouble_overloaded,
        [TROUBLE_PINNED] = WORDS_trouble_pinned,   [TROUBLE_PINNED_TO] = WORDS_trouble_pinned_to};
    const WordsId id = trouble->is_lost ? WORDS_trouble_lost : TROUBLES[trouble->kind];
    const Named named = {document, pos, trouble};
    document_phrase(document, STYLE_NORMAL,
                    language_fill(document, document->language->words[id], text_of, &named));
}

/* Whether a sentence before has said that the piece is lost. */
static bool is_taken(const Overview *overview, const Trouble *trouble) {
    const bool is_theirs = trouble->side != overview->pos.side;
    const Explanation *found = is_theirs ? &overview->best : &overview->threat;
    const bool is_said = is_theirs ? achieves(found) : overview->has_threat;
    return is_said && trouble->kind <= TROUBLE_OUTNUMBERED && trouble->square == move_to(found->played.move);
}

/* Of each side the dearest pieces, and no pawns. */
static void say_troubles(Document *document, const Overview *overview) {
    int said[COLOR_COUNT] = {0};
    for (int i = 0; i < overview->trouble_count; i++) {
        const Trouble *trouble = &overview->trouble[i];
        const bool is_pawn = piece_type(position_piece_on(&overview->pos, trouble->square)) == PAWN;
        if (!is_pawn && !is_taken(overview, trouble) && said[trouble->side]++ < TROUBLES_SAID)
            say_trouble(document, &overview->pos, trouble);
    }
}

static const char *side_text(Document *document, Color side) {
    return document->language->words[side == WHITE ? WORDS_white : WORDS_black];
}

static const char *pawns_text(Document *document, int units) {
    return document_text(document, "%.1f", int_abs(units) / (double)SCORE_UNITS_PER_PAWN);
}

static void say(Document *document, Style style, WordsId id, Color side, int units) {
    language_phrase(
        document, style, id,
        FILL(FILL_TEXT("side", side_text(document, side)), FILL_TEXT("pawns", pawns_text(document, units))));
}

static void say_balance(Document *document, const Overview *overview) {
    const Branch *best = &overview->best.played;
    const Color us = overview->pos.side, better = best->score > 0 ? us : color_other(us);
    const Outcome outcome = result_outcome(best);
    const WordsId id = outcome == OUTCOME_WIN || outcome == OUTCOME_LOSS ? WORDS_balance_winning
                       : int_abs(best->score) < LEVEL_UNITS              ? WORDS_balance_level
                                                                         : WORDS_balance_better;
    say(document, STYLE_STRONG, id, better, best->score);
}

/* Who has what the other side has not. */
static void say_material(Document *document, const Position *pos) {
    LineLoss more = {0}; /* as if Black had lost it */
    bool is_even = true;
    for (PieceType type = PAWN; type < KING; type++) {
        const int difference =
            bits_count(position_pieces(pos, WHITE, type)) - bits_count(position_pieces(pos, BLACK, type));
        more.lost[type] = int_max(difference, 0);
        more.gained[type] = int_max(-difference, 0);
        more.net += difference * exchange_points(type);
        is_even = is_even && difference == 0;
    }
    const Color richer = more.net >= 0 ? WHITE : BLACK;
    if (richer == BLACK) more = loss_mirrored(&more);
    const WordsId id = is_even                  ? WORDS_material_even
                       : loss_gained(&more) > 0 ? WORDS_material_for
                                                : WORDS_material_more;
    language_phrase(document, STYLE_NORMAL, id,
                    FILL(FILL_TEXT("side", side_text(document, richer)),
                         FILL_TEXT("gain", loss_words_write_pieces(document, &more))));
}

/* What the opponent threatens, or that it threatens nothing that the line after a pass shows. */
static void say_threat(Document *document, const Overview *overview) {
    const Branch *pass = &overview->threat.played;
    const Color us = overview->pos.side, them = color_other(us);
    const bool has_achieved = pass->line != NULL && achieves(&overview->threat);
    if (pass->line == NULL)
        say(document, STYLE_NORMAL, WORDS_in_check, us, 0);
    else if (overview->has_threat && has_achieved)
        sentences_write_achievement(document, &overview->threat, true);
    else if (overview->has_threat)
        language_phrase(
            document, STYLE_BAD, WORDS_threatens_more,
            FILL(
                FILL_TEXT("threat", language_line(document, &pass->line->board[0], &pass->move, 1, SIZE_MAX)),
                FILL_TEXT("side", side_text(document, them)),
                FILL_TEXT("pawns", pawns_text(document, overview->best.played.score - overview->pass))));
    else if (!has_achieved)
        say(document, STYLE_NORMAL, WORDS_no_threat, them, 0);
}

static void say_only_move(Document *document, const Position *pos) {
    Move legal[MAX_MOVES];
    if (movegen_legal(pos, legal) != 1) return;
    language_phrase(document, STYLE_NORMAL, WORDS_only_legal,
                    FILL(FILL_TEXT("move", language_san(document, pos, legal[0]))));
}

static void write_words(Document *document, const Overview *overview) {
    document_list(document, "words");
    say_balance(document, overview);
    say_material(document, &overview->pos);
    say_only_move(document, &overview->pos);
    say_threat(document, overview);
    if (achieves(&overview->best)) sentences_write_achievement(document, &overview->best, false);
    say_troubles(document, overview);
    for (int i = 0; i < FACTS_SAID && i < overview->fact_count && overview->fact[i].refusal == FACT_PROVED;
         i++)
        document_phrase(document, STYLE_NORMAL,
                        sentences_fact(document, &overview->best, &overview->fact[i]));
    document_list_end(document);
    document_row(document);
}

/* --- the whole --- */

static int shown_plies(const Explanation *found) {
    return words_plies_to_point(found->played.line, achieves(found) ? found->settled : PLIES_SHOWN);
}

static void write_lines(Document *document, const Overview *overview) {
    const Explanation *best = &overview->best, *threat = &overview->threat;
    words_write_line(document, WORDS_line_best, STYLE_GOOD, &best->played, overview->pos.side,
                     shown_plies(best));
    if (overview->has_threat)
        words_write_line(document, WORDS_line_threat, STYLE_BAD, &threat->played, overview->pos.side,
                         shown_plies(threat));
}

static void write_branch(Document *document, const char *name, const Explanation *explanation) {
    const Branch *branch = &explanation->played;
    assert(branch->line != NULL);
    document_object(document, name);
    document_fen(document, &branch->line->board[0]);
    document_move(document, "move", &branch->line->board[0], branch->move);
    document_score(document, "score", branch->score);
    words_write_achievement(document, explanation);
    document_int(document, "shown", shown_plies(explanation));
    words_write_moves(document, "line", branch->line, shown_plies(explanation));
    document_object_end(document);
}

static void write_trouble(Document *document, const Trouble *trouble) {
    document_object(document, NULL);
    document_string(document, "kind", trouble_name(trouble->kind));
    document_string(document, "side", color_name(trouble->side));
    document_string(document, "square", language_square(document, trouble->square));
    if (trouble->kind == TROUBLE_TRAPPED) document_bool(document, "lost", trouble->is_lost);
    document_list(document, "others");
    for (int i = 0; i < 2; i++)
        if (trouble->other[i] != NO_SQUARE)
            document_string(document, NULL, language_square(document, trouble->other[i]));
    document_list_end(document);
    document_object_end(document);
}

void overview_write(Document *document, const Overview *overview) {
    document_object(document, NULL);
    document_int(document, "schema", EXPLAIN_SCHEMA);
    document_fen(document, &overview->pos);
    document_score(document, "score", overview->best.played.score);
    document_int(document, "depth", overview->best.played.depth);
    document_int(document, "nodes", (int64_t)overview->nodes);
    write_words(document, overview);
    write_branch(document, "best", &overview->best);
    if (overview->threat.played.line != NULL) document_score(document, "pass", overview->pass);
    if (overview->has_threat) write_branch(document, "threat", &overview->threat);
    document_list(document, "pieces");
    for (int i = 0; i < overview->trouble_count; i++) write_trouble(document, &overview->trouble[i]);
    document_list_end(document);
    document_list(document, "facts");
    for (int i = 0; i < overview->fact_count; i++)
        words_write_fact(document, overview->best.played.line, "best", &overview->fact[i]);
    document_list_end(document);
    write_lines(document, overview);
    document_object_end(document);
}
