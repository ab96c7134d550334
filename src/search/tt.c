#include "search/tt.h"

#include "base/bits.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

/* One cache line. Each entry is a word of data and a 16-bit check, six to a line.
 *
 * Two threads may write the same entry at once, or one read while another writes: word and check may then
 * come from different stores. All accesses are relaxed atomics, so that no word is torn, and the check holds
 * the key folded with the data (Hyatt and Mann, "A lockless transposition table"): a mixed pair reads as a
 * miss. What passes by chance (1 in 65,536 for an entry, six of which are compared, as for two positions with
 * equal keys) is harmless: moves are tested for legality before use, and few wrong scores reach the root. */
enum { ENTRIES = 6 };
struct TtBucket {
    _Atomic uint64_t data[ENTRIES];
    _Atomic uint16_t check[ENTRIES];
    uint32_t padding;
};
_Static_assert(sizeof(struct TtBucket) == 64, "a bucket is one cache line");

/* The word: move 16, score 16, eval 16, depth 8, bound 2, pv 1, generation 5 bits. */
enum { GENERATIONS = 32, DEPTH_OFFSET = 1 };

static inline uint64_t pack(Move move, int score, int eval, int depth, Bound bound, bool pv,
                            unsigned generation) {
    return (uint64_t)move | (uint64_t)(uint16_t)score << 16 | (uint64_t)(uint16_t)eval << 32 |
           (uint64_t)(uint8_t)(depth + DEPTH_OFFSET) << 48 | (uint64_t)bound << 56 | (uint64_t)pv << 58 |
           (uint64_t)generation << 59;
}
static inline Move word_move(uint64_t word) { return (Move)word; }
static inline int word_score(uint64_t word) { return (int16_t)(word >> 16); }
static inline int word_eval(uint64_t word) { return (int16_t)(word >> 32); }
static inline int word_depth(uint64_t word) { return (int)(word >> 48 & 255) - DEPTH_OFFSET; }
static inline Bound word_bound(uint64_t word) { return (Bound)(word >> 56 & 3); }
static inline bool word_pv(uint64_t word) { return (word >> 58 & 1) != 0; }
static inline unsigned word_generation(uint64_t word) { return (unsigned)(word >> 59); }

static inline uint16_t fold(uint64_t word) {
    word ^= word >> 32;
    return (uint16_t)(word ^ word >> 16);
}

static inline TtBucket *bucket_of(const TranspositionTable *table, HashKey key) {
    return &table->buckets[bits_multiply_high(key, table->bucket_count)];
}

/* Searches since the entry was written. */
static inline unsigned age(const TranspositionTable *table, uint64_t word) {
    return (table->generation - word_generation(word)) & (GENERATIONS - 1);
}

Status tt_resize(TranspositionTable *table, size_t megabytes) {
    const uint64_t physical = memory_physical();
    if (physical && megabytes > physical >> 20)
        return status_error("a hash of %zu MB does not fit into the %" PRIu64
                            " MB of memory that this machine has",
                            megabytes, physical >> 20);
    const uint64_t size = (uint64_t)megabytes << 20; /* more than a size_t of 32 bits may hold */
    const size_t count = (size_t)(size / sizeof(TtBucket));
    TtBucket *buckets = size <= SIZE_MAX / 2 ? memory_allocate_large((size_t)size) : NULL;
    if (buckets == NULL) return status_no_memory("a hash of %zu MB", megabytes);
    tt_release(table);
    *table = (TranspositionTable){.buckets = buckets, .bucket_count = count};
    return status_ok();
}

void tt_release(TranspositionTable *table) {
    if (table->buckets != NULL) memory_release_large(table->buckets, table->bucket_count * sizeof(TtBucket));
    *table = (TranspositionTable){0};
}

void tt_clear(TranspositionTable *table, int part, int parts) {
    const size_t share = table->bucket_count / (size_t)parts, first = share * (size_t)part;
    const size_t count = part == parts - 1 ? table->bucket_count - first : share;
    memset((void *)(table->buckets + first), 0, count * sizeof(TtBucket));
    if (part == 0) table->generation = 0;
}

void tt_new_search(TranspositionTable *table) {
    table->generation = (table->generation + 1) & (GENERATIONS - 1);
}

