#include "chess/san.h"

#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/plain.h"

#include <string.h>

enum { ANY = -1 };

/* What a text says of a move; ANY where it is silent. */
typedef struct Description {
    int piece, promotion;
    int from_file, from_rank;
    Square to;
} Description;

static Status bad_move(const char *what, TextView text) {
    char shown[24];
    text_copy_printable(text, shown, sizeof shown);
    return status_error("%s move '%s'", what, shown);
}

static bool is_file(char c) { return c >= 'a' && c <= 'h'; }
static bool is_rank(char c) { return c >= '1' && c <= '8'; }
static bool is_king_side(Move move) { return move_to(move) > move_from(move); }

/* Writing */

/* The least that distinguishes the move from those of the same kind of piece to the same square: the file,
 * else the rank, else both. */
static char *write_origin(const Position *pos, Move move, char *out) {
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    const Square from = move_from(move);
    bool rivals = false, same_file = false, same_rank = false;
    for (int i = 0; i < count; i++) {
        const Square other = move_from(legal[i]);
        if (move_to(legal[i]) != move_to(move) || other == from || move_kind(legal[i]) == CASTLING) continue;
        if (position_piece_on(pos, other) != position_piece_on(pos, from)) continue;
        rivals = true;
        same_file |= square_file(other) == square_file(from);
        same_rank |= square_rank(other) == square_rank(from);
    }
    if (rivals && (!same_file || same_rank)) *out++ = (char)('a' + square_file(from));
    if (same_file) *out++ = (char)('1' + square_rank(from));
    return out;
}

static char *write_ordinary(const Position *pos, Move move, char *out) {
    const PieceType type = piece_type(position_piece_on(pos, move_from(move)));
    const bool captures = position_captured_by(pos, move) != NO_PIECE;
    if (type != PAWN) {
        *out++ = piece_letter(piece_make(WHITE, type));
        out = write_origin(pos, move, out);
    } else if (captures) {
        *out++ = (char)('a' + square_file(move_from(move)));
    }
    if (captures) *out++ = 'x';
    out = square_write(move_to(move), out);
    if (move_kind(move) == PROMOTION) {
        *out++ = '=';
        *out++ = piece_letter(piece_make(WHITE, move_promotion(move)));
    }
    return out;
}

static bool mates(const Position *pos, Move move) {
    Position after = *pos;
    Undo undo;
    position_make_move(&after, move, &undo);
    return !movegen_has_legal(&after);
}

size_t san_write(const Position *pos, Move move, char out[SAN_CAPACITY]) {
    char *end = out;
    if (move_kind(move) == CASTLING) {
        const char *castling = is_king_side(move) ? "O-O" : "O-O-O";
        end += text_copy(text_view(castling), out, SAN_CAPACITY);
    } else {
        end = write_ordinary(pos, move, end);
    }
    if (position_gives_check(pos, move)) *end++ = mates(pos, move) ? '#' : '+';
    *end = '\0';
    return (size_t)(end - out);
}

/* Reading SAN */

/* Takes the last character off; '\0' at the end. */
static char take_last(TextView *text) { return text->length == 0 ? '\0' : text->data[--text->length]; }
static char last(TextView text) { return text.length == 0 ? '\0' : text.data[text.length - 1]; }
static bool is_one_of(char c, const char *set) { return c != '\0' && strchr(set, c) != NULL; }

/* Letters O or zeros, with hyphens or without: how many, or 0 when the text is no castling. */
static int count_castling_letters(TextView text) {
    int letters = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (is_one_of(text.data[i], "Oo0"))
            letters++;
        else if (text.data[i] != '-')
            return 0;
    }
    return letters == 2 || letters == 3 ? letters : 0;
}

static int type_of_letter(char letter) {
    const Piece piece = piece_of_letter(letter);
    return piece == NO_PIECE || piece_color(piece) != WHITE ? ANY : (int)piece_type(piece);
}

