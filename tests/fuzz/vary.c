#include "vary.h"

#include "chess/fen.h"
#include "chess/makemove.h"
#include "tests/unit/walk.h"

#include <string.h>

enum { PIECES_MAX_IN_TEXT = 1000 };

bool vary_chance(Rng *rng, int percent) { return rng_below(rng, 100) < (uint64_t)percent; }

const char *vary_word(Rng *rng, Vocabulary list) { return list.words[rng_below(rng, (uint64_t)list.count)]; }

void vary_random(Rng *rng, int count, TextBuffer *out) {
    for (int i = 0; i < count; i++) buffer_append_char(out, (char)rng_below(rng, 256));
}

void vary_number(Rng *rng, TextBuffer *out) {
    static const char *const EDGES[] = {"-1",
                                        "0",
                                        "32767",
                                        "32768",
                                        "2147483647",
                                        "2147483648",
                                        "-2147483648",
                                        "9223372036854775807",
                                        "18446744073709551616",
                                        "1e9",
                                        "0x10",
                                        "+5",
                                        "007",
                                        "1.5"};
    if (vary_chance(rng, 20))
        buffer_append_string(out, vary_word(rng, WORDS_OF(EDGES)));
    else
        buffer_append_format(out, "%d", (int)rng_below(rng, vary_chance(rng, 80) ? 12 : 1000));
}

/* --- games --- */

Position vary_start(Rng *rng) { return walk_start(rng, (int)rng_below(rng, 3)); }

int vary_play(Position *pos, Rng *rng, int plies, Move *moves) {
    int count = 0;
    while (count < plies) {
        const Move move = walk_move(pos, rng);
        Undo undo;
        if (move == MOVE_NONE) break;
        position_make_move(pos, move, &undo);
        if (moves != NULL) moves[count] = move;
        count++;
    }
    return count;
}

/* --- positions --- */

/* The fields of a FEN, valid or not. */
typedef struct Sketch {
    char board[SQUARE_COUNT]; /* from a8 on; '.' is empty */
    char side;
    char castling[8], en_passant[4];
    int halfmove_clock, fullmove;
} Sketch;

static Sketch sketch_of(const Position *pos) {
    Sketch sketch = {.side = pos->side == WHITE ? 'w' : 'b',
                     .halfmove_clock = pos->state.halfmove_clock,
                     .fullmove = pos->fullmove};
    for (int i = 0; i < SQUARE_COUNT; i++)
        sketch.board[i] = piece_letter(position_piece_on(pos, square_mirror_rank((Square)i)));
    char fen[FEN_CAPACITY];
    fen_write(pos, fen);
    TextView rest = text_view(fen);
    text_next_word(&rest);
    text_next_word(&rest);
    text_copy(text_next_word(&rest), sketch.castling, sizeof sketch.castling);
    text_copy(text_next_word(&rest), sketch.en_passant, sizeof sketch.en_passant);
    return sketch;
}

static void write_sketch(const Sketch *sketch, TextBuffer *out) {
    for (int rank = 0; rank < 8; rank++) {
        int empty = 0;
        if (rank > 0) buffer_append_char(out, '/');
        for (int file = 0; file < 8; file++) {
            const char letter = sketch->board[8 * rank + file];
            empty += letter == '.';
            if (empty > 0 && (letter != '.' || file == 7)) buffer_append_format(out, "%d", empty);
            if (letter == '.') continue;
            empty = 0;
            buffer_append_char(out, letter);
        }
    }
    buffer_append_format(out, " %c %s %s %d %d", sketch->side, sketch->castling, sketch->en_passant,
                         sketch->halfmove_clock, sketch->fullmove);
}

/* The next square from a random one that has a piece other than a king, or that is empty. */
static int find_square(const Sketch *sketch, Rng *rng, bool with_piece) {
    const int first = (int)rng_below(rng, SQUARE_COUNT);
    for (int i = 0; i < SQUARE_COUNT; i++) {
        const int square = (first + i) % SQUARE_COUNT;
        const char letter = sketch->board[square];
        if ((letter != '.') == with_piece && letter != 'K' && letter != 'k') return square;
    }
    return first;
}

