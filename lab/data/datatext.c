#include "lab/data/datatext.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/pgn_write.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "lab/data/sorting.h"
#include "lab/kit/console.h"
#include "lab/kit/ownership.h"
#include "lab/match/match_game.h"
#include "search/score.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const END_TEXT[END_KINDS] = {"rules", "score", "length"};
static const char *const PGN_END_TEXT[END_KINDS] = {"normal", "adjudication", "adjudication: length"};

static int find_text(const char *const *texts, int count, TextView text) {
    for (int i = 0; i < count; i++)
        if (text_equals(text, texts[i])) return i;
    return -1;
}

/* --- PGN --- */

Status datatext_append_pgn(const RecordedGame *game, uint64_t number, TextBuffer *out) {
    Game pgn = {.start = game->start, .result = game->result};
    char round[32];
    text_format(round, sizeof round, "%" PRIu64, number);
    const char *const tags[][2] = {{"Event", "Luft against itself"},
                                   {"Round", round},
                                   {"Termination", PGN_END_TEXT[recorded_end_kind(game->end)]}};
    Status status = game_set_tags(&pgn, tags, sizeof tags / sizeof tags[0]);
    for (int i = 0; i < game->ply_count && status_is_ok(&status); i++) {
        char comment[32];
        text_format(comment, sizeof comment, "score %d", game->ply[i].score);
        status =
            game_add_move(&pgn, game->ply[i].move, game->ply[i].score == RECORD_NO_SCORE ? NULL : comment);
    }
    if (status_is_ok(&status)) pgn_write_game(&pgn, out);
    game_release(&pgn);
    return status;
}

/* Of the position before a ply, in our units, White's view. */
static int read_score(const Game *pgn, int ply, Color side) {
    TextView rest = text_view(game_comment(pgn, ply + 1)), word = text_next_word(&rest);
    int64_t own;
    if (text_equals(word, "score"))
        return text_parse_int64(text_next_word(&rest), &own) && own >= -SCORE_MATE && own <= SCORE_MATE
                   ? (int)own
                   : RECORD_NO_SCORE;
    const UciScore said = match_game_score_before(pgn, ply);
    if (said.kind == SCORE_NOT_GIVEN) return RECORD_NO_SCORE;
    const int score = said.kind == SCORE_MATE_IN
                          ? said.value * SCORE_MATE
                          : (int)lround(said.value * (double)SCORE_UNITS_PER_PAWN / 100);
    return side == WHITE ? score : -score;
}

static void set_start(const Position *start, RecordedGame *game) {
    char fen[FEN_CAPACITY];
    recorded_start_standard(game);
    fen_write(start, fen);
    if (strcmp(fen, FEN_START) == 0) return;
    game->start = *start;
    game->start_white = game->start_black = RECORD_CUSTOM_START;
}

Status datatext_take_game(const Game *pgn, RecordedGame *game) {
    if (pgn->result == UNDECIDED) return status_error("the game has no result");
    set_start(&pgn->start, game);
    Position pos = game->start;
    for (int i = 0; i < pgn->move_count; i++) {
        Undo undo;
        const int score = read_score(pgn, i, pos.side);
        if (!recorded_add(game, pgn->moves[i], score))
            return status_error("the game has more than %d plies", RECORD_PLIES_MAX);
        position_make_move(&pos, pgn->moves[i], &undo);
    }
    const int kind = find_text(PGN_END_TEXT, END_KINDS, text_view(game_tag(pgn, "Termination")));
    game->result = pgn->result;
    game->end = recorded_end(kind < 0 ? END_BY_RULES : (EndKind)kind, pgn->result, &pos);
    return status_ok();
}

/* --- lines --- */

void datatext_append_line(const RecordedGame *game, TextBuffer *out) {
    char fen[FEN_CAPACITY];
    Position pos = game->start;
    if (game->start_white == RECORD_CUSTOM_START) {
        fen_write(&game->start, fen);
        buffer_append_string(out, fen);
    } else if (!game->start.chess960) {
        buffer_append_string(out, "standard");
    } else {
        buffer_append_format(out, "chess960 %d %d", game->start_white, game->start_black);
    }
    buffer_append_format(out, "; %s; %s;", game_result_text(game->result),
                         END_TEXT[recorded_end_kind(game->end)]);
    pos.chess960 = true; /* castling is king takes rook, whatever the start */
    for (int i = 0; i < game->ply_count; i++) {
        char move[LAN_CAPACITY];
        Undo undo;
        lan_write(&pos, game->ply[i].move, move);
        if (game->ply[i].score == RECORD_NO_SCORE)
            buffer_append_format(out, " %s -", move);
        else
            buffer_append_format(out, " %s %d", move, game->ply[i].score);
        position_make_move(&pos, game->ply[i].move, &undo);
    }
    buffer_append_char(out, '\n');
}

/* Takes what is before the next semicolon. */
static bool next_field(TextView *rest, TextView *field) {
    const bool found = text_split(rest, ';', field);
    *field = text_trim(*field);
    return found;
}

static Status read_start(TextView field, RecordedGame *game) {
    TextView rest = field, word = text_next_word(&rest);
    uint64_t white, black;
    if (text_equals(field, "standard")) {
        recorded_start_standard(game);
        return status_ok();
    }
    if (!text_equals(word, "chess960")) return recorded_start_fen(game, field);
    if (!text_parse_uint64(text_next_word(&rest), &white) ||
        !text_parse_uint64(text_next_word(&rest), &black) || white > 959 || black > 959)
        return status_error("chess960 needs two numbers from 0 to 959");
    recorded_start_chess960(game, (int)white, (int)black);
    return status_ok();
}

