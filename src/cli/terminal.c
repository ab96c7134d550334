#include "cli/terminal.h"

#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

static const TerminalSize UNKNOWN_SIZE = {80, 24};

#ifdef _WIN32
#include <io.h>
#include <windows.h>

TerminalSize terminal_size(FILE *stream) {
    CONSOLE_SCREEN_BUFFER_INFO info;
    const HANDLE console = (HANDLE)_get_osfhandle(_fileno(stream));
    if (!GetConsoleScreenBufferInfo(console, &info)) return UNKNOWN_SIZE;
    return (TerminalSize){info.srWindow.Right - info.srWindow.Left + 1,
                          info.srWindow.Bottom - info.srWindow.Top + 1};
}
#else
#include <sys/ioctl.h>
#include <unistd.h>

TerminalSize terminal_size(FILE *stream) {
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return UNKNOWN_SIZE;
    return (TerminalSize){size.ws_col, size.ws_row};
}
#endif

int terminal_width(FILE *stream) { return terminal_size(stream).columns; }

bool terminal_wants_color(void) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return (no_color == NULL || no_color[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
}

Document terminal_document(TextBuffer *out, FILE *stream, bool json) {
    const bool is_terminal = stream_is_terminal(stream);
    return (Document){.out = out,
                      .form = json                                    ? DOCUMENT_JSON
                              : is_terminal && terminal_wants_color() ? DOCUMENT_COLORS
                                                                      : DOCUMENT_PLAIN,
                      .width = (size_t)(is_terminal ? terminal_width(stream) : UNKNOWN_SIZE.columns)};
}
