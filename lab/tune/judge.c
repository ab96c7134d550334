#include "lab/tune/judge.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/sync.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/pgn.h"
#include "chess/san.h"
#include "engine/chances.h"
#include "lab/match/line_journal.h"
#include "search/score.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MATE_SCORE = 30000 /* of uci_score_value: from here on a mate */ };

typedef struct Judgement {
    Move move;
    int score; /* centipawns of the side that moved, as uci_score_value */
} Judgement;

typedef struct JudgedPosition {
    char fen[FEN_CAPACITY];
    size_t length; /* of the stretch's line up to here */
    Judgement *judgement;
    int count, capacity;
} JudgedPosition;

typedef struct Stretch {
    TextBuffer line; /* "position fen ... moves ..." to its last position */
    JudgedPosition position[JUDGE_POSITIONS];
} Stretch;

struct Judge {
    JudgeSettings settings;
    Stretch *stretch;
    int64_t count, capacity;
    Mutex lock; /* for the judgements and their journal */
    int64_t judgements;
    AppendFile file;
};

/* ---- stretches ---- */

/* Centipawns at the front of a comment like "+0.31/12 0.1s"; NAN when there are none: book moves, other
 * runners. */
static double score_in_comment(const char *comment) {
    if (comment == NULL) return NAN;
    TextView text = text_view(comment), word = text_next_word(&text);
    const char *slash = memchr(word.data, '/', word.length);
    if (slash != NULL) word.length = (size_t)(slash - word.data);
    double pawns;
    if (text_starts_with(word, "+M") || text_starts_with(word, "-M")) return INFINITY;
    return text_parse_double(word, &pawns) ? 100 * pawns : NAN;
}

/* Where the stretch of a game begins, in plies; -1 for a game that has none. */
static int choose_start(const PgnGame *game, Rng *rng) {
    int last = game->move_count - 2 * JUDGE_POSITIONS;
    if (last < JUDGE_FIRST_PLY) return -1;
    int start = JUDGE_FIRST_PLY + (int)rng_below(rng, (uint64_t)(last - JUDGE_FIRST_PLY + 1));
    return fabs(score_in_comment(game->comments[start])) > JUDGE_SCORE_LIMIT ? -1 : start;
}

static bool fill_stretch(Stretch *stretch, const PgnGame *game, int start) {
    Position pos = game->start;
    Undo undo;
    char text[FEN_CAPACITY];
    fen_write(&pos, text);
    buffer_append_format(&stretch->line, "position fen %s moves", text);
    for (int ply = 0, taken = 0; taken < JUDGE_POSITIONS; ply++) {
        if (ply == start + 2 * taken) {
            stretch->position[taken].length = stretch->line.length;
            fen_write(&pos, stretch->position[taken++].fen);
        }
        char move[LAN_CAPACITY];
        lan_write(&pos, game->moves[ply], move);
        buffer_append_format(&stretch->line, " %s", move);
        position_make_move(&pos, game->moves[ply], &undo);
    }
    return !stretch->line.failed;
}

static Status add_stretch(Judge *judge, const PgnGame *game, int start) {
    if (judge->count == judge->capacity) {
        int64_t larger = judge->capacity == 0 ? 256 : 2 * judge->capacity;
        Stretch *stretch = memory_resize(judge->stretch, (size_t)larger * sizeof *stretch);
        if (stretch == NULL) return status_error("out of memory");
        judge->stretch = stretch;
        judge->capacity = larger;
    }
    Stretch *stretch = &judge->stretch[judge->count++];
    memset(stretch, 0, sizeof *stretch);
    return fill_stretch(stretch, game, start) ? status_ok() : status_error("out of memory");
}

/* A stretch of each game that has one. */
static Status read_games(Judge *judge, TextView content) {
    int line = 1;
    for (uint64_t number = 0;; number++) {
        PgnGame game = {0};
        bool found;
        Status status = pgn_read_game(&content, &line, &game, &found);
        Rng rng = rng_stream(judge->settings.seed, number);
        if (status_is_ok(&status) && found && !game.start.chess960) {
            int start = choose_start(&game, &rng);
            if (start >= 0) status = add_stretch(judge, &game, start);
        }
        pgn_game_release(&game);
        if (!status_is_ok(&status) || !found) return status;
    }
}

static void release_stretch(Stretch *stretch) {
    buffer_release(&stretch->line);
    for (int i = 0; i < JUDGE_POSITIONS; i++) memory_release(stretch->position[i].judgement);
}

/* Leaves as many as wanted, by chance. */
static void choose_stretches(Judge *judge) {
    Rng rng = rng_seed(judge->settings.seed);
    for (int64_t i = 0; i < judge->count && i < judge->settings.stretches; i++) {
        int64_t other = i + (int64_t)rng_below(&rng, (uint64_t)(judge->count - i));
        Stretch kept = judge->stretch[i];
        judge->stretch[i] = judge->stretch[other];
        judge->stretch[other] = kept;
    }
    while (judge->count > judge->settings.stretches) release_stretch(&judge->stretch[--judge->count]);
}