/* "=Q", "Q", "(Q)", "=(Q)", ":Q", in capitals or not, after the square. */
static int take_promotion(TextView *text) {
    if (last(*text) == ')') text->length--;
    const char letter = char_to_upper(last(*text));
    if (!is_one_of(letter, "NBRQ")) return ANY;
    text->length--;
    while (is_one_of(last(*text), "=(/:-")) text->length--;
    return type_of_letter(letter);
}

/* Reads from the end, where SAN is regular: promotion, square, capture sign, origin, piece. */
static bool read_description(TextView text, Description *description) {
    *description = (Description){.piece = ANY, .from_file = ANY, .from_rank = ANY};
    description->promotion = take_promotion(&text);
    const char rank = take_last(&text), file = take_last(&text);
    if (!is_file(file) || !is_rank(rank)) return false;
    description->to = square_make(file - 'a', rank - '1');
    if (is_one_of(last(text), "x:-")) text.length--;
    if (is_rank(last(text))) description->from_rank = take_last(&text) - '1';
    if (is_file(last(text))) description->from_file = take_last(&text) - 'a';
    const bool square_known = description->from_file != ANY && description->from_rank != ANY;
    if (text.length > 0) {
        description->piece = type_of_letter(take_last(&text));
        return description->piece != ANY && text.length == 0;
    }
    /* Without a letter it is a pawn's move, unless both squares are given. */
    if (!square_known) description->piece = PAWN;
    return true;
}

/* The square on which the king of a castling move arrives: on its own rank, whoever is to move in the
 * position at hand, for the moves of a whole line are written from its first position. */
static Square castled_king(Move move) {
    return square_make(square_file(is_king_side(move) ? G1 : C1), square_rank(move_from(move)));
}

static bool fits(const Position *pos, Move move, const Description *description, bool castling) {
    const Square from = move_from(move);
    const int promotion = move_kind(move) == PROMOTION ? (int)move_promotion(move) : ANY;
    if ((move_kind(move) == CASTLING) != castling) return false;
    const bool arrives =
        move_to(move) == description->to || (castling && castled_king(move) == description->to);
    if (!arrives) return false;
    if (description->promotion != ANY && promotion != description->promotion) return false;
    if (description->from_file != ANY && description->from_file != square_file(from)) return false;
    if (description->from_rank != ANY && description->from_rank != square_rank(from)) return false;
    return description->piece == ANY || description->piece == (int)piece_type(position_piece_on(pos, from));
}

/* Counts the moves that fit and gives the last of them. "e8" of a pawn fits four promotions: an
 * underpromotion that was meant must not become a queen. */
static int find_fitting(const Position *pos, const Description *description, Move *found) {
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    /* Castling as the way of the king, "e1-g1" or "e1h1", needs both squares. */
    const bool may_castle = description->from_file != ANY && description->from_rank != ANY;
    int matches = 0;
    for (int castling = 0; castling <= may_castle && matches == 0; castling++) {
        for (int i = 0; i < count; i++) {
            if (!fits(pos, legal[i], description, castling != 0)) continue;
            *found = legal[i];
            matches++;
        }
    }
    return matches;
}

static Status parse_castling(const Position *pos, TextView text, bool king_side, Move *move) {
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    for (int i = 0; i < count; i++) {
        if (move_kind(legal[i]) == CASTLING && is_king_side(legal[i]) == king_side) {
            *move = legal[i];
            return status_ok();
        }
    }
    return bad_move("illegal", text);
}

static bool take_files(TextView text, char *from, char *to) {
    *to = take_last(&text);
    if (is_one_of(last(text), "x:")) text.length--;
    *from = take_last(&text);
    return text.length == 0 && is_file(*from) && is_file(*to) && *from != *to;
}

