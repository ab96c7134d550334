#include "lab/match/journal.h"

#include "chess/game.h"

#include <inttypes.h>

static const char FIRST_LINE[] = "luft-lab match journal 4\n";
static const char LAST_HEADER_LINE[] = "pairs\n";

static void describe_engine(const EngineConfig *engine, int number, TextBuffer *out) {
    char limits[80];
    play_limits_describe(&engine->limits, limits, sizeof limits);
    buffer_append_format(out, "engine %d: %s, cmd %s", number, engine->name, engine->command);
    if (engine->folder[0] != '\0') buffer_append_format(out, ", dir %s", engine->folder);
    for (int i = 0; i < engine->argument_count; i++)
        buffer_append_format(out, ", arg %s", engine->arguments[i]);
    buffer_append_format(out, ", %s, margin %" PRId64 " us", limits, engine->limits.margin);
    for (int i = 0; i < engine->option_count; i++) {
        const EngineOption *option = &engine->options[i];
        buffer_append_format(out, ", %s=%s", option->name, option->value);
        identity_append_option(engine, option, out);
    }
    buffer_append_format(out, "\nengine %d is ", number);
    identity_append_program(engine, out);
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
    const bool has_book = book->path != NULL && book->path[0] != '\0';
    buffer_append_format(out, "openings: %s", has_book ? book->path : "none");
    if (has_book) identity_append_file("", book->path, out);
    buffer_append_format(out, ", %s, seed %" PRIu64 ", start %d, plies %d\n",
                         book->order == OPENINGS_RANDOM ? "random" : "sequential", book->seed, book->start,
                         book->plies);
    buffer_append_format(out, "rules: draw %d/%d/%d, resign %d/%d%s, moves %d\n", rules->draw_from_move,
                         rules->draw_moves, rules->draw_score, rules->resign_moves, rules->resign_score,
                         rules->resign_twosided ? " both" : "", rules->max_moves);
    buffer_append_format(out, "pgn: %s\n", setup->pgn_path == NULL ? "none" : setup->pgn_path);
    buffer_append_string(out, LAST_HEADER_LINE);
}

/* Journals number the results in another order than GameResult. */
static const GameResult JOURNAL_RESULTS[] = {UNDECIDED, WHITE_WINS, BLACK_WINS, DRAWN};

static int journal_result(GameResult result) {
    int number = 0;
    while (JOURNAL_RESULTS[number] != result) number++;
    return number;
}

static void describe_game(const GameSummary *game, TextBuffer *out) {
    buffer_append_format(out, " %d %d %d %d %d", journal_result(game->result), (int)game->end,
                         (int)game->fault, (int)game->at_fault, game->plies);
    for (int color = WHITE; color <= BLACK; color++)
        buffer_append_format(out, " %d %d", game->warnings[color][FAULT_ILLEGAL_PV],
                             game->warnings[color][FAULT_LONG_PV]);
}

static bool next_in_range(TextView *rest, int64_t low, int64_t high, int64_t *value) {
    return text_parse_int64(text_next_word(rest), value) && *value >= low && *value <= high;
}

static bool read_game(TextView *rest, GameSummary *game) {
    int64_t result, ending, fault, at_fault, plies;
    if (!next_in_range(rest, 1, 3, &result) || !next_in_range(rest, 1, GAME_ENDS - 1, &ending) ||
        !next_in_range(rest, 0, FAULT_COUNT - 1, &fault) || !next_in_range(rest, 0, 1, &at_fault) ||
        !next_in_range(rest, 0, INT32_MAX, &plies))
        return false;
    game->result = JOURNAL_RESULTS[result];
    game->end = (GameEnd)ending;
    game->fault = (Fault)fault;
    game->at_fault = (Color)at_fault;
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

/* "LENGTH HASH" */
static bool read_mark(TextView *rest, PgnMark *pgn) {
    return next_in_range(rest, 0, INT64_MAX, &pgn->length) &&
           text_parse_uint64(text_next_word(rest), &pgn->hash) && text_is_empty(text_trim(*rest));
}

/* "pair INDEX, both games, LENGTH HASH". */
static bool read_pair(TextView rest, PairResult *pair, PgnMark *pgn) {
    int64_t index;
    *pair = (PairResult){.restored = true};
    if (!next_in_range(&rest, 0, INT32_MAX, &index) || !read_game(&rest, &pair->game[0]) ||
        !read_game(&rest, &pair->game[1]) || !read_mark(&rest, pgn))
        return false;
    pair->index = (int)index;
    pair->outcome =
        game_half_points(pair->game[0].result, WHITE) + game_half_points(pair->game[1].result, BLACK);
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
    PgnMark *pgn = &restoring->journal->pgn;
    PairResult pair;
    TextView word = text_next_word(&line);
    if (text_equals(word, "begin")) {
        *whole = read_mark(&line, pgn);
        return status_ok();
    }
    *whole = text_equals(word, "pair") && read_pair(line, &pair, pgn);
    return *whole ? restoring->visit(restoring->context, &pair) : status_ok();
}

/* Ends a line by what the PGN file holds. */
static Status add_line(Journal *journal, TextBuffer *line, PgnMark pgn) {
    buffer_append_format(line, " %" PRId64 " %" PRIu64 "\n", pgn.length, pgn.hash);
    Status status = line_journal_add(&journal->lines, line);
    if (status_is_ok(&status)) journal->pgn = pgn;
    buffer_release(line);
    return status;
}

static Status begin_new(Journal *journal, const MatchSetup *setup, PgnMark pgn) {
    if (setup->resume && pgn.length > 0)
        return status_error("%.80s is missing or empty, but %.80s has games: nothing can be resumed; without "
                            "-resume they stay, and new ones follow",
                            setup->journal_path, setup->pgn_path);
    TextBuffer line = {0};
    buffer_append_string(&line, "begin");
    return add_line(journal, &line, pgn);
}

Status journal_open(Journal *journal, const MatchSetup *setup, PgnMark pgn, JournalVisitor *visit,
                    void *context) {
    Restoring restoring = {journal, visit, context};
    TextBuffer header = {0};
    describe_setup(setup, &header);
    LineJournalPlan plan = {setup->journal_path, "match", buffer_view(&header), setup->resume};
    Status status = header.failed ? status_no_memory("%s", setup->journal_path)
                                  : line_journal_open(&journal->lines, &plan, restore_line, &restoring);
    if (status_is_ok(&status) && journal->lines.lines == 0) status = begin_new(journal, setup, pgn);
    buffer_release(&header);
    if (!status_is_ok(&status)) journal_close(journal);
    return status;
}

Status journal_add(Journal *journal, const PairResult *pair, PgnMark pgn) {
    TextBuffer line = {0};
    buffer_append_format(&line, "pair %d", pair->index);
    for (int i = 0; i < 2; i++) describe_game(&pair->game[i], &line);
    return add_line(journal, &line, pgn);
}

void journal_close(Journal *journal) { line_journal_close(&journal->lines); }
