/* What lasts of a study: the same tree again from its journal, and rows in a store. */
#include "lab/study/record.h"

#include "store/sqlite.h"
#include "test_support.h"

#include <stdio.h>
#include <unistd.h>

enum { WORKERS = 5, TASKS = 150 };

static char folder[200], name[256];
static const char POSITION[] = "fen 4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1";

static int set_up(void **state) {
    snprintf(folder, sizeof folder, "%s/luft_study_XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL) return -1;
    snprintf(name, sizeof name, "%s/a", folder);
    return test_set_up_chess(state);
}

static void remove_files(void) {
    static const char *const ENDINGS[] = {".study", ".store", ".study.old", ".store.old"};
    char path[300];
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s%s", name, ENDINGS[i]);
        unlink(path);
    }
}

static int tear_down(void **state) {
    (void)state;
    remove_files();
    return rmdir(folder);
}

static bool has_sqlite(void) {
    Sqlite sqlite;
    const Status status = sqlite_load(&sqlite);
    sqlite_unload(&sqlite);
    return status_is_ok(&status);
}

static Status open_record(Record *record, StudyTree *tree, bool has_store, bool again) {
    Position root;
    assert_ok(fen_parse(&root, text_view(POSITION + 4), false));
    assert_ok(study_tree_begin(tree, &root));
    const RecordPlan plan = {.name = name, .no_store = !has_store, .again = again, .position = POSITION};
    return record_open(record, &plan, tree);
}

/* A legal move of those that the task is about, with a score that the position decides. */
static Finding search(const StudyTree *tree, const Task *task) {
    Finding finding = {.score = -SCORE_INFINITE, .depth = 5, .nodes = 100, .count = 1};
    Move moves[MAX_MOVES];
    Position pos;
    study_tree_position(tree, task->node, &pos);
    const int count = movegen_legal(&pos, moves);
    for (int i = 0; i < count; i++) {
        if (task->kind == TASK_REST && study_tree_child(tree, task->node, moves[i]) != TREE_NONE) continue;
        Rng rng = rng_stream(pos.state.key, moves[i]);
        const int score = (int)rng_below(&rng, 100) - 50;
        if (score <= finding.score) continue;
        finding.score = score;
        finding.line[0] = moves[i];
    }
    return finding;
}

static void grow(Record *record, StudyTree *tree, uint64_t seed) {
    Rng rng = rng_stream(seed, 7);
    Task tasks[WORKERS];
    int busy = 0;
    for (int done = 0; done < TASKS;) {
        const int known = tree->count;
        while (busy < WORKERS && done + busy < TASKS && study_tree_choose(tree, 0, &tasks[busy])) busy++;
        record_add_known(record, known);
        const int which = (int)rng_below(&rng, (uint64_t)busy);
        const Finding finding = search(tree, &tasks[which]);
        bool counts;
        assert_ok(record_add(record, &tasks[which], &finding, "local", 10, &counts));
        assert_true(counts);
        assert_ok(record_commit(record));
        /* The same answer again, as from a worker that was given up. */
        assert_ok(record_add(record, &tasks[which], &finding, "local", 10, &counts));
        assert_false(counts);
        tasks[which] = tasks[--busy];
        done++;
    }
}

static int find(const StudyTree *tree, const StudyTree *other, int node) {
    Move path[TREE_PLY_MAX];
    const int length = study_tree_path(other, node, path);
    int found = TREE_ROOT;
    for (int i = 0; i < length && found != TREE_NONE; i++) found = study_tree_child(tree, found, path[i]);
    return found;
}

