#include "explain/words.h"

#include "engine/lines.h"
#include "explain/exchange.h"
#include "explain/mate_pattern.h"
#include "explain/tree_svg.h"
#include "search/score.h"

/* --- what was lost --- */

static void append_count(TextBuffer *out, const Language *language, PieceType type, int count) {
    static const WordsId NUMBERS[] = {WORDS_two, WORDS_three, WORDS_four, WORDS_five,
                                      WORDS_six, WORDS_seven, WORDS_eight};
    if (count == 1) {
        buffer_append_string(out, language->pieces[type][FORM_ONE]);
        return;
    }
    const Filling number = {.name = "count", .text = language->words[NUMBERS[int_min(count, 8) - 2]]};
    language_fill_rows(out, language->pieces[type][FORM_MANY], &number, 1);
}

/* "a rook, two pawns", from the dearest down; returns whether there are any. */
static bool append_pieces(TextBuffer *out, const Language *language, const int count[PIECE_TYPE_COUNT]) {
    TextBuffer list = {0}, item = {0};
    int left = 0;
    for (int type = PAWN; type < KING; type++) left += count[type] > 0;
    const bool any = left > 0;
    for (int type = QUEEN; type >= PAWN; type--) {
        if (count[type] == 0) continue;
        buffer_clear(&item);
        append_count(&item, language, (PieceType)type, count[type]);
        language_append_to_list(&list, language, buffer_string(&item), --left == 0);
    }
    buffer_append(out, buffer_view(&list));
    out->failed |= list.failed || item.failed;
    buffer_release(&list);
    buffer_release(&item);
    return any;
}

static bool is_the_exchange(const LineLoss *loss) {
    return loss->net == 2 && loss->lost[ROOK] == 1 && loss->gained[KNIGHT] + loss->gained[BISHOP] == 1 &&
           loss->lost[PAWN] + loss->gained[PAWN] == 0;
}

void words_append_loss(TextBuffer *out, const Language *language, const LineLoss *loss) {
    TextBuffer lost = {0}, gained = {0};
    if (is_the_exchange(loss)) {
        buffer_append_string(out, language->words[WORDS_exchange]);
        return;
    }
    if (!append_pieces(&lost, language, loss->lost))
        language_append(&lost, language, WORDS_points, &(Filling){.name = "count", .number = loss->net}, 1);
    if (append_pieces(&gained, language, loss->gained))
        language_append(out, language, WORDS_lost_for,
                        (Filling[]){{.name = "lost", .text = buffer_string(&lost)},
                                    {.name = "gained", .text = buffer_string(&gained)}},
                        2);
    else
        buffer_append(out, buffer_view(&lost));
    out->failed |= lost.failed || gained.failed;
    buffer_release(&lost);
    buffer_release(&gained);
}

/* --- what placeholders stand for --- */

/* Of a sentence about an explanation: `line` shows the reason; `motif` may be NULL. */
typedef struct Telling {
    const Language *language;
    const Explanation *explanation;
    const Line *line;
    const Motif *motif;
} Telling;

/* "a knight for a pawn, and White gets a new queen" */
static void append_gain(TextBuffer *out, const Telling *telling) {
    enum { QUEEN_GAIN = 8 }; /* points that a promotion to a queen adds */
    const LineLoss *material = &telling->explanation->material;
    const bool loses = telling->explanation->reason == REASON_LOSES_MATERIAL;
    const Color us = telling->line->board[0].side, winner = loses ? color_other(us) : us;
    TextBuffer gain = {0};
    words_append_loss(&gain, telling->language, material);
    if (material->promoted[winner] > 0)
        language_append(
            out, telling->language,
            material->promoted[winner] < QUEEN_GAIN ? WORDS_and_new_piece : WORDS_and_new_queen,
            (Filling[]){{.name = "gain", .text = buffer_string(&gain)},
                        {.name = "side",
                         .text = telling->language->words[winner == WHITE ? WORDS_white : WORDS_black]}},
            2);
    else
        buffer_append(out, buffer_view(&gain));
    out->failed |= gain.failed;
    buffer_release(&gain);
}

