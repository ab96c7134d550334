#include "lab/client/uci_client.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "lab/kit/process.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum {
    START_TIMEOUT = 10 * 1000, /* milliseconds */
    STALL_TIMEOUT = 60 * 1000,
    STOP_PATIENCE = 2 * 1000 * 1000, /* microseconds for bestmove after `stop` */
    STOP_LOOK = 50 * 1000,           /* microseconds between looks whether to stop */
    END_PATIENCE = 200,              /* milliseconds: an output was closed; is it the end of the process? */
    QUIT_PATIENCE = 1000,            /* milliseconds after `quit` */
    FLOOD_LINES = 100 * 1000,        /* a flood: more lines in one search, and more a second */
    FLOOD_LINES_PER_SECOND = 1000,
    /* An engine that searched more nodes than both of these ignores its limit. The second is high because
     * many engines look at the limit at intervals only. */
    LIMIT_FACTOR = 100,
    LIMIT_NODES = 1000 * 1000,
    LIMIT_FACTOR_LONG = 10, /* the same after a minute, whatever the number */
    OFFERED_MAX = 1 << 20   /* bytes of option lines that an engine may send */
};

struct UciClient {
    UciClientOptions options;
    char error_log[ENGINE_PATH_CAPACITY];
    int64_t errors_before; /* bytes of the log when the process was started */
    Process *process;
    char engine_name[ENGINE_NAME_CAPACITY];
    TextBuffer offered;  /* the engine's option lines */
    TextBuffer outgoing; /* a message is written by one call, so that the engine wakes up once */
    int own_waiting;     /* see machine.h */
};

/* Microseconds. */
static int64_t start_timeout(const UciClient *client) { return client->options.start_timeout * 1000; }

/* Which fault it is that the engine's output or input is closed. */
static Fault name_closing(UciClient *client, char detail[FAULT_DETAIL_CAPACITY]) {
    const bool ended = process_has_ended(client->process, END_PATIENCE);
    char end[PROCESS_END_CAPACITY];
    process_describe_end(client->process, end);
    text_format(detail, FAULT_DETAIL_CAPACITY,
                ended ? "its process %s" : "closed its end of the pipe, but %s", end);
    return ended ? FAULT_CRASH : FAULT_DISCONNECT;
}

static Fault name_failed_read(UciClient *client, ProcessRead read, char detail[FAULT_DETAIL_CAPACITY]) {
    switch (read) {
    case PROCESS_CLOSED: return name_closing(client, detail);
    case PROCESS_TOO_LONG:
        text_format(detail, FAULT_DETAIL_CAPACITY, "printed a line of more than %d bytes", PROCESS_LINE_MAX);
        return FAULT_FLOOD;
    case PROCESS_CANCELLED: text_format(detail, FAULT_DETAIL_CAPACITY, "cancelled"); return FAULT_CANCELLED;
    default: return FAULT_STALL;
    }
}

/* A write that failed: the input is closed, or full of what the engine does not read. */
static Fault name_failed_write(UciClient *client, char detail[FAULT_DETAIL_CAPACITY]) {
    if (process_is_deaf(client->process)) return name_closing(client, detail);
    text_format(detail, FAULT_DETAIL_CAPACITY, "does not read its input");
    return FAULT_STALL;
}

static bool is_flood(int64_t lines, int64_t microseconds) {
    return lines > FLOOD_LINES + FLOOD_LINES_PER_SECOND * (microseconds / 1000000);
}

static Fault name_flood(char detail[FAULT_DETAIL_CAPACITY]) {
    text_format(detail, FAULT_DETAIL_CAPACITY, "printed over %d lines for one answer", FLOOD_LINES);
    return FAULT_FLOOD;
}

