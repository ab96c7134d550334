/* The UCI loop: any lines are answered or refused, and the loop ends with its input. It skips the few
 * commands that are meant to be slow or to take much memory. */
#include "base/text.h"
#include "engine/engine.h"
#include "fuzz.h"
#include "uci/uci.h"

#include <ctype.h>

/* Whether the line has `word`, in any case. */
static bool contains(TextView line, const char *word) {
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= line.length; i++)
        if (text_equals_ignore_case((TextView){line.data + i, length}, word)) return true;
    return false;
}

static int count_digits(TextView line) {
    int digits = 0;
    for (size_t i = 0; i < line.length; i++) digits += isdigit((unsigned char)line.data[i]) != 0;
    return digits;
}

/* perft and bench may take hours, genfens takes a count and reads files, a hash may be 99 MiB here. */
static bool is_fit(TextView line) {
    if (contains(line, "perft") || contains(line, "bench") || contains(line, "genfens")) return false;
    if (contains(line, "file") || contains(line, "path")) return false;
    return !contains(line, "hash") || count_digits(line) <= 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static FILE *nowhere;
    if (nowhere == NULL) {
        chess_init();
        nowhere = fopen("/dev/null", "w");
        FUZZ_CHECK(nowhere != NULL);
    }
    TextBuffer lines = {0};
    TextView rest = {(const char *)data, size}, line;
    while (text_next_line(&rest, &line)) {
        if (!is_fit(line)) continue;
        buffer_append(&lines, line);
        buffer_append_char(&lines, '\n');
    }
    if (lines.length > 0) {
        FILE *in = fmemopen(lines.data, lines.length, "r");
        FUZZ_CHECK(in != NULL);
        Status status = uci_serve(in, nowhere);
        FUZZ_CHECK(status_is_ok(&status));
        fclose(in);
    }
    buffer_release(&lines);
    return 0;
}
