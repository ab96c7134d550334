#include "level/level.h"

#include "base/rng.h"
#include "chess/draw.h"
#include "chess/movegen.h"

#include <stddef.h>

/* --- keyed numbers --- */

/* What a keyed number is for: one seed gives each purpose numbers of its own. */
typedef enum Purpose { PURPOSE_SIGHT, PURPOSE_LIKING, PURPOSE_NOISE, PURPOSE_NODES, PURPOSE_PACE } Purpose;

static uint64_t keyed(const Level *level, Purpose purpose, uint64_t key) {
    enum { KEY_BITS = 8 };
    Rng rng = rng_stream(level->seed << KEY_BITS | purpose, key);
    return rng_next(&rng);
}

/* A number of mean 0 in 1/100 standard deviations, nearly normal: the sum of the eight bytes of a hash, whose
 * mean is 1020 and whose standard deviation is 209. */
static int normal(uint64_t hash) {
    enum { MEAN = 1020, DEVIATION = 209 };
    int sum = 0;
    for (; hash > 0; hash >>= 8) sum += (int)(hash & 0xFF);
    return (sum - MEAN) * 100 / DEVIATION;
}

/* The key of a move: what moves, from where, where to, what it takes, and the window. The windows of
 * different moves do not end at the same time. */
static uint64_t move_key(const Level *level, Purpose purpose, const Position *pos, Move move) {
    enum { WINDOW = 4 /* moves */ };
    const uint64_t piece = position_piece_on(pos, move_from(move)), victim = position_captured_by(pos, move);
    const uint64_t key = (piece << 4 | victim) << 16 | move;
    const uint64_t offset = keyed(level, purpose, key) % WINDOW;
    return key << 16 | ((uint64_t)level->fullmove + offset) / WINDOW;
}

/* --- strength --- */

int level_human(int elo) { return (elo * 556 + 500) / 1000 + 350; }

int level_elo_of_human(int human) { return (human - 350) * 1000 / 556; }

static int between(int a, int b, int part, int whole) { return a + (b - a) * part / whole; }

/* The row of the table for this strength. */
static Level row_of(int elo) {
    static const Level ROWS[] = {
#define LEVEL(elo_, nodes_, lines_, root_, own_, reply_, spread_, noise_, slope_) \
    {.elo = (elo_),                                                               \
     .nodes = (nodes_),                                                           \
     .lines = (lines_),                                                           \
     .root = (root_),                                                             \
     .own = (own_),                                                               \
     .reply = (reply_),                                                           \
     .spread = (spread_),                                                         \
     .noise = (noise_),                                                           \
     .slope = (slope_)},
#include "level/level.def"
#undef LEVEL
    };
    int i = 0;
    while (elo > ROWS[i + 1].elo) i++;
    const Level *low = &ROWS[i], *high = &ROWS[i + 1];
    const int part = elo - low->elo, whole = high->elo - low->elo;
    return (Level){.elo = elo,
                   .nodes = (uint64_t)between((int)low->nodes, (int)high->nodes, part, whole),
                   .lines = between(low->lines, high->lines, part, whole),
                   .root = between(low->root, high->root, part, whole),
                   .own = between(low->own, high->own, part, whole),
                   .reply = between(low->reply, high->reply, part, whole),
                   .spread = between(low->spread, high->spread, part, whole),
                   .noise = between(low->noise, high->noise, part, whole),
                   .slope = between(low->slope, high->slope, part, whole)};
}

/* Mating a lone king is learned early, and once known it does not fail. Who does not know it yet sees more
 * than elsewhere all the same, for there is little to look at. */
static void give_technique(Level *level) {
    enum { TECHNIQUE_ELO = 1300, TECHNIQUE_NODES = 5000, ALL = 10000, CLEARER = 200 };
    level->noise = 0;
    if (level->elo < TECHNIQUE_ELO) {
        level->root += CLEARER;
        level->own += CLEARER;
        level->reply += CLEARER;
        return;
    }
    if (level->nodes < TECHNIQUE_NODES) level->nodes = TECHNIQUE_NODES;
    level->root = level->own = level->reply = ALL;
    level->spread = 0;
    level->lines = 1;
}