/* "ed", "exd", "ed=Q": books say only the files of a pawn's capture. */
static Status parse_pawn_capture(const Position *pos, TextView text, Move *move) {
    Move legal[MAX_MOVES], found = MOVE_NONE;
    TextView files = text;
    char from, to;
    int promotion = ANY, matches = 0;
    bool readable = take_files(files, &from, &to);
    if (!readable) {
        promotion = take_promotion(&files);
        readable = promotion != ANY && take_files(files, &from, &to);
    }
    if (!readable) return bad_move("unreadable", text);
    const int count = movegen_legal(pos, legal);
    for (int i = 0; i < count; i++) {
        Description capture = {
            .piece = PAWN, .promotion = promotion, .from_file = from - 'a', .from_rank = ANY};
        capture.to = square_make(to - 'a', square_rank(move_to(legal[i])));
        if (!fits(pos, legal[i], &capture, false)) continue;
        found = legal[i];
        matches++;
    }
    if (matches != 1) return bad_move(matches > 1 ? "ambiguous" : "illegal", text);
    *move = found;
    return status_ok();
}

/* Reads a move as it is spelled, in SAN or long algebraic notation. */
static Status read_spelling(const Position *pos, TextView text, Move *move) {
    const int castling = count_castling_letters(text);
    if (castling > 0) return parse_castling(pos, text, castling == 2, move);
    Description description;
    if (!read_description(text, &description)) return parse_pawn_capture(pos, text, move);
    Move found = MOVE_NONE;
    const int matches = find_fitting(pos, &description, &found);
    if (matches != 1) return bad_move(matches > 1 ? "ambiguous" : "illegal", text);
    *move = found;
    return status_ok();
}

/* Long algebraic notation */

size_t lan_write(const Position *pos, Move move, char out[LAN_CAPACITY]) {
    if (move == MOVE_NONE || move == MOVE_NULL) return text_copy(text_view("0000"), out, LAN_CAPACITY);
    const bool as_king_step = move_kind(move) == CASTLING && !pos->chess960;
    char *end = square_write(move_from(move), out);
    end = square_write(as_king_step ? castled_king(move) : move_to(move), end);
    if (move_kind(move) == PROMOTION) *end++ = piece_letter(piece_make(BLACK, move_promotion(move)));
    *end = '\0';
    return (size_t)(end - out);
}

/* Whether the legal move is the described one; castling by the king's way only where `castling_by_step`. */
static bool matches_squares(Move move, const Description *description, bool castling_by_step) {
    const Square to = castling_by_step ? castled_king(move) : move_to(move);
    const int promotion = move_kind(move) == PROMOTION ? (int)move_promotion(move) : ANY;
    return (!castling_by_step || move_kind(move) == CASTLING) && to == description->to &&
           promotion == description->promotion &&
           move_from(move) == square_make(description->from_file, description->from_rank);
}

static Status not_long_algebraic(TextView text) {
    const Status status = bad_move("unreadable", text);
    return status_error("%s: it needs UCI's notation, such as e2e4", status.reason);
}

Status lan_parse(const Position *pos, TextView text, Move *move) {
    const char *c = text.data;
    if (text.length < 4 || text.length > 5) return not_long_algebraic(text);
    const char from = char_to_lower(c[0]), to = char_to_lower(c[2]);
    if (!is_file(from) || !is_rank(c[1]) || !is_file(to) || !is_rank(c[3])) return not_long_algebraic(text);
    Description description = {.promotion = ANY, .from_file = from - 'a', .from_rank = c[1] - '1'};
    description.to = square_make(to - 'a', c[3] - '1');
    if (text.length == 5) {
        TextView letter = {c + 4, 1};
        description.promotion = take_promotion(&letter);
        if (description.promotion == ANY) return not_long_algebraic(text);
    }
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    /* A king's step to the next square may look like castling in Chess960: the plain move goes first. */
    for (int castling_by_step = 0; castling_by_step < 2; castling_by_step++) {
        for (int i = 0; i < count; i++) {
            if (!matches_squares(legal[i], &description, castling_by_step != 0)) continue;
            *move = legal[i];
            return status_ok();
        }
    }
    return bad_move("illegal", text);
}

