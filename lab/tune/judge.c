#include "lab/tune/judge.h"

#include "base/memory.h"
#include "base/rng.h"
#include "base/sync.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "engine/chances.h"
#include "lab/client/seat.h"
#include "lab/kit/console.h"
#include "lab/kit/line_journal.h"
#include "lab/match/match_game.h"
#include "search/score.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCORE_LIMIT = 32000, /* of uci_score_value, which gives mates as this less their moves */
    MATE_MOVES_MAX = 1000
};

typedef struct Stretch {
    char fen[FEN_CAPACITY]; /* where the game begins */
    int start;              /* ply of the first position */
    Move *moves;            /* of the game, up to the last position */
} Stretch;

/* What is known of a move, found by a hash of the move and of the text that describes its position. */
typedef struct Judgement {
    uint64_t key; /* 0: none */
    int score;    /* centipawns of the side that moved, as uci_score_value */
} Judgement;

struct Judge {
    JudgeSettings settings;
    TextBuffer referee; /* of the settings, for good */
    Stretch *stretch;
    int64_t count;
    Mutex lock; /* for the judgements and their journal */
    Judgement *table;
    size_t slots, judgements; /* slots: a power of two */
    LineJournal journal;
};

/* --- a walk through a stretch --- */

typedef struct Walk {
    const Stretch *stretch;
    int ply; /* of the game */
    Position pos;
    TextBuffer line; /* "position fen ... moves ...": what engines get */
} Walk;

static int last_ply(const Stretch *stretch) { return stretch->start + 2 * (JUDGE_POSITIONS - 1); }

/* Walks on to a later ply of the game. */
static void walk_on(Walk *walk, int ply) {
    assert(ply >= walk->ply && ply <= last_ply(walk->stretch));
    for (; walk->ply < ply; walk->ply++) {
        char text[LAN_CAPACITY];
        Undo undo;
        lan_write(&walk->pos, walk->stretch->moves[walk->ply], text);
        buffer_append_format(&walk->line, " %s", text);
        position_make_move(&walk->pos, walk->stretch->moves[walk->ply], &undo);
    }
}

static Status walk_begin(Walk *walk, const Stretch *stretch) {
    *walk = (Walk){.stretch = stretch};
    Status status = fen_parse(&walk->pos, text_view(stretch->fen), false);
    buffer_append_format(&walk->line, "position fen %s moves", stretch->fen);
    if (status_is_ok(&status)) walk_on(walk, stretch->start);
    return status;
}

/* --- stretches --- */

/* Where the stretch of a game begins, in plies; -1 for a game that has none. */
static int choose_start(const Game *game, Rng *rng) {
    const int room = game->move_count - 2 * JUDGE_POSITIONS - JUDGE_FIRST_PLY + 1;
    if (room < 1 || game->start.chess960) return -1;
    const int start = JUDGE_FIRST_PLY + (int)rng_below(rng, (uint64_t)room);
    return abs(uci_score_value(match_game_score_before(game, start))) > JUDGE_SCORE_LIMIT ? -1 : start;
}

static Status add_stretch(Judge *judge, const Game *game, int start) {
    Stretch *larger = memory_grow(judge->stretch, (size_t)judge->count, sizeof *larger);
    if (larger == NULL) return status_no_memory("the games");
    judge->stretch = larger;
    Stretch *stretch = &larger[judge->count];
    *stretch = (Stretch){.start = start};
    const size_t size = (size_t)last_ply(stretch) * sizeof(Move);
    stretch->moves = memory_allocate(size);
    if (stretch->moves == NULL) return status_no_memory("the games");
    memcpy(stretch->moves, game->moves, size);
    fen_write(&game->start, stretch->fen);
    judge->count++;
    return status_ok();
}

