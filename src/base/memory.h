/* Memory. The only caller of malloc, so that every failure is seen. Any thread may call. */
#ifndef LUFT_BASE_MEMORY_H
#define LUFT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* `size` bytes, zeroed. NULL when there is no memory. Free with memory_release. */
void *memory_allocate(size_t size);

/* Grows or shrinks a block of memory_allocate (or NULL). New bytes are not zeroed. NULL on failure: the old
 * block then stays valid. */
void *memory_resize(void *block, size_t size);

/* Makes room for one more item behind the `count` items of an array (NULL before the first). Returns the
 * array, maybe elsewhere; NULL on failure: the old one then stays valid. An array that grows by this call
 * alone needs no field for its capacity. Free with memory_release. */
void *memory_grow(void *array, size_t count, size_t item_size);

/* Frees a block of the three above; NULL is fine. */
void memory_release(void *block);

/* `size` bytes aligned to `alignment` (a power of two), zeroed. Free with memory_release_aligned. */
void *memory_allocate_aligned(size_t size, size_t alignment);
void memory_release_aligned(void *block);

/* A large table: aligned to 2 MiB, on huge pages where the system allows, zero when first touched, not yet
 * touched. NULL when the address space or memory is refused. Free with memory_release_large and the same
 * size. */
void *memory_allocate_large(size_t size);
void memory_release_large(void *block, size_t size);

#ifdef __linux__
/* The smallest limit in bytes of the control groups that the file `membership` lists (of either version,
 * mounted at `tree`) and of the groups above them; UINT64_MAX when there is none. */
uint64_t memory_limit_of_groups(const char *tree, const char *membership);
#endif

/* Physical memory of the machine in bytes, or the smaller limit of its control group; 0 when unknown. */
uint64_t memory_physical(void);

#endif
