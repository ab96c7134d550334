#include "explain/words.h"

#include "base/bits.h"
#include "chess/makemove.h"
#include "explain/exchange.h"
#include "explain/mate_pattern.h"
#include "record/tree_view.h"
#include "search/score.h"

/* --- what was lost --- */

/* "a rook, two pawns", from the dearest down; "" where there are none. */
static const char *pieces_text(Document *document, const int count[PIECE_TYPE_COUNT]) {
    const char *list = "";
    int left = 0;
    for (int type = PAWN; type < KING; type++) left += count[type] > 0;
    for (int type = QUEEN; type >= PAWN; type--)
        if (count[type] > 0)
            list = language_join(document, list, language_count(document, (PieceType)type, count[type]),
                                 --left == 0);
    return list;
}

/* Pawns count only where no piece is lost, or where they are what is got for it. What is got for a piece is
 * not counted where no less is lost than that piece is worth. */
static LineLoss simplified(LineLoss loss) {
    const PieceType dearest = loss_dearest(&loss);
    if (dearest == KING || dearest == PAWN) return loss;
    loss.lost[PAWN] = 0;
    if (loss.net < exchange_points(dearest)) return loss;
    const bool has_gained = loss_gained(&loss) > 0;
    for (PieceType type = PAWN; type < KING; type++) {
        loss.gained[type] = 0;
        if (has_gained && type != dearest) loss.lost[type] = 0;
    }
    return loss;
}

static bool is_the_exchange(const LineLoss *loss) {
    return loss->lost[ROOK] == 1 && loss->lost[QUEEN] + loss->lost[KNIGHT] + loss->lost[BISHOP] == 0 &&
           loss->gained[KNIGHT] + loss->gained[BISHOP] == 1 && loss->gained[PAWN] == 0;
}

const char *words_loss(Document *document, const LineLoss *loss) {
    enum { QUEEN_GAIN = 8 }; /* points that a promotion to a queen adds */
    const char *const *words = document->language->words;
    const LineLoss simple = simplified(*loss);
    const PieceType dearest = loss_dearest(&simple);
    const bool queens = simple.lost_by_promotion >= QUEEN_GAIN;
    if (simple.lost_by_promotion > 0 && (dearest == PAWN || dearest == KING))
        return words[queens ? WORDS_new_queen : WORDS_new_piece];
    const char *gained = pieces_text(document, simple.gained), *lost = pieces_text(document, simple.lost);
    if (is_the_exchange(&simple))
        lost = words[WORDS_exchange];
    else if (gained[0] != '\0')
        lost = language_words(document, WORDS_lost_for,
                              FILL(FILL_TEXT("lost", lost), FILL_TEXT("gained", gained)));
    return queens ? language_words(document, WORDS_and_new_queen, FILL(FILL_TEXT("gain", lost))) : lost;
}

/* --- what placeholders stand for --- */

/* What a sentence is about: the line that shows the reason, or a motif on it (NULL: none). */
typedef struct Subject {
    Document *document;
    const Explanation *explanation;
    const Line *line;
    const Motif *motif;
    const FactReason *fact;
    bool is_named; /* the move, by a sentence before */
} Subject;

/* The piece that stands on a square, with its place or without. */
static const char *piece_text(const Subject *of, const Position *pos, Square square, bool with_square,
                              TextView form) {
    return language_piece(of->document, piece_type(position_piece_on(pos, square)),
                          with_square ? square : NO_SQUARE, form);
}

static const char *victims_text(const Subject *of, TextView form) {
    const Motif *motif = of->motif;
    const Position *stand = &of->line->board[motif->victims_at];
    const char *list = "";
    for (int i = 0; i < motif->victim_count; i++)
        list = language_join(of->document, list, piece_text(of, stand, motif->victim[i], true, form),
                             i + 1 == motif->victim_count);
    return list;
}

/* "24... Nf3+", the move of the line at `ply`. */
static const char *move_text(const Subject *of, int ply) {
    const Line *line = of->line;
    return language_line(of->document, &line->board[ply], &line->move[ply], 1, SIZE_MAX);
}

/* Pawns with one decimal, without a sign. */
static const char *pawns_text(Document *document, int units) {
    return document_text(document, "%.1f", int_abs(units) / (double)SCORE_UNITS_PER_PAWN);
}

static const char *text_of(const void *context, TextView name, TextView form, int64_t *number);

