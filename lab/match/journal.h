/* What a match must remember: one line for each finished pair, on the disk before the next step.
 *
 * The file (see line_journal.h) begins with a description of the set-up, so that only the same match is
 * resumed: the name of the PGN file and the content of the engines' programs are part of it. The line of a
 * pair has the length of the PGN file after it, and a hash of its content. One thread at a time. */
#ifndef LUFT_MATCH_JOURNAL_H
#define LUFT_MATCH_JOURNAL_H

#include "lab/kit/line_journal.h"
#include "lab/match/match.h"

/* How the file begins, in every format so far. */
#define JOURNAL_START "luft-lab match journal "

/* How far the PGN file had come. */
typedef struct PgnMark {
    int64_t length;
    uint64_t hash; /* bytes_hash of all up to there */
} PgnMark;

typedef struct Journal {
    LineJournal lines;
    PgnMark pgn; /* as of the last pair, or of the beginning */
} Journal;

/* Called for each pair found; first, second and round are not filled. An error ends the reading. */
typedef Status JournalVisitor(void *context, const PairResult *pair);

/* What the match was asked to do, without what the programs and books hold: the same for the same command. */
uint64_t journal_command_hash(const MatchSetup *setup);

/* Opens setup->journal_path, and shows the pairs of an earlier run to `visit`. A journal of another set-up is
 * refused, with what differs. `pgn` is what the PGN file holds now (length 0 without one), for a new journal
 * to remember. */
Status journal_open(Journal *journal, const MatchSetup *setup, PgnMark pgn, JournalVisitor *visit,
                    void *context);

/* Adds a pair. On an error the file is as before. */
Status journal_add(Journal *journal, const PairResult *pair, PgnMark pgn);
void journal_close(Journal *journal);

#endif