static void edit_board(Sketch *sketch, Rng *rng) {
    static const char LETTERS[] = "QRBNPqrbnp";
    char *const board = sketch->board;
    const int square = find_square(sketch, rng, true), empty = find_square(sketch, rng, false);
    const int rank = empty / 8;
    const char any = LETTERS[rng_below(rng, sizeof LETTERS - 1)];
    const bool no_pawn = rank == 0 || rank == 7;
    switch (rng_below(rng, 5)) {
    case 0: board[square] = '.'; break;
    case 1: board[empty] = no_pawn && (any == 'P' || any == 'p') ? 'n' : any; break;
    case 2:
        board[empty] = board[square];
        board[square] = '.';
        break;
    case 3: /* a king steps anywhere */
        for (int i = 0; i < SQUARE_COUNT; i++) {
            if (board[i] != (vary_chance(rng, 50) ? 'K' : 'k')) continue;
            board[empty] = board[i];
            board[i] = '.';
            break;
        }
        break;
    default: board[square] = any;
    }
}

static void edit_field(Sketch *sketch, Rng *rng) {
    static const char *const RIGHTS[] = {"-", "K", "Qk", "KQkq", "kq", "AHah", "HA", "Gg", "KK", "kK", "x"};
    static const int CLOCKS[] = {0, 1, 49, 50, 98, 99, 100, 101, 149, 999, 1000};
    switch (rng_below(rng, 5)) {
    case 0: sketch->side = sketch->side == 'w' ? 'b' : 'w'; break;
    case 1:
        text_copy(text_view(vary_word(rng, WORDS_OF(RIGHTS))), sketch->castling, sizeof sketch->castling);
        break;
    case 2:
        text_format(sketch->en_passant, sizeof sketch->en_passant, "%c%c", (char)('a' + rng_below(rng, 8)),
                    sketch->side == 'w' ? '6' : '3');
        break;
    case 3: sketch->halfmove_clock = CLOCKS[rng_below(rng, sizeof CLOCKS / sizeof *CLOCKS)]; break;
    default: sketch->fullmove = (int)rng_below(rng, 1200);
    }
}

/* Usually also removes castling rights that the edit made invalid, so most edits are accepted. */
static void edit_once(const Position *pos, Rng *rng, TextBuffer *out) {
    Sketch sketch = sketch_of(pos);
    const int edits = (int)rng_below(rng, 5);
    for (int i = 0; i < edits; i++) {
        if (vary_chance(rng, 60))
            edit_board(&sketch, rng);
        else
            edit_field(&sketch, rng);
    }
    if (edits > 0 && vary_chance(rng, 60)) memcpy(sketch.castling, "-", 2);
    if (edits > 0 && vary_chance(rng, 80)) memcpy(sketch.en_passant, "-", 2);
    write_sketch(&sketch, out);
}

/* Takes the first of several edits that can be parsed, or sometimes simply the first. */
static void edit(const Position *pos, Rng *rng, TextBuffer *out) {
    const size_t before = out->length;
    const int tries = vary_chance(rng, 20) ? 1 : 6;
    for (int i = 0; i < tries; i++) {
        Position read;
        if (i > 0) out->length = before;
        edit_once(pos, rng, out);
        const TextView fen = {out->data + before, out->length - before};
        const Status status = fen_parse(&read, fen, false);
        if (status_is_ok(&status)) break;
    }
}

void vary_fen(Rng *rng, TextBuffer *out) {
    Position pos = vary_start(rng);
    vary_play(&pos, rng, (int)rng_below(rng, vary_chance(rng, 30) ? 400 : 60), NULL);
    edit(&pos, rng, out);
}

void vary_fen_of(TextView fen, Rng *rng, TextBuffer *out) {
    Position pos;
    const Status status = fen_parse(&pos, fen, vary_chance(rng, 30));
    if (!status_is_ok(&status)) {
        vary_bytes(fen, rng, out);
        return;
    }
    vary_play(&pos, rng, (int)rng_below(rng, 6), NULL);
    edit(&pos, rng, out);
}

/* --- any text --- */

static void append_part(TextView text, size_t from, size_t to, TextBuffer *out) {
    if (from < to) buffer_append(out, (TextView){text.data + from, to - from});
}

