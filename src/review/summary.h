/* The faults of one player in many games: by phase, cause, motif and piece, allowed and missed, each with its
 * number and the positions that show it. As text, as JSON and as a page to print. Pure but for memory. */
#ifndef LUFT_REVIEW_SUMMARY_H
#define LUFT_REVIEW_SUMMARY_H

#include "record/language.h"
#include "review/review.h"

/* A fault, with what is said of it. */
typedef struct SummaryFault {
    int game, ply; /* from 1; from 0 */
    Position pos;  /* before the move */
    Move move, best;
    Verdict verdict;
    bool is_explained; /* else the explanation found nothing wrong: it counts in no table */
    bool is_missed;    /* the reason is what the better move wins; else what the move allows or loses */
    Reason reason;
    CauseKind cause;
    MotifKind motif;
    int number;                    /* of the position where it is shown, from 1; 0: it is not */
    char *says, *refuted, *better; /* "17. Qd4 loses the queen."; the line of the move; the better one */
} SummaryFault;

typedef struct Summary {
    const char *name;            /* part of the player's name, in any case */
    const Language *language;    /* of the sentences and tables */
    int games, moves;            /* in which it played, and that were judged */
    int half_points, with_score; /* of the games with a result, and how many these are */
    double lost;                 /* expected score, by all its moves */
    int count;
    SummaryFault *fault;
    char seen[128]; /* names of other players, to be shown where nobody has that name */
} Summary;

/* Adds the faults of the player, if it played, on either side. Fails only without memory. */
Status summary_add(Summary *summary, const Game *game, int number, const Review *review);
void summary_release(Summary *summary);

/* A row of a table: what its faults have in common. */
enum { ROW_POSITIONS = 3, SUMMARY_ROWS_MAX = 32, SUMMARY_TABLES = 4 };
typedef struct SummaryRow {
    const char *name; /* for programs: language_name has words */
    int allowed, missed;
    double lost;                 /* expected score */
    int positions;               /* the costliest of its faults ... */
    int position[ROW_POSITIONS]; /* ... by index */
} SummaryRow;

/* The rows of one of the tables, the costliest first and "none" last; their positions get their numbers, in
 * this order. Returns how many. `*by` is what they have in common: "phase" and the like. */
int summary_rows(Summary *summary, int table, SummaryRow rows[SUMMARY_ROWS_MAX], const char **by);

void summary_append_text(TextBuffer *out, Summary *summary, int width);
void summary_append_json(TextBuffer *out, Summary *summary);
/* A page for a browser: the tables, then sheets of diagrams, the solutions of each on its back. */
void summary_append_page(TextBuffer *out, Summary *summary);

#endif
