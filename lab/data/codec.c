#include "lab/data/codec.h"

#include "base/memory.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "lab/data/movemodel.h"
#include "lab/data/seeded.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The version of the file format covers everything in this file: whoever changes a number here raises it. */
enum {
    RANKS = 12,
    CLASSES = 16,
    CROWDS = 4,
    TREND_COUNT = 5,
    STIR_COUNT = 7,
    LEAD_COUNT = 9,
    EVENT_COUNT = 6,
    MAGNITUDE_BITS = 11,
    HISTORY_MAX = 4096,
    TEXT_CONTEXTS = 64, /* what the last character says of the next one */
    COUNT_BITS = 11,
    COUNT_LOW_BITS = 4, /* of a number of plies, all equally likely */
    CHANCES = 64,       /* of a random move, by the seed */
    OPENING_PLIES = 24,
    ATTEMPT_CONTEXTS = 16,
    ATTEMPT_MAX = 1024,
    SCORE_CLEAR = 256 /* beyond it somebody mostly wins */
};

/* All chances come first, so that they can be reset as one array. */
struct RecordCodec {
    AdaptiveBit kind[2], result[3][4], end[3][4], count[1 << (COUNT_BITS - COUNT_LOW_BITS)];
    AdaptiveBit has_score[2];
    /* Of seeded games (seeded.h): */
    AdaptiveBit is_seeded, is_next, attempt[ATTEMPT_CONTEXTS], other_start, other_move;
    AdaptiveBit opening[OPENING_PLIES][2], random[CHANCES];
    AdaptiveBit move[RANKS][CLASSES][CROWDS];
    AdaptiveBit score_zero[LEAD_COUNT][STIR_COUNT][TREND_COUNT];
    AdaptiveBit score_sign[LEAD_COUNT][EVENT_COUNT][STIR_COUNT][TREND_COUNT];
    AdaptiveBit score_size[LEAD_COUNT][STIR_COUNT][MAGNITUDE_BITS];
    AdaptiveBit score_high[MAGNITUDE_BITS][2], score_low[MAGNITUDE_BITS];
    int16_t history[PIECE_COUNT][SQUARE_COUNT]; /* how often each piece went to each square in this block */
    bool is_old, is_coarse, described, has_seeds, is_keen;
    uint64_t seed, next_number;
    uint64_t key; /* of what the seed gives the game; 0: nothing */
    MoveModel *model;
    AdaptiveBit text[TEXT_CONTEXTS][256]; /* of described games */
};

RecordCodec *codec_create(void) {
    RecordCodec *codec = memory_allocate(sizeof *codec);
    if (codec == NULL) return NULL;
    codec->model = movemodel_create();
    if (codec->model == NULL) {
        memory_release(codec);
        return NULL;
    }
    codec_reset(codec, 0, 0);
    return codec;
}

void codec_destroy(RecordCodec *codec) {
    if (codec != NULL) movemodel_destroy(codec->model);
    memory_release(codec);
}

void codec_reset(RecordCodec *codec, unsigned kind, uint64_t seed) {
    adaptive_init((AdaptiveBit *)codec, offsetof(RecordCodec, history) / sizeof(AdaptiveBit));
    memset(codec->history, 0, sizeof codec->history);
    codec->is_old = (kind & CODEC_OLD) != 0;
    codec->is_coarse = (kind & CODEC_COARSE) != 0;
    codec->described = (kind & CODEC_DESCRIBED) != 0;
    codec->has_seeds = (kind & CODEC_SEEDED) != 0;
    codec->is_keen = (kind & CODEC_KEEN) != 0;
    movemodel_reset(codec->model, codec->is_keen);
    codec->seed = seed;
    codec->next_number = codec->key = 0;
    if (codec->described) adaptive_init(codec->text[0], sizeof codec->text / sizeof codec->text[0][0]);
}

/* A number of `bits` bits, high bit first, each with its own context: a small binary tree. */
static int code_tree(RangeCoder *coder, AdaptiveBit *tree, int bits, int value) {
    int node = 1;
    for (int i = bits - 1; i >= 0; i--) node = 2 * node + range_code(coder, &tree[node], value >> i & 1);
    return node - (1 << bits);
}

/* --- moves of old blocks: the place in a list of the legal moves, best guess first --- */

