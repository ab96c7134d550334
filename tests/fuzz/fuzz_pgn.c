/* PGN: all games that are read from any bytes can be written, and are then read unchanged and without a
 * fault.
 */
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/pgn.h"
#include "chess/pgn_write.h"
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

/* --- a fault costs no more than itself --- */

enum { GAMES_MAX = 8, MOVES_MAX = 300 };

/* Where a game of well-formed PGN is, from its first tag to its result, and where each of its moves ends. */
typedef struct Layout {
    size_t begin, end;
    int moves;
    size_t move_end[MOVES_MAX];
} Layout;

static size_t skip_to(TextView text, size_t i, char end) {
    while (i < text.length && text.data[i] != end) i++;
    return i;
}

/* The end of a note that begins at i; i where none does. */
static size_t skip_note(TextView text, size_t i) {
    const char c = text.data[i];
    if (c == '{') return skip_to(text, i, '}') + 1;
    if (c == ';' || (c == '%' && text.data[i - 1] == '\n')) return skip_to(text, i, '\n');
    if (c != '(') return i;
    for (int depth = 0; i < text.length; i++) {
        depth += (text.data[i] == '(') - (text.data[i] == ')');
        if (text.data[i] == '{') i = skip_to(text, i, '}');
        if (depth == 0) return i + 1;
    }
    return i;
}

/* Finds the moves of a game, whose tags begin at layout->begin, without the reader. False when it is written
 * otherwise than the kept games. */
static bool find_moves(TextView text, Layout *layout) {
    size_t i = layout->begin;
    while (i < text.length && text.data[i] == '[') i = skip_to(text, i, '\n') + 1;
    for (layout->moves = 0; i < text.length && layout->moves < MOVES_MAX;) {
        const size_t after_note = skip_note(text, i);
        if (after_note > i || char_is_space(text.data[i])) {
            i = after_note > i ? after_note : i + 1;
            continue;
        }
        TextView word = {text.data + i, 0};
        GameResult result;
        while (i < text.length && !char_is_space(text.data[i]) && strchr("{(;[", text.data[i]) == NULL) i++;
        word.length = (size_t)(text.data + i - word.data);
        layout->end = i;
        if (word.length == 0) return false;
        if (game_result_parse(word, &result)) return true;
        const bool is_number = word.data[word.length - 1] == '.';
        if (!is_number && strchr("$!?+=", word.data[0]) == NULL) layout->move_end[layout->moves++] = i;
    }
    return false;
}

/* Finds all games; 0 when the text is not as regular as the kept games. */
static int find_games(TextView text, Layout layouts[GAMES_MAX]) {
    int count = 0;
    size_t i = 0;
    while (i < text.length && count < GAMES_MAX) {
        layouts[count].begin = i;
        const TextView rest = {text.data + i, text.length - i};
        if (!text_starts_with(rest, "[Event ") || !find_moves(text, &layouts[count])) return 0;
        i = layouts[count++].end;
        while (i < text.length && char_is_space(text.data[i])) i++;
    }
    return i == text.length ? count : 0;
}

static void release_games(Game *games, int count) {
    for (int i = 0; i < count; i++) game_release(&games[i]);
}

/* Reads up to twice as many games as a layout may have. */
static int read_games(TextView rest, Game games[2 * GAMES_MAX], Problems *problems) {
    int line = 1, count = 0;
    for (bool found = true; found && count < 2 * GAMES_MAX; count += found) {
        games[count] = (Game){0};
        const Status status = pgn_read_game(&rest, &line, &games[count], &found, problems);
        FUZZ_CHECK(status_is_ok(&status));
    }
    return count;
}

static bool same_moves(const Game *game, const Game *other, int count) {
    return game->move_count >= count && other->move_count >= count &&
           (count == 0 || memcmp(game->moves, other->moves, (size_t)count * sizeof(Move)) == 0);
}

