#include "tb/folder.h"

#include "base/memory.h"

#include <dirent.h>
#include <string.h>

#ifdef _WIN32
enum { SEPARATOR = ';' };
#else
enum { SEPARATOR = ':' };
#endif

static const char *const SUFFIXES[TABLE_KINDS] = {".rtbw", ".rtbz"};

static Status add_file(TableList *list, TextView folder, const char *name, TableKind kind,
                       Material material) {
    for (size_t i = 0; i < list->count; i++)
        if (list->files[i].material == material && list->files[i].kind == kind) return status_ok();
    TextBuffer path = {0};
    buffer_append(&path, folder);
    buffer_append_format(&path, "/%s", name);
    TableFile *files = memory_grow(list->files, list->count, sizeof *files);
    if (files != NULL) list->files = files;
    if (files == NULL || path.failed) {
        buffer_release(&path);
        return status_no_memory("the list of tablebases");
    }
    list->files[list->count++] = (TableFile){path.data, kind, material};
    return status_ok();
}

static Status look_at_file(TableList *list, TextView folder, const char *name, int *found) {
    for (TableKind kind = 0; kind < TABLE_KINDS; kind++) {
        const size_t length = strlen(name), suffix = strlen(SUFFIXES[kind]);
        Material material;
        if (length <= suffix || strcmp(name + length - suffix, SUFFIXES[kind]) != 0 ||
            !material_read(&material, (TextView){name, length - suffix}))
            continue;
        ++*found;
        return add_file(list, folder, name, kind, material);
    }
    return status_ok();
}

static Status look_at_folder(TableList *list, TextView folder) {
    TextBuffer path = {0};
    buffer_append(&path, folder);
    DIR *directory = opendir(buffer_string(&path));
    Status status = status_ok();
    if (directory != NULL) {
        int found = 0;
        for (const struct dirent *entry; status_is_ok(&status) && (entry = readdir(directory)) != NULL;)
            status = look_at_file(list, folder, entry->d_name, &found);
        closedir(directory);
        if (status_is_ok(&status) && found == 0)
            status =
                status_error("no tablebase (KQvK.rtbw and the like) in the folder %s", buffer_string(&path));
    } else {
        status = status_system_error("cannot read the folder %s", buffer_string(&path));
    }
    buffer_release(&path);
    return status;
}

Status table_list_fill(TableList *list, TextView path) {
    Status status = status_ok();
    while (path.length > 0 && status_is_ok(&status)) {
        TextView folder;
        text_split(&path, SEPARATOR, &folder);
        folder = text_trim(folder);
        if (!text_is_empty(folder)) status = look_at_folder(list, folder);
    }
    return status;
}

void table_list_release(TableList *list) {
    for (size_t i = 0; i < list->count; i++) memory_release(list->files[i].path);
    memory_release(list->files);
    *list = (TableList){0};
}
