#include "lab/data/convert.h"

#include "base/file.h"
#include "base/memory.h"
#include "lab/data/datatext.h"
#include "lab/data/sorting.h"
#include "lab/kit/ownership.h"

#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 1024, FLUSH_BYTES = 1 << 20 };

typedef struct Export {
    FILE *file;
    const char *path;
    TextBuffer text;
    bool pgn;
    uint64_t games;
} Export;

static Status export_flush(Export *export) {
    if (export->text.failed) return status_no_memory("the games");
    const size_t length = export->text.length;
    if (length && fwrite(export->text.data, 1, length, export->file) != length)
        return status_system_error("cannot write to %s", export->path);
    buffer_clear(&export->text);
    return status_ok();
}

static Status take_export(void *context, const RecordOrigin *origin, RecordedGame *game) {
    (void)origin;
    Export *export = context;
    Status status = status_ok();
    if (export->pgn)
        status = datatext_append_pgn(game, ++export->games, &export->text);
    else
        datatext_append_line(game, &export->text);
    return status_is_ok(&status) && export->text.length > FLUSH_BYTES ? export_flush(export) : status;
}

Status convert_export(char *const *files, int count, bool pgn, const char *out) {
    const bool to_file = out != NULL && strcmp(out, "-") != 0;
    Export export = {.pgn = pgn, .path = to_file ? out : "standard output"};
    Status status = ownership_check_inputs(out, (const char *const *)files, count);
    if (status_is_ok(&status) && to_file) status = ownership_check_free(out);
    if (!status_is_ok(&status)) return status;
    char part[PATH_CAPACITY];
    text_format(part, sizeof part, "%s.part", to_file ? out : "");
    export.file = to_file ? fopen(part, "wb") : stdout;
    if (export.file == NULL) return status_system_error("cannot open %s", part);
    status = sorting_for_each_game(files, count, take_export, &export);
    if (status_is_ok(&status)) status = export_flush(&export);
    if ((to_file ? fclose(export.file) : fflush(export.file)) != 0 && status_is_ok(&status))
        status = status_system_error("cannot write to %s", export.path);
    if (to_file && status_is_ok(&status) && rename(part, out) != 0)
        status = status_system_error("cannot rename %s", part);
    if (to_file && !status_is_ok(&status)) (void)remove(part);
    buffer_release(&export.text);
    return status;
}

static Status import_text(const char *path, TextView rest, bool pgn, RecordOutput *output,
                          RecordedGame *game) {
    RecordOrigin origin = {0};
    int number = 1;
    rest = text_without_mark(rest);
    for (;;) {
        TextView line;
        bool found = true;
        Status status;
        if (pgn) {
            status = datatext_read_pgn(&rest, &number, game, &found);
        } else if ((found = text_next_line(&rest, &line))) {
            const bool skip = text_is_empty(text_trim(line));
            status = skip ? status_ok() : datatext_read_line(line, game);
            if (!status_is_ok(&status)) status = status_error("line %d: %s", number, status.reason);
            number++;
            if (skip) continue;
        } else {
            status = status_ok();
        }
        if (!status_is_ok(&status)) return status_error("%s: %s", path, status.reason);
        if (!found) return status_ok();
        status = sorting_add(output, &origin, game);
        if (!status_is_ok(&status)) return status;
    }
}

Status convert_import(char *const *files, int count, bool pgn, const char *out) {
    RecordOutput output;
    Status status = sorting_open(&output, out);
    RecordedGame *game = memory_allocate(sizeof *game);
    if (game == NULL && status_is_ok(&status)) status = status_no_memory("the games");
    for (int i = 0; game != NULL && i < count && status_is_ok(&status); i++) {
        TextBuffer text = {0};
        status = file_read(files[i], &text);
        if (status_is_ok(&status)) status = import_text(files[i], buffer_view(&text), pgn, &output, game);
        buffer_release(&text);
    }
    memory_release(game);
    return sorting_close(&output, status);
}