static const char *motif_text(const Subject *of, TextView name, TextView form) {
    const Motif *motif = of->motif;
    const Position *board = of->line->board, *stand = &board[motif->victims_at];
    const Square *victim = motif->victim;
    const Piece prey = position_captured_by(&board[motif->won_at], of->line->move[motif->won_at]);
    if (text_equals(name, "act")) return move_text(of, motif->ply);
    if (text_equals(name, "next")) return move_text(of, motif->ply + 2);
    if (text_equals(name, "attacker"))
        return piece_text(of, &board[motif->ply + 1], motif->piece, true, form);
    if (text_equals(name, "victims")) return victims_text(of, form);
    if (text_equals(name, "first")) return piece_text(of, stand, victim[0], true, form);
    if (text_equals(name, "second")) return piece_text(of, stand, victim[1], true, form);
    if (text_equals(name, "first_name")) return piece_text(of, stand, victim[0], false, form);
    if (text_equals(name, "first_square")) return language_square(of->document, victim[0]);
    if (text_equals(name, "prey")) return language_piece(of->document, piece_type(prey), NO_SQUARE, form);
    return NULL;
}

/* Of a cause: what the answer takes, and where. */
static const char *cause_text(const Subject *of, TextView name, TextView form) {
    const Line *line = of->line;
    const Square square = line->length > 1 ? move_to(line->move[1]) : NO_SQUARE;
    if (square == NO_SQUARE) return NULL;
    if (text_equals(name, "answer")) return move_text(of, 1);
    if (text_equals(name, "target")) return language_square(of->document, move_to(line->move[0]));
    if (text_equals(name, "mover"))
        return piece_text(of, &line->board[0], move_from(line->move[0]), false, form);
    if (text_equals(name, "lost")) return piece_text(of, &line->board[1], square, true, form);
    if (text_equals(name, "prey")) return piece_text(of, &line->board[1], square, false, form);
    if (text_equals(name, "prey_square")) return language_square(of->document, square);
    return NULL;
}

/* Of a fact: whose and where, and what it is worth. */
static const char *fact_text(const Subject *of, TextView name, TextView form) {
    Document *document = of->document;
    const FactReason *fact = of->fact;
    const Explanation *explanation = of->explanation;
    const int gap = explanation->better.score - explanation->played.score;
    const char *const *words = document->language->words;
    if (text_equals(name, "fact"))
        return language_fill(document, words[WORDS_fact_bishop_pair + fact->kind], text_of, of);
    if (text_equals(name, "how") && fact->ply > 0)
        return document_text(document, " (%s)", move_text(of, fact->ply));
    if (text_equals(name, "how")) return "";
    if (text_equals(name, "worth")) return pawns_text(document, int_min(fact->worth, gap));
    if (text_equals(name, "gap")) return pawns_text(document, gap);
    if (text_equals(name, "side")) return words[fact->side == WHITE ? WORDS_white : WORDS_black];
    if (text_equals(name, "file")) return document_text(document, "%c", 'a' + square_file(fact->square));
    if (text_equals(name, "piece"))
        return piece_text(of, &of->line->board[positional_last_ply(of->line)], fact->square, true, form);
    return NULL;
}

static const char *text_of(const void *context, TextView name, TextView form, int64_t *number) {
    const Subject *of = context;
    const Explanation *explanation = of->explanation;
    const Position *root = &explanation->played.line->board[0];
    const char *const *words = of->document->language->words;
    (void)number;
    if (of->motif != NULL) return motif_text(of, name, form);
    if (of->fact != NULL) {
        const char *text = fact_text(of, name, form);
        if (text != NULL) return text;
    }
    if (text_equals(name, "move"))
        return of->is_named ? words[WORDS_it] : language_san(of->document, root, explanation->played.move);
    if (text_equals(name, "throws"))
        return words[explanation->result.better == OUTCOME_WIN ? WORDS_throws_win : WORDS_gives_away];
    if (text_equals(name, "prefers"))
        return pawns_text(of->document, explanation->better.score - explanation->played.score);
    if (text_equals(name, "more"))
        return pawns_text(of->document, explanation->pass_score - explanation->played.score);
    if (text_equals(name, "less")) {
        enum { HARDLY = SCORE_UNITS_PER_PAWN / 20 };
        const bool is_same = explanation->played.score - explanation->pass_score < HARDLY;
        return language_fill(of->document, words[is_same ? WORDS_pass_same : WORDS_pass_less], text_of, of);
    }
    if (text_equals(name, "best")) return language_san(of->document, root, explanation->better.move);
    if (text_equals(name, "mate")) return document_text(of->document, "%d", explanation->mate);
    if (text_equals(name, "gain")) return words_loss(of->document, &explanation->material);
    if (text_equals(name, "end")) return move_text(of, of->line->length - 1);
    return cause_text(of, name, form);
}

