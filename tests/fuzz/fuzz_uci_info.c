/* Output of engines: any line is parsed safely, its PV is inside the line, and any PV can be checked. The
 * bytes are also parsed as option lines. */
#include "chess/fen.h"
#include "chess/game.h"
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

bool fuzz_input(const uint8_t *data, size_t size) {
    TextView line = {(const char *)data, size};
    UciInfo info;
    const bool scored = uci_parse_info(line, &info);
    FUZZ_CHECK(scored == (info.score.kind != SCORE_NOT_GIVEN));
    if (info.pv.length > 0)
        FUZZ_CHECK(info.pv.data >= line.data && info.pv.data + info.pv.length <= line.data + line.length);
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
    return scored || exists;
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
    static const char *const WORDS[] = {"info",     "score",  "cp",     "mate", "pv",        "depth",
                                        "multipv",  "nodes",  "string", "e2e4", "0000",      "wdl",
                                        "currmove", "option", "name",   "Hash", "type",      "spin",
                                        "default",  "min",    "max",    "var",  "lowerbound"};
    const int how = input.length == 0 ? 0 : (int)rng_below(rng, 10);
    if (how < 3)
        append_line(rng, out);
    else if (how < 5)
        append_option(rng, out);
    else if (how < 9)
        vary_words(input, rng, WORDS_OF(WORDS), out);
    else
        vary_bytes(input, rng, out);
}
