/* Numbers and checksums in files. */
#include "base/bytes.h"

#include "test_support.h"

static void numbers_are_little_endian(void **state) {
    (void)state;
    uint8_t bytes[9] = {0};
    bytes_put(bytes, 0x0123456789ABCDEFu, 8);
    assert_memory_equal(bytes, "\xEF\xCD\xAB\x89\x67\x45\x23\x01\0", 9);
    assert_true(bytes_get(bytes, 8) == 0x0123456789ABCDEFu);
    assert_true(bytes_get(bytes, 2) == 0xCDEF);
    assert_true(bytes_get(bytes + 1, 1) == 0xCD);
}

static void only_the_named_bytes_are_written(void **state) {
    (void)state;
    uint8_t bytes[4] = {9, 9, 9, 9};
    bytes_put(bytes + 1, 0x12345678, 2);
    assert_memory_equal(bytes, "\x09\x78\x56\x09", 4);
}

/* Test vectors that Noll published with the algorithm. */
static void hash_is_fnv_1a(void **state) {
    (void)state;
    assert_true(bytes_hash("", 0) == 0xCBF29CE484222325u);
    assert_true(bytes_hash("a", 1) == 0xAF63DC4C8601EC8Cu);
    assert_true(bytes_hash("foobar", 6) == 0x85944171F73967E8u);
}

static void hash_continues_where_it_ended(void **state) {
    (void)state;
    assert_true(bytes_hash_more(bytes_hash("foo", 3), "bar", 3) == bytes_hash("foobar", 6));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_little_endian),
        cmocka_unit_test(only_the_named_bytes_are_written),
        cmocka_unit_test(hash_is_fnv_1a),
        cmocka_unit_test(hash_continues_where_it_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
