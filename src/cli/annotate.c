#include "cli/annotate.h"

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/pgn_reader.h"
#include "chess/pgn_writer.h"
#include "chess/san.h"
#include "cli/terminal.h"
#include "engine/engine.h"
#include "engine/lines.h"
#include "engine/version.h"

/* Centipawns given away by a move, from which on it gets a name. */
enum { INACCURACY = 50, MISTAKE = 150, BLUNDER = 300 };
/* Between scores beyond this many centipawns nothing is given away: the game is decided either way. */
enum { DECIDED = 1000 };
enum { BAR_WIDTH = 30 };

typedef struct Verdict {
    int score, depth; /* of the side to move */
    Color side;
    Move best;
    TextBuffer line; /* the best move as text with its number */
} Verdict;

typedef struct Annotator {
    Engine *engine;
    SearchLimits limits;
    FILE *out, *progress;
    Verdict now; /* filled from the search thread */
} Annotator;

static void on_info(void *context, const SearchInfo *info) {
    Annotator *annotator = context;
    if (info->bound != BOUND_EXACT || info->multi_pv != 1) return;
    annotator->now.score = info->score;
    annotator->now.depth = info->depth;
}

static void on_best_move(void *context, Move best, Move ponder) {
    (void)ponder;
    ((Annotator *)context)->now.best = best;
}

static void show_progress(const Annotator *annotator, int game, int done, int total) {
    if (!terminal_is(annotator->progress)) return;
    const int filled = BAR_WIDTH * done / total;
    char bar[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '#' : '-';
    bar[BAR_WIDTH] = '\0';
    fprintf(annotator->progress, "\rgame %d [%s] %d of %d positions", game, bar, done, total);
    fflush(annotator->progress);
}

/* Judges the engine's current position. */
static Verdict judge(Annotator *annotator) {
    const Position *pos = engine_position(annotator->engine);
    annotator->now = (Verdict){.side = pos->side};
    if (!movegen_has_legal(pos)) {
        annotator->now.score = position_in_check(pos) ? score_mated_in(0) : SCORE_DRAW;
        return annotator->now;
    }
    SearchLimits limits = annotator->limits;
    limits.start = clock_microseconds();
    engine_go(annotator->engine, &limits);
    engine_wait(annotator->engine);
    lines_append_moves(&annotator->now.line, pos, &annotator->now.best, 1, SIZE_MAX);
    return annotator->now;
}

static int clamped_centipawns(int score, Color side) {
    int centipawns = score_is_mate(score) ? (score > 0 ? DECIDED : -DECIDED) : score_to_centipawns(score);
    centipawns = int_clamp(centipawns, -DECIDED, DECIDED);
    return side == WHITE ? centipawns : -centipawns;
}

static const char *name_loss(int loss) {
    if (loss >= BLUNDER) return "blunder";
    if (loss >= MISTAKE) return "mistake";
    return loss >= INACCURACY ? "inaccuracy" : NULL;
}

/* The comment behind a move between two verdicts: "-0.52/14, mistake: better 24. Rxd4 (+1.10)". */
static void compose_comment(TextBuffer *comment, Move played, const Verdict *before, const Verdict *after) {
    const bool is_mate = after->score == score_mated_in(0);
    if (!is_mate) {
        lines_append_score(comment, after->score, after->side);
        buffer_append_format(comment, "/%d", after->depth);
    }
    const int white_loss =
        clamped_centipawns(before->score, before->side) - clamped_centipawns(after->score, after->side);
    const char *name = name_loss(before->side == WHITE ? white_loss : -white_loss);
    if (name == NULL || played == before->best || is_mate) return;
    buffer_append_format(comment, ", %s: better %s (", name, buffer_string(&before->line));
    lines_append_score(comment, before->score, before->side);
    buffer_append_char(comment, ')');
}

static Status copy_head(const PgnGame *game, PgnGame *copy) {
    Status status = status_ok();
    char name[64];
    text_format(name, sizeof name, ENGINE_NAME " %s", version_name());
    for (int i = 0; i < game->tag_count && status_is_ok(&status); i++)
        status = pgn_set_tag(copy, game->tags[i].name, game->tags[i].value);
    if (status_is_ok(&status)) status = pgn_set_tag(copy, "Annotator", name);
    copy->start = game->start;
    text_copy(text_view(game->result), copy->result, sizeof copy->result);
    return status;
}

static Status copy_notes(const PgnGame *game, int place, PgnGame *copy) {
    int count;
    const PgnNote *notes = pgn_notes(game, place, &count);
    Status status = status_ok();
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        const TextView text = text_view(pgn_note_text(game, &notes[i]));
        switch (notes[i].kind) {
        case PGN_COMMENT: status = pgn_add_comment(copy, place, text); break;
        case PGN_NAG: status = pgn_add_nag(copy, place, notes[i].nag); break;
        case PGN_VARIATION: status = pgn_add_variation(copy, place, text); break;
        }
    }
    return status;
}

