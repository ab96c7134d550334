#include "uci/refutations.h"

#include "base/clock.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"

enum { INTERVAL = 200000, /* microseconds */ PLIES_MAX = 8 };

void refutations_begin(Refutations *refutations, const Engine *engine, const SearchLimits *limits,
                       Output *output) {
    const Options *options = engine_options(engine);
    *refutations = (Refutations){.engine = engine, .output = output, .wanted = options->show_refutations};
    Move *moves = refutations->moves;
    refutations->move_count = movegen_legal(engine_position(engine), moves);
    if (limits->search_move_count > 0) {
        refutations->move_count = limits->search_move_count;
        for (int i = 0; i < limits->search_move_count; i++) moves[i] = limits->search_moves[i];
    }
    refutations->line_count = int_min(options->multi_pv, refutations->move_count);
}

static bool is_best(const Refutations *refutations, Move move) {
    for (int i = 0; i < refutations->line_count; i++)
        if (refutations->best[i] == move) return true;
    return false;
}

/* The move, and the moves after it as long as the table knows that they are good for their side: usually the
 * answer alone. */
static void append_line(TextBuffer *out, const Refutations *refutations, Move move) {
    const Position *root = engine_position(refutations->engine);
    Position pos = *root;
    buffer_append_string(out, out->length > 0 ? "\ninfo refutation" : "info refutation");
    for (int ply = 0; ply < PLIES_MAX && move != MOVE_NONE; ply++) {
        char text[LAN_CAPACITY];
        Undo undo;
        lan_write(root, move, text);
        buffer_append_format(out, " %s", text);
        position_make_move(&pos, move, &undo);
        move = engine_known_move(refutations->engine, &pos);
    }
}

static void show(Refutations *refutations) {
    TextBuffer text = {0};
    for (int i = 0; i < refutations->move_count; i++)
        if (!is_best(refutations, refutations->moves[i]))
            append_line(&text, refutations, refutations->moves[i]);
    if (text.length > 0) output_text(refutations->output, buffer_view(&text));
    buffer_release(&text);
    refutations->due = false;
    refutations->shown_at = clock_microseconds();
}

void refutations_add(Refutations *refutations, const SearchInfo *info) {
    if (!refutations->wanted || info->bound != BOUND_EXACT || info->pv_length == 0) return;
    refutations->best[info->multi_pv - 1] = info->pv[0];
    if (info->multi_pv < refutations->line_count) return;
    refutations->due = true;
    if (clock_microseconds() - refutations->shown_at >= INTERVAL) show(refutations);
}

void refutations_finish(Refutations *refutations) {
    if (refutations->due) show(refutations);
}
