#include "chess/reader.h"

#include "base/file.h"
#include "chess/fen.h"
#include "chess/pgn.h"

#include <string.h>

/* --- texts of any encoding --- */

typedef struct Decoder {
    TextBuffer *out;
    bool after_return; /* a CR came last */
} Decoder;

static bool at_line_start(const Decoder *decoder) {
    const TextBuffer *out = decoder->out;
    return out->length == 0 || out->data[out->length - 1] == '\n';
}

/* Appends a character: CR LF and a CR of its own as LF, a zero as a blank, no mark of byte order at the start
 * of a line. */
static void append_point(Decoder *decoder, uint32_t point) {
    const bool is_skipped =
        (point == 0xFEFF && at_line_start(decoder)) || (point == '\n' && decoder->after_return);
    decoder->after_return = point == '\r';
    if (is_skipped) return;
    if (point == '\r' || point == 0) point = point == 0 ? ' ' : '\n';
    buffer_append_point(decoder->out, point);
}

/* The bytes from 0x80 to 0x9F; zeros where there is no character. */
static uint32_t windows_1252(unsigned char byte) {
    static const uint16_t POINTS[] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                      0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
    const uint32_t point = byte < 0xA0 ? POINTS[byte - 0x80] : byte;
    return point == 0 ? byte : point;
}

static void append_bytes(Decoder *decoder, TextView bytes) {
    while (bytes.length > 0) {
        size_t run = 0; /* of bytes that need no care */
        while (run < bytes.length && bytes.data[run] >= ' ' && bytes.data[run] < 0x7F) run++;
        buffer_append(decoder->out, (TextView){bytes.data, run});
        decoder->after_return = decoder->after_return && run == 0;
        bytes = (TextView){bytes.data + run, bytes.length - run};
        if (bytes.length == 0) return;
        uint32_t point;
        const size_t length = text_decode(bytes, &point), taken = length == 0 ? 1 : length;
        append_point(decoder, length == 0 ? windows_1252((unsigned char)point) : point);
        bytes = (TextView){bytes.data + taken, bytes.length - taken};
    }
}

