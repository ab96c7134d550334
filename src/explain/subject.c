#include "explain/subject.h"

#include "base/bits.h"
#include "explain/exchange.h"
#include "explain/loss_words.h"

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

static const char *motif_text(const Subject *of, TextView name, TextView form) {
    const Motif *motif = of->motif;
    const Position *board = of->line->board, *stand = &board[motif->victims_at];
    const Square *victim = motif->victim;
    const Piece prey = position_captured_by(&board[motif->won_at], of->line->move[motif->won_at]);
    if (text_equals(name, "act")) return move_text(of, motif->ply);
    if (text_equals(name, "next")) return move_text(of, motif->ply + 2);
    if (text_equals(name, "attacker"))
        return piece_text(of, &board[motif->ply + 1], motif->piece, true, form);
    if (text_equals(name, "both"))
        return of->document->language->words[motif->victim_count > 2 ? WORDS_all_of_them : WORDS_both];
    if (text_equals(name, "victims")) return victims_text(of, form);
    if (text_equals(name, "first")) return piece_text(of, stand, victim[0], true, form);
    if (text_equals(name, "second")) return piece_text(of, stand, victim[1], true, form);
    if (text_equals(name, "first_name")) return piece_text(of, stand, victim[0], false, form);
    if (text_equals(name, "first_square")) return language_square(of->document, victim[0]);
    if (text_equals(name, "prey")) return language_piece(of->document, piece_type(prey), NO_SQUARE, form);
    if (text_equals(name, "taker"))
        return piece_text(of, &board[motif->won_at], move_from(of->line->move[motif->won_at]), false, form);
    if (text_equals(name, "new")) {
        const PieceType type = move_promotion(of->line->move[motif->won_at]);
        return type == QUEEN ? of->document->language->words[WORDS_new_queen]
                             : language_count(of->document, type, 1);
    }
    return NULL;
}

/* The pieces that take back on one square. */
static const char *guards_text(const Subject *of, TextView form) {
    const char *list = "";
    const int last = of->explanation->capture;
    for (int ply = 1; ply <= last; ply += 2) {
        const Square from = move_from(of->line->move[ply]);
        list = language_join(of->document, list, piece_text(of, &of->line->board[ply], from, true, form),
                             ply == last);
    }
    return list;
}

/* Of a cause: what the answer takes, and where. */
static const char *cause_text(const Subject *of, TextView name, TextView form) {
    const Line *line = of->line;
    const int capture = of->explanation->reason == REASON_LOSES_MATERIAL && of->explanation->capture > 1 &&
                                of->explanation->cause >= CAUSE_UNGUARDED
                            ? of->explanation->capture
                            : 1;
    const Square square = line->length > 1 ? move_to(line->move[capture]) : NO_SQUARE;
    if (square == NO_SQUARE) return NULL;
    if (text_equals(name, "answer")) return move_text(of, capture);
    if (text_equals(name, "guarded"))
        return piece_text(of, &line->board[0], move_to(line->move[0]), true, form);
    if (text_equals(name, "guards")) return guards_text(of, form);
    if (text_equals(name, "target")) return language_square(of->document, move_to(line->move[0]));
    if (text_equals(name, "mover"))
        return piece_text(of, &line->board[0], move_from(line->move[0]), false, form);
    if (text_equals(name, "lost")) return piece_text(of, &line->board[1], square, true, form);
    if (text_equals(name, "prey")) return piece_text(of, &line->board[1], square, false, form);
    if (text_equals(name, "prey_square")) return language_square(of->document, square);
    if (text_equals(name, "mating_move")) return move_text(of, of->explanation->capture);
    if (text_equals(name, "mate_square"))
        return language_square(of->document, move_to(line->move[of->explanation->capture]));
    return NULL;
}

static WordsId fact_words(const Subject *of) {
    const FactReason *fact = of->fact;
    const Bitboard rim = file_mask(0) | file_mask(7);
    const bool is_on_rim =
        fact->kind == FACT_worse_square && (rim & square_bit(fact->square)) &&
        !(rim & square_bit(fact->to)) &&
        piece_type(position_piece_on(&of->line->board[fact->seen], fact->square)) == KNIGHT;
    return is_on_rim ? WORDS_fact_rim : WORDS_fact_bishop_pair + fact->kind;
}

