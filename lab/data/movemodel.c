#include "lab/data/movemodel.h"

#include "base/bits.h"
#include "base/memory.h"
#include "chess/attacks.h"
#include "chess/position.h"

#include <assert.h>
#include <string.h>

/* The version of the file format covers everything in this file: whoever changes a number here raises it. */
enum {
    ONE = 1 << 16,             /* 1.0 in chances, weights and rates */
    WEIGHT_MAX = 24 * ONE,     /* either way; weights are logarithms to base 2 */
    TINY = ONE / 1024,         /* errors below it teach nothing worth the time */
    PLACES = 6 * SQUARE_COUNT, /* of a kind of piece on a square */
    PAWN_SLOTS = 1 << 17,
    RATES = 256
};

/* The tables, one after the other. */
enum {
    KINDS = 0,                        /* taken, taking, threatened there, threatened here, rise */
    DESTINATIONS = KINDS + 2048,      /* by number of pieces */
    WAYS = DESTINATIONS + 4 * PLACES, /* piece, from, to */
    ANSWERS = WAYS + PLACES * SQUARE_COUNT,
    SEQUELS = ANSWERS + PLACES * PLACES,
    STRUCTURES = SEQUELS + PLACES * PLACES,
    TACTICS = STRUCTURES + PAWN_SLOTS,
    RETURNS = TACTICS + 128,
    PHASES = RETURNS + 512,
    TARGETS = PHASES + 1024,
    WEIGHTS = TARGETS + 768
};

/* Of a move: from FIRST_SPARSE on of tables with many weights, the last one of targets. */
enum { FEATURES = 10, FIRST_SPARSE = 5 };

typedef struct Weight {
    int32_t value;
    uint32_t error; /* the squares of all errors so far: the more, the smaller the steps (Duchi 2011) */
} Weight;

struct MoveModel {
    uint16_t rate[2][RATES]; /* of the tables with few weights and with many */
    bool is_fresh, sees_targets;
    Weight weight[WEIGHTS];
};

static uint32_t square_root(uint64_t number) {
    uint64_t root = 0;
    for (uint64_t bit = 1u << 31; bit > 0; bit /= 2)
        if ((root + bit) * (root + bit) <= number) root += bit;
    return (uint32_t)root;
}

/* Some eight steps for each power of two. */
static int rate_index(uint32_t error) {
    if (error < 8) return (int)error;
    const int highest = bits_highest(error);
    return 8 * highest + (int)(error >> (highest - 3) & 7);
}

static uint16_t rate_at(int index, int first) {
    const int highest = index / 8;
    const uint64_t error = highest < 3 ? (uint64_t)index : (uint64_t)(8 + index % 8) << (highest - 3);
    return (uint16_t)(256 * (uint32_t)first / square_root(error + 2 * ONE));
}

MoveModel *movemodel_create(void) {
    MoveModel *model = memory_allocate(sizeof *model);
    if (model == NULL) return NULL;
    model->is_fresh = true;
    for (int i = 0; i < RATES; i++) {
        model->rate[0][i] = rate_at(i, ONE * 2 / 5);
        model->rate[1][i] = rate_at(i, ONE / 5);
    }
    return model;
}

void movemodel_destroy(MoveModel *model) { memory_release(model); }

void movemodel_reset(MoveModel *model, bool sees_targets) {
    if (!model->is_fresh) memset(model->weight, 0, sizeof model->weight);
    model->is_fresh = true;
    model->sees_targets = sees_targets;
}

/* --- what is known of a move --- */

static const int VALUE[PIECE_TYPE_COUNT + 1] = {1, 3, 3, 5, 9, 100, 0};

static PieceType least_valuable(const Position *pos, Bitboard pieces) {
    int type = PAWN;
    while (type < KING && !(pieces & pos->by_type[type])) type++;
    return (PieceType)type;
}

/* Whether exchanges on its target square lose nothing; pins are ignored. */
static bool is_safe(const Position *pos, Move move, PieceType captured) {
    const Square from = move_from(move), to = move_to(move);
    PieceType standing = piece_type(position_piece_on(pos, from));
    int balance = VALUE[captured] - VALUE[standing];
    if (balance >= 0) return true;
    Bitboard occupied = (position_occupied(pos) & ~square_bit(from)) | square_bit(to);
    const Bitboard diagonal = pos->by_type[BISHOP] | pos->by_type[QUEEN];
    const Bitboard straight = pos->by_type[ROOK] | pos->by_type[QUEEN];
    Bitboard attackers = position_attackers(pos, to, occupied) & occupied;
    bool safe = true;
    for (Color side = color_other(pos->side);; side = color_other(side)) {
        const Bitboard pieces = attackers & pos->by_color[side];
        if (!pieces) return safe;
        standing = least_valuable(pos, pieces);
        if (standing == KING && (attackers & pos->by_color[color_other(side)])) return safe;
        safe = !safe;
        balance = -balance - 1 - VALUE[standing];
        if (balance >= 0) return safe;
        occupied ^= square_bit(bitboard_lowest(pieces & pos->by_type[standing]));
        attackers |= (attacks_bishop(to, occupied) & diagonal) | (attacks_rook(to, occupied) & straight);
        attackers &= occupied;
    }
}

