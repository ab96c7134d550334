/* Reading JSON: what is refused and where, and what is found in the rest. */
#include "mcp/json.h"

#include "test_support.h"

static TextView check(const char *text) {
    TextView value = text_view(text);
    assert_ok(json_check(&value));
    return value;
}

static void assert_refused(const char *text, const char *reason) {
    TextView value = text_view(text);
    assert_fails(json_check(&value), reason);
}

static void assert_text(TextView string, const char *expected) {
    TextBuffer text = {0};
    json_append_text(string, &text);
    assert_string_equal(buffer_string(&text), expected);
    buffer_release(&text);
}

static void values_of_every_kind_are_read(void **state) {
    (void)state;
    assert_int_equal(json_kind(check(" null ")), JSON_NULL);
    assert_int_equal(json_kind(check("true")), JSON_BOOL);
    assert_int_equal(json_kind(check("false\n")), JSON_BOOL);
    assert_int_equal(json_kind(check("-0.5e+10")), JSON_NUMBER);
    assert_int_equal(json_kind(check("0")), JSON_NUMBER);
    assert_int_equal(json_kind(check("\"\"")), JSON_STRING);
    assert_int_equal(json_kind(check("[ ]")), JSON_LIST);
    assert_int_equal(json_kind(check("{\t}")), JSON_OBJECT);
    assert_int_equal(json_kind(text_view(NULL)), JSON_MISSING);
}

static void members_are_found_by_their_names(void **state) {
    (void)state;
    const TextView object = check("{ \"a\" : [1, {\"b\": 2}] , \"b\":\"}],:\\\"\", \"c\" : {\"d\":-1.5 } }");
    assert_int_equal(json_kind(json_member(object, "a")), JSON_LIST);
    assert_text(json_member(object, "b"), "}],:\"");
    const TextView inner = json_member(json_member(object, "c"), "d");
    assert_true(text_equals(inner, "-1.5"));
    assert_int_equal(json_kind(json_member(object, "d")), JSON_MISSING);
    assert_int_equal(json_kind(json_member(check("[\"a\"]"), "a")), JSON_MISSING);
    assert_int_equal(json_kind(json_member(text_view(NULL), "a")), JSON_MISSING);
    assert_true(text_equals(json_member(check("{\"a\":1,\"\\u0061\":2}"), "a"), "2"));
}

static void a_list_is_walked_over(void **state) {
    (void)state;
    static const char *const EXPECTED[] = {"1", "[[2], 3]", "\"x,y\"", "{ \"k\" : [] }", "null"};
    TextView rest = check(" [1, [[2], 3] ,\"x,y\",{ \"k\" : [] },null ] "), name, value;
    for (int i = 0; i < 5; i++) {
        assert_true(json_next(&rest, &name, &value));
        assert_true(text_is_empty(name));
        assert_true(text_equals(value, EXPECTED[i]));
    }
    assert_false(json_next(&rest, &name, &value));
    assert_false(json_next(&rest, &name, &value));
}

static void strings_are_decoded(void **state) {
    (void)state;
    assert_text(check("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "\"\\/\b\f\n\r\t");
    assert_text(check("\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00 \xc3\xbc\""),
                "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc3\xbc");
    assert_text(check("\"a\\u0000b\""), "a\xef\xbf\xbd"
                                        "b");
    assert_text(check("\"\\ud83dx\\ud83d\\u0041\\ude00\""), "\xef\xbf\xbdx\xef\xbf\xbd"
                                                            "A\xef\xbf\xbd");
}

static void what_is_no_json_is_refused_with_its_place(void **state) {
    (void)state;
    assert_refused("", "expected a value at byte 1");
    assert_refused("{\"a\":1,}", "expected a name in double quotes at byte 8");
    assert_refused("[1 2]", "a comma or ']' at byte 4");
    assert_refused("{\"a\" 1}", "a colon at byte 6");
    assert_refused("{\"a\":1", "a comma or '}' at byte 7");
    assert_refused("[1]]", "the end at byte 4");
    assert_refused("[01]", "a comma or ']' at byte 3");
    assert_refused("[1.]", "a digit at byte 4");
    assert_refused("[-]", "a digit at byte 3");
    assert_refused("[1e]", "a digit at byte 4");
    assert_refused("[+1]", "a value");
    assert_refused("nul", "a value");
    assert_refused("NaN", "a value");
    assert_refused("'a'", "a value");
    assert_refused("[1,]", "a value at byte 4");
    assert_refused("\"a", "the closing quote at byte 3");
    assert_refused("\"a\nb\"", "a character in UTF-8");
    assert_refused("\"\xff\"", "a character in UTF-8");
    assert_refused("\"\xed\xa0\x80\"", "a character in UTF-8"); /* half of a surrogate pair */
    assert_refused("\"\\x41\"", "one of");
    assert_refused("\"\\u12g4\"", "a hexadecimal digit at byte 6");
    assert_refused("// no\n1", "a value");
}

static void depth_has_a_limit(void **state) {
    (void)state;
    char text[2 * JSON_DEPTH_MAX + 3];
    memset(text, '[', JSON_DEPTH_MAX);
    memset(text + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    text[2 * JSON_DEPTH_MAX] = '\0';
    check(text);
    memset(text, '[', JSON_DEPTH_MAX + 1);
    memset(text + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
    text[2 * JSON_DEPTH_MAX + 2] = '\0';
    assert_refused(text, "no more lists and objects inside each other at byte 65");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_every_kind_are_read),
        cmocka_unit_test(members_are_found_by_their_names),
        cmocka_unit_test(a_list_is_walked_over),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(what_is_no_json_is_refused_with_its_place),
        cmocka_unit_test(depth_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
