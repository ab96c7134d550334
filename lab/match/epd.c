#include "lab/match/epd.h"

#include "base/memory.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "lab/client/seat.h"
#include "lab/kit/console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Status parse_moves(const Position *pos, TextView words, Move *moves, int *count) {
    for (TextView word = text_next_word(&words); !text_is_empty(word); word = text_next_word(&words)) {
        word = move_without_number(word);
        if (text_is_empty(word)) continue;
        if (*count == EPD_MOVES_MAX)
            return status_error("more than %d moves in one operation", EPD_MOVES_MAX);
        const Status status = san_parse(pos, word, &moves[*count]);
        if (!status_is_ok(&status)) return status;
        ++*count;
    }
    return *count > 0 ? status_ok() : status_error("an operation without a move");
}

/* The number of moves to a mate, with a '#' or without: of the side to move, or negative, of the other. */
static Status parse_mate(TextView operand, int *mate) {
    enum { MATE_MAX = 500 };
    int64_t moves;
    if (text_starts_with(operand, "#")) operand = (TextView){operand.data + 1, operand.length - 1};
    if (!text_parse_int64(operand, &moves) || moves == 0 || moves > MATE_MAX || moves < -MATE_MAX)
        return status_error("a mate needs a number of moves, not '%.*s'", (int)operand.length, operand.data);
    *mate = (int)moves;
    return status_ok();
}

static void copy_id(TextView operand, EpdEntry *entry) {
    text_copy_printable(operand, entry->id, sizeof entry->id);
    /* It goes into a Markdown table. */
    for (char *bar = entry->id; (bar = strchr(bar, '|')) != NULL;) *bar = '/';
}

static TextView without_quotes(TextView text) {
    const bool quoted = text.length >= 2 && text.data[0] == '"' && text.data[text.length - 1] == '"';
    return quoted ? (TextView){text.data + 1, text.length - 2} : text;
}

static Status parse_operation(const Position *pos, TextView operation, EpdEntry *entry) {
    TextView operands = operation, name = text_next_word(&operands);
    operands = without_quotes(text_trim(operands));
    const bool is_best = text_equals_ignore_case(name, "bm");
    if (text_equals_ignore_case(name, "dm") || (is_best && text_starts_with(operands, "#")))
        return parse_mate(operands, &entry->mate);
    if (is_best) return parse_moves(pos, operands, entry->best, &entry->best_count);
    if (text_equals_ignore_case(name, "am"))
        return parse_moves(pos, operands, entry->avoid, &entry->avoid_count);
    if (text_equals_ignore_case(name, "id")) copy_id(operands, entry);
    return status_ok();
}

Status epd_parse(const Position *pos, TextView operations, EpdEntry *entry) {
    EpdEntry parsed = {.chess960 = pos->chess960};
    Status status = status_ok();
    fen_write(pos, parsed.fen);
    while (status_is_ok(&status) && !text_is_empty(operations))
        status = parse_operation(pos, reader_next_operation(&operations), &parsed);
    if (!status_is_ok(&status)) return status;
    if (parsed.best_count == 0 && parsed.avoid_count == 0 && parsed.mate == 0)
        return status_error("no bm, am or dm: nothing to solve");
    *entry = parsed;
    return status;
}

static Status add_entry(EpdSuite *suite, const EpdEntry *entry) {
    EpdEntry *entries = memory_grow(suite->entries, (size_t)suite->count, sizeof *entries);
    if (entries == NULL) return status_no_memory("the test suite");
    suite->entries = entries;
    suite->entries[suite->count++] = *entry;
    return status_ok();
}

static Status load_lines(Reader *reader, bool chess960, EpdSuite *suite) {
    Status status = status_ok();
    Position pos;
    TextView operations;
    while (status_is_ok(&status) && reader_next_position(reader, chess960, &pos, &operations)) {
        EpdEntry entry;
        const Status reading = epd_parse(&pos, operations, &entry);
        if (status_is_ok(&reading))
            status = add_entry(suite, &entry);
        else
            reader_refuse(reader, reading.reason);
    }
    return status;
}

Status epd_load(const char *path, bool chess960, bool skip_faults, EpdSuite *suite) {
    Reader reader;
    Status status = reader_open(&reader, path);
    if (status_is_ok(&status)) status = load_lines(&reader, chess960, suite);
    if (status_is_ok(&status)) status = reader_finish(&reader, skip_faults, SKIP_FAULTS);
    buffer_print(&reader.problems.text, stderr);
    reader_close(&reader);
    if (status_is_ok(&status) && suite->count == 0) status = status_error("%.150s holds no position", path);
    if (!status_is_ok(&status)) epd_release(suite);
    return status;
}

void epd_release(EpdSuite *suite) {
    memory_release(suite->entries);
    *suite = (EpdSuite){0};
}