typedef struct RankedMove {
    int key; /* the higher, the sooner tried */
    Move move;
    uint8_t class;
} RankedMove;

static const int PIECE_VALUE[PIECE_TYPE_COUNT + 1] = {100, 300, 310, 500, 900, 0, 0};

enum {
    CAPTURE_WINNING,
    CAPTURE_EVEN,
    CAPTURE_LOSING,
    QUEENING,
    QUIET_SAFE,
    QUIET_UNSAFE,
    UNDERPROMOTION,
    RETURNING,
    ESCAPING = 8
};

static RankedMove candidate_make(const RecordCodec *codec, const Position *pos, Bitboard threats, Move move,
                                 Move previous, Move own_last) {
    const Square from = move_from(move), to = move_to(move);
    const Piece piece = position_piece_on(pos, from), captured = position_captured_by(pos, move);
    const int own = PIECE_VALUE[piece_type(piece)];
    const bool threatened = (threats & square_bit(to)) != 0 && piece_type(piece) != KING;
    const bool escaping = (threats & square_bit(from)) != 0 && piece_type(piece) != KING;
    RankedMove candidate = {.move = move, .key = codec->history[piece][to] / 8};
    if (move_kind(move) == PROMOTION && move_promotion(move) != QUEEN) {
        candidate.class = UNDERPROMOTION;
        candidate.key -= 2000;
    } else if (move_kind(move) == PROMOTION) {
        candidate.class = QUEENING;
        candidate.key += threatened ? 0 : 900;
    } else if (captured != NO_PIECE) {
        const int gain = PIECE_VALUE[piece_type(captured)] - (threatened ? own : 0);
        candidate.class = !threatened || gain > 50 ? CAPTURE_WINNING
                          : gain >= -50            ? CAPTURE_EVEN
                                                   : CAPTURE_LOSING;
        candidate.key += 200 + gain;
        if (previous != MOVE_NONE && to == move_to(previous)) candidate.key += 300;
    } else if (own_last != MOVE_NONE && from == move_to(own_last) && to == move_from(own_last)) {
        candidate.class = RETURNING;
    } else {
        candidate.class = threatened ? QUIET_UNSAFE : QUIET_SAFE;
        if (threatened) candidate.key -= 50 + own / 2;
    }
    if (escaping) {
        candidate.class |= ESCAPING;
        candidate.key += 60 + own / 8;
    }
    return candidate;
}

/* Brings the best of those not yet tried to place `rank`. A tie is broken by the move itself, so that the
 * order does not depend on that of the generator. */
static void select_candidate(RankedMove *list, int count, int rank) {
    int best = rank;
    for (int i = rank + 1; i < count; i++) {
        if (list[i].key > list[best].key || (list[i].key == list[best].key && list[i].move < list[best].move))
            best = i;
    }
    RankedMove swap = list[rank];
    list[rank] = list[best];
    list[best] = swap;
}

static int crowd_of(int remaining) {
    return remaining <= 2 ? 0 : remaining <= 8 ? 1 : remaining <= 24 ? 2 : 3;
}
static int rank_context(int rank) {
    static const uint8_t CONTEXT[24] = {0, 1, 2, 3, 4, 5, 5, 6, 6,  7,  7,  7,
                                        8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10};
    return rank < 24 ? CONTEXT[rank] : RANKS - 1;
}

static void history_reward(RecordCodec *codec, const Position *pos, Move move, int bonus) {
    int16_t *entry = &codec->history[position_piece_on(pos, move_from(move))][move_to(move)];
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / HISTORY_MAX);
}

/* Whether the move tried is the one played, for each legal move in turn until one is. The last goes without
 * saying. */
