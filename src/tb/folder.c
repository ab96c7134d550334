#include "tb/folder.h"

#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
enum { SEPARATOR = ';' };
#else
enum { SEPARATOR = ':' };
#endif

/* The kinds of file: who wins, in how many moves to mate (not read, but opened), in how many to the next
 * capture or pawn move. */
typedef struct TableKind {
    const char *suffix;
    unsigned char magic[4];
} TableKind;
static const TableKind KINDS[] = {{".rtbw", {0x71, 0xE8, 0x23, 0x5D}},
                                  {".rtbm", {0x4B, 0x50, 0xAC, 0x88}},
                                  {".rtbz", {0xD7, 0x66, 0x0C, 0xA5}}};
enum { WHO_WINS, KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* A table is a row of 64-byte blocks and a checksum of 16 bytes. */
enum { BLOCK = 64, CHECKSUM = 16, SIZE_MIN = BLOCK + CHECKSUM };

/* The pieces of one side, the strongest first: "KQP". Returns how many; 0 when it is something else. */
static int side_length(TextView name) {
    static const char ORDER[] = "QRBNP";
    const char *last = ORDER;
    if (text_is_empty(name) || name.data[0] != 'K') return 0;
    for (size_t i = 1; i < name.length; i++) {
        const char *piece = memchr(last, name.data[i], (size_t)(ORDER + sizeof ORDER - 1 - last));
        if (piece == NULL) return 0;
        last = piece;
    }
    return (int)name.length;
}

/* Whether the sides are in the library's order: more pieces first, or the stronger ones. */
static bool in_order(TextView strong, TextView weak) {
    static const char ORDER[] = "QRBNP";
    if (strong.length != weak.length) return strong.length > weak.length;
    for (size_t i = 1; i < strong.length; i++)
        if (strong.data[i] != weak.data[i])
            return strchr(ORDER, strong.data[i]) < strchr(ORDER, weak.data[i]);
    return true;
}

/* How many pieces and pawns a table of this name knows; 0: it is no name of a table. */
static int pieces_of_name(TextView name) {
    TextView first;
    if (!text_split(&name, 'v', &first)) return 0;
    const int strong = side_length(first), weak = side_length(name), pieces = strong + weak;
    const bool known = strong > 0 && weak > 0 && in_order(first, name);
    return known && pieces > 2 && pieces <= TABLE_PIECES_MAX ? pieces : 0;
}

static Status check_file(const char *path, const TableKind *kind) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return status_system_error("cannot open %s", path);
    unsigned char magic[4] = {0};
    const bool is_table =
        fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, kind->magic, sizeof magic) == 0;
    fclose(file);
    const long long size = file_size(path);
    if (!is_table) return status_error("%s is no tablebase, or a damaged one", path);
    if (size < SIZE_MIN || size % BLOCK != CHECKSUM)
        return status_error("%s is not complete (%lld bytes)", path, size);
    return status_ok();
}

static Status add_name(TableList *list, TextView name, int pieces) {
    for (size_t i = 0; i < list->count; i++)
        if (text_equals(name, list->names[i].text)) return status_ok();
    TableName *names = memory_grow(list->names, list->count, sizeof *names);
    if (names == NULL) return status_no_memory("the list of tablebases");
    list->names = names;
    text_copy(name, names[list->count++].text, sizeof names->text);
    if (pieces > list->largest) list->largest = pieces;
    return status_ok();
}

/* The library ignores files of other names, and so does Luft. */
static Status look_at_file(TableList *list, TextView folder, const char *file_name, int *found) {
    for (int i = 0; i < KIND_COUNT; i++) {
        const size_t length = strlen(file_name), suffix = strlen(KINDS[i].suffix);
        if (length <= suffix || strcmp(file_name + length - suffix, KINDS[i].suffix) != 0) continue;
        const TextView name = {file_name, length - suffix};
        const int pieces = pieces_of_name(name);
        if (pieces == 0) continue;
        TextBuffer path = {0};
        buffer_append(&path, folder);
        buffer_append_format(&path, "/%s", file_name);
        Status status = check_file(buffer_string(&path), &KINDS[i]);
        buffer_release(&path);
        if (status_is_ok(&status) && i == WHO_WINS) status = add_name(list, name, pieces);
        ++*found;
        return status;
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
        if (text_is_empty(folder)) continue; /* the library would read past the end of such a list */
        status = look_at_folder(list, folder);
        if (list->path.length > 0) buffer_append_char(&list->path, SEPARATOR);
        buffer_append(&list->path, folder);
    }
    if (status_is_ok(&status) && list->path.failed) status = status_no_memory("the list of tablebases");
    if (status_is_ok(&status) && list->count == 0) status = status_error("no tablebase that says who wins");
    return status;
}

void table_list_release(TableList *list) {
    memory_release(list->names);
    buffer_release(&list->path);
    *list = (TableList){0};
}
