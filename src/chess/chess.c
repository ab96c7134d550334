#include "chess/chess.h"

#include "chess/attacks.h"
#include "chess/draw.h"
#include "chess/zobrist.h"

void chess_init(void) {
    attacks_init();
    zobrist_init();
    draw_init(); /* reads both */
}
