/* Files of tablebases: those of tests/syzygy are read, damaged ones refused. */
#include "tb/table.h"

#include "base/file.h"
#include "test_support.h"

#define KINGS       (material_one(WHITE_KING) + material_one(BLACK_KING))
#define ROOK        (KINGS + material_one(WHITE_ROOK))
#define PAWN_ENDING (KINGS + material_one(WHITE_PAWN))

/* Opens a table of tests/syzygy after an edit of one byte, and without the bytes after `size`. */
static Status try_table(const char *file, const char *name, size_t at, int value, size_t size) {
    TextBuffer content = {0};
    char path[64];
    text_format(path, sizeof path, "tests/syzygy/%s", file);
    assert_ok(file_read(path, &content));
    if (at < content.length) content.data[at] = (char)value;
    if (size > content.length) size = content.length;
    uint8_t *const exact = malloc(size > 0 ? size : 1); /* so that a sanitizer detects reads past its end */
    memcpy(exact, content.data, size);
    buffer_release(&content);
    Material material;
    Status status;
    assert_true(material_read(&material, text_view(name)));
    const TableKind kind = file[strlen(file) - 1] == 'w' ? TABLE_WDL : TABLE_DTZ;
    Table *const table = table_create(exact, size, file, kind, material, &status);
    assert_int_equal(table != NULL, status_is_ok(&status));
    table_close(table);
    free(exact);
    return status;
}

static void damaged_tables_are_refused(void **state) {
    (void)state;
    enum { WHOLE = 1 << 20, NONE = WHOLE };
    static const struct {
        const char *file, *name;
        size_t at;
        int value;
        size_t size;
        const char *reason; /* empty: accepted */
    } CASES[] = {{"KRvK.rtbw", "KRvK", NONE, 0, WHOLE, ""},
                 {"KRvK.rtbz", "KRvK", NONE, 0, WHOLE, ""},
                 {"KPvK.rtbw", "KPvK", NONE, 0, WHOLE, ""},
                 {"KPvK.rtbz", "KPvK", NONE, 0, WHOLE, ""},
                 {"KRvK.rtbw", "KRvK", NONE, 0, 0, "KRvK.rtbw is no tablebase"},
                 {"KRvK.rtbw", "KRvK", NONE, 0, 3, "is no tablebase"},
                 {"KRvK.rtbw", "KRvK", NONE, 0, 16, "is not complete (16 bytes)"},
                 {"KRvK.rtbw", "KRvK", NONE, 0, 100, "is not complete (100 bytes)"},
                 {"KRvK.rtbw", "KRvK", NONE, 0, 80, "KRvK.rtbw is damaged: it ends too early"},
                 {"KRvK.rtbw", "KRvK", NONE, 0, 144, "it ends too early"},
                 {"KRvK.rtbw", "KRvK", 1, 0, WHOLE, "is no tablebase"},
                 {"KRvK.rtbw", "KRvK", 4, 0x30, WHOLE, "it has too many sides, or too few"},
                 {"KRvK.rtbw", "KRvK", 5, 1, WHOLE, "it has other pieces than its name"},
                 {"KRvK.rtbw", "KRvK", 6, 0xE6, WHOLE, "it has other pieces than its name"},
                 {"KRvK.rtbw", "KRvK", 7, 0x60, WHOLE, "it has other pieces than its name"},
                 {"KRvK.rtbw", "KRvK", 8, 0x47, WHOLE, "it has other pieces than its name"},
                 {"KRvK.rtbw", "KQvK", NONE, 0, WHOLE, "it has other pieces than its name"},
                 {"KRvK.rtbw", "KRvK", 13, 200, WHOLE, "its blocks are too large"},
                 {"KRvK.rtbw", "KRvK", 13, 16, WHOLE, "it ends too early"},
                 {"KRvK.rtbw", "KRvK", 14, 0, WHOLE, "its blocks are too large"},
                 {"KRvK.rtbw", "KRvK", 14, 200, WHOLE, "its blocks are too large"},
                 {"KRvK.rtbw", "KRvK", 19, 1, WHOLE, "it ends too early"},
                 {"KRvK.rtbw", "KRvK", 20, 33, WHOLE, "its codes are too long"},
                 {"KRvK.rtbw", "KRvK", 21, 0, WHOLE, "its codes are too long"},
                 {"KRvK.rtbw", "KRvK", 21, 6, WHOLE, "its codes are too long"},
                 {"KRvK.rtbw", "KRvK", 22, 1, WHOLE, "its codes"},
                 {"KRvK.rtbw", "KRvK", 31, 0x80, WHOLE, "its codes overlap"},
                 {"KRvK.rtbw", "KRvK", 32, 9, WHOLE, "its codes have no symbols"},
                 {"KRvK.rtbw", "KRvK", 33, 0x80, WHOLE, "it has too many symbols"},
                 {"KRvK.rtbw", "KRvK", 33, 1, WHOLE, "it ends too early"},
                 {"KRvK.rtbw", "KRvK", 34, 0xFF, WHOLE, "its symbols form no tree"},
                 {"KRvK.rtbw", "KRvK", 34, 0, WHOLE, "its symbols form no tree"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const Status status =
            try_table(CASES[i].file, CASES[i].name, CASES[i].at, CASES[i].value, CASES[i].size);
        if (strstr(status.reason, CASES[i].reason) == NULL ||
            (CASES[i].reason[0] == '\0') != status_is_ok(&status))
            fail_msg("case %zu: '%s' without '%s'", i, status.reason, CASES[i].reason);
    }
}

static void a_prefix_is_refused(void **state) {
    (void)state;
    for (size_t size = 0; size < 208; size++) {
        const Status status = try_table("KRvK.rtbw", "KRvK", SIZE_MAX, 0, size);
        assert_false(status_is_ok(&status));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_tables_are_refused),
        cmocka_unit_test(a_prefix_is_refused),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
