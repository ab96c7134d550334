#include "base/progress.h"

#include "base/clock.h"
#include "base/text.h"

#include <inttypes.h>

#ifdef _WIN32
#include <io.h>
bool stream_is_terminal(FILE *stream) { return _isatty(_fileno(stream)) != 0; }
#else
#include <unistd.h>
bool stream_is_terminal(FILE *stream) { return isatty(fileno(stream)) != 0; }
#endif

enum { BAR_WIDTH = 30, REDRAW_INTERVAL = 100, LINE_INTERVAL = 60000 /* milliseconds */ };

ProgressBar progress_begin(const char *what, int64_t total, bool quiet) {
    const int64_t now = clock_milliseconds();
    return (ProgressBar){.what = what,
                         .total = total,
                         .start = now,
                         .drawn = now - REDRAW_INTERVAL,
                         .terminal = stream_is_terminal(stderr),
                         .quiet = quiet};
}

/* At the pace of this run; "?" before it has done anything. */
static const char *write_left(const ProgressBar *progress, int64_t done, int64_t now,
                              char out[DURATION_CAPACITY]) {
    const int64_t now_done = done - progress->before;
    if (now_done <= 0) return "?";
    return duration_write((now - progress->start) * (progress->total - done) / now_done, out);
}

static void draw_bar(const ProgressBar *progress, int64_t done, int64_t now) {
    char bar[BAR_WIDTH + 1], left[DURATION_CAPACITY];
    const int filled = (int)(done * BAR_WIDTH / progress->total);
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    text_printf(stderr, "[%s] %" PRId64 "/%" PRId64 " %s, %s left", bar, done, progress->total,
                progress->what, write_left(progress, done, now, left));
}

/* Whether there is something new to print. */
static bool is_due(ProgressBar *progress, int64_t done, int64_t now) {
    if (progress->terminal) return now - progress->drawn >= REDRAW_INTERVAL || done == progress->total;
    if (progress->total == 0) return now - progress->drawn >= LINE_INTERVAL;
    const int tenth = (int)(done * 10 / progress->total), before = progress->tenth;
    progress->tenth = tenth;
    return tenth != before;
}

void progress_update(ProgressBar *progress, int64_t done, const char *note) {
    if (progress->total > 0 && done > progress->total) done = progress->total;
    const int64_t now = clock_milliseconds();
    if (progress->quiet || !is_due(progress, done, now)) return;
    char left[DURATION_CAPACITY];
    progress->drawn = now;
    if (progress->terminal) fputc('\r', stderr);
    if (progress->total == 0)
        text_printf(stderr, "%" PRId64 " %s", done, progress->what);
    else if (progress->terminal)
        draw_bar(progress, done, now);
    else
        text_printf(stderr, "%" PRId64 "/%" PRId64 " %s, %s left", done, progress->total, progress->what,
                    write_left(progress, done, now, left));
    if (note != NULL) text_printf(stderr, "; %s", note);
    fputs(progress->terminal ? "\x1b[K" : "\n", stderr);
    fflush(stderr);
}

void progress_say(const ProgressBar *progress, const char *text) {
    if (!progress->terminal || progress->quiet) return;
    text_printf(stderr, "%s", text);
    fflush(stderr);
}

void progress_end(const ProgressBar *progress) {
    if (progress->terminal && !progress->quiet) fputs("\r\x1b[K", stderr);
}

const char *duration_write(int64_t milliseconds, char out[DURATION_CAPACITY]) {
    const int64_t seconds = (milliseconds + 500) / 1000, minutes = seconds / 60;
    if (seconds < 60)
        text_format(out, DURATION_CAPACITY, "%" PRId64 " s", seconds);
    else if (minutes < 60)
        text_format(out, DURATION_CAPACITY, "%" PRId64 ":%02" PRId64, minutes, seconds % 60);
    else
        text_format(out, DURATION_CAPACITY, "%" PRId64 ":%02" PRId64 ":%02" PRId64, minutes / 60,
                    minutes % 60, seconds % 60);
    return out;
}