/* A line of the log: "NAME-1 > go nodes 100", "NAME-1 < bestmove e2e4". */
static void log_lines(const UciClient *client, char direction, TextView text) {
    char source[ENGINE_NAME_CAPACITY + 16];
    TextView line;
    if (client->options.log == NULL) return;
    text_format(source, sizeof source, "%s-%d %c", client->options.config->name, client->options.number,
                direction);
    while (text_next_line(&text, &line)) log_file_add(client->options.log, source, line);
}

static bool write_text(UciClient *client, TextView text, int64_t deadline) {
    log_lines(client, '>', text);
    return process_write(client->process, text, deadline);
}

static ProcessRead read_line(UciClient *client, int64_t deadline, TextView *line) {
    const ProcessRead read = process_read_line(client->process, deadline, line);
    if (read == PROCESS_LINE) log_lines(client, '<', *line);
    return read;
}

static bool send_text(UciClient *client, const char *text) {
    return write_text(client, text_view(text), clock_microseconds() + start_timeout(client));
}

/* Notes a line; false when an engine has sent more of them than it may. */
typedef bool LineNote(UciClient *client, TextView line);

/* Reads until a line that begins with the word `answer`; passes each line before it to `note`, which may be
 * NULL. */
static Fault wait_for(UciClient *client, const char *answer, LineNote *note,
                      char detail[FAULT_DETAIL_CAPACITY]) {
    const int64_t start = clock_microseconds(), deadline = start + start_timeout(client);
    for (int64_t lines = 0;; lines++) {
        TextView line;
        ProcessRead read = read_line(client, deadline, &line);
        TextView rest = line;
        if (read == PROCESS_LINE && text_equals(text_next_word(&rest), answer)) return FAULT_NONE;
        const int64_t now = clock_microseconds();
        if (read == PROCESS_LINE && now > deadline)
            read = PROCESS_TIMEOUT; /* there is always one more line */
        if (read != PROCESS_LINE) {
            const Fault fault = name_failed_read(client, read, detail);
            if (fault == FAULT_STALL)
                text_format(detail, FAULT_DETAIL_CAPACITY, "no %s within %.3g s", answer,
                            (double)start_timeout(client) / 1e6);
            return fault;
        }
        if (is_flood(lines, now - start)) return name_flood(detail);
        if (note != NULL && !note(client, line)) {
            text_format(detail, FAULT_DETAIL_CAPACITY, "sent over %d bytes of options", OFFERED_MAX);
            return FAULT_FLOOD;
        }
    }
}

static bool note_introduction(UciClient *client, TextView line) {
    TextView rest = line, name;
    if (text_equals(text_next_word(&rest), "option")) {
        buffer_append(&client->offered, line);
        buffer_append_char(&client->offered, '\n');
    } else if (uci_parse_name(line, &name)) {
        text_copy(name, client->engine_name, sizeof client->engine_name);
    }
    return client->offered.length <= OFFERED_MAX;
}

/* "NAME (command): " in front of a reason. */
static Status refuse(const UciClient *client, const char *reason) {
    const EngineConfig *config = client->options.config;
    return status_error("engine %s%s(%s): %s", config->name, config->name[0] != '\0' ? " " : "",
                        config->command, reason);
}

/* Writes the setoption lines, and those of initstr=; refuses options that the engine does not offer. */
static Status compose_options(UciClient *client) {
    const EngineConfig *config = client->options.config;
    TextView offered = buffer_view(&client->offered);
    buffer_clear(&client->outgoing);
    if (client->options.chess960) {
        if (!uci_option_exists(offered, "UCI_Chess960")) return refuse(client, "does not play Chess960");
        buffer_append_string(&client->outgoing, "setoption name UCI_Chess960 value true\n");
    }
    for (int i = 0; i < config->option_count; i++) {
        const EngineOption *option = &config->options[i];
        bool button;
        Status status = uci_option_check(offered, option->name, option->value, &button);
        if (!status_is_ok(&status)) return refuse(client, status.reason);
        if (button)
            buffer_append_format(&client->outgoing, "setoption name %s\n", option->name);
        else
            buffer_append_format(&client->outgoing, "setoption name %s value %s\n", option->name,
                                 option->value);
    }
    if (config->first_lines[0] != '\0') buffer_append_format(&client->outgoing, "%s\n", config->first_lines);
    return status_ok();
}