Status lan_play(Position *pos, TextView moves, Move recent[2]) {
    int number = 1;
    if (recent != NULL) recent[0] = recent[1] = MOVE_NONE;
    for (TextView word; (word = text_next_word(&moves)).length > 0; number++) {
        Move move = MOVE_NONE;
        Undo undo;
        const Status status = lan_parse(pos, word, &move);
        if (!status_is_ok(&status)) return status_error("move %d: %s", number, status.reason);
        position_make_move(pos, move, &undo);
        if (recent == NULL) continue;
        recent[1] = recent[0];
        recent[0] = move;
    }
    return status_ok();
}

/* Either notation, as people write moves */

enum { WORD_CAPACITY = 24 };

/* A move without its signs of check, as it is written, in small letters, and in these with a capital first.
 */
typedef struct Spellings {
    char written[WORD_CAPACITY], small[WORD_CAPACITY], piece[WORD_CAPACITY];
    bool has_capitals, has_small;
} Spellings;

/* False when it is too long for a move. */
static bool spell(TextView text, Spellings *spellings) {
    *spellings = (Spellings){.has_small = false};
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char c = text.data[i], small = char_to_lower(c);
        if (c == '+' || c == '#') continue;
        if (length + 1 == WORD_CAPACITY) return false;
        spellings->has_capitals |= c != small;
        spellings->has_small |= c != char_to_upper(c);
        spellings->written[length] = c;
        spellings->small[length] = spellings->piece[length] = small;
        length++;
    }
    spellings->piece[0] = char_to_upper(spellings->piece[0]);
    return true;
}

static bool is_pawn_step(const Position *pos, Move move) {
    return piece_type(position_piece_on(pos, move_from(move))) == PAWN &&
           square_file(move_from(move)) == square_file(move_to(move));
}

static bool reads(const Position *pos, const char *text, Move *move) {
    const Status status = read_spelling(pos, text_view(text), move);
    return status_is_ok(&status);
}

/* Reads a move all in small letters ("nf3") or all in capitals ("E4", "NF3"), too. With letters of both kinds
 * a capital is a piece: "Dxe4" is a German queen's move, and no pawn's. A small b may be the bishop or the
 * pawns' file: "bc4" is a capture by the pawn where there is one, else a move of the bishop, and so is "bb4",
 * for nobody writes a step of the b-pawn like that. */
static Status read_in_any_case(const Position *pos, TextView text, Move *move) {
    Spellings spellings;
    Move bishop;
    if (!spell(text, &spellings)) return bad_move("unreadable", text);
    const Status status = read_spelling(pos, text_view(spellings.written), move);
    if (spellings.has_capitals && spellings.has_small) return status;
    bool found = status_is_ok(&status) || reads(pos, spellings.small, move);
    const bool prefers_bishop = found && spellings.small[0] == 'b' && !is_rank(spellings.small[1]) &&
                                is_pawn_step(pos, *move) && reads(pos, spellings.piece, &bishop);
    if (prefers_bishop) *move = bishop;
    found = found || reads(pos, spellings.piece, move);
    return found ? status_ok() : status;
}

/* Takes off the end what is neither letter nor digit nor bracket: signs that comment on the move. */
static TextView without_signs(TextView text) {
    while (text.length > 0) {
        const char c = char_to_upper(last(text));
        if ((c >= 'A' && c <= 'Z') || char_is_digit(c) || c == ')') break;
        text.length--;
    }
    return text;
}

/* Takes a word off the end that says what the move is; false when there is none. */
static bool take_word(TextView *text) {
    static const char *const WORDS[] = {"e.p", "ep", "mate", "check", "ch", "dbl", "TN", "N"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        const size_t length = strlen(WORDS[i]);
        if (text->length <= length || memcmp(text->data + text->length - length, WORDS[i], length) != 0)
            continue;
        text->length -= length;
        *text = without_signs(*text);
        return true;
    }
    return false;
}

