#include "mcp/server.h"

#include "base/clock.h"
#include "engine/version.h"
#include "mcp/json.h"
#include "mcp/tools.h"
#include "uci/input.h"

#include <inttypes.h>
#include <string.h>

/* Three threads. The first one reads lines. The second one, whose is all that is here, answers each as it
 * comes, and hands calls of tools, one after the other, to a third one. So a ping is answered and a call is
 * cancelled while another call runs. */
typedef struct Server {
    Input input; /* lines, and the end of the call that runs */
    Output output;
    double seconds; /* that a call may take */
    bool is_open;   /* after `initialize` */
    Call *calls;    /* the first one runs, the others wait for it */
} Server;

/* What a request is answered by. */
typedef enum ErrorCode {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    SERVER_ERROR = -32000
} ErrorCode;

/* The one that a client asks for, if it is here, else the first. */
static const char *const VERSIONS[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
enum { VERSION_COUNT = sizeof VERSIONS / sizeof VERSIONS[0] };

static const char INSTRUCTIONS[] =
    "Luft is a chess engine that proves what it says. Do not judge positions or lines by yourself: call a "
    "tool and quote its words. Give each tool the position as FEN, or the moves from the initial position. "
    "Where you are not sure of a position or a move, ask legal_moves.";

typedef struct Request {
    TextBuffer id; /* as JSON; empty: a notification */
    TextView params;
} Request;

/* --- answers --- */

static void send_message(Server *server, const char *id, const char *what, const TextBuffer *value) {
    enum { ID_SHOWN = 200 /* without memory */ };
    TextBuffer line = {0};
    buffer_append_format(&line, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"%s\":", id, what);
    buffer_append(&line, buffer_view(value));
    buffer_append_char(&line, '}');
    line.failed |= value->failed;
    const Status status = output_buffer(&server->output, &line, "an answer");
    if (!status_is_ok(&status))
        output_line(&server->output,
                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":\"%s\"}}",
                    text_view(id).length < ID_SHOWN ? id : "null", SERVER_ERROR, status.reason);
    buffer_release(&line);
}

static void refuse(Server *server, const char *id, ErrorCode code, const Status *status) {
    TextBuffer error = {0};
    Document document = {.out = &error, .form = DOCUMENT_JSON};
    document_object(&document, NULL);
    document_int(&document, "code", code);
    document_string(&document, "message", status->reason);
    document_object_end(&document);
    send_message(server, id, "error", &error);
    buffer_release(&error);
}

static void refuse_request(Server *server, const Request *request, ErrorCode code, Status status) {
    refuse(server, buffer_string(&request->id), code, &status);
}

/* --- calls --- */

static void run_call(void *context) {
    Server *server = context;
    tools_run(server->calls);
    input_end_search(&server->input);
}

/* Starts the first call. Where no thread can be started, it is refused, and so on. */
static void start_call(Server *server) {
    while (server->calls != NULL) {
        Call *call = server->calls;
        call->begun = clock_milliseconds();
        const Status status = thread_start(&call->thread, run_call, server);
        if (status_is_ok(&status)) return;
        refuse(server, call->id, SERVER_ERROR, &status);
        server->calls = call->next;
        call_destroy(call);
    }
}

/* The call that runs has come to its end. */
static void finish_call(Server *server) {
    Call *call = server->calls;
    thread_join(&call->thread);
    if (call_stopped(call) != CALL_CANCELLED) send_message(server, call->id, "result", &call->result);
    server->calls = call->next;
    call_destroy(call);
    start_call(server);
}

/* Milliseconds until the call that runs is out of time; 0: nothing is to be waited for but an event. */
static int64_t time_left(const Server *server) {
    Call *call = server->calls;
    if (call == NULL || call_stopped(call) != CALL_GOES_ON) return 0;
    const int64_t end = call->begun + (int64_t)(1000 * call->seconds);
    const int64_t left = end - clock_milliseconds();
    return left > 0 ? left : 1;
}

static void cancel_call(Server *server, const char *id) {
    for (Call **place = &server->calls; *place != NULL; place = &(*place)->next) {
        Call *call = *place;
        if (!text_equals(text_view(call->id), id)) continue;
        if (place == &server->calls) {
            call_stop(call, CALL_CANCELLED);
        } else {
            *place = call->next;
            call_destroy(call);
        }
        return;
    }
}

/* --- methods --- */

/* The text of a string or of a whole number as JSON, always written the same way; empty for all else. */
static TextBuffer read_key(TextView value) {
    TextBuffer key = {0}, text = {0};
    int64_t number;
    if (json_kind(value) == JSON_STRING) {
        json_append_text(value, &text);
        buffer_append_json(&key, buffer_view(&text));
    } else if (json_kind(value) == JSON_NUMBER && text_parse_int64(value, &number)) {
        buffer_append_format(&key, "%" PRId64, number);
    }
    if (text.failed || key.failed) buffer_release(&key);
    buffer_release(&text);
    return key;
}

/* What a string says; "" for all else. */
static TextBuffer read_text(TextView value) {
    TextBuffer text = {0};
    if (json_kind(value) == JSON_STRING) json_append_text(value, &text);
    return text;
}

static void run_initialize(Server *server, const Request *request) {
    TextBuffer result = {0}, wanted = read_text(json_member(request->params, "protocolVersion"));
    Document document = {.out = &result, .form = DOCUMENT_JSON};
    int version = VERSION_COUNT - 1;
    while (version > 0 && !text_equals(buffer_view(&wanted), VERSIONS[version])) version--;
    document_object(&document, NULL);
    document_string(&document, "protocolVersion", VERSIONS[version]);
    document_object(&document, "capabilities");
    document_object(&document, "tools");
    document_object_end(&document);
    document_object_end(&document);
    document_object(&document, "serverInfo");
    document_string(&document, "name", "luft");
    document_string(&document, "title", ENGINE_NAME);
    document_string(&document, "version", version_name());
    document_object_end(&document);
    document_string(&document, "instructions", INSTRUCTIONS);
    document_object_end(&document);
    server->is_open = true;
    send_message(server, buffer_string(&request->id), "result", &result);
    buffer_release(&result);
    buffer_release(&wanted);
}

static void run_ping(Server *server, const Request *request) {
    TextBuffer result = {0};
    buffer_append_string(&result, "{}");
    send_message(server, buffer_string(&request->id), "result", &result);
    buffer_release(&result);
}

static void run_list(Server *server, const Request *request) {
    TextBuffer result = {0};
    Document document = {.out = &result, .form = DOCUMENT_JSON};
    document_object(&document, NULL);
    tools_write_list(&document);
    document_object_end(&document);
    send_message(server, buffer_string(&request->id), "result", &result);
    buffer_release(&result);
}

static void add_call(Server *server, const Request *request, const Tool *tool, TextView arguments) {
    const char *id = buffer_string(&request->id);
    Call **last = &server->calls;
    int count = 0;
    bool is_known = false;
    for (; *last != NULL; last = &(*last)->next, count++)
        is_known = is_known || text_equals(text_view((*last)->id), id);
    if (is_known || count == MCP_CALLS_MAX) {
        refuse_request(server, request, is_known ? INVALID_REQUEST : SERVER_ERROR,
                       is_known ? status_error("a call with this id has no answer yet")
                                : status_error("%d calls wait; send more when one is answered", count));
        return;
    }
    TextBuffer token = read_key(json_member(json_member(request->params, "_meta"), "progressToken"));
    *last = call_create(tool, buffer_view(&request->id), buffer_view(&token), arguments, &server->output);
    buffer_release(&token);
    if (*last == NULL) {
        refuse_request(server, request, SERVER_ERROR, status_no_memory("the call"));
        return;
    }
    (*last)->seconds = server->seconds;
    if (count == 0) start_call(server);
}

static void run_tool(Server *server, const Request *request) {
    const TextView arguments = json_member(request->params, "arguments");
    const JsonKind kind = json_kind(arguments);
    TextBuffer name = read_text(json_member(request->params, "name"));
    Nearest nearest = nearest_to(buffer_view(&name));
    const Tool *tool = tools_find(nearest.word, &nearest);
    char shown[40];
    text_copy_printable(buffer_view(&name), shown, sizeof shown);
    if (name.length == 0)
        refuse_request(server, request, INVALID_PARAMS,
                       status_error("params.name must be the name of a tool"));
    else if (tool == NULL)
        refuse_request(server, request, INVALID_PARAMS,
                       nearest.name == NULL
                           ? status_error("unknown tool '%s'; tools/list names those that there are", shown)
                           : status_error("unknown tool '%s'; did you mean %s?", shown, nearest.name));
    else if (kind != JSON_OBJECT && kind != JSON_MISSING)
        refuse_request(server, request, INVALID_PARAMS, status_error("params.arguments must be an object"));
    else
        add_call(server, request, tool, arguments);
    buffer_release(&name);
}

typedef struct Method {
    const char *name;
    void (*run)(Server *server, const Request *request);
    bool is_early; /* may come before `initialize` */
} Method;

static const Method METHODS[] = {{"initialize", run_initialize, true},
                                 {"ping", run_ping, true},
                                 {"tools/list", run_list, false},
                                 {"tools/call", run_tool, false}};

static void run_request(Server *server, const Request *request, TextView name) {
    for (size_t i = 0; i < sizeof METHODS / sizeof METHODS[0]; i++) {
        if (!text_equals(name, METHODS[i].name)) continue;
        if (server->is_open || METHODS[i].is_early)
            METHODS[i].run(server, request);
        else
            refuse_request(server, request, INVALID_REQUEST,
                           status_error("initialize comes before %s", METHODS[i].name));
        return;
    }
    char shown[40];
    text_copy_printable(name, shown, sizeof shown);
    refuse_request(
        server, request, METHOD_NOT_FOUND,
        status_error("unknown method '%s'; there are initialize, ping, tools/list and tools/call", shown));
}

/* Nothing is answered; what is not known is ignored. */
static void run_notification(Server *server, const Request *request, TextView name) {
    if (!text_equals(name, "notifications/cancelled")) return;
    TextBuffer id = read_key(json_member(request->params, "requestId"));
    if (id.length > 0) cancel_call(server, buffer_string(&id));
    buffer_release(&id);
}

/* --- messages --- */

/* What is wrong with a message; NULL: nothing. */
static const char *find_fault(TextView message, const Request *request) {
    TextBuffer protocol = read_text(json_member(message, "jsonrpc"));
    const bool is_protocol = text_equals(buffer_view(&protocol), "2.0");
    const JsonKind params = json_kind(request->params);
    buffer_release(&protocol);
    if (json_kind(message) != JSON_OBJECT) return "a message must be an object";
    if (!is_protocol) return "jsonrpc must be \"2.0\"";
    if (json_kind(json_member(message, "id")) != JSON_MISSING && request->id.length == 0)
        return "id must be a string or a whole number";
    if (json_kind(json_member(message, "method")) != JSON_STRING) return "method must be a string";
    return params == JSON_OBJECT || params == JSON_MISSING ? NULL : "params must be an object";
}

/* Nothing is asked of clients: what they answer is no answer to anything. */
static bool is_answer(TextView message) {
    return json_kind(json_member(message, "method")) == JSON_MISSING &&
           (json_kind(json_member(message, "result")) != JSON_MISSING ||
            json_kind(json_member(message, "error")) != JSON_MISSING);
}

static void run_message(Server *server, TextView message) {
    Request request = {.id = read_key(json_member(message, "id")), .params = json_member(message, "params")};
    TextBuffer name = read_text(json_member(message, "method"));
    const char *fault = find_fault(message, &request);
    if (fault != NULL && !is_answer(message)) {
        const Status status = status_error("%s", fault);
        refuse(server, request.id.length > 0 ? buffer_string(&request.id) : "null", INVALID_REQUEST, &status);
    } else if (fault == NULL && request.id.length > 0) {
        run_request(server, &request, buffer_view(&name));
    } else if (fault == NULL) {
        run_notification(server, &request, buffer_view(&name));
    }
    buffer_release(&request.id);
    buffer_release(&name);
}

/* A line is a message, or a list of them (a batch of version 2025-03-26), each of which is answered alone. */
static void run_line(Server *server, const InputLine *line) {
    const char *fault = line->command;
    TextView text = text_view(line->text), name, message;
    const Status status = fault == NULL ? json_check(&text) : status_error("%s", fault);
    if (!status_is_ok(&status))
        refuse(server, "null", PARSE_ERROR, &status);
    else if (json_kind(text) != JSON_LIST)
        run_message(server, text);
    else
        while (json_next(&text, &name, &message)) run_message(server, message);
}

/* --- the loops --- */

/* Ends what runs; what waits is refused. */
static void end_calls(Server *server) {
    const Status status = status_error("the input ended before this call could begin");
    if (server->calls == NULL) return;
    while (server->calls->next != NULL) {
        Call *waiting = server->calls->next;
        server->calls->next = waiting->next;
        refuse(server, waiting->id, SERVER_ERROR, &status);
        call_destroy(waiting);
    }
    call_stop(server->calls, CALL_UNHEARD);
    finish_call(server);
}

static void serve_lines(void *context) {
    Server *server = context;
    InputLine *line;
    InputEvent event;
    while ((event = input_take(&server->input, true, time_left(server), &line)) != INPUT_END) {
        if (event == INPUT_SEARCH_OVER)
            finish_call(server);
        else if (event == INPUT_TIMEOUT)
            call_stop(server->calls, CALL_OUT_OF_TIME);
        else {
            if (line->command != NULL || !text_is_empty(text_trim(text_view(line->text))))
                run_line(server, line);
            input_line_release(line);
        }
    }
    end_calls(server);
}

/* Why a line is no message; NULL: it may be one. */
static const char *fault_of(const TextBuffer *line) {
    if (line->failed && line->length < MCP_MESSAGE_MAX) return "not enough memory for a message";
    if (line->failed) return "a message may have 1 MiB";
    return memchr(buffer_string(line), '\0', line->length) != NULL ? "a message may have no zero bytes"
                                                                   : NULL;
}
_Static_assert(MCP_MESSAGE_MAX == 1 << 20, "1 MiB");

static Status read_lines(Server *server, FILE *in) {
    TextBuffer line = {0};
    Status status = status_ok();
    while (status_is_ok(&status) && buffer_read_line(&line, MCP_MESSAGE_MAX, in)) {
        const char *fault = fault_of(&line);
        InputLine *posted = input_line_create(fault == NULL ? buffer_view(&line) : text_view(""));
        if (posted == NULL) {
            status = status_no_memory("a message");
        } else {
            posted->command = fault;
            input_post(&server->input, posted);
        }
    }
    input_end(&server->input);
    buffer_release(&line);
    return status;
}

Status mcp_serve(FILE *in, FILE *out, double seconds) {
    Server server = {.seconds = seconds};
    Thread thread;
    input_open(&server.input);
    output_open(&server.output, out);
    Status status = thread_start(&thread, serve_lines, &server);
    if (status_is_ok(&status)) {
        status = read_lines(&server, in);
        thread_join(&thread);
    }
    input_release(&server.input);
    output_close(&server.output);
    return status;
}