/* Reads a stretch of each game that has one. */
static Status read_games(Judge *judge, Reader *reader) {
    Game game = {0};
    Status status;
    for (uint64_t number = 0; reader_next_game(reader, &game, &status); number++) {
        Rng rng = rng_stream(judge->settings.seed, number);
        const int start = choose_start(&game, &rng);
        if (start >= 0) status = add_stretch(judge, &game, start);
        if (!status_is_ok(&status)) break;
    }
    game_release(&game);
    return status;
}

/* Keeps as many as wanted, chosen at random. */
static void choose_stretches(Judge *judge) {
    Rng rng = rng_seed(judge->settings.seed);
    for (int64_t i = 0; i < judge->count && i < judge->settings.stretches; i++) {
        const int64_t other = i + (int64_t)rng_below(&rng, (uint64_t)(judge->count - i));
        Stretch kept = judge->stretch[i];
        judge->stretch[i] = judge->stretch[other];
        judge->stretch[other] = kept;
    }
    while (judge->count > judge->settings.stretches) memory_release(judge->stretch[--judge->count].moves);
}

static Status load_games(Judge *judge) {
    const char *path = judge->settings.games;
    Reader reader;
    Status status = reader_open(&reader, path);
    if (status_is_ok(&status)) status = read_games(judge, &reader);
    if (status_is_ok(&status)) status = reader_finish(&reader, judge->settings.skip_faults, SKIP_FAULTS);
    buffer_print(&reader.problems.text, stderr);
    reader_close(&reader);
    if (!status_is_ok(&status)) return status;
    if (judge->count == 0)
        return status_error(
            "%.200s has no game of standard chess, at least %d plies long, that is not decided", path,
            JUDGE_FIRST_PLY + 2 * JUDGE_POSITIONS);
    choose_stretches(judge);
    return status;
}

/* --- judgements --- */

/* The judgement of a key, or the empty slot where it belongs. The address of the table takes part, which
 * nobody knows who makes a journal: else its keys could all want one slot. */
static Judgement *find_slot(Judgement *table, size_t slots, uint64_t key) {
    size_t slot = (size_t)rng_next(&(Rng){key ^ (uintptr_t)table}) & (slots - 1);
    while (table[slot].key != 0 && table[slot].key != key) slot = (slot + 1) & (slots - 1);
    return &table[slot];
}

/* Makes room for one more; the table stays a quarter empty. */
static bool grow_table(Judge *judge) {
    if (4 * (judge->judgements + 1) <= 3 * judge->slots) return true;
    const size_t slots = judge->slots == 0 ? 1024 : 2 * judge->slots;
    Judgement *table = memory_allocate(slots * sizeof *table);
    if (table == NULL) return false;
    for (size_t i = 0; i < judge->slots; i++)
        if (judge->table[i].key != 0) *find_slot(table, slots, judge->table[i].key) = judge->table[i];
    memory_release(judge->table);
    judge->table = table;
    judge->slots = slots;
    return true;
}

static const Judgement *find_judgement(const Judge *judge, uint64_t key) {
    const Judgement *judgement = judge->slots == 0 ? NULL : find_slot(judge->table, judge->slots, key);
    return judgement == NULL || judgement->key == 0 ? NULL : judgement;
}

static Status add_judgement(Judge *judge, uint64_t key, int score) {
    if (!grow_table(judge)) return status_no_memory("the judgements");
    Judgement *slot = find_slot(judge->table, judge->slots, key);
    judge->judgements += slot->key == 0;
    *slot = (Judgement){key, score};
    return status_ok();
}

/* "KEY SCORE" */
static Status restore_judgement(void *context, TextView line, bool *whole) {
    uint64_t key;
    int64_t score;
    TextView first = text_next_word(&line);
    *whole = text_parse_uint64(first, &key) && key != 0 && text_parse_int64(text_next_word(&line), &score) &&
             text_is_empty(text_trim(line)) && score >= -SCORE_LIMIT && score <= SCORE_LIMIT;
    return *whole ? add_judgement(context, key, (int)score) : status_ok();
}

