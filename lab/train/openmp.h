/* Loops over all cores where the compiler knows OpenMP, over one elsewhere. The iterations of such a loop
 * must be independent; which thread runs which is fixed, so that results depend on nothing but the input. */
#ifndef LUFT_TRAIN_OPENMP_H
#define LUFT_TRAIN_OPENMP_H

#ifdef _OPENMP
#include <omp.h>
#define OPENMP_FOR        _Pragma("omp parallel for schedule(static)")
/* For iterations of very different length, whose results do not depend on the thread. */
#define OPENMP_FOR_UNEVEN _Pragma("omp parallel for schedule(dynamic, 1)")
static inline int openmp_threads(void) { return omp_get_max_threads(); }
static inline void openmp_set_threads(int threads) { omp_set_num_threads(threads); }
#else
#define OPENMP_FOR
#define OPENMP_FOR_UNEVEN
static inline int openmp_threads(void) { return 1; }
static inline void openmp_set_threads(int threads) { (void)threads; }
#endif

#endif
