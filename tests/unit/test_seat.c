/* An engine on its seat: kept, started again when it is broken, replaced by another. */
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

typedef struct Study {
    SeatGroup group;
    atomic_int ready[3]; /* tasks that found engine i ready */
} Study;

static Status use_all_engines(void *context, int thread, int64_t index) {
    Study *study = context;
    (void)index;
    for (int engine = 0; engine < 3; engine++) {
        Status status;
        Seat *seat = seat_group_take(&study->group, thread, engine, &status);
        if (seat == NULL) return status;
        char detail[FAULT_DETAIL_CAPACITY];
        atomic_fetch_add(&study->ready[engine], uci_client_new_game(seat->client, detail) == FAULT_NONE);
    }
    return status_ok();
}

static void test_each_thread_of_a_group_has_its_own_engines(void **state) {
    (void)state;
    char path[] = "/tmp/luft-seats-XXXXXX";
    const int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    static EngineConfig engines[2], referee;
    set_up(&engines[0], "First", path);
    set_up(&engines[1], "Second", path);
    set_up(&referee, "Referee", path);
    const EngineList list = {.engines = engines, .count = 2};
    static Study study;
    study.group = (SeatGroup){.engines = &list, .referee = &referee, .threads = 2};
    assert_ok(seat_group_begin(&study.group));
    assert_int_equal(file_size(path), 6); /* two threads, three engines */
    assert_ok(seat_group_run(&study.group, "tasks", 10, true, use_all_engines, &study));
    for (int engine = 0; engine < 3; engine++) assert_int_equal(study.ready[engine], 10);
    assert_int_equal(file_size(path), 6);
    seat_group_end(&study.group);
    assert_null(study.group.seats);
    unlink(path);
}

static void test_a_group_does_not_begin_with_a_missing_engine(void **state) {
    (void)state;
    static EngineConfig config;
    shell_engine_set_up(&config, "Gone", "e2e4", SHELL_PLAY);
    text_copy(text_view("/nonexistent/engine"), config.command, sizeof config.command);
    const EngineList list = {.engines = &config, .count = 1};
    SeatGroup group = {.engines = &list, .threads = 1};
    assert_fails(seat_group_begin(&group), "/nonexistent/engine");
    seat_group_end(&group);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_an_engine_is_kept_until_it_is_broken),
                                       cmocka_unit_test(test_three_attempts_are_reported),
                                       cmocka_unit_test(test_each_thread_of_a_group_has_its_own_engines),
                                       cmocka_unit_test(test_a_group_does_not_begin_with_a_missing_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
