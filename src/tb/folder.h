/* The files of Syzygy tables in a list of folders, by their names: KRPvKR.rtbw says who wins with king, rook
 * and pawn against king and rook, KRPvKR.rtbz how far it is. */
#ifndef LUFT_TB_FOLDER_H
#define LUFT_TB_FOLDER_H

#include "base/text.h"
#include "tb/table.h"

typedef struct TableFile {
    char *path;
    TableKind kind;
    Material material;
} TableFile;

/* Each table once. Start from {0}; free with table_list_release. */
typedef struct TableList {
    TableFile *files;
    size_t count;
} TableList;

/* Lists the tables of all folders of `path`, separated by ':' (on Windows ';'); of several of the same name
 * the first. Files of other names are ignored. The reason of a failure names the folder: it cannot be read or
 * holds no table. The list is the caller's in either case. */
Status table_list_fill(TableList *list, TextView path);
void table_list_release(TableList *list);

#endif
