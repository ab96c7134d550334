/* The evaluation of a position as people read it. */
#ifndef LUFT_UCI_EVALUATION_H
#define LUFT_UCI_EVALUATION_H

#include "engine/engine.h"
#include "uci/output.h"

/* The evaluation of the engine's position, the worth of each piece and what each output bucket would say, and
 * what the search makes of it where a rule knows better (endings.h). The last line is "value: N",
 * from which the search begins, in internal units for the side to move. */
Status report_evaluation(Output *output, const Engine *engine);

#endif
