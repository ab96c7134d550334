/* An explanation as people read it, sentences and lines, and as JSON for programs. */
#ifndef LUFT_EXPLAIN_WORDS_H
#define LUFT_EXPLAIN_WORDS_H

#include "engine/document.h"
#include "explain/explain.h"

enum { EXPLAIN_SCHEMA = 4 }; /* version of the JSON, raised when a field changes its meaning or goes */

/* Writes the answer; in text all sentences, and what the search did, only if it is detailed. docs/explain.md
 * has the JSON. */
void words_write(Document *document, const Explanation *explanation);

/* Parts of it, for other answers. A row: what the line is, its score as White sees it, its first moves
 * folded. */
void words_write_line(Document *document, WordsId label, Style style, const Branch *branch, Color side,
                      int plies);
/* How many plies show the point of a line: `least`, and what follows until nothing hangs and checks are
 * answered, four at most. */
int words_plies_to_point(const Line *line, int least);
/* How many plies of the played or the better line are shown: to where its own point can be seen. */
int words_shown_plies(const Explanation *explanation, const Line *line);
/* In JSON: the mate or material that the line of the reason shows, with its motifs; a fact that was tried; as
 * many plies of a line as are shown, or all. */
void words_write_achievement(Document *document, const Explanation *explanation);
void words_write_fact(Document *document, const Line *line, const char *name, const FactReason *fact);
void words_write_moves(Document *document, const char *name, const Line *line, int shown);

/* Appends an SVG document: the tree of the search of the move, as far as it was recorded (tree_view.h). */
Status words_append_svg(Document *document, const Explanation *explanation);

#endif
