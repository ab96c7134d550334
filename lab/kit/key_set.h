/* A set of 64-bit keys. One thread at a time changes it; any number may ask while none does. */
#ifndef LUFT_KIT_KEY_SET_H
#define LUFT_KIT_KEY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An open hash table: 0 is an empty place, so the key 0 counts as 1. Start from {0}. */
typedef struct KeySet {
    uint64_t *keys;
    size_t count, capacity; /* the capacity is a power of two, at least twice the count */
} KeySet;

/* Makes room for `more` keys; false when memory is refused. */
bool key_set_reserve(KeySet *set, size_t more);

/* Adds a key, for which there must be room; whether it is new. */
bool key_set_add(KeySet *set, uint64_t key);

bool key_set_has(const KeySet *set, uint64_t key);
void key_set_release(KeySet *set);

#endif
