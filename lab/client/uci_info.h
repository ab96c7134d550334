/* What engines say about their search: `info` lines and principal variations. Pure; any thread may call. */
#ifndef LUFT_CLIENT_UCI_INFO_H
#define LUFT_CLIENT_UCI_INFO_H

#include "base/text.h"
#include "chess/position.h"
#include "lab/client/fault.h"

typedef enum ScoreKind { SCORE_NOT_GIVEN, SCORE_CENTIPAWNS, SCORE_MATE_IN } ScoreKind;
typedef enum ScoreBound { SCORE_IS_EXACT, SCORE_IS_LOWER, SCORE_IS_UPPER } ScoreBound;

typedef struct UciScore {
    ScoreKind kind;
    ScoreBound bound;
    int value; /* centipawns or moves to mate, side to move */
} UciScore;

/* One line `info ... score ...`. Numbers that were not given are 0. */
typedef struct UciInfo {
    int depth, selective_depth;
    int multi_pv; /* from 1 */
    UciScore score;
    bool has_wdl;
    int wdl[3]; /* permille */
    uint64_t nodes, nps, tb_hits;
    int64_t time; /* milliseconds, by the engine's own clock */
    int hash_full;
    TextView pv; /* moves as the engine wrote them; into the line parsed */
} UciInfo;

/* Reads an `info` line; false when it carries no score (currmove, string, ...). */
bool uci_parse_info(TextView line, UciInfo *info);

/* Centipawns, with mates as +-(32000 - moves). 0 when none was given. */
int uci_score_value(UciScore score);

/* "+0.31", "-M5": from the side to move. */
enum { UCI_SCORE_CAPACITY = 16 };
void uci_score_write(UciScore score, char out[UCI_SCORE_CAPACITY]);

enum { FAULT_DETAIL_CAPACITY = 160 };

/* Plays a PV through: FAULT_NONE, FAULT_ILLEGAL_PV or FAULT_LONG_PV (moves after mate, stalemate, threefold
 * repetition or fifty moves), with `detail` saying which move. */
Fault uci_check_pv(const Position *pos, TextView pv, char detail[FAULT_DETAIL_CAPACITY]);

#endif
