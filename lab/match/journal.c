#include "lab/match/journal.h"

#include "base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char FIRST_LINE[] = "luft-lab match journal 1\n";
static const char LAST_HEADER_LINE[] = "pairs\n";

/* FNV-1a (Fowler, Noll, Vo): tells a torn line, which is all that is asked of it. */
static uint64_t checksum(TextView text) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < text.length; i++) hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001B3u;
    return hash;
}

static void describe_engine(const EngineConfig *engine, int number, TextBuffer *out) {
    char limits[80];
    play_limits_describe(&engine->limits, limits, sizeof limits);
    buffer_append_format(out, "engine %d: %s, cmd %s", number, engine->name, engine->command);
    if (engine->folder[0] != '\0') buffer_append_format(out, ", dir %s", engine->folder);
    for (int i = 0; i < engine->argument_count; i++)
        buffer_append_format(out, ", arg %s", engine->arguments[i]);
    buffer_append_format(out, ", %s, margin %" PRId64 " us", limits, engine->limits.margin);
    for (int i = 0; i < engine->option_count; i++)
        buffer_append_format(out, ", %s=%s", engine->options[i].name, engine->options[i].value);
    buffer_append_char(out, '\n');
}

/* All that decides what the games are. How many, how many at once, and what is printed may change on the way.
 */
static void describe_setup(const MatchSetup *setup, TextBuffer *out) {
    const OpeningOptions *book = &setup->openings;
    const GameRules *rules = &setup->rules;
    buffer_append_string(out, FIRST_LINE);
    for (int i = 0; i < setup->engine_count; i++) describe_engine(&setup->engines[i], i + 1, out);
    buffer_append_format(out, "tournament: %s\n", setup->kind == MATCH_GAUNTLET ? "gauntlet" : "round robin");
    buffer_append_format(out, "variant: %s\n", setup->chess960 ? "chess960" : "standard");
    buffer_append_format(out, "openings: %s, %s, seed %" PRIu64 ", start %d, plies %d\n",
                         book->path == NULL || book->path[0] == '\0' ? "none" : book->path,
                         book->order == OPENINGS_RANDOM ? "random" : "sequential", book->seed, book->start,
                         book->plies);
    buffer_append_format(out, "rules: draw %d/%d/%d, resign %d/%d%s, moves %d\n", rules->draw_from_move,
                         rules->draw_moves, rules->draw_score, rules->resign_moves, rules->resign_score,
                         rules->resign_twosided ? " both" : "", rules->max_moves);
    buffer_append_string(out, LAST_HEADER_LINE);
}

static void describe_game(const GameSummary *game, TextBuffer *out) {
    buffer_append_format(out, " %d %d %d %d %d", (int)game->result, (int)game->ending, (int)game->fault,
                         (int)game->guilty, game->plies);
    for (int color = WHITE; color <= BLACK; color++)
        buffer_append_format(out, " %d %d", game->warnings[color][FAULT_ILLEGAL_PV],
                             game->warnings[color][FAULT_LONG_PV]);
}

/* Ends a line: the length of the PGN file, then the checksum of all before it. */
static void end_line(int64_t pgn_length, TextBuffer *out) {
    buffer_append_format(out, " %" PRId64, pgn_length);
    buffer_append_format(out, " %016" PRIx64 "\n", checksum(buffer_view(out)));
}

static bool next_in_range(TextView *rest, int64_t low, int64_t high, int64_t *value) {
    return text_parse_int64(text_next_word(rest), value) && *value >= low && *value <= high;
}

static bool read_game(TextView *rest, GameSummary *game) {
    int64_t result, ending, fault, guilty, plies;
    if (!next_in_range(rest, RESULT_WHITE_WINS, RESULT_DRAW, &result) ||
        !next_in_range(rest, 1, ENDING_COUNT - 1, &ending) ||
        !next_in_range(rest, 0, FAULT_COUNT - 1, &fault) || !next_in_range(rest, 0, 1, &guilty) ||
        !next_in_range(rest, 0, INT32_MAX, &plies))
        return false;
    game->result = (GameResult)result;
    game->ending = (GameEnding)ending;
    game->fault = (Fault)fault;
    game->guilty = (Color)guilty;
    game->plies = (int)plies;
    for (int color = WHITE; color <= BLACK; color++) {
        int64_t illegal, too_long;
        if (!next_in_range(rest, 0, INT32_MAX, &illegal) || !next_in_range(rest, 0, INT32_MAX, &too_long))
            return false;
        game->warnings[color][FAULT_ILLEGAL_PV] = (int)illegal;
        game->warnings[color][FAULT_LONG_PV] = (int)too_long;
    }
    return true;
}

static int half_points(GameResult result, Color color) {
    if (result == RESULT_DRAW) return 1;
    return (result == RESULT_WHITE_WINS) == (color == WHITE) ? 2 : 0;
}

/* Takes the checksum off the end of a line; false when it does not fit. */
static bool check_line(TextView *line) {
    enum { CHECKSUM_LENGTH = 17 /* with the blank before it */ };
    char expected[24];
    if (line->length <= CHECKSUM_LENGTH) return false;
    line->length -= CHECKSUM_LENGTH;
    text_format(expected, sizeof expected, " %016" PRIx64, checksum(*line));
    return memcmp(line->data + line->length, expected, CHECKSUM_LENGTH) == 0;
}

