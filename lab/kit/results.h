/* Rows of results: what a command measured, as a line of a tab-separated file whose first line names the
 * columns (results/README.md). Commands append where the user says `--results FILE`, never unasked. One
 * thread at a time for a row. */
#ifndef LUFT_KIT_RESULTS_H
#define LUFT_KIT_RESULTS_H

#include "base/status.h"
#include "base/text.h"

/* A row under construction. Starts as {0}; results_append releases it. */
typedef struct ResultsRow {
    TextBuffer columns, values; /* each value ends with a tab */
    bool once; /* nothing is appended where the file has a row with the same known values, except date, commit
                  and net */
} ResultsRow;

/* Adds a column with its value; the value of an unknown one is empty. Tabs and line ends in a value become
 * blanks. */
void results_add(ResultsRow *row, const char *column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void results_add_text(ResultsRow *row, const char *column, const char *text); /* NULL: unknown */
void results_add_number(ResultsRow *row, const char *column, double value,
                        int decimals);   /* not finite: unknown */
void results_add_today(ResultsRow *row); /* the column "date" */

/* Appends the row in one piece that is on the disk when this returns, before it the names of the columns
 * where the file is new. A file with other columns is refused. One that another luft-lab writes is waited
 * for, ten seconds at most. On an error the file is what it was. */
Status results_append(ResultsRow *row, const char *path);

#endif
