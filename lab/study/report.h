/* What a study has found, for people: as PGN, as Markdown, as a picture, as lines of a terminal. Pure; the
 * tree and the record are only read. Scores are White's, in pawns. */
#ifndef LUFT_STUDY_REPORT_H
#define LUFT_STUDY_REPORT_H

#include "lab/study/study.h"

/* "+0.31", "#5", "#-3"; from White's side, where `pos` says who is to move. */
enum { REPORT_SCORE_CAPACITY = 16 };
void report_write_score(int score, const Position *pos, char out[REPORT_SCORE_CAPACITY]);

/* A game whose moves are the best line, with what was found next to it as comments and variations. */
Status report_write_pgn(const Study *study, const char *name, TextBuffer *out);

void report_write_markdown(const Study *study, const char *name, TextBuffer *out);

/* A script for plot_run: the score and the best move against the nodes spent. */
void report_write_plot(const Study *study, const char *name, const char *terminal, TextBuffer *out);

/* For a terminal: the best moves, and what each computer does. Whole lines. */
void report_write_view(Study *study, const char *name, TextBuffer *out);

/* "12 tasks, 3.4M nodes, e2e4 +0.31": in one line, without line feed. */
void report_write_summary(const Study *study, TextBuffer *out);

#endif
