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
enum { ENTRY_COUNT = sizeof ENTRIES / sizeof ENTRIES[0] };

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

enum { WORD_CAPACITY = 24 };

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
static char capital(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

/* "12. Rxd4", "12...Rxd4": without the number, which always ends in a full stop. */
static TextView without_number(TextView text) {
    size_t i = 0;
    while (i < text.length && text.data[i] >= '0' && text.data[i] <= '9') i++;
    if (i == 0 || i == text.length || text.data[i] != '.') return text;
    while (i < text.length && text.data[i] == '.') i++;
    return text_trim((TextView){text.data + i, text.length - i});
}

static Status read_as_written(const Position *pos, TextView text, Move *move) {
    const Status status = lan_parse(pos, text, move);
    return status_is_ok(&status) ? status : san_parse(pos, text, move);
}

static bool reads(const Position *pos, const char *text, Move *move) {
    const Status status = read_as_written(pos, text_view(text), move);
    return status_is_ok(&status);
}

/* The move of a piece in small letters ("nf3"), and of a pawn in capitals ("E4"). A small b may be the bishop
 * or the pawns' file: "bc4" is a capture by the pawn where there is one, else a move of the bishop. */
static bool read_in_other_case(const Position *pos, const char *text, Move *move) {
    char lower[WORD_CAPACITY], piece[WORD_CAPACITY];
    for (size_t i = 0; i <= strlen(text); i++) lower[i] = piece[i] = small(text[i]);
    piece[0] = capital(text[0]);
    const bool piece_first = text[0] != lower[0];
    return reads(pos, piece_first ? piece : lower, move) || reads(pos, piece_first ? lower : piece, move);
}

static bool is_pawn_step(const Position *pos, Move move) {
    return piece_type(position_piece_on(pos, move_from(move))) == PAWN &&
           square_file(move_from(move)) == square_file(move_to(move));
}

/* "bb4" was read as a step of the b-pawn, for the file may stand before the square; nobody writes it so. */
static bool means_bishop(const Position *pos, const char *text, Move read, Move *move) {
    char piece[WORD_CAPACITY];
    if (text[0] != 'b' || !is_letter(text[1]) || !is_pawn_step(pos, read)) return false;
    text_copy(text_view(text), piece, sizeof piece);
    piece[0] = 'B';
    return reads(pos, piece, move);
}

/* --- why not --- */

/* What can be made out of a text: a kind of piece, the square it shall go to, maybe where from. */
typedef struct Wish {
    int type; /* PieceType */
    Square from, to;
} Wish;

static bool is_square(const char *text) {
    return small(text[0]) >= 'a' && small(text[0]) <= 'h' && text[1] >= '1' && text[1] <= '8';
}

static Square square_of(const char *text) { return square_make(small(text[0]) - 'a', text[1] - '1'); }

static bool read_wish(const Position *pos, const char *text, Wish *wish) {
    const int length = (int)strlen(text);
    int at = length - 2;
    while (at >= 0 && !is_square(text + at)) at--;
    if (at < 0) return false;
    *wish = (Wish){PAWN, NO_SQUARE, square_of(text + at)};
    int before = at;
    if (before > 0 && strchr("x:-", text[before - 1]) != NULL) before--;
    const Piece letter = piece_of_letter(text[0] == 'b' ? 'b' : capital(text[0]));
    if (before >= 2 && is_square(text + before - 2)) {
        wish->from = square_of(text + before - 2);
        wish->type = (int)piece_type(position_piece_on(pos, wish->from));
    } else if (at > 0 && letter != NO_PIECE && piece_color(letter) == WHITE) {
        wish->type = (int)piece_type(letter);
    }
    return true;
}

static const char *const NAMES[] = {"pawn", "knight", "bishop", "rook", "queen", "king", "piece"};

static bool is_wished(const Position *pos, const Wish *wish, Move move) {
    const Square from = move_from(move);
    return (wish->from == NO_SQUARE || wish->from == from) &&
           wish->type == (int)piece_type(position_piece_on(pos, from));
}

static void append_moves(TextBuffer *out, const Position *pos, const Wish *wish, bool same_target) {
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    bool first = true;
    for (int i = 0; i < count; i++) {
        char san[SAN_CAPACITY];
        if (wish != NULL && !is_wished(pos, wish, legal[i])) continue;
        if (same_target && (move_to(legal[i]) != wish->to || move_kind(legal[i]) == CASTLING)) continue;
        san_write(pos, legal[i], san);
        buffer_append_format(out, first ? "%s" : " %s", san);
        first = false;
    }
}

void play_words_append_legal(TextBuffer *out, const Position *pos) { append_moves(out, pos, NULL, false); }

/* The pieces of that kind that would reach the square, if only the king's safety did not count. */
static Bitboard reaching(const Position *pos, const Wish *wish) {
    const Bitboard target = square_bit(wish->to), occupied = position_occupied(pos);
    Bitboard pieces = position_pieces(pos, pos->side, (PieceType)wish->type), found = 0;
    if (wish->from != NO_SQUARE) pieces &= square_bit(wish->from);
    while (pieces) {
        const Square from = bitboard_pop(&pieces);
        Bitboard reached = 0;
        if (wish->type != PAWN) {
            reached = attacks_piece((PieceType)wish->type, from, occupied);
        } else {
            const int step = pos->side == WHITE ? 8 : -8;
            const Bitboard once = square_bit((Square)((int)from + step)) & ~occupied;
            const bool home = square_relative_rank(pos->side, from) == 1;
            reached = once | (once && home ? square_bit((Square)((int)from + 2 * step)) & ~occupied : 0);
            reached |= attacks_pawn(pos->side, from) & pos->by_color[color_other(pos->side)];
        }
        if (reached & target) found |= square_bit(from);
    }
    return found;
}

static void explain_square(TextBuffer *out, const Position *pos, const Wish *wish) {
    const char *name = NAMES[wish->type];
    const Piece target = position_piece_on(pos, wish->to);
    const char file = (char)('a' + square_file(wish->to)), rank = (char)('1' + square_rank(wish->to));
    if (wish->from != NO_SQUARE && !(pos->by_color[pos->side] & square_bit(wish->from))) {
        buffer_append_format(out, "no piece of yours stands on %c%d", 'a' + square_file(wish->from),
                             1 + square_rank(wish->from));
        return;
    }
    const bool can_reach = reaching(pos, wish) != 0;
    if (!position_pieces(pos, pos->side, (PieceType)wish->type))
        buffer_append_format(out, "you have no %s", name);
    else if (target != NO_PIECE && piece_color(target) == pos->side)
        buffer_append_format(out, "your own %s stands on %c%c", NAMES[piece_type(target)], file, rank);
    else if (can_reach && wish->type == KING)
        buffer_append_format(out, "your king would be in check on %c%c", file, rank);
    else if (can_reach && position_in_check(pos))
        buffer_append_string(out, "your king is in check");
    else if (can_reach)
        buffer_append_string(out, "it would leave your king in check");
    else
        buffer_append_format(out, "no %s of yours can go to %c%c", name, file, rank);
}

static bool is_castling(const char *text) {
    int letters = 0;
    for (const char *c = text; *c != '\0'; c++) letters += *c != '-';
    return strspn(text, "Oo0-") == strlen(text) && (letters == 2 || letters == 3);
}

static void explain_castling(TextBuffer *out, const Position *pos, const char *text) {
    int letters = 0;
    for (const char *c = text; *c != '\0'; c++) letters += *c != '-';
    const bool king_side = letters == 2;
    const int right = (king_side ? WHITE_KING_SIDE : WHITE_QUEEN_SIDE) << (pos->side == WHITE ? 0 : 2);
    const Square rook = (Square)pos->castling_rook[pos->side][king_side ? KING_SIDE : QUEEN_SIDE];
    if (!(pos->state.castling & right))
        buffer_append_string(out, "king or rook has moved, or is not at home");
    else if (position_in_check(pos))
        buffer_append_string(out, "your king is in check");
    else if (squares_between(position_king(pos, pos->side), rook) & position_occupied(pos) &
             ~square_bit(rook))
        buffer_append_string(out, "a piece stands between king and rook");
    else
        buffer_append_string(out, "the king's way is attacked or blocked");
}

/* What could be played instead: moves of the same kind, or all that parry a check. */
static void append_instead(TextBuffer *out, const Position *pos, const Wish *wish) {
    TextBuffer moves = {0};
    if (wish != NULL) append_moves(&moves, pos, wish, false);
    if (moves.length == 0 && position_in_check(pos)) append_moves(&moves, pos, NULL, false);
    if (moves.length > 0)
        buffer_append_format(out, "; you can play %s", buffer_string(&moves));
    else
        buffer_append_string(out, "; 'legal' lists what you can play");
    buffer_release(&moves);
}

static void explain_illegal(TextBuffer *out, const Position *pos, const char *text) {
    Wish wish;
    if (is_castling(text)) {
        buffer_append_format(out, "'%s' is not legal: ", text);
        explain_castling(out, pos, text);
        append_instead(out, pos, NULL);
        return;
    }
    if (!read_wish(pos, text, &wish)) {
        Nearest nearest = nearest_to(text_view(text));
        for (int i = 0; i < ENTRY_COUNT; i++) nearest_consider(&nearest, ENTRIES[i].name);
        buffer_append_format(out, "'%s' is neither a move (Nf3, g1f3) nor a command", text);
        if (nearest.name != NULL)
            buffer_append_format(out, "; did you mean '%s'?", nearest.name);
        else
            buffer_append_string(out, "; 'help' lists them");
        return;
    }
    TextBuffer fitting = {0};
    append_moves(&fitting, pos, &wish, true);
    if (fitting.length > 0) {
        buffer_append_format(out, "'%s' is not clear: it may be %s", text, buffer_string(&fitting));
    } else {
        buffer_append_format(out, "'%s' is not legal: ", text);
        explain_square(out, pos, &wish);
        append_instead(out, pos, wish.type < PIECE_TYPE_COUNT ? &wish : NULL);
    }
    buffer_release(&fitting);
}

Status play_words_read_move(const Position *pos, TextView line, Move *move) {
    char text[WORD_CAPACITY];
    const TextView word = without_number(text_trim(line));
    text_copy_printable(word, text, sizeof text);
    Move read;
    if (word.length < sizeof text && reads(pos, text, &read)) {
        if (!means_bishop(pos, text, read, move)) *move = read;
        return status_ok();
    }
    if (word.length < sizeof text && read_in_other_case(pos, text, move)) return status_ok();
    TextBuffer why = {0};
    explain_illegal(&why, pos, text);
    const Status status = status_error("%s", buffer_string(&why));
    buffer_release(&why);
    return status;
}