static Status read_plies(TextView rest, RecordedGame *game, Position *pos) {
    *pos = game->start;
    pos->chess960 = true;
    for (TextView word = text_next_word(&rest); !text_is_empty(word); word = text_next_word(&rest)) {
        Move move = MOVE_NONE;
        Undo undo;
        Status status = lan_parse(pos, word, &move);
        if (!status_is_ok(&status)) return status_error("ply %d: %s", game->ply_count, status.reason);
        TextView score_word = text_next_word(&rest);
        int64_t score = RECORD_NO_SCORE;
        if (!text_equals(score_word, "-") &&
            (!text_parse_int64(score_word, &score) || score < -SCORE_MATE || score > SCORE_MATE))
            return status_error("ply %d has no score", game->ply_count);
        if (!recorded_add(game, move, (int)score))
            return status_error("more than %d plies", RECORD_PLIES_MAX);
        position_make_move(pos, move, &undo);
    }
    return status_ok();
}

Status datatext_parse_line(TextView line, RecordedGame *game) {
    TextView start, result_field, end_field;
    if (!next_field(&line, &start) || !next_field(&line, &result_field) || !next_field(&line, &end_field))
        return status_error("expected start; result; end; moves");
    Status status = read_start(start, game);
    if (!status_is_ok(&status)) return status;
    GameResult result = UNDECIDED;
    (void)game_result_parse(result_field, &result);
    const int kind = find_text(END_TEXT, END_KINDS, end_field);
    if (result == UNDECIDED) return status_error("the result must be 1-0, 0-1 or 1/2-1/2");
    if (kind < 0) return status_error("the end must be rules, score or length");
    Position last;
    status = read_plies(line, game, &last);
    game->result = result;
    game->end = recorded_end((EndKind)kind, result, &last);
    return status;
}

/* --- files --- */

enum { FLUSH_BYTES = 1 << 20 };

typedef struct Export {
    bool to_file; /* or to standard output */
    NewFile file;
    TextBuffer text;
    bool pgn;
    uint64_t games;
} Export;

static Status export_flush(Export *export) {
    Status status = status_ok();
    if (export->text.failed)
        status = status_no_memory("the games");
    else if (export->to_file)
        status = new_file_add(&export->file, export->text.data, export->text.length);
    else
        text_print(stdout, buffer_view(&export->text));
    buffer_clear(&export->text);
    return status;
}

static Status take_export(void *context, const RecordBlock *block, RecordedGame *game) {
    (void)block;
    Export *export = context;
    Status status = status_ok();
    if (interrupt_requested()) return status_error("interrupted");
    if (export->pgn)
        status = datatext_append_pgn(game, ++export->games, &export->text);
    else
        datatext_append_line(game, &export->text);
    return status_is_ok(&status) && export->text.length > FLUSH_BYTES ? export_flush(export) : status;
}

Status datatext_export(const WordList *files, bool pgn, const char *out) {
    Export export = {.pgn = pgn, .to_file = out != NULL && strcmp(out, "-") != 0, .file = {.handle = -1}};
    Interrupt interrupt;
    interrupt_begin(&interrupt);
    Status status = ownership_check_inputs(out, (const char *const *)files->word, files->count);
    if (status_is_ok(&status) && export.to_file) status = ownership_check_free(out);
    if (status_is_ok(&status) && export.to_file) status = new_file_begin(&export.file, out);
    if (status_is_ok(&status)) status = record_each_game(files, take_export, &export);
    if (status_is_ok(&status)) status = export_flush(&export);
    status = new_file_end(&export.file, status);
    interrupt_end(&interrupt);
    buffer_release(&export.text);
    return status;
}

/* Takes the next game that can be recorded; false at the end, and with a bad `*status`. */
static bool next_recorded(Reader *reader, bool pgn, RecordedGame *game, Status *status) {
    for (;;) {
        Game read = {0};
        TextView line;
        *status = status_ok();
        if (!(pgn ? reader_next_game(reader, &read, status) : reader_next_line(reader, &line))) return false;
        const Status taken = pgn ? datatext_take_game(&read, game) : datatext_parse_line(line, game);
        game_release(&read);
        if (status_is_ok(&taken)) return true;
        reader_refuse(reader, taken.reason);
    }
}

/* `*faults` becomes bad when something could not be read that should not be skipped. */
static Status import_file(const char *path, bool pgn, bool skip_faults, RecordOutput *output,
                          RecordedGame *game, Status *faults) {
    const RecordOrigin origin = {0};
    Reader reader;
    Interrupt interrupt;
    Status status = reader_open(&reader, path); /* perhaps what somebody types: it can be interrupted */
    interrupt_begin(&interrupt);
    while (status_is_ok(&status) && next_recorded(&reader, pgn, game, &status))
        status = interrupt_requested() ? status_error("interrupted") : sorting_add(output, &origin, game);
    interrupt_end(&interrupt);
    const Status whole = reader_finish(&reader, skip_faults, SKIP_FAULTS);
    if (status_is_ok(&status) && status_is_ok(faults)) *faults = whole;
    buffer_print(&reader.problems.text, stderr);
    reader_close(&reader);
    return status;
}

Status datatext_import(const WordList *files, bool pgn, bool skip_faults, const char *out) {
    RecordOutput output;
    Status status = sorting_open(&output, out), faults = status_ok();
    RecordedGame *game = memory_allocate(sizeof *game);
    if (game == NULL && status_is_ok(&status)) status = status_no_memory("the games");
    for (int i = 0; game != NULL && i < files->count && status_is_ok(&status); i++)
        status = import_file(files->word[i], pgn, skip_faults, &output, game, &faults);
    memory_release(game);
    return sorting_close(&output, status_is_ok(&status) ? faults : status);
}
