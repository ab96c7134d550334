/* The tree of a study: what it chooses, what a result changes, and that it can be carried on. */
#include "lab/study/study_tree.h"

#include "test_support.h"

#include <math.h>

enum { WORKERS = 7, TASKS = 400 };

static void begin(StudyTree *tree, const char *fen) {
    Position root;
    assert_ok(fen_parse(&root, text_view(fen), false));
    assert_ok(study_tree_begin(tree, &root));
}

/* An engine: material after each move and a little chance, the best move of those allowed. */
static Finding search(const StudyTree *tree, const Task *task) {
    static const int VALUES[] = {114, 330, 340, 550, 1000, 0};
    Finding finding = {.score = -SCORE_INFINITE, .depth = 2, .nodes = 1000, .count = 1};
    Move moves[MAX_MOVES];
    Position pos;
    study_tree_position(tree, task->node, &pos);
    const int count = movegen_legal(&pos, moves);
    for (int i = 0; i < count; i++) {
        if (task->kind == TASK_REST && study_tree_child(tree, task->node, moves[i]) != TREE_NONE) continue;
        Position after = pos;
        Undo undo;
        position_make_move(&after, moves[i], &undo);
        Rng rng = rng_stream(after.state.key, 1);
        int score = (int)rng_below(&rng, 120) - 60;
        for (int type = PAWN; type < KING; type++)
            score += VALUES[type] * (bits_count(position_pieces(&after, pos.side, (PieceType)type)) -
                                     bits_count(position_pieces(&after, after.side, (PieceType)type)));
        if (game_end(&after) == CHECKMATE) score = score_mate_in(1);
        if (score <= finding.score) continue;
        finding.score = score;
        finding.line[0] = moves[i];
    }
    return finding;
}

static void do_task(StudyTree *tree, const Task *task) {
    const Finding finding = search(tree, task);
    assert_true(study_tree_report(tree, task, &finding));
}

static void grow(StudyTree *tree, int tasks) {
    Task task;
    for (int i = 0; i < tasks && study_tree_choose(tree, 0, &task); i++) do_task(tree, &task);
}

/* What a node is worth by its definition. */
static int minimax(const StudyTree *tree, int number) {
    const TreeNode *node = &tree->nodes[number];
    if (node->ended || !node->has_own) return node->score;
    int best = -SCORE_INFINITE;
    if (node->children < node->legal) best = node->has_rest ? node->rest.score : node->prior;
    for (int i = node->first_child; i != TREE_NONE; i = tree->nodes[i].next) {
        const int score = finding_score_before(minimax(tree, i));
        if (score > best) best = score;
    }
    return best;
}

static void test_scores_keep_their_order(void **state) {
    (void)state;
    assert_true(fabs(finding_expect(0) - 0.5) < 1e-9);
    assert_true(fabs(finding_expect(SCORE_UNITS_PER_PAWN) - 0.75) < 0.001);
    for (int score = -500; score <= 500; score += 50)
        assert_in_range(finding_score_of(finding_expect(score)) - score + 1, 0, 2);
    assert_int_equal(finding_score_before(score_mated_in(2)), score_mate_in(3));
    assert_int_equal(finding_score_before(score_mate_in(3)), score_mated_in(4));
    assert_int_equal(finding_score_before(40), -40);
}

static void test_the_first_tasks_follow_the_best_line(void **state) {
    (void)state;
    StudyTree tree;
    Task task;
    begin(&tree, FEN_START);
    assert_true(study_tree_choose(&tree, 0, &task));
    assert_int_equal(task.node, TREE_ROOT);
    assert_int_equal(task.kind, TASK_OWN);
    Task none;
    assert_false(study_tree_choose(&tree, 0, &none)); /* nothing else can be done before the first answer */
    const Finding first = search(&tree, &task);
    assert_true(study_tree_report(&tree, &task, &first));
    assert_int_equal(study_tree_best_move(&tree), first.line[0]);
    assert_int_equal(tree.nodes[TREE_ROOT].score, first.score);
    assert_true(study_tree_choose(&tree, 0, &task)); /* its best move */
    assert_int_equal(task.kind, TASK_OWN);
    assert_int_equal(tree.nodes[task.node].move, first.line[0]);
    assert_true(study_tree_choose(&tree, 0, &none)); /* meanwhile, the moves next to it */
    assert_int_equal(none.node, TREE_ROOT);
    assert_int_equal(none.kind, TASK_REST);
    const Finding second = search(&tree, &none);
    assert_int_not_equal(second.line[0], first.line[0]);
    study_tree_release(&tree);
}