/* What all moves of a position have in common. Squares are seen from the side to move. */
typedef struct Scene {
    const Position *pos;
    const MoveClues *clues;
    CheckSquares checks;
    Bitboard attacked, threats, pawn_threats, pawn_guards;
    int flip; /* of squares */
    int rise, phase, queens;
    int answered, continued; /* the places of the last two moves' pieces */
    uint32_t pawns;
} Scene;

static int rise_class(int rise) { return rise < -96 ? 0 : rise < 0 ? 1 : rise == 0 ? 2 : rise <= 96 ? 3 : 4; }

/* The place of the piece that moved, 0 where it is gone. */
static int place_after(const Position *pos, Move move, int flip) {
    if (move == MOVE_NONE) return 0;
    const Square to = move_to(move);
    const Piece piece = position_piece_on(pos, to);
    return piece == NO_PIECE ? 0 : (int)piece_type(piece) * SQUARE_COUNT + ((int)to ^ flip);
}

/* The squares that a side attacks. */
static Bitboard attacked_by(const Position *pos, Color side) {
    const Bitboard occupied = position_occupied(pos), pawns = position_pieces(pos, side, PAWN);
    Bitboard attacked = bitboard_pawn_attacks(side, pawns);
    for (Bitboard pieces = pos->by_color[side] & ~pawns; pieces;) {
        const Square square = bitboard_pop(&pieces);
        attacked |= attacks_piece(piece_type(position_piece_on(pos, square)), square, occupied);
    }
    return attacked;
}

static Scene scene_of(const Position *pos, const MoveClues *clues) {
    const Color us = pos->side, them = color_other(us);
    const int pieces = bits_count(position_occupied(pos)), flip = us == BLACK ? 56 : 0;
    return (Scene){.pos = pos,
                   .clues = clues,
                   .attacked = attacked_by(pos, us),
                   .checks = position_check_squares(pos),
                   .threats = position_threats(pos),
                   .pawn_threats = bitboard_pawn_attacks(them, position_pieces(pos, them, PAWN)),
                   .pawn_guards = bitboard_pawn_attacks(us, position_pieces(pos, us, PAWN)),
                   .flip = flip,
                   .rise = rise_class(clues->rise),
                   .phase = pieces <= 12   ? 0
                            : pieces <= 22 ? 1
                            : pieces <= 28 ? 2
                                           : 3,
                   .queens =
                       (position_pieces(pos, us, QUEEN) != 0) + 2 * (position_pieces(pos, them, QUEEN) != 0),
                   .answered = place_after(pos, clues->previous, flip),
                   .continued = place_after(pos, clues->own_last, flip),
                   .pawns = (uint32_t)((pos->state.pawn_key * 0x9E3779B97F4A7C15u) >> 32)};
}

static int threat_to(const Scene *scene, Square square) {
    if (scene->pawn_threats & square_bit(square)) return 2;
    return (scene->threats & square_bit(square)) != 0;
}

static int special_of(Move move) {
    if (move_kind(move) == PROMOTION) return move_promotion(move) == QUEEN ? 1 : 2;
    return move_kind(move) == CASTLING ? 3 : 0;
}

/* What the piece attacks from its new square: the most valuable piece that was not attacked before, whether a
 * piece hangs, and whether a threatened one of its own is now guarded. 0 to 23. */
static int target_class(const Scene *scene, Move move, PieceType type) {
    const Position *pos = scene->pos;
    const Bitboard occupied = position_occupied(pos) ^ square_bit(move_from(move));
    const Square to = move_to(move);
    const Bitboard reached = type == PAWN ? attacks_pawn(pos->side, to) : attacks_piece(type, to, occupied);
    const Bitboard targets = reached & pos->by_color[color_other(pos->side)] & ~pos->by_type[KING];
    const Bitboard unguarded = ~scene->threats & ~scene->attacked;
    int best = 0;
    for (int victim = PAWN; victim <= QUEEN; victim++)
        if (targets & ~scene->attacked & pos->by_type[victim]) best = victim + 1;
    const bool guards = (reached & pos->by_color[pos->side] & scene->threats & ~scene->attacked) != 0;
    return (best * 2 + ((targets & unguarded) != 0)) * 2 + guards;
}

