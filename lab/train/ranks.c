#include "lab/train/ranks.h"

#ifdef LUFT_MPI

#include "base/text.h"

#include <mpi.h>
#include <string.h>

/* MPI counts in int, and some networks are larger than a message that it likes. */
enum { PIECE = 1 << 22 };

Status ranks_begin(Ranks *ranks, bool wanted) {
    *ranks = (Ranks){.count = 1};
    if (!wanted) return status_ok();
    int level;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return status_error("MPI does not start");
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->number);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
    return status_ok();
}

void ranks_end(Ranks *ranks) {
    int begun = 0;
    MPI_Initialized(&begun);
    if (begun) MPI_Finalize();
    ranks->count = 1;
}

Status ranks_agree(const Ranks *ranks, Status own) {
    if (ranks_is_alone(ranks)) return own;
    const int mine = status_is_ok(&own) ? ranks->count : ranks->number;
    int first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == ranks->count) return own;
    Status failure = own;
    MPI_Bcast(&failure, sizeof failure, MPI_BYTE, first, MPI_COMM_WORLD);
    return first == 0 ? failure : status_error("rank %d: %s", first, failure.reason);
}

Status ranks_compare(const Ranks *ranks, uint64_t hash, const char *what) {
    if (ranks_is_alone(ranks)) return status_ok();
    uint64_t of_first = hash;
    ranks_share(ranks, &of_first, sizeof of_first);
    return ranks_agree(ranks, hash == of_first ? status_ok() : status_error("other %s than rank 0", what));
}

void ranks_average(Ranks *ranks, size_t count, float *numbers) {
    if (ranks_is_alone(ranks)) return;
    for (size_t done = 0; done < count; done += PIECE) {
        const int part = (int)(count - done < PIECE ? count - done : PIECE);
        MPI_Allreduce(MPI_IN_PLACE, numbers + done, part, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    }
    for (size_t i = 0; i < count; i++) numbers[i] /= (float)ranks->count;
    ranks->exchanged += count * sizeof *numbers;
}

uint64_t ranks_sum(const Ranks *ranks, uint64_t number) {
    if (!ranks_is_alone(ranks))
        MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return number;
}

void ranks_hand_in(const Ranks *ranks, double *number) {
    if (ranks_is_alone(ranks)) return;
    const double own = *number;
    *number = 0;
    MPI_Reduce(&own, number, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

unsigned ranks_join(const Ranks *ranks, unsigned flags) {
    if (!ranks_is_alone(ranks)) MPI_Allreduce(MPI_IN_PLACE, &flags, 1, MPI_UNSIGNED, MPI_BOR, MPI_COMM_WORLD);
    return flags;
}

void ranks_share(const Ranks *ranks, void *bytes, size_t size) {
    if (ranks_is_alone(ranks)) return;
    for (size_t done = 0; done < size; done += PIECE)
        MPI_Bcast((char *)bytes + done, (int)(size - done < PIECE ? size - done : PIECE), MPI_BYTE, 0,
                  MPI_COMM_WORLD);
}

#else

Status ranks_begin(Ranks *ranks, bool wanted) {
    *ranks = (Ranks){.count = 1};
    return wanted ? status_error("--average-every needs MPI, which this luft-lab was built without: install "
                                 "libopenmpi-dev (Debian), then make MPI=1 luft-lab")
                  : status_ok();
}

void ranks_end(Ranks *ranks) { (void)ranks; }
Status ranks_agree(const Ranks *ranks, Status own) {
    (void)ranks;
    return own;
}
Status ranks_compare(const Ranks *ranks, uint64_t hash, const char *what) {
    (void)ranks, (void)hash, (void)what;
    return status_ok();
}
void ranks_average(Ranks *ranks, size_t count, float *numbers) { (void)ranks, (void)count, (void)numbers; }
uint64_t ranks_sum(const Ranks *ranks, uint64_t number) {
    (void)ranks;
    return number;
}
void ranks_hand_in(const Ranks *ranks, double *number) { (void)ranks, (void)number; }
unsigned ranks_join(const Ranks *ranks, unsigned flags) {
    (void)ranks;
    return flags;
}
void ranks_share(const Ranks *ranks, void *bytes, size_t size) { (void)ranks, (void)bytes, (void)size; }

#endif
