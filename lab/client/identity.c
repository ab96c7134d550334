#include "lab/client/identity.h"

#include "base/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PATH_CAPACITY = 2 * ENGINE_PATH_CAPACITY };

/* As seen from the engine's folder. */
static void find_file(const char *folder, const char *path, char out[PATH_CAPACITY]) {
    const bool inside = path[0] != '/' && folder[0] != '\0';
    text_format(out, PATH_CAPACITY, "%s%s%s", inside ? folder : "", inside ? "/" : "", path);
}

/* Where execvp finds the program, started in the engine's folder. */
static bool find_program(const EngineConfig *engine, char out[PATH_CAPACITY]) {
    const char *command = engine->command;
    if (strchr(command, '/') != NULL) {
        find_file(engine->folder, command, out);
        return true;
    }
    for (const char *at = getenv("PATH"); at != NULL; at = strchr(at, ':')) {
        at += *at == ':';
        text_format(out, PATH_CAPACITY, "%.*s/%s", (int)strcspn(at, ":"), at, command);
        if (access(out, X_OK) == 0) return true;
    }
    return false;
}

bool identity_of(const EngineConfig *engine, char out[IDENTITY_CAPACITY]) {
    char path[PATH_CAPACITY];
    TextBuffer content = {0};
    Status status = status_error("not found");
    if (find_program(engine, path) && file_size(path) >= 0) status = file_read(path, &content);
    if (status_is_ok(&status))
        text_format(out, IDENTITY_CAPACITY, "program %016" PRIx64 ", %zu bytes",
                    text_hash(buffer_view(&content)), content.length);
    else
        text_format(out, IDENTITY_CAPACITY, "a program that cannot be read");
    buffer_release(&content);
    return status.kind != STATUS_NO_MEMORY;
}

bool identity_append_file(const char *folder, const char *path, TextBuffer *out) {
    char found[PATH_CAPACITY];
    TextBuffer content = {0};
    find_file(folder, path, found);
    if (file_size(found) <= 0) return true;
    const Status status = file_read(found, &content);
    if (status_is_ok(&status))
        buffer_append_format(out, " (%016" PRIx64 ", %zu bytes)", text_hash(buffer_view(&content)),
                             content.length);
    buffer_release(&content);
    return status.kind != STATUS_NO_MEMORY;
}

bool identity_append_option(const EngineConfig *engine, const EngineOption *option, TextBuffer *out) {
    static const char *const NETWORKS[] = {"EvalFile", "EvalFileSmall", "WeightsFile"};
    for (size_t i = 0; i < sizeof NETWORKS / sizeof NETWORKS[0]; i++)
        if (strcasecmp(option->name, NETWORKS[i]) == 0)
            return identity_append_file(engine->folder, option->value, out);
    return true;
}