/* An engine that refuses an option says so in free text; this is the form that says it clearly. */
static bool note_refusal(UciClient *client, TextView line) {
    if (text_starts_with(line, "info string error") && client->outgoing.length == 0)
        buffer_append(&client->outgoing, (TextView){line.data + 12, line.length - 12});
    return true;
}

/* Sends these lines, and waits until the engine has read them. */
static Status send_options(UciClient *client) {
    char detail[FAULT_DETAIL_CAPACITY] = "";
    buffer_append_string(&client->outgoing, "isready\n");
    if (client->outgoing.failed) return status_no_memory("the options of an engine");
    const bool sent =
        write_text(client, buffer_view(&client->outgoing), clock_microseconds() + start_timeout(client));
    buffer_clear(&client->outgoing);
    const Fault fault =
        sent ? wait_for(client, "readyok", note_refusal, detail) : name_failed_write(client, detail);
    if (fault != FAULT_NONE) return refuse(client, detail);
    if (client->outgoing.length > 0) return refuse(client, buffer_string(&client->outgoing));
    return status_ok();
}

/* 0 where there is none. */
static int64_t size_of_log(const UciClient *client) {
    const int64_t size = client->error_log[0] == '\0' ? 0 : file_size(client->error_log);
    return size > 0 ? size : 0;
}

/* The last line that the engine wrote to standard error since it was started: often the cause. */
static void append_last_error(const UciClient *client, TextBuffer *out) {
    TextBuffer log = {0};
    if (size_of_log(client) <= client->errors_before) return;
    const Status status = file_read(client->error_log, &log);
    TextView rest = buffer_view(&log), line, last = {0};
    const size_t before = (size_t)client->errors_before;
    if (status_is_ok(&status) && rest.length > before) {
        rest = (TextView){rest.data + before, rest.length - before};
        while (text_next_line(&rest, &line))
            if (!text_is_empty(text_trim(line))) last = text_trim(line);
    }
    if (!text_is_empty(last)) {
        enum { SHOWN = 80 }; /* bytes */
        const size_t shown = last.length > SHOWN ? text_whole_characters(last.data, SHOWN) : last.length;
        buffer_append_format(out, "; it said '%.*s%s' (%s)", (int)shown, last.data,
                             shown < last.length ? "..." : "", client->error_log);
    }
    buffer_release(&log);
}

/* Why an engine that cannot be used may be one: it lacks something, or the machine gives it no time. */
static Status refuse_start(const UciClient *client, Fault fault, const char *detail) {
    char load[LOAD_TEXT_CAPACITY];
    TextBuffer reason = {0};
    buffer_append_format(&reason, "%s; is it a UCI engine?", detail);
    if (fault == FAULT_STALL && machine_describe_load(1, "engine", load)) {
        buffer_append_format(&reason, " But %s", load);
        if (client->options.start_option != NULL)
            buffer_append_format(&reason, ": %s SECONDS waits longer", client->options.start_option);
    }
    append_last_error(client, &reason);
    const Status status = refuse(client, buffer_string(&reason));
    buffer_release(&reason);
    return status;
}

static Status shake_hands(UciClient *client) {
    char detail[FAULT_DETAIL_CAPACITY] = "";
    const bool sent = send_text(client, "uci\n");
    const Fault fault =
        sent ? wait_for(client, "uciok", note_introduction, detail) : name_failed_write(client, detail);
    if (fault != FAULT_NONE) return refuse_start(client, fault, detail);
    if (client->offered.failed) return status_no_memory("the options of an engine");
    Status status = compose_options(client);
    return status_is_ok(&status) ? send_options(client) : status;
}

