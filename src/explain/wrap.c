#include "explain/wrap.h"

void wrap_append(TextBuffer *out, TextView text, size_t width, int indent) {
    TextView row, word;
    while (text_next_line(&text, &row)) {
        size_t used = 0;
        while (used < row.length && row.data[used] == ' ') used++;
        buffer_append(out, (TextView){row.data, used});
        bool first = true;
        while ((word = text_next_word(&row)).length > 0) {
            if (!first && used + 1 + word.length > width) {
                buffer_append_format(out, "\n%*s", indent, "");
                used = (size_t)indent;
                first = true;
            }
            if (!first) buffer_append_char(out, ' ');
            buffer_append(out, word);
            used += word.length + !first;
            first = false;
        }
        buffer_append_char(out, '\n');
    }
}
