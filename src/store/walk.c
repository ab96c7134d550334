#include "store/walk.h"

#include "base/bits.h"
#include "base/memory.h"
#include "store/row.h"

#include <stddef.h>
#include <string.h>

enum { NONE = -1 };

/* Most of a Position is its history, which no node needs. */
enum { KEPT = offsetof(Position, keys) };

typedef struct Node {
    uint64_t mark;
    int next; /* of the same worth */
    _Alignas(Position) char position[KEPT];
} Node;

struct Walk {
    Node *nodes;
    HashKey *known; /* by hash, 0: free; more than twice as many as nodes */
    size_t known_size;
    int count, most;
    int best; /* no node has a greater worth */
    int first[WALK_WORTH_MAX + 1];
};

static HashKey name_of(const Position *pos) {
    const HashKey clock = (HashKey)row_clock_of(pos->state.halfmove_clock);
    const HashKey key = pos->state.key ^ clock * 0x9E3779B97F4A7C15u;
    return key != 0 ? key : 1;
}

static HashKey *place_of(const Walk *walk, HashKey key) {
    size_t place = (size_t)bits_multiply_high(key, walk->known_size);
    while (walk->known[place] != 0 && walk->known[place] != key) place = (place + 1) % walk->known_size;
    return &walk->known[place];
}

Walk *walk_create(const Position *root, int most) {
    Walk *walk = memory_allocate(sizeof *walk);
    if (walk == NULL) return NULL;
    walk->most = most;
    walk->known_size = (size_t)most * 2 + 1;
    walk->known = memory_allocate(walk->known_size * sizeof *walk->known);
    walk->nodes = memory_allocate((size_t)most * sizeof *walk->nodes);
    if (walk->known == NULL || walk->nodes == NULL) {
        walk_destroy(walk);
        return NULL;
    }
    for (int i = 0; i <= WALK_WORTH_MAX; i++) walk->first[i] = NONE;
    walk_add(walk, root, WALK_WORTH_MAX, 0);
    return walk;
}

void walk_destroy(Walk *walk) {
    if (walk == NULL) return;
    memory_release(walk->known);
    memory_release(walk->nodes);
    memory_release(walk);
}

bool walk_knows(const Walk *walk, const Position *pos) { return *place_of(walk, name_of(pos)) != 0; }

void walk_add(Walk *walk, const Position *pos, int worth, uint64_t mark) {
    const int list = int_clamp(worth, 0, WALK_WORTH_MAX);
    HashKey *known = place_of(walk, name_of(pos));
    if (*known != 0 || walk->count == walk->most) return;
    *known = name_of(pos);
    Node *node = &walk->nodes[walk->count];
    node->mark = mark;
    node->next = walk->first[list];
    memcpy(node->position, pos, KEPT);
    walk->first[list] = walk->count++;
    walk->best = int_max(walk->best, list);
}

bool walk_take(Walk *walk, Position *pos, uint64_t *mark) {
    while (walk->best > 0 && walk->first[walk->best] == NONE) walk->best--;
    const int index = walk->first[walk->best];
    if (index == NONE) return false;
    const Node *node = &walk->nodes[index];
    walk->first[walk->best] = node->next;
    memcpy(pos, node->position, KEPT);
    *mark = node->mark;
    return true;
}
