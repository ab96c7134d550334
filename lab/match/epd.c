#include "lab/match/epd.h"

#include "base/file.h"
#include "base/memory.h"
#include "chess/san.h"

#include <string.h>

/* Takes the next operation off the front, up to a ';' outside quotes. */
static TextView next_operation(TextView *rest) {
    size_t end = 0;
    bool quoted = false;
    while (end < rest->length && (quoted || rest->data[end] != ';')) quoted ^= rest->data[end++] == '"';
    TextView operation = {rest->data, end};
    const size_t taken = end < rest->length ? end + 1 : end;
    rest->data += taken;
    rest->length -= taken;
    return text_trim(operation);
}

void epd_take_counters(TextView operations, Position *pos) {
    enum { CLOCK_MAX = 100, NUMBER_MAX = 10000 };
    while (!text_is_empty(operations)) {
        TextView operand = next_operation(&operations);
        const TextView name = text_next_word(&operand);
        int64_t number;
        if (!text_parse_int64(text_trim(operand), &number) || number < 0) continue;
        if (text_equals(name, "hmvc") && number <= CLOCK_MAX) pos->state.halfmove_clock = (int16_t)number;
        if (text_equals(name, "fmvn") && number >= 1 && number <= NUMBER_MAX) pos->fullmove = (int)number;
    }
}

static Status parse_moves(const Position *pos, TextView words, Move *moves, int *count) {
    for (TextView word = text_next_word(&words); !text_is_empty(word); word = text_next_word(&words)) {
        if (*count == EPD_MOVES_MAX)
            return status_error("more than %d moves in one operation", EPD_MOVES_MAX);
        Move move;
        Status status = san_parse(pos, word, &move);
        if (!status_is_ok(&status)) {
            /* Some suites write e2e4; keep the reason for SAN, the usual case. */
            Status long_form = lan_parse(pos, word, &move);
            if (!status_is_ok(&long_form)) return status;
        }
        moves[(*count)++] = move;
    }
    return *count > 0 ? status_ok() : status_error("an operation without a move");
}

static Status parse_mate(TextView operand, int *mate) {
    int64_t moves;
    if (!text_parse_int64(text_trim(operand), &moves) || moves < 1 || moves > 500)
        return status_error("dm needs a number of moves, not '%.*s'", (int)operand.length, operand.data);
    *mate = (int)moves;
    return status_ok();
}

static void copy_id(TextView operand, EpdEntry *entry) {
    operand = text_trim(operand);
    if (operand.length >= 2 && operand.data[0] == '"' && operand.data[operand.length - 1] == '"')
        operand = (TextView){operand.data + 1, operand.length - 2};
    text_copy_printable(operand, entry->id, sizeof entry->id);
    /* It goes into a Markdown table. */
    for (char *bar = entry->id; (bar = strchr(bar, '|')) != NULL;) *bar = '/';
}

static Status parse_operation(const Position *pos, TextView operation, EpdEntry *entry) {
    TextView operands = operation, name = text_next_word(&operands);
    if (text_equals(name, "bm")) return parse_moves(pos, operands, entry->best, &entry->best_count);
    if (text_equals(name, "am")) return parse_moves(pos, operands, entry->avoid, &entry->avoid_count);
    if (text_equals(name, "dm")) return parse_mate(operands, &entry->mate);
    if (text_equals(name, "id")) copy_id(operands, entry);
    return status_ok();
}

Status epd_parse(TextView line, bool chess960, EpdEntry *entry) {
    EpdEntry parsed = {.chess960 = chess960};
    TextView rest = text_trim(line), position = fen_take(&rest);
    Position pos;
    Status status = fen_parse(&pos, position, chess960);
    if (!status_is_ok(&status)) return status;
    epd_take_counters(rest, &pos);
    fen_write(&pos, parsed.fen);
    while (status_is_ok(&status) && !text_is_empty(rest))
        status = parse_operation(&pos, next_operation(&rest), &parsed);
    if (!status_is_ok(&status)) return status;
    if (parsed.best_count == 0 && parsed.avoid_count == 0 && parsed.mate == 0)
        return status_error("no bm, am or dm: nothing to solve");
    *entry = parsed;
    return status_ok();
}

static Status add_entry(EpdSuite *suite, const EpdEntry *entry) {
    EpdEntry *entries = memory_grow(suite->entries, (size_t)suite->count, sizeof *entries);
    if (entries == NULL) return status_no_memory("the test suite");
    suite->entries = entries;
    suite->entries[suite->count++] = *entry;
    return status_ok();
}

static Status load_lines(const char *path, TextView content, bool chess960, EpdSuite *suite) {
    TextView line;
    content = text_without_mark(content);
    for (int number = 1; text_next_line(&content, &line); number++) {
        line = text_trim(line);
        if (text_is_empty(line) || line.data[0] == '#') continue;
        EpdEntry entry;
        Status status = epd_parse(line, chess960, &entry);
        if (!status_is_ok(&status)) return status_error("%s line %d: %s", path, number, status.reason);
        status = add_entry(suite, &entry);
        if (!status_is_ok(&status)) return status;
    }
    return suite->count > 0 ? status_ok() : status_error("%s holds no position", path);
}

Status epd_load(const char *path, bool chess960, EpdSuite *suite) {
    TextBuffer content = {0};
    Status status = file_read(path, &content);
    if (status_is_ok(&status)) status = load_lines(path, buffer_view(&content), chess960, suite);
    buffer_release(&content);
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
    return entry->mate == 0 || (mate_in > 0 && mate_in <= entry->mate);
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
    if (entry->mate > 0) text_format(out + length, capacity - length, " mate in %d", entry->mate);
    memmove(out, out + 1, strlen(out)); /* the blank before the first */
}
