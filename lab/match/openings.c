#include "lab/match/openings.h"

#include "base/memory.h"
#include "base/rng.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/reader.h"
#include "engine/genfens.h"
#include "lab/kit/console.h"

#include <stdio.h>
#include <string.h>

typedef struct Entry {
    size_t fen;        /* offset into the texts */
    size_t first_move; /* index into the moves */
    int move_count;
} Entry;

struct OpeningBook {
    OpeningOptions options;
    TextBuffer fens; /* each with its terminator */
    Move *moves;
    size_t move_count;
    Entry *entries;
    int count;  /* of the entries, or without a file of the arrays from which games start */
    int *order; /* entry of each place in the order; NULL: as in the file */
};

static bool add_move(OpeningBook *book, Move move) {
    Move *moves = memory_grow(book->moves, book->move_count, sizeof *moves);
    if (moves == NULL) return false;
    book->moves = moves;
    book->moves[book->move_count++] = move;
    return true;
}

/* Adds the position and the moves already added since `first_move`. */
static bool add_entry(OpeningBook *book, const Position *start, size_t first_move) {
    Entry *entries = memory_grow(book->entries, (size_t)book->count, sizeof *entries);
    if (entries == NULL) return false;
    book->entries = entries;
    char fen[FEN_CAPACITY];
    fen_write(start, fen);
    book->entries[book->count++] =
        (Entry){book->fens.length, first_move, (int)(book->move_count - first_move)};
    buffer_append(&book->fens, (TextView){fen, strlen(fen) + 1});
    return !book->fens.failed;
}

/* Why no game can be played from here. */
static Status check_start(const OpeningBook *book, const Position *pos) {
    if (pos->chess960 && !book->options.chess960)
        return status_error("the castling rights need -variant chess960");
    if (game_end(pos) != GAME_GOES_ON) return status_error("the game is already over there");
    return status_ok();
}

static Status read_epd(OpeningBook *book, Reader *reader) {
    Position pos;
    TextView operations;
    while (reader_next_position(reader, book->options.chess960, &pos, &operations)) {
        const Status status = check_start(book, &pos);
        if (!status_is_ok(&status))
            reader_refuse(reader, status.reason);
        else if (!add_entry(book, &pos, book->move_count))
            return status_no_memory("the openings");
    }
    return status_ok();
}

/* Adds a game, or reports why it is no opening. */
static Status add_game(OpeningBook *book, const Game *game, Reader *reader) {
    Position pos = game->start;
    Undo undo;
    const size_t first_move = book->move_count;
    int plies = game->move_count;
    if (book->options.plies > 0 && plies > book->options.plies) plies = book->options.plies;
    for (int i = 0; i < plies; i++) {
        if (!add_move(book, game->moves[i])) return status_no_memory("the openings");
        position_make_move(&pos, game->moves[i], &undo);
    }
    pos.chess960 = game->start.chess960;
    const Status status = check_start(book, &pos);
    if (!status_is_ok(&status)) {
        book->move_count = first_move;
        reader_refuse(reader, status.reason);
        return status_ok();
    }
    Position start = game->start;
    start.chess960 = book->options.chess960;
    return add_entry(book, &start, first_move) ? status : status_no_memory("the openings");
}

static Status read_pgn(OpeningBook *book, Reader *reader) {
    Game game = {0};
    Status status;
    while (reader_next_game(reader, &game, &status)) {
        status = add_game(book, &game, reader);
        if (!status_is_ok(&status)) break;
    }
    game_release(&game);
    return status;
}

/* Fisher and Yates's shuffle: every order is equally likely, and the seed alone decides. */
static bool shuffle(OpeningBook *book) {
    book->order = memory_allocate((size_t)book->count * sizeof *book->order);
    if (book->order == NULL) return false;
    for (int i = 0; i < book->count; i++) book->order[i] = i;
    Rng rng = rng_seed(book->options.seed);
    for (int i = book->count - 1; i > 0; i--) {
        const int other = (int)rng_below(&rng, (uint64_t)i + 1), kept = book->order[i];
        book->order[i] = book->order[other];
        book->order[other] = kept;
    }
    return true;
}

static Status read_entries(OpeningBook *book, Reader *reader) {
    const OpeningOptions *options = &book->options;
    if (options->format != OPENINGS_BY_CONTENT) reader->has_games = options->format == OPENINGS_PGN;
    const Status status = reader->has_games ? read_pgn(book, reader) : read_epd(book, reader);
    if (!status_is_ok(&status)) return status;
    const Status whole = reader_finish(reader, options->skip_faults, SKIP_FAULTS);
    buffer_print(&reader->problems.text, stderr);
    return whole;
}

static Status read_book(OpeningBook *book) {
    Reader reader;
    Status status = reader_open(&reader, book->options.path);
    if (status_is_ok(&status)) status = read_entries(book, &reader);
    reader_close(&reader);
    if (status_is_ok(&status) && book->count == 0)
        status = status_error("%.150s contains no opening", book->options.path);
    return status;
}

Status openings_load(const OpeningOptions *options, OpeningBook **out) {
    *out = NULL;
    OpeningBook *book = memory_allocate(sizeof *book);
    if (book == NULL) return status_no_memory("the openings");
    book->options = *options;
    Status status = status_ok();
    const bool has_file = options->path != NULL && options->path[0] != '\0';
    if (has_file)
        status = read_book(book);
    else
        book->count = options->chess960 ? FEN_CHESS960_ARRAYS : 1;
    const bool shuffled = has_file ? options->order == OPENINGS_RANDOM : options->chess960;
    if (status_is_ok(&status) && shuffled && !shuffle(book)) status = status_no_memory("the openings");
    if (status_is_ok(&status))
        *out = book;
    else
        openings_release(book);
    return status;
}

void openings_release(OpeningBook *book) {
    if (book == NULL) return;
    buffer_release(&book->fens);
    memory_release(book->moves);
    memory_release(book->entries);
    memory_release(book->order);
    memory_release(book);
}

int64_t openings_count(const OpeningBook *book) {
    return book->options.generate > 0 ? INT64_MAX : book->count;
}
const OpeningOptions *openings_options(const OpeningBook *book) { return &book->options; }

Opening openings_get(const OpeningBook *book, uint64_t index, char fen[FEN_CAPACITY]) {
    const OpeningOptions *options = &book->options;
    index += (uint64_t)options->start;
    if (options->generate > 0) {
        const Status status = genfens_position(options->generate, index, options->chess960, fen);
        return (Opening){status_is_ok(&status) ? fen : NULL, NULL, 0, 0};
    }
    const int place = (int)(index % (uint64_t)book->count);
    const int number = book->order == NULL ? place : book->order[place];
    if (book->entries == NULL) {
        if (options->chess960)
            fen_chess960_start(number, number, fen);
        else
            text_copy(text_view(FEN_START), fen, FEN_CAPACITY);
        return (Opening){fen, NULL, 0, 0};
    }
    const Entry *entry = &book->entries[number];
    text_copy(text_view(book->fens.data + entry->fen), fen, FEN_CAPACITY);
    return (Opening){fen, entry->move_count == 0 ? NULL : book->moves + entry->first_move, entry->move_count,
                     number + 1};
}
