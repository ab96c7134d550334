#include "review/annotate.h"

#include "chess/makemove.h"
#include "engine/lines.h"
#include "engine/version.h"
#include "explain/sentences.h"
#include "explain/words.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHOWN_LEAST = 5, /* of a better line are shown at least, */
    SHOWN_MAX = 15,  /* and at most, while pieces are taken */
    TEXT_CAPACITY = 64
};

int annotate_line_length(const Position *pos, const ReviewedPosition *before) {
    if (score_is_mate(before->score)) return before->line_length;
    Position at = *pos;
    int ply = 0;
    while (ply < before->line_length && ply < SHOWN_MAX) {
        const Move move = before->line[ply];
        const bool is_capture = at.board[move_to(move)] != NO_PIECE && move_kind(move) != CASTLING;
        const bool rests = !is_capture && move_kind(move) != PROMOTION && !position_in_check(&at);
        Undo undo;
        if (ply >= SHOWN_LEAST && rests) break;
        position_make_move(&at, move, &undo);
        ply++;
    }
    return ply;
}

/* --- what comes after a move --- */

/* The form that programs agree on: pawns with two decimals and no plus sign, or # and moves to mate. */
static void append_eval(TextBuffer *out, const ReviewedPosition *after, Color side) {
    const int sign = side == WHITE ? 1 : -1;
    if (score_is_mate(after->score)) {
        buffer_append_format(out, "[%%eval #%d]", sign * score_mate_moves(after->score));
    } else {
        const int centipawns = sign * score_to_centipawns(after->score);
        buffer_append_format(out, "[%%eval %s%d.%02d]", centipawns < 0 ? "-" : "", abs(centipawns) / 100,
                             abs(centipawns) % 100);
    }
}

void annotate_append_fault(Document *document, const Position *pos, Move move, const Review *review, int ply,
                           FaultForm form) {
    TextBuffer sentence = {0};
    Document said = {.out = &sentence, .width = SIZE_MAX, .language = document->language};
    const Explanation *why = review_reason(review, ply);
    if (why != NULL) {
        (void)sentences_write(&said, why, 1);
    } else if (review->positions[ply].line_length > 0) {
        const char *best = language_san(&said, pos, review->positions[ply].line[0]);
        language_phrase(&said, STYLE_NORMAL, WORDS_prefers, FILL(FILL_TEXT("best", best)));
    }
    TextView text = buffer_view(&sentence);
    const char *san = language_san(&said, pos, move);
    const size_t length = strlen(san);
    const bool begins_with_move =
        text_starts_with(text, san) && text.length > length && text.data[length] == ' ';
    if (form == FAULT_NUMBERED) {
        language_append_moves(document, pos, &move, 1, SIZE_MAX);
        buffer_append_string(document->out, begins_with_move ? " " : ": ");
    }
    if (form != FAULT_PLAIN && begins_with_move)
        text = text_trim((TextView){text.data + length, text.length - length});
    buffer_append(document->out, text);
    document->out->failed |= sentence.failed;
    buffer_release(&sentence);
}

void annotate_append_better(Document *document, const Position *pos, const Review *review, int ply,
                            size_t width) {
    const ReviewedPosition *before = &review->positions[ply];
    const Explanation *why = review_reason(review, ply);
    if (why != NULL)
        language_append_moves(document, pos, why->better.line->move, words_shown_plies(why, why->better.line),
                              width);
    else
        language_append_moves(document, pos, before->line, annotate_line_length(pos, before), width);
}

const char *annotate_lost_text(Document *document, const Game *game, const Review *review) {
    const int ply = review_lost_from(review, game);
    if (ply < 0) return NULL;
    const Position pos = game_position(game, ply);
    const char *side = document->language->words[pos.side == WHITE ? WORDS_white : WORDS_black];
    return language_words(document, WORDS_lost_from,
                          FILL(FILL_TEXT("side", side), FILL_NUMBER("move", pos.fullmove)));
}

