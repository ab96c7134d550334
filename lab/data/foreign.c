#include "lab/data/foreign.h"

#include "base/bytes.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "search/score.h"

#include <math.h>
#include <string.h>

/* --- scores --- */

static int score_outside(int score, int pawn) {
    if (score_is_mate(score)) return score > 0 ? SCORE_MATE : -SCORE_MATE;
    const long outside = lround((double)score * pawn / SCORE_UNITS_PER_PAWN);
    return (int)(outside < 1 - SCORE_WIN ? 1 - SCORE_WIN : outside > SCORE_WIN - 1 ? SCORE_WIN - 1 : outside);
}

/* Also of scores that no 16 bits hold. */
static int score_inside(int64_t score, int pawn) {
    if (score >= SCORE_WIN) return SCORE_MATE;
    if (score <= -SCORE_WIN) return -SCORE_MATE;
    const int inside = (int)lround((double)score * SCORE_UNITS_PER_PAWN / pawn);
    return int_clamp(inside, 1 - SCORE_WIN, SCORE_WIN - 1);
}

static int view_of(Color side, int score) { return side == WHITE ? score : -score; }

/* --- which positions --- */

/* Counts the position before a ply of the game, and whether it is written. */
static bool count_position(ForeignExport *export, const RecordedGame *game, const Position *pos,
                           const RecordPly *ply, int number) {
    const PlyFilter *filter = &export->plies;
    const PlyUse use = plyuse_find(filter, pos, ply, plyuse_number_ply(filter, game, number));
    export->uses[use]++;
    return use == PLY_USED || !export->usable_only;
}

/* --- plain --- */

static void append_plain_position(const RecordedGame *game, const Position *pos, const RecordPly *ply,
                                  int pawn, TextBuffer *out) {
    char fen[FEN_CAPACITY], move[LAN_CAPACITY];
    fen_write(pos, fen);
    lan_write(pos, ply->move, move);
    const int score = ply->score == RECORD_NO_SCORE ? FOREIGN_PLAIN_UNSCORED
                                                    : score_outside(view_of(pos->side, ply->score), pawn);
    buffer_append_format(out, "fen %s\nmove %s\nscore %d\nply %d\nresult %d\ne\n", fen, move, score,
                         2 * (pos->fullmove - 1) + (int)pos->side,
                         game_half_points(game->result, pos->side) - 1);
}

static void append_plain(const RecordedGame *game, int pawn, ForeignExport *export, TextBuffer *out) {
    Position pos = game->start;
    for (int i = 0; i < game->ply_count; i++) {
        const RecordPly *ply = &game->ply[i];
        Undo undo;
        pos.chess960 = fen_needs_chess960(&pos);
        if (count_position(export, game, &pos, ply, i))
            append_plain_position(game, &pos, ply, pawn, out);
        else
            export->unscored += ply->score == RECORD_NO_SCORE;
        position_make_move(&pos, ply->move, &undo);
    }
    export->moveless += game->last_score != RECORD_NO_SCORE;
}

/* One position of a file. */
typedef struct Entry {
    Position pos;
    Move move; /* or MOVE_NONE */
    int score; /* internal units, White's view, or RECORD_NO_SCORE */
    int64_t ply, result;
} Entry;

/* What the lines of a position say; empty where there is none. */
typedef struct EntryText {
    TextView fen, move, score, ply, result;
} EntryText;

/* Takes the lines up to "e". False when there is nothing more. */
static bool take_entry_text(TextView *rest, EntryText *text, bool *ended) {
    TextView line;
    bool any = false;
    *text = (EntryText){0};
    *ended = false;
    while (!*ended && text_next_line(rest, &line)) {
        TextView value = line, key = text_next_word(&value);
        if (text_is_empty(key)) continue;
        any = true;
        value = text_trim(value);
        *ended = text_equals(key, "e");
        if (text_equals(key, "fen")) text->fen = value;
        if (text_equals(key, "move")) text->move = value;
        if (text_equals(key, "score")) text->score = value;
        if (text_equals(key, "ply")) text->ply = value;
        if (text_equals(key, "result")) text->result = value;
    }
    return any;
}

