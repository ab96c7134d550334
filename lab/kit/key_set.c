#include "lab/kit/key_set.h"

#include "base/memory.h"

enum { FIRST_CAPACITY = 1024 };

/* The place of a key, or the empty one where it would be. */
static uint64_t *find(const KeySet *set, uint64_t key) {
    const size_t mask = set->capacity - 1;
    size_t at = (size_t)key & mask;
    while (set->keys[at] != 0 && set->keys[at] != key) at = (at + 1) & mask;
    return &set->keys[at];
}

static uint64_t usable(uint64_t key) { return key != 0 ? key : 1; }

bool key_set_reserve(KeySet *set, size_t more) {
    size_t capacity = set->capacity > 0 ? set->capacity : FIRST_CAPACITY;
    while (capacity < 2 * (set->count + more)) capacity *= 2;
    if (capacity == set->capacity) return true;
    KeySet larger = {memory_allocate(capacity * sizeof *larger.keys), set->count, capacity};
    if (larger.keys == NULL) return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->keys[i] != 0) *find(&larger, set->keys[i]) = set->keys[i];
    memory_release(set->keys);
    *set = larger;
    return true;
}

bool key_set_add(KeySet *set, uint64_t key) {
    uint64_t *place = find(set, usable(key));
    if (*place != 0) return false;
    *place = usable(key);
    set->count++;
    return true;
}

bool key_set_has(const KeySet *set, uint64_t key) {
    return set->capacity > 0 && *find(set, usable(key)) != 0;
}

void key_set_release(KeySet *set) {
    memory_release(set->keys);
    *set = (KeySet){0};
}
