#include "cli/source.h"

#include "base/interrupt.h"
#include "chess/fen.h"

#include <stdio.h>

/* --- words --- */

void source_join(const WordList *words, TextBuffer *out) {
    for (int i = 0; i < words->count; i++) buffer_append_format(out, i > 0 ? " %s" : "%s", words->word[i]);
}

Status source_take_position(TextView *text, Position *pos) {
    Status warning;
    const Status status = reader_take_position(pos, text, false, &warning);
    if (status_is_ok(&status) && !status_is_ok(&warning)) text_printf(stderr, "luft: %s\n", warning.reason);
    return status;
}

Status source_read_fen(const WordList *words, Position *pos) {
    TextBuffer fen = {0};
    if (words->count == 0) return fen_parse(pos, text_view(FEN_START), false);
    source_join(words, &fen);
    TextView text = buffer_view(&fen);
    Status status = fen.failed ? status_no_memory("the position") : source_take_position(&text, pos);
    buffer_release(&fen);
    return status;
}

Status source_read_techniques(const char *list, TechniqueSet *wanted) {
    SearchChanges changes = {0};
    const Status status = changes_parse(text_view(list), CHANGE_OFF, &changes);
    *wanted = changes.off;
    if (status_is_ok(&status)) return status;
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    text_printf(stderr, "luft: the techniques are");
    for (int id = 0; id < count; id++)
        if (without_matters((TechniqueId)id)) text_printf(stderr, "%s %s", id > 0 ? "," : "", rows[id].name);
    text_printf(stderr, "\n");
    return status;
}

/* --- files --- */

static Status finish(Reader *reader, Status status) {
    const Status whole = reader_finish(reader, false, NULL);
    buffer_print(&reader->problems.text, stderr);
    return status_is_ok(&status) ? whole : status;
}

Status source_each_position(Reader *reader, SourceTakePosition *take, void *context) {
    Status status = status_ok();
    Position pos;
    TextView operations;
    while (!ferror(stdout) && reader_next_position(reader, false, &pos, &operations)) {
        buffer_print(&reader->problems.text, stderr);
        if (interrupt_requested()) {
            status = status_error("stopped: the positions from line %d on are not analysed", reader->line);
            break;
        }
        const Status taken = take(context, &pos, operations);
        if (!status_is_ok(&taken)) reader_refuse(reader, taken.reason);
    }
    return finish(reader, status);
}

Status source_each_game(Reader *reader, SourceTakeGame *take, void *context) {
    Status status = status_ok();
    int number = 0;
    bool found = true;
    while (found && status_is_ok(&status) && !ferror(stdout) && !interrupt_requested()) {
        Game game = {0};
        found = reader_next_game(reader, &game, &status);
        buffer_print(&reader->problems.text, stderr);
        if (found) status = take(context, &game, ++number);
        game_release(&game);
    }
    if (status_is_ok(&status) && interrupt_requested())
        status = number == 0
                     ? status_error("stopped before the first game")
                     : status_error(
                           "stopped in game %d: what was judged until then is written, no game after it is",
                           number);
    return finish(reader, status);
}
