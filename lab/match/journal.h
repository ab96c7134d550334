/* What a match must remember: one line for each finished pair, on the disk before the next step.
 *
 * The file (see line_journal.h) begins with a description of the set-up, so that only the same match is
 * resumed: the name of the PGN file and the content of the engines' programs are part of it. The line of a
 * pair has the length of the PGN file after it, and a hash of its content; so of the EPD file, where there is
 * one. The words of the command line are kept, too. One thread at a time. */
#ifndef LUFT_MATCH_JOURNAL_H
#define LUFT_MATCH_JOURNAL_H

#include "base/file.h"
#include "lab/kit/line_journal.h"
#include "lab/match/match.h"

/* How the file begins, in every format so far. */
#define JOURNAL_START "luft-lab match journal "

/* How far a file had come. */
typedef struct FileMark {
    int64_t length;
    uint64_t hash; /* bytes_hash of all up to there */
} FileMark;

typedef struct Journal {
    LineJournal lines;
    int marks;                  /* that each line has: 1, or with an EPD file 2 */
    FileMark mark[MATCH_FILES]; /* as of the last pair, or of the beginning */
    bool has_command;           /* the last of its commands is that of now */
    bool has_pairs;
    char test[TEST_TEXT_CAPACITY]; /* that the match was begun with; empty: none, or not known */
    TextBuffer joined;             /* the whole file as more engines join it; empty: none do */
} Journal;

/* Called for each pair found; first, second and round are not filled. An error ends the reading. */
typedef Status JournalVisitor(void *context, const PairResult *pair);

/* What the match was asked to do, without what the programs and books hold: the same for the same command. */
uint64_t journal_command_hash(const MatchSetup *setup);

/* Opens setup->journal_path, and shows the pairs of an earlier run to `visit`. A journal of another set-up is
 * refused, with what differs. `marks` are what the files hold now (length 0 without one), for a new journal
 * to remember. An old journal is as it was until journal_begin. */
Status journal_open(Journal *journal, const MatchSetup *setup, const FileMark marks[MATCH_FILES],
                    JournalVisitor *visit, void *context);

/* Before the first pair is added, when nothing speaks against the match any more: engines that are new join
 * it, and the words of the command and of the first test are kept. On an error the file is as before. */
Status journal_begin(Journal *journal, const MatchSetup *setup);

/* Adds a pair. On an error the file is as before. */
Status journal_add(Journal *journal, const PairResult *pair, const FileMark marks[MATCH_FILES]);
void journal_close(Journal *journal);

/* Appends the words of the last command of the journal at `path`, each with its terminator; `--again` is not
 * among them. `folder` becomes the folder in which it was given, or nothing where that is not known. */
Status journal_read_command(const char *path, char folder[FILE_PATH_CAPACITY], TextBuffer *words);

#endif