/* Which weights count. */
static void find_features(const Scene *scene, Move move, bool sees_targets, uint32_t feature[FEATURES]) {
    const Position *pos = scene->pos;
    const MoveClues *clues = scene->clues;
    const Square from = move_from(move), to = move_to(move);
    const Piece taken = position_captured_by(pos, move);
    const PieceType captured = taken == NO_PIECE ? PIECE_TYPE_COUNT : piece_type(taken);
    const int type = (int)piece_type(position_piece_on(pos, from));
    const int there = threat_to(scene, to), here = threat_to(scene, from);
    const bool takes_back = clues->previous != MOVE_NONE && move_to(clues->previous) == to;
    const bool again = clues->own_last != MOVE_NONE && move_to(clues->own_last) == from;
    const bool back = again && move_from(clues->own_last) == to;
    const int checks = position_move_checks(pos, &scene->checks, move), takes = taken != NO_PIECE;
    const int safe = (!takes && !there) || is_safe(pos, move, captured);
    const int guarded = (scene->pawn_guards & square_bit(to)) != 0;
    const int own_from = (int)from ^ scene->flip, own_to = (int)to ^ scene->flip;
    const int place = type * SQUARE_COUNT + own_to;
    const int kind = (((int)captured * 6 + type) * 3 + there) * 3 + here;
    const int found[FEATURES] = {
        KINDS + kind * 5 + scene->rise,
        TACTICS + (((special_of(move) * 2 + checks) * 2 + safe) * 2 + takes_back) * 2 + guarded,
        RETURNS + ((((again + back) * 2 + takes) * 3 + there) * 2 + safe) * 10 + scene->rise * 2 + checks,
        PHASES + (((type * 2 + safe) * 3 + here) * 4 + scene->phase) * 4 + scene->queens,
        DESTINATIONS + scene->phase * PLACES + place,
        WAYS + (type * SQUARE_COUNT + own_from) * SQUARE_COUNT + own_to,
        ANSWERS + scene->answered * PLACES + place,
        SEQUELS + scene->continued * PLACES + place,
        STRUCTURES + (int)((scene->pawns + (uint32_t)place) % PAWN_SLOTS),
        TARGETS + ((type * 2 + safe) * 2 + (here != 0)) * 32 +
            (sees_targets ? target_class(scene, move, (PieceType)type) : 0)};
    for (int i = 0; i < FEATURES; i++) feature[i] = (uint32_t)found[i];
}

/* --- chances --- */

/* 2 to the power of a number up to 0. */
static uint32_t power_of_two(int32_t exponent) {
    if (exponent < -16 * ONE) return 0;
    const uint64_t part = (uint64_t)(exponent + 16 * ONE) % ONE;
    const uint64_t mantissa = ONE + (part * (45426 + (part * (15743 + (part * 3638 >> 16)) >> 16)) >> 16);
    return (uint32_t)(mantissa << ((exponent + 16 * ONE) / ONE) >> 16);
}

/* Turns sums of weights into chances, none of them 0, and returns what they add up to: ONE at most. */
static uint32_t find_chances(const int32_t *sum, int count, uint32_t *chance) {
    assert(count > 0);
    int32_t best = sum[0];
    for (int i = 1; i < count; i++) best = int_max(best, sum[i]);
    uint64_t all = 0;
    for (int i = 0; i < count; i++) all += chance[i] = power_of_two(sum[i] - best);
    const uint64_t factor = ((uint64_t)(ONE - MAX_MOVES) << 24) / all;
    uint32_t total = 0;
    for (int i = 0; i < count; i++) total += chance[i] = 1 + (uint32_t)(chance[i] * factor >> 24);
    return total;
}

static int feature_count(const MoveModel *model) { return model->sees_targets ? FEATURES : FEATURES - 1; }

static void learn(MoveModel *model, const uint32_t feature[FEATURES], int32_t error) {
    const int features = feature_count(model);
    const uint32_t square = (uint32_t)((int64_t)error * error / ONE);
    for (int i = 0; i < features; i++) {
        Weight *weight = &model->weight[feature[i]];
        const int64_t rate = model->rate[i >= FIRST_SPARSE][rate_index(weight->error)];
        weight->value = int_clamp(weight->value + (int)(error * rate / ONE), -WEIGHT_MAX, WEIGHT_MAX);
        if (weight->error < UINT32_MAX / 2) weight->error += square;
    }
}

Move movemodel_code(MoveModel *model, RangeCoder *coder, const Position *pos, const MoveClues *clues,
                    const Move *legal, int count, Move move) {
    uint32_t feature[MAX_MOVES][FEATURES], chance[MAX_MOVES];
    int32_t sum[MAX_MOVES];
    const Scene scene = scene_of(pos, clues);
    const int features = feature_count(model);
    int played = 0;
    for (int i = 0; i < count; i++) {
        find_features(&scene, legal[i], model->sees_targets, feature[i]);
        sum[i] = 0;
        for (int k = 0; k < features; k++) sum[i] += model->weight[feature[i][k]].value;
        if (legal[i] == move) played = i;
    }
    const uint32_t total = find_chances(sum, count, chance);
    played = range_code_choice(coder, played, chance, count, total);
    for (int i = 0; i < count; i++) {
        const int32_t error = (i == played ? ONE : 0) - (int32_t)chance[i];
        if (error > TINY || error < -TINY) learn(model, feature[i], error);
    }
    model->is_fresh = false;
    return legal[played];
}
