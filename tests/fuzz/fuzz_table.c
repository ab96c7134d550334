/* Tablebases: any bytes are refused with a reason, or are a table, in which every placement of the pieces has
 * an answer within bounds, or none. The tables that are damaged are those of tests/syzygy, or of the folder
 * that LUFT_SYZYGY names. The first byte says which one; then come edits of 5 bytes: where (3), whether in
 * the headers (1), what (1). */
#include "base/bytes.h"
#include "base/file.h"
#include "chess/game.h"
#include "fuzz.h"
#include "tb/folder.h"
#include "vary.h"

const int FUZZ_SHORT_RUN = 20000;

enum { EDIT_SIZE = 5, EDITS_MAX = 8, HEADERS = 300 /* more or less */, POSITIONS = 30 };

static TableList list;
static TextBuffer *content; /* of each file */

static int compare_paths(const void *one, const void *two) {
    return strcmp(((const TableFile *)one)->path, ((const TableFile *)two)->path);
}

void fuzz_begin(void) {
    const char *folder = getenv("LUFT_SYZYGY");
    chess_init();
    Status status = table_list_fill(&list, text_view(folder != NULL ? folder : "tests/syzygy"));
    FUZZ_CHECK(status_is_ok(&status));
    qsort(list.files, list.count, sizeof *list.files, compare_paths);
    content = calloc(list.count, sizeof *content);
    FUZZ_CHECK(content != NULL);
    for (size_t i = 0; i < list.count; i++) {
        status = file_read(list.files[i].path, &content[i]);
        FUZZ_CHECK(status_is_ok(&status));
    }
}

/* A random placement with kings that do not touch. */
static void place_pieces(Position *pos, Material material, Rng *rng) {
    do {
        position_clear(pos);
        for (Piece piece = WHITE_PAWN; piece < PIECE_COUNT; piece++)
            for (int left = material_count(material, piece); left > 0;) {
                const bool pawn = piece_type(piece) == PAWN;
                const Square square = (Square)(pawn ? A2 + rng_below(rng, 48) : rng_below(rng, SQUARE_COUNT));
                if (position_piece_on(pos, square) != NO_PIECE) continue;
                position_put(pos, piece, square);
                left--;
            }
        pos->side = vary_chance(rng, 50) ? WHITE : BLACK;
    } while (attacks_king(position_king(pos, WHITE)) & position_pieces(pos, BLACK, KING));
    position_finish(pos);
}

static void probe(const Table *table, const TableFile *file, Rng *rng) {
    static const Wdl DECIDED[] = {WDL_LOSS, WDL_BLESSED_LOSS, WDL_CURSED_WIN, WDL_WIN};
    Position pos;
    Wdl wdl;
    int plies;
    const bool swap = vary_chance(rng, 50);
    place_pieces(&pos, swap ? material_swap(file->material) : file->material, rng);
    if (file->kind == TABLE_WDL)
        FUZZ_CHECK(!table_probe_wdl(table, &pos, swap, &wdl) || (wdl >= WDL_LOSS && wdl <= WDL_WIN));
    else
        FUZZ_CHECK(table_probe_dtz(table, &pos, swap, DECIDED[rng_below(rng, 4)], &plies) != DTZ_KNOWN ||
                   (plies >= 0 && plies <= 2 * UINT16_MAX));
}

static void edit_file(uint8_t *bytes, size_t size, const uint8_t *edit) {
    const size_t range = edit[3] % 2 == 0 || size < HEADERS ? size : HEADERS;
    bytes[bytes_get(edit, 3) % range] = edit[4];
}

bool fuzz_input(const uint8_t *data, size_t size) {
    if (size == 0) return false;
    const size_t number = data[0] % list.count;
    const TableFile *const file = &list.files[number];
    /* A copy of the exact size, so that the sanitizer detects reads past its end. */
    const size_t length = content[number].length;
    uint8_t *const exact = malloc(length);
    FUZZ_CHECK(exact != NULL);
    memcpy(exact, content[number].data, length);
    for (size_t at = 1, edits = 0; at + EDIT_SIZE <= size && edits < EDITS_MAX; at += EDIT_SIZE, edits++)
        edit_file(exact, length, data + at);
    Status status;
    Table *const table = table_create(exact, length, file->path, file->kind, file->material, &status);
    FUZZ_CHECK((table != NULL) == status_is_ok(&status));
    Rng rng = rng_seed(bytes_hash(data, size));
    for (int i = 0; table != NULL && i < POSITIONS; i++) probe(table, file, &rng);
    table_close(table);
    free(exact);
    return table != NULL;
}

/* A table with one changed byte, or one more. */
void fuzz_vary(TextView input, Rng *rng, TextBuffer *out) {
    if (vary_chance(rng, 10) && input.length > EDIT_SIZE && input.length < EDIT_SIZE * EDITS_MAX)
        buffer_append(out, input);
    else
        vary_random(rng, 1, out);
    vary_random(rng, EDIT_SIZE, out);
}
