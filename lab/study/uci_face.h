/* A study as an engine: UCI on standard input and output, so that any chess program can show it. */
#ifndef LUFT_STUDY_UCI_FACE_H
#define LUFT_STUDY_UCI_FACE_H

#include "lab/study/session.h"

/* Until `quit` or the end of input. Each position has a record of its own, NAME-KEY.study, with which a later
 * search of it carries on; all share the store. */
Status uci_face_run(const StudySettings *settings);

#endif
