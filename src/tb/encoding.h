/* Which number a Syzygy table gives to a placement of its pieces and pawns. A table numbers placements that a
 * mirror turns into each other only once. Its header says in which order the pieces count.
 *
 * The first pieces are numbered together: the pawns of one side, or, without pawns, three pieces that differ,
 * or else the two kings. Each kind that follows is a combination of the squares that are left. */
#ifndef LUFT_TB_ENCODING_H
#define LUFT_TB_ENCODING_H

#include "base/text.h"
#include "chess/position.h"

/* Pieces and pawns of a position, kings included, for which tables exist; and the files a to d, one of which
 * the foremost pawn stands on, after a mirror: a table with pawns has a part for each. */
enum { TABLE_PIECES_MAX = 7, TABLE_FILES = 4 };

/* How many of each Piece, four bits each. A table's White is the first side of its name. */
typedef uint64_t Material;

static inline Material material_one(Piece piece) { return (Material)1 << (4 * (unsigned)piece); }
static inline int material_count(Material material, Piece piece) {
    return (int)(material >> (4 * (unsigned)piece) & 15);
}
/* The same with the colours exchanged. */
static inline Material material_swap(Material material) {
    const Material black = 0xF0F0F0F0F0F0F0F0u;
    return (material & black) >> 4 | (material << 4 & black);
}
static inline bool material_has_pawns(Material material) {
    return material_count(material, WHITE_PAWN) + material_count(material, BLACK_PAWN) > 0;
}
int material_total(Material material);
/* Of a position with up to 15 of each piece. */
Material material_of(const Position *pos);
/* Reads the name of a table: "KRPvKR", of each side the king and then the strongest first, and the stronger
 * side first. False for other words. */
bool material_read(Material *material, TextView name);

/* A group is what is numbered together: the first pieces, and then all of each kind. */
typedef struct Encoding {
    int pieces, groups;
    uint8_t piece[TABLE_PIECES_MAX];   /* in order, equal ones next to each other */
    uint8_t length[TABLE_PIECES_MAX];  /* pieces of each group */
    uint64_t factor[TABLE_PIECES_MAX]; /* of the number of each group */
    uint64_t size;                     /* all indexes are less */
} Encoding;

/* The bytes of a header that encoding_read reads: the same ones for both sides to move. */
int encoding_header_size(Material material);

/* Reads the order of the pieces: for the first side to move the low half of each byte, for the second the
 * high one. `file` is that of the foremost pawn. False if the pieces are others than the table's, or their
 * order is none. */
bool encoding_read(Encoding *encoding, const uint8_t *header, bool second_side, Material material, int file);

/* The file, 0 to 3, of the foremost pawn, as the table counts. `swap` as below. */
int encoding_file(Material material, const Position *pos, bool swap);

/* The number of the position, less than `size`. It has the material of the table: with `swap`, its colours
 * are exchanged. Kings do not touch. With pawns, its file is the one that encoding_read was given. */
uint64_t encoding_index(const Encoding *encoding, const Position *pos, bool swap);

#endif
