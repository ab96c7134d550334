/* A Syzygy table (Ronald de Man): a file that knows a value for every placement of its pieces. Values are
 * compressed: pairs of values, and pairs of pairs, become symbols (Larsson and Moffat's "re-pair"), which
 * Huffman codes of different lengths stand for, in blocks of one size.
 *
 * Nothing in a file is trusted. What is read when it is opened, headers and the symbols, is checked then, and
 * the place of everything else; what a probe reads is checked there. So whatever the bytes are, nothing
 * outside the file is read; but values that are wrong cannot be recognised. */
#ifndef LUFT_TB_TABLE_H
#define LUFT_TB_TABLE_H

#include "base/status.h"
#include "tb/encoding.h"

#include <stddef.h>

/* Who wins, for the side to move. A cursed win and a blessed loss are draws by the fifty-move rule. */
typedef enum Wdl { WDL_LOSS = -2, WDL_BLESSED_LOSS, WDL_DRAW, WDL_CURSED_WIN, WDL_WIN } Wdl;

/* Who wins; how many plies to the next capture or pawn move that keeps the result (distance to zero). */
typedef enum TableKind { TABLE_WDL, TABLE_DTZ, TABLE_KINDS } TableKind;

typedef struct Table Table;

/* Opens the table; NULL on failure, whose reason names the file and what is wrong. Reads the headers only.
 * Free with table_close. */
Table *table_open(const char *path, TableKind kind, Material material, Status *status);

/* The same of bytes in memory, which must outlive the table. `name` is for the reason. */
Table *table_create(const uint8_t *bytes, size_t size, const char *name, TableKind kind, Material material,
                    Status *status);
void table_close(Table *table); /* NULL is allowed */

/* Who wins the position, which has the table's material: with `swap`, its colours are exchanged. Captures
 * that are better may be ignored by it. False if the table is damaged. Any thread, at any time. */
bool table_probe_wdl(const Table *table, const Position *pos, bool swap, Wdl *wdl);

/* The plies from the position, of which `wdl` is the result and no draw. A table knows one side to move. */
typedef enum DtzAnswer { DTZ_DAMAGED, DTZ_OTHER_SIDE, DTZ_KNOWN } DtzAnswer;
DtzAnswer table_probe_dtz(const Table *table, const Position *pos, bool swap, Wdl wdl, int *plies);

#endif