/* The board on which victim `index` of a motif stands. */
static const Position *board_of(const Telling *telling, int index) {
    const Line *line = telling->line;
    const int ply = telling->motif->ply;
    switch (telling->motif->kind) {
    case MOTIF_REMOVED_GUARD:
    case MOTIF_OVERLOADED: return &line->board[ply];
    case MOTIF_DEFLECTION: return &line->board[ply + (index == 0)];
    case MOTIF_ATTRACTION: return &line->board[ply + 2];
    case MOTIF_PINNED:
    case MOTIF_PINNED_TO: return &line->board[telling->motif->won_at];
    default: return &line->board[ply + 1];
    }
}

static void append_piece_on(TextBuffer *out, const Telling *telling, const Position *pos, Square square,
                            TextView form) {
    language_append_piece(out, telling->language, piece_type(position_piece_on(pos, square)), square, form);
}

static void append_type(TextBuffer *out, const Telling *telling, const Position *pos, Square square,
                        TextView form) {
    language_append_piece(out, telling->language, piece_type(position_piece_on(pos, square)), NO_SQUARE,
                          form);
}

static void append_victims(TextBuffer *out, const Telling *telling, TextView form) {
    const Motif *motif = telling->motif;
    TextBuffer list = {0}, item = {0};
    for (int i = 0; i < motif->victim_count; i++) {
        buffer_clear(&item);
        append_piece_on(&item, telling, board_of(telling, i), motif->victim[i], form);
        language_append_to_list(&list, telling->language, buffer_string(&item), i + 1 == motif->victim_count);
    }
    buffer_append(out, buffer_view(&list));
    out->failed |= list.failed || item.failed;
    buffer_release(&list);
    buffer_release(&item);
}

/* "24... Nf3+", the move of the line at `ply`. */
static void append_move(TextBuffer *out, const Telling *telling, int ply) {
    const Line *line = telling->line;
    language_append_line(out, telling->language, &line->board[ply], &line->move[ply], 1, SIZE_MAX);
}

static bool fill_motif(const Telling *telling, TextView name, TextView form, TextBuffer *out) {
    const Motif *motif = telling->motif;
    const Line *line = telling->line;
    if (text_equals(name, "act"))
        append_move(out, telling, motif->ply);
    else if (text_equals(name, "next"))
        append_move(out, telling, motif->ply + 2);
    else if (text_equals(name, "attacker"))
        append_piece_on(out, telling, &line->board[motif->ply + 1], motif->piece, form);
    else if (text_equals(name, "victims"))
        append_victims(out, telling, form);
    else if (text_equals(name, "first"))
        append_piece_on(out, telling, board_of(telling, 0), motif->victim[0], form);
    else if (text_equals(name, "second"))
        append_piece_on(out, telling, board_of(telling, 1), motif->victim[1], form);
    else if (text_equals(name, "first_name"))
        append_type(out, telling, board_of(telling, 0), motif->victim[0], form);
    else if (text_equals(name, "first_square"))
        language_append_square(out, motif->victim[0]);
    else if (text_equals(name, "prey"))
        language_append_piece(
            out, telling->language,
            piece_type(position_captured_by(&line->board[motif->won_at], line->move[motif->won_at])),
            NO_SQUARE, form);
    else
        return false;
    return true;
}

/* Of a cause: what the answer takes, and where. */
static bool fill_cause(const Telling *telling, TextView name, TextView form, TextBuffer *out) {
    const Line *line = telling->line;
    const Square square = line->length > 1 ? move_to(line->move[1]) : NO_SQUARE;
    if (square == NO_SQUARE) return false;
    if (text_equals(name, "answer"))
        append_move(out, telling, 1);
    else if (text_equals(name, "target"))
        language_append_square(out, move_to(line->move[0]));
    else if (text_equals(name, "mover"))
        append_type(out, telling, &line->board[0], move_from(line->move[0]), form);
    else if (text_equals(name, "lost"))
        append_piece_on(out, telling, &line->board[1], square, form);
    else if (text_equals(name, "prey"))
        append_type(out, telling, &line->board[1], square, form);
    else if (text_equals(name, "prey_square"))
        language_append_square(out, square);
    else
        return false;
    return true;
}

