/* Output of engines: any line is parsed safely, its PV, name or move is inside the line, any PV can be
 * checked, and a best move is legal or refused. The bytes are also parsed as option lines. */
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "fuzz.h"
#include "lab/client/uci_info.h"
#include "vary.h"

const int FUZZ_SHORT_RUN = 4000;

static Position start;

void fuzz_begin(void) {
    chess_init();
    const Status status = fen_parse(&start, text_view(FEN_START), false);
    FUZZ_CHECK(status_is_ok(&status));
}

static bool is_inside(TextView part, TextView line) {
    return part.length == 0 || (part.data >= line.data && part.data + part.length <= line.data + line.length);
}

/* Returns whether it is a name or a move. */
static bool check_name_or_move(TextView line) {
    TextView text = {0};
    Move move;
    const bool is_name = uci_parse_name(line, &text), is_move = !is_name && uci_parse_best_move(line, &text);
    FUZZ_CHECK(is_inside(text, line));
    const Status status = lan_parse(&start, text, &move);
    FUZZ_CHECK(!status_is_ok(&status) || movegen_is_legal(&start, move));
    return is_name || is_move;
}

bool fuzz_input(const uint8_t *data, size_t size) {
    TextView line = {(const char *)data, size};
    UciInfo info;
    const bool scored = uci_parse_info(line, &info), answers = check_name_or_move(line);
    FUZZ_CHECK(scored == (info.score.kind != SCORE_NOT_GIVEN));
    FUZZ_CHECK(is_inside(info.pv, line));
    const int value = uci_score_value(info.score);
    FUZZ_CHECK(value >= -32000 && value <= 32000);
    char score[UCI_SCORE_CAPACITY], detail[FAULT_DETAIL_CAPACITY];
    uci_score_write(info.score, score);
    const Fault fault = uci_check_pv(&start, info.pv, detail);
    FUZZ_CHECK((fault == FAULT_NONE) == (detail[0] == '\0'));

    bool button;
    UciSpin spin;
    const Status status = uci_option_check(line, "Hash", "16", &button);
    const bool exists = uci_option_exists(line, "Hash");
    FUZZ_CHECK(status_is_ok(&status) == false || exists);
    FUZZ_CHECK(!uci_option_spin(line, "Hash", &spin) || exists);
    return scored || answers || exists;
}

static void append_line(Rng *rng, TextBuffer *out) {
    static const char *const FIELDS[] = {"depth", "seldepth", "multipv", "nodes",         "nps",
                                         "time",  "hashfull", "tbhits",  "currmovenumber"};
    static const char *const SCORES[] = {" score cp", " score mate", " score cp"};
    buffer_append_string(out, "info");
    while (vary_chance(rng, 70)) {
        buffer_append_format(out, " %s ", vary_word(rng, WORDS_OF(FIELDS)));
        vary_number(rng, out);
    }
    buffer_append_string(out, vary_word(rng, WORDS_OF(SCORES)));
    buffer_append_string(out, vary_chance(rng, 30) ? " -" : " ");
    vary_number(rng, out);
    if (vary_chance(rng, 20)) buffer_append_string(out, vary_chance(rng, 50) ? " lowerbound" : " upperbound");
    buffer_append_string(out, " pv");
    Move moves[64];
    Position pos = start;
    const int count = vary_play(&pos, rng, (int)rng_below(rng, 64), moves);
    for (int i = 0; i < count; i++) {
        char text[LAN_CAPACITY];
        lan_write(&start, moves[i], text);
        buffer_append_format(out, " %s", text);
    }
}

static void append_answer(Rng *rng, TextBuffer *out) {
    static const char *const ANSWERS[] = {"id name ",  "id author ",      "bestmove ",      "bestmove e2e4",
                                          " bestmove", "bestmove (none)", "bestmove 0000 ", "id\tname  "};
    static const char *const WORDS[] = {"Toy 1.0", "e7e8q", "\x1b[31m", "ponder e7e5", "\xE2\x80\xAE", ""};
    buffer_append_string(out, vary_word(rng, WORDS_OF(ANSWERS)));
    do buffer_append_format(out, " %s", vary_word(rng, WORDS_OF(WORDS)));
    while (vary_chance(rng, 30));
}

static void append_option(Rng *rng, TextBuffer *out) {
    static const char *const KINDS[] = {"spin", "check", "combo", "button", "string"};
    static const char *const NAMES[] = {"Hash", "hash", "Clear Hash", "UCI_Elo", "Hash Hash"};
    buffer_append_format(out, "option name %s type %s default ", vary_word(rng, WORDS_OF(NAMES)),
                         vary_word(rng, WORDS_OF(KINDS)));
    vary_number(rng, out);
    buffer_append_string(out, " min 1 max ");
    vary_number(rng, out);
    if (vary_chance(rng, 30)) buffer_append_string(out, " var 16 var x");
    buffer_append_char(out, '\n');
}

void fuzz_vary(TextView input, Rng *rng, TextBuffer *out) {
    static const char *const WORDS[] = {
        "info",    "score", "cp",  "mate",     "pv",         "depth", "multipv", "nodes", "string",
        "e2e4",    "0000",  "wdl", "currmove", "option",     "name",  "Hash",    "type",  "spin",
        "default", "min",   "max", "var",      "lowerbound", "id",    "bestmove"};
    const int how = input.length == 0 ? 0 : (int)rng_below(rng, 11);
    if (how == 10)
        append_answer(rng, out);
    else if (how < 3)
        append_line(rng, out);
    else if (how < 5)
        append_option(rng, out);
    else if (how < 9)
        vary_words(input, rng, WORDS_OF(WORDS), out);
    else
        vary_bytes(input, rng, out);
}
