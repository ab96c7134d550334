/* Lines for the tests of explanations. */
#ifndef LUFT_UNIT_LINE_SUPPORT_H
#define LUFT_UNIT_LINE_SUPPORT_H

#include "explain/line.h"
#include "test_support.h"

/* Makes a line from moves such as "e2e4 e7e5". */
static inline Line *test_line(const char *fen, const char *text) {
    Position pos = test_position(fen);
    const Position start = pos;
    Move moves[LINE_PLIES_MAX];
    int count = 0;
    TextView rest = text_view(text);
    for (TextView word = text_next_word(&rest); !text_is_empty(word); word = text_next_word(&rest)) {
        Undo undo;
        assert_ok(lan_parse(&pos, word, &moves[count]));
        position_make_move(&pos, moves[count++], &undo);
    }
    Line *line = line_create(&start, moves, count);
    assert_non_null(line);
    return line;
}

#endif
