/* The moves of a node, best first, generated in stages so that a cut saves the rest: hash move, good
 * captures, killers, quiet moves by history, bad captures. All moves handed out are legal. One thread's own.
 */
#ifndef LUFT_SEARCH_MOVEPICK_H
#define LUFT_SEARCH_MOVEPICK_H

#include "level/level.h"
#include "search/history.h"

typedef enum PickStage {
    PICK_HASH_MOVE,
    PICK_MAKE_NOISY,
    PICK_GOOD_NOISY,
    PICK_KILLERS,
    PICK_MAKE_QUIET,
    PICK_QUIET,
    PICK_BAD_NOISY,
    PICK_DONE
} PickStage;

enum { KILLERS = 2 };

typedef struct MovePicker {
    const Position *pos;
    Histories *histories;
    const Path *path;
    Sight sight; /* its level is NULL: every move is handed out */
    PickStage stage;
    bool noisy_only;
    int threshold; /* what a capture must gain, when noisy_only */
    Move hash_move;
    Move killer[KILLERS];
    int next_killer;
    int next, end; /* of the list now handed out */
    int bad_count; /* bad captures, kept at the front of the list */
    int next_bad;
    Move move[MAX_MOVES];
    int score[MAX_MOVES];
} MovePicker;

/* All moves. `hash_move` and `killer` may be any 16 bits: they are tested. */
TRACEABLE void picker_begin(MovePicker *picker, const Position *pos, Histories *histories, const Path *path,
                            Move hash_move, const Move killer[KILLERS]);

/* Captures and promotions only: the hash move if it is one, then those that gain at least `threshold` by
 * exchanges (any, with SEE_ANY). */
TRACEABLE void picker_begin_noisy(MovePicker *picker, const Position *pos, Histories *histories,
                                  Move hash_move, int threshold);

/* From now on hands out only what a level sees, but at least one move of all. Call it after one of those
 * above. */
TRACEABLE void picker_limit(MovePicker *picker, const Sight *sight);

/* The next move, or MOVE_NONE. With `skip_quiets`, quiet moves not yet handed out are passed over. */
TRACEABLE Move picker_next(MovePicker *picker, bool skip_quiets);

#endif
