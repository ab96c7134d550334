#include "engine/wrap.h"

static const char *const COLORS[] = {"",           "\033[1m",  "\033[32m", "\033[31m",
                                     "\033[2;37m", "\033[36m", "\033[0m"};
enum { COLOR_MARKS = sizeof COLORS / sizeof COLORS[0] };

static bool is_mark(char character) { return character > 0 && character < COLOR_MARKS; }

static size_t width_of(TextView word) {
    size_t width = 0;
    for (size_t i = 0; i < word.length; i++) width += !is_mark(word.data[i]);
    return width;
}

void wrap_append(TextBuffer *out, TextView text, size_t width, int indent) {
    TextView row, word;
    while (text_next_line(&text, &row)) {
        size_t used = 0;
        while (used < row.length && row.data[used] == ' ') used++;
        buffer_append(out, (TextView){row.data, used});
        bool first = true;
        while ((word = text_next_word(&row)).length > 0) {
            if (!first && used + 1 + width_of(word) > width) {
                buffer_append_format(out, "\n%*s", indent, "");
                used = (size_t)indent;
                first = true;
            }
            if (!first) buffer_append_char(out, ' ');
            buffer_append(out, word);
            used += width_of(word) + !first;
            first = false;
        }
        buffer_append_char(out, '\n');
    }
}

void paint_append(TextBuffer *out, TextView text, bool color) {
    for (size_t i = 0; i < text.length; i++)
        if (!is_mark(text.data[i]))
            buffer_append_char(out, text.data[i]);
        else if (color)
            buffer_append_string(out, COLORS[(int)text.data[i]]);
}
