/* Lines on their way from the thread that reads them to the thread that runs them. */
#ifndef LUFT_UCI_INPUT_H
#define LUFT_UCI_INPUT_H

#include "base/sync.h"
#include "base/text.h"

typedef struct InputLine {
    struct InputLine *next;
    size_t size;         /* bytes of memory */
    const void *command; /* for the owner: the command in the line */
    char text[];         /* terminated */
} InputLine;

/* NULL when there is no memory. */
InputLine *input_line_create(TextView text);
void input_line_release(InputLine *line);

/* Lines in the order of their arrival. The caller does the locking. */
typedef struct LineQueue {
    InputLine *first, *last;
    size_t size; /* bytes of memory that the lines take */
} LineQueue;

/* No queue takes more bytes than this. */
enum { LINE_QUEUE_MAX = 16 << 20 };

/* False, and nothing is done, when the queue is full; an empty one takes any line. */
bool line_queue_push(LineQueue *queue, InputLine *line);
InputLine *line_queue_pop(LineQueue *queue); /* NULL when empty */
void line_queue_release(LineQueue *queue);

typedef struct Input {
    Mutex mutex;       /* guards the rest */
    Condition changed; /* signalled after every change */
    LineQueue lines;
    bool ended;       /* no more lines will come */
    bool search_over; /* the search that its owner waits for */
} Input;

void input_open(Input *input);
void input_release(Input *input);

/* Any thread may call these. The line becomes the queue's, which input_post waits for while it is full. */
void input_post(Input *input, InputLine *line);
void input_end(Input *input);
void input_end_search(Input *input);

typedef enum InputEvent { INPUT_LINE, INPUT_SEARCH_OVER, INPUT_END, INPUT_TIMEOUT } InputEvent;

/* Waits for the next event, at most `patience` milliseconds (0: without an end), and takes it; without
 * `lines` for the end of the search only. That end goes before lines: a line that answers its best move finds
 * the search over. INPUT_END comes after the last line. A line becomes the caller's. */
InputEvent input_take(Input *input, bool lines, int64_t patience, InputLine **line);

#endif
