/* What a match has to remember: one line for each finished pair, on the disk before the next step is taken.
 *
 * The file begins with the set-up in words, so that a resumed match is the same match. Each line of a pair
 * carries a checksum and the length that the PGN file then had. After a kill, a torn last line is cut off
 * here, and the torn games of an unfinished pair in the PGN. One thread at a time. */
#ifndef LUFT_MATCH_JOURNAL_H
#define LUFT_MATCH_JOURNAL_H

#include "lab/kit/append_file.h"
#include "lab/match/match.h"

typedef struct Journal {
    AppendFile file;
    int64_t pgn_length; /* as of the last pair, or of the beginning */
} Journal;

/* Called for each pair found; first, second and round are not filled. An error ends the reading. */
typedef Status JournalVisitor(void *context, const PairResult *pair);

/* Opens setup->journal_path. Without setup->resume an old journal is renamed to PATH.old first. With it, the
 * old pairs are shown to `visit`; a journal of another set-up is refused, with what differs. `pgn_length` is
 * the length of the PGN file now (0 without one), for a new journal to remember. */
Status journal_open(Journal *journal, const MatchSetup *setup, int64_t pgn_length, JournalVisitor *visit,
                    void *context);

/* Adds a pair. On an error the file is as before. */
Status journal_add(Journal *journal, const PairResult *pair, int64_t pgn_length);
void journal_close(Journal *journal);

#endif
