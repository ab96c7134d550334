/* Names in scripts for gnuplot cannot contain commands. */
#include "lab/kit/plot.h"

#include "base/file.h"
#include "test_support.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect(void (*quote)(TextBuffer *script, const char *text), const char *text,
                   const char *expected) {
    TextBuffer script = {0};
    quote(&script, text);
    assert_string_equal(buffer_string(&script), expected);
    buffer_release(&script);
}

static void test_quotes(void **state) {
    (void)state;
    expect(plot_quote, "it's", "'it''s'");
    expect(plot_quote, "a\nb", "'a\\x0ab'");
    expect(plot_quote, "`touch x` $y \\", "'`touch x` $y \\'");
    expect(plot_quote_file, "/tmp/x", "'/tmp/x'");
    expect(plot_quote_file, "../x", "'../x'");
    expect(plot_quote_file, "|touch x", "'./|touch x'");
    expect(plot_quote_file, "< touch x; cat", "'./< touch x; cat'");
    expect(plot_quote_file, "-", "'./-'");
    expect(plot_quote_file, "a\nb\xE9", "'./a?b\xE9'");
}

/* A failure of gnuplot, or that it cannot be started, is reported, and the old image stays. */
static void test_its_exit_status_counts(void **state) {
    (void)state;
    char folder[] = "/tmp/luft-plot-XXXXXX", image[64], kept[4096];
    assert_non_null(mkdtemp(folder));
    text_format(image, sizeof image, "%s/x.svg", folder);
    assert_ok(file_write(image, "old", 3));
    TextBuffer script = {0}, content = {0};
    buffer_append_string(&script, "nonsense of no kind\n");
    Status status = plot_run(&script, image);
    assert_false(status_is_ok(&status));
    text_copy(text_view(getenv("PATH")), kept, sizeof kept);
    setenv("PATH", "/nonexistent", 1);
    assert_fails(plot_run(&script, image), "gnuplot");
    setenv("PATH", kept, 1);
    assert_ok(file_read(image, &content));
    assert_string_equal(buffer_string(&content), "old");
    assert_ok(file_remove(image));
    assert_int_equal(rmdir(folder), 0);
    buffer_release(&script);
    buffer_release(&content);
}

/* gnuplot ends with status 0 where the disk is full. */
static void test_a_part_of_an_image_is_none(void **state) {
    (void)state;
    static const char *const IMAGES[] = {"<svg></svg>", "<svg></sv", "P\\000IEND\\256B`\\202", "P\\000IE"};
    char folder[] = "/tmp/luft-plot-XXXXXX", image[64], program[64], kept[4096];
    assert_non_null(mkdtemp(folder));
    text_format(image, sizeof image, "%s/x.svg", folder);
    text_format(program, sizeof program, "%s/gnuplot", folder);
    text_copy(text_view(getenv("PATH")), kept, sizeof kept);
    setenv("PATH", folder, 1);
    for (int i = 0; i < 4; i++) {
        TextBuffer script = {0}, content = {0};
        buffer_append_format(
            &script,
            "#!/bin/sh\nIFS=\\' read -r set name rest\nprintf '%s' >\"$name\"\nwhile read -r rest && test \"$rest\" != exit; do :; done\n",
            IMAGES[i]);
        assert_ok(file_write(program, script.data, script.length));
        assert_int_equal(chmod(program, 0700), 0);
        if (i % 2 == 0)
            assert_ok(plot_run(&content, image));
        else
            assert_fails(plot_run(&content, image), "only a part");
        buffer_release(&script);
    }
    setenv("PATH", kept, 1);
    assert_int_equal(file_size(image), 10); /* the whole image of the third */
    assert_ok(file_remove(image));
    assert_ok(file_remove(program));
    assert_int_equal(rmdir(folder), 0);
}

static void test_the_head_of_a_script(void **state) {
    (void)state;
    TextBuffer script = {0};
    plot_begin("png", 3, 4, &script);
    assert_string_equal(buffer_string(&script), "set terminal pngcairo size 3,4\n");
    buffer_clear(&script);
    plot_begin("svg", 3, 4, &script);
    assert_string_equal(buffer_string(&script), "set terminal svg size 3,4 background 'white'\n");
    buffer_release(&script);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_head_of_a_script), cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_its_exit_status_counts), cmocka_unit_test(test_a_part_of_an_image_is_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