static Move code_ranked_move(RecordCodec *codec, RangeCoder *coder, const RecordedGame *game,
                             const Position *pos, const Move *legal, int count, int ply) {
    RankedMove list[MAX_MOVES];
    const Move previous = ply >= 1 ? game->ply[ply - 1].move : MOVE_NONE;
    const Move own_last = ply >= 2 ? game->ply[ply - 2].move : MOVE_NONE;
    const Bitboard threats = position_threats(pos);
    for (int i = 0; i < count; i++)
        list[i] = candidate_make(codec, pos, threats, legal[i], previous, own_last);
    int rank = 0;
    assert(count > 0);
    for (; rank < count - 1; rank++) {
        select_candidate(list, count, rank);
        AdaptiveBit *context = &codec->move[rank_context(rank)][list[rank].class][crowd_of(count - rank)];
        const bool played = coder->out != NULL && list[rank].move == game->ply[ply].move;
        if (range_code(coder, context, played)) break;
        history_reward(codec, pos, list[rank].move, -48);
    }
    history_reward(codec, pos, list[rank].move, 400);
    return list[rank].move;
}

/* --- moves --- */

/* Moves that no search chose: the one from the seed, or any, which then all cost the same. */
static Move code_random_move(RecordCodec *codec, RangeCoder *coder, const Position *pos, const Move *legal,
                             int count, int ply, Move move) {
    if (codec->key != 0) {
        const Move seeded = seeded_move(codec->key, ply, pos, legal, count);
        if (!range_code(coder, &codec->other_move, move != seeded)) return seeded;
    }
    int index = 0;
    if (coder->out != NULL)
        while (index < count - 1 && legal[index] != move) index++;
    return legal[range_code_uniform(coder, (uint32_t)index, (uint32_t)count)];
}

/* --- scores --- */

typedef struct ScoreTrail {
    int last, before_last;      /* levels of the last two plies */
    int step_last, step_before; /* how far each lay from its predecessor */
    bool has_begun;
} ScoreTrail;

/* What the chances of a score's step depend on. */
typedef struct ScoreContext {
    int stir, trend, lead, event;
} ScoreContext;

/* How much the score moved lately. */
static int stir_of(const RecordCodec *codec, const ScoreTrail *trail) {
    static const int FINE[STIR_COUNT - 1] = {0, 2, 6, 14, 30, 80},
                                       COARSE[STIR_COUNT - 1] = {0, 1, 2, 4, 8, 16};
    const int *limit = codec->is_coarse ? COARSE : FINE,
              stir = abs(trail->step_last) + abs(trail->step_before);
    int class = 0;
    while (class < STIR_COUNT - 1 && stir > limit[class]) class ++;
    return class;
}

/* Which way back to the same side's last score: each side tends to be surprised in the same direction. */
static int trend_of(const RecordCodec *codec, const ScoreTrail *trail) {
    const int way = trail->before_last - trail->last, far = codec->is_coarse ? 2 : 4;
    return way <= -far ? 0 : way < 0 ? 1 : way == 0 ? 2 : way < far ? 3 : 4;
}

/* Whose lead the last score was, and how large. */
static int lead_of(const RecordCodec *codec, const ScoreTrail *trail) {
    static const int FINE[] = {0, 8, 24, 56}, COARSE[] = {0, 2, 6, 14};
    if (!codec->is_keen) return 0;
    const int *limit = codec->is_coarse ? COARSE : FINE, lead = abs(trail->last);
    int class = 0;
    while (class < 4 && lead > limit[class]) class ++;
    return trail->last < 0 ? 4 + class : class;
}

/* Who moves next, and whether the last move took something or gives check. */
static int event_of(const RecordCodec *codec, const Position *pos) {
    if (!codec->is_keen) return 0;
    const int event = position_in_check(pos) ? 2 : pos->state.captured != NO_PIECE;
    return 3 * (pos->side == BLACK) + event;
}

static ScoreContext context_of(const RecordCodec *codec, const ScoreTrail *trail, const Position *pos) {
    return (ScoreContext){stir_of(codec, trail), trend_of(codec, trail), lead_of(codec, trail),
                          event_of(codec, pos)};
}

/* Size above 0 as an Elias gamma code: the number of its bits, then the bits below the first. */
static int code_size(RecordCodec *codec, RangeCoder *coder, const ScoreContext *at, int size) {
    AdaptiveBit *const lengths = codec->score_size[at->lead][at->stir];
    int bits = 0, length = coder->out != NULL ? bits_highest((uint64_t)size) : 0;
    while (bits < MAGNITUDE_BITS - 1 && range_code(coder, &lengths[bits], bits < length)) bits++;
    int value = 1;
    for (int i = bits - 1; i >= 0; i--) {
        AdaptiveBit *context = i == bits - 1   ? &codec->score_high[bits][0]
                               : i == bits - 2 ? &codec->score_high[bits][1]
                                               : &codec->score_low[bits];
        value = 2 * value + range_code(coder, context, size >> i & 1);
    }
    return value;
}

