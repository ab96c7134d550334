#include "base/memory.h"

#include "base/file.h"
#include "base/text.h"
#include "test_support.h"

#include <stdlib.h>

static bool is_zero(const unsigned char *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (data[i] != 0) return false;
    }
    return true;
}

static void blocks_are_zeroed_and_keep_content_when_resized(void **state) {
    (void)state;
    unsigned char *block = memory_allocate(1000);
    assert_non_null(block);
    assert_true(is_zero(block, 1000));
    memset(block, 7, 1000);
    block = memory_resize(block, 100000);
    assert_non_null(block);
    assert_int_equal(block[999], 7);
    memory_release(block);
    memory_release(NULL);
}

static void empty_blocks_are_blocks(void **state) {
    (void)state;
    void *block = memory_allocate(0);
    assert_non_null(block);
    block = memory_resize(block, 0);
    assert_non_null(block);
    memory_release(block);
}

static void arrays_grow_item_by_item(void **state) {
    (void)state;
    int *array = NULL;
    for (int count = 0; count < 1000; count++) {
        int *larger = memory_grow(array, (size_t)count, sizeof *array);
        assert_non_null(larger);
        if (count % 16 != 0) assert_ptr_equal(larger, array); /* it grows by doubling */
        array = larger;
        array[count] = count;
    }
    for (int i = 0; i < 1000; i++) assert_int_equal(array[i], i);
    /* Emptied, it may be filled again. */
    array = memory_grow(array, 0, sizeof *array);
    assert_non_null(array);
    array[0] = 5;
    assert_null(memory_grow(array, SIZE_MAX / 2 + 1, 256));
    assert_int_equal(array[0], 5);
    memory_release(array);
}

static void aligned_blocks_are_aligned_and_zeroed(void **state) {
    (void)state;
    for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        unsigned char *block = memory_allocate_aligned(777, alignment);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % alignment, 0);
        assert_true(is_zero(block, 777));
        memset(block, 255, 777);
        memory_release_aligned(block);
    }
}

static void large_blocks_are_aligned_zeroed_and_writable(void **state) {
    (void)state;
    const size_t sizes[] = {1, 4096, (2 << 20) - 1, 2 << 20, (5 << 20) + 3};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *block = memory_allocate_large(sizes[i]);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
#ifdef __linux__
        assert_int_equal((uintptr_t)block % (2 << 20), 0);
#endif
        assert_true(is_zero(block, sizes[i]));
        memset(block, 1, sizes[i]);
        memory_release_large(block, sizes[i]);
    }
    memory_release_large(NULL, 5);
}

static void absurd_sizes_are_refused(void **state) {
    (void)state;
    assert_null(memory_allocate_large(SIZE_MAX));
    assert_null(memory_allocate_large(sizeof(size_t) > 4 ? SIZE_MAX / 2 : SIZE_MAX - 4096));
}

static void physical_memory_is_plausible(void **state) {
    (void)state;
    const uint64_t memory = memory_physical();
    assert_true(memory > 16u << 20);
    assert_true(memory < (uint64_t)1 << 50);
}

#ifdef __linux__
static void write_file(const char *folder, const char *name, const char *content) {
    char path[200];
    text_format(path, sizeof path, "%s/%s", folder, name);
    *strrchr(path, '/') = '\0';
    assert_ok(file_make_folder(path));
    path[strlen(path)] = '/';
    assert_ok(file_write(path, content, strlen(content)));
}

static void limits_of_control_groups_of_both_versions_count(void **state) {
    (void)state;
    char tree[] = "/tmp/luft-groups-XXXXXX", membership[64], command[64];
    assert_non_null(mkdtemp(tree));
    text_format(membership, sizeof membership, "%s/membership", tree);
    assert_true(memory_limit_of_groups(tree, "/nowhere") == UINT64_MAX);
    write_file(tree, "membership", "5:cpu:/else\n4:memory,pids:/a/b\n0::/c/d\n");
    assert_true(memory_limit_of_groups(tree, membership) == UINT64_MAX);
    write_file(tree, "c/d/memory.max", "max\n");
    write_file(tree, "c/memory.max", "900000000\n"); /* a parent's limit applies to its children */
    assert_int_equal(memory_limit_of_groups(tree, membership), 900000000);
    write_file(tree, "memory/a/b/memory.limit_in_bytes", "700000000\n");
    assert_int_equal(memory_limit_of_groups(tree, membership), 700000000);
    write_file(tree, "memory/else/memory.limit_in_bytes", "5\n");
    write_file(tree, "memory.max", "600000000\n");
    assert_int_equal(memory_limit_of_groups(tree, membership), 600000000);
    text_format(command, sizeof command, "rm -r %s", tree);
    assert_int_equal(system(command), 0);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zeroed_and_keep_content_when_resized),
        cmocka_unit_test(empty_blocks_are_blocks),
        cmocka_unit_test(arrays_grow_item_by_item),
        cmocka_unit_test(aligned_blocks_are_aligned_and_zeroed),
        cmocka_unit_test(large_blocks_are_aligned_zeroed_and_writable),
        cmocka_unit_test(absurd_sizes_are_refused),
        cmocka_unit_test(physical_memory_is_plausible),
#ifdef __linux__
        cmocka_unit_test(limits_of_control_groups_of_both_versions_count),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
