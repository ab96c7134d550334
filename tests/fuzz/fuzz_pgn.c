/* PGN: all games that are read from any bytes can be written, and are then read unchanged and without a
 * fault.
 */
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/pgn.h"
#include "chess/san.h"
#include "fuzz.h"
#include "library/games.h"
#include "vary.h"

const int FUZZ_SHORT_RUN = 2000;

enum { PLIES_MAX = 80, LENGTH_MAX = 3000 };

void fuzz_begin(void) { chess_init(); }

/* What the library answers: one object, whose brackets match outside its strings. */
static void check_json(TextView bytes) {
    TextBuffer json = {0};
    Document document = {.out = &json, .form = DOCUMENT_JSON};
    Reader reader;
    Status status = reader_open_text(&reader, bytes);
    const bool is_text = status_is_ok(&status);
    if (is_text) status = games_write(&document, &reader, 0, false);
    FUZZ_CHECK(status_is_ok(&status) || status.kind == STATUS_NO_MEMORY || !is_text);
    int open = 0;
    bool quoted = false;
    for (size_t i = 0; i < json.length; i++) {
        const char c = json.data[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted)
            open += (c == '{' || c == '[') - (c == '}' || c == ']');
        FUZZ_CHECK(open > 0 || i + 1 == json.length);
    }
    FUZZ_CHECK((open == 0 && !quoted) || !status_is_ok(&status) || json.failed);
    reader_close(&reader);
    buffer_release(&json);
}

/* Reads all games of `rest` and appends them to `out`. Returns their number; `*moves` is their number of
 * moves.
 */
static int copy_games(TextView rest, TextBuffer *out, bool must_be_sound, int *moves) {
    Game game = {0};
    Problems problems = {0};
    int line = 1, games = 0;
    bool found = true;
    while (found) {
        const size_t before = rest.length;
        const Status status = pgn_read_game(&rest, &line, &game, &found, &problems);
        FUZZ_CHECK(status_is_ok(&status) || status.kind == STATUS_NO_MEMORY);
        FUZZ_CHECK(rest.length < before || !found);
        if (!found) break;
        games++;
        *moves += game.move_count;
        pgn_write_game(&game, out);
    }
    FUZZ_CHECK(rest.length == 0);
    if (must_be_sound) FUZZ_CHECK(problems.count[PROBLEM_LOSS] == 0);
    problems_release(&problems);
    return games;
}

bool fuzz_input(const uint8_t *data, size_t size) {
    TextBuffer once = {0}, twice = {0};
    int moves = 0, moves_again = 0;
    const int games = copy_games((TextView){(const char *)data, size}, &once, false, &moves);
    check_json((TextView){(const char *)data, size});
    FUZZ_CHECK(copy_games(buffer_view(&once), &twice, true, &moves_again) == games);
    FUZZ_CHECK(moves == moves_again);
    FUZZ_CHECK(once.failed || twice.failed || text_equals(buffer_view(&once), buffer_string(&twice)));
    buffer_release(&once);
    buffer_release(&twice);
    return moves > 0;
}

/* --- games as people and programs write them, some with errors --- */

static void append_tags(const Position *start, Rng *rng, TextBuffer *out) {
    static const char *const NAMES[] = {"Event", "White", "Round", "ECO", "WhiteElo", "x-y", "SetUp"};
    static const char *const VALUES[] = {"?",    "",  "Luft \\\"1\\\"", "a\\\\b", "\xC3\xA9",
                                         "\xFF", "1", "Chess960",       "{",      "]"};
    char fen[FEN_CAPACITY];
    fen_write(start, fen);
    if (strcmp(fen, FEN_START) != 0) buffer_append_format(out, "[FEN \"%s\"]\n", fen);
    if (vary_chance(rng, 5))
        buffer_append_format(out, "[Variant \"%s\"]\n", vary_word(rng, WORDS_OF(VALUES)));
    while (vary_chance(rng, 60))
        buffer_append_format(out, "[%s \"%s\"]\n", vary_word(rng, WORDS_OF(NAMES)),
                             vary_word(rng, WORDS_OF(VALUES)));
    if (vary_chance(rng, 80)) buffer_append_char(out, '\n');
}

