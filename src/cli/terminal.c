#include "cli/terminal.h"

#include "base/progress.h"
#include "record/language.h"

#include <stdlib.h>
#include <string.h>

static const TerminalSize UNKNOWN_SIZE = {80, 24};

#ifdef _WIN32
#include <io.h>
#include <windows.h>

TerminalSize terminal_size(void) {
    CONSOLE_SCREEN_BUFFER_INFO info;
    const HANDLE console = (HANDLE)_get_osfhandle(_fileno(stdout));
    if (!GetConsoleScreenBufferInfo(console, &info)) return UNKNOWN_SIZE;
    return (TerminalSize){info.srWindow.Right - info.srWindow.Left + 1,
                          info.srWindow.Bottom - info.srWindow.Top + 1};
}
#else
#include <sys/ioctl.h>
#include <unistd.h>

TerminalSize terminal_size(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return UNKNOWN_SIZE;
    return (TerminalSize){size.ws_col, size.ws_row};
}
#endif

bool terminal_was_resized(TerminalSize before) {
    const TerminalSize now = terminal_size();
    return now.columns != before.columns || now.rows != before.rows;
}

bool terminal_wants_color(void) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return (no_color == NULL || no_color[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
}

Document terminal_document(TextBuffer *out, bool json, int language) {
    const bool is_terminal = stream_is_terminal(stdout), has_color = is_terminal && terminal_wants_color();
    return (Document){.out = out,
                      .form = json        ? DOCUMENT_JSON
                              : has_color ? DOCUMENT_COLORS
                                          : DOCUMENT_PLAIN,
                      .width = (size_t)(is_terminal ? terminal_size().columns : UNKNOWN_SIZE.columns),
                      .language = language_row(language)};
}
