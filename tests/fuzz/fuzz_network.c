/* Network files: any bytes are refused with a reason, or are a network that is written back byte for byte.
 * The checksum is put right first where the first byte is even. */
#include "fuzz.h"

#include "nnue/network.h"

static void repair(uint8_t *file, size_t size) {
    if (size < NETWORK_HEADER_SIZE) return;
    uint64_t hash = 0xCBF29CE484222325u;
    memset(file + NETWORK_HASH_OFFSET, 0, 8);
    for (size_t i = 0; i < size; i++) hash = (hash ^ file[i]) * 0x100000001B3u;
    for (int i = 0; i < 8; i++) file[NETWORK_HASH_OFFSET + i] = (uint8_t)(hash >> (8 * i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    uint8_t *file = malloc(size);
    if (file == NULL) return 0;
    memcpy(file, data + 1, size - 1);
    if (data[0] % 2 == 0) repair(file, size - 1);
    Status status = status_ok();
    Network *network = network_parse(file, size - 1, &status);
    FUZZ_CHECK((network != NULL) == status_is_ok(&status));
    if (network != NULL) {
        TextBuffer written = {0};
        network_serialise(network, &written);
        FUZZ_CHECK(written.failed ||
                   (written.length == size - 1 && memcmp(written.data, file, size - 1) == 0));
        buffer_release(&written);
        network_destroy(network);
    }
    free(file);
    return 0;
}
