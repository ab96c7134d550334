#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <io.h>
#include <malloc.h>
#include <windows.h>
#elif !defined(__wasm__)
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { LARGE_PAGE = 2 << 20 };

/* A block of 0 bytes must not be NULL, which means failure. */
static size_t at_least_one(size_t size) { return size == 0 ? 1 : size; }

void *memory_allocate(size_t size) { return calloc(1, at_least_one(size)); }

void *memory_resize(void *block, size_t size) { return realloc(block, at_least_one(size)); }

/* The capacity is the next power of two, 16 or more: the array is full when the count reaches it. */
void *memory_grow(void *array, size_t count, size_t item_size) {
    const bool room = count > 0 && (count < 16 || (count & (count - 1)) != 0);
    if (room) return array;
    const size_t capacity = count < 16 ? 16 : 2 * count;
    return count > SIZE_MAX / 2 / item_size ? NULL : memory_resize(array, capacity * item_size);
}

void memory_release(void *block) { free(block); }

void *memory_allocate_aligned(size_t size, size_t alignment) {
    if (alignment < sizeof(void *)) alignment = sizeof(void *);
    size = at_least_one(size);
#ifdef _WIN32
    void *block = _aligned_malloc(size, alignment);
    if (block == NULL) return NULL;
#else
    void *block = NULL;
    if (posix_memalign(&block, alignment, size) != 0) return NULL;
#endif
    memset(block, 0, size);
    return block;
}

void memory_release_aligned(void *block) {
#ifdef _WIN32
    _aligned_free(block);
#else
    free(block);
#endif
}

#ifdef __linux__

static size_t round_to_large_pages(size_t size) {
    return (at_least_one(size) + LARGE_PAGE - 1) & ~(size_t)(LARGE_PAGE - 1);
}

void *memory_allocate_large(size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    const size_t rounded = round_to_large_pages(size), mapped = rounded + LARGE_PAGE;
    char *start = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == (char *)MAP_FAILED) return NULL;
    /* The system aligns to small pages only: map one large page more and unmap both ends. */
    const size_t before = (LARGE_PAGE - (uintptr_t)start % LARGE_PAGE) % LARGE_PAGE;
    if (before > 0) munmap(start, before);
    char *block = start + before;
    munmap(block + rounded, LARGE_PAGE - before);
    madvise(block, rounded, MADV_HUGEPAGE); /* a hint only; may fail */
    return block;
}

void memory_release_large(void *block, size_t size) {
    if (block != NULL) munmap(block, round_to_large_pages(size));
}

#elif defined(_WIN32)

/* VirtualAlloc aligns to 64 KiB. Without large pages only cache lines need alignment. */
void *memory_allocate_large(size_t size) {
    return VirtualAlloc(NULL, at_least_one(size), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void memory_release_large(void *block, size_t size) {
    (void)size;
    if (block != NULL) VirtualFree(block, 0, MEM_RELEASE);
}

#else

void *memory_allocate_large(size_t size) { return memory_allocate_aligned(size, LARGE_PAGE); }

void memory_release_large(void *block, size_t size) {
    (void)size;
    memory_release_aligned(block);
}

#endif

#ifdef _WIN32

void *memory_map(int handle, size_t size) {
    const HANDLE mapping =
        CreateFileMappingW((HANDLE)_get_osfhandle(handle), NULL, PAGE_READONLY, 0, 0, NULL);
    if (mapping == NULL) return NULL;
    void *start = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size);
    CloseHandle(mapping); /* the view keeps it */
    return start;
}

void memory_unmap(void *start, size_t size) {
    (void)size;
    UnmapViewOfFile(start);
}

#elif !defined(__wasm__)

void *memory_map(int handle, size_t size) {
    void *start = mmap(NULL, size, PROT_READ, MAP_SHARED, handle, 0);
    if (start == MAP_FAILED) return NULL;
    posix_madvise(start, size, POSIX_MADV_RANDOM); /* a hint only; may fail */
    return start;
}

void memory_unmap(void *start, size_t size) { munmap(start, size); }

#endif

#ifdef __linux__

static uint64_t smaller_limit(uint64_t limit, const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) return limit;
    unsigned long long value;
    /* "max" and an absent file mean no limit at this level. */
    if (fscanf(file, "%llu", &value) == 1 && value < limit) limit = value;
    fclose(file);
    return limit;
}

/* A group's limit also applies to its descendants, so every level up to the root counts. */
static uint64_t limit_of_groups(uint64_t limit, const char *tree, char *group) {
    char path[1024];
    for (;;) {
        snprintf(path, sizeof path, "%s%s/memory.max", tree, group);
        limit = smaller_limit(limit, path);
        snprintf(path, sizeof path, "%s/memory%s/memory.limit_in_bytes", tree, group);
        limit = smaller_limit(limit, path);
        char *slash = strrchr(group, '/');
        if (slash == NULL) return limit;
        *slash = '\0';
    }
}

uint64_t memory_limit_of_groups(const char *tree, const char *membership) {
    char root[] = "", line[512];
    uint64_t limit = limit_of_groups(UINT64_MAX, tree, root);
    FILE *file = fopen(membership, "r");
    if (file == NULL) return limit;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL) continue;
        *group++ = '\0';
        const bool unified = controllers[1] == '\0';
        if (unified || strstr(controllers, "memory") != NULL) limit = limit_of_groups(limit, tree, group);
    }
    fclose(file);
    return limit;
}

#endif

uint64_t memory_physical(void) {
#ifdef _WIN32
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys : 0;
#elif defined(__wasm__)
    return (uint64_t)1 << 32; /* the whole address space */
#else
    const long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_size <= 0) return 0;
    uint64_t memory = (uint64_t)pages * (uint64_t)page_size;
#ifdef __linux__
    const uint64_t limit = memory_limit_of_groups("/sys/fs/cgroup", "/proc/self/cgroup");
    if (limit < memory) memory = limit;
#endif
    return memory;
#endif
}
