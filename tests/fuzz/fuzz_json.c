/* JSON: any bytes are refused with a reason, or are a value that can be walked over and written again; what
 * is written is read as the same. */
#include "fuzz.h"
#include "mcp/json.h"
#include "vary.h"

const int FUZZ_SHORT_RUN = 4000;

void fuzz_begin(void) {}

static void write_value(TextView value, TextBuffer *out);

static void write_items(TextView value, TextBuffer *out) {
    const bool is_list = json_kind(value) == JSON_LIST;
    TextView name, item;
    buffer_append_char(out, is_list ? '[' : '{');
    for (bool is_first = true; json_next(&value, &name, &item); is_first = false) {
        FUZZ_CHECK((json_kind(name) == JSON_MISSING) == is_list);
        if (!is_first) buffer_append_char(out, ',');
        if (!is_list) write_value(name, out);
        if (!is_list) buffer_append_char(out, ':');
        write_value(item, out);
    }
    buffer_append_char(out, is_list ? ']' : '}');
}

static void write_value(TextView value, TextBuffer *out) {
    const JsonKind kind = json_kind(value);
    TextBuffer text = {0};
    FUZZ_CHECK(kind != JSON_MISSING);
    if (kind == JSON_LIST || kind == JSON_OBJECT) {
        write_items(value, out);
    } else if (kind == JSON_STRING) {
        json_append_text(value, &text);
        FUZZ_CHECK(text.length + 2 <= value.length);
        FUZZ_CHECK(strlen(buffer_string(&text)) == text.length);
        buffer_append_json(out, buffer_view(&text));
    } else {
        buffer_append(out, value);
    }
    buffer_release(&text);
}

bool fuzz_input(const uint8_t *data, size_t size) {
    TextView value = {(const char *)data, size};
    TextBuffer written = {0}, again = {0};
    Status status = json_check(&value);
    if (!status_is_ok(&status)) {
        FUZZ_CHECK(status.reason[0] != '\0' && value.length == size);
        return false;
    }
    FUZZ_CHECK(value.data >= (const char *)data && value.length <= size);
    write_value(value, &written);
    TextView copy = buffer_view(&written);
    status = json_check(&copy);
    FUZZ_CHECK(status_is_ok(&status) && copy.length == written.length);
    write_value(copy, &again);
    FUZZ_CHECK(strcmp(buffer_string(&written), buffer_string(&again)) == 0);
    (void)json_member(value, "params");
    buffer_release(&written);
    buffer_release(&again);
    return true;
}

static void append_value(Rng *rng, int depth, TextBuffer *out) {
    static const char *const SCALARS[] = {"null",    "true",  "false",      "0",
                                          "-1.5e+3", "\"\"",  "\"e4\\n\"",  "\"\\ud83d\\ude00\"",
                                          "\"é\"",   "12345", "\"\\u0000\""};
    static const char *const NAMES[] = {"jsonrpc", "id",        "method", "params",
                                        "name",    "arguments", "fen",    "a\\\"b"};
    const int count = depth > 6 ? 0 : (int)rng_below(rng, 4);
    if (depth > 6 || vary_chance(rng, 40)) {
        buffer_append_string(out, vary_word(rng, WORDS_OF(SCALARS)));
        return;
    }
    const bool is_list = vary_chance(rng, 40);
    buffer_append_char(out, is_list ? '[' : '{');
    for (int i = 0; i < count; i++) {
        if (i > 0) buffer_append_char(out, ',');
        if (vary_chance(rng, 20)) buffer_append_char(out, ' ');
        if (!is_list) buffer_append_format(out, "\"%s\":", vary_word(rng, WORDS_OF(NAMES)));
        append_value(rng, depth + 1, out);
    }
    buffer_append_char(out, is_list ? ']' : '}');
}

void fuzz_vary(TextView input, Rng *rng, TextBuffer *out) {
    if (input.length == 0 || vary_chance(rng, 80))
        append_value(rng, 0, out);
    else
        vary_bytes(input, rng, out);
}
