/* A lesson on the search, read from its text (docs/learn.md describes the format; lessons/ has the files):
 * the searches that it needs, and its steps. Its numbers are placeholders, which facts.h fills in. */
#ifndef LUFT_LEARN_LESSON_H
#define LUFT_LEARN_LESSON_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "record/recording.h"

enum {
    LESSON_POSITIONS_MAX = 16,
    LESSON_SEARCHES_MAX = 32,
    LESSON_EXAMPLES_MAX = 16,
    LESSON_ITEMS_MAX = 160
};

typedef struct LessonPosition {
    TextView name;
    int search;   /* the one whose best move leads to it; -1: `pos` is it */
    Position pos; /* where `search` is -1; facts_position has the others */
} LessonPosition;

/* A search of one of the positions. */
typedef struct LessonSearch {
    TextView name;
    int position, depth;
    SearchChanges changes;
} LessonSearch;

/* An act of a rule in the last iteration of one of the searches: of those nearest to the root the first one.
 */
typedef struct LessonExample {
    TextView name;
    int search;
    TechniqueId technique;
    Effect effect;
    bool again;    /* on a move that was then searched again, deeper */
    TextView move; /* on this one, in SAN; empty: on any */
} LessonExample;

/* What a lesson consists of, in order. */
typedef enum ItemKind {
    ITEM_STEP,  /* its kind and heading: predict, see, off, knob, fail, worth, code, check */
    ITEM_TEXT,  /* a paragraph */
    ITEM_BOARD, /* the name of a position */
    ITEM_TABLE, /* names of searches, to be compared */
    ITEM_RUN,   /* a command that shows more */
    ITEM_CODE,  /* a file of the sources, and a function in it */
    ITEM_QUESTION,
    ITEM_OPTIONS, /* of a question, or of what is to be predicted: the right one first, " | " between them */
    ITEM_ANSWER,
    ITEM_CLAIM, /* what must hold for the text to be true: not shown */
    ITEM_KIND_COUNT
} ItemKind;

typedef struct LessonItem {
    ItemKind kind;
    int line;      /* of the text */
    TextView text; /* line feeds in it are blanks */
} LessonItem;

typedef struct Lesson {
    TextView title, source;
    TechniqueId technique; /* TECHNIQUE_COUNT: it is about no single one */
    int position_count, search_count, example_count, item_count;
    LessonPosition position[LESSON_POSITIONS_MAX];
    LessonSearch search[LESSON_SEARCHES_MAX];
    LessonExample example[LESSON_EXAMPLES_MAX];
    LessonItem item[LESSON_ITEMS_MAX];
} Lesson;

/* Reads a lesson; its parts point into `text`, which must stay. The reason names the line. */
Status lesson_read(TextView text, Lesson *lesson);

/* The index of a name, or -1. Boards and tables have names that are known. */
int lesson_find_position(const Lesson *lesson, TextView name);
int lesson_find_search(const Lesson *lesson, TextView name);
int lesson_find_example(const Lesson *lesson, TextView name);

/* "step", "text" and their like: the directive of an item. */
const char *item_kind_name(ItemKind kind);

#endif
