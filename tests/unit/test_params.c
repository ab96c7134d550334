/* The tables of parameters and techniques. */
#include "search/params.h"

#include "test_support.h"

#include <ctype.h>

static void assert_is_a_name(const char *name) {
    assert_true(islower((unsigned char)name[0]));
    for (const char *c = name; *c; c++)
        assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
}

static void numbers_are_within_their_bounds(void **state) {
    (void)state;
    int count;
    const ParamRow *rows = params_rows(&count);
    assert_true(count > 10);
    for (int i = 0; i < count; i++) {
        const ParamRow *row = &rows[i];
        assert_is_a_name(row->name);
        if (row->low > row->initial || row->initial > row->high || row->low >= row->high || row->step <= 0 ||
            row->step > row->high - row->low)
            fail_msg("%s: %d in [%d, %d] by %d", row->name, row->initial, row->low, row->high, row->step);
        for (int j = 0; j < i; j++) assert_string_not_equal(row->name, rows[j].name);
    }
}

static void rows_stand_in_the_order_of_the_list(void **state) {
    (void)state;
    static const int COMPILED[] = {
#define PARAM(name, value, low, high, step) value,
#include "search/params.def"
#undef PARAM
    };
    int count;
    const ParamRow *rows = params_rows(&count);
    assert_int_equal(count, sizeof COMPILED / sizeof *COMPILED);
    for (int i = 0; i < count; i++) assert_int_equal(rows[i].initial, COMPILED[i]);
}

static void switches_are_named_and_explained(void **state) {
    (void)state;
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    assert_true(count > 10);
    for (int i = 0; i < count; i++) {
        assert_is_a_name(rows[i].name);
        const size_t length = strlen(rows[i].summary);
        assert_true(length > 10 && rows[i].summary[length - 1] != '.');
        assert_null(strchr(rows[i].summary, '\n'));
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(rows[i].name, rows[j].name);
            assert_string_not_equal(rows[i].summary, rows[j].summary);
        }
    }
}

/* In a LAB=1 build the rows change the values that the search reads; in a normal build nothing can. */
static void only_the_laboratory_has_live_rows(void **state) {
    (void)state;
    int numbers, switches;
    const ParamRow *number = params_rows(&numbers);
    const TechniqueRow *technique = techniques_rows(&switches);
#ifdef LUFT_LAB
    for (int i = 0; i < numbers; i++) assert_int_equal(*number[i].value, number[i].initial);
    for (int i = 0; i < switches; i++) assert_true(*technique[i].enabled);
    assert_ptr_equal(number[0].value, &params.see_pawn);
    *number[0].value += 1;
    assert_int_equal(params.see_pawn, number[0].initial + 1);
    *number[0].value -= 1;
    *technique[0].enabled = false;
    assert_false(techniques.aspiration_windows);
    *technique[0].enabled = true;
#else
    for (int i = 0; i < numbers; i++) assert_null(number[i].value);
    for (int i = 0; i < switches; i++) assert_null(technique[i].enabled);
    assert_int_equal(params.see_pawn, number[0].initial);
    assert_true(techniques.aspiration_windows);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_within_their_bounds),
        cmocka_unit_test(rows_stand_in_the_order_of_the_list),
        cmocka_unit_test(switches_are_named_and_explained),
        cmocka_unit_test(only_the_laboratory_has_live_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