/* The line that refutes a fault, unless the game itself goes on so. */
static void append_refutation(TextBuffer *out, const Game *game, const Position *pos, const Review *review,
                              int ply) {
    const Explanation *why = review_reason(review, ply);
    if (why == NULL || why->settled < 0 || explanation_line(why) != why->played.line) return;
    const Line *line = why->played.line;
    const int shown = words_shown_plies(why, line);
    if (shown < 2 || (ply + 1 < game->move_count && game->moves[ply + 1] == line->move[1])) return;
    lines_append_moves(out, pos, line->move, shown, SIZE_MAX);
}

/* "[%eval -1.20] Mistake. Qd4 loses the queen." The better line follows as a variation. Once, that what
 * follows is not marked. */
static void compose_comment(Document *document, const Game *game, const Position *pos, const Review *review,
                            int ply) {
    TextBuffer *out = document->out;
    const ReviewedPosition *after = &review->positions[ply + 1];
    const Verdict *verdict = &review->verdicts[ply];
    const bool is_over = after->depth == 0;
    if (!is_over) append_eval(out, after, review_mover(game, ply + 1));
    if (verdict_is_fault(verdict->kind)) {
        const char *name = language_name(document, verdict_name(verdict->kind));
        buffer_append_format(out, "%s%c%s. ", is_over ? "" : " ", char_to_upper(name[0]), name + 1);
        annotate_append_fault(document, pos, game->moves[ply], review, ply, FAULT_PLAIN);
    }
    if (ply == review_lost_from(review, game))
        buffer_append_format(out, " %s", annotate_lost_text(document, game, review));
}

/* --- notes in their order --- */

/* What the review adds after one move. */
typedef struct OwnNotes {
    int nag; /* 0: none */
    TextBuffer comment, better, refutation;
} OwnNotes;

static Status copy_note(const Game *game, const GameNote *note, Game *out) {
    const TextView text = text_view(game_note_text(game, note));
    switch (note->kind) {
    case NOTE_COMMENT: return game_add_comment(out, note->place, text);
    case NOTE_NAG: return game_add_nag(out, note->place, note->nag);
    case NOTE_VARIATION: break;
    }
    return game_add_variation(out, note->place, text);
}

static bool has_nag(const GameNote *notes, int count, int nag) {
    for (int i = 0; i < count; i++)
        if (notes[i].kind == NOTE_NAG && notes[i].nag == nag) return true;
    return false;
}

/* The notes of a place, and after each kind its own: programs expect NAGs, comments, variations. */
static Status merge_notes(const Game *game, int place, const OwnNotes *own, Game *out) {
    int count, i = 0;
    const GameNote *notes = game_notes(game, place, &count);
    Status status = status_ok();
    for (; i < count && notes[i].kind == NOTE_NAG && status_is_ok(&status); i++)
        status = copy_note(game, &notes[i], out);
    if (status_is_ok(&status) && own->nag != 0 && !has_nag(notes, count, own->nag))
        status = game_add_nag(out, place, own->nag);
    for (; i < count && notes[i].kind != NOTE_VARIATION && status_is_ok(&status); i++)
        status = copy_note(game, &notes[i], out);
    if (status_is_ok(&status)) status = game_add_comment(out, place, buffer_view(&own->comment));
    for (; i < count && status_is_ok(&status); i++) status = copy_note(game, &notes[i], out);
    if (status_is_ok(&status)) status = game_add_variation(out, place, buffer_view(&own->better));
    if (status_is_ok(&status)) status = game_add_variation(out, place, buffer_view(&own->refutation));
    return status;
}