static bool fill(void *context, TextView name, TextView form, TextBuffer *out, int64_t *number) {
    const Telling *telling = context;
    const Explanation *explanation = telling->explanation;
    const Position *root = &explanation->refutation->board[0];
    if (telling->motif != NULL) return fill_motif(telling, name, form, out);
    if (text_equals(name, "move")) {
        language_append_san(out, telling->language, root, explanation->move);
    } else if (text_equals(name, "best")) {
        language_append_san(out, telling->language, root, explanation->best);
    } else if (text_equals(name, "mate")) {
        *number = explanation->mate;
        buffer_append_format(out, "%d", explanation->mate);
    } else if (text_equals(name, "gain")) {
        append_gain(out, telling);
    } else if (text_equals(name, "end")) {
        append_move(out, telling, telling->line->length - 1);
    } else {
        return fill_cause(telling, name, form, out);
    }
    return true;
}

/* --- one sentence each --- */

static void say(Document *document, Style style, const Telling *telling, WordsId id) {
    TextBuffer sentence = {0};
    Telling context = *telling;
    language_fill(&sentence, telling->language->words[id], fill, &context);
    document_sentence(document, style, buffer_string(&sentence));
    document->out->failed |= sentence.failed;
    buffer_release(&sentence);
}

/* The line that shows the reason. */
static const Line *telling_line(const Explanation *explanation) {
    const bool better =
        explanation->reason == REASON_MISSES_MATERIAL || explanation->reason == REASON_MISSES_MATE;
    return better ? explanation->better : explanation->refutation;
}

/* Of a good move also what it does for its side, or cannot prevent. */
static WordsId reason_words(const Explanation *explanation) {
    static const WordsId GOOD[][2] = {{WORDS_best, WORDS_good},
                                      {WORDS_best_mates, WORDS_good_mates},
                                      {WORDS_best_is_mated, WORDS_good_is_mated},
                                      {WORDS_best_wins, WORDS_good_wins}};
    const bool mates = explanation->mate > 0 && explanation->refutation->length % 2 == 1;
    const int achieved = mates ? 1 : explanation->mate > 0 ? 2 : explanation->material.net > 0 ? 3 : 0;
    switch (explanation->reason) {
    case REASON_BEST: return GOOD[achieved][0];
    case REASON_GOOD: return GOOD[achieved][1];
    case REASON_MATED: return WORDS_is_mated;
    case REASON_MISSES_MATE: return WORDS_misses_mate;
    case REASON_STALEMATE: return explanation->settled == 1 ? WORDS_stalemate_now : WORDS_stalemate_later;
    case REASON_REPETITION: return WORDS_repetition;
    case REASON_LOSES_MATERIAL: return WORDS_loses;
    case REASON_MISSES_MATERIAL: return WORDS_misses;
    case REASON_VALUE: break;
    }
    return WORDS_value;
}

static MatePattern pattern_of(const Explanation *explanation) {
    const Line *line = telling_line(explanation);
    const bool mates = explanation->mate > 0 && line_is_mate(line, line->length);
    return mates ? mate_pattern_of(&line->board[line->length]) : MATE_PATTERN_NONE;
}

static void say_mate(Document *document, const Telling *telling) {
    static const WordsId MATES[MATE_PATTERN_COUNT] = {[MATE_SMOTHERED] = WORDS_mate_smothered,
                                                      [MATE_BACK_RANK] = WORDS_mate_back_rank,
                                                      [MATE_ARABIAN] = WORDS_mate_arabian,
                                                      [MATE_HOOK] = WORDS_mate_hook,
                                                      [MATE_ANASTASIA] = WORDS_mate_anastasia,
                                                      [MATE_BODEN] = WORDS_mate_boden,
                                                      [MATE_DOUBLE_BISHOP] = WORDS_mate_double_bishop,
                                                      [MATE_DOVETAIL] = WORDS_mate_dovetail};
    const MatePattern pattern = pattern_of(telling->explanation);
    if (pattern != MATE_PATTERN_NONE) say(document, STYLE_NORMAL, telling, MATES[pattern]);
}

