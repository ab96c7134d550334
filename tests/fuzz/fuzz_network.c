/* Network files: any bytes are refused with a reason, or are a network that is written back byte for byte.
 * The checksum is put right first where the first byte is even. */
#include "base/bytes.h"
#include "fuzz.h"
#include "nnue/network.h"

static void repair(uint8_t *file, size_t size) {
    if (size < NETWORK_HEADER_SIZE) return;
    memset(file + NETWORK_HASH_OFFSET, 0, 8);
    bytes_put(file + NETWORK_HASH_OFFSET, bytes_hash(file, size), 8);
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