static void end_process(UciClient *client, int64_t patience) {
    if (client->process == NULL) return;
    if (patience > 0) write_text(client, text_view("quit\n"), clock_microseconds());
    process_stop(client->process, patience);
    client->process = NULL;
}

static Status start_process(UciClient *client) {
    const EngineConfig *config = client->options.config;
    const char *arguments[ENGINE_ARGUMENTS_MAX + 2] = {config->command};
    for (int i = 0; i < config->argument_count; i++) arguments[i + 1] = config->arguments[i];
    ProcessOptions process_options = {.arguments = arguments,
                                      .folder = config->folder[0] == '\0' ? NULL : config->folder,
                                      .error_log = client->error_log[0] == '\0' ? NULL : client->error_log,
                                      .cpus = client->options.cpus,
                                      .cpu_count = client->options.cpu_count,
                                      .cancel = client->options.cancel};
    buffer_clear(&client->offered);
    client->errors_before = size_of_log(client);
    Status status = process_start(&process_options, &client->process);
    if (!status_is_ok(&status)) return refuse(client, status.reason);
    status = shake_hands(client);
    if (!status_is_ok(&status)) end_process(client, 0);
    return status;
}

Status uci_client_start(const UciClientOptions *options, UciClient **out) {
    *out = NULL;
    UciClient *client = memory_allocate(sizeof *client);
    if (client == NULL) return status_no_memory("an engine");
    client->options = *options;
    if (options->start_timeout == 0) client->options.start_timeout = START_TIMEOUT;
    if (options->stall_timeout == 0) client->options.stall_timeout = STALL_TIMEOUT;
    text_copy(text_view(options->error_log), client->error_log, sizeof client->error_log);
    client->own_waiting = machine_open_waiting();
    Status status = start_process(client);
    if (status_is_ok(&status))
        *out = client;
    else
        uci_client_stop(client);
    return status;
}

Status uci_client_restart(UciClient *client) {
    end_process(client, 0);
    return start_process(client);
}

void uci_client_stop(UciClient *client) {
    if (client == NULL) return;
    end_process(client, QUIT_PATIENCE);
    if (client->own_waiting >= 0) close(client->own_waiting);
    buffer_release(&client->offered);
    buffer_release(&client->outgoing);
    memory_release(client);
}

Status uci_client_set_numbers(UciClient *client, const UciNumber *numbers, int count) {
    buffer_clear(&client->outgoing);
    for (int i = 0; i < count; i++)
        buffer_append_format(&client->outgoing, "setoption name %s value %d\n", numbers[i].name,
                             numbers[i].value);
    return send_options(client);
}

Fault uci_client_new_game(UciClient *client, char detail[FAULT_DETAIL_CAPACITY]) {
    detail[0] = '\0';
    const Fault fault = send_text(client, "ucinewgame\nisready\n") ? wait_for(client, "readyok", NULL, detail)
                                                                   : name_failed_write(client, detail);
    if (fault == FAULT_NONE) process_find_threads(client->process);
    return fault;
}

/* Keeps an info line for the report if it says more than the last one: exact scores before bounds, the first
 * line only. */
static void note_info(const SearchRequest *request, SearchReport *report, TextView line, int64_t elapsed) {
    UciInfo info;
    const bool has_score = uci_parse_info(line, &info);
    if (info.nodes > report->nodes) report->nodes = info.nodes;
    if (info.depth > report->depth) report->depth = info.depth;
    if (!has_score) return;
    if (request->info != NULL) request->info(request->context, &info, elapsed);
    if (info.multi_pv != 1) return;
    if (report->has_info && info.score.bound != SCORE_IS_EXACT && report->info.score.bound == SCORE_IS_EXACT)
        return;
    size_t length = text_copy(info.pv, report->pv, sizeof report->pv);
    /* A PV that does not fit ends at its last whole move. */
    if (length < info.pv.length)
        while (length > 0 && report->pv[length - 1] != ' ') length--;
    report->pv[length] = '\0';
    report->info = info;
    report->info.pv = (TextView){report->pv, length};
    report->has_info = true;
}

