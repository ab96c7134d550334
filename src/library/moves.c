#include "library/moves.h"

#include "chess/makemove.h"
#include "chess/san.h"

#include <string.h>

Status moves_read(const Position *pos, TextView text, Move *move) {
    char shown[12];
    text_copy(text, shown, sizeof shown);
    if (text_is_empty(text)) return status_error("a move is missing");
    if (text_equals(text, "0000") || text_equals(text, "--"))
        return status_error("a null move cannot be played");
    if (strspn(shown, "0123456789.") == text.length)
        return status_error("moves are given without numbers, not '%s'", shown);
    const Status status = lan_parse(pos, text, move);
    return status_is_ok(&status) ? status : move_parse(pos, text, move);
}

static bool is_square(const char *c) {
    return char_to_lower(c[0]) >= 'a' && char_to_lower(c[0]) <= 'h' && char_is_digit(c[1]);
}

/* UCI's e2e4, or e2-e4: two squares, and no piece in front. "B2b4" is a bishop's move. */
static bool is_long_algebraic(TextView text) {
    const char *c = text.data;
    if (text.length < 4) return false;
    const size_t to = c[2] == '-' ? 3 : 2;
    return text.length >= to + 2 && is_square(c) && is_square(c + to) &&
           (c[0] == char_to_lower(c[0])) == (c[to] == char_to_lower(c[to]));
}

Status moves_read_san(const Position *pos, TextView text, Move *move) {
    char shown[12];
    text_copy(text, shown, sizeof shown);
    if (text_is_empty(text)) return status_error("a move is missing");
    if (is_long_algebraic(text))
        return status_error("unreadable move '%s': it needs SAN, such as Nf3", shown);
    const Status status = san_parse(pos, text, move);
    return status_is_ok(&status) ? status : move_parse(pos, text, move); /* which says more */
}

Status moves_write_san(const Position *pos, TextView moves, TextBuffer *san) {
    Position now = *pos;
    TextView word = text_next_word(&moves), next = text_next_word(&moves);
    const bool is_line = next.length > 0;
    for (int number = 1;; number++) {
        char written[SAN_CAPACITY];
        Undo undo;
        Move move = MOVE_NONE;
        const Status status = moves_read(&now, word, &move);
        if (!status_is_ok(&status))
            return is_line ? status_error("move %d: %s", number, status.reason) : status;
        san_write(&now, move, written);
        buffer_append_format(san, number > 1 ? " %s" : "%s", written);
        if (text_is_empty(next)) return status_ok();
        position_make_move(&now, move, &undo);
        word = next;
        next = text_next_word(&moves);
    }
}

Status moves_play(Position *pos, TextView moves, TextBuffer *played, Move recent[LEVEL_RECENT]) {
    TextView word;
    for (int number = 1; (word = text_next_word(&moves)).length > 0; number++) {
        char lan[LAN_CAPACITY];
        Undo undo;
        Move move = MOVE_NONE;
        const Status status = moves_read(pos, word, &move);
        if (!status_is_ok(&status)) return status_error("move %d: %s", number, status.reason);
        lan_write(pos, move, lan);
        buffer_append_format(played, number > 1 ? " %s" : "%s", lan);
        position_make_move(pos, move, &undo);
        recent[1] = recent[0];
        recent[0] = move;
    }
    return status_ok();
}
