#include "review/annotate.h"

#include "chess/makemove.h"
#include "engine/lines.h"
#include "engine/version.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINE_PLIES = 5,      /* of a better line are shown at least, */
    LINE_PLIES_MAX = 15, /* and at most, while pieces are taken */
    TEXT_CAPACITY = 64
};

int annotate_line_length(const Position *pos, const ReviewedPosition *before) {
    if (score_is_mate(before->score)) return before->line_length;
    Position at = *pos;
    int ply = 0;
    while (ply < before->line_length && ply < LINE_PLIES_MAX) {
        const Move move = before->line[ply];
        const bool is_capture = at.board[move_to(move)] != NO_PIECE && move_kind(move) != CASTLING;
        const bool rests = !is_capture && move_kind(move) != PROMOTION && !position_in_check(&at);
        Undo undo;
        if (ply >= LINE_PLIES && rests) break;
        position_make_move(&at, move, &undo);
        ply++;
    }
    return ply;
}

/* --- what stands behind a move --- */

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

void annotate_append_fault(TextBuffer *out, const Review *review, int ply) {
    const Verdict *verdict = &review->verdicts[ply];
    if (verdict->allows_mate)
        buffer_append_format(out, "allows mate in %d", review->positions[ply + 1].assessment.mate);
    else if (verdict->misses_mate)
        buffer_append_format(out, "misses mate in %d", review->positions[ply].assessment.mate);
    else
        buffer_append_format(out, "loses %.2f of a point", verdict->loss);
}

/* "[%eval -1.20] Mistake: loses 0.14 of a point." The better line follows as a variation. */
static void compose_comment(TextBuffer *out, const Game *game, const Review *review, int ply) {
    const ReviewedPosition *after = &review->positions[ply + 1];
    const Verdict *verdict = &review->verdicts[ply];
    const bool is_over = after->depth == 0;
    if (!is_over) append_eval(out, after, review_mover(game, ply + 1));
    if (!verdict_is_fault(verdict->kind)) return;
    const char *name = verdict_name(verdict->kind);
    buffer_append_format(out, "%s%c%s: ", is_over ? "" : " ", char_to_upper(name[0]), name + 1);
    annotate_append_fault(out, review, ply);
    buffer_append_char(out, '.');
}

/* --- notes in their order --- */

/* What the review adds behind one move. */
typedef struct OwnNotes {
    int nag; /* 0: none */
    TextBuffer comment, variation;
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

/* The notes of a place, and behind each kind its own: programs expect NAGs, comments, variations. */
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
    if (status_is_ok(&status)) status = game_add_variation(out, place, buffer_view(&own->variation));
    return status;
}

static Status add_own_notes(const Game *game, const Review *review, int ply, const Position *pos, Game *out) {
    OwnNotes own = {0};
    if (ply < review->done) {
        const Verdict *verdict = &review->verdicts[ply];
        const ReviewedPosition *before = &review->positions[ply];
        own.nag = verdict_nag(verdict->kind);
        compose_comment(&own.comment, game, review, ply);
        if (verdict_is_fault(verdict->kind))
            lines_append_moves(&own.variation, pos, before->line, annotate_line_length(pos, before),
                               SIZE_MAX);
    }
    Status status = own.comment.failed || own.variation.failed ? status_no_memory("a comment")
                                                               : merge_notes(game, ply + 1, &own, out);
    buffer_release(&own.comment);
    buffer_release(&own.variation);
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

Status annotate_game(const Game *game, const Review *review, Game *annotated) {
    static const OwnNotes NOTHING = {0};
    Position pos = game->start;
    annotated->start = game->start;
    annotated->result = game->result;
    Status status = set_tags(game, review, annotated);
    if (status_is_ok(&status)) status = merge_notes(game, 0, &NOTHING, annotated);
    for (int ply = 0; ply < game->move_count && status_is_ok(&status); ply++) {
        Undo undo;
        status = game_add_move(annotated, game->moves[ply], NULL);
        if (status_is_ok(&status)) status = add_own_notes(game, review, ply, &pos, annotated);
        position_make_move(&pos, game->moves[ply], &undo);
    }
    return status_is_ok(&status) ? merge_notes(game, AFTER_RESULT, &NOTHING, annotated) : status;
}
