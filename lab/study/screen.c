#include "lab/study/screen.h"

#include "base/clock.h"
#include "base/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { REDRAW = 500, LINE_INTERVAL = 60000 /* milliseconds */, WIDTH = 80 };

void screen_begin(Screen *screen, Study *study, const char *name, bool quiet) {
    *screen = (Screen){.study = study,
                       .name = name,
                       .terminal = !quiet && stream_is_terminal(stderr),
                       .quiet = quiet,
                       .drawn = clock_milliseconds()};
}

static void append_erasing(Screen *screen, TextBuffer *out) {
    if (screen->lines > 0) buffer_append_format(out, "\033[%dA\033[J", screen->lines);
    screen->lines = 0;
}

/* A line that wraps would spoil the count of lines to go back, so it is cut at the edge. */
static void draw(Screen *screen) {
    TextBuffer text = {0}, row = {0}, out = {0};
    struct winsize size = {0};
    const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    const size_t width = (is_known ? size.ws_col : WIDTH) - 1u;
    TextView rest, line;
    report_write_view(screen->study, screen->name, &text);
    append_erasing(screen, &out);
    rest = buffer_view(&text);
    while (text_next_line(&rest, &line)) {
        buffer_clear(&row);
        buffer_append_foreign(&row, line);
        buffer_append(&out, text_first_columns(buffer_view(&row), width));
        buffer_append_char(&out, '\n');
        screen->lines++;
    }
    buffer_print_raw(&out, stderr);
    buffer_release(&text);
    buffer_release(&row);
}

void screen_say(void *context, const char *text) {
    Screen *screen = context;
    TextBuffer out = {0};
    append_erasing(screen, &out);
    buffer_append_foreign(&out, text_view(text));
    buffer_append_char(&out, '\n');
    buffer_print_raw(&out, stderr);
    if (screen->terminal && screen->study->is_open) draw(screen);
}

void screen_update(Screen *screen) {
    const int64_t now = clock_milliseconds();
    if (screen->quiet || now - screen->drawn < (screen->terminal ? REDRAW : LINE_INTERVAL)) return;
    screen->drawn = now;
    if (screen->terminal) {
        draw(screen);
        return;
    }
    TextBuffer text = {0};
    report_write_summary(screen->study, &text);
    screen_say(screen, buffer_string(&text));
    buffer_release(&text);
}

void screen_end(Screen *screen) {
    if (screen->terminal) draw(screen);
    screen->lines = 0;
}
