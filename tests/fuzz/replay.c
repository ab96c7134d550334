/* Runs a fuzzer without libFuzzer and prints TAP: one test case for each named file (the corpus and inputs
 * that once failed), then, unless the first argument is --files-only, generated inputs with a fixed seed. A
 * crash is a failure of the current input; a generated one is saved in PROGRAM.input. */
#include "base/file.h"
#include "fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

enum { POOL = 64, VARIATIONS = 4, LEAST_SHARE = 50 /* percent: most must get past the parser */ };

/* The inputs that new ones are made from: first the corpus, which new inputs gradually replace. */
typedef struct Pool {
    TextBuffer input[POOL];
    int count;
} Pool;

static void add(Pool *pool, Rng *rng, const TextBuffer *input) {
    TextBuffer *const place =
        &pool->input[pool->count < POOL ? (uint64_t)pool->count++ : rng_below(rng, POOL)];
    buffer_clear(place);
    buffer_append(place, buffer_view(input));
}

/* For the signal handler: the current input, and the file for it. */
static const TextBuffer *current;
static char input_path[512];

static void keep_input(int signal_number) {
    const int handle = open(input_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (current == NULL || handle < 0 || write(handle, current->data, current->length) < 0) _exit(1);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static bool run_file(Pool *pool, const char *path, int number) {
    TextBuffer content = {0};
    Rng rng = rng_seed((uint64_t)number);
    Status status = file_read(path, &content);
    if (status_is_ok(&status)) {
        printf("# %s\n", path);
        fuzz_input((const uint8_t *)buffer_string(&content), content.length);
        printf("ok %d - %s\n", number, path);
        add(pool, &rng, &content);
    } else {
        printf("not ok %d - %s\n", number, status.reason);
    }
    buffer_release(&content);
    return status_is_ok(&status);
}

static bool run_variations(Pool *pool, int number) {
    Rng rng = rng_seed(1);
    int accepted = 0;
    printf("# generated inputs\n");
    for (int i = 0; i < FUZZ_SHORT_RUN; i++) {
        TextBuffer input = {0}, next = {0};
        if (pool->count > 0)
            buffer_append(&input, buffer_view(&pool->input[rng_below(&rng, (uint64_t)pool->count)]));
        for (int left = 1 + (int)rng_below(&rng, VARIATIONS); left > 0; left--) {
            buffer_clear(&next);
            fuzz_vary(buffer_view(&input), &rng, &next);
            const TextBuffer swap = input;
            input = next;
            next = swap;
        }
        current = &input;
        accepted += fuzz_input((const uint8_t *)buffer_string(&input), input.length);
        current = NULL;
        add(pool, &rng, &input);
        buffer_release(&input);
        buffer_release(&next);
    }
    const int share = 100 * accepted / FUZZ_SHORT_RUN;
    const bool good = share >= LEAST_SHARE;
    printf("%s %d - %d inputs of our own, %d %% of which got past the parser\n", good ? "ok" : "not ok",
           number, FUZZ_SHORT_RUN, share);
    return good;
}

int main(int argc, char **argv) {
    static Pool pool;
    const bool files_only = argc > 1 && strcmp(argv[1], "--files-only") == 0;
    const int first = files_only ? 2 : 1, files = argc - first;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("1..%d\n", files + !files_only);
    text_format(input_path, sizeof input_path, "%s.input", argv[0]);
    signal(SIGABRT, keep_input);
    signal(SIGSEGV, keep_input);
    fuzz_begin();
    fuzz_input((const uint8_t *)"", 0);
    bool good = true;
    for (int i = 0; i < files; i++) good &= run_file(&pool, argv[first + i], i + 1);
    if (!files_only) good &= run_variations(&pool, files + 1);
    for (int i = 0; i < pool.count; i++) buffer_release(&pool.input[i]);
    return !good;
}