static void test_the_journal_makes_the_same_tree(void **state) {
    (void)state;
    Record record, again;
    StudyTree tree, copy;
    remove_files();
    assert_ok(open_record(&record, &tree, false, false));
    assert_ok(record_set_engine(&record, "Toy 1.0", "e2e4 +0.10 20"));
    tree.workers = WORKERS;
    grow(&record, &tree, 1);
    line_journal_close(&record.journal); /* all that a kill leaves is the file */
    assert_ok(open_record(&again, &copy, false, false));
    assert_int_equal(again.tasks, TASKS);
    assert_string_equal(again.engine, "Toy 1.0");
    assert_string_equal(again.source.version, "1.0");
    assert_int_equal(record_nodes(&again), 100 * TASKS);
    int searched = 0;
    for (int i = 0; i < tree.count; i++) {
        const int twin = find(&copy, &tree, i);
        if (!tree.nodes[i].has_own && !tree.nodes[i].ended) continue;
        assert_int_not_equal(twin, TREE_NONE);
        assert_int_equal(copy.nodes[twin].own.score, tree.nodes[i].own.score);
        assert_int_equal(copy.nodes[twin].own_units, tree.nodes[i].own_units);
        assert_int_equal(copy.nodes[twin].score, tree.nodes[i].score);
        assert_int_equal(copy.nodes[twin].effort, tree.nodes[i].effort);
        assert_int_equal(copy.nodes[twin].rest_tasks, tree.nodes[i].rest_tasks);
        searched++;
    }
    assert_true(searched > TASKS / 3);
    grow(&again, &copy, 2);
    assert_int_equal(again.tasks, 2 * TASKS);
    record_close(&again);
    record_close(&record);
    study_tree_release(&tree);
    study_tree_release(&copy);
}

static void test_another_position_is_refused(void **state) {
    (void)state;
    Record record;
    StudyTree tree;
    remove_files();
    assert_ok(open_record(&record, &tree, false, false));
    record_close(&record);
    const RecordPlan plan = {.name = name, .no_store = true, .position = "fen other"};
    assert_fails(record_open(&record, &plan, &tree), "another name begins another study");
    record_close(&record);
    study_tree_release(&tree);
}

/* Each line that makes no sense is noticed; a torn one at the end is no fault. */
static void test_a_damaged_journal_is_refused(void **state) {
    (void)state;
    static const char *const LINES[] = {"task\tposition\te2e5\t\t10 5 100 e7e6\tlocal\t5\n",
                                        "task\tposition\t\t\t10 5 100 e7e5\tlocal\t5\n",
                                        "task\tposition\t\t\t10 5\tlocal\t5\n",
                                        "task\trest\t\te2e4\t10 5 100 e2e4\tlocal\t5\n",
                                        "task\tall\t\t\t10 5 100 e2e4\tlocal\t5\n",
                                        "known\te2e4 e2e4\n",
                                        "nonsense\n"};
    Record record;
    StudyTree tree;
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        TextBuffer line = {0};
        remove_files();
        assert_ok(open_record(&record, &tree, false, false));
        buffer_append_string(&line, LINES[i]);
        assert_ok(line_journal_add(&record.journal, &line));
        record_close(&record);
        study_tree_release(&tree);
        assert_fails(open_record(&record, &tree, false, false), "damaged");
        record_close(&record);
        study_tree_release(&tree);
        buffer_release(&line);
    }
}

static void test_what_the_store_knows_is_no_task(void **state) {
    (void)state;
    if (!has_sqlite()) skip();
    Record record;
    StudyTree tree;
    Finding finding;
    remove_files();
    assert_ok(open_record(&record, &tree, true, false));
    assert_ok(record_set_engine(&record, "Toy 1.0", "e2e4 +0.10 20"));
    grow(&record, &tree, 3);
    record_close(&record);
    study_tree_release(&tree);
    char path[300];
    snprintf(path, sizeof path, "%s.study", name);
    unlink(path); /* another study with this store */
    assert_ok(open_record(&record, &tree, true, false));
    const Task task = {TREE_ROOT, TASK_OWN, 0, 1};
    assert_false(record_find(&record, &task, 100, &finding)); /* from whom is not known yet */
    assert_ok(record_set_engine(&record, "Toy 1.0", "e2e4 +0.10 20"));
    assert_true(record_find(&record, &task, 100, &finding));
    assert_int_equal(finding.score, search(&tree, &task).score);
    assert_false(record_find(&record, &task, 1000, &finding));
    assert_ok(record_set_engine(&record, "Toy 1.0", "d2d4 +0.10 20"));
    assert_false(record_find(&record, &task, 100, &finding)); /* another network */
    record_close(&record);
    study_tree_release(&tree);
    assert_ok(open_record(&record, &tree, true, true)); /* again: nothing of it is left */
    assert_ok(record_set_engine(&record, "Toy 1.0", "e2e4 +0.10 20"));
    assert_false(record_find(&record, &task, 100, &finding));
    record_close(&record);
    study_tree_release(&tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_journal_makes_the_same_tree),
        cmocka_unit_test(test_another_position_is_refused),
        cmocka_unit_test(test_a_damaged_journal_is_refused),
        cmocka_unit_test(test_what_the_store_knows_is_no_task),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
