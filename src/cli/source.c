#include "cli/source.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "chess/fen.h"

#include <stdio.h>
#include <string.h>

/* --- words --- */

void source_join(const WordList *words, TextBuffer *out) {
    for (int i = 0; i < words->count; i++) {
        const bool is_start = i == 0 && strcmp(words->word[0], "startpos") == 0; /* as in UCI */
        buffer_append_format(out, i > 0 ? " %s" : "%s", is_start ? FEN_START : words->word[i]);
    }
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
    if (!status_is_ok(&status) && words->count == 1 && file_is_plain(words->word[0]))
        status =
            status_error("%.80s is a file, and this command takes a position as FEN; luft explain and luft "
                         "analyse take files",
                         words->word[0]);
    /* Operations of EPD end in semicolons. */
    const bool is_more = !text_is_empty(text) && memchr(text.data, ';', text.length) == NULL;
    if (status_is_ok(&status) && is_more)
        status = status_error("expected one position, and '%.*s' follows it", int_min((int)text.length, 40),
                              text.data);
    buffer_release(&fen);
    return status;
}

Status source_read_techniques(const char *list, TechniqueSet *wanted) {
    SearchChanges changes = {0};
    const Status status = changes_parse(text_view(list), CHANGE_OFF, &changes);
    *wanted = changes.off;
    if (status_is_ok(&status) || strstr(status.reason, "did you mean") != NULL) return status;
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    text_printf(stderr, "luft: the techniques are");
    for (int id = 0; id < count; id++)
        if (without_matters((TechniqueId)id)) text_printf(stderr, "%s %s", id > 0 ? "," : "", rows[id].name);
    text_printf(stderr, "\n");
    return status;
}

Status source_open_network(const char *path, Network **network) {
    Status status = status_ok();
    *network = path != NULL ? network_load(path, &status) : NULL;
    return status;
}

/* --- files --- */

enum { SHARDS_MAX = 1 << 20 };

Status source_read_shard(const char *text, SourceShard *shard) {
    *shard = (SourceShard){0, 0};
    if (text == NULL) return status_ok();
    TextView rest = text_view(text), front;
    if (text_split(&rest, '/', &front) && text_parse_int64(front, &shard->number) &&
        text_parse_int64(rest, &shard->count) && shard->number >= 1 && shard->number <= shard->count &&
        shard->count <= SHARDS_MAX)
        return status_ok();
    return status_error("--shard needs K/N, the K-th of N parts of the file, for example 3/8");
}

/* Whether what comes next is part of the shard. */
static bool is_in_shard(const Reader *reader, SourceShard shard) {
    if (shard.count == 0) return true;
    const uint64_t begin = reader->text.length - reader->rest.length;
    const uint64_t part = begin * (uint64_t)shard.count / (reader->text.length + 1);
    return part == (uint64_t)shard.number - 1;
}

static Status finish(Reader *reader, Status status) {
    const Status whole = reader_finish(reader, false, NULL);
    buffer_print(&reader->problems.text, stderr);
    return status_is_ok(&status) ? whole : status;
}

Status source_each_position(Reader *reader, SourceShard shard, SourceTakePosition *take, void *context) {
    Status status = status_ok();
    Position pos;
    TextView operations;
    while (!ferror(stdout)) {
        const bool is_wanted = is_in_shard(reader, shard);
        if (!reader_next_position(reader, false, &pos, &operations)) break;
        buffer_print(&reader->problems.text, stderr);
        if (interrupt_requested()) {
            status = status_error("stopped: the positions from line %d on are not analysed", reader->line);
            break;
        }
        if (!is_wanted) continue;
        const Status taken = take(context, &pos, operations);
        if (!status_is_ok(&taken)) reader_refuse(reader, taken.reason);
    }
    return finish(reader, status);
}

Status source_each_game(Reader *reader, SourceShard shard, SourceTakeGame *take, void *context) {
    Status status = status_ok();
    int number = 0;
    bool found = true;
    while (found && status_is_ok(&status) && !ferror(stdout) && !interrupt_requested()) {
        Game game = {0};
        const bool is_wanted = is_in_shard(reader, shard);
        found = reader_next_game(reader, &game, &status);
        buffer_print(&reader->problems.text, stderr);
        number += found;
        if (found && is_wanted) status = take(context, &game, number);
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
