#include "uci/explaining.h"

#include "chess/movegen.h"
#include "chess/san.h"
#include "explain/words.h"
#include "search/score.h"

enum {
    NODES_MIN = 100,
    WIDTH = 100 /* characters of a line */
};
static const uint64_t NODES_MAX = 1000000000000;

static Status read_move(const Position *pos, TextView word, Move *move) {
    if (!movegen_has_legal(pos))
        return status_error("the game is over in this position: there is no legal move");
    if (text_is_empty(word)) return status_error("which move? Expected 'explain <move> [depth <plies>]'");
    return move_parse(pos, word, move);
}

static Status read_limit(TextView *arguments, const char *name, uint64_t low, uint64_t high,
                         uint64_t *value) {
    const TextView word = text_next_word(arguments);
    char shown[24];
    text_copy_printable(word, shown, sizeof shown);
    if (text_parse_uint64(word, value) && *value >= low && *value <= high) return status_ok();
    return status_error("%s must be a whole number from %llu to %llu, not '%s'", name,
                        (unsigned long long)low, (unsigned long long)high, shown);
}

Status question_parse(const Position *pos, TextView arguments, Question *question) {
    uint64_t depth = 0, nodes = 0;
    *question = (Question){.pos = *pos};
    Status status = read_move(pos, text_next_word(&arguments), &question->move);
    while (status_is_ok(&status)) {
        char shown[24];
        const TextView word = text_next_word(&arguments);
        if (text_is_empty(word)) break;
        text_copy_printable(word, shown, sizeof shown);
        if (text_equals_ignore_case(word, "depth"))
            status = read_limit(&arguments, "depth", 1, MAX_PLY - 1, &depth);
        else if (text_equals_ignore_case(word, "nodes"))
            status = read_limit(&arguments, "nodes", NODES_MIN, NODES_MAX, &nodes);
        else if (text_equals_ignore_case(word, "json"))
            question->json = true;
        else
            status = status_error("unknown word '%s'; expected depth, nodes or json", shown);
    }
    question->depth = (int)depth;
    question->nodes = nodes > 0 ? nodes : depth > 0 ? NODES_MAX : EXPLAIN_NODES;
    return status;
}

static void run(void *context) {
    Explaining *explaining = context;
    const Question *question = &explaining->question;
    explaining->status = explainer_explain(explaining->explainer, &question->pos, question->move,
                                           question->nodes, &explaining->found);
    explaining->on_end(explaining->context);
}

Status explaining_begin(Explaining *explaining, const Question *question, const Network *network,
                        void (*on_end)(void *context), void *context) {
    Status status = status_ok();
    *explaining = (Explaining){.question = *question, .on_end = on_end, .context = context};
    explaining->explainer = explainer_create(network, EXPLAIN_HASH, &status);
    if (explaining->explainer == NULL) return status;
    explainer_set_depth(explaining->explainer, question->depth);
    status = thread_start(&explaining->thread, run, explaining);
    if (!status_is_ok(&status)) {
        explainer_destroy(explaining->explainer);
        explaining->explainer = NULL;
    }
    return status;
}

void explaining_stop(Explaining *explaining) {
    if (explaining->explainer != NULL) explainer_stop(explaining->explainer);
}

void explaining_print_end(Output *output) { output_line(output, "info string explain end"); }

static void print(const Explaining *explaining, Output *output) {
    TextBuffer text = {0}, lines = {0};
    if (explaining->question.json)
        words_append_json(&text, &explaining->found);
    else
        words_append(&text, &explaining->found, WIDTH, false);
    TextView rest = buffer_view(&text), line;
    while (text_next_line(&rest, &line)) {
        if (text_is_empty(line)) continue;
        buffer_append_string(&lines, lines.length > 0 ? "\ninfo string " : "info string ");
        buffer_append(&lines, line);
    }
    output_text(output, buffer_view(&lines));
    buffer_release(&text);
    buffer_release(&lines);
}

void explaining_finish(Explaining *explaining, Output *output) {
    thread_join(&explaining->thread);
    output_error(output, "explain", &explaining->status);
    if (status_is_ok(&explaining->status)) {
        print(explaining, output);
        explanation_release(&explaining->found);
    }
    explaining_print_end(output);
    explainer_destroy(explaining->explainer);
    explaining->explainer = NULL;
}
