/* The UCI loop: any lines are answered or refused, each `go` gets a `bestmove` and each `isready` a
 * `readyok`, and the loop ends with its input. The fuzzer skips commands that are slow or need much memory.
 */
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "engine/engine.h"
#include "fuzz.h"
#include "uci/uci.h"
#include "vary.h"

#include <ctype.h>

const int FUZZ_SHORT_RUN = 60;

enum { LINES_MAX = 12, LENGTH_MAX = 3000 };

void fuzz_begin(void) { chess_init(); }

/* --- allowed lines --- */

/* Whether the line contains `word`, ignoring case. */
static bool contains(TextView line, const char *word) {
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= line.length; i++)
        if (text_equals_ignore_case((TextView){line.data + i, length}, word)) return true;
    return false;
}

static int count_digits(TextView line) {
    int digits = 0;
    for (size_t i = 0; i < line.length; i++) digits += isdigit((unsigned char)line.data[i]) != 0;
    return digits;
}

/* Skips perft and bench, which may take hours, and genfens, which takes a count and reads files. Allows at
 * most 9 MiB of hash and 9 threads. */
static bool is_fit(TextView line) {
    if (contains(line, "perft") || contains(line, "bench") || contains(line, "genfens")) return false;
    if (contains(line, "file") || contains(line, "path")) return false;
    return (!contains(line, "hash") && !contains(line, "threads")) || count_digits(line) <= 1;
}

/* The first word of the line that is a command, as the UCI loop finds it; empty if there is none. */
static TextView command_of(TextView line) {
    TextView word;
    do word = text_next_word(&line);
    while (!text_is_empty(word) && !uci_is_command(word));
    return word;
}

static int count_commands(TextView lines, const char *command) {
    int count = 0;
    TextView line;
    while (text_next_line(&lines, &line)) count += text_equals(command_of(line), command);
    return count;
}

static int count_answers(TextView lines, const char *start) {
    int count = 0;
    TextView line;
    while (text_next_line(&lines, &line)) count += text_starts_with(line, start);
    return count;
}

/* Checks the answers; returns whether there was a search. After `quit` no answer is needed. */
static bool check_answers(TextView asked, TextView answers) {
    const int searches = count_answers(answers, "bestmove ");
    if (count_commands(asked, "quit") == 0) {
        FUZZ_CHECK(count_commands(asked, "go") == searches);
        FUZZ_CHECK(count_commands(asked, "isready") == count_answers(answers, "readyok"));
    }
    return searches > 0;
}

static bool converse(TextBuffer *lines) {
    char *answers = NULL;
    size_t length = 0;
    FILE *const in = fmemopen(lines->data, lines->length, "r");
    FILE *const out = open_memstream(&answers, &length);
    FUZZ_CHECK(in != NULL && out != NULL);
    Status status = uci_serve(in, out);
    FUZZ_CHECK(status_is_ok(&status));
    fclose(in);
    fclose(out);
    const bool searched = check_answers(buffer_view(lines), (TextView){answers, length});
    free(answers);
    return searched;
}

bool fuzz_input(const uint8_t *data, size_t size) {
    bool searched = false;
    TextBuffer lines = {0};
    TextView rest = {(const char *)data, size}, line;
    while (text_next_line(&rest, &line)) {
        /* The loop ignores text after a zero byte, so its count would differ from ours. */
        if (!is_fit(line) || memchr(line.data, '\0', line.length) != NULL) continue;
        buffer_append(&lines, line);
        buffer_append_char(&lines, '\n');
    }
    if (lines.length > 0) searched = converse(&lines);
    buffer_release(&lines);
    return searched;
}

/* --- lines that a client might send --- */

static void append_moves(Position *pos, Rng *rng, const char *word, int most, TextBuffer *out) {
    Move moves[64];
    const Position before = *pos;
    const int count = vary_play(pos, rng, (int)rng_below(rng, (uint64_t)most), moves);
    if (count > 0) buffer_append_string(out, word);
    for (int i = 0; i < count; i++) {
        char text[LAN_CAPACITY];
        lan_write(&before, moves[i], text);
        buffer_append_format(out, " %s", text);
    }
    if (vary_chance(rng, 3)) buffer_append_string(out, " e2e5");
}

