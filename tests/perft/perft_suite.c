/* Checks the perft counts of a file (perft.txt) and prints TAP, one test case for each line. */
#include "base/clock.h"
#include "base/file.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/perft.h"

#include <inttypes.h>
#include <stdio.h>

static TextView next_field(TextView *rest) {
    size_t length = 0;
    while (length < rest->length && rest->data[length] != '|') length++;
    TextView field = {rest->data, length};
    const size_t skipped = length < rest->length ? length + 1 : length;
    *rest = (TextView){rest->data + skipped, rest->length - skipped};
    return text_trim(field);
}

/* Checks one line "kind | FEN | depth leaves | about". Prints the result and returns whether it is right. */
static bool run_line(TextView line, int number) {
    TextView kind = next_field(&line), fen = next_field(&line), stored = next_field(&line);
    TextView about = next_field(&line);
    int64_t depth = 0;
    uint64_t expected = 0, leaves = 0;
    Position pos;
    Status status = fen_parse(&pos, fen, text_equals(kind, "chess960"));
    bool good = status_is_ok(&status);
    if (good && !(text_parse_int64(text_next_word(&stored), &depth) &&
                  text_parse_uint64(text_next_word(&stored), &expected))) {
        status = status_error("depth and leaves must be numbers");
        good = false;
    }
    if (good) {
        leaves = perft_count(&pos, (int)depth);
        good = leaves == expected;
    }
    printf("%s %d - %.*s (%.*s)\n", good ? "ok" : "not ok", number, (int)about.length, about.data,
           (int)fen.length, fen.data);
    if (!status_is_ok(&status))
        printf("  %s\n", status.reason);
    else if (!good)
        printf("  depth %" PRId64 ": %" PRIu64 " leaves, not %" PRIu64 "\n", depth, leaves, expected);
    return good;
}

int main(int argc, char **argv) {
    chess_init();
    TextBuffer content = {0};
    Status status = file_read(argc > 1 ? argv[1] : "tests/perft/perft.txt", &content);
    if (!status_is_ok(&status)) {
        printf("Bail out! %s\n", status.reason);
        return 1;
    }
    const int64_t start = clock_milliseconds();
    int count = 0, failed = 0;
    TextView rest = buffer_view(&content), line;
    while (text_next_line(&rest, &line)) {
        line = text_trim(line);
        if (text_is_empty(line) || line.data[0] == '#') continue;
        failed += !run_line(line, ++count);
    }
    printf("1..%d\n# %d ms\n", count, (int)(clock_milliseconds() - start));
    buffer_release(&content);
    return failed == 0 ? 0 : 1;
}
