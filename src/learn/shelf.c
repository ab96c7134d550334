#include "learn/shelf.h"

#include <stddef.h>

#ifdef __wasm__

bool shelf_lesson(int index, const char **name, TextView *text) {
    (void)index;
    (void)name;
    (void)text;
    return false;
}

#else

#include "nnue/embed.h"

#define LESSON(id, name) EMBED(lesson_##id, "lessons/" name ".txt");
#include "learn/lessons.def"

bool shelf_lesson(int index, const char **name, TextView *text) {
    static const struct {
        const char *name;
        const uint8_t *bytes;
        const uint32_t *size;
    } LESSONS[] = {
#define LESSON(id, name) {name, luft_lesson_##id##_bytes, &luft_lesson_##id##_size},
#include "learn/lessons.def"
    };
    if (index < 0 || index >= (int)(sizeof LESSONS / sizeof *LESSONS)) return false;
    *name = LESSONS[index].name;
    *text = (TextView){(const char *)LESSONS[index].bytes, *LESSONS[index].size};
    return true;
}

#endif
