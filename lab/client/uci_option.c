#include "lab/client/uci_option.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* Removes the text up to the word `mark` from the front of `rest`, and the mark too; without the mark, all.
 */
static TextView take_until(TextView *rest, const char *mark) {
    TextView whole = *rest, peek = *rest;
    for (;;) {
        TextView word = text_next_word(&peek);
        if (word.length == 0) break;
        if (!text_equals(word, mark)) continue;
        TextView front = {whole.data, (size_t)(word.data - whole.data)};
        *rest = peek;
        return text_trim(front);
    }
    *rest = text_view(NULL);
    return text_trim(whole);
}

/* Finds the option; `rest` is then the text after the word `type`. */
static bool find_option(TextView offered, const char *name, TextView *rest) {
    TextView line;
    while (text_next_line(&offered, &line)) {
        take_until(&line, "name");
        TextView offered_name = take_until(&line, "type");
        if (!text_equals_ignore_case(offered_name, name)) continue;
        *rest = line;
        return true;
    }
    return false;
}

bool uci_option_exists(TextView offered, const char *name) {
    TextView rest;
    return find_option(offered, name, &rest);
}

bool uci_option_spin(TextView offered, const char *name, UciSpin *spin) {
    TextView rest, word;
    int64_t initial = INT64_MIN, low = INT64_MAX, high = INT64_MIN;
    if (!find_option(offered, name, &rest) || !text_equals(text_next_word(&rest), "spin")) return false;
    while (!text_is_empty(word = text_next_word(&rest))) {
        if (text_equals(word, "default")) text_parse_int64(text_next_word(&rest), &initial);
        if (text_equals(word, "min")) text_parse_int64(text_next_word(&rest), &low);
        if (text_equals(word, "max")) text_parse_int64(text_next_word(&rest), &high);
    }
    if (low < INT_MIN || high > INT_MAX || initial < low || initial > high) return false;
    *spin = (UciSpin){(int)initial, (int)low, (int)high};
    return true;
}

static Status check_spin(TextView rest, const char *name, const char *value) {
    int64_t number, low = INT64_MIN, high = INT64_MAX;
    TextView word;
    if (!text_parse_int64(text_view(value), &number))
        return status_error("option %s must be a whole number, not '%s'", name, value);
    while (!text_is_empty(word = text_next_word(&rest))) {
        if (text_equals(word, "min")) text_parse_int64(text_next_word(&rest), &low);
        if (text_equals(word, "max")) text_parse_int64(text_next_word(&rest), &high);
    }
    if (number < low || number > high)
        return status_error("option %s is %s, but must be from %" PRId64 " to %" PRId64, name, value, low,
                            high);
    return status_ok();
}

static Status check_choice(TextView rest, const char *name, const char *value) {
    take_until(&rest, "var");
    while (rest.length > 0)
        if (text_equals_ignore_case(take_until(&rest, "var"), value)) return status_ok();
    return status_error("option %s has no choice '%s'", name, value);
}

Status uci_option_check(TextView offered, const char *name, const char *value, bool *button) {
    TextView rest;
    *button = false;
    if (!find_option(offered, name, &rest)) return status_error("there is no option %s", name);
    TextView type = text_next_word(&rest);
    if (text_equals(type, "spin")) return check_spin(rest, name, value);
    if (text_equals(type, "combo")) return check_choice(rest, name, value);
    if (text_equals(type, "check") && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return status_error("option %s must be true or false, not '%s'", name, value);
    *button = text_equals(type, "button");
    return status_ok();
}