static void say_cause(Document *document, const Telling *telling) {
    static const WordsId CAUSES[] = {
        [CAUSE_POISONED] = WORDS_cause_poisoned,  [CAUSE_MOVED_INTO] = WORDS_cause_moved_into,
        [CAUSE_IGNORED] = WORDS_cause_ignored,    [CAUSE_UNGUARDED] = WORDS_cause_unguarded,
        [CAUSE_OPENED_LINE] = WORDS_cause_opened, [CAUSE_CLOSED_LINE] = WORDS_cause_closed};
    const CauseKind cause = telling->explanation->cause;
    if (cause != CAUSE_NONE) say(document, STYLE_NORMAL, telling, CAUSES[cause]);
}

/* Checks that a piece uncovers, on the way to a mate or to a victim. */
static WordsId check_words(const Telling *telling) {
    static const WordsId CHECKS[][4] = {
        {WORDS_double_check, WORDS_double_check_takes, WORDS_double_check_forced, WORDS_double_check_line},
        {WORDS_discovered_check, WORDS_discovered_check_takes, WORDS_discovered_check_forced,
         WORDS_discovered_check_line}};
    const Motif *motif = telling->motif;
    const WordsId *words = CHECKS[motif->kind == MOTIF_DISCOVERED_CHECK];
    const Piece victim = position_piece_on(&telling->line->board[motif->ply + 1], motif->victim[0]);
    if (piece_type(victim) == KING) return words[0];
    return words[motif->won_at == motif->ply ? 1 : motif->forced ? 2 : 3];
}

static WordsId trapped_words(const Telling *telling) {
    const Motif *motif = telling->motif;
    const Position *after = &telling->line->board[motif->ply + 1];
    const Bitboard attackers = position_attackers(after, motif->victim[0], position_occupied(after));
    if (attackers & square_bit(motif->piece))
        return motif->forced ? WORDS_trapped_attacked_forced : WORDS_trapped_attacked_line;
    return motif->forced ? WORDS_trapped_left_forced : WORDS_trapped_left_line;
}

static WordsId motif_words(const Telling *telling) {
    const Motif *motif = telling->motif;
    switch (motif->kind) {
    case MOTIF_DOUBLE_CHECK:
    case MOTIF_DISCOVERED_CHECK: return check_words(telling);
    case MOTIF_DISCOVERED_ATTACK:
        return motif->forced ? WORDS_discovered_attack_forced : WORDS_discovered_attack_line;
    case MOTIF_FORK: return motif->forced ? WORDS_fork_forced : WORDS_fork_line;
    case MOTIF_SKEWER: return motif->forced ? WORDS_skewer_forced : WORDS_skewer_line;
    case MOTIF_TRAPPED: return trapped_words(telling);
    case MOTIF_ATTRACTION: return WORDS_attraction;
    case MOTIF_REMOVED_GUARD: return WORDS_removed_guard;
    case MOTIF_OVERLOADED: return WORDS_overloaded;
    case MOTIF_DEFLECTION: return WORDS_deflection;
    case MOTIF_INTERFERENCE: return WORDS_interference;
    case MOTIF_PINNED: return WORDS_pin;
    case MOTIF_PINNED_TO: return WORDS_relative_pin;
    case MOTIF_PINNED_GUARD: return WORDS_pinned_guard;
    case MOTIF_PROMOTION: return motif->won_at == motif->ply ? WORDS_promotion_now : WORDS_promotion_later;
    case MOTIF_UNDEFENDED: return WORDS_undefended;
    default: return WORDS_outnumbered;
    }
}

static void say_motif(Document *document, const Telling *telling, const Motif *motif) {
    const Telling of_motif = {telling->language, telling->explanation, telling->line, motif};
    if (motif->kind != MOTIF_NONE) say(document, STYLE_NORMAL, &of_motif, motif_words(&of_motif));
}

/* The answer in sentences. */
static void say_all(Document *document, const Language *language, const Explanation *explanation) {
    const Telling telling = {language, explanation, telling_line(explanation), NULL};
    const bool is_good = explanation->reason == REASON_BEST || explanation->reason == REASON_GOOD;
    const Motif *first = &explanation->motif, *second = &explanation->also;
    const bool is_earlier = second->kind != MOTIF_NONE && second->ply < first->ply;
    document_list(document, "words");
    say(document, is_good ? STYLE_GOOD : STYLE_BAD, &telling, reason_words(explanation));
    say_mate(document, &telling);
    if (!is_good && explanation->loss < REASON_GOOD_LOSS)
        say(document, STYLE_NORMAL, &telling, WORDS_hardly_matters);
    say_cause(document, &telling);
    say_motif(document, &telling, is_earlier ? second : first);
    say_motif(document, &telling, is_earlier ? first : second);
    document_list_end(document);
}

