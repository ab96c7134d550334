#include "lab/data/datatext.h"

#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/pgn_write.h"
#include "chess/san.h"
#include "lab/match/match_game.h"
#include "search/score.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The last one: resigned, agreed, lost on time, not played to its end. A record has it as END_BY_RULES. */
enum { OTHER_END = END_KINDS };
static const char *const END_TEXT[END_KINDS + 1] = {"rules", "score", "length", "other"};
static const char LAST_SCORE[] = "last score ";
static const char *const PGN_END_TEXT[END_KINDS] = {"normal", "adjudication", "adjudication: length"};

static int find_text(const char *const *texts, int count, TextView text) {
    for (int i = 0; i < count; i++)
        if (text_equals(text, texts[i])) return i;
    return -1;
}

/* --- PGN --- */

/* A line of RecordedGame.tags. */
static Status set_tag(TextView line, Game *pgn) {
    char name[sizeof(((GameTag *)0)->name)], value[TAG_VALUE_CAPACITY];
    TextView rest = line;
    const TextView front = text_next_word(&rest);
    if (rest.length > 0) rest.data++, rest.length--; /* the blank after the name */
    text_copy(front, name, sizeof name);
    text_copy(rest, value, sizeof value);
    return game_set_tag(pgn, name, value);
}

/* A game without tags gets ours if it is, else none. */
static Status set_tags(const RecordedGame *game, bool is_own, uint64_t number, Game *pgn) {
    char round[32];
    TextView rest = text_view(game->tags), line;
    text_format(round, sizeof round, "%" PRIu64, number);
    const char *const end = PGN_END_TEXT[recorded_end_kind(game->end)];
    const char *const own[][2] = {{"Event", "Luft against itself"}, {"Round", round}};
    const bool is_bare = text_is_empty(rest);
    Status status = is_bare && is_own ? game_set_tags(pgn, own, sizeof own / sizeof own[0]) : status_ok();
    while (status_is_ok(&status) && text_next_line(&rest, &line)) status = set_tag(line, pgn);
    const bool has_end = game_tag(pgn, "Termination") != NULL || /* a word for it that is not ours */
                         (!is_own && game->end == GAME_GOES_ON); /* nobody knows */
    return status_is_ok(&status) && !has_end ? game_set_tag(pgn, "Termination", end) : status;
}

enum { COMMENT_CAPACITY = 64 };

/* For other programs, of the position after that many plies: pawns, or moves to mate. A recorded mate has no
 * distance: it is the one of the game, and where the game has no such end, nothing is written, as pawns would
 * be wrong. */
static size_t write_evaluation(const RecordedGame *game, int plies, int score, char *out, size_t capacity) {
    const int left = game->ply_count - plies, centipawns = (int)lround(score * 100.0 / SCORE_UNITS_PER_PAWN);
    if (!score_is_mate(score))
        return text_format(out, capacity, "[%%eval %s%d.%02d]", centipawns < 0 ? "-" : "",
                           abs(centipawns) / 100, abs(centipawns) % 100);
    if (left == 0 || game->end != CHECKMATE || (score > 0) != (game->result == WHITE_WINS)) return 0;
    return text_format(out, capacity, "[%%eval #%s%d]", score < 0 ? "-" : "", (left + 1) / 2);
}

/* Our own score of the position before the move, to the last unit, and the one after it for other programs.
 * NULL without either. */
static const char *describe_scores(const RecordedGame *game, int ply, char out[COMMENT_CAPACITY]) {
    const bool is_last = ply + 1 == game->ply_count;
    const int before = game->ply[ply].score, after = is_last ? game->last_score : game->ply[ply + 1].score;
    char evaluation[COMMENT_CAPACITY] = "";
    if (after != RECORD_NO_SCORE) write_evaluation(game, ply + 1, after, evaluation, sizeof evaluation);
    size_t length = 0;
    if (before != RECORD_NO_SCORE)
        length += text_format(out, COMMENT_CAPACITY, "score %d%s", before, evaluation[0] != '\0' ? " " : "");
    length += text_format(out + length, COMMENT_CAPACITY - length, "%s", evaluation);
    return length > 0 ? out : NULL;
}

Status datatext_append_pgn(const RecordedGame *game, bool is_own, uint64_t number, TextBuffer *out) {
    Game pgn = {.start = game->start, .result = game->result};
    char comment[COMMENT_CAPACITY];
    Status status = set_tags(game, is_own, number, &pgn);
    for (int i = 0; i < game->ply_count && status_is_ok(&status); i++)
        status = game_add_move(&pgn, game->ply[i].move, describe_scores(game, i, comment));
    if (status_is_ok(&status) && game->last_score != RECORD_NO_SCORE) {
        text_format(comment, sizeof comment, "%s %d", LAST_SCORE, game->last_score);
        status = game_add_comment(&pgn, pgn.move_count, text_view(comment));
    }
    if (status_is_ok(&status)) pgn_write_game(&pgn, out);
    game_release(&pgn);
    return status;
}

/* Reads a comment of Luft's own exports: what it begins with, and a score. */
static bool read_own_score(const char *comment, const char *begin, int *score) {
    TextView rest = text_view(comment);
    int64_t own;
    if (!text_starts_with(rest, begin)) return false;
    rest.data += strlen(begin);
    rest.length -= strlen(begin);
    const bool sound =
        text_parse_int64(text_next_word(&rest), &own) && own >= -SCORE_MATE && own <= SCORE_MATE;
    *score = sound ? (int)own : RECORD_NO_SCORE;
    return true;
}