/* Appends what may be between moves, or must not. */
static void append_note(Rng *rng, TextBuffer *out) {
    static const char *const NOTES[] = {"$1",
                                        "$139",
                                        "{a comment}",
                                        "{[%clk 0:01:00] \xE2\x99\x9E}",
                                        "(e4 e5)",
                                        "(1. d4 (1. c4) d5)",
                                        "( {x} Nf3 $6 )",
                                        "; to the end\n",
                                        "\n% escaped\n",
                                        "!?",
                                        "+/-",
                                        "=",
                                        "{}",
                                        "()",
                                        "\t",
                                        "\r\n",
                                        "e.p.",
                                        "{\n}"};
    static const char *const JUNK[] = {"--", "D", "N",  "0-0", "...", "}",   "{",
                                       "(",  ")", "e9", "[",   "\"",  "1-0", "*"};
    if (vary_chance(rng, 5))
        buffer_append_string(out, vary_word(rng, WORDS_OF(JUNK)));
    else
        buffer_append_string(out, vary_word(rng, WORDS_OF(NOTES)));
    buffer_append_char(out, ' ');
}

static void append_move(const Position *pos, Move move, Rng *rng, TextBuffer *out) {
    char text[SAN_CAPACITY];
    if (vary_chance(rng, 10))
        lan_write(pos, move, text);
    else
        san_write(pos, move, text);
    size_t length = strlen(text);
    if (vary_chance(rng, 10) && (text[length - 1] == '+' || text[length - 1] == '#')) text[--length] = '\0';
    for (char *c = text; *c != '\0' && move_kind(move) == CASTLING && vary_chance(rng, 30); c++)
        if (*c == 'O') *c = '0';
    buffer_append_string(out, text);
    if (vary_chance(rng, 8)) buffer_append_string(out, vary_chance(rng, 50) ? "!" : "??");
    buffer_append_char(out, vary_chance(rng, 10) ? '\n' : ' ');
}

static void append_game(Rng *rng, TextBuffer *out) {
    static const char *const RESULTS[] = {"1-0", "0-1", "1/2-1/2", "*", "", "0-0"};
    Position pos = vary_start(rng);
    if (vary_chance(rng, 30)) vary_play(&pos, rng, 40, NULL);
    if (vary_chance(rng, 85)) append_tags(&pos, rng, out);
    const int plies = 1 + (int)rng_below(rng, PLIES_MAX), notes = vary_chance(rng, 50) ? 3 : 20;
    for (int i = 0; i < plies; i++) {
        Move move;
        const Position before = pos;
        if (vary_play(&pos, rng, 1, &move) == 0) break;
        if (i % 2 == 0) buffer_append_format(out, "%d. ", i / 2 + 1);
        append_move(&before, move, rng, out);
        while (vary_chance(rng, notes)) append_note(rng, out);
    }
    buffer_append_format(out, "%s\n\n", vary_word(rng, WORDS_OF(RESULTS)));
}

void fuzz_vary(TextView input, Rng *rng, TextBuffer *out) {
    static const char *const WORDS[] = {
        "{x}", "$3", "(e4)",           "!",   "{x}", "$4",   "( )", "\n", "1.",  "1-0",  "*", "{", "}", "(",
        ")",   "$5", "[Result \"*\"]", "O-O", "e4",  "exd5", "1.",  "[",  "Nf3", "a8=Q", ";", "\n"};
    const int how = input.length == 0 || input.length > LENGTH_MAX ? 0 : (int)rng_below(rng, 10);
    if (how < 3) {
        append_game(rng, out);
    } else if (how < 6) {
        append_game(rng, out);
        buffer_append(out, input);
    } else if (how < 8) {
        vary_words(input, rng, WORDS_OF(WORDS), out);
    } else if (how < 9) {
        vary_lines(input, rng, out);
    } else {
        vary_bytes(input, rng, out);
    }
}
