#include "cli/source.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "chess/fen.h"
#include "chess/pgn.h"

#include <stdio.h>

/* --- words --- */

void source_join(const WordList *words, TextBuffer *out) {
    for (int i = 0; i < words->count; i++) buffer_append_format(out, i > 0 ? " %s" : "%s", words->word[i]);
}

bool source_is_fen(TextView text) {
    TextView word = text_next_word(&text);
    int slashes = 0;
    for (size_t i = 0; i < word.length; i++) {
        slashes += word.data[i] == '/';
        if (word.data[i] == '.') return false;
    }
    return slashes == 7 && word.data[0] != '/';
}

Status source_read_fen(const WordList *words, Position *pos) {
    TextBuffer fen = {0};
    if (words->count == 0) return fen_parse(pos, text_view(FEN_START), false);
    source_join(words, &fen);
    Status status = fen.failed ? status_no_memory("the position") : fen_parse(pos, buffer_view(&fen), false);
    buffer_release(&fen);
    return status;
}

Status source_read_techniques(const char *list, TechniqueSet *wanted) {
    const Status status = without_parse(text_view(list), wanted);
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

Status source_read(const char *path, TextBuffer *text, bool *has_games) {
    const Status status = file_read(path, text);
    TextView rest = text_without_mark(buffer_view(text)), line = text_view("");
    while (text_is_empty(text_trim(line)) && text_next_line(&rest, &line)) {
    }
    *has_games = !source_is_fen(line);
    return status;
}

/* "2 of the 5 games could not be read". */
static Status count_faults(int faults, int good, const char *what) {
    if (faults > 0) return status_error("%d of the %d %s could not be read", faults, faults + good, what);
    return good > 0 ? status_ok() : status_error("there is neither a position nor a game in it");
}

Status source_each_line(TextView text, SourceTakeLine *take, void *context) {
    TextView line;
    int number = 0, good = 0, faults = 0;
    text = text_without_mark(text);
    while (!ferror(stdout) && text_next_line(&text, &line)) {
        number++;
        line = text_trim(line);
        if (text_is_empty(line)) continue;
        if (interrupt_requested())
            return status_error("stopped: the positions from line %d on are not analysed", number);
        const Status status = take(context, line);
        const bool is_only = good + faults == 0 && text_is_empty(text_trim(text));
        if (is_only) return status;
        good += status_is_ok(&status);
        faults += !status_is_ok(&status);
        if (!status_is_ok(&status)) text_printf(stderr, "luft: line %d: %s\n", number, status.reason);
    }
    return count_faults(faults, good, "positions");
}

Status source_each_game(TextView text, SourceTakeGame *take, void *context) {
    Status status = status_ok();
    int line = 1, good = 0, faults = 0;
    bool found = true;
    while (found && status_is_ok(&status) && !ferror(stdout) && !interrupt_requested()) {
        Game game = {0};
        const Status reading = pgn_read_game(&text, &line, &game, &found);
        if (!status_is_ok(&reading)) {
            text_printf(stderr, "luft: %s\n", reading.reason);
            faults++;
        } else if (found) {
            status = take(context, &game, ++good);
        }
        game_release(&game);
    }
    if (!status_is_ok(&status)) return status;
    if (interrupt_requested() && good == 0) return status_error("stopped before the first game");
    if (interrupt_requested())
        return status_error("stopped in game %d: what was judged until then is written, no game after it is",
                            good);
    return count_faults(faults, good, "games");
}