static Status open_journal(Judge *judge) {
    TextBuffer header = {0};
    buffer_append_format(&header, "luft-lab judgements 2\n%s\njudgements\n", buffer_string(&judge->referee));
    LineJournalPlan plan = {judge->settings.journal, "referee", buffer_view(&header), judge->settings.remedy,
                            NULL};
    Status status = header.failed || judge->referee.failed
                        ? status_no_memory("the journal of judgements")
                        : line_journal_open(&judge->journal, &plan, restore_judgement, judge);
    buffer_release(&header);
    return status;
}

/* The lock is held. */
static Status keep_judgement(Judge *judge, uint64_t key, int score) {
    if (find_judgement(judge, key) != NULL) return status_ok(); /* another thread came first */
    TextBuffer line = {0};
    buffer_append_format(&line, "%" PRIu64 " %d\n", key, score);
    Status status = line_journal_add(&judge->journal, &line);
    buffer_release(&line);
    return status_is_ok(&status) ? add_judgement(judge, key, score) : status;
}

/* --- a passage --- */

/* Lets an engine search. On a fault, which is then in the passage, the result is false. */
static bool search(UciClient *client, bool referee, TextView line, uint64_t nodes, SearchReport *report,
                   JudgePassage *passage) {
    char go[40];
    text_format(go, sizeof go, "go nodes %" PRIu64, nodes);
    SearchRequest request = {.position = line, .go = text_view(go)};
    passage->fault = uci_client_search(client, &request, report);
    passage->by_referee = referee;
    text_copy(text_view(report->detail), passage->detail, sizeof passage->detail);
    return passage->fault == FAULT_NONE;
}

static bool new_game(UciClient *client, bool referee, JudgePassage *passage) {
    passage->fault = uci_client_new_game(client, passage->detail);
    passage->by_referee = referee;
    return passage->fault == FAULT_NONE;
}

/* Lack of memory is no fault of an engine. */
static Status our_own_fault(const JudgePassage *passage) {
    return passage->fault == FAULT_MEMORY ? status_no_memory("a search") : status_ok();
}

/* The player's move; false when it is none. */
static bool take_move(const Walk *walk, const SearchReport *report, Move *move, JudgePassage *passage) {
    Status status = lan_parse(&walk->pos, text_view(report->best_move), move);
    if (status_is_ok(&status)) return true;
    char fen[FEN_CAPACITY];
    fen_write(&walk->pos, fen);
    passage->fault = FAULT_ILLEGAL_MOVE;
    text_format(passage->detail, sizeof passage->detail, "bestmove %s in %s", report->best_move, fen);
    return false;
}

/* The score of the move at the end of `line` by the long search. */
static bool ask_referee(const Judge *judge, TextView line, const JudgeEngines *engines, SearchReport *report,
                        JudgePassage *passage, int *score, Status *status) {
    if (!new_game(engines->referee, true, passage) ||
        !search(engines->referee, true, line, judge->settings.nodes, report, passage))
        return false;
    if (!report->has_info)
        *status = status_error("the referee gives no score within %" PRIu64 " nodes", judge->settings.nodes);
    else
        *score = -uci_score_value(report->info.score);
    return status_is_ok(status);
}

/* Whether a move ends the game, and its score then. Threefold repetitions are noticed, because the walk has
 * played the whole game. */
static bool ends_game(const Walk *walk, Move move, int *score) {
    Position pos = walk->pos;
    Undo undo;
    position_make_move(&pos, move, &undo);
    const GameEnd end = game_end(&pos);
    *score = end == CHECKMATE ? SCORE_LIMIT : 0;
    return end != GAME_GOES_ON;
}

