/* Folders of tablebases: which files are taken for tables. */
#include "tb/folder.h"

#include "base/file.h"
#include "test_support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Relative to the root of the source tree, where the tests run. */
static const char TABLES[] = "tests/syzygy";

static Status fill(TableList *list, const char *path) {
    *list = (TableList){0};
    return table_list_fill(list, text_view(path));
}

static void the_tables_of_a_folder_are_found(void **state) {
    (void)state;
    const Material queen = material_one(WHITE_KING) + material_one(WHITE_QUEEN) + material_one(BLACK_KING);
    TableList list;
    assert_ok(fill(&list, TABLES));
    assert_int_equal(list.count, 10);
    int found = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (list.files[i].material != queen) continue;
        found |= 1 << list.files[i].kind;
        assert_string_equal(list.files[i].path, list.files[i].kind == TABLE_WDL ? "tests/syzygy/KQvK.rtbw"
                                                                                : "tests/syzygy/KQvK.rtbz");
    }
    assert_int_equal(found, 1 << TABLE_WDL | 1 << TABLE_DTZ);
    table_list_release(&list);
}

static void folders_may_be_several_and_tables_twice(void **state) {
    (void)state;
    TableList list;
    assert_ok(fill(&list, ": tests/syzygy::./tests/syzygy: "));
    assert_int_equal(list.count, 10);
    assert_int_equal(strncmp(list.files[0].path, "tests/syzygy/K", 14), 0);
    table_list_release(&list);
}

static void a_useless_folder_is_named(void **state) {
    (void)state;
    static const struct {
        const char *path, *reason;
    } CASES[] = {{"tests/nowhere", "cannot read the folder tests/nowhere"},
                 {"tests/syzygy:tests/nowhere", "cannot read the folder tests/nowhere"},
                 {"README.md", "cannot read the folder README.md"},
                 {"tests/unit", "no tablebase (KQvK.rtbw and the like) in the folder tests/unit"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        TableList list;
        assert_fails(fill(&list, CASES[i].path), CASES[i].reason);
        table_list_release(&list);
    }
}

static void a_very_long_path_is_refused(void **state) {
    (void)state;
    TextBuffer path = {0};
    TableList list;
    for (int i = 0; i < 100000; i++) buffer_append_string(&path, "tables/");
    assert_fails(fill(&list, buffer_string(&path)), "cannot read the folder tables/tables/");
    table_list_release(&list);
    buffer_release(&path);
}

/* Opening a pipe would wait for ever. */
static void what_is_no_file_is_no_table(void **state) {
    (void)state;
    const Material queen = material_one(WHITE_KING) + material_one(WHITE_QUEEN) + material_one(BLACK_KING);
    char folder[] = "/tmp/luft-tables-XXXXXX", path[96];
    Status status;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/KQvK.rtbw", folder);
    assert_null(table_open(path, TABLE_WDL, queen, &status));
    assert_fails(status, "cannot open");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(table_open(path, TABLE_WDL, queen, &status));
    assert_fails(status, "KQvK.rtbw is no regular file");
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_null(table_open(path, TABLE_WDL, queen, &status));
    assert_fails(status, "KQvK.rtbw is no regular file");
    rmdir(path);
    assert_ok(file_write(path, "", 0));
    assert_null(table_open(path, TABLE_WDL, queen, &status));
    assert_fails(status, "KQvK.rtbw is empty");
    unlink(path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_of_a_folder_are_found),
        cmocka_unit_test(folders_may_be_several_and_tables_twice),
        cmocka_unit_test(a_useless_folder_is_named),
        cmocka_unit_test(a_very_long_path_is_refused),
        cmocka_unit_test(what_is_no_file_is_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