/* --- the lines --- */

static void write_line(Document *document, const Language *language, const Explanation *explanation,
                       bool is_better) {
    enum { BEFORE_MOVES = 20 };
    const Line *line = is_better ? explanation->better : explanation->refutation;
    TextBuffer score = {0}, moves = {0};
    document_moves(document, is_better ? "better" : "line", &line->board[0], line->move, line->length);
    if (is_better && explanation->best == explanation->move) return;
    lines_append_score(&score, is_better ? explanation->best_score : explanation->score, line->board[0].side);
    const int count = explanation->settled > 0 ? int_min(explanation->settled, line->length) : line->length;
    language_append_line(&moves, language, &line->board[0], line->move, count,
                         document->width > BEFORE_MOVES ? document->width - BEFORE_MOVES : document->width);
    document_cell(document, is_better ? STYLE_GOOD : STYLE_BAD, -9, "%s",
                  language->words[is_better ? WORDS_line_better : WORDS_line_played]);
    document_cell(document, STYLE_NORMAL, 6, "%s", buffer_string(&score));
    document_cell(document, STYLE_NORMAL, 0, "  %s", buffer_string(&moves));
    document_row(document);
    document->out->failed |= score.failed || moves.failed;
    buffer_release(&score);
    buffer_release(&moves);
}

/* Centipawns for a colour. */
static int worth_for(int units, Color side, Color color) {
    return score_to_centipawns(side == color ? units : -units);
}

/* What the network says at the end of a line: in text as White sees it, from h8 on; in JSON for the side to
 * move at the root, by square. */
static void write_values(Document *document, const Language *language, WordsId title, const char *name,
                         const Line *line, const Inspection *end) {
    const Position *pos = &line->board[line->length];
    const Color us = line->board[0].side;
    TextBuffer text = {0};
    document_object(document, name);
    document_int(document, "cp", worth_for(end->value, pos->side, us));
    document_object(document, "pieces");
    for (int square = SQUARE_COUNT - 1; square >= 0; square--) {
        if (!end->has_worth[square]) continue;
        const char at[] = {(char)('a' + square_file((Square)square)),
                           (char)('1' + square_rank((Square)square)), '\0'};
        document_int(document, at, worth_for(end->worth[square], pos->side, us));
        buffer_append_format(&text, "%s%c%s %+.2f", text.length > 0 ? ", " : "",
                             language_piece_letter(language, position_piece_on(pos, (Square)square)), at,
                             worth_for(end->worth[square], pos->side, WHITE) / 100.0);
    }
    document_object_end(document);
    document_object_end(document);
    document_cell(document, STYLE_NORMAL, 0, "%s %+.2f:", language->words[title],
                  worth_for(end->value, pos->side, WHITE) / 100.0);
    document_put(document, STYLE_NORMAL, 4, buffer_string(&text));
    document_row(document);
    document->out->failed |= text.failed;
    buffer_release(&text);
}

static void write_value(Document *document, const Language *language, const Explanation *explanation) {
    document_object(document, "value");
    document_row(document);
    document_put(document, STYLE_STRONG, 0, language->words[WORDS_values_title]);
    document_row(document);
    write_values(document, language, WORDS_line_played, "played", explanation->refutation,
                 &explanation->played_end);
    write_values(document, language, WORDS_line_better, "better", explanation->better,
                 &explanation->better_end);
    document_object_end(document);
}

/* --- facts for programs --- */

static void write_pieces(Document *document, const char *name, const int count[PIECE_TYPE_COUNT]) {
    static const char *const NAMES[] = {"pawn", "knight", "bishop", "rook", "queen"};
    document_object(document, name);
    for (int type = PAWN; type < KING; type++)
        if (count[type] > 0) document_int(document, NAMES[type], count[type]);
    document_object_end(document);
}

static void write_square(Document *document, const char *name, Square square) {
    TextBuffer text = {0};
    language_append_square(&text, square);
    document_string(document, name, buffer_string(&text));
    buffer_release(&text);
}

