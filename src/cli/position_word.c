#include "cli/position_word.h"

#include "chess/fen.h"

void position_word_join(const ArgumentList *words, TextBuffer *out) {
    for (int i = 0; i < words->count; i++) buffer_append_format(out, i > 0 ? " %s" : "%s", words->word[i]);
}

bool position_word_is_fen(TextView text) {
    TextView word = text_next_word(&text);
    int slashes = 0;
    for (size_t i = 0; i < word.length; i++) {
        slashes += word.data[i] == '/';
        if (word.data[i] == '.') return false;
    }
    return slashes == 7 && word.data[0] != '/';
}

Status position_word_check(const ArgumentList *words) {
    if (words->count == 0) return status_ok();
    TextBuffer fen = {0};
    Position pos;
    position_word_join(words, &fen);
    Status status = fen.failed ? status_no_memory("the position") : fen_parse(&pos, buffer_view(&fen), false);
    buffer_release(&fen);
    return status;
}
