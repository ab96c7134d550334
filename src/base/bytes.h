/* Numbers in files, little-endian on every machine, and a checksum. Any thread may call. */
#ifndef LUFT_BASE_BYTES_H
#define LUFT_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Reads a number of `size` bytes, 1 to 8. */
static inline uint64_t bytes_get(const uint8_t *bytes, int size) {
    uint64_t number = 0;
    for (int i = size - 1; i >= 0; i--) number = number << 8 | bytes[i];
    return number;
}

/* Writes the low `size` bytes of the number, 1 to 8. */
static inline void bytes_put(uint8_t *bytes, uint64_t number, int size) {
    for (int i = 0; i < size; i++) bytes[i] = (uint8_t)(number >> (8 * i));
}

/* FNV-1a (Fowler, Noll, Vo 1991), 64 bits. A checksum, not safe against deliberate collisions.
 * bytes_hash_more continues a hash. */
static inline uint64_t bytes_hash_more(uint64_t hash, const void *data, size_t size) {
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
    return hash;
}
static inline uint64_t bytes_hash(const void *data, size_t size) {
    return bytes_hash_more(0xCBF29CE484222325u, data, size);
}

#endif