static void write_motif(Document *document, const char *name, const Motif *motif) {
    if (motif->kind == MOTIF_NONE) return;
    document_object(document, name);
    document_string(document, "kind", motif_name(motif->kind));
    document_int(document, "ply", motif->ply);
    document_int(document, "won_at", motif->won_at);
    document_bool(document, "forced", motif->forced);
    write_square(document, "piece", motif->piece);
    document_list(document, "victims");
    for (int i = 0; i < motif->victim_count; i++) write_square(document, NULL, motif->victim[i]);
    document_list_end(document);
    document_object_end(document);
}

static void write_facts(Document *document, const Explanation *explanation) {
    const MatePattern pattern = pattern_of(explanation);
    if (explanation->mate > 0) document_int(document, "mate", explanation->mate);
    if (pattern != MATE_PATTERN_NONE) document_string(document, "mate_pattern", mate_pattern_name(pattern));
    if (explanation->settled >= 0) document_int(document, "settled", explanation->settled);
    if (explanation->material.net > 0) {
        document_object(document, "material");
        document_int(document, "points", explanation->material.net);
        write_pieces(document, "lost", explanation->material.lost);
        write_pieces(document, "gained", explanation->material.gained);
        document_object_end(document);
    }
    if (explanation->cause != CAUSE_NONE) document_string(document, "cause", cause_name(explanation->cause));
    write_motif(document, "motif", &explanation->motif);
    write_motif(document, "also", &explanation->also);
}

/* --- the whole --- */

static void write_share_lost(Document *document, const Language *language, double loss) {
    TextBuffer sentence = {0};
    char percent[16];
    text_format(percent, sizeof percent, "%.1f", 100 * loss);
    language_append(&sentence, language, WORDS_share_lost, &(Filling){.name = "percent", .text = percent}, 1);
    document_put(document, STYLE_NORMAL, 0, buffer_string(&sentence));
    document_row(document);
    buffer_release(&sentence);
}

void words_write(Document *document, const Language *language, const Explanation *explanation,
                 bool with_search) {
    const Position *root = &explanation->refutation->board[0];
    with_search |= document->form == DOCUMENT_JSON;
    document_object(document, NULL);
    document_int(document, "schema", EXPLAIN_SCHEMA);
    document_fen(document, root);
    document_move(document, "move", root, explanation->move);
    document_move(document, "best", root, explanation->best);
    document_score(document, "score", explanation->score);
    document_score(document, "best_score", explanation->best_score);
    document_real(document, "loss", explanation->loss, 4);
    document_int(document, "depth", explanation->depth);
    document_int(document, "nodes", (int64_t)explanation->nodes);
    document_string(document, "reason", reason_name(explanation->reason));
    say_all(document, language, explanation);
    write_facts(document, explanation);
    document_row(document);
    write_line(document, language, explanation, false);
    write_line(document, language, explanation, true);
    if (explanation->best != explanation->move) write_share_lost(document, language, explanation->loss);
    if (explanation->reason == REASON_VALUE) write_value(document, language, explanation);
    if (with_search) story_write(document, language, &explanation->story, explanation->recording, root);
    without_write(document, language, explanation->without, explanation->without_count, root);
    if (with_search || explanation->without_count > 1)
        without_write_totals(document, language, &explanation->recording->totals);
    document_object_end(document);
}

Status words_append_svg(TextBuffer *out, const Language *language, const Explanation *explanation) {
    enum { ROWS = 60 };
    const Story *story = &explanation->story;
    const Position *root = &explanation->refutation->board[0];
    Tree tree;
    if (story->node_count < 2) {
        tree_append_svg(out, language, root, NULL, 0);
        return status_ok();
    }
    const Status status =
        tree_build(explanation->recording, root, story->node[1].visit, (TreeSize){.rows = ROWS}, &tree);
    if (!status_is_ok(&status)) return status;
    const Visit *visit = &explanation->recording->visit[story->node[1].visit];
    tree.found = (Finding){explanation->move, -visit->score, visit->iteration, visit->nodes};
    tree_append_svg(out, language, root, &tree, 1);
    tree_release(&tree);
    return status;
}
