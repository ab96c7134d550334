#include "uci/explaining.h"

#include "explain/words.h"

enum { WIDTH = 100 /* characters of a line */ };

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
