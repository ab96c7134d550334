#include "explain/sentences.h"

#include "base/bits.h"
#include "explain/exchange.h"
#include "explain/subject.h"

/* --- one sentence each --- */

static void say(Style style, const Subject *of, WordsId id) {
    Document *document = of->document;
    if (--*of->left < 0) return;
    document_phrase(document, style,
                    language_fill(document, document->language->words[id], subject_text, of));
}

/* Of a good move also what it does for its side, or cannot prevent. */
static WordsId good_words(const Explanation *explanation) {
    static const WordsId GOOD[][2] = {{WORDS_best, WORDS_good},
                                      {WORDS_best_mates, WORDS_good_mates},
                                      {WORDS_best_is_mated, WORDS_good_is_mated},
                                      {WORDS_best_wins, WORDS_good_wins},
                                      {WORDS_best_wins_back, WORDS_good_wins_back}};
    const Branch *played = &explanation->played;
    const Merit *merit = &explanation->merit;
    const bool mates = explanation->mate > 0 && played->line->length % 2 == 1;
    const bool is_mated_sooner =
        explanation->mate > 0 && !mates && explanation->reason == REASON_GOOD &&
        score_mate_moves(explanation->better.score) < score_mate_moves(played->score) - 1;
    const int wins = explanation_wins_back(explanation, played) ? 4 : 3;
    /* What else the move does says more than a pawn. */
    const bool is_mere_pawn = merit->kind != MERIT_NONE && loss_dearest(&explanation->material) == PAWN;
    const bool wins_material = explanation->material.net > 0 && !is_mere_pawn && merit->kind != MERIT_DRAWS;
    const int achieved = mates ? 1 : explanation->mate > 0 ? 2 : wins_material ? wins : 0;
    if (merit->moves == 1) return WORDS_only_legal;
    if (is_mated_sooner) return WORDS_mated_sooner;
    if (merit->is_only && (achieved == 0 || (wins_material && explanation_takes_back(explanation)))) {
        const Outcome own = result_outcome(played), other = result_outcome(&merit->second);
        if (merit->second.score <= -SCORE_WIN && played->score > -SCORE_WIN) return WORDS_only_not_mated;
        if (other == OUTCOME_LOSS && own != OUTCOME_LOSS) return WORDS_only_saves;
        return own == OUTCOME_WIN && other != OUTCOME_WIN ? WORDS_only_wins : WORDS_only;
    }
    const bool is_other = explanation->reason == REASON_GOOD;
    if (is_other && achieved == 0 && explanation_gap(explanation) >= REASON_GOOD_UNITS)
        return played->score < 0 ? WORDS_good_loses_too : WORDS_good_wins_too;
    if (achieved == 0 && explanation_is_best_by_search(explanation))
        return is_other ? WORDS_about_as_good : WORDS_best_found;
    return GOOD[achieved][is_other];
}

static WordsId reason_words(const Explanation *explanation) {
    enum { LONG_MATE = 3, PIECE = 3 };
    static const WordsId BAD[] = {[REASON_MATED] = WORDS_is_mated,
                                  [REASON_MISSES_MATE] = WORDS_misses_mate,
                                  [REASON_STALEMATE] = WORDS_stalemate_later,
                                  [REASON_REPETITION] = WORDS_repetition,
                                  [REASON_PAWN_ENDING] = WORDS_pawn_ending_lost,
                                  [REASON_WRONG_BISHOP] = WORDS_wrong_bishop,
                                  [REASON_LOSES_MATERIAL] = WORDS_loses,
                                  [REASON_MISSES_MATERIAL] = WORDS_misses,
                                  [REASON_LOSES_TIME] = WORDS_loses_time,
                                  [REASON_NONE] = WORDS_no_reason};
    const Reason reason = explanation->reason;
    const Position *root = explanation_root(explanation);
    const Move best = explanation->better.move;
    if (reason_is_good(reason)) return good_words(explanation);
    if (reason == REASON_MISSES_MATE && explanation->mate >= LONG_MATE && exchange_gain(root, best) >= PIECE)
        return WORDS_misses_mate_and_more;
    if (reason == REASON_MISSES_MATERIAL && explanation_wins_back(explanation, &explanation->better))
        return WORDS_misses_back;
    if (reason == REASON_MISSES_MATERIAL && loss_is_promotion(&explanation->material))
        return WORDS_misses_promotion;
    if (reason == REASON_REPETITION && result_draw(&explanation->played) == DRAW_PERPETUAL)
        return WORDS_perpetual;
    if (reason == REASON_STALEMATE && explanation->settled == 1) return WORDS_stalemate_now;
    if (reason == REASON_PAWN_ENDING && explanation->played.score > -SCORE_UNITS_PER_PAWN)
        return WORDS_pawn_ending_drawn;
    if (reason == REASON_LOSES_MATERIAL && loss_is_promotion(&explanation->material))
        return WORDS_lets_promote;
    return BAD[reason];
}

