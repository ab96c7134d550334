/* What the techniques are worth in one search: what each did in it, and what the same search finds without
 * one of them. Pure: explain.h runs the searches. */
#ifndef LUFT_RECORD_WITHOUT_H
#define LUFT_RECORD_WITHOUT_H

#include "base/status.h"
#include "record/language.h"

enum { TOUCHED_MAX = 8, WITHOUT_NODES_FACTOR = 3 };

/* What a search has found when it ended an iteration. */
typedef struct Finding {
    Move best; /* MOVE_NONE: nothing */
    int score; /* internal units, side to move */
    int depth;
    uint64_t nodes;
} Finding;

/* The search without a technique: to the depth of the one with all of them, where that took no more than
 * WITHOUT_NODES_FACTOR times its nodes (else: as far as it came); and with the same nodes. */
typedef struct Without {
    TechniqueId off; /* TECHNIQUE_COUNT: the search with all; both findings are its own */
    Finding same_depth, same_nodes;
} Without;

/* The techniques that acted on `move` at the root or in what is recorded below it, most often first, at most
 * TOUCHED_MAX. Returns how many. */
int without_touched(const Recording *recording, Move move, TechniqueId *techniques_out);

/* Whether switching it off can change a search that has no clock. */
bool without_matters(TechniqueId technique);

/* Adds the changes of a list, "null_move, futility_margin=60": techniques that are off, numbers of params.def
 * within their bounds, or both. "all" stands for all techniques; one with a plus stays on: "all, +null_move".
 * They stand between commas or blanks. Refuses names that are none, and what belongs to the clock. */
enum { CHANGE_OFF = 1, CHANGE_NUMBER = 2, CHANGE_ANY = CHANGE_OFF | CHANGE_NUMBER };
Status changes_parse(TextView list, unsigned kinds, SearchChanges *changes);

/* Appends the changes as such a list, the shorter one of the two. */
void changes_append(TextBuffer *out, const SearchChanges *changes);

/* In text a table, where more than one search is in it; in JSON a list, `without` in docs/explain.md. The
 * first search is that with all techniques. */
void without_write(Document *document, const Without *searches, int count, const Position *root);

/* What each technique did in the whole search. */
void without_write_totals(Document *document, const RecordingTotals *totals);

#endif
