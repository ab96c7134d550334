#include "base/system.h"

#ifdef _WIN32

#include "base/memory.h"

#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdio.h>
#include <windows.h>

/* shellapi.h needs windows.h before it. */
#include <shellapi.h>

static char *to_utf8(const wchar_t *wide) {
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = memory_allocate((size_t)size);
    if (text != NULL) WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

/* The C library passes arguments in the local code page, which cannot represent many names. */
static void read_arguments(int *argc, char ***argv) {
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **list = memory_allocate(((size_t)count + 1) * sizeof *list);
    bool complete = wide != NULL && list != NULL;
    for (int i = 0; i < count && complete; i++) {
        list[i] = to_utf8(wide[i]);
        complete = list[i] != NULL;
    }
    if (complete) {
        *argc = count;
        *argv = list;
    }
    LocalFree(wide);
}

/* The console shows a character only if all its bytes arrive in one write, hence the buffer. Code that needs
 * a line to appear immediately flushes anyway, for pipes. */
static void prepare_console(void) {
    const HANDLE console = GetStdHandle(STD_OUTPUT_HANDLE);
    DWORD mode;
    SetConsoleOutputCP(CP_UTF8);
    SetConsoleCP(CP_UTF8);
    if (!GetConsoleMode(console, &mode)) return;
    SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
}

void system_prepare(int *argc, char ***argv) {
    for (int handle = 0; handle < 3; handle++) _setmode(handle, _O_BINARY);
    prepare_console();
    read_arguments(argc, argv);
}

void system_ignore_closed_pipes(void) {}

int64_t system_process(void) { return 0; }

int system_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (int)info.dwNumberOfProcessors : 1;
}

#else

#ifdef __linux__
#include <sched.h>
#endif
#ifndef __wasm__
#include <fcntl.h>
#include <signal.h>
#endif
#include <unistd.h>

void system_ignore_closed_pipes(void) {
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN);
#endif
}

int64_t system_process(void) {
#ifdef __wasm__
    return 0;
#else
    return getpid();
#endif
}

int system_processors(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
#ifdef _SC_NPROCESSORS_ONLN
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count > 0) return (int)count;
#endif
    return 1;
}

void system_prepare(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
#ifndef __wasm__
    int handle;
    do handle = open("/dev/null", O_RDWR); /* gets the lowest number that is free */
    while (handle >= 0 && handle <= STDERR_FILENO);
    if (handle >= 0) close(handle);
    signal(SIGXFSZ, SIG_IGN);
#endif
}

#endif

/* --- the processor that the program was compiled for --- */

#define STRING_OF(x)               #x
#define VALUE_OF(name, macro, ...) STRING_OF(macro),

const char *const target_sets[] = {INSTRUCTION_SETS(VALUE_OF)};