Status san_take(const Position *pos, TextView *text, Move *move) {
    TextView word = without_signs(*text);
    const Status status = read_in_any_case(pos, word, move);
    bool found = status_is_ok(&status);
    while (!found && take_word(&word)) {
        const Status shorter = read_in_any_case(pos, word, move);
        found = status_is_ok(&shorter);
    }
    if (!found) return status;
    *text = (TextView){text->data + word.length, text->length - word.length};
    return status_ok();
}

Status san_parse(const Position *pos, TextView text, Move *move) {
    char plain[PLAIN_MOVE_CAPACITY];
    TextView rest = {plain, plain_write(text_trim(text), plain, sizeof plain)};
    return san_take(pos, &rest, move);
}

/* What there is instead of a move that cannot be made */

TextView move_without_number(TextView text) {
    size_t i = 0;
    while (i < text.length && char_is_digit(text.data[i])) i++;
    if (i == 0 || i == text.length || text.data[i] != '.') return text;
    while (i < text.length && text.data[i] == '.') i++;
    return text_trim((TextView){text.data + i, text.length - i});
}

/* Whether a piece of the kind that is meant would reach the square, if only the king's safety did not count.
 */
static bool can_reach(const Position *pos, const Description *meant) {
    const Bitboard to = square_bit(meant->to), occupied = position_occupied(pos);
    Bitboard from = position_attackers(pos, meant->to, occupied);
    if (meant->piece == PAWN && !(occupied & to)) {
        const bool is_white = pos->side == WHITE;
        const Bitboard once = is_white ? to >> 8 : to << 8, home = is_white ? 0xFF00u : 0xFFull << 48;
        from = once | (once & ~occupied ? (is_white ? to >> 16 : to << 16) & home : 0);
    }
    from &= position_pieces(pos, pos->side, (PieceType)meant->piece);
    for (Bitboard rest = from; rest != 0;) {
        const Square square = bitboard_pop(&rest);
        if ((meant->from_file == ANY || meant->from_file == square_file(square)) &&
            (meant->from_rank == ANY || meant->from_rank == square_rank(square)))
            return true;
    }
    return false;
}

static void explain_move(const Position *pos, const Description *meant, char *out, size_t room) {
    const Piece target = position_piece_on(pos, meant->to);
    char to[3] = "";
    square_write(meant->to, to);
    const char *name = meant->piece == ANY ? "piece" : piece_type_name((PieceType)meant->piece);
    const bool has_from = meant->from_file != ANY && meant->from_rank != ANY;
    if (meant->piece == ANY || (has_from && !(pos->by_color[pos->side] &
                                              square_bit(square_make(meant->from_file, meant->from_rank)))))
        text_format(out, room, "no piece of the side to move is on %c%d", 'a' + meant->from_file,
                    1 + meant->from_rank);
    else if (!position_pieces(pos, pos->side, (PieceType)meant->piece))
        text_format(out, room, "%s has no %s", color_name(pos->side), name);
    else if (target != NO_PIECE && piece_color(target) == pos->side)
        text_format(out, room, "a %s of the same side is on %s", piece_type_name(piece_type(target)), to);
    else if (!can_reach(pos, meant))
        text_format(out, room, "no %s can go to %s", name, to);
    else if (meant->piece == KING)
        text_format(out, room, "the king would be in check on %s", to);
    else
        text_format(out, room,
                    position_in_check(pos) ? "the king is in check" : "it would leave the king in check");
}

static void explain_castling(const Position *pos, bool king_side, char *out, size_t room) {
    const int right = (king_side ? WHITE_KING_SIDE : WHITE_QUEEN_SIDE) << (pos->side == WHITE ? 0 : 2);
    const Square rook = (Square)pos->castling_rook[pos->side][king_side ? KING_SIDE : QUEEN_SIDE];
    const char *why = "the king's way is attacked or blocked";
    if (!(pos->state.castling & right))
        why = "king or rook has moved, or is not at home";
    else if (position_in_check(pos))
        why = "the king is in check";
    else if (squares_between(position_king(pos, pos->side), rook) & position_occupied(pos) &
             ~square_bit(rook))
        why = "a piece is between king and rook";
    text_format(out, room, "%s", why);
}