static Status load_games(Judge *judge) {
    const char *path = judge->settings.games;
    TextBuffer content = {0};
    Status status = file_read(path, &content);
    if (!status_is_ok(&status)) return status;
    status = read_games(judge, buffer_view(&content));
    buffer_release(&content);
    if (!status_is_ok(&status)) return status_error("%.200s: %.200s", path, status.reason);
    if (judge->count == 0)
        return status_error("%.200s has no game of at least %d plies that is not decided", path,
                            JUDGE_FIRST_PLY + 2 * JUDGE_POSITIONS);
    choose_stretches(judge);
    return status;
}

/* ---- judgements ---- */

static const Judgement *find_judgement(const JudgedPosition *position, Move move) {
    for (int i = 0; i < position->count; i++)
        if (position->judgement[i].move == move) return &position->judgement[i];
    return NULL;
}

static bool add_judgement(Judge *judge, JudgedPosition *position, Move move, int score) {
    if (position->count == position->capacity) {
        int larger = position->capacity == 0 ? 4 : 2 * position->capacity;
        Judgement *judgement = memory_resize(position->judgement, (size_t)larger * sizeof *judgement);
        if (judgement == NULL) return false;
        position->judgement = judgement;
        position->capacity = larger;
    }
    position->judgement[position->count++] = (Judgement){move, score};
    judge->judgements++;
    return true;
}

/* The move of a text in a position of a stretch; MOVE_NONE when it is none there. */
static Move parse_move(const JudgedPosition *position, TextView text, Position *pos) {
    Move move = MOVE_NONE;
    Status status = fen_parse(pos, text_view(position->fen), false);
    if (status_is_ok(&status)) status = lan_parse(pos, text, &move);
    return status_is_ok(&status) ? move : MOVE_NONE;
}

/* "STRETCH POSITION MOVE SCORE" */
static Status restore_judgement(void *context, TextView line, bool *whole) {
    Judge *judge = context;
    Position pos;
    int64_t stretch, place, score;
    TextView first = text_next_word(&line), second = text_next_word(&line), text = text_next_word(&line);
    *whole = text_parse_int64(first, &stretch) && text_parse_int64(second, &place) &&
             text_parse_int64(text_next_word(&line), &score) && stretch >= 0 && stretch < judge->count &&
             place >= 0 && place < JUDGE_POSITIONS && score >= -INT16_MAX && score <= INT16_MAX;
    if (!*whole) return status_ok();
    JudgedPosition *position = &judge->stretch[stretch].position[place];
    Move move = parse_move(position, text, &pos);
    *whole = move != MOVE_NONE;
    if (!*whole || find_judgement(position, move) != NULL) return status_ok();
    return add_judgement(judge, position, move, (int)score) ? status_ok() : status_error("out of memory");
}

/* FNV-1a over what the stretches are: other games under the same name are noticed. */
static uint64_t fingerprint(const Judge *judge) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (int64_t i = 0; i < judge->count; i++)
        for (size_t k = 0; k < judge->stretch[i].line.length; k++)
            hash = (hash ^ (unsigned char)judge->stretch[i].line.data[k]) * UINT64_C(0x100000001B3);
    return hash;
}

static Status open_journal(Judge *judge) {
    const JudgeSettings *settings = &judge->settings;
    TextBuffer header = {0};
    buffer_append_format(&header, "luft-lab judgements 1\nreferee: %s\nnodes: %" PRIu64 "\n",
                         settings->referee, settings->nodes);
    buffer_append_format(&header, "stretches: %" PRId64 " of %s, %016" PRIx64 "\njudgements\n", judge->count,
                         settings->games, fingerprint(judge));
    LineJournal lines = {settings->journal, "judge", buffer_view(&header), true};
    Status status = header.failed ? status_error("out of memory")
                                  : line_journal_open(&judge->file, &lines, restore_judgement, judge);
    buffer_release(&header);
    return status;
}

/* The lock is held. */
static Status keep_judgement(Judge *judge, int64_t stretch, int place, Move move, int score) {
    JudgedPosition *position = &judge->stretch[stretch].position[place];
    if (find_judgement(position, move) != NULL) return status_ok(); /* another thread came first */
    Position pos;
    char text[LAN_CAPACITY];
    TextBuffer line = {0};
    Status status = fen_parse(&pos, text_view(position->fen), false);
    if (!status_is_ok(&status)) return status;
    lan_write(&pos, move, text);
    buffer_append_format(&line, "%" PRId64 " %d %s %d", stretch, place, text, score);
    line_journal_seal(&line);
    status = line_journal_add(&judge->file, &line);
    buffer_release(&line);
    if (status_is_ok(&status) && !add_judgement(judge, position, move, score))
        status = status_error("out of memory");
    return status;
}

/* ---- a passage ---- */

/* Lets an engine search; what goes wrong is in the passage, and then the answer is false. */
static bool search(UciClient *client, bool referee, TextView line, uint64_t nodes, SearchReport *report,
                   JudgePassage *passage) {
    char go[40];
    size_t length = text_format(go, sizeof go, "go nodes %" PRIu64, nodes);
    SearchRequest request = {.position = line, .go = {go, length}};
    passage->fault = uci_client_search(client, &request, report);
    passage->by_referee = referee;
    text_copy(text_view(report->detail), passage->detail, sizeof passage->detail);
    return passage->fault == FAULT_NONE;
}