static void say_mate(const Subject *of) {
    static const WordsId MATES[MATE_PATTERN_COUNT] = {[MATE_SMOTHERED] = WORDS_mate_smothered,
                                                      [MATE_BACK_RANK] = WORDS_mate_back_rank,
                                                      [MATE_ARABIAN] = WORDS_mate_arabian,
                                                      [MATE_HOOK] = WORDS_mate_hook,
                                                      [MATE_ANASTASIA] = WORDS_mate_anastasia,
                                                      [MATE_BODEN] = WORDS_mate_boden,
                                                      [MATE_DOUBLE_BISHOP] = WORDS_mate_double_bishop,
                                                      [MATE_DOVETAIL] = WORDS_mate_dovetail};
    const MatePattern pattern = explanation_mate_pattern(of->explanation);
    if (pattern != MATE_PATTERN_NONE) say(STYLE_NORMAL, of, MATES[pattern]);
}

static void say_cause(const Subject *of) {
    static const WordsId CAUSES[] = {
        [CAUSE_POISONED] = WORDS_cause_poisoned,      [CAUSE_GUARDED] = WORDS_cause_guarded,
        [CAUSE_MOVED_INTO] = WORDS_cause_moved_into,  [CAUSE_IGNORED] = WORDS_cause_ignored,
        [CAUSE_UNGUARDED] = WORDS_cause_unguarded,    [CAUSE_OPENED_LINE] = WORDS_cause_opened,
        [CAUSE_CLOSED_LINE] = WORDS_cause_closed,     [CAUSE_UNGUARDED_SQUARE] = WORDS_cause_unguarded_square,
        [CAUSE_CUT_OFF_SQUARE] = WORDS_cause_cut_off, [CAUSE_BLOCKED_FLIGHT] = WORDS_cause_blocked};
    const CauseKind cause = of->explanation->cause;
    const MotifKind motif = of->explanation->motif.kind;
    const bool names_answer = cause == CAUSE_IGNORED || cause == CAUSE_POISONED;
    const bool is_said = of->explanation->reason == REASON_LOSES_MATERIAL && names_answer &&
                         motif != MOTIF_NONE && motif < MOTIF_UNDEFENDED && of->explanation->motif.ply == 1;
    Subject own = *of;
    own.line = of->explanation->played.line;
    own.is_named =
        of->explanation->reason != REASON_MISSES_MATE; /* there the motif of the mate stands before */
    const bool opens_to_mate = cause == CAUSE_OPENED_LINE && of->explanation->reason == REASON_MATED;
    if (cause != CAUSE_NONE && !is_said)
        say(STYLE_NORMAL, &own, opens_to_mate ? WORDS_cause_opened_to_mate : CAUSES[cause]);
}

/* A sentence of each kind: true of this line, or whatever is replied; or of a motif that wins at once. */
static const struct MotifWords {
    WordsId line, forced, at_once;
} MOTIFS[MOTIF_KINDS] = {
    [MOTIF_DOUBLE_CHECK] = {WORDS_double_check_line, WORDS_double_check_forced, WORDS_double_check_takes},
    [MOTIF_DISCOVERED_CHECK] = {WORDS_discovered_check_line, WORDS_discovered_check_forced,
                                WORDS_discovered_check_takes},
    [MOTIF_DISCOVERED_ATTACK] = {.line = WORDS_discovered_attack_line,
                                 .forced = WORDS_discovered_attack_forced},
    [MOTIF_FORK] = {.line = WORDS_fork_line, .forced = WORDS_fork_forced},
    [MOTIF_SKEWER] = {.line = WORDS_skewer_line, .forced = WORDS_skewer_forced},
    [MOTIF_TRAPPED] = {.line = WORDS_trapped_left_line, .forced = WORDS_trapped_left_forced},
    [MOTIF_ATTRACTION] = {.line = WORDS_attraction},
    [MOTIF_INTERMEZZO] = {.line = WORDS_intermezzo},
    [MOTIF_REMOVED_GUARD] = {.line = WORDS_removed_guard},
    [MOTIF_OVERLOADED] = {.line = WORDS_overloaded},
    [MOTIF_DEFLECTION] = {.line = WORDS_deflection},
    [MOTIF_INTERFERENCE] = {.line = WORDS_interference},
    [MOTIF_ATTACKS_PINNED] = {.line = WORDS_attacks_pinned},
    [MOTIF_PINNED] = {.at_once = WORDS_pin},
    [MOTIF_PINNED_TO] = {.at_once = WORDS_relative_pin},
    [MOTIF_PINNED_GUARD] = {.line = WORDS_pinned_guard, .at_once = WORDS_pinned_guard},
    [MOTIF_PROMOTION] = {.forced = WORDS_promotion_later, .at_once = WORDS_promotion_now},
    [MOTIF_UNDEFENDED] = {.at_once = WORDS_undefended},
    [MOTIF_OUTNUMBERED] = {.at_once = WORDS_outnumbered}};

