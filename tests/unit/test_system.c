/* What system_prepare does with closed streams and limited files. */
#include "base/system.h"

#include "test_support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The first descriptor that a program gets whose streams of this set of bits are closed. */
static int first_descriptor(int closed) {
    const pid_t child = fork();
    if (child == 0) {
        char *words[] = {NULL}, **argv = words;
        int argc = 0;
        for (int stream = 0; stream < 3; stream++)
            if (closed >> stream & 1) close(stream);
        system_prepare(&argc, &argv);
        _exit(open("/dev/null", O_RDONLY));
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    return WEXITSTATUS(ended);
}

static void no_file_takes_the_place_of_a_closed_stream(void **state) {
    (void)state;
    const int usual = first_descriptor(0);
    for (int closed = 1; closed < 8; closed++) assert_int_equal(first_descriptor(closed), usual);
}

static void a_file_that_may_not_grow_kills_nobody(void **state) {
    (void)state;
    char *words[] = {NULL}, **argv = words;
    int argc = 0;
    void (*before)(int) = signal(SIGXFSZ, SIG_DFL);
    system_prepare(&argc, &argv);
    assert_true(signal(SIGXFSZ, before) == SIG_IGN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_file_takes_the_place_of_a_closed_stream),
        cmocka_unit_test(a_file_that_may_not_grow_kills_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
