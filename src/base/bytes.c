#include "base/bytes.h"

uint64_t bytes_hash(const void *data, size_t size) {
    return bytes_hash_more(0xCBF29CE484222325u, data, size);
}

uint64_t bytes_hash_more(uint64_t hash, const void *data, size_t size) {
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
    return hash;
}
