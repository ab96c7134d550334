/* Feeds a fuzzer's function with the files named, one test case each, reported in TAP: the corpus and all
 * inputs that were once trouble, without libFuzzer. A crash is a failure of the file last begun. */
#include "base/file.h"
#include "fuzz.h"

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("1..%d\n", argc > 1 ? argc - 1 : 1);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    if (argc == 1) printf("ok 1 - no input at all\n");
    for (int i = 1; i < argc; i++) {
        TextBuffer content = {0};
        Status status = file_read(argv[i], &content);
        if (!status_is_ok(&status)) {
            printf("not ok %d - %s\n", i, status.reason);
            continue;
        }
        printf("# %s\n", argv[i]);
        LLVMFuzzerTestOneInput((const uint8_t *)buffer_string(&content), content.length);
        printf("ok %d - %s\n", i, argv[i]);
        buffer_release(&content);
    }
    return 0;
}