/* Whether the motif's capture takes a dearer piece. */
static bool is_by_cheaper(const Subject *of) {
    const Position *before = &of->line->board[of->motif->won_at];
    const Move move = of->line->move[of->motif->won_at];
    return exchange_points(piece_type(position_piece_on(before, move_from(move)))) <
           exchange_points(piece_type(position_captured_by(before, move)));
}

/* What is drawn away: a guard, by a check or not, or the piece that stood before another one. */
static WordsId deflection_words(const Subject *of) {
    const Motif *motif = of->motif;
    const Move *move = of->line->move;
    const Bitboard way = squares_between(move_from(move[motif->won_at]), motif->victim[1]);
    if (way & ~square_bit(motif->victim[1]) & square_bit(motif->victim[0])) return WORDS_deflection_of_shield;
    return move_to(move[motif->ply + 1]) == move_to(move[motif->ply]) ? WORDS_deflection
                                                                      : WORDS_deflection_by_check;
}

static WordsId motif_words(const Subject *of) {
    const Motif *motif = of->motif;
    const Position *after = &of->line->board[motif->ply + 1];
    const Square victim = motif->victim_count > 0 ? motif->victim[0] : motif->piece;
    const Bitboard attackers = position_attackers(after, victim, position_occupied(after));
    if (motif->kind == MOTIF_TRAPPED && (after->state.pinned & square_bit(victim)))
        return motif->forced ? WORDS_trapped_pinned_forced : WORDS_trapped_pinned_line;
    if (motif->kind == MOTIF_TRAPPED && (attackers & square_bit(motif->piece)))
        return motif->forced ? WORDS_trapped_attacked_forced : WORDS_trapped_attacked_line;
    if (motif->kind <= MOTIF_DISCOVERED_CHECK && piece_type(position_piece_on(after, victim)) == KING)
        return motif->kind == MOTIF_DOUBLE_CHECK ? WORDS_double_check : WORDS_discovered_check;
    if (motif->kind == MOTIF_OUTNUMBERED && is_by_cheaper(of)) return WORDS_by_cheaper;
    if (motif->kind == MOTIF_DEFLECTION) return deflection_words(of);
    if (motif->won_at == motif->ply) return MOTIFS[motif->kind].at_once;
    return motif->forced ? MOTIFS[motif->kind].forced : MOTIFS[motif->kind].line;
}

static void say_motif(const Subject *of, const Motif *motif) {
    Subject own = *of;
    own.motif = motif;
    if (motif->kind != MOTIF_NONE) say(STYLE_NORMAL, &own, motif_words(&own));
}

/* The result that the move changes, unless the reason says so. */
static bool say_result(const Subject *of) {
    static const WordsId DRAWS[] = {[DRAW_PERPETUAL] = WORDS_misses_perpetual,
                                    [DRAW_REPETITION] = WORDS_misses_repetition,
                                    [DRAW_STALEMATE] = WORDS_misses_stalemate,
                                    [DRAW_MATERIAL] = WORDS_misses_dead_draw};
    static const WordsId LEFT[] = {[LEFT_DOUBT] = WORDS_win_to_open,
                                   [LEFT_LITTLE] = WORDS_win_to_little,
                                   [LEFT_NOTHING] = WORDS_win_to_level,
                                   [LEFT_WORSE] = WORDS_win_to_worse};
    const Result *result = &of->explanation->result;
    const Reason reason = of->explanation->reason;
    if (result->better == OUTCOME_OPEN || reason < REASON_PAWN_ENDING) return false;
    if (result->draw == DRAW_SCORE && result->better == OUTCOME_DRAW)
        say(STYLE_BAD, of, WORDS_level_to_loss);
    else if (result->better == OUTCOME_DRAW)
        say(STYLE_BAD, of, DRAWS[result->draw]);
    else if (result->played == OUTCOME_LOSS)
        say(STYLE_BAD, of, WORDS_win_to_loss);
    else if (result->played == OUTCOME_OPEN)
        say(STYLE_BAD, of, LEFT[result_left(&of->explanation->played)]);
    else
        say(STYLE_BAD, of,
            of->explanation->played.score == SCORE_DRAW ? WORDS_win_to_draw : WORDS_win_to_level);
    return true;
}