Level level_at(int elo, uint64_t seed, const Position *root, const Move recent[LEVEL_RECENT]) {
    enum { LOOKS_AGAIN = 150 /* where the game goes to and fro */ };
    Level level = row_of(int_clamp(elo, LEVEL_ELO_MIN, LEVEL_ELO_MAX));
    level.seed = seed;
    level.fullmove = root->fullmove;
    for (int i = 0; i < LEVEL_RECENT; i++) level.recent[i] = recent[i];
    /* From 0.6 to 1.6 times as many: nobody thinks equally hard about every move. */
    level.nodes = level.nodes * (60 + keyed(&level, PURPOSE_NODES, root->state.key) % 101) / 100;
    if (draw_stood_before(root)) level.root += LOOKS_AGAIN;
    if (position_has_lone_king(root)) give_technique(&level);
    return level;
}

/* --- what is seen --- */

static Square end_of(Move move) { return move == MOVE_NONE || move == MOVE_NULL ? NO_SQUARE : move_to(move); }

/* The more captures and checks there are, the harder is the right move to find among them. */
static int crowd_points(const Position *pos, const CheckSquares *squares) {
    enum {
        CAPTURE = -16,
        CHECK = -43,
        USUAL_CAPTURES = 2,
        USUAL_CHECKS = 1,
        CAPTURES_MAX = 8,
        CHECKS_MAX = 6
    };
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    int captures = 0, checks = 0;
    for (int i = 0; i < count; i++) {
        captures += position_is_noisy(pos, moves[i]);
        checks += position_move_checks(pos, squares, moves[i]);
    }
    return CAPTURE * (int_min(captures, CAPTURES_MAX) - USUAL_CAPTURES) +
           CHECK * (int_min(checks, CHECKS_MAX) - USUAL_CHECKS);
}

Sight level_sight(const Level *level, const Position *pos, int ply, Move last, Move before, int carried) {
    const CheckSquares checks = position_check_squares(pos);
    return (Sight){.level = level,
                   .ply = ply,
                   .carried = carried,
                   .crowd = ply == 0 ? crowd_points(pos, &checks) : 0,
                   .own = end_of(ply % 2 == 0 ? before : last),
                   .last = end_of(last),
                   .before = end_of(before),
                   .threats = position_threats(pos),
                   .checks = checks};
}

static int distance(Square a, Square b) {
    return int_max(int_abs(square_file(a) - square_file(b)), int_abs(square_rank(a) - square_rank(b)));
}

/* Whether the move guards one of its own pieces that is attacked. */
static bool guards(const Sight *sight, const Position *pos, Move move) {
    const PieceType type = piece_type(position_piece_on(pos, move_from(move)));
    const Bitboard occupied = position_occupied(pos) ^ square_bit(move_from(move));
    const Bitboard reach =
        type == PAWN ? attacks_pawn(pos->side, move_to(move)) : attacks_piece(type, move_to(move), occupied);
    return (reach & sight->threats & pos->by_color[pos->side] & ~square_bit(move_from(move))) != 0;
}

enum { QUIET = -200 };

/* How well a move is seen for its kind. The weights are those of puzzle ratings at Lichess, 100 points of
 * which are 72 here; docs/levels.md has the table. Those of castling are estimates. */
static int kind_points(const Sight *sight, const Position *pos, Move move) {
    enum { CHECK = 0, DEFENSIVE = -30, SACRIFICE = -50, SIDEWAYS = -50, BACKWARD = -40 };
    enum { CASTLES = 60, FORFEITS_CASTLING = -100, LAST_MOVER = 40, SAME_PIECE = 80 };
    static const int VICTIM[] = {-110, -80, -80, -50, -30, 0, QUIET}, WORTH[] = {1, 3, 3, 5, 9, 0, 0};
    const Square from = move_from(move), to = move_to(move);
    const PieceType type = piece_type(position_piece_on(pos, from));
    const PieceType victim = piece_type(position_captured_by(pos, move));
    const bool castles = move_kind(move) == CASTLING;
    const int ahead = square_relative_rank(pos->side, to) - square_relative_rank(pos->side, from);
    int points = VICTIM[victim];
    if (castles)
        points += CASTLES;
    else if (victim == NO_PIECE_TYPE && (pos->state.castling & ~pos->castling_kept[from]) != 0)
        points += FORFEITS_CASTLING;
    if (position_move_checks(pos, &sight->checks, move))
        points = int_max(points, CHECK);
    else if (victim == NO_PIECE_TYPE && !castles && guards(sight, pos, move))
        points += DEFENSIVE;
    if (type != PAWN && WORTH[victim] < WORTH[type] && (sight->threats & square_bit(to))) points += SACRIFICE;
    if (ahead == 0 && !castles) points += SIDEWAYS;
    if (ahead < 0) points += BACKWARD;
    if (victim != NO_PIECE_TYPE && to == sight->last) points += LAST_MOVER;
    if (from == sight->before) points += SAME_PIECE;
    return points;
}