static const ScoreScale *scale_of(const RecordCodec *codec) {
    return codec->is_coarse ? &RECORD_SCALE_COARSE : &RECORD_SCALE_FINE;
}

static int code_level(RecordCodec *codec, RangeCoder *coder, ScoreTrail *trail, const Position *pos,
                      int level) {
    const ScoreContext at = context_of(codec, trail, pos);
    int step = level - trail->last;
    if (!range_code(coder, &codec->score_zero[at.lead][at.stir][at.trend], step != 0)) {
        step = 0;
    } else {
        AdaptiveBit *sign = &codec->score_sign[at.lead][at.event][at.stir][at.trend];
        const bool negative = range_code(coder, sign, step < 0);
        const int size = code_size(codec, coder, &at, abs(step));
        step = negative ? -size : size;
    }
    const int mate = scale_of(codec)->mate;
    level = int_clamp(trail->last + step, -mate, mate);
    *trail = (ScoreTrail){level, trail->last, step, trail->step_last, true};
    return level;
}

static int16_t code_score(RecordCodec *codec, RangeCoder *coder, ScoreTrail *trail, const Position *pos,
                          int score) {
    const int level = coder->out != NULL ? record_score_to_level(scale_of(codec), score) : 0;
    return (int16_t)record_level_to_score(scale_of(codec), code_level(codec, coder, trail, pos, level));
}

/* --- texts --- */

/* A terminated text of UTF-8, or of anything else. */
static Status code_text(RecordCodec *codec, RangeCoder *coder, char *text, size_t capacity) {
    int byte = 0;
    for (size_t i = 0; i < capacity && !coder->overrun; i++) {
        AdaptiveBit *tree = codec->text[byte % TEXT_CONTEXTS];
        byte = code_tree(coder, tree, 8, coder->out != NULL ? (uint8_t)text[i] : 0);
        text[i] = (char)byte;
        if (byte == 0) return status_ok();
    }
    return status_error("a game has a text without an end");
}

/* --- games --- */

enum { KIND_STANDARD, KIND_CHESS960, KIND_CUSTOM };

static int kind_of(const RecordedGame *game) {
    if (game->start_white == RECORD_CUSTOM_START) return KIND_CUSTOM;
    return game->start_white == 518 && game->start_black == 518 ? KIND_STANDARD : KIND_CHESS960;
}

static Status code_custom_start(RecordCodec *codec, RangeCoder *coder, RecordedGame *game) {
    char fen[FEN_CAPACITY] = {0}, seeded[FEN_CAPACITY];
    size_t length = coder->out != NULL ? fen_write(&game->start, fen) : 0;
    if (codec->key != 0) {
        seeded_few_pieces(codec->key, seeded);
        if (!range_code(coder, &codec->other_start, strcmp(fen, seeded) != 0))
            return coder->out == NULL ? recorded_start_fen(game, text_view(seeded)) : status_ok();
    }
    if (codec->described) {
        const Status status = code_text(codec, coder, fen, sizeof fen);
        return coder->out == NULL && status_is_ok(&status) ? recorded_start_fen(game, text_view(fen))
                                                           : status;
    }
    length = range_code_uniform(coder, (uint32_t)length, FEN_CAPACITY);
    for (size_t i = 0; i < length; i++) fen[i] = (char)range_code_uniform(coder, (uint8_t)fen[i], 128);
    return coder->out == NULL ? recorded_start_fen(game, (TextView){fen, length}) : status_ok();
}

static void code_chess960_start(RecordCodec *codec, RangeCoder *coder, RecordedGame *game) {
    int white = game->start_white, black = game->start_black, seeded_white = 0, seeded_black = 0;
    if (codec->key != 0) seeded_chess960(codec->key, &seeded_white, &seeded_black);
    const bool is_other = white != seeded_white || black != seeded_black;
    if (codec->key != 0 && !range_code(coder, &codec->other_start, is_other)) {
        white = seeded_white;
        black = seeded_black;
    } else {
        white = (int)range_code_uniform(coder, (uint32_t)white, 960);
        black = (int)range_code_uniform(coder, (uint32_t)black, 960);
    }
    if (coder->out == NULL) recorded_start_chess960(game, white, black);
}