/* Values and efforts are what they mean, however many workers there are and in whatever order they answer. */
static void test_values_and_efforts_agree(void **state) {
    (void)state;
    Rng rng = rng_stream(5, 5);
    StudyTree tree;
    Task tasks[WORKERS];
    int busy = 0, done = 0;
    begin(&tree, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    while (done < TASKS) {
        while (busy < WORKERS && study_tree_choose(&tree, 0, &tasks[busy])) busy++;
        assert_true(busy > 0);
        const int which = (int)rng_below(&rng, (uint64_t)busy);
        if (rng_below(&rng, 10) == 0) {
            study_tree_give_back(&tree, &tasks[which]); /* a worker has died */
        } else {
            do_task(&tree, &tasks[which]);
            done++;
        }
        tasks[which] = tasks[--busy];
        assert_int_equal(tree.nodes[TREE_ROOT].score, minimax(&tree, TREE_ROOT));
    }
    while (busy > 0) study_tree_give_back(&tree, &tasks[--busy]);
    for (int i = 0; i < tree.count; i++) {
        const TreeNode *node = &tree.nodes[i];
        int effort = node->rest_tasks + (node->has_own || node->ended);
        for (int child = node->first_child; child != TREE_NONE; child = tree.nodes[child].next)
            effort += tree.nodes[child].effort;
        assert_int_equal(node->effort, effort);
        assert_int_equal(node->score, minimax(&tree, i));
        assert_true(node->damped >= 0 && node->damped <= 1);
        assert_true(!node->own_pending && !node->rest_pending);
    }
    study_tree_release(&tree);
}

static void test_effort_goes_where_the_game_is_decided(void **state) {
    (void)state;
    StudyTree tree;
    begin(&tree, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    grow(&tree, TASKS);
    int children[8];
    const int count = study_tree_rank(&tree, TREE_ROOT, children, 8);
    assert_true(count >= 3); /* not one line only */
    int most = 0;
    for (int i = tree.nodes[TREE_ROOT].first_child; i != TREE_NONE; i = tree.nodes[i].next)
        if (tree.nodes[i].effort > tree.nodes[most == 0 ? i : most].effort || most == 0) most = i;
    assert_true(tree.nodes[children[0]].score <= tree.nodes[children[count - 1]].score);
    assert_true(tree.nodes[most].effort * 10 > TASKS * 2); /* and not all alike */
    Move line[TREE_LINE_MAX];
    assert_true(study_tree_line(&tree, TREE_ROOT, line) >= 4);
    Position pos = tree.root;
    const int length = study_tree_line(&tree, TREE_ROOT, line);
    for (int i = 0; i < length; i++) {
        Undo undo;
        assert_true(movegen_is_legal(&pos, line[i]));
        position_make_move(&pos, line[i], &undo);
    }
    study_tree_release(&tree);
}

static void test_a_result_counts_once(void **state) {
    (void)state;
    StudyTree tree;
    Task task, other;
    begin(&tree, FEN_START);
    assert_true(study_tree_choose(&tree, 0, &task));
    study_tree_give_back(&tree, &task); /* too slow: somebody else gets it */
    assert_int_equal(tree.nodes[TREE_ROOT].effort, 0);
    assert_true(study_tree_choose(&tree, 0, &other));
    Finding finding = search(&tree, &task);
    assert_true(study_tree_report(&tree, &task, &finding));
    finding.score += 50;
    assert_false(study_tree_report(&tree, &other, &finding));
    assert_int_equal(tree.nodes[TREE_ROOT].effort, 1);
    assert_int_equal(tree.nodes[TREE_ROOT].score, finding.score - 50);
    /* An answer about the rest of the moves that includes one that became a child meanwhile. */
    while (study_tree_choose(&tree, 0, &task) && task.kind != TASK_REST) do_task(&tree, &task);
    Finding wrong = search(&tree, &task);
    wrong.line[0] = tree.nodes[tree.nodes[task.node].first_child].move;
    assert_false(study_tree_report(&tree, &task, &wrong));
    study_tree_release(&tree);
}

static void test_mates_and_draws_end_it(void **state) {
    (void)state;
    StudyTree tree;
    Task task;
    begin(&tree, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"); /* mate in one */
    grow(&tree, 1);
    assert_true(study_tree_is_settled(&tree));
    assert_false(study_tree_choose(&tree, 0, &task));
    study_tree_release(&tree);
    begin(&tree, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"); /* stalemate */
    assert_true(study_tree_is_settled(&tree));
    assert_int_equal(tree.nodes[TREE_ROOT].score, SCORE_DRAW);
    assert_int_equal(study_tree_best_move(&tree), MOVE_NONE);
    study_tree_release(&tree);
}

static void test_a_position_is_searched_once(void **state) {
    (void)state;
    static const char *const FIRST[] = {"g1f3", "g8f6", "b1c3"}, *const SECOND[] = {"b1c3", "g8f6", "g1f3"};
    StudyTree tree;
    Move move;
    begin(&tree, FEN_START);
    int one = TREE_ROOT, other = TREE_ROOT;
    for (int i = 0; i < 3; i++) {
        Position pos;
        study_tree_position(&tree, one, &pos);
        assert_ok(lan_parse(&pos, text_view(FIRST[i]), &move));
        one = study_tree_reach(&tree, one, move);
    }
    const Task task = {one, TASK_OWN, 0, 1};
    do_task(&tree, &task);
    for (int i = 0; i < 3; i++) {
        Position pos;
        study_tree_position(&tree, other, &pos);
        assert_ok(lan_parse(&pos, text_view(SECOND[i]), &move));
        other = study_tree_reach(&tree, other, move);
    }
    assert_true(tree.nodes[other].has_own);
    assert_int_equal(tree.nodes[other].own.score, tree.nodes[one].own.score);
    assert_int_equal(study_tree_reach(&tree, TREE_ROOT, move_make(0, 63)), TREE_NONE);
    study_tree_release(&tree);
}

/* About half of the effort goes into long searches of the root, and less into those of the nodes below it.
 * What they say weighs as they cost. */
static void test_long_searches(void **state) {
    (void)state;
    StudyTree tree;
    Task task;
    int units = 0, longest = 1, of_root = 0;
    begin(&tree, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    tree.workers = 1;
    for (int i = 0; i < TASKS && study_tree_choose(&tree, 0, &task); i++) {
        if (task.units > 1) {
            assert_int_equal(task.kind, TASK_OWN);
            assert_int_equal(task.units, 2 * tree.nodes[task.node].own_units);
            assert_in_range(task.units, 2, units > 2 ? units : 2);
        }
        if (task.node == TREE_ROOT && task.kind == TASK_OWN) of_root += task.units;
        if (task.units > longest) longest = task.units;
        units += task.units;
        do_task(&tree, &task);
    }
    assert_true(units > 0);
    assert_int_equal(tree.nodes[TREE_ROOT].effort, units);
    assert_int_equal(tree.nodes[TREE_ROOT].own_units, longest);
    assert_in_range(of_root * 100 / units, 25, 70);
    /* A long search that knows better than the tree. */
    tree.nodes[TREE_ROOT].own_pending = true;
    tree.nodes[TREE_ROOT].effort += 4 * longest;
    Finding finding = tree.nodes[TREE_ROOT].own;
    const Move before = study_tree_best_move(&tree);
    int children[2];
    assert_int_equal(study_tree_rank(&tree, TREE_ROOT, children, 2), 2);
    finding.line[0] = tree.nodes[children[1]].move;
    finding.score = 300;
    task = (Task){TREE_ROOT, TASK_OWN, 0, 4 * longest};
    assert_true(study_tree_report(&tree, &task, &finding));
    assert_int_not_equal(study_tree_best_move(&tree), before);
    assert_int_equal(study_tree_best_move(&tree), finding.line[0]);
    assert_in_range(tree.nodes[TREE_ROOT].score, 100, 299); /* the tree has a say, too */
    /* And one that finds no good in what the tree likes. */
    finding.score = -400;
    task.units *= 2;
    assert_true(study_tree_report(&tree, &task, &finding));
    assert_true(tree.nodes[TREE_ROOT].score < -100);
    assert_false(study_tree_report(&tree, &task, &finding));
    /* A mate outweighs all. */
    finding.score = score_mate_in(5);
    task.units *= 2;
    assert_true(study_tree_report(&tree, &task, &finding));
    assert_int_equal(tree.nodes[TREE_ROOT].score, score_mate_in(5));
    assert_true(study_tree_is_settled(&tree));
    study_tree_release(&tree);
}

/* Engines without searchmoves: every task searches a whole position, and the tree still has some width. */
static void test_without_searchmoves(void **state) {
    (void)state;
    StudyTree tree;
    Task task;
    begin(&tree, FEN_START);
    tree.no_rest_tasks = true;
    for (int i = 0; i < TASKS && study_tree_choose(&tree, 0, &task); i++) {
        assert_int_equal(task.kind, TASK_OWN);
        do_task(&tree, &task);
    }
    assert_in_range(tree.nodes[TREE_ROOT].children, 3, 20);
    assert_int_equal(tree.nodes[TREE_ROOT].effort, TASKS);
    study_tree_release(&tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores_keep_their_order),
        cmocka_unit_test(test_the_first_tasks_follow_the_best_line),
        cmocka_unit_test(test_values_and_efforts_agree),
        cmocka_unit_test(test_effort_goes_where_the_game_is_decided),
        cmocka_unit_test(test_a_result_counts_once),
        cmocka_unit_test(test_mates_and_draws_end_it),
        cmocka_unit_test(test_a_position_is_searched_once),
        cmocka_unit_test(test_long_searches),
        cmocka_unit_test(test_without_searchmoves),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
