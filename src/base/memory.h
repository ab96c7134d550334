/* Memory allocation. Nothing else calls malloc, so every failure is handled. Any thread may call. */
#ifndef LUFT_BASE_MEMORY_H
#define LUFT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Allocates `size` bytes, zeroed. NULL on failure. Free with memory_release. */
void *memory_allocate(size_t size);

/* Grows or shrinks a block (or NULL). New bytes are not zeroed. NULL on failure; the old block is then still
 * valid. */
void *memory_resize(void *block, size_t size);

/* Makes room for one more item after the `count` items of an array (NULL before the first). Returns the
 * array, which may have moved; NULL on failure, and the old array is then still valid. An array that only
 * this function grows needs no field for its capacity. Free with memory_release. */
void *memory_grow(void *array, size_t count, size_t item_size);

/* Frees a block of the three functions above; NULL is allowed. */
void memory_release(void *block);

/* Allocates `size` bytes, zeroed and aligned to `alignment` (a power of two). Free with
 * memory_release_aligned. */
void *memory_allocate_aligned(size_t size, size_t alignment);
void memory_release_aligned(void *block);

/* Allocates a large table: zeroed, aligned to 2 MiB, on huge pages if the system allows. Its pages are not
 * touched yet. NULL on failure. Free with memory_release_large and the same size. */
void *memory_allocate_large(size_t size);
void memory_release_large(void *block, size_t size);

/* Maps an open file, whose size must not be 0, for reading: see file_map. NULL on failure. Not for
 * WebAssembly. */
void *memory_map(int handle, size_t size);
void memory_unmap(void *start, size_t size);

#ifdef __linux__
/* The smallest memory limit in bytes among the control groups (v1 or v2, mounted at `tree`) that the file
 * `membership` lists, and their parents. UINT64_MAX if there is none. */
uint64_t memory_limit_of_groups(const char *tree, const char *membership);
#endif

/* Physical memory in bytes, or the control group's limit if that is smaller; 0 if unknown. */
uint64_t memory_physical(void);

#endif
