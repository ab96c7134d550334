/* The numbers of a lesson: its searches are run, and what stands in braces in its texts is computed from
 * them. docs/learn.md lists the names. Also the claims, without which its texts would be wrong. */
#ifndef LUFT_LEARN_FACTS_H
#define LUFT_LEARN_FACTS_H

#include "explain/searcher.h"
#include "learn/lesson.h"

typedef struct Facts Facts;

/* Runs the searches of the lesson, which must stay. NULL, with the reason in *status, where an example is not
 * found, the searcher is stopped or there is no memory. */
Facts *facts_find(const Lesson *lesson, Searcher *searcher, Status *status);
void facts_release(Facts *facts);

/* Appends the text with its placeholders filled in, and its line feeds as blanks. */
Status facts_fill(const Facts *facts, TextView text, TextBuffer *out);

/* Whether a claim, "with.nodes < off.nodes", holds; *why says what its sides are. */
Status facts_check(const Facts *facts, TextView claim, bool *holds, TextBuffer *why);

/* Writes the list "examples" in JSON: what the rule compared, its node, and the moves on which it acted. */
void facts_write_examples(const Facts *facts, Document *document);

/* A position of the lesson. */
const Position *facts_position(const Facts *facts, int position);

/* What a search has found, and what the techniques did in it. */
typedef struct SearchFacts {
    SearchInfo info;
    RecordingTotals totals;
    int since; /* the iteration from which on the best move was the same */
} SearchFacts;
const SearchFacts *facts_search(const Facts *facts, int search);

/* How often a technique acted: moves that it skipped, and all else but searches that it tried. */
uint64_t facts_acted(const RecordingTotals *totals, TechniqueId technique);

#endif
