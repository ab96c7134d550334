#include "cli/evaluations.h"

#include "base/file.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/pgn_write.h"
#include "chess/plain.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "mcp/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { EPD_MATE = 32767 /* minus the plies to mate */, EPD_MATES = 32000 };

/* What is being read. */
typedef struct Reading {
    const char *engine;
    EvaluationTake *take;
    void *context;
} Reading;

static Row new_row(const Reading *reading, const Position *pos) {
    Row row = {.bound = BOUND_EXACT, .multi_pv = 1};
    row_pack(pos, row.key);
    text_copy(text_view(reading->engine), row.source.engine, sizeof row.source.engine);
    return row;
}

/* Engine and version, without the signs that have a meaning in files. */
static void write_source(const Row *row, char out[2 * SOURCE_TEXT_CAPACITY]) {
    const RowSource *source = &row->source;
    text_format(out, 2 * SOURCE_TEXT_CAPACITY, "%s%s%s", source->engine,
                source->version[0] != '\0' ? " " : "", source->version);
    for (char *c = out; *c != '\0'; c++)
        if (*c == '"' || *c == '\\' || char_is_control(*c)) *c = ' ';
}

/* --- scores --- */

/* Away from zero, so that score_to_centipawns gives the same again. */
static int score_of_centipawns(int64_t centipawns) {
    const int64_t size = centipawns < 0 ? -centipawns : centipawns;
    const int64_t units = (size * SCORE_UNITS_PER_PAWN + 99) / 100;
    const int score = units < SCORE_DECIDED ? (int)units : SCORE_DECIDED - 1;
    return centipawns < 0 ? -score : score;
}

/* "mate 3", "mate -2"; with 0 the side to move is mated. */
static int score_of_mate(int64_t moves) {
    enum { MOVES_MAX = (MAX_PLY - 2) / 2 };
    const int64_t limited = moves > MOVES_MAX ? MOVES_MAX : moves < -MOVES_MAX ? -MOVES_MAX : moves;
    return limited > 0 ? score_mate_in(2 * (int)limited - 1) : score_mated_in(-2 * (int)limited);
}

/* Turns what White sees into what the side sees, and back. */
static int of_side(int value, Color side) { return side == WHITE ? value : -value; }

static int depth_of(int64_t depth) {
    return depth < 0 ? 0 : depth > ROW_DEPTH_MAX ? ROW_DEPTH_MAX : (int)depth;
}

/* --- EPD --- */

/* Reads moves in any notation as far as they are legal and fit. */
static void read_moves(Row *row, const Position *pos, TextView text) {
    Position after = *pos;
    TextView word;
    row->move_count = 0;
    while (row->move_count < ROW_LINE_MAX && !text_is_empty(word = text_next_word(&text))) {
        char plain[PLAIN_MOVE_CAPACITY];
        Undo undo;
        Move move;
        if (plain_write(move_without_number(word), plain, sizeof plain) == 0) continue;
        Status status = lan_parse(&after, text_view(plain), &move);
        if (!status_is_ok(&status)) status = san_parse(&after, text_view(plain), &move);
        if (!status_is_ok(&status)) return;
        row->line[row->move_count++] = move;
        position_make_move(&after, move, &undo);
    }
}

static TextView without_quotes(TextView text) {
    text = text_trim(text);
    if (text.length < 2 || text.data[0] != '"' || text.data[text.length - 1] != '"') return text;
    return (TextView){text.data + 1, text.length - 2};
}

