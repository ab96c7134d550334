#include "store/sqlite.h"

#include <stddef.h>
#include <string.h>

#if defined __wasm__ && !defined LUFT_NO_LOADING
#define LUFT_NO_LOADING
#endif

#ifdef _WIN32
#include <windows.h>
#elif !defined LUFT_NO_LOADING
#include <dlfcn.h>
#endif

#ifdef LUFT_SQLITE_INSIDE

#define FUNCTION(result, name, convention, parameters) extern result convention sqlite3_##name parameters;
SQLITE_FUNCTIONS(FUNCTION)
#undef FUNCTION

Status sqlite_load(Sqlite *sqlite) {
    *sqlite = (Sqlite){
#define FUNCTION(result, name, convention, parameters) .name = sqlite3_##name,
        SQLITE_FUNCTIONS(FUNCTION)
#undef FUNCTION
    };
    return status_ok();
}

void sqlite_unload(Sqlite *sqlite) { (void)sqlite; }

#else

#ifdef _WIN32
static const char WHAT_TO_DO[] = "Windows 10 and later have it";
#define LIBRARY L"winsqlite3.dll"
#elif defined __APPLE__
static const char WHAT_TO_DO[] = "macOS has it in /usr/lib";
#define LIBRARY "libsqlite3.dylib"
#elif defined LUFT_NO_LOADING
static const char WHAT_TO_DO[] = "this program is built so that it cannot load any";
#else
static const char WHAT_TO_DO[] = "on Debian and Ubuntu, sudo apt install libsqlite3-0";
#define LIBRARY "libsqlite3.so.0"
#endif

#ifdef _WIN32

/* Not from the folder where the program was started, in which anyone may have put a library. */
static void *open_library(void) {
    return (void *)LoadLibraryExW(LIBRARY, NULL,
                                  LOAD_LIBRARY_SEARCH_SYSTEM32 | LOAD_LIBRARY_SEARCH_APPLICATION_DIR);
}
static void close_library(void *library) { FreeLibrary((HMODULE)library); }
static bool find_function(void *library, const char *name, void *place) {
    const FARPROC found = GetProcAddress((HMODULE)library, name);
    memcpy(place, &found, sizeof found);
    return found != NULL;
}

#elif defined LUFT_NO_LOADING

static void *open_library(void) { return NULL; }
static void close_library(void *library) { (void)library; }
static bool find_function(void *library, const char *name, void *place) {
    (void)library;
    (void)name;
    (void)place;
    return false;
}

#else

static void *open_library(void) { return dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL); }
static void close_library(void *library) { dlclose(library); }
/* A pointer to a function is not converted but copied: C has no such conversion, POSIX has equal sizes. */
static bool find_function(void *library, const char *name, void *place) {
    void *found = dlsym(library, name);
    memcpy(place, &found, sizeof found);
    return found != NULL;
}

#endif

Status sqlite_load(Sqlite *sqlite) {
    static const struct {
        const char *name;
        size_t offset;
    } FUNCTIONS[] = {
#define FUNCTION(result, name, convention, parameters) {"sqlite3_" #name, offsetof(Sqlite, name)},
        SQLITE_FUNCTIONS(FUNCTION)
#undef FUNCTION
    };
    *sqlite = (Sqlite){.library = open_library()};
    if (sqlite->library == NULL) return status_error("a store needs the library SQLite (%s)", WHAT_TO_DO);
    const char *missing = NULL;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof FUNCTIONS[0] && missing == NULL; i++)
        if (!find_function(sqlite->library, FUNCTIONS[i].name, (char *)sqlite + FUNCTIONS[i].offset))
            missing = FUNCTIONS[i].name;
    if (missing == NULL && sqlite->libversion_number() >= 3026000) return status_ok();
    sqlite_unload(sqlite);
    return status_error("the library SQLite is too old or no SQLite: a store needs version 3.26");
}

void sqlite_unload(Sqlite *sqlite) {
    if (sqlite->library != NULL) close_library(sqlite->library);
    sqlite->library = NULL;
}

#endif
