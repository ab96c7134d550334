#include "library/games.h"

#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/pgn.h"
#include "chess/san.h"

/* A line that is being written; too large for a stack of many. */
typedef struct GameLine {
    Game game;
    Position pos; /* after the moves written so far */
} GameLine;

typedef struct Writer {
    Document *document;
    Problems *problems; /* of the game */
    bool chess960;
} Writer;

static Status write_line(Writer *writer, GameLine *line, int depth);

/* --- lines --- */

static bool is_too_deep(int depth) { return depth >= VARIATION_DEPTH_MAX; }

/* The texts of a place as strings of the open list: comments, and variations that are too deep to be lines.
 */
static void write_texts(Writer *writer, const Game *game, int place, int depth) {
    int count;
    const GameNote *notes = game_notes(game, place, &count);
    for (int i = 0; i < count; i++) {
        if (notes[i].kind == NOTE_COMMENT || (notes[i].kind == NOTE_VARIATION && is_too_deep(depth)))
            document_string(writer->document, NULL, game_note_text(game, &notes[i]));
    }
}

/* What is written after a result stands at the last move. */
static void write_comments(Writer *writer, const Game *game, int place, int depth) {
    document_list(writer->document, "comments");
    write_texts(writer, game, place, depth);
    if (place == game->move_count) write_texts(writer, game, AFTER_RESULT, depth);
    document_list_end(writer->document);
}

static void write_nags(Writer *writer, const Game *game, int place) {
    int count;
    const GameNote *notes = game_notes(game, place, &count);
    document_list(writer->document, "nags");
    for (int i = 0; i < count; i++)
        if (notes[i].kind == NOTE_NAG) document_int(writer->document, NULL, notes[i].nag);
    document_list_end(writer->document);
}

static Status write_variation(Writer *writer, const GameLine *parent, TextView text, int depth) {
    GameLine *line = memory_allocate(sizeof *line);
    Problems problems = {0};
    if (line == NULL) return status_no_memory("a variation");
    Status status = pgn_read_variation(&parent->pos, text, &line->game, &problems);
    if (problems.count[PROBLEM_LOSS] + problems.count[PROBLEM_WARNING] > 0)
        problems_add(writer->problems, PROBLEM_WARNING, "move %d: a variation cannot be read to its end",
                     parent->pos.fullmove);
    document_object(writer->document, NULL);
    if (status_is_ok(&status)) status = write_line(writer, line, depth);
    document_object_end(writer->document);
    problems_release(&problems);
    game_release(&line->game);
    memory_release(line);
    return status;
}

/* The variations of a move that is not made yet. */
static Status write_variations(Writer *writer, const GameLine *line, int place, int depth) {
    int count;
    Status status = status_ok();
    const GameNote *notes = game_notes(&line->game, place, &count);
    document_list(writer->document, "variations");
    for (int i = 0; i < count && status_is_ok(&status); i++)
        if (notes[i].kind == NOTE_VARIATION && !is_too_deep(depth))
            status =
                write_variation(writer, line, text_view(game_note_text(&line->game, &notes[i])), depth + 1);
    document_list_end(writer->document);
    return status;
}

static void write_move(Writer *writer, const Position *pos, Move move) {
    char uci[LAN_CAPACITY], san[SAN_CAPACITY];
    lan_write(pos, move, uci);
    san_write(pos, move, san);
    document_string(writer->document, "uci", uci);
    document_string(writer->document, "san", san);
}

/* What is written before the first move, and the moves. */
static Status write_line(Writer *writer, GameLine *line, int depth) {
    const Game *game = &line->game;
    Status status = status_ok();
    line->pos = game->start;
    write_comments(writer, game, 0, depth);
    document_list(writer->document, "line");
    for (int i = 0; i < game->move_count && status_is_ok(&status); i++) {
        Undo undo;
        document_object(writer->document, NULL);
        write_move(writer, &line->pos, game->moves[i]);
        write_nags(writer, game, i + 1);
        write_comments(writer, game, i + 1, depth);
        status = write_variations(writer, line, i + 1, depth);
        document_object_end(writer->document);
        position_make_move(&line->pos, game->moves[i], &undo);
    }
    document_list_end(writer->document);
    return status;
}

/* --- games and positions --- */

static void write_problems(Document *document, Problems *problems) {
    TextView rest = buffer_view(&problems->text), line;
    document_list(document, "problems");
    while (text_next_line(&rest, &line))
        document_string(document, NULL, document_text(document, "%.*s", (int)line.length, line.data));
    document_list_end(document);
    buffer_clear(&problems->text);
}

static void write_tags(Document *document, const Game *game) {
    document_list(document, "tags");
    for (int i = 0; i < game->tag_count; i++) {
        document_list(document, NULL);
        document_string(document, NULL, game->tags[i].name);
        document_string(document, NULL, game->tags[i].value);
        document_list_end(document);
    }
    document_list_end(document);
}

static Status write_game(Writer *writer, GameLine *line) {
    Document *document = writer->document;
    document_object(document, NULL);
    write_tags(document, &line->game);
    document_fen(document, &line->game.start);
    line->game.start.chess960 |= writer->chess960;
    document_string(document, "result", game_result_text(line->game.result));
    const Status status = write_line(writer, line, 0);
    write_problems(document, writer->problems);
    document_object_end(document);
    return status;
}

/* A position is a game without moves; the operations of EPD are its comment. */
static bool next_position(Reader *reader, Game *game, Status *status) {
    TextView operations;
    const bool found = reader_next_position(reader, false, &game->start, &operations);
    if (found) *status = game_add_comment(game, 0, operations);
    return found;
}

Status games_write(Document *document, Reader *reader, int most, bool chess960) {
    Writer writer = {document, &reader->problems, chess960};
    Status status = status_ok();
    const bool has_games = reader->has_games;
    document_object(document, NULL);
    document_list(document, "games");
    for (int count = 0; (most == 0 || count < most) && status_is_ok(&status); count++) {
        GameLine *line = memory_allocate(sizeof *line);
        if (line == NULL) return status_no_memory("a game");
        const bool found = has_games ? reader_next_game(reader, &line->game, &status)
                                     : next_position(reader, &line->game, &status);
        if (found && status_is_ok(&status)) status = write_game(&writer, line);
        game_release(&line->game);
        memory_release(line);
        if (!found) break;
    }
    document_list_end(document);
    problems_finish(&reader->problems);
    write_problems(document, &reader->problems);
    document_int(document, "lost", reader->problems.count[PROBLEM_LOSS]);
    document_object_end(document);
    return status;
}