/* The score of a move, known or asked for. False on a fault, or with a bad `*status`. */
static bool judge_move(Judge *judge, const Walk *walk, Move move, const JudgeEngines *engines,
                       SearchReport *report, JudgePassage *passage, int *score, Status *status) {
    if (ends_game(walk, move, score)) return true;
    TextBuffer line = {0};
    char text[LAN_CAPACITY];
    lan_write(&walk->pos, move, text);
    buffer_append(&line, buffer_view(&walk->line));
    buffer_append_format(&line, " %s", text);
    if (line.failed || walk->line.failed) *status = status_no_memory("a judgement");
    const uint64_t hash = text_hash(buffer_view(&line)), key = hash != 0 ? hash : 1;
    mutex_lock(&judge->lock);
    const Judgement *known = find_judgement(judge, key);
    if (known != NULL) *score = known->score;
    mutex_unlock(&judge->lock);
    bool good = status_is_ok(status);
    if (good && known == NULL) {
        good = ask_referee(judge, buffer_view(&line), engines, report, passage, score, status);
        mutex_lock(&judge->lock);
        if (good) *status = keep_judgement(judge, key, *score);
        mutex_unlock(&judge->lock);
    }
    buffer_release(&line);
    return good && status_is_ok(status);
}

/* The expected score that a score promises. */
static double expected_score(const Position *pos, int score) {
    if (abs(score) >= SCORE_LIMIT - MATE_MOVES_MAX) return score > 0;
    const double units = (double)score * SCORE_UNITS_PER_PAWN / 100;
    return chances_expected(chances_by_model(chances_model(), chances_material(pos), units));
}

Status judge_pass(Judge *judge, int64_t number, const JudgeEngines *engines, JudgePassage *passage) {
    const Stretch *stretch = &judge->stretch[number];
    *passage = (JudgePassage){0};
    SearchReport *report = memory_allocate(sizeof *report);
    if (report == NULL) return status_no_memory("a search");
    Walk walk;
    Status status = walk_begin(&walk, stretch);
    bool good = status_is_ok(&status) && new_game(engines->player, false, passage);
    for (int place = 0; place < JUDGE_POSITIONS && good; place++) {
        Move *move = &passage->moves[place];
        int score = 0;
        walk_on(&walk, stretch->start + 2 * place);
        if (walk.line.failed) status = status_no_memory("a game");
        good = status_is_ok(&status) &&
               search(engines->player, false, buffer_view(&walk.line), engines->nodes, report, passage) &&
               take_move(&walk, report, move, passage) &&
               judge_move(judge, &walk, *move, engines, report, passage, &score, &status);
        if (good) passage->worth += expected_score(&walk.pos, score);
    }
    buffer_release(&walk.line);
    memory_release(report);
    return status_is_ok(&status) ? our_own_fault(passage) : status;
}

/* --- who judges --- */

Status judge_identify_referee(UciClient *referee, uint64_t nodes, TextBuffer *out) {
    static const char *const QUESTIONS[] = {
        "position startpos moves d2d4 g8f6 c2c4 e7e6",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1PN1PN2/P2B1PPP/R2QKB1R w KQ - 0 8"};
    SearchReport *report = memory_allocate(sizeof *report);
    if (report == NULL) return status_no_memory("a search");
    JudgePassage passage = {0};
    TextBuffer answers = {0};
    bool good = true;
    for (size_t i = 0; i < sizeof QUESTIONS / sizeof QUESTIONS[0] && good; i++) {
        good = new_game(referee, true, &passage) &&
               search(referee, true, text_view(QUESTIONS[i]), nodes, report, &passage);
        buffer_append_format(&answers, "%s %d ", report->best_move, uci_score_value(report->info.score));
    }
    if (good)
        buffer_append_format(out, "%.64s, %" PRIu64 " nodes, answers %016" PRIx64,
                             uci_client_engine_name(referee), nodes, text_hash(buffer_view(&answers)));
    Status status =
        answers.failed || out->failed ? status_no_memory("the referee's answers") : our_own_fault(&passage);
    buffer_release(&answers);
    memory_release(report);
    if (!status_is_ok(&status)) return status;
    return good ? status_ok()
                : status_error("the referee: %s: %s", fault_name(passage.fault), passage.detail);
}

/* Identifies the stretches, wherever their file is. */
static uint64_t fingerprint(const Judge *judge, bool *failed) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < judge->count && !*failed; i++) {
        Walk walk;
        Status status = walk_begin(&walk, &judge->stretch[i]);
        if (status_is_ok(&status)) walk_on(&walk, last_ply(&judge->stretch[i]));
        buffer_append_format(&walk.line, " %d", judge->stretch[i].start);
        sum = sum * 31 + text_hash(buffer_view(&walk.line));
        *failed = !status_is_ok(&status) || walk.line.failed;
        buffer_release(&walk.line);
    }
    return sum;
}