static HashKey salted(HashKey key, int halfmove_clock) {
    enum { FREE_PLIES = 24, STEP = 8 };
    if (LIKELY(halfmove_clock < FREE_PLIES)) return key;
    return key ^ (HashKey)((halfmove_clock - FREE_PLIES) / STEP + 1) * 0x9E3779B97F4A7C15u;
}

HashKey tt_key(const Position *pos) { return salted(pos->state.key, pos->state.halfmove_clock); }

void tt_prefetch(const TranspositionTable *table, HashKey key, int halfmove_clock) {
    __builtin_prefetch(bucket_of(table, salted(key, halfmove_clock)));
}

/* Mates and tablebase wins count from the root in search and from the node in the table: a node is reached at
 * many plies. */
static int score_to_table(int score, int ply) {
    if (score == SCORE_NONE) return score;
    return score >= SCORE_DECIDED ? score + ply : score <= -SCORE_DECIDED ? score - ply : score;
}

/* A mate that the fifty-move rule would cut short is only a good position. */
static int score_from_table(int score, int ply, int halfmove_clock) {
    if (score == SCORE_NONE || !score_is_decided(score)) return score;
    const int plies = (score_is_mate(score) ? SCORE_MATE : SCORE_TABLEBASE) - (score > 0 ? score : -score);
    if (plies + halfmove_clock > 100) return score > 0 ? SCORE_DECIDED - 1 : 1 - SCORE_DECIDED;
    return score > 0 ? score - ply : score + ply;
}

TtEntry tt_probe(const TranspositionTable *table, HashKey key, int ply, int halfmove_clock, TtSlot *slot) {
    TtBucket *bucket = bucket_of(table, key);
    int worst = 0, worst_worth = 1 << 20;
    *slot = (TtSlot){bucket, 0, (uint16_t)key};
    for (int i = 0; i < ENTRIES; i++) {
        const uint64_t word = atomic_load_explicit(&bucket->data[i], memory_order_relaxed);
        const uint16_t check = atomic_load_explicit(&bucket->check[i], memory_order_relaxed);
        if (word != 0 && (uint16_t)(check ^ fold(word)) == slot->key) {
            slot->index = i;
            return (TtEntry){.hit = true,
                             .pv = word_pv(word),
                             .bound = word_bound(word),
                             .move = word_move(word),
                             .score = score_from_table(word_score(word), ply, halfmove_clock),
                             .eval = word_eval(word),
                             .depth = word_depth(word)};
        }
        const int worth = word == 0 ? -1024 : word_depth(word) - 8 * (int)age(table, word);
        if (worth < worst_worth) {
            worst_worth = worth;
            worst = i;
        }
    }
    slot->index = worst;
    return TT_MISS;
}

void tt_store(const TranspositionTable *table, TtSlot slot, Move move, int score, int eval, int depth,
              Bound bound, bool pv, int ply) {
    const uint64_t old = atomic_load_explicit(&slot.bucket->data[slot.index], memory_order_relaxed);
    const uint16_t old_check = atomic_load_explicit(&slot.bucket->check[slot.index], memory_order_relaxed);
    const bool same = old != 0 && (uint16_t)(old_check ^ fold(old)) == slot.key;
    if (same) {
        if (move == MOVE_NONE) move = word_move(old);
        if (bound != BOUND_EXACT && depth + 4 + 2 * pv <= word_depth(old) && age(table, old) == 0) return;
    }
    const uint64_t word = pack(move, score_to_table(score, ply), eval, depth, bound, pv, table->generation);
    atomic_store_explicit(&slot.bucket->data[slot.index], word, memory_order_relaxed);
    atomic_store_explicit(&slot.bucket->check[slot.index], (uint16_t)(slot.key ^ fold(word)),
                          memory_order_relaxed);
}

int tt_full_permille(const TranspositionTable *table) {
    int written = 0, sampled = 0;
    for (size_t i = 0; i < table->bucket_count && sampled < 1000; i++) {
        for (int j = 0; j < ENTRIES && sampled < 1000; j++, sampled++) {
            const uint64_t word = atomic_load_explicit(&table->buckets[i].data[j], memory_order_relaxed);
            written += word != 0 && age(table, word) == 0;
        }
    }
    return sampled ? written * 1000 / sampled : 0;
}
