/* The check that the processor can run the program, and the choice of kernels. */
#include "base/processor.h"

#include "base/system.h"
#include "nnue/arch.h"
#include "nnue/dispatch.h"
#include "nnue/kernels.h"
#include "test_support.h"

#include <stdlib.h>

static void use_kernels(const char *name) {
#ifdef _WIN32
    _putenv_s("LUFT_KERNELS", name);
#else
    setenv("LUFT_KERNELS", name, 1);
#endif
}

static void a_program_that_runs_lacks_nothing(void **state) {
    (void)state;
    assert_null(processor_lacks());
}

static void without_a_wish_the_check_passes(void **state) {
    (void)state;
    use_kernels("");
    assert_ok(dispatch_check());
    assert_string_equal(dispatch_kernels_name(), kernels_for_width(WIDTH_MAX)->name);
}

static void unknown_kernels_are_refused_and_a_good_set_is_used(void **state) {
    (void)state;
    use_kernels("");
    const char *usual = dispatch_kernels_name();
    use_kernels("mmx");
    assert_fails(dispatch_check(), "LUFT_KERNELS=mmx: this ");
    assert_string_equal(dispatch_kernels_name(), usual);
    use_kernels("");
}

#ifdef LUFT_PORTABLE
static void lower_kernels_can_be_chosen_by_name(void **state) {
    (void)state;
    use_kernels("sse2");
    assert_ok(dispatch_check());
    assert_string_equal(dispatch_kernels_name(), "SSE2");
    use_kernels("");
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_runs_lacks_nothing),
        cmocka_unit_test(without_a_wish_the_check_passes),
        cmocka_unit_test(unknown_kernels_are_refused_and_a_good_set_is_used),
#ifdef LUFT_PORTABLE
        cmocka_unit_test(lower_kernels_can_be_chosen_by_name),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