static void append_position(Position *pos, Rng *rng, TextBuffer *out) {
    TextBuffer fen = {0};
    if (vary_chance(rng, 60)) vary_fen(rng, &fen);
    Position given;
    Status status = fen_parse(&given, fen.length > 0 ? buffer_view(&fen) : text_view(FEN_START), false);
    if (status_is_ok(&status)) *pos = given;
    buffer_append_string(out, fen.length > 0 ? "position fen " : "position startpos");
    buffer_append(out, buffer_view(&fen));
    if (status_is_ok(&status) && vary_chance(rng, 70)) append_moves(pos, rng, " moves", 30, out);
    buffer_release(&fen);
}

static void append_limit(const Position *pos, Rng *rng, TextBuffer *out) {
    static const char *const CLOCKS[] = {" wtime 5 btime 5", " wtime 3 winc 2 btime 900 binc 0",
                                         " movestogo 2 wtime 9 btime 1", " wtime -5 btime -5",
                                         " winc 1 binc 1"};
    Position there = *pos;
    switch (rng_below(rng, 9)) {
    case 0: buffer_append_format(out, " depth %d", (int)rng_below(rng, 6)); break;
    case 1: buffer_append_format(out, " movetime %d", (int)rng_below(rng, 4)); break;
    case 2: buffer_append_string(out, vary_word(rng, WORDS_OF(CLOCKS))); break;
    case 3: buffer_append_format(out, " mate %d nodes 300", (int)rng_below(rng, 4)); break;
    case 4: buffer_append_string(out, " infinite"); break;
    case 5: buffer_append_string(out, " ponder"); break;
    case 6: append_moves(&there, rng, " searchmoves", 2, out); break;
    default: buffer_append_format(out, " nodes %d", (int)rng_below(rng, 600));
    }
}

static void append_option(Rng *rng, TextBuffer *out) {
    char text[OPTION_TEXT_CAPACITY];
    options_describe((int)rng_below(rng, (uint64_t)options_count()), text);
    const char *name = strstr(text, "name ");
    const char *end = strstr(text, " type ");
    buffer_append_string(out, "setoption ");
    buffer_append(out, (TextView){name, (size_t)(end - name)});
    buffer_append_string(out, " value ");
    if (strstr(text, "type check") != NULL)
        buffer_append_string(out, vary_chance(rng, 50) ? "true" : "false");
    else
        vary_number(rng, out);
}

static void append_line(Position *pos, Rng *rng, TextBuffer *out) {
    static const char *const OTHERS[] = {"stop",       "stop",
                                         "ponderhit",  "isready",
                                         "ucinewgame", "d",
                                         "eval",       "uci",
                                         "debug on",   "help",
                                         "",           "junk",
                                         "quit",       "register later",
                                         "isready",    "setoption name Clear Hash"};
    const int how = (int)rng_below(rng, 20);
    if (how < 4)
        append_position(pos, rng, out);
    else if (how < 10) {
        buffer_append_string(out, "go");
        do append_limit(pos, rng, out);
        while (vary_chance(rng, 20));
    } else if (how < 13)
        append_option(rng, out);
    else if (how == 13) {
        Position there = *pos;
        append_moves(&there, rng, "explain", 2, out);
        buffer_append_string(out, " nodes 200");
    } else
        buffer_append_string(out, vary_word(rng, WORDS_OF(OTHERS)));
    buffer_append_char(out, '\n');
}

static void append_script(Rng *rng, TextBuffer *out) {
    Position pos;
    Status status = fen_parse(&pos, text_view(FEN_START), false);
    for (int left = 2 + (int)rng_below(rng, LINES_MAX); left > 0 && status_is_ok(&status); left--)
        append_line(&pos, rng, out);
}

void fuzz_vary(TextView input, Rng *rng, TextBuffer *out) {
    static const char *const WORDS[] = {"go",     "stop",  "position",  "fen",         "startpos",
                                        "moves",  "e2e4",  "depth",     "nodes",       "infinite",
                                        "ponder", "name",  "value",     "searchmoves", "true",
                                        "mate",   "wtime", "ponderhit", "setoption",   "explain"};
    const int how = input.length == 0 || input.length > LENGTH_MAX ? 0 : (int)rng_below(rng, 10);
    if (how < 2)
        append_script(rng, out);
    else if (how < 6)
        vary_lines(input, rng, out);
    else if (how < 9)
        vary_words(input, rng, WORDS_OF(WORDS), out);
    else
        vary_bytes(input, rng, out);
    /* A few more lines, otherwise scripts only shrink. */
    if (how >= 2 && vary_chance(rng, 50)) {
        buffer_append_char(out, '\n');
        append_script(rng, out);
    }
}