/* Takes one operation; whether it is a score. */
static bool take_operation(Row *row, const Position *pos, TextView operation) {
    const TextView name = text_next_word(&operation), operand = text_trim(operation);
    int64_t number = 0;
    const bool is_number = text_parse_int64(operand, &number);
    if (text_equals(name, "pv") || (text_equals(name, "bm") && row->move_count == 0)) {
        read_moves(row, pos, operand);
    } else if (text_equals(name, "c0")) {
        text_copy_printable(without_quotes(operand), row->source.engine, sizeof row->source.engine);
    } else if (text_equals(name, "acd") && is_number) {
        row->depth = depth_of(number);
    } else if (text_equals(name, "acn") && is_number && number > 0) {
        row->nodes = (uint64_t)number;
    } else if (text_equals(name, "dm") && is_number) {
        row->score = score_of_mate(number);
        return true;
    } else if (text_equals(name, "ce") && is_number) {
        const bool is_mate = number >= EPD_MATES || number <= -EPD_MATES;
        const int64_t size = number < 0 ? -number : number;
        const int64_t plies = size > EPD_MATE ? 0 : EPD_MATE - size;
        if (!is_mate)
            row->score = score_of_centipawns(number);
        else
            row->score = number > 0 ? score_of_mate((plies + 1) / 2) : score_of_mate(-(plies / 2));
        return true;
    }
    return false;
}

static Status read_epd(Reader *reader, const Reading *reading) {
    Position pos;
    TextView operations;
    while (reader_next_position(reader, false, &pos, &operations)) {
        Row row = new_row(reading, &pos);
        bool has_score = false;
        while (!text_is_empty(operations))
            has_score |= take_operation(&row, &pos, reader_next_operation(&operations));
        if (!has_score) {
            reader_refuse(reader, "the position has no score (ce or dm)");
            continue;
        }
        const Status status = reading->take(reading->context, &row);
        if (!status_is_ok(&status)) return status;
    }
    return status_ok();
}

static void append_epd(const Row *row, const Position *pos, const char *fen, TextBuffer *out) {
    const int moves = score_is_mate(row->score) ? score_mate_moves(row->score) : 0;
    const bool is_mate = score_is_mate(row->score);
    const int plies = SCORE_MATE - (row->score > 0 ? row->score : -row->score);
    char source[2 * SOURCE_TEXT_CAPACITY];
    Position after = *pos;
    buffer_append_format(out, "%s acd %d;", fen, row->depth);
    if (row->nodes > 0) buffer_append_format(out, " acn %" PRIu64 ";", row->nodes);
    for (int i = 0; i < row->move_count; i++) {
        char san[SAN_CAPACITY];
        Undo undo;
        san_write(&after, row->line[i], san);
        if (i == 0) buffer_append_format(out, " bm %s;", san);
        position_make_move(&after, row->line[i], &undo);
    }
    write_source(row, source);
    if (source[0] != '\0') buffer_append_format(out, " c0 \"%s\";", source);
    const int mate = row->score > 0 ? EPD_MATE - plies : plies - EPD_MATE;
    buffer_append_format(out, " ce %d;", is_mate ? mate : score_to_centipawns(row->score));
    if (moves > 0) buffer_append_format(out, " dm %d;", moves);
    const int clock = pos->state.halfmove_clock;
    if (clock > 0) buffer_append_format(out, " hmvc %d;", clock);
    after = *pos;
    for (int i = 0; i < row->move_count; i++) {
        char san[SAN_CAPACITY];
        Undo undo;
        san_write(&after, row->line[i], san);
        buffer_append_format(out, i == 0 ? " pv %s" : " %s", san);
        position_make_move(&after, row->line[i], &undo);
    }
    buffer_append_string(out, row->move_count > 0 ? ";\n" : "\n");
}

/* --- JSON --- */

static bool json_int(TextView object, const char *name, int64_t *value) {
    const TextView member = json_member(object, name);
    return json_kind(member) == JSON_NUMBER && text_parse_rounded(member, value);
}