static bool forget(UciClient *client, bool referee, JudgePassage *passage) {
    passage->fault = uci_client_new_game(client, passage->detail);
    passage->by_referee = referee;
    return passage->fault == FAULT_NONE;
}

static bool accuse_of_illegal_move(JudgePassage *passage, const char *move, const char *fen) {
    passage->fault = FAULT_ILLEGAL_MOVE;
    text_format(passage->detail, sizeof passage->detail, "bestmove %s in %s", move, fen);
    return false;
}

/* What the long search says of a move, which may end the game. */
static bool ask_referee(const Judge *judge, const Stretch *stretch, int place, const JudgeSeats *seats,
                        SearchReport *report, JudgePassage *passage, Position *pos, Move move, int *score) {
    Undo undo;
    char text[LAN_CAPACITY];
    lan_write(pos, move, text);
    position_make_move(pos, move, &undo);
    GameEnd end = game_end(pos);
    *score = end == CHECKMATE ? INT16_MAX : 0;
    if (end != GAME_GOES_ON) return true;
    TextBuffer line = {0};
    buffer_append(&line, (TextView){stretch->line.data, stretch->position[place].length});
    buffer_append_format(&line, " %s", text);
    bool good = forget(seats->referee, true, passage) &&
                search(seats->referee, true, buffer_view(&line), judge->settings.nodes, report, passage);
    buffer_release(&line);
    if (good) *score = -uci_score_value(report->info.score);
    return good;
}

/* Wins and half the draws that a score promises. */
static double expected_score(const JudgedPosition *position, int score) {
    if (abs(score) >= MATE_SCORE) return score > 0;
    Position pos;
    Status status = fen_parse(&pos, text_view(position->fen), false);
    if (!status_is_ok(&status)) return 0.5;
    Chances chances =
        chances_by_model(chances_model(), chances_material(&pos), score * (double)SCORE_UNITS_PER_PAWN / 100);
    return chances.win + chances.draw / 2;
}

/* One move of the player, judged. False on a fault, or with a bad `*status`. */
static bool judge_move(Judge *judge, int64_t number, int place, const JudgeSeats *seats, SearchReport *report,
                       JudgePassage *passage, Status *status) {
    const Stretch *stretch = &judge->stretch[number];
    const JudgedPosition *position = &stretch->position[place];
    TextView line = {stretch->line.data, position->length};
    if (!search(seats->player, false, line, seats->nodes, report, passage)) return false;
    Position pos;
    Move move = parse_move(position, text_view(report->best_move), &pos);
    if (move == MOVE_NONE) return accuse_of_illegal_move(passage, report->best_move, position->fen);
    mutex_lock(&judge->lock);
    const Judgement *known = find_judgement(position, move);
    int score = known != NULL ? known->score : 0;
    mutex_unlock(&judge->lock);
    if (known == NULL) {
        if (!ask_referee(judge, stretch, place, seats, report, passage, &pos, move, &score)) return false;
        mutex_lock(&judge->lock);
        *status = keep_judgement(judge, number, place, move, score);
        mutex_unlock(&judge->lock);
    }
    passage->worth += expected_score(position, score);
    passage->moves[place] = move;
    return status_is_ok(status);
}

Status judge_pass(Judge *judge, int64_t stretch, const JudgeSeats *seats, JudgePassage *passage) {
    *passage = (JudgePassage){0};
    Status status = status_ok();
    SearchReport *report = memory_allocate(sizeof *report);
    if (report == NULL) return status_error("out of memory");
    bool good = forget(seats->player, false, passage);
    for (int place = 0; place < JUDGE_POSITIONS && good; place++)
        good = judge_move(judge, stretch, place, seats, report, passage, &status);
    memory_release(report);
    return status;
}

/* ---- begin and end ---- */

void judge_describe_referee(const EngineConfig *config, const char *name, TextBuffer *out) {
    buffer_append_format(out, "%s, %s", config->command, name);
    for (int i = 0; i < config->option_count; i++)
        buffer_append_format(out, ", %s=%s", config->options[i].name, config->options[i].value);
}

int64_t judge_stretches(const Judge *judge) { return judge->count; }

int64_t judge_judgements(Judge *judge) {
    mutex_lock(&judge->lock);
    int64_t count = judge->judgements;
    mutex_unlock(&judge->lock);
    return count;
}

Status judge_open(const JudgeSettings *settings, Judge **out) {
    *out = NULL;
    Judge *judge = memory_allocate(sizeof *judge);
    if (judge == NULL) return status_error("out of memory");
    judge->settings = *settings;
    judge->file.handle = -1;
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
    append_file_close(&judge->file);
    for (int64_t i = 0; i < judge->count; i++) release_stretch(&judge->stretch[i]);
    memory_release(judge->stretch);
    mutex_destroy(&judge->lock);
    memory_release(judge);
}