void judge_describe(const Judge *judge, TextBuffer *lines) {
    bool failed = judge->referee.failed;
    const uint64_t stretches = fingerprint(judge, &failed);
    buffer_append_format(lines, "stretches: %" PRId64 ", %016" PRIx64 "\nreferee: %s\n", judge->count,
                         stretches, buffer_string(&judge->referee));
    if (failed) lines->failed = true;
}

/* --- begin and end --- */

int64_t judge_stretches(const Judge *judge) { return judge->count; }

int64_t judge_judgements(Judge *judge) {
    mutex_lock(&judge->lock);
    const int64_t count = (int64_t)judge->judgements;
    mutex_unlock(&judge->lock);
    return count;
}

Status judge_open(const JudgeSettings *settings, Judge **out) {
    *out = NULL;
    Judge *judge = memory_allocate(sizeof *judge);
    if (judge == NULL) return status_no_memory("the judge");
    judge->settings = *settings;
    judge->journal.file.handle = -1;
    buffer_append_string(&judge->referee, settings->referee);
    mutex_init(&judge->lock);
    Status status = load_games(judge);
    if (status_is_ok(&status)) status = open_journal(judge);
    if (status_is_ok(&status))
        *out = judge;
    else
        judge_close(judge);
    return status;
}

void judge_close(Judge *judge) {
    if (judge == NULL) return;
    line_journal_close(&judge->journal);
    for (int64_t i = 0; i < judge->count; i++) memory_release(judge->stretch[i].moves);
    memory_release(judge->stretch);
    memory_release(judge->table);
    buffer_release(&judge->referee);
    mutex_destroy(&judge->lock);
    memory_release(judge);
}

/* --- engines compared --- */

/* What one engine did in a stretch. */
typedef struct Outcome {
    double worth;
    Move moves[JUDGE_POSITIONS];
} Outcome;

/* The faults of an engine, or of the referee. */
typedef struct Faults {
    int64_t count;
    int in_row;
    char first[FAULT_DETAIL_CAPACITY + 32];
} Faults;

typedef struct Comparison {
    const JudgeComparison *settings;
    Judge *judge;
    SeatGroup seats; /* the referee is the last of each thread; its crew's lock is for the faults */
    int64_t stretches;
    Outcome *outcome; /* [engine * stretches + stretch] */
    bool *skipped;    /* of each stretch: not all engines finished it */
    Faults *faults;   /* [seat] */
} Comparison;

/* A fault in every stretch means that more is wrong than one stretch. For the referee, which is not asked in
 * every stretch, the count never restarts. */
enum { FAULTS_IN_ROW_MAX = 10 };

static int engine_count(const Comparison *comparison) { return comparison->settings->engines.count; }

static const char *seat_name(const Comparison *comparison, int seat) {
    return seat < engine_count(comparison) ? comparison->settings->engines.engines[seat].name : "the referee";
}

static Status add_fault(Comparison *comparison, int seat, const JudgePassage *passage) {
    Faults *faults = &comparison->faults[seat];
    mutex_lock(&comparison->seats.crew.lock);
    if (faults->count++ == 0)
        text_format(faults->first, sizeof faults->first, "%s: %s", fault_name(passage->fault),
                    passage->detail);
    const bool hopeless = ++faults->in_row >= FAULTS_IN_ROW_MAX;
    mutex_unlock(&comparison->seats.crew.lock);
    if (!hopeless) return status_ok();
    return status_error("%d faults of %s, the first: %s", FAULTS_IN_ROW_MAX, seat_name(comparison, seat),
                        faults->first);
}

