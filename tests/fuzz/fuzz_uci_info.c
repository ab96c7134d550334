/* What engines print: any line is read without harm, its PV lies inside the line, and a PV can be checked
 * whatever it says. The same bytes serve as the options that an engine offers. */
#include "chess/fen.h"
#include "fuzz.h"
#include "lab/client/uci_info.h"
#include "lab/client/uci_option.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chess_init();
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

    Position pos;
    Status status = fen_parse(&pos, text_view(FEN_START), false);
    FUZZ_CHECK(status_is_ok(&status));
    const Fault fault = uci_check_pv(&pos, info.pv, detail);
    FUZZ_CHECK((fault == FAULT_NONE) == (detail[0] == '\0'));

    bool button;
    status = uci_option_check(line, "Hash", "16", &button);
    FUZZ_CHECK(status_is_ok(&status) == false || uci_option_exists(line, "Hash"));
    return 0;
}
