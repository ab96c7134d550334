#include "base/nearest.h"

#include <string.h>

enum { LENGTH_MAX = 48 }; /* of names and words; longer ones are never near */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static bool is_same(char a, char b) {
    return text_equals_ignore_case((TextView){&a, 1}, (const char[]){b, '\0'});
}

/* Keeps three rows of the table of distances between the first i letters of the word and j of the name. */
static size_t distance_between(TextView word, TextView name) {
    size_t row[3][LENGTH_MAX + 1];
    for (size_t j = 0; j <= name.length; j++) row[0][j] = j;
    for (size_t i = 1; i <= word.length; i++) {
        size_t *now = row[i % 3];
        const size_t *above = row[(i + 2) % 3], *two_above = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= name.length; j++) {
            const bool same = is_same(word.data[i - 1], name.data[j - 1]);
            now[j] = least(above[j - 1] + !same, least(above[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && is_same(word.data[i - 1], name.data[j - 2]) &&
                is_same(word.data[i - 2], name.data[j - 1]))
                now[j] = least(now[j], two_above[j - 2] + 1);
        }
    }
    return row[word.length % 3][name.length];
}

Nearest nearest_to(TextView word) { return (Nearest){.word = word, .distance = 2 + word.length / 4}; }

void nearest_consider(Nearest *nearest, const char *name) {
    enum { BEGINNING_MIN = 3 };
    TextView word = nearest->word, whole = text_view(name);
    if (word.length == 0 || word.length > LENGTH_MAX || whole.length > LENGTH_MAX) return;
    const bool is_beginning = word.length >= BEGINNING_MIN && whole.length > word.length &&
                              memcmp(word.data, whole.data, word.length) == 0;
    const size_t distance = is_beginning ? 1 : distance_between(word, whole);
    if (distance >= nearest->distance || distance >= whole.length) return;
    nearest->name = name;
    nearest->distance = distance;
}
