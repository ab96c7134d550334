#include "cli/play_words.h"

#include "base/nearest.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <string.h>

/* --- commands --- */

typedef struct Entry {
    const char *name;
    PlayWord word;
    const char *help; /* NULL: another name for the one above */
} Entry;

static const Entry ENTRIES[] = {
    {"undo", PLAY_UNDO, "takes back your last move and the answer to it"},
    {"takeback", PLAY_UNDO, NULL},
    {"hint", PLAY_HINT, "the move that Luft would make"},
    {"eval", PLAY_EVAL, "who stands better, with the best line"},
    {"draw", PLAY_DRAW, "offers a draw; Luft takes it when it does not stand better"},
    {"resign", PLAY_RESIGN, "gives the game up"},
    {"moves", PLAY_MOVES, "the moves of the game"},
    {"legal", PLAY_LEGAL, "the moves that you can make now"},
    {"board", PLAY_BOARD, "shows the board"},
    {"flip", PLAY_FLIP, "turns the board round"},
    {"save", PLAY_SAVE, "FILE: writes the game there, as PGN"},
    {"help", PLAY_HELP, "this list"},
    {"?", PLAY_HELP, NULL},
    {"quit", PLAY_QUIT, "leaves; a game that is not over is kept for the next time"},
    {"exit", PLAY_QUIT, NULL},
};
enum { ENTRY_COUNT = sizeof ENTRIES / sizeof ENTRIES[0], WORD_CAPACITY = 24 };

PlayWord play_words_read(TextView line, TextView *rest) {
    *rest = text_trim(line);
    const TextView whole = *rest, word = text_next_word(rest);
    if (text_is_empty(word)) return PLAY_NOTHING;
    *rest = text_trim(*rest);
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (text_equals_ignore_case(word, ENTRIES[i].name)) return ENTRIES[i].word;
    *rest = whole;
    return PLAY_MOVE;
}

void play_words_append_help(TextBuffer *out) {
    buffer_append_string(out, "A move: e4, Nf3, exd5, O-O, e8=Q; or from where to where: e2e4, e7e8q\n");
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (ENTRIES[i].help != NULL) buffer_append_format(out, "%-8s %s\n", ENTRIES[i].name, ENTRIES[i].help);
}

/* --- moves --- */

void play_words_append_legal(TextBuffer *out, const Position *pos) {
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    for (int i = 0; i < count; i++) {
        char san[SAN_CAPACITY];
        san_write(pos, legal[i], san);
        buffer_append_format(out, i > 0 ? " %s" : "%s", san);
    }
}

/* Every move has the number of a rank in it, castling apart. */
static bool may_be_move(const char *text) {
    const bool castles = strpbrk(text, "Oo0") != NULL && strspn(text, "Oo0-+#!?. ") == strlen(text);
    return castles || strpbrk(text, "12345678") != NULL;
}

Status play_words_read_move(const Position *pos, TextView line, Move *move) {
    char text[WORD_CAPACITY];
    text_copy_printable(text_trim(line), text, sizeof text);
    if (may_be_move(text)) return move_parse(pos, line, move);
    Nearest nearest = nearest_to(text_view(text));
    for (int i = 0; i < ENTRY_COUNT; i++) nearest_consider(&nearest, ENTRIES[i].name);
    const bool known = nearest.name != NULL;
    return status_error("'%s' is neither a move (Nf3, g1f3) nor a command; %s%s%s", text,
                        known ? "did you mean '" : "'help' lists them", known ? nearest.name : "",
                        known ? "'?" : "");
}
