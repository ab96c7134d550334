/* The numbers of placements in tablebases. */
#include "tb/encoding.h"

#include "placement_support.h"
#include "test_support.h"

/* A name, and how many pieces it has; 0: it is no table's. */
static void names_say_the_material(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int pieces;
    } CASES[] = {{"KQvK", 3},  {"KRPvKR", 5},   {"KQRBNPvK", 7}, {"KNNvKP", 5}, {"KBvKN", 4}, {"KRRvKRR", 6},
                 {"KvK", 0},   {"KvKQ", 0},     {"KRvKQ", 0},    {"KPQvK", 0},  {"KKvK", 0},  {"KQvKK", 0},
                 {"KQKvK", 0}, {"kqvk", 0},     {"KQvk", 0},     {"QvK", 0},    {"KQv", 0},   {"vKQ", 0},
                 {"KQ", 0},    {"", 0},         {"KQvKvK", 0},   {"KQvvK", 0},  {"KQxvK", 0}, {"KQ.vK", 0},
                 {"K8vK", 0},  {"KQQQvKQQQ", 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Material material;
        const bool known = material_read(&material, text_view(CASES[i].name));
        if (known != (CASES[i].pieces > 0) || (known && material_total(material) != CASES[i].pieces))
            fail_msg("%s", CASES[i].name);
    }
}

static Material material(const char *name) {
    Material found;
    assert_true(material_read(&found, text_view(name)));
    return found;
}

/* The order bytes and the pieces of a header, as digits: pawn 1 to king 6, Black's 9 to E. */
static bool read_header(Encoding *encoding, const char *name, const char *digits, int file) {
    uint8_t header[TABLE_PIECES_MAX + 2] = {0};
    for (int i = 0; digits[i] != '\0'; i++)
        header[i] = (uint8_t)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'A' + 10);
    assert_int_equal(strlen(digits), encoding_header_size(material(name)));
    return encoding_read(encoding, header, false, material(name), file);
}

static void orders_that_fit_no_table_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *digits;
        uint64_t size; /* 0: refused */
    } CASES[] = {{"KRvK", "06E4", 31332},
                 {"KRvK", "0E46", 31332},
                 {"KRvK", "16E4", 0}, /* there is but one group */
                 {"KRvK", "06E5", 0}, /* a queen */
                 {"KRvK", "0664", 0}, /* two white kings */
                 {"KRvK", "06E0", 0}, /* nothing */
                 {"KRvK", "06E7", 0},
                 {"KRvK", "06EC", 0}, /* the rook is Black's */
                 {"KRRvK", "06E44", 462 * 1891},
                 {"KRRvK", "16E44", 462 * 1891},
                 {"KRRvK", "26E44", 0},
                 {"KRRvK", "064E4", 0}, /* the rooks apart */
                 {"KRRvK", "0446E", 0}, /* the kings must come first */
                 {"KQRRvK", "06E544", 31332 * 1830},
                 {"KQRRvK", "06E454", 0},
                 {"KQRRvK", "06445E", 0}, /* two of the first three are the same */
                 {"KPvK", "016E", 6 * 63 * 62},
                 {"KPvK", "216E", 6 * 63 * 62},
                 {"KPvK", "316E", 0},
                 {"KPvK", "06E1", 0}, /* the pawn must come first */
                 {"KPvKP", "01196E", 6 * 47 * 62 * 61},
                 {"KPvKP", "10196E", 6 * 47 * 62 * 61},
                 {"KPvKP", "00196E", 0}, /* both in one place */
                 {"KPvKP", "0F196E", 0},
                 {"KPvKP", "01916E", 0}, /* White's pawn first */
                 {"KPPvKP", "019116E", 6 * 1081 * 61 * 60},
                 {"KPPvKP", "011196E", 0}}; /* the single pawn first */
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Encoding encoding;
        const bool known = read_header(&encoding, CASES[i].name, CASES[i].digits, 0);
        if (known != (CASES[i].size > 0) || (known && encoding.size != CASES[i].size))
            fail_msg("%s %s: %d, %llu", CASES[i].name, CASES[i].digits, known,
                     (unsigned long long)encoding.size);
    }
}