static Status code_start(RecordCodec *codec, RangeCoder *coder, RecordedGame *game) {
    int kind = coder->out != NULL ? kind_of(game) : 0;
    kind = range_code(coder, &codec->kind[0], kind != KIND_STANDARD)
               ? KIND_CHESS960 + range_code(coder, &codec->kind[1], kind == KIND_CUSTOM)
               : KIND_STANDARD;
    if (kind == KIND_CUSTOM) return code_custom_start(codec, coder, game);
    if (kind == KIND_CHESS960)
        code_chess960_start(codec, coder, game);
    else if (coder->out == NULL)
        recorded_start_standard(game);
    return status_ok();
}

static uint64_t code_number(RecordCodec *codec, RangeCoder *coder, uint64_t number) {
    if (!range_code(coder, &codec->is_next, number != codec->next_number)) return codec->next_number;
    uint64_t value = 0;
    for (int shift = 48; shift >= 0; shift -= 16)
        value = value << 16 | range_code_uniform(coder, (uint32_t)(number >> shift & 0xFFFF), 1 << 16);
    return value;
}

/* Each attempt is as likely to be the last one as the others. */
static uint32_t code_attempt(RecordCodec *codec, RangeCoder *coder, uint32_t attempt) {
    uint32_t value = 1;
    while (value < ATTEMPT_MAX && !coder->overrun &&
           range_code(coder, &codec->attempt[value < ATTEMPT_CONTEXTS ? value : 0], value < attempt))
        value++;
    return value;
}

/* The numbers that the game was seeded by. */
static void code_seeded(RecordCodec *codec, RangeCoder *coder, uint64_t *number, uint32_t *attempt) {
    codec->key = 0;
    const bool is_seeded = *attempt >= 1 && *attempt <= ATTEMPT_MAX;
    if (!codec->has_seeds || !range_code(coder, &codec->is_seeded, is_seeded)) {
        *number = *attempt = 0;
        return;
    }
    *number = code_number(codec, coder, *number);
    *attempt = code_attempt(codec, coder, *attempt);
    codec->next_number = *number + 1;
    codec->key = seeded_key(codec->seed, *number, *attempt);
}

static Move code_move(RecordCodec *codec, RangeCoder *coder, const RecordedGame *game, const Position *pos,
                      Move *legal, int count, int ply) {
    const RecordPly *const now = &game->ply[ply], none = {MOVE_NONE, RECORD_NO_SCORE};
    const RecordPly *const last = ply >= 1 ? now - 1 : &none, *const own_last = ply >= 2 ? now - 2 : &none;
    if (codec->is_old && now->score != RECORD_NO_SCORE)
        return code_ranked_move(codec, coder, game, pos, legal, count, ply);
    seeded_sort_moves(legal, count);
    if (now->score == RECORD_NO_SCORE)
        return code_random_move(codec, coder, pos, legal, count, ply, now->move);
    const int rise = last->score == RECORD_NO_SCORE ? 0 : now->score - last->score;
    const MoveClues clues = {last->move, own_last->move, pos->side == WHITE ? rise : -rise};
    return movemodel_code(codec->model, coder, pos, &clues, legal, count, now->move);
}

/* What says whether a ply has a score: of a seeded game, the length of its opening, then the chance of each
 * ply. */
static AdaptiveBit *score_context(RecordCodec *codec, const RecordedGame *game, const ScoreTrail *trail,
                                  int ply) {
    if (codec->key == 0) return &codec->has_score[ply > 0 && game->ply[ply - 1].score != RECORD_NO_SCORE];
    if (trail->has_begun) return &codec->random[(int)(CHANCES * seeded_random_move_chance(codec->key, ply))];
    return &codec->opening[int_min(ply, OPENING_PLIES - 1)][seeded_is_longer(codec->key)];
}

