/* What engines say: their name, `info` lines, principal variations, moves and the options that they offer;
 * and what they can do wrong. Pure; any thread may call. */
#ifndef LUFT_CLIENT_UCI_INFO_H
#define LUFT_CLIENT_UCI_INFO_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

typedef enum ScoreKind { SCORE_NOT_GIVEN, SCORE_CENTIPAWNS, SCORE_MATE_IN } ScoreKind;
typedef enum ScoreBound { SCORE_IS_EXACT, SCORE_IS_LOWER, SCORE_IS_UPPER } ScoreBound;

typedef struct UciScore {
    ScoreKind kind;
    ScoreBound bound;
    int value; /* centipawns or moves to mate, side to move */
} UciScore;

/* What we use of a line `info ... score ...`. */
typedef struct UciInfo {
    int depth; /* 0: not given, as all numbers that follow */
    int seldepth, hashfull;
    int64_t nodes, nps, tbhits;
    int multi_pv; /* from 1 */
    UciScore score;
    TextView pv; /* moves as the engine wrote them; into the line parsed */
} UciInfo;

/* Reads an `info` line; false when it carries no score (currmove, string, ...). */
bool uci_parse_info(TextView line, UciInfo *info);

/* What follows the first words of `id name ...`, and the move of `bestmove ...`, as the engine wrote them;
 * false for other lines. */
bool uci_parse_name(TextView line, TextView *name);
bool uci_parse_best_move(TextView line, TextView *move);

/* Centipawns, with mates as +-(32000 - moves). 0 when none was given. */
int uci_score_value(UciScore score);

/* "+0.31", "-M5": from the side to move. */
enum { UCI_SCORE_CAPACITY = 16 };
void uci_score_write(UciScore score, char out[UCI_SCORE_CAPACITY]);

/* --- faults --- */

typedef enum Fault {
    FAULT_NONE,
    FAULT_CRASH,        /* its process ended */
    FAULT_DISCONNECT,   /* closed its output or input while running on */
    FAULT_STALL,        /* does not answer any more, not even to `stop` */
    FAULT_TIME,         /* overdrew its clock, but answers */
    FAULT_TIME_MACHINE, /* the same, but see search_report_excuses */
    FAULT_ILLEGAL_MOVE, /* bestmove is no legal move */
    FAULT_FLOOD,        /* a line over 1 MiB, far too many lines, or too much in its options */
    FAULT_ILLEGAL_PV,   /* a principal variation with an illegal move: the game goes on */
    FAULT_LONG_PV,      /* a principal variation that goes on after the end of the game: the game goes on */
    FAULT_CANCELLED,    /* not the engine's fault: the caller asked to stop */
    FAULT_MEMORY,       /* not the engine's fault: we had no memory to ask it */
    FAULT_EXTRA_MOVE,   /* a second bestmove for one search: which move answers the next one? */
    FAULT_LIMIT,        /* searched far beyond the limit of its nodes or depth, but answers `stop` */
    FAULT_COUNT
} Fault;

/* "crash", "time loss (machine)". */
const char *fault_name(Fault fault);

/* Whether the process of the engine must be started again. */
bool fault_needs_restart(Fault fault);

enum { FAULT_DETAIL_CAPACITY = 160 };

/* Plays a PV through: FAULT_NONE, FAULT_ILLEGAL_PV or FAULT_LONG_PV (moves after mate, stalemate, threefold
 * repetition or fifty moves), with `detail` saying which move. */
Fault uci_check_pv(const Position *pos, TextView pv, char detail[FAULT_DETAIL_CAPACITY]);

/* --- options --- */

/* Whether the option is among `offered`, the engine's lines "option name ...". Ignores case. */
bool uci_option_exists(TextView offered, const char *name);

/* A number that the engine offers (type spin): its default and range. */
typedef struct UciSpin {
    int initial, low, high;
} UciSpin;

/* Looks up a number; false when there is no such option, it is no number, or its line makes no sense. */
bool uci_option_spin(TextView offered, const char *name, UciSpin *spin);

/* Why the engine cannot accept this value: no such option, a number out of range, no such choice. Sets
 * `*button` when the option takes no value. */
Status uci_option_check(TextView offered, const char *name, const char *value, bool *button);

#endif