/* A line of MultiPV that is not the best says what the position after its first move is worth. */
static Status take_pv(const Reading *reading, const Position *pos, TextView pv, Row row, bool is_best) {
    TextBuffer line = {0};
    int64_t number;
    if (json_kind(json_member(pv, "line")) == JSON_STRING) json_append_text(json_member(pv, "line"), &line);
    Position at = *pos;
    if (json_int(pv, "mate", &number))
        row.score = score_of_mate(at.side == WHITE ? number : -number);
    else if (json_int(pv, "cp", &number))
        row.score = of_side(score_of_centipawns(number), at.side);
    else {
        buffer_release(&line);
        return status_ok();
    }
    read_moves(&row, &at, buffer_view(&line));
    buffer_release(&line);
    if (is_best) return reading->take(reading->context, &row);
    if (row.move_count == 0 || row.score == score_mated_in(0)) return status_ok();
    Undo undo;
    position_make_move(&at, row.line[0], &undo);
    row_pack(&at, row.key);
    memmove(row.line, row.line + 1, (size_t)(row.move_count - 1) * sizeof *row.line);
    row.move_count--;
    /* A mate is one ply nearer there. */
    row.score = score_is_mate(row.score) ? (row.score > 0 ? -row.score - 1 : -row.score + 1) : -row.score;
    row.depth = depth_of(row.depth - 1);
    return reading->take(reading->context, &row);
}

static Status take_evaluation(const Reading *reading, const Position *pos, TextView evaluation) {
    Row row = new_row(reading, pos);
    int64_t number;
    int count = 0;
    if (json_int(evaluation, "depth", &number)) row.depth = depth_of(number);
    if (json_int(evaluation, "knodes", &number) && number > 0 && number < INT64_MAX / 1000)
        row.nodes = (uint64_t)number * 1000;
    const TextView pvs = json_member(evaluation, "pvs");
    TextView name, pv;
    for (TextView rest = pvs; json_kind(pvs) == JSON_LIST && json_next(&rest, &name, &pv);) count++;
    row.multi_pv = count < 1 ? 1 : count > ROW_LINES_MAX ? ROW_LINES_MAX : count;
    Status status = status_ok();
    bool is_best = true;
    for (TextView rest = pvs; count > 0 && status_is_ok(&status) && json_next(&rest, &name, &pv);
         is_best = false)
        status = take_pv(reading, pos, pv, row, is_best);
    return status;
}

static Status read_json_position(TextView object, Position *pos) {
    const TextView member = json_member(object, "fen");
    TextBuffer fen = {0};
    if (json_kind(member) != JSON_STRING) return status_error("there is no \"fen\"");
    if (json_kind(json_member(object, "evals")) != JSON_LIST) return status_error("there is no \"evals\"");
    json_append_text(member, &fen);
    const Status status = fen_parse(pos, buffer_view(&fen), false);
    buffer_release(&fen);
    return status;
}

/* The status is that of `take`; what is wrong with the line is a problem. */
static Status take_json_line(const Reading *reading, TextView line, int number, Problems *problems) {
    Position pos;
    Status status = json_check(&line);
    if (status_is_ok(&status)) status = read_json_position(line, &pos);
    if (!status_is_ok(&status)) {
        problems_add(problems, PROBLEM_LOSS, "line %d: %s", number, status.reason);
        return status_ok();
    }
    TextView name, evaluation;
    for (TextView rest = json_member(line, "evals");
         status_is_ok(&status) && json_next(&rest, &name, &evaluation);)
        status = take_evaluation(reading, &pos, evaluation);
    return status;
}

static Status finish_json(const char *path, int lines, Problems *problems) {
    const int losses = problems->count[PROBLEM_LOSS];
    problems_finish(problems);
    buffer_print(&problems->text, stderr);
    problems_release(problems);
    if (losses == 0) return status_ok();
    return status_error("%.120s: %d of the %d lines could not be read", path, losses, lines);
}

static Status read_json(const char *path, TextView text, const Reading *reading) {
    Problems problems = {.origin = path};
    Status status = status_ok();
    TextView line;
    int lines = 0;
    while (status_is_ok(&status) && text_next_line(&text, &line)) {
        lines++;
        if (!text_is_empty(text_trim(line))) status = take_json_line(reading, line, lines, &problems);
    }
    const Status whole = finish_json(path, lines, &problems);
    return status_is_ok(&status) ? whole : status;
}

