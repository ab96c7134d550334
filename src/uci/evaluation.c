#include "uci/evaluation.h"

#include "nnue/network.h"
#include "search/endings.h"

#include <inttypes.h>

static double pawns_for_white(int value, Color side) {
    return score_to_centipawns(side == WHITE ? value : -value) / 100.0;
}

static void describe_network(TextBuffer *out, const Network *network) {
    buffer_append_format(out, "network: %s, %d hidden units a side, hash %016" PRIx64 "\n",
                         network_name(network), network_width(network), network_hash(network));
}

/* A rank of letters, with the worth of each piece below it. */
static void draw_rank(TextBuffer *out, const Position *pos, const Inspection *inspection, int rank) {
    buffer_append_format(out, " %d ", rank + 1);
    for (int file = 0; file < 8; file++)
        buffer_append_format(out, "   %c    ", piece_letter(position_piece_on(pos, square_make(file, rank))));
    buffer_append_string(out, "\n   ");
    for (int file = 0; file < 8; file++) {
        const Square square = square_make(file, rank);
        if (inspection->has_worth[square])
            buffer_append_format(out, " %+6.2f ", pawns_for_white(inspection->worth[square], pos->side));
        else
            buffer_append_string(out, "        ");
    }
    buffer_append_char(out, '\n');
}

static void list_buckets(TextBuffer *out, const Inspection *inspection, Color side) {
    for (int bucket = 0; bucket < inspection->buckets && inspection->buckets > 1; bucket++) {
        const int pieces = 2 + bucket * PIECES_MAX / inspection->buckets;
        buffer_append_format(out, "bucket %d (%d to %d pieces): %+.2f%s\n", bucket, pieces,
                             int_min(pieces + PIECES_MAX / inspection->buckets - 1, PIECES_MAX),
                             pawns_for_white(inspection->bucket_values[bucket], side),
                             bucket == inspection->used ? ", in use" : "");
    }
}

/* The static value from which the search begins, and why where it is not the network's. */
static int value_in_search(TextBuffer *out, const Position *pos, int network) {
    if (lone_king_value(pos) != 0) {
        buffer_append_string(out,
                             "search: does not ask the network here, a rule drives the king to its mate\n");
        return lone_king_value(pos);
    }
    const int value = drawish_value(pos, network);
    if (value == network) return value;
    const int share = drawish_share(pos, network >= 0 ? pos->side : color_other(pos->side));
    const char *const why = share == DRAWISH_NO_PAWNS ? "there are no pawns to win with"
                            : share == DRAWISH_WRONG_BISHOP
                                ? "the bishop does not rule the corner of promotion"
                                : "the bishops are of opposite colours";
    buffer_append_format(out, "search: %s, only 1/%d of the lead counts\n", why, DRAWISH_WHOLE / share);
    return value;
}

Status report_evaluation(Output *output, const Engine *engine) {
    Inspection inspection = {0};
    Status status = engine_evaluate(engine, &inspection);
    if (!status_is_ok(&status)) return status;
    const Position *pos = engine_position(engine);
    TextBuffer text = {0};
    describe_network(&text, engine_network(engine));
    buffer_append_string(&text, "worth: the evaluation less that without the piece, in pawns for White\n\n");
    for (int rank = 7; rank >= 0; rank--) draw_rank(&text, pos, &inspection, rank);
    buffer_append_string(&text, "      a       b       c       d       e       f       g       h\n\n");
    list_buckets(&text, &inspection, pos->side);
    buffer_append_format(&text, "network: %+.2f pawns for White\n",
                         pawns_for_white(inspection.value, pos->side));
    const int value = value_in_search(&text, pos, inspection.value);
    buffer_append_format(&text, "evaluation: %+.2f pawns for White\nside to move: %s\nvalue: %d",
                         pawns_for_white(value, pos->side), pos->side == WHITE ? "white" : "black", value);
    status = output_buffer(output, &text, "the evaluation");
    buffer_release(&text);
    return status;
}
