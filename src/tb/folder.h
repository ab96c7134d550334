/* The folders of Syzygy tables. They are checked before the library reads any, because it prints, exits or
 * crashes on a file that is not what its name says. */
#ifndef LUFT_TB_FOLDER_H
#define LUFT_TB_FOLDER_H

#include "base/status.h"
#include "base/text.h"

/* Pieces and pawns of a position, kings included, for which tables exist. */
enum { TABLE_PIECES_MAX = 7, TABLE_NAME_CAPACITY = TABLE_PIECES_MAX + 2 };

/* The material of a table: "KRPvKR". */
typedef struct TableName {
    char text[TABLE_NAME_CAPACITY];
} TableName;

/* The tables that say who wins (WDL), each once. Start from {0}; free with table_list_release. */
typedef struct TableList {
    TableName *names;
    size_t count;
    int largest;     /* most pieces and pawns of one; 0 when there is none */
    TextBuffer path; /* the folders as the library wants them: none empty */
} TableList;

/* Checks all folders of `path`, separated by ':' (on Windows ';'). The reason names the folder or the file: a
 * folder that cannot be read or holds no table, a file that was cut or is no table. The list is the caller's
 * in either case. */
Status table_list_fill(TableList *list, TextView path);
void table_list_release(TableList *list);

#endif