static Status read_entry(const EntryText *text, int pawn, Entry *entry) {
    if (text_is_empty(text->fen)) return status_error("a position without fen");
    Status status = fen_parse(&entry->pos, text->fen, false);
    if (!status_is_ok(&status)) return status;
    if (!text_parse_int64(text->result, &entry->result) || entry->result < -1 || entry->result > 1)
        return status_error("the result must be 1, 0 or -1");
    int64_t score;
    if (!text_parse_rounded(text->score, &score)) return status_error("the position has no score");
    if (score != FOREIGN_PLAIN_UNSCORED)
        entry->score = record_round_score(view_of(entry->pos.side, score_inside(score, pawn)));
    /* Where the counters of the FEN were not kept, the ply still says which move it is. */
    if (text_parse_int64(text->ply, &entry->ply) && entry->ply >= 0 && entry->ply < 2 * PLIES_COUNTED)
        entry->pos.fullmove = (int)entry->ply / 2 + 1;
    return text_is_empty(text->move) ? status_ok() : lan_parse(&entry->pos, text->move, &entry->move);
}

static bool take_entry(TextView *rest, int pawn, Entry *entry, Status *fault) {
    EntryText text;
    bool ended;
    *entry = (Entry){.score = RECORD_NO_SCORE, .ply = -1};
    if (!take_entry_text(rest, &text, &ended)) return false;
    *fault =
        ended ? read_entry(&text, pawn, entry) : status_error("the file ends in the middle of a position");
    return true;
}

/* Whether `next` is the position after `entry` in the same game; `pos`: what its move led to. */
static bool continues(const Entry *entry, const Position *pos, const Entry *next) {
    return next->pos.state.key == pos->state.key && next->ply == entry->ply + 1 &&
           next->result == -entry->result && next->move != MOVE_NONE;
}

static bool take_plain(TextView *rest, int pawn, RecordedGame *game, Status *fault) {
    Entry entry, next;
    if (!take_entry(rest, pawn, &entry, fault)) return false;
    if (!status_is_ok(fault)) return true;
    Position pos = entry.pos;
    recorded_start_position(game, &pos);
    game->result = entry.result == 0                                  ? DRAWN
                   : (entry.result == 1) == (entry.pos.side == WHITE) ? WHITE_WINS
                                                                      : BLACK_WINS;
    if (entry.move == MOVE_NONE) game->last_score = (int16_t)entry.score;
    while (entry.move != MOVE_NONE && recorded_add(game, entry.move, entry.score)) {
        Undo undo;
        Status unread = status_ok();
        TextView ahead = *rest;
        position_make_move(&pos, entry.move, &undo);
        if (!take_entry(&ahead, pawn, &next, &unread) || !status_is_ok(&unread) ||
            !continues(&entry, &pos, &next) || game->ply_count == RECORD_PLIES_MAX)
            break;
        entry = next;
        *rest = ahead;
    }
    game->end = recorded_end(END_BY_RULES, game->result, &pos);
    return true;
}

/* --- boards of 32 bytes --- */

enum { PIECES_AT = 8, BLACK_BIT = 8, UNMOVED_ROOK = 6, MEN_MAX = 32 };

static uint8_t piece_code(Piece piece, bool may_castle) {
    const unsigned type = may_castle ? UNMOVED_ROOK : (unsigned)piece_type(piece);
    return (uint8_t)(type | (piece_color(piece) == BLACK ? BLACK_BIT : 0));
}

static bool is_castling_rook(const Position *pos, Square square) {
    for (int right = 0; right < 4; right++)
        if ((pos->state.castling >> right & 1) && pos->castling_rook[right / 2][right % 2] == square)
            return true;
    return false;
}

/* Squares and pieces, as White sees them or, `mirrored`, as Black does. */
static void board_write(const Position *pos, bool mirrored, bool shows_castling, uint8_t *out) {
    Bitboard occupied = position_occupied(pos);
    if (mirrored) occupied = __builtin_bswap64(occupied);
    bytes_put(out, occupied, 8);
    for (int index = 0; occupied != 0; index++) {
        Square square = bitboard_pop(&occupied);
        if (mirrored) square = square_mirror_rank(square);
        unsigned code =
            piece_code(position_piece_on(pos, square), shows_castling && is_castling_rook(pos, square));
        if (mirrored) code ^= BLACK_BIT;
        out[PIECES_AT + index / 2] |= (uint8_t)(code << 4 * (index & 1));
    }
}