/* "pair INDEX, both games, length". */
static bool read_pair(TextView rest, PairResult *pair, int64_t *pgn_length) {
    int64_t index;
    *pair = (PairResult){.restored = true};
    if (!next_in_range(&rest, 0, INT32_MAX, &index) || !read_game(&rest, &pair->game[0]) ||
        !read_game(&rest, &pair->game[1]) || !next_in_range(&rest, 0, INT64_MAX, pgn_length))
        return false;
    pair->index = (int)index;
    pair->outcome = half_points(pair->game[0].result, WHITE) + half_points(pair->game[1].result, BLACK);
    return true;
}

/* Compares the headers line by line and says what differs first. */
static Status compare_header(const char *path, TextView *content, TextView header) {
    TextView old_line, new_line;
    while (text_next_line(&header, &new_line)) {
        if (!text_next_line(content, &old_line)) old_line = text_view("nothing");
        if (old_line.length != new_line.length || memcmp(old_line.data, new_line.data, new_line.length) != 0)
            return status_error("%.60s is of another match: \"%.*s\" there, now \"%.*s\"", path,
                                (int)(old_line.length < 80 ? old_line.length : 80), old_line.data,
                                (int)(new_line.length < 80 ? new_line.length : 80), new_line.data);
    }
    return status_ok();
}

/* One line behind the header; *whole is false when it was torn. */
static Status restore_line(Journal *journal, TextView line, bool *whole, JournalVisitor *visit,
                           void *context) {
    PairResult pair;
    *whole = check_line(&line);
    TextView word = text_next_word(&line);
    if (*whole && text_equals(word, "begin")) {
        *whole = next_in_range(&line, 0, INT64_MAX, &journal->pgn_length);
        return status_ok();
    }
    *whole = *whole && text_equals(word, "pair") && read_pair(line, &pair, &journal->pgn_length);
    return *whole ? visit(context, &pair) : status_ok();
}

/* Shows the pairs; cuts a torn end off. A damaged line with others behind it was not torn by a kill: refused.
 */
static Status restore(Journal *journal, TextView content, size_t header_length, JournalVisitor *visit,
                      void *context) {
    TextView rest = {content.data + header_length, content.length - header_length}, line;
    Status status = status_ok();
    while (rest.length > 0 && status_is_ok(&status)) {
        int64_t begin = (int64_t)(content.length - rest.length);
        bool whole = memchr(rest.data, '\n', rest.length) != NULL;
        text_next_line(&rest, &line);
        if (whole) status = restore_line(journal, line, &whole, visit, context);
        if (!whole && rest.length > 0)
            return status_error("%s is damaged at byte %" PRId64, journal->file.path, begin);
        if (!whole) return append_file_cut(&journal->file, begin);
    }
    return status;
}

static Status continue_old(Journal *journal, TextView content, TextView header, JournalVisitor *visit,
                           void *context) {
    /* A header that was torn while it was written comes before all pairs: nothing is lost. */
    if (content.length < header.length && memcmp(content.data, header.data, content.length) == 0) {
        return append_file_cut(&journal->file, 0);
    }
    TextView rest = content;
    Status status = compare_header(journal->file.path, &rest, header);
    return status_is_ok(&status) ? restore(journal, content, header.length, visit, context) : status;
}

/* Puts an old journal out of the way and begins a new one under its name. */
static Status set_old_aside(AppendFile *file, const char *path) {
    char old[ENGINE_PATH_CAPACITY + 8];
    text_format(old, sizeof old, "%s.old", path);
    if (rename(path, old) != 0) return status_system_error("cannot rename %s to %s", path, old);
    append_file_close(file);
    return append_file_open(file, path);
}

static Status add_line(Journal *journal, TextBuffer *line, int64_t pgn_length) {
    end_line(pgn_length, line);
    Status status = line->failed ? status_error("no memory for a line of %s", journal->file.path)
                                 : append_file_write(&journal->file, buffer_view(line));
    buffer_release(line);
    return status;
}

static Status begin_new(Journal *journal, TextView header, int64_t pgn_length) {
    TextBuffer text = {0};
    Status status = journal->file.length > 0 ? status_ok() : append_file_write(&journal->file, header);
    if (!status_is_ok(&status)) return status;
    journal->pgn_length = pgn_length;
    buffer_append_string(&text, "begin");
    return add_line(journal, &text, pgn_length);
}

Status journal_open(Journal *journal, const MatchSetup *setup, int64_t pgn_length, JournalVisitor *visit,
                    void *context) {
    journal->pgn_length = -1;
    Status status = append_file_open(&journal->file, setup->journal_path);
    if (status_is_ok(&status) && !setup->resume && journal->file.length > 0)
        status = set_old_aside(&journal->file, setup->journal_path);
    if (!status_is_ok(&status)) {
        journal_close(journal);
        return status;
    }
    TextBuffer header = {0}, content = {0};
    describe_setup(setup, &header);
    if (journal->file.length > 0) status = file_read(setup->journal_path, &content);
    if (header.failed || content.failed) status = status_error("no memory to read %s", setup->journal_path);
    if (status_is_ok(&status) && content.length > 0)
        status = continue_old(journal, buffer_view(&content), buffer_view(&header), visit, context);
    if (status_is_ok(&status) && journal->pgn_length < 0)
        status = begin_new(journal, buffer_view(&header), pgn_length);
    buffer_release(&header);
    buffer_release(&content);
    if (!status_is_ok(&status)) journal_close(journal);
    return status;
}

Status journal_add(Journal *journal, const PairResult *pair, int64_t pgn_length) {
    TextBuffer line = {0};
    buffer_append_format(&line, "pair %d", pair->index);
    for (int i = 0; i < 2; i++) describe_game(&pair->game[i], &line);
    return add_line(journal, &line, pgn_length);
}

void journal_close(Journal *journal) { append_file_close(&journal->file); }