static Status code_ply(RecordCodec *codec, RangeCoder *coder, RecordedGame *game, Position *pos, int ply,
                       ScoreTrail *trail) {
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    if (count == 0) return status_error("the game goes on after its end (ply %d)", ply);
    RecordPly *record = &game->ply[ply];
    const bool has_score = coder->out != NULL && record->score != RECORD_NO_SCORE;
    record->score = range_code(coder, score_context(codec, game, trail, ply), has_score)
                        ? code_score(codec, coder, trail, pos, record->score)
                        : RECORD_NO_SCORE;
    record->move = code_move(codec, coder, game, pos, legal, count, ply);
    Undo undo;
    position_make_move(pos, record->move, &undo);
    return status_ok();
}

/* What the block's games have besides their moves. */
static Status code_description(RecordCodec *codec, RangeCoder *coder, RecordedGame *game, const Position *pos,
                               ScoreTrail *trail) {
    const bool has_score = coder->out != NULL && game->last_score != RECORD_NO_SCORE;
    game->last_score = range_code(coder, &codec->has_score[1], has_score)
                           ? code_score(codec, coder, trail, pos, game->last_score)
                           : RECORD_NO_SCORE;
    return code_text(codec, coder, game->tags, sizeof game->tags);
}

/* On disk a result is White's half points, an end its kind. The last score mostly says which result it is. */
static Status code_outcome(RecordCodec *codec, RangeCoder *coder, RecordedGame *game, int level) {
    const bool writes = coder->out != NULL;
    const int score = record_level_to_score(scale_of(codec), level);
    const int class = score < -SCORE_CLEAR ? 1 : score > SCORE_CLEAR ? 2 : 0;
    const int points =
        code_tree(coder, codec->result[class], 2, writes ? game_half_points(game->result, WHITE) : 0);
    const int kind = code_tree(coder, codec->end[class], 2, writes ? (int)recorded_end_kind(game->end) : 0);
    if (points > 2 || kind >= END_KINDS) return status_error("a game has an impossible result");
    game->result = (GameResult)(BLACK_WINS + points);
    if (!writes) game->end = (GameEnd)kind;
    return status_ok();
}

/* Of plies: in old blocks all numbers are equally likely. */
static int code_count(RecordCodec *codec, RangeCoder *coder, int count) {
    const int low_bits = codec->is_old ? COUNT_BITS : COUNT_LOW_BITS;
    const int high =
        codec->is_old ? 0 : code_tree(coder, codec->count, COUNT_BITS - low_bits, count >> low_bits);
    const int low = (int)range_code_uniform(coder, (uint32_t)count % (1u << low_bits), 1u << low_bits);
    return (high << low_bits) + low;
}

static Status code_game(RecordCodec *codec, RangeCoder *coder, RecordedGame *game) {
    uint64_t number = game->number;
    uint32_t attempt = game->attempt;
    code_seeded(codec, coder, &number, &attempt);
    Status status = code_start(codec, coder, game);
    if (!status_is_ok(&status)) return status;
    game->number = number;
    game->attempt = attempt;
    if (codec->is_old) status = code_outcome(codec, coder, game, 0);
    if (!status_is_ok(&status)) return status;
    const int count = code_count(codec, coder, game->ply_count);
    if (count > RECORD_PLIES_MAX) return status_error("a game has an impossible header");
    Position pos = game->start;
    ScoreTrail trail = {0};
    for (int ply = 0; ply < count; ply++) {
        status = code_ply(codec, coder, game, &pos, ply, &trail);
        if (!status_is_ok(&status)) return status;
        if (coder->overrun) return status_error("a game ends in the middle");
    }
    game->ply_count = count;
    if (!codec->is_old) status = code_outcome(codec, coder, game, trail.last);
    if (status_is_ok(&status) && codec->described)
        status = code_description(codec, coder, game, &pos, &trail);
    if (!status_is_ok(&status)) return status;
    if (coder->overrun) return status_error("the block ends in the middle of a game");
    /* Until here it is a kind. */
    if (coder->out == NULL) game->end = recorded_end((EndKind)game->end, game->result, &pos);
    return status_ok();
}

void codec_encode(RecordCodec *codec, RangeCoder *coder, RecordedGame *game) {
    (void)code_game(codec, coder, game);
}

Status codec_decode(RecordCodec *codec, RangeCoder *coder, RecordedGame *game) {
    game->ply_count = 0;
    return code_game(codec, coder, game);
}
