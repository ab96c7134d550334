/* What `luft-lab rate` says of the ratings: Markdown, a table for programs, a plot. One thread. */
#ifndef LUFT_RATE_RATE_REPORT_H
#define LUFT_RATE_RATE_REPORT_H

#include "base/text.h"
#include "lab/rate/rating.h"

enum { FAMILIES_MAX = 16 };

/* Players whose names begin with a prefix are a family; all others are one, too. Its games are looked at
 * apart, for a kind of opponent may suit a player more than a rating can say. */
typedef struct Families {
    TextView prefix[FAMILIES_MAX];
    int count; /* of the prefixes */
} Families;

/* Takes "PREFIX,PREFIX"; NULL: none. The text is not copied. */
Status families_parse(const char *text, Families *families);

/* The numbers of the players by group, the best of each group first; memory_release frees. NULL without
 * memory. */
int *rate_report_order(const Rating *rating);

/* Appends the ratings by group, and the points of all against all. */
void rate_report_write_standings(const Rating *rating, const int *order, TextBuffer *out);

/* Appends the ratings by group; where the players have families, their ratings against each family and the
 * residuals between families; the points of all against all; and the results of all pairs next to what was
 * expected. */
void rate_report_write(const Rating *rating, const Families *families, TextBuffer *out);

/* A line for each player, the names of the columns first, with tabs between. */
void rate_report_write_rows(const Rating *rating, const Families *families, TextBuffer *out);

/* The commands of gnuplot: ratings with their errors. */
void rate_report_write_plot(const Rating *rating, TextBuffer *out);

#endif
