#include "lab/kit/key_set.h"

#include "base/rng.h"
#include "test_support.h"

static void test_keys_are_new_once(void **state) {
    (void)state;
    enum { KEYS = 5000 };
    KeySet set = {0};
    assert_false(key_set_has(&set, 7));
    for (int pass = 0; pass < 2; pass++) {
        Rng rng = rng_seed(1);
        for (int i = 0; i < KEYS; i++) {
            /* Many with the same low bits: they collide. */
            const uint64_t key = rng_next(&rng) << (i % 2 == 0 ? 32 : 0);
            assert_int_equal(key_set_has(&set, key), pass == 1);
            assert_true(key_set_reserve(&set, 1));
            assert_int_equal(key_set_add(&set, key), pass == 0);
        }
        assert_int_equal(set.count, KEYS);
    }
    key_set_release(&set);
    assert_int_equal(set.count, 0);
}

static void test_zero_is_a_key(void **state) {
    (void)state;
    KeySet set = {0};
    assert_true(key_set_reserve(&set, 1));
    assert_false(key_set_has(&set, 0));
    assert_true(key_set_add(&set, 0));
    assert_true(key_set_has(&set, 0));
    assert_false(key_set_add(&set, 0));
    key_set_release(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys_are_new_once),
                                       cmocka_unit_test(test_zero_is_a_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
