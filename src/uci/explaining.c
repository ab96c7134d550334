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
    TextBuffer text = {0};
    Document document = {.out = &text,
                         .form = DOCUMENT_PLAIN,
                         .width = WIDTH,
                         .prefix = "info string ",
                         .language = language_row(0)};
    if (explaining->question.json) {
        document.form = DOCUMENT_JSON;
        buffer_append_string(&text, document.prefix);
    }
    words_write(&document, &explaining->found, false);
    output_text(output, text_trim(buffer_view(&text)));
    buffer_release(&text);
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