/* Of a fact: on which line, whose and where, and what it is worth. */
static const char *fact_text(const Subject *of, TextView name, TextView form) {
    Document *document = of->document;
    const FactReason *fact = of->fact;
    const char *const *words = document->language->words;
    if (text_equals(name, "when") && of->is_joined && fact->on_better) return words[WORDS_then];
    if (text_equals(name, "when"))
        return document_text(document, "%s %s", words[of->is_joined ? WORDS_after_joined : WORDS_after],
                             language_san(document, of->line->board, of->line->move[0]));
    if (text_equals(name, "fact")) return language_fill(document, words[fact_words(of)], subject_text, of);
    if (text_equals(name, "how") && fact->ply > 0)
        return document_text(document, " (%s)", move_text(of, fact->ply));
    if (text_equals(name, "how")) return "";
    if (text_equals(name, "worth")) return pawns_text(document, fact->worth);
    if (text_equals(name, "side")) return words[fact->side == WHITE ? WORDS_white : WORDS_black];
    if (text_equals(name, "file")) return document_text(document, "%c", 'a' + square_file(fact->square));
    if (text_equals(name, "piece"))
        return piece_text(of, &of->line->board[fact->seen], fact->square, true, form);
    if (text_equals(name, "to")) return language_square(document, fact->to);
    return NULL;
}

/* The first move of a branch, with its number. */
static const char *first_move(Document *document, const Branch *branch, int ply) {
    const Line *line = branch->line;
    if (line == NULL || line->length <= ply) return NULL;
    return language_line(document, &line->board[ply], &line->move[ply], 1, SIZE_MAX);
}

/* Of a good move: what it offers, meets or threatens. */
static const char *merit_text(const Subject *of, TextView name, TextView form) {
    const Explanation *explanation = of->explanation;
    const Merit *merit = &explanation->merit;
    const Line *line = explanation->played.line;
    Document *document = of->document;
    const char *const *words = document->language->words;
    const Branch *taken = merit->accepted.line != NULL ? &merit->accepted : &explanation->played;
    const int ply = merit->accepted.line != NULL ? 0 : 1; /* of the capture in that branch */
    if (text_equals(name, "taking")) return first_move(document, taken, ply);
    if (text_equals(name, "retort")) return first_move(document, taken, ply + 1);
    if (text_equals(name, "gift")) {
        const Piece gift = position_captured_by(&line->board[1], taken->line->move[ply]);
        const bool is_exchange = piece_type(gift) == ROOK && merit->offered < exchange_points(KNIGHT);
        return is_exchange ? words[WORDS_the_exchange]
                           : language_piece(document, piece_type(gift), NO_SQUARE, form);
    }
    if (text_equals(name, "threat")) return first_move(document, &explanation->pass.branch, 0);
    if (text_equals(name, "own_threat")) return first_move(document, &merit->threat.branch, 0);
    if (text_equals(name, "opponent")) return words[line->board[0].side == WHITE ? WORDS_black : WORDS_white];
    return NULL;
}

/* The file that a rook comes from or goes to: whether the other side has a pawn on it. */
static WordsId open_words(const Subject *of, Square square) {
    const Position *root = of->line->board;
    const Bitboard pawns = position_pieces(root, color_other(root->side), PAWN);
    return pawns & file_mask(square_file(square)) ? WORDS_half_open : WORDS_open;
}

/* Of a fact of a move. */
static const char *move_fact_text(const Subject *of, TextView name, TextView form) {
    const Explanation *explanation = of->explanation;
    const MoveFact *fact = of->move_fact;
    const bool is_good = reason_is_good(explanation->reason);
    Document *document = of->document;
    const Move move = of->line->move[0];
    const Square rook = fact->kind == MOVE_LEAVES_FILE ? move_from(move) : move_to(move);
    if (text_equals(name, "doer"))
        return is_good || of->is_joined
                   ? document->language->words[of->is_joined ? WORDS_it_joined : WORDS_it]
                   : move_text(of, 0);
    if (text_equals(name, "mover")) return piece_text(of, of->line->board, move_from(move), false, form);
    if (text_equals(name, "event")) return move_text(of, fact->ply);
    if (text_equals(name, "king_takes")) return move_text(of, 1);
    if (text_equals(name, "taken")) {
        const Piece taken = position_captured_by(of->line->board, move);
        return language_piece(document, piece_type(taken), NO_SQUARE, form);
    }
    if (text_equals(name, "prevented"))
        return first_move(document, is_good ? &explanation->merit.second : &explanation->played, fact->ply);
    if (text_equals(name, "attacked"))
        return piece_text(of, &of->line->board[fact->ply + 1], fact->square, true, form);
    if (text_equals(name, "dropped"))
        return piece_text(of, &of->line->board[fact->ply], fact->square, true, form);
    if (text_equals(name, "bringer") && fact->ply > 0) return move_text(of, fact->ply);
    if (text_equals(name, "bringer")) return move_fact_text(of, text_view("doer"), form);
    if (text_equals(name, "brought"))
        return piece_text(of, &of->line->board[fact->ply], move_from(of->line->move[fact->ply]), false, form);
    const bool is_space = fact->kind == MOVE_SPACE;
    const Branch *other = is_good ? &explanation->merit.second : &explanation->played;
    if (is_space && (text_equals(name, "squares") || text_equals(name, "before")))
        return document_text(
            document, "%d",
            move_fact_space(text_equals(name, "squares") ? of->line : other->line, of->line->board[0].side));
    if (text_equals(name, "squares"))
        return document_text(document, "%d", move_fact_room(&of->line->board[1], move_to(move)));
    if (text_equals(name, "before"))
        return document_text(document, "%d", move_fact_room(of->line->board, move_from(move)));
    if (text_equals(name, "file")) return document_text(document, "%c", 'a' + square_file(rook));
    if (text_equals(name, "open")) return document->language->words[open_words(of, rook)];
    return NULL;
}