/* One edit of bytes, from `text` to `out`. */
static void edit_bytes(TextView text, Rng *rng, TextBuffer *out) {
    const size_t at = rng_below(rng, text.length + 1);
    size_t end = at + 1 + rng_below(rng, vary_chance(rng, 70) ? 4 : 64);
    if (end > text.length) end = text.length;
    append_part(text, 0, at, out);
    switch (rng_below(rng, 5)) {
    case 0: break; /* delete */
    case 1:        /* repeat */
        append_part(text, at, end, out);
        append_part(text, at, end, out);
        break;
    case 2: /* flip bits */
        for (size_t i = at; i < end; i++)
            buffer_append_char(out, (char)(text.data[i] ^ 1 << rng_below(rng, 8)));
        break;
    case 3: /* copy from elsewhere */
        if (text.length > 0) {
            const size_t other = rng_below(rng, text.length);
            append_part(text, other, other + 8 < text.length ? other + 8 : text.length, out);
        }
        break;
    default: buffer_append_char(out, (char)rng_below(rng, 256)); append_part(text, at, end, out);
    }
    append_part(text, end, text.length, out);
}

/* Applies `once` one to four times. */
static void repeat(TextView text, Rng *rng, TextBuffer *out, void (*once)(TextView, Rng *, TextBuffer *)) {
    TextBuffer from = {0}, to = {0};
    buffer_append(&from, text);
    for (int left = 1 + (int)rng_below(rng, 4); left > 0; left--) {
        buffer_clear(&to);
        once(buffer_view(&from), rng, &to);
        const TextBuffer swap = from;
        from = to;
        to = swap;
    }
    buffer_append(out, buffer_view(&from));
    buffer_release(&from);
    buffer_release(&to);
}

void vary_bytes(TextView text, Rng *rng, TextBuffer *out) { repeat(text, rng, out, edit_bytes); }

/* Cuts a text into pieces, each with its separator; returns their number. */
static int cut(TextView text, bool by_lines, TextView pieces[PIECES_MAX_IN_TEXT]) {
    int count = 0;
    size_t begin = 0;
    for (size_t i = 0; i < text.length && count < PIECES_MAX_IN_TEXT - 1; i++) {
        const char c = text.data[i];
        if (c != '\n' && (by_lines || c != ' ')) continue;
        pieces[count++] = (TextView){text.data + begin, i + 1 - begin};
        begin = i + 1;
    }
    if (begin < text.length) pieces[count++] = (TextView){text.data + begin, text.length - begin};
    return count;
}

/* Removes a piece, repeats it, or swaps it with another. */
static void edit_pieces(TextView text, bool by_lines, Rng *rng, TextBuffer *out) {
    TextView pieces[PIECES_MAX_IN_TEXT];
    const int count = cut(text, by_lines, pieces);
    if (count == 0) return;
    const int at = (int)rng_below(rng, (uint64_t)count), other = (int)rng_below(rng, (uint64_t)count);
    const int how = (int)rng_below(rng, 3);
    if (how == 2) {
        const TextView swap = pieces[at];
        pieces[at] = pieces[other];
        pieces[other] = swap;
    }
    for (int i = 0; i < count; i++) {
        if (i != at || how != 0) buffer_append(out, pieces[i]);
        if (i == at && how == 1) buffer_append(out, pieces[i]);
    }
}

static void edit_lines(TextView text, Rng *rng, TextBuffer *out) { edit_pieces(text, true, rng, out); }

void vary_lines(TextView text, Rng *rng, TextBuffer *out) { repeat(text, rng, out, edit_lines); }

void vary_words(TextView text, Rng *rng, Vocabulary list, TextBuffer *out) {
    TextView pieces[PIECES_MAX_IN_TEXT];
    if (vary_chance(rng, 30)) {
        edit_pieces(text, false, rng, out);
        return;
    }
    const int count = cut(text, false, pieces), at = (int)rng_below(rng, (uint64_t)count + 1);
    const bool replaces = vary_chance(rng, 60);
    for (int i = 0; i <= count; i++) {
        if (i == at && vary_chance(rng, 70))
            buffer_append_string(out, vary_word(rng, list));
        else if (i == at)
            vary_number(rng, out);
        if (i == at && i < count) buffer_append_char(out, ' ');
        if (i < count && (i != at || !replaces)) buffer_append(out, pieces[i]);
    }
}