/* The first field of a FEN, and in `rooks` the squares of those that may castle. */
static Status board_read(const uint8_t *in, char fen[FEN_CAPACITY], Bitboard *rooks) {
    const Bitboard occupied = bytes_get(in, 8);
    char board[SQUARE_COUNT];
    size_t length = 0;
    int index = 0;
    *rooks = 0;
    if (bits_count(occupied) > MEN_MAX) return status_error("a board has more than 32 pieces");
    for (int square = 0; square < SQUARE_COUNT; square++) {
        board[square] = '1';
        if (!(occupied & square_bit((Square)square))) continue;
        const unsigned code = in[PIECES_AT + index / 2] >> 4 * (index & 1) & 15, type = code % BLACK_BIT;
        index++;
        if (type > UNMOVED_ROOK) return status_error("a board has a piece of the unknown type 7");
        if (type == UNMOVED_ROOK) *rooks |= square_bit((Square)square);
        board[square] = piece_letter(
            piece_make(code >= BLACK_BIT ? BLACK : WHITE, type == UNMOVED_ROOK ? ROOK : (PieceType)type));
    }
    for (int rank = 7; rank >= 0; rank--) {
        memcpy(fen + length, board + 8 * rank, 8);
        length += 8;
        fen[length++] = rank > 0 ? '/' : '\0';
    }
    return status_ok();
}

/* --- bulletformat --- */

static void append_bullet_position(const Position *pos, int white_score, GameResult result, int pawn,
                                   TextBuffer *out) {
    uint8_t bytes[FOREIGN_POSITION_SIZE] = {0};
    const Color own = pos->side;
    board_write(pos, own == BLACK, false, bytes);
    bytes_put(bytes + 24, (uint64_t)score_outside(view_of(own, white_score), pawn), 2);
    bytes[26] = (uint8_t)game_half_points(result, own);
    bytes[27] = (uint8_t)square_relative(own, position_king(pos, own));
    bytes[28] = (uint8_t)square_relative(color_other(own), position_king(pos, color_other(own)));
    buffer_append(out, (TextView){(const char *)bytes, sizeof bytes});
}

static void append_bullet(const RecordedGame *game, int pawn, ForeignExport *export, TextBuffer *out) {
    Position pos = game->start;
    for (int i = 0; i < game->ply_count; i++) {
        Undo undo;
        const RecordPly *ply = &game->ply[i];
        const bool wanted = count_position(export, game, &pos, ply, i);
        if (ply->score == RECORD_NO_SCORE)
            export->unscored++;
        else if (wanted)
            append_bullet_position(&pos, ply->score, game->result, pawn, out);
        position_make_move(&pos, game->ply[i].move, &undo);
    }
    const RecordPly last = {MOVE_NONE, game->last_score};
    if (last.score != RECORD_NO_SCORE && count_position(export, game, &pos, &last, game->ply_count))
        append_bullet_position(&pos, game->last_score, game->result, pawn, out);
}

/* Takes bytes off the front; NULL, and all that is left is taken, when there are fewer. */
static const uint8_t *take_bytes(TextView *rest, size_t size) {
    const char *bytes = rest->data;
    const size_t taken = size < rest->length ? size : rest->length;
    rest->data += taken;
    rest->length -= taken;
    return taken == size ? (const uint8_t *)bytes : NULL;
}

static Status read_bullet(const uint8_t *bytes, int pawn, RecordedGame *game) {
    char fen[FEN_CAPACITY];
    Bitboard rooks;
    Status status = board_read(bytes, fen, &rooks);
    if (status_is_ok(&status) && rooks != 0)
        status = status_error("a board has a piece of the unknown type 6");
    if (!status_is_ok(&status)) return status;
    text_format(fen + strlen(fen), sizeof fen - strlen(fen), " w - - 0 1");
    status = recorded_start_fen(game, text_view(fen));
    game->result = UNDECIDED;
    if (!status_is_ok(&status)) return status;
    if (bytes[27] != position_king(&game->start, WHITE) ||
        bytes[28] != square_mirror_rank(position_king(&game->start, BLACK)))
        return status_error("the kings are not where the position says: no bulletformat");
    if (bytes[26] > 2) return status_error("the result must be 0, 1 or 2, not %d", bytes[26]);
    game->last_score = (int16_t)record_round_score(score_inside((int16_t)bytes_get(bytes + 24, 2), pawn));
    game->result = (GameResult)(BLACK_WINS + bytes[26]);
    return status_ok();
}