/* --- one sentence each --- */

static void say(Style style, const Subject *of, WordsId id) {
    Document *document = of->document;
    document_sentence(document, style, language_fill(document, document->language->words[id], text_of, of));
}

/* Whether the side has pieces to develop, and the move is none of them. */
static bool develops_nothing(const Explanation *explanation) {
    enum { OPENING_MOVES = 12, AT_HOME = 2 };
    const Position *root = &explanation->played.line->board[0];
    const Bitboard home = fact_squares(FACT_undeveloped, root, root->side);
    return root->fullmove <= OPENING_MOVES && bits_count(home) >= AT_HOME &&
           !(home & square_bit(move_from(explanation->played.move))) &&
           move_kind(explanation->played.move) != CASTLING;
}

/* Of a good move also what it does for its side, or cannot prevent. */
static WordsId reason_words(const Explanation *explanation) {
    static const WordsId GOOD[][2] = {{WORDS_best, WORDS_good},
                                      {WORDS_best_mates, WORDS_good_mates},
                                      {WORDS_best_is_mated, WORDS_good_is_mated},
                                      {WORDS_best_wins, WORDS_good_wins}};
    static const WordsId BAD[] = {[REASON_MATED] = WORDS_is_mated,
                                  [REASON_MISSES_MATE] = WORDS_misses_mate,
                                  [REASON_STALEMATE] = WORDS_stalemate_later,
                                  [REASON_REPETITION] = WORDS_repetition,
                                  [REASON_PAWN_ENDING] = WORDS_pawn_ending_lost,
                                  [REASON_LOSES_MATERIAL] = WORDS_loses,
                                  [REASON_MISSES_MATERIAL] = WORDS_misses,
                                  [REASON_HARMS] = WORDS_harms,
                                  [REASON_IDLE] = WORDS_idle,
                                  [REASON_NONE] = WORDS_no_reason};
    const Reason reason = explanation->reason;
    const bool mates = explanation->mate > 0 && explanation->played.line->length % 2 == 1;
    const int achieved = mates ? 1 : explanation->mate > 0 ? 2 : explanation->material.net > 0 ? 3 : 0;
    if (reason_is_good(reason)) return GOOD[achieved][reason == REASON_GOOD];
    if (reason == REASON_STALEMATE && explanation->settled == 1) return WORDS_stalemate_now;
    if (reason == REASON_PAWN_ENDING && explanation->played.score > -SCORE_UNITS_PER_PAWN)
        return WORDS_pawn_ending_drawn;
    if (reason == REASON_LOSES_MATERIAL && loss_dearest(&explanation->material) >= KING)
        return WORDS_lets_promote;
    if (reason == REASON_IDLE && develops_nothing(explanation)) return WORDS_develops_nothing;
    return BAD[reason];
}

static MatePattern pattern_of(const Explanation *explanation) {
    const Line *line = reason_line(explanation);
    const bool mates = explanation->mate > 0 && line_is_mate(line, line->length);
    return mates ? mate_pattern_of(&line->board[line->length]) : MATE_PATTERN_NONE;
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
    const MatePattern pattern = pattern_of(of->explanation);
    if (pattern != MATE_PATTERN_NONE) say(STYLE_NORMAL, of, MATES[pattern]);
}

static void say_cause(const Subject *of) {
    static const WordsId CAUSES[] = {
        [CAUSE_POISONED] = WORDS_cause_poisoned,  [CAUSE_MOVED_INTO] = WORDS_cause_moved_into,
        [CAUSE_IGNORED] = WORDS_cause_ignored,    [CAUSE_UNGUARDED] = WORDS_cause_unguarded,
        [CAUSE_OPENED_LINE] = WORDS_cause_opened, [CAUSE_CLOSED_LINE] = WORDS_cause_closed};
    const CauseKind cause = of->explanation->cause;
    if (cause != CAUSE_NONE) say(STYLE_NORMAL, of, CAUSES[cause]);
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
    [MOTIF_REMOVED_GUARD] = {.line = WORDS_removed_guard},
    [MOTIF_OVERLOADED] = {.line = WORDS_overloaded},
    [MOTIF_DEFLECTION] = {.line = WORDS_deflection},
    [MOTIF_INTERFERENCE] = {.line = WORDS_interference},
    [MOTIF_PINNED] = {.at_once = WORDS_pin},
    [MOTIF_PINNED_TO] = {.at_once = WORDS_relative_pin},
    [MOTIF_PINNED_GUARD] = {.line = WORDS_pinned_guard, .at_once = WORDS_pinned_guard},
    [MOTIF_PROMOTION] = {.forced = WORDS_promotion_later, .at_once = WORDS_promotion_now},
    [MOTIF_UNDEFENDED] = {.at_once = WORDS_undefended},
    [MOTIF_OUTNUMBERED] = {.at_once = WORDS_outnumbered}};

