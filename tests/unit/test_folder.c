/* Folders of tablebases: which tables are found, and which files are refused before the library opens them.
 */
#include "tb/folder.h"

#include "base/file.h"
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Relative to the root of the source tree, where the tests run. */
static const char TABLES[] = "tests/syzygy";

static Status fill(TableList *list, const char *path) {
    *list = (TableList){0};
    return table_list_fill(list, text_view(path));
}

static void the_tables_of_a_folder_are_found(void **state) {
    (void)state;
    TableList list;
    assert_ok(fill(&list, TABLES));
    assert_int_equal(list.count, 5);
    assert_int_equal(list.largest, 3);
    assert_string_equal(buffer_string(&list.path), TABLES);
    bool seen = false;
    for (size_t i = 0; i < list.count; i++) seen = seen || strcmp(list.names[i].text, "KQvK") == 0;
    assert_true(seen);
    table_list_release(&list);
}

static void folders_may_be_several_and_tables_twice(void **state) {
    (void)state;
    TableList list;
    assert_ok(fill(&list, ": tests/syzygy::./tests/syzygy: "));
    assert_int_equal(list.count, 5);
    assert_string_equal(buffer_string(&list.path), "tests/syzygy:./tests/syzygy");
    table_list_release(&list);
}

static void a_useless_folder_is_named(void **state) {
    (void)state;
    static const struct {
        const char *path, *reason;
    } CASES[] = {{"tests/nowhere", "cannot read the folder tests/nowhere"},
                 {"tests/syzygy:tests/nowhere", "cannot read the folder tests/nowhere"},
                 {"README.md", "cannot read the folder README.md"},
                 {"tests/unit", "no tablebase (KQvK.rtbw and the like) in the folder tests/unit"},
                 {":", "no tablebase"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        TableList list;
        assert_fails(fill(&list, CASES[i].path), CASES[i].reason);
        table_list_release(&list);
    }
}

/* Makes a folder with one file, the first `size` bytes of a real table. */
typedef struct Copy {
    char folder[64], file[96];
} Copy;

static Copy copy_table(const char *name, const char *as, size_t size, bool spoil) {
    Copy copy = {"/tmp/luft-tables-XXXXXX", ""};
    assert_non_null(mkdtemp(copy.folder));
    snprintf(copy.file, sizeof copy.file, "%s/%s", copy.folder, as);
    char path[96];
    snprintf(path, sizeof path, "%s/%s", TABLES, name);
    TextBuffer content = {0};
    assert_ok(file_read(path, &content));
    if (spoil) content.data[1] ^= 1;
    assert_ok(file_write(copy.file, content.data, size < content.length ? size : content.length));
    buffer_release(&content);
    return copy;
}

static void remove_copy(const Copy *copy) {
    assert_int_equal(unlink(copy->file), 0);
    assert_int_equal(rmdir(copy->folder), 0);
}

static void damaged_files_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *as, *reason; /* reason NULL: accepted */
        size_t size;
        bool spoil;
    } CASES[] = {{"KQvK.rtbw", "KQvK.rtbw", NULL, 1 << 20, false},
                 {"KQvK.rtbw", "KQvK.rtbw", "is no tablebase", 1 << 20, true},
                 {"KQvK.rtbw", "KQvK.rtbw", "is not complete (100 bytes)", 100, false},
                 {"KQvK.rtbw", "KQvK.rtbw", "is not complete (16 bytes)", 16, false},
                 {"KQvK.rtbw", "KQvK.rtbw", "is no tablebase", 0, false},
                 {"KQvK.rtbw", "KQvK.rtbz", "is no tablebase", 1 << 20, false},
                 {"KQvK.rtbz", "KQvK.rtbz", "who wins", 1 << 20, false},
                 {"KQvK.rtbw", "KvKQ.rtbx", "no tablebase (", 1 << 20, false},
                 {"KQvK.rtbw", "KvKQ.rtbw", "no tablebase (", 1 << 20, false},
                 {"KQvK.rtbw", "KRvKQ.rtbw", "no tablebase (", 1 << 20, false},
                 {"KQvK.rtbw", "KPQvK.rtbw", "no tablebase (", 1 << 20, false},
                 {"KQvK.rtbw", "KvK.rtbw", "no tablebase (", 1 << 20, false},
                 {"KQvK.rtbw", "KQQQvKQQQ.rtbw", "no tablebase (", 1 << 20, false}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const Copy copy = copy_table(CASES[i].name, CASES[i].as, CASES[i].size, CASES[i].spoil);
        TableList list;
        if (CASES[i].reason == NULL)
            assert_ok(fill(&list, copy.folder));
        else
            assert_fails(fill(&list, copy.folder), CASES[i].reason);
        table_list_release(&list);
        remove_copy(&copy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_of_a_folder_are_found),
        cmocka_unit_test(folders_may_be_several_and_tables_twice),
        cmocka_unit_test(a_useless_folder_is_named),
        cmocka_unit_test(damaged_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