static uint32_t utf16_unit(TextView bytes, size_t i, bool big_endian) {
    const unsigned char *at = (const unsigned char *)bytes.data + i;
    return big_endian ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

static void append_utf16(Decoder *decoder, TextView bytes, bool big_endian) {
    for (size_t i = 0; i + 1 < bytes.length; i += 2) {
        uint32_t point = utf16_unit(bytes, i, big_endian);
        const bool is_high = point >= 0xD800 && point < 0xDC00 && i + 3 < bytes.length;
        const uint32_t low = is_high ? utf16_unit(bytes, i + 2, big_endian) : 0;
        if (low >= 0xDC00 && low < 0xE000) {
            point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
            i += 2;
        }
        append_point(decoder, point >= 0xD800 && point < 0xE000 ? '?' : point);
    }
}

static bool begins_with(TextView bytes, const char *magic, size_t length) {
    return bytes.length >= length && memcmp(bytes.data, magic, length) == 0;
}

/* "<html>", "<!DOCTYPE html>", "<?xml ...>": no game and no position begins so. */
static bool is_markup(TextView text) {
    const char c = text.length > 1 && text.data[0] == '<' ? char_to_lower(text.data[1]) : ' ';
    return (c >= 'a' && c <= 'z') || c == '!' || c == '?';
}

/* "{"name": ..." or "[{"name": ...". */
static bool is_json(TextView text) {
    TextView name;
    size_t i = 0;
    while (i < text.length && (strchr("[{", text.data[i]) != NULL || char_is_space(text.data[i]))) i++;
    text = (TextView){text.data + i, text.length - i};
    if (i == 0 || !text_starts_with(text, "\"")) return false;
    text = (TextView){text.data + 1, text.length - 1};
    return text_split(&text, '"', &name) && text_starts_with(text_trim(text), ":");
}

/* What else the bytes are, with what to do about it; NULL when they may be text. */
static const char *name_of_kind(TextView bytes) {
    static const struct {
        const char *magic;
        size_t length;
        const char *name;
    } KINDS[] = {{"\x1F\x8B", 2, "gzip file: unpack it first"},
                 {"PK\x03\x04", 4, "ZIP archive: unpack it first"},
                 {"PK\x05\x06", 4, "ZIP archive that is empty"},
                 {"BZh", 3, "bzip2 file: unpack it first"},
                 {"\xFD\x37zXZ", 5, "xz file: unpack it first"},
                 {"\x28\xB5\x2F\xFD", 4, "zstd file: unpack it first"},
                 {"7z\xBC\xAF", 4, "7z archive: unpack it first"},
                 {"Rar!", 4, "RAR archive: unpack it first"},
                 {"BINP", 4, "binpack: the tools of nnue-pytorch convert it to text (.plain)"},
                 {"%PDF-", 5, "PDF file"},
                 {"%!PS", 4, "PostScript file"},
                 {"{\\rtf", 5, "RTF file: save it as plain text"}};
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
        if (begins_with(bytes, KINDS[i].magic, KINDS[i].length)) return KINDS[i].name;
    const TextView text = text_trim(text_without_mark(bytes));
    if (is_markup(text)) return "web page (HTML) or XML: save the games or positions themselves";
    return is_json(text) ? "JSON file: save the games or positions in it themselves" : NULL;
}

/* How the beginning of the bytes looks. */
typedef struct Sample {
    size_t length, controls;
    size_t zeros[4]; /* by their place modulo 4 */
} Sample;

static Sample take_sample(TextView bytes) {
    enum { SAMPLE = 4096 };
    Sample sample = {.length = bytes.length < SAMPLE ? bytes.length : SAMPLE};
    for (size_t i = 0; i < sample.length; i++) {
        const char c = bytes.data[i];
        sample.controls += char_is_control(c) && !char_is_space(c);
        sample.zeros[i % 4] += c == '\0';
    }
    return sample;
}

static Status decode_text(TextView bytes, TextBuffer *text) {
    const char *kind = name_of_kind(bytes);
    if (kind != NULL) return status_error("it is a %s", kind);
    const Sample sample = take_sample(bytes);
    const size_t *zeros = sample.zeros, quarter = sample.length / 4;
    if (quarter > 0 && ((zeros[0] >= quarter && zeros[1] >= quarter && zeros[3] == 0) ||
                        (zeros[2] >= quarter && zeros[3] >= quarter && zeros[0] == 0)))
        return status_error("it is a text in UTF-32: save it as UTF-8");
    const bool big_endian = begins_with(bytes, "\xFE\xFF", 2) || 3 * (zeros[0] + zeros[2]) > sample.length;
    const bool little_endian = begins_with(bytes, "\xFF\xFE", 2) || 3 * (zeros[1] + zeros[3]) > sample.length;
    if (big_endian == little_endian && 16 * sample.controls > sample.length)
        return status_error("it is no text, but a file of some program");
    Decoder decoder = {text, false};
    if (big_endian != little_endian)
        append_utf16(&decoder, bytes, big_endian);
    else
        append_bytes(&decoder, bytes);
    return text->failed ? status_no_memory("the text of a file") : status_ok();
}

/* --- lines of EPD --- */

TextView reader_next_operation(TextView *operations) {
    TextView operation = {operations->data, 0};
    bool quoted = false;
    while (operation.length < operations->length && (quoted || operation.data[operation.length] != ';'))
        quoted ^= operation.data[operation.length++] == '"';
    const size_t taken = operation.length + (operation.length < operations->length);
    *operations = (TextView){operations->data + taken, operations->length - taken};
    return text_trim(operation);
}

static const char CLOCK[] = "hmvc", NUMBER[] = "fmvn";

bool reader_is_counter(TextView operation) {
    const TextView name = text_next_word(&operation);
    return text_equals(name, CLOCK) || text_equals(name, NUMBER);
}

/* Numbers that make no sense are ignored. */
static void take_counters(TextView operations, Position *pos) {
    enum { CLOCK_MAX = 100, NUMBER_MAX = 10000 };
    while (!text_is_empty(operations)) {
        TextView operand = reader_next_operation(&operations);
        const TextView name = text_next_word(&operand);
        int64_t number;
        if (!text_parse_int64(text_trim(operand), &number) || number < 0) continue;
        if (text_equals(name, CLOCK) && number <= CLOCK_MAX) pos->state.halfmove_clock = (int16_t)number;
        if (text_equals(name, NUMBER) && number >= 1 && number <= NUMBER_MAX) pos->fullmove = (int)number;
    }
}

Status reader_take_position(Position *pos, TextView *line, bool chess960, Status *warning) {
    const Status status = fen_take(pos, line, chess960, warning);
    if (!status_is_ok(&status)) return status;
    *line = text_trim(*line);
    take_counters(*line, pos);
    return status;
}

/* --- files --- */

bool reader_is_position(TextView text) {
    const TextView word = text_next_word(&text);
    int slashes = 0;
    for (size_t i = 0; i < word.length; i++) {
        slashes += word.data[i] == '/';
        if (word.data[i] == '.') return false;
    }
    return slashes == 7 && word.data[0] != '/';
}

/* Whether a line is a comment in a file of positions; in one of games it begins none for sure. */
static bool is_comment(TextView line) {
    return strchr("#;%", line.data[0]) != NULL || text_starts_with(line, "//");
}

/* "1. ", "FEN: ", "position fen ": takes off what stands in front of a board. Whether there is one. */
static bool take_words_before_board(TextView *line) {
    for (TextView rest = *line; !text_is_empty(rest);) {
        rest = text_trim(rest);
        if (reader_is_position(rest)) {
            *line = rest;
            return true;
        }
        text_next_word(&rest);
    }
    return false;
}

/* Whether a line begins a game for sure: with a tag or a comment of PGN. */
static bool begins_game(TextView line) { return strchr("[{", line.data[0]) != NULL; }

static bool has_games(TextView text) {
    TextView line;
    while (text_next_line(&text, &line)) {
        line = text_trim(line);
        if (text_is_empty(line) || is_comment(line)) continue;
        if (begins_game(line)) return true;
        if (take_words_before_board(&line)) return false;
    }
    return true;
}

Status reader_open_text(Reader *reader, TextView bytes) {
    *reader = (Reader){.path = "the text"};
    const Status status = decode_text(bytes, &reader->text);
    reader->rest = buffer_view(&reader->text);
    reader->has_games = has_games(reader->rest);
    return status;
}

Status reader_open(Reader *reader, const char *path) {
    TextBuffer bytes = {0};
    *reader = (Reader){.path = path};
    Status status = file_read(path, &bytes);
    if (status_is_ok(&status)) {
        status = reader_open_text(reader, buffer_view(&bytes));
        if (status.kind == STATUS_ERROR)
            status = status_error("%.150s cannot be read: %s", path, status.reason);
    }
    reader->path = reader->problems.origin = path;
    buffer_release(&bytes);
    return status;
}

void reader_close(Reader *reader) {
    buffer_release(&reader->text);
    problems_release(&reader->problems);
}

bool reader_next_line(Reader *reader, TextView *line) {
    reader->has_games = false;
    while (text_next_line(&reader->rest, line)) {
        reader->line++;
        *line = text_trim(*line);
        if (text_is_empty(*line) || is_comment(*line)) continue;
        reader->taken++;
        return true;
    }
    return false;
}

bool reader_next_position(Reader *reader, bool chess960, Position *pos, TextView *operations) {
    while (reader_next_line(reader, operations)) {
        Status warning;
        (void)take_words_before_board(operations);
        const Status status = reader_take_position(pos, operations, chess960, &warning);
        if (!status_is_ok(&warning))
            problems_add(&reader->problems, PROBLEM_WARNING, "line %d: %s", reader->line, warning.reason);
        if (status_is_ok(&status)) return true;
        reader_refuse(reader, status.reason);
    }
    return false;
}

bool reader_next_game(Reader *reader, Game *game, Status *status) {
    bool found;
    reader->has_games = true;
    if (reader->line == 0) reader->line = 1;
    *status = pgn_read_game(&reader->rest, &reader->line, game, &found, &reader->problems);
    found = found && status_is_ok(status);
    reader->taken += found;
    return found;
}

void reader_refuse(Reader *reader, const char *reason) {
    problems_add(&reader->problems, PROBLEM_LOSS, "%s %d: %s", reader->has_games ? "before line" : "line",
                 reader->line, reason);
}

Status reader_finish(Reader *reader, bool skip_faults, const char *option) {
    const int losses = reader->problems.count[PROBLEM_LOSS];
    char remedy[64] = "";
    problems_finish(&reader->problems);
    if (reader->taken == 0 && losses == 0)
        return status_error("%.150s: there is neither a position nor a game in it", reader->path);
    if (losses == 0 || skip_faults) return status_ok();
    if (option != NULL) text_format(remedy, sizeof remedy, "; %s goes on without them", option);
    return reader->has_games
               ? status_error("%.120s: faults that cost moves or games: %d%s", reader->path, losses, remedy)
               : status_error("%.120s: %d of the %d lines could not be read%s", reader->path, losses,
                              reader->taken, remedy);
}