/* One line of a search; true when it was bestmove. */
static bool note_line(const SearchRequest *request, SearchReport *report, TextView line, int64_t elapsed) {
    TextView move;
    const bool is_last = uci_parse_best_move(line, &move);
    if (is_last)
        text_copy(move, report->best_move, sizeof report->best_move);
    else
        note_info(request, report, line, elapsed);
    return is_last;
}

static bool is_to_stop(const SearchRequest *request) {
    return request->stop != NULL && atomic_load(request->stop);
}

/* Reads a line of a search. When it is to be stopped, the deadline passes at once. */
static ProcessRead read_search_line(UciClient *client, const SearchRequest *request, int64_t deadline,
                                    TextView *line) {
    ProcessRead read = PROCESS_TIMEOUT;
    int64_t look = 0;
    while (read == PROCESS_TIMEOUT && look < deadline && !is_to_stop(request)) {
        look = request->stop == NULL ? deadline : clock_microseconds() + STOP_LOOK;
        if (look > deadline) look = deadline;
        read = read_line(client, look, line);
    }
    return read;
}

/* Whether an engine has searched so far beyond its nodes or depth that no check at intervals, and no
 * iteration that is finished first, explains it: by what it says itself, and never because the machine is
 * slow. */
static bool is_limit_ignored(const SearchRequest *request, SearchReport *report, bool is_long) {
    const PlayLimits *limits = request->limits;
    if (limits == NULL || request->time_limit > 0) return false;
    const double nodes = (double)report->nodes, limit = (double)limits->nodes;
    if (limits->nodes > 0 && ((nodes > LIMIT_FACTOR * limit && report->nodes > LIMIT_NODES) ||
                              (is_long && nodes > LIMIT_FACTOR_LONG * limit)))
        text_format(report->detail, FAULT_DETAIL_CAPACITY,
                    "ignores the limit of %" PRIu64 " nodes: it searched %" PRId64 " and went on",
                    limits->nodes, report->nodes);
    else if (limits->depth > 0 && is_long && report->depth > limits->depth + 1)
        text_format(report->detail, FAULT_DETAIL_CAPACITY,
                    "ignores the limit of depth %d: it searched to depth %d and went on", limits->depth,
                    report->depth);
    return report->detail[0] != '\0';
}

/* Reads up to bestmove. With a time limit the deadline is fixed; without one each line extends it. */
static Fault read_search(UciClient *client, const SearchRequest *request, SearchReport *report, int64_t start,
                         int64_t patience) {
    int64_t deadline = start + patience;
    bool stopped = false, ignores = false;
    for (int64_t lines = 0;; lines++) {
        TextView line;
        ProcessRead read =
            stopped ? read_line(client, deadline, &line) : read_search_line(client, request, deadline, &line);
        const int64_t elapsed = process_read_time(client->process) - start;
        if (read == PROCESS_LINE && note_line(request, report, line, elapsed)) {
            report->wall = elapsed;
            if (ignores) return FAULT_LIMIT;
            if (!stopped || request->time_limit > 0) return FAULT_NONE;
            text_format(report->detail, FAULT_DETAIL_CAPACITY,
                        "silent for %.3g s in a search without a clock", (double)patience / 1e6);
            return FAULT_STALL;
        }
        const int64_t now = clock_microseconds();
        if (request->time_limit <= 0 && !stopped && read == PROCESS_LINE) deadline = now + patience;
        /* A flooding engine always has one more line ready. */
        if (read == PROCESS_LINE && now > deadline) read = PROCESS_TIMEOUT;
        if ((read == PROCESS_LINE || read == PROCESS_TIMEOUT) && !stopped &&
            is_limit_ignored(request, report, now - start > patience)) {
            ignores = true;
            read = PROCESS_TIMEOUT;
        }
        if (read == PROCESS_TIMEOUT && !stopped) {
            stopped = true;
            deadline = clock_microseconds() + STOP_PATIENCE;
            if (!write_text(client, text_view("stop\n"), deadline))
                return name_failed_write(client, report->detail);
            continue;
        }
        if (read != PROCESS_LINE) return name_failed_read(client, read, report->detail);
        if (is_flood(lines, elapsed)) return name_flood(report->detail);
    }
}