static WordsId motif_words(const Subject *of) {
    const Motif *motif = of->motif;
    const Position *after = &of->line->board[motif->ply + 1];
    const Square victim = motif->victim_count > 0 ? motif->victim[0] : motif->piece;
    const Bitboard attackers = position_attackers(after, victim, position_occupied(after));
    if (motif->kind == MOTIF_TRAPPED && (attackers & square_bit(motif->piece)))
        return motif->forced ? WORDS_trapped_attacked_forced : WORDS_trapped_attacked_line;
    if (motif->kind <= MOTIF_DISCOVERED_CHECK && piece_type(position_piece_on(after, victim)) == KING)
        return motif->kind == MOTIF_DOUBLE_CHECK ? WORDS_double_check : WORDS_discovered_check;
    if (motif->won_at == motif->ply) return MOTIFS[motif->kind].at_once;
    return motif->forced ? MOTIFS[motif->kind].forced : MOTIFS[motif->kind].line;
}

static void say_motif(const Subject *of, const Motif *motif) {
    const Subject own = {
        .document = of->document, .explanation = of->explanation, .line = of->line, .motif = motif};
    if (motif->kind != MOTIF_NONE) say(STYLE_NORMAL, &own, motif_words(&own));
}

/* The result that the move changes, unless the reason says so. */
static bool say_result(const Subject *of) {
    static const WordsId DRAWS[] = {[DRAW_PERPETUAL] = WORDS_misses_perpetual,
                                    [DRAW_REPETITION] = WORDS_misses_repetition,
                                    [DRAW_STALEMATE] = WORDS_misses_stalemate,
                                    [DRAW_MATERIAL] = WORDS_misses_dead_draw};
    const Result *result = &of->explanation->result;
    const Reason reason = of->explanation->reason;
    if (result->better == OUTCOME_OPEN || reason < REASON_PAWN_ENDING) return false;
    if (result->better == OUTCOME_DRAW)
        say(STYLE_BAD, of, DRAWS[result->draw]);
    else if (result->played == OUTCOME_LOSS)
        say(STYLE_BAD, of, WORDS_win_to_loss);
    else
        say(STYLE_BAD, of,
            of->explanation->played.score == SCORE_DRAW ? WORDS_win_to_draw : WORDS_win_to_level);
    return true;
}

/* Facts that are proved, two at most. */
static void say_facts(const Subject *of) {
    static const WordsId SENTENCES[][2] = {{WORDS_fact_played, WORDS_fact_better},
                                           {WORDS_fact_also, WORDS_fact_also_better}};
    const Explanation *explanation = of->explanation;
    for (int i = 0; i < explanation->fact_count && explanation->fact[i].refusal == FACT_PROVED; i++) {
        const FactReason *fact = &explanation->fact[i];
        const Line *line = fact->on_better ? explanation->better.line : explanation->played.line;
        const Subject own = {
            .document = of->document, .explanation = explanation, .line = line, .fact = fact};
        say(i == 0 ? STYLE_BAD : STYLE_NORMAL, &own, SENTENCES[i][fact->on_better]);
    }
}

/* Whether the reply is the same as to a pass. */
static bool meets_nothing(const Explanation *explanation) {
    const Line *line = explanation->played.line;
    return line->length > 1 && line->move[1] == explanation->pass_reply;
}

/* The answer in sentences. */
static void say_all(Document *document, const Explanation *explanation) {
    Subject whole = {.document = document, .explanation = explanation, .line = reason_line(explanation)};
    const bool is_good = reason_is_good(explanation->reason);
    const Motif *first = &explanation->motif, *second = &explanation->also;
    const bool is_earlier = second->kind != MOTIF_NONE && second->ply < first->ply;
    document_list(document, "words");
    whole.is_named = say_result(&whole);
    if (explanation->reason != REASON_FACT && !(whole.is_named && explanation->reason >= REASON_HARMS))
        say(is_good ? STYLE_GOOD : STYLE_BAD, &whole, reason_words(explanation));
    say_mate(&whole);
    if (!is_good && explanation->loss < REASON_GOOD_LOSS) say(STYLE_NORMAL, &whole, WORDS_hardly_matters);
    if (explanation->reason == REASON_FACT) say_facts(&whole);
    if (explanation->reason == REASON_IDLE && !whole.is_named && meets_nothing(explanation))
        say(STYLE_NORMAL, &whole, WORDS_idle_answer);
    say_cause(&whole);
    say_motif(&whole, is_earlier ? second : first);
    say_motif(&whole, is_earlier ? first : second);
    document_list_end(document);
}

