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

static void no_processor_has_an_unknown_set(void **state) {
    (void)state;
    assert_false(processor_has("mmx2"));
    assert_false(processor_has(""));
}

/* Apple's libraries lack what the compiler's function needs. */
#if (defined(__x86_64__) || defined(__i386__)) && !defined(__APPLE__)
#define ASKS_THE_COMPILER
#define SAME(name) assert_int_equal(processor_has(name), __builtin_cpu_supports(name) != 0)
static void the_compilers_library_finds_the_same_sets(void **state) {
    (void)state;
    SAME("sse3"), SAME("ssse3"), SAME("sse4.1"), SAME("sse4.2"), SAME("popcnt"), SAME("sse4a");
    SAME("avx"), SAME("fma"), SAME("fma4"), SAME("xop"), SAME("bmi"), SAME("bmi2"), SAME("avx2");
    SAME("avx512f"), SAME("avx512bw"), SAME("avx512cd"), SAME("avx512dq"), SAME("avx512vl");
    SAME("avx512vnni"), SAME("avx512vbmi"), SAME("avx512vbmi2"), SAME("avx512ifma"), SAME("avx512bitalg");
    SAME("avx512vpopcntdq"), SAME("gfni");
}
#endif

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
        cmocka_unit_test(no_processor_has_an_unknown_set),
#ifdef ASKS_THE_COMPILER
        cmocka_unit_test(the_compilers_library_finds_the_same_sets),
#endif
        cmocka_unit_test(without_a_wish_the_check_passes),
        cmocka_unit_test(unknown_kernels_are_refused_and_a_good_set_is_used),
#ifdef LUFT_PORTABLE
        cmocka_unit_test(lower_kernels_can_be_chosen_by_name),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
