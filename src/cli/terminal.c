#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <io.h>

bool terminal_is(FILE *stream) { return _isatty(_fileno(stream)) != 0; }
int terminal_width(FILE *stream) {
    (void)stream;
    return 80;
}
#else
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is(FILE *stream) { return isatty(fileno(stream)) != 0; }
int terminal_width(FILE *stream) {
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}
#endif

bool terminal_wants_color(void) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return (no_color == NULL || no_color[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
}
