/* PGN: whatever is read as games can be written and is then read as the same games. */
#include "chess/pgn_reader.h"
#include "chess/pgn_writer.h"
#include "fuzz.h"

/* Reads all games of `rest`, appending each that is sound to `out`. Returns how many. */
static int copy_games(TextView rest, TextBuffer *out, bool must_be_sound) {
    int line = 1, games = 0;
    for (;;) {
        PgnGame game = {0};
        bool found = false;
        const size_t before = rest.length;
        Status status = pgn_read_game(&rest, &line, &game, &found);
        FUZZ_CHECK(rest.length <= before);
        if (status_is_ok(&status) && found) {
            games++;
            pgn_write_game(&game, out);
        }
        pgn_game_release(&game);
        if (!status_is_ok(&status)) FUZZ_CHECK(!must_be_sound);
        if (status_is_ok(&status) && !found) break;
        FUZZ_CHECK(rest.length < before); /* a fault must not be met for ever */
    }
    return games;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chess_init();
    TextBuffer once = {0}, twice = {0};
    const int games = copy_games((TextView){(const char *)data, size}, &once, false);
    FUZZ_CHECK(copy_games(buffer_view(&once), &twice, true) == games);
    FUZZ_CHECK(once.failed || twice.failed || text_equals(buffer_view(&once), buffer_string(&twice)));
    buffer_release(&once);
    buffer_release(&twice);
    return 0;
}
