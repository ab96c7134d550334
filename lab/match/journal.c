#include "lab/match/journal.h"

#include "lab/kit/line_journal.h"

#include <inttypes.h>

static const char FIRST_LINE[] = "luft-lab match journal 1\n";
static const char LAST_HEADER_LINE[] = "pairs\n";

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

/* The reading of an old journal. */
typedef struct Restoring {
    Journal *journal;
    JournalVisitor *visit;
    void *context;
} Restoring;

static Status restore_line(void *context, TextView line, bool *whole) {
    Restoring *restoring = context;
    int64_t *pgn_length = &restoring->journal->pgn_length;
    PairResult pair;
    TextView word = text_next_word(&line);
    if (text_equals(word, "begin")) {
        *whole = next_in_range(&line, 0, INT64_MAX, pgn_length);
        return status_ok();
    }
    *whole = text_equals(word, "pair") && read_pair(line, &pair, pgn_length);
    return *whole ? restoring->visit(restoring->context, &pair) : status_ok();
}

/* Ends a line by the length of the PGN file. */
static Status add_line(Journal *journal, TextBuffer *line, int64_t pgn_length) {
    buffer_append_format(line, " %" PRId64, pgn_length);
    line_journal_seal(line);
    Status status = line_journal_add(&journal->file, line);
    buffer_release(line);
    return status;
}

static Status begin_new(Journal *journal, int64_t pgn_length) {
    TextBuffer line = {0};
    journal->pgn_length = pgn_length;
    buffer_append_string(&line, "begin");
    return add_line(journal, &line, pgn_length);
}

Status journal_open(Journal *journal, const MatchSetup *setup, int64_t pgn_length, JournalVisitor *visit,
                    void *context) {
    journal->pgn_length = journal->file.handle = -1;
    Restoring restoring = {journal, visit, context};
    TextBuffer header = {0};
    describe_setup(setup, &header);
    LineJournal lines = {setup->journal_path, "match", buffer_view(&header), setup->resume};
    Status status = header.failed ? status_no_memory("%.200s", setup->journal_path)
                                  : line_journal_open(&journal->file, &lines, restore_line, &restoring);
    if (status_is_ok(&status) && journal->pgn_length < 0) status = begin_new(journal, pgn_length);
    buffer_release(&header);
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