/* The last comment of a place; NULL when there is none. */
static const char *last_comment(const Game *pgn, int place) {
    int count;
    const GameNote *notes = game_notes(pgn, place, &count);
    while (count > 0 && notes[count - 1].kind != NOTE_COMMENT) count--;
    return count > 0 ? game_note_text(pgn, &notes[count - 1]) : NULL;
}

/* Of the position before a ply, or after the last, in our units, White's view. After mate others write #0,
 * which has no sign. */
static int read_score(const Game *pgn, int ply, const Position *pos) {
    const Color side = pos->side;
    int own;
    const bool is_last = ply == pgn->move_count;
    if (is_last ? read_own_score(last_comment(pgn, ply), LAST_SCORE, &own)
                : read_own_score(game_comment(pgn, ply + 1), "score ", &own))
        return own;
    const UciScore said = match_game_score_before(pgn, ply);
    if (said.kind == SCORE_NOT_GIVEN) return RECORD_NO_SCORE;
    if (said.kind == SCORE_MATE_IN && is_last && game_end(pos) == CHECKMATE)
        return side == WHITE ? -SCORE_MATE : SCORE_MATE;
    const int score = said.kind == SCORE_MATE_IN
                          ? said.value * SCORE_MATE
                          : (int)lround(said.value * (double)SCORE_UNITS_PER_PAWN / 100);
    return side == WHITE ? score : -score;
}

/* The tags that the record has no other place for. It has one for an adjudication, and none for "normal",
 * which may be a resignation. */
static Status take_tags(const Game *pgn, RecordedGame *game) {
    Status status = status_ok();
    for (int i = 0; i < pgn->tag_count; i++) {
        const GameTag *tag = &pgn->tags[i];
        const bool is_other = game_is_start_tag(tag->name) ||
                              text_equals_ignore_case(text_view(tag->name), "Result") ||
                              (text_equals_ignore_case(text_view(tag->name), "Termination") &&
                               find_text(PGN_END_TEXT, END_KINDS, text_view(tag->value)) > END_BY_RULES);
        if (!is_other && !recorded_add_tag(game, tag->name, tag->value))
            status = status_error("there is no room for all tags");
    }
    return status;
}

Status datatext_take_game(const Game *pgn, RecordedGame *game) {
    recorded_start_position(game, &pgn->start);
    game->result = pgn->result;
    Status status = take_tags(pgn, game);
    Position pos = game->start;
    for (int i = 0; i < pgn->move_count; i++) {
        Undo undo;
        const int score = read_score(pgn, i, &pos);
        if (!recorded_add(game, pgn->moves[i], score)) {
            status = status_error("the game has more than %d plies", RECORD_PLIES_MAX);
            break;
        }
        position_make_move(&pos, pgn->moves[i], &undo);
    }
    if (game->ply_count == pgn->move_count)
        game->last_score = (int16_t)record_round_score(read_score(pgn, pgn->move_count, &pos));
    const int kind = find_text(PGN_END_TEXT, END_KINDS, text_view(game_tag(pgn, "Termination")));
    game->end = recorded_end(kind < 0 ? END_BY_RULES : (EndKind)kind, pgn->result, &pos);
    return status;
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
                         END_TEXT[game->end == GAME_GOES_ON ? OTHER_END : (int)recorded_end_kind(game->end)]);
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
    if (game->last_score != RECORD_NO_SCORE) buffer_append_format(out, " = %d", game->last_score);
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

/* A score of a line, or "-". */
static bool read_line_score(TextView word, int64_t *score) {
    *score = RECORD_NO_SCORE;
    return text_equals(word, "-") ||
           (text_parse_int64(word, score) && *score >= -SCORE_MATE && *score <= SCORE_MATE);
}

static Status read_plies(TextView rest, RecordedGame *game, Position *pos) {
    *pos = game->start;
    pos->chess960 = true;
    for (TextView word = text_next_word(&rest); !text_is_empty(word); word = text_next_word(&rest)) {
        Move move = MOVE_NONE;
        Undo undo;
        int64_t score;
        const bool is_last = text_equals(word, "=");
        Status status = is_last ? status_ok() : lan_parse(pos, word, &move);
        if (!status_is_ok(&status)) return status_error("ply %d: %s", game->ply_count, status.reason);
        if (!read_line_score(text_next_word(&rest), &score))
            return status_error("ply %d has no score", game->ply_count);
        if (is_last) {
            game->last_score = (int16_t)record_round_score((int)score);
            return text_is_empty(text_next_word(&rest)) ? status : status_error("words after the last score");
        }
        if (!recorded_add(game, move, (int)score))
            return status_error("more than %d plies", RECORD_PLIES_MAX);
        position_make_move(pos, move, &undo);
    }
    return status_ok();
}

Status datatext_parse_line(TextView line, RecordedGame *game) {
    TextView start, result_field, end_field;
    game->result = UNDECIDED;
    if (!next_field(&line, &start) || !next_field(&line, &result_field) || !next_field(&line, &end_field))
        return status_error("expected start; result; end; moves");
    Status status = read_start(start, game);
    game->result = UNDECIDED;
    if (!status_is_ok(&status)) return status;
    GameResult result = UNDECIDED;
    (void)game_result_parse(result_field, &result);
    const int kind = find_text(END_TEXT, END_KINDS + 1, end_field);
    if (result == UNDECIDED) return status_error("the result must be 1-0, 0-1 or 1/2-1/2");
    if (kind < 0) return status_error("the end must be rules, score, length or other");
    Position last;
    status = read_plies(line, game, &last);
    game->result = result;
    game->end = recorded_end(kind == OTHER_END ? END_BY_RULES : (EndKind)kind, result, &last);
    return status;
}