/* Appends the text with a defect somewhere in a game. Returns where the defect begins. */
static size_t damage(TextView text, const Layout *layout, Rng *rng, TextBuffer *out) {
    static const char *const INSERTED[] = {
        "[",      "]",      "{",      "}",    "(",      ")",      "\"",     ";",      "%",      "$",
        "\\",     "*",      "0",      "1",    "-",      "/",      ".",      "+",      "#",      "!",
        "=",      "x",      "O",      "N",    "e",      "4",      " ",      "\n",     "\n\n",   "--",
        "1-0",    "e4",     "Sf3",    "{}",   "\u00A0", "\u200B", "\u00BD", "\u2658", "\u221E", "\u2013",
        "\u2026", "\uFEFF", "\u0424", "\xFF", "\xC3",   "\0"};
    static const char *const TAGS[] = {"[PlyCount 1]\n",      "[A:B \"x\"]\n",    "[Event \"x\"\n",
                                       "Site \"x\"]\n",       "[Round \"\\\"]\n", "[\n",
                                       "[Variant \"odd\"]\n", "[FEN \"\"]\n"};
    const size_t room = layout->end - layout->begin;
    size_t at = layout->begin + rng_below(rng, room), size = 1 + rng_below(rng, 8);
    if (size > layout->end - at) size = layout->end - at;
    const int how = (int)rng_below(rng, 6);
    if (how == 5) at = layout->begin;
    const size_t kept_from = how == 0 || how == 3 ? at + size : how == 4 ? layout->end : at; /* lost before */
    buffer_append(out, (TextView){text.data, at});
    if (how == 1 || how == 3) buffer_append_string(out, vary_word(rng, WORDS_OF(INSERTED)));
    if (how == 2) buffer_append(out, (TextView){text.data + at, size});
    if (how == 4) buffer_append_string(out, vary_chance(rng, 50) ? "\n\n" : "");
    if (how == 5) buffer_append_string(out, vary_word(rng, WORDS_OF(TAGS)));
    buffer_append(out, (TextView){text.data + kept_from, text.length - kept_from});
    return at;
}

/* Whatever the defect: the moves before it stay, and so do all other games. */
static void check_defect(TextView text, const Layout *layouts, const Game *games, int count, Rng *rng) {
    Game read[2 * GAMES_MAX];
    Problems problems = {0};
    TextBuffer damaged = {0};
    const int hit = (int)rng_below(rng, (uint64_t)count);
    const size_t at = damage(text, &layouts[hit], rng, &damaged);
    int kept = 0;
    while (kept < layouts[hit].moves && layouts[hit].move_end[kept] < at) kept++;
    const int found = read_games(buffer_view(&damaged), read, &problems);
    for (int i = 0; i < count; i++) {
        const int moves = i == hit ? kept : games[i].move_count;
        const int place =
            i <= hit ? i : found - count + i; /* the damaged game may be none, or become several */
        if (moves == 0) continue;
        const bool is_there = place >= 0 && place < found && same_moves(&read[place], &games[i], moves);
        if (!is_there)
            fprintf(stderr, "game %d of %d read, %d moves, place %d has %d, defect at %zu:\n%s\n", i, found,
                    moves, place, read[place].move_count, at, buffer_string(&damaged));
        FUZZ_CHECK(is_there);
    }
    release_games(read, found);
    problems_release(&problems);
    buffer_release(&damaged);
}

/* LUFT_TEST_FULL: 100,000 defects of the kept games. Else a share of them, and one of each input. */
static void check_defects(TextView text) {
    static int left = -1;
    static Layout layouts[GAMES_MAX];
    const bool is_full = getenv("LUFT_TEST_FULL") != NULL;
    if (left < 0) left = is_full ? 100000 : 4000;
    Game games[2 * GAMES_MAX];
    Problems problems = {0};
    const int count = find_games(text, layouts), most = is_full ? 2000 : 80;
    if (count == 0) return;
    bool is_regular = read_games(text, games, &problems) == count && problems.count[PROBLEM_LOSS] == 0;
    for (int i = 0; i < count && is_regular; i++) is_regular = games[i].move_count == layouts[i].moves;
    Rng rng = rng_seed(text_hash(text));
    for (int i = 0; is_regular && (i == 0 || (i < most && left > 0)); i++, left--)
        check_defect(text, layouts, games, count, &rng);
    release_games(games, count);
    problems_release(&problems);
}

bool fuzz_input(const uint8_t *data, size_t size) {
    TextBuffer once = {0}, twice = {0};
    int moves = 0, moves_again = 0;
    const TextView text = {(const char *)data, size};
    const int games = copy_games(text, &once, false, &moves);
    check_json(text);
    FUZZ_CHECK(copy_games(buffer_view(&once), &twice, true, &moves_again) == games);
    FUZZ_CHECK(moves == moves_again);
    FUZZ_CHECK(once.failed || twice.failed || text_equals(buffer_view(&once), buffer_string(&twice)));
    buffer_release(&once);
    buffer_release(&twice);
    check_defects(text);
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
