#include "cli/technique_words.h"

#include <stdio.h>

Status technique_words_read(const char *list, TechniqueSet *techniques_out) {
    const Status status = without_parse(text_view(list), techniques_out);
    if (status_is_ok(&status)) return status;
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    fputs("luft: the techniques are", stderr);
    for (int id = 0; id < count; id++)
        if (without_matters((TechniqueId)id)) fprintf(stderr, "%s %s", id > 0 ? "," : "", rows[id].name);
    fputc('\n', stderr);
    return status;
}