/* --- the lines --- */

static void write_line(Document *document, const Explanation *explanation, bool is_better) {
    enum { BEFORE_MOVES = 20 };
    const Line *line = is_better ? explanation->better.line : explanation->played.line;
    const int score = is_better ? explanation->better.score : explanation->played.score;
    const int count = explanation->settled > 0 ? int_min(explanation->settled, line->length) : line->length;
    const size_t room = document->width > BEFORE_MOVES ? document->width - BEFORE_MOVES : document->width;
    document_moves(document, is_better ? "better" : "line", &line->board[0], line->move, line->length);
    if (is_better && explanation->better.move == explanation->played.move) return;
    document_cell(document, is_better ? STYLE_GOOD : STYLE_BAD, -9, "%s",
                  document->language->words[is_better ? WORDS_line_better : WORDS_line_played]);
    document_cell(document, STYLE_NORMAL, 6, "%s",
                  language_white_score(document, score, line->board[0].side));
    document_cell(document, STYLE_NORMAL, 0, "  %s",
                  language_line(document, &line->board[0], line->move, count, room));
    document_row(document);
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

static void write_fact_reason(Document *document, const Explanation *explanation, const FactReason *fact) {
    const Line *line = fact->on_better ? explanation->better.line : explanation->played.line;
    document_object(document, NULL);
    document_string(document, "kind", fact_name(fact->kind));
    document_string(document, "side", color_name(fact->side));
    document_string(document, "square", language_square(document, fact->square));
    document_string(document, "line", fact->on_better ? "better" : "line");
    document_int(document, "ply", fact->ply);
    document_string(document, "refused", fact->refusal == FACT_PROVED ? NULL : refusal_name(fact->refusal));
    document_int(document, "worth", score_to_centipawns(fact->worth));
    document_list(document, "edits");
    for (int i = 0; i < fact->edit_count; i++) {
        const EditedBoard *edit = &fact->edit[i];
        Position edited = line->board[edit->ply];
        (void)fact_edit(fact->kind, &edited, fact->side, edit->square);
        document_object(document, NULL);
        document_int(document, "ply", edit->ply);
        document_int(document, "before", score_to_centipawns(edit->before));
        document_int(document, "after", score_to_centipawns(edit->after));
        document_fen(document, &edited);
        document_object_end(document);
    }
    document_list_end(document);
    document_object_end(document);
}

static void write_positional(Document *document, const Explanation *explanation) {
    if (explanation->pass_reply != MOVE_NONE) {
        Position passed = explanation->played.line->board[0];
        Undo undo;
        position_make_null(&passed, &undo);
        document_object(document, "pass");
        document_int(document, "cp", score_to_centipawns(explanation->pass_score));
        document_move(document, "reply", &passed, explanation->pass_reply);
        document_object_end(document);
    }
    if (explanation->fact_count == 0) return;
    document_list(document, "facts");
    for (int i = 0; i < explanation->fact_count; i++)
        write_fact_reason(document, explanation, &explanation->fact[i]);
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

static void write_facts(Document *document, const Explanation *explanation) {
    const MatePattern pattern = pattern_of(explanation);
    write_result(document, &explanation->result);
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
    if (explanation->cause != CAUSE_NONE) document_string(document, "cause", cause_name(explanation->cause));
    write_motif(document, "motif", &explanation->motif);
    write_motif(document, "also", &explanation->also);
    write_positional(document, explanation);
}

/* --- the whole --- */

void words_write(Document *document, const Explanation *explanation, bool with_search) {
    const Position *root = &explanation->played.line->board[0];
    with_search |= document->form == DOCUMENT_JSON;
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
    say_all(document, explanation);
    write_facts(document, explanation);
    document_row(document);
    write_line(document, explanation, false);
    write_line(document, explanation, true);
    if (explanation->better.move != explanation->played.move)
        language_write(document, STYLE_NORMAL, WORDS_share_lost,
                       FILL(FILL_TEXT("percent", document_text(document, "%.1f", 100 * explanation->loss))));
    if (with_search) story_write(document, &explanation->story, explanation->recording, root);
    without_write(document, explanation->without, explanation->without_count, root);
    if (with_search || explanation->without_count > 1)
        without_write_totals(document, &explanation->recording->totals);
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