/* Players look outwards from their own last move; the opponent's replies far from it are missed most ("the
 * shutter", PLOS Computational Biology 2022). */
static int shutter_points(const Sight *sight, Move move) {
    enum { NEAR = 2, OWN_MOVE = -20, REPLY = -12 };
    if (sight->own == NO_SQUARE) return 0;
    return int_max(distance(move_to(move), sight->own) - NEAR, 0) * (sight->ply % 2 == 0 ? OWN_MOVE : REPLY);
}

int level_points(const Sight *sight, const Position *pos, Move move) {
    return kind_points(sight, pos, move) + shutter_points(sight, move) + sight->crowd;
}

/* How well a move is seen where it stands. Every quiet move at the root is considered; only what follows it
 * is seen less. Own moves share what a line has left, replies do not: people see what they are threatened
 * with by its own kind, and their own plans as far as these are easy. */
static int place_points(const Sight *sight, const Position *pos, Move move) {
    enum { FALL = -65 }; /* with each further ply */
    const Level *level = sight->level;
    if (sight->ply % 2 != 0) return level->reply + FALL * (sight->ply - 1);
    if (sight->ply > 0) return level->own + FALL * (sight->ply - 1) + sight->carried;
    const bool forces = position_is_noisy(pos, move) || position_move_checks(pos, &sight->checks, move);
    return forces ? level->root : level->root - QUIET;
}

/* How well a move is seen, less a keyed number: above 0 it is seen. */
static int visibility(const Sight *sight, const Position *pos, Move move) {
    enum { DEVIATION = 30 };
    const uint64_t key = move_key(sight->level, PURPOSE_SIGHT, pos, move);
    return place_points(sight, pos, move) + level_points(sight, pos, move) -
           normal(keyed(sight->level, PURPOSE_SIGHT, key)) * DEVIATION / 100;
}

bool level_sees(const Sight *sight, const Position *pos, Move move) {
    const bool takes_last_mover = move_to(move) == sight->last && position_captured_by(pos, move) != NO_PIECE;
    const bool is_easy =
        pos->state.captured != NO_PIECE || piece_type(position_piece_on(pos, move_from(move))) == PAWN;
    return position_in_check(pos) || move_kind(move) == PROMOTION || (takes_last_mover && is_easy) ||
           visibility(sight, pos, move) > 0;
}

int level_filter(const Sight *sight, const Position *pos, Move *moves, int count, bool keeps_one) {
    int seen = 0;
    Move best = MOVE_NONE;
    int most = 0;
    for (int i = 0; i < count; i++) {
        if (level_sees(sight, pos, moves[i])) {
            moves[seen++] = moves[i];
        } else if (keeps_one && seen == 0) {
            const int here = visibility(sight, pos, moves[i]);
            if (best == MOVE_NONE || here > most) {
                best = moves[i];
                most = here;
            }
        }
    }
    if (seen == 0 && best != MOVE_NONE) moves[seen++] = best;
    return seen;
}

/* --- what is thought of it --- */

int level_noise(const Level *level, const Position *pos) {
    enum { MEN = 32 };
    if (level->noise == 0) return 0;
    return normal(keyed(level, PURPOSE_NOISE, pos->state.key)) * level->noise *
           bits_count(position_occupied(pos)) / (100 * MEN);
}

/* An S-shaped curve without exponentials: slope / 200 permille a unit at 0. */
int level_expected(const Level *level, int score) {
    const int x = score * level->slope / 100;
    return 500 + 500 * x / (1000 + int_abs(x));
}

int level_liking(const Level *level, const Position *root, Move move) {
    return level->spread * normal(keyed(level, PURPOSE_LIKING, move_key(level, PURPOSE_LIKING, root, move))) /
           100;
}

int64_t level_pace(const Level *level, const Position *root, int64_t soft, int64_t hard, int gain) {
    enum { LEAST = 150, GAIN_FACTOR = 8, MOST = 1000 }; /* permille of `soft` */
    const int share = int_clamp(LEAST + GAIN_FACTOR * gain, LEAST, MOST);
    const int luck = 70 + (int)(keyed(level, PURPOSE_PACE, root->state.key) % 61); /* percent */
    const int64_t pace = soft * share / 1000 * luck / 100;
    return pace < hard / 2 ? pace : hard / 2;
}