static Status annotate_moves(Annotator *annotator, const PgnGame *game, int number, PgnGame *copy) {
    TextBuffer comment = {0};
    Position pos = game->start;
    Status status = status_ok();
    engine_new_game(annotator->engine);
    engine_use_position(annotator->engine, &pos);
    Verdict before = judge(annotator);
    for (int i = 0; i < game->move_count && status_is_ok(&status) && !ferror(annotator->out); i++) {
        Undo undo;
        show_progress(annotator, number, i + 1, game->move_count + 1);
        position_make_move(&pos, game->moves[i], &undo);
        engine_use_position(annotator->engine, &pos);
        Verdict after = judge(annotator);
        buffer_clear(&comment);
        compose_comment(&comment, game->moves[i], &before, &after);
        status = pgn_add_move(copy, game->moves[i], NULL);
        if (status_is_ok(&status)) status = copy_notes(game, i + 1, copy);
        if (status_is_ok(&status)) status = pgn_add_comment(copy, i + 1, buffer_view(&comment));
        if (comment.failed || after.line.failed) status = status_no_memory("a comment");
        buffer_release(&before.line);
        before = after;
    }
    buffer_release(&before.line);
    buffer_release(&comment);
    return status;
}

static Status annotate_game(Annotator *annotator, const PgnGame *game, int number) {
    PgnGame copy = {0};
    TextBuffer text = {0};
    Status status = copy_head(game, &copy);
    if (status_is_ok(&status)) status = copy_notes(game, 0, &copy);
    if (status_is_ok(&status)) status = annotate_moves(annotator, game, number, &copy);
    if (status_is_ok(&status)) status = copy_notes(game, PGN_BEHIND_RESULT, &copy);
    if (status_is_ok(&status)) pgn_write_game(&copy, &text);
    if (text.failed) status = status_no_memory("game %d", number);
    if (status_is_ok(&status)) {
        fwrite(buffer_string(&text), 1, text.length, annotator->out);
        fflush(annotator->out);
        show_progress(annotator, number, 1, 1);
        fprintf(annotator->progress, "%sgame %d: %d moves annotated\n",
                terminal_is(annotator->progress) ? "\r\033[K" : "", number, game->move_count);
    }
    buffer_release(&text);
    pgn_game_release(&copy);
    return status;
}

Status annotate_games(TextView pgn, const SearchLimits *limits, int hash, FILE *out, FILE *progress) {
    Annotator annotator = {.limits = *limits, .out = out, .progress = progress};
    SearchListener listener = {.context = &annotator, .info = on_info, .best_move = on_best_move};
    Status status;
    annotator.engine = engine_create(&listener, &status);
    if (annotator.engine == NULL) return status;
    char hash_text[16];
    text_format(hash_text, sizeof hash_text, "%d", hash);
    status = engine_set_option(annotator.engine, text_view("Hash"), text_view(hash_text));
    if (status_is_ok(&status))
        status = engine_set_option(annotator.engine, text_view("UCI_AnalyseMode"), text_view("true"));
    int line = 1, number = 0, faults = 0;
    bool found = status_is_ok(&status);
    while (found && status_is_ok(&status) && !ferror(out)) {
        PgnGame game = {0};
        Status reading = pgn_read_game(&pgn, &line, &game, &found);
        if (!status_is_ok(&reading)) {
            fprintf(progress, "luft: %s\n", reading.reason);
            faults++;
        } else if (found) {
            status = annotate_game(&annotator, &game, ++number);
        }
        pgn_game_release(&game);
    }
    engine_destroy(annotator.engine);
    if (!status_is_ok(&status)) return status;
    if (faults > 0) return status_error("%d of the %d games could not be read", faults, number + faults);
    return number > 0 ? status : status_error("there is neither a position nor a game in it");
}