/* The same, however much comes. */
static Status read_json_stream(const Reading *reading) {
    enum { LONGEST = 1 << 20 };
    Problems problems = {.origin = "-"};
    Status status = status_ok();
    TextBuffer line = {0};
    int lines = 0;
    while (status_is_ok(&status) && buffer_read_line(&line, LONGEST, stdin)) {
        lines++;
        if (line.failed)
            problems_add(&problems, PROBLEM_LOSS, "line %d: it is too long", lines);
        else if (!text_is_empty(text_trim(buffer_view(&line))))
            status = take_json_line(reading, buffer_view(&line), lines, &problems);
    }
    buffer_release(&line);
    const Status whole = finish_json("-", lines, &problems);
    return status_is_ok(&status) ? whole : status;
}

static void append_json(const Row *row, const Position *pos, const char *fen, TextBuffer *out) {
    char full[FEN_CAPACITY];
    fen_write(pos, full);
    buffer_append_format(out, "{\"fen\":\"%s\",\"evals\":[{\"pvs\":[{",
                         pos->state.halfmove_clock > 0 ? full : fen);
    if (score_is_mate(row->score))
        buffer_append_format(out, "\"mate\":%d", of_side(score_mate_moves(row->score), pos->side));
    else
        buffer_append_format(out, "\"cp\":%d", of_side(score_to_centipawns(row->score), pos->side));
    buffer_append_string(out, ",\"line\":\"");
    row_write_line(row, pos, out);
    buffer_append_format(out, "\"}],\"knodes\":%" PRIu64 ",\"depth\":%d}]}\n", row->nodes / 1000, row->depth);
}

/* --- PGN --- */

/* Reads "[%eval 0.31,24]" or "[%eval #-3]" in a comment; whether there is one. */
static bool read_eval(const char *comment, Color side, Row *row) {
    static const char COMMAND[] = "[%eval";
    const char *found = strstr(comment, COMMAND);
    if (found == NULL) return false;
    TextView text = text_view(found + sizeof COMMAND - 1), inside, score;
    double pawns;
    int64_t number;
    if (!text_split(&text, ']', &inside)) return false;
    text_split(&inside, ',', &score);
    if (text_parse_int64(text_trim(inside), &number)) row->depth = depth_of(number);
    score = text_trim(score);
    if (text_starts_with(score, "#")) {
        if (!text_parse_int64((TextView){score.data + 1, score.length - 1}, &number)) return false;
        row->score = score_of_mate(side == WHITE ? number : -number);
        return true;
    }
    if (!text_parse_double(score, &pawns) || pawns < -1000 || pawns > 1000) return false;
    row->score = of_side(score_of_centipawns((int64_t)(pawns * 100 + (pawns < 0 ? -0.5 : 0.5))), side);
    return true;
}

/* The last comment with a score of each place counts: it stands after the move that leads to the position. */
static Status take_game(const Reading *reading, const Game *game) {
    const char *annotator = game_tag(game, "Annotator");
    Position pos = game->start;
    Status status = status_ok();
    for (int place = 0; place <= game->move_count && status_is_ok(&status); place++) {
        Row row = new_row(reading, &pos);
        int count;
        const GameNote *notes = game_notes(game, place, &count);
        bool has_score = false;
        if (annotator != NULL) text_copy(text_view(annotator), row.source.engine, sizeof row.source.engine);
        for (int i = 0; i < count; i++)
            if (notes[i].kind == NOTE_COMMENT)
                has_score |= read_eval(game_note_text(game, &notes[i]), pos.side, &row);
        if (has_score) status = reading->take(reading->context, &row);
        Undo undo;
        if (place < game->move_count) position_make_move(&pos, game->moves[place], &undo);
    }
    return status;
}