static void end_row_of_faults(Comparison *comparison, int seat) {
    mutex_lock(&comparison->seats.crew.lock);
    comparison->faults[seat].in_row = 0;
    mutex_unlock(&comparison->seats.crew.lock);
}

/* One engine in one stretch. `*go_on` false: the stretch is over for all. */
static Status try_engine(Comparison *comparison, int thread, int engine, int64_t index, bool *go_on) {
    const int referee = engine_count(comparison);
    Status status;
    Seat *player = seat_group_take(&comparison->seats, thread, engine, &status), *judge = NULL;
    if (player != NULL) judge = seat_group_take(&comparison->seats, thread, referee, &status);
    *go_on = false;
    if (judge == NULL) return status;
    const JudgeEngines engines = {player->client, judge->client, player->engine->limits.nodes};
    JudgePassage passage;
    status = judge_pass(comparison->judge, index, &engines, &passage);
    if (!status_is_ok(&status) || passage.fault == FAULT_CANCELLED) return status;
    *go_on = true;
    Outcome *outcome = &comparison->outcome[engine * comparison->stretches + index];
    outcome->worth = passage.worth;
    memcpy(outcome->moves, passage.moves, sizeof outcome->moves);
    if (passage.fault == FAULT_NONE) {
        end_row_of_faults(comparison, engine);
        return status;
    }
    comparison->skipped[index] = true;
    (passage.by_referee ? judge : player)->broken = true;
    return add_fault(comparison, passage.by_referee ? referee : engine, &passage);
}

static Status try_stretch(void *context, int thread, int64_t index) {
    Comparison *comparison = context;
    Status status = status_ok();
    bool go_on = true;
    for (int engine = 0; engine < engine_count(comparison) && go_on && status_is_ok(&status); engine++)
        status = try_engine(comparison, thread, engine, index, &go_on);
    return status;
}

/* One engine compared with the first, over the stretches that all of them finished. */
typedef struct Difference {
    int64_t same_moves;
    double worth, difference, error; /* thousandths of a game a move; half the width of the 95 % interval */
} Difference;

static int64_t count_stretches(const Comparison *comparison) {
    int64_t count = 0;
    for (int64_t i = 0; i < comparison->stretches; i++) count += !comparison->skipped[i];
    return count;
}

static Difference compare(const Comparison *comparison, int engine) {
    const Outcome *first = comparison->outcome, *other = first + engine * comparison->stretches;
    const double unit = 1000.0 / JUDGE_POSITIONS, n = (double)count_stretches(comparison);
    double sum = 0, squares = 0, worth = 0;
    int64_t same = 0;
    for (int64_t i = 0; i < comparison->stretches; i++) {
        if (comparison->skipped[i]) continue;
        const double difference = unit * (other[i].worth - first[i].worth);
        sum += difference;
        squares += difference * difference;
        worth += unit * other[i].worth;
        for (int k = 0; k < JUDGE_POSITIONS; k++) same += first[i].moves[k] == other[i].moves[k];
    }
    const double variance = fmax(squares - sum * sum / n, 0) / (n - 1);
    return (Difference){same, worth / n, sum / n, 1.96 * sqrt(variance / n)};
}