/* Where time is lost: what comes late, and where it goes. */
static const char *time_text(const Subject *of, TextView name) {
    const Explanation *explanation = of->explanation;
    if (explanation->reason != REASON_LOSES_TIME) return NULL;
    if (text_equals(name, "late")) return move_text(of, explanation->settled - 1);
    if (text_equals(name, "place")) return language_square(of->document, move_to(explanation->at_once));
    return NULL;
}

/* "mate", or of a mate that is missed "mate in one"; "mate in 3". */
static const char *mate_text(const Subject *of) {
    const int mate = (of->line->length + 1) / 2;
    const WordsId at_once = of->line != of->explanation->played.line ? WORDS_mate_in_one : WORDS_mate_now;
    return language_words(of->document, mate == 1 ? at_once : WORDS_mate_later,
                          FILL(FILL_NUMBER("mate", mate)));
}

/* How much better the better move is. */
static WordsId better_words(const Explanation *explanation) {
    const int gap = explanation_gap(explanation);
    if (2 * gap < SCORE_UNITS_PER_PAWN) return WORDS_slightly_better;
    return gap < 2 * SCORE_UNITS_PER_PAWN ? WORDS_just_better : WORDS_much_better;
}

static const char *whole_text(const Subject *of, TextView name) {
    const Explanation *explanation = of->explanation;
    const Position *root = explanation_root(explanation);
    Document *document = of->document;
    const char *const *words = document->language->words;
    if (text_equals(name, "move"))
        return of->is_named ? words[WORDS_it] : language_san(document, root, explanation->played.move);
    if (text_equals(name, "best")) return language_san(document, root, explanation->better.move);
    if (text_equals(name, "throws"))
        return words[explanation->result.better == OUTCOME_WIN ? WORDS_throws_win : WORDS_gives_away];
    if (text_equals(name, "us")) return words[root->side == WHITE ? WORDS_white : WORDS_black];
    if (text_equals(name, "start")) return first_move(document, &explanation->played, 0);
    if (text_equals(name, "better")) return words[better_words(explanation)];
    if (text_equals(name, "after")) return words[of->is_joined ? WORDS_after_joined : WORDS_after];
    if (text_equals(name, "why")) {
        Subject clause = *of;
        clause.is_joined = true;
        return language_fill(document, words[of->why], subject_text, &clause);
    }
    if (text_equals(name, "mate_in")) return mate_text(of);
    if (text_equals(name, "gain")) {
        const LineLoss loss = explanation_loss(explanation);
        return loss_words_write(document, &loss);
    }
    if (text_equals(name, "corner"))
        return language_square(document,
                               result_wrong_corner(&of->line->board[explanation->settled], root->side));
    if (text_equals(name, "booty")) {
        const Piece booty = position_captured_by(root, explanation->better.move);
        return booty == NO_PIECE ? words[WORDS_new_queen] : language_count(document, piece_type(booty), 1);
    }
    if (text_equals(name, "end")) return move_text(of, of->line->length - 1);
    if (text_equals(name, "legal")) return words[WORDS_two + explanation->merit.moves - 2];
    if (text_equals(name, "subject"))
        return of->is_joined ? words[WORDS_it_joined]
                             : language_san(document, root, explanation->better.move);
    if (text_equals(name, "plan")) return first_move(document, &explanation->plan.branch, 0);
    if (text_equals(name, "its_threat")) return first_move(document, &explanation->reply_threat.branch, 0);
    const Branch *fails =
        reason_is_good(explanation->reason) ? &explanation->merit.second : &explanation->natural;
    if (text_equals(name, "natural")) return first_move(document, fails, 0);
    if (text_equals(name, "refuted_by")) return first_move(document, fails, 1);
    return NULL;
}

const char *subject_text(const void *context, TextView name, TextView form, int64_t *number) {
    const Subject *of = context;
    (void)number;
    if (of->motif != NULL) return motif_text(of, name, form);
    const char *text = of->fact != NULL        ? fact_text(of, name, form)
                       : of->move_fact != NULL ? move_fact_text(of, name, form)
                                               : NULL;
    if (text == NULL) text = whole_text(of, name);
    if (text == NULL) text = merit_text(of, name, form);
    if (text == NULL) text = time_text(of, name);
    return text != NULL ? text : cause_text(of, name, form);
}
