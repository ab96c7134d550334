#include "uci/input.h"

#include "base/clock.h"
#include "base/memory.h"

InputLine *input_line_create(TextView text) {
    /* The allocator's own memory counts too: most lines are short. */
    enum { OVERHEAD = 16 };
    const size_t size = sizeof(InputLine) + text.length + 1;
    InputLine *line = memory_allocate(size);
    if (line == NULL) return NULL;
    line->size = size + OVERHEAD;
    text_copy(text, line->text, text.length + 1);
    return line;
}

void input_line_release(InputLine *line) { memory_release(line); }

bool line_queue_push(LineQueue *queue, InputLine *line) {
    if (queue->first != NULL && queue->size + line->size > LINE_QUEUE_MAX) return false;
    line->next = NULL;
    queue->size += line->size;
    if (queue->last != NULL)
        queue->last->next = line;
    else
        queue->first = line;
    queue->last = line;
    return true;
}

InputLine *line_queue_pop(LineQueue *queue) {
    InputLine *line = queue->first;
    if (line == NULL) return NULL;
    queue->first = line->next;
    queue->size -= line->size;
    if (queue->first == NULL) queue->last = NULL;
    return line;
}

void line_queue_release(LineQueue *queue) {
    for (InputLine *line = line_queue_pop(queue); line != NULL; line = line_queue_pop(queue))
        input_line_release(line);
}

void input_open(Input *input) {
    *input = (Input){0};
    mutex_init(&input->mutex);
    condition_init(&input->changed);
}

void input_release(Input *input) {
    line_queue_release(&input->lines);
    condition_destroy(&input->changed);
    mutex_destroy(&input->mutex);
}

void input_post(Input *input, InputLine *line) {
    mutex_lock(&input->mutex);
    while (!line_queue_push(&input->lines, line)) condition_wait(&input->changed, &input->mutex);
    condition_signal_all(&input->changed);
    mutex_unlock(&input->mutex);
}

static void set(Input *input, bool *fact) {
    mutex_lock(&input->mutex);
    *fact = true;
    condition_signal_all(&input->changed);
    mutex_unlock(&input->mutex);
}

void input_end(Input *input) { set(input, &input->ended); }
void input_end_search(Input *input) { set(input, &input->search_over); }

/* INPUT_TIMEOUT: there is nothing yet. */
static InputEvent take(Input *input, bool lines, InputLine **line) {
    if (input->search_over) {
        input->search_over = false;
        return INPUT_SEARCH_OVER;
    }
    if (!lines) return INPUT_TIMEOUT;
    *line = line_queue_pop(&input->lines);
    if (*line != NULL) return INPUT_LINE;
    return input->ended ? INPUT_END : INPUT_TIMEOUT;
}

InputEvent input_take(Input *input, bool lines, int64_t patience, InputLine **line) {
    mutex_lock(&input->mutex);
    InputEvent event = take(input, lines, line);
    const int64_t end = clock_milliseconds() + patience;
    while (event == INPUT_TIMEOUT) {
        const int64_t left = end - clock_milliseconds();
        if (patience > 0 && left <= 0) break;
        if (patience > 0)
            condition_wait_for(&input->changed, &input->mutex, left);
        else
            condition_wait(&input->changed, &input->mutex);
        event = take(input, lines, line);
    }
    if (event == INPUT_LINE) condition_signal_all(&input->changed);
    mutex_unlock(&input->mutex);
    return event;
}