typedef enum Likeness { SAME_PIECE_AND_SQUARE, SAME_SQUARE, SAME_PIECE, ANY_MOVE, LIKENESS_COUNT } Likeness;

/* `meant` may be NULL for ANY_MOVE. */
static bool is_like(const Position *pos, Move move, const Description *meant, Likeness likeness) {
    if (likeness == ANY_MOVE) return true;
    if (likeness != SAME_PIECE && move_to(move) != meant->to) return false;
    return likeness == SAME_SQUARE ||
           meant->piece == (int)piece_type(position_piece_on(pos, move_from(move)));
}

/* "...; legal moves: Nbd2, Nfd2 and 3 more": those that are most like the one that was meant. */
static Status with_alternatives(const Position *pos, const char *bad, const Description *meant) {
    enum { NAMED_MAX = 8 };
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    Likeness likeness = meant == NULL ? ANY_MOVE : SAME_PIECE_AND_SQUARE;
    int matches = 0;
    for (; likeness < LIKENESS_COUNT; likeness++, matches = 0) {
        for (int i = 0; i < count; i++) matches += is_like(pos, legal[i], meant, likeness);
        if (matches > 0) break;
    }
    char names[NAMED_MAX * (SAN_CAPACITY + 2)] = "", *end = names;
    for (int i = 0, named = 0; i < count && named < NAMED_MAX; i++) {
        if (!is_like(pos, legal[i], meant, likeness)) continue;
        if (named++ > 0) end += text_copy(text_view(", "), end, 3);
        end += san_write(pos, legal[i], end);
    }
    if (matches > NAMED_MAX)
        return status_error("%s; legal moves: %s and %d more", bad, names, matches - NAMED_MAX);
    return status_error(matches > 0 ? "%s; legal moves: %s" : "%s%s", bad, names);
}

Status move_parse(const Position *pos, TextView text, Move *move) {
    char plain[PLAIN_MOVE_CAPACITY], why[80] = "", bad[128];
    const TextView word =
        move_without_number((TextView){plain, plain_write(text_trim(text), plain, sizeof plain)});
    TextView rest = word;
    const Status status = san_take(pos, &rest, move);
    if (status_is_ok(&status)) return status;
    Spellings spellings;
    Description meant;
    const TextView bare = without_signs(word);
    const int castling = count_castling_letters(bare);
    const bool is_long = !spell(bare, &spellings);
    const bool is_piece = spellings.written[0] == 'B' || is_one_of(spellings.small[0], "nrqk");
    const bool is_readable =
        castling == 0 && !is_long &&
        read_description(text_view(is_piece ? spellings.piece : spellings.small), &meant);
    if (!is_readable) {
        if (castling > 0) explain_castling(pos, castling == 2, why, sizeof why);
        text_format(bad, sizeof bad, "%s%s%s", status.reason, castling > 0 ? ": " : "", why);
        return with_alternatives(pos, bad, NULL);
    }
    if (meant.piece == ANY) {
        const Piece moved = position_piece_on(pos, square_make(meant.from_file, meant.from_rank));
        if (moved != NO_PIECE) meant.piece = (int)piece_type(moved);
    }
    Move any;
    const bool is_ambiguous = find_fitting(pos, &meant, &any) > 1;
    if (!is_ambiguous) explain_move(pos, &meant, why, sizeof why);
    const Status shown = bad_move(is_ambiguous ? "ambiguous" : "illegal", text_view(spellings.written));
    text_format(bad, sizeof bad, "%s%s%s", shown.reason, is_ambiguous ? "" : ": ", why);
    return with_alternatives(pos, bad, &meant);
}
