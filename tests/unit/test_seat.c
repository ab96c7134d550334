/* An engine of a match: kept, restarted when it fails, replaced by another. */
#include "lab/client/seat.h"

#include "base/file.h"
#include "shell_engine.h"
#include "test_support.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Heard {
    int count;
    char last[512];
} Heard;

static void hear(void *context, const char *text) {
    Heard *heard = context;
    heard->count++;
    text_copy(text_view(text), heard->last, sizeof heard->last);
}

/* An engine that writes a byte to the file each time it is started. */
static void set_up(EngineConfig *config, const char *name, const char *file) {
    shell_engine_set_up(config, name, "e2e4", SHELL_PLAY);
    text_format(config->arguments[4], ENGINE_ARGUMENT_CAPACITY, "printf x >>%s; eval \"$0$1\"", file);
}

static void test_an_engine_is_kept_until_it_is_broken(void **state) {
    (void)state;
    char path[] = "/tmp/luft-seat-XXXXXX";
    const int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    static EngineConfig first, second;
    set_up(&first, "First", path);
    set_up(&second, "Second", path);
    Seat seat = {0};
    UciClientOptions options = {.config = &first};
    assert_ok(seat_take(&seat, &options, NULL));
    assert_ok(seat_take(&seat, &options, NULL));
    assert_int_equal(file_size(path), 1);
    seat.broken = true;
    assert_ok(seat_take(&seat, &options, NULL));
    assert_false(seat.broken);
    assert_int_equal(file_size(path), 2);
    first.restart = true; /* a new process for every game */
    assert_ok(seat_take(&seat, &options, NULL));
    assert_int_equal(file_size(path), 3);
    options.config = &second;
    assert_ok(seat_take(&seat, &options, NULL));
    assert_ptr_equal(seat.engine, &second);
    assert_int_equal(file_size(path), 4);
    seat_leave(&seat);
    assert_null(seat.client);
    seat_leave(&seat);
    unlink(path);
}

static void test_three_attempts_are_reported(void **state) {
    (void)state;
    static EngineConfig config;
    shell_engine_set_up(&config, "Gone", "e2e4", SHELL_PLAY);
    text_copy(text_view("/nonexistent/engine"), config.command, sizeof config.command);
    Seat seat = {0};
    Heard heard = {0};
    UciClientOptions options = {.config = &config};
    assert_fails(seat_start(&seat, &options), "/nonexistent/engine");
    assert_fails(seat_take(&seat, &options, &(SeatListener){&heard, hear}), "/nonexistent/engine");
    assert_int_equal(heard.count, SEAT_ATTEMPTS);
    assert_non_null(strstr(heard.last, "start 3 of 3 failed"));
    seat_leave(&seat);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_an_engine_is_kept_until_it_is_broken),
                                       cmocka_unit_test(test_three_attempts_are_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