static bool take_bullet(TextView *rest, int pawn, RecordedGame *game, Status *fault) {
    const uint8_t *bytes = take_bytes(rest, FOREIGN_POSITION_SIZE);
    *fault = bytes != NULL ? read_bullet(bytes, pawn, game)
                           : status_error("the file ends in the middle of a position");
    return true;
}

/* --- viriformat --- */

enum { VIRI_NO_SQUARE = 64, VIRI_BLACK = 128, VIRI_CLOCK_MAX = 255, VIRI_PLY_SIZE = 4 };

/* The same number outside for each kind of move inside, and back. */
static const unsigned VIRI_KIND[] = {[NORMAL_MOVE] = 0, [EN_PASSANT] = 1, [CASTLING] = 2, [PROMOTION] = 3};

static int viri_score(int score, int pawn) {
    return score == RECORD_NO_SCORE ? FOREIGN_VIRI_UNSCORED : score_outside(score, pawn);
}

static void append_viri(const RecordedGame *game, int pawn, ForeignExport *export, TextBuffer *out) {
    uint8_t bytes[FOREIGN_POSITION_SIZE] = {0};
    const Position *start = &game->start;
    const bool moves = game->ply_count > 0;
    board_write(start, false, true, bytes);
    const int square = start->state.en_passant < SQUARE_COUNT ? start->state.en_passant : VIRI_NO_SQUARE;
    bytes[24] = (uint8_t)(square | (start->side == BLACK ? VIRI_BLACK : 0));
    bytes[25] = (uint8_t)int_min(start->state.halfmove_clock, VIRI_CLOCK_MAX);
    bytes_put(bytes + 26, (uint64_t)start->fullmove, 2);
    bytes_put(bytes + 28, moves ? 0 : (uint64_t)viri_score(game->last_score, pawn), 2);
    bytes[30] = (uint8_t)game_half_points(game->result, WHITE);
    buffer_append(out, (TextView){(const char *)bytes, sizeof bytes});
    for (int i = 0; i < game->ply_count; i++) {
        const Move move = game->ply[i].move;
        bytes_put(bytes, (move & 0x3FFFu) | VIRI_KIND[move_kind(move)] << 14, 2);
        bytes_put(bytes + 2, (uint64_t)viri_score(game->ply[i].score, pawn), 2);
        buffer_append(out, (TextView){(const char *)bytes, VIRI_PLY_SIZE});
    }
    bytes_put(bytes, 0, VIRI_PLY_SIZE);
    buffer_append(out, (TextView){(const char *)bytes, VIRI_PLY_SIZE});
    export->moveless += moves && game->last_score != RECORD_NO_SCORE;
}

/* Castling as Shredder-FEN: the files of the rooks on the first and the last rank. */
static void write_castling(Bitboard rooks, char out[2 * 8 + 1]) {
    int count = 0;
    for (Bitboard rest = rooks; rest != 0;) {
        const Square square = bitboard_pop(&rest);
        const int rank = square_rank(square);
        if (rank == 0 || rank == 7) out[count++] = (char)((rank == 0 ? 'A' : 'a') + square_file(square));
    }
    if (count == 0) out[count++] = '-';
    out[count] = '\0';
}

static Status read_viri_start(const uint8_t *bytes, int pawn, RecordedGame *game) {
    char fen[FEN_CAPACITY], castling[2 * 8 + 1], square[3] = "-";
    Bitboard rooks;
    const unsigned en_passant = bytes[24] % VIRI_BLACK;
    Status status = board_read(bytes, fen, &rooks);
    if (!status_is_ok(&status)) return status;
    if (en_passant < VIRI_NO_SQUARE) square_write((Square)en_passant, square);
    write_castling(rooks, castling);
    text_format(fen + strlen(fen), sizeof fen - strlen(fen), " %c %s %s %d %d",
                bytes[24] >= VIRI_BLACK ? 'b' : 'w', castling, square, bytes[25],
                int_clamp((int)bytes_get(bytes + 26, 2), 1, PLIES_COUNTED));
    Position start;
    status = fen_parse(&start, text_view(fen), false);
    if (!status_is_ok(&status)) return status;
    recorded_start_position(game, &start);
    game->result = UNDECIDED;
    if (bytes[30] > 2) return status_error("the result must be 0, 1 or 2, not %d", bytes[30]);
    const int score = (int16_t)bytes_get(bytes + 28, 2);
    game->result = (GameResult)(BLACK_WINS + bytes[30]);
    if (score != FOREIGN_VIRI_UNSCORED)
        game->last_score = (int16_t)record_round_score(score_inside(score, pawn));
    return status_ok();
}