/* Reads what an engine has said without being asked. A bestmove among it would be taken for the answer to the
 * next question. */
static Fault read_leftovers(UciClient *client, SearchReport *report) {
    TextView line, move;
    for (int64_t lines = 0; read_line(client, 0, &line) == PROCESS_LINE; lines++) {
        if (is_flood(lines, 0)) return name_flood(report->detail);
        if (!uci_parse_best_move(line, &move)) continue;
        text_format(report->detail, FAULT_DETAIL_CAPACITY, "bestmove %.*s after its bestmove before",
                    (int)(move.length < UCI_MOVE_CAPACITY ? move.length : UCI_MOVE_CAPACITY), move.data);
        return FAULT_EXTRA_MOVE;
    }
    return FAULT_NONE;
}

bool search_report_excuses(const SearchReport *report, int64_t time_limit) {
    const int64_t overdrawn = report->wall - time_limit;
    /* Not the sum: a thread that waits while the machine stalls loses this time once. */
    if (report->standstill >= overdrawn) return true;
    const int64_t waited = report->engine_delay + report->runner_delay;
    const int64_t stolen = report->stolen > 0 ? report->stolen + MACHINE_TICK : 0;
    int64_t unaccounted = report->wall - report->cpu - waited;
    if (unaccounted < 0) unaccounted = 0; /* more than one thread */
    return waited + (stolen < unaccounted ? stolen : unaccounted) >= overdrawn;
}

/* Overdrawn: by whose fault? */
static Fault judge_time(UciClient *client, const SearchRequest *request, HeartbeatLoss before,
                        SearchReport *report) {
    if (request->time_limit <= 0 || report->wall <= request->time_limit) return FAULT_NONE;
    if (client->options.heartbeat != NULL) clock_sleep_milliseconds(HEARTBEAT_SETTLE);
    HeartbeatLoss after = heartbeat_read(client->options.heartbeat);
    report->standstill = after.still - before.still;
    report->stolen = after.stolen - before.stolen;
    text_format(
        report->detail, FAULT_DETAIL_CAPACITY,
        "%.1f ms used of %.1f ms; processor time %.1f ms, engine waited %.1f ms for it, runner %.1f ms; "
        "machine stood still %.1f ms, its host took %.1f ms",
        (double)report->wall / 1e3, (double)request->time_limit / 1e3, (double)report->cpu / 1e3,
        (double)report->engine_delay / 1e3, (double)report->runner_delay / 1e3,
        (double)report->standstill / 1e3, (double)report->stolen / 1e3);
    return search_report_excuses(report, request->time_limit) ? FAULT_TIME_MACHINE : FAULT_TIME;
}