static Status read_pgn(Reader *reader, const Reading *reading) {
    Status status = status_ok();
    for (bool found = true; found && status_is_ok(&status);) {
        Game game = {0};
        found = reader_next_game(reader, &game, &status);
        if (found) status = take_game(reading, &game);
        game_release(&game);
    }
    return status;
}

static void append_pgn(const Row *row, const Position *pos, TextBuffer *out) {
    char source[2 * SOURCE_TEXT_CAPACITY], comment[64], score[24];
    Game game = {.start = *pos};
    write_source(row, source);
    const int centipawns = of_side(score_to_centipawns(row->score), pos->side);
    if (score_is_mate(row->score))
        text_format(score, sizeof score, "#%d", of_side(score_mate_moves(row->score), pos->side));
    else
        text_format(score, sizeof score, "%s%d.%02d", centipawns < 0 ? "-" : "",
                    (centipawns < 0 ? -centipawns : centipawns) / 100,
                    (centipawns < 0 ? -centipawns : centipawns) % 100);
    text_format(comment, sizeof comment, "[%%eval %s,%d]", score, row->depth);
    const char *const tags[][2] = {{"Event", "analysis"}, {"Annotator", source[0] != '\0' ? source : NULL}};
    Status status = game_set_tags(&game, tags, 2);
    if (status_is_ok(&status)) status = game_add_comment(&game, 0, text_view(comment));
    for (int i = 0; i < row->move_count && status_is_ok(&status); i++)
        status = game_add_move(&game, row->line[i], NULL);
    if (status_is_ok(&status))
        pgn_write_game(&game, out);
    else
        out->failed = true;
    game_release(&game);
}

/* --- files --- */

static Status read_text(const char *path, TextView bytes, EvaluationFormat format, const Reading *reading) {
    Reader reader;
    Status status = reader_open_text(&reader, bytes);
    if (!status_is_ok(&status)) {
        reader_close(&reader);
        return status_error("%.150s cannot be read: %s", path, status.reason);
    }
    reader.path = reader.problems.origin = path;
    const bool has_games = format == EVALUATION_PGN || (format == EVALUATION_AUTO && reader.has_games);
    status = has_games ? read_pgn(&reader, reading) : read_epd(&reader, reading);
    const Status whole = reader_finish(&reader, false, NULL);
    buffer_print(&reader.problems.text, stderr);
    reader_close(&reader);
    return status_is_ok(&status) ? whole : status;
}

Status evaluations_read(const char *path, EvaluationFormat format, const char *engine, EvaluationTake *take,
                        void *context) {
    const Reading reading = {engine, take, context};
    if (format == EVALUATION_JSON && strcmp(path, "-") == 0) return read_json_stream(&reading);
    TextBuffer bytes = {0};
    Status status = file_read(path, &bytes);
    if (status_is_ok(&status)) {
        const TextView text = text_without_mark(buffer_view(&bytes));
        const bool is_json = format == EVALUATION_JSON ||
                             (format == EVALUATION_AUTO && text_starts_with(text_trim(text), "{\""));
        status = is_json ? read_json(path, text, &reading)
                         : read_text(path, buffer_view(&bytes), format, &reading);
    }
    buffer_release(&bytes);
    return status;
}

void evaluations_append(const Row *row, EvaluationFormat format, TextBuffer *out) {
    Position pos;
    char fen[FEN_CAPACITY];
    const Status status = row_unpack(row->key, &pos);
    if (!status_is_ok(&status) || row->bound != BOUND_EXACT) return;
    TextView text = {fen, fen_write(&pos, fen)};
    for (int field = 0; field < 4; field++) (void)text_next_word(&text);
    fen[text.data - fen] = '\0'; /* without the counters */
    if (format == EVALUATION_PGN)
        append_pgn(row, &pos, out);
    else if (format == EVALUATION_JSON)
        append_json(row, &pos, fen, out);
    else
        append_epd(row, &pos, fen, out);
}
