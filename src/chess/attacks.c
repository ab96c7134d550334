#include "chess/attacks.h"

AttackTables attack_tables;

/* Sizes of the plain layout in which every square has a table of 2^(squares in its mask). */
enum { BISHOP_ENTRIES = 5248, ROOK_ENTRIES = 102400 };
static Bitboard slider_table[BISHOP_ENTRIES + ROOK_ENTRIES];

typedef struct Step {
    int file, rank;
} Step;
static const Step BISHOP_STEPS[4] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const Step ROOK_STEPS[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

#if !ATTACKS_USE_PEXT
/* Our own, found by tests/tools/find_magics.c. */
static const uint64_t BISHOP_MAGICS[SQUARE_COUNT] = {
    0x2042440800840081u, 0x80040820C1020100u, 0x01080A4404200000u, 0x0102208200402104u, 0x0108484081000402u,
    0xE508240422000204u, 0x00810119A0200A01u, 0x4000120801041001u, 0x040420C28202040Au, 0x0000040810C4008Cu,
    0x0120420204410814u, 0x0305080A00210008u, 0xB0A0220210261000u, 0x5000060814040008u, 0x0120240402821000u,
    0x080A02120084440Cu, 0x00408220124A8208u, 0x2002001030493108u, 0x101A108418001100u, 0x43220020202044C0u,
    0x1B28210402081004u, 0x0001000200808400u, 0x0424000209140220u, 0x8020204301111008u, 0xA010084485381000u,
    0x0088210004240080u, 0x8040410650040081u, 0x0840040005101020u, 0x0021010108104000u, 0x8010011002080200u,
    0x0408050000841101u, 0x0204010000412088u, 0x1042201000210240u, 0x0008221006020410u, 0x0040180400020406u,
    0xA110480800420A00u, 0x020D0104001200A0u, 0x0041020084180802u, 0x3001410100020800u, 0x0041090020020A00u,
    0x0028888C1100C010u, 0x8010440421004404u, 0x0181004050000842u, 0x2000014010400200u, 0x004301012200AC01u,
    0x0020200114400208u, 0x081C24008E012420u, 0x0402080040880902u, 0x1404020822088689u, 0x0001208804118200u,
    0x0000511488040808u, 0x2A0B108041109202u, 0x2248520810240820u, 0x0900224401020054u, 0x04C00202C2160084u,
    0x8049021404002100u, 0x8202042A05101800u, 0x0020004404040340u, 0x0008108430841001u, 0x100000A800460804u,
    0x0010900010603206u, 0x0060020843080200u, 0x040004A024011200u, 0x4010010108008100u,
};

static const uint64_t ROOK_MAGICS[SQUARE_COUNT] = {
    0x0180004000203180u, 0x01400040A0001000u, 0x9100081100200040u, 0x2080058010008800u, 0x0880080003800400u,
    0x0500020804000100u, 0x2900408100220004u, 0x0200010410842046u, 0x0240800040008020u, 0x0824400420100041u,
    0x400200419202A080u, 0x0102002008104201u, 0x8030808008000400u, 0x8892001008840200u, 0x000C00091A102408u,
    0x1041001900008042u, 0x0200918000C00022u, 0x001042002A010080u, 0x1A01010040102004u, 0x2407010008100020u,
    0x8000660030062200u, 0x1022008004000280u, 0x00200400D0080201u, 0x0000020000904411u, 0x0100400080008020u,
    0x8810044840002002u, 0x8010100080200082u, 0x4000080080801000u, 0x0000080080040080u, 0x0440040080020080u,
    0x8001280400821021u, 0x0100044E00141081u, 0x004001C182800020u, 0x180040E002401000u, 0x10C0801004802000u,
    0x8010000801803080u, 0x0208008008800402u, 0x0000800200800400u, 0x1912020001010004u, 0x00080100A2000044u,
    0x0100804000208000u, 0x0380804001010028u, 0x0000100020008080u, 0x0301001000090022u, 0x000088010011003Cu,
    0x5082401004080120u, 0x0110480201440010u, 0x9A00244885020004u, 0x2040320100804200u, 0x0014210040048100u,
    0x0001004010200100u, 0x4088220010400A00u, 0x00008018000C0180u, 0x4262001008040200u, 0x80A2501822890400u,
    0x0148004100840200u, 0x0080008018204105u, 0x0502188240220102u, 0x41804220100A0082u, 0x0001020420100009u,
    0x0881000800100205u, 0x0412000801100402u, 0x0000008201081004u, 0x0086103100840042u,
};

#endif

static Bitboard square_step(Square square, Step step) {
    const int file = square_file(square) + step.file, rank = square_rank(square) + step.rank;
    const bool inside = file >= 0 && file < 8 && rank >= 0 && rank < 8;
    return inside ? square_bit(square_make(file, rank)) : 0;
}

/* Squares that a slider reaches, found by walking: slow, used only to fill the tables. */
static Bitboard walk_rays(Square square, Bitboard occupied, const Step steps[4]) {
    Bitboard reached = 0;
    for (int i = 0; i < 4; i++) {
        Bitboard next = square_step(square, steps[i]);
        while (next) {
            reached |= next;
            next = next & occupied ? 0 : square_step(bitboard_lowest(next), steps[i]);
        }
    }
    return reached;
}

/* Occupation of the board's edge never changes what a slider attacks, unless it moves along that edge. */
static Bitboard relevant_mask(Square square, const Step steps[4]) {
    const Bitboard edges = ((FILE_A | FILE_H) & ~file_mask(square_file(square))) |
                           ((RANK_1 | RANK_8) & ~rank_mask(square_rank(square)));
    return walk_rays(square, 0, steps) & ~edges;
}

static Bitboard *fill_slider(SliderAttacks *slider, Square square, const Step steps[4], uint64_t magic,
                             Bitboard *table) {
    slider->mask = relevant_mask(square, steps);
    slider->magic = magic;
    slider->shift = (unsigned)(64 - bits_count(slider->mask));
    slider->table = table;
    Bitboard occupied = 0;
    do { /* all subsets of the mask (the "carry-rippler") */
        table[attacks_slider_index(slider, occupied)] = walk_rays(square, occupied, steps);
        occupied = (occupied - slider->mask) & slider->mask;
    } while (occupied);
    return table + (1u << bits_count(slider->mask));
}

static void fill_sliders(void) {
    Bitboard *table = slider_table;
    for (Square square = A1; square < SQUARE_COUNT; square++) {
#if ATTACKS_USE_PEXT
        const uint64_t bishop_magic = 0, rook_magic = 0;
#else
        uint64_t bishop_magic = BISHOP_MAGICS[square], rook_magic = ROOK_MAGICS[square];
#endif
        table = fill_slider(&attack_tables.bishop[square], square, BISHOP_STEPS, bishop_magic, table);
        table = fill_slider(&attack_tables.rook[square], square, ROOK_STEPS, rook_magic, table);
    }
}

static void fill_leapers(void) {
    static const Step KNIGHT_STEPS[8] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                         {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    for (Square square = A1; square < SQUARE_COUNT; square++) {
        for (int i = 0; i < 8; i++) attack_tables.knight[square] |= square_step(square, KNIGHT_STEPS[i]);
        for (int i = 0; i < 4; i++)
            attack_tables.king[square] |=
                square_step(square, BISHOP_STEPS[i]) | square_step(square, ROOK_STEPS[i]);
        for (Color color = WHITE; color < COLOR_COUNT; color++)
            attack_tables.pawn[color][square] = bitboard_pawn_attacks(color, square_bit(square));
    }
}

static void fill_lines(void) {
    for (Square a = A1; a < SQUARE_COUNT; a++) {
        for (Square b = A1; b < SQUARE_COUNT; b++) {
            attack_tables.between[a][b] = square_bit(b);
            for (int kind = 0; kind < 2 && a != b; kind++) {
                const Step *steps = kind ? ROOK_STEPS : BISHOP_STEPS;
                if (!(walk_rays(a, 0, steps) & square_bit(b))) continue;
                attack_tables.between[a][b] |=
                    walk_rays(a, square_bit(b), steps) & walk_rays(b, square_bit(a), steps);
                attack_tables.line[a][b] =
                    (walk_rays(a, 0, steps) & walk_rays(b, 0, steps)) | square_bit(a) | square_bit(b);
            }
        }
    }
}

void attacks_init(void) {
    if (attack_tables.knight[A1]) return;
    fill_sliders();
    fill_leapers();
    fill_lines();
}
