/* What a running study prints on standard error: on a terminal a view that is drawn again in place, elsewhere
 * a line a minute; and sentences above it. */
#ifndef LUFT_STUDY_SCREEN_H
#define LUFT_STUDY_SCREEN_H

#include "lab/study/report.h"

typedef struct Screen {
    Study *study;
    const char *name;
    bool terminal, quiet;
    int lines;     /* of the view now on the screen */
    int64_t drawn; /* clock_milliseconds */
} Screen;

void screen_begin(Screen *screen, Study *study, const char *name, bool quiet);

/* A sentence; `context` is the screen. */
void screen_say(void *context, const char *text);

/* Draws what has changed, when it is time. */
void screen_update(Screen *screen);

/* Draws it once more; what stands there stays. */
void screen_end(Screen *screen);

#endif