Fault uci_client_search(UciClient *client, const SearchRequest *request, SearchReport *report) {
    memset(report, 0, offsetof(SearchReport, pv));
    report->pv[0] = report->detail[0] = '\0';
    buffer_clear(&client->outgoing);
    buffer_append(&client->outgoing, request->position);
    buffer_append_char(&client->outgoing, '\n');
    buffer_append(&client->outgoing, request->go);
    buffer_append_char(&client->outgoing, '\n');
    if (client->outgoing.failed) {
        text_format(report->detail, FAULT_DETAIL_CAPACITY, "not enough memory for a question to the engine");
        return FAULT_MEMORY;
    }
    const Fault leftover = read_leftovers(client, report);
    if (leftover != FAULT_NONE) return leftover;
    ProcessUsage before = process_usage(client->process);
    const int64_t own_before = machine_read_waiting(client->own_waiting);
    HeartbeatLoss loss_before = heartbeat_read(client->options.heartbeat);
    const int64_t start = clock_microseconds();
    const int64_t patience =
        request->time_limit > 0 ? request->time_limit : client->options.stall_timeout * 1000;
    const bool sent = write_text(client, buffer_view(&client->outgoing), start + patience);
    Fault fault = sent ? read_search(client, request, report, start, patience)
                       : name_failed_write(client, report->detail);
    ProcessUsage after = process_usage(client->process);
    report->cpu = after.cpu - before.cpu;
    report->engine_delay = after.delay - before.delay;
    report->runner_delay = machine_read_waiting(client->own_waiting) - own_before;
    if (fault != FAULT_NONE) report->wall = clock_microseconds() - start;
    if (fault == FAULT_STALL && report->detail[0] == '\0')
        text_format(report->detail, FAULT_DETAIL_CAPACITY, "no bestmove after %.3f s, not even on stop",
                    (double)report->wall / 1e6);
    return fault == FAULT_NONE ? judge_time(client, request, loss_before, report) : fault;
}

Fault uci_client_analyse(UciClient *client, const char *fen, const PlayLimits *limits, InfoListener *listener,
                         void *context, SearchReport *report) {
    char position[FEN_CAPACITY + 16], go[96] = "go";
    text_format(position, sizeof position, "position fen %s", fen);
    play_limits_write_go(limits, go + 2, sizeof go - 2);
    SearchRequest request = {.position = text_view(position),
                             .go = text_view(go),
                             .limits = limits,
                             .context = context,
                             .info = listener};
    return uci_client_search(client, &request, report);
}

TextView uci_client_options(const UciClient *client) { return buffer_view(&client->offered); }

const char *uci_client_engine_name(const UciClient *client) { return client->engine_name; }

/* --- versions --- */

static const char OWN_NAME[] = "Luft ";

EngineVersion engine_version_read(const char *name, TextView network) {
    static const char DEVELOPMENT[] = "-dev-";
    EngineVersion version = {0};
    const size_t length = strlen(OWN_NAME);
    if (strncmp(name, OWN_NAME, length) != 0) return version;
    const char *const commit = strstr(name, DEVELOPMENT);
    text_copy(text_view(commit != NULL ? commit + strlen(DEVELOPMENT) : name + length), version.commit,
              sizeof version.commit);
    if (text_starts_with(network, OWN_NAME))
        network = (TextView){network.data + length, network.length - length};
    text_copy(network, version.net, sizeof version.net);
    return version;
}

/* Of the line "network: Luft 16, 768 hidden units a side, ...", which answers `eval`. */
static bool note_network(UciClient *client, TextView line) {
    TextView key, name;
    if (client->outgoing.length == 0 && text_split(&line, ':', &key) && text_equals(key, "network") &&
        text_split(&line, ',', &name))
        buffer_append(&client->outgoing, text_trim(name));
    return true;
}

EngineVersion uci_client_ask_version(UciClient *client) {
    char detail[FAULT_DETAIL_CAPACITY];
    buffer_clear(&client->outgoing);
    if (text_starts_with(text_view(client->engine_name), OWN_NAME) && send_text(client, "eval\nisready\n"))
        wait_for(client, "readyok", note_network, detail);
    const EngineVersion version = engine_version_read(client->engine_name, buffer_view(&client->outgoing));
    buffer_clear(&client->outgoing);
    return version;
}

EngineVersion uci_client_find_version(const EngineConfig *config) {
    UciClient *client;
    EngineVersion version = {0};
    (void)uci_client_start(&(UciClientOptions){.config = config}, &client); /* NULL on a failure */
    if (client != NULL) version = uci_client_ask_version(client);
    uci_client_stop(client);
    return version;
}