/* --- what makes the better move better --- */

/* A sentence of one line, and what else it is about. */
static Subject subject_of(const Subject *of, const Line *line, const FactReason *fact,
                          const MoveFact *move_fact) {
    Subject own = *of;
    own.line = line;
    own.fact = fact;
    own.move_fact = move_fact;
    own.is_named = false;
    return own;
}

/* Says one thing, two at most: the first one goes on after the verdict. */
static void say_clause(Subject clause, WordsId id, int *said) {
    clause.why = id;
    if (++*said == 1)
        say(STYLE_BAD, &clause, WORDS_better_by);
    else if (*said == 2)
        say(STYLE_NORMAL, &clause, id);
}

/* Facts that are proved: of places, or the others. */
static void say_facts(const Subject *of, bool of_places, int *said) {
    const Explanation *explanation = of->explanation;
    for (int i = 0; i < explanation->fact_count && explanation->fact[i].refusal == FACT_PROVED; i++) {
        const FactReason *fact = &explanation->fact[i];
        if (fact_compares_squares(fact->kind) == of_places)
            say_clause(subject_of(of, explanation_fact_line(explanation, fact), fact, NULL),
                       fact->stood_before ? WORDS_fact_left : WORDS_fact_now, said);
    }
}

static WordsId move_fact_words(const Line *line, const MoveFact *fact) {
    if (fact->kind == MOVE_DEVELOPS && move_kind(line->move[0]) == CASTLING) return WORDS_castles;
    if (fact->kind == MOVE_GOES_ON && move_to(line->move[fact->ply]) == move_from(line->move[0]))
        return WORDS_goes_back;
    if (fact->kind == MOVE_LEADS_KING && move_fact_goes_before_pawn(&line->board[0], line->move[0]))
        return WORDS_king_before_pawn;
    const PieceType type = piece_type(position_piece_on(&line->board[0], move_from(line->move[0])));
    if (fact->kind == MOVE_TRADES && type == ROOK) return WORDS_trades_rooks;
    if (fact->kind == MOVE_TRADES && type == QUEEN) return WORDS_trades_queens;
    return WORDS_drops + (fact->kind - MOVE_DROPS);
}

static void say_move_fact(const Subject *of, const Line *line, const MoveFact *fact, int *said) {
    if (fact->kind != MOVE_FACT_NONE)
        say_clause(subject_of(of, line, NULL, fact), move_fact_words(line, fact), said);
}

/* Whether a fact that is proved says the same. */
static bool is_fact_already(const Explanation *explanation, MoveFactKind kind) {
    static const FactKind SAME[MOVE_FACT_KINDS] = {[MOVE_AVOIDS_TRADE] = FACT_no_queens,
                                                   [MOVE_OUTPOST] = FACT_outpost,
                                                   [MOVE_SEIZES_FILE] = FACT_open_file};
    const bool has_same = kind == MOVE_AVOIDS_TRADE || kind == MOVE_OUTPOST || kind == MOVE_SEIZES_FILE;
    for (int i = 0; i < explanation->fact_count && has_same; i++)
        if (explanation->fact[i].refusal == FACT_PROVED && explanation->fact[i].kind == SAME[kind])
            return true;
    return false;
}

/* A lasting fact of the board first, then what happens at once, and where a piece stands only after that.
 * Nothing is said twice of the reply. Returns whether there is anything. */
