/* Which kernels a portable build uses: the best that processor and system allow, or those that the variable
 * LUFT_KERNELS names. Other builds have one set, that of their ARCH. Any thread may call. */
#ifndef LUFT_NNUE_DISPATCH_H
#define LUFT_NNUE_DISPATCH_H

#include "base/status.h"

/* The kernels in use, as people write them: "AVX-512 VNNI". */
const char *dispatch_kernels_name(void);

/* Fails when LUFT_KERNELS names kernels that this build or this processor does not have; the reason lists the
 * possible ones. The engine itself then takes the best. */
Status dispatch_check(void);

#endif
