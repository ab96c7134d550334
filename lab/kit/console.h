/* What commands print: results, numbers, aligned tables. One thread at a time. */
#ifndef LUFT_KIT_CONSOLE_H
#define LUFT_KIT_CONSOLE_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* The switch of every command that reads positions or games and would otherwise lose some in silence. */
#define SKIP_FAULTS "--skip-faults"
#define SKIP_FAULTS_FIELD(member) \
    FIELD_FLAG("skip-faults", member, "go on without the lines, moves and games that cannot be read")

/* Writes `text` to the file `path`, or to standard output when `path` is NULL or "-". */
Status console_write_result(const char *path, const TextBuffer *text);

/* "1,234,567" */
enum { NUMBER_TEXT_CAPACITY = 32 };
const char *console_thousands(uint64_t number, char out[NUMBER_TEXT_CAPACITY]);

/* "1 game", "2 games"; "1 ply", "2 plies" */
typedef struct CountText {
    char text[NUMBER_TEXT_CAPACITY + 32];
} CountText;
CountText console_count(uint64_t count, const char *unit);

/* "60 games, 4200 plies", or "60 positions": games of which none has a move are single positions. */
CountText console_games(uint64_t games, uint64_t plies);

/* A Markdown table whose source is aligned, too. Cells are added row by row, those of the header first;
 * characters that would end a cell or be HTML are escaped. Start with markdown_table_begin, end with
 * markdown_table_write. */
enum { TABLE_COLUMNS_MAX = 24 };

typedef struct MarkdownTable {
    int columns;
    bool right[TABLE_COLUMNS_MAX]; /* aligned to the right: numbers */
    size_t width[TABLE_COLUMNS_MAX];
    int cells;
    TextBuffer text; /* all cells, each with its own terminator */
} MarkdownTable;

/* `alignment` has a letter for each column: 'l' or 'r'. */
MarkdownTable markdown_table_begin(const char *alignment);
void markdown_table_cell(MarkdownTable *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Several cells, " | " between two: for texts of ours, which do not contain that. */
void markdown_table_cells(MarkdownTable *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends the table to `out` and frees it. */
void markdown_table_write(MarkdownTable *table, TextBuffer *out);

#endif
