/* What a rule of the search did, as a sentence. It is made of the rule's own source text and of the numbers
 * that the rule had at hand (search/trace.h): there is no second copy of a formula that could say something
 * else. */
#ifndef LUFT_EXPLAIN_RULES_H
#define LUFT_EXPLAIN_RULES_H

#include "base/text.h"
#include "explain/record.h"

/* "cuts", "skips" and their like, as in docs/explain.md. */
const char *effect_name(Effect effect);
const char *bound_name(Bound bound);
const char *technique_name(TechniqueId technique);

/* What the technique does, for a sentence "futility ...": "skipped", "cut the node". */
const char *rules_verb(TechniqueId technique, Effect effect);

/* Appends the numbers that were compared: "static value -120 + 24 + 34 x 3 is not above alpha 35". Scores are
 * in units of the search, about 114 to a pawn, for the side to move. */
void rules_append_numbers(TextBuffer *out, const Recording *recording, const RecordedAct *act);

#endif