static bool contains(const Move *moves, int count, Move move) {
    for (int i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

bool epd_is_solved(const EpdEntry *entry, Move move, int mate_in) {
    if (move == MOVE_NONE) return false;
    if (entry->best_count > 0 && !contains(entry->best, entry->best_count, move)) return false;
    if (contains(entry->avoid, entry->avoid_count, move)) return false;
    return entry->mate == 0 ||
           (entry->mate > 0 ? mate_in > 0 && mate_in <= entry->mate : mate_in < 0 && mate_in >= entry->mate);
}

static size_t describe_moves(const EpdEntry *entry, const Move *moves, int count, char *out,
                             size_t capacity) {
    Position pos;
    size_t length = 0;
    Status status = fen_parse(&pos, text_view(entry->fen), entry->chess960);
    if (!status_is_ok(&status)) return 0;
    for (int i = 0; i < count; i++) {
        char san[SAN_CAPACITY];
        san_write(&pos, moves[i], san);
        length += text_format(out + length, capacity - length, " %s", san);
    }
    return length;
}

void epd_describe_task(const EpdEntry *entry, char *out, size_t capacity) {
    out[0] = '\0';
    size_t length = describe_moves(entry, entry->best, entry->best_count, out, capacity);
    if (entry->avoid_count > 0) {
        length += text_format(out + length, capacity - length, " not");
        length += describe_moves(entry, entry->avoid, entry->avoid_count, out + length, capacity - length);
    }
    if (entry->mate != 0)
        text_format(out + length, capacity - length, entry->mate > 0 ? " mate in %d" : " mated in %d",
                    abs(entry->mate));
    memmove(out, out + 1, strlen(out)); /* the blank before the first */
}

/* --- engines that solve a suite --- */

/* What one engine made of one position. */
typedef struct Answer {
    Move move; /* MOVE_NONE: none, or an illegal one */
    bool solved;
    int64_t since; /* microseconds after which the answer was right to the end; of the whole search if only
                      the last moment decided */
    int depth;     /* reached at that moment */
    Fault fault;
} Answer;

typedef struct Exam {
    const EpdExam *settings;
    const EpdSuite *suite;
    Answer *answers; /* [engine * suite->count + position] */
    SeatGroup seats;
} Exam;

/* One search, looked at for the moment from which the answer was right. */
typedef struct Solving {
    const EpdEntry *entry;
    Position pos;
    bool right;
    int64_t since;
    int depth;
} Solving;

static int announced_mate(const UciInfo *info) {
    return info->score.kind == SCORE_MATE_IN && info->score.bound == SCORE_IS_EXACT ? info->score.value : 0;
}

static void note_info(void *context, const UciInfo *info, int64_t elapsed) {
    Solving *solving = context;
    if (info->multi_pv > 1 || text_is_empty(info->pv)) return; /* says nothing of the best move */
    if (solving->entry->mate != 0 && info->score.bound != SCORE_IS_EXACT) return; /* nor of a mate */
    TextView pv = info->pv, first = text_next_word(&pv);
    Move move = MOVE_NONE;
    Status status = lan_parse(&solving->pos, first, &move);
    const bool right = status_is_ok(&status) && epd_is_solved(solving->entry, move, announced_mate(info));
    if (right && !solving->right) {
        solving->since = elapsed;
        solving->depth = info->depth;
    }
    solving->right = right;
}

static Fault search_entry(UciClient *client, const EngineConfig *engine, Solving *solving,
                          SearchReport *report) {
    char detail[FAULT_DETAIL_CAPACITY];
    const Fault fault = uci_client_new_game(client, detail);
    if (fault != FAULT_NONE) return fault;
    return uci_client_analyse(client, solving->entry->fen, &engine->limits, note_info, solving, report);
}

static Answer answer_entry(UciClient *client, const EngineConfig *engine, const EpdEntry *entry) {
    Answer answer = {.move = MOVE_NONE};
    Solving solving = {.entry = entry};
    SearchReport report = {0};
    Status status = fen_parse(&solving.pos, text_view(entry->fen), entry->chess960);
    if (status_is_ok(&status)) answer.fault = search_entry(client, engine, &solving, &report);
    if (answer.fault != FAULT_NONE || !status_is_ok(&status)) return answer;
    status = lan_parse(&solving.pos, text_view(report.best_move), &answer.move);
    if (!status_is_ok(&status)) {
        answer.move = MOVE_NONE;
        answer.fault = FAULT_ILLEGAL_MOVE;
        return answer;
    }
    const int mate = report.has_info ? announced_mate(&report.info) : 0;
    answer.solved = epd_is_solved(entry, answer.move, mate);
    answer.since = solving.right ? solving.since : report.wall;
    answer.depth = solving.right ? solving.depth : report.has_info ? report.info.depth : 0;
    return answer;
}

static Status examine(void *context, int thread, int64_t index) {
    Exam *exam = context;
    const int engines = exam->settings->engines->count;
    const int engine = (int)(index % engines), position = (int)(index / engines);
    Status status;
    Seat *seat = seat_group_take(&exam->seats, thread, engine, &status);
    if (seat == NULL) return status;
    const Answer answer = answer_entry(seat->client, seat->engine, &exam->suite->entries[position]);
    if (answer.fault == FAULT_MEMORY) return status_no_memory("a search"); /* no fault of the engine's */
    exam->answers[engine * exam->suite->count + position] = answer;
    seat->broken = fault_needs_restart(answer.fault);
    return status;
}

static void write_answer(const EpdEntry *entry, const Answer *answer, char *out, size_t capacity) {
    if (answer->fault != FAULT_NONE) {
        text_format(out, capacity, "%s", fault_name(answer->fault));
        return;
    }
    Position pos;
    char san[SAN_CAPACITY] = "";
    Status status = fen_parse(&pos, text_view(entry->fen), entry->chess960);
    if (status_is_ok(&status)) san_write(&pos, answer->move, san);
    if (answer->solved)
        text_format(out, capacity, "**%s** depth %d, %.2f s", san, answer->depth,
                    (double)answer->since / 1e6);
    else
        text_format(out, capacity, "%s", san);
}

static void write_positions(const Exam *exam, TextBuffer *out) {
    const EngineList *list = exam->settings->engines;
    MarkdownTable table = markdown_table_begin("llllllllllllllllllllllll");
    table.columns = 2 + list->count;
    markdown_table_cells(&table, "position | task");
    for (int e = 0; e < list->count; e++) markdown_table_cell(&table, "%s", list->engines[e].name);
    for (int p = 0; p < exam->suite->count; p++) {
        const EpdEntry *entry = &exam->suite->entries[p];
        char text[256];
        if (entry->id[0] != '\0')
            markdown_table_cell(&table, "%s", entry->id);
        else
            markdown_table_cell(&table, "%d", p + 1);
        epd_describe_task(entry, text, sizeof text);
        markdown_table_cell(&table, "%s", text);
        for (int e = 0; e < list->count; e++) {
            write_answer(entry, &exam->answers[e * exam->suite->count + p], text, sizeof text);
            markdown_table_cell(&table, "%s", text);
        }
    }
    markdown_table_write(&table, out);
}

static void write_totals(const Exam *exam, TextBuffer *out) {
    const EngineList *list = exam->settings->engines;
    MarkdownTable table = markdown_table_begin("llrrrrr");
    markdown_table_cells(&table, "engine | limit | solved | of | percent | mean time to solve | faults");
    for (int e = 0; e < list->count; e++) {
        int solved = 0, faults = 0;
        double seconds = 0;
        char limit[128];
        for (int p = 0; p < exam->suite->count; p++) {
            const Answer *answer = &exam->answers[e * exam->suite->count + p];
            solved += answer->solved;
            faults += answer->fault != FAULT_NONE;
            if (answer->solved) seconds += (double)answer->since / 1e6;
        }
        play_limits_describe(&list->engines[e].limits, limit, (int)sizeof limit);
        markdown_table_cell(&table, "%s", list->engines[e].name);
        markdown_table_cells(&table, "%s | %d | %d | %.1f", limit, solved, exam->suite->count,
                             100.0 * solved / exam->suite->count);
        markdown_table_cell(&table, solved > 0 ? "%.2f s" : "-", seconds / solved);
        markdown_table_cell(&table, "%d", faults);
    }
    markdown_table_write(&table, out);
}

static Status run(Exam *exam, TextBuffer *out) {
    const int engines = exam->settings->engines->count;
    const int64_t tasks = (int64_t)engines * exam->suite->count;
    exam->answers = memory_allocate((size_t)tasks * sizeof *exam->answers);
    if (exam->answers == NULL) return status_no_memory("%d answers", exam->suite->count);
    Status status = seat_group_begin(&exam->seats);
    if (status_is_ok(&status))
        status = seat_group_run(&exam->seats, engines > 1 ? "searches" : "positions", tasks,
                                exam->settings->quiet, examine, exam);
    if (status_is_ok(&status) && exam->seats.crew.interrupted)
        status = status_error("stopped, and no table made");
    if (!status_is_ok(&status)) return status;
    write_totals(exam, out);
    if (exam->settings->summary) return status;
    buffer_append_char(out, '\n');
    write_positions(exam, out);
    return status;
}

Status epd_examine(const EpdExam *settings, const EpdSuite *suite, TextBuffer *out) {
    Exam exam = {.settings = settings,
                 .suite = suite,
                 .seats = {.engines = settings->engines,
                           .threads = settings->concurrency,
                           .chess960 = settings->chess960}};
    const Status status = run(&exam, out);
    seat_group_end(&exam.seats);
    memory_release(exam.answers);
    return status;
}