static bool say_why(const Subject *of) {
    const Explanation *explanation = of->explanation;
    const Line *played = explanation->played.line, *better = explanation->better.line;
    const MoveFact *against = &explanation->against, *in_favour = &explanation->in_favour;
    const bool gains_time = against->kind == MOVE_LOSES_TEMPO && against->ply == 1;
    const bool threatens = explanation->reply_threat.branch.line != NULL && !gains_time;
    const bool is_strong =
        in_favour->kind < MOVE_TAKES_CENTRE && !is_fact_already(explanation, in_favour->kind);
    const bool is_said = (against->kind == MOVE_ALLOWS || against->kind == MOVE_STOPS) &&
                         (threatens || in_favour->kind == MOVE_PREVENTS);
    const Subject reply = subject_of(of, played, NULL, NULL);
    int said = 0;
    say_facts(of, false, &said);
    if (threatens) say_clause(reply, WORDS_reply_threatens, &said);
    if (gains_time) say_move_fact(of, played, against, &said);
    if (explanation->plan.branch.line != NULL)
        say_clause(subject_of(of, better, NULL, NULL), WORDS_plan, &said);
    if (is_strong) say_move_fact(of, better, in_favour, &said);
    if (!gains_time && !is_said) say_move_fact(of, played, against, &said);
    say_facts(of, true, &said);
    if (!is_strong && !is_fact_already(explanation, in_favour->kind))
        say_move_fact(of, better, in_favour, &said);
    if (said == 0 && explanation_meets_nothing(explanation)) say_clause(reply, WORDS_idle_answer, &said);
    if (said == 0 && explanation->reason == REASON_HARMS && played->length > 1)
        say_clause(reply, WORDS_harms, &said);
    return said > 0;
}

/* By what the threat wins, as far as its first move shows it. */
static void say_threat_motif(const Subject *of, const Line *threat) {
    const Motif *motif = &of->explanation->merit.motif;
    Subject own = *of;
    own.line = threat;
    if (motif->kind < MOTIF_UNDEFENDED && motif->kind != MOTIF_ATTRACTION && motif->ply == 0)
        say_motif(&own, motif);
}

/* Of a good move in check: that it puts something in between, or how few moves there are. */
static void say_check(const Subject *of) {
    enum { FEW = 3 };
    const Explanation *explanation = of->explanation;
    const Position *root = explanation_root(explanation);
    const Move move = explanation->played.move;
    if (!position_in_check(root) || explanation->merit.moves < 2) return;
    const bool is_king = move_from(move) == position_king(root, root->side);
    if (explanation->merit.moves <= FEW)
        say(STYLE_NORMAL, of, WORDS_in_check_few);
    else if (!is_king && position_captured_by(root, move) == NO_PIECE)
        say(STYLE_NORMAL, of, WORDS_blocks_check);
}

/* What a good move does. */
static void say_merit(const Subject *of) {
    static const WordsId DRAWS[] = {[DRAW_PERPETUAL] = WORDS_draws_perpetual,
                                    [DRAW_REPETITION] = WORDS_draws_repetition,
                                    [DRAW_STALEMATE] = WORDS_draws_stalemate,
                                    [DRAW_MATERIAL] = WORDS_draws_material};
    static const WordsId MERITS[] = {[MERIT_SACRIFICE] = WORDS_sacrifice,
                                     [MERIT_MEETS] = WORDS_meets_threat,
                                     [MERIT_THREATENS] = WORDS_threatens,
                                     [MERIT_ZUGZWANG] = WORDS_zugzwang,
                                     [MERIT_PREVENTS] = WORDS_prevents};
    const Explanation *explanation = of->explanation;
    const MeritKind kind = explanation->merit.kind;
    const MoveFact *fact = &explanation->in_favour, *against = &explanation->against;
    Subject own = subject_of(of, explanation->played.line, NULL, against);
    int said = 1; /* the verdict */
    if (kind == MERIT_NONE || (fact->kind == MOVE_DRAWS_KING && kind != MERIT_SACRIFICE))
        say_move_fact(of, explanation->played.line, fact, &said);
    if (explanation_is_shown_by_second(explanation)) say(STYLE_NORMAL, of, WORDS_natural);
    say_facts(of, false, &said);
    say_facts(of, true, &said);
    if (kind == MERIT_DRAWS)
        say(STYLE_NORMAL, of, DRAWS[result_draw(&explanation->played)]);
    else if (kind != MERIT_NONE && kind != MERIT_FACT)
        say(STYLE_NORMAL, of, MERITS[kind]);
    own.is_named = true;
    if (against->kind != MOVE_FACT_NONE) say(STYLE_NORMAL, &own, move_fact_words(own.line, against));
    if (kind == MERIT_MEETS) say_threat_motif(of, of->explanation->pass.branch.line);
    if (kind == MERIT_THREATENS) say_threat_motif(of, of->explanation->merit.threat.branch.line);
}

/* Whether a sentence before has said as much: the cause, of a mere capture, or that the move takes back; or
 * the sacrifice that the line accepts, of the move itself. */