static Status write_table(const Comparison *comparison, TextBuffer *out) {
    const EngineList *list = &comparison->settings->engines;
    const int64_t stretches = count_stretches(comparison), all = comparison->stretches;
    if (stretches < 2)
        return status_error("only %" PRId64 " of %" PRId64 " stretches without a fault: too few to compare",
                            stretches, all);
    MarkdownTable table = markdown_table_begin("llrrrr");
    markdown_table_cells(&table, "engine | limit | worth of a move | to the first | error | same moves");
    for (int engine = 0; engine < list->count; engine++) {
        const Difference difference = compare(comparison, engine);
        char limit[128];
        play_limits_describe(&list->engines[engine].limits, limit, (int)sizeof limit);
        markdown_table_cell(&table, "%s", list->engines[engine].name);
        markdown_table_cells(&table, "%s | %.1f", limit, difference.worth);
        markdown_table_cells(&table, engine > 0 ? "%+.2f | %.2f" : "- | -", difference.difference,
                             difference.error);
        const double moves = (double)(stretches * JUDGE_POSITIONS);
        markdown_table_cell(&table, "%.0f %%", 100 * (double)difference.same_moves / moves);
    }
    markdown_table_write(&table, out);
    buffer_append_format(out,
                         "\nThousandths of a game for each of %" PRId64 " moves (%" PRId64 " of %" PRId64
                         " stretches), judged with %" PRIu64 " nodes. Errors are 95 %%.\n",
                         stretches * JUDGE_POSITIONS, stretches, all, comparison->settings->judge.nodes);
    return status_ok();
}

static void report_faults(const Comparison *comparison) {
    for (int seat = 0; seat <= engine_count(comparison); seat++)
        if (comparison->faults[seat].count > 0)
            text_printf(stderr, "%" PRId64 " faults of %s, the first: %s\n", comparison->faults[seat].count,
                        seat_name(comparison, seat), comparison->faults[seat].first);
}

static Status open_judge(Comparison *comparison) {
    JudgeSettings settings = comparison->settings->judge;
    const int engines = engine_count(comparison);
    TextBuffer referee = {0};
    Status status = judge_identify_referee(comparison->seats.seats[engines].client, settings.nodes, &referee);
    settings.referee = buffer_string(&referee);
    settings.remedy = "another -journal, or --again, begins from the start";
    if (status_is_ok(&status)) status = judge_open(&settings, &comparison->judge);
    buffer_release(&referee);
    if (comparison->judge == NULL) return status;
    comparison->stretches = judge_stretches(comparison->judge);
    const size_t stretches = (size_t)comparison->stretches;
    comparison->outcome = memory_allocate((size_t)engines * stretches * sizeof *comparison->outcome);
    comparison->skipped = memory_allocate(stretches * sizeof *comparison->skipped);
    comparison->faults = memory_allocate((size_t)(engines + 1) * sizeof *comparison->faults);
    const bool complete =
        comparison->outcome != NULL && comparison->skipped != NULL && comparison->faults != NULL;
    return complete ? status : status_no_memory("the outcomes");
}

static Status run(Comparison *comparison, TextBuffer *table) {
    Status status = seat_group_begin(&comparison->seats);
    if (status_is_ok(&status)) status = open_judge(comparison);
    if (!status_is_ok(&status)) return status;
    status = seat_group_run(&comparison->seats, "stretches", comparison->stretches,
                            comparison->settings->quiet, try_stretch, comparison);
    if (status_is_ok(&status) && comparison->seats.crew.interrupted)
        status = status_unfinished("stopped; the same command carries on, with the judgements that are in %s",
                                   comparison->settings->judge.journal);
    report_faults(comparison);
    return status_is_ok(&status) ? write_table(comparison, table) : status;
}

Status judge_compare(const JudgeComparison *settings, TextBuffer *table) {
    const EngineList *engines = &settings->engines, *referee = &settings->referee;
    Comparison comparison = {.settings = settings,
                             .seats = {.engines = engines,
                                       .referee = referee->count > 0 ? referee->engines : engines->engines,
                                       .threads = settings->concurrency}};
    const Status status = run(&comparison, table);
    seat_group_end(&comparison.seats);
    judge_close(comparison.judge);
    memory_release(comparison.outcome);
    memory_release(comparison.skipped);
    memory_release(comparison.faults);
    return status;
}
