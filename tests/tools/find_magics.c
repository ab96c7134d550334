/* Finds multipliers for the magic bitboards of src/chess/attacks.c. Tries sparse random numbers until every
 * occupancy of the mask maps to its own slot, or shares one with an equal attack set. Prints two C tables.
 * Build: cc -O2 -Isrc -I. -o find_magics tests/tools/find_magics.c (it is not part of any other program). */
#include "base/bits.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static uint64_t rays(int square, uint64_t occupied, const int steps[4][2]) {
    uint64_t set = 0;
    for (int direction = 0; direction < 4; direction++) {
        int file = square % 8 + steps[direction][0], rank = square / 8 + steps[direction][1];
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8;
             file += steps[direction][0], rank += steps[direction][1]) {
            const uint64_t bit = (uint64_t)1 << (8 * rank + file);
            set |= bit;
            if (occupied & bit) break;
        }
    }
    return set;
}

static uint64_t edges(int square) {
    const uint64_t files = 0x8181818181818181u & ~(0x0101010101010101u << square % 8);
    const uint64_t ranks = 0xFF000000000000FFu & ~(0xFFull << square / 8 * 8);
    return files | ranks;
}

static uint64_t find(int square, const int steps[4][2], Rng *rng) {
    static uint64_t occupation[4096], attack[4096], used[4096];
    uint64_t mask = rays(square, 0, steps) & ~edges(square), subset = 0;
    int count = 0, bits = bits_count(mask);
    do {
        occupation[count] = subset;
        attack[count++] = rays(square, subset, steps);
        subset = (subset - mask) & mask;
    } while (subset);
    for (;;) {
        const uint64_t magic = rng_next(rng) & rng_next(rng) & rng_next(rng);
        if (bits_count((mask * magic) >> 56) < 6) continue;
        memset(used, 0, sizeof used);
        bool fits = true;
        for (int i = 0; i < count && fits; i++) {
            const uint64_t index = (occupation[i] * magic) >> (64 - bits);
            if (!used[index]) used[index] = attack[i];
            fits = used[index] == attack[i];
        }
        if (fits) return magic;
    }
}

int main(void) {
    static const int bishop[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}},
                     rook[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    Rng rng = rng_seed(2026);
    for (int kind = 0; kind < 2; kind++) {
        printf("static const uint64_t %s_MAGICS[SQUARE_COUNT] = {\n", kind ? "ROOK" : "BISHOP");
        for (int square = 0; square < 64; square++)
            printf("%s0x%016llXu,%s", square % 4 ? " " : "    ",
                   (unsigned long long)find(square, kind ? rook : bishop, &rng), square % 4 == 3 ? "\n" : "");
        printf("};\n\n");
    }
    return 0;
}