static Status add_own_notes(const Game *game, const Review *review, const Language *language, int ply,
                            const Position *pos, Game *out) {
    OwnNotes own = {0};
    Document comment = {.out = &own.comment, .language = language},
             better = {.out = &own.better, .language = language_row(0)};
    if (ply < review->done) {
        const VerdictKind kind = review->verdicts[ply].kind;
        own.nag = verdict_nag(kind);
        compose_comment(&comment, game, pos, review, ply);
        if (verdict_is_fault(kind)) {
            annotate_append_better(&better, pos, review, ply, SIZE_MAX);
            append_refutation(&own.refutation, game, pos, review, ply);
        }
    }
    const bool failed = own.comment.failed || own.better.failed || own.refutation.failed;
    Status status = failed ? status_no_memory("a comment") : merge_notes(game, ply + 1, &own, out);
    buffer_release(&own.comment);
    buffer_release(&own.better);
    buffer_release(&own.refutation);
    return status;
}

/* --- tags --- */

/* Who annotated the game before keeps his name. */
static Status set_annotator(const Game *game, Game *out) {
    const char *before = game_tag(game, "Annotator");
    char name[sizeof((GameTag *)0)->value];
    const bool alone = before == NULL || before[0] == '\0' || strstr(before, ENGINE_NAME " ") != NULL;
    enum { KEPT_MAX = 180 };
    size_t kept = alone ? 0 : strlen(before);
    if (kept > KEPT_MAX) kept = text_whole_characters(before, KEPT_MAX);
    text_format(name, sizeof name, "%.*s%s" ENGINE_NAME " %s", (int)kept, alone ? "" : before,
                alone ? "" : ", ", version_name());
    return game_set_tag(out, "Annotator", name);
}

static Status set_number(Game *out, Color color, const char *what, const char *value) {
    char name[sizeof((GameTag *)0)->name];
    text_format(name, sizeof name, "%s%s", color_name(color), what);
    return game_set_tag(out, name, value);
}

static Status set_side_tags(const ReviewedSide *side, Color color, Game *out) {
    static const char *const COUNTED[] = {[VERDICT_INACCURACY] = "Inaccuracies",
                                          [VERDICT_MISTAKE] = "Mistakes",
                                          [VERDICT_BLUNDER] = "Blunders"};
    char value[TEXT_CAPACITY];
    text_format(value, sizeof value, "%.1f", side->accuracy);
    Status status = set_number(out, color, "Accuracy", value);
    for (VerdictKind kind = VERDICT_INACCURACY; verdict_is_fault(kind) && status_is_ok(&status); kind++) {
        text_format(value, sizeof value, "%d", side->count[kind]);
        status = set_number(out, color, COUNTED[kind], value);
    }
    return status;
}

static Status set_tags(const Game *game, const Review *review, Game *out) {
    Status status = status_ok();
    for (int i = 0; i < game->tag_count && status_is_ok(&status); i++)
        status = game_set_tag(out, game->tags[i].name, game->tags[i].value);
    if (status_is_ok(&status)) status = set_annotator(game, out);
    for (int color = WHITE; color < COLOR_COUNT && review->done == review->moves; color++) {
        if (status_is_ok(&status) && review->side[color].moves > 0)
            status = set_side_tags(&review->side[color], (Color)color, out);
    }
    return status;
}

Status annotate_game(const Game *game, const Review *review, const Language *language, Game *annotated) {
    static const OwnNotes NOTHING = {0};
    Position pos = game->start;
    annotated->start = game->start;
    annotated->result = game->result;
    Status status = set_tags(game, review, annotated);
    if (status_is_ok(&status)) status = merge_notes(game, 0, &NOTHING, annotated);
    for (int ply = 0; ply < game->move_count && status_is_ok(&status); ply++) {
        Undo undo;
        status = game_add_move(annotated, game->moves[ply], NULL);
        if (status_is_ok(&status)) status = add_own_notes(game, review, language, ply, &pos, annotated);
        position_make_move(&pos, game->moves[ply], &undo);
    }
    return status_is_ok(&status) ? merge_notes(game, AFTER_RESULT, &NOTHING, annotated) : status;
}
