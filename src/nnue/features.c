#include "nnue/features.h"

#include <assert.h>
#include <string.h>

Pieces features_pieces(const Position *pos) {
    Pieces pieces;
    memcpy(pieces.by_type, pos->by_type, sizeof pieces.by_type);
    memcpy(pieces.by_color, pos->by_color, sizeof pieces.by_color);
    return pieces;
}

void features_from_changes(const Changes *changes, Color perspective, unsigned flip, InputChanges *out) {
    int added = 0, removed = 0;
    out->added[0] = out->removed[0] = 0; /* each move sets both, but compilers cannot know that */
    for (int i = 0; i < changes->count; i++) {
        const PieceChange *change = &changes->change[i];
        const Piece piece = (Piece)change->piece;
        if (change->from != NO_SQUARE)
            out->removed[removed++] = (uint16_t)input_index(perspective, flip, piece, (Square)change->from);
        if (change->to != NO_SQUARE)
            out->added[added++] = (uint16_t)input_index(perspective, flip, piece, (Square)change->to);
    }
    out->added_count = added;
    out->removed_count = removed;
}

void features_from_pieces(const Pieces *from, const Pieces *to, Color perspective, unsigned flip,
                          InputChanges *out) {
    int added = 0, removed = 0;
    for (int index = 0; index < PIECE_COUNT; index++) {
        const Piece piece = (Piece)index;
        const Bitboard old = from->by_type[piece_type(piece)] & from->by_color[piece_color(piece)];
        const Bitboard new = to->by_type[piece_type(piece)] & to->by_color[piece_color(piece)];
        for (Bitboard left = new & ~old; left != 0; added++) {
            assert(added < PIECES_MAX);
            out->added[added] = (uint16_t)input_index(perspective, flip, piece, bitboard_pop(&left));
        }
        for (Bitboard left = old & ~new; left != 0; removed++) {
            assert(removed < PIECES_MAX);
            out->removed[removed] = (uint16_t)input_index(perspective, flip, piece, bitboard_pop(&left));
        }
    }
    out->added_count = added;
    out->removed_count = removed;
}

bool features_view_changes(const Changes *changes, Color perspective, const uint8_t view_of[SQUARE_COUNT]) {
    const PieceChange *mover = &changes->change[0]; /* a king moves by no other change */
    return (Piece)mover->piece == piece_make(perspective, KING) && view_of[mover->from] != view_of[mover->to];
}
