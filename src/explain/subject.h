/* What the sentences of an explanation are about, and what their placeholders stand for. One thread calls. */
#ifndef LUFT_EXPLAIN_SUBJECT_H
#define LUFT_EXPLAIN_SUBJECT_H

#include "explain/explanation.h"
#include "record/language.h"

/* What a sentence is about: the line that shows the reason, or a motif on it (NULL: none). */
typedef struct Subject {
    Document *document;
    const Explanation *explanation;
    const Line *line;
    const Motif *motif;
    const FactReason *fact;
    const MoveFact *move_fact;
    bool is_named; /* the move, by a sentence before */
    WordsId why;   /* the clause that goes on after a verdict, and whether this is it */
    bool is_joined;
    int *left; /* sentences that may still be written */
} Subject;

/* A filler of language_fill, whose context is a Subject: the first that knows the name. */
const char *subject_text(const void *context, TextView name, TextView form, int64_t *number);

#endif
