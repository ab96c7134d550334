#include "mcp/call.h"

#include "base/clock.h"
#include "base/memory.h"

#include <inttypes.h>

enum { REPORT_INTERVAL = 200 /* milliseconds */ };

Call *call_create(const struct Tool *tool, TextView id, TextView token, TextView arguments, Output *output) {
    Call *call = memory_allocate(sizeof *call);
    if (call == NULL) return NULL;
    mutex_init(&call->mutex);
    call->tool = tool;
    call->output = output;
    call->id = text_duplicate(id);
    if (!text_is_empty(token)) call->token = text_duplicate(token);
    if (!text_is_empty(arguments)) call->arguments = text_duplicate(arguments);
    const bool is_whole = call->id != NULL && (text_is_empty(token) || call->token != NULL) &&
                          (text_is_empty(arguments) || call->arguments != NULL);
    if (is_whole) return call;
    call_destroy(call);
    return NULL;
}

void call_destroy(Call *call) {
    if (call == NULL) return;
    mutex_destroy(&call->mutex);
    buffer_release(&call->result);
    memory_release(call->id);
    memory_release(call->token);
    memory_release(call->arguments);
    memory_release(call);
}

/* --- stopping --- */

void call_stop(Call *call, CallStop reason) {
    mutex_lock(&call->mutex);
    if (call->stop == CALL_GOES_ON) call->stop = reason;
    if (call->stop_work != NULL) call->stop_work(call->work);
    mutex_unlock(&call->mutex);
}

CallStop call_stopped(Call *call) {
    mutex_lock(&call->mutex);
    const CallStop stop = call->stop;
    mutex_unlock(&call->mutex);
    return stop;
}

void call_begin_work(Call *call, void (*stop)(void *work), void *work) {
    mutex_lock(&call->mutex);
    call->stop_work = stop;
    call->work = work;
    if (call->stop != CALL_GOES_ON) stop(work);
    mutex_unlock(&call->mutex);
}

void call_end_work(Call *call) {
    mutex_lock(&call->mutex);
    call->stop_work = NULL;
    mutex_unlock(&call->mutex);
}

/* --- progress --- */

void call_report(Call *call, int64_t done, int64_t total) {
    const int64_t now = clock_milliseconds();
    if (call->token == NULL || done <= call->last || now < call->reported + REPORT_INTERVAL) return;
    if (call_stopped(call) != CALL_GOES_ON) return;
    TextBuffer line = {0};
    buffer_append_format(&line,
                         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                         "{\"progressToken\":%s,\"progress\":%" PRId64 ",\"total\":%" PRId64 "}}",
                         call->token, done, total);
    (void)output_buffer(call->output, &line, "progress");
    buffer_release(&line);
    call->reported = now;
    call->last = done;
}