static Move read_viri_move(unsigned bits) {
    unsigned kind = NORMAL_MOVE;
    while (VIRI_KIND[kind] != bits >> 14) kind++;
    const unsigned promotion = kind == PROMOTION ? bits & 0x3000u : 0;
    return (Move)((bits & 0xFFFu) | promotion | kind << 14);
}

static Status take_viri_plies(TextView *rest, int pawn, RecordedGame *game, Position *pos) {
    Status status = status_ok();
    for (const uint8_t *bytes; (bytes = take_bytes(rest, VIRI_PLY_SIZE)) != NULL;) {
        if (bytes_get(bytes, VIRI_PLY_SIZE) == 0) return status;
        if (!status_is_ok(&status)) continue; /* on to the end of the game */
        const Move move = read_viri_move((unsigned)bytes_get(bytes, 2));
        const int score = (int16_t)bytes_get(bytes + 2, 2);
        Undo undo;
        if (!movegen_is_legal(pos, move))
            status = status_error("ply %d is no legal move", game->ply_count);
        else if (!recorded_add(game, move,
                               score == FOREIGN_VIRI_UNSCORED ? RECORD_NO_SCORE : score_inside(score, pawn)))
            status = status_error("the game has more than %d plies", RECORD_PLIES_MAX);
        else
            position_make_move(pos, move, &undo);
    }
    return status_is_ok(&status) ? status_error("the file ends in the middle of a game") : status;
}

static bool take_viri(TextView *rest, int pawn, RecordedGame *game, Status *fault) {
    const uint8_t *bytes = take_bytes(rest, FOREIGN_POSITION_SIZE);
    *fault = bytes != NULL ? read_viri_start(bytes, pawn, game)
                           : status_error("the file ends in the middle of a game");
    Position pos = game->start;
    if (!status_is_ok(fault)) {
        /* Whatever follows belongs to the game that cannot be read. */
        while ((bytes = take_bytes(rest, VIRI_PLY_SIZE)) != NULL && bytes_get(bytes, VIRI_PLY_SIZE) != 0) {
        }
        return true;
    }
    *fault = take_viri_plies(rest, pawn, game, &pos);
    if (game->ply_count > 0) game->last_score = RECORD_NO_SCORE;
    game->end = recorded_end(END_BY_RULES, game->result, &pos);
    return true;
}

/* --- all of them --- */

static const struct {
    void (*append)(const RecordedGame *game, int pawn, ForeignExport *export, TextBuffer *out);
    bool (*take)(TextView *rest, int pawn, RecordedGame *game, Status *fault);
    int pawn;
} FORMATS[FOREIGN_KINDS] = {[FOREIGN_PLAIN] = {append_plain, take_plain, SCORE_UNITS_PER_PAWN},
                            [FOREIGN_BULLET] = {append_bullet, take_bullet, 100},
                            [FOREIGN_VIRI] = {append_viri, take_viri, 100}};

void foreign_append(ForeignKind kind, const RecordedGame *game, ForeignExport *export, TextBuffer *out) {
    if (recorded_is_empty(game))
        export->empty++;
    else
        FORMATS[kind].append(game, export->pawn > 0 ? export->pawn : FORMATS[kind].pawn, export, out);
}

bool foreign_take(ForeignKind kind, TextView *rest, int pawn, RecordedGame *game, Status *fault) {
    *fault = status_ok();
    recorded_start_standard(game);
    game->result = UNDECIDED;
    return rest->length > 0 && FORMATS[kind].take(rest, pawn > 0 ? pawn : FORMATS[kind].pawn, game, fault);
}
