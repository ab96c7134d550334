/* luft play: a game between a person and the engine. */
#include "chess/game.h"
#include "cli/command.h"
#include "cli/play_session.h"
#include "cli/source.h"
#include "engine/lines.h"

#include <stdlib.h>
#include <time.h>

typedef struct Wishes {
    WordList words;
    uint64_t nodes;
    const char *time;
    int odds, chess960;
    bool black;
    PlayStyle style;
    PlaySettings settings; /* made of the others */
} Wishes;

static Status read_time(const char *text, PlaySettings *settings) {
    TextView base = text_view(text), increment = text_view("0");
    for (size_t i = 0; text != NULL && text[i] != '\0'; i++) {
        if (text[i] != '+') continue;
        base.length = i;
        increment = text_view(text + i + 1);
    }
    if (text == NULL) return status_ok();
    double minutes, seconds;
    if (!text_parse_double(base, &minutes) || !text_parse_double(increment, &seconds) || minutes <= 0 ||
        minutes > 10000 || seconds < 0 || seconds > 10000)
        return status_error("--time wants minutes for the game and seconds a move, like 5+3, not '%.40s'",
                            text);
    settings->has_clock = true;
    settings->base = (int64_t)(minutes * 60000);
    settings->increment = (int64_t)(seconds * 1000);
    return status_ok();
}

static Status read_start(const Wishes *options, PlaySettings *settings) {
    TextBuffer text = {0};
    char fen[FEN_CAPACITY];
    source_join(&options->words, &text);
    const bool has_fen = text.length > 0;
    if (has_fen + (options->odds != ODDS_NONE) + (options->chess960 >= 0) > 1) {
        buffer_release(&text);
        return status_error("a FEN, --odds and --chess960 each set the position: choose one");
    }
    if (options->chess960 >= 0)
        fen_chess960_start(options->chess960, options->chess960, fen);
    else
        play_game_write_odds((PlayOdds)options->odds, color_other(settings->person), fen);
    const bool chess960 = options->chess960 >= 0;
    Status status = fen_parse(&settings->start, has_fen ? buffer_view(&text) : text_view(fen), chess960);
    if (status_is_ok(&status) && game_end(&settings->start) != GAME_GOES_ON)
        status = status_error("the game is over in this position: %s", lines_game_end(&settings->start));
    buffer_release(&text);
    return status;
}

static void set_date(PlaySettings *settings) {
    const time_t now = time(NULL);
    const struct tm *day = localtime(&now);
    text_copy(text_view("????.??.??"), settings->date, sizeof settings->date);
    if (day != NULL) strftime(settings->date, sizeof settings->date, "%Y.%m.%d", day);
}

static void set_name(PlaySettings *settings) {
    const char *const VARIABLES[] = {"USER", "LOGNAME", "USERNAME"};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof VARIABLES / sizeof VARIABLES[0] && (name == NULL || name[0] == '\0'); i++)
        name = getenv(VARIABLES[i]);
    TextView whole = text_view(name == NULL || name[0] == '\0' ? "Person" : name);
    if (whole.length >= sizeof settings->name)
        whole.length = text_whole_characters(whole.data, sizeof settings->name - 1);
    text_copy(whole, settings->name, sizeof settings->name);
}

static Status check(void *context) {
    Wishes *options = context;
    PlaySettings *settings = &options->settings;
    settings->person = options->black ? BLACK : WHITE;
    settings->nodes = options->nodes;
    set_date(settings);
    set_name(settings);
    Status status = read_time(options->time, settings);
    if (status_is_ok(&status)) status = read_start(options, settings);
    return status;
}

static Status run(void *context) {
    const Wishes *options = context;
    return play_session_run(&options->settings, options->style, stdin, stdout);
}

#define FIELD_STRUCT Wishes
static const Field FIELDS[] = {
    {FIELD_WORDS("FEN", words, 0, "the position to begin with (default: the initial position)")},
    {FIELD_WHOLE("nodes", "N", nodes, 0, 1e12, "0",
                 "Luft looks at N positions a move: the fewer, the weaker it plays; 0: no such limit")},
    {FIELD_TEXT("time", "M+S", time, NULL,
                "a clock for either side: M minutes for the game, S seconds more a move; without clock "
                "and nodes Luft "
                "thinks a second a move")},
    {FIELD_CHOICE("odds", "none queen rook knight pawn", odds, "none",
                  "Luft begins without that piece (the pawn: that of f2 or f7)")},
    {FIELD_FLAG("black", black, "you have Black")},
    {FIELD_WHOLE("chess960", "N", chess960, 0, 959, NULL, "start position N of Chess960; a FEN does it too")},
    {FIELD_FLAG("new", style.new_game, "a new game, even if one was broken off")},
    {FIELD_FLAG("ascii", style.ascii, "letters instead of chess pieces; so does the variable NO_COLOR")},
    {0}};
#undef FIELD_STRUCT

int command_play(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft play",
        .usage = "[FEN] [options]",
        .about = "A game against Luft. Type your moves as people write them (e4, Nf3, exd5, O-O, e8=Q) or "
                 "from where "
                 "to where "
                 "(e2e4); small letters do. While you play:\n"
                 "\n"
                 "  undo     takes back your last move and the answer\n"
                 "  hint     the move that Luft would make;  eval  who stands better\n"
                 "  draw     offers a draw;  resign  gives up\n"
                 "  save F   writes the game to the file F, as PGN, which luft analyse reads\n"
                 "  help     the other commands;  quit  leaves\n"
                 "\n"
                 "The rules end the game: mate, stalemate, threefold repetition, fifty moves, too few pieces "
                 "to mate, "
                 "the clock. "
                 "A game that is broken off, however it ends, is kept and offered again the next time.\n",
        .examples = "  luft play                           # you have White; a second a move\n"
                    "  luft play --nodes 200 --black       # a weak Luft\n"
                    "  luft play --time 5+3 --odds knight  # five minutes each, no knight\n",
        .fields = FIELDS,
        .check = check,
        .run = run};
    Wishes options = {.chess960 = -1};
    return commands_run(&SYNTAX, argc, argv, &options);
}