/* A random placement; false when this attempt found none. */
static bool place(Rng *rng, Material pieces, Position *pos) {
    if (!place_pieces(rng, pieces, pos)) return false;
    position_finish(pos);
    return !(attacks_king(position_king(pos, WHITE)) & position_pieces(pos, BLACK, KING));
}

/* The same placement turned: bit 0 mirrors the files, bit 1 the ranks, bit 2 along the diagonal. With `swap`
 * the colours are exchanged. */
static Position turn(const Position *pos, unsigned how, bool swap) {
    Position turned;
    position_clear(&turned);
    for (Square square = A1; square < SQUARE_COUNT; square++) {
        const Piece piece = position_piece_on(pos, square);
        Square to = (Square)((unsigned)square ^ (how & 1 ? 7u : 0) ^ (how & 2 ? 56u : 0));
        if (how & 4) to = square_make(square_rank(to), square_file(to));
        if (piece != NO_PIECE)
            position_put(&turned,
                         swap ? piece_make(color_other(piece_color(piece)), piece_type(piece)) : piece, to);
    }
    position_finish(&turned);
    return turned;
}

/* A hash of whichever turned placement comes first: equal for those that a table numbers once. */
static uint64_t hash_of_turned(const Position *pos, unsigned turns) {
    char first[SQUARE_COUNT] = "z";
    for (unsigned how = 0; how <= turns; how++) {
        const Position turned = turn(pos, how, false);
        char text[SQUARE_COUNT];
        for (Square square = A1; square < SQUARE_COUNT; square++)
            text[square] = piece_letter(position_piece_on(&turned, square));
        if (memcmp(text, first, SQUARE_COUNT) < 0) memcpy(first, text, SQUARE_COUNT);
    }
    return text_hash((TextView){first, SQUARE_COUNT});
}

/* Every number belongs to one placement, and to what a mirror and exchanged colours make of it. */
static void placements_have_numbers_of_their_own(void **state) {
    (void)state;
    enum { TRIES = 40000 };
    static const struct {
        const char *name, *digits;
        unsigned turns; /* that do not change the number */
        int file;
    } CASES[] = {{"KRvK", "06E4", 7, 0},      {"KRRvK", "16E44", 7, 0},  {"KQRvK", "05E64", 7, 0},
                 {"KNNNvK", "06E222", 7, 0},  {"KPvK", "216E", 1, 0},    {"KPvK", "016E", 1, 3},
                 {"KPPvK", "0116E", 1, 1},    {"KPvKP", "01196E", 1, 2}, {"KPPPvK", "21116E", 1, 0},
                 {"KPPvKP", "01911E6", 1, 3}, {"KQvKP", "1956E", 1, 0},  {"KRPvKP", "121964E", 1, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const Material pieces = material(CASES[i].name);
        const bool pawns = material_has_pawns(pieces);
        Encoding encoding;
        Rng rng = rng_seed(1);
        assert_true(read_header(&encoding, CASES[i].name, CASES[i].digits, CASES[i].file));
        uint64_t *const seen = calloc((size_t)encoding.size, sizeof *seen);
        assert_non_null(seen);
        for (int n = 0; n < TRIES; n++) {
            Position pos;
            if (!place(&rng, pieces, &pos)) continue;
            if (pawns && encoding_file(pieces, &pos, false) != CASES[i].file) continue;
            const uint64_t index = encoding_index(&encoding, &pos, false);
            assert_true(index < encoding.size);
            const uint64_t hash = hash_of_turned(&pos, CASES[i].turns);
            if (seen[index] == 0) seen[index] = hash;
            assert_true(seen[index] == hash);
            const Position mirrored = turn(&pos, pawns ? 1 : 3, false), other = turn(&pos, 2, true);
            /* Of two pawns on files a and h of one rank, that on file a is the foremost in both placements.
             */
            if (!pawns || encoding.length[0] == 1)
                assert_true(encoding_index(&encoding, &mirrored, false) == index);
            assert_true(encoding_index(&encoding, &other, true) == index);
        }
        free(seen);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_say_the_material),
        cmocka_unit_test(orders_that_fit_no_table_are_refused),
        cmocka_unit_test(placements_have_numbers_of_their_own),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