static bool is_said(const Explanation *explanation, const Motif *motif) {
    const Merit *merit = &explanation->merit;
    if (merit->kind == MERIT_SACRIFICE && merit->accepted.line == NULL && motif->ply == 0) return true;
    if (merit->kind == MERIT_DRAWS) return true; /* that says more */
    if (reason_is_good(explanation->reason) && motif->kind >= MOTIF_UNDEFENDED &&
        (motif->won_at == 0 || explanation_takes_back(explanation)))
        return true;
    return explanation->cause != CAUSE_NONE && motif->kind >= MOTIF_UNDEFENDED && motif->won_at == 1;
}

static void say_motifs(const Subject *of) {
    const Explanation *explanation = of->explanation;
    const Motif *first = &explanation->motif, *second = &explanation->also;
    const bool is_room = *of->left > 1; /* else the first says more */
    const bool is_earlier = second->kind != MOTIF_NONE && second->ply < first->ply && is_room;
    const Motif *order[2] = {is_earlier ? second : first, is_earlier ? first : second};
    for (int i = 0; i < 2; i++)
        if (!is_said(explanation, order[i])) say_motif(of, order[i]);
}

bool sentences_write(Document *document, const Explanation *explanation, int most) {
    Subject whole = {.document = document,
                     .explanation = explanation,
                     .line = explanation_line(explanation),
                     .left = &most};
    const Reason reason = explanation->reason;
    const bool is_good = reason_is_good(reason);
    document_list(document, "words");
    whole.is_named = say_result(&whole);
    const bool is_positional = reason >= REASON_FACT && !is_good;
    if (!(is_positional && (say_why(&whole) || whole.is_named)))
        say(is_good ? STYLE_GOOD : STYLE_BAD, &whole, reason_words(explanation));
    if (!is_good && reason > REASON_MISSES_MATE && explanation->loss < REASON_GOOD_LOSS)
        say(STYLE_NORMAL, &whole,
            result_outcome(&explanation->played) == OUTCOME_WIN ? WORDS_still_wins : WORDS_hardly_matters);
    if (reason == REASON_MATED) {
        const Subject missed = {document, explanation, .line = explanation->better.line, .is_named = true,
                                .left = &most};
        if (explanation_misses_mate_too(explanation)) say(STYLE_BAD, &missed, WORDS_misses_mate);
        say_cause(&whole);
    }
    say_mate(&whole);
    if (explanation->opposition.line != NULL)
        say(STYLE_NORMAL, &whole, is_good ? WORDS_takes_opposition : WORDS_opposition);
    if (is_good) say_check(&whole);
    if (is_good) say_merit(&whole);
    if (reason > REASON_MISSES_MATE) say_cause(&whole);
    const Subject reply = subject_of(&whole, whole.line, NULL, NULL);
    if (reason == REASON_LOSES_MATERIAL && explanation->reply_threat.branch.line != NULL)
        say(STYLE_NORMAL, &reply, WORDS_reply_threatens);
    say_motifs(&whole);
    if (reason == REASON_MISSES_MATE) say_cause(&whole);
    if (explanation->natural.line != NULL) say(STYLE_NORMAL, &whole, WORDS_natural);
    document_list_end(document);
    return most >= 0;
}

void sentences_write_achievement(Document *document, const Explanation *explanation, bool is_threat) {
    enum { SENTENCES = 2 };
    int left = SENTENCES;
    const Subject whole = {
        .document = document, .explanation = explanation, .line = explanation->played.line, .left = &left};
    const bool is_mated = explanation->mate > 0 && explanation->played.score < 0;
    WordsId id = is_threat ? WORDS_threatens_to_win : WORDS_can_win;
    if (explanation->mate > 0)
        id = is_mated ? WORDS_best_is_mated : is_threat ? WORDS_threatens_mate : WORDS_can_mate;
    else if (!is_threat && explanation_wins_back(explanation, &explanation->played))
        id = WORDS_can_win_back;
    say(is_threat || is_mated ? STYLE_BAD : STYLE_GOOD, &whole, id);
    say_mate(&whole);
    if (explanation->motif.won_at > 0) say_motifs(&whole); /* a mere capture says so itself */
}

const char *sentences_fact(Document *document, const Explanation *explanation, const FactReason *fact) {
    const Subject of = {
        .document = document, .explanation = explanation, .line = explanation->played.line, .fact = fact};
    return language_fill(document, document->language->words[WORDS_fact_standing], subject_text, &of);
}
